//! Boolean predicate abstraction: the facts that follow for single predicates, and the combinations of the others
//! (Cartesian and Boolean abstraction; Ball, Podelski, Rajamani, TACAS 2001, and Lahiri, Nieuwenhuis, Oliveras, CAV 2006).

use crate::block::Known;
use std::time::Duration;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::service::formulas::{Formula, Formulas, StateExpression, SymbolicState};

/// The limits on questions to the solver.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Combinations of predicates; if there are more, they are not used.
    pub most_cubes: u32,
    /// The time limit of a question.
    pub time: Duration,
}

/// Abstracts a state to predicates.
pub fn compute(formulas: &mut Formulas, end: &SymbolicState, predicates: &[ExprId], effort: Effort) -> Result<Known> {
    let mut known = Known::default();
    if predicates.is_empty() {
        return Ok(known);
    }
    let given = [end.guard()];
    let mut asked = Vec::with_capacity(predicates.len() * 2);
    for &predicate in predicates {
        let truth = formulas.condition(end, StateExpression::Own(predicate))?;
        asked.extend([truth, formulas.not(truth)?]);
    }
    let implied = formulas.implied(&given, &asked, Some(effort.time))?;
    let is_implied = |at: usize| implied.binary_search(&(at as u32)).is_ok();
    let mut open = Vec::new();
    for (at, &predicate) in predicates.iter().enumerate() {
        match (is_implied(2 * at), is_implied(2 * at + 1)) {
            (true, _) => known.facts.push((predicate, true)),
            (_, true) => known.facts.push((predicate, false)),
            _ => {
                known.open.push(predicate);
                open.push(asked[2 * at]);
            }
        }
    }
    if known.open.len() > 1 && effort.most_cubes > 1 {
        known.cubes = formulas.cubes(&given, &open, effort.most_cubes, Some(effort.time))?;
    }
    Ok(known)
}

/// The same as a condition on another state.
pub fn condition(formulas: &mut Formulas, state: &SymbolicState, known: &Known) -> Result<Formula> {
    let mut parts = Vec::new();
    for &(predicate, holds) in &known.facts {
        parts.push(literal(formulas, state, predicate, holds)?);
    }
    if let Some(cubes) = &known.cubes {
        let mut ways = Vec::with_capacity(cubes.len());
        for cube in cubes {
            let mut all = Vec::with_capacity(cube.len());
            for (&predicate, &holds) in known.open.iter().zip(cube) {
                all.push(literal(formulas, state, predicate, holds)?);
            }
            ways.push(formulas.and(&all)?);
        }
        parts.push(formulas.or(&ways)?);
    }
    formulas.and(&parts)
}

fn literal(formulas: &mut Formulas, state: &SymbolicState, predicate: ExprId, holds: bool) -> Result<Formula> {
    let truth = formulas.condition(state, StateExpression::Own(predicate))?;
    if holds { Ok(truth) } else { formulas.not(truth) }
}

/// The same as C; `text` writes a predicate, if possible. Parts that cannot be written are left out, which makes the
/// condition weaker.
pub fn as_c(known: &Known, text: &dyn Fn(ExprId) -> Option<String>) -> Option<String> {
    let literal = |predicate: ExprId, holds: bool| {
        let text = text(predicate)?;
        Some(if holds { format!("({text})") } else { format!("!({text})") })
    };
    let mut parts: Vec<String> = known.facts.iter().filter_map(|&(p, holds)| literal(p, holds)).collect();
    if let Some(cubes) = &known.cubes {
        let ways: Vec<String> = cubes
            .iter()
            .map(|cube| {
                let all: Vec<String> =
                    known.open.iter().zip(cube).filter_map(|(&p, &holds)| literal(p, holds)).collect();
                if all.is_empty() { "1".to_string() } else { format!("({})", all.join(" && ")) }
            })
            .collect();
        if !ways.is_empty() && !ways.iter().any(|way| way == "1") {
            parts.push(format!("({})", ways.join(" || ")));
        }
    }
    (!parts.is_empty()).then(|| parts.join(" && "))
}
