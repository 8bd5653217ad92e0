//! The witness that `tandem verify -o` writes for others to check, in both formats, and the result of our own validator
//! for it.

use super::console::Console;
use super::convert::files::write_text;
use super::convert::{executed, property_text};
use super::exit::Failure;
use super::task_run::Listener;
use super::task_run::{Finished, TaskRun};
use super::validate::CONFIG;
use super::{configs, plugins};
use crate::artifact::witness::{Metadata, graphml, invariants, violation, yaml};
use crate::compose::{self};
use crate::diagnostic::Diagnostic;
use crate::validate::{self, Answer, Document, Induction, Prover};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tandem_plugin_api::artifact::{Invariant, Invariants, Outcome, Verdict};
use tandem_plugin_api::task::Task;

pub const YAML: &str = "witness.yml";
pub const GRAPHML: &str = "witness.graphml";

/// The search for a witness's invariants may take as long as the verdict took, within these bounds.
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
            let tests = finished.outcome.tests.clone().unwrap_or_default();
            let confirmed = executed::confirmed(run.context, task, &tests)?;
            let segments = violation::of_run(&confirmed.run.inputs, confirmed.target, &task.program);
            let yaml = yaml::write_violation(&segments, &metadata);
            Ok(Some(Written { yaml, graphml: graphml::write_violation(&segments, &metadata) }))
        }
        Verdict::True => {
            run.context.console.stage("checking invariants for the witness");
            let kept = proven(task, &finished.outcome, run);
            let placed = invariants::to_witness(&kept, &task.program);
            placed.notes.iter().for_each(|note| run.context.console.detail(note));
            let graphml = graphml::write_invariants(&placed.result, &task.program, &metadata);
            Ok(Some(Written { yaml: yaml::write_invariants(&placed.result, &metadata), graphml }))
        }
    }
}

/// The actors' claims about loops, as far as they can be proven: a claim may be about other runs than those of the
/// whole program, or not about the first iterations of a loop.
fn proven(task: &Task, outcome: &Outcome, run: &TaskRun<'_>) -> Invariants {
    let claimed = outcome.invariants.clone().unwrap_or_default();
    let left =
        run.reporter.limits.deadline(run.context.started).map(|end| end.saturating_duration_since(Instant::now()));
    let worth = run.context.started.elapsed().clamp(SHORTEST, LONGEST);
    let time = left.map_or(worth, |left| (left / 2).min(worth));
    let stop = run.stop.child();
    let Ok(_alarm) = stop.after(time) else { return Invariants::new() };
    tightest(&Induction::of(task, &claimed, Instant::now() + time, stop.signal()).invariants())
}

/// Of several bounds of one expression at one place, the tightest: `x <= 3` implies `x <= 7`.
fn tightest(all: &Invariants) -> Invariants {
    let weaker = |one: &Invariant, other: &Invariant| match (bound(one), bound(other)) {
        (Some((side, expression, limit)), Some((other_side, other_expression, other_limit))) => {
            let same = one.location == other.location && (side, expression) == (other_side, other_expression);
            same && if side == Side::Upper { limit > other_limit } else { limit < other_limit }
        }
        _ => false,
    };
    all.iter().filter(|one| !all.iter().any(|other| weaker(one, other))).cloned().collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Lower,
    Upper,
}

/// An invariant of the form `e <= 3` or `3 <= e`, and the like with `>=`.
fn bound(invariant: &Invariant) -> Option<(Side, &str, i128)> {
    let text = invariant.expression.text();
    let (left, right, less) = match (text.split_once(" <= "), text.split_once(" >= ")) {
        (Some((left, right)), None) => (left, right, true),
        (None, Some((left, right))) => (left, right, false),
        _ => return None,
    };
    let upper = |is_upper| if is_upper { Side::Upper } else { Side::Lower };
    match (left.trim().parse(), right.trim().parse()) {
        (Err(_), Ok(limit)) => Some((upper(less), left.trim(), limit)),
        (Ok(limit), Err(_)) => Some((upper(!less), right.trim(), limit)),
        _ => None,
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_plugin_api::artifact::{Condition, InvariantKind};

    #[test]
    fn only_the_tightest_bounds_are_kept() {
        let invariant = |text: &str| Invariant {
            location: "main:entry".into(),
            kind: InvariantKind::Loop,
            expression: Condition::in_function("main", text),
            origin: "test".into(),
            checked: true,
        };
        let texts = ["x <= 3", "x <= 7", "0 <= x", "x >= -1", "y <= 9", "x <= y", "x < 2"];
        let kept = tightest(&texts.into_iter().map(invariant).collect());
        let kept: Vec<&str> = kept.iter().map(|invariant| invariant.expression.text()).collect();
        assert_eq!(kept, ["0 <= x", "x < 2", "x <= 3", "x <= y", "y <= 9"]);
    }
}
