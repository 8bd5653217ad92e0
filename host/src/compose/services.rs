//! The host as the plugins of an actor see it: services whose log, exchange and files are those of the composition.

use super::run::Composition;
use super::tool_files;
use super::turn::Turn;
use crate::services::{Exchange, Files, HostServices, Log};
use std::sync::Arc;
use tandem_plugin_api::adapter::{ToolClaims, ToolFile};
use tandem_plugin_api::error::Result;
use tandem_plugin_api::service::{Artifact, LogLevel, Progress, Services, StopSignal};

/// Receives what happens while actors run, to show it.
pub trait Events: Send + Sync {
    fn log(&self, actor: &str, level: LogLevel, message: &str);
    fn progress(&self, actor: &str, progress: &Progress);
    /// An actor passed this on while it ran.
    fn published(&self, _actor: &str, _artifact: &Artifact) {}
}

/// The services for an actor, or for another plugin of a composition, in all its runs.
pub fn for_actor(name: &str, composition: &Arc<Composition>) -> Arc<HostServices> {
    let seat = Seat { actor: name.to_string(), composition: Arc::clone(composition) };
    let services = HostServices::of(&composition.executions.program())
        .with_memory(composition.memory)
        .with_log(seat.clone())
        .with_exchange(seat.clone())
        .with_execution(Arc::clone(&composition.executions))
        .with_files(seat);
    Arc::new(services)
}

/// Begins a run, which ends with this turn. The returned turn has the signal that the plugins see; the run is over when the turn is
/// dropped.
pub fn begin(services: &HostServices, turn: &Turn) -> Turn {
    services.set_deadline(turn.deadline);
    turn.with(turn.stop.child_with(services.stop_signal()))
}

/// An actor's place in a composition.
#[derive(Clone)]
struct Seat {
    actor: String,
    composition: Arc<Composition>,
}

impl Log for Seat {
    fn log(&self, level: LogLevel, message: &str) {
        self.composition.events.log(&self.actor, level, message);
    }

    fn progress(&self, progress: &Progress) {
        self.composition.events.progress(&self.actor, progress);
    }
}

impl Exchange for Seat {
    fn incoming(&self, seen: usize) -> Vec<Artifact> {
        self.composition.exchange.for_actor(&self.actor, seen)
    }

    fn publish(&self, artifact: &Artifact) {
        self.composition.exchange.publish(&self.actor, artifact);
        self.composition.events.published(&self.actor, artifact);
        if let Some(recorder) = &self.composition.recorder {
            recorder.published(&self.actor, artifact, self.composition.residual);
        }
    }
}

impl Files for Seat {
    fn source(&self) -> Option<String> {
        tool_files::source(&self.composition.executions.program())
    }

    fn claims(&self, given: Option<&str>, file: &ToolFile, stop: &StopSignal) -> Result<ToolClaims> {
        tool_files::read(self.composition.task.task(), given, file, stop)
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
    fn what_one_actor_publishes_reaches_the_others_once() {
        let program = crate::frontend::load_text("int main(void) { return 0; }", "p.c", DataModel::Ilp32).unwrap();
        let property = Property::UnreachableCall { function: "reach_error".into() };
        let task = SharedTask::new(&SharedProgram::new(Arc::new(program)), property);
        let composition = Composition::for_test(&task, Arc::new(Deaf), Some(5));
        let host = |name: &str| Host::new(for_actor(name, &composition));
        let (a, b) = (host("a"), host("b"));
        a.publish(&Artifact::Invariants(Invariants::new())).unwrap();
        assert_eq!((a.incoming().unwrap().len(), b.incoming().unwrap().len()), (0, 1));
        assert!(b.incoming().unwrap().is_empty());
        assert_eq!(a.budget().memory, Some(5));
    }
}
