//! A leaf of a composition: makes the actor's instances, gives them the host's services, and sees to it that the outcome
//! claims no more than it may.

use super::config::{Actor, ActorKind, Isolation, PluginUse, Run};
use super::confirm::confirmed;
use super::isolated::{self, Answer, Work};
use super::run::{Composition, Span};
use super::services::ActorServices;
use super::tool;
use crate::cpa::{self, Arg, Component};
use crate::plugins::{LoadedPlugin, Registry};
use std::sync::Arc;
use tandem_plugin_api::abi::SharedTask;
use tandem_plugin_api::abi::host_side::check_gia;
use tandem_plugin_api::artifact::{Invariants, Outcome, Verdict};
use tandem_plugin_api::descriptor::PluginKind;
use tandem_plugin_api::service::{Artifact, Host, StopReason};
use tandem_plugin_api::task::Inputs;

/// Runs one actor. `limited` tells whether its time is less than that of the whole run.
pub fn run(composition: &Arc<Composition>, actor: &Actor, inputs: &Inputs, span: &Span, limited: bool) -> Outcome {
    let Composition { task, executions, .. } = &**composition;
    let services = Arc::new(ActorServices::new(&actor.name, composition, span));
    let recorder = composition.recorder.as_ref();
    let work = recorder.map(|recorder| (recorder, recorder.begin(&actor.name, made_of(actor), composition.residual)));
    let observe = |arg: &Arg| {
        if let Some((recorder, work)) = work {
            recorder.graph(work, task.program(), arg);
        }
    };
    let result = match actor.isolation {
        Isolation::Thread => leaf(composition, actor, inputs, &services, observe),
        Isolation::Process { memory } => leaf_apart(composition, actor, inputs, memory, &services),
    };
    let mut outcome = result.unwrap_or_else(|error| Outcome::unknown(format!("actor `{}`: {error}", actor.name)));
    outcome.rests_on(&services.notes());
    let mut outcome = confirmed(outcome, &actor.name, task.task(), executions);
    outcome.verdict = with_cause(outcome.verdict, &actor.name, span.stop.reason(), limited);
    if composition.relies_on_gia(&Run::Actor(actor.name.clone())) {
        // They hold on the paths that were left to do, and nobody knows on which others: claims, which somebody has to check.
        outcome.invariants = outcome.invariants.map(Invariants::unchecked);
    }
    if let Some(invariants) = &outcome.invariants {
        // For those that run beside it; whoever comes after it gets them with its inputs.
        let artifact = Artifact::Invariants(invariants.clone());
        composition.exchange.publish(&actor.name, &artifact);
        if let Some(recorder) = recorder {
            recorder.published(&actor.name, &artifact, composition.residual);
        }
    }
    if let Some((recorder, work)) = work {
        recorder.end(work, &outcome);
    }
    outcome
}

/// Runs the plugins of an actor; what they note is with the services afterwards.
pub(super) fn leaf(
    composition: &Composition,
    actor: &Actor,
    inputs: &Inputs,
    services: &Arc<ActorServices>,
    observe: impl FnOnce(&Arg),
) -> Result<Outcome, String> {
    let Composition { registry, task, .. } = composition;
    let host = Host::new(services.clone());
    match &actor.kind {
        ActorKind::Product { analyses, settings } => {
            let components = components(analyses, registry, task, &host)?;
            let explored = cpa::run_observed(task, components, *settings, inputs, &host, observe);
            explored.map_err(|error| error.to_string())
        }
        ActorKind::Engine(engine) => run_engine(engine, registry, task, inputs, &host),
        ActorKind::Adapter(adapter) => tool::run(adapter, composition, inputs, &host),
    }
}

/// The same in a process of its own.
fn leaf_apart(
    composition: &Composition,
    actor: &Actor,
    inputs: &Inputs,
    memory: Option<u64>,
    services: &Arc<ActorServices>,
) -> Result<Outcome, String> {
    let host = Host::new(services.clone());
    let work = Work::Actor { actor: actor.clone(), inputs: Box::new(inputs.clone()) };
    // Whatever the others find, the user should know that one is missing.
    let answer = isolated::call(composition, work, memory, &host).inspect_err(|why| host.warn(why))?;
    match answer {
        Answer::Outcome(mut outcome, notes) => {
            if let Some(gia) = &outcome.gia {
                check_gia(gia, composition.task.program()).map_err(|error| error.to_string())?;
            }
            outcome.rests_on(&notes);
            Ok(*outcome)
        }
        _ => Err("its process answered something else".to_string()),
    }
}

/// The plugins of an actor, for people.
fn made_of(actor: &Actor) -> String {
    let names: Vec<&str> = actor.plugins().into_iter().map(|plugin| plugin.plugin.as_str()).collect();
    let kind = match actor.kind {
        ActorKind::Engine(_) => "engine",
        ActorKind::Adapter(_) => "adapter",
        ActorKind::Product { .. } if names.len() == 1 => "analysis",
        ActorKind::Product { .. } => "analyses",
    };
    format!("{kind} {}", names.join(", "))
}

fn components(
    analyses: &[PluginUse],
    registry: &Registry,
    task: &SharedTask,
    host: &Host,
) -> Result<Vec<Component>, String> {
    let mut components = Vec::new();
    for analysis in analyses {
        let instance = plugin(registry, PluginKind::Analysis, analysis)?
            .analysis(task, &analysis.options, host)
            .map_err(|error| format!("analysis `{}` cannot start: {error}", analysis.plugin))?;
        components.push(Component { name: analysis.plugin.clone(), instance });
    }
    Ok(components)
}

fn run_engine(
    engine: &PluginUse,
    registry: &Registry,
    task: &SharedTask,
    inputs: &Inputs,
    host: &Host,
) -> Result<Outcome, String> {
    let mut instance = plugin(registry, PluginKind::Engine, engine)?
        .worker(task, &engine.options, host)
        .map_err(|error| format!("engine `{}` cannot start: {error}", engine.plugin))?;
    let outcome = instance.run(inputs, host);
    let mut outcome = outcome.map_err(|error| format!("engine `{}` failed: {error}", engine.plugin))?;
    instance.health().map_err(|error| format!("engine `{}` failed: {error}", engine.plugin))?;
    // The CPA algorithm notes what it passes; the way of an engine is not known, so all that the graph reaches counts.
    outcome.soundness.absorb(&crate::cpa::graph_soundness(task.program()));
    Ok(outcome)
}

pub(super) fn plugin<'r>(
    registry: &'r Registry,
    kind: PluginKind,
    wanted: &PluginUse,
) -> Result<&'r LoadedPlugin, String> {
    registry.get(kind, &wanted.plugin).map_err(|error| error.to_string())
}

/// An UNKNOWN for want of time says so.
fn with_cause(verdict: Verdict, actor: &str, stopped: Option<StopReason>, limited: bool) -> Verdict {
    match verdict {
        Verdict::Unknown { reason } if stopped == Some(StopReason::OutOfTime) => {
            let whose = if limited { format!(" of actor `{actor}`") } else { String::new() };
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
        let verdict = |limited| with_cause(Verdict::unknown("x"), "a", Some(StopReason::OutOfTime), limited);
        assert_eq!(verdict(false), Verdict::unknown("time limit: x"));
        assert_eq!(verdict(true), Verdict::unknown("time limit of actor `a`: x"));
        assert_eq!(with_cause(Verdict::True, "a", Some(StopReason::OutOfTime), false), Verdict::True);
    }
}
