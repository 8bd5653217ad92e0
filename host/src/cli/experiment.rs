//! `tandem experiment`: runs configurations on tasks, goes on where an earlier start ended, and writes tables and a
//! page of results.

use super::exit::{Exit, Failure};
use super::{CommandLine, Context, configs, interrupts, outputs, plugins};
use crate::compose::units::show_duration;
use crate::compose::{self};
use crate::diagnostic::Diagnostic;
use crate::experiment::{
    self, Answer, Definition, EXAMPLE, Events, Executor, Folder, Plan, Rating, Results, RunResult, benchexec, compare,
    page, tasks,
};
use crate::process::{self, cores};
use clap::{Args, CommandFactory};
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

#[derive(Args)]
#[command(after_help = concat!(
    "Started again with the same folder, an experiment goes on: a finished run is not made again, unless its program, \
     configuration or limits have changed. Limits hold for all processes of a run together, and are kept by a cgroup if one \
     can be made (as root, or under `systemd-run --user --scope -p Delegate=yes`), else by looking at /proc.\n\n\
     Example of an experiment (`tandem experiment --example`):\n\n",
    include_str!("../experiment/example.toml")
))]
pub struct ExperimentArgs {
    /// The experiment: a TOML file, or the name of one in ./configs/experiments
    #[arg(value_name = "EXP.toml", required_unless_present_any = ["compare", "example"])]
    file: Option<PathBuf>,
    /// Where results go: results.json, results.csv, index.html, and a folder per run [default: out/NAME]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Runs at a time, each on cores of its own [default: as many as there are cores for]
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
    /// Begin anew: remove the results that are in the folder
    #[arg(long)]
    fresh: bool,
    /// Other tasks than the experiment names: a pattern of .yml, .c or .set files, relative to the working directory (may be
    /// given several times)
    #[arg(long, value_name = "GLOB")]
    tasks: Vec<String>,
    /// Take every N-th task only
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    every: Option<u32>,
    /// Run nothing, but write the experiment as a benchmark definition for BenchExec; the tool-info module is in
    /// contrib/benchexec
    #[arg(long, value_name = "FILE.xml")]
    to_benchexec: Option<PathBuf>,
    /// Compare the results of two experiments: what was gained, lost, changed; with -o FILE.html, as a page
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"], conflicts_with_all = ["file", "fresh", "jobs", "tasks"])]
    compare: Option<Vec<PathBuf>>,
    /// Print an experiment to start from
    #[arg(long, conflicts_with_all = ["file", "compare"])]
    example: bool,
}

pub fn run(context: &Context, arguments: &ExperimentArgs) -> Result<Exit, Failure> {
    if arguments.example {
        context.console.result(EXAMPLE)?;
        return Ok(Exit::Success);
    }
    if let Some([old, new]) = arguments.compare.as_deref() {
        return run_compare(context, old, new, arguments.output.as_deref());
    }
    let plan = plan(context, arguments)?;
    match &arguments.to_benchexec {
        Some(file) => {
            let read = plan.tasks.iter().flat_map(|task| [Some(&task.file), task.property.as_ref()]).flatten();
            let read: Vec<&Path> = read.chain(&arguments.file).map(PathBuf::as_path).collect();
            outputs::apart(&[file], &read)?;
            to_benchexec(context, &plan, file)
        }
        None => execute(context, arguments, &plan),
    }
}

/// Everything that is to be run, checked before anything runs.
fn plan(context: &Context, arguments: &ExperimentArgs) -> Result<Plan, Failure> {
    context.console.stage("reading the experiment");
    let mut definition = experiment::definition::read(arguments.file.as_deref().unwrap_or(Path::new("")))?;
    if !arguments.tasks.is_empty() {
        definition.tasks.folder = PathBuf::new();
        definition.tasks.include = arguments.tasks.clone();
    }
    if let Some(every) = arguments.every {
        definition.tasks.every = usize::try_from(every).unwrap_or(usize::MAX);
    }
    let registry = plugins::find(context);
    let mut problems = Vec::new();
    for used in &definition.configs {
        let checked = compose::locate(&used.config).map_err(Failure::from).and_then(|c| configs::load(c, &registry));
        problems.extend(checked.err().into_iter().flat_map(|failure| failure.0));
    }
    problems.extend(wrong_options(&definition));
    if !problems.is_empty() {
        return Err(problems.into());
    }
    context.console.stage("looking for tasks");
    let found = tasks::find(&definition.tasks)?;
    if found.without_property > 0 {
        context.console.note(&format!("{} tasks are left out: they do not have the property", found.without_property));
    }
    context.console.stage_done();
    Ok(Plan::new(definition, found.tasks))
}

/// Options that `tandem verify` would refuse, run after run.
fn wrong_options(definition: &Definition) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    for used in &definition.configs {
        let report: &[&str] = if definition.report { &["--report=x.html", "-o", "x"] } else { &[] };
        let options = used.options.iter().map(String::as_str);
        let words = ["tandem", "verify"].into_iter().chain(report.iter().copied()).chain(options).chain(["--", "x.c"]);
        if let Err(error) = CommandLine::command().try_get_matches_from(words) {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_string();
            let message = format!("the options of `{}` are wrong: {first}", used.label);
            problems.push(Diagnostic::new(message).help("`options` are those of `tandem verify`, each word a text"));
        }
    }
    problems
}

fn to_benchexec(context: &Context, plan: &Plan, file: &Path) -> Result<Exit, Failure> {
    let text = benchexec::definition(plan, file.parent().unwrap_or(Path::new("")));
    std::fs::write(file, text)
        .map_err(|error| Diagnostic::new(format!("cannot be written: {error}")).in_file(file.display().to_string()))?;
    let runs = plan.runs.len();
    let hint = "PYTHONPATH=contrib/benchexec benchexec --tool-directory target/release";
    context.console.result(&format!("{}: {runs} runs; start them with `{hint} {0}`\n", file.display()))?;
    Ok(Exit::Success)
}

fn run_compare(context: &Context, old: &Path, new: &Path, output: Option<&Path>) -> Result<Exit, Failure> {
    let (old, new) = (Results::read(old)?, Results::read(new)?);
    let found = compare::compare(&old, &new);
    if found.is_empty() {
        let help = format!("the labels are {} and {}", labels(&old), labels(&new));
        return Err(Diagnostic::new("the experiments have no configuration in common").help(help).into());
    }
    if let Some(path) = output {
        let path = if path.is_dir() { path.join("comparison.html") } else { path.to_path_buf() };
        let text = page::comparison_page(&compare::merged(&old, &new, &found), &found);
        std::fs::write(&path, text).map_err(|error| {
            Diagnostic::new(format!("cannot be written: {error}")).in_file(path.display().to_string())
        })?;
    }
    context.console.result(&compare::text(&found))?;
    Ok(Exit::Success)
}

fn labels(results: &Results) -> String {
    results.configs.iter().map(|config| format!("`{}`", config.label)).collect::<Vec<_>>().join(", ")
}

fn execute(context: &Context, arguments: &ExperimentArgs, plan: &Plan) -> Result<Exit, Failure> {
    let (jobs, sets) = share_cores(arguments.jobs, plan)?;
    let path = arguments.output.clone().unwrap_or_else(|| Path::new("out").join(&plan.definition.name));
    let (folder, mut done) = Folder::open(&path, arguments.fresh)?;
    let swept = process::sweep(&folder.id());
    if swept > 0 {
        context.console.note(&format!("{swept} processes that an earlier start left running were ended"));
    }
    let finished = plan.runs.iter().filter(|run| done.contains_key(&run.key)).count();
    if finished > 0 {
        let total = plan.runs.len();
        context.console.note(&format!("{finished} of {total} runs are finished already (--fresh begins anew)"));
    }
    let progress = Progress::new(context, plan, finished, jobs);
    let mut common = Vec::new();
    for directory in &context.plugin_dirs {
        common.extend([OsString::from("--plugin-dir"), directory.into()]);
    }
    let executor =
        Executor { plan, folder: &folder, tandem: own_binary()?, common, cores: sets, cancel: interrupts::listen() };
    let ran = executor.run(&mut done, &progress);
    context.console.stage_done();
    let results = Results::new(plan, &done, jobs);
    folder.write("results.json", &results.json()?)?;
    folder.write("results.csv", &results.csv())?;
    let shown = folder.write("index.html", &page::page(&results))?;
    ran?;
    context.console.result(&format!("{}Results: {}\n", results.text(), shown.display()))?;
    if results.runs.len() < plan.runs.len() {
        context.console.note("interrupted: the same command goes on from here");
        return Ok(Exit::Unknown);
    }
    Ok(Exit::Success)
}

/// How many runs go at a time, and on which cores.
fn share_cores(jobs: Option<usize>, plan: &Plan) -> Result<(usize, Vec<Vec<usize>>), Diagnostic> {
    let (available, each) = (cores::available(), plan.definition.limits.cores);
    let jobs = jobs.unwrap_or_else(|| (available.len() / each.max(1)).max(1)).max(1);
    match cores::distribute(&available, jobs, each) {
        Some(sets) => Ok((jobs, sets)),
        None => Err(Diagnostic::new(format!(
            "{jobs} runs at a time on {each} cores each need {} cores, and there are {}",
            jobs * each,
            available.len()
        ))
        .help("give fewer --jobs, fewer `cores` in `[limits]`, or `cores = 0` to let runs share cores")),
    }
}

fn own_binary() -> Result<PathBuf, Diagnostic> {
    let path = std::env::current_exe().ok().filter(|path| path.is_file());
    path.ok_or_else(|| {
        Diagnostic::new("the file of this command was removed or replaced meanwhile").help("start the experiment again")
    })
}

/// Shows how far the experiment is: a bar on a terminal, a line per run elsewhere.
struct Progress<'c> {
    context: &'c Context,
    total: usize,
    jobs: usize,
    started: Instant,
    counts: Mutex<Counts>,
}

#[derive(Clone, Copy, Default)]
struct Counts {
    before: usize,
    here: usize,
    correct: usize,
    wrong: usize,
}

impl<'c> Progress<'c> {
    fn new(context: &'c Context, plan: &Plan, before: usize, jobs: usize) -> Self {
        let total = plan.runs.len();
        context.console.stage(plan.definition.name.clone());
        context.console.detail(&format!("{total} runs, {jobs} at a time"));
        let counts = Mutex::new(Counts { before, ..Counts::default() });
        Progress { context, total, jobs, started: Instant::now(), counts }
    }

    /// The time that is left, estimated by the runs so far; no estimate before the first few.
    fn left(&self, counts: Counts) -> String {
        let done = counts.before + counts.here;
        if counts.here < self.jobs.max(2) || done >= self.total {
            return String::new();
        }
        let seconds = self.started.elapsed().as_secs_f64() / counts.here as f64 * (self.total - done) as f64;
        let rounded = if seconds > 90.0 { (seconds / 60.0).round() * 60.0 } else { seconds.ceil() };
        format!(", about {} left", show_duration(Duration::from_secs_f64(rounded.max(1.0))))
    }
}

impl Events for Progress<'_> {
    fn finished(&self, result: &RunResult) {
        let counts = {
            let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
            counts.here += 1;
            counts.correct += usize::from(result.rating == Rating::Correct);
            counts.wrong += usize::from(result.rating == Rating::Wrong);
            *counts
        };
        let (done, total, left) = (counts.before + counts.here, self.total, self.left(counts));
        let RunResult { config, task, answer, rating, cpu_seconds, .. } = result;
        let why = if *answer == Answer::Error { format!(" ({})", result.reason) } else { String::new() };
        let line =
            format!("[{done}/{total}] {config} {task}: {answer}{why}, {}, {cpu_seconds:.2} s{left}", rating.word());
        if *rating == Rating::Wrong {
            self.context.console.warning(&format!("wrong: {line}"));
        } else if !std::io::stderr().is_terminal() {
            self.context.console.line(&line);
        }
        let filled = done * 20 / total.max(1);
        let bar = format!("{}{}", "█".repeat(filled), "░".repeat(20usize.saturating_sub(filled)));
        self.context.console.progress_detail(&format!("{bar} {done}/{total}{left}, {} wrong", counts.wrong));
    }
}
