//! Bit-precise C as formulas: terms, path formulas over the program's edges, the memory model, and the solver behind.

mod added;
mod contents;
pub mod encode;
pub mod horn;
mod session;
pub mod solver;
pub mod state;
pub mod term;
pub mod to_c;

pub use session::Session;
