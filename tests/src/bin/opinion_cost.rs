//! The cost of gcc's second opinion if the verdict is FALSE: the same tasks with and without `--no-gcc`, in turns, so
//! that a busy machine slows down both. `cargo run --release -p tandem-tests --bin opinion_cost -- --every 3`
#![allow(clippy::print_stdout, reason = "a command prints its result")]

use clap::Parser;
use std::num::NonZeroUsize;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};
use tandem_tests::command::{binary, run};
use tandem_tests::conclude;
use tandem_tests::tasks::{Task, benchmark_tasks, shared_directory};

/// The cost of gcc's second opinion if the verdict is FALSE: the same tasks with and without it, in turns.
#[derive(Parser)]
struct Options {
    /// Only tasks whose name contains one of these texts
    names: Vec<String>,
    /// Every N-th task
    #[arg(long, value_name = "N", default_value = "1")]
    every: NonZeroUsize,
    /// How often each is verified in both ways; the median counts
    #[arg(long, value_name = "N", default_value = "5")]
    runs: NonZeroUsize,
    /// Seconds for one verification
    #[arg(long, value_name = "S", default_value_t = 5)]
    limit: u64,
    /// The configuration
    #[arg(short, long, value_name = "NAME", default_value = "default")]
    configuration: String,
    /// Exit status 1 where the median costs more milliseconds
    #[arg(long, value_name = "MS")]
    most: Option<f64>,
    /// List the tasks
    #[arg(long)]
    all: bool,
}

/// A task with FALSE: medians with and without gcc's opinion, and whether there was an opinion each time.
struct Cost {
    name: String,
    with: Duration,
    without: Duration,
    confirmed: bool,
}

fn main() -> ExitCode {
    conclude(measure(&Options::parse()))
}

fn measure(options: &Options) -> Result<bool, String> {
    let is_wanted = |task: &Task| options.names.is_empty() || options.names.iter().any(|name| task.name.contains(name));
    let tasks = benchmark_tasks()?.into_iter().filter(is_wanted).step_by(options.every.get());
    let mut costs = Vec::new();
    for task in tasks {
        costs.extend(cost(options, &task)?);
    }
    if costs.is_empty() {
        return Err("no task has the verdict FALSE in this time".into());
    }
    let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
    let extra = |cost: &Cost| milliseconds(cost.with) - milliseconds(cost.without);
    for cost in costs.iter().filter(|_| options.all) {
        let confirmed = if cost.confirmed { "" } else { " (without gcc's opinion)" };
        println!("{:8.1} ms {:+8.1} ms  {}{confirmed}", milliseconds(cost.without), extra(cost), cost.name);
    }
    let of = |value: &dyn Fn(&Cost) -> f64| median(costs.iter().map(value).collect());
    let (without, with, more) =
        (of(&|cost| milliseconds(cost.without)), of(&|cost| milliseconds(cost.with)), of(&extra));
    let confirmed = costs.iter().filter(|cost| cost.confirmed).count();
    println!("{} tasks with FALSE, {confirmed} confirmed by gcc's build, {} runs each way", costs.len(), options.runs);
    println!(
        "median: {without:.1} ms alone, {with:.1} ms with gcc's opinion; the median difference of a task is {more:+.1} ms"
    );
    Ok(options.most.is_none_or(|most| more <= most))
}

/// `None` if there is another verdict.
fn cost(options: &Options, task: &Task) -> Result<Option<Cost>, String> {
    let (mut with, mut without) = (Vec::new(), Vec::new());
    let mut confirmed = true;
    for round in 0..options.runs.get() {
        // The first one finds colder caches.
        for alone in [round % 2 == 0, round % 2 != 0] {
            let begun = Instant::now();
            let ran = run(&mut command(options, task, alone)?);
            let time = begun.elapsed().as_secs_f64();
            if !ran.stdout.starts_with("Verdict: FALSE") {
                return Ok(None);
            }
            if alone {
                without.push(time);
            } else {
                with.push(time);
                confirmed &= ran.stderr.contains("gcc's build of the original reached the error");
            }
        }
    }
    let time = |seconds: Vec<f64>| Duration::from_secs_f64(median(seconds));
    Ok(Some(Cost { name: task.name.clone(), with: time(with), without: time(without), confirmed }))
}

fn command(options: &Options, task: &Task, alone: bool) -> Result<Command, String> {
    let shared = shared_directory().ok_or("the benchmark tasks are not there")?;
    let mut command = Command::new(binary());
    command.args(["verify", "-c", &options.configuration, "--data-model", task.model.name()]);
    command.args(["--limit", &format!("{}s", options.limit), "-p"]);
    command.arg(shared.join("sv-benchmarks/properties/unreach-call.prp"));
    command.args(alone.then_some("--no-gcc")).arg(&task.source);
    Ok(command)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}
