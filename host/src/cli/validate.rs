//! `tandem validate`: checks the claims of a witness, of whatever tool.

use super::console::Console;
use super::exit::{Exit, Failure};
use super::question::{self, DataModelName, Purpose};
use super::report::errors_as_json;
use super::task_run::Listener;
use super::watchdog::{self, Limits};
use super::{Context, configs, plugins};
use crate::artifact::property;
use crate::artifact::witness::Metadata;
use crate::compose;
use crate::compose::Stop;
use crate::compose::units::{parse_duration_or_seconds, parse_size};
use crate::conversion;
use crate::diagnostic::Diagnostic;
use crate::frontend;
use crate::process;
use crate::validate::{self, Answer, Document, Prover};
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tandem_plugin_api::program::{DataModel, Program};
use tandem_plugin_api::task::{Property, Task};

/// The configuration that decides about programs with checks.
pub const CONFIG: &str = "validate";

#[derive(Args)]
#[command(after_help = "\
A correctness witness is confirmed by a proof of its invariants and, with their help, of the property; it is refuted only by an
execution that violates an invariant. A violation witness is confirmed by an execution that follows it and reaches the error; it is
refuted by a proof that there is no such execution.

Prints one line: Witness: confirmed | refuted (reason) | unknown (reason)
Exit status: 0 confirmed, 10 refuted, 20 unknown, 2 bad usage or input (such as a witness of another program).

Example:
  tandem verify -o out program.c; tandem validate -w out/witness.yml program.c")]
pub struct ValidateArgs {
    /// A C program, or an SV-COMP task definition
    #[arg(value_name = "FILE.c|TASK.yml")]
    file: PathBuf,
    /// The witness: YAML 2.0 or 2.1, or GraphML 1.0
    #[arg(short, long, value_name = "WITNESS")]
    witness: PathBuf,
    /// The property [default: the task's, else the witness's]
    #[arg(short, long, value_name = "PROP.prp")]
    property: Option<PathBuf>,
    /// Sizes of long and of pointers [default: the task's, else the witness's, else ILP32]
    #[arg(long, value_enum, value_name = "ILP32|LP64", ignore_case = true, hide_possible_values = true)]
    data_model: Option<DataModelName>,
    /// The configuration that verifies the program with the witness's claims as checks
    #[arg(short, long, value_name = "CONFIG", default_value = CONFIG)]
    config: String,
    /// Time for everything, as 500ms, 60s, 2m or 1h; a bare number means seconds
    #[arg(long, value_name = "TIME", value_parser = parse_duration_or_seconds)]
    limit: Option<Duration>,
    /// Memory for everything, as 8G or 500M, in powers of 1024
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory: Option<u64>,
    /// Take the witness even where its hash says that it is about another program
    #[arg(long)]
    ignore_hash: bool,
    /// Print one JSON document instead of one line
    #[arg(long)]
    json: bool,
}

pub fn run(context: &Context, arguments: &ValidateArgs) -> Result<Exit, Failure> {
    let ending = Arc::new(Ending::new(context, arguments));
    let stop = Stop::new();
    let limits = Limits { time: arguments.limit, memory: arguments.memory, reserve: Duration::ZERO };
    let (cancelled, expiring) = (stop.clone(), Arc::clone(&ending));
    watchdog::watch(
        limits,
        context.started,
        move |exceeded| cancelled.stop(exceeded.stop_reason()),
        move |exceeded| {
            if let Some(Ok(exit)) = expiring.say(&Answer::Unknown(exceeded.reason().into())) {
                process::end_all();
                process::leave(i32::from(exit as u8));
            }
        },
    )?;
    let answer = answer(context, arguments, stop, limits).inspect_err(|failure| ending.give_up(&failure.0))?;
    context.console.stage_done();
    match ending.say(&answer) {
        Some(exit) => Ok(exit?),
        // The watchdog is about to end the process.
        None => loop {
            std::thread::park();
        },
    }
}

fn answer(context: &Context, arguments: &ValidateArgs, stop: Stop, limits: Limits) -> Result<Answer, Failure> {
    let (task, document, file) = prepare(context, arguments)?;
    let reading = validate::read(&document, &task, &file)?;
    context.console.stage("loading plugins");
    let registry = plugins::find(context);
    let config = configs::load(compose::locate(&arguments.config)?, &registry)?;
    let prover = Prover {
        config: Arc::new(config),
        registry: Arc::new(registry),
        events: Arc::new(Listener::new(&context.console)),
        stop,
        deadline: limits.deadline(context.started),
        memory: arguments.memory,
    };
    context.console.stage("validating");
    Ok(validate::validate(&task, &reading, &prover))
}

/// Reads the witness, and the program with their common question.
fn prepare(context: &Context, arguments: &ValidateArgs) -> Result<(Task, Document, String), Failure> {
    let file = arguments.witness.display().to_string();
    context.console.stage(format!("reading {file}"));
    let document = Document::parse(&conversion::text(&arguments.witness)?, &file)?;
    let metadata = document.metadata();
    let question =
        question::read(&arguments.file, arguments.property.as_deref(), arguments.data_model, Purpose::Verdict)?;
    let model = data_model(question.data_model, &metadata, &file)?;
    context.console.stage(format!("reading {}", question.program.display()));
    let program = frontend::load(&question.program, model)?;
    if !arguments.ignore_hash {
        about_this_program(&metadata, &program, &file)?;
    }
    let property = asked(question.property, &metadata, &program, &file)?;
    Ok((Task::new(Arc::new(program), property), document, file))
}

fn data_model(given: Option<DataModel>, metadata: &[&Metadata], file: &str) -> Result<DataModel, Diagnostic> {
    let claimed = metadata.iter().find_map(|metadata| metadata.data_model);
    match (given, claimed) {
        (Some(given), Some(claimed)) if given != claimed => {
            let message = format!("the witness is for the data model {}, not for {}", claimed.name(), given.name());
            Err(Diagnostic::new(message).in_file(file).help("give the data model of the witness, or none"))
        }
        (given, claimed) => Ok(given.or(claimed).unwrap_or(DataModel::Ilp32)),
    }
}

/// Refuses a witness of another program.
pub fn about_this_program(metadata: &[&Metadata], program: &Program, file: &str) -> Result<(), Diagnostic> {
    for metadata in metadata {
        conversion::told_about_program(metadata, program, file)
            .map_err(|problem| problem.help("give the program that it was made for, or --ignore-hash"))?;
    }
    Ok(())
}

/// The property of the question, which must be the witness's.
fn asked(
    given: Option<Property>,
    metadata: &[&Metadata],
    program: &Program,
    file: &str,
) -> Result<Property, Diagnostic> {
    let mut claimed = None;
    for metadata in metadata.iter().filter(|metadata| !metadata.specification.is_empty()) {
        let read = property::parse(&metadata.specification, file)?;
        claimed = claimed.or(Some(read.property));
    }
    match (given, claimed) {
        (Some(given), Some(claimed)) if given != claimed => {
            let text = |property| property::write(property, "main").trim().to_string();
            let message = format!("the witness is for `{}`, not for `{}`", text(&claimed), text(&given));
            Err(Diagnostic::new(message).in_file(file).help("give the property of the witness with -p"))
        }
        (given, claimed) => {
            let usual = || question::default_property(program, Purpose::Verdict).map(|(property, _)| property);
            Ok(given.or(claimed).or_else(usual).unwrap_or_else(question::trivial_property))
        }
    }
}

/// The one answer of the process, by the thread that is first.
struct Ending {
    console: Console,
    json: bool,
    witness: String,
    program: String,
    started: Instant,
    said: AtomicBool,
}

impl Ending {
    fn new(context: &Context, arguments: &ValidateArgs) -> Self {
        let name = |path: &Path| path.display().to_string();
        Ending {
            console: context.console.clone(),
            json: arguments.json,
            witness: name(&arguments.witness),
            program: name(&arguments.file),
            started: context.started,
            said: AtomicBool::new(false),
        }
    }

    /// Reports that there is no answer; the JSON document has the errors.
    fn give_up(&self, errors: &[Diagnostic]) {
        if !self.said.swap(true, Ordering::SeqCst) && self.json {
            // The errors go to standard error, too; a new error here would add nothing.
            let _ = self.console.result(&errors_as_json(errors));
        }
    }

    fn say(&self, answer: &Answer) -> Option<Result<Exit, Diagnostic>> {
        if self.said.swap(true, Ordering::SeqCst) {
            return None;
        }
        let text = if self.json {
            let document = serde_json::json!({
                "tandem": env!("CARGO_PKG_VERSION"),
                "witness": self.witness,
                "program": self.program,
                "answer": answer.name(),
                "reason": answer.reason(),
                "seconds": self.started.elapsed().as_secs_f64(),
            });
            format!("{document:#}\n")
        } else {
            let line = answer.to_string();
            format!("Witness: {}\n", line.split_whitespace().collect::<Vec<_>>().join(" "))
        };
        self.console.stage_done();
        Some(self.console.result(&text).map(|()| exit(answer)))
    }
}

fn exit(answer: &Answer) -> Exit {
    match answer {
        Answer::Confirmed => Exit::Success,
        Answer::Refuted(_) => Exit::False,
        Answer::Unknown(_) => Exit::Unknown,
    }
}
