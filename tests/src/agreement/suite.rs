//! Tests for a program, random ones or those that tandem itself finds, without tests whose behaviour C leaves open.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use tandem::artifact::test_suite;
use tandem::coverage::measuring_limits;
use tandem::exec::{Executable, Runner};
use tandem::replay::Replayer;
use tandem_plugin_api::artifact::TestSuite;
use tandem_plugin_api::program::Program;
use tandem_plugin_api::service::execution::{Execution, ExecutionOptions, Exit, RunLimits, WhenInputsEnd};

/// Inputs a test; many programs read as many as they get.
const INPUTS: usize = 60;
const LIMITS: RunLimits = RunLimits { steps: 3_000_000, when_inputs_end: WhenInputsEnd::Stop };

/// Random tests.
pub fn random(program: &Arc<Program>, count: u64) -> Result<TestSuite, String> {
    let mut runner = runner(program)?;
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
    not_empty(suite)
}

/// The tests that `tandem test` finds with this configuration.
pub fn generated(program: &Arc<Program>, config: &str, limit: &str, folder: &Path) -> Result<TestSuite, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(own.with_file_name("tandem"));
    command.args(["test", "--quiet", "-c", config, "--limit", limit, "--data-model", program.types.model.name(), "-o"]);
    let output = command.arg(folder).arg(&program.name).output().map_err(|error| format!("tandem: {error}"))?;
    let tests = folder.join("test-suite");
    let suite = test_suite::read(&tests).map_err(|problem| {
        format!("{} ({})", problem.message, String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or("-"))
    })?;
    let mut runner = runner(program)?;
    let replayer = Replayer::new(program);
    let mut suite = suite.suite();
    suite.tests.retain(|test| is_settled(replayer.run(&mut runner, test, &measuring_limits()).exit));
    not_empty(suite)
}

fn runner(program: &Arc<Program>) -> Result<Runner, String> {
    let executable =
        Executable::compile(program.clone(), &ExecutionOptions::default()).map_err(|error| error.to_string())?;
    Runner::new(executable).map_err(|error| error.to_string())
}

fn not_empty(suite: TestSuite) -> Result<TestSuite, String> {
    if suite.tests.is_empty() { Err("no test ends in a way that C settles".into()) } else { Ok(suite) }
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
