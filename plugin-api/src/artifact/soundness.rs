//! What a result rests on beyond the program's text: conventions of the field, claims of other tools, and unsound
//! steps.
//! Notes are only ever added: a result that uses another result takes over all its notes.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;

/// An assumption of the field that the program does not state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Convention {
    /// A function without a body returns any value and touches nothing.
    NoBody { function: String },
    /// The same of whatever a pointer calls. The place is a file and a line.
    NoBodyByPointer { place: Option<String> },
    /// Inline assembly gives its outputs any value.
    Assembly { place: Option<String> },
    /// `malloc` and its kin never fail.
    Allocation,
    /// One that only a plugin knows: a lower-case fragment.
    Other(String),
}

const NO_BODY: &str = "function without a body";
const NO_BODY_BY_POINTER: &str = "function without a body, called by a pointer";
const ASSEMBLY: &str = "inline assembly gives its outputs any value";
const ALLOCATION: &str = "malloc never fails";

impl Convention {
    /// The assumption, without the function or the place.
    pub fn kind(&self) -> &str {
        match self {
            Convention::NoBody { .. } => NO_BODY,
            Convention::NoBodyByPointer { .. } => NO_BODY_BY_POINTER,
            Convention::Assembly { .. } => ASSEMBLY,
            Convention::Allocation => ALLOCATION,
            Convention::Other(text) => text,
        }
    }

    /// The function that it is about, if it has a name.
    pub fn function(&self) -> Option<&str> {
        match self {
            Convention::NoBody { function } => Some(function),
            _ => None,
        }
    }

    /// Where in the program it was used, if that is known.
    pub fn place(&self) -> Option<&str> {
        match self {
            Convention::NoBodyByPointer { place } | Convention::Assembly { place } => place.as_deref(),
            _ => None,
        }
    }
}

impl fmt::Display for Convention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind())?;
        match (self.function(), self.place()) {
            (Some(function), _) => write!(f, ": {function}"),
            (None, Some(place)) => write!(f, " ({place})"),
            (None, None) => Ok(()),
        }
    }
}

/// Files have the text of a convention: this reads what `Display` writes.
impl From<&str> for Convention {
    fn from(text: &str) -> Self {
        let placed = |kind: &str| match text.strip_prefix(kind)? {
            "" => Some(None),
            rest => Some(Some(rest.strip_prefix(" (")?.strip_suffix(')')?.to_string())),
        };
        let function = text.strip_prefix(NO_BODY).and_then(|rest| rest.strip_prefix(": "));
        if let Some(function) = function {
            Convention::NoBody { function: function.to_string() }
        } else if let Some(place) = placed(NO_BODY_BY_POINTER) {
            Convention::NoBodyByPointer { place }
        } else if let Some(place) = placed(ASSEMBLY) {
            Convention::Assembly { place }
        } else if text == ALLOCATION {
            Convention::Allocation
        } else {
            Convention::Other(text.to_string())
        }
    }
}

/// The notes of one actor's work, or of all work that a verdict depends on.
///
/// They travel with the artifacts: a result that uses a GIA whose proof skipped something rests on that skipped step,
/// too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Soundness {
    conventions: BTreeSet<Convention>,
    claims: BTreeSet<String>,
    unsound_steps: BTreeSet<String>,
}

impl Soundness {
    /// Nothing but the program's text was used.
    pub fn clean() -> Self {
        Self::default()
    }

    /// Notes a convention of the field.
    pub fn convention(&mut self, what: impl Into<Convention>) {
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

    /// Sorted by kind.
    pub fn conventions(&self) -> impl ExactSizeIterator<Item = &Convention> {
        self.conventions.iter()
    }

    /// The conventions in words, sorted by kind.
    pub fn convention_texts(&self) -> Vec<String> {
        self.conventions.iter().map(Convention::to_string).collect()
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
        let mut reasons: Vec<String> = self.unsound_steps.iter().cloned().collect();
        if strict {
            reasons.extend(self.convention_texts());
            reasons.extend(self.claims.iter().cloned());
        }
        (!reasons.is_empty()).then(|| reasons.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conventions_are_read_from_the_texts_that_they_write() {
        let place = || Some("x.c:3".to_string());
        let all = [
            (Convention::NoBody { function: "foo".into() }, "function without a body: foo"),
            (Convention::NoBodyByPointer { place: None }, "function without a body, called by a pointer"),
            (Convention::NoBodyByPointer { place: place() }, "function without a body, called by a pointer (x.c:3)"),
            (Convention::Assembly { place: place() }, "inline assembly gives its outputs any value (x.c:3)"),
            (Convention::Allocation, "malloc never fails"),
            (Convention::Other("locks are fair".into()), "locks are fair"),
        ];
        for (convention, text) in all {
            assert_eq!(convention.to_string(), text);
            assert_eq!(Convention::from(text), convention);
        }
        assert_eq!(Convention::from("function without a body"), Convention::Other("function without a body".into()));
    }
}
