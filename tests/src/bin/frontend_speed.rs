//! The front end's time and memory on the largest benchmark tasks, beside lang-c's own parsing of the same text.
//! Every measurement is made in a process of its own, so that peaks of memory do not mix. Exit status 1 where reading,
//! parsing and lowering together take more than three times lang-c's parsing.
#![allow(clippy::print_stdout, reason = "a command prints its result")]

use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;
use tandem::frontend::{load, parse, text};
use tandem_plugin_api::program::DataModel;
use tandem_tests::tasks::{Task, benchmark_tasks};
use tandem_tests::{conclude, table};

const TASKS: usize = 10;
const ROUNDS: usize = 2;

/// Seconds, and kilobytes at the peak.
type Measured = (f64, u64);

const PROMISED_RATIO: f64 = 3.0;
/// The fastest of so many counts: others were disturbed.
const REPETITIONS: u32 = 5;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--measure", what, file, model] => measure(what, Path::new(file), model).map(|()| true),
        [] => compare(),
        _ => Err("usage: cargo run --release -p tandem-tests --bin frontend_speed".into()),
    };
    conclude(outcome)
}

/// The child: prints seconds and peak kilobytes.
fn measure(what: &str, file: &Path, model: &str) -> Result<(), String> {
    let model = if model == "LP64" { DataModel::Lp64 } else { DataModel::Ilp32 };
    let mut best = f64::INFINITY;
    for _ in 0..REPETITIONS {
        let seconds = match what {
            "parse" => {
                let source = text::read(file, model).map_err(|d| d.to_string())?;
                parse::with_large_stack(|| {
                    let start = Instant::now();
                    let parsed = parse::parse(&source);
                    let seconds = start.elapsed().as_secs_f64();
                    parsed.map(|_| seconds)
                })
                .map_err(|d| d.to_string())?
            }
            _ => {
                let start = Instant::now();
                load(file, model).map_err(|d| d.to_string())?;
                start.elapsed().as_secs_f64()
            }
        };
        best = best.min(seconds);
    }
    println!("{best} {}", peak_kilobytes());
    Ok(())
}

/// The largest memory of this process, as the kernel counts it; 0 where it does not say.
fn peak_kilobytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM"));
    line.and_then(|l| l.split_whitespace().nth(1)).and_then(|n| n.parse().ok()).unwrap_or(0)
}

fn compare() -> Result<bool, String> {
    let mut tasks = benchmark_tasks()?;
    tasks.sort_by(|a, b| b.bytes.cmp(&a.bytes).then(a.name.cmp(&b.name)));
    tasks.truncate(TASKS);
    let mut rows = Vec::new();
    let (mut parse_total, mut whole_total, mut worst) = (0.0, 0.0, 0.0f64);
    for task in &tasks {
        let ((parse, parse_peak), (whole, whole_peak)) = best_of_rounds(task)?;
        (parse_total, whole_total, worst) = (parse_total + parse, whole_total + whole, worst.max(whole / parse));
        let name: String = task.name.chars().take(60).collect();
        rows.push(vec![
            name,
            format!("{}", task.bytes / 1000),
            format!("{:.1}", parse * 1e3),
            format!("{:.1}", whole * 1e3),
            format!("{:.2}", whole / parse),
            format!("{}", parse_peak / 1000),
            format!("{}", whole_peak / 1000),
        ]);
    }
    let ratio = format!("{:.2}", whole_total / parse_total);
    let (parse_total, whole_total) = (format!("{:.1}", parse_total * 1e3), format!("{:.1}", whole_total * 1e3));
    rows.push(vec!["total".into(), String::new(), parse_total, whole_total, ratio, String::new(), String::new()]);
    let header = ["task", "kB", "lang-c ms", "whole ms", "ratio", "lang-c peak MB", "whole peak MB"];
    println!("{}", table::render(&header, &rows));
    println!("worst ratio {worst:.2}, promised at most {PROMISED_RATIO}");
    Ok(worst <= PROMISED_RATIO)
}

/// The shortest times of several rounds, in turns: other load on the machine only ever adds.
fn best_of_rounds(task: &Task) -> Result<(Measured, Measured), String> {
    let mut best = (in_child("parse", task)?, in_child("load", task)?);
    for _ in 1..ROUNDS {
        let (parse, load) = (in_child("parse", task)?, in_child("load", task)?);
        best.0.0 = best.0.0.min(parse.0);
        best.1.0 = best.1.0.min(load.0);
    }
    Ok(best)
}

fn in_child(what: &str, task: &Task) -> Result<Measured, String> {
    let program = std::env::current_exe().map_err(|error| format!("the path of this program: {error}"))?;
    let output = Command::new(program)
        .args(["--measure", what])
        .arg(&task.source)
        .arg(task.model.name())
        .output()
        .map_err(|error| format!("cannot start a measurement: {error}"))?;
    if !output.status.success() {
        return Err(format!("{}: {}", task.name, String::from_utf8_lossy(&output.stderr)));
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut numbers = text.split_whitespace();
    let seconds = numbers.next().and_then(|n| n.parse().ok());
    let peak = numbers.next().and_then(|n| n.parse().ok());
    seconds.zip(peak).ok_or_else(|| format!("{}: the measurement printed `{text}`", task.name))
}
