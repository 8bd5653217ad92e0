//! gcc as the second opinion: the original source, built by gcc, is run on the inputs with which our execution reached the error.
//! An alarm that our own reading of C made up is executed by the same reading; gcc's build does not share our mistakes.

mod inline_asm;
mod source;

pub use inline_asm::without_inline_asm;

use crate::process::{self, Cancel, Ended, Job, Limits, Measure, Scratch, Stopped};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};
use tandem_plugin_api::program::DataModel;
use tandem_plugin_api::task::Task;

/// For every build of gcc that is compared with our execution: overflow wraps, types may alias, and floats are computed as they are
/// declared.
pub const COMMON_FLAGS: &[&str] = &[
    "-std=gnu11",
    "-w",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-fcommon",
    "-ffp-contract=off",
    "-fno-stack-protector",
    "-fno-pic",
    "-fcf-protection=none",
    "-fno-asynchronous-unwind-tables",
];

/// For originals. An `inline` function that gcc does not inline needs a definition elsewhere in one dialect of C or the
/// other; as a plain function it means the same in both.
pub const ORIGINAL_FLAGS: &[&str] =
    &["-x", "c", "-Dinline=", "-D__inline=", "-D__inline__=", "-Ulinux", "-Uunix", "-Ui386"];

/// What our execution does too: locals without initialiser are zero. gcc knows it since version 12.
const ZERO_LOCALS: &str = "-ftrivial-auto-var-init=zero";

/// A function that is inlined cannot be replaced. It is the name of another attribute, since headers ask `__has_attribute`.
const HARNESS_FLAGS: &[&str] =
    &["-Dalways_inline=noinline", "-D__always_inline__=__noinline__", "-O0", "-no-pie", "-fno-use-linker-plugin"];

/// Sizes of types, and floats in the declared format; x87 would round twice.
pub fn model_flags(model: DataModel) -> &'static [&'static str] {
    match model {
        DataModel::Ilp32 => &["-m32", "-msse2", "-mfpmath=sse"],
        DataModel::Lp64 => &["-m64"],
    }
}

/// What gcc may take for a build, and the program for its run.
const LONGEST_BUILD: Duration = Duration::from_secs(60);
const LONGEST_RUN: Duration = Duration::from_secs(30);
const BUILD_MEMORY: u64 = 4 << 30;
const RUN_MEMORY: u64 = 8 << 30;
const MOST_MESSAGES: u64 = 64 << 10;

/// What gcc's build says of a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opinion {
    /// It calls the error function on the same inputs.
    Same,
    /// It does something else; what.
    Differs(String),
    /// There is no second opinion; why.
    Missing(String),
}

impl fmt::Display for Opinion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Opinion::Same => f.write_str("gcc's build of the original reached the error on the same inputs"),
            Opinion::Differs(how) => write!(f, "gcc's build of the original {how} on the same inputs"),
            Opinion::Missing(why) => write!(f, "there is no second opinion by gcc: {why}"),
        }
    }
}

/// A program that gcc built.
struct Built {
    directory: Scratch,
    /// Inline assembly was taken out, since the original's may need a kernel.
    without_asm: bool,
}

/// gcc's build of a program, under way beside the analyses. Whoever drops it has no need of it any more.
pub struct SecondOpinion {
    built: Receiver<Result<Built, String>>,
    cancel: Cancel,
}

impl SecondOpinion {
    /// Lets gcc begin, at low priority.
    pub fn start(file: &Path, task: &Arc<Task>) -> SecondOpinion {
        let (sender, built) = sync_channel(1);
        let cancel = Cancel::default();
        let (file, task, cancelled) = (file.to_path_buf(), task.clone(), cancel.clone());
        let work = move || {
            // Nobody listens where the run has ended meanwhile.
            let _ = sender.send(build(&file, &task, &cancelled));
        };
        // Where no thread can be had, the receiver hears that there is no sender.
        let _ = thread::Builder::new().name("gcc".into()).spawn(work);
        SecondOpinion { built, cancel }
    }

    /// Runs the build on these inputs, as they were read; it waits for gcc, but not beyond the deadline.
    pub fn on(self, inputs: &[u64], deadline: Option<Instant>) -> Opinion {
        let left = || deadline.map(|end| end.saturating_duration_since(Instant::now()));
        let built = match self.built.recv_timeout(left().unwrap_or(LONGEST_BUILD).min(LONGEST_BUILD)) {
            Ok(Ok(built)) => built,
            Ok(Err(why)) => return Opinion::Missing(why),
            Err(RecvTimeoutError::Timeout) => return Opinion::Missing("there was no time to build it".into()),
            Err(RecvTimeoutError::Disconnected) => return Opinion::Missing("it could not be built".into()),
        };
        let time = left().unwrap_or(LONGEST_RUN).min(LONGEST_RUN);
        match built.run(inputs, time, &self.cancel) {
            Opinion::Differs(how) if built.without_asm => {
                Opinion::Missing(format!("its build, from which inline assembly was taken, {how}"))
            }
            opinion => opinion,
        }
    }
}

impl Drop for SecondOpinion {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

fn build(file: &Path, task: &Task, cancel: &Cancel) -> Result<Built, String> {
    if !cfg!(target_arch = "x86_64") {
        return Err("it needs a machine with x86-64".into());
    }
    let failed = |error: std::io::Error| error.to_string();
    if !fs::metadata(file).map_err(failed)?.is_file() {
        return Err("the program came without a file".into());
    }
    let directory = Scratch::new("tandem-gcc-").map_err(failed)?;
    let original = std::path::absolute(file).map_err(failed)?;
    let stripped = without_inline_asm(&String::from_utf8_lossy(&fs::read(&original).map_err(failed)?));
    let included = match &stripped {
        Some(text) => {
            let changed = directory.path().join("original.c");
            fs::write(&changed, text).map_err(failed)?;
            changed
        }
        None => original.clone(),
    };
    let Some(include) = included.to_str().filter(|path| !path.contains(['"', '\n'])) else {
        return Err("the path of the program cannot be written in C".into());
    };
    fs::write(directory.path().join("build.c"), source::text(task, include)?).map_err(failed)?;
    let folder = original.parent().unwrap_or(Path::new("/"));
    let built = Built { directory, without_asm: stripped.is_some() };
    match built.compile(task.program.types.model, folder, &[ZERO_LOCALS], cancel) {
        Err(messages) if messages.contains("auto-var-init") => {
            built.compile(task.program.types.model, folder, &[], cancel)?;
        }
        other => other?,
    }
    Ok(built)
}

impl Built {
    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn job(&self, program: PathBuf) -> Job {
        let mut job = Job::new(program, self.path("stdout"), self.path("stderr"));
        job.directory = Some(self.directory.path().to_path_buf());
        job.name = process::fresh_name("gcc");
        (job.output_cap, job.measure) = (MOST_MESSAGES, Measure::Proc);
        job
    }

    fn compile(&self, model: DataModel, folder: &Path, more: &[&str], cancel: &Cancel) -> Result<(), String> {
        let mut job = self.job("gcc".into());
        let flags = [model_flags(model), COMMON_FLAGS, ORIGINAL_FLAGS, HARNESS_FLAGS, more].concat();
        job.arguments = flags.into_iter().map(Into::into).collect();
        job.arguments.extend(["-fmax-errors=3".into(), "-iquote".into(), folder.into()]);
        job.arguments.extend(["-o", "program", "build.c", "-lm"].map(Into::into));
        job.environment = vec![("LC_ALL".into(), "C".into()), ("TMPDIR".into(), self.directory.path().into())];
        job.limits = Limits { wall: Some(LONGEST_BUILD), grace: Duration::ZERO, ..Limits::default() };
        (job.polite, job.address_space) = (true, Some(BUILD_MEMORY));
        let finished =
            process::run(&job, cancel).map_err(|problem| match problem.message.contains("No such file") {
                true => "gcc is not installed".to_string(),
                false => format!("gcc cannot be run: {}", problem.message),
            })?;
        match (finished.stopped, finished.ended) {
            (None, Ended::Exited(0)) => Ok(()),
            (Some(_), _) => Err("gcc took too long to build it".into()),
            _ => Err(format!("gcc could not build it: {}", first_error(&self.told()))),
        }
    }

    fn told(&self) -> String {
        String::from_utf8_lossy(&fs::read(self.path("stderr")).unwrap_or_default()).into_owned()
    }

    fn run(&self, inputs: &[u64], time: Duration, cancel: &Cancel) -> Opinion {
        let bytes: Vec<u8> = inputs.iter().flat_map(|bits| bits.to_le_bytes()).collect();
        if let Err(error) = fs::write(self.path("inputs"), bytes) {
            return Opinion::Missing(format!("the inputs cannot be written: {error}"));
        }
        let mut job = self.job(self.path("program"));
        (job.stdin, job.only_environment) = (Some(self.path("inputs")), true);
        job.limits = Limits { wall: Some(time), grace: Duration::ZERO, ..Limits::default() };
        job.address_space = Some(RUN_MEMORY);
        match process::run(&job, cancel) {
            Err(problem) => Opinion::Missing(format!("its build cannot be run: {}", problem.message)),
            Ok(finished) if finished.stopped == Some(Stopped::Wall) => {
                Opinion::Missing(format!("its build still ran after {} s", time.as_secs()))
            }
            Ok(finished) if finished.stopped.is_some() => Opinion::Missing("its build was stopped".into()),
            Ok(finished) => judge(self.told().trim(), finished.ended),
        }
    }
}

/// What the harness told, and how the program ended.
fn judge(told: &str, ended: Ended) -> Opinion {
    match (told, ended) {
        ("reached", _) => Opinion::Same,
        ("", Ended::Exited(status)) => Opinion::Differs(format!("ended with status {status}")),
        ("", Ended::Signalled(signal)) => Opinion::Differs(format!("was ended by signal {signal}")),
        (told, _) => match told.strip_prefix("unfit: ") {
            Some(why) => Opinion::Missing(why.to_string()),
            None => Opinion::Differs(told.lines().next().unwrap_or_default().to_string()),
        },
    }
}

/// The first line of gcc's messages that says what is wrong.
fn first_error(messages: &str) -> String {
    let telling =
        |line: &&str| line.contains("error:") || line.contains("undefined reference") || line.contains("cannot find");
    let line = messages.lines().find(telling).or(messages.lines().next()).unwrap_or("no message");
    let line = line.split_once("error: ").map_or(line, |(_, message)| message);
    let line = line.rfind("undefined reference").map_or(line, |at| &line[at..]);
    line.trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_error_confirms_it() {
        assert_eq!(judge("reached", Ended::Exited(0)), Opinion::Same);
        let differs = |told, ended| match judge(told, ended) {
            Opinion::Differs(how) => how,
            other => panic!("{other:?}"),
        };
        assert_eq!(differs("", Ended::Exited(107)), "ended with status 107");
        assert_eq!(differs("", Ended::Signalled(11)), "was ended by signal 11");
        assert_eq!(differs("asked for more inputs", Ended::Exited(0)), "asked for more inputs");
        let unfit = judge("unfit: an input of more than 64 bits", Ended::Exited(0));
        assert_eq!(unfit, Opinion::Missing("an input of more than 64 bits".into()));
    }

    #[test]
    fn of_many_messages_the_first_error_is_told() {
        let messages =
            "In file included from build.c:1:\n/x.c:3:1: error: unknown type name 'u'\n/x.c:4: error: more\n";
        assert_eq!(first_error(messages), "unknown type name 'u'");
        let linker = "/usr/bin/ld: /tmp/a.o: in function `main':\nbuild.c:(.text+0x9): undefined reference to `f'\n";
        assert_eq!(first_error(linker), "undefined reference to `f'");
    }
}
