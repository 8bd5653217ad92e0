//! Checks the invariants of an analysis on the benchmark tasks and on random programs, by running them.
//!
//! `invariant_agreement ANALYSIS [--every N] [--from N] [--random COUNT]`: prints a line for each violation, and sums at the end.

#![allow(clippy::print_stdout, reason = "a command for developers")]

use std::process::ExitCode;
use std::sync::Arc;
use tandem::frontend::load_text;
use tandem::plugins::Registry;
use tandem_plugin_api::program::DataModel;
use tandem_tests::invariants::{Instrumented, Report, check, claims, plugins};
use tandem_tests::random_memory_c;
use tandem_tests::tasks::{benchmark_tasks, own_programs};

fn look_at(registry: &Registry, analysis: &str, text: &str, name: &str, model: DataModel) -> Result<Report, String> {
    let program = Arc::new(load_text(text, name, model).map_err(|diagnostic| diagnostic.to_string())?);
    let claims = claims(registry, analysis, &program)?;
    let instrumented = Instrumented::new(&program, &claims)?;
    check(&instrumented, 0..30, 20_000)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str, default: usize| {
        let at = arguments.iter().position(|argument| argument == name);
        at.and_then(|at| arguments.get(at + 1)?.parse().ok()).unwrap_or(default)
    };
    let Some(analysis) = arguments.first() else {
        println!("usage: invariant_agreement ANALYSIS [--every N] [--from N] [--random COUNT]");
        return ExitCode::from(2);
    };
    let folder = std::env::current_exe().ok().and_then(|path| Some(path.parent()?.to_path_buf())).unwrap_or_default();
    let registry = plugins(folder);
    let mut cases: Vec<(String, String, DataModel)> = Vec::new();
    for seed in 0..number("--random", 100) as u64 {
        let model = if seed.is_multiple_of(2) { DataModel::Lp64 } else { DataModel::Ilp32 };
        cases.push((format!("random memory {seed}"), random_memory_c::program(seed), model));
    }
    let every = number("--every", 0);
    if every > 0 {
        let tasks = benchmark_tasks().unwrap_or_default().into_iter().skip(number("--from", 0)).step_by(every);
        for task in tasks.chain(own_programs().unwrap_or_default()) {
            let Ok(bytes) = std::fs::read(&task.source) else { continue };
            cases.push((task.name, String::from_utf8_lossy(&bytes).into_owned(), task.model));
        }
    }
    let mut sum = Report::default();
    let mut failures = 0;
    for (name, text, model) in &cases {
        match look_at(&registry, analysis, text, name, *model) {
            Ok(report) => {
                if let Some(first) = report.violations.first() {
                    println!("{name}: {} violations, such as {first}", report.violations.len());
                }
                sum.checks += report.checks;
                sum.unreached += report.unreached;
                sum.runs += report.runs;
                sum.ended += report.ended;
                sum.violations.extend(report.violations);
            }
            Err(error) => {
                failures += 1;
                println!("{name}: not checked: {error}");
            }
        }
    }
    println!(
        "{} programs, {failures} not checked; {} conjuncts, {} locations not to be reached; {} runs, {} ended; {} violations",
        cases.len(),
        sum.checks,
        sum.unreached,
        sum.runs,
        sum.ended,
        sum.violations.len()
    );
    if sum.violations.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
