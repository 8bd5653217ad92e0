//! Explorations for tests and measurements: made from a configuration, with a host that can be stopped at any step and
//! goes on after it.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tandem::compose::config::{ActorKind, PluginUse};
use tandem::compose::{self, Available};
use tandem::cpa::{Component, End, Exploration, Settings};
use tandem::plugins::{PluginSearch, Registry};
use tandem::services::{Executions, HostServices};
use tandem_plugin_api::abi::{SharedProgram, SharedTask};
use tandem_plugin_api::artifact::Soundness;
use tandem_plugin_api::descriptor::PluginKind;
use tandem_plugin_api::kit::testing;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::DataModel;
use tandem_plugin_api::service::execution::{Execution, ExecutionOptions};
use tandem_plugin_api::service::formulas::{FormulaReply, FormulaRequest, FormulaService};
use tandem_plugin_api::service::{Budget, Note, ParsedExpression, Scope, Services, StopSignal};

/// A host that counts the requests of its plugins, and stops them at some step or at some time.
pub struct Steps {
    stop: StopSignal,
    counted: AtomicU64,
    /// The step at which it stops.
    at: AtomicU64,
    deadline: Mutex<Option<Instant>>,
    /// All that is not counted.
    services: HostServices,
}

impl Steps {
    pub fn new(program: &Arc<Program>) -> Arc<Self> {
        let stop = StopSignal::new();
        let services = HostServices::of(program).with_stop(stop.clone()).with_execution(Executions::of(program));
        Arc::new(Steps {
            stop,
            counted: AtomicU64::new(0),
            at: AtomicU64::new(u64::MAX),
            deadline: Mutex::new(None),
            services,
        })
    }

    pub fn counted(&self) -> u64 {
        self.counted.load(Ordering::Relaxed)
    }

    /// Lets it go on, to be stopped after this many steps or after this time, whichever comes first.
    pub fn go_on(&self, steps: u64, time: Option<Duration>) {
        self.at.store(self.counted().saturating_add(steps.max(1)), Ordering::Relaxed);
        *self.deadline.lock().unwrap_or_else(PoisonError::into_inner) = time.map(|time| Instant::now() + time);
        self.stop.renew();
    }

    /// The plugins' notes on what their work rests on.
    pub fn notes(&self) -> Soundness {
        self.services.notes()
    }

    fn step(&self) {
        let step = self.counted.fetch_add(1, Ordering::Relaxed) + 1;
        if step >= self.at.load(Ordering::Relaxed) {
            self.stop.stop(StopReason::Cancelled);
        }
        let deadline = *self.deadline.lock().unwrap_or_else(PoisonError::into_inner);
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.stop.stop(StopReason::OutOfTime);
        }
    }
}

/// [`Steps`] as plugins see it.
struct Served(Arc<Steps>);

impl Services for Served {
    fn log(&self, _: LogLevel, _: &str) {}

    fn stop_signal(&self) -> StopSignal {
        self.0.stop.clone()
    }

    fn budget(&self) -> Budget {
        self.0.step();
        Budget::default()
    }

    fn note(&self, note: &Note) {
        self.0.services.note(note);
    }

    fn parse_expression(&self, text: &str, scope: Scope) -> Result<ParsedExpression> {
        self.0.services.parse_expression(text, scope)
    }

    fn execution(&self, options: &ExecutionOptions) -> Result<Box<dyn Execution>> {
        self.0.services.execution(options)
    }

    fn formulas(&self) -> Result<Box<dyn FormulaService>> {
        Ok(Box::new(CountedFormulas { session: self.0.services.formulas()?, steps: Arc::clone(&self.0) }))
    }
}

struct CountedFormulas {
    session: Box<dyn FormulaService>,
    steps: Arc<Steps>,
}

impl FormulaService for CountedFormulas {
    fn ask(&mut self, request: FormulaRequest) -> Result<FormulaReply> {
        self.steps.step();
        self.session.ask(request)
    }
}

/// An analysis without information that makes a step of the host whenever an edge is passed.
pub struct Ticker {
    host: Host,
}

impl Plugin for Ticker {
    type Kind = kind::Analysis;

    fn descriptor() -> Descriptor {
        Descriptor::of::<Self>("ticker", "1.0.0", "Counts the edges that are passed.")
    }

    fn new(setup: &Setup) -> Result<Self> {
        Ok(Ticker { host: setup.host.clone() })
    }
}

impl Analysis for Ticker {
    type State = ();
    type Precision = ();
    const CAPABILITIES: Capabilities<Self> = Capabilities::none().indexes();

    fn start(&mut self, _: &Inputs, host: &Host) -> Result<()> {
        self.host = host.clone();
        Ok(())
    }

    fn initial(&self) -> Result<()> {
        Ok(())
    }

    fn successors(&self, (): &(), _: EdgeId, (): &()) -> Result<Successors<()>> {
        self.host.budget();
        Ok(Successors::Unchanged)
    }

    fn less_or_equal(&self, (): &(), (): &()) -> Result<bool> {
        Ok(true)
    }

    fn ignores_call_stack(&self) -> bool {
        true
    }
}

impl Indexes for Ticker {
    fn merges(&self) -> bool {
        false
    }
}

/// The analyses of one configuration.
pub struct Product {
    registry: Registry,
    pub analyses: Vec<PluginUse>,
    pub settings: Settings,
}

impl Product {
    /// Of a configuration with one actor, by its name or path; the plugins are those of the build.
    pub fn of(config: &str, plugins: &Path) -> std::result::Result<Product, String> {
        let registry = PluginSearch::only(&[plugins.to_path_buf()]).discover();
        let located = compose::locate(config).map_err(|error| error.to_string())?;
        let complain = |list: Vec<tandem::diagnostic::Diagnostic>| {
            list.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        };
        let document = compose::open(located).map_err(complain)?;
        let plugins = registry.plugins().iter().map(|plugin| &plugin.descriptor).collect();
        let available = Available { plugins, help_if_missing: "build the plugins".into() };
        let config = compose::check(&document, &available).map_err(complain)?;
        match config.actors.into_iter().map(|actor| actor.kind).next() {
            Some(ActorKind::Product { analyses, settings }) => Ok(Product { registry, analyses, settings }),
            _ => Err(format!("{}: its first actor is not a product of analyses", config.name)),
        }
    }

    /// With a ticker before or after the analyses, if one is wanted.
    pub fn explore(&self, task: &SharedTask, ticker: Option<bool>) -> std::result::Result<Run, String> {
        let steps = Steps::new(task.program());
        let host = Host::new(Arc::new(Served(Arc::clone(&steps))));
        let mut components = Vec::new();
        for analysis in &self.analyses {
            let plugin =
                self.registry.get(PluginKind::Analysis, &analysis.plugin).map_err(|error| error.to_string())?;
            let instance = plugin.analysis(task, &analysis.options, &host).map_err(|error| error.to_string())?;
            components.push(Component { name: analysis.plugin.clone(), instance });
        }
        if let Some(first) = ticker {
            let instance = testing::analysis::<Ticker>(task, &[]).map_err(|error| error.to_string())?;
            let at = if first { 0 } else { components.len() };
            components.insert(at, Component { name: "ticker".into(), instance });
        }
        Ok(Run { exploration: Exploration::new(task.task(), components, self.settings), steps, host })
    }
}

/// An exploration with its host.
pub struct Run {
    pub exploration: Exploration,
    pub steps: Arc<Steps>,
    host: Host,
}

impl Run {
    /// Explores for so many steps and this time.
    pub fn go_on(&mut self, inputs: &Inputs, steps: u64, time: Option<Duration>) -> std::result::Result<End, String> {
        self.steps.go_on(steps, time);
        self.exploration.run(inputs, &self.host).map_err(|error| error.to_string())
    }

    /// The same, with a thread that stops it: some analyses make few steps.
    pub fn go_on_for(&mut self, inputs: &Inputs, time: Duration) -> std::result::Result<End, String> {
        self.steps.go_on(u64::MAX, None);
        let stop = self.steps.stop.clone();
        let (end, ended) = std::sync::mpsc::channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                if ended.recv_timeout(time) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                    stop.stop(StopReason::OutOfTime);
                }
            });
            let result = self.exploration.run(inputs, &self.host).map_err(|error| error.to_string());
            drop(end);
            result
        })
    }

    /// The outcome, with the plugins' notes.
    pub fn outcome(&self, end: &End) -> Outcome {
        let mut outcome = self.exploration.outcome(end);
        outcome.rests_on(&self.steps.notes());
        outcome
    }
}

/// Whether `reach_error` or `__VERIFIER_error` can be called, by what the program has.
pub fn task_of(program: Program) -> SharedTask {
    let function = ["reach_error", "__VERIFIER_error"].into_iter().find(|name| program.function_named(name).is_some());
    let property = Property::UnreachableCall { function: function.unwrap_or("reach_error").into() };
    SharedTask::new(&SharedProgram::new(Arc::new(program)), property)
}

pub fn load(source: &Path, model: DataModel) -> std::result::Result<SharedTask, String> {
    tandem::frontend::load(source, model).map(task_of).map_err(|error| error.to_string())
}

/// A number of the run's statistics.
pub fn statistic(outcome: &Outcome, name: &str) -> u64 {
    let found = outcome.statistics.iter().find(|(known, _)| known == name);
    found.and_then(|(_, value)| value.parse().ok()).unwrap_or(0)
}

/// One word.
pub fn word(outcome: &Outcome) -> &'static str {
    match outcome.reported_verdict(false) {
        Verdict::True => "TRUE",
        Verdict::False => "FALSE",
        Verdict::Unknown { .. } => "UNKNOWN",
    }
}
