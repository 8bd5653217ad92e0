//! Compares native execution with gcc's build of the original, task by task: the same inputs, in the same order, and
//! the same end. Exit status 1 where a task differs.
#![allow(clippy::print_stdout, reason = "a command prints its result")]

use clap::Parser;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::sync::Arc;
use tandem::exec::{Executable, Runner};
use tandem_plugin_api::program::{DataModel, Program, Type};
use tandem_plugin_api::service::execution::*;
use tandem_plugin_api::task::Property;
use tandem_tests::conclude;
use tandem_tests::differential::{Settings, Toolchain, Trace, original_runs, other_runs};
use tandem_tests::tasks::{Task, benchmark_tasks, in_parallel};

/// Compares native execution with gcc's build of the original.
#[derive(Parser)]
struct Options {
    /// Only tasks whose name contains this
    #[arg(long, value_name = "PATTERN", default_value = "")]
    task: String,
    /// Input vectors a task
    #[arg(long, value_name = "N", default_value_t = 100)]
    vectors: u32,
    /// CPU milliseconds for one vector of gcc's build
    #[arg(long, value_name = "MS", default_value_t = 100)]
    limit: u32,
    /// Every N-th task
    #[arg(long, value_name = "N", default_value = "1")]
    every: NonZeroUsize,
}

fn main() -> ExitCode {
    conclude(run(&Options::parse()).map(|failures| failures == 0))
}

fn run(options: &Options) -> Result<usize, String> {
    let settings = Settings { vectors: options.vectors, milliseconds: options.limit, ..Settings::default() };
    let wanted = benchmark_tasks()?.into_iter().filter(|task| task.name.contains(&options.task));
    let tasks: Vec<Task> = wanted.step_by(options.every.get()).collect();
    let toolchain = Toolchain::new(&[DataModel::Ilp32, DataModel::Lp64])?;
    let results = in_parallel(&tasks, 2, |task| compare(task, &toolchain, &settings));
    Ok(report(&tasks, &results))
}

/// How one vector compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Vector {
    Same,
    /// One of the two met a limit; the same up to there.
    Cut,
    /// gcc's build got values from functions without a body.
    OtherValues,
    /// Different, but gcc's builds of the program differ among themselves: C leaves it open.
    Open(String),
    Different(String),
}

fn compare(task: &Task, toolchain: &Toolchain, settings: &Settings) -> Result<Vec<Vector>, String> {
    let program = tandem::frontend::load(&task.source, task.model).map_err(|d| d.to_string())?;
    let traces = original_runs(task, program.clone(), toolchain, settings).map_err(|v| format!("{v:?}"))?;
    let program = Arc::new(program);
    let targets = ["reach_error", "__VERIFIER_error"]
        .into_iter()
        .flat_map(|function| Property::UnreachableCall { function: function.into() }.targets(&program));
    let options = ExecutionOptions { targets: targets.collect(), ..ExecutionOptions::default() };
    let executable = Executable::compile(Arc::clone(&program), &options).map_err(|e| e.to_string())?;
    let mut runner = Runner::new(executable).map_err(|e| e.to_string())?;
    let mut vectors: Vec<Vector> = traces.iter().map(|trace| vector(&program, &mut runner, trace)).collect();
    if vectors.iter().any(|v| matches!(v, Vector::Different(_))) {
        let others = other_runs(task, (*program).clone(), toolchain, settings).map_err(|v| format!("{v:?}"))?;
        for (at, result) in vectors.iter_mut().enumerate() {
            let Vector::Different(how) = result else { continue };
            let other = others.iter().filter_map(|runs| runs.get(at)).find(|other| is_other(other, &traces[at]));
            if let Some(other) = other {
                *result = Vector::Open(format!("{how}; another build of gcc's ends `{}`", other.end));
            }
        }
    }
    Ok(vectors)
}

/// Whether two builds of gcc's behave differently on one vector.
fn is_other(a: &Trace, b: &Trace) -> bool {
    let inputs = |trace: &Trace| trace.events.iter().filter(|event| !event.starts_with("finally ")).count();
    !a.is_cut() && !b.is_cut() && (&a.end, inputs(a)) != (&b.end, inputs(b))
}

fn vector(program: &Program, runner: &mut Runner, trace: &Trace) -> Vector {
    let (mut inputs, mut names) = (Vec::new(), Vec::new());
    for event in trace.events.iter().filter(|e| !e.starts_with("finally ")) {
        let Some((call, value)) = event.split_once(" ) = ") else { continue };
        let name = call.split('(').next().unwrap_or_default();
        if !name.starts_with("__VERIFIER_nondet_") || !is_input(program, name) {
            return Vector::OtherValues;
        }
        let Some(bits) = bits(program, name, value) else { return Vector::OtherValues };
        inputs.push(bits);
        names.push(name);
    }
    let exit = runner.run(&inputs, &RunLimits { steps: 100_000_000, when_inputs_end: WhenInputsEnd::Stop });
    let consumed: Vec<&str> =
        runner.consumed().iter().map(|input| program.function(input.function).name.as_str()).collect();
    let common = consumed.iter().zip(&names).take_while(|(a, b)| a == b).count();
    let ours = match exit {
        Exit::Returned(status) | Exit::Exited(status) => format!("exit {}", status & 255),
        Exit::Aborted(_) => "abort 0".into(),
        Exit::Target(_) => "error 0".into(),
        Exit::AssumptionViolated(_) => "assumption violated 0".into(),
        Exit::MemoryFault(_) => "signal 11".into(),
        Exit::DivisionError(_) => "signal 8".into(),
        Exit::InputsEnded(_)
        | Exit::StepLimit(_)
        | Exit::StackOverflow(_)
        | Exit::OutOfMemory(_)
        | Exit::Cancelled(_) => "cut".into(),
        Exit::Unsupported(_) => "unsupported".into(),
    };
    let theirs = trace.end.replace("assertion failed", "abort");
    let line = exit.edge().map_or(0, |e| program.edge(e).span.line);
    match (ours == "cut", theirs.starts_with("cut")) {
        _ if common < consumed.len().min(names.len()) => {
            Vector::Different(format!("input {}: another function", common + 1))
        }
        (_, true) => Vector::Cut,
        (true, false) if !matches!(exit, Exit::InputsEnded(_)) => Vector::Cut,
        _ if ours == theirs && consumed.len() == names.len() => Vector::Same,
        _ => Vector::Different(format!(
            "after {} inputs: gcc ends `{theirs}` after {}, ours `{exit}` on line {line}",
            consumed.len(),
            names.len()
        )),
    }
}

fn is_input(program: &Program, name: &str) -> bool {
    program.function_named(name).is_some_and(|id| program.function(id).body.is_none())
}

/// The harness's value, as bits for the input function's type.
fn bits(program: &Program, name: &str, value: &str) -> Option<u64> {
    let function = program.function(program.function_named(name)?);
    let Type::Function { result, .. } = *program.types.get(function.ty) else { return None };
    match program.types.get(result) {
        Type::Float(kind) => {
            use tandem_plugin_api::program::constant::{infinity, nan, parse_float};
            let (negative, digits) = value.strip_prefix('-').map_or((false, value), |rest| (true, rest));
            let magnitude = match digits {
                "inf" => infinity(*kind),
                "nan" => nan(*kind),
                text => parse_float(text, *kind)?,
            };
            let sign = u128::from(negative) << (program.types.size_of(result)? * 8 - 1);
            Some((magnitude | sign) as u64)
        }
        Type::Pointer(_) => (value.trim() == "null").then_some(0),
        _ => value.trim().parse::<i128>().ok().map(|v| v as u64),
    }
}

/// Prints the table; returns how many tasks differ.
fn report(tasks: &[Task], results: &[Result<Vec<Vector>, String>]) -> usize {
    let mut table: BTreeMap<&str, [usize; 8]> = BTreeMap::new();
    let mut failures = 0;
    for (task, result) in tasks.iter().zip(results) {
        let row = table.entry(&task.category).or_default();
        row[0] += 1;
        match result {
            Err(reason) => {
                row[2] += 1;
                println!("NOT RUN   {}: {}", task.name, reason.lines().next().unwrap_or_default());
            }
            Ok(vectors) => {
                let different = vectors.iter().position(|v| matches!(v, Vector::Different(_)));
                if let Some(at) = different {
                    failures += 1;
                    row[1] += 1;
                    println!("DIFFERENT {}: vector {at}: {:?}", task.name, vectors[at]);
                }
                if let Some(Vector::Open(how)) = vectors.iter().find(|v| matches!(v, Vector::Open(_))) {
                    println!("OPEN      {}: {how}", task.name);
                }
                for vector in vectors {
                    let column = match vector {
                        Vector::Same => 3,
                        Vector::Cut => 4,
                        Vector::OtherValues => 5,
                        Vector::Different(_) => 6,
                        Vector::Open(_) => 7,
                    };
                    row[column] += 1;
                }
            }
        }
    }
    println!(
        "{:44}{:>7}{:>11}{:>9}{:>9}{:>7}{:>14}{:>11}{:>6}",
        "category", "tasks", "different", "not run", "same", "cut", "other values", "different", "open"
    );
    for (category, row) in &table {
        println!(
            "{category:44}{:>7}{:>11}{:>9}{:>9}{:>7}{:>14}{:>11}{:>6}",
            row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7]
        );
    }
    failures
}
