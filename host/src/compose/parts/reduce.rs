//! `reduce`: a part that runs on a residual program. A reducer in front of any verifier or tester makes a conditional
//! one of it (ICSE 2018, Sect. 3). The results are translated to the original program.

use crate::compose::check::{CheckedActors, choose_plugins, configure, read_isolation};
use crate::compose::check_run::StepReader;
use crate::compose::config::{Isolation, PluginUse};
use crate::compose::confirm::confirmed;
use crate::compose::document::Entry;
use crate::compose::isolated::{self, Answer, Work};
use crate::compose::knowledge::Knowledge;
use crate::compose::live_actor::plugin;
use crate::compose::part::{Keyword, Part, Step, StepOrder};
use crate::compose::run::Composition;
use crate::compose::schema::{Fields, read_text};
use crate::compose::services;
use crate::compose::turn::Turn;
use crate::verdict::without_targets;
use std::sync::Arc;
use tandem_plugin_api::abi::{SharedProgram, SharedTask};
use tandem_plugin_api::artifact::{Acceptance, Gia, Outcome, Verdict};
use tandem_plugin_api::descriptor::PluginKind;
use tandem_plugin_api::kit::residual::{claims_to_residual, invariants_to_original, to_original};
use tandem_plugin_api::kit::unroll::Hints;
use tandem_plugin_api::program::Program;
use tandem_plugin_api::reducer::{Covered, Residual};
use tandem_plugin_api::service::{Host, LogLevel};
use tandem_plugin_api::task::Inputs;

pub const KEYWORD: Keyword = Keyword { key: "reduce", others: &["then", "isolation", "memory"], read };

/// The options of the reducer stand beside it, under its name.
fn read(reader: &mut StepReader<'_, '_>, entry: &Entry, fields: &mut Fields<'_>) -> Option<Arc<dyn Part>> {
    let name = read_text(reader.problems, "reduce", &entry.node);
    let place = entry.node.place;
    let then = fields.take("then");
    let isolation = read_isolation(reader.problems, fields, place);
    let name = name?;
    let chosen = choose_plugins(reader.problems, "a step", &[(name, place)], PluginKind::Reducer, reader.available);
    let options: Vec<&Entry> = fields.take_unlisted(name).into_iter().collect();
    let reducer = chosen.first().map(|plugin| configure(reader.problems, plugin, &options));
    let Some(then) = then else {
        let help = format!("say what runs on the residual program: {{ reduce = \"{name}\", then = \"ACTOR\" }}");
        reader.problems.report_with_help(place, "`reduce` stands without `then`", help);
        return None;
    };
    let then = reader.step("then", &then.node)?;
    Some(Arc::new(Reduce { reducer: reducer?, isolation, then }))
}

#[derive(Debug)]
struct Reduce {
    reducer: PluginUse,
    isolation: Isolation,
    then: Step,
}

impl Part for Reduce {
    fn steps(&self) -> Vec<&Step> {
        vec![&self.then]
    }

    fn order(&self) -> StepOrder {
        StepOrder::OneAfterTheOther
    }

    fn follows_conditions(&self, _: &CheckedActors<'_>) -> bool {
        true
    }

    fn run(&self, composition: &Arc<Composition>, known: &Knowledge, turn: &Turn) -> Outcome {
        if !known.inputs.gia.has(Acceptance::Ut) {
            return self.then.run(composition, known, turn);
        }
        match self.residual(composition, &known.inputs.gia, turn) {
            Ok(residual) => {
                let mut outcome = self.on_residual(composition, &residual, known, turn);
                outcome.rests_on(&known.grounds);
                outcome
            }
            Err(why) => {
                let message = format!("reducer `{}`: {why}; the whole program is used", self.reducer.plugin);
                composition.events.log(&self.reducer.plugin, LogLevel::Warning, &message);
                let mut outcome = self.then.run(composition, known, turn);
                outcome.statistic("failed", message);
                outcome
            }
        }
    }
}

impl Reduce {
    fn residual(&self, composition: &Arc<Composition>, known: &Gia, turn: &Turn) -> Result<Residual, String> {
        let services = services::for_actor(&self.reducer.plugin, composition);
        // Keeps the reducer's signal joined to the turn.
        let _own = services::begin(&services, turn);
        let host = Host::new(services);
        let recorder = composition.recorder.as_ref();
        let work =
            recorder.map(|recorder| recorder.begin(&self.reducer.plugin, "reducer".into(), composition.residual));
        // All paths that are not proven must stay, including candidates.
        let known = known.without_candidates();
        let reduced = match self.isolation {
            Isolation::Thread => reduce(composition, &self.reducer, &known, &host),
            Isolation::Process { memory } => reduce_apart(composition, &self.reducer, &known, memory, &host),
        };
        if let (Some(recorder), Some(work)) = (recorder, work) {
            let left = |residual: &Residual| format!("a residual program of {} locations", residual.program.size());
            recorder.end_with(work, reduced.as_ref().map_or_else(String::clone, left));
        }
        reduced
    }

    fn on_residual(
        &self,
        composition: &Arc<Composition>,
        residual: &Residual,
        known: &Knowledge,
        turn: &Turn,
    ) -> Outcome {
        let original = composition.task.task();
        let sizes = [original.program.size(), residual.program.size()];
        let task = SharedTask::new(&SharedProgram::new(Arc::new(residual.program.clone())), original.property.clone());
        let reachable = residual.program.reachable_locations();
        let left = task.task().targets.iter().any(|&edge| reachable[residual.program.edge(edge).from.index()]);
        let mut outcome = if left {
            let inputs = inputs_for(residual, &original.program, &known.inputs);
            // Each residual program is another program: no actor of it comes back.
            let inner = composition.on(&task);
            let outcome = self.then.run(&inner, &Knowledge::of(inputs), &turn.once());
            inner.resting.clear();
            outcome
        } else {
            let mut outcome = Outcome::new(without_targets());
            outcome.answered_by = Some(self.reducer.plugin.clone());
            outcome
        };
        outcome.gia = match &outcome.verdict {
            Verdict::True => Some(Gia::all_ut()),
            Verdict::False => None,
            Verdict::Unknown { .. } => outcome.gia.and_then(|found| {
                let told = to_original(residual, &original.program, &found);
                if told.is_none() {
                    let lost =
                        "what was found on the residual program cannot be told of the original, and is not passed on";
                    composition.events.log(&self.then.name(), LogLevel::Warning, lost);
                }
                told
            }),
        };
        if !is_same(residual, &original.program) {
            let found = outcome.invariants.as_ref();
            outcome.invariants = found.map(|list| invariants_to_original(residual, &original.program, list));
        }
        // The test was executed on the residual program; what counts is the original.
        let name = format!("{} on the residual program", self.then.name());
        let mut outcome = confirmed(outcome, &name, original, &composition.executions);
        outcome.statistic("locations of the program", sizes[0]);
        outcome.statistic("locations of the residual program", sizes[1]);
        outcome
    }
}

/// The inputs of an actor on the residual program. A GIA and a range name edges of the original, and do not fit; claims
/// about loop heads, in the GIA or of others, do.
fn inputs_for(residual: &Residual, original: &Arc<Program>, inputs: &Inputs) -> Inputs {
    let mut hints = Hints::new(original);
    hints.take_inputs(inputs);
    let claims = claims_to_residual(residual, original, &hints.into_claims(), "the original program");
    let invariants = Some(claims).filter(|claims| !claims.is_empty());
    Inputs { gia: Gia::nothing_known(), invariants, range: None, ..inputs.clone() }
}

pub fn reduce(composition: &Composition, wanted: &PluginUse, known: &Gia, host: &Host) -> Result<Residual, String> {
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
