//! Compares our reading of C with gcc's on self-checking programs (exit status 0, `abort` otherwise): by execution, by
//! verification, and on mutants whose check fails; and on random programs by Csmith. Exit status 1 where something is wrong.
#![allow(clippy::print_stdout, reason = "a command prints its result")]

use clap::Parser;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use tandem_plugin_api::program::DataModel;
use tandem_tests::conclude;
use tandem_tests::conformance::*;
use tandem_tests::tasks::in_parallel;

/// Compares our reading of C with gcc's on self-checking programs.
#[derive(Parser)]
struct Options {
    /// C files, and directories with C files
    paths: Vec<PathBuf>,
    /// Data models: ILP32, LP64
    #[arg(long, value_name = "MODEL", value_delimiter = ',', default_value = "ILP32,LP64")]
    models: Vec<String>,
    /// Verify instead of executing: FALSE is wrong
    #[arg(long, conflicts_with = "mutants")]
    verify: bool,
    /// Verify mutants whose check fails under gcc, at most N: TRUE is wrong
    #[arg(long, value_name = "N")]
    mutants: Option<usize>,
    /// Configurations for verification
    #[arg(short, long, value_name = "NAME", value_delimiter = ',', default_value = "default")]
    configurations: Vec<String>,
    /// Seconds for one verification
    #[arg(long, value_name = "S", default_value_t = 3)]
    limit: u64,
    /// Execute N random programs by Csmith instead of files
    #[arg(long, value_name = "N")]
    csmith: Option<u64>,
    /// The first seed for Csmith
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Every N-th file
    #[arg(long, value_name = "N", default_value = "1")]
    every: NonZeroUsize,
    /// How many run at once
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,
    /// Also list agreements, and programs that gcc does not build
    #[arg(long)]
    all: bool,
    /// Executes one file for this command itself
    #[arg(long, value_name = "MODEL", hide = true)]
    alone: Option<String>,
}

fn main() -> ExitCode {
    conclude(run(&Options::parse()))
}

fn run(options: &Options) -> Result<bool, String> {
    if let (Some(name), [source]) = (&options.alone, options.paths.as_slice()) {
        println!("{}", execute_alone(source, model(name)?)?);
        return Ok(true);
    }
    let models = options.models.iter().map(|name| model(name)).collect::<Result<Vec<_>, _>>()?;
    if let Some(count) = options.csmith {
        return random_programs(options, &models, count);
    }
    let files: Vec<PathBuf> = sources(&options.paths)?.into_iter().step_by(options.every.get()).collect();
    if files.is_empty() {
        return Err("name C files, or a directory with C files".into());
    }
    match options.mutants {
        Some(most) => verified_mutants(options, &models, &files, most),
        None if options.verify => verified(options, &models, &files),
        None => executed(options, &models, &files),
    }
}

fn model(name: &str) -> Result<DataModel, String> {
    [DataModel::Ilp32, DataModel::Lp64]
        .into_iter()
        .find(|model| model.name() == name)
        .ok_or(format!("there is no data model `{name}`: name ILP32 or LP64"))
}

/// Every file for every data model.
fn jobs(models: &[DataModel], files: &[PathBuf]) -> Vec<(PathBuf, DataModel)> {
    files.iter().flat_map(|file| models.iter().map(move |model| (file.clone(), *model))).collect()
}

fn executed(options: &Options, models: &[DataModel], files: &[PathBuf]) -> Result<bool, String> {
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let jobs = jobs(models, files);
    let results = in_parallel(&jobs, options.jobs, |(file, model)| compare(&this, file, *model));
    let mut table = Table::new(options.all);
    for ((file, model), result) in jobs.iter().zip(results) {
        table.add(&name(file), *model, result?);
    }
    Ok(table.finish())
}

fn random_programs(options: &Options, models: &[DataModel], count: u64) -> Result<bool, String> {
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let directory = tempfile::tempdir().map_err(|error| format!("no temporary directory: {error}"))?;
    let seeds: Vec<(u64, DataModel)> = (options.seed..options.seed.saturating_add(count))
        .flat_map(|seed| models.iter().map(move |model| (seed, *model)))
        .collect();
    let results = in_parallel(&seeds, options.jobs, |(seed, model)| {
        let inside = directory.path().join(format!("{seed}-{}", model.name()));
        std::fs::create_dir_all(&inside).map_err(|error| error.to_string())?;
        let source = generate(*seed, *model, &inside)?;
        let result = compare(&this, &source, *model);
        let _ = std::fs::remove_dir_all(&inside);
        result
    });
    let mut table = Table::new(options.all);
    for ((seed, model), result) in seeds.iter().zip(results) {
        table.add(&format!("csmith seed {seed}"), *model, result?);
    }
    Ok(table.finish())
}

fn name(file: &Path) -> String {
    file.display().to_string()
}

/// Counts and lists agreements.
struct Table {
    all: bool,
    counts: BTreeMap<&'static str, usize>,
    reasons: BTreeMap<String, Vec<String>>,
}

impl Table {
    fn new(all: bool) -> Self {
        Table { all, counts: BTreeMap::new(), reasons: BTreeMap::new() }
    }

    fn add(&mut self, name: &str, model: DataModel, agreement: Agreement) {
        let (kind, why) = match agreement {
            Agreement::Agree => ("agree", None),
            Agreement::Refused(why) => ("refused", Some(why)),
            Agreement::Differ(why) => ("differ", Some(why)),
            Agreement::Cut => ("cut", None),
            Agreement::Internal(why) => ("internal error", Some(why)),
            Agreement::NotSelfChecking(why) => ("not self-checking", Some(why)),
        };
        *self.counts.entry(kind).or_default() += 1;
        let line = format!(
            "{:17} {name} ({}){}",
            kind,
            model.name(),
            why.as_deref().map_or(String::new(), |w| format!(": {w}"))
        );
        match kind {
            "agree" | "not self-checking" if !self.all => {}
            "refused" => {
                println!("{line}");
                self.reasons.entry(why.unwrap_or_default()).or_default().push(name.to_owned());
            }
            _ => println!("{line}"),
        }
    }

    /// Whether no program is wrong.
    fn finish(self) -> bool {
        let count = |kind| self.counts.get(kind).copied().unwrap_or(0);
        let compared: usize =
            self.counts.iter().filter(|(kind, _)| **kind != "not self-checking").map(|(_, n)| n).sum();
        let mut reasons: Vec<(usize, &String)> = self.reasons.iter().map(|(why, names)| (names.len(), why)).collect();
        reasons.sort_by(|a, b| b.cmp(a));
        for (number, why) in reasons {
            println!("{number:5} refused: {why}");
        }
        for (kind, number) in &self.counts {
            println!("{number:5} {kind}");
        }
        println!("{:.1} % of {compared} agree", 100.0 * count("agree") as f64 / compared.max(1) as f64);
        count("differ") + count("internal error") == 0
    }
}

/// The property file for `abort`, in a directory that is removed with it.
fn property() -> Result<(tempfile::TempDir, PathBuf), String> {
    let directory = tempfile::tempdir().map_err(|error| format!("no temporary directory: {error}"))?;
    let path = directory.path().join("abort.prp");
    let text = "CHECK( init(main()), LTL(G ! call(abort())) )\n";
    std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok((directory, path))
}

/// Answers of one configuration, counted; `wrong` is the answer that must not occur.
fn tally(configuration: &str, answers: &[(String, Answer)], wrong: &Answer) -> bool {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut fine = true;
    for (name, answer) in answers {
        let kind = match answer {
            Answer::True => "TRUE",
            Answer::False => "FALSE",
            Answer::Unknown(_) => "UNKNOWN",
            Answer::Refused(_) => "refused",
            Answer::Internal(_) => "internal error",
        };
        *counts.entry(kind).or_default() += 1;
        if answer == wrong || matches!(answer, Answer::Internal(_)) {
            fine = false;
            println!("WRONG {configuration}: {name}: {answer:?}");
        }
    }
    println!("{configuration}: {counts:?}");
    fine
}

fn verified(options: &Options, models: &[DataModel], files: &[PathBuf]) -> Result<bool, String> {
    let (_directory, property) = property()?;
    let ends_well = |job: &(PathBuf, DataModel)| {
        Built::new(&job.0, job.1).and_then(|built| built.run()).is_ok_and(|run| run.end == "exit 0")
    };
    let candidates = jobs(models, files);
    let kept = in_parallel(&candidates, options.jobs, ends_well);
    let jobs: Vec<_> = candidates.into_iter().zip(kept).filter_map(|(job, kept)| kept.then_some(job)).collect();
    let mut fine = true;
    for configuration in &options.configurations {
        let limit = Duration::from_secs(options.limit);
        let answers = in_parallel(&jobs, options.jobs, |(file, model)| {
            let answer = verify(file, &property, *model, configuration, limit)?;
            if options.all {
                println!("{} ({}): {answer:?}", file.display(), model.name());
            }
            Ok::<_, String>((format!("{} ({})", file.display(), model.name()), answer))
        });
        fine &= tally(configuration, &answers.into_iter().collect::<Result<Vec<_>, _>>()?, &Answer::False);
    }
    Ok(fine)
}

fn verified_mutants(options: &Options, models: &[DataModel], files: &[PathBuf], most: usize) -> Result<bool, String> {
    let (directory, property) = property()?;
    let mut candidates = Vec::new();
    for file in files {
        let Ok(text) = std::fs::read_to_string(file) else { continue };
        for (number, mutant) in mutants(&text).into_iter().enumerate() {
            let stem = file.file_stem().unwrap_or_default().to_string_lossy();
            let path = directory.path().join(format!("{stem}-{number}.c"));
            candidates.extend(models.iter().map(|model| (path.clone(), *model, file.clone(), mutant.clone())));
        }
    }
    let aborts = |(path, model, _, mutant): &(PathBuf, DataModel, PathBuf, Mutant)| {
        std::fs::write(path, &mutant.text).is_ok()
            && Built::new(path, *model).and_then(|built| built.run()).is_ok_and(|run| run.end == "abort")
    };
    // A thorough sample: all files before second mutants of the same file.
    candidates.sort_by_key(|(path, ..)| path.to_string_lossy().rsplit('-').next().map(str::len));
    candidates.truncate(most.saturating_mul(2));
    let kept = in_parallel(&candidates, options.jobs, aborts);
    let mut jobs: Vec<_> = candidates.into_iter().zip(kept).filter_map(|(job, kept)| kept.then_some(job)).collect();
    jobs.truncate(most);
    println!("{} mutants abort under gcc", jobs.len());
    let mut fine = true;
    for configuration in &options.configurations {
        let limit = Duration::from_secs(options.limit);
        let answers = in_parallel(&jobs, options.jobs, |(path, model, file, mutant)| {
            let name = format!("{}:{} ({}) {}", file.display(), mutant.line, model.name(), mutant.change);
            let answer = verify(path, &property, *model, configuration, limit)?;
            if options.all {
                println!("{name}: {answer:?}");
            }
            Ok::<_, String>((name, answer))
        });
        fine &= tally(configuration, &answers.into_iter().collect::<Result<Vec<_>, _>>()?, &Answer::True);
    }
    Ok(fine)
}
