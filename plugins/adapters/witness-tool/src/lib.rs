//! Any tool that takes a C file and a property and gives a verdict. Its command line, its output patterns and its files
//! are options, so that a new tool is a TOML file. A verdict of the tool is a claim; FALSE is reported only for a test
//! that was executed here.

mod command;
mod encode;
mod findings;
mod ktest;
mod patterns;
mod version;

use command::Command;
use encode::{Encoding, Given};
use findings::Findings;
use patterns::{Patterns, Said};
use std::time::Duration;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::DataModel;
use version::Version;

/// If there is no time limit, a tool that needs one gets this many seconds.
const NO_TIME_LIMIT: u64 = 3600;
const NO_MEMORY_LIMIT: u64 = 4096;
const PROPERTY: &str = "property.prp";

struct WitnessTool {
    name: String,
    command: Command,
    before: Vec<Command>,
    environment: Vec<(String, String)>,
    patterns: Patterns,
    witnesses: Vec<String>,
    tests: Option<String>,
    version: Option<Version>,
    install: String,
    encoding: Encoding,
    /// The files that the tool got, once its command line is prepared.
    given: Option<Given>,
}

impl Plugin for WitnessTool {
    type Kind = kind::Adapter;

    fn descriptor() -> Descriptor {
        let version = env!("CARGO_PKG_VERSION");
        let about = "Any tool that takes a C file and a property, and writes witnesses or tests.";
        let text = |descriptor: Descriptor, name: &str, about: &str| {
            descriptor.option(name, about, OptionType::Text, OptionValue::Text(String::new()))
        };
        let list = |descriptor: Descriptor, name: &str, about: &str| {
            descriptor.option(name, about, OptionType::TextList, OptionValue::TextList(Vec::new()))
        };
        let mut it = Descriptor::of::<Self>("witness-tool", version, about)
            .details(
                "The tool gets the program's own text where that needs no preprocessor, else the program printed as C. Commands are never \
                 run by a shell; in them, ${file}, ${property}, ${witness}, ${data_model} (ILP32 or LP64), ${bits} (32 or 64), ${seconds} \
                 and ${memory_mb} stand for these values; files are in the tool's own directory. A pattern is a plain text, or between \
                 slashes a regular expression; the last line of the output that has one of them counts. TRUE is a claim. FALSE is said \
                 where a test, or the inputs that a witness names, are executed here and reach the error. Invariants of witnesses go to \
                 others, who check them; those about printed text are left out. See configs/tools for examples.",
            )
            .gives(&[ArtifactKind::Tests, ArtifactKind::Invariants]);
        it = text(it, "name", "the name of the tool in messages");
        it = list(it, "command", "the tool and its arguments; one text is split at blanks, quotes keep them");
        it = list(it, "before", "commands to run before it, such as a compiler, each a text that is split at blanks");
        it = list(it, "environment", "NAME=value for the tool, beside PATH");
        it = list(it, "true-pattern", "what it prints if the property holds");
        it = list(it, "false-pattern", "what it prints if the property is violated");
        it = list(it, "unknown-pattern", "what it prints if it has no verdict");
        it = list(
            it,
            "witness",
            "files that it writes, in its directory: YAML 2.x or GraphML; the first one is ${witness}",
        );
        it = text(it, "tests", "a directory of tests that it writes: Test-Comp's XML, or KLEE's .ktest");
        it = list(it, "version-command", "prints the tool's version");
        it = text(it, "version-pattern", "the version in that, as the first group; a number with dots if left out");
        it = text(it, "minimum-version", "older versions are refused");
        it = text(it, "install", "how to install it, for the message if it is missing");
        it = text(
            it,
            "inputs",
            "C text that defines an input function for the tool, with ${function} and ${type}; added for each of them",
        );
        let ways = Encoding::NAMES.map(str::to_string).to_vec();
        it.option(
            "encode",
            "the error as the tool gets it: a call as in the property, a failing assertion, or a label ERROR",
            OptionType::Choice(ways),
            OptionValue::Text(Encoding::NAMES[0].into()),
        )
    }

    fn new(setup: &Setup) -> Result<Self> {
        let options = &setup.options;
        let text = |name: &str| Ok::<_, PluginError>(options.text(name)?.trim().to_string());
        let command = Command::parse("command", options.text_list("command")?)?.ok_or_else(|| {
            PluginError::bad_input("the option `command` is missing: say which tool to run, and with which arguments")
        })?;
        let before = options.text_list("before")?.iter();
        let before = before.map(|line| Command::parse("before", std::slice::from_ref(line)));
        let name = match text("name")? {
            name if name.is_empty() => command.program().to_string(),
            name => name,
        };
        Ok(WitnessTool {
            version: Version::of(options, &name)?,
            name,
            command,
            before: before.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect(),
            environment: command::environment(options.text_list("environment")?)?,
            patterns: Patterns::of(options)?,
            witnesses: options.text_list("witness")?.to_vec(),
            tests: Some(text("tests")?).filter(|path| !path.is_empty()),
            install: text("install")?,
            encoding: Encoding::of(options)?,
            given: None,
        })
    }
}

impl Adapter for WitnessTool {
    fn prepare(&mut self, task: &Task, _: &Inputs, host: &Host) -> Result<Invocation> {
        let given = self.encoding.given(task, host)?;
        let fill = |text: &str| self.filled(text, &given, task, host);
        let (program, arguments) = self.command.filled(fill)?;
        let mut invocation = Invocation::new(program);
        invocation.arguments = arguments;
        for command in self.version.iter().map(|version| &version.command).chain(&self.before) {
            let (program, arguments) = command.filled(fill)?;
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            invocation = invocation.before(&program, &arguments);
        }
        invocation.environment = self.environment.clone();
        invocation = invocation.file(given.file.clone(), given.text.clone()).file(PROPERTY, given.property.clone());
        for path in self.witnesses.iter().chain(&self.tests) {
            invocation = invocation.collect(path.clone());
        }
        self.given = Some(given);
        Ok(invocation)
    }

    fn interpret(&mut self, task: &Task, run: &ToolRun, host: &Host) -> Result<Outcome> {
        let name = &self.name;
        self.started(run)?;
        let given = self.given.as_ref().ok_or_else(|| PluginError::new("the tool was not prepared"))?;
        let said = self.patterns.read(&run.standard_output, &run.standard_error);
        let mut findings = Findings::new(task, name, given.read_as.as_deref());
        for file in run.files.iter().filter(|file| !self.is_test(&file.path)) {
            findings.witness(file, host);
        }
        for file in run.files.iter().filter(|file| self.is_test(&file.path)) {
            findings.test(file, host);
        }
        let missing = self.witnesses.is_empty() || findings.read > 0 || findings.problem.is_some();
        if !missing && matches!(said, Said::True(_)) {
            host.warn(&format!(
                "{name} wrote no witness ({}): nothing supports its verdict",
                self.witnesses.join(", ")
            ));
        }
        let mut outcome = match (&run.exit, said) {
            // A tool that found a test need not say FALSE.
            (_, said) if findings.reaches_error(matches!(said, Said::False(_)), host)? => Outcome::new(Verdict::False),
            (ToolExit::Code(_), Said::True(_)) => findings.claimed_true(),
            (_, Said::False(line)) => findings.claimed_false(&line, &self.witnesses),
            (ToolExit::Code(_), Said::Unknown(line)) => Outcome::unknown(format!("{name} does not know: {line}")),
            (ToolExit::Code(_), Said::Both(line)) => {
                Outcome::unknown(format!("{name} printed a line that fits patterns of different verdicts: {line}"))
            }
            (ToolExit::Code(code), Said::Nothing) => {
                let last = last_line(run);
                Outcome::unknown(format!("{name} (exit status {code}) printed no verdict; {last}"))
            }
            (ToolExit::OutOfTime | ToolExit::Cancelled, _) => Outcome::unknown(format!("{name} ran out of time")),
            (ToolExit::OutOfMemory, _) => Outcome::unknown(format!("{name} ran out of memory")),
            (ToolExit::Signal(signal), _) => {
                Outcome::unknown(format!("{name} crashed (signal {signal}); {}", last_line(run)))
            }
            (ToolExit::NotStarted(why), _) => Outcome::unknown(format!("{name} was not started: {why}")),
        };
        findings.add_to(&mut outcome, host);
        Ok(outcome)
    }
}

/// How a command ended, in words.
fn how(exit: &ToolExit) -> String {
    match exit {
        ToolExit::Code(code) => format!("exit status {code}"),
        ToolExit::Signal(signal) => format!("signal {signal}"),
        ToolExit::OutOfTime | ToolExit::Cancelled => "out of time".to_string(),
        ToolExit::OutOfMemory => "out of memory".to_string(),
        ToolExit::NotStarted(why) => why.clone(),
    }
}

impl WitnessTool {
    /// Checks everything that comes before the verdict: the tool is there, is new enough, and its input could be
    /// prepared.
    fn started(&self, run: &ToolRun) -> Result<()> {
        let name = &self.name;
        let help = if self.install.is_empty() { String::new() } else { format!("; install it: {}", self.install) };
        let commands: Vec<&Command> = self.version.iter().map(|version| &version.command).chain(&self.before).collect();
        let failed = commands.get(run.before.len());
        if let ToolExit::NotStarted(why) = &run.exit {
            let program = failed.map_or(self.command.program(), |command| command.program());
            // The status that the system gives for a missing program. For any other status the file is there, even if
            // it is not a program.
            let told = match why.contains("No such file") {
                true => format!("{name} is missing: there is no program `{program}`{help}"),
                false => format!("{name} cannot be used: `{program}`: {why}"),
            };
            return Err(PluginError::unavailable(told));
        }
        if let (Some(version), Some(output)) = (&self.version, run.before.first()) {
            version.check(output, &help)?;
        }
        match failed {
            Some(command) => Err(PluginError::unavailable(format!(
                "`{}`, which comes before {name}, failed ({}): {}{help}",
                command.program(),
                how(&run.exit),
                last_line(run)
            ))),
            None => Ok(()),
        }
    }

    fn is_test(&self, path: &str) -> bool {
        self.tests.as_ref().is_some_and(|directory| {
            path.strip_prefix(directory.trim_end_matches('/')).is_some_and(|rest| rest.starts_with('/'))
        })
    }

    /// A text with its placeholders filled in.
    fn filled(&self, text: &str, given: &Given, task: &Task, host: &Host) -> Result<String> {
        let budget = host.budget();
        // The tool should stop by itself before it is stopped.
        let time = budget.time.map(|time| time.saturating_sub((time / 10).min(Duration::from_secs(3))));
        let bits = match task.program.types.model {
            DataModel::Ilp32 => "32",
            DataModel::Lp64 => "64",
        };
        command::fill(text, |name| {
            Some(match name {
                "file" if given.file.starts_with('-') => format!("./{}", given.file),
                "file" => given.file.clone(),
                "property" => PROPERTY.to_string(),
                "witness" => self.witnesses.first()?.clone(),
                "data_model" => task.program.types.model.name().to_string(),
                "bits" => bits.to_string(),
                "seconds" => time.map_or(NO_TIME_LIMIT, |time| time.as_secs().max(1)).to_string(),
                "memory_mb" => budget.memory.map_or(NO_MEMORY_LIMIT, |bytes| (bytes >> 20).max(1)).to_string(),
                _ => return None,
            })
        })
    }
}

/// The end of a tool's output, for messages.
fn last_line(run: &ToolRun) -> String {
    let text = [&run.standard_error, &run.standard_output]
        .into_iter()
        .find_map(|bytes| patterns::lines(bytes).rev().find(|line| !line.trim().is_empty()).map(str::to_string));
    text.map_or("it printed nothing".into(), |line| format!("its last line is: {}", patterns::short(&line)))
}

tandem_plugin_api::export_plugin!(WitnessTool);

#[cfg(test)]
mod tests;
