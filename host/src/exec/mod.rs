//! Concrete execution: a `Program` becomes native code that runs in a sandbox, fed with a vector of inputs. All alarms
//! and coverage figures are based on it.

mod code;
mod context;
mod counters;
mod image;
pub mod library;
mod memory;
mod runner;
mod runtime;
pub mod trace;
mod translate;
mod trap;

pub use image::function_address;
pub use runner::{Executable, Runner};

use std::fmt;

/// Why a program cannot be executed at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecError {
    pub message: String,
}

impl ExecError {
    pub fn new(message: impl Into<String>) -> Self {
        ExecError { message: message.into() }
    }
}

impl fmt::Display for ExecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ExecError {}
