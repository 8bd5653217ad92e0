//! The comparison of one task: print, compile both versions, run both on the same inputs, compare.

use super::stubs::{comparable_globals, stubs};
use super::toolchain::{Build, Toolchain, run};
use super::trace::{Comparison, Trace, compare, first_difference, parse, without_globals};
use super::{Counts, Outcome, Settings, Verdict};
use crate::tasks::Task;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use tandem::opinion::without_inline_asm;
use tandem_plugin_api::program::{PrintOptions, Program, Type};

/// How much more time a task gets on one vector if all were cut before the first event.
const LONGER: u32 = 40;

/// No more differences than this are listed for one task.
const MOST_DIFFERENCES: usize = 3;

/// Reads the task's file, prints it, and compares.
pub fn check(task: &Task, toolchain: &Toolchain, settings: &Settings) -> Outcome {
    match tandem::frontend::load(&task.source, task.model) {
        Ok(program) => check_program(task, program, toolchain, settings),
        Err(diagnostic) => {
            let verdict = Verdict::NotLoaded { reason: diagnostic.to_string() };
            Outcome { task: task.clone(), verdict, counts: Counts::default() }
        }
    }
}

/// Compares the task's file with this program, printed.
pub fn check_program(task: &Task, program: Program, toolchain: &Toolchain, settings: &Settings) -> Outcome {
    let mut counts = Counts::default();
    let verdict = match Comparing::new(task, program, toolchain, settings) {
        Ok(comparing) => comparing.verdict(&mut counts).unwrap_or_else(|verdict| verdict),
        Err(verdict) => verdict,
    };
    Outcome { task: task.clone(), verdict, counts }
}

/// The runs of the original alone, as gcc compiles it, with zero where C leaves memory uninitialised.
pub fn original_runs(
    task: &Task,
    program: Program,
    toolchain: &Toolchain,
    settings: &Settings,
) -> Result<Vec<Trace>, Verdict> {
    let comparing = Comparing::new(task, program, toolchain, settings)?;
    let object = comparing.compile("original", Build::Zero)?;
    comparing.make_stubs(&[&object])?;
    comparing.run("original", Build::Zero, &object)
}

/// Runs of the original built differently by gcc: with other values in uninitialised memory, and optimised. If they
/// differ from [`original_runs`], the program's behaviour is one that C leaves open.
pub fn other_runs(
    task: &Task,
    program: Program,
    toolchain: &Toolchain,
    settings: &Settings,
) -> Result<[Vec<Trace>; 2], Verdict> {
    let comparing = Comparing::new(task, program, toolchain, settings)?;
    let mut runs = [Vec::new(), Vec::new()];
    for (traces, (name, build)) in runs.iter_mut().zip([("pattern", Build::Pattern), ("optimised", Build::Optimised)]) {
        let object = comparing.compile("original", build)?;
        comparing.make_stubs(&[&object])?;
        *traces = comparing.run(name, build, &object)?;
    }
    Ok(runs)
}

struct Comparing<'a> {
    task: &'a Task,
    toolchain: &'a Toolchain,
    settings: &'a Settings,
    program: Program,
    directory: PathBuf,
    /// Deletes the directory unless files are to be kept.
    _temporary: Option<tempfile::TempDir>,
    original: PathBuf,
    stubs: PathBuf,
}

impl<'a> Comparing<'a> {
    fn new(
        task: &'a Task,
        program: Program,
        toolchain: &'a Toolchain,
        settings: &'a Settings,
    ) -> Result<Self, Verdict> {
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
        if counts.vectors > 0 && counts.silent == counts.vectors {
            return self.long_run(counts);
        }
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
        Ok(match first_difference(&without_globals(&original), &without_globals(&optimised)) {
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

    /// If nothing was compared so far: the first vector again, with more time.
    fn long_run(&self, counts: &mut Counts) -> Result<Verdict, Verdict> {
        let object = |version: &str| self.directory.join(format!("{version}-{:?}.o", Build::Zero));
        let mut runs = Vec::new();
        for version in ["original", "printed"] {
            let milliseconds = self.settings.milliseconds.saturating_mul(LONGER);
            runs.push(self.execute(version, Build::Zero, &object(version), 1, milliseconds)?);
        }
        let mut fresh = Counts::default();
        let differences = self.compare_all(&runs[0], &runs[1], &mut fresh);
        counts.events = fresh.events;
        if fresh.silent == 0 {
            (counts.cut, counts.silent) = (counts.cut - 1, counts.silent - 1);
        }
        Ok(if differences.is_empty() { Verdict::Same } else { Verdict::Different { differences } })
    }

    fn build_and_run_original(&self, build: Build) -> Result<Vec<Trace>, Verdict> {
        let object = self.compile("original", build)?;
        // An optimised build calls other functions of the library: glibc's headers have some of them inline.
        let first = |version: &str| self.directory.join(format!("{version}-{:?}.o", Build::Zero));
        self.make_stubs(&[&first("original"), &first("printed"), &object])?;
        // The same objects must be visible as in the first build.
        let names = comparable_globals(&self.program);
        self.toolchain
            .globalize(&object, &names)
            .map_err(|reason| Verdict::NotCompiled { which: "the original", reason })?;
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

    /// One object with the definitions that both versions lack, so that both are linked with the same.
    fn make_stubs(&self, objects: &[&Path]) -> Result<(), Verdict> {
        let failed = |reason| Verdict::NotCompiled { which: "the stubs", reason };
        let mut missing = BTreeSet::new();
        for object in objects {
            missing.extend(self.toolchain.missing(self.task.model, object).map_err(failed)?);
        }
        let compared = self.compared_globals(objects).map_err(failed)?;
        let source = self.directory.join("stubs.c");
        write(&source, &stubs(&self.program, &missing, &compared)).map_err(failed)?;
        self.toolchain.compile_stubs(self.task.model, &source, &self.stubs).map_err(failed)
    }

    /// Globals that both versions define with the same size, now visible to the harness.
    fn compared_globals(&self, objects: &[&Path]) -> Result<BTreeMap<String, u64>, String> {
        let wanted = comparable_globals(&self.program);
        let mut common: Option<BTreeMap<String, u64>> = None;
        for object in objects {
            let mut sizes = self.toolchain.objects(object)?;
            sizes.retain(|name, size| match &common {
                Some(before) => before.get(name) == Some(size),
                None => wanted.contains(name),
            });
            common = Some(sizes);
        }
        let common = common.unwrap_or_default();
        let names = common.keys().cloned().collect();
        for object in objects {
            self.toolchain.globalize(object, &names)?;
        }
        Ok(common)
    }

    fn run(&self, version: &'static str, build: Build, object: &Path) -> Result<Vec<Trace>, Verdict> {
        let failed = |reason| Verdict::NotCompiled { which: version, reason };
        let binary = object.with_extension("run");
        self.toolchain.link(self.task.model, &[object, &self.stubs], &binary).map_err(failed)?;
        self.execute(version, build, object, self.settings.vectors, self.settings.milliseconds)
    }

    fn execute(
        &self,
        version: &'static str,
        build: Build,
        object: &Path,
        vectors: u32,
        milliseconds: u32,
    ) -> Result<Vec<Trace>, Verdict> {
        let failed = |reason| Verdict::NotCompiled { which: version, reason };
        let settings = self.settings;
        let mut command = Command::new(object.with_extension("run"));
        command.args([vectors.to_string(), "0".into(), milliseconds.to_string()]);
        command.args([settings.most_inputs.to_string(), build.fill().into(), self.main_returns_status().into()]);
        let output = run(&mut command).map_err(failed)?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if settings.keep.is_some() {
            write(&object.with_extension("trace"), &text).map_err(failed)?;
        }
        let traces = parse(&text);
        if traces.len() != vectors as usize {
            return Err(failed(format!("the harness made {} runs of {vectors}", traces.len())));
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
