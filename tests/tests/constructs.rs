//! Every construct of C11 and GNU C in a program whose checks hold and a twin in which one fails: no verdict is wrong.
//! For other configurations and both data models: `cargo run --release -p tandem-tests --bin constructs`.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::Command;
use std::time::Duration;
use tandem_plugin_api::kit::testing::skip;
use tandem_plugin_api::program::DataModel;
use tandem_tests::constructs::{SIDES, Tally, constructs};
use tandem_tests::tasks::in_parallel;

/// Each program for one of them, in turns.
const MODELS: [DataModel; 2] = [DataModel::Ilp32, DataModel::Lp64];
/// Most verdicts take a part of it; undecided programs take all of it.
const LIMIT: Duration = Duration::from_secs(1);
const JOBS: usize = 4;

/// Of the programs whose checks hold, and of the twins, so many percent are decided.
const SOLVED: usize = 45;

#[test]
fn programs_hold_and_twins_fail_when_gcc_builds_them() {
    if Command::new("gcc").arg("--version").output().is_err() {
        skip("gcc is not installed");
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let programs = constructs(&MODELS).unwrap();
    let results = in_parallel(&programs, JOBS, |construct| construct.mistake(directory.path()));
    let mistakes: Vec<String> = results.into_iter().filter_map(|result| result.unwrap_or_else(Some)).collect();
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

#[test]
fn no_verdict_about_a_construct_is_wrong() {
    let directory = tempfile::tempdir().unwrap();
    let programs = constructs(&MODELS).unwrap();
    let answers = in_parallel(&programs, JOBS, |construct| {
        SIDES.map(|side| construct.verify(side, "default", LIMIT, directory.path()).unwrap())
    });
    let mut tally = Tally::default();
    for (construct, answers) in programs.iter().zip(&answers) {
        for (side, answer) in SIDES.into_iter().zip(answers) {
            tally.add(construct, side, answer);
        }
    }
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    let floor = programs.len() * SOLVED / 100;
    assert!(tally.proven >= floor && tally.violated >= floor, "fewer than {floor} of each are decided: {tally:?}");
}
