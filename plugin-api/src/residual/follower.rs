//! Follows all runs of a GIA along a path at once: the automaton made deterministic, one set of states at a time.
//! Whoever cuts paths that are done with (reducers, the guard analysis) asks here whether a path is covered by now.

use crate::artifact::{Acceptance, Condition, Gia, StateId};
use crate::program::EdgeId;
use crate::reducer::Covered;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A set of states of the automaton, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SetId(u32);

impl SetId {
    /// No run is left: nothing that follows is covered.
    pub const NONE: SetId = SetId(0);
}

/// Where a path is after an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Next {
    /// Some run has accepted: the path and all that continue it are covered.
    Done,
    At(SetId),
}

/// A GIA with one of its accepting sets, made deterministic as far as it is asked.
///
/// A run whose condition or invariant is not known to hold is left out, so that a path is never called covered that is not
/// (`(G, true)` in line 6 of REDUCER, Alg. 1 of the ICSE paper); [`Follower::next_given`] takes conditions for granted.
pub struct Follower {
    gia: Arc<Gia>,
    done: Acceptance,
    /// By state: whether a run can still accept from there, or is one of a candidate.
    useful: Vec<bool>,
    sets: Vec<Arc<[StateId]>>,
    index: FxHashMap<Arc<[StateId]>, SetId>,
    steps: FxHashMap<(SetId, EdgeId), Next>,
}

impl Follower {
    pub fn new(gia: Arc<Gia>, done: Covered) -> Self {
        let done = match done {
            Covered::Ut => Acceptance::Ut,
            Covered::Rt => Acceptance::Rt,
        };
        let useful = useful_states(&gia, done);
        let empty: Arc<[StateId]> = Arc::from([]);
        let index = FxHashMap::from_iter([(Arc::clone(&empty), SetId::NONE)]);
        Follower { gia, done, useful, sets: vec![empty], index, steps: FxHashMap::default() }
    }

    pub fn gia(&self) -> &Gia {
        &self.gia
    }

    /// Before the first edge.
    pub fn start(&mut self) -> Next {
        self.arrive(vec![self.gia.initial()])
    }

    /// After an edge, by the runs whose conditions are `true`.
    pub fn next(&mut self, from: SetId, edge: EdgeId) -> Next {
        if from == SetId::NONE {
            return Next::At(SetId::NONE);
        }
        if let Some(&known) = self.steps.get(&(from, edge)) {
            return known;
        }
        let next = self.next_given(from, edge, &[]);
        self.steps.insert((from, edge), next);
        next
    }

    /// After an edge behind which these conditions hold.
    pub fn next_given(&mut self, from: SetId, edge: EdgeId, given: &[Condition]) -> Next {
        let holds = |condition: &Condition| given.contains(condition);
        let states = self.gia.step(&self.sets[from.0 as usize], edge, &mut |condition| holds(condition));
        self.arrive(states)
    }

    /// The conditions and invariants behind an edge that decide on which runs go on, in order of their appearance.
    pub fn conditions(&self, from: SetId, edge: EdgeId) -> Vec<Condition> {
        let mut found: Vec<Condition> = Vec::new();
        for &state in self.sets[from.0 as usize].iter() {
            for transition in self.gia.leaving(state).iter().filter(|transition| transition.edges.contains(edge)) {
                if !self.useful[transition.target.index()] {
                    continue;
                }
                for condition in [&transition.condition, &self.gia.state(transition.target).invariant] {
                    if !condition.is_true() && !found.contains(condition) {
                        found.push(condition.clone());
                    }
                }
            }
        }
        found
    }

    /// Whether a run is in a candidate's state.
    pub fn is_candidate(&self, set: SetId) -> bool {
        self.sets[set.0 as usize].iter().any(|&state| self.gia.acceptance(state) == Acceptance::Cand)
    }

    fn arrive(&mut self, mut states: Vec<StateId>) -> Next {
        if states.iter().any(|&state| self.gia.acceptance(state) == self.done) {
            return Next::Done;
        }
        states.retain(|state| self.useful[state.index()]);
        if let Some(&known) = self.index.get(states.as_slice()) {
            return Next::At(known);
        }
        let set = SetId(self.sets.len() as u32);
        let states: Arc<[StateId]> = states.into();
        self.index.insert(Arc::clone(&states), set);
        self.sets.push(states);
        Next::At(set)
    }
}

/// States from which the accepting set or a candidate can be reached, whatever the conditions are.
fn useful_states(gia: &Gia, done: Acceptance) -> Vec<bool> {
    let mut entering: Vec<Vec<StateId>> = vec![Vec::new(); gia.states().len()];
    for transition in gia.transitions() {
        entering[transition.target.index()].push(transition.source);
    }
    let wanted = |state: &StateId| [done, Acceptance::Cand].contains(&gia.acceptance(*state));
    let mut work: Vec<StateId> = gia.state_ids().filter(wanted).collect();
    let mut useful = vec![false; gia.states().len()];
    while let Some(state) = work.pop() {
        if !std::mem::replace(&mut useful[state.index()], true) {
            work.extend(&entering[state.index()]);
        }
    }
    useful
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifact::GiaBuilder;

    #[test]
    fn runs_are_followed_together_and_unknown_conditions_end_them() {
        let mut builder = GiaBuilder::new();
        let start = builder.state("start", Acceptance::None);
        let left = builder.state("left", Acceptance::None);
        let right = builder.state_with_invariant("right", Condition::global("x"), Acceptance::None);
        let useless = builder.state("useless", Acceptance::None);
        let done = builder.sink("done", Acceptance::Ut);
        for target in [left, right, useless] {
            builder.transition(start, EdgeId(0), Condition::always(), target);
        }
        builder.transition(left, EdgeId(1), Condition::always(), done);
        builder.transition(right, EdgeId(2), Condition::always(), done);
        let gia = Arc::new(builder.build(start).unwrap());
        let mut follower = Follower::new(Arc::clone(&gia), Covered::Ut);
        let Next::At(start) = follower.start() else { panic!("nothing is done yet") };
        let Next::At(plain) = follower.next(start, EdgeId(0)) else { panic!() };
        assert_eq!(follower.next(plain, EdgeId(1)), Next::Done);
        assert_eq!(follower.next(plain, EdgeId(2)), Next::At(SetId::NONE));
        let x = Condition::global("x");
        assert_eq!(follower.conditions(start, EdgeId(0)), [x.clone()]);
        let Next::At(given) = follower.next_given(start, EdgeId(0), &[x]) else { panic!() };
        assert_eq!(follower.next(given, EdgeId(2)), Next::Done);
        assert_eq!(follower.next(SetId::NONE, EdgeId(1)), Next::At(SetId::NONE));
        assert_eq!(Follower::new(Arc::new(Gia::all_ut()), Covered::Ut).start(), Next::Done);
        assert_eq!(Follower::new(gia, Covered::Rt).start(), Next::At(SetId::NONE));
    }
}
