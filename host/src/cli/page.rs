//! `--report` and `--sarif`: collects the data of a page about the run, and writes it.

use super::question::Purpose;
use super::report::{Reporter, ShownRun};
use super::task_run::{Finished, Prepared, TaskRun};
use super::watchdog::peak_memory;
use crate::artifact::property;
use crate::compose::Recorder;
use crate::conversion::write_text;
use crate::coverage::{Coverage, measure};
use crate::diagnostic::Diagnostic;
use crate::report::sarif::{self, Finding};
use crate::report::trace::{self, Followed};
use crate::report::{Material, page};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};
use tandem_plugin_api::abi::SharedTask;
use tandem_plugin_api::artifact::{Invariants, Outcome, TestSuite, Verdict};
use tandem_plugin_api::program::Program;

/// Stands for a file that was not named: no page can have this name.
pub const UNNAMED: &str = ".";

/// The name of the page in an output directory.
pub const USUAL_NAME: &str = "report.html";

/// If there are more tests, the rest is not executed once more for the page.
const MOST_TESTS: usize = 2_000;

/// The path of the page; `None` if no page is wanted.
pub fn path(run: &TaskRun<'_>) -> Option<PathBuf> {
    let named = run.arguments.report.clone()?;
    if named != Path::new(UNNAMED) {
        return Some(named);
    }
    Some(match &run.output {
        Some(directory) => directory.join(USUAL_NAME),
        None => {
            let mut name = run.arguments.file.file_stem().unwrap_or_default().to_os_string();
            name.push(".report.html");
            PathBuf::from(name)
        }
    })
}

/// The data of a page that is known before the outcome.
struct Maker {
    path: PathBuf,
    task: SharedTask,
    recorder: Arc<Recorder>,
    reporter: Arc<Reporter>,
}

impl Maker {
    fn of(run: &TaskRun<'_>, task: &SharedTask) -> Option<Self> {
        let (path, recorder) = (path(run)?, run.recorder.clone()?);
        Some(Maker { path, task: task.clone(), recorder, reporter: run.reporter.clone() })
    }

    fn page(
        &self,
        verdict: &Verdict,
        outcome: &Outcome,
        invariants: &Invariants,
        followed: Option<&Result<Followed, String>>,
        coverage: Option<&Coverage<'_>>,
    ) -> Result<String, Diagnostic> {
        let task = self.task.task();
        let record = self.recorder.record();
        let material = Material {
            program: &task.program,
            targets: &task.targets,
            text: &source(&task.program),
            verdict,
            outcome,
            invariants,
            record: &record,
            followed,
            coverage,
            facts: self.facts(outcome.answered_by.clone().filter(|_| !verdict.is_unknown())),
            elapsed: self.recorder.elapsed(),
        };
        page(&material).map_err(|error| Diagnostic::new(format!("the report cannot be made: {error}")))
    }

    fn facts(&self, by: Option<String>) -> Vec<(&'static str, String)> {
        let task = self.task.task();
        let mut facts = vec![
            ("File", task.program.name.clone()),
            ("Property", property::write(&task.property, "main").trim().to_string()),
            ("Data model", task.program.types.model.name().to_string()),
        ];
        self.reporter.update(|report| {
            facts.extend(report.configuration.clone().map(|name| ("Configuration", name)));
            if let Some(difference) = &report.difference {
                facts.push(("Inputs", difference.inputs.join(", ")));
                facts.push(("Our execution", told(&difference.ours)));
                facts.push(("gcc's build", told(&difference.gcc)));
            }
        });
        facts.extend(by.map(|by| ("Found by", by)));
        facts.push(("Time", format!("{:.2} s", self.reporter.started.elapsed().as_secs_f64())));
        facts.extend(peak_memory().map(|bytes| ("Memory", format!("{:.0} MB", bytes as f64 / 1e6))));
        facts.push(("tandem", env!("CARGO_PKG_VERSION").to_string()));
        facts
    }
}

/// A run in one line.
fn told(run: &ShownRun) -> String {
    match run.lines.as_slice() {
        [] => run.did.clone(),
        lines => format!("{}; lines {}", run.did, lines.join(" ")),
    }
}

/// The program's text; empty if it cannot be read, since a page without it is better than no page.
fn source(program: &Program) -> String {
    fs::read(&program.name).map_or_else(|_| String::new(), |bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// If a limit ends the process, the page shows the run up to then.
pub fn save_in_need(run: &TaskRun<'_>, prepared: &Prepared) {
    let Some(maker) = Maker::of(run, &prepared.task) else { return };
    let save = move || {
        let outcome = Outcome::unknown("a limit ended the run");
        let written = maker
            .page(&outcome.verdict, &outcome, &Invariants::new(), None, None)
            .and_then(|page| write_text(&maker.path, &page));
        if let Err(problem) = written {
            maker.reporter.console.error(&problem);
        }
    };
    *run.rescue.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(save));
}

/// Writes the files that were asked for.
pub fn write(run: &TaskRun<'_>, finished: &Finished, verdict: &Verdict) {
    let maker = Maker::of(run, &finished.task);
    if maker.is_none() && run.sarif.is_none() {
        return;
    }
    run.context.console.stage("writing the report");
    // If gcc's build does not reach the error, our own run is still shown.
    let is_violation = verdict.is_false() || finished.outcome.verdict.is_false();
    let followed = is_violation.then(|| follow(run, finished));
    let sarif = run.sarif.as_ref().map(|path| (path, sarif_text(finished, verdict, followed.as_ref())));
    let page = maker.as_ref().map(|maker| {
        let suite = shown_tests(run, finished).filter(|_| followed.is_none());
        let coverage = suite.and_then(|suite| coverage(finished, &suite));
        (
            &maker.path,
            maker.page(verdict, &finished.outcome, &finished.invariants, followed.as_ref(), coverage.as_ref()),
        )
    });
    // A thread that ends the process waits for the files.
    let mut rescue = run.rescue.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((path, text)) = sarif {
        run.extra(write_text(path, &text));
    }
    if let Some((path, text)) = page {
        let written = text.and_then(|text| write_text(path, &text));
        if written.is_ok() {
            run.context.console.note(&format!("the report is in {}", path.display()));
        }
        run.extra(written);
    }
    *rescue = None;
    drop(rescue);
    run.context.console.stage_done();
}

fn sarif_text(finished: &Finished, verdict: &Verdict, followed: Option<&Result<Followed, String>>) -> String {
    let task = finished.task.task();
    let document = sarif::document(&Finding {
        program: &task.program,
        property: &task.property,
        verdict,
        text: &source(&task.program),
        followed,
        target: task.targets.first().copied().filter(|_| task.targets.len() == 1),
        conventions: finished.outcome.soundness.convention_texts(),
        claims: finished.outcome.soundness.claims().map(str::to_string).collect(),
    });
    format!("{document:#}\n")
}

fn follow(run: &TaskRun<'_>, finished: &Finished) -> Result<Followed, String> {
    let task = finished.task.task();
    let mut tests = finished.outcome.tests.iter().flat_map(|suite| &suite.tests);
    let test = tests.find(|test| test.covers_error).ok_or("the test is not there")?;
    let left = run.reporter.limits.time.map(|limit| {
        let end = run.context.started.checked_add(limit);
        end.map_or(Duration::ZERO, |end| end.saturating_duration_since(Instant::now()) / 2)
    });
    trace::follow(&task.program, &task.targets, test, left)
}

/// The tests whose coverage is shown: those of test generation, or those that were found without an answer.
fn shown_tests(run: &TaskRun<'_>, finished: &Finished) -> Option<TestSuite> {
    let mut suite = finished.outcome.tests.clone().unwrap_or_default();
    if run.purpose == Purpose::Tests {
        suite.merge(run.found.lock().unwrap_or_else(PoisonError::into_inner).clone());
    }
    suite.tests.truncate(MOST_TESTS);
    (!suite.tests.is_empty()).then_some(suite)
}

fn coverage<'f>(finished: &'f Finished, suite: &TestSuite) -> Option<Coverage<'f>> {
    let program = finished.task.program();
    let property = Some(&finished.task.task().property);
    let tests = suite.tests.iter().enumerate().map(|(at, test)| ((at + 1).to_string(), test));
    measure(program, property, tests, |_| {}).ok().map(|(coverage, _)| coverage)
}
