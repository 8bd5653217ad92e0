//! `tandem verify`: reads the task, runs the configuration on it under limits, and reports the verdict.

use super::exit::{Exit, Failure};
use super::question::{self, DataModelName, Question};
use super::report::{Reporter, Statistic};
use super::watchdog::{self, Limits};
use super::{Context, configs, plugins};
use crate::artifact::property;
use crate::compose::library::DEFAULT;
use crate::compose::units::{parse_duration_or_seconds, parse_size};
use crate::compose::{self, Events, Surroundings};
use crate::diagnostic::Diagnostic;
use crate::frontend;
use clap::Args;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tandem_plugin_api::abi::{SharedProgram, SharedTask};
use tandem_plugin_api::artifact::{Outcome, Verdict};
use tandem_plugin_api::program::Program;
use tandem_plugin_api::service::{LogLevel, Progress, StopReason, StopSignal};
use tandem_plugin_api::task::Property;

#[derive(Args)]
pub struct VerifyArgs {
    /// A C program, preprocessed or not, or an SV-COMP task definition
    #[arg(value_name = "FILE.c|TASK.yml")]
    file: PathBuf,
    /// What runs: a built-in configuration, or the path of a TOML file [default: default]
    #[arg(short, long, value_name = "CONFIG")]
    config: Option<String>,
    /// The property [default: the task's, else that reach_error or __VERIFIER_error is never called]
    #[arg(short, long, value_name = "PROP.prp")]
    property: Option<PathBuf>,
    /// Sizes of long and of pointers [default: the task's, else ILP32 as in SV-COMP]
    #[arg(long, value_enum, value_name = "ILP32|LP64", ignore_case = true, hide_possible_values = true)]
    data_model: Option<DataModelName>,
    /// Time for everything, as 500ms, 60s, 2m or 1h; a bare number means seconds
    #[arg(long, value_name = "TIME", value_parser = parse_duration_or_seconds)]
    limit: Option<Duration>,
    /// Memory for everything, as 8G or 500M, in powers of 1024
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory: Option<u64>,
    /// Write result.json to this directory, which is made where it is missing
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Let no convention pass: what functions without a body and inline assembly do makes the verdict UNKNOWN
    #[arg(long)]
    strict: bool,
    /// Print one JSON document instead of the verdict line
    #[arg(long)]
    json: bool,
}

pub fn run(context: &Context, arguments: VerifyArgs) -> Result<Exit, Failure> {
    let limits = Limits { time: arguments.limit, memory: arguments.memory };
    let output = arguments.output.clone();
    let reporter = Arc::new(Reporter::new(context.console.clone(), arguments.json, output, context.started, limits));
    let stop = StopSignal::new();
    let ended = prepare_output(arguments.output.as_deref())
        .and_then(|()| watch(&reporter, &stop))
        .map_err(Failure::from)
        .and_then(|()| verify(context, &arguments, &reporter, &stop));
    match ended {
        Ok(outcome) => {
            let verdict = outcome.reported_verdict(arguments.strict);
            reporter.finish(&verdict).unwrap_or_else(wait_for_the_end).map_err(Failure::from)
        }
        Err(failure) => {
            if !reporter.give_up(&failure.0) {
                wait_for_the_end::<()>();
            }
            Err(failure)
        }
    }
}

fn prepare_output(directory: Option<&Path>) -> Result<(), Diagnostic> {
    let Some(directory) = directory else { return Ok(()) };
    fs::create_dir_all(directory).map_err(|error| {
        Diagnostic::new(format!("the output directory cannot be made: {error}"))
            .in_file(directory.display().to_string())
            .help("name another directory with -o")
    })
}

/// When a limit is hit, the watchdog reports and ends the process.
fn watch(reporter: &Arc<Reporter>, stop: &StopSignal) -> Result<(), Diagnostic> {
    let (reporter, stop) = (reporter.clone(), stop.clone());
    let (limits, started) = (reporter.limits, reporter.started);
    let cancel = move || stop.stop(StopReason::OutOfTime);
    watchdog::watch(limits, started, cancel, move |exceeded| {
        if let Some(reported) = reporter.finish(&Verdict::unknown(exceeded.reason())) {
            let exit = reported.unwrap_or_else(|problem| {
                reporter.console.error(&problem);
                Exit::BadInput
            });
            std::process::exit(i32::from(exit as u8));
        }
    })
}

/// Another thread is about to end the process.
fn wait_for_the_end<T>() -> T {
    loop {
        std::thread::park();
    }
}

fn verify(
    context: &Context,
    arguments: &VerifyArgs,
    reporter: &Reporter,
    stop: &StopSignal,
) -> Result<Outcome, Failure> {
    let console = &context.console;
    reporter.update(|report| report.program = arguments.file.display().to_string());
    let Question { program: file, property, data_model } =
        question::read(&arguments.file, arguments.property.as_deref(), arguments.data_model)?;
    reporter.update(|report| {
        report.program = file.display().to_string();
        report.data_model = Some(data_model.name().to_string());
    });
    console.stage("loading plugins");
    let registry = plugins::find(context);
    let config = match &arguments.config {
        Some(wanted) => compose::locate(wanted)?,
        None => compose::default_config()?,
    };
    let config = configs::load(config, &registry)?;
    reporter.update(|report| report.configuration = Some(config.name.clone()));
    let named = arguments.config.as_deref().unwrap_or(DEFAULT);
    console.detail(&format!("configuration {named}: {}", config.about));

    console.stage(format!("reading {}", file.display()));
    let program = frontend::load(&file, data_model)?;
    console.detail(&format!("program: {}, {}", summary(&program), data_model.name()));
    let property = choose_property(context, property, &program);
    let property_text = property::write(&property, "main").trim().to_string();
    console.detail(&format!("property: {property_text}"));
    reporter.update(|report| report.property = Some(property_text));

    console.stage("verifying");
    let task = SharedTask::new(&SharedProgram::new(Arc::new(program)), property);
    let surroundings = Surroundings {
        registry: &registry,
        events: Arc::new(Listener { console: console.clone() }),
        stop: stop.clone(),
        deadline: arguments.limit.and_then(|limit| context.started.checked_add(limit)),
        memory: arguments.memory,
    };
    let outcome = compose::run(&config, &task, &surroundings);
    console.stage_done();
    for (name, value) in &outcome.statistics {
        console.detail(&format!("{name}: {value}"));
    }
    reporter.update(|report| {
        report.rests_on(&outcome.soundness);
        let statistic = |(name, value): &(String, String)| Statistic { name: name.clone(), value: value.clone() };
        report.statistics = outcome.statistics.iter().map(statistic).collect();
    });
    Ok(outcome)
}

fn choose_property(context: &Context, given: Option<Property>, program: &Program) -> Property {
    given.unwrap_or_else(|| {
        let (property, why) = question::default_property(program);
        context.console.note(&why);
        property
    })
}

fn summary(program: &Program) -> String {
    let defined = program.functions.iter().filter(|function| function.body.is_some()).count();
    format!("{defined} functions, {} locations, {} edges", program.locations.len(), program.edges.len())
}

/// Shows what actors say while they run.
struct Listener {
    console: super::console::Console,
}

impl Events for Listener {
    fn log(&self, actor: &str, level: LogLevel, message: &str) {
        match level {
            LogLevel::Error | LogLevel::Warning => self.console.warning(&format!("{actor}: {message}")),
            LogLevel::Info | LogLevel::Debug => self.console.detail(&format!("{actor}: {message}")),
        }
    }

    fn progress(&self, actor: &str, progress: &Progress) {
        let total = progress.total.map_or(String::new(), |total| format!(" of {total}"));
        let Progress { phase, done, unit, .. } = progress;
        self.console.progress_detail(&format!("{actor}: {phase}, {done}{total} {unit}"));
    }
}
