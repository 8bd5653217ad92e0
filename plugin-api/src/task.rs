//! What is asked of a program: a property to verify or to cover, and the edges that are its targets.

use crate::program::{EdgeId, Op, Program};
use serde::{Deserialize, Serialize};

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
