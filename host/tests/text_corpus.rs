//! Every input of the shared SV-COMP tasks parses, and preparing its text costs little beside parsing it.
//! Skipped, with a message, where the shared folder is not there.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tandem::frontend::{parse, text};
use tandem_plugin_api::program::DataModel;

fn shared() -> PathBuf {
    match std::env::var_os("TANDEM_SHARED") {
        Some(folder) => folder.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"),
    }
}

/// Prepares and parses; returns the time of each.
fn parse_file(path: &Path, model: DataModel) -> Result<(Duration, Duration), String> {
    let begin = Instant::now();
    let source = text::read(path, model).map_err(|problem| problem.to_string())?;
    let prepared = begin.elapsed();
    let begin = Instant::now();
    parse::with_large_stack(|| parse::parse(&source).map(drop)).map_err(|problem| problem.to_string())?;
    Ok((prepared, begin.elapsed()))
}

#[test]
fn every_shared_task_parses() {
    let folder = shared().join("sv-benchmarks");
    let Ok(table) = std::fs::read_to_string(folder.join("tasks.csv")) else {
        eprintln!("skipped: {} is not there", folder.display());
        return;
    };
    let mut inputs: Vec<(u64, PathBuf, DataModel)> = Vec::new();
    for row in table.lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        let model = if fields[3] == "LP64" { DataModel::Lp64 } else { DataModel::Ilp32 };
        inputs.push((fields[5].parse().unwrap(), folder.join(fields[2]), model));
    }
    inputs.sort_by(|a, b| (b.0, &b.1).cmp(&(a.0, &a.1)));
    inputs.dedup_by(|a, b| a.1 == b.1);
    let mut failures = Vec::new();
    let (mut preparing, mut parsing) = (Duration::ZERO, Duration::ZERO);
    for (rank, (bytes, path, model)) in inputs.iter().enumerate() {
        match parse_file(path, *model) {
            Ok((prepared, parsed)) => {
                preparing += prepared;
                parsing += parsed;
                if rank < 10 {
                    eprintln!("{bytes:>8} bytes: prepare {prepared:?}, parse {parsed:?}");
                }
            }
            Err(problem) => failures.push(problem),
        }
    }
    eprintln!("{} files: prepare {preparing:?}, parse {parsing:?}", inputs.len());
    assert!(failures.is_empty(), "{} of {} fail:\n{}", failures.len(), inputs.len(), failures.join("\n"));
    assert!(preparing * 4 < parsing, "preparing takes {preparing:?}, parsing {parsing:?}");
}

#[test]
fn the_format_examples_parse() {
    let folder = shared().join("formats/examples");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        eprintln!("skipped: {} is not there", folder.display());
        return;
    };
    let mut seen = 0;
    for path in entries.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == "c")) {
        parse_file(&path, DataModel::Ilp32).unwrap();
        seen += 1;
    }
    assert!(seen > 0);
}
