//! Which of Z3's solvers gets a query: it depends on the theories that the query speaks of.

use ::z3::{Solver, Tactic};
use std::time::Duration;

/// What a query contains besides words and Booleans.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Theories {
    pub arrays: bool,
    pub floats: bool,
}

impl Theories {
    pub fn or(self, other: Theories) -> Theories {
        Theories { arrays: self.arrays || other.arrays, floats: self.floats || other.floats }
    }
}

/// One of Z3's solvers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The one that Z3 takes when it is told nothing.
    Default,
    Logic(&'static str),
    /// Tactics in a row.
    Tactics(&'static [&'static str]),
}

/// For words: what makes most queries of bounded model checking small before they reach the SAT solver.
pub const WORDS_AFRESH: Engine =
    Engine::Tactics(&["simplify", "propagate-values", "solve-eqs", "simplify", "bit-blast", "sat"]);

impl Engine {
    pub fn solver(self) -> Solver {
        match self {
            Engine::Default => Solver::new(),
            Engine::Logic(name) => Solver::new_for_logic(name).unwrap_or_default(),
            Engine::Tactics(names) => {
                let mut tactics = names.iter().map(|name| Tactic::new(name));
                match tactics.next() {
                    Some(first) => tactics.fold(first, |all, next| all.and_then(&next)).solver(),
                    None => Solver::new(),
                }
            }
        }
    }
}

/// What is tried with a query, and for how long.
#[derive(Clone, Debug)]
pub enum Strategy {
    /// Chosen by what the query contains: first incrementally, and where that takes too long, afresh.
    ByTheories {
        patience: Duration,
    },
    Incremental(Engine),
    Afresh(Engine),
}

impl Default for Strategy {
    fn default() -> Self {
        Strategy::ByTheories { patience: Duration::from_millis(2000) }
    }
}

impl Strategy {
    /// The solver that is kept, and its time where another one comes after it.
    pub fn incremental(&self, theories: Theories) -> Option<(Engine, Option<Duration>)> {
        match self {
            Strategy::ByTheories { patience } => {
                let engine = match theories {
                    Theories { arrays: false, floats: false } => Engine::Logic("QF_BV"),
                    Theories { arrays: true, floats: false } => Engine::Logic("QF_AUFBV"),
                    Theories { arrays: false, floats: true } => Engine::Logic("QF_BVFP"),
                    Theories { arrays: true, floats: true } => Engine::Default,
                };
                Some((engine, Some(*patience)))
            }
            Strategy::Incremental(engine) => Some((*engine, None)),
            Strategy::Afresh(_) => None,
        }
    }

    /// The solver that is made for one query.
    pub fn afresh(&self, theories: Theories) -> Engine {
        match self {
            Strategy::Afresh(engine) => *engine,
            _ => match theories {
                Theories { arrays: false, floats: false } => WORDS_AFRESH,
                Theories { arrays: true, floats: false } => Engine::Tactics(&["qfaufbv"]),
                Theories { arrays: false, floats: true } => Engine::Tactics(&["qffpbv"]),
                Theories { arrays: true, floats: true } => Engine::Default,
            },
        }
    }
}
