//! The thread that owns Z3's context: it translates terms, keeps solvers in step with the asserted terms, and can be
//! interrupted.

use super::super::Answer;
use super::model;
use super::strategy::{Engine, Patience, Strategy};
use super::translate::Translation;
use crate::smt::term::{Node, Sort, Term};
use ::z3::ast::Bool;
use ::z3::{Context, Params, SatResult};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SendError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Z3 recurses on deep terms in places. Only what is used is ever backed by memory.
const STACK: usize = 512 << 20;
/// Queries that bring more new terms than this go to a fresh solver at once, since only a fresh one respects its time
/// limit while it simplifies them.
const MAX_TERMS: usize = 50_000;
/// How long to wait for the end of a worker.
const LAST_WAIT: Duration = Duration::from_millis(500);

/// The terms that were asserted between two pushes. No two levels ever have one id.
#[derive(Clone)]
pub struct Level {
    pub id: u64,
    pub asserted: Vec<Term>,
}

pub struct Question {
    /// Terms that the worker does not have yet, operands first.
    pub terms: Vec<(Term, Node, Sort)>,
    pub levels: Vec<Level>,
    pub assumptions: Vec<Term>,
    pub time: Option<Duration>,
}

pub struct Reply {
    pub answer: Answer,
    pub translating: Duration,
    /// Whether a fresh solver gave it.
    pub fresh: bool,
}

/// The caller's end. Dropping it ends the thread, even in the middle of a query.
pub struct Worker {
    questions: Option<Sender<Question>>,
    replies: Receiver<Reply>,
    interrupts: Option<Sender<()>>,
    ended: Arc<AtomicBool>,
}

impl Worker {
    pub fn start(strategy: Strategy) -> std::io::Result<Worker> {
        let (questions, asked) = channel();
        let (answer, replies) = channel();
        let (interrupts, interrupted) = channel();
        let ended = Arc::new(AtomicBool::new(false));
        let over = Ended(ended.clone());
        thread::Builder::new().name("z3".to_string()).stack_size(STACK).spawn(move || {
            let over = over;
            let context = Context::thread_local();
            thread::scope(|scope| {
                let handle = context.handle();
                let queries_over = Ended(Arc::new(AtomicBool::new(false)));
                let done = queries_over.0.clone();
                scope.spawn(move || {
                    for () in interrupted.iter() {
                        handle.interrupt();
                    }
                    // The caller no longer waits. An interrupt between two steps of a query is lost, so interrupts are
                    // repeated.
                    while !done.load(Ordering::Acquire) {
                        handle.interrupt();
                        thread::sleep(Duration::from_millis(2));
                    }
                });
                serve(&strategy, &asked, &answer);
                drop(queries_over);
            });
            drop(context);
            drop(over);
        })?;
        Ok(Worker { questions: Some(questions), replies, interrupts: Some(interrupts), ended })
    }

    pub fn ask(&self, question: Question) -> Result<(), SendError<Question>> {
        match &self.questions {
            Some(questions) => questions.send(question),
            None => Err(SendError(question)),
        }
    }

    pub fn reply(&self, wait: Duration) -> Result<Reply, RecvTimeoutError> {
        self.replies.recv_timeout(wait)
    }

    pub fn interrupt(&self) {
        if let Some(interrupts) = &self.interrupts {
            // A worker that has ended needs no interrupt.
            let _ = interrupts.send(());
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.questions = None;
        self.interrupts = None;
        // Z3 must not run while the process unloads its library.
        let deadline = Instant::now() + LAST_WAIT;
        while !self.ended.load(Ordering::Acquire) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Notes that something is over, however it ends.
struct Ended(Arc<AtomicBool>);

impl Drop for Ended {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

fn serve(strategy: &Strategy, questions: &Receiver<Question>, replies: &Sender<Reply>) {
    let mut state = State {
        strategy: strategy.clone(),
        translation: Translation::default(),
        solvers: Vec::new(),
        patience: Patience::default(),
    };
    while let Ok(question) = questions.recv() {
        if replies.send(state.answer(question)).is_err() {
            break;
        }
    }
}

struct State {
    strategy: Strategy,
    translation: Translation,
    /// One for each engine that was needed.
    solvers: Vec<(Engine, Incremental)>,
    patience: Patience,
}

impl State {
    fn answer(&mut self, question: Question) -> Reply {
        let start = Instant::now();
        let translated = self.translation.add(&question.terms);
        let translating = start.elapsed();
        let mut fresh = false;
        let answer = match translated {
            Ok(()) => self.check(&question, &mut fresh).unwrap_or_else(Answer::Unknown),
            Err(reason) => Answer::Unknown(reason),
        };
        Reply { answer, translating, fresh }
    }

    fn check(&mut self, question: &Question, fresh: &mut bool) -> Result<Answer, String> {
        let start = Instant::now();
        let asserted = question.levels.iter().flat_map(|level| &level.asserted);
        let theories = self.translation.theories(asserted.chain(&question.assumptions));
        let strategy = self.strategy.clone();
        if let Some((engine, time)) = strategy.incremental(theories)
            && (time.is_none() || (question.terms.len() < MAX_TERMS && self.patience.allows()))
        {
            let limit = match (time, question.time) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
            let answer = self.check_incrementally(engine, question, limit)?;
            // Z3 simplifies while terms are asserted, and has no time limit there.
            let soon = time.is_none_or(|time| start.elapsed() < time * 4);
            self.patience.note(soon && !matches!(answer, Answer::Unknown(_)));
            let left = question.time.is_none_or(|time| start.elapsed() < time);
            if !matches!(answer, Answer::Unknown(_)) || !left || time.is_none() {
                return Ok(answer);
            }
        }
        *fresh = true;
        let left = question.time.map(|time| time.saturating_sub(start.elapsed()));
        self.check_afresh(strategy.afresh(theories), question, left)
    }

    fn check_incrementally(
        &mut self,
        engine: Engine,
        question: &Question,
        time: Option<Duration>,
    ) -> Result<Answer, String> {
        let at = match self.solvers.iter().position(|(known, _)| *known == engine) {
            Some(at) => at,
            None => {
                self.solvers.push((engine, Incremental::new(engine.solver())));
                self.solvers.len() - 1
            }
        };
        let solver = &mut self.solvers[at].1;
        solver.follow(&question.levels, &self.translation)?;
        let literals = question
            .assumptions
            .iter()
            .map(|&term| solver.literal(term, &self.translation))
            .collect::<Result<Vec<Bool>, String>>()?;
        set_time(&solver.solver, time);
        match solver.solver.check_assumptions(&literals) {
            SatResult::Unsat => {
                let core = solver.solver.get_unsat_core();
                let core = (0..literals.len()).filter(|&at| core.contains(&literals[at])).collect();
                Ok(Answer::Unsat { core })
            }
            result => self.sat_or_unknown(result, &self.solvers[at].1.solver),
        }
    }

    fn check_afresh(&self, engine: Engine, question: &Question, time: Option<Duration>) -> Result<Answer, String> {
        let solver = engine.solver();
        set_time(&solver, time);
        for &term in question.levels.iter().flat_map(|level| &level.asserted).chain(&question.assumptions) {
            for part in self.translation.conjuncts(term) {
                solver.assert(self.translation.truth(part)?);
            }
        }
        match solver.check() {
            SatResult::Unsat => Ok(Answer::Unsat { core: (0..question.assumptions.len()).collect() }),
            result => self.sat_or_unknown(result, &solver),
        }
    }

    fn sat_or_unknown(&self, result: SatResult, solver: &::z3::Solver) -> Result<Answer, String> {
        if result == SatResult::Sat
            && let Some(found) = solver.get_model()
        {
            return Ok(Answer::Sat(model::read(&found, &self.translation)));
        }
        Ok(Answer::Unknown(solver.get_reason_unknown().unwrap_or_else(|| "no reason given".to_string())))
    }
}

fn set_time(solver: &::z3::Solver, time: Option<Duration>) {
    let mut params = Params::new();
    let millis = time.map_or(u32::MAX, |time| u32::try_from(time.as_millis()).unwrap_or(u32::MAX).max(1));
    params.set_u32("timeout", millis);
    // An interrupt is for this process, not for the query that happens to run.
    params.set_bool("ctrl_c", false);
    solver.set_params(&params);
}

/// A solver that keeps what it learned from query to query.
struct Incremental {
    solver: ::z3::Solver,
    /// What it has asserted: ids of levels and how many terms of each.
    levels: Vec<(u64, usize)>,
    /// Literals that stand for assumptions, and the level that defines each.
    literals: FxHashMap<Term, (usize, Bool)>,
}

impl Incremental {
    fn new(solver: ::z3::Solver) -> Self {
        Incremental { solver, levels: vec![(0, 0)], literals: FxHashMap::default() }
    }

    /// Makes the asserted terms those of `levels`.
    fn follow(&mut self, levels: &[Level], translation: &Translation) -> Result<(), String> {
        let common = self.levels.iter().zip(levels).take_while(|(mine, level)| mine.0 == level.id).count();
        if self.levels.len() > common {
            self.solver.pop((self.levels.len() - common) as u32);
            self.levels.truncate(common);
            self.literals.retain(|_, (level, _)| *level < common);
        }
        for (at, level) in levels.iter().enumerate() {
            if at == self.levels.len() {
                self.solver.push();
                self.levels.push((level.id, 0));
            }
            let done = std::mem::replace(&mut self.levels[at].1, level.asserted.len());
            // Only the last level grows.
            for &term in level.asserted.iter().skip(done) {
                for part in translation.conjuncts(term) {
                    self.solver.assert(translation.truth(part)?);
                }
            }
        }
        Ok(())
    }

    /// A literal that implies the term.
    fn literal(&mut self, term: Term, translation: &Translation) -> Result<Bool, String> {
        if translation.is_literal(term) {
            return Ok(translation.truth(term)?.clone());
        }
        if let Some((_, literal)) = self.literals.get(&term) {
            return Ok(literal.clone());
        }
        let literal = Bool::fresh_const("assumed");
        for part in translation.conjuncts(term) {
            self.solver.assert(literal.implies(translation.truth(part)?));
        }
        self.literals.insert(term, (self.levels.len() - 1, literal.clone()));
        Ok(literal)
    }
}
