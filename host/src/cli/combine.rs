//! `tandem combine`: makes one GIA of several, or says on which path they contradict each other.

use super::convert::{QuestionArgs, read, write};
use super::exit::Failure;
use super::{Context, outputs};
use crate::conversion::{Content, combined};
use crate::diagnostic::Diagnostic;
use clap::Args;
use std::path::{Path, PathBuf};
use tandem_plugin_api::artifact::Acceptance;

const USAGE: &str = "name two or more files, and the C program last; `tandem convert` converts one file";

#[derive(Args)]
#[command(after_help = "\
The result has the verified paths (ut) and the paths that reach the error (rt) of all files. If one file says of a path that it
reaches the error and another that it does not, there is no result, and the path is shown.

Example: the results of two verifiers as one condition
  tandem combine first.json second.txt -o both.json program.c")]
pub struct CombineArgs {
    /// Files with knowledge about the program (GIAs, or other files that `tandem convert` reads), and last the C
    /// program itself
    #[arg(value_name = "GIA... FILE.c", required = true, num_args = 1..)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    question: QuestionArgs,
    /// Write the result to this file, in the format of its name's ending (.json, .txt, .dot, …)
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

pub fn run(context: &Context, arguments: &CombineArgs) -> Result<(), Failure> {
    let [first, others @ .., program] = arguments.files.as_slice() else {
        return Err(Diagnostic::new("there is nothing to combine").help(USAGE).into());
    };
    if others.is_empty() {
        let problem = Diagnostic::new("one file alone cannot be combined").in_file(first.display().to_string());
        return Err(problem.help(USAGE).into());
    }
    let task = arguments.question.task(context, program)?;
    let mut all = read(context, &task, first, None)?;
    for path in others {
        let next = read(context, &task, path, None)?;
        let gia = combined(&all.gia, &next.gia, path, &task.program)?;
        let mut soundness = all.soundness;
        soundness.absorb(&next.soundness);
        all = Content { soundness, ..Content::of(gia) };
    }
    let inputs: Vec<&Path> = arguments.files.iter().map(PathBuf::as_path).chain([task.program.name.as_ref()]).collect();
    outputs::apart(&[&arguments.output], &inputs)?;
    write(
        context,
        &task,
        Content { soundness: all.soundness, ..Content::of(all.gia.clone()) },
        &arguments.output,
        None,
    )?;
    context.console.stage_done();
    let count = |wanted| all.gia.states().iter().filter(|state| state.acceptance == wanted).count();
    context.console.result(&format!(
        "{}: {} states ({} ut, {} rt, {} cand), {} transitions\n",
        arguments.output.display(),
        all.gia.states().len(),
        count(Acceptance::Ut),
        count(Acceptance::Rt),
        count(Acceptance::Cand),
        all.gia.transitions().len()
    ))?;
    Ok(())
}
