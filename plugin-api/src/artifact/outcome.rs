//! What an actor returns: a verdict and the artifacts that it found on the way.
//! Verdict discipline lives here: a proof that rests on an unsound step is UNKNOWN.

use super::{Gia, Invariants, Precision, Soundness, TestSuite};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The answer to a task. For coverage tasks, `True` means that no open goal is left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// No path reaches a target.
    True,
    /// A test was executed and reached a target.
    False,
    Unknown {
        reason: String,
    },
}

impl Verdict {
    pub fn unknown(reason: impl Into<String>) -> Self {
        Verdict::Unknown { reason: reason.into() }
    }

    pub fn is_unknown(&self) -> bool {
        matches!(self, Verdict::Unknown { .. })
    }

    /// The verdict that may be reported given the notes: TRUE does not survive an unsound step, nor, if `strict`, a
    /// convention. FALSE does, since its test was executed.
    pub fn given(self, notes: &Soundness, strict: bool) -> Self {
        match (self, notes.objection(strict)) {
            (Verdict::True, Some(reason)) => Verdict::unknown(format!("the proof relies on: {reason}")),
            (verdict, _) => verdict,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::True => f.write_str("TRUE"),
            Verdict::False => f.write_str("FALSE"),
            Verdict::Unknown { reason } if reason.is_empty() => f.write_str("UNKNOWN"),
            Verdict::Unknown { reason } => write!(f, "UNKNOWN ({reason})"),
        }
    }
}

/// The result of one actor's run. Absent artifacts mean "no news", not "nothing".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    pub verdict: Verdict,
    pub gia: Option<Gia>,
    pub tests: Option<TestSuite>,
    pub precision: Option<Precision>,
    pub invariants: Option<Invariants>,
    /// What verdict, GIA and invariants rest on.
    pub soundness: Soundness,
    /// Names and values for reports, in the order in which they are shown.
    pub statistics: Vec<(String, String)>,
}

impl Outcome {
    /// An outcome without artifacts.
    pub fn new(verdict: Verdict) -> Self {
        Outcome {
            verdict,
            gia: None,
            tests: None,
            precision: None,
            invariants: None,
            soundness: Soundness::clean(),
            statistics: Vec::new(),
        }
    }

    pub fn unknown(reason: impl Into<String>) -> Self {
        Self::new(Verdict::unknown(reason))
    }

    /// Notes that this outcome was made from artifacts of `earlier`, and rests on what they rest on.
    pub fn depends_on(mut self, earlier: &Soundness) -> Self {
        self.soundness.absorb(earlier);
        self
    }

    /// The verdict that may be reported.
    pub fn reported_verdict(&self, strict: bool) -> Verdict {
        self.verdict.clone().given(&self.soundness, strict)
    }

    pub fn statistic(&mut self, name: impl Into<String>, value: impl ToString) {
        self.statistics.push((name.into(), value.to_string()));
    }
}
