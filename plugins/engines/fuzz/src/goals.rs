//! The goals of a campaign: the targets of the task that the incoming GIA leaves open, and the way to them in the
//! graph.

use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use tandem_plugin_api::artifact::{Acceptance, StateId};
use tandem_plugin_api::prelude::*;

/// Nodes of the product of program and GIA that are looked at to find what the GIA settles.
const MAX_PRODUCT: usize = 200_000;

pub struct Goals {
    /// All goals that were open at the start, ascending.
    wanted: Vec<EdgeId>,
    covered: Vec<bool>,
    open: usize,
    /// Whether the campaign may end after one covered goal.
    one_is_enough: bool,
}

impl Goals {
    pub fn new(task: &Task, gia: &Gia) -> Self {
        let wanted = open_targets(task, gia);
        let one_is_enough = !matches!(task.property, Property::CoverBranches);
        Goals { covered: vec![false; wanted.len()], open: wanted.len(), wanted, one_is_enough }
    }

    /// The edges at which a run may end, since no goal lies behind them.
    pub fn ending(&self) -> Vec<EdgeId> {
        if self.one_is_enough { self.wanted.clone() } else { Vec::new() }
    }

    /// Notes that a run took the edge. Returns whether that covers a goal for the first time.
    pub fn cover(&mut self, edge: EdgeId) -> bool {
        match self.wanted.binary_search(&edge) {
            Ok(at) if !self.covered[at] => {
                self.covered[at] = true;
                self.open -= 1;
                true
            }
            _ => false,
        }
    }

    pub fn is_goal(&self, edge: EdgeId) -> bool {
        self.wanted.binary_search(&edge).is_ok()
    }

    /// Whether no goal is left.
    pub fn done(&self) -> bool {
        self.open == 0 || self.one_is_enough && self.open < self.wanted.len()
    }

    pub fn total(&self) -> usize {
        self.wanted.len()
    }

    pub fn covered_count(&self) -> usize {
        self.wanted.len() - self.open
    }

    pub fn remaining(&self) -> impl Iterator<Item = EdgeId> + '_ {
        self.wanted.iter().zip(&self.covered).filter(|(_, covered)| !**covered).map(|(edge, _)| *edge)
    }
}

/// The targets that the GIA does not settle. A target is settled if a test is known for it (a transition that names it
/// leads to an `rt` state), or if every path of the graph that leads to it is `ut`- or `rt`-covered without any
/// condition on the way.
fn open_targets(task: &Task, gia: &Gia) -> Vec<EdgeId> {
    let tested: FxHashSet<EdgeId> = gia
        .transitions()
        .iter()
        .filter(|transition| gia.acceptance(transition.target) == Acceptance::Rt)
        .filter_map(|transition| transition.edges.edges())
        .flatten()
        .copied()
        .collect();
    let untested = task.targets.iter().copied().filter(|target| !tested.contains(target));
    match uncovered_targets(task, gia) {
        Some(uncovered) => untested.filter(|target| uncovered.contains(target)).collect(),
        None => untested.collect(),
    }
}

/// Targets that some path of the graph reaches without being covered as `ut` or `rt`; `None` if finding them is too
/// much work.
fn uncovered_targets(task: &Task, gia: &Gia) -> Option<FxHashSet<EdgeId>> {
    let settled = |states: &[StateId]| {
        let acceptances = gia.acceptances(states);
        acceptances.contains(Acceptance::Ut) || acceptances.contains(Acceptance::Rt)
    };
    let program = &task.program;
    let mut found = FxHashSet::default();
    let start = (program.entry()?, vec![gia.initial()]);
    if settled(&start.1) {
        return Some(found);
    }
    let mut known = FxHashSet::from_iter([start.clone()]);
    let mut open = vec![start];
    while let Some((location, states)) = open.pop() {
        for &edge in &program.location(location).leaving {
            // A condition that is not `true` may fail, so that the state behind it covers nothing for certain.
            let next = gia.step(&states, edge, &mut |_| false);
            if settled(&next) {
                continue;
            }
            if task.is_target(edge) {
                found.insert(edge);
            }
            let node = (program.edge(edge).to, next);
            if known.insert(node.clone()) {
                open.push(node);
            }
        }
        if known.len() > MAX_PRODUCT {
            return None;
        }
    }
    Some(found)
}

/// By location: how many branches lie between it and the nearest of these edges; `None` where the graph has no way
/// there.
pub fn distances(program: &Program, goals: impl Iterator<Item = EdgeId>) -> Vec<Option<u32>> {
    let mut distance = vec![None; program.locations.len()];
    let mut open = VecDeque::new();
    for goal in goals {
        let from = program.edge(goal).from;
        if distance[from.index()].is_none() {
            distance[from.index()] = Some(0);
            open.push_back((from, 0));
        }
    }
    while let Some((location, here)) = open.pop_front() {
        if distance[location.index()].is_some_and(|known| known < here) {
            continue;
        }
        for &edge in &program.location(location).entering {
            let branches = matches!(program.edge(edge).op, Op::Assume { .. });
            let from = program.edge(edge).from;
            let there = here + u32::from(branches);
            if distance[from.index()].is_none_or(|known| known > there) {
                distance[from.index()] = Some(there);
                if branches { open.push_back((from, there)) } else { open.push_front((from, there)) }
            }
        }
    }
    distance
}

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_plugin_api::artifact::{Condition, EdgeSet, GiaBuilder};
    use tandem_plugin_api::kit::testing::{self, ProgramBuilder};
    use tandem_plugin_api::program::BinaryOp;

    /// `x = input(); if (x < 5) { if (x < 3) reach_error(); } ` with three ways out.
    fn nested() -> Task {
        let mut builder = ProgramBuilder::new("nested.c");
        let main = builder.function("main");
        let nondet = builder.declare("__VERIFIER_nondet_int");
        let error = builder.declare("reach_error");
        let x = builder.local(main, "x");
        let (place, five, three) = (builder.variable(x), builder.int(5), builder.int(3));
        let (less5, less3) = (builder.binary(BinaryOp::Lt, place, five), builder.binary(BinaryOp::Lt, place, three));
        let (start, end) = builder.body(main);
        let at: Vec<_> = (0..3).map(|_| builder.location(main)).collect();
        builder.input(start, at[0], nondet, place);
        builder.branch(at[0], less5, at[1], end);
        builder.branch(at[1], less3, at[2], end);
        builder.call(at[2], end, error, &[]);
        Task::clone(testing::task(builder.finish(main)).task())
    }

    #[test]
    fn all_is_open_at_first_and_nothing_after_a_proof() {
        let task = nested();
        assert_eq!(Goals::new(&task, &Gia::nothing_known()).total(), 1);
        assert_eq!(Goals::new(&task, &Gia::silent()).total(), 1);
        assert!(Goals::new(&task, &Gia::all_ut()).done());
        let branches = Task::new(task.program.clone(), Property::CoverBranches);
        let mut goals = Goals::new(&branches, &Gia::nothing_known());
        assert_eq!((goals.total(), goals.ending().len()), (4, 0));
        assert!(goals.cover(EdgeId(1)) && !goals.cover(EdgeId(1)) && !goals.cover(EdgeId(0)));
        assert!(!goals.done() && goals.covered_count() == 1 && goals.remaining().all(|edge| edge != EdgeId(1)));
        let mut error = Goals::new(&task, &Gia::nothing_known());
        assert!(error.cover(error.ending()[0]) && error.done());
    }

    #[test]
    fn what_a_gia_settles_is_no_goal() {
        let branches = Task::new(nested().program.clone(), Property::CoverBranches);
        // Everything behind x < 5 is proven, and a test is known for the way around it.
        let mut builder = GiaBuilder::new();
        let start = builder.state("start", Acceptance::None);
        let walk = builder.state("walk", Acceptance::None);
        let proven = builder.sink("proven", Acceptance::Ut);
        let tested = builder.sink("tested", Acceptance::Rt);
        builder.transition(start, EdgeSet::any(), Condition::always(), walk);
        builder.transition(walk, EdgeId(1), Condition::always(), proven);
        builder.transition(walk, EdgeId(2), Condition::in_function("main", "x == 9"), tested);
        assert_eq!(Goals::new(&branches, &builder.build(start).unwrap()).total(), 0);
        // A condition may fail: then nothing is settled behind it.
        let mut other = GiaBuilder::new();
        let (start, walk) = (other.state("start", Acceptance::None), other.state("walk", Acceptance::None));
        let proven = other.sink("proven", Acceptance::Ut);
        other.transition(start, EdgeSet::any(), Condition::always(), walk);
        other.transition(walk, EdgeId(1), Condition::global("g > 0"), proven);
        assert_eq!(Goals::new(&branches, &other.build(start).unwrap()).total(), 4);
    }

    #[test]
    fn distances_count_branches() {
        let task = nested();
        let distance = distances(&task.program, task.targets.iter().copied());
        let (entry, exit) = (task.program.entry().unwrap(), task.program.edge(EdgeId(2)).to);
        assert_eq!(distance[entry.index()], Some(2));
        assert_eq!(distance[exit.index()], None);
        assert_eq!(distance[task.program.edge(task.targets[0]).from.index()], Some(0));
    }
}
