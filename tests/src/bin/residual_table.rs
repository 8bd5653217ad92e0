//! Residual programs of the benchmark tasks that a first verifier leaves open: their sizes, whether gcc, our front end and Frama-C read
//! them, and whether they follow every run that the condition does not cover. Exit status 1 where one does not.
#![allow(clippy::print_stdout, reason = "a command prints its result")]

use clap::Parser;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tandem::compose::{Available, Config, Events, Stop, Surroundings, check, locate, open, run as run_config};
use tandem::frontend::load;
use tandem::plugins::{PluginSearch, Registry};
use tandem::services::Executions;
use tandem_plugin_api::abi::{SharedProgram, SharedTask};
use tandem_plugin_api::artifact::{Acceptance, Gia};
use tandem_plugin_api::service::{LogLevel, Progress, StopReason};
use tandem_plugin_api::task::{Inputs, Property};
use tandem_tests::conclude;
use tandem_tests::residuals::{Comparer, Comparison, REDUCERS, reduce, unread};
use tandem_tests::table;
use tandem_tests::tasks::{Task, benchmark_tasks, in_parallel};

/// Sizes of residual programs, whether gcc and others read them, and whether they follow the runs that they must.
#[derive(Parser)]
struct Settings {
    /// Every N-th task
    #[arg(long, value_name = "N", default_value = "3")]
    every: NonZeroUsize,
    /// Only tasks whose name contains this
    #[arg(long, value_name = "PATTERN", default_value = "")]
    task: String,
    /// Of the first verifier
    #[arg(long, value_name = "N", default_value_t = 5)]
    seconds: u64,
    /// The first verifier
    #[arg(long, value_name = "CONFIG", default_value = "predicate")]
    first: String,
    /// Executions of each residual program
    #[arg(long, value_name = "N", default_value_t = 20)]
    runs: u64,
    /// Let Frama-C read them, too, which takes some hundred milliseconds each
    #[arg(long)]
    frama_c: bool,
    /// Write the sizes for each task to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// Steps of an execution.
const STEPS: u64 = 20_000;
/// The locations that executions come to are counted over this many times as many of them, and over as many that are longer.
const MORE_RUNS: u64 = 10;
const MORE_STEPS: u64 = 200_000;

struct Quiet;

impl Events for Quiet {
    fn log(&self, _: &str, _: LogLevel, _: &str) {}
    fn progress(&self, _: &str, _: &Progress) {}
}

/// The result of one task with one reducer.
struct Row {
    ratio: f64,
    milliseconds: f64,
    /// The readers that reject it, with the reasons.
    unread: Vec<String>,
    compared: Result<Comparison, String>,
}

enum Answer {
    Solved,
    /// The first verifier proved no part of it.
    NoCondition(String),
    Reduced {
        states: usize,
        /// The share of the locations that executions reach before the condition covers them.
        executed: Result<f64, String>,
        rows: Vec<Result<Row, String>>,
    },
}

fn main() -> ExitCode {
    conclude(run(&Settings::parse()).map(|failures| failures == 0))
}

fn run(settings: &Settings) -> Result<usize, String> {
    let wanted = benchmark_tasks()?.into_iter().filter(|task| task.name.contains(&settings.task));
    let tasks: Vec<Task> = wanted.step_by(settings.every.get()).collect();
    let folder = std::env::current_exe().ok().and_then(|path| Some(path.parent()?.to_path_buf())).unwrap_or_default();
    let registry = Arc::new(PluginSearch::only(&[folder]).discover());
    let config = Arc::new(configuration(&settings.first, &registry)?);
    let answers = in_parallel(&tasks, 2, |task| one(task, &config, &registry, settings));
    if let Some(file) = &settings.csv {
        std::fs::write(file, sizes(&tasks, &answers)).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(report(&tasks, &answers))
}

/// A line a task that has a condition: the share of its locations that is left, by executions and by each reducer.
fn sizes(tasks: &[Task], answers: &[Result<Answer, String>]) -> String {
    let mut text = format!("task,states,executed,{}\n", REDUCERS.join(","));
    for (task, answer) in tasks.iter().zip(answers) {
        let Ok(Answer::Reduced { states, executed, rows }) = answer else { continue };
        let executed = executed.as_ref().map_or(String::new(), |share| format!("{share:.3}"));
        let ratios = rows.iter().map(|row| row.as_ref().map_or(String::new(), |row| format!("{:.3}", row.ratio)));
        text += &format!("{},{states},{executed},{}\n", task.name, ratios.collect::<Vec<_>>().join(","));
    }
    text
}

fn configuration(name: &str, registry: &Registry) -> Result<Config, String> {
    let plugins = registry.plugins().iter().map(|plugin| &plugin.descriptor).collect();
    let available = Available { plugins, help_if_missing: String::new() };
    let located = locate(name).map_err(|error| error.to_string())?;
    let document = open(located).map_err(|problems| problems.iter().map(ToString::to_string).collect::<String>())?;
    check(&document, &available).map_err(|problems| problems.iter().map(ToString::to_string).collect::<String>())
}

fn one(task: &Task, config: &Arc<Config>, registry: &Arc<Registry>, settings: &Settings) -> Result<Answer, String> {
    let program = load(&task.source, task.model).map_err(|error| error.to_string())?;
    // Older programs have another name for it.
    let names = ["reach_error", "__VERIFIER_error"];
    let function = names.into_iter().find(|name| program.function_named(name).is_some()).unwrap_or(names[0]);
    let property = Property::UnreachableCall { function: function.into() };
    let shared = SharedTask::new(&SharedProgram::new(Arc::new(program)), property);
    let stop = Stop::new();
    let surroundings = Surroundings {
        executions: Executions::of(shared.program()),
        registry: Arc::clone(registry),
        events: Arc::new(Quiet),
        stop: stop.clone(),
        deadline: Some(Instant::now() + Duration::from_secs(settings.seconds)),
        memory: None,
        inputs: Inputs::default(),
        recorder: None,
    };
    let seconds = settings.seconds;
    let timer = std::thread::spawn(move || {
        std::thread::park_timeout(Duration::from_secs(seconds));
        stop.stop(StopReason::OutOfTime);
    });
    let outcome = run_config(config, &shared, surroundings);
    timer.thread().unpark();
    if !outcome.reported_verdict(false).is_unknown() {
        return Ok(Answer::Solved);
    }
    let objection = outcome.soundness.objection(false);
    let known = outcome.gia.filter(|gia| objection.is_none() && gia.has(Acceptance::Ut));
    let Some(known) = known.map(|gia| gia.without_candidates()) else {
        return Ok(Answer::NoCondition(objection.unwrap_or_else(|| "no part of it is proven".into())));
    };
    let rows = REDUCERS.iter().map(|reducer| row(reducer, &shared, &known, registry, settings)).collect();
    let size = shared.program().size().max(1) as f64;
    let executed = Comparer::new(&shared, &known, STEPS).map(|mut comparer| {
        let mut seen = comparer.open_locations(settings.runs * MORE_RUNS, STEPS);
        seen.extend(comparer.open_locations(settings.runs, MORE_STEPS));
        seen.len() as f64 / size
    });
    Ok(Answer::Reduced { states: known.states().len(), executed, rows })
}

fn row(reducer: &str, task: &SharedTask, known: &Gia, registry: &Registry, settings: &Settings) -> Result<Row, String> {
    let start = Instant::now();
    let residual = reduce(registry, reducer, task, known)?;
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    let ratio = residual.program.size() as f64 / task.program().size().max(1) as f64;
    let unread = unread(&residual.program, settings.frama_c);
    let compared = Comparer::new(task, known, STEPS)
        .and_then(|mut comparer| comparer.compare(&residual, reducer == "slice", settings.runs));
    Ok(Row { ratio, milliseconds, unread, compared })
}

/// Prints the report; returns how many residual programs are wrong.
fn report(tasks: &[Task], answers: &[Result<Answer, String>]) -> usize {
    let count = |what: fn(&Answer) -> bool| answers.iter().flatten().filter(|answer| what(answer)).count();
    println!("{} tasks, {} solved by the first verifier", tasks.len(), count(|a| matches!(a, Answer::Solved)));
    println!("{} open without a condition", count(|a| matches!(a, Answer::NoCondition(_))));
    println!("{} open with a condition", count(|a| matches!(a, Answer::Reduced { .. })));
    let mut wrong = 0;
    for (task, answer) in tasks.iter().zip(answers) {
        match answer {
            Err(why) => println!("{}: {why}", task.name),
            Ok(Answer::NoCondition(why)) => println!("{}: no condition: {why}", task.name),
            Ok(Answer::Solved) => {}
            Ok(Answer::Reduced { states, rows, .. }) => {
                for (reducer, row) in REDUCERS.iter().zip(rows) {
                    let told = format!("{}, {states} states, {reducer}", task.name);
                    match row {
                        Err(why) => println!("{told}: {why}"),
                        Ok(row) => wrong += tell(&told, row),
                    }
                }
            }
        }
    }
    let header = [
        "reducer",
        "programs",
        "refused",
        "readable",
        "median %",
        "mean %",
        "worst",
        "ms, median",
        "runs",
        "covered",
        "shorter",
        "wrong",
    ];
    let rows: Vec<Vec<String>> = (0..REDUCERS.len()).map(|at| summary(at, answers)).collect();
    print!("{}", table::render(&header, &rows));
    tell_executed(answers);
    wrong
}

/// The least possible size of a residual program: it has every location that a run reaches before the condition covers
/// it.
fn tell_executed(answers: &[Result<Answer, String>]) {
    let shares = answers.iter().flatten().filter_map(|answer| match answer {
        Answer::Reduced { executed: Ok(share), .. } => Some(*share),
        _ => None,
    });
    let shares = sorted(shares);
    println!(
        "Of the locations, executions that are not covered come to {:.0} % (median), {:.0} % (mean); {} programs.",
        median(&shares) * 100.0,
        mean(&shares) * 100.0,
        shares.len()
    );
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut list: Vec<f64> = values.collect();
    list.sort_by(f64::total_cmp);
    list
}

fn median(sorted: &[f64]) -> f64 {
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn tell(told: &str, row: &Row) -> usize {
    row.unread.iter().for_each(|why| println!("{told}: {why}"));
    let mut wrong = row.unread.len();
    match &row.compared {
        Err(why) => println!("{told}: not executed: {why}"),
        Ok(found) => {
            found.violations.iter().take(1).for_each(|violation| println!("{told}: {violation}"));
            wrong += found.violations.len();
        }
    }
    wrong
}

fn summary(at: usize, answers: &[Result<Answer, String>]) -> Vec<String> {
    let all: Vec<&Result<Row, String>> = answers
        .iter()
        .flatten()
        .filter_map(|answer| if let Answer::Reduced { rows, .. } = answer { rows.get(at) } else { None })
        .collect();
    let rows: Vec<&Row> = all.iter().filter_map(|row| row.as_ref().ok()).collect();
    let ratios = sorted(rows.iter().map(|row| row.ratio));
    let times = sorted(rows.iter().map(|row| row.milliseconds));
    let runs = |count: fn(&Comparison) -> usize| -> String {
        rows.iter().filter_map(|row| row.compared.as_ref().ok()).map(count).sum::<usize>().to_string()
    };
    vec![
        REDUCERS[at].into(),
        all.len().to_string(),
        (all.len() - rows.len()).to_string(),
        rows.iter().filter(|row| row.unread.is_empty()).count().to_string(),
        format!("{:.0}", median(&ratios) * 100.0),
        format!("{:.0}", mean(&ratios) * 100.0),
        format!("{:.1} x", ratios.last().copied().unwrap_or(0.0)),
        format!("{:.1}", median(&times)),
        runs(|found| found.runs),
        runs(|found| found.covered),
        runs(|found| found.shortened),
        runs(|found| found.violations.len()),
    ]
}
