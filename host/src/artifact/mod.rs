//! File formats: one file per format, reader and writer side by side.

pub mod property;
pub mod task_definition;
