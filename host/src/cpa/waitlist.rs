//! The order in which abstract states are explored.

use super::arg::NodeId;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use tandem_plugin_api::program::{FunctionId, LocationId, Op, Program};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    BreadthFirst,
    DepthFirst,
    /// Callees before their callers, and inside a function what comes first before what may follow it: a location is
    /// explored when all that leads to it is, which saves work wherever states are merged.
    #[default]
    ReversePostorder,
}

/// Nodes that wait for exploration.
pub enum Waitlist {
    Queue(VecDeque<NodeId>),
    Stack(Vec<NodeId>),
    Ranked { heap: BinaryHeap<Reverse<(Rank, u64, NodeId)>>, ranks: Vec<u32>, added: u64 },
}

/// Deeper calls first, then by place in the program.
type Rank = (Reverse<u32>, u32);

impl Waitlist {
    pub fn new(order: Order, program: &Program) -> Self {
        match order {
            Order::BreadthFirst => Waitlist::Queue(VecDeque::new()),
            Order::DepthFirst => Waitlist::Stack(Vec::new()),
            Order::ReversePostorder => {
                Waitlist::Ranked { heap: BinaryHeap::new(), ranks: location_ranks(program), added: 0 }
            }
        }
    }

    /// `depth` is that of the call stack.
    pub fn push(&mut self, node: NodeId, location: LocationId, depth: u32) {
        match self {
            Waitlist::Queue(queue) => queue.push_back(node),
            Waitlist::Stack(stack) => stack.push(node),
            Waitlist::Ranked { heap, ranks, added } => {
                heap.push(Reverse(((Reverse(depth), ranks[location.index()]), *added, node)));
                *added += 1;
            }
        }
    }

    pub fn pop(&mut self) -> Option<NodeId> {
        match self {
            Waitlist::Queue(queue) => queue.pop_front(),
            Waitlist::Stack(stack) => stack.pop(),
            Waitlist::Ranked { heap, .. } => heap.pop().map(|Reverse((_, _, node))| node),
        }
    }
}

/// Functions in postorder of the call graph, inside them locations in reverse postorder.
fn location_ranks(program: &Program) -> Vec<u32> {
    let mut ranks = vec![u32::MAX; program.locations.len()];
    let mut next = 0;
    for function in callees_first(program) {
        for location in program.reverse_postorder(function) {
            ranks[location.index()] = next;
            next += 1;
        }
    }
    ranks
}

fn callees_first(program: &Program) -> Vec<FunctionId> {
    let mut callees: Vec<Vec<FunctionId>> = vec![Vec::new(); program.functions.len()];
    for edge in &program.edges {
        if matches!(edge.op, Op::Call(_)) {
            let (caller, callee) = (program.location(edge.from).function, program.location(edge.to).function);
            callees[caller.index()].push(callee);
        }
    }
    let mut order = Vec::new();
    let mut seen = vec![false; program.functions.len()];
    let mut stack = vec![(program.main, 0)];
    seen[program.main.index()] = true;
    while let Some((function, position)) = stack.last_mut() {
        match callees[function.index()].get(*position) {
            Some(&callee) => {
                *position += 1;
                if !std::mem::replace(&mut seen[callee.index()], true) {
                    stack.push((callee, 0));
                }
            }
            None => {
                order.push(*function);
                stack.pop();
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_plugin_api::testing::ProgramBuilder;

    #[test]
    fn orders_differ() {
        let mut builder = ProgramBuilder::new("f.c");
        let main = builder.function("main");
        let helper = builder.function("helper");
        let (entry, exit) = builder.body(main);
        let (inside, leaves) = builder.body(helper);
        builder.call(entry, exit, helper, &[]);
        builder.edge(inside, leaves, Op::Skip);
        let program = builder.finish(main);
        let drain = |order| {
            let mut list = Waitlist::new(order, &program);
            list.push(NodeId(0), exit, 0);
            list.push(NodeId(1), entry, 0);
            list.push(NodeId(2), leaves, 0);
            list.push(NodeId(3), exit, 1);
            std::iter::from_fn(move || list.pop()).map(|node| node.0).collect::<Vec<_>>()
        };
        assert_eq!(drain(Order::BreadthFirst), [0, 1, 2, 3]);
        assert_eq!(drain(Order::DepthFirst), [3, 2, 1, 0]);
        assert_eq!(drain(Order::ReversePostorder), [3, 2, 1, 0]);
    }
}
