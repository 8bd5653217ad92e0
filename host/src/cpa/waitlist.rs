//! The order in which abstract states are explored.

use super::arg::NodeId;
use super::trail::Trail;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};
use tandem_plugin_api::program::{FunctionId, LocationId, Op, Program};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Order {
    BreadthFirst,
    DepthFirst,
    /// Callees before their callers, and inside a function earlier locations before later ones: a location is explored
    /// when everything that leads to it was explored, which saves work wherever states are merged.
    #[default]
    ReversePostorder,
    /// Each fork on the way halves the chance to be next, so that deep loops do not starve the rest (random path
    /// selection of KLEE: Cadar, Dunbar, Engler, OSDI 2008).
    RandomPath,
    /// Places that were explored least often first.
    Coverage,
    /// Fewest loop iterations first, and among those the deepest path.
    LoopIterations,
    /// Coverage and random path in turn, as KLEE does it.
    Interleaved,
}

/// A node that waits, with the data for search orders.
#[derive(Clone, Copy, Debug)]
pub struct Ticket {
    pub node: NodeId,
    pub location: LocationId,
    /// Of the call stack.
    pub depth: u32,
    pub trail: Trail,
    /// Conditions choose between several edges here; other nodes have one way to go on.
    pub chooses: bool,
}

/// Nodes that wait for exploration.
pub enum Waitlist {
    Queue(VecDeque<NodeId>),
    Stack(Vec<NodeId>),
    Ranked { heap: BinaryHeap<Reverse<(Rank, u64, NodeId)>>, ranks: Vec<u32>, added: u64 },
    Search(Box<Search>),
}

/// Deeper calls first, then by place in the program.
type Rank = (Reverse<u32>, u32);

impl Waitlist {
    pub fn new(order: Order, program: &Program) -> Self {
        let search = |by_place, by_chance| {
            let visits = vec![0; program.locations.len()];
            Waitlist::Search(Box::new(Search { by_place, by_chance, visits, ..Search::default() }))
        };
        match order {
            Order::BreadthFirst => Waitlist::Queue(VecDeque::new()),
            Order::DepthFirst => Waitlist::Stack(Vec::new()),
            Order::ReversePostorder => {
                Waitlist::Ranked { heap: BinaryHeap::new(), ranks: location_ranks(program), added: 0 }
            }
            Order::RandomPath => search(false, true),
            Order::Coverage => search(true, false),
            Order::LoopIterations => search(false, false),
            Order::Interleaved => search(true, true),
        }
    }

    /// The seed of all random choices.
    pub fn seed(&mut self, seed: u64) {
        if let Waitlist::Search(search) = self {
            search.chance = Chance(seed ^ 0x9e37_79b9_7f4a_7c15);
        }
    }

    pub fn push(&mut self, ticket: Ticket) {
        let Ticket { node, location, depth, .. } = ticket;
        match self {
            Waitlist::Queue(queue) => queue.push_back(node),
            Waitlist::Stack(stack) => stack.push(node),
            Waitlist::Ranked { heap, ranks, added } => {
                heap.push(Reverse(((Reverse(depth), ranks[location.index()]), *added, node)));
                *added += 1;
            }
            Waitlist::Search(search) => search.push(ticket),
        }
    }

    /// The next one. A node that was pushed once may come more than once, but every one comes.
    pub fn pop(&mut self) -> Option<NodeId> {
        match self {
            Waitlist::Queue(queue) => queue.pop_front(),
            Waitlist::Stack(stack) => stack.pop(),
            Waitlist::Ranked { heap, .. } => heap.pop().map(|Reverse((_, _, node))| node),
            Waitlist::Search(search) => search.pop(),
        }
    }
}

/// Visits of the place, loop iterations.
type Least = Reverse<(u32, u32)>;

/// Orders for states that are never merged: a choice is made only where the program has one.
#[derive(Default)]
pub struct Search {
    by_place: bool,
    by_chance: bool,
    /// Nodes with one way to go on.
    straight: Vec<NodeId>,
    /// By visits of the place and loop iterations; those that came last are first among equals.
    heap: BinaryHeap<(Least, u64, NodeId, LocationId)>,
    /// The same nodes by number of forks, for random choices.
    by_forks: BTreeMap<u32, Vec<NodeId>>,
    /// How often each place was explored.
    visits: Vec<u32>,
    added: u64,
    chance: Chance,
    turn: bool,
}

impl Search {
    fn push(&mut self, ticket: Ticket) {
        let Ticket { node, location, trail, chooses, .. } = ticket;
        if !chooses {
            self.straight.push(node);
            return;
        }
        if self.by_place || !self.by_chance {
            let visits = if self.by_place { self.visits[location.index()] } else { 0 };
            self.heap.push((Reverse((visits, trail.rounds)), self.added, node, location));
            self.added += 1;
        }
        if self.by_chance {
            self.by_forks.entry(trail.forks).or_default().push(node);
        }
    }

    fn pop(&mut self) -> Option<NodeId> {
        if let Some(node) = self.straight.pop() {
            return Some(node);
        }
        // If both lists are in use, each node is in both and comes twice: the caller knows which nodes are explored
        // already.
        self.turn = !self.turn;
        if self.turn { self.draw().or_else(|| self.least()) } else { self.least().or_else(|| self.draw()) }
    }

    fn least(&mut self) -> Option<NodeId> {
        loop {
            let (Reverse((visits, rounds)), added, node, location) = self.heap.pop()?;
            let now = self.visits[location.index()];
            if self.by_place && now > visits {
                // Explored since it was put here.
                self.heap.push((Reverse((now, rounds)), added, node, location));
                continue;
            }
            self.visits[location.index()] = now + 1;
            return Some(node);
        }
    }

    fn draw(&mut self) -> Option<NodeId> {
        let (&least, _) = self.by_forks.first_key_value()?;
        // A node with 30 more forks than the least has practically no chance.
        let weights: Vec<(u32, u64)> = self
            .by_forks
            .range(least..=least.saturating_add(30))
            .map(|(&forks, nodes)| (forks, (nodes.len() as u64) << (30 - (forks - least))))
            .collect();
        let total: u64 = weights.iter().map(|(_, weight)| weight).sum();
        let mut point = self.chance.below(total.max(1));
        let mut chosen = least;
        for (forks, weight) in weights {
            chosen = forks;
            if point < weight {
                break;
            }
            point -= weight;
        }
        let nodes = self.by_forks.get_mut(&chosen)?;
        let at = self.chance.below(nodes.len().max(1) as u64) as usize;
        let node = nodes.swap_remove(at);
        if nodes.is_empty() {
            self.by_forks.remove(&chosen);
        }
        Some(node)
    }
}

/// Pseudo-random numbers (SplitMix64: Steele, Lea, Flood, OOPSLA 2014).
#[derive(Default)]
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        ((u128::from(mixed) * u128::from(bound)) >> 64) as u64
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
    use tandem_plugin_api::kit::testing::ProgramBuilder;

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
            let places = [(exit, 0), (entry, 0), (leaves, 0), (exit, 1)];
            for (at, (location, depth)) in places.into_iter().enumerate() {
                let node = NodeId(at as u32);
                list.push(Ticket { node, location, depth, trail: Trail::default(), chooses: true });
            }
            std::iter::from_fn(move || list.pop()).map(|node| node.0).collect::<Vec<_>>()
        };
        assert_eq!(drain(Order::BreadthFirst), [0, 1, 2, 3]);
        assert_eq!(drain(Order::DepthFirst), [3, 2, 1, 0]);
        assert_eq!(drain(Order::ReversePostorder), [3, 2, 1, 0]);
    }

    fn ticket(node: u32, location: LocationId, forks: u32, rounds: u32) -> Ticket {
        let trail = Trail { forks, rounds, ..Trail::default() };
        Ticket { node: NodeId(node), location, depth: 0, trail, chooses: true }
    }

    fn drain(mut list: Waitlist) -> Vec<u32> {
        std::iter::from_fn(move || list.pop()).map(|node| node.0).collect()
    }

    fn two_places() -> (Program, LocationId, LocationId) {
        let mut builder = ProgramBuilder::new("f.c");
        let main = builder.function("main");
        let (entry, exit) = builder.body(main);
        builder.edge(entry, exit, Op::Skip);
        (builder.finish(main), entry, exit)
    }

    #[test]
    fn searches_prefer_what_they_say() {
        let (program, entry, exit) = two_places();
        let mut list = Waitlist::new(Order::LoopIterations, &program);
        for (node, rounds) in [(0, 3), (1, 1), (2, 1), (3, 0)] {
            list.push(ticket(node, entry, 9, rounds));
        }
        assert_eq!(drain(list), [3, 2, 1, 0]);
        // The second visit of a place waits until others had their first.
        let mut list = Waitlist::new(Order::Coverage, &program);
        for (node, place) in [(0, exit), (1, entry), (2, entry)] {
            list.push(ticket(node, place, 0, 0));
        }
        assert_eq!(drain(list), [2, 0, 1]);
        // A node with only one way to go on is explored at once.
        let mut list = Waitlist::new(Order::LoopIterations, &program);
        list.push(ticket(0, entry, 0, 0));
        list.push(Ticket { chooses: false, ..ticket(1, entry, 9, 9) });
        assert_eq!(drain(list), [1, 0]);
    }

    #[test]
    fn chance_is_the_same_for_the_same_seed_and_forgets_nobody() {
        let (program, entry, _) = two_places();
        for order in [Order::RandomPath, Order::Interleaved] {
            let run = |seed| {
                let mut list = Waitlist::new(order, &program);
                list.seed(seed);
                (0..200).for_each(|node| list.push(ticket(node, entry, node % 50, 0)));
                drain(list)
            };
            let (first, again, other) = (run(1), run(1), run(2));
            assert_eq!(first, again);
            assert_ne!(first, other);
            let mut sorted = first;
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted, (0..200).collect::<Vec<_>>());
        }
    }

    #[test]
    fn forks_halve_the_chance() {
        let (program, entry, _) = two_places();
        let mut first = 0;
        for seed in 0..1000 {
            let mut list = Waitlist::new(Order::RandomPath, &program);
            list.seed(seed);
            list.push(ticket(0, entry, 1, 0));
            (1..4).for_each(|node| list.push(ticket(node, entry, 3, 0)));
            first += u32::from(list.pop() == Some(NodeId(0)));
        }
        // 1/2 against three times 1/8.
        assert!((500..640).contains(&first), "{first}");
    }
}
