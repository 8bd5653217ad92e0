//! Runs a checked configuration on a task, and holds the state that all its parts share.

use super::config::{Actor, Config};
use super::exchange::Exchange;
use super::knowledge::Knowledge;
use super::live_actor::Resting;
use super::recorder::Recorder;
use super::services::Events;
use super::stop::Stop;
use super::turn::Turn;
use crate::plugins::Registry;
use crate::services::Executions;
use std::sync::Arc;
use std::time::Instant;
use tandem_plugin_api::abi::SharedTask;
use tandem_plugin_api::artifact::Outcome;
use tandem_plugin_api::descriptor::ArtifactKind;
use tandem_plugin_api::task::Inputs;

/// Everything that a run needs beside its configuration and its task.
pub struct Surroundings {
    pub registry: Arc<Registry>,
    pub events: Arc<dyn Events>,
    /// Ends the run from another thread.
    pub stop: Stop,
    pub deadline: Option<Instant>,
    pub memory: Option<u64>,
    /// Of the task's program.
    pub executions: Arc<Executions>,
    /// The knowledge before the first actor runs.
    pub inputs: Inputs,
    /// For a report.
    pub recorder: Option<Arc<Recorder>>,
}

/// A run under way. Threads that are left behind keep it alive.
pub struct Composition {
    pub config: Arc<Config>,
    pub task: SharedTask,
    pub executions: Arc<Executions>,
    pub registry: Arc<Registry>,
    pub events: Arc<dyn Events>,
    pub exchange: Exchange,
    pub memory: Option<u64>,
    pub recorder: Option<Arc<Recorder>>,
    /// Whether the program is a residual program.
    pub residual: bool,
    /// Actors between two of their runs. They hold this composition, so `run` and `reduce` clear the list at the end.
    pub resting: Resting,
}

/// Runs the configuration. A failure of an actor is a result without a verdict, not a failure of the run.
pub fn run(config: &Arc<Config>, task: &SharedTask, surroundings: Surroundings) -> Outcome {
    let Surroundings { registry, events, stop, deadline, memory, executions, inputs, recorder } = surroundings;
    let composition = Arc::new(Composition {
        config: config.clone(),
        task: task.clone(),
        executions,
        registry,
        events,
        exchange: Exchange::default(),
        memory,
        recorder,
        residual: false,
        resting: Resting::default(),
    });
    let outcome = config.run.run(&composition, &Knowledge::of(inputs), &Turn::whole(stop, deadline));
    composition.resting.clear();
    outcome
}

impl Composition {
    #[cfg(test)]
    pub fn for_test(task: &SharedTask, events: Arc<dyn Events>, memory: Option<u64>) -> Arc<Self> {
        Self::of_plugins(task, Registry::of(Vec::new()), events, memory)
    }

    /// For plugins that run without a configuration.
    pub fn of_plugins(
        task: &SharedTask,
        registry: Registry,
        events: Arc<dyn Events>,
        memory: Option<u64>,
    ) -> Arc<Self> {
        Arc::new(Composition {
            config: Arc::new(Config::empty()),
            task: task.clone(),
            executions: Executions::of(task.program()),
            registry: Arc::new(registry),
            events,
            exchange: Exchange::default(),
            memory,
            recorder: None,
            residual: false,
            resting: Resting::default(),
        })
    }

    /// The same run on another program: artifacts of its parts are about that program, and stay among them.
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
            resting: Resting::default(),
        })
    }

    /// Whether an actor leaves out paths that a GIA covers, so that its proofs rest on what the GIA rests on.
    pub fn uses_condition(&self, actor: &Actor) -> bool {
        actor.plugins().into_iter().any(|plugin| {
            let found = self.registry.named(&plugin.plugin);
            found.is_some_and(|plugin| plugin.descriptor.needs.contains(&ArtifactKind::Gia))
        })
    }
}
