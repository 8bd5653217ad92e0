//! Checks the laws of the operators on the states of an exploration, and on the states of random ways.

use super::claims::Explored;
use super::services::watch;
use std::collections::BTreeMap;
use std::time::Duration;
use tandem_plugin_api::error::{ErrorKind, PluginError};
use tandem_plugin_api::kit::testing::laws::{self, Law, LawReport, Sample};

/// States of random ways for each program.
const WALKED: usize = 60;
/// States of one place that are compared with each other.
const PER_PLACE: usize = 5;
/// States of the graph that are looked at.
const MOST_STATES: usize = 150;

/// Checks the laws for the analysis at the front of the product. If the time is up, no violation is reported.
pub fn check(explored: &Explored, seed: u64, time: Duration, excused: &[Law]) -> Result<LawReport, PluginError> {
    let Some(analysis) = explored.exploration.product().component(0) else { return Ok(LawReport::default()) };
    let _watch = watch(&explored.services, time);
    let program = explored.task.program();
    let mut report = LawReport::default();
    let mut look = |samples: Vec<Sample>| -> Result<(), PluginError> {
        report.absorb(laws::check(analysis, program, &samples, PER_PLACE, excused)?);
        Ok(())
    };
    let done = look(reached(explored)).and_then(|()| look(laws::samples(analysis, program, WALKED, seed)?));
    match done {
        Err(error) if error.kind == ErrorKind::Stopped => Ok(report),
        done => done.map(|()| report),
    }
}

/// States of the graph, including covered ones, since those lie below others.
fn reached(explored: &Explored) -> Vec<Sample> {
    let nodes = explored.exploration.arg().nodes().filter(|(_, node)| !node.parts.is_empty());
    let mut stacks = BTreeMap::new();
    let mut samples = Vec::new();
    for (_, node) in nodes.take(MOST_STATES) {
        let known = stacks.len() as u32;
        let stack = *stacks.entry(node.stack).or_insert(known);
        let (Some(state), Some(precision)) = (node.parts.first(), node.precision.first()) else { continue };
        samples.push(Sample { state: state.clone(), precision: precision.clone(), at: node.location, stack });
    }
    samples
}
