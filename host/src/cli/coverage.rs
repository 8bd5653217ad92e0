//! `tandem coverage`: executes the tests of a suite, and reports which branches, conditions and lines they cover.

use super::exit::Failure;
use super::question::{self, DataModelName, Purpose};
use super::{Context, outputs};
use crate::artifact::test_suite::{self, SuiteFile};
use crate::conversion::write_text;
use crate::coverage::{self, Coverage, Report, html, text};
use crate::diagnostic::Diagnostic;
use crate::frontend;
use clap::Args;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tandem_plugin_api::program::{DataModel, Program};
use tandem_plugin_api::task::Property;

#[derive(Args)]
pub struct CoverageArgs {
    /// The C program that the tests are for, or an SV-COMP task definition
    #[arg(value_name = "FILE.c|TASK.yml")]
    file: PathBuf,
    /// The test suite: a directory or a zip file in the format of Test-Comp
    #[arg(short, long, value_name = "DIR|ZIP")]
    suite: PathBuf,
    /// The property that the tests were made for; names the function that stands for the error
    #[arg(short, long, value_name = "PROP.prp")]
    property: Option<PathBuf>,
    /// Sizes of long and of pointers [default: the task's, else the suite's, else ILP32]
    #[arg(long, value_enum, value_name = "ILP32|LP64", ignore_case = true, hide_possible_values = true)]
    data_model: Option<DataModelName>,
    /// Print the source, too, with the tests and branches of each line
    #[arg(long, conflicts_with = "json")]
    annotate: bool,
    /// Write the annotated source as an HTML page
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print one JSON document instead of text
    #[arg(long)]
    json: bool,
}

pub fn run(context: &Context, arguments: &CoverageArgs) -> Result<(), Failure> {
    let console = &context.console;
    let question =
        question::read(&arguments.file, arguments.property.as_deref(), arguments.data_model, Purpose::Measuring)?;
    console.stage(format!("reading {}", arguments.suite.display()));
    let suite = test_suite::read(&arguments.suite)?;
    for problem in &suite.problems {
        console.warning(&format!("not used: {problem}"));
    }
    let of_suite = suite.metadata.as_ref().and_then(|metadata| metadata.data_model());
    let data_model = question.data_model.or(of_suite).unwrap_or(DataModel::Ilp32);
    console.detail(&format!("data model: {}", data_model.name()));

    console.stage(format!("reading {}", question.program.display()));
    let program = Arc::new(frontend::load(&question.program, data_model)?);
    let source = fs::read(&question.program).map_err(|error| {
        Diagnostic::new(format!("the file cannot be read: {error}")).in_file(question.program.display().to_string())
    })?;
    if suite.metadata.as_ref().and_then(|metadata| metadata.is_about(&source)) == Some(false) {
        console.warning("the suite was made for another program: the hash in its metadata is not that of this file");
    }
    if let Some(page) = &arguments.html {
        let suite = test_suite::written_files(&arguments.suite);
        let given = [&arguments.file, &question.program, &arguments.suite];
        let read: Vec<&Path> = given.into_iter().chain(&suite).map(PathBuf::as_path).collect();
        outputs::apart(&[page], &read)?;
        outputs::writable(page)?;
    }
    let coverage = measure(context, &program, question.property.as_ref(), &suite)?;
    console.stage_done();
    let report = Report::of(&coverage, &arguments.suite.display().to_string(), &String::from_utf8_lossy(&source));
    for (test, problem) in report.problems() {
        console.warning(&format!("{test}: {problem}"));
    }
    print(context, arguments, &report)
}

fn measure<'p>(
    context: &Context,
    program: &'p Arc<Program>,
    property: Option<&Property>,
    suite: &SuiteFile,
) -> Result<Coverage<'p>, Diagnostic> {
    context.console.stage("executing the tests");
    let failed =
        |what: String| Diagnostic::new(format!("the program cannot be executed: {what}")).in_file(program.name.clone());
    let tests = suite.tests.iter().map(|named| (named.name.clone(), &named.test));
    let count = suite.tests.len();
    let done = |done| context.console.progress_detail(&format!("{done} of {count} tests"));
    Ok(coverage::measure(program, property, tests, done).map_err(failed)?.0)
}

fn print(context: &Context, arguments: &CoverageArgs, report: &Report) -> Result<(), Failure> {
    if let Some(path) = &arguments.html {
        write_text(path, &html::page(report))?;
    }
    if arguments.json {
        let json = serde_json::to_string_pretty(report)
            .map_err(|error| Diagnostic::new(format!("the result cannot be written as JSON: {error}")))?;
        context.console.result(&format!("{json}\n"))?;
    } else {
        let source = if arguments.annotate { text::annotated(report) } else { String::new() };
        context.console.result(&(text::summary(report) + &source))?;
    }
    Ok(())
}
