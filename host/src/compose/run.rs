//! Runs a checked configuration: walks the tree of combinators, and gives every part its limits.

use super::config::{Config, PluginUse, Run, Step};
use super::exchange::Exchange;
use super::executions::Executions;
use super::parallel::Until;
use super::recorder::Recorder;
use super::services::{Events, Timer};
use super::{actor, parallel, reduced, sequence};
use crate::plugins::Registry;
use std::sync::Arc;
use std::time::Instant;
use tandem_plugin_api::abi::SharedTask;
use tandem_plugin_api::artifact::Outcome;
use tandem_plugin_api::descriptor::ArtifactKind;
use tandem_plugin_api::service::StopSignal;
use tandem_plugin_api::task::Inputs;

/// What a run has beside its configuration and its task.
pub struct Surroundings {
    pub registry: Arc<Registry>,
    pub events: Arc<dyn Events>,
    /// Ends the run from another thread.
    pub stop: StopSignal,
    pub deadline: Option<Instant>,
    pub memory: Option<u64>,
    /// What is known before the first actor runs.
    pub inputs: Inputs,
    /// For a report.
    pub recorder: Option<Arc<Recorder>>,
}

/// A run under way: what all its parts share. Threads that a race leaves behind keep it alive.
pub struct Composition {
    config: Arc<Config>,
    pub task: SharedTask,
    pub executions: Arc<Executions>,
    pub registry: Arc<Registry>,
    pub events: Arc<dyn Events>,
    pub exchange: Exchange,
    pub memory: Option<u64>,
    pub recorder: Option<Arc<Recorder>>,
    /// The program is what a reducer left of another.
    pub residual: bool,
}

/// How long a part may run, and what ends it.
pub struct Span {
    pub stop: StopSignal,
    pub deadline: Option<Instant>,
}

/// Runs the configuration. A failure of an actor is a result without a verdict, not a failure of the run.
pub fn run(config: &Arc<Config>, task: &SharedTask, surroundings: Surroundings) -> Outcome {
    let Surroundings { registry, events, stop, deadline, memory, inputs, recorder } = surroundings;
    let composition = Arc::new(Composition {
        config: config.clone(),
        task: task.clone(),
        executions: Executions::of(task.program()),
        registry,
        events,
        exchange: Exchange::default(),
        memory,
        recorder,
        residual: false,
    });
    composition.part(&config.run, &inputs, &Span { stop, deadline }, false)
}

impl Composition {
    #[cfg(test)]
    pub fn for_test(task: &SharedTask, events: Arc<dyn Events>, memory: Option<u64>) -> Arc<Self> {
        Self::of_one(task, Registry::of(Vec::new()), events, memory)
    }

    /// For plugins that run without a configuration.
    pub fn of_one(task: &SharedTask, registry: Registry, events: Arc<dyn Events>, memory: Option<u64>) -> Arc<Self> {
        let run = Run::Sequence(Vec::new());
        let config = Config { name: String::new(), about: String::new(), actors: Vec::new(), run };
        Arc::new(Composition {
            config: Arc::new(config),
            task: task.clone(),
            executions: Executions::of(task.program()),
            registry: Arc::new(registry),
            events,
            exchange: Exchange::default(),
            memory,
            recorder: None,
            residual: false,
        })
    }

    /// The same run on another program: what its parts publish speaks of that one, and stays among them.
    pub fn on(self: &Arc<Self>, task: &SharedTask) -> Arc<Self> {
        Arc::new(Composition {
            config: Arc::clone(&self.config),
            task: task.clone(),
            executions: Executions::of(task.program()),
            registry: Arc::clone(&self.registry),
            events: Arc::clone(&self.events),
            exchange: Exchange::default(),
            memory: self.memory,
            recorder: self.recorder.clone(),
            residual: true,
        })
    }

    /// Whether a part uses what a GIA says to leave out paths, so that its proofs rest on what the GIA rests on.
    pub fn relies_on_gia(&self, run: &Run) -> bool {
        let needs = |plugin: &PluginUse| {
            let found = self.registry.named(&plugin.plugin);
            found.is_some_and(|plugin| plugin.descriptor.needs.contains(&ArtifactKind::Gia))
        };
        match run {
            Run::Actor(name) => self.config.actor(name).is_some_and(|actor| actor.plugins().into_iter().any(needs)),
            Run::Sequence(steps) | Run::Race(steps) | Run::Parallel(steps) => {
                steps.iter().any(|step| self.relies_on_gia(&step.run))
            }
            Run::Reduced { .. } => true,
        }
    }

    /// A step within its limits.
    pub fn step(self: &Arc<Self>, step: &Step, inputs: &Inputs, span: &Span) -> Outcome {
        let left = span.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let actor_limit = match &step.run {
            Run::Actor(name) => self.config.actor(name).and_then(|actor| actor.limit),
            _ => None,
        };
        let limit = [step.time(left), actor_limit].into_iter().flatten().min();
        let Some(limit) = limit else { return self.part(&step.run, inputs, span, false) };
        let own_deadline = Instant::now().checked_add(limit);
        let deadline = [span.deadline, own_deadline].into_iter().flatten().min();
        let stop = StopSignal::new();
        let Some(timer) = Timer::follow(&span.stop, stop.clone(), Some(limit)) else {
            return Outcome::unknown("no thread could be started to watch a time limit");
        };
        let outcome = self.part(&step.run, inputs, &Span { stop, deadline }, true);
        drop(timer);
        outcome
    }

    pub fn part(self: &Arc<Self>, run: &Run, inputs: &Inputs, span: &Span, limited: bool) -> Outcome {
        match run {
            Run::Actor(name) => match self.config.actor(name) {
                Some(leaf) if leaf.limit.is_some() && !limited => {
                    self.step(&Step { run: run.clone(), limit: None, share: None }, inputs, span)
                }
                Some(leaf) => actor::run(self, leaf, inputs, span, limited),
                None => Outcome::unknown(format!("there is no actor `{name}`")),
            },
            Run::Sequence(steps) => sequence::run(self, steps, inputs, span),
            Run::Race(steps) => parallel::run(self, steps, inputs, span, Until::FirstAnswer),
            Run::Parallel(steps) => parallel::run(self, steps, inputs, span, Until::AllEnd),
            Run::Reduced { reducer, isolation, then } => reduced::run(self, reducer, *isolation, then, inputs, span),
        }
    }
}
