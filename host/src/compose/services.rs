//! The services of the host for plugins while an actor runs: log, progress, limits, cancellation, notes on soundness.

use super::run::Composition;
use super::tool_files;
use super::turn::Turn;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tandem_plugin_api::adapter::{ToolClaims, ToolFile};
use tandem_plugin_api::artifact::Soundness;
use tandem_plugin_api::error::Result;
use tandem_plugin_api::service::execution::{Execution, ExecutionOptions};
use tandem_plugin_api::service::formulas::FormulaService;
use tandem_plugin_api::service::{Artifact, Budget, LogLevel, Note, ParsedExpression, Progress, Scope};
use tandem_plugin_api::service::{Services, StopSignal};

/// Receives what happens while actors run, to show it.
pub trait Events: Send + Sync {
    fn log(&self, actor: &str, level: LogLevel, message: &str);
    fn progress(&self, actor: &str, progress: &Progress);
    /// An actor passed this on while it ran.
    fn published(&self, _actor: &str, _artifact: &Artifact) {}
}

/// The host, as the plugins of one actor see it in all their runs.
pub struct ActorServices {
    actor: String,
    composition: Arc<Composition>,
    /// The same in all runs, since solvers and executions that plugins keep have it, too.
    stop: StopSignal,
    /// Of the run that goes on.
    deadline: Mutex<Option<Instant>>,
    notes: Mutex<Soundness>,
}

impl ActorServices {
    pub fn new(actor: &str, composition: &Arc<Composition>) -> Self {
        ActorServices {
            actor: actor.to_string(),
            composition: composition.clone(),
            stop: StopSignal::new(),
            deadline: Mutex::default(),
            notes: Mutex::default(),
        }
    }

    /// Begins a run, which ends with this turn. The returned turn has the signal that the plugins see; the run is over
    /// when the turn is dropped.
    pub fn begin(&self, turn: &Turn) -> Turn {
        *self.deadline.lock().unwrap_or_else(PoisonError::into_inner) = turn.deadline;
        turn.with(turn.stop.child_with(self.stop.clone()))
    }

    /// The plugins' notes on what their work rests on.
    pub fn notes(&self) -> Soundness {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Forgets all notes, since the results that rest on them are dropped.
    pub fn forget_notes(&self) {
        *self.notes.lock().unwrap_or_else(PoisonError::into_inner) = Soundness::clean();
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
        let deadline = *self.deadline.lock().unwrap_or_else(PoisonError::into_inner);
        let time = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
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

    fn composition() -> Arc<Composition> {
        let program = crate::frontend::load_text("int main(void) { return 0; }", "p.c", DataModel::Ilp32).unwrap();
        let property = Property::UnreachableCall { function: "reach_error".into() };
        let task = SharedTask::new(&SharedProgram::new(Arc::new(program)), property);
        Composition::for_test(&task, Arc::new(Deaf), Some(5))
    }

    #[test]
    fn notes_are_kept() {
        let services = Arc::new(ActorServices::new("a", &composition()));
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
        let composition = composition();
        let host = |name: &str| Host::new(Arc::new(ActorServices::new(name, &composition)));
        let (a, b) = (host("a"), host("b"));
        a.publish(&Artifact::Invariants(Invariants::new())).unwrap();
        assert_eq!((a.incoming().unwrap().len(), b.incoming().unwrap().len()), (0, 1));
        assert!(b.incoming().unwrap().is_empty());
    }
}
