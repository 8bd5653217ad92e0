//! Compares every benchmark task with its printed version, see `tandem_tests::differential`.
//! Exit status 1 where one differs, 2 where the comparison cannot be made.
#![allow(clippy::print_stdout, reason = "a command prints its result")]

use std::process::ExitCode;
use tandem_plugin_api::program::DataModel;
use tandem_tests::differential::{Settings, Toolchain, check, summary};
use tandem_tests::tasks::{Task, benchmark_tasks, in_parallel, own_programs};

const USAGE: &str = "\
usage: cargo run --release -p tandem-tests --bin differential [-- OPTIONS]
  --task PATTERN      only tasks whose name contains PATTERN
  --category NAME     only categories whose name contains NAME (`own`: the programs in tests/programs)
  --vectors N         input vectors a task (default 24)
  --limit MS          CPU milliseconds for one vector (default 100)
  --every N           every N-th task
  --jobs N            tasks at a time (default 2)
  --keep DIR          keep sources, binaries and traces there";

struct Options {
    task: String,
    category: String,
    every: usize,
    jobs: usize,
    settings: Settings,
}

fn main() -> ExitCode {
    match options().and_then(run) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn options() -> Result<Options, String> {
    let mut options =
        Options { task: String::new(), category: String::new(), every: 1, jobs: 2, settings: Settings::default() };
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("`{name}` needs a value\n{USAGE}"))?;
        let number = || value.parse::<u32>().map_err(|_| format!("`{name}` needs a number, not `{value}`\n{USAGE}"));
        match name.as_str() {
            "--task" => options.task = value,
            "--category" => options.category = value,
            "--vectors" => options.settings.vectors = number()?,
            "--limit" => options.settings.milliseconds = number()?,
            "--every" => options.every = number()?.max(1) as usize,
            "--jobs" => options.jobs = number()? as usize,
            "--keep" => options.settings.keep = Some(value.into()),
            _ => return Err(format!("unknown option `{name}`\n{USAGE}")),
        }
    }
    Ok(options)
}

/// The number of failures.
fn run(options: Options) -> Result<usize, String> {
    let mut tasks = own_programs()?;
    tasks.extend(benchmark_tasks()?);
    let chosen: Vec<Task> = tasks
        .into_iter()
        .filter(|t| t.name.contains(&options.task) && t.category.contains(&options.category))
        .step_by(options.every)
        .collect();
    let toolchain = Toolchain::new(&[DataModel::Ilp32, DataModel::Lp64])?;
    let done = std::sync::atomic::AtomicUsize::new(0);
    let outcomes = in_parallel(&chosen, options.jobs, |task| {
        let outcome = check(task, &toolchain, &options.settings);
        let count = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
        eprint!("\r{count}/{}", chosen.len());
        outcome
    });
    eprintln!();
    let report = summary(&outcomes);
    println!("{}", report.text);
    Ok(report.failures)
}
