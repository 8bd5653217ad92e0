//! The effects of stops and reuse on explorations: verdicts with stops against those without, and how many refinements
//! a precision saves that an earlier run found. Exit status 1 where a stop changes a verdict.
#![allow(clippy::print_stdout, reason = "a command prints its result")]

use clap::Parser;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tandem::cpa::End;
use tandem_plugin_api::abi::SharedTask;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::DataModel;
use tandem_tests::conclude;
use tandem_tests::exploring::{self, Product, statistic, word};
use tandem_tests::{table, tasks};

const HEAD: &str = "\
Each task without a stop, then stopped after the times named and resumed from the graph it had, then anew with the
precision that the first run left. `refinements` are those of the first run and of the one with its precision.
";

const CATEGORIES: [&str; 3] = ["ReachSafety-Loops", "ReachSafety-ControlFlow", "ReachSafety-ProductLines"];

/// The effects of stops and reuse on explorations.
#[derive(Parser)]
struct Settings {
    /// Configurations of one product each
    #[arg(long = "config", value_name = "LIST", value_delimiter = ',', default_values = ["value", "predicate"])]
    configs: Vec<String>,
    /// Only tasks whose category contains this [default: Loops, ControlFlow and ProductLines]
    #[arg(long, value_name = "TEXT")]
    category: Option<String>,
    /// Every N-th of them
    #[arg(long, value_name = "N", default_value = "20")]
    every: NonZeroUsize,
    /// Seconds for each run
    #[arg(long, value_name = "S", default_value = "15", value_parser = seconds)]
    limit: Duration,
    /// Seconds after which the stopped runs are stopped, each once
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_values = ["0.2", "2"], value_parser = seconds)]
    stops: Vec<Duration>,
}

fn seconds(text: &str) -> std::result::Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds < 1e6 => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("this is not a time in seconds".into()),
    }
}

fn main() -> ExitCode {
    conclude(run(&Settings::parse()))
}

/// A run to its end, or to the limit, stopped after some of the time where that is wanted.
struct Ran {
    outcome: Outcome,
    seconds: f64,
    was_stopped: bool,
    in_time: bool,
}

impl Ran {
    fn word(&self) -> &'static str {
        if self.in_time { word(&self.outcome) } else { "time" }
    }

    fn refinements(&self) -> u64 {
        statistic(&self.outcome, "refinements")
    }
}

fn explore(
    product: &Product,
    task: &SharedTask,
    inputs: &Inputs,
    stop: Option<Duration>,
    limit: Duration,
) -> std::result::Result<Ran, String> {
    let mut run = product.explore(task, None)?;
    let start = Instant::now();
    let mut was_stopped = false;
    let mut end = None;
    if let Some(stop) = stop {
        let first = run.go_on_for(inputs, stop)?;
        was_stopped = matches!(first, End::Stopped(_));
        end = (!was_stopped).then_some(first);
    }
    let end = match end {
        Some(end) => end,
        // The given items are among those that were kept.
        None if was_stopped => run.go_on_for(&Inputs::default(), limit)?,
        None => run.go_on_for(inputs, limit)?,
    };
    let in_time = !matches!(end, End::Stopped(_));
    Ok(Ran { outcome: run.outcome(&end), seconds: start.elapsed().as_secs_f64(), was_stopped, in_time })
}

/// The sums over all tasks of a configuration.
#[derive(Default)]
struct Sums {
    solved: u64,
    stopped: u64,
    changed: u64,
    refined: u64,
    fresh: u64,
    reused: u64,
    seconds: [f64; 2],
}

fn run(settings: &Settings) -> std::result::Result<bool, String> {
    let plugins = std::env::current_exe().map_err(|error| error.to_string())?;
    let plugins = plugins.parent().unwrap_or(Path::new("."));
    let tasks = chosen(settings)?;
    let mut good = true;
    println!("{HEAD}");
    for config in &settings.configs {
        let product = Product::of(config, plugins)?;
        let mut rows = Vec::new();
        let mut sums = Sums::default();
        for task in &tasks {
            eprintln!("{config}: {}", task.name);
            match exploring::load(&task.source, task.model) {
                Ok(loaded) => rows.push(row(&product, &loaded, &task.name, settings, &mut sums)?),
                Err(message) => eprintln!("{}: {message}", task.name),
            }
        }
        let stops: Vec<String> = settings.stops.iter().map(|stop| format!("{} s", stop.as_secs_f64())).collect();
        let mut header = vec!["task", "plain", "s"];
        header.extend(stops.iter().map(String::as_str));
        header.extend(["reused", "s", "refinements"]);
        println!("{config}\n{}", table::render(&header, &rows));
        println!(
            "{} tasks, {} solved; {} runs were stopped and resumed, {} verdicts changed by it; of {} tasks with refinements, \
             {} fresh, {} with the precision put in; {:.1} s and {:.1} s for those\n",
            rows.len(),
            sums.solved,
            sums.stopped,
            sums.changed,
            sums.refined,
            sums.fresh,
            sums.reused,
            sums.seconds[0],
            sums.seconds[1]
        );
        good &= sums.changed == 0;
    }
    Ok(good)
}

/// Our own programs, and some of the benchmark tasks where these are there.
fn chosen(settings: &Settings) -> std::result::Result<Vec<tasks::Task>, String> {
    let mut chosen = Vec::new();
    for topic in ["value", "predicate", "interval", "symbolic"] {
        chosen.extend(tasks::own_programs_about(topic)?.into_iter().filter(|task| task.model == DataModel::Ilp32));
    }
    match tasks::benchmark_tasks() {
        Err(_) => eprintln!("only our own programs, since ../shared is not there"),
        Ok(all) => {
            let wanted = |task: &&tasks::Task| match &settings.category {
                Some(text) => task.category.contains(text.as_str()),
                None => CATEGORIES.contains(&task.category.as_str()),
            };
            chosen.extend(all.iter().filter(wanted).step_by(settings.every.get()).cloned());
        }
    }
    Ok(chosen)
}

fn row(
    product: &Product,
    task: &SharedTask,
    name: &str,
    settings: &Settings,
    sums: &mut Sums,
) -> std::result::Result<Vec<String>, String> {
    let none = Inputs::default();
    let plain = explore(product, task, &none, None, settings.limit)?;
    sums.solved += u64::from(plain.in_time && word(&plain.outcome) != "UNKNOWN");
    let mut cells = vec![name.to_string(), plain.word().to_string(), format!("{:.2}", plain.seconds)];
    if !plain.in_time {
        // There is no result to compare with.
        cells.extend(vec!["-".to_string(); settings.stops.len() + 2]);
        cells.push(plain.refinements().to_string());
        return Ok(cells);
    }
    for stop in &settings.stops {
        let resumed = explore(product, task, &none, Some(*stop), settings.limit)?;
        let mut cell = resumed.word().to_string();
        if !resumed.was_stopped {
            cell = "-".into();
        } else {
            sums.stopped += 1;
            // A run that comes to its end has the same verdict, and one that has the time comes to its end.
            let has_time = plain.seconds < settings.limit.as_secs_f64() / 2.0;
            if resumed.word() != plain.word() && (has_time || resumed.in_time) {
                sums.changed += 1;
                cell += " !";
            }
        }
        cells.push(cell);
    }
    let precision = plain.outcome.precision.clone();
    let refinements = plain.refinements();
    if refinements == 0 || precision.is_none() {
        cells.extend(["-".into(), "-".into(), refinements.to_string()]);
        return Ok(cells);
    }
    let again = explore(product, task, &Inputs { precision, ..Inputs::default() }, None, settings.limit)?;
    sums.refined += 1;
    sums.fresh += refinements;
    sums.reused += again.refinements();
    sums.seconds[0] += plain.seconds;
    sums.seconds[1] += again.seconds;
    let used = format!("{refinements} -> {}", again.refinements());
    cells.extend([again.word().into(), format!("{:.2}", again.seconds), used]);
    Ok(cells)
}
