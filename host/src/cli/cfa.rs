//! `tandem cfa`: prints the control-flow automaton of a C program as C, dot, JSON or SVG.

use super::exit::Failure;
use super::question::{DataModelName, refuse_other_kinds};
use super::{Context, outputs};
use crate::artifact::{cfa_dot, cfa_json, cfa_svg};
use crate::conversion::write_text;
use crate::diagnostic::Diagnostic;
use crate::frontend;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use tandem_plugin_api::program::Program;
use tandem_plugin_api::program::print_c::PrintOptions;

#[derive(Args)]
pub struct CfaArgs {
    /// The C program, preprocessed or not
    #[arg(value_name = "FILE.c")]
    file: PathBuf,
    /// c: a C program of the same meaning; dot, json, svg: the graph (svg needs graphviz)
    #[arg(long, value_enum, default_value_t = Format::Dot)]
    format: Format,
    /// Sizes of long and of pointers
    #[arg(long, value_enum, value_name = "ILP32|LP64", ignore_case = true, hide_possible_values = true, default_value_t = DataModelName::Ilp32)]
    data_model: DataModelName,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    C,
    Dot,
    Json,
    Svg,
}

pub fn run(context: &Context, arguments: &CfaArgs) -> Result<(), Failure> {
    refuse_other_kinds(&arguments.file)?;
    context.console.stage(format!("reading {}", arguments.file.display()));
    let program = frontend::load(&arguments.file, arguments.data_model.into())?;
    context.console.stage("printing the automaton");
    let text = print(&program, arguments.format)?;
    context.console.stage_done();
    match &arguments.output {
        None => context.console.result(&text)?,
        Some(path) => {
            outputs::apart(&[path], &[&arguments.file])?;
            write_text(path, &text)?;
        }
    }
    for unsupported in &program.unsupported {
        let place = format!("{}:{}", program.file_name(unsupported.span), unsupported.span.line);
        context.console.warning(&format!("{place}: not supported: {}", unsupported.what));
    }
    Ok(())
}

fn print(program: &Program, format: Format) -> Result<String, Diagnostic> {
    match format {
        Format::C => Ok(program.to_c(&PrintOptions::default())),
        Format::Dot => Ok(cfa_dot::write(program)),
        Format::Json => Ok(cfa_json::write(program)),
        Format::Svg => cfa_svg::write(program),
    }
}
