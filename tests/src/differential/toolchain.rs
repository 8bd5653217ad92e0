//! gcc and binutils: compile a version of a program, give its symbols a prefix of their own, link it with the harness.

use super::stubs::PREFIX;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tandem::opinion::{COMMON_FLAGS, ORIGINAL_FLAGS, model_flags};
use tandem_plugin_api::program::DataModel;

const HARNESS: &str = include_str!("harness.c");

/// How a version is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Build {
    /// Uninitialised memory is zero.
    Zero,
    /// Uninitialised memory is a pattern: another behaviour that C allows.
    Pattern,
    /// Optimised: other addresses, frames and orders of evaluation that C allows.
    Optimised,
}

impl Build {
    fn flags(self) -> &'static [&'static str] {
        match self {
            Build::Zero => &["-O0", "-ftrivial-auto-var-init=zero"],
            Build::Pattern => &["-O0", "-ftrivial-auto-var-init=pattern"],
            Build::Optimised => &["-O2", "-ftrivial-auto-var-init=zero"],
        }
    }

    /// The byte that fills allocated memory.
    pub(super) fn fill(self) -> &'static str {
        if self == Build::Pattern { "170" } else { "0" }
    }
}

/// The tools, and the harness compiled for the data models in use.
pub struct Toolchain {
    directory: tempfile::TempDir,
    harnesses: BTreeMap<&'static str, (PathBuf, BTreeSet<String>)>,
}

impl Toolchain {
    /// `Err` says which tool is missing and what to install.
    pub fn new(models: &[DataModel]) -> Result<Self, String> {
        let directory = tempfile::tempdir().map_err(|error| format!("no temporary directory: {error}"))?;
        let source = directory.path().join("harness.c");
        std::fs::write(&source, HARNESS).map_err(|error| format!("{}: {error}", source.display()))?;
        let mut toolchain = Toolchain { directory, harnesses: BTreeMap::new() };
        for &model in models {
            let object = toolchain.directory.path().join(format!("harness-{}.o", model.name()));
            toolchain
                .gcc(model, &["-O1", "-std=gnu11", "-w", "-fno-pic", "-c"], &[&source], &object)
                .map_err(|error| format!("the harness does not compile for {} ({error}); {REMEDY}", model.name()))?;
            let defined = symbols(&["--defined-only"], &object)?;
            toolchain.harnesses.insert(model.name(), (object, defined));
        }
        Ok(toolchain)
    }

    /// Compiles a C file of the program under test to an object with prefixed symbols.
    pub(super) fn compile(
        &self,
        model: DataModel,
        build: Build,
        is_original: bool,
        source: &Path,
        object: &Path,
    ) -> Result<(), String> {
        let mut flags = COMMON_FLAGS.to_vec();
        if is_original {
            flags.extend(ORIGINAL_FLAGS);
        }
        flags.extend(build.flags());
        flags.push("-c");
        self.gcc(model, &flags, &[source], object)?;
        let mut objcopy = Command::new("objcopy");
        objcopy.arg(format!("--prefix-symbols={PREFIX}")).arg(object);
        run(&mut objcopy).map(|_| ())
    }

    /// Data symbols that an object defines, with their sizes.
    pub(super) fn objects(&self, object: &Path) -> Result<BTreeMap<String, u64>, String> {
        let output = run(Command::new("nm").args(["--defined-only", "--format=posix"]).arg(object))?;
        let mut sizes = BTreeMap::new();
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let mut cells = line.split_whitespace();
            if let (Some(name), Some("b" | "B" | "d" | "D" | "C"), _, Some(size)) =
                (cells.next(), cells.next(), cells.next(), cells.next())
            {
                sizes.insert(name.to_string(), u64::from_str_radix(size, 16).unwrap_or(0));
            }
        }
        Ok(sizes)
    }

    /// Makes static symbols visible to the other objects.
    pub(super) fn globalize(&self, object: &Path, names: &BTreeSet<String>) -> Result<(), String> {
        if names.is_empty() {
            // objcopy considers an empty list a mistake.
            return Ok(());
        }
        let list = object.with_extension("symbols");
        let text: String = names.iter().map(|name| format!("{name}\n")).collect();
        std::fs::write(&list, text).map_err(|error| format!("{}: {error}", list.display()))?;
        let mut objcopy = Command::new("objcopy");
        objcopy.arg(format!("--globalize-symbols={}", list.display())).arg(object);
        run(&mut objcopy).map(|_| ())
    }

    /// Symbols that an object needs and neither it nor the harness defines. Weak ones are not needed: they stay null.
    pub(super) fn missing(&self, model: DataModel, object: &Path) -> Result<BTreeSet<String>, String> {
        let mut missing = symbols(&["-u"], object)?;
        if let Some((_, defined)) = self.harnesses.get(model.name()) {
            missing.retain(|symbol| !defined.contains(symbol));
        }
        Ok(missing)
    }

    pub(super) fn compile_stubs(&self, model: DataModel, source: &Path, object: &Path) -> Result<(), String> {
        self.gcc(model, &["-O1", "-std=gnu11", "-w", "-fno-pic", "-fno-builtin", "-c"], &[source], object)
    }

    pub(super) fn link(&self, model: DataModel, objects: &[&Path], binary: &Path) -> Result<(), String> {
        let Some((harness, _)) = self.harnesses.get(model.name()) else {
            return Err(format!("no harness for {}", model.name()));
        };
        let mut inputs = vec![harness.as_path()];
        inputs.extend(objects);
        let libraries = [Path::new("-lm")];
        inputs.extend(libraries);
        self.gcc(model, &["-static", "-no-pie"], &inputs, binary)
    }

    fn gcc(&self, model: DataModel, flags: &[&str], inputs: &[&Path], output: &Path) -> Result<(), String> {
        let mut gcc = Command::new("gcc");
        gcc.args(model_flags(model)).args(flags).arg("-o").arg(output).args(inputs);
        run(&mut gcc).map(|_| ())
    }
}

const REMEDY: &str = "install gcc, binutils and the libraries for both models (Debian: apt install gcc-multilib)";

/// Names from `nm`, without weak references.
fn symbols(options: &[&str], object: &Path) -> Result<BTreeSet<String>, String> {
    let output = run(Command::new("nm").args(options).arg("--format=posix").arg(object))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let name = |line: &str| {
        let mut cells = line.split(' ');
        let name = cells.next()?;
        let is_weak_reference = matches!(cells.next(), Some("w" | "v"));
        (!is_weak_reference).then(|| name.to_string())
    };
    Ok(text.lines().filter_map(name).collect())
}

/// Runs a tool to its end; `Err` has its first messages.
pub(crate) fn run(command: &mut Command) -> Result<Output, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("cannot run {name}: {error}; {REMEDY}"))?;
    if output.status.success() {
        return Ok(output);
    }
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    let telling: Vec<&str> =
        messages.lines().filter(|l| l.contains("error") || l.contains("undefined")).take(3).collect();
    let text = if telling.is_empty() { messages.lines().take(3).collect() } else { telling };
    Err(format!("{name} failed ({}): {}", output.status, text.join("; ")))
}
