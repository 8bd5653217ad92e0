//! From C text to a `Program`: text preparation, parsing (lang-c), typing and lowering.

mod complex_helpers;
mod expression;
mod known;
mod lower;
pub mod parse;
mod syntax_error;
pub mod text;

pub use expression::parse_expression;
pub use known::is_known_attribute;

use crate::diagnostic::Diagnostic;
use sha2::{Digest, Sha256};
use std::path::Path;
use tandem_plugin_api::program::{DataModel, Program};
use text::SourceText;

/// Reads a C file (preprocessed or not) for a data model.
pub fn load(path: &Path, model: DataModel) -> Result<Program, Diagnostic> {
    let source = text::read(path, model)?;
    let mut program = lower_source(&source, &path.display().to_string(), model)?;
    program.source_sha256 = file_sha256(path)?;
    Ok(program)
}

fn file_sha256(path: &Path) -> Result<String, Diagnostic> {
    let bytes = std::fs::read(path).map_err(|error| {
        Diagnostic::new(format!("the file cannot be read: {error}")).in_file(path.display().to_string())
    })?;
    Ok(Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Reads C text that needs no preprocessor; `name` is what messages and locations call it.
pub fn load_text(text: &str, name: &str, model: DataModel) -> Result<Program, Diagnostic> {
    lower_source(&text::prepare(text, name)?, name, model)
}

/// Parses and lowers prepared text. Syntax trees are deep: all of it happens on one large stack.
pub fn lower_source(source: &SourceText, name: &str, model: DataModel) -> Result<Program, Diagnostic> {
    parse::with_large_stack(|| {
        let unit = parse::parse(source)?;
        lower::lower(&unit, source, name, model)
    })
}
