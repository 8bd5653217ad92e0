//! Translates results from a residual program to the original: what an actor found on paths of the residual program, as
//! paths of the original.

use crate::artifact::{Acceptance, Condition, Gia, GiaBuilder, Invariant, Invariants, StateId};
use crate::program::{EdgeId, EdgeNames, FunctionId, LocationId, LocationNames, Program};
use crate::reducer::Residual;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A larger automaton is not built: passing it on would cost more time than it can save.
const MOST_STATES: usize = 200_000;

/// An automaton over the edges of the original that covers a path if `found` covers the path of the residual program that it
/// came from. Paths that the residual program does not have are not covered: their GIA is known, and combined with this one.
///
/// The states are pairs of a location of the residual program and a state of `found`: an edge of the original has several
/// copies, and a claim about one copy says nothing about the others. Where the graph does not show which copy is meant
/// (behind a return that leads to several callers, behind a branch on a condition), nothing is covered.
pub fn to_original(residual: &Residual, original: &Program, found: &Gia) -> Option<Gia> {
    if found.states().len() == 1 && found.initial() == StateId(0) && found.leaving(StateId(0)).iter().all(always) {
        // A claim without a path condition holds on every path of the original, too.
        return (found.acceptance(StateId(0)) != Acceptance::Rt).then(|| found.clone());
    }
    let start = residual.program.entry()?;
    let functions = originals(residual, original);
    let mut walk =
        Walk { residual, found, functions, builder: GiaBuilder::new(), states: FxHashMap::default(), work: Vec::new() };
    let initial = walk.state(start, found.initial());
    while let Some((at, state)) = walk.work.pop() {
        if walk.builder.len() > MOST_STATES {
            return None;
        }
        walk.expand(at, state);
    }
    walk.builder.build(initial).ok()
}

/// Invariants that were found at locations of the residual program, as claims about the original. A location has
/// several copies, and a run that comes there is in one of the copies, or in none of them if it is covered already. So
/// the disjunction of the copies' invariants is claimed where each copy has one; the claim is to be checked before use.
pub fn invariants_to_original(residual: &Residual, original: &Program, found: &Invariants) -> Invariants {
    let names = LocationNames::new(&residual.program, &EdgeNames::new(&residual.program));
    let originals_of = originals(residual, original);
    let mut copies: BTreeMap<LocationId, Vec<LocationId>> = BTreeMap::new();
    for (copy, at) in places(residual, original) {
        copies.entry(at).or_default().push(copy);
    }
    let original_names = LocationNames::new(original, &EdgeNames::new(original));
    let mut claims = Invariants::new();
    for (at, copies) in copies {
        let of_copy = |copy: &LocationId| {
            let list = found.at(names.name(*copy));
            let texts: Vec<String> = list.iter().map(|known| format!("({})", known.expression.text())).collect();
            (!texts.is_empty()).then(|| texts.join(" && "))
        };
        let Some(mut texts) = copies.iter().map(of_copy).collect::<Option<Vec<String>>>() else { continue };
        texts.sort();
        texts.dedup();
        let Some(first) = copies.first().and_then(|copy| found.at(names.name(*copy)).first()) else { continue };
        let scope = first.expression.scope().map(|scope| originals_of.get(scope).map_or(scope, String::as_str));
        let text = if texts.len() == 1 { texts.concat() } else { format!("({})", texts.join(") || (")) };
        claims.insert(Invariant {
            location: Arc::clone(original_names.name(at)),
            expression: Condition::new(scope, text),
            checked: false,
            ..first.clone()
        });
    }
    claims
}

/// Locations of the residual program that copy a location of the original, each with that location: they are where
/// edges that have an origin begin.
pub(super) fn places(residual: &Residual, original: &Program) -> BTreeMap<LocationId, LocationId> {
    let mut found = BTreeMap::new();
    for edge in residual.program.edge_ids() {
        if let Some(Some(origin)) = residual.origin.get(edge.index()) {
            found.insert(residual.program.edge(edge).from, original.edge(*origin).from);
        }
    }
    found
}

fn always(transition: &crate::artifact::Transition) -> bool {
    transition.edges.is_any() && transition.condition.is_true()
}

/// Names of functions of the original, by the name of their clones in the residual program.
fn originals(residual: &Residual, original: &Program) -> FxHashMap<String, String> {
    let mut names = FxHashMap::default();
    for edge in residual.program.edge_ids() {
        let Some(Some(from)) = residual.origin.get(edge.index()) else { continue };
        let (new, old) = (residual.program.function_of_edge(edge), original.function_of_edge(*from));
        let name = |program: &Program, id: FunctionId| program.function(id).name.clone();
        names.insert(name(&residual.program, new), name(original, old));
    }
    names
}

struct Walk<'a> {
    residual: &'a Residual,
    found: &'a Gia,
    functions: FxHashMap<String, String>,
    builder: GiaBuilder,
    states: FxHashMap<(LocationId, StateId), StateId>,
    work: Vec<(LocationId, StateId)>,
}

impl Walk<'_> {
    fn state(&mut self, at: LocationId, state: StateId) -> StateId {
        if let Some(&known) = self.states.get(&(at, state)) {
            return known;
        }
        let inner = self.found.state(state);
        let name = format!("{}@{}", inner.name, at.0);
        let new = match inner.acceptance {
            Acceptance::None => {
                self.work.push((at, state));
                self.builder.state_with_invariant(name, self.condition(&inner.invariant), Acceptance::None)
            }
            // A candidate state has a loop for every edge; a run in an accepting state may end.
            Acceptance::Cand => self.builder.sink(name, Acceptance::Cand),
            accepting => self.builder.state_with_invariant(name, self.condition(&inner.invariant), accepting),
        };
        self.states.insert((at, state), new);
        new
    }

    /// The condition with the original's name of the function whose variables it uses; a clone's variables have the
    /// original's names.
    fn condition(&self, condition: &Condition) -> Condition {
        match condition.scope() {
            Some(scope) => {
                let original = self.functions.get(scope).map_or(scope, String::as_str);
                Condition::in_function(original, condition.text())
            }
            None => condition.clone(),
        }
    }

    fn expand(&mut self, at: LocationId, state: StateId) {
        let from = self.states[&(at, state)];
        let leaving = self.residual.program.location(at).leaving.clone();
        for &edge in &leaving {
            let Some(origin) = self.residual.origin[edge.index()] else { continue };
            if self.is_ambiguous(&leaving, edge, origin) {
                continue;
            }
            let to = self.residual.program.edge(edge).to;
            let found = self.found;
            for transition in found.leaving(state).iter().filter(|transition| transition.edges.contains(edge)) {
                let target = self.state(to, transition.target);
                let condition = self.condition(&transition.condition);
                self.builder.transition(from, origin, condition, target);
            }
        }
    }

    fn is_ambiguous(&self, leaving: &[EdgeId], edge: EdgeId, origin: EdgeId) -> bool {
        leaving.iter().any(|&other| other != edge && self.residual.origin[other.index()] == Some(origin))
    }
}
