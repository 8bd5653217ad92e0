//! An actor that is alive: it was made once, may run many times, and keeps its graph, precision, engine instance and solver sessions.

use super::config::{Actor, ActorKind, Isolation, PluginUse};
use super::isolated::{self, Answer, Work};
use super::run::Composition;
use super::services;
use super::tool;
use super::turn::Turn;
use crate::cpa::{Arg, Component, Exploration, grounds};
use crate::plugins::{LoadedPlugin, Registry};
use crate::services::HostServices;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use tandem_plugin_api::abi::WorkerInstance;
use tandem_plugin_api::abi::host_side::check_gia;
use tandem_plugin_api::artifact::{Gia, Outcome, PathRange, Soundness};
use tandem_plugin_api::descriptor::PluginKind;
use tandem_plugin_api::service::Host;
use tandem_plugin_api::task::Inputs;

pub struct LiveActor {
    composition: Arc<Composition>,
    actor: Actor,
    services: Arc<HostServices>,
    host: Host,
    state: State,
    /// The paths to which its last run was restricted.
    asked: Option<(Gia, Option<PathRange>)>,
}

/// The state that an actor keeps between its runs.
enum State {
    Fresh,
    Exploring(Box<Exploration>),
    Engine(WorkerInstance),
}

impl LiveActor {
    pub fn new(composition: &Arc<Composition>, actor: &Actor) -> Self {
        let services = services::for_actor(&actor.name, composition);
        let host = Host::new(services.clone());
        LiveActor {
            composition: composition.clone(),
            actor: actor.clone(),
            services,
            host,
            state: State::Fresh,
            asked: None,
        }
    }

    pub fn name(&self) -> &str {
        &self.actor.name
    }

    pub fn host(&self) -> &Host {
        &self.host
    }

    /// The plugins' notes on what their work rests on, in all runs so far.
    pub fn notes(&self) -> Soundness {
        self.services.notes()
    }

    /// Lends it the time of its next run.
    pub fn begin(&self, turn: &Turn) -> Turn {
        services::begin(&self.services, turn)
    }

    /// Runs the plugins; their notes are in [`LiveActor::notes`]. After an error it must not run again.
    pub fn run(&mut self, inputs: &Inputs, observe: impl FnOnce(&Arg)) -> Result<Outcome, String> {
        if let Isolation::Process { memory } = self.actor.isolation {
            return self.run_apart(inputs, memory);
        }
        self.start_anew_for(inputs);
        match &self.actor.kind {
            ActorKind::Product { .. } => self.explore(inputs, observe),
            ActorKind::Engine(engine) => {
                let engine = engine.clone();
                self.run_engine(&engine, inputs)
            }
            ActorKind::Adapter(adapter) => tool::run(adapter, &self.composition, inputs, &self.host),
        }
    }

    /// Starts anew if the condition has changed: results under one condition say nothing about paths under another.
    fn start_anew_for(&mut self, inputs: &Inputs) {
        let asks = (inputs.gia.clone(), inputs.range.clone());
        let differs = self.asked.as_ref().is_some_and(|before| *before != asks);
        if differs && self.composition.uses_condition(&self.actor) && matches!(self.state, State::Exploring(_)) {
            self.state = State::Fresh;
            self.services.forget_notes();
        }
        self.asked = Some(asks);
    }

    fn explore(&mut self, inputs: &Inputs, observe: impl FnOnce(&Arg)) -> Result<Outcome, String> {
        let Composition { registry, task, .. } = &*self.composition;
        if let (State::Fresh, ActorKind::Product { analyses, settings }) = (&self.state, &self.actor.kind) {
            let mut components = Vec::new();
            for analysis in analyses {
                let instance = plugin(registry, PluginKind::Analysis, analysis)?
                    .analysis(task, &analysis.options, &self.host)
                    .map_err(|error| format!("analysis `{}` cannot start: {error}", analysis.plugin))?;
                components.push(Component { name: analysis.plugin.clone(), instance });
            }
            self.state = State::Exploring(Box::new(Exploration::new(task.task(), components, *settings)));
        }
        let State::Exploring(exploration) = &mut self.state else { return Err("it is not a product".into()) };
        let end = exploration.run(inputs, &self.host).map_err(|error| error.to_string())?;
        let outcome = exploration.outcome(&end);
        observe(exploration.arg());
        Ok(outcome)
    }

    fn run_engine(&mut self, engine: &PluginUse, inputs: &Inputs) -> Result<Outcome, String> {
        let Composition { registry, task, .. } = &*self.composition;
        if let State::Fresh = self.state {
            let instance = plugin(registry, PluginKind::Engine, engine)?
                .worker(task, &engine.options, &self.host)
                .map_err(|error| format!("engine `{}` cannot start: {error}", engine.plugin))?;
            self.state = State::Engine(instance);
        }
        let State::Engine(instance) = &mut self.state else { return Err("it is not an engine".into()) };
        let failed = |error: &dyn std::fmt::Display| format!("engine `{}` failed: {error}", engine.plugin);
        let mut outcome = instance.run(inputs, &self.host).map_err(|error| failed(&error))?;
        instance.health().map_err(|error| failed(&error))?;
        // The CPA algorithm notes the edges that it passes; an engine may name those that it passed.
        outcome.soundness.absorb(&grounds(task.task(), outcome.passed.as_ref()));
        Ok(outcome)
    }

    /// In a process of its own, which ends with the run.
    fn run_apart(&mut self, inputs: &Inputs, memory: Option<u64>) -> Result<Outcome, String> {
        let work = Work::Actor { actor: self.actor.clone(), inputs: Box::new(inputs.clone()) };
        match isolated::call(&self.composition, work, memory, &self.host)? {
            Answer::Outcome(mut outcome, notes) => {
                if let Some(gia) = &outcome.gia {
                    check_gia(gia, self.composition.task.program()).map_err(|error| error.to_string())?;
                }
                outcome.rests_on(&notes);
                Ok(*outcome)
            }
            _ => Err("its process answered something else".to_string()),
        }
    }
}

impl Drop for LiveActor {
    fn drop(&mut self) {
        if let State::Exploring(exploration) = std::mem::replace(&mut self.state, State::Fresh) {
            crate::cpa::put_away(*exploration);
        }
    }
}

/// Those that wait for their next run, by name.
#[derive(Default)]
pub struct Resting {
    actors: Mutex<BTreeMap<String, Vec<LiveActor>>>,
}

impl Resting {
    /// The actor as it was after its last run, if it is there.
    pub fn take(&self, name: &str) -> Option<LiveActor> {
        let mut actors = self.actors.lock().unwrap_or_else(PoisonError::into_inner);
        actors.get_mut(name).and_then(Vec::pop)
    }

    /// Ends the actor of this name, so that its next run starts anew.
    pub fn end(&self, name: &str) {
        let ended = self.actors.lock().unwrap_or_else(PoisonError::into_inner).remove(name);
        drop(ended);
    }

    /// Ends them all.
    pub fn clear(&self) {
        let actors = std::mem::take(&mut *self.actors.lock().unwrap_or_else(PoisonError::into_inner));
        drop(actors);
    }

    pub fn put(&self, actor: LiveActor) {
        let mut actors = self.actors.lock().unwrap_or_else(PoisonError::into_inner);
        actors.entry(actor.actor.name.clone()).or_default().push(actor);
    }
}

pub fn plugin<'r>(registry: &'r Registry, kind: PluginKind, wanted: &PluginUse) -> Result<&'r LoadedPlugin, String> {
    registry.get(kind, &wanted.plugin).map_err(|error| error.to_string())
}
