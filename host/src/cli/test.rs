//! `tandem test`: runs a configuration that finds tests, writes them as a Test-Comp test suite, and reports their
//! coverage.

use super::exit::{Exit, Failure};
use super::question::Purpose;
use super::report::{Reporter, TestsReport};
use super::task_run::{Finished, Rescue, RunArgs, TaskRun, suite_folder};
use super::{Context, page};
use crate::artifact::property;
use crate::artifact::test_suite::{self, Metadata};
use crate::coverage;
use crate::diagnostic::Diagnostic;
use clap::Args;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tandem_plugin_api::artifact::TestSuite;
use tandem_plugin_api::task::Property;

/// The directory of the suite if none is given.
const OUTPUT: &str = "tandem-output";

#[derive(Args)]
#[command(mut_arg("property", |argument| argument.help(
    "The property [default: the task's, else that every branch is covered]"
)))]
#[command(mut_arg("output", |argument| argument.help(
    "Write the test suite and result.json to this directory, which is made where it is missing [default: tandem-output]"
)))]
pub struct TestArgs {
    #[command(flatten)]
    run: RunArgs,
}

pub fn run(context: &Context, arguments: TestArgs) -> Result<Exit, Failure> {
    let output = arguments.run.output.clone().unwrap_or_else(|| PathBuf::from(OUTPUT));
    let folder = suite_folder(&output);
    let run = TaskRun::new(context, &arguments.run, Purpose::Tests, Some(output));
    let tests = TestsReport { directory: folder.display().to_string(), ..TestsReport::default() };
    run.reporter.update(|report| report.tests = Some(tests));
    run.report(|| {
        let prepared = run.prepare()?;
        let property = property::write(&prepared.task.task().property, "main");
        let writer = Writer {
            reporter: run.reporter.clone(),
            metadata: Metadata::of(prepared.task.program(), &property),
            folder,
        };
        *lock(&run.rescue) = Some(rescue(&writer, &run.found));
        let finished = run.run(prepared);
        write(&run, &finished, &writer)?;
        let verdict = finished.outcome.reported_verdict(false);
        page::write(&run, &finished, &verdict);
        Ok(verdict)
    })
}

/// Writes suites and notes how many tests they have.
#[derive(Clone)]
struct Writer {
    reporter: Arc<Reporter>,
    metadata: Metadata,
    folder: PathBuf,
}

impl Writer {
    fn write(&self, suite: &TestSuite) -> Result<(), Diagnostic> {
        test_suite::write_directory(&self.folder, suite, &self.metadata)?;
        self.update(|tests| tests.count = suite.tests.len());
        Ok(())
    }

    fn update(&self, change: impl FnOnce(&mut TestsReport)) {
        self.reporter.update(|report| {
            if let Some(tests) = &mut report.tests {
                change(tests);
            }
        });
    }
}

/// Saves the tests that were found so far, in case that the actors do not end in time.
fn rescue(writer: &Writer, found: &Arc<Mutex<TestSuite>>) -> Rescue {
    let (writer, found) = (writer.clone(), found.clone());
    Box::new(move || {
        if let Err(problem) = writer.write(&lock(&found)) {
            writer.reporter.console.error(&problem);
        }
    })
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes the suite at once, as the actors gave it, and again after its execution: the time that is left may not be
/// enough for the latter.
fn write(run: &TaskRun<'_>, finished: &Finished, writer: &Writer) -> Result<(), Diagnostic> {
    let mut suite = lock(&run.found).clone();
    suite.merge(finished.outcome.tests.clone().unwrap_or_default());
    {
        let mut rescue = lock(&run.rescue);
        writer.write(&suite)?;
        *rescue = None;
    }
    match execute(run, finished, writer, &suite) {
        Ok(executed) => {
            let _no_end_in_between = lock(&run.rescue);
            writer.write(&executed)
        }
        Err(why) => {
            run.context.console.warning(&format!("the coverage of the tests is not known: {why}"));
            Ok(())
        }
    }
}

/// Executes all tests and notes their coverage; returns them with exactly the inputs that they read.
fn execute(run: &TaskRun<'_>, finished: &Finished, writer: &Writer, suite: &TestSuite) -> Result<TestSuite, String> {
    let program = finished.task.program();
    let property = &finished.task.task().property;
    run.context.console.stage("executing the tests");
    let (tests, count) = (&suite.tests, suite.tests.len());
    let named = tests.iter().enumerate().map(|(at, test)| ((at + 1).to_string(), test));
    let done = |done| run.context.console.progress_detail(&format!("{done} of {count}"));
    let (coverage, executed) = coverage::measure(program, Some(property), named, done)?;
    run.context.console.stage_done();
    writer.update(|tests| {
        tests.branches = Some(coverage.branches());
        tests.error_reached = coverage.error_reached().filter(|_| matches!(property, Property::CoverCall { .. }));
    });
    Ok(executed)
}
