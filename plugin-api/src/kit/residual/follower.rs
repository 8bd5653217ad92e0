//! Follows all runs of a GIA along a path at once: the automaton made deterministic, one set of states at a time.
//! Code that cuts covered paths (reducers, the guard analysis) asks here whether a path is covered by now.

use crate::artifact::{Acceptance, Condition, Gia, StateId};
use crate::program::EdgeId;
use crate::reducer::Covered;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A set of states of the automaton, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SetId(u32);

impl SetId {
    /// No run is left: none of the paths that follow is covered.
    pub const NONE: SetId = SetId(0);
    /// Nothing is known of the runs: none of the paths that follow is covered, and each of them may be a candidate's.
    pub const ANY: SetId = SetId(1);
}

/// Where a path is after an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Next {
    /// Some run has accepted: the path and all that continue it are covered.
    Done,
    At(SetId),
}

/// A run as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Run {
    state: StateId,
    /// All its conditions are known to hold; if false, some are not.
    certain: bool,
}

/// A GIA with one of its accepting sets, made deterministic as far as it is asked.
///
/// A run accepts nothing while a condition or invariant on its way is not known to hold, so that no path is wrongly
/// called covered (`(G, true)` in line 6 of REDUCER, Alg. 1 of the ICSE paper); [`Follower::next_given`] takes given
/// conditions as true. Where there are candidates such runs are followed nevertheless: a path that may be a candidate's
/// must not be lost.
pub struct Follower {
    gia: Arc<Gia>,
    done: Acceptance,
    /// By state: whether a run can still accept from there.
    accepts: Vec<bool>,
    /// By state: whether a run can still come to a candidate.
    asks: Vec<bool>,
    has_candidates: bool,
    sets: Vec<Arc<[Run]>>,
    index: FxHashMap<Arc<[Run]>, SetId>,
    steps: FxHashMap<(SetId, EdgeId), Next>,
}

impl Follower {
    pub fn new(gia: Arc<Gia>, done: Covered) -> Self {
        let done = match done {
            Covered::Ut => Acceptance::Ut,
            Covered::Rt => Acceptance::Rt,
        };
        let accepts = gia.leading_to(|found| found == done);
        let asks = gia.leading_to(|found| found == Acceptance::Cand);
        // A candidate state that no transition reaches is ignored.
        let has_candidates = asks[gia.initial().index()];
        let empty: Arc<[Run]> = Arc::from([]);
        let index = FxHashMap::from_iter([(Arc::clone(&empty), SetId::NONE)]);
        let sets = vec![Arc::clone(&empty), empty];
        Follower { gia, done, accepts, asks, has_candidates, sets, index, steps: FxHashMap::default() }
    }

    pub fn gia(&self) -> &Gia {
        &self.gia
    }

    /// Before the first edge.
    pub fn start(&mut self) -> Next {
        self.arrive(vec![Run { state: self.gia.initial(), certain: true }])
    }

    /// The set that stands for every set.
    pub fn anything(&self) -> SetId {
        if self.has_candidates { SetId::ANY } else { SetId::NONE }
    }

    /// Whether only paths of candidates are to be kept.
    pub fn has_candidates(&self) -> bool {
        self.has_candidates
    }

    /// After an edge, by the runs whose conditions are `true`.
    pub fn next(&mut self, from: SetId, edge: EdgeId) -> Next {
        if [SetId::NONE, SetId::ANY].contains(&from) {
            return Next::At(from);
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
        if [SetId::NONE, SetId::ANY].contains(&from) {
            return Next::At(from);
        }
        let holds = |condition: &Condition| condition.is_true() || given.contains(condition);
        let mut runs: Vec<Run> = Vec::new();
        for run in self.sets[from.0 as usize].iter() {
            for t in self.gia.leaving(run.state).iter().filter(|t| t.edges.contains(edge)) {
                let passes = holds(&t.condition) && holds(&self.gia.state(t.target).invariant);
                runs.push(Run { state: t.target, certain: run.certain && passes });
            }
        }
        self.arrive(runs)
    }

    /// The conditions and invariants behind an edge that decide on which runs go on, in order of their appearance.
    pub fn conditions(&self, from: SetId, edge: EdgeId) -> Vec<Condition> {
        let mut found: Vec<Condition> = Vec::new();
        for run in self.sets[from.0 as usize].iter().filter(|run| run.certain) {
            for transition in self.gia.leaving(run.state).iter().filter(|transition| transition.edges.contains(edge)) {
                if !self.accepts[transition.target.index()] {
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

    /// Whether all runs of `smaller` are runs of `greater`.
    pub fn is_subset(&self, smaller: SetId, greater: SetId) -> bool {
        let [smaller, greater] = [smaller, greater].map(|set| &self.sets[set.0 as usize]);
        smaller.iter().all(|run| greater.contains(run))
    }

    /// The names of the states.
    pub fn describe(&self, set: SetId) -> String {
        let names: Vec<&str> = self.sets[set.0 as usize].iter().map(|run| &*self.gia.state(run.state).name).collect();
        names.join(", ")
    }

    /// Whether a run may be in a candidate's state.
    pub fn is_candidate(&self, set: SetId) -> bool {
        let asks = |run: &Run| self.gia.acceptance(run.state) == Acceptance::Cand;
        set == SetId::ANY || self.sets[set.0 as usize].iter().any(asks)
    }

    fn arrive(&mut self, mut runs: Vec<Run>) -> Next {
        if runs.iter().any(|run| run.certain && self.gia.acceptance(run.state) == self.done) {
            return Next::Done;
        }
        runs.retain(|run| self.asks[run.state.index()] || (run.certain && self.accepts[run.state.index()]));
        // Of two runs in one state, the certain one is enough.
        runs.sort_unstable_by_key(|run| (run.state, !run.certain));
        runs.dedup_by_key(|run| run.state);
        if let Some(&known) = self.index.get(runs.as_slice()) {
            return Next::At(known);
        }
        let set = SetId(self.sets.len() as u32);
        let runs: Arc<[Run]> = runs.into();
        self.index.insert(Arc::clone(&runs), set);
        self.sets.push(runs);
        Next::At(set)
    }
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
        assert_eq!(follower.conditions(start, EdgeId(0)), std::slice::from_ref(&x));
        let Next::At(given) = follower.next_given(start, EdgeId(0), &[x]) else { panic!() };
        assert_eq!(follower.next(given, EdgeId(2)), Next::Done);
        assert_eq!(follower.next(SetId::NONE, EdgeId(1)), Next::At(SetId::NONE));
        assert_eq!(Follower::new(Arc::new(Gia::all_ut()), Covered::Ut).start(), Next::Done);
        assert_eq!(Follower::new(gia, Covered::Rt).start(), Next::At(SetId::NONE));
    }
}
