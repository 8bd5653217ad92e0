//! Runs that follow a violation witness: each named input is read at the place that the witness names.

use super::Replayer;
use crate::exec::{Executable, Runner};
use std::sync::Arc;
use tandem_plugin_api::artifact::{InputValue, TestCase};
use tandem_plugin_api::program::{EdgeId, Program};
use tandem_plugin_api::service::StopSignal;
use tandem_plugin_api::service::execution::{
    ConsumedInput, Execution, ExecutionOptions, Exit, RunLimits, WhenInputsEnd,
};

pub const LIMITS: RunLimits = RunLimits { steps: 2_000_000_000, when_inputs_end: WhenInputsEnd::Zero };
/// At most this often the inputs are reordered, if the program reads them elsewhere than assumed.
const MOST_RUNS: usize = 50;

/// An input that a violation witness names: where it is read, and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuidedInput {
    pub edges: Vec<EdgeId>,
    pub value: InputValue,
}

impl From<(Vec<EdgeId>, String)> for GuidedInput {
    fn from((edges, text): (Vec<EdgeId>, String)) -> Self {
        GuidedInput { edges, value: InputValue::Text(text.into()) }
    }
}

pub fn runner(program: &Arc<Program>, targets: &[EdgeId], stop: &StopSignal) -> Option<Runner> {
    let options = ExecutionOptions { targets: targets.to_vec(), ..ExecutionOptions::default() };
    let executable = Executable::compile(Arc::clone(program), &options).ok()?;
    Runner::with_stop_signal(executable, stop.clone()).ok()
}

/// A run in which the inputs that the witness names are read where it names them, and all others are zero.
pub fn run(
    program: &Arc<Program>,
    targets: &[EdgeId],
    guide: &[GuidedInput],
    stop: &StopSignal,
) -> Option<(Exit, TestCase)> {
    let mut runner = runner(program, targets, stop)?;
    let replayer = Replayer::new(program);
    let mut values: Vec<InputValue> = guide.iter().map(|input| input.value.clone()).collect();
    let mut runs = 0;
    loop {
        let test = TestCase::of(values.iter().cloned());
        let exit = replayer.run(&mut runner, &test, &LIMITS).exit;
        runs += 1;
        let wanted = as_read(guide, runner.consumed());
        if matches!(exit, Exit::Target(_)) || wanted == values || runs >= MOST_RUNS || stop.reason().is_some() {
            let recorded = replayer.recorded(runner.consumed());
            return Some((exit, recorded));
        }
        values = wanted;
    }
}

/// The named values at the places where the program reads them.
fn as_read(guide: &[GuidedInput], consumed: &[ConsumedInput]) -> Vec<InputValue> {
    let mut named = guide.iter().peekable();
    let mut values = Vec::new();
    for input in consumed {
        match named.next_if(|next| next.edges.contains(&input.edge)) {
            Some(next) => values.push(next.value.clone()),
            None => values.push(InputValue::Text("0".into())),
        }
    }
    values.extend(named.map(|rest| rest.value.clone()));
    values
}
