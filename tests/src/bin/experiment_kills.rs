//! Kills an experiment of 3 configurations × 40 tasks at random moments and resumes it: the table must be that of one
//! that was not killed. `cargo run --release -p tandem-tests --bin experiment_kills [-- --seed N --kills N]`

#![allow(clippy::print_stdout, reason = "this is a command")]

use clap::Parser;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tandem_tests::conclude;
use tandem_tests::experiments::{finish, left_over, run_twice, start_and_kill, table, write_experiment};

/// Kills an experiment at random moments, resumes it, and compares its table with that of one that was not killed.
#[derive(Parser)]
struct Settings {
    /// The same moments for the same number
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    seed: u64,
    /// How often it is killed
    #[arg(long, value_name = "N", default_value_t = 3)]
    kills: u64,
}

fn main() -> ExitCode {
    conclude(work(&Settings::parse()).map(|()| true))
}

fn work(settings: &Settings) -> Result<(), String> {
    let Settings { mut seed, kills } = *settings;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let experiment = write_experiment(folder.path(), 40)?;
    let (calm, killed) = (folder.path().join("calm"), folder.path().join("killed"));
    let begun = Instant::now();
    finish(&experiment, &calm)?;
    let whole = begun.elapsed();
    let expected = table(&calm)?;
    println!("undisturbed: {} rows in {:.1} s", expected.len(), whole.as_secs_f64());
    for number in 0..kills {
        // A step of xorshift: moments are random, and the same for the same seed.
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        let after = whole.mul_f64((seed % 1000) as f64 / 1000.0 / (kills as f64 + 1.0)) + Duration::from_millis(100);
        let group = number % 2 == 1;
        let recorded = start_and_kill(&experiment, &killed, after, group)?;
        let what = if group { "the process group" } else { "the process" };
        let left = left_over(&killed);
        println!(
            "killed {what} after {:.2} s: {recorded} runs recorded, {} processes left over",
            after.as_secs_f64(),
            left.len()
        );
        if !left.is_empty() {
            return Err(format!("left over: {left:?}"));
        }
    }
    finish(&experiment, &killed)?;
    let (found, twice) = (table(&killed)?, run_twice(&killed)?);
    if found != expected {
        return Err("the tables differ".to_string());
    }
    if !twice.is_empty() {
        return Err(format!("run twice: {twice:?}"));
    }
    println!("resumed: the same {} rows, none run twice", found.len());
    Ok(())
}
