//! Verifies the programs of `tests/programs/c`, one for each construct of C11 and GNU C, and their twins, in which a check
//! fails, in any configurations: how often each verdict was given. Exit status 1 where one is wrong.
#![allow(clippy::print_stdout, reason = "a command prints its result")]

use clap::Parser;
use std::process::ExitCode;
use std::time::Duration;
use tandem_plugin_api::program::DataModel;
use tandem_tests::conclude;
use tandem_tests::conformance::Answer;
use tandem_tests::constructs::{Construct, SIDES, Tally, constructs};
use tandem_tests::table::render;
use tandem_tests::tasks::in_parallel;

/// Verifies a program for each construct of C, and its twin in which a check fails.
#[derive(Parser)]
struct Options {
    /// Only those whose name contains one of these texts
    names: Vec<String>,
    /// Configurations
    #[arg(
        short,
        long,
        value_name = "NAME",
        value_delimiter = ',',
        default_value = "default,value,interval,predicate,bmc,k-induction,chc,symbolic"
    )]
    configurations: Vec<String>,
    /// Each program for both data models, instead of one in turns
    #[arg(long)]
    both_models: bool,
    /// Seconds for one verification
    #[arg(long, value_name = "S", default_value_t = 2)]
    limit: u64,
    /// How many run at once
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,
    /// Also build and run the programs with gcc, to check the programs themselves
    #[arg(long)]
    gcc: bool,
    /// List the undecided programs, with the reasons
    #[arg(long)]
    open: bool,
}

fn main() -> ExitCode {
    conclude(run(&Options::parse()))
}

fn run(options: &Options) -> Result<bool, String> {
    let directory = tempfile::tempdir().map_err(|error| format!("no temporary directory: {error}"))?;
    let programs = chosen(options)?;
    let mut right = true;
    if options.gcc {
        for result in in_parallel(&programs, options.jobs, |construct| construct.mistake(directory.path())) {
            if let Some(mistake) = result.unwrap_or_else(Some) {
                println!("{mistake}");
                right = false;
            }
        }
    }
    let mut rows = Vec::new();
    for configuration in &options.configurations {
        let limit = Duration::from_secs(options.limit);
        let answers = in_parallel(&programs, options.jobs, |construct| {
            SIDES.map(|side| construct.verify(side, configuration, limit, directory.path()))
        });
        let mut tally = Tally::default();
        for (construct, answers) in programs.iter().zip(answers) {
            for (side, answer) in SIDES.into_iter().zip(answers) {
                let answer = answer?;
                if let (true, Answer::Unknown(why) | Answer::Refused(why)) = (options.open, &answer) {
                    println!("{configuration}: {} ({}), {side:?}: {why}", construct.name, construct.model.name());
                }
                tally.add(construct, side, &answer);
            }
        }
        for wrong in &tally.wrong {
            println!("WRONG in {configuration}: {wrong}");
        }
        right &= tally.wrong.is_empty();
        let counts = [tally.proven, tally.violated, tally.unknown, tally.refused, tally.wrong.len()];
        rows.push(std::iter::once(configuration.clone()).chain(counts.map(|count| count.to_string())).collect());
    }
    println!("{} programs and as many twins", programs.len());
    print!("{}", render(&["configuration", "TRUE", "FALSE", "UNKNOWN", "refused", "wrong"], &rows));
    Ok(right)
}

fn chosen(options: &Options) -> Result<Vec<Construct>, String> {
    let models = [DataModel::Ilp32, DataModel::Lp64];
    let mut programs = match options.both_models {
        true => [constructs(&models[..1])?, constructs(&models[1..])?].concat(),
        false => constructs(&models)?,
    };
    programs.retain(|construct| {
        options.names.is_empty() || options.names.iter().any(|name| construct.name.contains(name.as_str()))
    });
    match programs.is_empty() {
        true => Err("no program has such a name".into()),
        false => Ok(programs),
    }
}
