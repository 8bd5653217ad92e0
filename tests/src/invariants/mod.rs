//! Whether the invariants of an analysis hold in executions: the program gets a check of what the analysis claims at every
//! location, and runs on random inputs. A location that the analysis does not reach must not be reached.

mod expression;
mod instrument;

pub use instrument::{Check, Instrumented};

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use tandem::cpa::{Component, End, Exploration, Openness, Settings};
use tandem::exec::{Executable, Runner};
use tandem::plugins::{PluginSearch, Registry};
use tandem_plugin_api::abi::{SharedProgram, SharedTask};
use tandem_plugin_api::descriptor::PluginKind;
use tandem_plugin_api::options::Options;
use tandem_plugin_api::program::{LocationId, Program};
use tandem_plugin_api::service::Host;
use tandem_plugin_api::service::execution::{Execution, ExecutionOptions, Exit, RunLimits, WhenInputsEnd};
use tandem_plugin_api::task::{Inputs, Property};

/// What an analysis says of the locations that it reaches; all that it says of one location must not fail at once.
pub type Claims = BTreeMap<LocationId, Vec<Option<String>>>;

/// The plugins of a build.
pub fn plugins(folder: PathBuf) -> Registry {
    PluginSearch::only(&[folder]).discover()
}

/// Explores all that a program can do with one analysis.
pub fn claims(registry: &Registry, analysis: &str, program: &Arc<Program>) -> Result<Claims, String> {
    // Nothing calls it: the exploration goes everywhere.
    let property = Property::UnreachableCall { function: "__tandem_never_called".into() };
    let task = SharedTask::new(&SharedProgram::new(Arc::clone(program)), property);
    let plugin = registry.get(PluginKind::Analysis, analysis).map_err(|error| error.to_string())?;
    let options = Options::fill(&plugin.descriptor.options, []).map_err(|problems| format!("{problems:?}"))?;
    let host = Host::silent();
    let instance = plugin.analysis(&task, &options, &host).map_err(|error| error.to_string())?;
    let components = vec![Component { name: analysis.into(), instance }];
    let mut exploration = Exploration::new(task.task(), components, Settings::default());
    let end = exploration.run(&Inputs::default(), &host).map_err(|error| error.to_string())?;
    if end != End::Complete {
        return Err(format!("the exploration ended with {end:?}"));
    }
    let mut claims = Claims::new();
    for (_, node) in exploration.arg().nodes() {
        if matches!(node.openness, Openness::Covered(_) | Openness::Cut) {
            continue;
        }
        let claim = exploration.product().invariant(&node.parts, node.location).map_err(|error| error.to_string())?;
        claims.entry(node.location).or_default().push(claim);
    }
    Ok(claims)
}

/// What came out for a program.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Conjuncts that were checked whenever their location was reached.
    pub checks: usize,
    /// Locations that must not be reached.
    pub unreached: usize,
    /// Runs that came to a regular end.
    pub ended: usize,
    pub runs: usize,
    pub violations: Vec<String>,
}

/// Runs the instrumented program on random inputs, one run for each seed.
pub fn check(instrumented: &Instrumented, seeds: std::ops::Range<u64>, steps: u64) -> Result<Report, String> {
    let targets = instrumented.checks.keys().copied().collect();
    // What is uninitialised gets another value in each run, where that can be compiled.
    let options = ExecutionOptions { targets, junk: true, ..ExecutionOptions::default() };
    let plain = ExecutionOptions { junk: false, ..options.clone() };
    let compile = |options| Executable::compile(Arc::clone(&instrumented.program), options);
    let compiled = compile(&options).or_else(|_| compile(&plain)).map_err(|error| error.to_string())?;
    let mut runner = Runner::new(compiled).map_err(|error| error.to_string())?;
    let mut report = Report { checks: instrumented.conjuncts, unreached: instrumented.unreached, ..Report::default() };
    for seed in seeds {
        let exit = runner.run(&small_inputs(seed), &RunLimits { steps, when_inputs_end: WhenInputsEnd::Random(seed) });
        report.runs += 1;
        report.ended += usize::from(matches!(exit, Exit::Returned(_) | Exit::Exited(_)));
        if let Exit::Target(edge) = exit {
            let violated = instrumented.checks.get(&edge).map_or(String::new(), Check::to_string);
            report.violations.push(format!("seed {seed}: {violated}"));
        }
    }
    Ok(report)
}

/// Inputs that go through more of a program than random words do.
fn small_inputs(seed: u64) -> Vec<u64> {
    let mut rng = crate::random_c::Rng::new(seed);
    let count = rng.below(40);
    (0..count)
        .map(|_| match rng.below(4) {
            0 => rng.below(3) as u64,
            1 => rng.below(12) as u64,
            2 => (rng.below(300) as u64).wrapping_sub(150),
            _ => [u64::MAX, i32::MAX as u64, 1 << 31, 255, 128, 65_535, 1 << 15, u64::MAX >> 1][rng.below(8) as usize],
        })
        .collect()
}
