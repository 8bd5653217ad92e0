//! The abstract reachability graph: which abstract states were reached from which, over which edges.

use super::calls::StackId;
use super::trail::Trail;
use std::sync::Arc;
use tandem_plugin_api::abi::{AbstractPrecision, AbstractState};
use tandem_plugin_api::analysis::CoverKey;
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
    /// One state for each analysis of the product; empty once the node was expanded, if states are kept apart.
    pub parts: Arc<[AbstractState]>,
    pub precision: Arc<[AbstractPrecision]>,
    pub parents: Vec<(NodeId, EdgeId)>,
    pub children: Vec<(EdgeId, NodeId)>,
    /// Nodes that are covered by this one.
    pub covering: Vec<NodeId>,
    pub openness: Openness,
    /// Why this state is a target, if it is one.
    pub target: Option<String>,
    pub trail: Trail,
    /// Only nodes with equal numbers are compared.
    pub(super) partition: u64,
    /// The key under which it is found among the reached nodes.
    pub(super) cover_key: CoverKey,
    /// How many refinements there were when its precision was set.
    pub(super) generation: u32,
    /// Whether checks of it are put off; set only for nodes that have lost their states.
    pub(super) unproven: bool,
}

impl Node {
    pub(super) fn new(
        location: LocationId,
        stack: StackId,
        parts: Arc<[AbstractState]>,
        precision: Arc<[AbstractPrecision]>,
        openness: Openness,
    ) -> Self {
        Node {
            location,
            stack,
            parts,
            precision,
            parents: Vec::new(),
            children: Vec::new(),
            covering: Vec::new(),
            openness,
            target: None,
            trail: Trail::default(),
            partition: 0,
            cover_key: CoverKey::default(),
            generation: 0,
            unproven: false,
        }
    }
}

/// The status of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Openness {
    /// On the waitlist.
    Waiting,
    /// All its successors are in the graph.
    Expanded,
    /// Not explored, since this node covers it: its paths go on there.
    Covered(NodeId),
    /// A target: its paths were not followed any further.
    Target,
    /// Left out, for a reason that was noted as unsound. Its paths are unknown.
    Cut,
    /// No longer part of the graph, since the abstraction was refined; another node may take its place.
    Removed,
}

#[derive(Default)]
pub struct Arg {
    nodes: Vec<Node>,
    /// Places of removed nodes.
    free: Vec<NodeId>,
}

impl Arg {
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    pub(super) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    /// Ordered by number; the first is the initial one.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        let all = self.nodes.iter().enumerate().map(|(index, node)| (NodeId(index as u32), node));
        all.filter(|(_, node)| node.openness != Openness::Removed)
    }

    pub fn len(&self) -> usize {
        self.nodes.len() - self.free.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes that the graph takes, without what the plugins' states take.
    pub(super) fn bytes(&self) -> usize {
        fn list<T>(list: &Vec<T>) -> usize {
            list.capacity() * size_of::<T>()
        }
        // An `Arc` has two counts before its content. States may share theirs, so that this is an upper bound.
        let counts = 2 * size_of::<usize>();
        let outside = |node: &Node| {
            list(&node.parents)
                + list(&node.children)
                + list(&node.covering)
                + node.target.as_ref().map_or(0, String::capacity)
                + counts
                + size_of_val(&*node.parts)
        };
        list(&self.nodes) + list(&self.free) + self.nodes.iter().map(outside).sum::<usize>()
    }

    /// Numbers of nodes are less than this.
    pub(super) fn bound(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn add(&mut self, node: Node) -> NodeId {
        if let Some(id) = self.free.pop() {
            self.nodes[id.index()] = node;
            return id;
        }
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

    /// Notes that `covered` needs no exploration since `coverer` gets one.
    pub(super) fn cover(&mut self, covered: NodeId, coverer: NodeId) {
        self.node_mut(covered).openness = Openness::Covered(coverer);
        self.node_mut(coverer).covering.push(covered);
    }

    /// All nodes below one, ascending, and the nodes that these cover, which must be explored again if these are
    /// removed. `None` if the node is below itself.
    pub(super) fn below(&self, pivot: NodeId) -> Option<Vec<NodeId>> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut work: Vec<NodeId> = self.node(pivot).children.iter().map(|(_, child)| *child).collect();
        while let Some(id) = work.pop() {
            if id == pivot {
                return None;
            }
            if seen.insert(id) {
                let node = self.node(id);
                work.extend(node.children.iter().map(|(_, child)| *child).chain(node.covering.iter().copied()));
            }
        }
        let mut list: Vec<NodeId> = seen.into_iter().collect();
        list.sort_unstable();
        Some(list)
    }

    /// Takes nodes out, which must be all that is below some node; those that stay and lost a child, ascending.
    pub(super) fn remove(&mut self, nodes: &[NodeId]) -> Vec<NodeId> {
        let is_doomed = |id: NodeId| nodes.binary_search(&id).is_ok();
        let mut bereft = Vec::new();
        for &id in nodes {
            let openness = std::mem::replace(&mut self.node_mut(id).openness, Openness::Removed);
            let node = self.node_mut(id);
            let parents = std::mem::take(&mut node.parents);
            (node.children, node.covering, node.target) = (Vec::new(), Vec::new(), None);
            (node.parts, node.precision) = (Arc::from([]), Arc::from([]));
            bereft.extend(parents.iter().map(|(parent, _)| *parent).filter(|parent| !is_doomed(*parent)));
            if let Openness::Covered(coverer) = openness {
                self.node_mut(coverer).covering.retain(|covered| *covered != id);
            }
        }
        bereft.sort_unstable();
        bereft.dedup();
        for &parent in &bereft {
            self.node_mut(parent).children.retain(|(_, child)| !is_doomed(*child));
        }
        self.free.extend(nodes.iter().rev());
        bereft
    }

    /// Some path from the initial node to this one, by first parents, which are always older or merged.
    pub fn path_to(&self, id: NodeId) -> Vec<EdgeId> {
        self.way_to(id).into_iter().map(|(_, edge)| edge).collect()
    }

    /// The same with the nodes that the edges leave.
    pub fn way_to(&self, id: NodeId) -> Vec<(NodeId, EdgeId)> {
        let mut way = Vec::new();
        let mut at = id;
        while let Some(&(parent, edge)) = self.node(at).parents.first() {
            // Merging may close a cycle of first parents.
            if way.len() >= self.nodes.len() {
                return self.shortest_way_to(id);
            }
            way.push((parent, edge));
            at = parent;
        }
        way.reverse();
        way
    }

    /// By breadth-first search from the initial node.
    fn shortest_way_to(&self, id: NodeId) -> Vec<(NodeId, EdgeId)> {
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
        let mut way = Vec::new();
        let mut at = id;
        while let Some((parent, edge)) = came_from[at.index()] {
            way.push((parent, edge));
            at = parent;
        }
        way.reverse();
        way
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(nodes: u32, links: &[(u32, u32)]) -> Arg {
        let mut arg = Arg::default();
        for _ in 0..nodes {
            let none = (Arc::from([]), Arc::from([]));
            arg.add(Node::new(LocationId(0), StackId::EMPTY, none.0, none.1, Openness::Expanded));
        }
        for (number, &(from, to)) in links.iter().enumerate() {
            arg.link(NodeId(from), EdgeId(number as u32), NodeId(to));
        }
        arg
    }

    #[test]
    fn what_goes_is_all_below_and_what_that_covers() {
        // 0 → 1 → 2 → 3, 0 → 4 → 3 (merged), 0 → 5 covered by 2.
        let mut arg = graph(6, &[(0, 1), (1, 2), (2, 3), (0, 4), (4, 3), (0, 5)]);
        arg.cover(NodeId(5), NodeId(2));
        assert_eq!(arg.way_to(NodeId(3)), [(NodeId(0), EdgeId(0)), (NodeId(1), EdgeId(1)), (NodeId(2), EdgeId(2))]);
        let doomed = arg.below(NodeId(1)).unwrap();
        assert_eq!(doomed, [NodeId(2), NodeId(3), NodeId(5)]);
        assert_eq!(arg.remove(&doomed), [NodeId(0), NodeId(1), NodeId(4)]);
        assert_eq!(arg.len(), 3);
        assert_eq!(arg.node(NodeId(0)).children.len(), 2);
        assert!(arg.node(NodeId(4)).children.is_empty() && arg.node(NodeId(5)).openness == Openness::Removed);
        let none = (Arc::from([]), Arc::from([]));
        let again = arg.add(Node::new(LocationId(0), StackId::EMPTY, none.0, none.1, Openness::Waiting));
        assert_eq!((again, arg.len(), arg.bound()), (NodeId(2), 4, 6));
    }

    #[test]
    fn a_node_below_itself_is_told() {
        let arg = graph(3, &[(0, 1), (1, 2), (2, 1)]);
        assert_eq!(arg.below(NodeId(1)), None);
        assert_eq!(arg.below(NodeId(0)).unwrap(), [NodeId(1), NodeId(2)]);
    }
}
