//! One actor after the other: each starts with what those before it found, and the first answer ends the sequence.

use super::combine::{add_to, combine, is_answer};
use super::config::Step;
use super::run::{Composition, Span};
use std::sync::Arc;
use tandem_plugin_api::artifact::Outcome;
use tandem_plugin_api::task::Inputs;

pub fn run(composition: &Arc<Composition>, steps: &[Step], inputs: &Inputs, span: &Span) -> Outcome {
    let mut inputs = inputs.clone();
    let mut outcomes = Vec::new();
    for step in steps {
        let outcome = composition.step(step, &inputs, span);
        add_to(&mut inputs, &outcome);
        let ends = is_answer(&outcome) || span.stop.reason().is_some();
        outcomes.push((step.run.actors().join("+"), outcome));
        if ends {
            break;
        }
    }
    combine(outcomes)
}
