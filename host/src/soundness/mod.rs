//! Checks whether an analysis is sound: random programs run in step with the analysis's claims about them, and each
//! concrete state must lie in some abstract state of its location. The laws of its operators are also checked.

mod claims;
mod execute;
mod instrument;
mod laws;
pub mod programs;
mod report;
mod services;

pub use claims::{Claims, Explored, NoClaims, Part, Subject, explore};
pub use execute::{Outside, Runs, execute, small_inputs};
pub use instrument::{Check, Instrumented, Unreadable};
pub use report::{Report, Violation, Wrong};

use crate::frontend::load_text;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tandem_plugin_api::kit::testing::laws::Law;
use tandem_plugin_api::program::{DataModel, Program};

/// How much is to be checked.
#[derive(Clone, Debug)]
pub struct Effort {
    /// The number of runs to make, of all programs together.
    pub runs: u64,
    /// The seed of the first program; the next one has the next number.
    pub seed: u64,
    /// Runs of one program.
    pub runs_per_program: u64,
    /// For the exploration of one program.
    pub time_per_program: Duration,
    /// Programs that are checked at the same time.
    pub jobs: usize,
    /// Laws that the analysis need not keep.
    pub excused: Vec<Law>,
    /// Check claims also where the analysis noted unsound steps.
    pub despite_notes: bool,
}

impl Default for Effort {
    fn default() -> Self {
        Effort {
            runs: 1000,
            seed: 0,
            runs_per_program: 20,
            time_per_program: Duration::from_millis(500),
            jobs: std::thread::available_parallelism().map_or(1, |count| count.get().min(4)),
            excused: Vec::new(),
            despite_notes: false,
        }
    }
}

/// Laws are checked on one of this many programs.
const LAWS_EVERY: u64 = 3;

/// Checks an analysis on random programs, until there were enough runs or something is wrong. The number of programs is
/// limited so that an analysis which accepts a tenth of them gets its runs. `progress` gets the number of runs so far.
pub fn check(subject: &Subject, effort: &Effort, progress: &(dyn Fn(u64) + Sync)) -> Report {
    let most = effort.runs.div_ceil(effort.runs_per_program.max(1)).saturating_mul(10).saturating_add(20);
    let (next, runs) = (AtomicU64::new(0), AtomicU64::new(0));
    let found: Mutex<BTreeMap<u64, Report>> = Mutex::default();
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= most || runs.load(Ordering::Relaxed) >= effort.runs {
                return;
            }
            let report = check_seed(subject, effort, effort.seed.wrapping_add(number));
            if !report.violations.is_empty() {
                // No further programs are started; those under way are finished.
                next.fetch_add(most, Ordering::Relaxed);
            }
            progress(runs.fetch_add(report.runs, Ordering::Relaxed) + report.runs);
            found.lock().unwrap_or_else(PoisonError::into_inner).insert(number, report);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..effort.jobs {
            scope.spawn(work);
        }
        work();
    });
    let mut sum = Report::default();
    for (_, report) in found.into_inner().unwrap_or_else(PoisonError::into_inner) {
        sum.absorb(report);
    }
    sum
}

/// Checks an analysis on the program that a seed names.
fn check_seed(subject: &Subject, effort: &Effort, seed: u64) -> Report {
    let (text, model) = programs::program(seed);
    check_text(subject, effort, seed, &text, model)
}

/// Checks an analysis on one program; the seed is for its inputs and for reports.
pub fn check_text(subject: &Subject, effort: &Effort, seed: u64, text: &str, model: DataModel) -> Report {
    let mut report = Report::default();
    let program = match load_text(text, "program.c", model) {
        Ok(program) => Arc::new(program),
        Err(problem) => {
            report.skipped.insert(format!("the program cannot be read: {problem}"), 1);
            return report;
        }
    };
    let wrong = match check_program(subject, effort, seed, &program, &mut report) {
        Ok(None) => return report,
        Ok(Some(wrong)) => wrong,
        Err(NoClaims::Skipped(why)) => {
            report.skipped.insert(why, 1);
            return report;
        }
        Err(NoClaims::Failed(why)) => Wrong::Failed(why),
    };
    report.violations.push(Violation { seed, text: text.to_string(), model: model.name(), what: wrong });
    report
}

fn check_program(
    subject: &Subject,
    effort: &Effort,
    seed: u64,
    program: &Arc<Program>,
    report: &mut Report,
) -> Result<Option<Wrong>, NoClaims> {
    let explored = explore(subject, program, effort.time_per_program, effort.despite_notes)?;
    let claims = explored.claims()?;
    report.programs += 1;
    report.refinements += u64::from(explored.exploration.refinements());
    let targets = &explored.task.task().targets;
    let instrumented = match Instrumented::new(program, &claims, targets) {
        Ok(instrumented) => instrumented,
        Err(Unreadable { location, claim, why }) => {
            return Ok(Some(Wrong::Unreadable(format!("`{claim}` at {location}: {why}"))));
        }
    };
    report.conditions += instrumented.parts as u64;
    report.forbidden += instrumented.forbidden as u64;
    report.left_out += instrumented.left_out as u64;
    let first = seed.wrapping_mul(1000);
    let runs = first..first.wrapping_add(effort.runs_per_program);
    let runs = execute(program, &claims, targets, &instrumented, runs).map_err(NoClaims::Skipped)?;
    report.runs += runs.runs;
    report.ended += runs.ended;
    report.states += runs.states;
    if let Some(outside) = runs.outside {
        let values = execute::values(program, &claims, targets, &outside, first);
        return Ok(Some(Wrong::Outside(Outside { values, ..outside })));
    }
    if seed.is_multiple_of(LAWS_EVERY) {
        let kept = laws::check(&explored, seed, effort.time_per_program, &effort.excused);
        let kept = kept.map_err(|error| NoClaims::Failed(format!("a law cannot be checked: {error}")))?;
        report.laws = kept.checked;
        return Ok(kept.broken.into_iter().next().map(Wrong::Law));
    }
    Ok(None)
}
