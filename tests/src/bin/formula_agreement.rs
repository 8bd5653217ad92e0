//! Compares formulas with execution on random programs and on the benchmark tasks, see `tandem_tests::formulas`.
//! Exit status 1 on a disagreement, 2 where the comparison cannot be made.
#![allow(clippy::print_stdout, reason = "a command prints its result")]

use clap::Parser;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use tandem::frontend;
use tandem_plugin_api::program::{DataModel, Program};
use tandem_tests::conclude;
use tandem_tests::formulas::{Joined, Report, Settings, Subject};
use tandem_tests::tasks::{benchmark_tasks, in_parallel, own_programs};
use tandem_tests::{random_c, random_memory_c};

/// Compares formulas with execution on random programs and on the benchmark tasks.
#[derive(Parser)]
struct Options {
    /// Compare at least so many pairs of a program and inputs
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pairs: usize,
    /// So many random programs, of two kinds, for both data models
    #[arg(long, value_name = "N", default_value_t = 1600)]
    random: u64,
    /// Of the benchmark tasks and our own programs, every N-th; 0 for none
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
    /// Only tasks whose name contains this, and no random programs
    #[arg(long, value_name = "PATTERN")]
    task: Option<String>,
    /// Where the seeds of random programs and inputs begin
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Programs at a time
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,
    /// Print the random programs of a seed, and stop
    #[arg(long, value_name = "SEED")]
    print: Option<u64>,
}

enum Source {
    Random(u64, DataModel),
    Memory(u64, DataModel),
    Task(PathBuf, DataModel),
}

struct Item {
    name: String,
    group: String,
    source: Source,
}

fn main() -> ExitCode {
    conclude(run(Options::parse()))
}

fn items(options: &Options) -> Result<Vec<Item>, String> {
    let mut items = Vec::new();
    if options.task.is_none() {
        for seed in options.seed..options.seed + options.random {
            let model = if seed % 2 == 0 { DataModel::Lp64 } else { DataModel::Ilp32 };
            items.push(match seed % 3 {
                0 => Item {
                    name: format!("random {seed} {}", model.name()),
                    group: "random: control and arithmetic".into(),
                    source: Source::Random(seed, model),
                },
                _ => Item {
                    name: format!("random memory {seed} {}", model.name()),
                    group: "random: memory".into(),
                    source: Source::Memory(seed, model),
                },
            });
        }
    }
    if options.every > 0 {
        let pattern = options.task.as_deref().unwrap_or_default();
        let tasks = own_programs()?.into_iter().chain(benchmark_tasks()?).filter(|task| task.name.contains(pattern));
        items.extend(tasks.step_by(options.every).map(|task| Item {
            name: task.name,
            group: task.category,
            source: Source::Task(task.source, task.model),
        }));
    }
    if items.is_empty() { Err("there is nothing to compare".into()) } else { Ok(items) }
}

fn load(source: &Source) -> Result<Program, String> {
    match source {
        Source::Random(seed, model) => {
            // Has macros, and is preprocessed as a file.
            let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
            let file = folder.path().join("random.c");
            std::fs::write(&file, random_c::program_with_inputs(*seed)).map_err(|error| error.to_string())?;
            frontend::load(&file, *model)
        }
        Source::Memory(seed, model) => frontend::load_text(&random_memory_c::program(*seed), "random.c", *model),
        Source::Task(file, model) => frontend::load(file, *model),
    }
    .map_err(|diagnostic| diagnostic.to_string())
}

/// The reports of one program, each with the seed of its inputs.
fn compare(item: &Item, pairs: usize, seed: u64) -> Result<Vec<(u64, Report)>, String> {
    let is_random = !matches!(item.source, Source::Task(..));
    let program = Arc::new(load(&item.source)?);
    if is_random && !program.unsupported.is_empty() {
        return Err(format!("unsupported: {:?}", program.unsupported));
    }
    let settings = Settings { defined: is_random, ..Settings::default() };
    let mut subject = Subject::new(program.clone(), settings)?;
    let mut joined = is_random.then(|| Joined::new(program));
    let mut reports = Vec::new();
    let mut first = Vec::new();
    for seed in seed..seed + pairs as u64 {
        let mut report = subject.pair(&first, seed);
        // Two runs of three go on from what a model found: they get deeper than chance does.
        first = report.elsewhere.take().filter(|_| seed % 3 != 0).unwrap_or_default();
        if let Some(joined) = &mut joined
            && report.complete
        {
            let more = joined.contains(&mut subject, &report.inputs);
            report.bytes += more.bytes;
            report.allowed.extend(more.allowed);
            report.disagreements.extend(more.disagreements);
        }
        let reads_nothing = subject.reads_nothing();
        reports.push((seed, report));
        // Without inputs, each run is the same.
        if reads_nothing {
            break;
        }
    }
    Ok(reports)
}

/// Whether there is no disagreement.
fn run(options: Options) -> Result<bool, String> {
    if let Some(seed) = options.print {
        let text = if seed % 3 == 0 { random_c::program_with_inputs(seed) } else { random_memory_c::program(seed) };
        println!("{text}");
        return Ok(true);
    }
    let items = items(&options)?;
    let pairs = options.pairs.div_ceil(items.len());
    let done = std::sync::atomic::AtomicUsize::new(0);
    let results = in_parallel(&items, options.jobs, |item| {
        let result = compare(item, pairs, options.seed);
        for (seed, report) in result.iter().flatten() {
            for disagreement in &report.disagreements {
                println!("DISAGREEMENT {}, seed {seed}, inputs {:x?}: {disagreement}", item.name, report.inputs);
            }
        }
        let done = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
        if done.is_multiple_of(50) {
            eprintln!("{done} of {} programs", items.len());
        }
        result
    });
    Ok(report(&items, &results))
}

fn report(items: &[Item], results: &[Result<Vec<(u64, Report)>, String>]) -> bool {
    let mut rows: BTreeMap<&str, [usize; 9]> = BTreeMap::new();
    let mut causes: BTreeMap<(String, bool), (usize, &str)> = BTreeMap::new();
    for (item, result) in items.iter().zip(results) {
        let row = rows.entry(&item.group).or_default();
        row[0] += 1;
        let reports = match result {
            Ok(reports) => reports,
            Err(message) => {
                println!("NOT COMPARED {}: {}", item.name, message.lines().next().unwrap_or_default());
                row[1] += 1;
                continue;
            }
        };
        for (_, report) in reports {
            row[2] += 1;
            row[3] += usize::from(report.allowed.is_empty() && report.disagreements.is_empty());
            row[4] += usize::from(!report.allowed.is_empty() && report.disagreements.is_empty());
            row[5] += usize::from(!report.disagreements.is_empty());
            row[6] += report.edges;
            row[7] += report.followed;
            row[8] += report.bytes;
            for cause in &report.allowed {
                let random = !matches!(item.source, Source::Task(..));
                causes.entry((cause.clone(), random)).or_insert((0, &item.name)).0 += 1;
            }
        }
    }
    let head = ["programs", "not run", "pairs", "agree", "allowed", "DISAGREE", "edges", "followed", "bytes"];
    print!("{:36}", "");
    head.iter().for_each(|name| print!("{name:>10}"));
    println!();
    let mut total = [0; 9];
    for (group, row) in &rows {
        print!("{group:36}");
        row.iter().for_each(|number| print!("{number:>10}"));
        println!();
        total.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
    }
    print!("{:36}", "all");
    total.iter().for_each(|number| print!("{number:>10}"));
    println!("\n\nfollowed: paths (executed ones, and with one decision turned around) that a model's inputs take");
    println!("bytes: of global variables at the end of runs, equal in formulas and in memory\nallowed differences:");
    for ((cause, random), (count, example)) in causes {
        println!("{count:>8}  {cause} ({}, such as {example})", if random { "random programs" } else { "tasks" });
    }
    total[5] == 0
}
