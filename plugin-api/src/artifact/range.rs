//! Path ranges of ranged program analysis: sets of consecutive paths between two bounds.

use super::TestCase;
use serde::{Deserialize, Serialize};

/// The branches that a path takes, in order: true for the branch where the condition holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Decisions(pub Vec<bool>);

/// A path that limits a range; it belongs to the range.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Bound {
    /// The path that the test's execution takes; the least of them for an underspecified test.
    Test(TestCase),
    /// The path that takes these branches.
    Decisions(Decisions),
}

/// All paths from `lower` to `upper`, both included; a missing bound excludes nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PathRange {
    pub lower: Option<Bound>,
    pub upper: Option<Bound>,
}
