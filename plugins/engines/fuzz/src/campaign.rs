//! A fuzzing campaign: plants seeds, then alternates between mutation, solving of branches at the frontier, and long
//! runs, until every goal is covered or it is stopped.

use crate::corpus::{Corpus, Entry, MAX_KEPT};
use crate::coverage::{self, CoverageMap, Look, Novelty};
use crate::dictionary::Dictionary;
use crate::frontier::Frontier;
use crate::goals::{Goals, distances};
use crate::mutate::Mutator;
use crate::progress::Reporter;
use crate::random::Random;
use crate::runs::Runs;
use crate::schedule::Schedule;
use crate::settings::Settings;
use crate::values::Shapes;
use rustc_hash::FxHashSet;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::service::execution::{ConsumedInput, Exit, RunLimits, WhenInputsEnd};

/// What compiling costs for each edge of the program, in steps; about half of the real cost, since compiled code is
/// used again.
const COMPILING: u64 = 20_000;

/// Entries that reach a target only with certain values of uninitialised variables.
const MAX_FRAGILE: usize = 64;

/// Executions without anything new after which new combinations of known edges are kept, as long as there are fewer
/// entries than this.
const STUCK: u64 = 4_000;
const MAX_COMBINATIONS: usize = 10_000;

/// The knowledge that a campaign keeps from one round of a cycle to the next.
pub struct Knowledge {
    pub shapes: Shapes,
    pub dictionary: Dictionary,
    pub map: CoverageMap,
    pub corpus: Corpus,
    pub schedule: Schedule,
    pub random: Random,
}

impl Knowledge {
    pub fn new(program: &Program, settings: &Settings, seed: u64) -> Self {
        let shapes = Shapes::new(program);
        let dictionary = if settings.dictionary { Dictionary::new(program, &shapes) } else { Dictionary::empty() };
        Knowledge {
            shapes,
            dictionary,
            map: CoverageMap::new(program.edges.len()),
            corpus: Corpus::new(program.edges.len()),
            schedule: Schedule::new(),
            random: Random::new(seed),
        }
    }
}

/// A vector that covered goals for the first time.
#[derive(Clone, Debug)]
pub struct Found {
    /// All inputs that the run read.
    pub inputs: Vec<ConsumedInput>,
    pub goals: Vec<EdgeId>,
    pub steps: u64,
}

/// Why a campaign ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Nothing is left to look for.
    Done,
    Stopped,
    /// The number of executions that the options allow.
    Executions,
    /// The program reads no inputs, so that there is only one run.
    NoInputs,
}

/// The steps spent on each kind of work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shares {
    pub solving: u64,
    pub long: u64,
}

pub struct Campaign<'c> {
    pub task: &'c Task,
    pub host: &'c Host,
    pub settings: &'c Settings,
    pub knowledge: &'c mut Knowledge,
    pub goals: Goals,
    pub frontier: Frontier,
    pub runs: Runs,
    pub found: Vec<Found>,
    /// Paths that reach a target only with the values that uninitialised variables happen to have.
    pub fragile: FxHashSet<u64>,
    pub shares: Shares,
    pub reporter: Reporter,
    /// The vector being made.
    draft: Vec<u64>,
    /// Executions until something was kept for the last time.
    last_kept: u64,
}

impl<'c> Campaign<'c> {
    pub fn new(
        task: &'c Task,
        inputs: &Inputs,
        host: &'c Host,
        settings: &'c Settings,
        knowledge: &'c mut Knowledge,
    ) -> Result<Self> {
        let goals = Goals::new(task, &inputs.gia);
        let distances = distances(&task.program, goals.remaining());
        let frontier = Frontier::new(&task.program, &distances);
        let runs = Runs::new(host, &task.program, goals.ending())?;
        let reporter = Reporter::new(host);
        let (found, fragile, shares) = (Vec::new(), FxHashSet::default(), Shares::default());
        let draft = Vec::new();
        let last_kept = 0;
        Ok(Campaign {
            task,
            host,
            settings,
            knowledge,
            goals,
            frontier,
            runs,
            found,
            fragile,
            shares,
            reporter,
            draft,
            last_kept,
        })
    }

    pub fn run(&mut self, given: &[Vec<u64>]) -> Result<Ending> {
        if self.goals.done() {
            return Ok(Ending::Done);
        }
        if let Some(ending) = self.plant(given) {
            return Ok(ending);
        }
        loop {
            if let Some(ending) = self.ending() {
                return Ok(ending);
            }
            self.reporter.tick(&self.goals, &self.runs);
            if self.long_run_is_due() {
                self.run_longer();
            } else if self.solving_is_due() {
                self.solve_next()?;
            } else {
                self.mutate_next();
            }
        }
    }

    fn ending(&self) -> Option<Ending> {
        if self.goals.done() {
            Some(Ending::Done)
        } else if self.host.stopped().is_some() || self.reporter.time_is_up() {
            Some(Ending::Stopped)
        } else if self.runs.executions() >= self.settings.executions {
            Some(Ending::Executions)
        } else {
            None
        }
    }

    /// The first vectors: one of zeros, random ones, and those that others found.
    fn plant(&mut self, given: &[Vec<u64>]) -> Option<Ending> {
        let limit = self.settings.steps;
        let (_, exit) = self.attempt(&[], limit, WhenInputsEnd::Zero);
        let mut reads = !self.runs.record().consumed().is_empty();
        for seed in 0..4 {
            let seed = self.knowledge.random.bits() ^ seed;
            self.attempt(&[], limit, WhenInputsEnd::Random(seed));
            reads |= !self.runs.record().consumed().is_empty();
        }
        if !reads {
            return Some(self.run_to_the_end(exit));
        }
        for values in given {
            self.attempt(values, limit, WhenInputsEnd::Zero);
        }
        let entries = self.knowledge.corpus.len();
        for at in 0..16 * usize::from(entries > 0) {
            self.fresh_vector(at % entries, 8 << (at % 4));
            let values = std::mem::take(&mut self.draft);
            self.attempt(&values, limit, WhenInputsEnd::Zero);
            self.draft = values;
        }
        None
    }

    /// A program without inputs has one run, which may take all the time.
    fn run_to_the_end(&mut self, first: Exit) -> Ending {
        if matches!(first, Exit::StepLimit(_)) && !self.goals.done() {
            self.attempt(&[], u64::MAX, WhenInputsEnd::Zero);
        }
        match self.ending() {
            Some(ending) => ending,
            None => Ending::NoInputs,
        }
    }

    fn fresh_vector(&mut self, like: usize, length: usize) {
        let Knowledge { shapes, dictionary, corpus, random, .. } = &mut *self.knowledge;
        let mut mutator = Mutator { shapes, dictionary, random, max_length: self.settings.max_length };
        let functions = corpus.get(like).map_or(&[][..], |entry| &entry.functions);
        self.draft.clear();
        for at in 0..length {
            let function = functions.get(at).or(functions.last()).copied();
            self.draft.push(mutator.fresh(function));
        }
    }

    /// Runs a vector, and keeps it if it shows something new.
    pub fn attempt(&mut self, values: &[u64], limit: u64, tail: WhenInputsEnd) -> (Novelty, Exit) {
        let exit = self.runs.run(values, &RunLimits { steps: limit, when_inputs_end: tail });
        (self.judge(exit, limit, tail, false), exit)
    }

    /// Compares the last run with what is known, and keeps its vector if it shows something new. `traced` says which of
    /// the two executions ran.
    pub fn judge(&mut self, exit: Exit, limit: u64, tail: WhenInputsEnd, traced: bool) -> Novelty {
        if matches!(exit, Exit::Cancelled(_)) {
            return Novelty::Nothing;
        }
        let record = if traced { self.runs.trace() } else { self.runs.record() };
        let look = self.knowledge.map.look(record.coverage());
        let first = self.knowledge.schedule.note(look.path);
        // A run that an assumption ended shows how far it came, but its loop counts are not representative.
        let dead_end = matches!(exit, Exit::AssumptionViolated(_) | Exit::Aborted(_));
        let hit = matches!(exit, Exit::Target(_));
        if hit && !self.is_repeatable(look.path, limit, traced) {
            self.keep_fragile(exit, limit, traced, look);
            return Novelty::Nothing;
        }
        if look.novelty == Novelty::Nothing && first && !dead_end && self.is_stuck() {
            // Known edges in a new combination: the state behind them may be new.
            self.keep(exit, limit, tail, traced, look);
            return Novelty::Nothing;
        }
        if !hit && (look.novelty == Novelty::Nothing || dead_end && look.novelty != Novelty::Edges) {
            return Novelty::Nothing;
        }
        self.keep(exit, limit, tail, traced, look);
        look.novelty
    }

    /// Whether no vector was worth keeping for long.
    fn is_stuck(&self) -> bool {
        self.runs.executions() - self.last_kept >= STUCK && self.knowledge.corpus.len() < MAX_COMBINATIONS
    }

    /// Whether the last run, which reached a target, does so whatever uninitialised variables hold.
    fn is_repeatable(&mut self, path: u64, limit: u64, traced: bool) -> bool {
        if self.fragile.contains(&path) {
            return false;
        }
        let record = if traced { self.runs.trace() } else { self.runs.record() };
        let values: Vec<u64> = record.consumed().iter().map(|input| input.bits).collect();
        let limits = RunLimits { steps: limit, when_inputs_end: WhenInputsEnd::Stop };
        self.runs.reaches_with_junk(&values, &limits).unwrap_or(false)
    }

    /// A vector that reaches a target only by chance may be near to one that always does. So it is mutated, but counts
    /// as nothing new, and its branches stay at the frontier.
    fn keep_fragile(&mut self, exit: Exit, limit: u64, traced: bool, look: Look) {
        if self.host.stopped().is_none() && self.fragile.insert(look.path) && self.fragile.len() <= MAX_FRAGILE {
            let entry = self.entry(exit, limit, WhenInputsEnd::Zero, traced, look);
            self.knowledge.corpus.add(entry);
        }
    }

    fn keep(&mut self, exit: Exit, limit: u64, tail: WhenInputsEnd, traced: bool, look: Look) {
        let entry = self.entry(exit, limit, tail, traced, look);
        self.last_kept = self.runs.executions();
        let record = if traced { self.runs.trace() } else { self.runs.record() };
        let knowledge = &mut *self.knowledge;
        let mut new = knowledge.map.absorb(record.coverage());
        if let Exit::Target(edge) = exit
            && !new.contains(&edge)
        {
            new.push(edge);
        }
        if !new.is_empty() {
            let goals: Vec<EdgeId> = new.iter().copied().filter(|&edge| self.goals.cover(edge)).collect();
            if !goals.is_empty() {
                self.found.push(Found { inputs: record.consumed().to_vec(), goals, steps: record.steps() });
            }
            self.frontier.refresh(&knowledge.map, |edge| self.goals.is_goal(edge));
        }
        if knowledge.corpus.has_room(entry.values.len()) {
            knowledge.corpus.add(entry);
        }
    }

    /// The last run as an entry of the corpus.
    fn entry(&self, exit: Exit, limit: u64, tail: WhenInputsEnd, traced: bool, look: Look) -> Entry {
        let record = if traced { self.runs.trace() } else { self.runs.record() };
        let consumed = record.consumed();
        let kept = &consumed[..consumed.len().min(MAX_KEPT)];
        let mut values: Vec<u64> = kept.iter().map(|input| input.bits).collect();
        if tail == WhenInputsEnd::Zero {
            values.truncate(values.iter().rposition(|&value| value != 0).map_or(0, |last| last + 1));
        }
        Entry {
            values,
            functions: kept.iter().map(|input| input.function).collect(),
            exit,
            steps: record.steps(),
            limit,
            edges: coverage::taken(record.coverage()),
            path: look.path,
            novelty: look.novelty,
            picked: 0,
            found: 0,
        }
    }

    /// Long runs get a small part of the work, and none of them more than all the others together.
    fn long_run_is_due(&self) -> bool {
        self.settings.long_runs && self.shares.long * 8 <= self.runs.work() && self.unfinished().is_some()
    }

    /// An entry whose run was cut off, at the lowest limit of all; short vectors first.
    fn unfinished(&self) -> Option<usize> {
        let entries = self.knowledge.corpus.entries().iter().enumerate();
        let cut = entries.filter(|(_, entry)| matches!(entry.exit, Exit::StepLimit(_)));
        let affordable = cut.filter(|(_, entry)| entry.limit <= self.runs.work() / 16);
        affordable.min_by_key(|(_, entry)| (entry.limit, entry.values.len())).map(|(at, _)| at)
    }

    fn run_longer(&mut self) {
        let Some(index) = self.unfinished() else { return };
        let Some(entry) = self.knowledge.corpus.get_mut(index) else { return };
        entry.limit = entry.limit.saturating_mul(8);
        let (values, limit) = (entry.values.clone(), entry.limit);
        let before = self.runs.work();
        self.attempt(&values, limit, WhenInputsEnd::Zero);
        let reads_on = self.runs.record().consumed().len() > values.len();
        if reads_on && !self.goals.done() {
            // Where all the inputs of a long loop must differ, mutations do not find them.
            let seed = self.knowledge.random.bits();
            self.attempt(&values, limit, WhenInputsEnd::Random(seed));
        }
        self.shares.long += self.runs.work() - before;
    }

    fn solving_is_due(&self) -> bool {
        // Code that records comparisons must be compiled first, which is a waste if mutations alone suffice.
        let worth_compiling = self.runs.work() >= COMPILING * self.task.program.edges.len() as u64;
        self.settings.comparisons
            && worth_compiling
            && self.shares.solving * 2 <= self.runs.work()
            && !self.frontier.open().is_empty()
            && !self.knowledge.corpus.is_empty()
    }

    fn mutate_next(&mut self) {
        let knowledge = &mut *self.knowledge;
        let Some(index) = knowledge.schedule.pick(&knowledge.corpus, &mut knowledge.random) else {
            // No vector was worth keeping, not even the first: there is nothing to mutate.
            let seed = knowledge.random.bits();
            self.attempt(&[], self.settings.steps, WhenInputsEnd::Random(seed));
            return;
        };
        let Some(entry) = knowledge.corpus.get(index) else { return };
        if entry.picked == 0 {
            self.extend_by_one(index);
        }
        let average = self.runs.work() / self.runs.executions().max(1);
        let Some(entry) = self.knowledge.corpus.get(index) else { return };
        let energy = self.knowledge.schedule.energy(entry, average);
        let before = self.knowledge.corpus.len();
        for _ in 0..energy {
            self.mutate(index);
            if self.ending().is_some() {
                break;
            }
        }
        let found = self.knowledge.corpus.len() - before;
        if let Some(entry) = self.knowledge.corpus.get_mut(index) {
            entry.picked += 1;
            entry.found += found as u32;
        }
    }

    /// One more input after the entry's: each value that the program is known to look for.
    fn extend_by_one(&mut self, index: usize) {
        let Some(entry) = self.knowledge.corpus.get(index) else { return };
        let at = entry.values.len();
        let Some(&function) = entry.functions.get(at).or(entry.functions.last()) else { return };
        let choices: Vec<u64> = self.knowledge.dictionary.learned(function).iter().take(32).copied().collect();
        let mut values = entry.values.clone();
        let limit = self.limit_for(index);
        values.push(0);
        for choice in choices {
            values[at] = choice;
            self.attempt(&values, limit, WhenInputsEnd::Stop);
        }
    }

    /// The step limit for mutations of an entry: twice the steps of its run. If that run was cut off the limit stays
    /// the same, since limits would grow without end.
    pub fn limit_for(&self, index: usize) -> u64 {
        let usual = self.knowledge.corpus.usual_limit(self.settings.steps);
        let own = self.knowledge.corpus.get(index).map_or(0, |entry| match entry.is_finished() {
            true => entry.steps.saturating_mul(2),
            false => entry.steps,
        });
        usual.max(own)
    }

    fn mutate(&mut self, index: usize) {
        let limit = self.limit_for(index);
        let Knowledge { shapes, dictionary, corpus, random, .. } = &mut *self.knowledge;
        let other = random.below(corpus.len());
        let (Some(entry), Some(other)) = (corpus.get(index), corpus.get(other)) else { return };
        let mut values = std::mem::take(&mut self.draft);
        values.clear();
        values.extend_from_slice(&entry.values);
        let endless = entry.is_endless() && entry.consumed() > 32;
        let mut mutator =
            Mutator { shapes, dictionary, random, max_length: self.settings.max_length.max(entry.values.len()) };
        mutator.havoc(&mut values, entry, other);
        let tail = match random.below(8) {
            0 if !endless => WhenInputsEnd::Random(random.bits()),
            1..=6 if endless => WhenInputsEnd::Stop,
            _ => WhenInputsEnd::Zero,
        };
        self.attempt(&values, limit, tail);
        self.draft = values;
    }
}
