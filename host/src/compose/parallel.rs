//! Several actors at once, each in a thread of its own. In a race the first answer ends the others.

use super::combine::{combine, is_answer};
use super::config::Step;
use super::run::{Composition, Span};
use super::services::Timer;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};
use tandem_plugin_api::artifact::Outcome;
use tandem_plugin_api::service::{StopReason, StopSignal};
use tandem_plugin_api::task::Inputs;

/// How long those that lost a race are waited for. Whoever takes longer is left behind: the answer is there.
const PATIENCE: Duration = Duration::from_millis(300);
/// Engines recurse over programs; only what is used is ever backed by memory.
const STACK: usize = 64 << 20;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Until {
    FirstAnswer,
    AllEnd,
}

pub fn run(composition: &Arc<Composition>, steps: &[Step], inputs: &Inputs, span: &Span, until: Until) -> Outcome {
    let (sender, receiver) = channel();
    let own = StopSignal::new();
    let follower = Timer::follow(&span.stop, own.clone(), None);
    let mut found: Vec<Option<Outcome>> = steps
        .iter()
        .enumerate()
        .map(|(index, step)| {
            let (composition, step, inputs) = (Arc::clone(composition), step.clone(), inputs.clone());
            let span = Span { stop: own.clone(), deadline: span.deadline };
            let sender = sender.clone();
            let work = move || {
                let outcome = composition.step(&step, &inputs, &span);
                // Nobody listens any more where the answer came from elsewhere.
                let _ = sender.send((index, outcome));
            };
            let started = thread::Builder::new().name(format!("actor {index}")).stack_size(STACK).spawn(work);
            started.err().map(|error| Outcome::unknown(format!("no thread could be started: {error}")))
        })
        .collect();
    drop(sender);
    let mut deadline: Option<Instant> = None;
    while found.iter().any(Option::is_none) {
        let wait = deadline.map_or(Duration::from_secs(3600), |end| end.saturating_duration_since(Instant::now()));
        match receiver.recv_timeout(wait) {
            Ok((index, outcome)) => {
                let answers = until == Until::FirstAnswer && is_answer(&outcome);
                found[index] = Some(outcome);
                if answers && deadline.is_none() {
                    own.stop(StopReason::Cancelled);
                    deadline = Some(Instant::now() + PATIENCE);
                }
            }
            Err(RecvTimeoutError::Timeout) if deadline.is_none() => {}
            // Left behind, or ended by a panic.
            Err(_) => break,
        }
    }
    drop(follower);
    let named = steps.iter().zip(found).map(|(step, outcome)| {
        let outcome = outcome.unwrap_or_else(|| Outcome::unknown("it ended without a result"));
        (step.run.actors().join("+"), outcome)
    });
    combine(named.collect())
}
