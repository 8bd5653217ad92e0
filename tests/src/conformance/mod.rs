//! Does our reading of C agree with gcc's? Self-checking programs (exit status 0, `abort` otherwise) are executed by gcc's
//! build and by ours, and verified; mutants of them, whose check fails under gcc, must not be proven.

mod csmith;
mod execute;
mod mutate;
mod verify;

pub use csmith::generate;
pub use execute::{Agreement, compare, execute_alone};
pub use mutate::{Mutant, mutants};
pub use verify::{Answer, verify};

use crate::command::{Ended, run_within};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tandem_plugin_api::program::DataModel;

/// Time for gcc, and for one run of what it built.
const COMPILE: Duration = Duration::from_secs(60);
/// Random programs that do not end take all of it; nearly all others end within milliseconds.
const RUN: Duration = Duration::from_secs(3);

/// As our front end reads C: signed overflow wraps, types do not restrict aliasing. SSE computes floats in their own format.
const FLAGS: [&str; 7] =
    ["-std=gnu17", "-w", "-O0", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off", "-ftrivial-auto-var-init=zero"];

/// What a run shows: how it ended, and what it printed to standard output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observed {
    /// `exit 0`, `abort`, `signal 11`, `no end`.
    pub end: String,
    pub printed: Vec<u8>,
}

/// gcc's build of a program in a directory that is removed with it.
pub struct Built {
    _directory: tempfile::TempDir,
    binary: PathBuf,
}

impl Built {
    /// Compiles and links a C file; `Err` has gcc's first messages.
    pub fn new(source: &Path, model: DataModel) -> Result<Built, String> {
        let directory = tempfile::tempdir().map_err(|error| format!("no temporary directory: {error}"))?;
        let binary = directory.path().join("program");
        let mut gcc = gcc_command(model);
        gcc.arg("-o").arg(&binary).arg(source).arg("-lm");
        let ran = run_within(&mut gcc, COMPILE)?;
        if !ran.ended.is_success() {
            let text = String::from_utf8_lossy(&ran.stderr).into_owned();
            let telling = text.lines().find(|line| line.contains("error") || line.contains("undefined"));
            return Err(telling.or(text.lines().next()).unwrap_or("gcc failed").to_owned());
        }
        Ok(Built { _directory: directory, binary })
    }

    pub fn run(&self) -> Result<Observed, String> {
        // If this process is killed, so is the program, which may not end by itself.
        let mut guarded = Command::new("setpriv");
        guarded.args(["--pdeathsig", "KILL"]).arg(&self.binary);
        let ran = run_within(&mut guarded, RUN)?;
        let end = match ran.ended {
            Ended::Status(status) => format!("exit {status}"),
            Ended::Signal(6 | 4) => "abort".to_owned(),
            Ended::Signal(signal) => format!("signal {signal}"),
            Ended::Late => "no end".to_owned(),
        };
        Ok(Observed { end, printed: ran.stdout })
    }
}

/// gcc with options by which it reads C as our front end does; sources and the output follow.
pub fn gcc_command(model: DataModel) -> Command {
    let mut gcc = Command::new("gcc");
    match model {
        DataModel::Ilp32 => gcc.args(["-m32", "-msse2", "-mfpmath=sse"]),
        DataModel::Lp64 => gcc.arg("-m64"),
    };
    gcc.args(FLAGS);
    gcc
}

/// All C files below these paths, in a fixed order.
pub fn sources(paths: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            let entries = std::fs::read_dir(path).map_err(|error| format!("{}: {error}", path.display()))?;
            let mut inside: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
            inside.retain(|path| path.is_dir() || path.extension().is_some_and(|extension| extension == "c"));
            inside.sort();
            found.extend(sources(&inside)?);
        } else if path.is_file() {
            found.push(path.clone());
        } else {
            return Err(format!("{}: there is no such file or directory", path.display()));
        }
    }
    Ok(found)
}
