//! Bit-precise C as formulas: terms, path formulas over the program's edges, the memory model, and the solver behind.

pub mod solver;
pub mod term;
