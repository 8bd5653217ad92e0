//! Checks the claims of a witness. A correctness witness becomes a program with its invariants as checks; a violation
//! witness becomes a program in which only runs that follow it fail. The verifiers' results for that program decide.

mod automaton;
mod claims;
mod correctness;
mod inductive;
mod violation;

pub use crate::artifact::witness::Document;
pub use claims::{Claim, Claims, Reading, read};
use inductive::Induction;
pub use inductive::proven;

use crate::compose::{self, Config, Events, Stop, Surroundings};
use crate::plugins::Registry;
use crate::services::Executions;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;
use tandem_plugin_api::abi::SharedTask;
use tandem_plugin_api::artifact::Outcome;
use tandem_plugin_api::task::{Inputs, Task};

/// The result of validating a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// All claims were proven, or a run that follows it was executed and reached the error.
    Confirmed,
    /// An execution shows that a claim is wrong, or it is proven that no run follows the witness.
    Refuted(String),
    Unknown(String),
}

impl Answer {
    pub fn name(&self) -> &'static str {
        match self {
            Answer::Confirmed => "confirmed",
            Answer::Refuted(_) => "refuted",
            Answer::Unknown(_) => "unknown",
        }
    }

    pub fn reason(&self) -> Option<&str> {
        match self {
            Answer::Confirmed => None,
            Answer::Refuted(reason) | Answer::Unknown(reason) => Some(reason),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason() {
            None => f.write_str(self.name()),
            Some(reason) => write!(f, "{} ({reason})", self.name()),
        }
    }
}

/// The verifiers that decide about programs with checks, and their limits.
pub struct Prover {
    pub config: Arc<Config>,
    pub registry: Arc<Registry>,
    pub events: Arc<dyn Events>,
    pub stop: Stop,
    pub deadline: Option<Instant>,
    pub memory: Option<u64>,
}

impl Prover {
    fn run(&self, task: &SharedTask, inputs: Inputs) -> Outcome {
        let surroundings = Surroundings {
            registry: Arc::clone(&self.registry),
            events: Arc::clone(&self.events),
            stop: self.stop.clone(),
            deadline: self.deadline,
            memory: self.memory,
            executions: Executions::of(task.program()),
            inputs,
            recorder: None,
        };
        compose::run(&self.config, task, surroundings)
    }
}

/// Decides about the claims of a witness.
pub fn validate(task: &Task, reading: &Reading, prover: &Prover) -> Answer {
    let answer = match &reading.claims {
        Claims::Invariants(list) => correctness::validate(task, list, prover),
        Claims::Violation { gia, inputs } => violation::validate(task, gia, inputs, prover),
    };
    // The parts that were left out are not checked; a refutation of the rest stands.
    match (answer, reading.left_out.first()) {
        (Answer::Confirmed, Some(part)) => Answer::Unknown(format!("all else is confirmed, but {part}")),
        (Answer::Refuted(reason), _) if !reading.everywhere => {
            Answer::Unknown(format!("its automaton may not mean every visit of this place: {reason}"))
        }
        (answer, _) => answer,
    }
}
