//! Witnesses of the benchmark tasks: verifies each, validates the witness of every verdict in both formats, and counts
//! the results. Exit status 1 where one is refuted or none was written.
#![allow(clippy::print_stdout, reason = "a command prints its result")]

use clap::Parser;
use std::collections::BTreeMap;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use tandem_tests::command::{Ran, run as run_command};
use tandem_tests::conclude;
use tandem_tests::table;
use tandem_tests::tasks::{Task, benchmark_tasks, in_parallel, shared_directory};

const FORMATS: [&str; 2] = ["witness.yml", "witness.graphml"];

/// Verifies each task, and validates the witness of every verdict in both formats.
#[derive(Parser)]
struct Options {
    /// Every N-th task
    #[arg(long, value_name = "N", default_value = "3")]
    every: NonZeroUsize,
    /// Only tasks whose name contains this
    #[arg(long, value_name = "PATTERN", default_value = "")]
    task: String,
    /// Of verification, and of each validation
    #[arg(long, value_name = "SECONDS", default_value = "20")]
    limit: NonZeroU64,
    /// Tasks at a time
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,
    /// The verifier's configuration [default: tandem's own]
    #[arg(long, value_name = "CONFIG")]
    config: Option<String>,
}

struct Settings {
    /// Beside this command.
    tandem: PathBuf,
    limit: NonZeroU64,
    config: Option<String>,
    property: PathBuf,
}

/// The result of a task with a verdict.
struct Row {
    verdict: String,
    /// For each format: `confirmed`, `unknown (…)`, `refuted (…)`, or an error.
    answers: Vec<String>,
}

fn main() -> ExitCode {
    conclude(run(Options::parse()))
}

fn run(options: Options) -> Result<bool, String> {
    let root = shared_directory().unwrap_or_default();
    let property = root.join("sv-benchmarks/properties/unreach-call.prp");
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let tandem = own.with_file_name("tandem");
    let settings = Settings { tandem, limit: options.limit, config: options.config, property };
    let wanted = benchmark_tasks()?.into_iter().filter(|task| task.name.contains(&options.task));
    let tasks: Vec<Task> = wanted.step_by(options.every.get()).collect();
    let rows = in_parallel(&tasks, options.jobs, |task| one(task, &settings));
    Ok(report(&tasks, &rows))
}

/// `None` if there is no verdict.
fn one(task: &Task, settings: &Settings) -> Option<Row> {
    let output = tempfile::tempdir().ok()?;
    let mut verify = command("verify", task, settings);
    verify.arg("-o").arg(output.path());
    if let Some(config) = &settings.config {
        verify.args(["-c", config]);
    }
    let verdict = answer(&run_command(&mut verify), "Verdict: ");
    if !["TRUE", "FALSE"].contains(&verdict.as_str()) {
        return None;
    }
    let answers = FORMATS.map(|format| {
        let file = output.path().join(format);
        let answer = validated(task, settings, &file);
        if !answer.starts_with("confirmed") {
            eprintln!("{} {verdict} {format}: {answer}", task.name);
        }
        answer
    });
    Some(Row { verdict, answers: answers.to_vec() })
}

fn validated(task: &Task, settings: &Settings, file: &Path) -> String {
    let mut validate = command("validate", task, settings);
    answer(&run_command(validate.arg("-w").arg(file)), "Witness: ")
}

fn command(what: &str, task: &Task, settings: &Settings) -> Command {
    let mut command = Command::new(&settings.tandem);
    command.args([
        what,
        "--quiet",
        "--limit",
        &format!("{}s", settings.limit),
        "--data-model",
        task.model.name(),
        "-p",
    ]);
    command.arg(&settings.property).arg(&task.source).env_remove("TANDEM_PLUGIN_PATH");
    command
}

/// The line of the result, or the message in its place.
fn answer(ran: &Ran, prefix: &str) -> String {
    let line = ran.stdout.lines().find_map(|line| line.strip_prefix(prefix));
    let instead = || format!("failed: {}", ran.stderr.split_whitespace().collect::<Vec<_>>().join(" "));
    line.map_or_else(instead, str::to_string)
}

fn report(tasks: &[Task], rows: &[Option<Row>]) -> bool {
    let mut lines: BTreeMap<(&str, &str), [usize; 9]> = BTreeMap::new();
    let mut right = true;
    for (task, row) in tasks.iter().zip(rows) {
        let Some(row) = row else { continue };
        for category in [task.category.as_str(), "total"] {
            let line = lines.entry((category, row.verdict.as_str())).or_default();
            line[0] += 1;
            for (format, answer) in row.answers.iter().enumerate() {
                let kind = ["confirmed", "unknown", "refuted"].iter().position(|kind| answer.starts_with(kind));
                line[1 + 4 * format + kind.unwrap_or(3)] += 1;
                right &= matches!(kind, Some(0 | 1));
            }
        }
    }
    let cells = |((category, verdict), counts): (&(&str, &str), &[usize; 9])| {
        let names = [category.to_string(), verdict.to_string()];
        names.into_iter().chain(counts.iter().map(ToString::to_string)).collect()
    };
    let table: Vec<Vec<String>> = lines.iter().map(cells).collect();
    let header = [
        "category",
        "verdict",
        "solved",
        "YAML: confirmed",
        "unknown",
        "refuted",
        "failed",
        "GraphML: confirmed",
        "unknown",
        "refuted",
        "failed",
    ];
    println!("{} tasks\n{}", tasks.len(), table::render(&header, &table));
    for (task, row) in tasks.iter().zip(rows) {
        for (format, answer) in row.iter().flat_map(|row| FORMATS.iter().zip(&row.answers)) {
            if !answer.starts_with("confirmed") {
                println!("{} {format}: {answer}", task.name);
            }
        }
    }
    right
}
