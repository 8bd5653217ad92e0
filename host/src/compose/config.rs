//! A configuration that was checked as a whole: every name in it exists, every value has its type.
//! Made by `check`, run by `run`.

use super::part::Step;
use super::parts::actor::ActorPart;
use crate::cpa::{Order, RefinementSelection, Settings};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;
use tandem_plugin_api::options::Options;

#[derive(Clone, Debug)]
pub struct Config {
    /// The file it was read from, or the name of a built-in one.
    pub name: String,
    pub about: String,
    pub actors: Vec<Actor>,
    /// Which actors run, and how they work together.
    pub run: Step,
}

impl Config {
    /// For plugins that run on their own.
    pub fn empty() -> Self {
        let run = Step::without_limits(Arc::new(ActorPart(String::new())));
        Config { name: String::new(), about: String::new(), actors: Vec::new(), run }
    }

    /// Whether an actor stands in several places, so that it is needed after its run.
    pub fn is_used_again(&self, name: &str) -> bool {
        self.run.part.actors().into_iter().filter(|used| *used == name).count() > 1
    }

    /// An actor of the `run` tree; the check made sure that it exists.
    pub fn actor(&self, name: &str) -> Option<&Actor> {
        self.actors.iter().find(|actor| actor.name == name)
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
    /// An external tool, with the plugin that translates for it.
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

/// Which analyses of a product refine where several could, if any.
pub const REFINEMENTS: [(&str, RefinementSelection); 3] =
    [("none", RefinementSelection::None), ("first", RefinementSelection::First), ("all", RefinementSelection::All)];
