//! A residual program as a graph of nodes, each a location of the original in a clone of its function.

use crate::program::{EdgeId, ExprId, FunctionId, LocationId};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CloneId(pub u32);
/// A family, by number.
pub(super) type FamilyId = u32;

/// Where an edge of the graph leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// To the end of the program, since everything that follows is covered.
    Stop,
    Node(NodeId),
    Split {
        condition: ExprId,
        yes: Box<Target>,
        no: Box<Target>,
    },
}

/// The part of the residual program that an edge of the original becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    Step(Target),
    Call { callee: CloneId, after: Target },
}

#[derive(Clone, Debug)]
pub struct Node {
    pub clone: CloneId,
    pub location: LocationId,
    pub ways: Vec<(EdgeId, Way)>,
    pub candidate: bool,
    pub(super) family: FamilyId,
    pub(super) context: u32,
}

/// A function of the residual program.
#[derive(Clone, Debug)]
pub struct FunctionClone {
    pub function: FunctionId,
    pub entry: NodeId,
    pub exit: Option<NodeId>,
    /// The family with which it is called; `None` for the clone that stands for several families.
    pub(super) which: Option<FamilyId>,
}

/// The residual program, before it is written down.
pub struct Graph {
    pub nodes: Vec<Node>,
    pub clones: Vec<FunctionClone>,
    /// None if the whole program is covered.
    pub main: Option<CloneId>,
    /// Clones that may be called in ways that the graph does not show.
    pub roots: Vec<CloneId>,
}

impl Graph {
    /// The graph that is left when everything is covered.
    pub fn empty() -> Self {
        Graph { nodes: Vec::new(), clones: Vec::new(), main: None, roots: Vec::new() }
    }

    /// By node: whether something leads to it.
    pub fn live(&self) -> Vec<bool> {
        let clones = self.main.iter().chain(&self.roots);
        let start: Vec<usize> = clones.map(|id| self.clones[id.0 as usize].entry.0 as usize).collect();
        reached(&start, &self.links().after)
    }

    /// The successors and predecessors of all nodes; a return leads to every caller.
    pub fn links(&self) -> Links {
        let empty: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        let mut links = Links { after: empty.clone(), before: empty };
        for (at, node) in self.nodes.iter().enumerate() {
            for (_, way) in &node.ways {
                match way {
                    Way::Step(target) => links.add(at, target),
                    Way::Call { callee, after } => {
                        let callee = &self.clones[callee.0 as usize];
                        links.add(at, &Target::Node(callee.entry));
                        if let Some(exit) = callee.exit {
                            links.add(exit.0 as usize, after);
                        }
                    }
                }
            }
        }
        links
    }
}

/// Neighbours of nodes, by number.
pub struct Links {
    pub after: Vec<Vec<usize>>,
    pub before: Vec<Vec<usize>>,
}

impl Links {
    fn add(&mut self, from: usize, target: &Target) {
        match target {
            Target::Stop => {}
            Target::Node(to) => {
                self.after[from].push(to.0 as usize);
                self.before[to.0 as usize].push(from);
            }
            Target::Split { yes, no, .. } => {
                self.add(from, yes);
                self.add(from, no);
            }
        }
    }
}

pub fn reached(start: &[usize], links: &[Vec<usize>]) -> Vec<bool> {
    let mut seen = vec![false; links.len()];
    let mut work = start.to_vec();
    while let Some(at) = work.pop() {
        if !std::mem::replace(&mut seen[at], true) {
            work.extend(&links[at]);
        }
    }
    seen
}
