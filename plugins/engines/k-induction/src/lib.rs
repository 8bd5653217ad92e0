//! k-induction: where k iterations of each loop without an error are followed by another one without, from any state that the
//! loop may be in, and the first k have none, no iteration has one.

mod candidates;

use std::time::{Duration, Instant};
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::service::formulas::Expressions;
use tandem_plugin_api::unroll::{Candidates, Effort, Explorer, Loops, Search, keep_inductive, report};

/// A query about one candidate may take so long.
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
             in ways that no bounded number of iterations shows.",
        )
        .option(
            "last-bound",
            "The number of iterations grows up to this.",
            OptionType::Integer { min: 1, max: 1 << 20 },
            OptionValue::Integer(1 << 20),
        )
        .gives(&[ArtifactKind::Tests, ArtifactKind::Gia])
    }

    fn new(setup: &Setup) -> Result<Self> {
        let last_bound = u32::try_from(setup.options.integer("last-bound")?).unwrap_or(1);
        Ok(KInduction { last_bound })
    }
}

impl Engine for KInduction {
    fn run(&mut self, task: &Task, _inputs: &Inputs, host: &Host) -> Result<Outcome> {
        let mut search = Search::new(task, host)?;
        let mut pool = Expressions::of(&task.program);
        let mut candidates = candidates::collect(task, &mut pool);
        search.formulas.extend(&task.program, &pool)?;
        let (mut k, mut objection) = (0, String::from("nothing was tried"));
        let outcome = loop {
            let step = match round(&mut search, k, &mut candidates, &mut objection) {
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
        report(outcome, &mut search, k)
    }
}

/// Base case and step for one k; `None` if nothing is decided.
fn round(search: &mut Search, k: u32, candidates: &mut Candidates, objection: &mut String) -> Result<Option<Outcome>> {
    search.progress("base case", k + 1);
    let base = Explorer::new(search.task, search.host, &mut search.formulas, Loops::Bounded(k + 1)).run()?;
    if let Some(outcome) = search.errors(&base)? {
        return Ok(Some(outcome));
    }
    if let Some(outcome) = search.completeness(&base)? {
        return Ok(Some(outcome));
    }
    if k == 0 {
        search.progress("invariants", k);
        let deadline = search.host.budget().time.map(|time| Instant::now() + time / SHARE);
        keep_inductive(search, candidates, Effort { query: PATIENCE, deadline, at_once: false })?;
    }
    search.progress("induction step", k);
    let step = Explorer::new(search.task, search.host, &mut search.formulas, Loops::Induction(k));
    let step = step.with(candidates).run()?;
    match search.induction(&step)? {
        Ok(proof) => Ok(Some(proof)),
        Err(reason) => {
            *objection = reason;
            Ok(None)
        }
    }
}

tandem_plugin_api::export_plugin!(KInduction);
