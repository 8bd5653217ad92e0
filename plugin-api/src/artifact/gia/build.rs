//! Makes GIAs and checks Def. 2's rules. Each refusal names the state or transition, the rule, and the remedy.

use super::{Acceptance, Automaton, Condition, EdgeSet, Gia, State, StateId, Transition};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use thiserror::Error;

/// Why an automaton is not a GIA.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GiaError {
    #[error("the automaton has no states; give it at least the initial one")]
    NoStates,
    #[error("state number {state} has a blank name; give each state a name of its own")]
    BlankName { state: usize },
    #[error("two states are named `{name}`; give each state a name of its own")]
    DuplicateName { name: String, state: usize },
    #[error("the initial state is number {state}, but there are only {count}; use the id of a state of this automaton")]
    UnknownInitial { state: u32, count: usize },
    #[error(
        "transition number {transition} names state number {state}, but there are only {count}; \
         use the ids of this automaton's states"
    )]
    UnknownState { transition: usize, state: u32, count: usize },
    #[error("the invariant of state `{name}` is blank; write `true` where nothing is required")]
    BlankInvariant { name: String, state: usize },
    #[error("the condition of a transition from `{from}` to `{to}` is blank; write `true` where nothing is required")]
    BlankCondition { from: String, to: String, transition: usize },
    /// Def. 2 has (q0, true).
    #[error(
        "the initial state `{name}` has the invariant `{invariant}`, but its invariant must be `true` (Def. 2); \
         put the requirement on the transitions that leave it"
    )]
    InitialInvariant { name: String, invariant: String, state: usize },
    /// Rule 1.
    #[error(
        "a transition leads from the ut state `{from}` to `{to}`, which is {to_acceptance}, but ut states lead only to \
         ut states (rule 1 of Def. 2); remove the transition, or do not mark `{from}` as ut"
    )]
    LeavesUt { from: String, to: String, to_acceptance: &'static str, transition: usize },
    /// Rule 2.
    #[error(
        "a transition leads from the rt state `{from}` to `{to}`, which is {to_acceptance}, but rt states lead only to \
         rt states (rule 2 of Def. 2); remove the transition, or do not mark `{from}` as rt"
    )]
    LeavesRt { from: String, to: String, to_acceptance: &'static str, transition: usize },
    /// Rule 3.
    #[error(
        "the cand state `{name}` has no transition to itself for `*` with condition `true` (rule 3 of Def. 2); \
         add it"
    )]
    CandWithoutLoop { name: String, state: usize },
}

/// Which part of an automaton an error is about; numbers count in the order in which the parts were added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GiaPart {
    Whole,
    State(usize),
    Transition(usize),
}

impl GiaError {
    pub fn part(&self) -> GiaPart {
        use GiaError::*;
        match *self {
            NoStates | UnknownInitial { .. } => GiaPart::Whole,
            BlankName { state }
            | DuplicateName { state, .. }
            | BlankInvariant { state, .. }
            | InitialInvariant { state, .. }
            | CandWithoutLoop { state, .. } => GiaPart::State(state),
            UnknownState { transition, .. }
            | BlankCondition { transition, .. }
            | LeavesUt { transition, .. }
            | LeavesRt { transition, .. } => GiaPart::Transition(transition),
        }
    }
}

/// Collects states and transitions; [`GiaBuilder::build`] checks them.
#[derive(Clone, Debug, Default)]
pub struct GiaBuilder {
    states: Vec<State>,
    transitions: Vec<Transition>,
}

impl GiaBuilder {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a state with the invariant `true`.
    pub fn state(&mut self, name: impl Into<Arc<str>>, acceptance: Acceptance) -> StateId {
        self.state_with_invariant(name, Condition::always(), acceptance)
    }

    pub fn state_with_invariant(
        &mut self,
        name: impl Into<Arc<str>>,
        invariant: Condition,
        acceptance: Acceptance,
    ) -> StateId {
        let id = StateId(self.states.len() as u32);
        self.states.push(State { name: name.into(), invariant, acceptance });
        id
    }

    /// Adds a state that every path stays in once it is there. This is the form that rule 3 wants of `cand` states.
    pub fn sink(&mut self, name: impl Into<Arc<str>>, acceptance: Acceptance) -> StateId {
        let id = self.state(name, acceptance);
        self.transition(id, EdgeSet::any(), Condition::always(), id);
        id
    }

    pub fn transition(
        &mut self,
        source: StateId,
        edges: impl Into<EdgeSet>,
        condition: Condition,
        target: StateId,
    ) -> &mut Self {
        self.transitions.push(Transition { source, edges: edges.into(), condition, target });
        self
    }

    /// How many states there are so far.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    pub fn build(self, initial: StateId) -> Result<Gia, GiaError> {
        check_and_index(self.states, initial, self.transitions)
    }
}

/// The only place where a [`Gia`] comes from parts that may be wrong.
pub(super) fn check_and_index(
    states: Vec<State>,
    initial: StateId,
    mut transitions: Vec<Transition>,
) -> Result<Gia, GiaError> {
    check_states(&states, initial)?;
    check_transitions(&states, &transitions)?;
    transitions.sort_unstable();
    transitions.dedup();
    let mut first = Vec::with_capacity(states.len() + 1);
    let mut next = 0;
    for state in 0..=states.len() {
        while next < transitions.len() && transitions[next].source.index() < state {
            next += 1;
        }
        first.push(next as u32);
    }
    let gia = Gia(Arc::new(Automaton { states, initial, transitions, first }));
    check_candidates(&gia)?;
    Ok(gia)
}

fn check_states(states: &[State], initial: StateId) -> Result<(), GiaError> {
    if states.is_empty() {
        return Err(GiaError::NoStates);
    }
    let mut names = FxHashSet::with_capacity_and_hasher(states.len(), Default::default());
    for (index, state) in states.iter().enumerate() {
        let name = || state.name.to_string();
        if state.name.trim().is_empty() {
            return Err(GiaError::BlankName { state: index });
        }
        if !names.insert(&*state.name) {
            return Err(GiaError::DuplicateName { name: name(), state: index });
        }
        if state.invariant.is_blank() {
            return Err(GiaError::BlankInvariant { name: name(), state: index });
        }
    }
    let Some(start) = states.get(initial.index()) else {
        return Err(GiaError::UnknownInitial { state: initial.0, count: states.len() });
    };
    if !start.invariant.is_true() {
        let (name, invariant) = (start.name.to_string(), start.invariant.to_string());
        return Err(GiaError::InitialInvariant { name, invariant, state: initial.index() });
    }
    Ok(())
}

/// Ids and rules 1 and 2.
fn check_transitions(states: &[State], transitions: &[Transition]) -> Result<(), GiaError> {
    for (index, transition) in transitions.iter().enumerate() {
        let look_up = |id: StateId| {
            let unknown = || GiaError::UnknownState { transition: index, state: id.0, count: states.len() };
            states.get(id.index()).ok_or_else(unknown)
        };
        let (source, target) = (look_up(transition.source)?, look_up(transition.target)?);
        let names = || (source.name.to_string(), target.name.to_string());
        if transition.condition.is_blank() {
            let (from, to) = names();
            return Err(GiaError::BlankCondition { from, to, transition: index });
        }
        if source.acceptance == target.acceptance {
            continue;
        }
        let to_acceptance = describe(target.acceptance);
        match source.acceptance {
            Acceptance::Ut => {
                let (from, to) = names();
                return Err(GiaError::LeavesUt { from, to, to_acceptance, transition: index });
            }
            Acceptance::Rt => {
                let (from, to) = names();
                return Err(GiaError::LeavesRt { from, to, to_acceptance, transition: index });
            }
            Acceptance::None | Acceptance::Cand => {}
        }
    }
    Ok(())
}

fn describe(acceptance: Acceptance) -> &'static str {
    if acceptance == Acceptance::None { "not accepting" } else { acceptance.name() }
}

/// Rule 3.
fn check_candidates(gia: &Gia) -> Result<(), GiaError> {
    for id in gia.state_ids().filter(|&id| gia.acceptance(id) == Acceptance::Cand) {
        let loops = gia.leaving(id).iter().any(|t| t.target == id && t.edges.is_any() && t.condition.is_true());
        if !loops {
            return Err(GiaError::CandWithoutLoop { name: gia.state(id).name.to_string(), state: id.index() });
        }
    }
    Ok(())
}
