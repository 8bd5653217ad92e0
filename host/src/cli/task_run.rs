//! The shared part of `verify` and `test`: reads the task, runs the configuration on it under limits, and notes the
//! results.

use super::console::Console;
use super::exit::{Exit, Failure};
use super::question::{self, DataModelName, Purpose};
use super::report::{Reporter, Statistic};
use super::watchdog::{self, Exceeded, Limits};
use super::witness::{GRAPHML, YAML};
use super::{Context, configs, outputs, page, plugins};
use crate::artifact::{precision, property, task_definition, test_suite};
use crate::compose::library::{DEFAULT, DEFAULT_TEST};
use crate::compose::units::{parse_duration_or_seconds, parse_size};
use crate::compose::{self, Config, Events, Recorder, Stop, Surroundings};
use crate::conversion::{self, Confirmed, Content, gia_text, meant_for, write_text};
use crate::diagnostic::Diagnostic;
use crate::frontend;
use crate::plugins::Registry;
use crate::process;
use crate::services::{Executions, Log};
use clap::Args;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tandem_plugin_api::abi::{SharedProgram, SharedTask};
use tandem_plugin_api::artifact::{Invariants, Outcome, Precision, TestSuite, Verdict};
use tandem_plugin_api::program::Program;
use tandem_plugin_api::service::{Artifact, LogLevel, Progress, StopReason};
use tandem_plugin_api::task::{Inputs, Property};

#[derive(Args)]
pub struct RunArgs {
    /// A C program, preprocessed or not, or an SV-COMP task definition
    #[arg(value_name = "FILE.c|TASK.yml")]
    pub file: PathBuf,
    /// The configuration: a built-in name, or the path of a TOML file [default: default]
    #[arg(short, long, value_name = "CONFIG")]
    pub config: Option<String>,
    /// The property [default: the task's, else that no assert fails and reach_error is never called]
    #[arg(short, long, value_name = "PROP.prp")]
    pub property: Option<PathBuf>,
    /// Sizes of long and of pointers [default: the task's, else ILP32 as in SV-COMP]
    #[arg(long, value_enum, value_name = "ILP32|LP64", ignore_case = true, hide_possible_values = true)]
    pub data_model: Option<DataModelName>,
    /// Time for everything, as 500ms, 60s, 2m or 1h; a bare number means seconds
    #[arg(long, value_name = "TIME", value_parser = parse_duration_or_seconds)]
    pub limit: Option<Duration>,
    /// Memory for everything, as 8G or 500M, in powers of 1024
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory: Option<u64>,
    /// Items for analyses to track from the start: the precision.json of an earlier run on the program, or on one like
    /// it
    #[arg(long, value_name = "FILE.json")]
    pub precision: Option<PathBuf>,
    /// Write result.json, gia.json (what is verified and what is open), precision.json where analyses found one, a witness
    /// (witness.yml, witness.graphml) where there is a verdict, and a test suite where there are tests, to this directory,
    /// which is made where it is missing
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Write one HTML page about the run: the counterexample step by step or the invariants, graphs, who worked when
    /// [default file: report.html in the output directory, else FILE.report.html here]
    #[arg(long, value_name = "FILE.html", num_args = 0..=1, require_equals = true, default_missing_value = page::UNNAMED)]
    pub report: Option<PathBuf>,
    /// Print one JSON document instead of one line
    #[arg(long)]
    pub json: bool,
}

/// Time for minimising, writing and executing tests after the search, and for making reports.
const LONGEST_RESERVE: Duration = Duration::from_secs(5);

/// The file in an output directory that says what analyses track.
const PRECISION: &str = "precision.json";
/// The file that says which paths are verified, which reach the error, and which are open.
const GIA: &str = "gia.json";
/// The file with the verdict.
pub const RESULT: &str = "result.json";

/// The folder with the tests.
const SUITE: &str = "test-suite";
/// The files that a run may write to its output directory.
const WRITTEN: [&str; 5] = [RESULT, GIA, PRECISION, YAML, GRAPHML];

/// The folder of the test suite in an output directory.
pub fn suite_folder(output: &Path) -> PathBuf {
    output.join(SUITE)
}

/// A run that is under way, with everything that may end it.
pub struct TaskRun<'c> {
    pub context: &'c Context,
    pub arguments: &'c RunArgs,
    pub purpose: Purpose,
    pub output: Option<PathBuf>,
    output_is_new: bool,
    /// Where SARIF is wanted.
    pub sarif: Option<PathBuf>,
    pub reporter: Arc<Reporter>,
    pub stop: Stop,
    /// Tests that actors found while they ran.
    pub found: Arc<Mutex<TestSuite>>,
    /// Where a report is wanted.
    pub recorder: Option<Arc<Recorder>>,
    /// The files to save if a limit ends the process; locked while the same is done in time.
    pub rescue: Arc<Mutex<Option<Rescue>>>,
}

pub type Rescue = Box<dyn FnOnce() + Send>;

/// A task and all that runs on it.
pub struct Prepared {
    pub task: SharedTask,
    /// No property is given, and the program has nothing to check by convention.
    nothing_to_check: bool,
    /// The program, as it was given.
    pub file: PathBuf,
    precision: Option<Precision>,
    config: Arc<Config>,
    pub registry: Arc<Registry>,
}

/// The results of a run.
pub struct Finished {
    pub task: SharedTask,
    pub outcome: Outcome,
    executions: Arc<Executions>,
    /// What may be told of loops, see [`crate::validate::proven`]. Empty until it is asked for.
    pub invariants: Invariants,
}

impl Finished {
    fn of(task: SharedTask, outcome: Outcome, executions: Arc<Executions>) -> Self {
        Finished { task, outcome, executions, invariants: Invariants::new() }
    }

    /// The run that reached the error. Actors have made it already, but for those in processes of their own.
    pub fn run_to_error(&self) -> Result<Confirmed, Diagnostic> {
        let tests = self.outcome.tests.clone().unwrap_or_default();
        match self.executions.reached(self.task.task(), &tests) {
            Some(known) => Ok(known),
            None => conversion::confirmed(self.task.task(), &tests),
        }
    }
}

impl<'c> TaskRun<'c> {
    pub fn new(context: &'c Context, arguments: &'c RunArgs, purpose: Purpose, output: Option<PathBuf>) -> Self {
        let reserve = match (purpose, arguments.limit) {
            (purpose, Some(limit)) if purpose == Purpose::Tests || arguments.report.is_some() => {
                (limit / 8).min(LONGEST_RESERVE)
            }
            _ => Duration::ZERO,
        };
        let limits = Limits { time: arguments.limit, memory: arguments.memory, reserve };
        let reporter = Reporter::new(context.console.clone(), arguments.json, output.clone(), context.started, limits);
        let (reporter, stop) = (Arc::new(reporter), Stop::new());
        let (found, rescue) = (Arc::default(), Arc::default());
        let output_is_new = output.as_ref().is_some_and(|directory| !directory.exists());
        let recorder = arguments.report.is_some().then(Arc::default);
        let sarif = None;
        TaskRun { context, arguments, purpose, output, output_is_new, sarif, reporter, stop, found, recorder, rescue }
    }

    /// Does the work and reports once: `work` returns the verdict, and the watchdog ends the process when a limit is hit.
    pub fn report(&self, work: impl FnOnce() -> Result<Verdict, Failure>) -> Result<Exit, Failure> {
        let ended = self
            .check_outputs()
            .and_then(|()| self.prepare_output())
            .and_then(|()| self.watch())
            .map_err(Failure::from)
            .and_then(|()| work());
        match ended {
            Ok(verdict) => {
                let verdict = self.unless_interrupted(verdict);
                self.reporter.finish(&verdict).unwrap_or_else(wait_for_the_end).map_err(Failure::from)
            }
            Err(failure) => {
                if !self.reporter.give_up(&failure.0) {
                    wait_for_the_end::<()>();
                }
                // Removes a directory that was made and not used; a directory with files stays.
                let _ = self.output.as_ref().filter(|_| self.output_is_new).map(fs::remove_dir);
                Err(failure)
            }
        }
    }

    /// The user knows why an interrupted run has no answer, so the actors' reasons are left out.
    fn unless_interrupted(&self, verdict: Verdict) -> Verdict {
        match (&verdict, self.stop.reason()) {
            (Verdict::Unknown { .. }, Some(StopReason::Cancelled)) => Verdict::unknown(Exceeded::Interrupt.reason()),
            _ => verdict,
        }
    }

    /// Refuses outputs before anything is done: inputs, one file twice, and links out of the output directory.
    fn check_outputs(&self) -> Result<(), Diagnostic> {
        let named: Vec<PathBuf> = page::path(self).into_iter().chain(self.sarif.clone()).collect();
        let in_directory = self.output.iter().flat_map(|directory| WRITTEN.map(|name| directory.join(name)));
        let outputs: Vec<PathBuf> = named.iter().cloned().chain(in_directory).collect();
        self.keep(self.inputs())?;
        outputs::distinct(&outputs.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
        if let Some(directory) = &self.output {
            outputs::inside(directory, &[&WRITTEN[..], &[SUITE, page::USUAL_NAME]].concat())?;
        }
        Ok(())
    }

    /// Refuses to write to, or to remove, what is read.
    fn keep(&self, inputs: Vec<PathBuf>) -> Result<(), Diagnostic> {
        let mut outputs: Vec<PathBuf> = page::path(self).into_iter().chain(self.sarif.clone()).collect();
        if let Some(directory) = &self.output {
            outputs.extend(WRITTEN.map(|name| directory.join(name)));
            outputs.extend(test_suite::written_files(&suite_folder(directory)));
        }
        outputs::apart(
            &outputs.iter().map(PathBuf::as_path).collect::<Vec<_>>(),
            &inputs.iter().map(PathBuf::as_path).collect::<Vec<_>>(),
        )
    }

    /// All files that are read, except for those that the program includes.
    fn inputs(&self) -> Vec<PathBuf> {
        let arguments = self.arguments;
        let config = arguments.config.as_ref().map(PathBuf::from);
        let given = [Some(arguments.file.clone()), arguments.property.clone(), arguments.precision.clone(), config];
        let mut inputs: Vec<PathBuf> = given.into_iter().flatten().collect();
        // Mistakes in a task definition are reported when it is read for its question.
        if question::is_task(&arguments.file)
            && let Ok(task) = task_definition::read(&arguments.file)
        {
            inputs.extend(task.input_files);
            inputs.extend(task.properties.into_iter().map(|property| property.file));
        }
        // The same for a configuration.
        if let Some(document) = arguments.config.as_ref().and_then(|wanted| compose::locate(wanted).ok())
            && let Ok(document) = compose::open(document)
        {
            inputs.extend(document.sources.names().map(PathBuf::from));
        }
        inputs
    }

    /// Reports before the work which files cannot be written.
    fn prepare_output(&self) -> Result<(), Diagnostic> {
        self.make_directory()?;
        page::path(self).iter().chain(&self.sarif).try_for_each(|path| outputs::writable(path))
    }

    fn make_directory(&self) -> Result<(), Diagnostic> {
        let Some(directory) = &self.output else { return Ok(()) };
        fs::create_dir_all(directory).map_err(|error| {
            Diagnostic::new(format!("the output directory cannot be made: {error}"))
                .in_file(directory.display().to_string())
                .help("name another directory with -o")
        })?;
        outputs::writable(&directory.join(RESULT))
    }

    /// Removes the files that an earlier run wrote. Done when all inputs were read, since these may be among them.
    fn remove_old_outputs(&self, program: &Program) -> Result<(), Diagnostic> {
        let Some(directory) = &self.output else { return Ok(()) };
        self.keep(program.files.iter().map(|file| PathBuf::from(&file.name)).collect())?;
        for name in [PRECISION, GIA, YAML, GRAPHML] {
            // If a file is not there, nothing is to be done; if it cannot be removed, it cannot be written either.
            let _ = fs::remove_file(directory.join(name));
        }
        test_suite::clear(&suite_folder(directory))
    }

    /// When a limit is hit, the watchdog reports and ends the process.
    fn watch(&self) -> Result<(), Diagnostic> {
        let (reporter, stop, rescue) = (self.reporter.clone(), self.stop.clone(), self.rescue.clone());
        let (limits, started) = (reporter.limits, reporter.started);
        let cancel = move |exceeded: Exceeded| stop.stop(exceeded.stop_reason());
        watchdog::watch(limits, started, cancel, move |exceeded| {
            // Kept locked to the end, so that no thread begins to write a file that the end of the process would cut
            // off.
            let mut rescue = rescue.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(save) = rescue.take() {
                save();
            }
            if let Some(reported) = reporter.finish(&Verdict::unknown(exceeded.reason())) {
                let exit = reported.unwrap_or_else(|problem| {
                    reporter.console.error(&problem);
                    Exit::BadInput
                });
                process::end_all();
                process::leave(i32::from(exit as u8));
            }
        })
    }

    /// The configuration that runs if none is named.
    fn default_config(&self) -> &'static str {
        if self.purpose == Purpose::Tests { DEFAULT_TEST } else { DEFAULT }
    }

    /// Reads the task and the configuration.
    pub fn prepare(&self) -> Result<Prepared, Failure> {
        let (console, reporter, arguments) = (&self.context.console, &self.reporter, self.arguments);
        reporter.update(|report| report.program = arguments.file.display().to_string());
        let property = arguments.property.as_deref();
        let question = question::read(&arguments.file, property, arguments.data_model, self.purpose)?;
        let data_model = question.data_model_or_usual();
        let file = question.program;
        reporter.update(|report| {
            report.program = file.display().to_string();
            report.data_model = Some(data_model.name().to_string());
        });
        let precision = arguments.precision.as_deref().map(precision::read).transpose()?;
        console.stage("loading plugins");
        let registry = plugins::find(self.context);
        let config = match &arguments.config {
            Some(wanted) => compose::locate(wanted)?,
            None => compose::default_config(self.default_config())?,
        };
        let config = configs::load(config, &registry)?;
        reporter.update(|report| report.configuration = Some(config.name.clone()));
        let named = arguments.config.as_deref().unwrap_or(self.default_config());
        console.detail(&format!("configuration {named}: {}", config.about));

        console.stage(format!("reading {}", file.display()));
        let program = frontend::load(&file, data_model)?;
        self.remove_old_outputs(&program)?;
        console.detail(&format!("program: {}, {}", summary(&program), data_model.name()));
        if let Some(missing) = question.property.as_ref().and_then(|named| question::missing_functions(named, &program))
        {
            console.note(&missing);
        }
        let chosen = question.property.or_else(|| self.usual_property(&program));
        let nothing_to_check = chosen.is_none();
        let property = chosen.unwrap_or_else(question::trivial_property);
        if !nothing_to_check {
            let property_text = property::write(&property, "main").trim().to_string();
            console.detail(&format!("property: {property_text}"));
            reporter.update(|report| report.property = Some(property_text));
        }

        let precision = precision.map(|precision| self.of_this_program(&precision, &program));
        let task = SharedTask::new(&SharedProgram::new(Arc::new(program)), property);
        Ok(Prepared { task, file, nothing_to_check, precision, config: Arc::new(config), registry: Arc::new(registry) })
    }

    /// The part of a given precision that this program can use.
    fn of_this_program(&self, given: &Precision, program: &Program) -> Precision {
        let (known, others) = meant_for(given, program);
        if others > 0 {
            let all = given.len();
            let text =
                format!("{others} of {all} items of the precision are ignored: the program does not have their names");
            self.context.console.warning(&text);
        }
        known
    }

    /// Runs the configuration on the task.
    pub fn run(&self, prepared: Prepared) -> Finished {
        let console = &self.context.console;
        let Prepared { task, nothing_to_check, precision, config, registry, .. } = prepared;
        let executions = Executions::of(task.program());
        if nothing_to_check {
            return Finished::of(task, Outcome::unknown(question::NOTHING_TO_CHECK), executions);
        }
        console.stage(if self.purpose == Purpose::Tests { "generating tests" } else { "verifying" });
        let surroundings = Surroundings {
            registry,
            events: Arc::new(Listener { console: console.clone(), found: self.found.clone() }),
            stop: self.stop.clone(),
            deadline: self.reporter.limits.deadline(self.context.started),
            memory: self.arguments.memory,
            executions: executions.clone(),
            inputs: Inputs { precision, ..Inputs::default() },
            recorder: self.recorder.clone(),
        };
        let outcome = compose::run(&config, &task, surroundings);
        console.stage_done();
        self.note(&outcome);
        if let (Some(directory), Some(found)) = (&self.output, &outcome.precision) {
            self.extra(precision::write(&directory.join(PRECISION), found));
        }
        if let (Some(directory), Some(gia)) = (&self.output, &outcome.gia) {
            let content = Content { soundness: outcome.soundness.clone(), ..Content::of(gia.clone()) };
            let text = gia_text(&content, task.program());
            self.extra(text.and_then(|text| write_text(&directory.join(GIA), &text)));
        }
        Finished::of(task, outcome, executions)
    }

    /// A file beside the verdict may fail without a change of the verdict.
    pub fn extra(&self, written: Result<(), Diagnostic>) {
        if let Err(problem) = written {
            self.reporter.failed(problem);
        }
    }

    fn note(&self, outcome: &Outcome) {
        if let Some(actor) = &outcome.answered_by {
            self.context.console.detail(&format!("answered by: {actor}"));
        }
        for (name, value) in &outcome.statistics {
            self.context.console.detail(&format!("{name}: {value}"));
        }
        self.reporter.update(|report| {
            report.rests_on(&outcome.soundness);
            report.answered_by = outcome.answered_by.clone();
            let statistic = |(name, value): &(String, String)| Statistic { name: name.clone(), value: value.clone() };
            report.statistics = outcome.statistics.iter().map(statistic).collect();
        });
    }

    /// The property if none is given; `None` if the program has nothing to check.
    fn usual_property(&self, program: &Program) -> Option<Property> {
        let (property, why) = question::default_property(program, self.purpose)?;
        self.context.console.note(&why);
        Some(property)
    }
}

/// Another thread is about to end the process.
fn wait_for_the_end<T>() -> T {
    loop {
        std::thread::park();
    }
}

fn summary(program: &Program) -> String {
    let defined = program.functions.iter().filter(|function| function.body.is_some()).count();
    format!("{defined} functions, {} locations, {} edges", program.locations.len(), program.edges.len())
}

/// Shows messages of actors while they run, and keeps the tests that they find.
pub struct Listener {
    console: Console,
    found: Arc<Mutex<TestSuite>>,
}

impl Listener {
    /// For a run whose tests are not wanted.
    pub fn new(console: &Console) -> Self {
        Listener { console: console.clone(), found: Arc::default() }
    }
}

impl Events for Listener {
    fn log(&self, actor: &str, level: LogLevel, message: &str) {
        self.console.log(level, &format!("{actor}: {message}"));
    }

    fn progress(&self, actor: &str, progress: &Progress) {
        let total = progress.total.map_or(String::new(), |total| format!(" of {total}"));
        let Progress { phase, done, unit, .. } = progress;
        self.console.progress_detail(&format!("{actor}: {phase}, {done}{total} {unit}"));
    }

    fn published(&self, _actor: &str, artifact: &Artifact) {
        if let Artifact::Tests(tests) = artifact {
            self.found.lock().unwrap_or_else(PoisonError::into_inner).merge(tests.clone());
        }
    }
}
