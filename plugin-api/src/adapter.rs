//! The trait of adapters: they let an off-the-shelf tool take part in a cooperation.
//! An adapter only translates; the host runs the tool's process under limits, never through a shell.

use crate::artifact::{Invariants, Outcome, TestCase};
use crate::error::Result;
use crate::service::Host;
use crate::task::{Inputs, Task};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Maps a task to a tool's command line, and the tool's output and files to an outcome.
///
/// ```
/// use tandem_plugin_api::prelude::*;
///
/// /// A "verifier" that is the command `true`: exit status 0 gives no verdict.
/// struct NoOpinion;
///
/// impl Plugin for NoOpinion {
///     type Kind = kind::Adapter;
///     fn descriptor() -> Descriptor {
///         Descriptor::of::<Self>("no-opinion", "1.0.0", "Runs /bin/true.")
///     }
///     fn new(_: &Setup) -> Result<Self> {
///         Ok(NoOpinion)
///     }
/// }
///
/// impl Adapter for NoOpinion {
///     fn prepare(&mut self, task: &Task, _inputs: &Inputs, _host: &Host) -> Result<Invocation> {
///         Ok(Invocation::new("true").argument(&task.program.name).file("note.txt", "for the tool to read"))
///     }
///     fn interpret(&mut self, _task: &Task, run: &ToolRun, _host: &Host) -> Result<Outcome> {
///         match &run.exit {
///             ToolExit::Code(0) => Ok(Outcome::unknown("the tool has no opinion")),
///             other => Err(PluginError::new(format!("the tool failed: {other:?}"))),
///         }
///     }
/// }
///
/// let task = tandem_plugin_api::kit::testing::two_inputs();
/// let mut adapter = tandem_plugin_api::kit::testing::worker::<NoOpinion>(&task, &[])?;
/// let invocation = adapter.prepare(&Inputs::default(), &Host::silent())?;
/// assert_eq!(invocation.program, "true");
/// let outcome = adapter.interpret(&ToolRun::of(ToolExit::Code(0)), &Host::silent())?;
/// assert!(outcome.verdict.is_unknown());
/// # Ok::<(), PluginError>(())
/// ```
pub trait Adapter: Send + 'static {
    /// The command to run.
    fn prepare(&mut self, task: &Task, inputs: &Inputs, host: &Host) -> Result<Invocation>;

    /// The outcome of the run. The tool's claims stay claims: the host executes its tests and checks its invariants.
    fn interpret(&mut self, task: &Task, run: &ToolRun, host: &Host) -> Result<Outcome>;
}

/// A command to run in an empty directory of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invocation {
    /// Run first, one after the other, in the same directory: to compile what the tool takes, to ask for its version. Where one
    /// fails, the tool itself is not run.
    pub before: Vec<ToolCommand>,
    /// A name that is looked up in `PATH`, or an absolute path.
    pub program: String,
    pub arguments: Vec<String>,
    /// Added to a minimal environment.
    pub environment: Vec<(String, String)>,
    /// Written before the tool starts.
    pub files: Vec<ToolFile>,
    pub standard_input: Vec<u8>,
    /// Files and directories that the tool may write and [`Adapter::interpret`] wants to read.
    pub collect: Vec<String>,
}

/// A command without input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCommand {
    pub program: String,
    pub arguments: Vec<String>,
}

/// A file in the tool's directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolFile {
    /// Relative, without `..`.
    pub path: String,
    pub content: Vec<u8>,
}

impl Invocation {
    pub fn new(program: impl Into<String>) -> Self {
        Invocation { program: program.into(), ..Invocation::default() }
    }

    /// A command to run before the tool.
    pub fn before(mut self, program: &str, arguments: &[&str]) -> Self {
        let arguments = arguments.iter().map(|argument| argument.to_string()).collect();
        self.before.push(ToolCommand { program: program.to_string(), arguments });
        self
    }

    pub fn argument(mut self, argument: impl Into<String>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    pub fn file(mut self, path: impl Into<String>, content: impl Into<Vec<u8>>) -> Self {
        self.files.push(ToolFile { path: path.into(), content: content.into() });
        self
    }

    pub fn collect(mut self, path: impl Into<String>) -> Self {
        self.collect.push(path.into());
        self
    }
}

/// The unchecked claims about the program in a file that a tool wrote, see
/// [`Host::read_claims`](crate::service::Host::read_claims).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolClaims {
    /// It is a violation witness or a test, not a correctness witness.
    pub violation: bool,
    /// Invariants of a correctness witness, at locations of the program.
    pub invariants: Invariants,
    /// The inputs of a test, or those that a violation witness names, in the order in which the program reads them.
    pub tests: Vec<TestCase>,
    /// The parts that could not be used, and why.
    pub notes: Vec<String>,
}

/// How the tool's process ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToolExit {
    Code(i32),
    Signal(i32),
    OutOfTime,
    OutOfMemory,
    Cancelled,
    /// It could not be started: not installed, not executable.
    NotStarted(String),
}

/// The run of a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolRun {
    /// Of the tool, or of the command before it that failed.
    pub exit: ToolExit,
    /// What each of the commands before the tool printed, as far as they were run; fewer than there are if one failed.
    pub before: Vec<Vec<u8>>,
    pub standard_output: Vec<u8>,
    pub standard_error: Vec<u8>,
    /// What [`Invocation::collect`] asked for, as far as it exists.
    pub files: Vec<ToolFile>,
    pub wall_time: Duration,
    pub cpu_time: Duration,
}

impl ToolRun {
    /// A run that printed and wrote nothing.
    pub fn of(exit: ToolExit) -> Self {
        ToolRun {
            exit,
            before: Vec::new(),
            standard_output: Vec::new(),
            standard_error: Vec::new(),
            files: Vec::new(),
            wall_time: Duration::ZERO,
            cpu_time: Duration::ZERO,
        }
    }
}
