//! The host for analyses that are checked: all services are there, but no execution ends at a target, so that a found
//! error does not end the exploration.

use crate::exec::{Executable, Runner};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tandem_plugin_api::artifact::Soundness;
use tandem_plugin_api::error::{PluginError, Result};
use tandem_plugin_api::program::Program;
use tandem_plugin_api::service::execution::{Execution, ExecutionOptions};
use tandem_plugin_api::service::formulas::FormulaService;
use tandem_plugin_api::service::{Budget, LogLevel, Note, ParsedExpression, Scope, Services, StopReason, StopSignal};

pub struct KitServices {
    program: Arc<Program>,
    stop: StopSignal,
    deadline: Instant,
    notes: Mutex<Soundness>,
}

impl KitServices {
    pub fn new(program: &Arc<Program>, time: Duration) -> Self {
        KitServices {
            program: Arc::clone(program),
            stop: StopSignal::new(),
            deadline: Instant::now() + time,
            notes: Mutex::default(),
        }
    }

    /// The notes of the analyses.
    pub fn notes(&self) -> Soundness {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Stops all work when the time is up, for as long as the result lives.
    pub fn watch(&self, time: Duration) -> Watch {
        let (end, ended) = mpsc::channel::<()>();
        let stop = self.stop.clone();
        let wait = move || {
            if let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(time) {
                stop.stop(StopReason::OutOfTime);
            }
        };
        // Without a thread there is no limit, and the check takes longer.
        let _ = std::thread::Builder::new().name("time of a check".into()).spawn(wait);
        Watch { _end: end }
    }
}

/// Ends its thread when it is dropped.
pub struct Watch {
    _end: Sender<()>,
}

impl Services for KitServices {
    fn log(&self, _: LogLevel, _: &str) {}

    fn stop_signal(&self) -> StopSignal {
        self.stop.clone()
    }

    fn budget(&self) -> Budget {
        Budget { time: Some(self.deadline.saturating_duration_since(Instant::now())), memory: None }
    }

    fn note(&self, note: &Note) {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        match note {
            Note::Unsound(what) => notes.unsound(what),
            Note::Convention(what) => notes.convention(what),
        }
    }

    fn parse_expression(&self, text: &str, scope: Scope) -> Result<ParsedExpression> {
        crate::frontend::parse_expression(&self.program, text, scope)
    }

    fn execution(&self, options: &ExecutionOptions) -> Result<Box<dyn Execution>> {
        let options = ExecutionOptions { targets: Vec::new(), ..options.clone() };
        let cannot = |message: String| PluginError::unsupported(format!("the program cannot be executed: {message}"));
        let executable =
            Executable::compile(Arc::clone(&self.program), &options).map_err(|error| cannot(error.message))?;
        let runner = Runner::with_stop_signal(executable, self.stop.clone()).map_err(|error| cannot(error.message))?;
        Ok(Box::new(runner))
    }

    fn formulas(&self) -> Result<Box<dyn FormulaService>> {
        let solver = crate::smt::solver::start();
        Ok(Box::new(crate::smt::Session::new(Arc::clone(&self.program), solver, self.stop.clone())))
    }
}
