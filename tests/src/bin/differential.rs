//! Compares every benchmark task with its printed version, see `tandem_tests::differential`.
//! Exit status 1 where one differs, 2 where the comparison cannot be made.
#![allow(clippy::print_stdout, reason = "a command prints its result")]

use clap::Parser;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use tandem_plugin_api::program::DataModel;
use tandem_tests::conclude;
use tandem_tests::differential::{Settings, Toolchain, check, summary};
use tandem_tests::tasks::{Task, benchmark_tasks, in_parallel, own_programs};

/// Compares every benchmark task, and our own programs, with its printed version.
#[derive(Parser)]
struct Options {
    /// Only tasks whose name contains this
    #[arg(long, value_name = "PATTERN", default_value = "")]
    task: String,
    /// Only categories whose name contains this (`own`: the programs in tests/programs)
    #[arg(long, value_name = "NAME", default_value = "")]
    category: String,
    /// Input vectors a task
    #[arg(long, value_name = "N", default_value_t = 24)]
    vectors: u32,
    /// CPU milliseconds for one vector
    #[arg(long, value_name = "MS", default_value_t = 100)]
    limit: u32,
    /// Every N-th task
    #[arg(long, value_name = "N", default_value = "1")]
    every: NonZeroUsize,
    /// Tasks at a time
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,
    /// Keep sources, binaries and traces there
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

fn main() -> ExitCode {
    conclude(run(Options::parse()).map(|failures| failures == 0))
}

/// The number of failures.
fn run(options: Options) -> Result<usize, String> {
    let settings =
        Settings { vectors: options.vectors, milliseconds: options.limit, keep: options.keep, ..Settings::default() };
    let mut tasks = own_programs()?;
    tasks.extend(benchmark_tasks()?);
    let chosen: Vec<Task> = tasks
        .into_iter()
        .filter(|t| t.name.contains(&options.task) && t.category.contains(&options.category))
        .step_by(options.every.get())
        .collect();
    let toolchain = Toolchain::new(&[DataModel::Ilp32, DataModel::Lp64])?;
    let done = std::sync::atomic::AtomicUsize::new(0);
    let outcomes = in_parallel(&chosen, options.jobs, |task| {
        let outcome = check(task, &toolchain, &settings);
        let count = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
        eprint!("\r{count}/{}", chosen.len());
        outcome
    });
    eprintln!();
    let report = summary(&outcomes);
    println!("{}", report.text);
    Ok(report.failures)
}
