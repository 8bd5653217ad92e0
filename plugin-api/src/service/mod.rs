//! The services of the host for plugins while they run: log, progress, limits, cancellation, exchange with other
//! actors. Plugins use [`Host`]; the host implements [`Services`].

mod data;
pub mod execution;
pub mod formulas;
pub mod horn;
pub mod recorded;

pub use crate::abi::StopSignal;
pub use data::*;

use crate::adapter::{ToolClaims, ToolFile};
use crate::artifact::Convention;
use crate::error::{ErrorKind, PluginError, Result};
use execution::{Execution, ExecutionOptions};
use formulas::{FormulaService, Formulas};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The host, as a plugin sees it. Cheap to clone, and may be used from several threads.
///
/// ```
/// use tandem_plugin_api::prelude::*;
///
/// fn search(host: &Host) -> Result<u32> {
///     let mut steps = 0;
///     while steps < 1_000_000 {
///         host.check()?;
///         steps += 1;
///     }
///     host.info(&format!("{steps} steps"));
///     Ok(steps)
/// }
///
/// let host = Host::silent();
/// assert!(search(&host).is_ok());
/// host.stop_signal().stop(StopReason::Cancelled); // as another thread would
/// assert_eq!(search(&host).unwrap_err().kind, ErrorKind::Stopped);
/// ```
#[derive(Clone)]
pub struct Host {
    services: Arc<dyn Services>,
    stop: StopSignal,
    /// How many artifacts of other actors this plugin has seen.
    seen: Arc<AtomicUsize>,
}

impl Host {
    pub fn new(services: Arc<dyn Services>) -> Self {
        let stop = services.stop_signal();
        Host { services, stop, seen: Arc::default() }
    }

    /// A host that has no limits, no other actors and no log: for tests.
    pub fn silent() -> Self {
        Host::new(Arc::new(Silent { stop: StopSignal::new() }))
    }

    /// Whether and why this run must end. Costs one atomic load: poll it in every loop.
    pub fn stopped(&self) -> Option<StopReason> {
        self.stop.reason()
    }

    /// [`Host::stopped`] as an error, for use with `?`.
    pub fn check(&self) -> Result<()> {
        match self.stopped() {
            None => Ok(()),
            Some(reason) => Err(PluginError::of(ErrorKind::Stopped, reason.to_string())),
        }
    }

    /// The signal behind [`Host::stopped`].
    pub fn stop_signal(&self) -> &StopSignal {
        &self.stop
    }

    pub fn log(&self, level: LogLevel, message: &str) {
        self.services.log(level, message);
    }

    pub fn info(&self, message: &str) {
        self.log(LogLevel::Info, message);
    }

    pub fn warn(&self, message: &str) {
        self.log(LogLevel::Warning, message);
    }

    pub fn debug(&self, message: &str) {
        self.log(LogLevel::Debug, message);
    }

    /// How much time and memory is left.
    pub fn budget(&self) -> Budget {
        self.services.budget()
    }

    /// Shows the user how far the work is. Call it as often as you like; the host shows some of it.
    pub fn progress(&self, progress: &Progress) {
        self.services.progress(progress);
    }

    /// What other actors found since the last call, in the order in which it arrived. Every plugin of a product gets
    /// all of it.
    pub fn incoming(&self) -> Result<Vec<Artifact>> {
        let new = self.services.incoming(self.seen.load(Ordering::Relaxed))?;
        self.seen.fetch_add(new.len(), Ordering::Relaxed);
        Ok(new)
    }

    pub(crate) fn services(&self) -> &dyn Services {
        &*self.services
    }

    /// Passes on what was found so far. The final result need not be published.
    pub fn publish(&self, artifact: &Artifact) -> Result<()> {
        self.services.publish(artifact)
    }

    /// Notes an unsound approximation: no proof of this run counts any more.
    /// A lower-case fragment, such as `recursion of f cut off at depth 100`.
    pub fn unsound(&self, what: &str) {
        self.note(&Note::Unsound(what.to_string()));
    }

    /// Notes that a convention of the field was used.
    pub fn convention(&self, what: impl Into<Convention>) {
        self.note(&Note::Convention(what.into()));
    }

    pub fn note(&self, note: &Note) {
        self.services.note(note);
    }

    /// Reads a C expression over the names of the program. An error of kind [`ErrorKind::Unavailable`] means that this
    /// host has no parser; one of kind [`ErrorKind::BadInput`] says what is wrong with the text.
    pub fn parse_expression(&self, text: &str, scope: Scope) -> Result<ParsedExpression> {
        self.services.parse_expression(text, scope)
    }

    /// The text that the program was read from, where it means the program and nothing else without a preprocessor: a tool that gets
    /// it speaks of the user's lines and loops. `None` for residual programs, which are there in memory only: print those.
    pub fn source(&self) -> Result<Option<String>> {
        self.services.source()
    }

    /// What a witness (YAML 2.x or GraphML) or a test (Test-Comp's XML) says that a tool wrote. `given` is the C text that the tool got,
    /// if it was not [`Host::source`]. An error of kind [`ErrorKind::BadInput`] says what is wrong with the file, such as that it
    /// is about another program; one of kind [`ErrorKind::Unavailable`], that this host reads no such files.
    pub fn read_claims(&self, given: Option<&str>, file: &ToolFile) -> Result<ToolClaims> {
        self.services.read_claims(given, file)
    }

    /// The program as native code in a sandbox of its own, see [`Execution`]. Compiling takes a while and is done once
    /// for the same options; a second execution for another thread is cheap. An error of kind
    /// [`ErrorKind::Unavailable`] says that this host does not execute programs.
    pub fn execution(&self, options: &ExecutionOptions) -> Result<Box<dyn Execution>> {
        self.services.execution(options)
    }

    /// Bit-precise formulas over the program, with a solver of their own, see [`Formulas`]. An error of kind
    /// [`ErrorKind::Unavailable`] says that this host has no solver.
    pub fn formulas(&self) -> Result<Formulas> {
        self.services.formulas().map(Formulas::new)
    }
}

/// The host's side of [`Host`]. All methods may be called from any thread.
pub trait Services: Send + Sync {
    fn log(&self, level: LogLevel, message: &str);

    fn stop_signal(&self) -> StopSignal;

    fn budget(&self) -> Budget {
        Budget::default()
    }

    fn progress(&self, _progress: &Progress) {}

    /// Everything that arrived for this actor in this run, without the first `seen` artifacts.
    fn incoming(&self, _seen: usize) -> Result<Vec<Artifact>> {
        Ok(Vec::new())
    }

    fn publish(&self, _artifact: &Artifact) -> Result<()> {
        Ok(())
    }

    fn note(&self, note: &Note);

    fn parse_expression(&self, _text: &str, _scope: Scope) -> Result<ParsedExpression> {
        Err(PluginError::unavailable("this host does not parse expressions"))
    }

    fn source(&self) -> Result<Option<String>> {
        Ok(None)
    }

    fn read_claims(&self, _given: Option<&str>, _file: &ToolFile) -> Result<ToolClaims> {
        Err(PluginError::unavailable("this host reads no witnesses"))
    }

    /// Runs that it makes end with [`Exit::Cancelled`](execution::Exit::Cancelled) once the stop signal is given.
    fn execution(&self, _options: &ExecutionOptions) -> Result<Box<dyn Execution>> {
        Err(PluginError::unavailable("this host does not execute programs"))
    }

    /// Checks end with "unknown" once the stop signal is given.
    fn formulas(&self) -> Result<Box<dyn FormulaService>> {
        Err(PluginError::unavailable("this host has no solver"))
    }
}

struct Silent {
    stop: StopSignal,
}

impl Services for Silent {
    fn log(&self, _: LogLevel, _: &str) {}

    fn stop_signal(&self) -> StopSignal {
        self.stop.clone()
    }

    fn note(&self, _: &Note) {}
}
