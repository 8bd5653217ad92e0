//! Helpers shared by the whole-program tests and the measuring commands.

pub mod command;
pub mod golden;
