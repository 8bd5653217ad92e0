//! What the host uses: opens plugin libraries, makes instances, and calls them with ordinary Rust types.
//! Checks of the file itself (owner, format, stamp) come before, see the host's `plugins` module.

mod analysis;
mod execution;
mod formulas;
mod library;
mod services;
mod task;
mod worker;

pub use analysis::{AbstractPrecision, AbstractState, AnalysisInstance, Next};
pub use library::{Library, OpenError};
pub use services::check_gia;
pub use task::{SharedProgram, SharedTask};
pub use worker::WorkerInstance;
