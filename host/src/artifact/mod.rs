//! File formats: one file per format, reader and writer side by side.

pub mod cfa_dot;
pub mod cfa_json;
pub mod cfa_svg;
pub mod precision;
pub mod property;
pub mod task_definition;
pub mod test_suite;
