//! How `tandem verify` uses gcc as a second opinion: FALSE is reported if gcc's build of the original reaches the
//! error, too, and TRUE if no run of it was seen that behaves differently from ours. If there is no build, the verdict
//! stands, and a note says which opinions FALSE has.

use super::convert::executed;
use super::report::{ShownDifference, ShownRun};
use super::task_run::{Finished, Prepared, TaskRun};
use crate::exec::{Executable, Runner};
use crate::opinion::{Determined, Difference, OnProof, Opinion, SecondOpinion, lines};
use crate::replay;
use crate::report::trace;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tandem_plugin_api::artifact::{Outcome, TestCase, TestSuite, Verdict};
use tandem_plugin_api::descriptor::{OptionValue, PluginKind};
use tandem_plugin_api::error::Result;
use tandem_plugin_api::program::{EdgeId, Op};
use tandem_plugin_api::service::Host;
use tandem_plugin_api::service::execution::{Execution, ExecutionOptions, Exit};
use tandem_plugin_api::task::{Inputs, Task};

const OURS: &str = "executed by tandem: the error is reached";
/// The number of runs with different junk in uninitialised memory.
const JUNK_RUNS: usize = 4;
/// The time limit for following our run for a report.
const FOLLOWING: Duration = Duration::from_secs(5);
/// The engine that knows whether something in a run is left open.
const FOLLOWER: &str = "single-run";

const DIFFERENT: &str = "our execution and gcc's differ, which is a mistake in tandem or something that C leaves open: please report it \
                         with the program and the test";

/// Starts gcc's build, and then the search for runs in which it behaves differently from ours.
pub fn start(prepared: &Prepared) -> SecondOpinion {
    SecondOpinion::start(&prepared.file, prepared.task.task(), determined(prepared))
}

/// Whether nothing in the runs of tests is left open; without the engine that knows, no runs are compared.
fn determined(prepared: &Prepared) -> Option<Determined> {
    let (registry, task) = (prepared.registry.clone(), prepared.task.clone());
    registry.get(PluginKind::Engine, FOLLOWER).ok()?;
    Some(Arc::new(move |suite: TestSuite| {
        let follow = || -> Option<Result<Outcome>> {
            let plugin = registry.get(PluginKind::Engine, FOLLOWER).ok()?;
            let options = plugin.options([("follow-tests".to_string(), OptionValue::Bool(true))]).ok()?;
            let inputs = Inputs { tests: Some(suite), ..Inputs::default() };
            let worker = plugin.worker(&task, &options, &Host::silent());
            Some(worker.and_then(|mut worker| worker.run(&inputs, &Host::silent())))
        };
        follow().and_then(Result::ok).and_then(|outcome| outcome.tests).unwrap_or_default()
    }))
}

/// The verdict that may be reported for a proof.
pub fn on_proof(run: &TaskRun<'_>, asked: SecondOpinion) -> Verdict {
    run.context.console.stage("comparing with gcc's build");
    let answer = asked.on_proof(run.reporter.limits.deadline(run.context.started));
    run.context.console.stage_done();
    let Difference { test, ours, theirs } = match answer {
        OnProof::Same(runs) => {
            run.context.console.detail(&format!("runs in which gcc's build did the same as ours: {runs}"));
            return Verdict::True;
        }
        OnProof::Rejected(message) => return rejected(&message),
        OnProof::Differs(difference) => difference,
    };
    run.context.console.warning(DIFFERENT);
    let reason = format!("our execution and gcc's differ: on the same inputs ours {ours}, and gcc's build {theirs}");
    let (ours, gcc) = (ShownRun { did: ours, lines: Vec::new() }, ShownRun { did: theirs, lines: Vec::new() });
    run.reporter.update(|report| report.difference = Some(ShownDifference { inputs: texts(&test), ours, gcc }));
    Verdict::unknown(format!("{reason}, so that a proof about our reading of the program says nothing"))
}

/// The program has no verdict, since gcc's build of it does not exist.
fn rejected(message: &str) -> Verdict {
    Verdict::unknown(format!("gcc does not accept the program: {message} (--no-gcc does without gcc's opinion)"))
}

fn texts(test: &TestCase) -> Vec<String> {
    test.values().map(ToString::to_string).collect()
}

/// The verdict that may be reported for a violation that our execution reached. Without `asked`, gcc is not used.
pub fn on_violation(run: &TaskRun<'_>, finished: &Finished, asked: Option<SecondOpinion>) -> Verdict {
    let task = finished.task.task();
    let deadline = run.reporter.limits.deadline(run.context.started);
    let read = inputs(run, finished);
    if let Some(line) = read.as_ref().and_then(|inputs| line_of_assembly(task, inputs)) {
        // gcc's build leaves the assembly out, since it might do anything to this machine.
        return Verdict::unknown(format!(
            "our execution reaches the error, but through the inline assembly on line {line}, whose outputs are not computed"
        ));
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
    let console = &run.context.console;
    match opinion {
        Opinion::Rejected(message) => rejected(&message),
        Opinion::Differs(how) => {
            console.warning(DIFFERENT);
            let reason = format!("our execution and gcc's differ: ours reaches the error, and gcc's build {how}");
            let gcc = ShownRun { did: how, lines: lines.unwrap_or_default() };
            show(run, finished, gcc, deadline);
            Verdict::unknown(format!("{reason} on the same inputs"))
        }
        opinion => {
            console.note(&format!("{OURS}; {opinion}"));
            Verdict::False
        }
    }
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
fn inputs(run: &TaskRun<'_>, finished: &Finished) -> Option<Vec<u64>> {
    let tests = finished.outcome.tests.as_ref()?;
    let test = reaching(finished)?;
    let bits: Option<Vec<u64>> = test.values().map(|value| value.bits().map(|bits| bits as u64)).collect();
    // Values whose type the test does not name are known once it was executed.
    bits.or_else(|| {
        let confirmed = executed::confirmed(run.context, finished.task.task(), tests).ok()?;
        Some(confirmed.run.inputs.iter().map(|input| input.bits).collect())
    })
}

/// The line of inline assembly that the run goes through and that writes something, if there is one.
fn line_of_assembly(task: &Task, inputs: &[u64]) -> Option<u32> {
    let program = &task.program;
    let writes = |edge: &EdgeId| matches!(program.edge(*edge).op, Op::Havoc { .. });
    let targets: Vec<EdgeId> = (0..program.edges.len()).map(EdgeId::new).filter(writes).collect();
    if targets.is_empty() {
        return None;
    }
    let options = ExecutionOptions { targets, ..ExecutionOptions::default() };
    let mut runner = Runner::new(Executable::compile(program.clone(), &options).ok()?).ok()?;
    match runner.run(inputs, &replay::LIMITS) {
        Exit::Target(edge) => Some(program.edge(edge).span.line),
        _ => None,
    }
}

/// Whether our own run goes another way if uninitialised variables have other values.
fn depends_on_junk(task: &Task, inputs: &[u64]) -> bool {
    let options = ExecutionOptions { targets: task.targets.clone(), junk: true, ..ExecutionOptions::default() };
    let Ok(executable) = Executable::compile(task.program.clone(), &options) else { return false };
    let Ok(mut runner) = Runner::new(executable) else { return false };
    (0..JUNK_RUNS).any(|_| !matches!(runner.run(inputs, &replay::LIMITS), Exit::Target(_) | Exit::Cancelled(_)))
}
