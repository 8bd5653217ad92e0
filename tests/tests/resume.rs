//! Explorations that are stopped at many points and continued have the results of one without a stop: the same verdict,
//! the same number of targets, the same notes on soundness.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tandem::artifact::task_definition;
use tandem::cpa::End;
use tandem_plugin_api::abi::SharedTask;
use tandem_plugin_api::prelude::*;
use tandem_tests::command::{build_dir, root};
use tandem_tests::exploring::{self, Product, Run, statistic, word};

/// The results that must not depend on stops.
#[derive(Debug, PartialEq)]
struct Found {
    verdict: &'static str,
    targets: u64,
    unsound: Vec<String>,
    conventions: Vec<String>,
}

impl Found {
    fn of(run: &Run, end: &End) -> Found {
        let outcome = run.outcome(end);
        let soundness = &outcome.soundness;
        Found {
            verdict: word(&outcome),
            targets: statistic(&outcome, "targets reached"),
            unsound: soundness.unsound_steps().map(str::to_string).collect(),
            conventions: soundness.convention_texts(),
        }
    }
}

/// Programs that take longer show little that others do not show.
const LONGEST: Duration = Duration::from_millis(400);

/// Numbers that are always the same (SplitMix64).
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound.max(1)
    }
}

/// Stops every so many steps, at most so often, and then no more.
fn with_stops(product: &Product, task: &SharedTask, first: bool, mut pause: impl FnMut() -> u64) -> (Found, u64, u64) {
    let mut run = product.explore(task, Some(first)).unwrap();
    let mut stops = 0;
    loop {
        let steps = if stops < 40 { pause() } else { u64::MAX };
        match run.go_on(&Inputs::default(), steps, None).unwrap() {
            End::Stopped(_) => stops += 1,
            end => {
                let states = run.exploration.arg().len() as u64;
                return (Found::of(&run, &end), stops, states);
            }
        }
    }
}

/// Returns how many stops there were; `None` if the program takes too long.
fn compare(product: &Product, task: &SharedTask, name: &str) -> u64 {
    let mut all = 0;
    // With formulas, there are enough steps between two edges.
    let ticks = product.analyses.iter().any(|analysis| analysis.plugin == "predicate");
    for &first in if ticks { &[true][..] } else { &[true, false] } {
        let mut plain = product.explore(task, Some(first)).unwrap();
        let end = plain.go_on(&Inputs::default(), u64::MAX, Some(LONGEST)).unwrap();
        if matches!(end, End::Stopped(_)) {
            return all;
        }
        let (expected, steps) = (Found::of(&plain, &end), plain.steps.counted());
        let mut chance = Chance(steps);
        for round in 0..if ticks { 3 } else { 4u64 } {
            // Few steps at first, then some that are spread over the whole run.
            let longest = if round < 2 { 1 + 3 * round } else { 1 + steps / round };
            let (found, stops, _) = with_stops(product, task, first, || 1 + chance.below(longest));
            assert_eq!(found, expected, "{name}: {stops} stops, at most {longest} of {steps} steps apart");
            all += stops;
        }
    }
    all
}

/// The programs of a folder with their tasks and configurations.
fn cases(folder: &str) -> Vec<(PathBuf, String)> {
    let folder = root().join("tests/programs").join(folder);
    let mut found: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| path.extension().is_some_and(|found| found == "yml"));
    found.sort();
    let config = |task: &Path| {
        let own = task.with_extension("toml");
        if own.is_file() { own } else { folder.join("config.toml") }
    };
    found.into_iter().map(|task| (task.clone(), config(&task).display().to_string())).collect()
}

fn check_folder(folder: &str) {
    let mut stops = 0;
    for (task, config) in cases(folder) {
        let product = Product::of(&config, &build_dir()).unwrap();
        let definition = task_definition::read(&task).unwrap();
        let model = definition.data_model.unwrap_or(tandem_plugin_api::program::DataModel::Ilp32);
        let loaded = exploring::load(&definition.input_files[0], model).unwrap();
        stops += compare(&product, &loaded, &task.display().to_string());
    }
    assert!(stops > 100, "{folder}: only {stops} stops");
}

#[test]
fn value() {
    check_folder("value");
}

#[test]
fn predicate() {
    check_folder("predicate");
}

#[test]
fn interval() {
    check_folder("interval");
}

#[test]
fn symbolic() {
    check_folder("symbolic");
}

#[test]
fn loop_bound() {
    check_folder("loop-bound");
}

#[test]
fn location() {
    check_folder("location");
}

/// Where states are kept apart, no path is followed twice.
#[test]
fn paths_are_followed_once() {
    let product = Product::of("symbolic", &build_dir()).unwrap();
    let text = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
        int main(void) {
            int sum = 0;
            for (int i = 0; i < 4; i++) { int x = __VERIFIER_nondet_int(); if (x > i) { sum = sum + i; } }
            if (sum > 6) { reach_error(); }
            return 0;
        }";
    let program = tandem::frontend::load_text(text, "paths.c", tandem_plugin_api::program::DataModel::Ilp32).unwrap();
    let task = exploring::task_of(program);
    let (plain, _, states) = with_stops(&product, &task, true, || u64::MAX);
    assert_eq!(plain.verdict, "TRUE");
    for steps in 1..40 {
        let (found, stops, with) = with_stops(&product, &task, true, || steps);
        assert_eq!((found.verdict, with), ("TRUE", states), "{stops} stops, {steps} steps apart");
    }
}
