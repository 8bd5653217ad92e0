//! The comparison of one task: print, compile both versions, run both on the same inputs, compare.

use super::inline_asm::without_inline_asm;
use super::stubs::stubs;
use super::toolchain::{Build, Toolchain, run};
use super::trace::{Comparison, Trace, compare, first_difference, parse};
use super::{Counts, Outcome, Settings, Verdict};
use crate::tasks::Task;
use std::path::{Path, PathBuf};
use std::process::Command;
use tandem_plugin_api::program::{PrintOptions, Program, Type};

/// No more differences than this are listed for one task.
const MOST_DIFFERENCES: usize = 3;

pub fn check(task: &Task, toolchain: &Toolchain, settings: &Settings) -> Outcome {
    let mut counts = Counts::default();
    let verdict = match Comparing::new(task, toolchain, settings) {
        Ok(comparing) => comparing.verdict(&mut counts).unwrap_or_else(|verdict| verdict),
        Err(verdict) => verdict,
    };
    Outcome { task: task.clone(), verdict, counts }
}

struct Comparing<'a> {
    task: &'a Task,
    toolchain: &'a Toolchain,
    settings: &'a Settings,
    program: Program,
    directory: PathBuf,
    /// Deletes the directory where nothing is to be kept.
    _temporary: Option<tempfile::TempDir>,
    original: PathBuf,
    stubs: PathBuf,
}

impl<'a> Comparing<'a> {
    fn new(task: &'a Task, toolchain: &'a Toolchain, settings: &'a Settings) -> Result<Self, Verdict> {
        let program = tandem::frontend::load(&task.source, task.model)
            .map_err(|diagnostic| Verdict::NotLoaded { reason: diagnostic.to_string() })?;
        let failed = |reason: String| Verdict::NotCompiled { which: "the comparison", reason };
        let (directory, temporary) = match &settings.keep {
            Some(keep) => (keep.join(file_name_for(task)), None),
            None => {
                let temporary = tempfile::tempdir().map_err(|e| failed(e.to_string()))?;
                (temporary.path().to_path_buf(), Some(temporary))
            }
        };
        std::fs::create_dir_all(&directory).map_err(|e| failed(format!("{}: {e}", directory.display())))?;
        let mut comparing = Comparing {
            task,
            toolchain,
            settings,
            program,
            original: task.source.clone(),
            stubs: directory.join("stubs.o"),
            directory,
            _temporary: temporary,
        };
        comparing.write_sources().map_err(failed)?;
        Ok(comparing)
    }

    /// The printed program, and the original without inline assembly where it has some.
    fn write_sources(&mut self) -> Result<(), String> {
        let options = PrintOptions { zero_declared: true, layout_asserts: true, ..PrintOptions::default() };
        write(&self.directory.join("printed.c"), &self.program.to_c(&options))?;
        let source = &self.task.source;
        let bytes = std::fs::read(source).map_err(|error| format!("{}: {error}", source.display()))?;
        if let Ok(text) = String::from_utf8(bytes)
            && let Some(changed) = without_inline_asm(&text)
        {
            let extension = source.extension().unwrap_or_default().to_string_lossy().into_owned();
            self.original = self.directory.join(format!("original.{extension}"));
            write(&self.original, &changed)?;
        }
        Ok(())
    }

    fn verdict(&self, counts: &mut Counts) -> Result<Verdict, Verdict> {
        let (original, printed) = (self.compile("original", Build::Zero)?, self.compile("printed", Build::Zero)?);
        self.make_stubs(&[&original, &printed])?;
        let original = self.run("original", Build::Zero, &original)?;
        let printed = self.run("printed", Build::Zero, &printed)?;
        let differences = self.compare_all(&original, &printed, counts);
        let pattern = self.build_and_run_original(Build::Pattern)?;
        let depends_on_pattern = first_difference(&original, &pattern).map(|(vector, text)| {
            let text = text.replace("printed", "with a pattern instead");
            format!("reads uninitialised memory: with zero there, vector {vector}, {text}")
        });
        let Some(first) = differences.first().cloned() else {
            return Ok(match depends_on_pattern {
                Some(evidence) => Verdict::SameButUninitialised { evidence },
                None => Verdict::Same,
            });
        };
        if let Some(evidence) = depends_on_pattern {
            return Ok(Verdict::Undefined { evidence, difference: first });
        }
        let optimised = self.build_and_run_original(Build::Optimised)?;
        Ok(match first_difference(&original, &optimised) {
            Some((vector, text)) => {
                let text = text.replace("printed", "with -O2");
                let evidence = format!(
                    "depends on the layout of memory or on an order that C leaves open: vector {vector}, {text}"
                );
                Verdict::Undefined { evidence, difference: first }
            }
            None => Verdict::Different { differences },
        })
    }

    fn build_and_run_original(&self, build: Build) -> Result<Vec<Trace>, Verdict> {
        let object = self.compile("original", build)?;
        self.run("original", build, &object)
    }

    fn source(&self, version: &str) -> PathBuf {
        if version == "original" { self.original.clone() } else { self.directory.join("printed.c") }
    }

    fn compile(&self, version: &'static str, build: Build) -> Result<PathBuf, Verdict> {
        let object = self.directory.join(format!("{version}-{build:?}.o"));
        self.toolchain
            .compile(self.task.model, build, version == "original", &self.source(version), &object)
            .map_err(|reason| Verdict::NotCompiled { which: version, reason })?;
        Ok(object)
    }

    /// One object with what both versions lack, so that both are linked with the same.
    fn make_stubs(&self, objects: &[&Path]) -> Result<(), Verdict> {
        let failed = |reason| Verdict::NotCompiled { which: "the stubs", reason };
        let mut missing = std::collections::BTreeSet::new();
        for object in objects {
            missing.extend(self.toolchain.missing(self.task.model, object).map_err(failed)?);
        }
        let source = self.directory.join("stubs.c");
        write(&source, &stubs(&self.program, &missing)).map_err(failed)?;
        self.toolchain.compile_stubs(self.task.model, &source, &self.stubs).map_err(failed)
    }

    fn run(&self, version: &'static str, build: Build, object: &Path) -> Result<Vec<Trace>, Verdict> {
        let failed = |reason| Verdict::NotCompiled { which: version, reason };
        let binary = object.with_extension("run");
        self.toolchain.link(self.task.model, &[object, &self.stubs], &binary).map_err(failed)?;
        let settings = self.settings;
        let mut command = Command::new(&binary);
        command.args([settings.vectors.to_string(), "0".into(), settings.milliseconds.to_string()]);
        command.args([settings.most_inputs.to_string(), build.fill().into(), self.main_returns_status().into()]);
        let output = run(&mut command).map_err(failed)?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if settings.keep.is_some() {
            write(&object.with_extension("trace"), &text).map_err(failed)?;
        }
        let traces = parse(&text);
        if traces.len() != settings.vectors as usize {
            return Err(failed(format!("the harness made {} runs of {}", traces.len(), settings.vectors)));
        }
        Ok(traces)
    }

    /// "0" for `void main`, after which C leaves the exit status open.
    fn main_returns_status(&self) -> &'static str {
        let main = self.program.function(self.program.main);
        match self.program.types.get(main.ty) {
            Type::Function { result, .. } if self.program.types.is_integer(*result) => "1",
            _ => "0",
        }
    }

    fn compare_all(&self, original: &[Trace], printed: &[Trace], counts: &mut Counts) -> Vec<String> {
        let mut differences = Vec::new();
        for (vector, (a, b)) in original.iter().zip(printed).enumerate() {
            counts.vectors += 1;
            counts.errors += usize::from(a.end.starts_with("error"));
            match compare(a, b) {
                Comparison::Same { events } => counts.events += events,
                Comparison::SameUntilCut { events } => {
                    counts.events += events;
                    counts.cut += 1;
                    counts.silent += usize::from(events == 0);
                }
                Comparison::Different(text) if differences.len() < MOST_DIFFERENCES => {
                    differences.push(format!("vector {vector}, {text}"));
                }
                Comparison::Different(_) => {}
            }
        }
        differences
    }
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

fn file_name_for(task: &Task) -> String {
    task.name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '_' }).collect()
}
