//! Precision increments: which variables and predicates an analysis should track, and where.
//! Actors reuse their own and take over those of others (reuse-precision and transform-precision of CoVeriTest).

use super::Condition;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Where an item is tracked. By name, so that it means the same in residual programs and after a restart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum PrecisionScope {
    Global,
    /// Everywhere in this function.
    Function(Arc<str>),
    /// At one location, named as [`LocationNames`](crate::program::LocationNames) does.
    Location(Arc<str>),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum PrecisionItem {
    /// A variable, by its name that is unique in the program.
    Variable(Arc<str>),
    /// A C expression, with the function whose names it uses.
    Predicate(Condition),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PrecisionEntry {
    pub scope: PrecisionScope,
    pub item: PrecisionItem,
}

/// A set of items with their scopes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Precision {
    entries: BTreeSet<PrecisionEntry>,
}
