//! Precisions as JSON: which variables and predicates an analysis should track, and where.
//!
//! ```json
//! {"format": "tandem-precision", "version": 1, "program": "count.c", "entries": [
//!   {"scope": {"Function": "main"}, "item": {"Predicate": {"scope": "main", "text": "i <= n"}}},
//!   {"scope": "Global", "item": {"Variable": "n"}}]}
//! ```

use crate::diagnostic::Diagnostic;
use serde::{Deserialize, Serialize};
use tandem_plugin_api::artifact::{Precision, PrecisionEntry};
use tandem_plugin_api::program::Program;

pub const FORMAT: &str = "tandem-precision";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    format: String,
    version: u32,
    program: String,
    entries: Vec<PrecisionEntry>,
}

pub fn write(precision: &Precision, program: &Program) -> Result<String, Diagnostic> {
    let entries = precision.iter().cloned().collect();
    let document = Document { format: FORMAT.into(), version: 1, program: program.name.clone(), entries };
    let text = serde_json::to_string_pretty(&document)
        .map_err(|error| Diagnostic::new(format!("the precision cannot be written as JSON: {error}")))?;
    Ok(text + "\n")
}

/// `file` is the name of the file, for messages.
pub fn parse(text: &str, file: &str) -> Result<Precision, Diagnostic> {
    let document: Document = serde_json::from_str(text).map_err(|error| {
        Diagnostic::new(format!("this is no precision: {error}"))
            .in_file(file)
            .at(error.line() as u32, error.column() as u32)
            .help(format!("give a file that `tandem` wrote, with `\"format\": \"{FORMAT}\"`"))
    })?;
    if document.format != FORMAT || document.version != 1 {
        let message = format!("version {} of the format `{}` is not known", document.version, document.format);
        return Err(Diagnostic::new(message).in_file(file).help(format!("version 1 of `{FORMAT}` is")));
    }
    let mut precision = Precision::empty();
    for entry in document.entries {
        precision.insert(entry.scope, entry.item);
    }
    Ok(precision)
}
