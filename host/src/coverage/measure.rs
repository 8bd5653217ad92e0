//! Compiles a program for measuring, and executes tests on it.

use super::{Coverage, measuring_limits};
use crate::exec::{Executable, Runner};
use std::sync::Arc;
use tandem_plugin_api::artifact::{TestCase, TestSuite};
use tandem_plugin_api::program::Program;
use tandem_plugin_api::service::execution::Execution;
use tandem_plugin_api::task::Property;

/// The coverage of tests, and the same tests with exactly the inputs that they read. `done` gets the number of executed tests. The error says
/// why the program cannot be executed.
pub fn measure<'p, 't>(
    program: &'p Arc<Program>,
    property: Option<&Property>,
    tests: impl IntoIterator<Item = (String, &'t TestCase)>,
    mut done: impl FnMut(usize),
) -> Result<(Coverage<'p>, TestSuite), String> {
    let options = Coverage::options(program, property);
    let executable = Executable::compile(Arc::clone(program), &options).map_err(|error| error.to_string())?;
    let mut runner = Runner::new(executable).map_err(|error| error.to_string())?;
    let mut coverage = Coverage::new(program, property);
    let mut executed = TestSuite::new();
    for (name, test) in tests {
        let (result, _) = coverage.run(&mut runner, &name, test, &measuring_limits());
        let covers_error = result.reaches_error;
        let recorded = coverage.replayer().recorded(runner.consumed());
        executed.tests.push(TestCase { covers_error, ..recorded });
        done(executed.tests.len());
    }
    Ok((coverage, executed))
}
