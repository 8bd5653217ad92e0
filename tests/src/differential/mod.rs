//! Does a printed program mean what the C file means? Both are compiled by gcc, run on the same inputs, and their traces
//! compared: each call of a function that the program does not define with its arguments and result, what is printed,
//! and how the run ends.

mod check;
mod report;
mod stubs;
mod toolchain;
mod trace;

pub use check::{check, check_program, original_runs, other_runs};
pub use report::{Report, summary};
pub use toolchain::Toolchain;
pub(crate) use toolchain::run as run_tool;
pub use trace::{Comparison, Trace, compare};

use crate::tasks::Task;
use std::path::PathBuf;

/// How much is run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Input vectors a task.
    pub vectors: u32,
    /// CPU time for one vector, after which it is cut.
    pub milliseconds: u32,
    /// Inputs for one vector, after which it ends.
    pub most_inputs: u32,
    /// Where sources, binaries and traces are kept; else they are thrown away.
    pub keep: Option<PathBuf>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { vectors: 24, milliseconds: 100, most_inputs: 400, keep: None }
    }
}

/// The result of one task.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub task: Task,
    pub verdict: Verdict,
    pub counts: Counts,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub vectors: usize,
    /// Events that both traces have in common.
    pub events: usize,
    /// Vectors of which at least one run was cut by time, stack or the size of the trace.
    pub cut: usize,
    /// Vectors cut before the first event: only whether both run was compared.
    pub silent: usize,
    /// Vectors that reached the error.
    pub errors: usize,
}

#[derive(Clone, Debug)]
pub enum Verdict {
    Same,
    /// The same while uninitialised memory is zero; the original's behaviour depends on it.
    SameButUninitialised {
        evidence: String,
    },
    /// The original behaves differently when compiled in another way that C allows, so that there is nothing to compare
    /// with.
    Undefined {
        evidence: String,
        difference: String,
    },
    Different {
        differences: Vec<String>,
    },
    /// The front end refused the file.
    NotLoaded {
        reason: String,
    },
    /// gcc refused one of the two.
    NotCompiled {
        which: &'static str,
        reason: String,
    },
}
