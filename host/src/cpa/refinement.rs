//! Refinement with lazy abstraction (Henzinger et al., POPL 2002): a path to a target is excluded by a finer precision, and the
//! graph is cut back to where that precision matters.

use super::product::ComponentError;
use super::reachability::Reachability;
use super::target::{Removed, Way};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use tandem_plugin_api::error::ErrorKind;

type Result<T> = std::result::Result<T, ComponentError>;

/// Which components refine if several could.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RefinementSelection {
    /// None, and no solver is asked either: the exploration ends at a path to a target, which is a candidate for others.
    None,
    /// The first of the product that can exclude the path.
    #[default]
    First,
    /// All components that can exclude the path.
    All,
}

/// So often a refinement may exclude one path. The same path again says that states which stayed are to blame; and once more, that
/// refinement is no use.
const MOST_TIMES: u32 = 2;

/// Finds finer precisions.
pub(super) struct Refiner {
    selection: RefinementSelection,
    /// By path: how often the abstraction was refined to exclude it.
    tried: FxHashMap<u64, u32>,
    pub refinements: u64,
    pub restarts: u64,
}

impl Refiner {
    pub fn new(selection: RefinementSelection) -> Self {
        Refiner { selection, tried: FxHashMap::default(), refinements: 0, restarts: 0 }
    }

    /// Whether there is any: without it, ways to targets are not judged at all.
    pub fn is_wanted(&self) -> bool {
        self.selection != RefinementSelection::None
    }

    /// Lets components exclude the way. The exploration goes on with a finer precision then, from where that matters; none if the way
    /// cannot be excluded.
    pub fn refine(&mut self, reach: &mut Reachability, way: &Way) -> Result<Option<Removed>> {
        let times = self.tried.get(&way.id).copied().unwrap_or(0);
        if times >= MOST_TIMES {
            return Ok(None);
        }
        let Some(from) = self.find_precisions(reach, way)? else { return Ok(None) };
        self.tried.insert(way.id, times + 1);
        self.refinements += 1;
        // Behind the last edge is the target itself.
        let pivot = way.steps.get(from).map_or(way.parent, |(node, _)| *node);
        let can_stay = times == 0 && !reach.apart;
        if let Some(removed) = can_stay.then(|| reach.cut_back_to(pivot)).flatten() {
            return Ok(Some(Removed::Nodes(removed)));
        }
        self.restarts += 1;
        reach.start_again()?;
        Ok(Some(Removed::Everything))
    }

    /// Gives the exploration precisions that exclude the way; after how many of its edges they matter.
    fn find_precisions(&self, reach: &mut Reachability, way: &Way) -> Result<Option<usize>> {
        let Some(mut precisions) = reach.precisions.clone() else { return Ok(None) };
        let mut first: Option<usize> = None;
        for index in 0..precisions.len() {
            let answer = match reach.product.refine(index, &way.path, &precisions[index]) {
                Err(failed) if failed.error.kind == ErrorKind::Stopped => return Ok(None),
                answer => answer?,
            };
            let Some(refinement) = answer else { continue };
            first = Some(first.map_or(refinement.from, |other| other.min(refinement.from)));
            let mut list = precisions.to_vec();
            list[index] = refinement.precision;
            precisions = list.into();
            if self.selection == RefinementSelection::First {
                break;
            }
        }
        if first.is_some() {
            reach.use_precisions(precisions);
        }
        Ok(first)
    }
}
