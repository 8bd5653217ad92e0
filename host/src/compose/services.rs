//! What plugins get from the host while an actor runs: log, progress, limits, cancellation, notes on soundness.

use super::run::{Composition, Span};
use super::tool_files;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tandem_plugin_api::adapter::{ToolClaims, ToolFile};
use tandem_plugin_api::artifact::Soundness;
use tandem_plugin_api::error::Result;
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
    composition: Arc<Composition>,
    stop: StopSignal,
    deadline: Option<Instant>,
    notes: Mutex<Soundness>,
}

impl ActorServices {
    pub fn new(actor: &str, composition: &Arc<Composition>, span: &Span) -> Self {
        ActorServices {
            actor: actor.to_string(),
            composition: composition.clone(),
            stop: span.stop.clone(),
            deadline: span.deadline,
            notes: Mutex::default(),
        }
    }

    /// What the plugins said that their work rests on.
    pub fn notes(&self) -> Soundness {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Services for ActorServices {
    fn log(&self, level: LogLevel, message: &str) {
        self.composition.events.log(&self.actor, level, message);
    }

    fn stop_signal(&self) -> StopSignal {
        self.stop.clone()
    }

    fn budget(&self) -> Budget {
        let time = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        Budget { time, memory: self.composition.memory }
    }

    fn progress(&self, progress: &Progress) {
        self.composition.events.progress(&self.actor, progress);
    }

    fn incoming(&self, seen: usize) -> Result<Vec<Artifact>> {
        Ok(self.composition.exchange.for_actor(&self.actor, seen))
    }

    fn publish(&self, artifact: &Artifact) -> Result<()> {
        self.composition.exchange.publish(&self.actor, artifact);
        self.composition.events.published(&self.actor, artifact);
        if let Some(recorder) = &self.composition.recorder {
            recorder.published(&self.actor, artifact, self.composition.residual);
        }
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
        let solver = crate::smt::solver::start();
        let program = self.composition.executions.program();
        Ok(Box::new(crate::smt::Session::new(program, solver, self.stop.clone())))
    }

    fn parse_expression(&self, text: &str, scope: Scope) -> Result<ParsedExpression> {
        crate::frontend::parse_expression(&self.composition.executions.program(), text, scope)
    }

    fn source(&self) -> Result<Option<String>> {
        Ok(tool_files::source(&self.composition.executions.program()))
    }

    fn read_claims(&self, given: Option<&str>, file: &ToolFile) -> Result<ToolClaims> {
        tool_files::read(self.composition.task.task(), given, file, &self.stop)
    }

    fn execution(&self, options: &ExecutionOptions) -> Result<Box<dyn Execution>> {
        self.composition.executions.start(options, self.stop.clone())
    }
}

/// Stops an actor when its time is up; ends with the actor.
pub struct Timer {
    /// Dropped with the timer, which ends its thread.
    _end: Sender<()>,
}

/// How often a part of a composition looks whether the whole is stopped.
const POLL: Duration = Duration::from_millis(5);

impl Timer {
    /// `None` where no thread can be started: the limit could not be kept then.
    pub fn start(limit: Duration, stop: StopSignal) -> Option<Timer> {
        Timer::follow(&StopSignal::new(), stop, Some(limit))
    }

    /// Stops `stop` when `whole` is stopped, or when the time is up.
    pub fn follow(whole: &StopSignal, stop: StopSignal, limit: Option<Duration>) -> Option<Timer> {
        let (end, ended) = mpsc::channel::<()>();
        let whole = whole.clone();
        let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
        let watch = move || {
            loop {
                let left = deadline.map_or(POLL, |deadline| deadline.saturating_duration_since(Instant::now()));
                let ended = ended.recv_timeout(left.min(POLL));
                if !matches!(ended, Err(RecvTimeoutError::Timeout)) {
                    return;
                }
                let over = deadline.is_some_and(|deadline| Instant::now() >= deadline);
                if let Some(reason) = whole.reason().or(over.then_some(StopReason::OutOfTime)) {
                    return stop.stop(reason);
                }
            }
        };
        thread::Builder::new().name("timer".into()).spawn(watch).ok().map(|_| Timer { _end: end })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_plugin_api::abi::{SharedProgram, SharedTask};
    use tandem_plugin_api::artifact::Invariants;
    use tandem_plugin_api::program::DataModel;
    use tandem_plugin_api::service::Host;
    use tandem_plugin_api::task::Property;

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

    fn composition() -> Arc<Composition> {
        let program = crate::frontend::load_text("int main(void) { return 0; }", "p.c", DataModel::Ilp32).unwrap();
        let property = Property::UnreachableCall { function: "reach_error".into() };
        let task = SharedTask::new(&SharedProgram::new(Arc::new(program)), property);
        Composition::for_test(&task, Arc::new(Deaf), Some(5))
    }

    #[test]
    fn notes_are_kept() {
        let span = Span { stop: StopSignal::new(), deadline: None };
        let services = Arc::new(ActorServices::new("a", &composition(), &span));
        let host = Host::new(services.clone());
        host.unsound("cut off");
        host.convention("function without a body: f");
        assert_eq!(host.budget(), Budget { time: None, memory: Some(5) });
        let notes = services.notes();
        assert_eq!(notes.unsound_steps().collect::<Vec<_>>(), ["cut off"]);
        assert_eq!(notes.conventions().len(), 1);
    }

    #[test]
    fn what_one_actor_publishes_reaches_the_others_once() {
        let (composition, span) = (composition(), Span { stop: StopSignal::new(), deadline: None });
        let host = |name: &str| Host::new(Arc::new(ActorServices::new(name, &composition, &span)));
        let (a, b) = (host("a"), host("b"));
        a.publish(&Artifact::Invariants(Invariants::new())).unwrap();
        assert_eq!((a.incoming().unwrap().len(), b.incoming().unwrap().len()), (0, 1));
        assert!(b.incoming().unwrap().is_empty());
    }

    #[test]
    fn parts_end_with_the_whole() {
        let (whole, part) = (StopSignal::new(), StopSignal::new());
        let timer = Timer::follow(&whole, part.clone(), Some(Duration::from_secs(3600))).unwrap();
        whole.stop(StopReason::Cancelled);
        while part.reason().is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(part.reason(), Some(StopReason::Cancelled));
        drop(timer);
    }
}
