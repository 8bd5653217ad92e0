//! The report of `tandem verify` and `tandem test`: one line, the JSON document, and the file in the output directory.
//! The run and the watchdog may both want to end the process; the first of them reports, and the other one does not.

use super::console::Console;
use super::exit::Exit;
use super::task_run::RESULT;
use super::watchdog::{Limits, peak_memory};
use crate::conversion::write_text;
use crate::coverage::Ratio;
use crate::diagnostic::Diagnostic;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tandem_plugin_api::artifact::{Convention, Soundness, Verdict};

fn as_texts<S: Serializer>(conventions: &[Convention], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(conventions.iter().map(Convention::to_string))
}

/// The result of a run. Everything but `resources` is the same for the same input, configuration and seed.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    pub tandem: String,
    pub verdict: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
    pub program: String,
    pub property: Option<String>,
    pub data_model: Option<String>,
    pub configuration: Option<String>,
    /// The actor whose answer the verdict is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answered_by: Option<String>,
    /// Conventions of the field that the verdict relies on.
    #[serde(serialize_with = "as_texts")]
    pub conventions: Vec<Convention>,
    /// Unchecked claims of external tools that the verdict relies on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<String>,
    /// Why these claims could not be confirmed, if that was tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_confirmed: Option<String>,
    /// Which executions reach the error, if the verdict is FALSE or gcc's build disagrees.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub opinions: Vec<String>,
    /// A run in which gcc's build behaves differently from our execution: what both did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<ShownDifference>,
    /// Steps on the way that were not sound.
    pub unsound_steps: Vec<String>,
    pub statistics: Vec<Statistic>,
    /// For test generation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tests: Option<TestsReport>,
    pub resources: Resources,
}

/// A run in which our execution and gcc's build behave differently.
#[derive(Clone, Debug, Serialize)]
pub struct ShownDifference {
    pub inputs: Vec<String>,
    pub ours: ShownRun,
    pub gcc: ShownRun,
}

/// The end of a run, and the lines of the program that it executed, as far as they are known.
#[derive(Clone, Debug, Serialize)]
pub struct ShownRun {
    pub did: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
}

/// The test suite that was written.
#[derive(Clone, Debug, Default, Serialize)]
pub struct TestsReport {
    pub count: usize,
    pub directory: String,
    /// `None` if the tests could not be executed in time.
    pub branches: Option<Ratio>,
    /// Set if the task is to reach an error.
    pub error_reached: Option<bool>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Statistic {
    pub name: String,
    pub value: String,
}

#[derive(Clone, Debug, Default, Serialize)]
pub struct Resources {
    pub seconds: f64,
    pub peak_memory_bytes: Option<u64>,
    pub limit_seconds: Option<f64>,
    pub limit_memory_bytes: Option<u64>,
}

/// The note about unchecked claims beside a proof.
fn claimed(report: &Report) -> String {
    let claims = report.claims.join(", ");
    match &report.not_confirmed {
        _ if claims.is_empty() => String::new(),
        Some(why) => one_line(&format!("claimed, and not confirmed: {claims}; the witness: {why}")),
        None => one_line(&format!("claimed, not checked: {claims}; --validate checks it")),
    }
}

impl Report {
    /// The line for standard output.
    fn line(&self) -> String {
        let reason = if self.reason.is_empty() { String::new() } else { format!(" ({})", self.reason) };
        let Some(tests) = &self.tests else { return format!("Verdict: {}{reason}\n", self.verdict) };
        let error = match tests.error_reached {
            None => "",
            Some(true) => ", error reached",
            Some(false) => ", error not reached",
        };
        let branches = tests.branches.map_or(String::new(), |branches| format!(", branches {branches}"));
        format!("Tests: {}{error}{branches}\n", tests.count)
    }

    /// Tests are a success even if goals are left open; no tests are not.
    fn exit(&self, verdict: &Verdict) -> Exit {
        match &self.tests {
            Some(tests) if tests.count > 0 => Exit::Success,
            Some(_) => Exit::Unknown,
            None => Exit::of_verdict(verdict),
        }
    }

    /// Takes over what the verdict rests on.
    pub fn rests_on(&mut self, soundness: &Soundness) {
        self.conventions = soundness.conventions().cloned().collect();
        self.claims = soundness.claims().map(str::to_string).collect();
        self.unsound_steps = soundness.unsound_steps().map(str::to_string).collect();
    }
}

/// Where and how the result goes out.
pub struct Reporter {
    pub console: Console,
    pub json: bool,
    pub directory: Option<PathBuf>,
    pub started: Instant,
    pub limits: Limits,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    report: Report,
    /// A thread reports already, and will end the process.
    claimed: bool,
    /// Problems with files other than the verdict.
    failed: Vec<Diagnostic>,
}

impl Reporter {
    pub fn new(console: Console, json: bool, directory: Option<PathBuf>, started: Instant, limits: Limits) -> Self {
        Reporter { console, json, directory, started, limits, state: Mutex::default() }
    }

    /// Notes what is known of the run so far, in case that another thread reports.
    pub fn update(&self, change: impl FnOnce(&mut Report)) {
        change(&mut self.state().report);
    }

    /// Notes a file that could not be written: the verdict is reported all the same, and the failure after it.
    pub fn failed(&self, problem: Diagnostic) {
        self.state().failed.push(problem);
    }

    /// Reports the verdict. `None` if another thread is doing that already: this thread must then not report.
    pub fn finish(&self, verdict: &Verdict) -> Option<Result<Exit, Diagnostic>> {
        let report = {
            let mut state = self.state();
            if std::mem::replace(&mut state.claimed, true) {
                return None;
            }
            state.report.clone()
        };
        let exit = report.exit(verdict);
        Some(self.write(report, verdict).map(|()| {
            let failed = std::mem::take(&mut self.state().failed);
            failed.iter().for_each(|problem| self.console.error(problem));
            if failed.is_empty() { exit } else { Exit::BadInput }
        }))
    }

    /// Says that the run ends without a verdict; `false` if another thread reports already.
    pub fn give_up(&self, errors: &[Diagnostic]) -> bool {
        if std::mem::replace(&mut self.state().claimed, true) {
            return false;
        }
        if self.json {
            // The errors go to standard error, too; a new error here would add nothing.
            let _ = self.console.result(&errors_as_json(errors));
        }
        true
    }

    fn write(&self, mut report: Report, verdict: &Verdict) -> Result<(), Diagnostic> {
        report.tandem = env!("CARGO_PKG_VERSION").to_string();
        (report.verdict, report.reason) = match verdict {
            Verdict::True => ("TRUE".to_string(), claimed(&report)),
            Verdict::False => ("FALSE".to_string(), String::new()),
            Verdict::Unknown { reason } => ("UNKNOWN".to_string(), one_line(reason)),
        };
        report.resources = Resources {
            seconds: self.started.elapsed().as_secs_f64(),
            peak_memory_bytes: peak_memory(),
            limit_seconds: self.limits.time.map(|limit| limit.as_secs_f64()),
            limit_memory_bytes: self.limits.memory,
        };
        self.console.stage_done();
        for convention in in_short(&report.conventions) {
            self.console.note(&format!("by convention: {convention}"));
        }
        let json = serde_json::to_string_pretty(&report)
            .map_err(|error| Diagnostic::new(format!("the result cannot be written as JSON: {error}")))?;
        if let Some(directory) = &self.directory {
            let written = write_text(&directory.join(RESULT), &format!("{json}\n"));
            let _ = written.map_err(|problem| self.failed(problem));
        }
        if report.tests.is_some() && !report.reason.is_empty() {
            self.console.note(&report.reason);
        }
        self.console.result(&if self.json { format!("{json}\n") } else { report.line() })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Conventions in few lines: functions of one kind side by side, and of several places the first. The documents have them all.
fn in_short(conventions: &[Convention]) -> Vec<String> {
    let mut kinds: BTreeMap<&str, (Vec<&str>, Vec<&str>)> = BTreeMap::new();
    for convention in conventions {
        let (functions, places) = kinds.entry(convention.kind()).or_default();
        functions.extend(convention.function());
        places.extend(convention.place());
    }
    let line = |(kind, (names, places)): (&str, (Vec<&str>, Vec<&str>))| {
        let names = if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
        let places = match places[..] {
            [] => String::new(),
            [place] => format!(" ({place})"),
            [first, _] => format!(" ({first} and one more place)"),
            [first, ..] => format!(" ({first} and {} more places)", places.len() - 1),
        };
        format!("{kind}{names}{places}")
    };
    kinds.into_iter().map(line).collect()
}

/// A reason fits the verdict line, whatever a plugin put into it.
fn one_line(reason: &str) -> String {
    let line = reason.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.is_empty() { "no reason given".to_string() } else { line }
}

/// One document with all errors, for programs that read `--json`.
pub fn errors_as_json(errors: &[Diagnostic]) -> String {
    let errors: Vec<_> = errors
        .iter()
        .map(|error| {
            serde_json::json!({
                "file": error.file, "line": error.line, "column": error.column,
                "message": error.message, "help": error.help,
            })
        })
        .collect();
    format!("{:#}\n", serde_json::json!({ "tandem": env!("CARGO_PKG_VERSION"), "errors": errors }))
}

#[cfg(test)]
mod tests {
    use super::super::console::Loudness;
    use super::*;
    use std::fs;

    #[test]
    fn conventions_of_one_kind_share_a_line() {
        let by_pointer = |place: &str| Convention::NoBodyByPointer { place: Some(place.into()) };
        let no_body = |function: &str| Convention::NoBody { function: function.into() };
        let all = [
            Convention::NoBodyByPointer { place: None },
            by_pointer("x.c:1"),
            by_pointer("x.c:2"),
            Convention::Assembly { place: Some("x.c:9".into()) },
            by_pointer("x.c:3"),
            no_body("f"),
            no_body("g"),
            Convention::Allocation,
            Convention::Other("with a colon: and a place (x.c:1)".into()),
        ];
        let short = [
            "function without a body: f, g",
            "function without a body, called by a pointer (x.c:1 and 2 more places)",
            "inline assembly gives its outputs any value (x.c:9)",
            "malloc never fails",
            "with a colon: and a place (x.c:1)",
        ];
        assert_eq!(in_short(&all), short);
    }

    #[test]
    fn only_the_first_ending_counts() {
        let folder = tempfile::tempdir().unwrap();
        let console = Console::new(Loudness::Quiet);
        let directory = Some(folder.path().to_path_buf());
        let reporter = Reporter::new(console, true, directory, Instant::now(), Limits::default());
        reporter.update(|report| report.program = "x.c".into());
        let exit = reporter.finish(&Verdict::unknown("two\nlines")).unwrap().unwrap();
        assert_eq!(exit, Exit::Unknown);
        assert!(reporter.finish(&Verdict::True).is_none());
        assert!(!reporter.give_up(&[]));
        let written = fs::read_to_string(folder.path().join("result.json")).unwrap();
        let document: serde_json::Value = serde_json::from_str(&written).unwrap();
        assert_eq!(document["verdict"], "UNKNOWN");
        assert_eq!(document["reason"], "two lines");
        assert_eq!(document["program"], "x.c");
    }
}
