//! The abstract reachability graph: which abstract states were reached from which, over which edges.

use super::calls::StackId;
use super::trail::Trail;
use std::sync::Arc;
use tandem_plugin_api::abi::{AbstractPrecision, AbstractState};
use tandem_plugin_api::program::{EdgeId, LocationId};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

impl NodeId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An abstract state with its place in the graph.
pub struct Node {
    pub location: LocationId,
    /// Always empty where no analysis needs call stacks.
    pub stack: StackId,
    /// One state for each analysis of the product; none once the node was expanded, where states are kept apart.
    pub parts: Arc<[AbstractState]>,
    pub precision: Arc<[AbstractPrecision]>,
    pub parents: Vec<(NodeId, EdgeId)>,
    pub children: Vec<(EdgeId, NodeId)>,
    pub openness: Openness,
    /// Why this state is what was asked for, where it is.
    pub target: Option<String>,
    pub trail: Trail,
}

impl Node {
    pub(super) fn new(
        location: LocationId,
        stack: StackId,
        parts: Arc<[AbstractState]>,
        precision: Arc<[AbstractPrecision]>,
        openness: Openness,
    ) -> Self {
        let (parents, children) = (Vec::new(), Vec::new());
        Node { location, stack, parts, precision, parents, children, openness, target: None, trail: Trail::default() }
    }
}

/// What became of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Openness {
    /// On the waitlist.
    Waiting,
    /// All its successors are in the graph.
    Expanded,
    /// Not explored, since this node stands for it too: its paths go on there.
    Covered(NodeId),
    /// A target: its paths were not followed any further.
    Target,
    /// Left out, for a reason that was noted as unsound. Its paths are unknown.
    Cut,
}

#[derive(Default)]
pub struct Arg {
    nodes: Vec<Node>,
}

impl Arg {
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    pub(super) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    /// In the order in which they were reached; the first is the initial one.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = (NodeId, &Node)> {
        self.nodes.iter().enumerate().map(|(index, node)| (NodeId(index as u32), node))
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub(super) fn add(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// Notes that `child` is reached from `parent`; noting it twice changes nothing.
    pub(super) fn link(&mut self, parent: NodeId, edge: EdgeId, child: NodeId) {
        if self.node(parent).children.contains(&(edge, child)) {
            return;
        }
        self.node_mut(parent).children.push((edge, child));
        self.node_mut(child).parents.push((parent, edge));
    }

    /// Some path from the initial node to this one, by first parents, which are always older or merged.
    pub fn path_to(&self, id: NodeId) -> Vec<EdgeId> {
        let mut path = Vec::new();
        let mut at = id;
        let mut seen = vec![false; self.nodes.len()];
        while let Some(&(parent, edge)) = self.node(at).parents.first() {
            // Merging may close a cycle of first parents.
            if std::mem::replace(&mut seen[at.index()], true) {
                return self.shortest_path_to(id);
            }
            path.push(edge);
            at = parent;
        }
        path.reverse();
        path
    }

    /// By breadth-first search from the initial node.
    fn shortest_path_to(&self, id: NodeId) -> Vec<EdgeId> {
        let mut came_from: Vec<Option<(NodeId, EdgeId)>> = vec![None; self.nodes.len()];
        let mut queue = std::collections::VecDeque::from([NodeId(0)]);
        while let Some(at) = queue.pop_front() {
            for &(edge, child) in &self.node(at).children {
                if child != NodeId(0) && came_from[child.index()].is_none() {
                    came_from[child.index()] = Some((at, edge));
                    queue.push_back(child);
                }
            }
        }
        let mut path = Vec::new();
        let mut at = id;
        while let Some((parent, edge)) = came_from[at.index()] {
            path.push(edge);
            at = parent;
        }
        path.reverse();
        path
    }
}
