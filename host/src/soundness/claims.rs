//! The claims of an analysis about a program: explores the program, with refinement, and takes the invariants of all
//! states of every location. Errors do not end the exploration, so that the graph is whole.

use super::services;
use crate::cpa::{Component, End, Exploration, Openness, Settings};
use crate::plugins::LoadedPlugin;
use crate::services::HostServices;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;
use tandem_plugin_api::abi::{SharedProgram, SharedTask};
use tandem_plugin_api::error::{ErrorKind, PluginError};
use tandem_plugin_api::options::Options;
use tandem_plugin_api::program::{EdgeId, LocationId, Program};
use tandem_plugin_api::service::Host;
use tandem_plugin_api::task::{Inputs, Property};

/// Beyond this number of alternatives, only whether their location may be reached is checked.
const MOST_STATES: usize = 300;

/// The analysis that is checked, and those that run in a product with it.
#[derive(Clone)]
pub struct Subject {
    pub analysis: Part,
    pub partners: Vec<Part>,
}

/// A plugin with its options.
#[derive(Clone)]
pub struct Part {
    pub plugin: LoadedPlugin,
    pub options: Options,
}

impl Part {
    /// With the plugin's own defaults.
    pub fn plain(plugin: &LoadedPlugin) -> Self {
        let options = plugin.options([]).unwrap_or_default();
        Part { plugin: plugin.clone(), options }
    }
}

impl Subject {
    pub fn alone(analysis: Part) -> Self {
        Subject { analysis, partners: Vec::new() }
    }

    fn parts(&self) -> impl Iterator<Item = &Part> {
        std::iter::once(&self.analysis).chain(&self.partners)
    }
}

/// An analysis's claims about a program.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    /// For every location that is reached, the invariants of its states, of which one must hold; `None` stands for a
    /// state that allows everything.
    pub at: BTreeMap<LocationId, Vec<Option<String>>>,
    /// Target edges that may be taken.
    pub targets: BTreeSet<EdgeId>,
}

/// Why a program is not checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoClaims {
    /// Not a mistake of the analysis: the analysis gave up with a reason, or the time is up.
    Skipped(String),
    /// The analysis failed.
    Failed(String),
}

/// A finished exploration.
pub struct Explored {
    pub exploration: Exploration,
    pub task: SharedTask,
    pub services: Arc<HostServices>,
}

/// The task that is asked of random programs.
pub fn task(program: &Arc<Program>) -> SharedTask {
    let property = Property::UnreachableCall { function: "reach_error".into() };
    SharedTask::new(&SharedProgram::new(Arc::clone(program)), property)
}

/// Explores everything that a program can do. Where the analysis noted unsound steps its claims are not checked, unless
/// `despite_notes`: for programs that are known not to behave in ways that such notes are about.
pub fn explore(
    subject: &Subject,
    program: &Arc<Program>,
    time: Duration,
    despite_notes: bool,
) -> Result<Explored, NoClaims> {
    let task = task(program);
    let services = Arc::new(services::for_checks(program, time));
    let host = Host::new(services.clone());
    let watch = services::watch(&services, time);
    let mut components = Vec::new();
    for Part { plugin, options } in subject.parts() {
        let name = plugin.descriptor.name.clone();
        let instance = plugin.analysis(&task, options, &host).map_err(|error| no_claims(&name, &error))?;
        components.push(Component { name, instance });
    }
    let mut exploration = Exploration::new(task.task(), components, Settings::default());
    let end = exploration.run(&Inputs::default(), &host);
    drop(watch);
    let end = end.map_err(|failed| no_claims(&failed.component, &failed.error))?;
    let skipped = match end {
        End::Complete if despite_notes => None,
        End::Complete => {
            let notes = [services.notes(), exploration.soundness()];
            let noted = notes.iter().any(|notes| notes.unsound_steps().len() > 0);
            noted.then_some("the analysis noted an unsound step")
        }
        End::Stopped(_) => Some("the exploration did not end in time"),
        End::TargetReached => Some("the analysis ended the exploration at a target of its own"),
        End::AnalysisBroke => Some("the analysis ended the exploration"),
    };
    match skipped {
        Some(why) => Err(NoClaims::Skipped(why.into())),
        None => Ok(Explored { exploration, task, services }),
    }
}

fn no_claims(analysis: &str, error: &PluginError) -> NoClaims {
    match error.kind {
        ErrorKind::Stopped => NoClaims::Skipped("the exploration did not end in time".into()),
        ErrorKind::Unsupported | ErrorKind::Unavailable => {
            NoClaims::Skipped(format!("`{analysis}` does not take it: {}", error.message))
        }
        _ => NoClaims::Failed(format!("analysis `{analysis}` failed: {error}")),
    }
}

impl Explored {
    /// Covered states lie within those that cover them, and claim nothing of their own.
    pub fn claims(&self) -> Result<Claims, NoClaims> {
        let mut claims = Claims::default();
        for (_, node) in self.exploration.arg().nodes() {
            claims
                .targets
                .extend(node.children.iter().map(|(edge, _)| *edge).filter(|edge| self.task.task().is_target(*edge)));
            if node.openness != Openness::Expanded {
                continue;
            }
            let known = claims.at.entry(node.location).or_default();
            let says_nothing = known.len() > MOST_STATES || known.contains(&None);
            // Where states are kept apart, explored ones may have been dropped.
            let claim = match node.parts.is_empty() || says_nothing {
                true => None,
                false => {
                    let claim = self.exploration.product().invariant(&node.parts, node.location);
                    claim.map_err(|failed| no_claims(&failed.component, &failed.error))?
                }
            };
            if !known.contains(&claim) {
                known.push(claim);
            }
        }
        Ok(claims)
    }
}
