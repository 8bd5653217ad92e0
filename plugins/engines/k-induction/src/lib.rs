//! k-induction: no iteration has an error if the first k iterations have none, and if k iterations without an error,
//! from any state that the loop may be in, are always followed by another one without.

use std::time::{Duration, Instant};
use tandem_plugin_api::kit::unroll::{
    Candidates, Effort, Explorer, Hints, Loops, Search, as_invariants, guess_invariants, keep_inductive, report,
};
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::service::formulas::Expressions;

/// The limit of a query about one candidate.
const PATIENCE: Duration = Duration::from_millis(300);
/// The search for invariants ends after this share of the time that is left.
const SHARE: u32 = 3;

struct KInduction {
    last_bound: u32,
}

impl Plugin for KInduction {
    type Kind = kind::Engine;

    fn descriptor() -> Descriptor {
        Descriptor::of::<Self>(
            "k-induction",
            env!("CARGO_PKG_VERSION"),
            "k-induction: proves that k iterations without an error are followed by another one without.",
        )
        .details(
            "Alternates between bounded model checking, which finds errors and decides what is bounded, and an induction \
             step: every loop that constants do not decide is replaced by its first k iterations and by k + 1 iterations \
             from any state that the loop may be in; what the loop does not change keeps its value. Good at loops whose \
             invariant follows from a few iterations, and at state machines; weak where the invariant relates variables \
             in ways that no bounded number of iterations shows. Invariants that others claim, before it starts or while it \
             runs, are checked and used.",
        )
        .option(
            "last-bound",
            "The number of iterations grows up to this.",
            OptionType::Integer { min: 1, max: 1 << 20 },
            OptionValue::Integer(1 << 20),
        )
        .gives(&[ArtifactKind::Tests, ArtifactKind::Gia, ArtifactKind::Invariants])
    }

    fn new(setup: &Setup) -> Result<Self> {
        let last_bound = u32::try_from(setup.options.integer("last-bound")?).unwrap_or(1);
        Ok(KInduction { last_bound })
    }
}

impl Engine for KInduction {
    fn run(&mut self, task: &Task, inputs: &Inputs, host: &Host) -> Result<Outcome> {
        let mut run = Induction::new(task, inputs, host)?;
        let (mut k, mut objection) = (0, String::from("nothing was tried"));
        let outcome = loop {
            let step = match run.round(k, &mut objection) {
                Ok(outcome) => outcome,
                Err(error) if error.kind == ErrorKind::Stopped => {
                    Some(Outcome::unknown(format!("{error} at k = {k}: {objection}")))
                }
                Err(error) => return Err(error),
            };
            match step {
                Some(outcome) => break outcome,
                None if k >= self.last_bound => break Outcome::unknown(format!("up to k = {k}: {objection}")),
                None => k = (k + 1).max(k.saturating_mul(3) / 2).min(self.last_bound),
            }
        };
        run.report(outcome, k)
    }
}

/// A run of the engine.
struct Induction<'a> {
    search: Search<'a>,
    pool: Expressions,
    hints: Hints,
    /// Candidates that were guessed or claimed, and not checked yet.
    candidates: Candidates,
    /// Candidates that are inductive.
    kept: Candidates,
    claims: usize,
}

impl<'a> Induction<'a> {
    fn new(task: &'a Task, inputs: &Inputs, host: &'a Host) -> Result<Self> {
        let mut pool = Expressions::of(&task.program);
        let candidates = guess_invariants(task, &mut pool);
        let mut hints = Hints::new(&task.program);
        hints.take_inputs(inputs);
        let search = Search::new(task, host)?;
        Ok(Induction { search, pool, hints, candidates, kept: Candidates::default(), claims: 0 })
    }

    /// Base case and step for one k; `None` if nothing is decided.
    fn round(&mut self, k: u32, objection: &mut String) -> Result<Option<Outcome>> {
        let search = &mut self.search;
        search.progress("base case", k + 1);
        let base = Explorer::new(search.task, search.host, &mut search.formulas, Loops::Bounded(k + 1)).run()?;
        if let Some(outcome) = search.errors(&base)? {
            return Ok(Some(outcome));
        }
        if let Some(outcome) = search.completeness(&base)? {
            return Ok(Some(outcome));
        }
        self.look_for_invariants(k)?;
        let search = &mut self.search;
        search.progress("induction step", k);
        let step = Explorer::new(search.task, search.host, &mut search.formulas, Loops::Induction(k));
        let step = step.with(&self.kept).run()?;
        match search.induction(&step)? {
            Ok(proof) => Ok(Some(proof)),
            Err(reason) => {
                *objection = reason;
                Ok(None)
            }
        }
    }

    /// Checks guessed candidates in the first round, and candidates that others claim in every round. Keeps those that
    /// are inductive together with the candidates that were kept before.
    fn look_for_invariants(&mut self, k: u32) -> Result<()> {
        let search = &mut self.search;
        self.hints.take_incoming(search.host)?;
        let claimed = self.hints.add_to(&mut self.candidates, &mut self.pool, search.host);
        self.claims += claimed;
        if self.candidates.values().all(Vec::is_empty) {
            return Ok(());
        }
        search.progress("invariants", k);
        search.formulas.extend(&search.task.program, &self.pool)?;
        let mut all = self.kept.clone();
        for (head, list) in self.candidates.drain() {
            let known = all.entry(head).or_default();
            for candidate in list {
                if !known.contains(&candidate) {
                    known.push(candidate);
                }
            }
        }
        let deadline = search.host.budget().time.map(|time| Instant::now() + time / SHARE);
        keep_inductive(search, &mut all, Effort { query: PATIENCE, deadline, at_once: false, apart: false })?;
        // If time runs out, none of the new candidates is kept; earlier ones stay.
        if all.values().any(|list| !list.is_empty()) {
            self.kept = all;
        }
        Ok(())
    }

    fn report(mut self, mut outcome: Outcome, k: u32) -> Result<Outcome> {
        let kept: usize = self.kept.values().map(Vec::len).sum();
        outcome.statistic("invariants", kept);
        if self.claims > 0 {
            outcome.statistic("invariants that others claim", self.claims);
        }
        if kept > 0 {
            // Candidates hold from where constants no longer decide whether a loop goes on, so for others they are
            // hints.
            let program = &self.search.task.program;
            outcome.invariants = Some(as_invariants(program, &self.pool, &self.kept, "k-induction", false));
        }
        report(outcome, &mut self.search, k)
    }
}

tandem_plugin_api::export_plugin!(KInduction);
