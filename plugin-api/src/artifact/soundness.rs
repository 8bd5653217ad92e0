//! What a result rests on beyond the program's text: conventions of the field, claims of other tools, and unsound
//! steps.
//! Notes are only ever added: a result that uses another result takes over all its notes.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The notes of one actor's work, or of all work that a verdict depends on.
///
/// They travel with the artifacts: a result that uses a GIA whose proof skipped something rests on that skipped step,
/// too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Soundness {
    conventions: BTreeSet<String>,
    claims: BTreeSet<String>,
    unsound_steps: BTreeSet<String>,
}

impl Soundness {
    /// Nothing but the program's text was used.
    pub fn clean() -> Self {
        Self::default()
    }

    /// Notes a convention of the field, such as `function without a body: foo`.
    pub fn convention(&mut self, what: impl Into<String>) {
        self.conventions.insert(what.into());
    }

    /// Notes that a claim of an external tool was believed, such as `TRUE by Frama-C 25.0`. Only the host calls this,
    /// since it knows which tool claims what.
    pub fn claim(&mut self, what: impl Into<String>) {
        self.claims.insert(what.into());
    }

    /// Notes a step that makes a proof invalid, such as `recursion of f cut off at depth 100`.
    pub fn unsound(&mut self, what: impl Into<String>) {
        self.unsound_steps.insert(what.into());
    }

    /// Takes over the notes of a result that this one depends on.
    pub fn absorb(&mut self, other: &Soundness) {
        self.conventions.extend(other.conventions.iter().cloned());
        self.claims.extend(other.claims.iter().cloned());
        self.unsound_steps.extend(other.unsound_steps.iter().cloned());
    }

    /// In alphabetical order.
    pub fn conventions(&self) -> impl ExactSizeIterator<Item = &str> {
        self.conventions.iter().map(String::as_str)
    }

    /// Claims that only an external tool makes and that were not checked, in alphabetical order.
    pub fn claims(&self) -> impl ExactSizeIterator<Item = &str> {
        self.claims.iter().map(String::as_str)
    }

    /// The same after all claims were checked.
    pub fn without_claims(&self) -> Self {
        Soundness { claims: BTreeSet::new(), ..self.clone() }
    }

    /// In alphabetical order.
    pub fn unsound_steps(&self) -> impl ExactSizeIterator<Item = &str> {
        self.unsound_steps.iter().map(String::as_str)
    }

    pub fn is_clean(&self) -> bool {
        self.conventions.is_empty() && self.claims.is_empty() && self.unsound_steps.is_empty()
    }

    /// Why a proof with these notes does not count; `strict` also refuses conventions and claims.
    pub fn objection(&self, strict: bool) -> Option<String> {
        let others = self.conventions.iter().chain(&self.claims).filter(|_| strict);
        let reasons: Vec<&str> = self.unsound_steps.iter().chain(others).map(String::as_str).collect();
        (!reasons.is_empty()).then(|| reasons.join("; "))
    }
}
