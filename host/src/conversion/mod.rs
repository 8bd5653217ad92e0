//! Converts knowledge about a program: reads and writes files of all formats, executes tests to make a GIA of them, filters precisions for a
//! program, and finds the tightest of several bounds.

mod bounds;
mod combined;
mod executed;
mod files;
mod origin;
mod precision;

pub use crate::replay::Confirmed;
pub use bounds::tightest;
pub use combined::combined;
pub use executed::confirmed;
pub use files::{Content, Format, gia_text, read, text, told_about_program, write, write_text};
pub use origin::origin_json;
pub use precision::meant_for;

use crate::artifact::property;
use std::path::Path;
use tandem_plugin_api::task::Property;

/// The property as a property file words it.
pub fn property_text(property: &Property) -> String {
    property::write(property, "main").trim().to_string()
}

/// The last part of a path, by which files name programs.
pub fn base_name(path: &str) -> &str {
    Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or(path)
}
