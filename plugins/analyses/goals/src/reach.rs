//! From where open goals can be reached in the graph. A function may return to each of its callers: calls are not
//! matched, so that a way is never overlooked.

use rustc_hash::FxHashSet;
use tandem_plugin_api::program::{EdgeId, LocationId, Op, Program};

pub struct Reach {
    open: FxHashSet<EdgeId>,
    /// Edges behind which the graph does not show all ways: a proof must not leave them out.
    unclear: Vec<EdgeId>,
    /// By location.
    leads_on: Vec<bool>,
}

impl Reach {
    pub fn new(program: &Program, goals: Vec<EdgeId>) -> Self {
        let unclear = program.edge_ids().filter(|&edge| is_unclear(program, edge)).collect();
        let mut reach = Reach { open: goals.into_iter().collect(), unclear, leads_on: Vec::new() };
        reach.compute(program);
        reach
    }

    fn compute(&mut self, program: &Program) {
        self.leads_on = vec![false; program.locations.len()];
        let mut work: Vec<LocationId> =
            self.open.iter().chain(&self.unclear).map(|&edge| program.edge(edge).from).collect();
        while let Some(at) = work.pop() {
            if std::mem::replace(&mut self.leads_on[at.index()], true) {
                continue;
            }
            work.extend(program.location(at).entering.iter().map(|&edge| program.edge(edge).from));
        }
    }

    /// Whether any of these was open.
    pub fn drop_goals(&mut self, program: &Program, covered: &[EdgeId]) -> bool {
        let before = self.open.len();
        for goal in covered {
            self.open.remove(goal);
        }
        let changed = self.open.len() < before;
        if changed {
            self.compute(program);
        }
        changed
    }

    /// Whether an edge is to be passed even if it leads to no goal.
    pub fn is_wanted(&self, edge: EdgeId) -> bool {
        self.open.contains(&edge) || self.unclear.binary_search(&edge).is_ok()
    }

    /// Whether some way from here leads to an open goal.
    pub fn leads_on(&self, at: LocationId) -> bool {
        self.leads_on[at.index()]
    }

    pub fn open(&self) -> usize {
        self.open.len()
    }
}

/// Unsupported code may do anything, and a function without a body that gets a pointer may call back.
fn is_unclear(program: &Program, edge: EdgeId) -> bool {
    match program.edge(edge).op {
        Op::Unsupported(_) => true,
        Op::External(site) => {
            let arguments = &program.call_site(site).arguments;
            arguments.iter().any(|&argument| program.types.is_pointer(program.exprs.ty(argument)))
        }
        _ => false,
    }
}
