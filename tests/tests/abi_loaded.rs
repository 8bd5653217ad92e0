//! Plugins loaded from their libraries: they work side by side, use the host, and their panics stay inside of them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tandem::plugins::{LoadedPlugin, PluginSearch, Registry};
use tandem_plugin_api::abi::{AnalysisInstance, SharedTask, WorkerInstance, host_side::Next};
use tandem_plugin_api::artifact::{Acceptance, Condition, GiaBuilder, Invariants, Precision};
use tandem_plugin_api::descriptor::PluginKind;
use tandem_plugin_api::kit::testing;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::service::{Budget, Note, Services, StopSignal};
use tandem_tests::test_plugins::library;

fn registry() -> Registry {
    library("talker");
    let examples = tandem_tests::test_plugins::build_dir().join("examples");
    PluginSearch::only(&[examples]).discover()
}

fn text(name: &str, value: &str) -> (String, OptionValue) {
    (name.to_string(), OptionValue::Text(value.to_string()))
}

fn worker(plugin: &LoadedPlugin, task: &SharedTask, method: &str) -> Result<WorkerInstance> {
    plugin.worker(task, &plugin.options([text("method", method)]).unwrap(), &Host::silent())
}

fn analysis(plugin: &LoadedPlugin, task: &SharedTask, method: &str) -> Result<AnalysisInstance> {
    plugin.analysis(task, &plugin.options([text("method", method)]).unwrap(), &Host::silent())
}

#[test]
fn plugins_of_one_kind_load_side_by_side() {
    let registry = registry();
    let mut names: Vec<&str> = registry.plugins().iter().map(|plugin| plugin.descriptor.name.as_str()).collect();
    names.sort_unstable();
    let expected = [
        "claimant",
        "constants",
        "fault-adapter",
        "fault-analysis",
        "fault-engine",
        "fault-reducer",
        "fault-splitter",
        "panic-adapter",
        "panic-analysis",
        "panic-engine",
        "panic-reducer",
        "panic-splitter",
        "talker",
    ];
    assert_eq!(names, expected);
    for (kind, name) in [(PluginKind::Engine, "talker"), (PluginKind::Engine, "panic-engine")] {
        assert_eq!(registry.get(kind, name).unwrap().descriptor.name, name);
    }
    let capabilities = |name: &str| registry.named(name).unwrap().descriptor.capabilities.clone();
    let listed = [Capability::Answers, Capability::Refines, Capability::Explains, Capability::Observes];
    assert_eq!(capabilities("panic-analysis"), listed);
    assert_eq!((capabilities("fault-analysis"), capabilities("talker")), (Vec::new(), Vec::new()));
    let task = testing::two_inputs();
    let talker = registry.get(PluginKind::Engine, "talker").unwrap();
    let options = talker.options([]).unwrap();
    let mut first = talker.worker(&task, &options, &Host::silent()).unwrap();
    let mut other = worker(registry.get(PluginKind::Engine, "panic-engine").unwrap(), &task, "none").unwrap();
    let reason = |outcome: Outcome| outcome.verdict.to_string();
    assert_eq!(reason(first.run(&Inputs::default(), &Host::silent()).unwrap()), "UNKNOWN (only talked)");
    assert_eq!(reason(other.run(&Inputs::default(), &Host::silent()).unwrap()), "UNKNOWN (nothing was done)");
}

#[test]
fn look_ups_help() {
    let registry = registry();
    let missing = registry.get(PluginKind::Engine, "panic-engin").err().unwrap();
    assert!(missing.to_string().contains("there is `panic-engine`"), "{missing}");
    let other_kind = registry.get(PluginKind::Splitter, "talker").err().unwrap();
    assert_eq!(other_kind.to_string(), "plugin `talker` is of kind engine, not splitter");
    let empty = PluginSearch::only(&[]).discover();
    assert!(empty.if_empty().unwrap().help.unwrap().contains("cargo build --release"));
    assert!(empty.get(PluginKind::Engine, "x").err().unwrap().to_string().contains("cargo build --release"));
    assert!(registry.if_empty().is_none());
}

#[derive(Default)]
struct Recorder {
    stop: StopSignal,
    log: Mutex<Vec<String>>,
    notes: Mutex<Vec<Note>>,
    published: Mutex<Vec<Artifact>>,
    progress: Mutex<Vec<Progress>>,
}

impl Services for Recorder {
    fn log(&self, level: LogLevel, message: &str) {
        self.log.lock().unwrap().push(format!("{level:?}: {message}"));
    }
    fn stop_signal(&self) -> StopSignal {
        self.stop.clone()
    }
    fn budget(&self) -> Budget {
        Budget { time: Some(Duration::from_secs(7)), memory: None }
    }
    fn progress(&self, progress: &Progress) {
        self.progress.lock().unwrap().push(progress.clone());
    }
    fn incoming(&self, seen: usize) -> Result<Vec<Artifact>> {
        let all = [Artifact::Invariants(Invariants::default()), Artifact::Gia(Gia::all_ut())];
        Ok(all[seen.min(all.len())..].to_vec())
    }
    fn publish(&self, artifact: &Artifact) -> Result<()> {
        self.published.lock().unwrap().push(artifact.clone());
        Ok(())
    }
    fn note(&self, note: &Note) {
        self.notes.lock().unwrap().push(note.clone());
    }
}

#[test]
fn every_service_passes_the_boundary() {
    let registry = registry();
    let talker = registry.get(PluginKind::Engine, "talker").unwrap();
    let task = testing::two_inputs();
    let recorder = Arc::new(Recorder::default());
    let host = Host::new(recorder.clone());
    let mut engine = talker.worker(&task, &talker.options([]).unwrap(), &host).unwrap();
    let inputs = Inputs { seed: 42, gia: Gia::silent(), ..Inputs::default() };
    engine.run(&inputs, &host).unwrap();
    let outcome = engine.run(&inputs, &host).unwrap();
    assert_eq!(outcome.gia, Some(Gia::silent()));
    let statistic = |name: &str| outcome.statistics.iter().find(|(n, _)| n == name).unwrap().1.clone();
    assert_eq!(statistic("run"), "2", "an instance keeps its state between runs");
    assert_eq!(statistic("seed"), "42");
    assert_eq!(statistic("parser"), "Unavailable");
    assert_eq!(statistic("budget"), format!("{:?}", recorder.budget()));
    assert_eq!(recorder.log.lock().unwrap()[0], "Debug: talker is made");
    assert_eq!(recorder.log.lock().unwrap()[1], "Info: two_inputs.c has 1 targets");
    assert_eq!(recorder.published.lock().unwrap()[..2], recorder.incoming(0).unwrap());
    assert_eq!(recorder.progress.lock().unwrap()[0].total, Some(2));
    assert_eq!(recorder.published.lock().unwrap().len(), 4, "each run gets all, and each of it once");
    let notes = recorder.notes.lock().unwrap();
    assert_eq!(notes[0], Note::Unsound("talks too much".into()));
    assert_eq!(notes[1], Note::Convention("function without a body: talk".into()));
}

#[test]
fn a_run_is_cancelled_from_another_thread() {
    let registry = registry();
    let talker = registry.get(PluginKind::Engine, "talker").unwrap();
    let task = testing::two_inputs();
    let host = Host::silent();
    let options = talker.options([("forever".to_string(), OptionValue::Bool(true))]).unwrap();
    let mut engine = talker.worker(&task, &options, &host).unwrap();
    let signal = host.stop_signal().clone();
    let running = std::thread::spawn(move || engine.run(&Inputs::default(), &host));
    std::thread::sleep(Duration::from_millis(20));
    let stopped_at = Instant::now();
    signal.stop(StopReason::Cancelled);
    let error = running.join().unwrap().unwrap_err();
    assert!(stopped_at.elapsed() < Duration::from_millis(500));
    assert_eq!((error.kind, error.message.as_str()), (ErrorKind::Stopped, "cancelled"));
}

#[test]
fn workers_do_only_what_their_kind_does() {
    let registry = registry();
    let task = testing::two_inputs();
    let mut engine = worker(registry.named("panic-engine").unwrap(), &task, "none").unwrap();
    let error = engine.split(&Inputs::default(), 2, &Host::silent()).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Protocol);
    let error = analysis(registry.named("panic-engine").unwrap(), &task, "none").err().unwrap();
    assert_eq!(error.kind, ErrorKind::Protocol);
}

#[track_caller]
fn assert_panicked<T>(result: Result<T>, method: &str) {
    let error = result.err().unwrap_or_else(|| panic!("`{method}` did not fail"));
    assert_eq!(error.kind, ErrorKind::Panicked, "{method}: {error}");
    assert!(error.message.contains("panicked at ") && error.message.contains(".rs:"), "says where: {error}");
    assert!(error.message.contains("boom in"), "{method}: {error}");
}

#[test]
fn panics_of_workers_are_errors() {
    let registry = registry();
    let task = testing::two_inputs();
    let host = Host::silent();
    let inputs = Inputs::default();
    let run = ToolRun::of(ToolExit::Code(0));
    type Call<'a> = (&'a str, &'a str, Box<dyn Fn(&mut WorkerInstance) -> Result<()> + 'a>);
    let calls: Vec<Call<'_>> = vec![
        ("panic-engine", "run", Box::new(|w| w.run(&inputs, &host).map(|_| ()))),
        ("panic-splitter", "split", Box::new(|w| w.split(&inputs, 2, &host).map(|_| ()))),
        ("panic-reducer", "reduce", Box::new(|w| w.reduce(&Gia::silent(), Covered::Ut, &host).map(|_| ()))),
        ("panic-adapter", "prepare", Box::new(|w| w.prepare(&inputs, &host).map(|_| ()))),
        ("panic-adapter", "interpret", Box::new(|w| w.interpret(&run, &host).map(|_| ()))),
    ];
    for (name, method, call) in &calls {
        let plugin = registry.named(name).unwrap();
        call(&mut worker(plugin, &task, "none").unwrap()).unwrap();
        assert_panicked(worker(plugin, &task, "new"), "new");
        let mut broken = worker(plugin, &task, method).unwrap();
        assert!(broken.health().is_ok());
        assert_panicked(call(&mut broken), method);
        assert_panicked(call(&mut broken), "any call after a panic");
        assert_panicked(broken.health(), "health");
        drop(worker(plugin, &task, "drop").unwrap());
        // After a failure of one instance, others of the same library go on.
        call(&mut worker(plugin, &task, "none").unwrap()).unwrap();
    }
}

#[test]
fn a_broken_residual_program_does_not_reach_the_host() {
    let registry = registry();
    let task = testing::two_inputs();
    let mut reducer = worker(registry.named("panic-reducer").unwrap(), &task, "broken_result").unwrap();
    let error = reducer.reduce(&Gia::silent(), Covered::Rt, &Host::silent()).unwrap_err();
    assert!(error.message.contains("not well-formed"), "{error}");
}

#[test]
fn a_gia_over_edges_that_do_not_exist_does_not_reach_the_host() {
    let registry = registry();
    let talker = registry.get(PluginKind::Engine, "talker").unwrap();
    let task = testing::two_inputs();
    let mut engine = talker.worker(&task, &talker.options([]).unwrap(), &Host::silent()).unwrap();
    let mut builder = GiaBuilder::new();
    let start = builder.state("start", Acceptance::None);
    builder.transition(start, EdgeId(4711), Condition::always(), start);
    let inputs = Inputs { gia: builder.build(start).unwrap(), ..Inputs::default() };
    let error = engine.run(&inputs, &Host::silent()).unwrap_err();
    assert!(error.message.contains("E4711"), "{error}");
}

/// Calls every method once; the first error ends it.
fn use_all_methods(plugin: &LoadedPlugin, task: &SharedTask, method: &str) -> Result<()> {
    let mut analysis = analysis(plugin, task, method)?;
    let host = Host::silent();
    let (edge, at) = (EdgeId(0), LocationId(0));
    analysis.start(&Inputs::default(), &host)?;
    analysis.ignores_call_stack()?;
    let state = analysis.initial()?;
    let precision = analysis.initial_precision()?;
    let Next::One(next) = analysis.successors(&state, edge, &precision)? else { panic!("one successor") };
    analysis.less_or_equal(&state, &next)?;
    analysis.merge(&state, &next, &precision)?;
    analysis.stop(&state, &next, &precision)?;
    analysis.adjust(&state, at, &precision)?;
    analysis.strengthen(&state, edge, &precision, &|_| Ok(Answer::NoInformation))?;
    analysis.answer(&state, &Query::CallStack)?;
    analysis.refine(&[edge], &precision)?;
    analysis.import_precision(&precision, &Precision::default())?;
    analysis.export_precision(&precision)?;
    analysis.invariant(&state, at)?;
    analysis.target(&state, at)?;
    analysis.describe(&state)?;
    drop((state, next, precision));
    analysis.health()
}

#[test]
fn panics_of_analyses_are_errors() {
    let registry = registry();
    let plugin = registry.named("panic-analysis").unwrap();
    let task = testing::two_inputs();
    use_all_methods(plugin, &task, "none").unwrap();
    let OptionType::Choice(methods) = &plugin.descriptor.options[0].ty else { panic!("a choice of methods") };
    assert!(methods.len() > 20);
    for method in methods.iter().filter(|method| *method != "none" && *method != "drop_analysis") {
        assert_panicked(use_all_methods(plugin, &task, method), method);
    }
    // The last panic has no caller that could get it, but the process lives.
    use_all_methods(plugin, &task, "drop_analysis").unwrap();
    use_all_methods(plugin, &task, "none").unwrap();
}

/// States of one instance mean nothing to another, be it of the same plugin.
#[test]
fn states_stay_with_their_instance() {
    let registry = registry();
    let plugin = registry.named("panic-analysis").unwrap();
    let task = testing::two_inputs();
    let (one, other) = (analysis(plugin, &task, "none").unwrap(), analysis(plugin, &task, "none").unwrap());
    let (mine, theirs) = (one.initial().unwrap(), other.initial().unwrap());
    assert_eq!(one.less_or_equal(&mine, &theirs).unwrap_err().kind, ErrorKind::Protocol);
    assert!(one.less_or_equal(&mine, &mine).unwrap(), "and nothing broke");
}

#[test]
fn states_outlive_their_instance() {
    let registry = registry();
    let task = testing::two_inputs();
    let instance = analysis(registry.named("panic-analysis").unwrap(), &task, "none").unwrap();
    let state = instance.initial().unwrap();
    drop(instance);
    let copy = state.clone();
    assert!(copy.same(&state));
    std::thread::spawn(move || drop(copy)).join().unwrap();
}
