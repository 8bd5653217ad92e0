//! Ways to targets, as reachability hands them over to those that judge them, and the targets that stay open.

use super::arg::{Arg, NodeId};
use super::calls::StackId;
use super::product::{Parts, Precisions};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use tandem_plugin_api::program::EdgeId;

/// A state behind a target edge that is not part of the graph yet.
pub(super) struct Arrival {
    pub parent: NodeId,
    pub edge: EdgeId,
    pub stack: StackId,
    pub parts: Parts,
    pub precisions: Precisions,
}

/// The way in the graph that leads to a target.
pub(super) struct Way {
    /// The edges before the target edge, with the nodes that they leave.
    pub steps: Vec<(NodeId, EdgeId)>,
    /// The node that the target edge leaves.
    pub parent: NodeId,
    /// All edges, the target edge last.
    pub path: Vec<EdgeId>,
    /// A hash of the path: a hit by chance costs a candidate that is not looked at, and no soundness.
    pub id: u64,
}

impl Way {
    pub fn of(arg: &Arg, arrival: &Arrival) -> Self {
        let steps = arg.way_to(arrival.parent);
        let path: Vec<EdgeId> = steps.iter().map(|(_, passed)| *passed).chain([arrival.edge]).collect();
        let mut hasher = FxHasher::default();
        path.hash(&mut hasher);
        Way { steps, parent: arrival.parent, path, id: hasher.finish() }
    }
}

/// What a refinement took out of the graph.
pub(super) enum Removed {
    /// These nodes, ascending.
    Nodes(Vec<NodeId>),
    /// All of it.
    Everything,
}

/// Targets that are neither excluded nor confirmed.
#[derive(Default)]
pub(super) struct OpenTargets {
    /// The nodes behind the target edges, and why they are open.
    pub all: Vec<(NodeId, Arc<str>)>,
    /// Those of them for which the time was too short: they are checked again when there is more time.
    pub hurried: Vec<NodeId>,
}

impl OpenTargets {
    pub fn forget(&mut self, removed: &Removed) {
        match removed {
            Removed::Everything => *self = OpenTargets::default(),
            Removed::Nodes(gone) => {
                let is_gone = |node: &NodeId| gone.binary_search(node).is_ok();
                self.all.retain(|(node, _)| !is_gone(node));
                self.hurried.retain(|node| !is_gone(node));
            }
        }
    }

    /// Forgets those that were decided in a hurry; their nodes, ascending.
    pub fn take_hurried(&mut self) -> Vec<NodeId> {
        let mut nodes = std::mem::take(&mut self.hurried);
        nodes.sort_unstable();
        self.all.retain(|(node, _)| nodes.binary_search(node).is_err());
        nodes
    }
}
