//! Unrolling of a program: visits its locations once for each iteration of the loops around them and each call that leads to
//! them, in an order in which all ways to a place come before it. Bounded model checking and k-induction are built on it.

mod decide;
mod explore;
mod hints;
mod invariants;
mod order;
mod templates;

pub use decide::{Search, report};
pub use explore::{Candidates, Exploration, Explorer, Loops, Rounds};
pub use hints::{Hints, as_invariants};
pub use invariants::{Effort, keep_inductive};
pub use order::{Order, Place};
pub use templates::{Templates, guess_invariants};

use crate::program::{CallSiteId, EdgeId, FunctionId, LocationId, Op, Program};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A place in the unrolled program. The order of keys is the order of visits.
pub type Key = Vec<u32>;

/// A call that has not returned.
#[derive(Debug)]
pub struct Frame<T> {
    pub site: CallSiteId,
    pub callee: FunctionId,
    /// Where the call was made.
    pub from: Visit<T>,
    pub depth: u32,
}

/// A location in the unrolled program. `T` is what a user keeps for each loop that a visit is inside of.
#[derive(Debug)]
pub struct Visit<T> {
    pub location: LocationId,
    pub key: Key,
    pub frame: Option<Arc<Frame<T>>>,
    /// For each loop around the location in this function, outermost first: the iteration, and what the user keeps.
    pub loops: Vec<(u32, T)>,
}

impl<T: Clone> Clone for Visit<T> {
    fn clone(&self) -> Self {
        Visit { location: self.location, key: self.key.clone(), frame: self.frame.clone(), loops: self.loops.clone() }
    }
}

/// How an edge moves through the nest of loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// To a location that is the head of no loop.
    On,
    /// Into a loop: its head, for the first time.
    Enter,
    /// To the head of a loop that the edge is in: the next iteration.
    Again,
}

/// The orders of a program's functions, made when they are needed.
pub struct Unrolling {
    program: Arc<Program>,
    orders: FxHashMap<FunctionId, Arc<Order>>,
}

impl Unrolling {
    pub fn new(program: Arc<Program>) -> Self {
        Unrolling { program, orders: FxHashMap::default() }
    }

    pub fn order(&mut self, function: FunctionId) -> Arc<Order> {
        let program = &self.program;
        self.orders.entry(function).or_insert_with(|| Arc::new(Order::of(program, function))).clone()
    }

    /// The edges of the loop with this head, and of all functions that are called in it.
    pub fn loop_edges(&mut self, head: LocationId) -> Vec<EdgeId> {
        let program = self.program.clone();
        let function = program.location(head).function;
        let order = self.order(function);
        let inside = |at: LocationId| order.place(at).is_some_and(|place| place.heads.contains(&head));
        let mut edges = Vec::new();
        let mut callees: Vec<FunctionId> = Vec::new();
        let mut take = |edge: EdgeId, callees: &mut Vec<FunctionId>| {
            edges.push(edge);
            if let Op::Call(site) = program.edge(edge).op {
                edges.extend(program.call_site(site).resume);
                let callee = program.location(program.edge(edge).to).function;
                if !callees.contains(&callee) {
                    callees.push(callee);
                }
            }
        };
        for edge in program.edge_ids().filter(|&edge| inside(program.edge(edge).from)) {
            take(edge, &mut callees);
        }
        let mut done = 0;
        while let Some(&callee) = callees.get(done) {
            done += 1;
            let own = |edge: &EdgeId| program.location(program.edge(*edge).from).function == callee;
            for edge in program.edge_ids().filter(own) {
                take(edge, &mut callees);
            }
        }
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// The visit at the entry of `main`.
    pub fn start<T: Clone + Default>(&mut self) -> Option<Visit<T>> {
        let entry = self.program.entry()?;
        let order = self.order(self.program.main);
        let (loops, key) = keyed(order.place(entry)?, Vec::new(), &[]);
        Some(Visit { location: entry, key, frame: None, loops })
    }

    /// The edges that can be taken from here: a return goes to the call that is open.
    pub fn edges<T>(&self, visit: &Visit<T>) -> Vec<EdgeId> {
        let passable = |edge: &EdgeId| match self.program.edge(*edge).op {
            Op::Resume(site) => visit.frame.as_ref().is_some_and(|frame| frame.site == site),
            _ => true,
        };
        self.program.location(visit.location).leaving.iter().copied().filter(passable).collect()
    }

    /// How many of the loops around a visit an edge stays in. Calls leave none.
    pub fn loops_kept<T>(&mut self, visit: &Visit<T>, edge: EdgeId) -> usize {
        let edge = self.program.edge(edge);
        let function = self.program.location(visit.location).function;
        if self.program.location(edge.to).function != function || matches!(edge.op, Op::Call(_) | Op::Resume(_)) {
            return visit.loops.len();
        }
        let to = edge.to;
        let order = self.order(function);
        match (order.place(visit.location), order.place(to)) {
            (Some(from), Some(place)) => from.heads.iter().zip(&place.heads).take_while(|(a, b)| a == b).count(),
            _ => 0,
        }
    }

    /// Where an edge leads. `None` for a return without a call.
    pub fn step<T: Clone + Default>(&mut self, visit: &Visit<T>, edge: EdgeId) -> Option<(Visit<T>, Move)> {
        let program = self.program.clone();
        let to = program.edge(edge).to;
        match program.edge(edge).op {
            Op::Call(site) => {
                let callee = program.location(to).function;
                let order = self.order(callee);
                let mut key = visit.key.clone();
                key.push(edge.0);
                let (loops, key) = keyed(order.place(to)?, key, &[]);
                let depth = visit.frame.as_ref().map_or(0, |frame| frame.depth) + 1;
                let frame = Frame { site, callee, from: visit.clone(), depth };
                let entered = order.is_head(to);
                let next = Visit { location: to, key, frame: Some(Arc::new(frame)), loops };
                Some((next, if entered { Move::Enter } else { Move::On }))
            }
            Op::Resume(_) => {
                let frame = visit.frame.as_ref()?;
                self.local(&frame.from, to)
            }
            _ => self.local(visit, to),
        }
    }

    /// A step inside of a function.
    fn local<T: Clone + Default>(&mut self, visit: &Visit<T>, to: LocationId) -> Option<(Visit<T>, Move)> {
        let order = self.order(self.program.location(to).function);
        let (from, place) = (order.place(visit.location)?, order.place(to)?);
        let shared = from.heads.iter().zip(&place.heads).take_while(|(a, b)| a == b).count();
        let mut loops: Vec<(u32, T)> = visit.loops.iter().take(shared).cloned().collect();
        let is_head = place.heads.last() == Some(&to);
        // Back to the head of a loop that both are in.
        let again = is_head && shared == place.heads.len();
        if again && let Some(last) = loops.last_mut() {
            last.0 += 1;
        }
        let base = visit.key.len() - key_length(from);
        let (loops, key) = keyed(place, visit.key[..base].to_vec(), &loops);
        let movement = match (is_head, again) {
            (true, true) => Move::Again,
            (true, false) => Move::Enter,
            _ => Move::On,
        };
        Some((Visit { location: to, key, frame: visit.frame.clone(), loops }, movement))
    }
}

/// Numbers that a place adds to a key: its positions, with iterations between them.
fn key_length(place: &Place) -> usize {
    place.positions.len() + place.heads.len()
}

/// The key of a place inside of loops of which the outer ones are in these iterations; the others are in their first.
fn keyed<T: Clone + Default>(place: &Place, mut key: Key, known: &[(u32, T)]) -> (Vec<(u32, T)>, Key) {
    let mut loops = known.to_vec();
    loops.resize(place.heads.len(), (0, T::default()));
    for (level, position) in place.positions.iter().enumerate() {
        key.push(*position);
        if let Some((iteration, _)) = loops.get(level) {
            key.push(*iteration);
        }
    }
    (loops, key)
}

/// Visits that wait, first ones first; states that meet in one visit are together.
pub struct Agenda<T, S> {
    waiting: BTreeMap<Key, (Visit<T>, Vec<S>)>,
}

impl<T, S> Default for Agenda<T, S> {
    fn default() -> Self {
        Agenda { waiting: BTreeMap::new() }
    }
}

impl<T, S> Agenda<T, S> {
    /// Adds a state. Where another state waits in the same visit, `merge` gets what is kept for each loop by both.
    pub fn add(&mut self, visit: Visit<T>, state: S, merge: impl Fn(&mut T, &T)) {
        match self.waiting.get_mut(&visit.key) {
            Some((known, states)) => {
                for ((_, kept), (_, new)) in known.loops.iter_mut().zip(&visit.loops) {
                    merge(kept, new);
                }
                states.push(state);
            }
            None => {
                self.waiting.insert(visit.key.clone(), (visit, vec![state]));
            }
        }
    }

    pub fn take(&mut self) -> Option<(Visit<T>, Vec<S>)> {
        self.waiting.pop_first().map(|(_, entry)| entry)
    }

    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::testing::ProgramBuilder;
    use crate::program::{BinaryOp, Op};

    /// Two nested loops with a body after the inner one.
    fn nested() -> Arc<Program> {
        let mut builder = ProgramBuilder::new("nested.c");
        let main = builder.function("main");
        let (entry, exit) = builder.body(main);
        let x = builder.global("x");
        let (x, ten) = (builder.variable(x), builder.int(10));
        let less = builder.binary(BinaryOp::Lt, x, ten);
        let (outer, inner, body, after) =
            (builder.location(main), builder.location(main), builder.location(main), builder.location(main));
        builder.edge(entry, outer, Op::Skip);
        builder.branch(outer, less, inner, exit);
        builder.branch(inner, less, body, after);
        builder.edge(body, inner, Op::Skip);
        builder.edge(after, outer, Op::Skip);
        Arc::new(builder.finish(main))
    }

    #[test]
    fn loops_nest_and_every_other_edge_goes_forward() {
        let program = nested();
        let order = Order::of(&program, program.main);
        for edge in &program.edges {
            let (Some(from), Some(to)) = (order.place(edge.from), order.place(edge.to)) else { continue };
            let back = to.heads.last() == Some(&edge.to) && from.heads.contains(&edge.to);
            assert!(back || from.positions < to.positions, "{edge:?}");
        }
        let depths: Vec<usize> = (0..program.locations.len())
            .map(|l| order.place(LocationId::new(l)).map_or(9, |p| p.heads.len()))
            .collect();
        assert_eq!(depths.iter().max(), Some(&2));
    }

    #[test]
    fn visits_are_made_in_an_order_in_which_nothing_comes_too_late() {
        let program = nested();
        let mut unrolling = Unrolling::new(program.clone());
        let mut agenda: Agenda<(), ()> = Agenda::default();
        agenda.add(unrolling.start().expect("main has an entry"), (), |(), ()| {});
        let mut last: Key = Vec::new();
        let mut visits = 0;
        while let Some((visit, _)) = agenda.take() {
            assert!(visits == 0 || last < visit.key, "{last:?} before {:?}", visit.key);
            last = visit.key.clone();
            visits += 1;
            for edge in unrolling.edges(&visit) {
                let Some((next, _)) = unrolling.step(&visit, edge) else { continue };
                assert!(next.key > visit.key);
                if next.loops.iter().all(|(iteration, ())| *iteration < 3) {
                    agenda.add(next, (), |(), ()| {});
                }
            }
        }
        // entry, exit, 3 outer heads, and for each of these 3 inner heads, 3 bodies and what comes after.
        assert_eq!(visits, 2 + 3 + 3 * (3 + 3 + 1));
    }
}
