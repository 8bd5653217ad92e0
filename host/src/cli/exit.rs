//! How a run of the command ends: the one table of exit statuses, and the two ways in which a command fails.

use crate::diagnostic::Diagnostic;
use tandem_plugin_api::artifact::Verdict;

/// Exit statuses, as documented in `--help` and the README.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// The verdict TRUE; a witness that is confirmed; for other commands, success.
    Success = 0,
    /// Bad usage or bad input.
    BadInput = 2,
    /// The verdict FALSE; a witness that is refuted.
    False = 10,
    /// The verdict UNKNOWN; a witness that is neither confirmed nor refuted.
    Unknown = 20,
    /// A mistake in tandem itself.
    Internal = 70,
}

impl Exit {
    pub fn of_verdict(verdict: &Verdict) -> Exit {
        match verdict {
            Verdict::True => Exit::Success,
            Verdict::False => Exit::False,
            Verdict::Unknown { .. } => Exit::Unknown,
        }
    }
}

/// Why a command could not do its work: all mistakes in its input.
#[derive(Debug)]
pub struct Failure(pub Vec<Diagnostic>);

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Failure {
        Failure(vec![diagnostic])
    }
}

impl From<Vec<Diagnostic>> for Failure {
    fn from(diagnostics: Vec<Diagnostic>) -> Failure {
        Failure(diagnostics)
    }
}
