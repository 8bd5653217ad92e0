//! Concrete execution across the boundary: a plugin in a library runs the host's execution, reads its records without a
//! copy, and survives a host that panics.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::{Arc, Mutex};
use tandem::plugins::{PluginSearch, Registry};
use tandem_plugin_api::descriptor::PluginKind;
use tandem_plugin_api::kit::testing;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::service::execution::{
    ComparedValues, ConsumedInput, Execution, ExecutionOptions, Exit, RunLimits, WhenInputsEnd,
};
use tandem_plugin_api::service::{Note, Services, StopSignal};
use tandem_tests::test_plugins::{build_dir, library};

/// Returns its input; panics in the run with this number.
struct Echo {
    consumed: Vec<ConsumedInput>,
    compared: Vec<ComparedValues>,
    runs: u64,
    panics_in: u64,
}

impl Execution for Echo {
    fn run(&mut self, inputs: &[u64], limits: &RunLimits) -> Exit {
        self.runs += 1;
        assert!(self.runs != self.panics_in, "boom in run {}", self.runs);
        assert_eq!(*limits, RunLimits { steps: 100, when_inputs_end: WhenInputsEnd::Random(7) });
        self.consumed.clear();
        self.consumed.extend(inputs.iter().map(|&bits| ConsumedInput {
            function: FunctionId(1),
            edge: EdgeId(4),
            bits,
        }));
        Exit::Target(EdgeId(2))
    }
    fn consumed(&self) -> &[ConsumedInput] {
        &self.consumed
    }
    fn coverage(&self) -> &[u8] {
        &[1, 0, 255]
    }
    fn decisions(&self) -> &[u8] {
        &[0, 1]
    }
    fn comparisons(&self) -> &[ComparedValues] {
        &self.compared
    }
    fn steps(&self) -> u64 {
        self.runs
    }
}

struct Offers {
    panics_in: u64,
    log: Mutex<Vec<String>>,
    asked: Mutex<Vec<ExecutionOptions>>,
}

impl Services for Offers {
    fn log(&self, level: LogLevel, message: &str) {
        self.log.lock().unwrap().push(format!("{level:?}: {message}"));
    }
    fn stop_signal(&self) -> StopSignal {
        StopSignal::new()
    }
    fn note(&self, _: &Note) {}
    fn execution(&self, options: &ExecutionOptions) -> Result<Box<dyn Execution>> {
        self.asked.lock().unwrap().push(options.clone());
        let compared = vec![ComparedValues { edge: EdgeId(1), bits: 32, left: 5, right: u64::MAX }];
        Ok(Box::new(Echo { consumed: Vec::new(), compared, runs: 0, panics_in: self.panics_in }))
    }
}

fn registry() -> Registry {
    library("talker");
    PluginSearch::only(&[build_dir().join("examples")]).discover()
}

fn talk(executions: i64, panics_in: u64) -> (Outcome, Arc<Offers>) {
    let registry = registry();
    let talker = registry.get(PluginKind::Engine, "talker").unwrap();
    let options = talker.options([("executions".to_string(), OptionValue::Integer(executions))]).unwrap();
    let offers = Arc::new(Offers { panics_in, log: Mutex::default(), asked: Mutex::default() });
    let host = Host::new(offers.clone());
    let mut engine = talker.worker(&testing::two_inputs(), &options, &host).unwrap();
    (engine.run(&Inputs::default(), &host).unwrap(), offers)
}

fn statistic<'o>(outcome: &'o Outcome, name: &str) -> &'o str {
    &outcome.statistics.iter().find(|(found, _)| found == name).unwrap().1
}

#[test]
fn a_loaded_plugin_executes_and_reads_all_records() {
    let (outcome, offers) = talk(2, 0);
    assert_eq!(statistic(&outcome, "execution"), "Target(E2)");
    let consumed = [1, u64::MAX].map(|bits| ConsumedInput { function: FunctionId(1), edge: EdgeId(4), bits });
    assert_eq!(statistic(&outcome, "consumed"), format!("{consumed:?}"));
    assert_eq!(statistic(&outcome, "coverage"), "[1, 0, 255]");
    assert_eq!(statistic(&outcome, "decisions"), "[0, 1]");
    let compared = ComparedValues { edge: EdgeId(1), bits: 32, left: 5, right: u64::MAX };
    assert_eq!(statistic(&outcome, "comparisons"), format!("{:?}", [compared]));
    assert_eq!(statistic(&outcome, "steps"), "2");
    let asked = offers.asked.lock().unwrap();
    let targets = testing::two_inputs().task().targets.clone();
    assert_eq!(*asked, [ExecutionOptions { targets, coverage: true, ..ExecutionOptions::default() }]);
    assert!(statistic(&outcome, "foreign target").contains("is not an edge of the program"));
}

#[test]
fn a_panic_of_the_host_ends_the_execution_only() {
    let (outcome, offers) = talk(3, 2);
    assert_eq!(statistic(&outcome, "execution"), "Unsupported(E0)", "it is not run again");
    assert_eq!(statistic(&outcome, "consumed"), "[]");
    let log = offers.log.lock().unwrap();
    let errors: Vec<_> = log.iter().filter(|line| line.starts_with("Error")).collect();
    assert!(errors.len() == 1 && errors[0].contains("boom in run 2"), "{log:?}");
}

#[test]
fn a_run_costs_little_more_than_the_program() {
    let best = (0..5).map(|_| statistic(&talk(200_000, 0).0, "nanoseconds").parse::<u64>().unwrap()).min().unwrap();
    assert!(best < 150, "{best} ns for a run that does nothing");
}

#[test]
fn a_host_without_execution_says_so() {
    let registry = registry();
    let talker = registry.get(PluginKind::Engine, "talker").unwrap();
    let mut engine = talker.worker(&testing::two_inputs(), &talker.options([]).unwrap(), &Host::silent()).unwrap();
    let outcome = engine.run(&Inputs::default(), &Host::silent()).unwrap();
    assert_eq!(statistic(&outcome, "execution"), "Unavailable");
}
