//! A leaf of a composition: makes the actor's instances, gives them the host's services, and sees to it that the outcome
//! claims no more than it may.

use super::config::{Actor, ActorKind, PluginUse, Run};
use super::confirm::confirmed;
use super::run::{Composition, Span};
use super::services::ActorServices;
use crate::cpa::{self, Component, Settings};
use crate::plugins::{LoadedPlugin, Registry};
use std::sync::Arc;
use tandem_plugin_api::abi::SharedTask;
use tandem_plugin_api::artifact::{Outcome, Verdict};
use tandem_plugin_api::descriptor::PluginKind;
use tandem_plugin_api::service::{Artifact, Host, StopReason};
use tandem_plugin_api::task::Inputs;

/// Runs one actor. `limited` tells whether its time is less than that of the whole run.
pub fn run(composition: &Arc<Composition>, actor: &Actor, inputs: &Inputs, span: &Span, limited: bool) -> Outcome {
    let Composition { registry, task, executions, .. } = &**composition;
    let services = Arc::new(ActorServices::new(&actor.name, composition, span));
    let host = Host::new(services.clone());
    let result = match &actor.kind {
        ActorKind::Product { analyses, settings } => run_product(analyses, *settings, registry, task, inputs, &host),
        ActorKind::Engine(engine) => run_engine(engine, registry, task, inputs, &host),
    };
    let mut outcome = result.unwrap_or_else(|error| Outcome::unknown(format!("actor `{}`: {error}", actor.name)));
    outcome.rests_on(&services.notes());
    let mut outcome = confirmed(outcome, &actor.name, task.task(), executions);
    outcome.verdict = with_cause(outcome.verdict, &actor.name, span.stop.reason(), limited);
    if composition.relies_on_gia(&Run::Actor(actor.name.clone())) {
        // They hold on the paths that were left to do, and nobody knows on which others.
        outcome.invariants = None;
    }
    if let Some(invariants) = &outcome.invariants {
        // For those that run beside it; whoever comes after it gets them with its inputs.
        composition.exchange.publish(&actor.name, &Artifact::Invariants(invariants.clone()));
    }
    outcome
}

fn run_product(
    analyses: &[PluginUse],
    settings: Settings,
    registry: &Registry,
    task: &SharedTask,
    inputs: &Inputs,
    host: &Host,
) -> Result<Outcome, String> {
    let mut components = Vec::new();
    for analysis in analyses {
        let instance = plugin(registry, PluginKind::Analysis, analysis)?
            .analysis(task, &analysis.options, host)
            .map_err(|error| format!("analysis `{}` cannot start: {error}", analysis.plugin))?;
        components.push(Component { name: analysis.plugin.clone(), instance });
    }
    cpa::run(task, components, settings, inputs, host).map_err(|error| error.to_string())
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
