//! Runs a program with checks on random inputs, and reports the first state that is outside of the claims.

use super::claims::Claims;
use super::instrument::{Check, Instrumented};
use super::programs::Rng;
use crate::exec::{Executable, Runner};
use crate::instrument::probed_values;
use std::ops::Range;
use std::sync::Arc;
use tandem_plugin_api::program::{EdgeId, LocationId, Program};
use tandem_plugin_api::service::execution::{Execution, ExecutionOptions, Exit, RunLimits, WhenInputsEnd};

/// Loop iterations plus calls of one run.
const STEPS: u64 = 20_000;

/// The results of the runs of one program.
#[derive(Clone, Debug, Default)]
pub struct Runs {
    pub runs: u64,
    /// Runs that ended regularly, or at an error that the analysis knows.
    pub ended: u64,
    /// Concrete states that were looked at.
    pub states: u64,
    pub outside: Option<Outside>,
}

/// A concrete state in none of the abstract states of its location.
#[derive(Clone, Debug)]
pub struct Outside {
    pub run: u64,
    pub location: LocationId,
    pub function: String,
    pub line: u32,
    pub what: String,
    /// All claims of the analysis there.
    pub invariants: Vec<String>,
    /// The inputs that the run read: the function and the bits of its result.
    pub inputs: Vec<(String, u64)>,
    /// The places that the claims mention, with their values.
    pub values: Vec<(String, String)>,
}

/// Runs the program with checks once for each number, up to the first state that is outside.
pub fn execute(
    original: &Program,
    claims: &Claims,
    targets: &[EdgeId],
    instrumented: &Instrumented,
    numbers: Range<u64>,
) -> Result<Runs, String> {
    let mut runner = start(instrumented, targets, false)?;
    let mut done = Runs::default();
    for number in numbers {
        let exit = run(&mut runner, number);
        done.runs += 1;
        done.ended += u64::from(matches!(exit, Exit::Returned(_) | Exit::Exited(_) | Exit::Target(_)));
        let taken = runner.coverage();
        done.states += instrumented.behind.iter().map(|edge| u64::from(taken[edge.index()])).sum::<u64>();
        if let Some(outside) = judge(original, claims, instrumented, exit, number) {
            done.outside = Some(Outside { inputs: inputs(original, &runner), ..outside });
            break;
        }
    }
    Ok(done)
}

fn start(instrumented: &Instrumented, targets: &[EdgeId], comparisons: bool) -> Result<Runner, String> {
    let targets = instrumented.checks.keys().chain(targets).copied().collect();
    // Uninitialised variables get other values in each run, if code for that can be compiled.
    let options = ExecutionOptions { targets, junk: true, coverage: true, comparisons, ..ExecutionOptions::default() };
    let plain = ExecutionOptions { junk: false, ..options.clone() };
    let compile = |options| Executable::compile(Arc::clone(&instrumented.program), options);
    let compiled = compile(&options).or_else(|_| compile(&plain)).map_err(|error| error.to_string())?;
    Runner::new(compiled).map_err(|error| error.to_string())
}

fn run(runner: &mut Runner, number: u64) -> Exit {
    let limits = RunLimits { steps: STEPS, when_inputs_end: WhenInputsEnd::Random(number) };
    runner.run(&small_inputs(number), &limits)
}

/// Whether the end of a run shows a state that is outside.
fn judge(original: &Program, claims: &Claims, instrumented: &Instrumented, exit: Exit, number: u64) -> Option<Outside> {
    let outside = |check: &Check, what: String| Outside {
        run: number,
        location: check.location,
        function: check.function.clone(),
        line: check.line,
        what,
        invariants: check.invariants.clone(),
        inputs: Vec::new(),
        values: Vec::new(),
    };
    match exit {
        Exit::Target(edge) => match instrumented.checks.get(&edge) {
            Some(check) => Some(outside(check, instrumented.describe(check))),
            None if claims.targets.contains(&edge) => None,
            None => {
                let at = original.edge(edge);
                let check = Check {
                    location: at.from,
                    function: original.function(original.function_of_edge(edge)).name.clone(),
                    line: at.span.line,
                    invariants: Vec::new(),
                    part: None,
                };
                Some(outside(&check, "an execution calls the error here, which the analysis excludes".into()))
            }
        },
        // Only checks have edges beyond the program's own.
        Exit::MemoryFault(edge) | Exit::DivisionError(edge) if edge.index() >= original.edges.len() => {
            let check = instrumented.check_with(edge)?;
            Some(outside(check, format!("an invariant cannot be computed: {exit}")))
        }
        _ => None,
    }
}

fn inputs(original: &Program, runner: &Runner) -> Vec<(String, u64)> {
    let read = runner.consumed().iter();
    read.map(|input| (original.function(input.function).name.clone(), input.bits)).collect()
}

/// Runs again, with the values that the claims of the place mention.
pub fn values(
    original: &Program,
    claims: &Claims,
    targets: &[EdgeId],
    outside: &Outside,
    first: u64,
) -> Vec<(String, String)> {
    let probed = Instrumented::with_probes(original, claims, targets, Some(outside.location));
    let Ok(probed) = probed else { return Vec::new() };
    let Ok(mut runner) = start(&probed, targets, true) else { return Vec::new() };
    // The runs before it are repeated, too: uninitialised values change from run to run.
    for number in first..=outside.run {
        run(&mut runner, number);
    }
    probed_values(&probed.program, &probed.probes, runner.comparisons())
}

/// Inputs that reach more of a program than random words do.
pub fn small_inputs(seed: u64) -> Vec<u64> {
    let mut rng = Rng::new(seed);
    let count = rng.below(40);
    (0..count)
        .map(|_| match rng.below(4) {
            0 => rng.below(3),
            1 => rng.below(12),
            2 => rng.below(300).wrapping_sub(150),
            _ => [u64::MAX, i32::MAX as u64, 1 << 31, 255, 128, 65_535, 1 << 15, u64::MAX >> 1][rng.below(8) as usize],
        })
        .collect()
}
