//! Precisions that one run leaves and another gets, and every value of the predicate analysis's options on its programs:
//! verdicts are never wrong, and what was learnt need not be learnt again.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tandem::artifact::task_definition;
use tandem::cpa::End;
use tandem_plugin_api::abi::SharedTask;
use tandem_plugin_api::artifact::Precision;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::DataModel;
use tandem_tests::command::{build_dir, root};
use tandem_tests::exploring::{self, Product, statistic, word};

/// Programs that take longer show little that others do not show.
const LONGEST: Duration = Duration::from_millis(2500);

fn tasks(topic: &str) -> Vec<PathBuf> {
    let folder = root().join("tests/programs").join(topic);
    let mut found: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| path.extension().is_some_and(|found| found == "yml"));
    found.sort();
    found
}

fn load(task: &Path) -> (SharedTask, &'static str) {
    let definition = task_definition::read(task).unwrap();
    let model = definition.data_model.unwrap_or(DataModel::Ilp32);
    let right = if definition.properties[0].expected.unwrap() { "TRUE" } else { "FALSE" };
    (exploring::load(&definition.input_files[0], model).unwrap(), right)
}

fn product(folder: &Path, analysis: &str, options: &[(&str, &str)]) -> Product {
    let mut text = format!("about = \"a test\"\n[actor.{analysis}]\nanalyses = [\"{analysis}\"]\n");
    for (name, value) in options {
        text.push_str(&format!("{analysis}.{name} = \"{value}\"\n"));
    }
    let path = folder.join("config.toml");
    fs::write(&path, text).unwrap();
    Product::of(&path.display().to_string(), &build_dir()).unwrap()
}

fn run(product: &Product, task: &SharedTask, precision: Option<Precision>) -> Option<Outcome> {
    let mut run = product.explore(task, Some(true)).unwrap();
    let inputs = Inputs { precision, ..Inputs::default() };
    let end = run.go_on(&inputs, u64::MAX, Some(LONGEST)).unwrap();
    (!matches!(end, End::Stopped(_))).then(|| run.outcome(&end))
}

/// Runs the programs of a topic, and those with refinements again with the first run's precision; returns how many
/// refinements there were in both.
fn learn_and_reuse(product: &Product, topic: &str, name: &str) -> (u64, u64) {
    let (mut fresh, mut reused, mut solved) = (0, 0, 0);
    for path in tasks(topic) {
        let (task, right) = load(&path);
        let Some(first) = run(product, &task, None) else { continue };
        let complain =
            |outcome: &Outcome| format!("{} with {name}: {}", path.display(), outcome.reported_verdict(false));
        assert!(["UNKNOWN", right].contains(&word(&first)), "WRONG: {}", complain(&first));
        solved += u32::from(word(&first) != "UNKNOWN");
        let Some(precision) = first.precision.clone().filter(|_| statistic(&first, "refinements") > 0) else {
            continue;
        };
        let Some(again) = run(product, &task, Some(precision)) else { continue };
        assert!(["UNKNOWN", right].contains(&word(&again)), "WRONG: {}", complain(&again));
        if word(&first) == right {
            assert_eq!(word(&again), right, "lost by reuse: {}", complain(&again));
        }
        fresh += statistic(&first, "refinements");
        reused += statistic(&again, "refinements");
    }
    assert!(solved >= 3, "{name} solves {solved} programs about {topic}");
    (fresh, reused)
}

#[test]
fn predicates_in_every_scope_and_block() {
    let folder = tempfile::tempdir().unwrap();
    for blocks in ["loop-heads", "functions"] {
        for scope in ["location", "function", "global"] {
            let product = product(folder.path(), "predicate", &[("blocks", blocks), ("scope", scope)]);
            let name = format!("blocks = {blocks}, scope = {scope}");
            let (fresh, reused) = learn_and_reuse(&product, "predicate", &name);
            assert!(fresh > 5 && reused * 4 <= fresh, "{name}: {fresh} refinements, {reused} with their precision");
        }
    }
}

#[test]
fn values_in_every_scope() {
    let folder = tempfile::tempdir().unwrap();
    for scope in ["everywhere", "location"] {
        let product = product(folder.path(), "value", &[("track", "needed"), ("scope", scope)]);
        let (fresh, reused) = learn_and_reuse(&product, "value", scope);
        assert!(fresh > 5 && reused * 2 <= fresh, "{scope}: {fresh} refinements, {reused} with their precision");
    }
}

/// The precision of one analysis helps the other: values to track from predicates, and no harm the other way round.
#[test]
fn precisions_go_from_one_analysis_to_the_other() {
    let folder = tempfile::tempdir().unwrap();
    let predicate = product(folder.path(), "predicate", &[]);
    let value = product(folder.path(), "value", &[("track", "needed")]);
    for path in tasks("predicate") {
        let (task, right) = load(&path);
        for (from, to) in [(&predicate, &value), (&value, &predicate)] {
            let Some(first) = run(from, &task, None) else { continue };
            let Some(second) = run(to, &task, first.precision) else { continue };
            assert!(["UNKNOWN", right].contains(&word(&second)), "WRONG: {}: {}", path.display(), word(&second));
        }
    }
}
