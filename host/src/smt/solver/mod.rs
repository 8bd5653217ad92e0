//! Decides formulas: a trait that a solver implements, its answers, and the layer that asks the solver as rarely as
//! possible. Another solver is another implementation of [`Solver`]; no other code knows which one is used.

pub mod query;
mod slice;
#[cfg(test)]
mod tests;
pub mod z3;

pub use query::Queries;

use super::term::{Assignment, Term, Terms, Value};
use rustc_hash::FxHashMap;
use std::fmt;
use std::time::Duration;
use tandem_plugin_api::service::StopSignal;

#[derive(Clone, Debug)]
pub enum Answer {
    /// Satisfiable. Symbols that the assignment does not name may have any value.
    Sat(Assignment),
    /// The asserted terms and the assumptions with these indices, in ascending order, have no model.
    Unsat { core: Vec<usize> },
    /// The reason why there is no answer.
    Unknown(String),
}

impl Answer {
    pub fn is_sat(&self) -> bool {
        matches!(self, Answer::Sat(_))
    }

    pub fn is_unsat(&self) -> bool {
        matches!(self, Answer::Unsat { .. })
    }
}

/// The limits at which a query is given up.
#[derive(Clone, Default)]
pub struct Limits {
    pub time: Option<Duration>,
    pub stop: Option<StopSignal>,
}

impl Limits {
    pub fn time(limit: Duration) -> Self {
        Limits { time: Some(limit), stop: None }
    }

    pub fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.reason().is_some())
    }
}

/// Decides conjunctions of terms. All calls must speak of the same graph, because solvers remember what they know of a
/// term by its number.
pub trait Solver: Send {
    fn push(&mut self);

    /// Forgets what was asserted since so many calls of [`Solver::push`].
    fn pop(&mut self, levels: u32);

    fn assert(&mut self, terms: &Terms, condition: Term);

    /// Whether the asserted terms and the assumptions have a model together.
    fn check(&mut self, terms: &Terms, assumptions: &[Term], limits: &Limits) -> Answer;

    fn statistics(&self) -> Statistics;
}

/// The built-in solver, behind the layer that simplifies queries.
pub fn start() -> Queries {
    Queries::new(Box::new(z3::Z3Solver::default()))
}

/// Name and version of the solver.
pub fn version() -> String {
    format!("Z3 {}", ::z3::full_version())
}

/// The queries and their cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    pub queries: u64,
    /// Answered without a solver: by their shape, by an earlier answer to the same, by an earlier model or unsatisfiable core.
    pub by_constant: u64,
    pub by_cache: u64,
    pub by_model: u64,
    pub by_core: u64,
    /// Asked without the conjuncts that share no symbol with the rest and have a model already.
    pub sliced: u64,
    /// Reached the solver.
    pub asked: u64,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
    /// Given to a fresh solver because the incremental one took too long.
    pub fresh: u64,
    /// How often a solver was given up and replaced.
    pub restarts: u64,
    /// Terms that were translated.
    pub translated: u64,
    pub solving: Duration,
    pub translating: Duration,
}

impl Statistics {
    pub fn plus(self, other: Statistics) -> Statistics {
        Statistics {
            queries: self.queries + other.queries,
            by_constant: self.by_constant + other.by_constant,
            by_cache: self.by_cache + other.by_cache,
            by_model: self.by_model + other.by_model,
            by_core: self.by_core + other.by_core,
            sliced: self.sliced + other.sliced,
            asked: self.asked + other.asked,
            sat: self.sat + other.sat,
            unsat: self.unsat + other.unsat,
            unknown: self.unknown + other.unknown,
            fresh: self.fresh + other.fresh,
            restarts: self.restarts + other.restarts,
            translated: self.translated + other.translated,
            solving: self.solving + other.solving,
            translating: self.translating + other.translating,
        }
    }
}

impl Statistics {
    /// Names and values for reports.
    pub fn lines(&self) -> Vec<(String, String)> {
        let saved = self.by_constant + self.by_cache + self.by_model + self.by_core;
        vec![
            ("queries".into(), self.queries.to_string()),
            (
                "queries answered without the solver".into(),
                format!(
                    "{saved} ({} by shape, {} by cache, {} by model, {} by core)",
                    self.by_constant, self.by_cache, self.by_model, self.by_core
                ),
            ),
            (
                "queries asked".into(),
                format!("{} ({} sat, {} unsat, {} unknown)", self.asked, self.sat, self.unsat, self.unknown),
            ),
            ("translation".into(), format!("{:.3} s", self.translating.as_secs_f64())),
            ("solving".into(), format!("{:.3} s", self.solving.as_secs_f64())),
        ]
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} queries, {} by shape, {} by cache, {} by model, {} by core, {} sliced, {} asked ({} sat, {} unsat, {} unknown, \
             {} afresh, {} restarts), {} terms translated in {:.3} s, solved in {:.3} s",
            self.queries,
            self.by_constant,
            self.by_cache,
            self.by_model,
            self.by_core,
            self.sliced,
            self.asked,
            self.sat,
            self.unsat,
            self.unknown,
            self.fresh,
            self.restarts,
            self.translated,
            self.translating.as_secs_f64(),
            self.solving.as_secs_f64()
        )
    }
}

/// A term among `conditions` that evaluation says is false under a model: a mistake of solver or translation.
fn refuted_by_evaluation(
    terms: &Terms,
    model: &Assignment,
    conditions: impl IntoIterator<Item = Term>,
) -> Option<Term> {
    let mut known = FxHashMap::default();
    conditions.into_iter().find(|&condition| terms.evaluate(condition, model, &mut known) == Some(Value::Bool(false)))
}
