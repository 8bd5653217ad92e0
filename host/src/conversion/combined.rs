//! Combines the GIAs of two files, or reports the path on which they contradict each other.

use super::base_name;
use crate::artifact::located::combine_on;
use crate::diagnostic::Diagnostic;
use std::path::Path;
use tandem_plugin_api::artifact::{Gia, Inconsistent};
use tandem_plugin_api::program::Program;

/// The most steps of a path that are shown.
const MOST_STEPS_SHOWN: usize = 30;

/// One GIA with the knowledge of both. The second one is from the file with this path.
pub fn combined(first: &Gia, second: &Gia, path: &Path, program: &Program) -> Result<Gia, Diagnostic> {
    combine_on(program, first, second).map_err(|error| contradiction(&error, path, program))
}

fn contradiction(error: &Inconsistent, path: &Path, program: &Program) -> Diagnostic {
    let mut steps: Vec<String> = Vec::new();
    for step in &error.path {
        let line = match step {
            Some(edge) => {
                let span = program.edge(*edge).span;
                format!("{}:{}: {}", base_name(program.file_name(span)), span.line, program.edge_text(*edge))
            }
            None => "(any edge)".to_string(),
        };
        if steps.last() != Some(&line) {
            steps.push(line);
        }
    }
    let more = steps.len().saturating_sub(MOST_STEPS_SHOWN);
    let shown: String = steps.iter().take(MOST_STEPS_SHOWN).map(|step| format!("\n    {step}")).collect();
    let more = if more > 0 { format!("\n    … and {more} more steps") } else { String::new() };
    let what = if steps.is_empty() { " (all paths)".to_string() } else { format!(" that begins with{shown}{more}\n ") };
    let message = format!(
        "the files contradict each other: of a path{what} one says that it reaches no target, another that it does"
    );
    Diagnostic::new(message)
        .in_file(path.display().to_string())
        .help("one of them is wrong: execute the path's test, or make the file anew")
}
