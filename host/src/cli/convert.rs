//! `tandem convert`: reads knowledge about a program in one format, and writes it in another.

use super::exit::Failure;
use super::question::{self, DataModelName, Purpose};
use super::{Context, outputs};
use crate::conversion::{self, Content, Format};
use crate::diagnostic::Diagnostic;
use crate::frontend;
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tandem_plugin_api::program::Program;
use tandem_plugin_api::task::Task;

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Self] {
        &Format::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()))
    }
}

/// Reads a file, and says so.
pub fn read(context: &Context, task: &Task, path: &Path, format: Option<Format>) -> Result<Content, Diagnostic> {
    context.console.stage(format!("reading {}", path.display()));
    conversion::read(&context.console, task, path, format)
}

/// Writes a file, and says so.
pub fn write(
    context: &Context,
    task: &Task,
    content: Content,
    path: &Path,
    format: Option<Format>,
) -> Result<(), Diagnostic> {
    context.console.stage(format!("writing {}", path.display()));
    conversion::write(&context.console, task, content, path, format)
}

/// The question about the program of the files.
#[derive(Args)]
pub struct QuestionArgs {
    /// The property [default: the task's, else that no assert fails and reach_error is never called]
    #[arg(short, long, value_name = "PROP.prp")]
    property: Option<PathBuf>,
    /// Sizes of long and of pointers [default: the task's, else ILP32 as in SV-COMP]
    #[arg(long, value_enum, value_name = "ILP32|LP64", ignore_case = true, hide_possible_values = true)]
    data_model: Option<DataModelName>,
}

impl QuestionArgs {
    /// Reads the program, or the task definition that names it.
    pub fn task(&self, context: &Context, file: &Path) -> Result<Task, Failure> {
        let question = question::read(file, self.property.as_deref(), self.data_model, Purpose::Measuring)?;
        context.console.stage(format!("reading {}", question.program.display()));
        let program = frontend::load(&question.program, question.data_model_or_usual())?;
        let property =
            question.property.unwrap_or_else(|| match question::default_property(&program, Purpose::Verdict) {
                Some((property, why)) => {
                    context.console.detail(&why);
                    property
                }
                None => question::trivial_property(),
            });
        Ok(Task::new(Arc::new(program), property))
    }
}

/// The program that the files are about.
#[derive(Args)]
pub struct ProgramArgs {
    /// The C program that the files are about, or an SV-COMP task definition
    #[arg(value_name = "FILE.c|TASK.yml")]
    pub file: PathBuf,
    #[command(flatten)]
    question: QuestionArgs,
}

impl ProgramArgs {
    pub fn task(&self, context: &Context) -> Result<Task, Failure> {
        self.question.task(context, &self.file)
    }
}

#[derive(Args)]
#[command(after_help = "\
Formats (guessed from the name and the contents of the file, unless --from-format and --to-format name them):
  gia                    tandem's JSON, with everything (.json)
  condition              CPAchecker's condition automaton: verified paths (.txt)
  automaton              the same with state types, scopes and invariants (.txt)
  tests                  a Test-Comp test suite (a directory or .zip)
  correctness-witness    invariants, YAML 2.0 (.yml)
  violation-witness      a path to the error, YAML 2.0 (.yml)
  correctness-graphml    the same as GraphML 1.0 (.graphml)
  violation-graphml
  precision              items for an analysis to track (.json)
  dot, svg               pictures: ut states green, rt states blue, candidates yellow (written only)

Tests are executed to learn which paths they take. A violation witness is made of a test that was executed.

Example: the paths that CPAchecker verified, as a picture
  tandem convert --from AssumptionAutomaton.txt --to known.svg program.c")]
pub struct ConvertArgs {
    #[command(flatten)]
    program: ProgramArgs,
    /// The file to read
    #[arg(long, value_name = "FILE")]
    from: PathBuf,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    to: PathBuf,
    /// The format of the file to read
    #[arg(long, value_enum, value_name = "FORMAT")]
    from_format: Option<Format>,
    /// The format of the file to write
    #[arg(long, value_enum, value_name = "FORMAT")]
    to_format: Option<Format>,
}

pub fn run(context: &Context, arguments: &ConvertArgs) -> Result<(), Failure> {
    let task = arguments.program.task(context)?;
    let content = read(context, &task, &arguments.from, arguments.from_format)?;
    let inputs = [&arguments.from, &arguments.program.file, Path::new(&task.program.name)];
    outputs::apart(&[&arguments.to], &inputs)?;
    write(context, &task, content, &arguments.to, arguments.to_format)?;
    context.console.stage_done();
    Ok(())
}

/// `3 functions, 20 locations, 25 edges`, of the reachable part.
pub fn size(program: &Program) -> String {
    let defined = program.functions.iter().filter(|function| function.body.is_some()).count();
    format!("{defined} functions, {} locations, {} edges", program.locations.len(), program.edges.len())
}
