//! `cycle`: steps take turns, each within its limit, until one has the answer (CoVeriTest, STTT 2021, Alg. 3). What a step takes over from
//! the turns before it is decided by Alg. 4 of that paper, for each step on its own.

mod takes_over;

use crate::compose::check::CheckedActors;
use crate::compose::check_run::StepReader;
use crate::compose::document::{Entry, Node, Value};
use crate::compose::findings::Findings;
use crate::compose::knowledge::Knowledge;
use crate::compose::part::{Keyword, Part, Step, StepOrder};
use crate::compose::run::Composition;
use crate::compose::schema::{Fields, Problems};
use crate::compose::turn::Turn;
use crate::verdict::decides;
use std::sync::Arc;
use takes_over::{Reuse, TakesOver};
use tandem_plugin_api::artifact::{Outcome, Precision};
use tandem_plugin_api::service::LogLevel;

pub const KEYWORD: Keyword = Keyword { key: "cycle", others: &["rounds"], read };

/// A turn takes a moment even if it finds nothing; more rounds than this are no limit.
const MOST_ROUNDS: i64 = 1_000_000_000;

fn read(reader: &mut StepReader<'_, '_>, entry: &Entry, fields: &mut Fields<'_>) -> Option<Arc<dyn Part>> {
    let rounds = fields.integer(reader.problems, "rounds", 1..=MOST_ROUNDS);
    let Value::List(elements) = &entry.node.value else {
        // Reports that it is no list.
        reader.steps(entry);
        return None;
    };
    if elements.is_empty() {
        reader.problems.report(entry.node.place, "`cycle` has no steps");
    }
    // Each is read, so that all mistakes are reported.
    let turns: Vec<Option<InTurn>> = elements.iter().map(|element| read_turn(reader, element)).collect();
    let turns: Vec<InTurn> = turns.into_iter().collect::<Option<_>>()?;
    refuse_mixed_actors(reader.problems, &turns, entry);
    (!turns.is_empty()).then(|| Arc::new(Cycle { turns, rounds: rounds.map(i64::unsigned_abs) }) as _)
}

fn read_turn(reader: &mut StepReader<'_, '_>, element: &Node) -> Option<InTurn> {
    let mut takes_over = TakesOver::nothing(element.place);
    let step = reader.step_with("cycle", element, &mut |problems, fields| {
        takes_over = TakesOver::read(problems, fields, element.place);
    })?;
    if step.limit.is_none() && step.share.is_none() {
        let help = "write { actor = \"NAME\", limit = \"20s\" }; the next step gets its turn after this time";
        reader.problems.report_with_help(element.place, "a step of `cycle` has neither `limit` nor `share`", help);
    }
    Some(InTurn { step, takes_over })
}

/// An actor keeps its graph for the next step in which it stands: one of two steps cannot start anew.
fn refuse_mixed_actors(problems: &mut Problems<'_>, turns: &[InTurn], entry: &Entry) {
    for (at, turn) in turns.iter().enumerate() {
        for name in turn.step.part.actors() {
            let other = turns[..at].iter().find(|other| other.step.part.actors().contains(&name));
            if other.is_some_and(|other| other.takes_over.keeps_actors() != turn.takes_over.keeps_actors()) {
                let message =
                    format!("actor `{name}` stands in two steps of `cycle`, and only one has reuse = \"arg\"");
                let help = "define it under two names, [actor.NAME] and [actor.OTHER]: each is an actor of its own";
                problems.report_with_help(entry.node.place, message, help);
            }
        }
    }
}

/// A step, and what it starts with in its turns.
#[derive(Clone, Debug)]
struct InTurn {
    step: Step,
    takes_over: TakesOver,
}

#[derive(Debug)]
struct Cycle {
    turns: Vec<InTurn>,
    rounds: Option<u64>,
}

impl Part for Cycle {
    fn steps(&self) -> Vec<&Step> {
        self.turns.iter().map(|turn| &turn.step).collect()
    }

    /// From the second round on, each step gets what all others found.
    fn order(&self) -> StepOrder {
        StepOrder::AtOnce
    }

    fn check(&self, actors: &CheckedActors<'_>, problems: &mut Problems<'_>) {
        for (at, turn) in self.turns.iter().enumerate() {
            let before = &self.turns[(at + self.turns.len() - 1) % self.turns.len()];
            turn.takes_over.check(&turn.step, &before.step, actors, problems);
        }
    }

    fn run(&self, composition: &Arc<Composition>, known: &Knowledge, turn: &Turn) -> Outcome {
        let mut run = Run {
            composition,
            turns: &self.turns,
            known,
            findings: Findings::new(composition, known),
            steps: vec![StepState::default(); self.turns.len()],
            last: None,
        };
        let mut round = 0;
        let why = loop {
            if self.rounds == Some(round) {
                break format!("{round} rounds are over");
            }
            round += 1;
            match run.round(turn) {
                Round::Ended => break format!("it ended in round {round}"),
                Round::GoesOn => {}
                Round::InVain => break format!("round {round} changed nothing, and the next could not either"),
            }
        };
        composition.events.log("cycle", LogLevel::Debug, &why);
        let mut outcome = run.findings.into_outcome();
        outcome.statistic("rounds", round);
        outcome
    }
}

/// How a round ended.
#[derive(PartialEq, Eq)]
enum Round {
    /// An answer, or the end of the time.
    Ended,
    GoesOn,
    /// Another round would do the same.
    InVain,
}

/// A run of a cycle.
struct Run<'c> {
    composition: &'c Arc<Composition>,
    turns: &'c [InTurn],
    /// What the cycle itself was given.
    known: &'c Knowledge,
    findings: Findings,
    /// By step.
    steps: Vec<StepState>,
    /// The outcome of the last turn, whichever step had it: `args[length(args) - 1]` in Alg. 4.
    last: Option<Outcome>,
}

/// What is known of a step's earlier turns.
#[derive(Clone, Default)]
struct StepState {
    /// What it started with.
    started_with: Option<Knowledge>,
    /// The precision that it had at its end: `last_arg_of_analysis(…).π` in Alg. 4.
    precision: Option<Precision>,
}

impl Run<'_> {
    fn round(&mut self, turn: &Turn) -> Round {
        let mut in_vain = true;
        for at in 0..self.turns.len() {
            if turn.stop.reason().is_some() {
                return Round::Ended;
            }
            let start = self.start(at);
            let starts_as_before =
                self.steps[at].started_with.as_ref().is_some_and(|before| before.inputs == start.inputs);
            let (outcome, ended_by_itself) = self.take_turn(at, &start, turn);
            in_vain &= starts_as_before && (ended_by_itself || !self.turns[at].takes_over.keeps_actors());
            self.steps[at].started_with = Some(start);
            self.steps[at].precision = outcome.precision.clone().or(self.steps[at].precision.take());
            let is_answer = decides(&outcome);
            self.last = Some(outcome.clone());
            self.findings.replace(at, self.turns[at].step.name(), outcome);
            if is_answer || turn.stop.reason().is_some() {
                return Round::Ended;
            }
            self.record(at);
        }
        if in_vain { Round::InVain } else { Round::GoesOn }
    }

    /// Runs a step; also says whether it ended before its time was over.
    fn take_turn(&self, at: usize, start: &Knowledge, turn: &Turn) -> (Outcome, bool) {
        let InTurn { step, takes_over } = &self.turns[at];
        let keeps_actors = takes_over.keeps_actors();
        if !keeps_actors {
            step.part.actors().into_iter().for_each(|name| self.composition.resting.end(name));
        }
        let own = if keeps_actors { turn.with_return() } else { turn.once() };
        match step.turn(&own) {
            Ok(own) => {
                let outcome = step.part.run(self.composition, start, &own);
                (outcome, own.stop.reason().is_none())
            }
            Err(why) => (Outcome::unknown(why), true),
        }
    }

    /// `coopAndInit` (Alg. 4). Tests, and what others claim of loops, are known to every step.
    fn start(&self, at: usize) -> Knowledge {
        let takes_over = &self.turns[at].takes_over;
        let mut start = self.known.clone();
        let found = &self.findings.known().inputs;
        start.inputs.tests = found.tests.clone();
        start.inputs.invariants = found.invariants.clone();
        if takes_over.reuse == Reuse::Precision {
            start.add_precision(self.steps[at].precision.as_ref());
        }
        let Some(last) = &self.last else { return start };
        if takes_over.transform_precision {
            start.add_precision(last.precision.as_ref());
        }
        if takes_over.condition {
            let condition =
                Outcome { gia: last.gia.clone(), soundness: last.soundness.clone(), ..Outcome::unknown("") };
            for lost in start.learn(self.composition.task.program(), &condition) {
                self.composition.events.log(&self.turns[at].step.name(), LogLevel::Warning, &lost);
            }
        }
        start
    }

    /// Notes for the report what the next step gets.
    fn record(&self, at: usize) {
        let next = (at + 1) % self.turns.len();
        if let Some(recorder) = &self.composition.recorder {
            let (from, to) = (self.turns[at].step.name(), self.turns[next].step.name());
            recorder.handed_on(&from, &to, &self.start(next).inputs, self.composition.residual);
        }
    }
}
