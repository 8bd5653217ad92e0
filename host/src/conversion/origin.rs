//! The file beside a residual program. It has, for each edge, the edge of the original program that it was made from.

use crate::diagnostic::Diagnostic;
use serde::Serialize;
use tandem_plugin_api::program::{EdgeNames, Program};
use tandem_plugin_api::reducer::Residual;

/// From which edges those of the residual program came.
#[derive(Serialize)]
struct OriginFile<'a> {
    format: &'static str,
    version: u32,
    program: &'a str,
    program_hash: &'a str,
    residual: &'a str,
    /// In the order of the residual program's edges: its name there, and that of the edge it came from.
    edges: Vec<(&'a str, Option<&'a str>)>,
}

/// The file, as JSON; `name` is that of the residual program's file.
pub fn origin_json(program: &Program, residual: &Residual, name: &str) -> Result<String, Diagnostic> {
    let (there, here) = (EdgeNames::new(&residual.program), EdgeNames::new(program));
    let edges = residual.program.edge_ids().zip(&residual.origin);
    let origin = OriginFile {
        format: "tandem-residual-origin",
        version: 1,
        program: &program.name,
        program_hash: &program.source_sha256,
        residual: name,
        edges: edges.map(|(edge, origin)| (&**there.name(edge), origin.map(|origin| &**here.name(origin)))).collect(),
    };
    serde_json::to_string_pretty(&origin)
        .map_err(|error| Diagnostic::new(format!("the origins cannot be written as JSON: {error}")))
}
