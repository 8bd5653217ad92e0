//! From C text to a `Program`: text preparation, parsing (lang-c), typing and lowering.

pub mod parse;
pub mod text;

use crate::diagnostic::Diagnostic;
use std::path::Path;
use tandem_plugin_api::program::{DataModel, Program};

/// Reads a C file (preprocessed or not) for a data model.
pub fn load(path: &Path, _model: DataModel) -> Result<Program, Diagnostic> {
    Err(Diagnostic::new("the front end is not there yet").in_file(path.display().to_string()))
}
