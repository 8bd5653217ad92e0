//! How `tandem verify` uses gcc as a second opinion: FALSE is reported if gcc's build of the original reaches the
//! error, too, and TRUE if no run of it was seen that behaves differently from ours. If there is no build, the verdict
//! stands, and a note says which opinions FALSE has.

use super::report::{ShownDifference, ShownRun};
use super::task_run::{Finished, Prepared, TaskRun};
use crate::compose::determined;
use crate::opinion::{Difference, OnProof, Opinion, SecondOpinion, depends_on_junk, line_of_assembly, lines};
use crate::report::trace;
use crate::verdict;
use std::time::{Duration, Instant};
use tandem_plugin_api::artifact::{TestCase, Verdict};

const OURS: &str = "executed by tandem: the error is reached";
/// The time limit for following our run for a report.
const FOLLOWING: Duration = Duration::from_secs(5);

const DIFFERENT: &str = "our execution and gcc's differ, which is a mistake in tandem or something that C leaves open: please report it \
                         with the program and the test";

/// Starts gcc's build, and then the search for runs in which it behaves differently from ours.
pub fn start(prepared: &Prepared) -> SecondOpinion {
    SecondOpinion::start(&prepared.file, prepared.task.task(), determined(&prepared.registry, &prepared.task))
}

/// The verdict that may be reported for a proof.
pub fn on_proof(run: &TaskRun<'_>, asked: SecondOpinion) -> Verdict {
    run.context.console.stage("comparing with gcc's build");
    let answer = asked.on_proof(run.reporter.limits.deadline(run.context.started));
    run.context.console.stage_done();
    let verdict = verdict::compared(&answer);
    match answer {
        OnProof::Same(runs) => {
            run.context.console.detail(&format!("runs in which gcc's build did the same as ours: {runs}"));
        }
        OnProof::Rejected(_) => {}
        OnProof::Differs(Difference { test, ours, theirs }) => {
            run.context.console.warning(DIFFERENT);
            let (ours, gcc) = (ShownRun { did: ours, lines: Vec::new() }, ShownRun { did: theirs, lines: Vec::new() });
            run.reporter.update(|report| report.difference = Some(ShownDifference { inputs: texts(&test), ours, gcc }));
        }
    }
    verdict
}

fn texts(test: &TestCase) -> Vec<String> {
    test.values().map(ToString::to_string).collect()
}

/// The verdict that may be reported for a violation that our execution reached. Without `asked`, gcc is not used.
pub fn on_violation(run: &TaskRun<'_>, finished: &Finished, asked: Option<SecondOpinion>) -> Verdict {
    let task = finished.task.task();
    let deadline = run.reporter.limits.deadline(run.context.started);
    let read = inputs(finished);
    if let Some(line) = read.as_ref().and_then(|inputs| line_of_assembly(task, inputs)) {
        // gcc's build leaves the assembly out, since it might do anything to this machine.
        return verdict::through_assembly(line);
    }
    let (opinion, lines) = match (asked, read) {
        (None, _) => (Opinion::Missing("--no-gcc was given".into()), None),
        (_, None) => (Opinion::Missing("the inputs of the run are not known".into()), None),
        (Some(asked), Some(inputs)) => {
            run.context.console.stage("running gcc's build");
            let (opinion, lines) = asked.on(&inputs, deadline);
            run.context.console.stage_done();
            match opinion {
                Opinion::Differs(how) if depends_on_junk(task, &inputs) => {
                    let why = format!("the run depends on uninitialised memory, and its build {how}");
                    (Opinion::Missing(why), None)
                }
                opinion => (opinion, lines),
            }
        }
    };
    run.reporter.update(|report| report.opinions = vec![OURS.to_string(), opinion.to_string()]);
    let verdict = verdict::with_opinion(&opinion);
    let console = &run.context.console;
    match opinion {
        Opinion::Rejected(_) => {}
        Opinion::Differs(how) => {
            console.warning(DIFFERENT);
            let gcc = ShownRun { did: how, lines: lines.unwrap_or_default() };
            show(run, finished, gcc, deadline);
        }
        opinion => console.note(&format!("{OURS}; {opinion}")),
    }
    verdict
}

/// Puts both runs into the report.
fn show(run: &TaskRun<'_>, finished: &Finished, gcc: ShownRun, deadline: Option<Instant>) {
    let Some(test) = reaching(finished) else { return };
    let task = finished.task.task();
    let left = deadline.map_or(FOLLOWING, |end| end.saturating_duration_since(Instant::now()) / 2).min(FOLLOWING);
    let followed = trace::follow(&task.program, &task.targets, test, Some(left));
    let mut own: Vec<String> =
        followed.map_or_else(|_| Vec::new(), |run| run.steps.iter().map(|step| step.line.to_string()).collect());
    own.dedup();
    let ours = ShownRun { did: "reaches the error".into(), lines: lines::shortened(own) };
    run.reporter.update(|report| report.difference = Some(ShownDifference { inputs: texts(test), ours, gcc }));
}

/// The test that reaches the error.
fn reaching(finished: &Finished) -> Option<&TestCase> {
    finished.outcome.tests.as_ref()?.tests.iter().find(|test| test.covers_error)
}

/// The inputs of the run that reached the error.
fn inputs(finished: &Finished) -> Option<Vec<u64>> {
    let test = reaching(finished)?;
    let bits: Option<Vec<u64>> = test.values().map(|value| value.bits().map(|bits| bits as u64)).collect();
    // Values whose type the test does not name are known once it was executed.
    bits.or_else(|| {
        let confirmed = finished.run_to_error().ok()?;
        Some(confirmed.run.inputs.iter().map(|input| input.bits).collect())
    })
}
