//! What plugins get from the host while an actor runs: log, progress, limits, cancellation, notes on soundness.

use super::executions::Executions;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tandem_plugin_api::artifact::Soundness;
use tandem_plugin_api::error::{PluginError, Result};
use tandem_plugin_api::service::execution::{Execution, ExecutionOptions};
use tandem_plugin_api::service::formulas::FormulaService;
use tandem_plugin_api::service::{Artifact, Budget, LogLevel, Note, ParsedExpression, Progress, Scope};
use tandem_plugin_api::service::{Services, StopReason, StopSignal};

/// What happens while actors run, for whoever shows it.
pub trait Events: Send + Sync {
    fn log(&self, actor: &str, level: LogLevel, message: &str);
    fn progress(&self, actor: &str, progress: &Progress);
    /// An actor passed this on while it ran.
    fn published(&self, _actor: &str, _artifact: &Artifact) {}
}

/// The host, as the plugins of one actor see it.
pub struct ActorServices {
    actor: String,
    events: Arc<dyn Events>,
    stop: StopSignal,
    deadline: Option<Instant>,
    memory: Option<u64>,
    notes: Mutex<Soundness>,
    executions: Option<Arc<Executions>>,
}

impl ActorServices {
    pub fn new(
        actor: &str,
        events: Arc<dyn Events>,
        stop: StopSignal,
        deadline: Option<Instant>,
        memory: Option<u64>,
    ) -> Self {
        let (notes, executions) = (Mutex::default(), None);
        ActorServices { actor: actor.to_string(), events, stop, deadline, memory, notes, executions }
    }

    /// Lets the actor execute the program that it works on.
    pub fn executing(self, executions: Arc<Executions>) -> Self {
        ActorServices { executions: Some(executions), ..self }
    }

    /// What the plugins said that their work rests on.
    pub fn notes(&self) -> Soundness {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Services for ActorServices {
    fn log(&self, level: LogLevel, message: &str) {
        self.events.log(&self.actor, level, message);
    }

    fn stop_signal(&self) -> StopSignal {
        self.stop.clone()
    }

    fn budget(&self) -> Budget {
        let time = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        Budget { time, memory: self.memory }
    }

    fn progress(&self, progress: &Progress) {
        self.events.progress(&self.actor, progress);
    }

    fn publish(&self, artifact: &Artifact) -> Result<()> {
        self.events.published(&self.actor, artifact);
        Ok(())
    }

    fn note(&self, note: &Note) {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        match note {
            Note::Unsound(what) => notes.unsound(what),
            Note::Convention(what) => notes.convention(what),
        }
    }

    fn formulas(&self) -> Result<Box<dyn FormulaService>> {
        match &self.executions {
            Some(executions) => {
                let solver = crate::smt::solver::start();
                Ok(Box::new(crate::smt::Session::new(executions.program(), solver, self.stop.clone())))
            }
            None => Err(PluginError::unavailable("this actor has no program to make formulas of")),
        }
    }

    fn parse_expression(&self, text: &str, scope: Scope) -> Result<ParsedExpression> {
        match &self.executions {
            Some(executions) => crate::frontend::parse_expression(&executions.program(), text, scope),
            None => Err(PluginError::unavailable("this actor has no program whose names could be used")),
        }
    }

    fn execution(&self, options: &ExecutionOptions) -> Result<Box<dyn Execution>> {
        match &self.executions {
            Some(executions) => executions.start(options, self.stop.clone()),
            None => Err(PluginError::unavailable("this actor cannot execute programs")),
        }
    }
}

/// Stops an actor when its time is up; ends with the actor.
pub struct Timer {
    /// Dropped with the timer, which ends its thread.
    _end: Sender<()>,
}

impl Timer {
    /// `None` where no thread can be started: the limit could not be kept then.
    pub fn start(limit: Duration, stop: StopSignal) -> Option<Timer> {
        let (end, ended) = mpsc::channel::<()>();
        let wait = move || {
            if let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(limit) {
                stop.stop(StopReason::OutOfTime);
            }
        };
        thread::Builder::new().name("timer".into()).spawn(wait).ok().map(|_| Timer { _end: end })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_plugin_api::service::Host;

    struct Deaf;
    impl Events for Deaf {
        fn log(&self, _: &str, _: LogLevel, _: &str) {}
        fn progress(&self, _: &str, _: &Progress) {}
    }

    #[test]
    fn a_timer_stops_its_actor_only_while_it_lives() {
        let stop = StopSignal::new();
        drop(Timer::start(Duration::from_secs(3600), stop.clone()).unwrap());
        assert_eq!(stop.reason(), None);
        let timer = Timer::start(Duration::from_millis(1), stop.clone()).unwrap();
        while stop.reason().is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(stop.reason(), Some(StopReason::OutOfTime));
        drop(timer);
    }

    #[test]
    fn notes_are_kept() {
        let services = Arc::new(ActorServices::new("a", Arc::new(Deaf), StopSignal::new(), None, Some(5)));
        let host = Host::new(services.clone());
        host.unsound("cut off");
        host.convention("function without a body: f");
        assert_eq!(host.budget(), Budget { time: None, memory: Some(5) });
        let notes = services.notes();
        assert_eq!(notes.unsound_steps().collect::<Vec<_>>(), ["cut off"]);
        assert_eq!(notes.conventions().len(), 1);
    }
}
