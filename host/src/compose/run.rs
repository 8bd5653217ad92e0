//! Runs a checked configuration: makes the actor's instances, gives them the host's services and limits, and sees to it
//! that the outcome claims no more than it may.

use super::config::{Actor, ActorKind, Config, PluginUse, Run};
use super::confirm::confirmed;
use super::executions::Executions;
use super::services::{ActorServices, Events, Timer};
use crate::cpa::{self, Component, Settings};
use crate::plugins::{LoadedPlugin, Registry};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tandem_plugin_api::abi::SharedTask;
use tandem_plugin_api::artifact::{Outcome, Verdict};
use tandem_plugin_api::descriptor::PluginKind;
use tandem_plugin_api::service::{Host, StopReason, StopSignal};
use tandem_plugin_api::task::Inputs;

/// What a run has beside its configuration and its task.
pub struct Surroundings<'r> {
    pub registry: &'r Registry,
    pub events: Arc<dyn Events>,
    /// Ends the run from another thread.
    pub stop: StopSignal,
    pub deadline: Option<Instant>,
    pub memory: Option<u64>,
}

/// Runs the configuration. A failure of an actor is a result without a verdict, not a failure of the run.
pub fn run(config: &Config, task: &SharedTask, surroundings: &Surroundings<'_>) -> Outcome {
    let Run::Actor(name) = &config.run;
    match config.actor(name) {
        Some(actor) => run_actor(actor, task, &Executions::of(task.program()), surroundings),
        None => Outcome::unknown(format!("there is no actor `{name}`")),
    }
}

fn run_actor(
    actor: &Actor,
    task: &SharedTask,
    executions: &Arc<Executions>,
    surroundings: &Surroundings<'_>,
) -> Outcome {
    let Surroundings { registry, events, stop, deadline, memory } = surroundings;
    let own_deadline = actor.limit.and_then(|limit| Instant::now().checked_add(limit));
    let deadline = [*deadline, own_deadline].into_iter().flatten().min();
    let services = ActorServices::new(&actor.name, events.clone(), stop.clone(), deadline, *memory);
    let services = Arc::new(services.executing(executions.clone()));
    let host = Host::new(services.clone());
    let timer = match actor.limit.map(|limit| Timer::start(limit, stop.clone())) {
        Some(None) => return Outcome::unknown(format!("the time limit of actor `{}` cannot be watched", actor.name)),
        Some(started) => started,
        None => None,
    };
    let result = match &actor.kind {
        ActorKind::Product { analyses, settings } => run_product(analyses, *settings, registry, task, &host),
        ActorKind::Engine(engine) => run_engine(engine, registry, task, &host),
    };
    drop(timer);
    let mut outcome = result.unwrap_or_else(|error| Outcome::unknown(format!("actor `{}`: {error}", actor.name)));
    outcome.rests_on(&services.notes());
    let mut outcome = confirmed(outcome, &actor.name, task.task(), executions);
    outcome.verdict = with_cause(outcome.verdict, &actor.name, stop.reason(), actor.limit);
    outcome
}

fn run_product(
    analyses: &[PluginUse],
    settings: Settings,
    registry: &Registry,
    task: &SharedTask,
    host: &Host,
) -> Result<Outcome, String> {
    let mut components = Vec::new();
    for analysis in analyses {
        let instance = plugin(registry, PluginKind::Analysis, analysis)?
            .analysis(task, &analysis.options, host)
            .map_err(|error| format!("analysis `{}` cannot start: {error}", analysis.plugin))?;
        components.push(Component { name: analysis.plugin.clone(), instance });
    }
    cpa::run(task, components, settings, &Inputs::default(), host).map_err(|error| error.to_string())
}

fn run_engine(engine: &PluginUse, registry: &Registry, task: &SharedTask, host: &Host) -> Result<Outcome, String> {
    let mut instance = plugin(registry, PluginKind::Engine, engine)?
        .worker(task, &engine.options, host)
        .map_err(|error| format!("engine `{}` cannot start: {error}", engine.plugin))?;
    let outcome = instance.run(&Inputs::default(), host);
    let mut outcome = outcome.map_err(|error| format!("engine `{}` failed: {error}", engine.plugin))?;
    instance.health().map_err(|error| format!("engine `{}` failed: {error}", engine.plugin))?;
    // The CPA algorithm notes what it passes; the way of an engine is not known, so all that the graph reaches counts.
    outcome.soundness.absorb(&crate::cpa::graph_soundness(task.program()));
    Ok(outcome)
}

fn plugin<'r>(registry: &'r Registry, kind: PluginKind, wanted: &PluginUse) -> Result<&'r LoadedPlugin, String> {
    registry.get(kind, &wanted.plugin).map_err(|error| error.to_string())
}

/// An UNKNOWN for want of time says so.
fn with_cause(verdict: Verdict, actor: &str, stopped: Option<StopReason>, limit: Option<Duration>) -> Verdict {
    match verdict {
        Verdict::Unknown { reason } if stopped == Some(StopReason::OutOfTime) => {
            let whose = limit.map_or(String::new(), |_| format!(" of actor `{actor}`"));
            Verdict::unknown(format!("time limit{whose}: {reason}"))
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_limit_is_named_with_its_owner() {
        let verdict = |limit| with_cause(Verdict::unknown("x"), "a", Some(StopReason::OutOfTime), limit);
        assert_eq!(verdict(None), Verdict::unknown("time limit: x"));
        assert_eq!(verdict(Some(Duration::from_secs(1))), Verdict::unknown("time limit of actor `a`: x"));
        assert_eq!(with_cause(Verdict::True, "a", Some(StopReason::OutOfTime), None), Verdict::True);
    }
}
