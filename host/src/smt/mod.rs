//! Bit-precise C as formulas: terms, path formulas over the program's edges, the memory model, and the solver behind.

mod added;
mod contents;
pub mod encode;
mod generalize;
pub mod horn;
mod predicates;
mod session;
pub mod solver;
pub mod state;
pub mod term;
pub mod to_c;

pub use session::Session;
