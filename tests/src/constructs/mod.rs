//! The programs of `programs/c`, one for each construct of C11 and GNU C: as it stands no check of it fails, and in its twin
//! one does. See `programs/c/check.h`.

use crate::command::{Ended, run_within};
use crate::conformance::{Answer, gcc_command, sources, verify};
use crate::tasks::workspace;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tandem_plugin_api::program::DataModel;

/// The first input, and the steps from one input to the next.
const FIRST: [i32; 22] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, -1, -2, -3, -5, 16, 80, 100, 200, 255, 300, 500];
const STEPS: [i32; 2] = [0, 1];

/// The exit status of `inputs.c` for `reach_error`.
const REACHED: i32 = 42;
const COMPILE: Duration = Duration::from_secs(60);
const RUN: Duration = Duration::from_secs(10);

/// One program of the set for one data model.
#[derive(Clone, Debug)]
pub struct Construct {
    /// Chapter and construct, such as `expressions/comma.c`.
    pub name: String,
    pub source: PathBuf,
    pub model: DataModel,
}

/// All pairs of both.
fn inputs() -> impl Iterator<Item = (i32, i32)> {
    STEPS.into_iter().flat_map(|step| FIRST.into_iter().map(move |first| (first, step)))
}

/// One of the two programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The program as it stands: FALSE is wrong.
    Holds,
    /// Its twin: TRUE is wrong.
    Twin,
}

pub const SIDES: [Side; 2] = [Side::Holds, Side::Twin];

/// All programs in a fixed order, for these data models in turns.
pub fn constructs(models: &[DataModel]) -> Result<Vec<Construct>, String> {
    let directory = workspace().join("tests/programs/c");
    let directory = directory.canonicalize().map_err(|error| format!("{}: {error}", directory.display()))?;
    let found = sources(std::slice::from_ref(&directory))?;
    let with_model = |(source, model): (PathBuf, &DataModel)| Construct {
        name: source.strip_prefix(&directory).unwrap_or(&source).display().to_string(),
        source,
        model: *model,
    };
    Ok(found.into_iter().zip(models.iter().cycle()).map(with_model).collect())
}

impl Construct {
    /// The file of one side; the twin is written into the directory.
    fn file(&self, side: Side, directory: &Path) -> Result<PathBuf, String> {
        if side == Side::Holds {
            return Ok(self.source.clone());
        }
        let twin = directory.join(format!("{}-twin.c", self.name.replace(['/', '.'], "-")));
        let text = format!("#define TWIN_PROGRAM\n#include \"{}\"\n", self.source.display());
        std::fs::write(&twin, text).map_err(|error| format!("{}: {error}", twin.display()))?;
        Ok(twin)
    }

    /// The answer of `tandem verify` for one side; the directory is for files on the way.
    pub fn verify(&self, side: Side, configuration: &str, limit: Duration, directory: &Path) -> Result<Answer, String> {
        let property = workspace().join("examples/properties/unreach-call.prp");
        verify(&self.file(side, directory)?, &property, self.model, configuration, limit)
    }

    /// The mistake in the program itself, by gcc's build: no input may reach the error, and one must in the twin.
    pub fn mistake(&self, directory: &Path) -> Result<Option<String>, String> {
        let at = |input: (i32, i32)| {
            format!("{} ({}) with inputs from {} by {}", self.name, self.model.name(), input.0, input.1)
        };
        for input in inputs() {
            match self.run_by_gcc(Side::Holds, input, directory)? {
                Ended::Status(0) => {}
                other => return Ok(Some(format!("{}: gcc's build ends with {other:?}", at(input)))),
            }
        }
        for input in inputs() {
            match self.run_by_gcc(Side::Twin, input, directory)? {
                Ended::Status(0) => {}
                Ended::Status(REACHED) => return Ok(None),
                other => return Ok(Some(format!("{}: gcc's build of the twin ends with {other:?}", at(input)))),
            }
        }
        Ok(Some(format!("{} ({}): no input reaches the error in the twin", self.name, self.model.name())))
    }

    fn run_by_gcc(&self, side: Side, input: (i32, i32), directory: &Path) -> Result<Ended, String> {
        let binary = directory.join(format!("{}-{side:?}-{}", self.name.replace(['/', '.'], "-"), self.model.name()));
        if !binary.is_file() {
            let mut gcc = gcc_command(self.model);
            gcc.arg("-o").arg(&binary).arg(self.file(side, directory)?);
            gcc.arg(workspace().join("tests/src/constructs/inputs.c")).arg("-lm");
            let ran = run_within(&mut gcc, COMPILE)?;
            if !ran.ended.is_success() {
                let messages = String::from_utf8_lossy(&ran.stderr).into_owned();
                let telling = messages.lines().find(|line| line.contains("error")).unwrap_or(&messages);
                return Err(format!("{}: gcc does not build it: {telling}", self.name));
            }
        }
        let mut program = Command::new(&binary);
        Ok(run_within(program.arg(input.0.to_string()).arg(input.1.to_string()), RUN)?.ended)
    }
}

/// How often each answer was given.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub proven: usize,
    pub violated: usize,
    pub unknown: usize,
    pub refused: usize,
    /// Wrong verdicts and crashes: where, and what.
    pub wrong: Vec<String>,
}

impl Tally {
    pub fn add(&mut self, construct: &Construct, side: Side, answer: &Answer) {
        let wrong = match answer {
            Answer::True => {
                self.proven += 1;
                side == Side::Twin
            }
            Answer::False => {
                self.violated += 1;
                side == Side::Holds
            }
            Answer::Unknown(_) => {
                self.unknown += 1;
                false
            }
            Answer::Refused(_) => {
                self.refused += 1;
                false
            }
            Answer::Internal(_) => true,
        };
        if wrong {
            self.wrong.push(format!("{} ({}), {side:?}: {answer:?}", construct.name, construct.model.name()));
        }
    }
}
