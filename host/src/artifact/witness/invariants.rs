//! Invariants of correctness witnesses as invariants at locations of a program, and back.

use super::places;
use super::{InvariantType, Position, Witness, WitnessInvariant};
use crate::artifact::condition_automaton::Translated;
use std::collections::BTreeSet;
use tandem_plugin_api::artifact::{Condition, Invariant, InvariantKind, Invariants};
use tandem_plugin_api::program::{EdgeNames, LocationId, LocationNames, Meaning, Program, Storage, Viewpoint};

/// The witness's claims, unchecked. A claim without a place in the program is noted and left out.
pub fn of_witness(witness: &Witness, program: &Program) -> Translated<Invariants> {
    let names = LocationNames::new(program, &EdgeNames::new(program));
    let mut notes = BTreeSet::new();
    let mut found = Invariants::new();
    let origin = witness.entries.first().map_or("witness", |entry| entry.metadata.producer.as_str());
    for claimed in witness.invariants() {
        let Position { file, line, .. } = &claimed.position;
        let kind = match claimed.kind {
            InvariantType::Loop => InvariantKind::Loop,
            InvariantType::Location => InvariantKind::Location,
            _ => {
                notes.insert(format!("{file}:{line}: transition invariants and contracts are left out"));
                continue;
            }
        };
        let Some(at) = place_of(program, claimed) else {
            let what = if kind == InvariantKind::Loop { "loop" } else { "statement" };
            notes.insert(format!("{file}:{line}: the program has no {what} there: its invariant is left out"));
            continue;
        };
        if claimed.value.contains('\\') {
            notes.insert(format!("{file}:{line}: `{}` is not plain C: it is left out", claimed.value));
            continue;
        }
        found.insert(of_location(program, &names, at, kind, &claimed.value, origin));
    }
    Translated { result: found, notes: notes.into_iter().collect() }
}

/// Where an invariant of a loop or a location is meant to hold, if the program has such a place.
pub fn place_of(program: &Program, claimed: &WitnessInvariant) -> Option<LocationId> {
    match claimed.kind {
        InvariantType::Loop => places::loop_head(program, &claimed.position),
        InvariantType::Location => places::location(program, &claimed.position),
        _ => None,
    }
}

/// A claim about a location of the program.
pub(super) fn of_location(
    program: &Program,
    names: &LocationNames,
    at: LocationId,
    kind: InvariantKind,
    value: &str,
    origin: &str,
) -> Invariant {
    let function = program.function(program.location(at).function).name.clone();
    Invariant {
        location: names.name(at).clone(),
        kind,
        expression: Condition::in_function(function, value),
        origin: origin.to_string(),
        checked: false,
    }
}

/// The invariants that have a place in the source and use names of the source.
pub fn to_witness(invariants: &Invariants, program: &Program) -> Translated<Vec<WitnessInvariant>> {
    let names = LocationNames::new(program, &EdgeNames::new(program));
    let mut notes = BTreeSet::new();
    let mut list = Vec::new();
    for invariant in invariants.iter() {
        let Some(at) = names.location(&invariant.location) else {
            notes.insert(format!("the program has no location `{}`: its invariant is left out", invariant.location));
            continue;
        };
        let place = place(program, at);
        match place.filter(|_| is_of_source(&invariant.expression, program, at)) {
            Some((kind, position)) => list.push(WitnessInvariant {
                kind,
                position,
                value: invariant.expression.text().to_string(),
                format: "c_expression".into(),
                requires: None,
                ensures: None,
            }),
            None => {
                let text = invariant.expression.text();
                notes.insert(format!(
                    "`{text}` has no place in the source, or uses names that the source does not have: it is left out"
                ));
            }
        }
    }
    let place = |claim: &WitnessInvariant| (claim.position.line, claim.position.column, claim.value.clone());
    list.sort_by_key(place);
    Translated { result: list, notes: notes.into_iter().collect() }
}

fn place(program: &Program, at: LocationId) -> Option<(InvariantType, Position)> {
    if let Some(found) = program.loops.iter().find(|l| l.head == at && l.keyword.is_somewhere()) {
        let function = &program.function(found.function).name;
        return Some((InvariantType::Loop, places::position(program, found.keyword, function)));
    }
    places::statement(program, at).map(|position| (InvariantType::Location, position))
}

/// Whether each name is a name of the source that means the same variable there. Variables that share a name, and those
/// of the front end, have other names.
fn is_of_source(expression: &Condition, program: &Program, at: LocationId) -> bool {
    let function = expression.scope().and_then(|name| program.function_named(name));
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    let words = expression.text().split(|c: char| !is_name(c));
    words.filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')).all(|word| {
        let visible =
            || program.variables.iter().filter(|variable| !variable.is_local() || variable.function == function);
        let plain = visible()
            .any(|variable| variable.name == word && !matches!(variable.storage, Storage::Temporary | Storage::Result));
        let plain_word = word.strip_suffix("__1").unwrap_or(word);
        let means = |location| program.meaning(word, Viewpoint { function, location });
        if plain && (means(None) != means(Some(at)) || means(None) == Meaning::Ambiguous) {
            return false;
        }
        plain || !visible().any(|variable| variable.unique_name == plain_word || variable.unique_name == word)
    })
}
