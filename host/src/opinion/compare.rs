//! Runs both builds on the same inputs while analyses look for a proof. If gcc's build behaves differently in a run
//! that leaves nothing open, our reading of the program is wrong, and a proof of it is invalid. No run of gcc's build
//! may reach the error at all.

use super::build::{Built, Ran};
use super::source;
use crate::exec::{Executable, Runner};
use crate::process::{Cancel, Ended};
use std::collections::BTreeSet;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tandem_plugin_api::artifact::{TestCase, TestSuite};
use tandem_plugin_api::program::{Program, VarId};
use tandem_plugin_api::service::execution::{Execution, ExecutionOptions, Exit, RunLimits, WhenInputsEnd};
use tandem_plugin_api::service::recorded;
use tandem_plugin_api::task::Task;

/// Selects the tests whose runs leave nothing open: uninitialised values, addresses, undefined behaviour.
pub type Determined = Arc<dyn Fn(TestSuite) -> TestSuite + Send + Sync>;

/// The number of runs that are made at once, and of all runs.
const BATCH: usize = 8;
const MOST_RUNS: usize = 64;
/// Our runs are limited to this many steps, and gcc's to this time.
const STEPS: u64 = 500_000;
const TIME: Duration = Duration::from_secs(5);
const TIME_OF_OPEN: Duration = Duration::from_millis(300);
/// Runs with more inputs are not compared.
const MOST_INPUTS: usize = 4_096;

/// A run in which the two builds behave differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub test: TestCase,
    pub ours: String,
    pub theirs: String,
}

/// The comparisons up to now; other threads wait for them.
#[derive(Default)]
pub struct Comparisons {
    compared: Mutex<Compared>,
    changed: Condvar,
}

#[derive(Default)]
struct Compared {
    runs: usize,
    difference: Option<Difference>,
    /// Whether a first batch of runs was compared, or nothing can be compared.
    is_round_done: bool,
}

impl Comparisons {
    /// How many runs were compared, and one that differs.
    pub fn found(&self) -> (usize, Option<Difference>) {
        let compared = self.compared();
        (compared.runs, compared.difference.clone())
    }

    pub fn round_done(&self) {
        self.compared().is_round_done = true;
        self.changed.notify_all();
    }

    /// Waits until a first batch of runs was compared, or one differs, but at most until this time.
    pub fn wait_for_round(&self, end: Instant) {
        let left = end.saturating_duration_since(Instant::now());
        let is_open = |compared: &mut Compared| !compared.is_round_done && compared.difference.is_none();
        drop(self.changed.wait_timeout_while(self.compared(), left, is_open));
    }

    /// Whether the search ends.
    fn add(&self, difference: Option<Difference>) -> bool {
        let mut compared = self.compared();
        compared.runs += 1;
        let ends = difference.is_some();
        if ends {
            compared.difference = difference;
            self.changed.notify_all();
        }
        ends
    }

    fn compared(&self) -> MutexGuard<'_, Compared> {
        self.compared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A run of ours that ended by itself.
struct Ours {
    test: TestCase,
    bits: Vec<u64>,
    end: End,
}

/// The end of a run, as far as it can be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
enum End {
    Reached,
    Aborted,
    /// The exit status, if it is determined; the number of inputs that were read; a number for each watched variable.
    Over {
        status: Option<i32>,
        inputs: u64,
        globals: Vec<u64>,
    },
    /// In a way that gcc's build may not share, such as an access outside of all objects.
    Open,
}

/// Makes runs until there are enough or one differs.
pub fn search(built: &Built, task: &Task, determined: &Determined, enough: &Cancel, compared: &Comparisons) {
    if built.without_asm {
        return;
    }
    let options = ExecutionOptions { targets: task.targets.clone(), ..ExecutionOptions::default() };
    let Ok(executable) = Executable::compile(task.program.clone(), &options) else { return };
    let Ok(mut runner) = Runner::new(executable.clone()) else { return };
    let watched = source::watched(&task.program);
    let mut known = BTreeSet::new();
    for first in (0..MOST_RUNS).step_by(BATCH) {
        let mut runs = Vec::new();
        for seed in first..first + BATCH {
            if enough.is_cancelled() {
                return;
            }
            let tail = if seed == 0 { WhenInputsEnd::Zero } else { WhenInputsEnd::Random(spread(seed as u64)) };
            let run = our_run(&mut runner, &executable, &task.program, &watched, tail);
            runs.extend(run.filter(|run| known.insert(run.bits.clone())));
        }
        let suite = TestSuite { tests: runs.iter().map(|run| run.test.clone()).collect() };
        let kept = if suite.tests.is_empty() { suite } else { determined(suite) };
        for run in &runs {
            if enough.is_cancelled() {
                return;
            }
            let is_determined = kept.tests.contains(&run.test);
            let time = if is_determined { TIME } else { TIME_OF_OPEN };
            let Ok(theirs) = built.run(("program", "compared"), &run.bits, time, true, enough) else { return };
            let found = match is_determined {
                true => difference(run, &theirs, &task.program, &watched),
                false => error_reached(run, &theirs),
            };
            if compared.add(found) {
                return;
            }
        }
        compared.round_done();
        // Without inputs there is one run.
        if known.iter().all(Vec::is_empty) {
            return;
        }
    }
}

/// Numbers without a pattern.
fn spread(seed: u64) -> u64 {
    seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d
}

fn our_run(
    runner: &mut Runner,
    executable: &Arc<Executable>,
    program: &Program,
    watched: &[(VarId, u64)],
    tail: WhenInputsEnd,
) -> Option<Ours> {
    let exit = runner.run(&[], &RunLimits { steps: STEPS, when_inputs_end: tail });
    let consumed = runner.consumed().to_vec();
    if consumed.len() > MOST_INPUTS {
        return None;
    }
    let end = match exit {
        Exit::Target(_) => End::Reached,
        Exit::Aborted(_) => End::Aborted,
        Exit::Returned(status) | Exit::Exited(status) => {
            let number = |&(variable, size): &(VarId, u64)| {
                let at = executable.address(variable)?;
                runner.memory(at, size as u32).map(fingerprint)
            };
            let globals = watched.iter().map(number).collect::<Option<Vec<u64>>>()?;
            // If `main` returns nothing, the status is open.
            let is_open = matches!(exit, Exit::Returned(_)) && !returns_number(program);
            End::Over { status: (!is_open).then_some(status & 255), inputs: consumed.len() as u64, globals }
        }
        Exit::StepLimit(_) | Exit::InputsEnded(_) | Exit::Cancelled(_) => return None,
        _ => End::Open,
    };
    let bits = consumed.iter().map(|input| input.bits).collect();
    Some(Ours { test: recorded::test_case(program, &consumed), bits, end })
}

fn returns_number(program: &Program) -> bool {
    program.result_type(program.main).is_some_and(|ty| program.types.is_integer(ty))
}

/// The number that `harness.c` computes of a variable's bytes.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |number, &byte| (number ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// The difference if one of the builds reaches the error: a program with a proof has no such run, whatever the run
/// leaves open.
fn error_reached(ours: &Ours, theirs: &Ran) -> Option<Difference> {
    let reached = !theirs.stopped && theirs.told == "reached";
    let ours_did = if ours.end == End::Reached { "reached the error" } else { "did not reach the error" };
    reached.then(|| Difference {
        test: ours.test.clone(),
        ours: ours_did.to_string(),
        theirs: "reached the error".to_string(),
    })
}

/// How gcc's build behaved differently, if it did. A run that was stopped, or that has no report of the harness, shows
/// nothing.
fn difference(ours: &Ours, theirs: &Ran, program: &Program, watched: &[(VarId, u64)]) -> Option<Difference> {
    let found = |ours_did: &str, theirs_did: String| {
        Some(Difference { test: ours.test.clone(), ours: ours_did.to_string(), theirs: theirs_did })
    };
    if theirs.stopped || theirs.told.starts_with("unfit") {
        return None;
    }
    let ended = match theirs.ended {
        Ended::Exited(status) => format!("ended with status {status}"),
        Ended::Signalled(signal) => format!("was ended by signal {signal}"),
    };
    let told = match theirs.told.as_str() {
        "reached" => "reached the error".to_string(),
        told if told.is_empty() || told.starts_with("over") => ended,
        told => told.to_string(),
    };
    match &ours.end {
        End::Reached if theirs.told == "reached" => found("reached the error", "reached it, too".into()),
        End::Reached => found("reached the error", told),
        // A failing assertion of the library ends by a signal.
        End::Aborted if theirs.told == "aborted" || theirs.ended == Ended::Signalled(6) => None,
        End::Aborted => found("aborted", told),
        End::Open => error_reached(ours, theirs),
        End::Over { status, inputs, globals } => {
            let ours_did = match status {
                Some(status) => format!("ended with status {status}"),
                None => "came to its end".to_string(),
            };
            let same = match theirs.ended {
                Ended::Exited(theirs) => status.is_none_or(|status| status == theirs),
                Ended::Signalled(_) => false,
            };
            let Some(numbers) = theirs.told.strip_prefix("over") else {
                return if same && theirs.told.is_empty() { None } else { found(&ours_did, told) };
            };
            if !same {
                return found(&ours_did, told);
            }
            let numbers: Vec<u64> =
                numbers.split_whitespace().filter_map(|text| u64::from_str_radix(text, 16).ok()).collect();
            let (read, left) = numbers.split_first()?;
            if read != inputs {
                return found(&format!("read {inputs} inputs"), format!("read {read}"));
            }
            // A build without the names of globals reports none of them.
            let differs = left.iter().zip(globals).position(|(theirs, ours)| theirs != ours)?;
            let name = watched.get(differs).map_or("", |(id, _)| program.variable(*id).name.as_str());
            found(&format!("left a value in `{name}`"), "left another one there".into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::load_text;
    use tandem_plugin_api::program::DataModel;

    fn compared(end: End, told: &str, ended: Ended) -> Option<(String, String)> {
        let program = load_text("int a; int b[2]; int main(void) { return 0; }", "p.c", DataModel::Lp64).unwrap();
        let watched = source::watched(&program);
        assert_eq!(watched.len(), 2);
        let ours = Ours { test: TestCase::of([]), bits: Vec::new(), end };
        let theirs = Ran { told: told.to_string(), ended, stopped: false };
        difference(&ours, &theirs, &program, &watched).map(|found| (found.ours, found.theirs))
    }

    #[test]
    fn status_inputs_and_globals_are_compared() {
        let over = || End::Over { status: Some(3), inputs: 2, globals: vec![16, 17] };
        let exited = Ended::Exited(3);
        assert_eq!(compared(over(), "over 02 10 11", exited), None);
        assert_eq!(compared(over(), "over 02", exited), None);
        assert_eq!(compared(over(), "", exited), None);
        let open = End::Over { status: None, inputs: 0, globals: Vec::new() };
        assert_eq!(compared(open.clone(), "over 00", Ended::Exited(77)), None);
        assert!(compared(open, "", Ended::Signalled(11)).is_some());
        assert_eq!(compared(over(), "unfit: code cannot be changed on this system", exited), None);
        assert_eq!(compared(over(), "over 02 10 12", exited).unwrap().0, "left a value in `b`");
        assert_eq!(compared(over(), "over 01 10 11", exited).unwrap().1, "read 1");
        assert_eq!(compared(over(), "over 02 10 11", Ended::Exited(4)).unwrap().1, "ended with status 4");
        assert_eq!(compared(over(), "", Ended::Signalled(11)).unwrap().1, "was ended by signal 11");
        assert_eq!(compared(over(), "reached", Ended::Exited(0)).unwrap().1, "reached the error");
        assert_eq!(compared(End::Aborted, "aborted", Ended::Exited(0)), None);
        assert_eq!(compared(End::Aborted, "over 00", Ended::Exited(0)).unwrap().0, "aborted");
        assert!(compared(End::Reached, "reached", Ended::Exited(0)).is_some());
    }

    #[test]
    fn fingerprints_are_those_of_the_harness() {
        assert_eq!(fingerprint(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fingerprint(b"a"), 0xaf63_dc4c_8601_ec8c);
    }
}
