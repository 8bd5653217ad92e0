//! Counterexample-guided abstraction refinement (Clarke et al., CAV 2000) with lazy abstraction (Henzinger et al., POPL 2002):
//! a path to a target is excluded by a finer precision from some point on, or decided by formulas and executed.

use super::algorithm::{Calls, Exploration};
use super::arg::NodeId;
use super::library_functions::place;
use super::path::Paths;
use super::product::{ComponentError, Precisions};
use super::waitlist::Waitlist;
use rustc_hash::{FxHashMap, FxHasher};
use serde::{Deserialize, Serialize};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use tandem_plugin_api::error::ErrorKind;
use tandem_plugin_api::program::EdgeId;
use tandem_plugin_api::query::Feasibility;
use tandem_plugin_api::service::StopReason;
use tandem_plugin_api::task::Property;

type Result<T> = std::result::Result<T, ComponentError>;

/// Which components refine if several could.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RefinementSelection {
    /// The first of the product that can exclude the path.
    #[default]
    First,
    /// All components that can exclude the path.
    All,
}

/// The knowledge about paths to targets.
#[derive(Default)]
pub(super) struct Cegar {
    /// The precisions of the refinements so far; `None` before the first node.
    pub precisions: Option<Precisions>,
    /// How often the precision changed.
    pub generation: u32,
    pub refinements: u64,
    pub restarts: u64,
    /// By a hash of the path: if two paths have the same hash, a candidate may be ignored, which is sound.
    seen: FxHashMap<u64, Seen>,
    paths: Paths,
    /// For tasks that ask for tests: how often a goal was tried without success.
    pub in_vain: FxHashMap<EdgeId, u32>,
}

impl Cegar {
    /// How many paths the solver decided.
    pub fn checked(&self) -> u64 {
        self.paths.checked
    }
}

/// The history of a path.
#[derive(Clone)]
enum Seen {
    /// The abstraction was refined to exclude it, this often.
    Refined(u32),
    /// The path can be neither excluded nor executed.
    GivenUp(Arc<str>),
}

/// The decision about a way to a target.
pub(super) enum Judgement {
    /// The abstraction was refined: the way is gone, and nodes with it.
    Refined,
    /// These inputs should lead there.
    Inputs(Vec<u64>),
    Open {
        why: Arc<str>,
        /// There was less time for it than intended.
        hurried: bool,
    },
    Stopped(StopReason),
}

impl Exploration {
    /// Decides about the way to a target over `edge`, which leaves `parent`, if the components cannot.
    pub(super) fn judge(&mut self, parent: NodeId, edge: EdgeId) -> Result<Judgement> {
        let way = self.arg.way_to(parent);
        let path: Vec<EdgeId> = way.iter().map(|(_, passed)| *passed).chain([edge]).collect();
        let mut hasher = FxHasher::default();
        path.hash(&mut hasher);
        let id = hasher.finish();
        let refined = match self.cegar.seen.get(&id) {
            Some(Seen::GivenUp(why)) => return Ok(Judgement::Open { why: Arc::clone(why), hurried: false }),
            Some(Seen::Refined(times)) => *times,
            None => 0,
        };
        // If the same path comes again, states that stayed in the graph are the cause; if it comes once more,
        // refinement does not help.
        if refined < 2 && self.refine(&way, parent, &path, refined > 0)? {
            self.cegar.seen.insert(id, Seen::Refined(refined + 1));
            return Ok(Judgement::Refined);
        }
        if let Some(reason) = self.host.stopped() {
            return Ok(Judgement::Stopped(reason));
        }
        let judgement = self.ask_solver(&path, edge)?;
        if let Judgement::Open { why, hurried: false } = &judgement {
            self.cegar.seen.insert(id, Seen::GivenUp(Arc::clone(why)));
        }
        Ok(judgement)
    }

    /// Whether some component excludes the path; if so, the graph is cut back.
    fn refine(
        &mut self,
        way: &[(NodeId, EdgeId)],
        parent: NodeId,
        path: &[EdgeId],
        from_the_start: bool,
    ) -> Result<bool> {
        let Some(mut precisions) = self.cegar.precisions.clone() else { return Ok(false) };
        let mut pivot: Option<usize> = None;
        for index in 0..precisions.len() {
            let answer = match self.product.refine(index, path, &precisions[index]) {
                Err(failed) if failed.error.kind == ErrorKind::Stopped => return Ok(false),
                answer => answer?,
            };
            let Some(refinement) = answer else { continue };
            pivot = Some(pivot.map_or(refinement.from, |other| other.min(refinement.from)));
            let mut list = precisions.to_vec();
            list[index] = refinement.precision;
            precisions = list.into();
            if self.settings.refinement == RefinementSelection::First {
                break;
            }
        }
        let Some(pivot) = pivot else { return Ok(false) };
        self.cegar.precisions = Some(precisions);
        self.cegar.generation += 1;
        self.cegar.refinements += 1;
        // Behind the last edge is the target itself.
        let pivot = way.get(pivot).map_or(parent, |(node, _)| *node);
        if from_the_start || self.apart || !self.cut_back_to(pivot) {
            self.start_again()?;
        }
        Ok(true)
    }

    /// Removes everything that was computed from `pivot` on, and puts nodes that lost successors back on the waitlist.
    /// False if the pivot itself depends on what would be removed.
    fn cut_back_to(&mut self, pivot: NodeId) -> bool {
        let Some(doomed) = self.arg.below(pivot) else { return false };
        let is_doomed = |id: &NodeId| doomed.binary_search(id).is_ok();
        self.reached.remove(&doomed, &self.arg);
        self.added.retain(|id| !is_doomed(id));
        self.targets.retain(|(_, node)| !is_doomed(node));
        self.open.retain(|(node, _)| !is_doomed(node));
        self.hurried.retain(|node| !is_doomed(node));
        self.cuts.retain(|(node, _)| !is_doomed(node));
        if let Calls::Merged { exits, .. } = &mut self.calls {
            exits.values_mut().for_each(|list| list.retain(|node| !is_doomed(node)));
        }
        for id in self.arg.remove(&doomed) {
            self.put_back(id);
        }
        self.put_back(pivot);
        true
    }

    /// Explores anew with the precision that was found so far.
    fn start_again(&mut self) -> Result<()> {
        self.cegar.restarts += 1;
        self.arg = Default::default();
        self.reached.clear();
        self.added.clear();
        self.targets.clear();
        self.open.clear();
        self.hurried.clear();
        self.interrupted.clear();
        self.cuts.clear();
        self.waitlist = Waitlist::new(self.settings.order, &self.task.program);
        self.waitlist.seed(self.seed);
        self.add_initial_node()
    }

    /// Targets that were left open for lack of time are removed, and the nodes before them explored again.
    pub(super) fn reopen_hurried(&mut self) {
        let mut nodes = std::mem::take(&mut self.hurried);
        nodes.sort_unstable();
        let is_gone = |id: &NodeId| nodes.binary_search(id).is_ok();
        self.targets.retain(|(_, node)| !is_gone(node));
        self.open.retain(|(node, _)| !is_gone(node));
        for parent in self.arg.remove(&nodes) {
            self.put_back(parent);
        }
    }

    /// Gives a node that waits the precision of all refinements since it was reached.
    pub(super) fn update_precision(&mut self, id: NodeId) {
        let Some(precisions) = &self.cegar.precisions else { return };
        let node = self.arg.node_mut(id);
        if node.generation < self.cegar.generation {
            node.generation = self.cegar.generation;
            node.precision = Arc::clone(precisions);
        }
    }

    fn ask_solver(&mut self, path: &[EdgeId], edge: EdgeId) -> Result<Judgement> {
        let program = Arc::clone(&self.task.program);
        // The effect of a call that must not happen does not matter; a branch must be taken.
        let taken = if self.task.property == Property::CoverBranches { path } else { &path[..path.len() - 1] };
        let found = match self.cegar.paths.feasibility(&self.host, &program, taken) {
            Ok(found) => found,
            Err(error) if error.kind == ErrorKind::Stopped => None,
            Err(error) => Some(Feasibility::Undecided(error.to_string())),
        };
        if let Some(reason) = self.host.stopped() {
            return Ok(Judgement::Stopped(reason));
        }
        let callee = program.called_function(edge).map_or("the target", |f| &program.function(f).name);
        let at = place(&program, edge);
        let mut hurried = false;
        let why = match found {
            Some(Feasibility::Inputs(inputs)) => return Ok(Judgement::Inputs(inputs)),
            Some(Feasibility::Infeasible) => {
                self.tests.infeasible += 1;
                format!("a path leads to {callee} at {at} that no execution takes, and no analysis can exclude it")
            }
            Some(Feasibility::Undecided(why)) => {
                // If states are kept apart, those before the target were given back.
                hurried = self.cegar.paths.hurried && !self.apart;
                format!("a path leads to {callee} at {at}, and whether an execution takes it is not decided: {why}")
            }
            None => format!("a path leads to {callee} at {at}, and whether it is feasible is not checked"),
        };
        Ok(Judgement::Open { why: why.into(), hurried })
    }
}
