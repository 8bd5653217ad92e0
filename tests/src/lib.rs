//! Helpers shared by the whole-program tests and the measuring commands.

pub mod agreement;
pub mod automata;
pub mod command;
pub mod differential;
pub mod exploring;
pub mod formulas;
pub mod golden;
pub mod random_c;
pub mod residuals;
pub mod speed;
pub mod table;
pub mod tasks;
pub mod test_plugins;

pub use tandem::soundness::programs::memory as random_memory_c;
