//! One program by gcc's build and by our execution. Ours runs in a process of its own, so that a crash is a result.

use super::{Built, Observed};
use crate::command::{Ended, run_within};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;
use tandem::exec::{Executable, Runner};
use tandem_plugin_api::program::{DataModel, EdgeId, Op, Program};
use tandem_plugin_api::service::execution::{
    Execution, ExecutionOptions, Exit, RunLimits, WhenInputsEnd, unsupported_operation,
};

/// Time for our execution, reading and compiling included.
const TIME: Duration = Duration::from_secs(30);
const LIMITS: RunLimits = RunLimits { steps: 3_000_000_000, when_inputs_end: WhenInputsEnd::Stop };

/// How our execution compares with gcc's.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Agreement {
    Agree,
    /// The front end or the execution does not support something, and says what.
    Refused(String),
    Differ(String),
    /// Our run met a limit.
    Cut,
    /// A crash of ours.
    Internal(String),
    /// gcc does not build it, or its build does not end well, so that there is no result to compare with.
    NotSelfChecking(String),
}

/// What the process of our own execution prints.
#[derive(Serialize, Deserialize)]
enum Ours {
    /// `assembly`: the run passed inline assembly whose outputs are not known.
    Ended {
        end: String,
        printed: Vec<u8>,
        assembly: Option<String>,
    },
    Refused(String),
    Cut,
}

/// Runs both; `this` is the executable that [`execute_alone`] answers for.
pub fn compare(this: &Path, source: &Path, model: DataModel) -> Result<Agreement, String> {
    let built = match Built::new(source, model) {
        Ok(built) => built,
        Err(why) => return Ok(Agreement::NotSelfChecking(why)),
    };
    let gcc = built.run()?;
    if gcc.end != "exit 0" {
        return Ok(Agreement::NotSelfChecking(format!("gcc's build ends with {}", gcc.end)));
    }
    let mut command = Command::new(this);
    command.args(["--alone", model.name()]).arg(source);
    let ran = run_within(&mut command, TIME)?;
    let ours = match ran.ended {
        Ended::Late => return Ok(Agreement::Cut),
        Ended::Signal(signal) => return Ok(Agreement::Internal(format!("signal {signal}"))),
        Ended::Status(_) => match serde_json::from_slice(&ran.stdout) {
            Ok(ours) => ours,
            Err(_) => {
                let text = String::from_utf8_lossy(&ran.stderr).into_owned();
                return Ok(Agreement::Internal(text.lines().next().unwrap_or("no answer").to_owned()));
            }
        },
    };
    Ok(match ours {
        Ours::Refused(why) => Agreement::Refused(why),
        Ours::Cut => Agreement::Cut,
        Ours::Ended { end, printed, assembly } => {
            let ours = Observed { end, printed };
            match (difference(&gcc, &ours), assembly) {
                (Agreement::Differ(_), Some(assembly)) => Agreement::Refused(assembly),
                // Output that differs between runs of gcc's build, such as addresses, is not compared; the end of the
                // run is.
                (Agreement::Differ(_), None) if built.run()?.printed != gcc.printed => {
                    difference(&Observed { printed: Vec::new(), ..gcc }, &Observed { printed: Vec::new(), ..ours })
                }
                (agreement, _) => agreement,
            }
        }
    })
}

fn difference(gcc: &Observed, ours: &Observed) -> Agreement {
    if gcc.end != ours.end.split(" on line").next().unwrap_or_default() {
        return Agreement::Differ(format!("gcc's build ends with {}, ours with {}", gcc.end, ours.end));
    }
    if gcc.printed == ours.printed {
        return Agreement::Agree;
    }
    let lines = |text: &[u8]| String::from_utf8_lossy(text).lines().map(str::to_owned).collect::<Vec<_>>();
    let (theirs, ours) = (lines(&gcc.printed), lines(&ours.printed));
    let at = theirs.iter().zip(&ours).take_while(|(a, b)| a == b).count();
    let line = |text: &[String]| text.get(at).cloned().unwrap_or_else(|| "nothing".to_owned());
    Agreement::Differ(format!("line {} printed: gcc's build `{}`, ours `{}`", at + 1, line(&theirs), line(&ours)))
}

/// Reads and executes one program, and gives the answer as JSON: the other side of [`compare`].
pub fn execute_alone(source: &Path, model: DataModel) -> Result<String, String> {
    serde_json::to_string(&ours(source, model)).map_err(|error| error.to_string())
}

fn ours(source: &Path, model: DataModel) -> Ours {
    let program = match tandem::frontend::load(source, model) {
        Ok(program) => Arc::new(program),
        Err(diagnostic) => return Ours::Refused(format!("not read: {}", diagnostic.message)),
    };
    let options = ExecutionOptions { coverage: true, ..ExecutionOptions::default() };
    let runner = Executable::compile(Arc::clone(&program), &options).and_then(Runner::new);
    let mut runner = match runner {
        Ok(runner) => runner,
        Err(error) => return Ours::Refused(format!("not executed: {error}")),
    };
    runner.keep_output();
    let exit = runner.run(&[], &LIMITS);
    let printed = runner.output().to_vec();
    let line = exit.edge().map_or(0, |edge| program.edge(edge).span.line);
    let assembly = assembly(&program, runner.coverage());
    let ended = |end: &str| Ours::Ended {
        end: format!("{end} on line {line}"),
        printed: Vec::new(),
        assembly: assembly.clone(),
    };
    match exit {
        Exit::Returned(status) | Exit::Exited(status) => {
            Ours::Ended { end: format!("exit {}", status & 255), printed, assembly }
        }
        Exit::Aborted(_) | Exit::Target(_) => ended("abort"),
        Exit::MemoryFault(_) | Exit::StackOverflow(_) => ended("signal 11"),
        Exit::DivisionError(_) => ended("signal 8"),
        Exit::AssumptionViolated(_) => ended("an assumption"),
        Exit::StepLimit(_) | Exit::OutOfMemory(_) | Exit::Cancelled(_) => Ours::Cut,
        Exit::InputsEnded(edge) => {
            let called = program.called_function(edge).map_or("", |function| &program.function(function).name);
            Ours::Refused(format!("function without a body: {called}"))
        }
        Exit::Unsupported(edge) => Ours::Refused(unsupported_operation(&program, edge)),
    }
}

/// The first inline assembly that a run passed and that gives its outputs unknown values.
fn assembly(program: &Program, counts: &[u8]) -> Option<String> {
    let passed = |edge: &EdgeId| counts.get(edge.index()).is_some_and(|&count| count > 0);
    let edge = program.edge_ids().filter(passed).find(|&edge| matches!(program.edge(edge).op, Op::Havoc { .. }))?;
    Some(format!("inline assembly with outputs, on line {}", program.edge(edge).span.line))
}
