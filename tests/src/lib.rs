//! Helpers shared by the whole-program tests and the measuring commands.
pub mod random_c;
