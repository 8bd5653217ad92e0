//! A run of the analyses on a task, and all that is needed to go on with it: reachability, the refinement around it, and the judge of ways
//! to targets. Partial results stay usable.

use super::arg::Arg;
use super::goals::Goals;
use super::judge::Judge;
use super::product::{Component, ComponentError, Product};
use super::reachability::Reachability;
use super::refinement::{RefinementSelection, Refiner};
use super::target::OpenTargets;
use super::waitlist::Order;
use super::{Node, NodeId, Openness};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tandem_plugin_api::artifact::{Precision, Soundness};
use tandem_plugin_api::error::ErrorKind;
use tandem_plugin_api::program::EdgeId;
use tandem_plugin_api::service::{Host, StopReason};
use tandem_plugin_api::task::{Inputs, Task};

type Result<T> = std::result::Result<T, ComponentError>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    pub order: Order,
    /// Calls that are nested deeper are not followed, and noted as unsound.
    pub max_call_depth: u32,
    pub refinement: RefinementSelection,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { order: Order::default(), max_call_depth: 100, refinement: RefinementSelection::default() }
    }
}

/// Why an exploration ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Nothing is left to explore.
    Complete,
    /// A target was reached, and one is all that was asked for; or no goal is open.
    TargetReached,
    /// An analysis asked to stop at one of its states.
    AnalysisBroke,
    Stopped(StopReason),
}

/// Counts for reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub expanded: u64,
    pub merged: u64,
    pub covered: u64,
}

/// See the module.
pub struct Exploration {
    pub(super) reach: Reachability,
    pub(super) refiner: Refiner,
    pub(super) judge: Judge,
    pub(super) open: OpenTargets,
    /// The components' statistics about themselves.
    pub(super) statistics: Vec<(String, String)>,
    /// The precision of the components, for others.
    pub(super) exported: Option<Precision>,
}

impl Exploration {
    pub fn new(task: &Arc<Task>, components: Vec<Component>, settings: Settings) -> Self {
        Exploration {
            reach: Reachability::new(task, components, settings),
            refiner: Refiner::new(settings.refinement),
            judge: Judge::default(),
            open: OpenTargets::default(),
            statistics: Vec::new(),
            exported: None,
        }
    }

    pub fn arg(&self) -> &Arg {
        &self.reach.arg
    }

    pub fn product(&self) -> &Product {
        &self.reach.product
    }

    /// The goals of a question for tests. Those that others cover in here are passed over from then on.
    pub fn goals(&self) -> &Arc<Goals> {
        &self.reach.goals
    }

    /// What the result rests on, as far as the host knows; plugins note their part with their host.
    pub fn soundness(&self) -> Soundness {
        let mut notes = self.reach.soundness.clone();
        self.reach.cuts.iter().for_each(|(_, reason)| notes.unsound(reason.clone()));
        notes
    }

    /// Explores, from where the last run ended. A precision among the inputs is used from there on.
    ///
    /// All runs have the same host: solvers and executions that components got from it stay in use, and so does its
    /// signal. To go on after a stop, the caller takes the signal back ([`StopSignal::renew`]).
    ///
    /// [`StopSignal::renew`]: tandem_plugin_api::service::StopSignal::renew
    pub fn run(&mut self, inputs: &Inputs, host: &Host) -> Result<End> {
        let is_first = self.reach.precisions.is_none();
        if !is_first && !self.reach.host.stop_signal().same(host.stop_signal()) {
            return Err(self.product().failure("an exploration goes on with the host that it began with"));
        }
        self.reach.host = host.clone();
        self.reach.product.start(inputs, host)?;
        self.use_precision(inputs)?;
        let end = match self.begin(inputs).and_then(|()| self.search()) {
            Err(failed) => End::Stopped(stopped_by(host, failed)?),
            Ok(end) => end,
        };
        let end = self.finish(end, host)?;
        if let Some(precisions) = &self.reach.precisions {
            self.exported = Some(self.product().export_precisions(precisions)?).filter(|found| !found.is_empty());
        }
        self.product().health()?;
        Ok(end)
    }

    fn use_precision(&mut self, inputs: &Inputs) -> Result<()> {
        let base = self.reach.precisions.as_ref();
        let precisions = self.product().given_precisions(base, inputs)?;
        match base.is_some() && inputs.precision.is_some() {
            true => self.reach.use_precisions(precisions),
            false => self.reach.precisions = Some(precisions),
        }
        Ok(())
    }

    /// Makes the initial node, or checks again the targets for which the time was too short.
    fn begin(&mut self, inputs: &Inputs) -> Result<()> {
        if !self.reach.arg.is_empty() {
            self.reach.reopen(&self.open.take_hurried());
        }
        self.reach.begin(inputs)
    }

    /// Lets the components finish. If they are asked to stop meanwhile, their checks may be incomplete: the end is then
    /// that of a stopped run.
    fn finish(&mut self, end: End, host: &Host) -> Result<End> {
        match self.reach.product.finish(end == End::Complete) {
            Ok(statistics) => self.statistics = statistics,
            Err(failed) => return stopped_by(host, failed).map(End::Stopped),
        }
        Ok(match host.stopped() {
            Some(reason) if end == End::Complete => End::Stopped(reason),
            _ => end,
        })
    }

    /// Bytes of the graph and its index, without what the plugins' states take.
    pub fn bytes(&self) -> usize {
        self.reach.arg.bytes() + self.reach.reached.bytes()
    }

    /// How often the abstraction was refined.
    pub fn refinements(&self) -> u32 {
        self.reach.generation
    }

    /// How many states still wait.
    pub fn waiting(&self) -> usize {
        let is_waiting = |node: &Node| node.openness == Openness::Waiting;
        self.arg().nodes().filter(|(_, node)| is_waiting(node)).count()
    }

    /// The first target that was reached: its edge, and the node behind it.
    pub fn first_target(&self) -> Option<(EdgeId, NodeId)> {
        self.reach.targets.first().copied()
    }
}

/// The host's stop reason, if a component failed because of it.
pub(super) fn stopped_by(host: &Host, failed: ComponentError) -> Result<StopReason> {
    match host.stopped() {
        Some(reason) if failed.error.kind == ErrorKind::Stopped => Ok(reason),
        _ => Err(failed),
    }
}
