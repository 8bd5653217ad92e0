//! What an actor returns: a verdict and the artifacts that it found on the way.
//! One rule about verdicts is here, since plugins may use it: a proof that rests on an unsound step is UNKNOWN. The host has
//! all others.

use super::{Gia, Invariants, Precision, Soundness, TestSuite};
use crate::program::EdgeId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
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

    /// The word for it, without a reason.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::True => "TRUE",
            Verdict::False => "FALSE",
            Verdict::Unknown { .. } => "UNKNOWN",
        }
    }

    pub fn is_unknown(&self) -> bool {
        matches!(self, Verdict::Unknown { .. })
    }

    pub fn is_true(&self) -> bool {
        *self == Verdict::True
    }

    pub fn is_false(&self) -> bool {
        *self == Verdict::False
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

/// The result of one actor's run. An absent artifact means that the actor has nothing new, not that the artifact is
/// empty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    pub verdict: Verdict,
    pub gia: Option<Gia>,
    pub tests: Option<TestSuite>,
    pub precision: Option<Precision>,
    pub invariants: Option<Invariants>,
    /// The edges that an engine passed when it followed all runs of the program: its proof rests on the host's notes for these edges. `None`
    /// if the engine does not name them: its proof then rests on the notes for all edges that the program's graph reaches.
    pub passed: Option<BTreeSet<EdgeId>>,
    /// What verdict, GIA and invariants rest on.
    pub soundness: Soundness,
    /// The actor that gave this answer. Only the host sets this.
    pub answered_by: Option<String>,
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
            passed: None,
            soundness: Soundness::clean(),
            answered_by: None,
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

    /// Adds what this outcome rests on. A result that rests on an unsound step is not proven: its invariants become
    /// claims.
    pub fn rests_on(&mut self, notes: &Soundness) {
        self.soundness.absorb(notes);
        if self.soundness.objection(false).is_some() {
            self.invariants = self.invariants.take().map(Invariants::unchecked);
        }
    }

    /// The verdict that may be reported.
    pub fn reported_verdict(&self, strict: bool) -> Verdict {
        self.verdict.clone().given(&self.soundness, strict)
    }

    pub fn statistic(&mut self, name: impl Into<String>, value: impl ToString) {
        self.statistics.push((name.into(), value.to_string()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_over_an_unsound_step_is_unknown() {
        let mut earlier = Soundness::clean();
        earlier.convention("function without a body: foo");
        let conventional = Outcome::new(Verdict::True).depends_on(&earlier);
        assert_eq!(conventional.reported_verdict(false), Verdict::True);
        assert!(conventional.reported_verdict(true).to_string().contains("function without a body: foo"));

        earlier.unsound("recursion of f cut off");
        earlier.unsound("a limit dropped states");
        let proof = Outcome::new(Verdict::True).depends_on(&earlier);
        let reason = "the proof relies on: a limit dropped states; recursion of f cut off";
        assert_eq!(proof.reported_verdict(false), Verdict::unknown(reason));
        assert_eq!(proof.reported_verdict(false).to_string(), format!("UNKNOWN ({reason})"));
        // FALSE stays, since a test was executed.
        assert_eq!(Outcome::new(Verdict::False).depends_on(&earlier).reported_verdict(true), Verdict::False);
        let unknown = Outcome::unknown("out of time").depends_on(&earlier);
        assert_eq!(unknown.reported_verdict(true), Verdict::unknown("out of time"));
    }

    #[test]
    fn survives_transfer() {
        let mut outcome = Outcome::unknown("open").depends_on(&Soundness::clean());
        outcome.gia = Some(Gia::nothing_known());
        outcome.tests = Some(TestSuite::new());
        outcome.precision = Some(Precision::empty());
        outcome.invariants = Some(Invariants::new());
        outcome.passed = Some([EdgeId(3)].into());
        outcome.answered_by = Some("bmc".into());
        outcome.soundness.unsound("x");
        outcome.statistic("states", 17);
        let bytes = postcard::to_stdvec(&outcome).unwrap();
        assert_eq!(postcard::from_bytes::<Outcome>(&bytes).unwrap(), outcome);
        assert_eq!(serde_json::from_str::<Outcome>(&serde_json::to_string(&outcome).unwrap()).unwrap(), outcome);
    }
}
