//! Residual programs of the benchmark tasks that a first verifier leaves open: their sizes, whether gcc compiles them, and whether they
//! follow every run that the condition does not cover. Exit status 1 where one does not.
#![allow(clippy::print_stdout, reason = "a command prints its result")]

use std::io::Write;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tandem::compose::{Available, Config, Events, Surroundings, check, locate, open, run as run_config};
use tandem::plugins::{PluginSearch, Registry};
use tandem_plugin_api::abi::{SharedProgram, SharedTask};
use tandem_plugin_api::artifact::{Acceptance, Gia};
use tandem_plugin_api::program::{DataModel, PrintOptions, Program};
use tandem_plugin_api::service::{LogLevel, Progress, StopReason, StopSignal};
use tandem_plugin_api::task::{Inputs, Property};
use tandem_tests::residuals::{Comparer, Comparison, REDUCERS, reduce, size};
use tandem_tests::table;
use tandem_tests::tasks::{Task, benchmark_tasks, in_parallel};

const USAGE: &str = "\
usage: cargo run --release -p tandem-tests --bin residual_table [-- OPTIONS]
  --every N           every N-th task (default 3)
  --task PATTERN      only tasks whose name contains PATTERN
  --seconds N         of the first verifier (default 5)
  --first CONFIG      the first verifier (default predicate)
  --runs N            executions of each residual program (default 20)";

struct Settings {
    seconds: u64,
    first: String,
    runs: u64,
}

struct Quiet;

impl Events for Quiet {
    fn log(&self, _: &str, _: LogLevel, _: &str) {}
    fn progress(&self, _: &str, _: &Progress) {}
}

/// What became of one task with one reducer.
struct Row {
    ratio: f64,
    milliseconds: f64,
    compiles: bool,
    compared: Result<Comparison, String>,
}

enum Answer {
    Solved,
    /// The first verifier proved no part of it.
    NoCondition(String),
    Reduced(usize, Vec<Result<Row, String>>),
}

fn main() -> ExitCode {
    match run() {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<usize, String> {
    let (mut every, mut pattern) = (3, String::new());
    let mut settings = Settings { seconds: 5, first: "predicate".into(), runs: 20 };
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("`{name}` needs a value\n{USAGE}"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("`{name}` needs a number\n{USAGE}"));
        match name.as_str() {
            "--every" => every = number()?.max(1) as usize,
            "--task" => pattern = value,
            "--seconds" => settings.seconds = number()?,
            "--first" => settings.first = value,
            "--runs" => settings.runs = number()?,
            _ => return Err(format!("unknown option `{name}`\n{USAGE}")),
        }
    }
    let tasks: Vec<Task> =
        benchmark_tasks()?.into_iter().filter(|task| task.name.contains(&pattern)).step_by(every).collect();
    let folder = std::env::current_exe().ok().and_then(|path| Some(path.parent()?.to_path_buf())).unwrap_or_default();
    let registry = Arc::new(PluginSearch::only(&[folder]).discover());
    let config = Arc::new(configuration(&settings.first, &registry)?);
    let answers = in_parallel(&tasks, 2, |task| one(task, &config, &registry, &settings));
    Ok(report(&tasks, &answers))
}

fn configuration(name: &str, registry: &Registry) -> Result<Config, String> {
    let plugins = registry.plugins().iter().map(|plugin| &plugin.descriptor).collect();
    let available = Available { plugins, help_if_missing: String::new() };
    let located = locate(name).map_err(|error| error.to_string())?;
    let document = open(located).map_err(|problems| problems.iter().map(ToString::to_string).collect::<String>())?;
    check(&document, &available).map_err(|problems| problems.iter().map(ToString::to_string).collect::<String>())
}

fn one(task: &Task, config: &Arc<Config>, registry: &Arc<Registry>, settings: &Settings) -> Result<Answer, String> {
    let program = tandem::frontend::load(&task.source, task.model).map_err(|error| error.to_string())?;
    // Older programs have another name for it.
    let names = ["reach_error", "__VERIFIER_error"];
    let function = names.into_iter().find(|name| program.function_named(name).is_some()).unwrap_or(names[0]);
    let property = Property::UnreachableCall { function: function.into() };
    let shared = SharedTask::new(&SharedProgram::new(Arc::new(program)), property);
    let stop = StopSignal::new();
    let surroundings = Surroundings {
        registry: Arc::clone(registry),
        events: Arc::new(Quiet),
        stop: stop.clone(),
        deadline: Some(Instant::now() + Duration::from_secs(settings.seconds)),
        memory: None,
        inputs: Inputs::default(),
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
    let rows = REDUCERS.iter().map(|reducer| row(reducer, &shared, &known, registry, settings));
    Ok(Answer::Reduced(known.states().len(), rows.collect()))
}

fn row(reducer: &str, task: &SharedTask, known: &Gia, registry: &Registry, settings: &Settings) -> Result<Row, String> {
    let start = Instant::now();
    let residual = reduce(registry, reducer, task, known)?;
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    let ratio = size(&residual.program) as f64 / size(task.program()).max(1) as f64;
    let compiles = compiles(&residual.program);
    let compared = Comparer::new(task, known, 20_000)
        .and_then(|mut comparer| comparer.compare(&residual, reducer == "slice", settings.runs));
    Ok(Row { ratio, milliseconds, compiles, compared })
}

fn compiles(program: &Program) -> bool {
    let text = program.to_c(&PrintOptions { line_directives: true, ..PrintOptions::default() });
    let model = if program.types.model == DataModel::Lp64 { "-m64" } else { "-m32" };
    let gcc = Command::new("gcc")
        .args(["-w", "-fsyntax-only", model, "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut gcc) = gcc else { return false };
    let written = gcc.stdin.take().is_some_and(|mut pipe| pipe.write_all(text.as_bytes()).is_ok());
    written && gcc.wait().is_ok_and(|status| status.success())
}

/// Prints all that there is to say; how many residual programs are wrong.
fn report(tasks: &[Task], answers: &[Result<Answer, String>]) -> usize {
    let count = |what: fn(&Answer) -> bool| answers.iter().flatten().filter(|answer| what(answer)).count();
    println!("{} tasks, {} solved by the first verifier", tasks.len(), count(|a| matches!(a, Answer::Solved)));
    println!("{} open without a condition", count(|a| matches!(a, Answer::NoCondition(_))));
    println!("{} open with a condition", count(|a| matches!(a, Answer::Reduced(..))));
    let mut wrong = 0;
    for (task, answer) in tasks.iter().zip(answers) {
        match answer {
            Err(why) => println!("{}: {why}", task.name),
            Ok(Answer::NoCondition(why)) => println!("{}: no condition: {why}", task.name),
            Ok(Answer::Solved) => {}
            Ok(Answer::Reduced(states, rows)) => {
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
        "gcc",
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
    wrong
}

fn tell(told: &str, row: &Row) -> usize {
    let mut wrong = 0;
    if !row.compiles {
        println!("{told}: gcc does not compile it");
        wrong += 1;
    }
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
        .filter_map(|answer| if let Answer::Reduced(_, rows) = answer { rows.get(at) } else { None })
        .collect();
    let rows: Vec<&Row> = all.iter().filter_map(|row| row.as_ref().ok()).collect();
    let sorted = |value: fn(&Row) -> f64| {
        let mut list: Vec<f64> = rows.iter().map(|row| value(row)).collect();
        list.sort_by(f64::total_cmp);
        list
    };
    let (ratios, times) = (sorted(|row| row.ratio), sorted(|row| row.milliseconds));
    let median = |list: &[f64]| list.get(list.len() / 2).copied().unwrap_or(0.0);
    let mean = ratios.iter().sum::<f64>() / ratios.len().max(1) as f64;
    let runs = |count: fn(&Comparison) -> usize| -> String {
        rows.iter().filter_map(|row| row.compared.as_ref().ok()).map(count).sum::<usize>().to_string()
    };
    vec![
        REDUCERS[at].into(),
        all.len().to_string(),
        (all.len() - rows.len()).to_string(),
        rows.iter().filter(|row| row.compiles).count().to_string(),
        format!("{:.0}", median(&ratios) * 100.0),
        format!("{:.0}", mean * 100.0),
        format!("{:.1} x", ratios.last().copied().unwrap_or(0.0)),
        format!("{:.1}", median(&times)),
        runs(|found| found.runs),
        runs(|found| found.covered),
        runs(|found| found.shortened),
        runs(|found| found.violations.len()),
    ]
}
