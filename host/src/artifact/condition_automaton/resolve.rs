//! Translates the text of an automaton to a GIA over a program that never covers a path which the text does not claim.
//!
//! Explicit matches stand for all our edges with that text. The rest of the edges (`TRUE`, `OTHERWISE`) is where the
//! two graphs could get out of step: CPAchecker writes `MATCH "" -> GOTO q; TRUE -> GOTO __TRUE` where an edge is
//! blank, and our program has no such edge. Hence:
//! - The rest leads to a state from which something is settled (ut, rt) only for edges beside those that the state
//!   matches, that is, from the same location. On all other edges the run ends, and nothing is claimed.
//! - A blank edge or a declaration that is a state's only explicit match, and that our program does not have, is passed
//!   without an edge.
//! - Staying in place, which needs no agreement about edges, is taken over as it is.

use super::Translated;
use super::lex::Place;
use super::parse::{Automaton, Expression, Goal, Kind, StateText};
use super::triggers::{Matched, Triggers};
use crate::diagnostic::{Diagnostic, did_you_mean};
use rustc_hash::{FxHashMap, FxHashSet};
use tandem_plugin_api::artifact::gia::GiaPart;
use tandem_plugin_api::artifact::{Acceptance, Condition, EdgeSet, Gia, GiaBuilder, StateId};
use tandem_plugin_api::program::{EdgeId, Program};

mod scopes;
pub(super) use scopes::Scopes;

/// Edges named by all transitions together.
const MAX_SIZE: usize = 100_000_000;
/// Transitions, with those that are copied to pass blank edges.
const MOST_STEPS: usize = 20_000_000;
/// Blank edges and declarations that follow each other. Paths after more of them are not covered.
const LONGEST_SILENT_CHAIN: usize = 1_000;

pub(super) fn resolve(automaton: &Automaton, program: &Program) -> Result<Translated<Gia>, Diagnostic> {
    let names = names(automaton)?;
    let mut resolver = Resolver {
        automaton,
        program,
        settles: settles(automaton, &names),
        names,
        triggers: Triggers::new(program),
        scopes: Scopes::of(program),
        complements: FxHashMap::default(),
        size: 0,
    };
    let own = automaton.states.iter().enumerate().map(|(at, state)| resolver.own_steps(at, state));
    let own: Vec<OwnSteps<'_>> = own.collect::<Result<_, _>>()?;
    resolver.triggers.check_program()?;
    let steps = with_silent_steps(&own).ok_or_else(|| too_large(automaton))?;
    let gia = resolver.build(&steps)?;
    Ok(Translated { result: gia, notes: resolver.notes() })
}

/// States by name; every name that is used is there.
fn names(automaton: &Automaton) -> Result<FxHashMap<&str, usize>, Diagnostic> {
    let mut names = FxHashMap::default();
    for (at, state) in automaton.states.iter().enumerate() {
        if names.insert(state.name.as_str(), at).is_some() {
            let problem = state.place.problem(format!("two states are named `{}`", state.name));
            return Err(problem.help("give each state a name of its own"));
        }
    }
    let goals = automaton.states.iter().flat_map(|state| &state.transitions).filter_map(|transition| {
        let Goal::State(name, place) = &transition.target else { return None };
        Some((name, place))
    });
    for (name, place) in goals.chain([(&automaton.initial.0, &automaton.initial.1)]) {
        if !names.contains_key(name.as_str()) {
            let near = did_you_mean(name, automaton.states.iter().map(|state| state.name.as_str()));
            let help = near.map_or(format!("add `STATE {name} :`"), |near| format!("did you mean `{near}`?"));
            return Err(place.problem(format!("no state is named `{name}`")).help(help));
        }
    }
    Ok(names)
}

fn acceptance(state: &StateText) -> Acceptance {
    match state.kind {
        Kind::NonTarget => Acceptance::Ut,
        Kind::Target => Acceptance::Rt,
        Kind::Unknown => Acceptance::Cand,
        Kind::Plain if state.name == "__TRUE" => Acceptance::Ut,
        Kind::Plain => Acceptance::None,
    }
}

fn is_settled(state: &StateText) -> bool {
    matches!(acceptance(state), Acceptance::Ut | Acceptance::Rt)
}

/// From which states a ut or rt state can be reached.
fn settles(automaton: &Automaton, names: &FxHashMap<&str, usize>) -> Vec<bool> {
    let mut entering: Vec<Vec<usize>> = vec![Vec::new(); automaton.states.len()];
    let mut work: Vec<usize> = Vec::new();
    for (at, state) in automaton.states.iter().enumerate() {
        if is_settled(state) {
            work.push(at);
        }
        for transition in &state.transitions {
            match &transition.target {
                Goal::State(name, _) => entering[names[name.as_str()]].push(at),
                Goal::Error => work.push(at),
                Goal::Stop => {}
            }
        }
    }
    let mut found = vec![false; automaton.states.len()];
    while let Some(at) = work.pop() {
        if !std::mem::replace(&mut found[at], true) {
            work.extend(&entering[at]);
        }
    }
    found
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    State(usize),
    Error,
}

#[derive(Clone, Debug)]
struct Step<'a> {
    edges: EdgeSet,
    assumptions: &'a [Expression],
    target: Target,
}

/// The transitions of a state without those of its silent successors.
struct OwnSteps<'a> {
    steps: Vec<Step<'a>>,
    /// The state that it enters without any edge.
    silent: Option<usize>,
}

/// The steps of each state and of those that it enters without an edge; `None` if there are too many.
fn with_silent_steps<'a>(own: &[OwnSteps<'a>]) -> Option<Vec<Vec<Step<'a>>>> {
    let mut count = 0;
    let mut all = Vec::with_capacity(own.len());
    for start in 0..own.len() {
        let mut steps = own[start].steps.clone();
        let mut next = own[start].silent;
        for _ in 0..LONGEST_SILENT_CHAIN {
            let Some(at) = next.filter(|at| *at != start) else { break };
            steps.extend(own[at].steps.iter().cloned());
            next = own[at].silent;
        }
        count += steps.len();
        if count > MOST_STEPS {
            return None;
        }
        all.push(steps);
    }
    Some(all)
}

struct Resolver<'a> {
    automaton: &'a Automaton,
    program: &'a Program,
    names: FxHashMap<&'a str, usize>,
    settles: Vec<bool>,
    triggers: Triggers<'a>,
    scopes: Scopes<'a>,
    complements: FxHashMap<Vec<EdgeId>, EdgeSet>,
    size: usize,
}

impl<'a> Resolver<'a> {
    fn own_steps(&mut self, at: usize, state: &'a StateText) -> Result<OwnSteps<'a>, Diagnostic> {
        if is_settled(state) {
            // A settled path stays settled, wherever it goes on.
            let stay = Step { edges: EdgeSet::any(), assumptions: &[], target: Target::State(at) };
            return Ok(OwnSteps { steps: vec![stay], silent: None });
        }
        let matched = state.transitions.iter().map(|t| self.triggers.matched(&t.trigger, &t.place));
        let matched: Vec<Matched> = matched.collect::<Result<_, _>>()?;
        let mut explicit: Vec<EdgeId> = matched.iter().flat_map(edges_of).copied().collect();
        explicit.sort_unstable();
        explicit.dedup();
        let names_edges = matched.iter().any(|matched| matches!(matched, Matched::Edges(_)));
        let beside = self.beside(&explicit);
        let mut steps = Vec::new();
        let mut taken: Vec<EdgeId> = Vec::new();
        let (mut all_taken, mut has_rest) = (false, false);
        for (transition, matched) in state.transitions.iter().zip(&matched) {
            let target = match &transition.target {
                Goal::State(name, _) => Some(Target::State(self.names[name.as_str()])),
                Goal::Error => Some(Target::Error),
                Goal::Stop => None,
            };
            let edges = match matched {
                _ if all_taken => continue,
                Matched::Edges(edges) => {
                    let new =
                        edges.iter().copied().filter(|edge| !state.use_first || taken.binary_search(edge).is_err());
                    let new: Vec<EdgeId> = new.collect();
                    taken.extend(&new);
                    EdgeSet::of(new)
                }
                Matched::All | Matched::Otherwise => {
                    has_rest = true;
                    all_taken = state.use_first && *matched == Matched::All;
                    let not: &[EdgeId] = match matched {
                        Matched::Otherwise => &explicit,
                        _ if state.use_first => &taken,
                        _ => &[],
                    };
                    let free = !names_edges || target == Some(Target::State(at)) || !self.leads_to_claims(target);
                    if free {
                        self.complement(not)
                    } else {
                        EdgeSet::of(beside.iter().copied().filter(|edge| not.binary_search(edge).is_err()))
                    }
                }
            };
            if edges.edges().is_none_or(|edges| !edges.is_empty()) {
                steps.extend(target.map(|target| Step { edges, assumptions: &transition.assumptions, target }));
            }
            taken.sort_unstable();
        }
        if !has_rest {
            let stay = Step { edges: self.complement(&explicit), assumptions: &[], target: Target::State(at) };
            steps.push(stay);
        }
        Ok(OwnSteps { steps, silent: self.silent_target(at, state, &matched) })
    }

    fn leads_to_claims(&self, target: Option<Target>) -> bool {
        match target {
            Some(Target::State(at)) => self.settles[at],
            Some(Target::Error) => true,
            None => false,
        }
    }

    /// Only where the state does not stay in place: there it would wait for the edge.
    fn silent_target(&self, at: usize, state: &StateText, matched: &[Matched]) -> Option<usize> {
        let goal = |index: usize| match &state.transitions[index].target {
            Goal::State(name, _) => Some(self.names[name.as_str()]),
            _ => None,
        };
        let (mut only, mut moves_on) = (None, false);
        for (index, matched) in matched.iter().enumerate() {
            match matched {
                Matched::Edges(_) if only.is_some() => return None,
                Matched::Edges(_) => only = Some(index),
                Matched::All | Matched::Otherwise => moves_on |= goal(index) != Some(at),
            }
        }
        let transition = &state.transitions[only.filter(|_| moves_on)?];
        let passes = self.triggers.is_silent(&transition.trigger) && transition.assumptions.is_empty();
        if passes { goal(only?) } else { None }
    }

    /// All edges that leave a location which one of these leaves.
    fn beside(&self, edges: &[EdgeId]) -> Vec<EdgeId> {
        let from: FxHashSet<_> = edges.iter().map(|edge| self.program.edge(*edge).from).collect();
        let mut beside: Vec<EdgeId> =
            from.into_iter().flat_map(|at| self.program.location(at).leaving.iter().copied()).collect();
        beside.sort_unstable();
        beside
    }

    /// All edges but these, which are in ascending order.
    fn complement(&mut self, edges: &[EdgeId]) -> EdgeSet {
        if edges.is_empty() {
            return EdgeSet::any();
        }
        let program = self.program;
        let others = || EdgeSet::of(program.edge_ids().filter(|edge| edges.binary_search(edge).is_err()));
        self.complements.entry(edges.to_vec()).or_insert_with(others).clone()
    }

    fn build(&mut self, steps: &[Vec<Step<'a>>]) -> Result<Gia, Diagnostic> {
        let mut builder = GiaBuilder::new();
        let mut ids: Vec<StateId> = Vec::with_capacity(steps.len());
        let mut twins: Vec<Option<StateId>> = Vec::with_capacity(steps.len());
        let mut invariants = Vec::with_capacity(steps.len());
        for (at, state) in self.automaton.states.iter().enumerate() {
            let invariant = self.invariant(at, state, steps)?;
            let own = acceptance(state);
            // If a candidate went on to other states, the loop that rule 3 of Def. 2 demands would keep it in the
            // candidate as well.
            let splits = own == Acceptance::Cand && !is_sink(at, &steps[at]);
            let kept = if splits { Acceptance::None } else { own };
            ids.push(builder.state_with_invariant(state.name.as_str(), invariant.clone(), kept));
            twins.push(splits.then_some(StateId(0)));
            invariants.push(invariant);
        }
        for (at, twin) in twins.iter_mut().enumerate().filter(|(_, twin)| twin.is_some()) {
            let name = format!("{} (candidate)", self.automaton.states[at].name);
            let id = builder.state_with_invariant(name, invariants[at].clone(), Acceptance::Cand);
            builder.transition(id, EdgeSet::any(), Condition::always(), id);
            *twin = Some(id);
        }
        let names_error = steps.iter().flatten().any(|step| step.target == Target::Error);
        let error = if names_error { builder.sink("ERROR (target)", Acceptance::Rt) } else { StateId(0) };
        for (at, steps) in steps.iter().enumerate() {
            for step in steps {
                for (edges, condition) in self.scopes.bind(&step.edges, step.assumptions)? {
                    self.count(&edges)?;
                    let (target, twin) = match step.target {
                        Target::State(target) => (ids[target], twins[target]),
                        Target::Error => (error, None),
                    };
                    builder.transition(ids[at], edges.clone(), condition.clone(), target);
                    if let Some(twin) = twin {
                        builder.transition(ids[at], edges, condition, twin);
                    }
                }
            }
        }
        let initial = self.names[self.automaton.initial.0.as_str()];
        if let Some(twin) = twins[initial] {
            builder.transition(ids[initial], EdgeSet::any(), Condition::always(), twin);
        }
        let built = builder.build(ids[initial]).map_err(|error| {
            let place = match error.part() {
                GiaPart::State(index) => self.automaton.states.get(index).map(|state| &state.place),
                _ => None,
            };
            let text = error.to_string();
            let (message, help) = text.rsplit_once("; ").unwrap_or((&text, "correct the automaton"));
            place.unwrap_or(&self.automaton.initial.1).problem(message).help(help)
        })?;
        Ok(built.without_dead_ends())
    }

    fn count(&mut self, edges: &EdgeSet) -> Result<(), Diagnostic> {
        self.size += edges.edges().map_or(1, |edges| edges.len() / 16 + 1);
        if self.size > MAX_SIZE {
            return Err(too_large(self.automaton));
        }
        Ok(())
    }

    /// The names of an invariant are those of the function in which the state is entered.
    fn invariant(&self, at: usize, state: &StateText, steps: &[Vec<Step<'a>>]) -> Result<Condition, Diagnostic> {
        if state.invariants.is_empty() {
            return Ok(Condition::always());
        }
        let sources = steps.iter().enumerate().filter(|(source, _)| *source != at);
        let entering = sources.flat_map(|(_, steps)| steps).filter(|step| step.target == Target::State(at));
        self.scopes.invariant(&state.invariants, entering.map(|step| &step.edges))
    }

    fn notes(&self) -> Vec<String> {
        let Triggers { asked, found, first_unknown, .. } = &self.triggers;
        let note = |(text, place): &(String, Place)| {
            let missing = asked - found;
            format!(
                "{}:{}: no edge of the program has the text \"{}\"{}: claims about it are left out",
                place.file,
                place.line,
                text.escape_debug(),
                if missing > 1 { format!(", nor {} others that are matched", missing - 1) } else { String::new() }
            )
        };
        first_unknown.iter().map(note).collect()
    }
}

fn too_large(automaton: &Automaton) -> Diagnostic {
    automaton.initial.1.problem("the automaton is too large").help("give a smaller one")
}

fn edges_of(matched: &Matched) -> &[EdgeId] {
    match matched {
        Matched::Edges(edges) => edges,
        _ => &[],
    }
}

/// Every path stays in it for good.
fn is_sink(at: usize, steps: &[Step<'_>]) -> bool {
    matches!(steps, [only] if only.edges.is_any() && only.assumptions.is_empty() && only.target == Target::State(at))
}
