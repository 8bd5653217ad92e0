//! Frama-C as an actor: its value analysis Eva proves that the error is never called, or finds the values of variables
//! at loop heads. Frama-C does not know conditions, inputs or tandem: it gets a C program with probes in it, and its
//! log is read.

mod log;
mod probes;
mod values;

use log::Log;
use probes::Probes;
use tandem_plugin_api::library::ends_program;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::{Callee, DataModel, ExprId, Function, PrintOptions};

/// Older versions print other logs.
const OLDEST: u32 = 22;
/// What Eva does at calls of these is what they do: they leave memory as it is, or allocate.
const EVA_MODELS: [&str; 8] = ["printf", "puts", "perror", "malloc", "calloc", "realloc", "free", "alloca"];
/// Calls of a function inside of itself that are followed; deeper ones are an error to Eva.
const RECURSION: &str = "200";
const INSTALL: &str = "install it with `apt-get install frama-c-base`";

struct FramaC {
    precision: i64,
    probes: Option<Probes>,
}

impl Plugin for FramaC {
    type Kind = kind::Adapter;

    fn descriptor() -> Descriptor {
        let version = env!("CARGO_PKG_VERSION");
        Descriptor::of::<Self>("frama-c", version, "Frama-C's value analysis Eva: proofs and loop invariants.")
            .details(
                "Runs Frama-C (22 or newer; `apt-get install frama-c-base`) on the program. TRUE is claimed where Eva is through, never \
                 comes to the error, and raises no alarm, since after an alarm it goes on as if nothing had happened. An alarm is never a \
                 violation. The ranges of integers at loop heads become loop invariants for others, who check them.",
            )
            .gives(&[ArtifactKind::Invariants])
            .option(
                "precision",
                "Eva's -eva-precision, from 0 (fast) to 11",
                OptionType::Integer { min: 0, max: 11 },
                OptionValue::Integer(7),
            )
    }

    fn new(setup: &Setup) -> Result<Self> {
        Ok(FramaC { precision: setup.options.integer("precision")?, probes: None })
    }
}

impl Adapter for FramaC {
    fn prepare(&mut self, task: &Task, _: &Inputs, _: &Host) -> Result<Invocation> {
        let (program, probes) = Probes::insert(&task.program, &task.targets);
        self.probes = Some(probes);
        let machine = match program.types.model {
            DataModel::Ilp32 => "gcc_x86_32",
            DataModel::Lp64 => "gcc_x86_64",
        };
        let text = program.to_c(&PrintOptions { only_used: true, ..PrintOptions::default() });
        let mut invocation = Invocation::new("frama-c").before("frama-c", &["-version"]);
        // Signed overflow wraps, and shifts and special floats behave as in gcc's builds: without these options, Eva
        // would cut such runs off.
        for argument in [
            "-machdep",
            machine,
            // Programs may have functions that are macros in the library.
            "-kernel-warn-key",
            "CERT:MSC:38=inactive",
            "-no-warn-signed-overflow",
            "-no-warn-left-shift-negative",
            "-no-warn-right-shift-negative",
            "-warn-special-float",
            "none",
            "-eva",
            "-eva-precision",
            &self.precision.to_string(),
            "-eva-unroll-recursive-calls",
            RECURSION,
            "-eva-no-print",
            "-eva-msg-key=-initial-state,-final-states",
            "program.c",
        ] {
            invocation = invocation.argument(argument);
        }
        Ok(invocation.file("program.c", probes::PRELUDE.to_string() + &text))
    }

    fn interpret(&mut self, task: &Task, run: &ToolRun, _: &Host) -> Result<Outcome> {
        if let ToolExit::NotStarted(_) = run.exit {
            return Err(PluginError::unavailable(format!("Frama-C is not there: {INSTALL}")));
        }
        let version = version(run)?;
        let log = Log::read(&String::from_utf8_lossy(&run.standard_output));
        let objection =
            log.objection().or_else(|| pointers_to_nowhere(&task.program)).or_else(|| compared_literals(&task.program));
        let mut outcome = match (&run.exit, objection) {
            (ToolExit::Code(0), None) => Outcome::new(Verdict::True),
            (ToolExit::Code(0), Some(why)) => Outcome::unknown(format!("Frama-C {version}: {why}")),
            (ToolExit::OutOfTime | ToolExit::Cancelled, _) => {
                Outcome::unknown(format!("Frama-C {version} ran out of time"))
            }
            (ToolExit::OutOfMemory, _) => Outcome::unknown(format!("Frama-C {version} ran out of memory")),
            (exit, _) => {
                let why = log.error.as_deref().unwrap_or("it gives no reason");
                Outcome::unknown(format!("Frama-C {version} failed ({}): {why}", told(exit)))
            }
        };
        // If Eva did not come to an end, its output does not cover all that can happen.
        if log.complete
            && let Some(probes) = &self.probes
        {
            outcome.invariants = Some(probes.invariants(&task.program, &log.values));
        }
        Ok(outcome)
    }
}

/// A function without a body that gets pointers. Eva assumes that it writes at most the first object behind each
/// pointer. If Eva knows the function by its name, it cuts off, without an alarm, the runs that break the contract in
/// the library's headers.
fn pointers_to_nowhere(program: &Program) -> Option<String> {
    let reached = program.reachable_locations();
    let is_pointer = |&argument: &ExprId| program.types.is_pointer(program.exprs.ty(argument));
    let is_unknown = |function: &&Function| {
        let name = function.name.as_str();
        function.body.is_none() && !name.starts_with("__VERIFIER_") && name != "reach_error" && !is_understood(name)
    };
    let guessed = program.call_sites.iter().find_map(|site| {
        let is_called = reached[program.edge(site.call).from.index()] && site.arguments.iter().any(is_pointer);
        match site.callee {
            _ if !is_called => None,
            Callee::Function(callee) => Some(program.function(callee)).filter(is_unknown),
            Callee::Pointer(_) => program.functions.iter().filter(|function| function.address_taken).find(is_unknown),
        }
    })?;
    Some(format!("Eva can only guess what `{}`, which has no body, does with its pointers", guessed.name))
}

/// Functions of the library that never come back, or that Eva models as exactly as we do.
fn is_understood(name: &str) -> bool {
    EVA_MODELS.contains(&name.strip_prefix("__builtin_").unwrap_or(name)) || ends_program(name)
}

fn compared_literals(program: &Program) -> Option<String> {
    program
        .may_compare_literals()
        .then(|| "it got each string literal as an array of its own, and the program compares addresses".to_string())
}

fn told(exit: &ToolExit) -> String {
    match exit {
        ToolExit::Code(code) => format!("exit status {code}"),
        ToolExit::Signal(signal) => format!("signal {signal}"),
        ToolExit::NotStarted(why) => why.clone(),
        ToolExit::OutOfTime | ToolExit::OutOfMemory | ToolExit::Cancelled => "stopped".to_string(),
    }
}

/// Reads the version that it printed; refuses one that is too old.
fn version(run: &ToolRun) -> Result<String> {
    let text = run.before.first().map(|output| String::from_utf8_lossy(output).trim().to_string()).unwrap_or_default();
    let major = text.split(|c: char| !c.is_ascii_digit()).next().and_then(|number| number.parse::<u32>().ok());
    match major {
        Some(major) if major >= OLDEST => Ok(text),
        Some(_) => {
            Err(PluginError::unavailable(format!("Frama-C {text} is too old: {OLDEST} or newer is needed; {INSTALL}")))
        }
        None => {
            Err(PluginError::unavailable(format!("`frama-c -version` prints no version: is it Frama-C? {INSTALL}")))
        }
    }
}

tandem_plugin_api::export_plugin!(FramaC);

#[cfg(test)]
mod tests;
