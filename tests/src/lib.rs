//! Helpers shared by the whole-program tests and the measuring commands.
pub mod random_c;

pub mod differential;
pub mod table;
pub mod tasks;

pub mod command;
pub mod golden;
pub mod test_plugins;
