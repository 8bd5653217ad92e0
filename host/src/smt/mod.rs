//! Bit-precise C as formulas: terms, path formulas over the program's edges, the memory model, and the solver behind.

mod contents;
pub mod encode;
pub mod state;
pub mod term;
