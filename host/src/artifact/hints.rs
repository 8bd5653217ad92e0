//! Hints without any claim, each with its place: invariants and precisions as states of a GIA, and back. Such a state
//! accepts nothing; its invariant is the hint, and the edges that enter it say where the hint belongs.

use tandem_plugin_api::artifact::{
    Acceptance, Condition, EdgeSet, Gia, GiaBuilder, Invariant, InvariantKind, Invariants, Precision, PrecisionItem,
    PrecisionScope,
};
use tandem_plugin_api::program::{EdgeId, EdgeNames, LocationId, LocationNames, Program};

/// A GIA in which all paths are candidates, and which has states for hints at their places.
fn gia(hints: impl IntoIterator<Item = (EdgeSet, Condition)>) -> Gia {
    let mut builder = GiaBuilder::new();
    let open = builder.sink("open", Acceptance::Cand);
    for (number, (edges, condition)) in hints.into_iter().enumerate() {
        let state = builder.state_with_invariant(format!("hint {}", number + 1), condition, Acceptance::None);
        builder.transition(open, edges, Condition::always(), state);
    }
    builder.build(open).unwrap_or_else(|_| Gia::nothing_known())
}

/// Invariants of locations that the program does not have, or that nothing enters, are left out.
pub fn gia_of_invariants(invariants: &Invariants, program: &Program) -> Gia {
    let names = LocationNames::new(program, &EdgeNames::new(program));
    gia(invariants.iter().filter_map(|invariant| {
        let at = names.location(&invariant.location)?;
        let entering = program.location(at).entering.clone();
        (!entering.is_empty()).then(|| (EdgeSet::of(entering), invariant.expression.clone()))
    }))
}

/// The invariants of states that are entered by named edges, as unchecked claims.
pub fn invariants_of_gia(gia: &Gia, program: &Program, origin: &str) -> Invariants {
    let names = LocationNames::new(program, &EdgeNames::new(program));
    let mut found = Invariants::new();
    for (at, expression) in hints_of(gia, program) {
        let is_head = program.loops.iter().any(|l| l.head == at);
        found.insert(Invariant {
            location: names.name(at).clone(),
            kind: if is_head { InvariantKind::Loop } else { InvariantKind::Location },
            expression,
            origin: origin.to_string(),
            checked: false,
        });
    }
    found
}

/// Invariants of states, with the locations at which the states are entered.
fn hints_of(gia: &Gia, program: &Program) -> Vec<(LocationId, Condition)> {
    let mut found: Vec<(LocationId, Condition)> = Vec::new();
    for transition in gia.transitions().iter().filter(|transition| transition.source != transition.target) {
        let invariant = &gia.state(transition.target).invariant;
        if !invariant.is_true() {
            let edges = transition.edges.edges().unwrap_or_default();
            found.extend(edges.iter().map(|edge| (program.edge(*edge).to, invariant.clone())));
        }
    }
    found.sort();
    found.dedup();
    found
}

pub fn gia_of_precision(precision: &Precision, program: &Program) -> Gia {
    let names = LocationNames::new(program, &EdgeNames::new(program));
    let entering = |wanted: &dyn Fn(LocationId) -> bool| {
        EdgeSet::of(program.edge_ids().filter(|edge: &EdgeId| wanted(program.edge(*edge).to)))
    };
    gia(precision.iter().filter_map(|entry| {
        let PrecisionItem::Predicate(predicate) = &entry.item else { return None };
        let edges = match &entry.scope {
            PrecisionScope::Global => EdgeSet::any(),
            PrecisionScope::Function(name) => {
                let function = program.function_named(name)?;
                entering(&|at| program.location(at).function == function)
            }
            PrecisionScope::Location(name) => {
                let wanted = names.location(name)?;
                entering(&|at| at == wanted)
            }
        };
        (edges.edges().is_none_or(|edges| !edges.is_empty())).then(|| (edges, predicate.clone()))
    }))
}

/// Predicates that an analysis could track: invariants where their states are entered, conditions in their functions.
pub fn precision_of_gia(gia: &Gia, program: &Program) -> Precision {
    let names = LocationNames::new(program, &EdgeNames::new(program));
    let mut precision = Precision::empty();
    for (at, invariant) in hints_of(gia, program) {
        precision.insert(PrecisionScope::Location(names.name(at).clone()), PrecisionItem::Predicate(invariant));
    }
    let of_rest = gia.transitions().iter().filter(|t| t.edges.is_any()).map(|t| &gia.state(t.target).invariant);
    for condition in gia.transitions().iter().map(|transition| &transition.condition).chain(of_rest) {
        let scope = condition.scope().map_or(PrecisionScope::Global, |name| PrecisionScope::Function(name.into()));
        precision.insert(scope, PrecisionItem::Predicate(condition.clone()));
    }
    precision
}
