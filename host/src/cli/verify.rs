//! `tandem verify`: runs a configuration on a task, and reports the verdict. FALSE comes with the test that shows it.

use super::Context;
use super::exit::{Exit, Failure};
use super::question::Purpose;
use super::task_run::{Finished, RunArgs, TaskRun, suite_folder};
use crate::artifact::property;
use crate::artifact::test_suite::{self, Metadata};
use crate::diagnostic::Diagnostic;
use clap::Args;
use tandem_plugin_api::artifact::{TestSuite, Verdict};

#[derive(Args)]
pub struct VerifyArgs {
    #[command(flatten)]
    run: RunArgs,
    /// Let no convention pass: what functions without a body and inline assembly do makes the verdict UNKNOWN
    #[arg(long)]
    strict: bool,
}

pub fn run(context: &Context, arguments: VerifyArgs) -> Result<Exit, Failure> {
    let run = TaskRun::new(context, &arguments.run, Purpose::Verdict, arguments.run.output.clone());
    run.report(|| {
        let finished = run.run(run.prepare()?)?;
        let verdict = finished.outcome.reported_verdict(arguments.strict);
        if verdict == Verdict::False {
            write_tests(&run, &finished)?;
        }
        Ok(verdict)
    })
}

/// Writes the tests that were executed and reached the error.
fn write_tests(run: &TaskRun<'_>, finished: &Finished) -> Result<(), Diagnostic> {
    let Some(output) = &run.output else { return Ok(()) };
    let tests = finished.outcome.tests.iter().flat_map(|suite| &suite.tests);
    let suite = TestSuite { tests: tests.filter(|test| test.covers_error).cloned().collect() };
    let specification = property::write(&finished.task.task().property, "main");
    test_suite::write_directory(&suite_folder(output), &suite, &Metadata::of(finished.task.program(), &specification))
}
