//! The witness that `tandem verify -o` writes for others to check, in both formats, and the result of our own validator
//! for it.

use super::console::Console;
use super::exit::Failure;
use super::task_run::Listener;
use super::task_run::{Finished, TaskRun};
use super::validate::CONFIG;
use super::{configs, plugins};
use crate::artifact::witness::{Metadata, graphml, invariants, violation, yaml};
use crate::compose::{self};
use crate::conversion::{property_text, write_text};
use crate::diagnostic::Diagnostic;
use crate::validate::{self, Answer, Document, Prover};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tandem_plugin_api::artifact::{Invariants, Verdict};
use tandem_plugin_api::task::Task;

pub const YAML: &str = "witness.yml";
pub const GRAPHML: &str = "witness.graphml";

/// Invariants are worth as much time as the verdict took, but not more than this, and not less than the other.
const LONGEST: Duration = Duration::from_secs(5);
const SHORTEST: Duration = Duration::from_secs(1);

/// A witness in both formats.
pub struct Written {
    pub yaml: String,
    pub graphml: String,
}

/// The witness of a verdict; `None` for UNKNOWN.
pub fn of(run: &TaskRun<'_>, finished: &Finished, verdict: &Verdict) -> Result<Option<Written>, Diagnostic> {
    let task = finished.task.task();
    let metadata = Metadata::of(&task.program, &property_text(&task.property));
    match verdict {
        Verdict::Unknown { .. } => Ok(None),
        Verdict::False => {
            run.context.console.stage("executing the tests");
            let confirmed = finished.run_to_error()?;
            let segments = violation::of_run(&confirmed.run.inputs, confirmed.target, &task.program);
            let yaml = yaml::write_violation(&segments, &metadata);
            Ok(Some(Written { yaml, graphml: graphml::write_violation(&segments, &metadata) }))
        }
        Verdict::True => {
            let placed = invariants::to_witness(&finished.invariants, &task.program);
            placed.notes.iter().for_each(|note| run.context.console.detail(note));
            let graphml = graphml::write_invariants(&placed.result, &task.program, &metadata);
            Ok(Some(Written { yaml: yaml::write_invariants(&placed.result, &metadata), graphml }))
        }
    }
}

/// The actors' claims about loops, as far as they can be proven: a claim may be about other runs than those of the
/// whole program, or not about the first iterations of a loop.
pub fn proven_invariants(run: &TaskRun<'_>, finished: &Finished) -> Invariants {
    let task = finished.task.task();
    let Some(claimed) = &finished.outcome.invariants else { return Invariants::new() };
    run.context.console.stage("checking invariants");
    let left =
        run.reporter.limits.deadline(run.context.started).map(|end| end.saturating_duration_since(Instant::now()));
    let worth = run.context.started.elapsed().clamp(SHORTEST, LONGEST);
    let time = left.map_or(worth, |left| (left / 2).min(worth));
    let stop = run.stop.child();
    let Ok(_alarm) = stop.after(time) else { return Invariants::new() };
    validate::proven(task, claimed, Instant::now() + time, stop.signal())
}

pub fn write(written: &Written, directory: &Path) -> Result<(), Diagnostic> {
    write_text(&directory.join(YAML), &written.yaml)?;
    write_text(&directory.join(GRAPHML), &written.graphml)
}

/// The result of our own validator for a witness, within the time that is left.
pub fn validated(run: &TaskRun<'_>, task: &Task, written: &Written) -> Result<Answer, Failure> {
    let console: &Console = &run.context.console;
    console.stage("validating the witness");
    let document = Document::parse(&written.yaml, YAML)?;
    let reading = validate::read(&document, task, YAML)?;
    let registry = plugins::find(run.context);
    let config = configs::load(compose::locate(CONFIG)?, &registry)?;
    // The verdict must be reported in time, whatever the result of this.
    let deadline = run.reporter.limits.deadline(run.context.started);
    let left = deadline.map(|end| end.saturating_duration_since(Instant::now()) * 9 / 10);
    let stop = run.stop.child();
    // Without the alarm, the watchdog ends it.
    let _alarm = left.map(|left| stop.after(left));
    let prover = Prover {
        config: Arc::new(config),
        registry: Arc::new(registry),
        events: Arc::new(Listener::new(console)),
        stop,
        deadline: left.map(|left| Instant::now() + left),
        memory: run.arguments.memory,
    };
    Ok(validate::validate(task, &reading, &prover))
}
