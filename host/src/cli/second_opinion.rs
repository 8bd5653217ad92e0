//! What `tandem verify` makes of gcc's word on a violation: FALSE is told where gcc's build of the original reaches the error, too.
//! Where there is no such build, FALSE stands, and a note says which opinions it has.

use super::convert::executed;
use super::task_run::{Finished, TaskRun};
use crate::exec::{Executable, Runner};
use crate::opinion::{Opinion, SecondOpinion};
use crate::replay;
use tandem_plugin_api::artifact::Verdict;
use tandem_plugin_api::service::execution::{Execution, ExecutionOptions, Exit};
use tandem_plugin_api::task::Task;

const OURS: &str = "executed by tandem: the error is reached";
/// So many runs with different junk in uninitialised memory are made.
const JUNK_RUNS: usize = 4;

/// The verdict that may be told of a violation that our execution reached. Without `asked`, nobody wants gcc's word.
pub fn on_violation(run: &TaskRun<'_>, finished: &Finished, asked: Option<SecondOpinion>) -> Verdict {
    let task = finished.task.task();
    let opinion = match (asked, inputs(run, finished)) {
        (None, _) => Opinion::Missing("--no-gcc was given".into()),
        (_, None) => Opinion::Missing("the inputs of the run are not known".into()),
        (Some(asked), Some(inputs)) => {
            run.context.console.stage("running gcc's build");
            let opinion = asked.on(&inputs, run.reporter.limits.deadline(run.context.started));
            run.context.console.stage_done();
            match opinion {
                Opinion::Differs(how) if depends_on_junk(task, &inputs) => {
                    Opinion::Missing(format!("the run depends on uninitialised memory, and its build {how}"))
                }
                opinion => opinion,
            }
        }
    };
    run.reporter.update(|report| report.opinions = vec![OURS.to_string(), opinion.to_string()]);
    let console = &run.context.console;
    match opinion {
        Opinion::Differs(how) => {
            console.warning(
                "our execution and gcc's differ, which is a mistake in tandem or something that C leaves open: please report it \
                 with the program and the test",
            );
            let reason = format!("our execution and gcc's differ: ours reaches the error, and gcc's build {how}");
            Verdict::unknown(format!("{reason} on the same inputs"))
        }
        opinion => {
            console.note(&format!("{OURS}; {opinion}"));
            Verdict::False
        }
    }
}

/// What the run that reached the error read.
fn inputs(run: &TaskRun<'_>, finished: &Finished) -> Option<Vec<u64>> {
    let tests = finished.outcome.tests.as_ref()?;
    let test = tests.tests.iter().find(|test| test.covers_error)?;
    let bits: Option<Vec<u64>> = test.values().map(|value| value.bits().map(|bits| bits as u64)).collect();
    // Values whose type the test does not tell are known once it was executed.
    bits.or_else(|| {
        let confirmed = executed::confirmed(run.context, finished.task.task(), tests).ok()?;
        Some(confirmed.run.inputs.iter().map(|input| input.bits).collect())
    })
}

/// Whether our own run goes another way where uninitialised variables hold something else.
fn depends_on_junk(task: &Task, inputs: &[u64]) -> bool {
    let options = ExecutionOptions { targets: task.targets.clone(), junk: true, ..ExecutionOptions::default() };
    let Ok(executable) = Executable::compile(task.program.clone(), &options) else { return false };
    let Ok(mut runner) = Runner::new(executable) else { return false };
    (0..JUNK_RUNS).any(|_| !matches!(runner.run(inputs, &replay::LIMITS), Exit::Target(_) | Exit::Cancelled(_)))
}
