//! Makes GIAs and checks Def. 2's rules. Each refusal names the state or transition, the rule, and the remedy.

use super::{Acceptance, Condition, EdgeSet, Gia, State, StateId, Transition};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use thiserror::Error;

/// Why an automaton is not a GIA.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GiaError {
    #[error("the automaton has no states; give it at least the initial one")]
    NoStates,
    #[error("a state has a blank name; give each state a name of its own")]
    BlankName,
    #[error("two states are named `{name}`; give each state a name of its own")]
    DuplicateName { name: String },
    #[error("{place} names state number {state}, but there are only {count}; use the ids of this automaton's states")]
    UnknownState { place: String, state: u32, count: usize },
    #[error("{place} has a blank condition; write `true` where nothing is required")]
    BlankCondition { place: String },
    /// Def. 2 has (q0, true).
    #[error(
        "the initial state `{state}` has the invariant `{invariant}`, but its invariant must be `true` (Def. 2); \
         put the requirement on the transitions that leave it"
    )]
    InitialInvariant { state: String, invariant: String },
    /// Rule 1.
    #[error(
        "a transition leads from the ut state `{from}` to `{to}`, which is {to_acceptance}, but ut states lead only to \
         ut states (rule 1 of Def. 2); remove the transition, or do not mark `{from}` as ut"
    )]
    LeavesUt { from: String, to: String, to_acceptance: &'static str },
    /// Rule 2.
    #[error(
        "a transition leads from the rt state `{from}` to `{to}`, which is {to_acceptance}, but rt states lead only to \
         rt states (rule 2 of Def. 2); remove the transition, or do not mark `{from}` as rt"
    )]
    LeavesRt { from: String, to: String, to_acceptance: &'static str },
    /// Rule 3.
    #[error(
        "the cand state `{state}` has no transition to itself for `*` with condition `true` (rule 3 of Def. 2); \
         add it"
    )]
    CandWithoutLoop { state: String },
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
    let gia = Gia { states, initial, transitions, first };
    check_candidates(&gia)?;
    Ok(gia)
}

fn check_states(states: &[State], initial: StateId) -> Result<(), GiaError> {
    if states.is_empty() {
        return Err(GiaError::NoStates);
    }
    let mut names = FxHashSet::default();
    for state in states {
        if state.name.trim().is_empty() {
            return Err(GiaError::BlankName);
        }
        if !names.insert(&*state.name) {
            return Err(GiaError::DuplicateName { name: state.name.to_string() });
        }
        if state.invariant.is_blank() {
            return Err(GiaError::BlankCondition { place: format!("the invariant of state `{}`", state.name) });
        }
    }
    let Some(start) = states.get(initial.index()) else {
        return Err(unknown("the initial state".into(), initial, states.len()));
    };
    if !start.invariant.is_true() {
        return Err(GiaError::InitialInvariant {
            state: start.name.to_string(),
            invariant: start.invariant.to_string(),
        });
    }
    Ok(())
}

fn unknown(place: String, state: StateId, count: usize) -> GiaError {
    GiaError::UnknownState { place, state: state.0, count }
}

/// Ids and rules 1 and 2.
fn check_transitions(states: &[State], transitions: &[Transition]) -> Result<(), GiaError> {
    for (index, transition) in transitions.iter().enumerate() {
        let look_up = |id: StateId| {
            states.get(id.index()).ok_or_else(|| unknown(format!("transition number {index}"), id, states.len()))
        };
        let (from, to) = (look_up(transition.source)?, look_up(transition.target)?);
        if transition.condition.is_blank() {
            let place = format!("a transition from `{}` to `{}`", from.name, to.name);
            return Err(GiaError::BlankCondition { place });
        }
        if from.acceptance == to.acceptance {
            continue;
        }
        let names = || (from.name.to_string(), to.name.to_string(), describe(to.acceptance));
        match from.acceptance {
            Acceptance::Ut => {
                let (from, to, to_acceptance) = names();
                return Err(GiaError::LeavesUt { from, to, to_acceptance });
            }
            Acceptance::Rt => {
                let (from, to, to_acceptance) = names();
                return Err(GiaError::LeavesRt { from, to, to_acceptance });
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
            return Err(GiaError::CandWithoutLoop { state: gia.state(id).name.to_string() });
        }
    }
    Ok(())
}
