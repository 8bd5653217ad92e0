//! gcc's build of an original with the harness, and its runs: no shell, limits on every process, files in a directory
//! of its own.

use super::{COMMON_FLAGS, ORIGINAL_FLAGS, model_flags, source, without_inline_asm};
use crate::process::{self, Cancel, Ended, Finished, Job, Limits, Measure, Scratch};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tandem_plugin_api::program::DataModel;
use tandem_plugin_api::task::Task;

/// Locals without initialiser are zero, as in our execution. gcc has this option since version 12.
const ZERO_LOCALS: &str = "-ftrivial-auto-var-init=zero";

/// An inlined function cannot be replaced, so `always_inline` becomes `noinline`. It stays the name of an attribute,
/// since headers ask `__has_attribute`.
const HARNESS_FLAGS: &[&str] = &[
    "-Dalways_inline=noinline",
    "-D__always_inline__=__noinline__",
    "-O0",
    "-no-pie",
    "-fno-use-linker-plugin",
    "-pipe",
];

/// The faster linker of binutils, where it is installed: it takes half the time.
const FAST_LINKER: (&str, &str) = ("ld.gold", "-fuse-ld=gold");

/// Adds the table of globals that are compared. It uses their names, which the original may have made unusable.
const WITH_GLOBALS: &str = "-D__TANDEM_GLOBALS";

/// For a build that writes a trace. In newer formats of line tables, addr2line takes the included file for the one that
/// includes it.
const TRACED: &[&str] = &["-D__TANDEM_TRACE", "-fsanitize-coverage=trace-pc", "-g1", "-gdwarf-4"];

pub const LONGEST_BUILD: Duration = Duration::from_secs(60);
const BUILD_MEMORY: u64 = 4 << 30;
const RUN_MEMORY: u64 = 8 << 30;
const MOST_MESSAGES: u64 = 64 << 10;

/// A program that gcc built.
pub struct Built {
    directory: Scratch,
    /// The file that was included.
    pub original: PathBuf,
    model: DataModel,
    /// Inline assembly was taken out, since kernel code would need a kernel.
    pub without_asm: bool,
}

/// Why a program has no build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoBuild {
    /// gcc does not accept the program as C; its message.
    Rejected(String),
    Other(String),
}

/// How a run of it ended, and the harness's output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    pub told: String,
    pub ended: Ended,
    pub stopped: bool,
}

impl Built {
    /// Writes the text and has gcc build it; `polite` builds run at low priority.
    pub fn new(file: &Path, task: &Task, polite: bool, cancel: &Cancel) -> Result<Built, NoBuild> {
        let built = Built::prepare(file, task).map_err(NoBuild::Other)?;
        let compile = |flags: &[&str]| built.compile("program", flags, polite, cancel);
        let outcome = match compile(&[ZERO_LOCALS, WITH_GLOBALS]) {
            Err(Failed::Refused(messages)) if messages.contains("auto-var-init") => compile(&[WITH_GLOBALS]),
            Err(Failed::Refused(_)) => match built.rejection(file, cancel) {
                Some(rejection) => return Err(rejection),
                None => compile(&[ZERO_LOCALS]),
            },
            other => other,
        };
        outcome.map_err(|failed| NoBuild::Other(failed.text()))?;
        Ok(built)
    }

    /// gcc's objection to the program as it stands, without the harness.
    fn rejection(&self, file: &Path, cancel: &Cancel) -> Option<NoBuild> {
        let mut job = self.job("gcc", "syntax");
        let flags = [model_flags(self.model), &["-fsyntax-only", "-std=gnu17", "-w", "-x", "c"]].concat();
        job.arguments = flags.into_iter().map(Into::into).collect();
        job.arguments.push(std::path::absolute(file).ok()?.into());
        job.limits = Limits { wall: Some(LONGEST_BUILD), grace: Duration::ZERO, ..Limits::default() };
        job.address_space = Some(BUILD_MEMORY);
        let finished = process::run(&job, cancel).ok()?;
        let messages = self.told("syntax");
        let is_mistake = |line: &str| line.contains(" error: ") && !line.contains("fatal error");
        let rejects = finished.stopped.is_none() && matches!(finished.ended, Ended::Exited(1));
        (rejects && messages.lines().any(is_mistake)).then(|| NoBuild::Rejected(first_error(&messages)))
    }

    fn prepare(file: &Path, task: &Task) -> Result<Built, String> {
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
        let (model, without_asm) = (task.program.types.model, stripped.is_some());
        Ok(Built { directory, original, model, without_asm })
    }

    /// The same with a file `trace`, to which a run writes its trace.
    pub fn compile_traced(&self, cancel: &Cancel) -> Result<(), String> {
        let flags = [&[ZERO_LOCALS], TRACED].concat();
        self.compile("traced", &flags, false, cancel).map_err(Failed::text)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// A job whose files begin with this name.
    pub fn job(&self, program: impl Into<PathBuf>, name: &str) -> Job {
        let file = |end: &str| self.path(&format!("{name}.{end}"));
        let mut job = Job::new(program.into(), file("stdout"), file("stderr"));
        job.directory = Some(self.directory.path().to_path_buf());
        job.name = process::fresh_name("gcc");
        (job.output_cap, job.measure) = (MOST_MESSAGES, Measure::Proc);
        job.environment = vec![("LC_ALL".into(), "C".into()), ("TMPDIR".into(), self.directory.path().into())];
        job
    }

    fn compile(&self, output: &str, more: &[&str], polite: bool, cancel: &Cancel) -> Result<(), Failed> {
        let mut job = self.job("gcc", "build");
        let flags = [model_flags(self.model), COMMON_FLAGS, ORIGINAL_FLAGS, HARNESS_FLAGS, more].concat();
        job.arguments = flags.into_iter().map(Into::into).collect();
        let (linker, flag) = FAST_LINKER;
        job.arguments.extend(is_on_path(linker).then(|| flag.into()));
        let folder = self.original.parent().unwrap_or(Path::new("/"));
        job.arguments.extend(["-fmax-errors=3".into(), "-iquote".into(), folder.into()]);
        job.arguments.extend(["-o", output, "build.c", "-lm"].map(Into::into));
        job.limits = Limits { wall: Some(LONGEST_BUILD), grace: Duration::ZERO, ..Limits::default() };
        (job.polite, job.address_space) = (polite, Some(BUILD_MEMORY));
        let finished =
            process::run(&job, cancel).map_err(|problem| match problem.message.contains("No such file") {
                true => Failed::Other("gcc is not installed".to_string()),
                false => Failed::Other(format!("gcc cannot be run: {}", problem.message)),
            })?;
        match (finished.stopped, finished.ended) {
            (None, Ended::Exited(0)) => Ok(()),
            (Some(_), _) => Err(Failed::Other("gcc took too long to build it".into())),
            _ => Err(Failed::Refused(self.told("build"))),
        }
    }

    /// The standard error of a job with this name.
    fn told(&self, name: &str) -> String {
        String::from_utf8_lossy(&fs::read(self.path(&format!("{name}.stderr"))).unwrap_or_default()).into_owned()
    }

    /// Runs a program on inputs, as they were read. Jobs of different names may run at the same time.
    pub fn run(
        &self,
        (program, name): (&str, &str),
        inputs: &[u64],
        time: Duration,
        polite: bool,
        cancel: &Cancel,
    ) -> Result<Ran, String> {
        let bytes: Vec<u8> = inputs.iter().flat_map(|bits| bits.to_le_bytes()).collect();
        let file = self.path(&format!("{name}.inputs"));
        fs::write(&file, bytes).map_err(|error| format!("the inputs cannot be written: {error}"))?;
        let mut job = self.job(self.path(program), name);
        (job.stdin, job.only_environment, job.polite) = (Some(file), true, polite);
        job.environment.clear();
        job.limits = Limits { wall: Some(time), grace: Duration::ZERO, ..Limits::default() };
        job.address_space = Some(RUN_MEMORY);
        let Finished { stopped, ended, .. } =
            process::run(&job, cancel).map_err(|problem| format!("its build cannot be run: {}", problem.message))?;
        Ok(Ran { told: self.told(name).trim().to_string(), ended, stopped: stopped.is_some() })
    }
}

fn is_on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Why there is no build.
enum Failed {
    /// gcc does not accept the program; its messages.
    Refused(String),
    Other(String),
}

impl Failed {
    fn text(self) -> String {
        match self {
            Failed::Refused(messages) => format!("gcc could not build it: {}", first_error(&messages)),
            Failed::Other(why) => why,
        }
    }
}

/// The first line of gcc's messages that says what is wrong.
fn first_error(messages: &str) -> String {
    let telling =
        |line: &&str| line.contains("rror:") || line.contains("undefined reference") || line.contains("cannot find");
    let line = messages
        .lines()
        .find(telling)
        .or(messages.lines().find(|line| !line.ends_with("messages:")))
        .unwrap_or("no message");
    let line = line.split_once("rror: ").map_or(line, |(_, message)| message);
    let line = line.rfind("undefined reference").map_or(line, |at| &line[at..]);
    line.trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::first_error;

    #[test]
    fn of_many_messages_the_first_error_is_told() {
        let messages =
            "In file included from build.c:1:\n/x.c:3:1: error: unknown type name 'u'\n/x.c:4: error: more\n";
        assert_eq!(first_error(messages), "unknown type name 'u'");
        let linker = "/usr/bin/ld: /tmp/a.o: in function `main':\nbuild.c:(.text+0x9): undefined reference to `f'\n";
        assert_eq!(first_error(linker), "undefined reference to `f'");
    }
}
