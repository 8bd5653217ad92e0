//! What is asked of a program: a property to verify or to cover, and the edges that are its targets.

use crate::artifact::{Gia, Invariants, PathRange, Precision, TestSuite};
use crate::program::{EdgeId, Op, Program};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A property of SV-COMP or Test-Comp.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Property {
    /// No call of this function is reachable (`G ! call(f())`).
    UnreachableCall { function: String },
    /// Tests that take every branch of the source (`COVER EDGES(@DECISIONEDGE)`).
    CoverBranches,
    /// A test that calls this function (`COVER EDGES(@CALL(f))`).
    CoverCall { function: String },
}

impl Property {
    /// The edges whose execution violates the property, or covers a goal of it.
    pub fn targets(&self, program: &Program) -> Vec<EdgeId> {
        let edges = program.edge_ids();
        match self {
            Property::UnreachableCall { function } | Property::CoverCall { function } => {
                let Some(wanted) = program.function_named(function) else { return Vec::new() };
                edges.filter(|&edge| program.called_function(edge) == Some(wanted)).collect()
            }
            Property::CoverBranches => edges
                .filter(|&edge| {
                    program.edge(edge).settles.is_some() && matches!(program.edge(edge).op, Op::Assume { .. })
                })
                .collect(),
        }
    }

    /// Whether the question is for tests rather than for a proof.
    pub fn is_coverage(&self) -> bool {
        !matches!(self, Property::UnreachableCall { .. })
    }
}

/// A program with the question that is asked of it.
#[derive(Clone, Debug)]
pub struct Task {
    pub program: Arc<Program>,
    pub property: Property,
    /// [`Property::targets`] of the program.
    pub targets: Vec<EdgeId>,
}

impl Task {
    pub fn new(program: Arc<Program>, property: Property) -> Self {
        let targets = property.targets(&program);
        Task { program, property, targets }
    }

    /// Whether passing this edge is what is asked for.
    pub fn is_target(&self, edge: EdgeId) -> bool {
        self.targets.binary_search(&edge).is_ok()
    }
}

/// What an actor gets beside its task: the artifacts of those that ran before it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inputs {
    /// What is known so far; [`Gia::nothing_known`] at the start of a cooperation.
    pub gia: Gia,
    pub precision: Option<Precision>,
    pub tests: Option<TestSuite>,
    pub invariants: Option<Invariants>,
    /// The part of the paths that this actor is to look at.
    pub range: Option<PathRange>,
    /// For all that is random: the same seed gives the same result.
    pub seed: u64,
}

impl Default for Inputs {
    fn default() -> Self {
        Inputs { gia: Gia::nothing_known(), precision: None, tests: None, invariants: None, range: None, seed: 0 }
    }
}
