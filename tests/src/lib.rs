//! Helpers shared by the whole-program tests and the measuring commands.

pub mod agreement;
pub mod automata;
pub mod browser;
pub mod command;
pub mod conformance;
pub mod constructs;
pub mod differential;
pub mod experiments;
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

use std::process::ExitCode;

/// How a measuring command ends: 0 if all promises hold, 1 if one does not, 2 if it could not be measured.
pub fn conclude(outcome: Result<bool, String>) -> ExitCode {
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}
