//! Random tests for a program, without those whose behaviour C leaves open or that do not end.

use std::sync::Arc;
use tandem::exec::{Executable, Runner};
use tandem::replay::Replayer;
use tandem_plugin_api::artifact::TestSuite;
use tandem_plugin_api::program::Program;
use tandem_plugin_api::service::execution::{Execution, ExecutionOptions, Exit, RunLimits, WhenInputsEnd};

/// Inputs a test; many programs read as many as they get.
const INPUTS: usize = 60;
const LIMITS: RunLimits = RunLimits { steps: 3_000_000, when_inputs_end: WhenInputsEnd::Stop };

pub fn random(program: &Arc<Program>, count: u64) -> Result<TestSuite, String> {
    let executable =
        Executable::compile(program.clone(), &ExecutionOptions::default()).map_err(|error| error.to_string())?;
    let mut runner = Runner::new(executable).map_err(|error| error.to_string())?;
    let replayer = Replayer::new(program);
    let mut suite = TestSuite::new();
    for seed in 0..count {
        let mut state = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let inputs: Vec<u64> = (0..INPUTS).map(|_| value(&mut state, seed)).collect();
        if is_settled(runner.run(&inputs, &LIMITS)) {
            let test = replayer.recorded(runner.consumed());
            suite.merge(TestSuite { tests: vec![test] });
        }
    }
    if suite.tests.is_empty() { Err("no random test ends in a way that C settles".into()) } else { Ok(suite) }
}

/// Whether gcc's build must do the same.
fn is_settled(exit: Exit) -> bool {
    use Exit::*;
    matches!(exit, Returned(_) | Exited(_) | Aborted(_) | Target(_) | AssumptionViolated(_) | InputsEnded(_))
}

/// Small numbers lead further into most programs than random ones.
fn value(state: &mut u64, seed: u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    let random = state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 8;
    match (seed % 6, random % 8) {
        (0, _) => 0,
        (1, _) => 1,
        (2, _) | (_, 0..=2) => (random >> 8) % 4,
        (3, _) | (_, 3..=5) => ((random >> 8) % 21).wrapping_sub(10),
        (_, 6) => f64::to_bits(((random >> 8) % 64) as f64 / 4.0),
        _ => random,
    }
}
