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
    /// The one that Z3 chooses by default.
    Default,
    Logic(&'static str),
    /// Tactics in a row.
    Tactics(&'static [&'static str]),
}

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

/// The solvers that are tried for a query, and for how long.
///
/// Measured with `cargo run --release -p tandem --example solver_speed` (Z3 5.3.2, wall time on a machine with other
/// load, so that only differences of a factor of two or more that came twice count): the incremental SMT core is best
/// while queries are easy (sums that stay in bounds: 0.3 s, afresh 0.7 s), and it gives small cores. Where a query
/// takes long, preprocessing of the whole formula is better than the lemmas that were learned (mixed arithmetic: 2.7 s,
/// afresh 1.4 s; floats, measured once: 5.3 s, afresh 0.6 s). For arrays and for a state machine no order was found
/// between the two. The incremental SAT core (QF_BV) was slower than both on all families of words, measured once (4.6
/// s, 4.7 s, and 47 s where others took 10 to 15).
#[derive(Clone, Debug, Default)]
pub enum Strategy {
    /// Chosen by what the query contains: first incrementally, and where that takes too long, afresh.
    #[default]
    ByTheories,
    Incremental(Engine),
    Afresh(Engine),
}

impl Strategy {
    /// The incremental solver, and its time limit if another one comes after it.
    pub fn incremental(&self, theories: Theories) -> Option<(Engine, Option<Duration>)> {
        match self {
            Strategy::ByTheories => Some(match theories {
                Theories { arrays: false, floats: false } => (Engine::Default, Some(Duration::from_millis(100))),
                Theories { arrays: true, floats: false } => (Engine::Logic("QF_ABV"), Some(Duration::from_secs(1))),
                Theories { arrays: false, floats: true } => (Engine::Default, Some(Duration::from_millis(200))),
                // There is no other.
                Theories { arrays: true, floats: true } => (Engine::Default, None),
            }),
            Strategy::Incremental(engine) => Some((*engine, None)),
            Strategy::Afresh(_) => None,
        }
    }

    /// The solver for a single query.
    pub fn afresh(&self, theories: Theories) -> Engine {
        match self {
            Strategy::Afresh(engine) => *engine,
            _ => match theories {
                Theories { arrays: false, floats: false } => Engine::Tactics(&["qfbv"]),
                Theories { arrays: true, floats: false } => Engine::Tactics(&["qfaufbv"]),
                Theories { arrays: false, floats: true } => Engine::Tactics(&["qffpbv"]),
                Theories { arrays: true, floats: true } => Engine::Default,
            },
        }
    }
}

/// Whether the incremental solver is worth trying: after failures, more and more queries go to a fresh one at once.
#[derive(Default)]
pub struct Patience {
    failures: u32,
    /// Further queries that are not given to it.
    pause: u32,
}

impl Patience {
    const LONGEST: u32 = 5;

    pub fn allows(&mut self) -> bool {
        if self.pause > 0 {
            self.pause -= 1;
            return false;
        }
        true
    }

    pub fn note(&mut self, answered: bool) {
        self.failures = if answered { 0 } else { (self.failures + 1).min(Self::LONGEST) };
        self.pause = (1 << self.failures) - 1;
    }
}
