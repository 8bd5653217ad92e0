//! Translates claims from the original to a residual program: a claim about a location becomes claims about its copies.

use super::back::places;
use crate::artifact::{Condition, Invariant, InvariantKind, Invariants};
use crate::program::{EdgeNames, FunctionId, LocationId, LocationNames, Program};
use crate::reducer::Residual;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Claims about locations of the original, as claims about the loop heads of the residual program that are copies of
/// them. The runs of the residual program are runs of the original, so a claim that holds at a location holds at every
/// copy. An engine that uses a claim checks it first.
pub fn claims_to_residual(
    residual: &Residual,
    original: &Program,
    claims: &[(LocationId, Condition)],
    origin: &str,
) -> Invariants {
    let program = &residual.program;
    let functions = (0..program.functions.len()).map(FunctionId::new);
    let heads: BTreeSet<LocationId> = functions.flat_map(|function| program.loop_heads(function)).collect();
    let mut by_location: BTreeMap<LocationId, Vec<&Condition>> = BTreeMap::new();
    for (at, claim) in claims {
        by_location.entry(*at).or_default().push(claim);
    }
    let names = LocationNames::new(program, &EdgeNames::new(program));
    let places = places(residual, original).into_iter().filter(|(copy, _)| heads.contains(copy));
    let copied = places.flat_map(|(copy, at)| {
        let location = Arc::clone(names.name(copy));
        let clone = &program.function(program.location(copy).function).name;
        let local = &original.function(original.location(at).function).name;
        let speaks_of = |claim: &&&Condition| claim.scope().is_none_or(|scope| scope == local.as_str());
        let list = by_location.get(&at).into_iter().flatten().filter(speaks_of);
        // A clone's variables have the original's names.
        list.map(|claim| Condition::new(claim.scope().map(|_| clone.as_str()), claim.text()))
            .map(|expression| Invariant {
                location: Arc::clone(&location),
                kind: InvariantKind::Loop,
                expression,
                origin: origin.to_string(),
                checked: false,
            })
            .collect::<Vec<Invariant>>()
    });
    copied.collect::<Vec<Invariant>>().into_iter().collect()
}
