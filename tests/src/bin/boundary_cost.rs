//! Measures the cost of the plugin boundary: hot calls of a loaded analysis, and passing a program to a library.
//! Usage: `cargo run --release -p tandem-tests --bin boundary_cost [FILE.c]` after the plugins were built.

#![allow(clippy::print_stdout, reason = "a command that prints its measurements")]

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use tandem::plugins::PluginSearch;
use tandem_plugin_api::abi::{AnalysisInstance, SharedProgram, SharedTask};
use tandem_plugin_api::descriptor::PluginKind;
use tandem_plugin_api::kit::testing;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::DataModel;

const CALLS: u32 = 1_000_000;
/// The best of these counts, since other load on the machine only adds time.
const ROUNDS: u32 = 10;

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let registry = PluginSearch::new(&[]).discover();
    let location = registry.get(PluginKind::Analysis, "location")?;
    let options = location.options([]).unwrap_or_default();
    let host = Host::silent();
    let task = match std::env::args().nth(1) {
        Some(file) => {
            let program = tandem::frontend::load(Path::new(&file), DataModel::Ilp32)?;
            let property = Property::UnreachableCall { function: "reach_error".into() };
            SharedTask::new(&SharedProgram::new(Arc::new(program)), property)
        }
        None => testing::two_inputs(),
    };
    for name in ["first instance (encodes and decodes the program)", "second instance"] {
        let started = Instant::now();
        let _instance = location.analysis(&task, &options, &host)?;
        println!("{name}: {:.3} ms for {} edges", started.elapsed().as_secs_f64() * 1e3, task.program().edges.len());
    }
    hot_calls(&location.analysis(&task, &options, &host)?)?;
    Ok(())
}

fn hot_calls(analysis: &AnalysisInstance) -> Result<()> {
    let (state, precision) = (analysis.initial()?, analysis.initial_precision()?);
    let edge = EdgeId(0);
    measure("successors", || analysis.successors(black_box(&state), edge, &precision).map(|_| ()))?;
    measure("less_or_equal", || analysis.less_or_equal(black_box(&state), &state).map(|_| ()))?;
    measure("merge that joins (makes a state)", || analysis.merge(black_box(&state), &state, &precision).map(|_| ()))?;
    measure("clone and drop of a state", || {
        black_box(state.clone());
        Ok(())
    })
}

fn measure(what: &str, mut call: impl FnMut() -> Result<()>) -> Result<()> {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let started = Instant::now();
        for _ in 0..CALLS {
            call()?;
        }
        best = best.min(started.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS));
    }
    println!("{what}: {best:.1} ns");
    Ok(())
}
