//! Which paths a GIA covers (Def. 3), by following all its runs at once.

use super::{Acceptance, Condition, Gia, StateId};
use crate::program::EdgeId;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The X for which an automaton X-covers a path. Empty for a path that is not covered.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AcceptanceSet(u8);

impl AcceptanceSet {
    const EVERYTHING: AcceptanceSet = AcceptanceSet(0b111);

    pub fn contains(self, acceptance: Acceptance) -> bool {
        self.0 & Self::bit(acceptance) != 0
    }

    /// `Acceptance::None` is in no set.
    pub fn insert(&mut self, acceptance: Acceptance) {
        self.0 |= Self::bit(acceptance);
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn iter(self) -> impl Iterator<Item = Acceptance> {
        [Acceptance::Ut, Acceptance::Rt, Acceptance::Cand].into_iter().filter(move |&x| self.contains(x))
    }

    fn bit(acceptance: Acceptance) -> u8 {
        match acceptance {
            Acceptance::None => 0,
            Acceptance::Ut => 1,
            Acceptance::Rt => 2,
            Acceptance::Cand => 4,
        }
    }
}

impl FromIterator<Acceptance> for AcceptanceSet {
    fn from_iter<I: IntoIterator<Item = Acceptance>>(items: I) -> Self {
        let mut set = AcceptanceSet::default();
        items.into_iter().for_each(|acceptance| set.insert(acceptance));
        set
    }
}

impl fmt::Debug for AcceptanceSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Acceptance::name)).finish()
    }
}

impl Gia {
    /// The X for which this automaton X-covers the path (Def. 3).
    ///
    /// A run may end before the path does: it is enough that it reaches an accepting state. So a path can be covered
    /// in several ways, for example as a candidate first and as `ut` further on.
    ///
    /// `holds(condition, i)` evaluates in the i-th program state of the path: 0 is before the first edge, i is after
    /// the i-th edge. Conditions of transitions are evaluated after their edge. It is never asked about `true`.
    pub fn covers(&self, path: &[EdgeId], holds: &mut dyn FnMut(&Condition, usize) -> bool) -> AcceptanceSet {
        let mut current = vec![self.initial()];
        let mut covered = self.acceptances(&current);
        for (index, &edge) in path.iter().enumerate() {
            if current.is_empty() || covered == AcceptanceSet::EVERYTHING {
                break;
            }
            current = self.step(&current, edge, &mut |condition| holds(condition, index + 1));
            self.acceptances(&current).iter().for_each(|acceptance| covered.insert(acceptance));
        }
        covered
    }

    /// The states in which runs along a path are after `edge`, from those before it; ascending, without duplicates.
    /// `holds` evaluates in the program state after the edge. Begin with [`Gia::initial`].
    pub fn step(&self, from: &[StateId], edge: EdgeId, holds: &mut dyn FnMut(&Condition) -> bool) -> Vec<StateId> {
        let mut next: Vec<StateId> = Vec::new();
        for &source in from {
            for transition in self.leaving(source) {
                if next.contains(&transition.target) || !transition.edges.contains(edge) {
                    continue;
                }
                let mut passes = |condition: &Condition| condition.is_true() || holds(condition);
                if passes(&transition.condition) && passes(&self.state(transition.target).invariant) {
                    next.push(transition.target);
                }
            }
        }
        next.sort_unstable();
        next
    }

    /// The accepting sets that some of these states are in.
    pub fn acceptances(&self, states: &[StateId]) -> AcceptanceSet {
        states.iter().map(|&state| self.acceptance(state)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifact::GiaBuilder;

    fn covered(gia: &Gia, path: &[u32]) -> Vec<Acceptance> {
        let path: Vec<EdgeId> = path.iter().copied().map(EdgeId).collect();
        gia.covers(&path, &mut |condition, step| condition.text() == format!("at {step}")).iter().collect()
    }

    #[test]
    fn simple_automata_cover_as_named() {
        use Acceptance::{Cand, Ut};
        for path in [&[][..], &[0], &[3, 1, 2]] {
            assert_eq!(covered(&Gia::nothing_known(), path), [Cand]);
            assert_eq!(covered(&Gia::all_ut(), path), [Ut]);
            assert_eq!(covered(&Gia::silent(), path), []);
        }
    }

    #[test]
    fn conditions_are_evaluated_after_the_edge_and_runs_may_end_early() {
        let mut builder = GiaBuilder::new();
        let start = builder.state("start", Acceptance::None);
        let checked = builder.state_with_invariant("checked", Condition::global("at 1"), Acceptance::None);
        let late = builder.state_with_invariant("late", Condition::global("at 2"), Acceptance::Rt);
        let open = builder.sink("open", Acceptance::Cand);
        let done = builder.state("done", Acceptance::Ut);
        builder.transition(start, EdgeId(0), Condition::global("at 1"), checked);
        builder.transition(start, EdgeId(1), Condition::global("at 0"), done);
        builder.transition(checked, EdgeId(1), Condition::always(), late);
        builder.transition(start, EdgeId(2), Condition::always(), open);
        builder.transition(open, EdgeId(3), Condition::always(), done);
        let gia = builder.build(start).unwrap();
        assert_eq!(covered(&gia, &[0]), []);
        assert_eq!(covered(&gia, &[0, 1]), [Acceptance::Rt]);
        // `late` has no way on, but Def. 3 lets a run end before the path does.
        assert_eq!(covered(&gia, &[0, 1, 9, 9]), [Acceptance::Rt]);
        assert_eq!(covered(&gia, &[1]), []);
        assert_eq!(covered(&gia, &[2, 3]), [Acceptance::Ut, Acceptance::Cand]);
    }
}
