//! One actor after the other: each starts with what those before it found, and the first answer ends the sequence.

use super::combine::{add_to, combine, is_answer};
use super::config::Step;
use super::run::{Composition, Span};
use std::sync::Arc;
use tandem_plugin_api::artifact::{Gia, Outcome, Soundness};
use tandem_plugin_api::service::LogLevel;
use tandem_plugin_api::task::Inputs;

pub fn run(composition: &Arc<Composition>, steps: &[Step], inputs: &Inputs, span: &Span) -> Outcome {
    let mut inputs = inputs.clone();
    let mut outcomes = Vec::new();
    // What the GIA among the inputs rests on.
    let mut grounds = Soundness::clean();
    for (at, step) in steps.iter().enumerate() {
        let mut outcome = composition.step(step, &inputs, span);
        if composition.relies_on_gia(&step.run) {
            outcome.rests_on(&grounds);
        }
        if let Some(conflict) = add_to(composition.task.program(), &mut inputs, &outcome, &mut grounds) {
            composition.events.log(&step.run.actors().join("+"), LogLevel::Warning, &conflict);
        }
        let ends = is_answer(&outcome) || span.stop.reason().is_some();
        outcomes.push((step.run.actors().join("+"), outcome));
        if ends {
            break;
        }
        if let (Some(recorder), Some(next)) = (&composition.recorder, steps.get(at + 1)) {
            let (from, to) = (step.run.actors().join("+"), next.run.actors().join("+"));
            recorder.handed_on(&from, &to, &inputs, composition.residual);
        }
    }
    let mut outcome = combine(outcomes);
    // What all of them know together, and those before them.
    if outcome.verdict.is_unknown() && inputs.gia != Gia::nothing_known() {
        outcome.gia = Some(inputs.gia);
    }
    outcome
}
