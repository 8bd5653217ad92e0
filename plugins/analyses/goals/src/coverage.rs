//! Which edges the tests and automata of others cover.

use tandem_plugin_api::artifact::{Acceptance, InputValue, ValueType};
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::service::execution::{Execution, ExecutionOptions, RunLimits, WhenInputsEnd};

/// Longer runs are cut off; the edges that they took until then count.
const LIMITS: RunLimits = RunLimits { steps: 10_000_000, when_inputs_end: WhenInputsEnd::Stop };

/// Executes tests, where the host can.
#[derive(Default)]
pub struct Coverage {
    execution: Option<Box<dyn Execution>>,
    failed: bool,
}

impl Coverage {
    /// All edges that these tests take.
    pub fn of_tests(&mut self, tests: &[TestCase], host: &Host) -> Vec<EdgeId> {
        if tests.is_empty() || self.failed {
            return Vec::new();
        }
        if self.execution.is_none() {
            match host.execution(&ExecutionOptions { coverage: true, ..ExecutionOptions::default() }) {
                Ok(execution) => self.execution = Some(execution),
                Err(error) => {
                    self.failed = true;
                    host.debug(&format!("tests of others are ignored: {error}"));
                }
            }
        }
        let Some(execution) = &mut self.execution else { return Vec::new() };
        let mut taken = Vec::new();
        for test in tests {
            if host.stopped().is_some() {
                break;
            }
            // An input that a test leaves open has no value: only edges before it are covered for certain.
            let values: Vec<u64> = test.values().map_while(bits).collect();
            execution.run(&values, &LIMITS);
            let edges = execution.coverage().iter().enumerate().filter(|(_, count)| **count > 0);
            taken.extend(edges.map(|(index, _)| EdgeId::new(index)));
        }
        taken.sort_unstable();
        taken.dedup();
        taken
    }
}

/// A file's text does not have the type; a wide integer is right for all types but floats.
fn bits(value: &InputValue) -> Option<u64> {
    let typed = match value {
        InputValue::Text(_) => value.typed(ValueType::Int { width: 64, signed: true }).ok()?,
        other => other.clone(),
    };
    typed.bits().map(|bits| bits as u64)
}

/// Edges for which a path is known: those that lead to an accepting state.
pub fn of_automaton(gia: &Gia) -> Vec<EdgeId> {
    let known = gia.transitions().iter().filter(|transition| gia.acceptance(transition.target) == Acceptance::Rt);
    // Transitions between accepting states name no further covered edges.
    let first = known.filter(|transition| gia.acceptance(transition.source) != Acceptance::Rt);
    first
        .filter_map(|transition| transition.edges.edges())
        .filter(|edges| edges.len() == 1)
        .flatten()
        .copied()
        .collect()
}
