//! Do coverage figures agree with gcc's? A test suite is made for a task, measured by tandem, and run on gcc's instrumented
//! build of the original file; then gcov's counts are compared with tandem's, line by line.

mod compare;
mod gcov;
mod suite;

pub use compare::{Comparison, Difference, Explanation, Tally, compare};

use crate::tasks::Task;
use std::path::PathBuf;
use std::sync::Arc;
use tandem::artifact::test_suite;
use tandem::coverage::{Coverage, Report, measuring_limits};
use tandem::exec::{Executable, Runner};
use tandem_plugin_api::program::Program;

#[derive(Clone, Debug)]
pub struct Settings {
    /// Random tests a task.
    pub tests: u64,
    /// A configuration of tandem that finds the tests instead, and how long it may take.
    pub config: Option<(String, String)>,
    /// Where sources and suites are kept; else they are thrown away.
    pub keep: Option<PathBuf>,
}

/// Compares one task. An error says why there is nothing to compare.
pub fn check(task: &Task, settings: &Settings) -> Result<Comparison, String> {
    let program = tandem::frontend::load(&task.source, task.model).map_err(|problem| problem.to_string())?;
    let program = Arc::new(program);
    let temporary = tempfile::tempdir().map_err(|error| error.to_string())?;
    let folder = match &settings.keep {
        Some(keep) => keep.join(task.name.replace(['/', ' '], "_")),
        None => temporary.path().to_path_buf(),
    };
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let source = std::fs::read(&task.source).map_err(|error| error.to_string())?;
    let source = String::from_utf8_lossy(&source).into_owned();

    // gcc comes first: a program that it cannot link needs no tests.
    let build = gcov::Build::new(&program, &source, task.model, &folder)?;
    let made = match &settings.config {
        None => suite::random(&program, settings.tests)?,
        Some((config, limit)) => suite::generated(&program, config, limit, &folder.join("generated"))?,
    };
    let directory = folder.join("suite");
    let metadata = test_suite::Metadata::of(&program, "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )");
    test_suite::write_directory(&directory, &made, &metadata).map_err(|problem| problem.to_string())?;

    // Both read the suite from disk.
    let suite = test_suite::read(&directory).map_err(|problem| problem.to_string())?;
    let coverage = measure(&program, &suite)?;
    let report = Report::of(&coverage, "suite", &source);
    let inputs: Vec<Vec<String>> =
        suite.tests.iter().map(|named| named.test.values().map(ToString::to_string).collect()).collect();
    let counted = build.run(&inputs)?;
    Ok(compare(&coverage, &report, &counted))
}

fn measure<'p>(program: &'p Arc<Program>, suite: &test_suite::SuiteFile) -> Result<Coverage<'p>, String> {
    let executable =
        Executable::compile(program.clone(), &Coverage::options(program, None)).map_err(|e| e.to_string())?;
    let mut runner = Runner::new(executable).map_err(|error| error.to_string())?;
    let mut coverage = Coverage::new(program, None);
    for named in &suite.tests {
        coverage.run(&mut runner, &named.name, &named.test, &measuring_limits());
    }
    Ok(coverage)
}
