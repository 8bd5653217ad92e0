//! gcc as the second opinion: the original source, built by gcc, is run on the inputs with which our execution reached
//! the error. If our own reading of C is wrong, an alarm and its execution share the mistake; gcc's build does not.

mod build;
mod compare;
mod doubts;
mod inline_asm;
pub mod lines;
mod source;

pub use compare::{Determined, Difference};
pub use doubts::{depends_on_junk, line_of_assembly};
pub use inline_asm::without_inline_asm;

use crate::process::{self, Cancel, Ended};
use build::{Built, LONGEST_BUILD, NoBuild, Ran};
use compare::Comparisons;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};
use tandem_plugin_api::program::DataModel;
use tandem_plugin_api::task::Task;

/// For every build of gcc that is compared with our execution: overflow wraps, types may alias, and floats are computed as they are
/// declared.
pub const COMMON_FLAGS: &[&str] = &[
    "-std=gnu17",
    "-w",
    "-fwrapv",
    "-fno-strict-aliasing",
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

/// Sizes of types, and floats in the declared format; x87 would round twice.
pub fn model_flags(model: DataModel) -> &'static [&'static str] {
    match model {
        DataModel::Ilp32 => &["-m32", "-msse2", "-mfpmath=sse"],
        DataModel::Lp64 => &["-m64"],
    }
}

/// The time limit of a run, and the time to wait for the early build before another one begins at normal priority.
const LONGEST_RUN: Duration = Duration::from_secs(30);
const PATIENCE: Duration = Duration::from_millis(50);
/// How long a proof waits for gcc's build and the first runs of it.
const PATIENCE_OF_PROOF: Duration = Duration::from_secs(1);

/// What the run of gcc's build shows about a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opinion {
    /// It calls the error function on the same inputs.
    Same,
    /// It behaves differently; how.
    Differs(String),
    /// gcc does not accept the program as C; its message.
    Rejected(String),
    /// There is no second opinion; why not.
    Missing(String),
}

impl fmt::Display for Opinion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Opinion::Same => f.write_str("gcc's build of the original reached the error on the same inputs"),
            Opinion::Differs(how) => write!(f, "gcc's build of the original {how} on the same inputs"),
            Opinion::Rejected(message) => write!(f, "gcc does not accept the program: {message}"),
            Opinion::Missing(why) => write!(f, "there is no second opinion by gcc: {why}"),
        }
    }
}

/// The result of gcc's build while analyses prove a program.
pub enum OnProof {
    /// gcc does not accept the program as C; its message.
    Rejected(String),
    /// A run in which its build does something else than our execution.
    Differs(Difference),
    /// This many runs behaved the same.
    Same(usize),
}

/// gcc's build of a program, under way beside the analyses. Dropping it ends the build.
pub struct SecondOpinion {
    file: PathBuf,
    task: Arc<Task>,
    sender: SyncSender<Result<Arc<Built>, NoBuild>>,
    built: Receiver<Result<Arc<Built>, NoBuild>>,
    determined: Option<Determined>,
    compared: Arc<Comparisons>,
    /// Ends comparisons; what is built stays.
    enough: Cancel,
    cancel: Cancel,
}

impl SecondOpinion {
    /// Starts gcc's build at low priority. When it is ready, and a core is idle, runs of both builds are compared.
    pub fn start(file: &Path, task: &Arc<Task>, determined: Option<Determined>) -> SecondOpinion {
        // Room for one result of each build, so that no sender has to wait.
        let (sender, built) = sync_channel(2);
        let opinion = SecondOpinion {
            file: file.to_path_buf(),
            task: task.clone(),
            sender,
            built,
            determined,
            compared: Arc::default(),
            enough: Cancel::default(),
            cancel: Cancel::default(),
        };
        opinion.build(true);
        opinion
    }

    fn build(&self, polite: bool) {
        let (file, task, sender) = (self.file.clone(), self.task.clone(), self.sender.clone());
        let determined = self.determined.clone();
        let (compared, enough, cancel) = (self.compared.clone(), self.enough.clone(), self.cancel.clone());
        let work = move || {
            let built = Built::new(&file, &task, polite, &cancel).map(Arc::new);
            // The receiver is gone if the run has ended meanwhile.
            let _ = sender.send(built.clone());
            drop(sender);
            if let (Ok(built), Some(determined)) = (built, determined) {
                if polite {
                    process::give_way();
                }
                compare::search(&built, &task, &determined, &enough, &compared);
            }
            compared.round_done();
        };
        // If no thread can be started, no result arrives, and the wait ends at its time limit.
        let _ = thread::Builder::new().name("gcc".into()).spawn(work);
    }

    /// Runs the build on these inputs, as they were read. It waits for gcc, but for no more than half of the time that
    /// is left, so that there is enough time to report the verdict.
    pub fn on(self, inputs: &[u64], deadline: Option<Instant>) -> (Opinion, Option<Vec<String>>) {
        self.enough.cancel();
        let left = || deadline.map(|end| end.saturating_duration_since(Instant::now()) / 2);
        let built = match self.ready(left().unwrap_or(LONGEST_BUILD).min(LONGEST_BUILD)) {
            Ok(built) => built,
            Err(NoBuild::Rejected(message)) => return (Opinion::Rejected(message), None),
            Err(NoBuild::Other(why)) => return (Opinion::Missing(why), None),
        };
        let time = left().unwrap_or(LONGEST_RUN).min(LONGEST_RUN);
        let opinion = match built.run(("program", "violation"), inputs, time, false, &self.cancel) {
            Err(why) => Opinion::Missing(why),
            Ok(ran) if ran.stopped => {
                Opinion::Missing(format!("its build still ran after {:.1} s", time.as_secs_f64()))
            }
            Ok(ran) => judge(&ran),
        };
        match opinion {
            Opinion::Differs(how) if built.without_asm => {
                (Opinion::Missing(format!("its build, from which inline assembly was taken, {how}")), None)
            }
            Opinion::Differs(how) => {
                let lines = lines::of_run(&built, inputs, left().unwrap_or(LONGEST_RUN).min(LONGEST_RUN), &self.cancel);
                (Opinion::Differs(how), lines.ok())
            }
            opinion => (opinion, None),
        }
    }

    /// The build. The early one runs at low priority, which on a busy machine takes long. If it is not ready yet
    /// another one begins, and the first to be ready counts.
    fn ready(&self, time: Duration) -> Result<Arc<Built>, NoBuild> {
        let first = match self.built.recv_timeout(PATIENCE.min(time)) {
            Err(RecvTimeoutError::Timeout) => {
                self.build(false);
                self.built.recv_timeout(time.saturating_sub(PATIENCE))
            }
            first => first,
        };
        first.unwrap_or_else(|_| Err(NoBuild::Other("there was no time to build it".into())))
    }

    /// The results of gcc and of comparisons. A proof waits for the build and its first runs, but not long: most
    /// mistakes in our reading of a program show in every run of it.
    pub fn on_proof(self, deadline: Option<Instant>) -> OnProof {
        let left = deadline.map(|end| end.saturating_duration_since(Instant::now()) / 2);
        let end = Instant::now() + left.unwrap_or(PATIENCE_OF_PROOF).min(PATIENCE_OF_PROOF);
        match self.ready(end.saturating_duration_since(Instant::now())) {
            Err(NoBuild::Rejected(message)) => return OnProof::Rejected(message),
            Err(NoBuild::Other(_)) => {}
            Ok(_) => self.compared.wait_for_round(end),
        }
        self.enough.cancel();
        let (runs, difference) = self.compared.found();
        difference.map_or(OnProof::Same(runs), OnProof::Differs)
    }
}

impl Drop for SecondOpinion {
    fn drop(&mut self) {
        self.enough.cancel();
        self.cancel.cancel();
    }
}

/// The opinion by the harness's report, and by how the program ended.
fn judge(ran: &Ran) -> Opinion {
    let told = ran.told.as_str();
    match (told, ran.ended) {
        ("reached", _) => Opinion::Same,
        (told, ended) if told.is_empty() || told.starts_with("over") => Opinion::Differs(match ended {
            Ended::Exited(status) => format!("ended with status {status}"),
            Ended::Signalled(signal) => format!("was ended by signal {signal}"),
        }),
        (told, _) => match told.strip_prefix("unfit: ") {
            Some(why) => Opinion::Missing(why.to_string()),
            None => Opinion::Differs(told.lines().next().unwrap_or_default().to_string()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(told: &str, ended: Ended) -> Opinion {
        judge(&Ran { told: told.to_string(), ended, stopped: false })
    }

    #[test]
    fn only_the_error_confirms_it() {
        assert_eq!(judged("reached", Ended::Exited(0)), Opinion::Same);
        let differs = |told, ended| match judged(told, ended) {
            Opinion::Differs(how) => how,
            other => panic!("{other:?}"),
        };
        assert_eq!(differs("", Ended::Exited(107)), "ended with status 107");
        assert_eq!(differs("over 00 0f", Ended::Exited(3)), "ended with status 3");
        assert_eq!(differs("", Ended::Signalled(11)), "was ended by signal 11");
        assert_eq!(differs("asked for more inputs", Ended::Exited(0)), "asked for more inputs");
        let unfit = judged("unfit: an input of more than 64 bits", Ended::Exited(0));
        assert_eq!(unfit, Opinion::Missing("an input of more than 64 bits".into()));
    }
}
