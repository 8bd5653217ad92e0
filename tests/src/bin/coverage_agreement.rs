//! Compares tandem's coverage figures with gcov's on random test suites, see `tandem_tests::agreement`.
//! Exit status 1 where a difference is not explained, 2 where the comparison cannot be made.
#![allow(clippy::print_stdout, reason = "a command prints its result")]

use clap::Parser;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use tandem_tests::agreement::{Comparison, Difference, Explanation, Settings, check};
use tandem_tests::conclude;
use tandem_tests::tasks::{Task, benchmark_tasks, in_parallel};

/// Compares coverage figures with gcov's on random test suites.
#[derive(Parser)]
struct Options {
    /// Compare so many tasks, spread over all
    #[arg(long, value_name = "N", default_value_t = 30)]
    tasks: usize,
    /// Only tasks whose name contains this
    #[arg(long, value_name = "PATTERN", default_value = "")]
    task: String,
    /// Only categories whose name contains this
    #[arg(long, value_name = "NAME", default_value = "")]
    category: String,
    /// Random tests a task
    #[arg(long, value_name = "N", default_value_t = 40)]
    tests: u64,
    /// Let `tandem test` find the tests with this configuration
    #[arg(long, value_name = "NAME")]
    config: Option<String>,
    /// How long it may take
    #[arg(long, value_name = "TIME", default_value = "5s")]
    limit: String,
    /// Tasks at a time
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,
    /// Keep sources and suites there
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

fn main() -> ExitCode {
    conclude(run(&Options::parse()))
}

/// Whether every difference is explained.
fn run(options: &Options) -> Result<bool, String> {
    let config = options.config.clone().map(|name| (name, options.limit.clone()));
    let settings = Settings { tests: options.tests, config, keep: options.keep.clone() };
    let mut candidates = benchmark_tasks()?;
    candidates.retain(|task| task.name.contains(&options.task) && task.category.contains(&options.category));
    if candidates.is_empty() {
        return Err("no task fits".into());
    }
    let mut compared: Vec<(Task, Comparison)> = Vec::new();
    let mut left_out: BTreeMap<String, usize> = BTreeMap::new();
    // Tasks in an order that is spread over the list, until there are enough that can be compared.
    let mut order = spread(candidates);
    while compared.len() < options.tasks && !order.is_empty() {
        let count = (options.tasks - compared.len()).min(order.len());
        let batch: Vec<Task> = order.drain(..count).collect();
        let results = in_parallel(&batch, options.jobs, |task| check(task, &settings));
        for (task, result) in batch.into_iter().zip(results) {
            match result {
                Ok(comparison) => compared.push((task, comparison)),
                Err(why) => *left_out.entry(shorten(&why)).or_default() += 1,
            }
        }
        eprint!("\r{} compared", compared.len());
    }
    eprintln!();
    println!("{}", table(&compared));
    for (why, count) in left_out {
        println!("left out: {count} tasks: {why}");
    }
    Ok(compared.iter().all(|(_, comparison)| unexplained(comparison).next().is_none() && comparison.apart.is_empty()))
}

/// By bit-reversed position: any beginning of it is spread evenly.
fn spread(tasks: Vec<Task>) -> Vec<Task> {
    let bits = usize::BITS - tasks.len().leading_zeros();
    let mut keyed: Vec<(usize, Task)> = tasks
        .into_iter()
        .enumerate()
        .map(|(at, task)| (at.reverse_bits() >> (usize::BITS - bits.max(1)), task))
        .collect();
    keyed.sort_by_key(|(key, _)| *key);
    keyed.into_iter().map(|(_, task)| task).collect()
}

fn shorten(why: &str) -> String {
    let line = why.lines().next().unwrap_or_default();
    let line = if line.contains("undefined reference") { "functions without a body" } else { line };
    line.chars().take(100).collect()
}

fn unexplained(comparison: &Comparison) -> impl Iterator<Item = &Difference> {
    comparison.differences.iter().filter(|difference| difference.explanation == Explanation::None)
}

fn table(compared: &[(Task, Comparison)]) -> String {
    let mut text = format!(
        "{:48} {:>5} {:>11} {:>11} {:>11} {:>11} {:>11} {:>9}\n",
        "task", "tests", "branches", "conditions", "gcov", "same lines", "executed", "explained"
    );
    let pair = |a: usize, b: usize| format!("{a}/{b}");
    let mut explanations: BTreeMap<Explanation, usize> = BTreeMap::new();
    for (task, c) in compared {
        let name: String = task.name.chars().rev().take(48).collect::<Vec<_>>().into_iter().rev().collect();
        text += &format!(
            "{name:48} {:>5} {:>11} {:>11} {:>11} {:>11} {:>11} {:>9}\n",
            c.tests,
            pair(c.branches.covered, c.branches.total),
            pair(c.conditions.covered, c.conditions.total),
            pair(c.gcov.covered, c.gcov.total),
            pair(c.comparable.agree, c.comparable.total),
            pair(c.lines.agree, c.lines.total),
            pair(c.differences.len() - unexplained(c).count(), c.differences.len()),
        );
        c.differences.iter().for_each(|difference| *explanations.entry(difference.explanation).or_default() += 1);
    }
    text += "\nsame lines: lines with equally many ways for both, and on how many of them the same ways were taken\n\
             executed: lines with code for both, and on how many of them both say the same\n";
    for (explanation, count) in explanations {
        text += &format!("{count} lines: {}\n", explanation.text());
    }
    for (task, c) in compared {
        for d in unexplained(c) {
            let (a, b) = (pair(d.tandem.covered, d.tandem.total), pair(d.gcov.covered, d.gcov.total));
            text += &format!("{}:{}: tandem {a}, gcov {b}: {}\n", task.source.display(), d.line, d.text);
        }
        for (line, source) in &c.apart {
            text += &format!("{}:{line}: executed for one of the two only: {source}\n", task.source.display());
        }
    }
    text
}
