//! Bit-precise C as formulas: terms, path formulas over the program's edges, the memory model, and the solver behind.

mod contents;
pub mod encode;
pub mod horn;
mod session;
pub mod solver;
pub mod state;
pub mod term;

pub use session::Session;
