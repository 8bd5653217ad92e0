//! Files of all formats: which format one has, reading it, writing it.

use super::{base_name, executed, meant_for, property_text};
use crate::artifact::condition_automaton::{self, Dialect, Translated};
use crate::artifact::test_suite::{self, Metadata};
use crate::artifact::{gia_dot, hints, input, precision, rt_tests, witness};
use crate::diagnostic::Diagnostic;
use crate::services::Log;
use std::fs;
use std::path::Path;
use tandem_plugin_api::artifact::{
    Acceptance, ArtifactError, Gia, GiaDocument, Invariants, Precision, Soundness, TestSuite,
};
use tandem_plugin_api::program::Program;
use tandem_plugin_api::service::LogLevel;
use tandem_plugin_api::task::Task;

/// GIAs and witnesses beyond this are not read.
const MAX_BYTES: u64 = 1 << 30;

/// The formats, see [`Format::name`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Gia,
    Condition,
    Automaton,
    Tests,
    CorrectnessWitness,
    ViolationWitness,
    CorrectnessGraphml,
    ViolationGraphml,
    Precision,
    Dot,
    Svg,
}

impl Format {
    pub const ALL: [Format; 11] = [
        Format::Gia,
        Format::Condition,
        Format::Automaton,
        Format::Tests,
        Format::CorrectnessWitness,
        Format::ViolationWitness,
        Format::CorrectnessGraphml,
        Format::ViolationGraphml,
        Format::Precision,
        Format::Dot,
        Format::Svg,
    ];

    /// As users name it.
    pub fn name(self) -> &'static str {
        match self {
            Format::Gia => "gia",
            Format::Condition => "condition",
            Format::Automaton => "automaton",
            Format::Tests => "tests",
            Format::CorrectnessWitness => "correctness-witness",
            Format::ViolationWitness => "violation-witness",
            Format::CorrectnessGraphml => "correctness-graphml",
            Format::ViolationGraphml => "violation-graphml",
            Format::Precision => "precision",
            Format::Dot => "dot",
            Format::Svg => "svg",
        }
    }
}

/// The contents of a file: always a GIA, and for some formats also the same in another form.
pub struct Content {
    pub gia: Gia,
    pub soundness: Soundness,
    pub tests: Option<TestSuite>,
    pub invariants: Option<Invariants>,
    pub precision: Option<Precision>,
}

impl Content {
    pub fn of(gia: Gia) -> Self {
        Content { gia, soundness: Soundness::clean(), tests: None, invariants: None, precision: None }
    }
}

/// Reads what a file knows of the task's program; without a format, it is guessed. Parts that cannot be translated are logged.
pub fn read(log: &dyn Log, task: &Task, path: &Path, format: Option<Format>) -> Result<Content, Diagnostic> {
    let format = match format {
        Some(format) => format,
        None => format_of_input(path)?,
    };
    let (program, file) = (&task.program, path.display().to_string());
    match format {
        Format::Gia => read_gia(path, &file, program),
        Format::Condition | Format::Automaton => {
            condition_automaton::read(path, program).map(|read| Content::of(told(log, read)))
        }
        Format::Tests => executed::content(log, task, path),
        Format::CorrectnessWitness | Format::ViolationWitness => {
            let read = witness::yaml::parse(&text(path)?, &file)?;
            of_witness(log, &read, task, &file)
        }
        Format::CorrectnessGraphml | Format::ViolationGraphml => {
            let read = witness::graphml::parse(&text(path)?, &file)?;
            told_about_program(&read.metadata, program, &file)?;
            Ok(Content::of(told(log, witness::graphml::gia(&read, program, &file)?)))
        }
        Format::Precision => {
            let (precision, foreign) = meant_for(&precision::read(path)?, program);
            if foreign > 0 {
                let ignored = format!("{file}: {foreign} items name nothing of the program: they are left out");
                log.log(LogLevel::Warning, &ignored);
            }
            let gia = hints::gia_of_precision(&precision, program);
            Ok(Content { precision: Some(precision), ..Content::of(gia) })
        }
        Format::Dot | Format::Svg => {
            let problem = Diagnostic::new("pictures cannot be read").in_file(file);
            Err(problem.help("give the file that the picture was made of"))
        }
    }
}

fn of_witness(log: &dyn Log, read: &witness::Witness, task: &Task, file: &str) -> Result<Content, Diagnostic> {
    let program = &task.program;
    for entry in &read.entries {
        told_about_program(&entry.metadata, program, file)?;
    }
    if let Some(segments) = read.violation() {
        let gia = told(log, witness::violation::gia(segments, program, file)?);
        return Ok(Content::of(gia));
    }
    let invariants = told(log, witness::invariants::of_witness(read, program));
    let gia = hints::gia_of_invariants(&invariants, program);
    Ok(Content { invariants: Some(invariants), ..Content::of(gia) })
}

/// Refuses a witness of another program.
pub fn told_about_program(metadata: &witness::Metadata, program: &Program, file: &str) -> Result<(), Diagnostic> {
    let Some(message) = metadata.objection(&program.name, &program.source_sha256) else { return Ok(()) };
    Err(Diagnostic::new(message).in_file(file).help("give the program that it was made for"))
}

/// Reports the parts that could not be translated.
fn told<T>(log: &dyn Log, translated: Translated<T>) -> T {
    translated.notes.iter().for_each(|note| log.log(LogLevel::Warning, note));
    translated.result
}

pub fn text(path: &Path) -> Result<String, Diagnostic> {
    let unreadable = |what: String| {
        Diagnostic::new(format!("the file cannot be read: {what}"))
            .in_file(path.display().to_string())
            .help("check the path")
    };
    input::text(path, MAX_BYTES).map_err(unreadable)
}

fn read_gia(path: &Path, file: &str, program: &Program) -> Result<Content, Diagnostic> {
    let document = GiaDocument::from_json(&text(path)?, program).map_err(|error| placed(error, file))?;
    if let Some(hash) = document.program_hash.filter(|hash| *hash != program.source_sha256) {
        let message = format!(
            "the GIA is about another program: the hash of its program is {hash}, that of `{}` is {}",
            program.name, program.source_sha256
        );
        return Err(Diagnostic::new(message).in_file(file).help("if the program changed, make the GIA again"));
    }
    Ok(Content { soundness: document.soundness, ..Content::of(document.gia) })
}

fn placed(error: ArtifactError, file: &str) -> Diagnostic {
    let place =
        if error.position.is_none() && !error.path.is_empty() { format!("at {}: ", error.path) } else { String::new() };
    let mut problem = Diagnostic::new(format!("{place}{}", error.message)).in_file(file);
    if let Some((line, column)) = error.position {
        problem = problem.at(line, column);
    }
    problem.help(error.help.unwrap_or_else(|| "correct the file".to_string()))
}

fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

fn format_of_input(path: &Path) -> Result<Format, Diagnostic> {
    if path.is_dir() {
        return Ok(Format::Tests);
    }
    Ok(match extension(path).as_str() {
        "zip" => Format::Tests,
        "json" if text(path)?.contains("\"tandem precision") => Format::Precision,
        "json" => Format::Gia,
        "txt" | "spc" => Format::Automaton,
        "yml" | "yaml" => Format::ViolationWitness,
        "graphml" | "xml" => Format::ViolationGraphml,
        "dot" => Format::Dot,
        "svg" => Format::Svg,
        _ => return Err(unknown_format(path, "--from-format")),
    })
}

fn unknown_format(path: &Path, option: &str) -> Diagnostic {
    Diagnostic::new("the name does not tell the format")
        .in_file(path.display().to_string())
        .help(format!("say it with {option}; `tandem convert --help` lists the formats"))
}

fn format_of_output(path: &Path, content: &Content) -> Result<Format, Diagnostic> {
    let violated = content.gia.has(Acceptance::Rt) || content.tests.is_some();
    Ok(match extension(path).as_str() {
        "json" => Format::Gia,
        "txt" | "spc" if content.gia.has(Acceptance::Rt) || content.gia.has(Acceptance::Cand) => Format::Automaton,
        "txt" | "spc" => Format::Condition,
        "yml" | "yaml" if violated => Format::ViolationWitness,
        "yml" | "yaml" => Format::CorrectnessWitness,
        "graphml" if violated => Format::ViolationGraphml,
        "graphml" => Format::CorrectnessGraphml,
        "dot" => Format::Dot,
        "svg" => Format::Svg,
        "zip" | "" => Format::Tests,
        _ => return Err(unknown_format(path, "--to-format")),
    })
}

/// Writes the content to a file; without a format, it is guessed from the name.
pub fn write(
    log: &dyn Log,
    task: &Task,
    content: Content,
    path: &Path,
    format: Option<Format>,
) -> Result<(), Diagnostic> {
    let format = match format {
        Some(format) => format,
        None => format_of_output(path, &content)?,
    };
    let (program, gia) = (&task.program, &content.gia);
    let text = match format {
        Format::Gia => gia_text(&content, program)?,
        Format::Condition => told(log, condition_automaton::write(gia, program, Dialect::Condition)?),
        Format::Automaton => told(log, condition_automaton::write(gia, program, Dialect::Gia)?),
        Format::Dot => gia_dot::write(gia, program),
        Format::Svg => gia_dot::draw(gia, program)?,
        Format::Precision => {
            let precision = content.precision.unwrap_or_else(|| hints::precision_of_gia(gia, program));
            return precision::write(path, &precision);
        }
        Format::Tests => return write_tests(task, &content, path),
        Format::CorrectnessWitness | Format::CorrectnessGraphml => {
            let origin = base_name(&program.name);
            let invariants = content.invariants.unwrap_or_else(|| hints::invariants_of_gia(gia, program, origin));
            let metadata = witness::Metadata::of(program, &property_text(&task.property));
            let placed = told(log, witness::invariants::to_witness(&invariants, program));
            match format {
                Format::CorrectnessWitness => witness::yaml::write_invariants(&placed, &metadata),
                _ => witness::graphml::write_invariants(&placed, program, &metadata),
            }
        }
        Format::ViolationWitness | Format::ViolationGraphml => {
            let tests = content.tests.unwrap_or_else(|| rt_tests::tests(gia, program));
            let confirmed = executed::confirmed(task, &tests)?;
            let metadata = witness::Metadata::of(program, &property_text(&task.property));
            let segments = witness::violation::of_run(&confirmed.run.inputs, confirmed.target, program);
            match format {
                Format::ViolationWitness => witness::yaml::write_violation(&segments, &metadata),
                _ => witness::graphml::write_violation(&segments, &metadata),
            }
        }
    };
    write_text(path, &text)
}

pub fn gia_text(content: &Content, program: &Program) -> Result<String, Diagnostic> {
    let hash = Some(program.source_sha256.clone()).filter(|hash| !hash.is_empty());
    let document = GiaDocument { gia: content.gia.clone(), soundness: content.soundness.clone(), program_hash: hash };
    document.to_json(program).map_err(|error| placed(error, &program.name))
}

fn write_tests(task: &Task, content: &Content, path: &Path) -> Result<(), Diagnostic> {
    let suite = match &content.tests {
        Some(tests) => tests.clone(),
        None => rt_tests::tests(&content.gia, &task.program),
    };
    if suite.tests.is_empty() {
        let message = "there are no tests: no rt path names all of its inputs";
        return Err(Diagnostic::new(message).help("only what was tested can be written as a test suite"));
    }
    let metadata = Metadata::of(&task.program, &property_text(&task.property));
    if extension(path) == "zip" {
        test_suite::write_zip(path, &suite, &metadata)
    } else {
        test_suite::write_directory(path, &suite, &metadata)
    }
}

pub fn write_text(path: &Path, text: &str) -> Result<(), Diagnostic> {
    fs::write(path, text).map_err(|error| {
        Diagnostic::new(format!("cannot be written: {error}"))
            .in_file(path.display().to_string())
            .help("check the path and the permissions")
    })
}
