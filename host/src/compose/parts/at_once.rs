//! Several steps at once, each in a thread of its own: the shared part of `parallel` and `race`.

use crate::compose::findings::Findings;
use crate::compose::knowledge::Knowledge;
use crate::compose::part::Step;
use crate::compose::run::Composition;
use crate::compose::turn::Turn;
use crate::verdict::decides;
use crossbeam_channel::{RecvTimeoutError, unbounded};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};
use tandem_plugin_api::artifact::Outcome;
use tandem_plugin_api::service::StopReason;

/// How long to wait for the losers of a race. A slower one is left behind, since the answer is there.
const PATIENCE: Duration = Duration::from_millis(300);

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Until {
    FirstAnswer,
    AllEnd,
}

pub fn run(composition: &Arc<Composition>, steps: &[Step], known: &Knowledge, turn: &Turn, until: Until) -> Outcome {
    let (sender, receiver) = unbounded();
    let own = turn.shared();
    let begin = |(index, step): (usize, &Step)| {
        let (composition, step, known, turn) = (Arc::clone(composition), step.clone(), known.clone(), own.clone());
        let sender = sender.clone();
        let work = move || {
            let outcome = step.run(&composition, &known, &turn);
            // After an answer of another step, the receiver may be gone.
            let _ = sender.send((index, outcome));
        };
        let started = thread::Builder::new().name(format!("step {index}")).spawn(work);
        started.err().map(|error| Outcome::unknown(format!("no thread could be started: {error}")))
    };
    let mut found: Vec<Option<Outcome>> = steps.iter().enumerate().map(begin).collect();
    drop(sender);
    let mut deadline: Option<Instant> = None;
    while found.iter().any(Option::is_none) {
        let received = match deadline {
            None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(end) => receiver.recv_deadline(end),
        };
        // Some steps are left behind, or ended by a panic.
        let Ok((index, outcome)) = received else { break };
        let answers = until == Until::FirstAnswer && decides(&outcome);
        found[index] = Some(outcome);
        if answers && deadline.is_none() {
            own.stop.stop(StopReason::Cancelled);
            deadline = Some(Instant::now() + PATIENCE);
        }
    }
    // In the order of the text, whichever ended first.
    let mut findings = Findings::new(composition, known);
    for (step, outcome) in steps.iter().zip(found) {
        findings.add(step.name(), outcome.unwrap_or_else(|| Outcome::unknown("it ended without a result")));
    }
    findings.into_outcome()
}
