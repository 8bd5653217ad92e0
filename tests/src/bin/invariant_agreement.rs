//! Checks an analysis's claims about the benchmark tasks and our own programs, by running them.
//!
//! `invariant_agreement ANALYSIS [--every N] [--from N] [--time SECONDS]`: prints a line for each violation, and sums at the end.
//! For random programs there is `tandem plugins check FILE --soundness`.

#![allow(clippy::print_stdout, reason = "a command for developers")]

use std::process::ExitCode;
use std::time::Duration;
use tandem::plugins::PluginSearch;
use tandem::soundness::{Effort, Part, Report, Subject, check_text};
use tandem_plugin_api::descriptor::PluginKind;
use tandem_tests::tasks::{benchmark_tasks, own_programs};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str, default: usize| {
        let at = arguments.iter().position(|argument| argument == name);
        at.and_then(|at| arguments.get(at + 1)?.parse().ok()).unwrap_or(default)
    };
    let folder = std::env::current_exe().ok().and_then(|path| Some(path.parent()?.to_path_buf())).unwrap_or_default();
    let registry = PluginSearch::only(&[folder]).discover();
    let plugin = match arguments.first().map(|name| registry.get(PluginKind::Analysis, name)) {
        Some(Ok(plugin)) => plugin,
        Some(Err(error)) => {
            println!("{error}");
            return ExitCode::from(2);
        }
        None => {
            println!("usage: invariant_agreement ANALYSIS [--every N] [--from N] [--time SECONDS]");
            return ExitCode::from(2);
        }
    };
    let subject = Subject::alone(Part::plain(plugin));
    let time_per_program = Duration::from_secs(number("--time", 5) as u64);
    let effort = Effort { despite_notes: true, time_per_program, ..Effort::default() };
    let tasks = benchmark_tasks().unwrap_or_default().into_iter();
    let tasks = tasks.skip(number("--from", 0)).step_by(number("--every", 20).max(1));
    let mut sum = Report::default();
    for task in tasks.chain(own_programs().unwrap_or_default()) {
        let Ok(bytes) = std::fs::read(&task.source) else { continue };
        let report = check_text(&subject, &effort, 0, &String::from_utf8_lossy(&bytes), task.model);
        for violation in &report.violations {
            println!("{}: {}", task.name, violation.explain());
        }
        for why in report.skipped.keys() {
            println!("{}: not checked: {why}", task.name);
        }
        sum.absorb(Report {
            skipped: report.skipped.into_values().map(|n| ("see above".into(), n)).collect(),
            ..report
        });
    }
    println!("{}{} violations", sum.summary(), sum.violations.len());
    if sum.violations.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
