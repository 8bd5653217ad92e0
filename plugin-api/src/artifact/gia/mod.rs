//! The generalized information exchange automaton (GIA), Def. 2 of the GIA paper: what all actors exchange.
//! A [`Gia`] is well-formed by construction: [`GiaBuilder`] and the loaders check the parts first.
//!
//! Code that makes a GIA of an abstract reachability graph must respect three rules; breaking each of them has made
//! proofs wrong elsewhere:
//! - A node that another one covers goes on at its coverer: its paths are explored only if the coverer's are.
//! - A node that a limit dropped is a frontier node: its paths are open, never `ut`.
//! - An invariant on a `ut` path restricts what was proven to where the invariant holds, since a path on which it does
//!   not hold has no run through that state.

mod build;
mod combine;
mod coverage;
mod edge_set;

pub use build::{GiaBuilder, GiaError, GiaPart};
pub use combine::Inconsistent;
pub use coverage::AcceptanceSet;
pub use edge_set::EdgeSet;

use super::Condition;
use crate::program::{EdgeId, Program};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A state of one automaton: an index into its states.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StateId(pub u32);

impl StateId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for StateId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "q{}", self.0)
    }
}

/// Which of the three accepting sets a state is in. They are disjoint, so there is at most one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Acceptance {
    #[default]
    None,
    /// Unreachable target: paths to here are infeasible or reach no target.
    Ut,
    /// Reachable target: paths to here are feasible and reach a target.
    Rt,
    /// Candidate: paths to here may reach a target, and are worth a look.
    Cand,
}

impl Acceptance {
    pub fn name(self) -> &'static str {
        match self {
            Acceptance::None => "none",
            Acceptance::Ut => "ut",
            Acceptance::Rt => "rt",
            Acceptance::Cand => "cand",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct State {
    /// Unique in the automaton.
    #[serde(deserialize_with = "name_in_one_piece")]
    pub name: Arc<str>,
    /// A path is in this state only where this holds.
    pub invariant: Condition,
    pub acceptance: Acceptance,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Transition {
    pub source: StateId,
    pub edges: EdgeSet,
    /// Must hold after the edge was passed.
    pub condition: Condition,
    pub target: StateId,
}

/// Reads a name with one allocation; serde's default takes three.
fn name_in_one_piece<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<str>, D::Error> {
    #[derive(Deserialize)]
    struct Borrowed<'a>(#[serde(borrow)] Cow<'a, str>);
    Ok(Borrowed::deserialize(deserializer)?.0.into())
}

/// A generalized information exchange automaton (Def. 2): Q, δ, q0 and the three accepting sets.
///
/// Always well-formed:
/// 1. no transition leads from a `ut` state to a state that is not `ut`,
/// 2. no transition leads from an `rt` state to a state that is not `rt`,
/// 3. each `cand` state has a transition to itself for `*`, with condition `true`,
///
/// and the invariant of the initial state is `true`. In Def. 2 states are pairs of a name and an invariant; here names
/// alone are unique, so that files and messages can refer to states by name.
///
/// Transitions are a set: sorted by source, then by what they say, without duplicates. Two automata with the same
/// states in the same order are equal if their transitions are, in whatever order those were added.
///
/// It never changes, and all parts of a process share it: a clone costs one pointer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "Parts")]
pub struct Gia(Arc<Automaton>);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Automaton {
    states: Vec<State>,
    initial: StateId,
    transitions: Vec<Transition>,
    /// Where the transitions of each state begin, and at the end their number.
    first: Vec<u32>,
}

/// A GIA on its way in: not checked yet.
#[derive(Deserialize)]
struct Parts {
    states: Vec<State>,
    initial: StateId,
    transitions: Vec<Transition>,
}

impl TryFrom<Parts> for Gia {
    type Error = GiaError;

    fn try_from(parts: Parts) -> Result<Self, GiaError> {
        build::check_and_index(parts.states, parts.initial, parts.transitions)
    }
}

impl Serialize for Gia {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct PartsRef<'a> {
            states: &'a [State],
            initial: StateId,
            transitions: &'a [Transition],
        }
        PartsRef { states: &self.0.states, initial: self.0.initial, transitions: &self.0.transitions }
            .serialize(serializer)
    }
}

impl Gia {
    /// Every path is a candidate: the start of a cooperation.
    ///
    /// For this automaton reducers keep the whole program, as they do for [`Gia::silent`], but here all paths are also
    /// asked for.
    pub fn nothing_known() -> Self {
        Self::one_state("open", Acceptance::Cand)
    }

    /// No path is covered: the empty GIA of the paper, which knows nothing and asks for nothing.
    pub fn silent() -> Self {
        Self::one_state("silent", Acceptance::None)
    }

    /// No path reaches a target: the result of a complete proof.
    pub fn all_ut() -> Self {
        Self::one_state("verified", Acceptance::Ut)
    }

    /// One state that every path stays in; well-formed for every acceptance.
    fn one_state(name: &str, acceptance: Acceptance) -> Self {
        let only = StateId(0);
        Gia(Arc::new(Automaton {
            states: vec![State { name: name.into(), invariant: Condition::always(), acceptance }],
            initial: only,
            transitions: vec![Transition {
                source: only,
                edges: EdgeSet::any(),
                condition: Condition::always(),
                target: only,
            }],
            first: vec![0, 1],
        }))
    }

    pub fn initial(&self) -> StateId {
        self.0.initial
    }

    pub fn states(&self) -> &[State] {
        &self.0.states
    }

    pub fn state_ids(&self) -> impl ExactSizeIterator<Item = StateId> + use<> {
        (0..self.0.states.len() as u32).map(StateId)
    }

    pub fn state(&self, id: StateId) -> &State {
        &self.0.states[id.index()]
    }

    pub fn acceptance(&self, id: StateId) -> Acceptance {
        self.0.states[id.index()].acceptance
    }

    /// Looks at every state; keep a map of your own for many look-ups.
    pub fn state_named(&self, name: &str) -> Option<StateId> {
        self.0.states.iter().position(|state| &*state.name == name).map(|index| StateId(index as u32))
    }

    /// All transitions, by source.
    pub fn transitions(&self) -> &[Transition] {
        &self.0.transitions
    }

    /// The transitions that leave a state.
    pub fn leaving(&self, source: StateId) -> &[Transition] {
        &self.0.transitions[self.leaving_range(source)]
    }

    fn leaving_range(&self, source: StateId) -> Range<usize> {
        self.0.first[source.index()] as usize..self.0.first[source.index() + 1] as usize
    }

    /// Whether some state is in this accepting set, that is, whether F_X is not empty.
    pub fn has(&self, acceptance: Acceptance) -> bool {
        self.0.states.iter().any(|state| state.acceptance == acceptance)
    }

    /// An edge that some transition names and that the program does not have: the GIA was made for another program.
    pub fn foreign_edge(&self, program: &Program) -> Option<EdgeId> {
        let all = self.0.transitions.iter().filter_map(|transition| transition.edges.edges());
        all.filter_map(|edges| edges.last().copied()).find(|edge| edge.index() >= program.edges.len())
    }

    /// By state: whether a state with such an acceptance can be reached from it, whatever the conditions are.
    pub fn leading_to(&self, wanted: impl Fn(Acceptance) -> bool) -> Vec<bool> {
        let mut entering: Vec<Vec<StateId>> = vec![Vec::new(); self.0.states.len()];
        for transition in &self.0.transitions {
            entering[transition.target.index()].push(transition.source);
        }
        let mut found = vec![false; self.0.states.len()];
        let mut work: Vec<StateId> = self.state_ids().filter(|&id| wanted(self.acceptance(id))).collect();
        while let Some(state) = work.pop() {
            if !std::mem::replace(&mut found[state.index()], true) {
                work.extend(&entering[state.index()]);
            }
        }
        found
    }

    /// The same paths without the states that lead to no accepting state.
    pub fn without_dead_ends(&self) -> Gia {
        let mut useful = self.leading_to(|acceptance| acceptance != Acceptance::None);
        useful[self.0.initial.index()] = true;
        if useful.iter().all(|useful| *useful) {
            return self.clone();
        }
        let mut builder = GiaBuilder::new();
        let mut renamed: Vec<Option<StateId>> = Vec::with_capacity(self.0.states.len());
        for (state, useful) in self.0.states.iter().zip(useful) {
            let State { name, invariant, acceptance } = state.clone();
            renamed.push(useful.then(|| builder.state_with_invariant(name, invariant, acceptance)));
        }
        for t in &self.0.transitions {
            if let (Some(source), Some(target)) = (renamed[t.source.index()], renamed[t.target.index()]) {
                builder.transition(source, t.edges.clone(), t.condition.clone(), target);
            }
        }
        let initial = renamed[self.0.initial.index()].unwrap_or(StateId(0));
        builder.build(initial).unwrap_or_else(|_| self.clone())
    }
}
