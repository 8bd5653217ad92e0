//! The combiner (Def. 7 of the GIA paper): makes one automaton that holds the knowledge of two.
//!
//! Written after Algorithms 2 and 4, with corrections where these lose or invent paths:
//! - Alg. 4 pairs two transitions only if their conditions are equal, or ignores one of them (lines 9 and 13). Here a
//!   pair takes the stronger condition, and the automaton with the weaker condition also goes on alone. So no run is ever
//!   lost, and no path is covered that neither automaton covers (Theorem 2).
//! - Alg. 2 stops at a state that one automaton accepts as ut, so that a contradiction further on goes unnoticed. Here the other is
//!   followed on, and the path that both claim is named.
//! - An automaton without candidates has no opinion on candidates, and does not remove those of the other (line 24
//!   would).

use super::{Acceptance, Condition, EdgeSet, Gia, GiaBuilder, StateId, Transition};
use crate::program::EdgeId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::sync::Arc;
use thiserror::Error;

/// Two automata contradict each other: one says of a path that it reaches no target, the other that it does.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("one automaton says that a path of {} edges reaches no target, the other says that it does", path.len())]
pub struct Inconsistent {
    /// An edge of each step; `None` where a step matches any edge.
    pub path: Vec<Option<EdgeId>>,
}

/// Where one of the two automata is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Side {
    At(StateId),
    /// It has no transition for the path: the ∘ of Alg. 2.
    Gone,
    /// It goes on alone under another condition: the • of Alg. 2.
    Apart,
}

type Pair = (Side, Side);
/// The last step of a way that a path can take whatever the conditions are: an index into [`Combination::steps`].
type Way = u32;

impl Gia {
    /// An automaton whose ut paths are those of both together, and whose rt paths likewise. It keeps a candidate if
    /// both have it, or if one has it and the other has no opinion on candidates, as long as the candidate's paths are
    /// not covered as ut or rt.
    pub fn combine(&self, other: &Gia) -> Result<Gia, Inconsistent> {
        let nothing = Gia::nothing_known();
        if *self == nothing {
            return Ok(other.clone());
        }
        if *other == nothing {
            return Ok(self.clone());
        }
        Combination::new(self, other).run()
    }

    /// The automaton without its candidates. Without rt states, such an automaton is a condition.
    pub fn without_candidates(&self) -> Gia {
        self.with_acceptance(|acceptance| if acceptance == Acceptance::Cand { Acceptance::None } else { acceptance })
    }

    /// The automaton without its claims that paths reach no target, for use where these rest on an unsound step.
    pub fn without_proofs(&self) -> Gia {
        self.with_acceptance(|acceptance| if acceptance == Acceptance::Ut { Acceptance::None } else { acceptance })
    }

    /// Replaces the acceptance of states, by the same or by `None`, which breaks none of the rules.
    fn with_acceptance(&self, new: impl Fn(Acceptance) -> Acceptance) -> Gia {
        let mut gia = self.clone();
        if self.states().iter().any(|state| new(state.acceptance) != state.acceptance) {
            let states = &mut Arc::make_mut(&mut gia.0).states;
            states.iter_mut().for_each(|state| state.acceptance = new(state.acceptance));
        }
        gia
    }
}

/// The acceptance that each state of one automaton can still reach.
struct Prospects {
    settles: Arc<[bool]>,
    ut: Arc<[bool]>,
    rt: Arc<[bool]>,
    has_candidates: bool,
}

impl Prospects {
    fn of(gia: &Gia) -> Self {
        let leading_to = |wanted: Acceptance| Arc::<[bool]>::from(gia.leading_to(|found| found == wanted));
        let (ut, rt) = (leading_to(Acceptance::Ut), leading_to(Acceptance::Rt));
        let settles = ut.iter().zip(rt.iter()).map(|(ut, rt)| *ut || *rt).collect();
        Prospects { settles, ut, rt, has_candidates: gia.has(Acceptance::Cand) }
    }
}

struct Combination<'a> {
    gias: [&'a Gia; 2],
    prospects: [Prospects; 2],
    builder: GiaBuilder,
    names: FxHashSet<Arc<str>>,
    states: FxHashMap<(Pair, Condition), StateId>,
    /// For pairs that some path reaches whatever the conditions are: the last step of such a path.
    certain: FxHashMap<(Pair, Condition), Way>,
    /// Ways, each as one step after another way; the first is the empty one.
    steps: Vec<(Way, Option<EdgeId>)>,
    work: VecDeque<(Pair, Condition)>,
    expanded: FxHashMap<(Pair, Condition), bool>,
}

impl<'a> Combination<'a> {
    fn new(first: &'a Gia, second: &'a Gia) -> Self {
        Combination {
            gias: [first, second],
            prospects: [Prospects::of(first), Prospects::of(second)],
            builder: GiaBuilder::new(),
            names: FxHashSet::default(),
            states: FxHashMap::default(),
            certain: FxHashMap::default(),
            steps: vec![(0, None)],
            work: VecDeque::new(),
            expanded: FxHashMap::default(),
        }
    }

    fn run(mut self) -> Result<Gia, Inconsistent> {
        let start = (Side::At(self.gias[0].initial()), Side::At(self.gias[1].initial()));
        let initial = self.reach(start, Condition::always(), None, Some(0))?;
        while let Some(key) = self.work.pop_front() {
            let certain = self.certain.contains_key(&key);
            if self.expanded.get(&key).is_some_and(|before| *before || !certain) {
                continue;
            }
            self.expanded.insert(key.clone(), certain);
            self.expand(&key)?;
        }
        let gia = self.builder.build(initial);
        // Rules 1 to 3 hold by construction. Should they not hold, an automaton that knows nothing is never wrong.
        Ok(gia.map_or_else(|_| Gia::silent(), |gia| gia.without_dead_ends()))
    }

    /// The state for a pair; `way` is how it is reached, where that holds whatever the conditions are.
    fn reach(
        &mut self,
        pair: Pair,
        invariant: Condition,
        from: Option<(StateId, EdgeSet, Condition)>,
        way: Option<Way>,
    ) -> Result<StateId, Inconsistent> {
        let key = (pair, invariant);
        let accepted = self.acceptances(pair);
        if accepted.contains(&Acceptance::Ut)
            && accepted.contains(&Acceptance::Rt)
            && let Some(way) = way
        {
            return Err(Inconsistent { path: self.path(way) });
        }
        let is_new = !self.states.contains_key(&key);
        let newly_certain = way.is_some() && !self.certain.contains_key(&key);
        if let Some(way) = way.filter(|_| newly_certain) {
            self.certain.insert(key.clone(), way);
        }
        let state = match self.states.get(&key) {
            Some(&known) => known,
            None => {
                let acceptance = self.acceptance(pair);
                let name = self.name(pair);
                let state = self.builder.state_with_invariant(name, key.1.clone(), acceptance);
                self.states.insert(key.clone(), state);
                state
            }
        };
        if is_new || newly_certain {
            self.work.push_back(key);
        }
        if let Some((source, edges, condition)) = from {
            self.builder.transition(source, edges, condition, state);
        }
        Ok(state)
    }

    fn longer(&mut self, way: Way, edges: &EdgeSet) -> Way {
        self.steps.push((way, edges.edges().and_then(|edges| edges.first().copied())));
        (self.steps.len() - 1) as Way
    }

    fn path(&self, mut way: Way) -> Vec<Option<EdgeId>> {
        let mut path = Vec::new();
        while way != 0 {
            let (before, edge) = self.steps[way as usize];
            path.push(edge);
            way = before;
        }
        path.reverse();
        path
    }

    fn acceptances(&self, pair: Pair) -> [Acceptance; 2] {
        let of = |side: Side, gia: &Gia| match side {
            Side::At(state) => gia.acceptance(state),
            Side::Gone | Side::Apart => Acceptance::None,
        };
        [of(pair.0, self.gias[0]), of(pair.1, self.gias[1])]
    }

    fn acceptance(&self, pair: Pair) -> Acceptance {
        let accepted = self.acceptances(pair);
        for settled in [Acceptance::Rt, Acceptance::Ut] {
            if accepted.contains(&settled) {
                return settled;
            }
        }
        let wanted = |side: Side, at: usize| match side {
            Side::At(_) => accepted[at] == Acceptance::Cand,
            Side::Apart => true,
            Side::Gone => !self.prospects[at].has_candidates,
        };
        let both = wanted(pair.0, 0) && wanted(pair.1, 1);
        if both && accepted.contains(&Acceptance::Cand) { Acceptance::Cand } else { Acceptance::None }
    }

    fn name(&mut self, pair: Pair) -> Arc<str> {
        let part = |side: Side, gia: &Gia| match side {
            Side::At(state) => gia.state(state).name.to_string(),
            Side::Gone => "∘".into(),
            Side::Apart => "•".into(),
        };
        let name = format!("({}, {})", part(pair.0, self.gias[0]), part(pair.1, self.gias[1]));
        let number = self.builder.len();
        let mut name: Arc<str> = if name.len() > 60 { format!("#{number}").into() } else { name.into() };
        while !self.names.insert(Arc::clone(&name)) {
            name = format!("{name} #{number}").into();
        }
        name
    }

    fn expand(&mut self, key: &(Pair, Condition)) -> Result<(), Inconsistent> {
        let source = self.states[key];
        let way = self.certain.get(key).copied();
        let accepted = self.acceptances(key.0);
        let settled = accepted.iter().copied().find(|x| matches!(x, Acceptance::Ut | Acceptance::Rt));
        match (key.0, settled) {
            (pair, Some(settled)) => self.look_for_contradiction(pair, settled, way),
            ((Side::At(first), Side::At(second)), None) => self.together(source, first, second, way),
            ((Side::At(state), rest), None) => self.alone(source, 0, state, rest, way),
            ((rest, Side::At(state)), None) => self.alone(source, 1, state, rest, way),
            _ => Ok(()),
        }
    }

    /// Follows the other automaton behind a settled path, as long as it could contradict. Adds nothing to the result.
    fn look_for_contradiction(
        &mut self,
        pair: Pair,
        settled: Acceptance,
        way: Option<Way>,
    ) -> Result<(), Inconsistent> {
        let Some(way) = way else { return Ok(()) };
        let accepted = self.acceptances(pair);
        let (at, side) = if accepted[0] == settled { (1, pair.1) } else { (0, pair.0) };
        let Side::At(start) = side else { return Ok(()) };
        let opposite = if settled == Acceptance::Ut { Acceptance::Rt } else { Acceptance::Ut };
        let gia = self.gias[at];
        let prospects = &self.prospects[at];
        let leads = Arc::clone(if opposite == Acceptance::Rt { &prospects.rt } else { &prospects.ut });
        let mut seen = FxHashSet::from_iter([start]);
        let mut work = VecDeque::from([(start, way)]);
        while let Some((state, way)) = work.pop_front() {
            if gia.acceptance(state) == opposite {
                return Err(Inconsistent { path: self.path(way) });
            }
            for t in gia.leaving(state) {
                let certain = t.condition.is_true() && gia.state(t.target).invariant.is_true();
                if certain && !is_empty(&t.edges) && leads[t.target.index()] && seen.insert(t.target) {
                    work.push_back((t.target, self.longer(way, &t.edges)));
                }
            }
        }
        Ok(())
    }

    fn alone(
        &mut self,
        source: StateId,
        at: usize,
        state: StateId,
        rest: Side,
        way: Option<Way>,
    ) -> Result<(), Inconsistent> {
        let gia = self.gias[at];
        for t in gia.leaving(state) {
            self.go_alone(source, at, t, &t.edges, rest, way)?;
        }
        Ok(())
    }

    fn go_alone(
        &mut self,
        source: StateId,
        at: usize,
        t: &Transition,
        edges: &EdgeSet,
        rest: Side,
        way: Option<Way>,
    ) -> Result<(), Inconsistent> {
        if is_empty(edges) {
            return Ok(());
        }
        let pair = if at == 0 { (Side::At(t.target), rest) } else { (rest, Side::At(t.target)) };
        let invariant = self.gias[at].state(t.target).invariant.clone();
        let certain = t.condition.is_true() && invariant.is_true();
        let way = way.filter(|_| certain).map(|way| self.longer(way, edges));
        self.reach(pair, invariant, Some((source, edges.clone(), t.condition.clone())), way)?;
        Ok(())
    }

    /// Both are at a state: where their transitions have edges in common, both go along; otherwise each goes alone.
    fn together(
        &mut self,
        source: StateId,
        first: StateId,
        second: StateId,
        way: Option<Way>,
    ) -> Result<(), Inconsistent> {
        let gias = self.gias;
        let (ours, theirs) = (gias[0].leaving(first), gias[1].leaving(second));
        // By transition: edges on which it goes along with another, and edges on which that one goes apart.
        let mut along: [Vec<Vec<EdgeSet>>; 2] = [vec![Vec::new(); ours.len()], vec![Vec::new(); theirs.len()]];
        let mut apart = along.clone();
        for (i, t1) in ours.iter().enumerate() {
            for (j, t2) in theirs.iter().enumerate() {
                let Some(edges) = common(&t1.edges, &t2.edges) else { continue };
                let kept = self.go_together(source, t1, t2, &edges, way)?;
                for (at, index) in [(0, i), (1, j)] {
                    let list = if kept[at] { &mut along[at][index] } else { &mut apart[at][index] };
                    list.push(edges.clone());
                }
            }
        }
        for (at, transitions) in [(0, ours), (1, theirs)] {
            for (index, t) in transitions.iter().enumerate() {
                for edges in std::mem::take(&mut apart[at][index]) {
                    self.go_alone(source, at, t, &edges, Side::Apart, way)?;
                    along[at][index].push(edges);
                }
                if let Some(rest) = without(&t.edges, &along[at][index]) {
                    self.go_alone(source, at, t, &rest, Side::Gone, way)?;
                }
            }
        }
        Ok(())
    }

    /// Pairs two transitions under the stronger condition; returns for each of the two whether the pair replaces it
    /// completely.
    fn go_together(
        &mut self,
        source: StateId,
        t1: &Transition,
        t2: &Transition,
        edges: &EdgeSet,
        way: Option<Way>,
    ) -> Result<[bool; 2], Inconsistent> {
        let targets = [self.gias[0].state(t1.target), self.gias[1].state(t2.target)];
        let condition = stronger(&t1.condition, &t2.condition);
        let invariant = stronger(&targets[0].invariant, &targets[1].invariant);
        let (Some(condition), Some(invariant)) = (condition, invariant) else { return Ok([false; 2]) };
        let pair = (Side::At(t1.target), Side::At(t2.target));
        let accepted = self.acceptances(pair);
        let certain = condition.is_true() && invariant.is_true();
        if accepted.contains(&Acceptance::Ut) && accepted.contains(&Acceptance::Rt) && !(certain && way.is_some()) {
            // A contradiction if the conditions can hold at all: then each side keeps its own claim.
            return Ok([false; 2]);
        }
        let way = way.filter(|_| certain).map(|way| self.longer(way, edges));
        self.reach(pair, invariant.clone(), Some((source, edges.clone(), condition.clone())), way)?;
        let is_all = |at: usize, t: &Transition| {
            let same = condition == t.condition && invariant == self.gias[at].state(t.target).invariant;
            let other = 1 - at;
            // Of two candidates the more precise one is kept (lines 5 and 13 of Alg. 4), if the other has an opinion on them.
            let open = !self.prospects[at].settles[t.target.index()] && self.prospects[other].has_candidates;
            // Without an opinion, the other automaton must not delay a candidate.
            let goes_on = self.acceptance(pair) == accepted[at]
                || accepted[at] != Acceptance::Cand
                || self.prospects[other].has_candidates
                || matches!(accepted[other], Acceptance::Ut | Acceptance::Rt);
            (same || open) && goes_on
        };
        Ok([is_all(0, t1), is_all(1, t2)])
    }
}

/// The condition that implies both: if they are equal that one, if one is `true` the other; otherwise `None`.
fn stronger(first: &Condition, second: &Condition) -> Option<Condition> {
    if second.is_true() || first == second {
        return Some(first.clone());
    }
    first.is_true().then(|| second.clone())
}

/// Edges that both have; `None` if there are no such edges.
fn common(first: &EdgeSet, second: &EdgeSet) -> Option<EdgeSet> {
    let (Some(ours), Some(theirs)) = (first.edges(), second.edges()) else {
        return Some(if first.is_any() { second.clone() } else { first.clone() }).filter(|all| !is_empty(all));
    };
    let (few, many) = if ours.len() <= theirs.len() { (ours, second) } else { (theirs, first) };
    let both: Vec<EdgeId> = few.iter().copied().filter(|edge| many.contains(*edge)).collect();
    (!both.is_empty()).then(|| EdgeSet::of(both))
}

fn is_empty(edges: &EdgeSet) -> bool {
    edges.edges().is_some_and(<[EdgeId]>::is_empty)
}

/// The edges that are in none of `others`; `None` if no edge is left. `*` stays `*` unless one of the others is `*`,
/// since an additional run does no harm.
fn without(edges: &EdgeSet, others: &[EdgeSet]) -> Option<EdgeSet> {
    if others.iter().any(EdgeSet::is_any) {
        return None;
    }
    let Some(list) = edges.edges() else { return Some(EdgeSet::any()) };
    let rest: Vec<EdgeId> = list.iter().copied().filter(|edge| !others.iter().any(|set| set.contains(*edge))).collect();
    (!rest.is_empty()).then(|| EdgeSet::of(rest))
}
