//! `actor`: one actor on its own, the leaf of every composition. Its plugins run in a thread that is left behind if it does not stop.

use crate::compose::check::CheckedActors;
use crate::compose::config::{Actor, ActorKind};
use crate::compose::confirm::confirmed;
use crate::compose::knowledge::Knowledge;
use crate::compose::live_actor::LiveActor;
use crate::compose::part::{Keyword, Part, Step, StepOrder};
use crate::compose::recorder::WorkId;
use crate::compose::run::Composition;
use crate::compose::schema::read_text;
use crate::compose::turn::Turn;
use crate::verdict::{decides, out_of_time};
use crossbeam_channel::{Receiver, RecvTimeoutError, bounded, select};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use tandem_plugin_api::artifact::{Invariants, Outcome};
use tandem_plugin_api::descriptor::ArtifactKind;
use tandem_plugin_api::service::{Artifact, LogLevel, StopReason};
use tandem_plugin_api::task::Inputs;

/// Engines recurse over programs; only what is used is ever backed by memory.
const STACK: usize = 64 << 20;

pub const KEYWORD: Keyword = Keyword {
    key: "actor",
    others: &[],
    read: |reader, entry, _| {
        let name = read_text(reader.problems, "actor", &entry.node)?;
        reader.actor(name, entry.node.place)
    },
};

#[derive(Debug)]
pub struct ActorPart(pub String);

impl Part for ActorPart {
    fn steps(&self) -> Vec<&Step> {
        Vec::new()
    }

    fn actors(&self) -> Vec<&str> {
        vec![&self.0]
    }

    fn order(&self) -> StepOrder {
        StepOrder::OneAfterTheOther
    }

    fn follows_conditions(&self, actors: &CheckedActors<'_>) -> bool {
        actors.need(self, ArtifactKind::Gia)
    }

    fn run(&self, composition: &Arc<Composition>, known: &Knowledge, turn: &Turn) -> Outcome {
        let Some(actor) = composition.config.actor(&self.0) else {
            return Outcome::unknown(format!("there is no actor `{}`", self.0));
        };
        match actor.limit.map(|limit| turn.within(limit)) {
            None => run(composition, actor, known, turn),
            Some(Ok(turn)) => run(composition, actor, known, &turn),
            Some(Err(why)) => Outcome::unknown(why),
        }
    }
}

fn run(composition: &Arc<Composition>, actor: &Actor, known: &Knowledge, turn: &Turn) -> Outcome {
    let live = composition.resting.take(&actor.name).unwrap_or_else(|| LiveActor::new(composition, actor));
    let recorder = composition.recorder.as_ref();
    let work = recorder.map(|recorder| recorder.begin(&actor.name, made_of(actor), composition.residual));
    let own = live.begin(turn);
    let mut outcome = match work_in_thread(composition, live, &known.inputs, work, &own, turn) {
        Ok(Ended { live, outcome }) => {
            if turn.comes_back || composition.config.is_used_again(&actor.name) {
                composition.resting.put(live);
            }
            outcome
        }
        Err(why) => {
            // Whatever the other actors find, the user should know that one failed.
            composition.events.log(&actor.name, LogLevel::Warning, &why);
            let mut failed = Outcome::unknown(format!("actor `{}`: {why}", actor.name));
            failed.statistic("failed", why);
            failed
        }
    };
    let uses_condition = composition.uses_condition(actor);
    if uses_condition {
        outcome.rests_on(&known.grounds);
    }
    let mut outcome = confirmed(outcome, &actor.name, composition.task.task(), &composition.executions);
    if turn.stop.reason() == Some(StopReason::OutOfTime) {
        outcome.verdict = out_of_time(outcome.verdict, turn.is_limited.then_some(&actor.name));
    }
    outcome.answered_by = decides(&outcome).then(|| actor.name.clone());
    if uses_condition {
        // These invariants hold on the paths that the GIA left open, and perhaps not on others: they become claims.
        outcome.invariants = outcome.invariants.map(Invariants::unchecked);
    }
    if let Some(invariants) = &outcome.invariants {
        // For actors that run beside it; one that comes after it gets them with its inputs.
        let artifact = Artifact::Invariants(invariants.clone());
        composition.exchange.publish(&actor.name, &artifact);
        if let Some(recorder) = recorder {
            recorder.published(&actor.name, &artifact, composition.residual);
        }
    }
    if let (Some(recorder), Some(work)) = (recorder, work) {
        recorder.end(work, &outcome);
    }
    outcome
}

/// An actor after a run in which nothing failed.
struct Ended {
    live: LiveActor,
    outcome: Outcome,
}

type Done = (LiveActor, Result<Outcome, String>);

/// Has the actor run in a thread, and waits for its end.
fn work_in_thread(
    composition: &Arc<Composition>,
    mut live: LiveActor,
    inputs: &Inputs,
    work: Option<WorkId>,
    own: &Turn,
    turn: &Turn,
) -> Result<Ended, String> {
    let (sender, receiver) = bounded::<Done>(1);
    let (inputs, recorder, program) =
        (inputs.clone(), composition.recorder.clone(), composition.task.program().clone());
    let name = live.name().to_string();
    let thread = thread::Builder::new().name(name).stack_size(STACK).spawn(move || {
        let result = live.run(&inputs, |arg| {
            if let (Some(recorder), Some(work)) = (&recorder, work) {
                recorder.graph(work, &program, arg);
            }
        });
        // The receiver is gone if the actor was left behind.
        let _ = sender.send((live, result));
    });
    let thread = thread.map_err(|error| format!("no thread could be started: {error}"))?;
    let (live, result) = wait(&receiver, thread, own, turn)?;
    let mut outcome = result?;
    outcome.rests_on(&live.notes());
    Ok(Ended { live, outcome })
}

/// Waits until the actor has ended, or has not stopped in time after it was asked to.
fn wait(receiver: &Receiver<Done>, thread: JoinHandle<()>, own: &Turn, turn: &Turn) -> Result<Done, String> {
    let stopped = own.stop.stopped();
    let done = select! {
        recv(receiver) -> done => done.map_err(|_| RecvTimeoutError::Disconnected),
        recv(stopped) -> _ => receiver.recv_deadline(turn.end_of_grace()),
    };
    match done {
        Ok(done) => Ok(done),
        Err(RecvTimeoutError::Timeout) => {
            let why = match own.stop.reason() {
                Some(StopReason::OutOfTime) => "when its time was over",
                _ => "when it was asked to",
            };
            Err(format!("it did not stop {why}, and was left behind"))
        }
        // The thread ended without a result, which is a mistake in this program.
        Err(RecvTimeoutError::Disconnected) => match thread.join() {
            Err(panic) => std::panic::resume_unwind(panic),
            Ok(()) => Err("it ended without a result".to_string()),
        },
    }
}

/// The plugins of an actor, for people.
fn made_of(actor: &Actor) -> String {
    let names: Vec<&str> = actor.plugins().into_iter().map(|plugin| plugin.plugin.as_str()).collect();
    let kind = match actor.kind {
        ActorKind::Engine(_) => "engine",
        ActorKind::Adapter(_) => "adapter",
        ActorKind::Product { .. } if names.len() == 1 => "analysis",
        ActorKind::Product { .. } => "analyses",
    };
    format!("{kind} {}", names.join(", "))
}
