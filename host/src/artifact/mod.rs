//! File formats: one file per format, reader and writer side by side.

pub mod cfa_dot;
pub mod cfa_json;
pub mod cfa_svg;
pub mod condition_automaton;
pub mod gia_dot;
pub mod hints;
pub mod html;
pub mod input;
pub mod located;
pub mod precision;
pub mod property;
pub mod rt_tests;
pub mod task_definition;
pub mod test_suite;
pub mod witness;
