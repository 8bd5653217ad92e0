//! For unit tests of plugins: small programs without a C parser, and plugins run through the whole boundary without
//! building a library.

#[cfg(test)]
mod law_tests;
pub mod laws;
mod program;

pub use program::ProgramBuilder;

use crate::abi::plugin_side::ExportedKind;
use crate::abi::{
    AbstractState, AnalysisInstance, Library, SharedProgram, SharedTask, WorkerInstance, host_side::Next,
};
use crate::descriptor::OptionValue;
use crate::error::{PluginError, Result};
use crate::options::Options;
use crate::plugin::Plugin;
use crate::program::{EdgeId, Program};
use crate::service::Host;
use crate::task::Property;
use std::sync::Arc;

/// Reports that a test leaves something out, since a tool is not installed. If `TANDEM_REQUIRE_TOOLS` is 1, all tools
/// must be there, and the test fails.
pub fn skip(missing: &str) {
    let required = std::env::var("TANDEM_REQUIRE_TOOLS").is_ok_and(|value| value == "1");
    assert!(!required, "nothing may be skipped (TANDEM_REQUIRE_TOOLS=1): {missing}");
    eprintln!("skipped: {missing}");
}

/// An instance of an analysis that is part of this executable.
pub fn analysis<P: Plugin>(task: &SharedTask, given: &[(&str, OptionValue)]) -> Result<AnalysisInstance>
where
    P::Kind: ExportedKind<P>,
{
    let library = Library::of::<P>();
    library.analysis(task, &options(&library, given)?, &Host::silent())
}

/// The same for an engine, splitter, reducer or adapter.
pub fn worker<P: Plugin>(task: &SharedTask, given: &[(&str, OptionValue)]) -> Result<WorkerInstance>
where
    P::Kind: ExportedKind<P>,
{
    let library = Library::of::<P>();
    library.worker(task, &options(&library, given)?, &Host::silent())
}

fn options(library: &Library, given: &[(&str, OptionValue)]) -> Result<Options> {
    let given = given.iter().map(|(name, value)| (name.to_string(), value.clone()));
    Options::fill(&library.descriptor()?.options, given).map_err(|problems| {
        let lines: Vec<_> = problems.iter().map(|p| format!("option `{}`: {}", p.option, p.message)).collect();
        PluginError::bad_input(lines.join("; "))
    })
}

/// The initial state and the first successor after each edge, as far as there is one.
pub fn states_along(analysis: &AnalysisInstance, edges: &[EdgeId]) -> Result<Vec<AbstractState>> {
    let precision = analysis.initial_precision()?;
    let mut states = vec![analysis.initial()?];
    for &edge in edges {
        let current = &states[states.len() - 1];
        let next = match analysis.successors(current, edge, &precision)? {
            Next::None => break,
            Next::Unchanged => current.clone(),
            Next::One(state) => state,
            Next::Many(list) => match list.into_iter().next() {
                Some(state) => state,
                None => break,
            },
        };
        states.push(next);
    }
    Ok(states)
}

/// The task that no call of `reach_error` is reachable.
pub fn task(program: Program) -> SharedTask {
    let property = Property::UnreachableCall { function: "reach_error".into() };
    SharedTask::new(&SharedProgram::new(Arc::new(program)), property)
}

/// `int main() { int x; x = __VERIFIER_nondet_int(); x = __VERIFIER_nondet_int(); reach_error(); }`
pub fn two_inputs() -> SharedTask {
    let mut builder = ProgramBuilder::new("two_inputs.c");
    let main = builder.function("main");
    let nondet = builder.declare("__VERIFIER_nondet_int");
    let error = builder.declare("reach_error");
    let x = builder.local(main, "x");
    let place = builder.variable(x);
    let (start, end) = builder.body(main);
    let first = builder.location(main);
    let second = builder.location(main);
    builder.input(start, first, nondet, place);
    builder.input(first, second, nondet, place);
    builder.call(second, end, error, &[]);
    task(builder.finish(main))
}
