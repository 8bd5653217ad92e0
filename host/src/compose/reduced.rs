//! A part that runs on a residual program: a reducer in front of any verifier or tester makes a conditional one of it (ICSE 2018,
//! Sect. 3). What it finds is told in terms of the original program.

use super::actor::plugin;
use super::config::{Isolation, PluginUse, Run};
use super::confirm::confirmed;
use super::isolated::{self, Answer, Work};
use super::run::{Composition, Span};
use super::services::ActorServices;
use std::sync::Arc;
use tandem_plugin_api::abi::{SharedProgram, SharedTask};
use tandem_plugin_api::artifact::{Acceptance, Gia, Outcome, Verdict};
use tandem_plugin_api::descriptor::PluginKind;
use tandem_plugin_api::program::Program;
use tandem_plugin_api::reducer::{Covered, Residual};
use tandem_plugin_api::residual::{claims_to_residual, invariants_to_original, to_original};
use tandem_plugin_api::service::{Host, LogLevel};
use tandem_plugin_api::task::Inputs;
use tandem_plugin_api::unroll::Hints;

pub fn run(
    composition: &Arc<Composition>,
    reducer: &PluginUse,
    isolation: Isolation,
    then: &Run,
    inputs: &Inputs,
    span: &Span,
) -> Outcome {
    let services = Arc::new(ActorServices::new(&reducer.plugin, composition, span));
    let host = Host::new(services);
    if !inputs.gia.has(Acceptance::Ut) {
        return composition.part(then, inputs, span, false);
    }
    let recorder = composition.recorder.as_ref();
    let work = recorder.map(|recorder| recorder.begin(&reducer.plugin, "reducer".into(), composition.residual));
    // All that is not proven must stay, whatever is thought to be worth a look.
    let known = inputs.gia.without_candidates();
    let reduced = match isolation {
        Isolation::Thread => reduce(composition, reducer, &known, &host),
        Isolation::Process { memory } => reduce_apart(composition, reducer, &known, memory, &host),
    };
    if let (Some(recorder), Some(work)) = (recorder, work) {
        let left = |residual: &Residual| format!("a residual program of {} locations", residual.program.size());
        recorder.end_with(work, reduced.as_ref().map_or_else(String::clone, left));
    }
    let residual = match reduced {
        Ok(residual) => residual,
        Err(why) => {
            host.log(LogLevel::Warning, &format!("reducer `{}`: {why}; the whole program is used", reducer.plugin));
            return composition.part(then, inputs, span, false);
        }
    };
    let original = composition.task.task();
    let sizes = [original.program.size(), residual.program.size()];
    let task = SharedTask::new(&SharedProgram::new(Arc::new(residual.program.clone())), original.property.clone());
    let reachable = residual.program.reachable_locations();
    let left = task.task().targets.iter().any(|&edge| reachable[residual.program.edge(edge).from.index()]);
    let mut outcome = if left {
        composition.on(&task).part(then, &inputs_for(&residual, &original.program, inputs), span, false)
    } else {
        Outcome::new(Verdict::True)
    };
    outcome.gia = match &outcome.verdict {
        Verdict::True => Some(Gia::all_ut()),
        Verdict::False => None,
        Verdict::Unknown { .. } => outcome.gia.and_then(|found| to_original(&residual, &original.program, &found)),
    };
    if !is_same(&residual, &original.program) {
        let found = outcome.invariants.as_ref();
        outcome.invariants = found.map(|list| invariants_to_original(&residual, &original.program, list));
    }
    // The test was executed on the residual program; what counts is the original.
    let name = format!("{} on the residual program", then.actors().join("+"));
    let mut outcome = confirmed(outcome, &name, original, &composition.executions);
    outcome.statistic("locations of the program", sizes[0]);
    outcome.statistic("locations of the residual program", sizes[1]);
    outcome
}

/// What an actor on the residual program starts with. A GIA and a range speak of the original's edges, and do not fit; what they and
/// others claim of loop heads does.
fn inputs_for(residual: &Residual, original: &Arc<Program>, inputs: &Inputs) -> Inputs {
    let mut hints = Hints::new(original);
    hints.take_inputs(inputs);
    let claims = claims_to_residual(residual, original, &hints.into_claims(), "the original program");
    let invariants = Some(claims).filter(|claims| !claims.is_empty());
    Inputs { gia: Gia::nothing_known(), invariants, range: None, ..inputs.clone() }
}

pub(super) fn reduce(
    composition: &Composition,
    wanted: &PluginUse,
    known: &Gia,
    host: &Host,
) -> Result<Residual, String> {
    let reducer = plugin(&composition.registry, PluginKind::Reducer, wanted)?;
    let mut instance =
        reducer.worker(&composition.task, &wanted.options, host).map_err(|error| format!("cannot start: {error}"))?;
    let residual = instance.reduce(known, Covered::Ut, host).map_err(|error| error.to_string())?;
    instance.health().map_err(|error| error.to_string())?;
    Ok(residual)
}

fn reduce_apart(
    composition: &Composition,
    reducer: &PluginUse,
    known: &Gia,
    memory: Option<u64>,
    host: &Host,
) -> Result<Residual, String> {
    let work = Work::Reduce { reducer: reducer.clone(), known: known.clone() };
    match isolated::call(composition, work, memory, host)? {
        Answer::Residual(residual) => {
            residual.check(composition.task.program()).map_err(|error| error.to_string())?;
            Ok(*residual)
        }
        _ => Err("its process answered something else".to_string()),
    }
}

fn is_same(residual: &Residual, original: &Program) -> bool {
    residual.origin.len() == original.edges.len()
        && residual.origin.iter().enumerate().all(|(at, origin)| origin.is_some_and(|edge| edge.index() == at))
}
