//! The contract between the tandem host and its plugins: everything a plugin author needs, nothing else.

pub mod artifact;
pub mod descriptor;
pub mod program;
pub mod task;
