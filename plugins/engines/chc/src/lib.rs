//! Translates the program into constrained Horn clauses over the integers, which Spacer solves. The invariants that
//! Spacer finds count once they are checked bit-precisely.

mod back;
mod cells;
mod clauses;
mod publish;
mod terms;
#[cfg(test)]
mod tests;
mod translate;

use back::Reader;
use cells::Cells;
use clauses::{Builder, Clauses};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use tandem_plugin_api::kit::unroll::{
    Candidates, Effort, Explorer, Hints, Loops, Search, guess_invariants, keep_inductive, report,
};
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::ExprKind;
use tandem_plugin_api::service::formulas::Expressions;
use tandem_plugin_api::service::horn::HornAnswer;
use translate::Arithmetic;

/// The limit of a query about one candidate.
const PATIENCE: Duration = Duration::from_millis(1000);
/// The limit of a query about one of many guesses.
const QUICK: Duration = Duration::from_millis(200);

struct Chc {
    last_bound: u32,
}

impl Plugin for Chc {
    type Kind = kind::Engine;

    fn descriptor() -> Descriptor {
        Descriptor::of::<Self>(
            "chc",
            env!("CARGO_PKG_VERSION"),
            "Constrained Horn clauses: loop invariants by Spacer over the integers, checked bit-precisely.",
        )
        .details(
            "Translates the program to Horn clauses over mathematical integers, first as if nothing overflowed, then with \
             wrap-around, and lets Spacer solve them. The invariants of loops that it finds are translated to C, and those \
             count that are inductive bit-precisely (Houdini). Proofs are inductions that use them. Good at linear relations \
             between counters; arrays and what pointers reach are not followed. Ends with bounded model checking and \
             k-induction with the invariants that were found.",
        )
        .option(
            "last-bound",
            "The number of iterations grows up to this, where clauses do not decide.",
            OptionType::Integer { min: 1, max: 1 << 20 },
            OptionValue::Integer(1 << 20),
        )
        .gives(&[ArtifactKind::Tests, ArtifactKind::Gia, ArtifactKind::Invariants])
    }

    fn new(setup: &Setup) -> Result<Self> {
        let last_bound = u32::try_from(setup.options.integer("last-bound")?).unwrap_or(1);
        Ok(Chc { last_bound })
    }
}

impl Engine for Chc {
    fn run(&mut self, task: &Task, inputs: &Inputs, host: &Host) -> Result<Outcome> {
        let mut hints = Hints::new(&task.program);
        hints.take_inputs(inputs);
        let mut pool = Expressions::of(&task.program);
        let cells = Cells::of(&task.program, &mut pool);
        let mut run = Run {
            search: Search::new(task, host)?,
            pool,
            cells,
            hints,
            candidates: Candidates::default(),
            known: Invariants::new(),
            bound: 0,
            objection: String::from("nothing was tried"),
        };
        let mut outcome = match run.all(self.last_bound) {
            Ok(outcome) => outcome,
            Err(error) if error.kind == ErrorKind::Stopped => Outcome::unknown(format!("{error}: {}", run.objection)),
            Err(error) => return Err(error),
        };
        if !run.known.is_empty() {
            outcome.invariants = Some(run.known);
        }
        report(outcome, &mut run.search, run.bound)
    }
}

/// The result of clauses of one kind.
enum Step {
    Decided(Box<Outcome>),
    /// Spacer finds a way to an error, which may not exist in the program.
    Reachable,
    Open,
}

/// The work on one task.
struct Run<'a> {
    search: Search<'a>,
    pool: Expressions,
    cells: Cells,
    /// Invariants that others claim.
    hints: Hints,
    /// Candidates that are inductive.
    candidates: Candidates,
    /// Invariants that were published.
    known: Invariants,
    bound: u32,
    /// Why there is no verdict yet.
    objection: String,
}

impl Run<'_> {
    fn all(&mut self, last_bound: u32) -> Result<Outcome> {
        // A single iteration may show something, but must not take all of the time.
        self.search.patience = self.share(20);
        match self.bounded(1)? {
            Some(Outcome { verdict: Verdict::Unknown { reason }, .. }) => self.objection = reason,
            Some(outcome) => return Ok(outcome),
            None => {}
        }
        if let Some(outcome) = self.guesses()? {
            return Ok(outcome);
        }
        let mut reachable = false;
        for arithmetic in [Arithmetic::Ideal, Arithmetic::Checked, Arithmetic::Wrapped] {
            // If errors can be reached without an overflow, clauses that count overflows as errors prove nothing.
            if reachable && arithmetic == Arithmetic::Checked {
                continue;
            }
            match self.clauses(arithmetic)? {
                Step::Decided(outcome) => return Ok(*outcome),
                Step::Reachable => reachable = true,
                Step::Open => {}
            }
        }
        self.search.patience = None;
        loop {
            if let Some(outcome) = self.bounded(self.bound + 1)? {
                return Ok(outcome);
            }
            if let Some(outcome) = self.induction(self.bound, false, false)? {
                return Ok(outcome);
            }
            if self.bound >= last_bound {
                return Ok(Outcome::unknown(format!("up to k = {}: {}", self.bound, self.objection)));
            }
            self.bound = (self.bound + 1).max(self.bound.saturating_mul(3) / 2).min(last_bound);
        }
    }

    /// A share of the time that is left.
    fn share(&self, percent: u32) -> Option<Duration> {
        self.search.host.budget().time.map(|time| time * percent / 100)
    }

    /// Errors within a bound, and whether it is complete.
    fn bounded(&mut self, bound: u32) -> Result<Option<Outcome>> {
        self.search.progress("bounded check", bound);
        let (task, host) = (self.search.task, self.search.host);
        let base = Explorer::new(task, host, &mut self.search.formulas, Loops::Bounded(bound)).run()?;
        if let Some(outcome) = self.search.errors(&base)? {
            return Ok(Some(outcome));
        }
        self.search.completeness(&base)
    }

    /// Invariants that are guessed, or claimed by others: they are cheap to check, and Spacer need not find them again.
    fn guesses(&mut self) -> Result<Option<Outcome>> {
        let (task, host) = (self.search.task, self.search.host);
        let mut found = guess_invariants(task, &mut self.pool);
        self.hints.take_incoming(host)?;
        self.hints.add_to(&mut found, &mut self.pool, host);
        self.search.formulas.extend(&task.program, &self.pool)?;
        self.prove(found, QUICK, 25, false)
    }

    /// Builds clauses, asks Spacer, and tries an induction with the invariants that it found.
    fn clauses(&mut self, arithmetic: Arithmetic) -> Result<Step> {
        self.search.progress("Horn clauses", 0);
        let (task, host) = (self.search.task, self.search.host);
        let clauses = match Builder::new(task, host, &self.pool, &self.cells, &self.candidates, arithmetic).build()? {
            Ok(clauses) => clauses,
            Err(reason) => {
                self.objection = reason;
                return Ok(Step::Open);
            }
        };
        let sizes = (clauses.problem.relations.len(), clauses.problem.rules.len(), clauses.problem.nodes.len());
        host.debug(&format!("{arithmetic:?}: {} relations, {} rules, {} terms", sizes.0, sizes.1, sizes.2));
        let started = Instant::now();
        let Clauses { problem, heads, approximate } = clauses;
        let time = self.share(35);
        let answer = self.search.formulas.horn(problem, time)?;
        host.check()?;
        let (nodes, meanings) = match answer {
            HornAnswer::Unreachable { nodes, meanings } => (nodes, meanings),
            HornAnswer::Reachable => {
                let what = if approximate { ", perhaps because of what they leave out" } else { "" };
                self.objection = format!("the clauses reach an error{what}");
                host.debug(&format!("{} after {:.3} s", self.objection, started.elapsed().as_secs_f64()));
                return Ok(Step::Reachable);
            }
            HornAnswer::Unknown(reason) => {
                self.objection = format!("the clauses were not solved: {reason}");
                host.debug(&format!("{} after {:.3} s", self.objection, started.elapsed().as_secs_f64()));
                return Ok(Step::Open);
            }
        };
        host.debug(&format!("solved after {:.3} s", started.elapsed().as_secs_f64()));
        let mut found = self.candidates.clone();
        for (head, meaning) in heads.iter().zip(&meanings) {
            let mut reader = Reader { pool: &mut self.pool, nodes: &nodes, cells: &head.cells };
            let conditions = reader.conditions(meaning);
            let list = found.entry(head.location).or_default();
            for condition in conditions {
                if !list.contains(&condition) {
                    list.push(condition);
                }
            }
        }
        self.describe("proposed", &found);
        self.publish(&found, false)?;
        self.search.formulas.extend(&task.program, &self.pool)?;
        Ok(self.prove(found, PATIENCE, 50, true)?.map_or(Step::Open, |outcome| Step::Decided(Box::new(outcome))))
    }

    /// Finds the candidates that are inductive, and what follows from them. One query may take `query`, and all of them
    /// `percent` of the time that is left. A few candidates are also checked path by path.
    fn prove(&mut self, found: Candidates, query: Duration, percent: u32, apart: bool) -> Result<Option<Outcome>> {
        self.search.progress("invariants", 0);
        // Candidates without wide types come first: conditions in wide types make queries hard.
        let mut plain = found.clone();
        for list in plain.values_mut() {
            list.retain(|&candidate| !self.is_wide(candidate));
        }
        let wide = plain.values().map(Vec::len).sum::<usize>() < found.values().map(Vec::len).sum();
        self.keep(plain, query, percent / (1 + u32::from(wide)), apart)?;
        if let Some(outcome) = self.induction(0, true, apart)? {
            return Ok(Some(self.proven(outcome)?));
        }
        if wide {
            let mut all = self.candidates.clone();
            for (head, list) in found {
                let known = all.entry(head).or_default();
                known.extend(list.into_iter().filter(|&candidate| self.is_wide(candidate)));
                let mut seen = BTreeSet::new();
                known.retain(|&candidate| seen.insert(candidate));
            }
            self.keep(all, query, percent, apart)?;
            if let Some(outcome) = self.induction(0, true, apart)? {
                return Ok(Some(self.proven(outcome)?));
            }
        }
        Ok(None)
    }

    /// Whether a condition converts values to compute with them.
    fn is_wide(&self, condition: ExprId) -> bool {
        let mut wide = false;
        self.pool.exprs.walk(condition, &mut |node| wide |= matches!(self.pool.exprs.kind(node), ExprKind::Cast(_)));
        wide
    }

    /// Drops candidates that are not inductive. If time runs out, all new ones are dropped; earlier results stay.
    fn keep(&mut self, mut found: Candidates, query: Duration, percent: u32, apart: bool) -> Result<()> {
        let deadline = self.share(percent).map(|time| Instant::now() + time);
        keep_inductive(&mut self.search, &mut found, Effort { query, deadline, at_once: true, apart })?;
        if found.values().any(|list| !list.is_empty()) {
            self.candidates = found;
        }
        self.describe("inductive", &self.candidates);
        Ok(())
    }

    /// The proof: nothing happens that the formulas do not describe, so that inductive candidates hold.
    fn proven(&mut self, outcome: Outcome) -> Result<Outcome> {
        let proven = self.candidates.clone();
        self.publish(&proven, true)?;
        Ok(outcome)
    }

    fn describe(&self, what: &str, candidates: &Candidates) {
        let host = self.search.host;
        let mut heads: Vec<_> = candidates.iter().collect();
        heads.sort();
        let program = self.pool.with(&self.search.task.program);

        for (head, list) in heads {
            for &condition in list {
                host.debug(&format!("{what} at {head}: {}", program.expr_to_c(condition)));
            }
        }
    }

    fn induction(&mut self, k: u32, at_once: bool, apart: bool) -> Result<Option<Outcome>> {
        self.search.progress("induction step", k);
        let (task, host) = (self.search.task, self.search.host);
        let step = Explorer::new(task, host, &mut self.search.formulas, Loops::Induction(k));
        let step = if at_once { step.at_once() } else { step };
        let step = if apart { step.apart() } else { step };
        let step = step.with(&self.candidates).run()?;
        self.search.patience = if at_once { self.share(30) } else { None };
        match self.search.induction(&step)? {
            Ok(proof) => Ok(Some(proof)),
            Err(reason) => {
                self.objection = reason;
                Ok(None)
            }
        }
    }

    /// Publishes candidates for other actors.
    fn publish(&mut self, candidates: &Candidates, checked: bool) -> Result<()> {
        let new = publish::invariants(&self.search.task.program, &self.pool, candidates, checked);
        if !new.is_empty() {
            self.search.host.publish(&Artifact::Invariants(new.clone()))?;
            self.known.merge(new);
        }
        Ok(())
    }
}

tandem_plugin_api::export_plugin!(Chc);
