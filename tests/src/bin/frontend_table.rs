//! How much of the benchmark tasks the front end reads: by category, how many become a program, and how many of these
//! have nothing unsupported on code reachable from `main`; then the reasons for the rest.
//! Exit status 1 where less is read than the project promises.
#![allow(clippy::print_stdout, reason = "a command prints its result")]

use std::collections::BTreeMap;
use std::process::ExitCode;
use tandem_plugin_api::program::{Op, Program};
use tandem_tests::conclude;
use tandem_tests::table;
use tandem_tests::tasks::{Task, benchmark_tasks, in_parallel};

/// Of all tasks, this share must be read completely; of these categories, all.
const PROMISED_PERCENT: usize = 97;
const PROMISED_WHOLE: [&str; 7] =
    ["Loops", "ControlFlow", "ECA", "ProductLines", "Recursive", "BitVectors", "Sequentialized"];

enum Reading {
    Complete,
    /// The unsupported constructs, with their places.
    Partial(Vec<(String, String)>),
    Refused(String),
}

fn main() -> ExitCode {
    conclude(run())
}

/// Whether all promises hold.
fn run() -> Result<bool, String> {
    let pattern = std::env::args().nth(1).unwrap_or_default();
    let mut tasks = benchmark_tasks()?;
    tasks.retain(|task| task.name.contains(&pattern) || task.category.contains(&pattern));
    let readings = in_parallel(&tasks, 2, read);
    let mut rows: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    let mut reasons: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (task, reading) in tasks.iter().zip(&readings) {
        let row = rows.entry(&task.category).or_default();
        row[0] += 1;
        match reading {
            Reading::Complete => (row[1], row[2]) = (row[1] + 1, row[2] + 1),
            Reading::Partial(list) => {
                row[1] += 1;
                for (what, place) in list {
                    reasons.entry(what.clone()).or_default().push(format!("{} ({place})", task.name));
                }
            }
            Reading::Refused(why) => reasons.entry(format!("refused: {why}")).or_default().push(task.name.clone()),
        }
    }
    println!("{}", rendered(&rows));
    for (what, places) in &reasons {
        println!("{what}");
        for place in places {
            println!("  {place}");
        }
    }
    Ok(promises_hold(&rows))
}

fn read(task: &Task) -> Reading {
    match tandem::frontend::load(&task.source, task.model) {
        Err(diagnostic) => Reading::Refused(diagnostic.message),
        Ok(program) => {
            let list = reachable_unsupported(&program);
            if list.is_empty() { Reading::Complete } else { Reading::Partial(list) }
        }
    }
}

fn reachable_unsupported(program: &Program) -> Vec<(String, String)> {
    let reached = program.reachable_locations();
    let mut list = Vec::new();
    for edge in program.edges.iter().filter(|edge| reached[edge.from.index()]) {
        if let Op::Unsupported(id) = edge.op {
            let entry = &program.unsupported[id.index()];
            list.push((entry.what.clone(), format!("{}:{}", program.file_name(entry.span), entry.span.line)));
        }
    }
    list
}

fn rendered(rows: &BTreeMap<&str, [usize; 3]>) -> String {
    let cells = |name: &str, [tasks, loaded, complete]: [usize; 3]| {
        let percent = format!("{:.1}", 100.0 * complete as f64 / tasks.max(1) as f64);
        vec![name.to_string(), tasks.to_string(), loaded.to_string(), complete.to_string(), percent]
    };
    let mut all: Vec<Vec<String>> = rows.iter().map(|(name, row)| cells(name, *row)).collect();
    all.push(cells("total", total(rows)));
    table::render(&["category", "tasks", "programs", "nothing unsupported", "%"], &all)
}

fn total(rows: &BTreeMap<&str, [usize; 3]>) -> [usize; 3] {
    rows.values().fold([0; 3], |sum, row| [sum[0] + row[0], sum[1] + row[1], sum[2] + row[2]])
}

fn promises_hold(rows: &BTreeMap<&str, [usize; 3]>) -> bool {
    let [tasks, _, complete] = total(rows);
    let whole = |(name, row): (&&str, &[usize; 3])| {
        row[2] == row[0] || !PROMISED_WHOLE.iter().any(|category| name.ends_with(category))
    };
    complete * 100 >= tasks * PROMISED_PERCENT && rows.iter().all(whole)
}
