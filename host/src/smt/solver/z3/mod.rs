//! Z3 behind the trait of solvers: the caller's side. Context, solver and translated terms belong to a thread of their own,
//! because Z3's objects stay in one thread; it is sent the terms it does not know yet.

mod float;
mod model;
mod strategy;
mod translate;
mod worker;

pub use strategy::{Engine, Strategy};

use super::{Answer, Limits, Solver, Statistics, refuted_by_evaluation};
use crate::smt::term::{Term, Terms};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};
use worker::{Level, Question, Reply, Worker};

/// How often a waiting thread checks whether to stop.
const POLL: Duration = Duration::from_millis(5);
/// How long an interrupted query may take to end before its thread is left alone.
const GRACE: Duration = Duration::from_millis(500);

/// Z3, incrementally where that is faster.
pub struct Z3Solver {
    strategy: Strategy,
    levels: Vec<Level>,
    next_level: u64,
    worker: Option<Worker>,
    /// By term: whether the worker has it.
    sent: Vec<bool>,
    statistics: Statistics,
}

impl Default for Z3Solver {
    fn default() -> Self {
        Self::with_strategy(Strategy::default())
    }
}

impl Z3Solver {
    pub fn with_strategy(strategy: Strategy) -> Self {
        Z3Solver {
            strategy,
            levels: vec![Level { id: 0, asserted: Vec::new() }],
            next_level: 1,
            worker: None,
            sent: Vec::new(),
            statistics: Statistics::default(),
        }
    }

    /// The terms that the roots need and the worker does not have, operands first.
    fn unsent(&mut self, terms: &Terms, roots: impl IntoIterator<Item = Term>) -> Vec<Term> {
        self.sent.resize(terms.len().max(self.sent.len()), false);
        let mut open: Vec<Term> = roots.into_iter().collect();
        let mut found = Vec::new();
        while let Some(term) = open.pop() {
            if !std::mem::replace(&mut self.sent[term.index()], true) {
                found.push(term);
                open.extend(terms.operands(term));
            }
        }
        // Operands are made before what they are operands of.
        found.sort_unstable();
        found
    }

    fn worker(&mut self) -> Result<Worker, String> {
        if let Some(worker) = self.worker.take() {
            return Ok(worker);
        }
        self.sent.clear();
        Worker::start(self.strategy.clone()).map_err(|error| format!("no thread for the solver: {error}"))
    }

    fn ask(&mut self, terms: &Terms, assumptions: &[Term], limits: &Limits) -> Result<Reply, String> {
        let worker = self.worker()?;
        let roots: Vec<Term> = self
            .levels
            .iter()
            .flat_map(|level| level.asserted.iter().copied())
            .chain(assumptions.iter().copied())
            .collect();
        let unsent = self.unsent(terms, roots);
        self.statistics.translated += unsent.len() as u64;
        let question = Question {
            terms: unsent.into_iter().map(|term| (term, terms.node(term), terms.sort(term))).collect(),
            levels: self.levels.clone(),
            assumptions: assumptions.to_vec(),
            time: limits.time,
        };
        let lost = || "the solver's thread has ended".to_string();
        worker.ask(question).map_err(|_| lost())?;
        // Z3 has a time limit of its own; this is for queries where it exceeds that.
        let mut deadline = limits.time.map(|time| Instant::now() + time + GRACE);
        let mut interrupted = false;
        loop {
            let left = deadline.map_or(POLL, |deadline| deadline.saturating_duration_since(Instant::now()).min(POLL));
            match worker.reply(left) {
                Ok(reply) => {
                    // An interrupt that came too late would end the next query: such a worker is not used again.
                    if interrupted {
                        self.statistics.restarts += 1;
                    } else {
                        self.worker = Some(worker);
                    }
                    return Ok(reply);
                }
                Err(RecvTimeoutError::Disconnected) => {
                    self.statistics.restarts += 1;
                    return Err(lost());
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            let over = deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if over && interrupted {
                self.statistics.restarts += 1;
                return Err("interrupted".to_string());
            }
            if !interrupted && (over || limits.is_stopped()) {
                interrupted = true;
                worker.interrupt();
                deadline = Some(Instant::now() + GRACE);
            }
        }
    }
}

impl Solver for Z3Solver {
    fn push(&mut self) {
        self.levels.push(Level { id: self.next_level, asserted: Vec::new() });
        self.next_level += 1;
    }

    fn pop(&mut self, levels: u32) {
        let left = self.levels.len().saturating_sub(levels as usize).max(1);
        self.levels.truncate(left);
    }

    fn assert(&mut self, _: &Terms, condition: Term) {
        if let Some(level) = self.levels.last_mut() {
            level.asserted.push(condition);
        }
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term], limits: &Limits) -> Answer {
        self.statistics.asked += 1;
        if limits.is_stopped() {
            self.statistics.unknown += 1;
            return Answer::Unknown("stopped".to_string());
        }
        let start = Instant::now();
        let reply = self.ask(terms, assumptions, limits);
        let mut solving = start.elapsed();
        let answer = match reply {
            Ok(reply) => {
                self.statistics.translating += reply.translating;
                self.statistics.fresh += u64::from(reply.fresh);
                solving = solving.saturating_sub(reply.translating);
                reply.answer
            }
            Err(reason) => Answer::Unknown(reason),
        };
        self.statistics.solving += solving;
        match &answer {
            Answer::Sat(model) => {
                self.statistics.sat += 1;
                if cfg!(any(debug_assertions, test)) {
                    let asserted = self.levels.iter().flat_map(|level| level.asserted.iter().copied());
                    let refuted = refuted_by_evaluation(terms, model, asserted.chain(assumptions.iter().copied()));
                    assert_eq!(refuted, None, "the solver's model does not satisfy the query: {model:?}");
                }
            }
            Answer::Unsat { .. } => self.statistics.unsat += 1,
            Answer::Unknown(_) => self.statistics.unknown += 1,
        }
        answer
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}
