//! Invariants at program locations: the claim, who made it, and whether it was checked.

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
    /// As [`LocationNames`](crate::program::LocationNames) names it.
    pub location: Arc<str>,
    pub kind: InvariantKind,
    pub expression: Condition,
    /// The actor or tool that claims it.
    pub origin: String,
    /// Whether it was proven here. An invariant of another tool is a hint until then: no proof may assume it.
    pub checked: bool,
}

impl Invariant {
    fn key(&self) -> (&str, InvariantKind, &Condition) {
        (&self.location, self.kind, &self.expression)
    }

    /// Joins two equal claims: the result is checked if one of them is, and does not depend on which came first.
    fn join(&mut self, other: Invariant) {
        let better = (other.checked, &self.origin) > (self.checked, &other.origin);
        if better {
            *self = other;
        }
    }
}

/// Invariants sorted by location, kind and expression; at most one of each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<Invariant>", into = "Vec<Invariant>")]
pub struct Invariants {
    list: Vec<Invariant>,
}

impl Invariants {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a claim, or joins it with the one that is there: checked if one of them is. `true` is not kept.
    pub fn insert(&mut self, invariant: Invariant) {
        if invariant.expression.is_true() || invariant.expression.is_blank() {
            return;
        }
        match self.list.binary_search_by(|known| known.key().cmp(&invariant.key())) {
            Ok(index) => self.list[index].join(invariant),
            Err(index) => self.list.insert(index, invariant),
        }
    }

    pub fn merge(&mut self, other: Invariants) {
        let own = std::mem::take(&mut self.list);
        *self = own.into_iter().chain(other.list).collect();
    }

    /// The same invariants as unchecked claims.
    #[must_use]
    pub fn unchecked(mut self) -> Self {
        self.list.iter_mut().for_each(|invariant| invariant.checked = false);
        self
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Invariant> {
        self.list.iter()
    }

    pub fn at(&self, location: &str) -> &[Invariant] {
        let start = self.list.partition_point(|invariant| &*invariant.location < location);
        let length = self.list[start..].partition_point(|invariant| &*invariant.location == location);
        &self.list[start..start + length]
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }
}

impl FromIterator<Invariant> for Invariants {
    fn from_iter<I: IntoIterator<Item = Invariant>>(items: I) -> Self {
        let mut sorted: Vec<Invariant> = items.into_iter().collect();
        sorted.sort_by(|left, right| left.key().cmp(&right.key()));
        let mut all = Invariants::new();
        for invariant in sorted {
            all.insert(invariant);
        }
        all
    }
}

impl From<Vec<Invariant>> for Invariants {
    fn from(list: Vec<Invariant>) -> Self {
        list.into_iter().collect()
    }
}

impl From<Invariants> for Vec<Invariant> {
    fn from(invariants: Invariants) -> Self {
        invariants.list
    }
}
