//! The services of the host for running plugins, put together of parts: log, time, notes, exchange, formulas, execution, files of tools. The
//! caller chooses the parts; a plugin that asks for another one gets an error or nothing.

mod executions;

pub use executions::Executions;

use crate::{frontend, smt};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tandem_plugin_api::adapter::{ToolClaims, ToolFile};
use tandem_plugin_api::artifact::Soundness;
use tandem_plugin_api::error::{PluginError, Result};
use tandem_plugin_api::program::Program;
use tandem_plugin_api::service::execution::{Execution, ExecutionOptions};
use tandem_plugin_api::service::formulas::FormulaService;
use tandem_plugin_api::service::{Artifact, Budget, LogLevel, Note, ParsedExpression, Progress, Scope};
use tandem_plugin_api::service::{Services, StopSignal};

/// Receives the log and the progress of plugins.
pub trait Log: Send + Sync {
    fn log(&self, level: LogLevel, message: &str);

    fn progress(&self, _progress: &Progress) {}
}

/// Passes artifacts between actors that run.
pub trait Exchange: Send + Sync {
    /// All artifacts of other actors, but the first `seen`.
    fn incoming(&self, seen: usize) -> Vec<Artifact>;

    fn publish(&self, artifact: &Artifact);
}

/// The program as native code.
pub trait Execute: Send + Sync {
    /// A new execution, whose runs end when the signal is given.
    fn start(&self, options: &ExecutionOptions, stop: StopSignal) -> Result<Box<dyn Execution>>;
}

/// The files that tools of others read and write.
pub trait Files: Send + Sync {
    /// The text that the program was read from, where it means the program and nothing else.
    fn source(&self) -> Option<String>;

    /// The claims about the program in a file that a tool wrote.
    fn claims(&self, given: Option<&str>, file: &ToolFile, stop: &StopSignal) -> Result<ToolClaims>;
}

/// The host, as the plugins of one actor see it in all their runs. Expressions and formulas are always there.
pub struct HostServices {
    program: Arc<Program>,
    /// The same in all runs, since solvers and executions that plugins keep have it, too.
    stop: StopSignal,
    /// Of the run that goes on.
    deadline: Mutex<Option<Instant>>,
    memory: Option<u64>,
    notes: Mutex<Soundness>,
    log: Option<Box<dyn Log>>,
    exchange: Option<Box<dyn Exchange>>,
    execute: Option<Box<dyn Execute>>,
    files: Option<Box<dyn Files>>,
}

impl HostServices {
    /// A host without limits and without a log, an exchange, executions and files.
    pub fn of(program: &Arc<Program>) -> Self {
        HostServices {
            program: Arc::clone(program),
            stop: StopSignal::new(),
            deadline: Mutex::default(),
            memory: None,
            notes: Mutex::default(),
            log: None,
            exchange: None,
            execute: None,
            files: None,
        }
    }

    pub fn with_stop(self, stop: StopSignal) -> Self {
        HostServices { stop, ..self }
    }

    pub fn with_memory(self, memory: Option<u64>) -> Self {
        HostServices { memory, ..self }
    }

    pub fn with_log(self, log: impl Log + 'static) -> Self {
        HostServices { log: Some(Box::new(log)), ..self }
    }

    pub fn with_exchange(self, exchange: impl Exchange + 'static) -> Self {
        HostServices { exchange: Some(Box::new(exchange)), ..self }
    }

    pub fn with_execution(self, execute: impl Execute + 'static) -> Self {
        HostServices { execute: Some(Box::new(execute)), ..self }
    }

    pub fn with_files(self, files: impl Files + 'static) -> Self {
        HostServices { files: Some(Box::new(files)), ..self }
    }

    /// Begins a run, which ends at this deadline.
    pub fn set_deadline(&self, deadline: Option<Instant>) {
        *self.deadline.lock().unwrap_or_else(PoisonError::into_inner) = deadline;
    }

    /// The plugins' notes on what their work rests on, in all runs so far.
    pub fn notes(&self) -> Soundness {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Forgets all notes, since the results that rest on them are dropped.
    pub fn forget_notes(&self) {
        *self.notes.lock().unwrap_or_else(PoisonError::into_inner) = Soundness::clean();
    }
}

impl Services for HostServices {
    fn log(&self, level: LogLevel, message: &str) {
        if let Some(log) = &self.log {
            log.log(level, message);
        }
    }

    fn stop_signal(&self) -> StopSignal {
        self.stop.clone()
    }

    fn budget(&self) -> Budget {
        let deadline = *self.deadline.lock().unwrap_or_else(PoisonError::into_inner);
        let time = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        Budget { time, memory: self.memory }
    }

    fn progress(&self, progress: &Progress) {
        if let Some(log) = &self.log {
            log.progress(progress);
        }
    }

    fn incoming(&self, seen: usize) -> Result<Vec<Artifact>> {
        Ok(self.exchange.as_ref().map_or_else(Vec::new, |exchange| exchange.incoming(seen)))
    }

    fn publish(&self, artifact: &Artifact) -> Result<()> {
        if let Some(exchange) = &self.exchange {
            exchange.publish(artifact);
        }
        Ok(())
    }

    fn note(&self, note: &Note) {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        match note {
            Note::Unsound(what) => notes.unsound(what),
            Note::Convention(what) => notes.convention(what.clone()),
        }
    }

    fn parse_expression(&self, text: &str, scope: Scope) -> Result<ParsedExpression> {
        frontend::parse_expression(&self.program, text, scope)
    }

    fn source(&self) -> Result<Option<String>> {
        Ok(self.files.as_ref().and_then(|files| files.source()))
    }

    fn read_claims(&self, given: Option<&str>, file: &ToolFile) -> Result<ToolClaims> {
        let files = self.files.as_ref().ok_or_else(|| PluginError::unavailable("this host reads no witnesses"))?;
        files.claims(given, file, &self.stop)
    }

    fn execution(&self, options: &ExecutionOptions) -> Result<Box<dyn Execution>> {
        let execute =
            self.execute.as_ref().ok_or_else(|| PluginError::unavailable("this host does not execute programs"))?;
        execute.start(options, self.stop.clone())
    }

    fn formulas(&self) -> Result<Box<dyn FormulaService>> {
        Ok(Box::new(smt::Session::new(Arc::clone(&self.program), smt::solver::start(), self.stop.clone())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::load_text;
    use tandem_plugin_api::error::ErrorKind;
    use tandem_plugin_api::program::DataModel;
    use tandem_plugin_api::service::Host;

    fn program() -> Arc<Program> {
        Arc::new(load_text("int main(void) { return 0; }", "p.c", DataModel::Ilp32).unwrap())
    }

    #[test]
    fn notes_are_kept() {
        let services = Arc::new(HostServices::of(&program()).with_memory(Some(5)));
        let host = Host::new(services.clone());
        host.unsound("cut off");
        host.convention("function without a body: f");
        assert_eq!(host.budget(), Budget { time: None, memory: Some(5) });
        let notes = services.notes();
        assert_eq!(notes.unsound_steps().collect::<Vec<_>>(), ["cut off"]);
        assert_eq!(notes.conventions().len(), 1);
        services.forget_notes();
        assert!(services.notes().is_clean());
    }

    #[test]
    fn parts_that_are_left_out_are_not_there() {
        let host = Host::new(Arc::new(HostServices::of(&program())));
        let missing = host.execution(&ExecutionOptions::default()).err().map(|error| error.kind);
        assert_eq!(missing, Some(ErrorKind::Unavailable));
        assert!(host.incoming().unwrap().is_empty() && host.source().unwrap().is_none());
        assert!(host.formulas().is_ok() && host.parse_expression("1 + 1", Scope::Global).is_ok());
        let host = Host::new(Arc::new(HostServices::of(&program()).with_execution(Executions::of(&program()))));
        assert!(host.execution(&ExecutionOptions::default()).is_ok());
    }
}
