//! Invariants at program locations: what a helper found, and whether someone checked it.

use super::Condition;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum InvariantKind {
    /// Holds whenever a loop statement's head is reached.
    Loop,
    /// Holds whenever the location is reached.
    Location,
}

/// A claim that an expression holds whenever a location is reached.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Invariant {
    pub kind: InvariantKind,
    /// As [`LocationNames`](crate::program::LocationNames) names it.
    pub location: Arc<str>,
    pub expression: Condition,
    /// The actor or tool that claims it.
    pub origin: String,
    /// Whether it was proven here. An invariant of another tool is a hint until then.
    pub checked: bool,
}

/// Invariants by location, at most one per kind, location and expression.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invariants {
    list: Vec<Invariant>,
}
