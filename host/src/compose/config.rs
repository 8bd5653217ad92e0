//! A configuration that was checked as a whole: every name in it exists, every value has its type.
//! Made by `check`, run by `run`.

use crate::cpa::{Order, RefinementSelection, Settings};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use tandem_plugin_api::options::Options;

#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The file it was read from, or the name of a built-in one.
    pub name: String,
    pub about: String,
    pub actors: Vec<Actor>,
    pub run: Run,
}

impl Config {
    /// An actor of the `run` tree; the check made sure that it exists.
    pub fn actor(&self, name: &str) -> Option<&Actor> {
        self.actors.iter().find(|actor| actor.name == name)
    }
}

/// Which actors run, and how they work together.
#[derive(Clone, Debug, PartialEq)]
pub enum Run {
    /// One actor on its own.
    Actor(String),
    /// One after the other, until one has the answer. Each gets what those before it found.
    Sequence(Vec<Step>),
    /// All at once; the first answer ends the others. What one publishes, the others get while they run.
    Race(Vec<Step>),
    /// All at once, each to its own end.
    Parallel(Vec<Step>),
    /// On the residual program that a reducer makes of the program and of what is known (a conditional verifier, or tester).
    Reduced { reducer: PluginUse, isolation: Isolation, then: Box<Run> },
}

impl Run {
    /// The names of all actors in it, in the order of the text.
    pub fn actors(&self) -> Vec<&str> {
        match self {
            Run::Actor(name) => vec![name],
            Run::Sequence(steps) | Run::Race(steps) | Run::Parallel(steps) => {
                steps.iter().flat_map(|step| step.run.actors()).collect()
            }
            Run::Reduced { then, .. } => then.actors(),
        }
    }
}

/// A part of a composition, and what it may use of the time.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub run: Run,
    pub limit: Option<Duration>,
    /// In percent of the time that is left when the step starts.
    pub share: Option<u32>,
}

impl Step {
    /// The same as a part of its own.
    pub fn into_run(self) -> Run {
        match self {
            Step { run, limit: None, share: None } => run,
            limited => Run::Sequence(vec![limited]),
        }
    }

    /// Of the time that is left when it starts, what the step may use; `None` is all of it.
    pub fn time(&self, left: Option<Duration>) -> Option<Duration> {
        let share = self.share.zip(left).map(|(percent, left)| left * percent / 100);
        [share, self.limit].into_iter().flatten().min()
    }
}

/// Where plugins run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Isolation {
    /// In a thread of this process.
    #[default]
    Thread,
    /// In a process of their own, which may use this much memory: whatever they do costs their own result only.
    Process { memory: Option<u64> },
}

/// A leaf of the composition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Actor {
    pub name: String,
    pub kind: ActorKind,
    /// Of this actor alone; the limit of the command line holds for the whole run.
    pub limit: Option<Duration>,
    pub isolation: Isolation,
}

impl Actor {
    pub fn plugins(&self) -> Vec<&PluginUse> {
        match &self.kind {
            ActorKind::Product { analyses, .. } => analyses.iter().collect(),
            ActorKind::Engine(plugin) | ActorKind::Adapter(plugin) => vec![plugin],
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ActorKind {
    /// A product of analyses, run by the host's CPA algorithm.
    Product { analyses: Vec<PluginUse>, settings: Settings },
    /// A whole procedure.
    Engine(PluginUse),
    /// A tool of others, with the plugin that translates.
    Adapter(PluginUse),
}

/// A plugin with its options: all that it has, defaults filled in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PluginUse {
    pub plugin: String,
    pub options: Options,
}

/// How configurations name the orders of the CPA algorithm's waitlist.
pub const ORDERS: [(&str, Order); 7] = [
    ("reverse-postorder", Order::ReversePostorder),
    ("breadth-first", Order::BreadthFirst),
    ("depth-first", Order::DepthFirst),
    ("random-path", Order::RandomPath),
    ("coverage", Order::Coverage),
    ("loop-iterations", Order::LoopIterations),
    ("interleaved", Order::Interleaved),
];

/// How configurations name where actors run.
pub const ISOLATIONS: [&str; 2] = ["thread", "process"];

/// Which analyses of a product refine where several could.
pub const REFINEMENTS: [(&str, RefinementSelection); 2] =
    [("first", RefinementSelection::First), ("all", RefinementSelection::All)];
