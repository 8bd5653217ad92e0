//! Violation witnesses: the inputs that one names are executed; where they are not enough, the verifiers look for a run of the
//! program that follows it. Only an execution of the program itself that reaches the error confirms it.

use super::automaton::{Product, product};
use super::{Answer, Prover};
use crate::instrument::FAILED;
use crate::replay::Replayer;
use crate::replay::guided::{self, GuidedInput, LIMITS};
use std::sync::Arc;
use tandem_plugin_api::abi::{SharedProgram, SharedTask};
use tandem_plugin_api::artifact::{Gia, TestCase, Verdict};
use tandem_plugin_api::program::{EdgeId, Program};
use tandem_plugin_api::service::StopSignal;
use tandem_plugin_api::service::execution::{ConsumedInput, Execution, Exit};
use tandem_plugin_api::task::{Inputs, Property, Task};

/// Verifiers get no larger products than this.
const MOST_EDGES: usize = 20_000;

pub fn validate(task: &Task, gia: &Gia, guide: &[GuidedInput], prover: &Prover) -> Answer {
    let Product { program, targets, size } = match product(&task.program, &task.targets, gia) {
        Ok(product) => product,
        Err(why) => return Answer::Unknown(why),
    };
    if targets.is_empty() {
        return Answer::Refuted("it leads to no call of the error function".into());
    }
    let program = Arc::new(program);
    let calls: Vec<EdgeId> = targets.keys().copied().collect();
    let instead = match guided::run(&program, &calls, guide, prover.stop.signal()) {
        Some((Exit::Target(_), test)) => return reached(task, &test, prover.stop.signal()),
        Some((exit, _)) => {
            format!("the inputs that it names do not lead to the error along it: {}", exit.explained(&program))
        }
        None => "the program cannot be executed".into(),
    };
    if size > MOST_EDGES {
        return Answer::Unknown(instead);
    }
    let property = Property::UnreachableCall { function: FAILED.into() };
    let outcome = prover.run(&SharedTask::new(&SharedProgram::new(program), property), Inputs::default());
    match outcome.reported_verdict(false) {
        Verdict::True => Answer::Refuted("no run of the program that reaches the error follows it".into()),
        Verdict::False => {
            let mut tests = outcome.tests.iter().flat_map(|suite| &suite.tests);
            match tests.find(|test| test.covers_error) {
                Some(test) => reached(task, test, prover.stop.signal()),
                None => Answer::Unknown("a run that follows it was found, but no test of it".into()),
            }
        }
        Verdict::Unknown { reason } => Answer::Unknown(reason),
    }
}

/// Executes a test on the program itself.
fn reached(task: &Task, test: &TestCase, stop: &StopSignal) -> Answer {
    match execute(&task.program, &task.targets, test, stop) {
        Some((Exit::Target(_), _)) => Answer::Confirmed,
        Some((exit, _)) => Answer::Unknown(format!(
            "a run that follows it was found, but its test ends otherwise: {}",
            exit.explained(&task.program)
        )),
        None => Answer::Unknown("the program cannot be executed".into()),
    }
}

fn execute(
    program: &Arc<Program>,
    targets: &[EdgeId],
    test: &TestCase,
    stop: &StopSignal,
) -> Option<(Exit, Vec<ConsumedInput>)> {
    let mut runner = guided::runner(program, targets, stop)?;
    let run = Replayer::new(program).run(&mut runner, test, &LIMITS);
    Some((run.exit, runner.consumed().to_vec()))
}
