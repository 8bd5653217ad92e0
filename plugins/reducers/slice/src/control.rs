//! Which branches decide whether a location is reached, after Ferrante, Ottenstein & Warren (TOPLAS 1987): a location depends on a branch
//! if it comes after one side of it whatever happens, but not after both.

use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::{FunctionId, LocationId};

/// If there were more pairs of a location and a branch, they would need too much memory: the program is left as it is.
const MOST_PAIRS: usize = 20_000_000;

/// Control dependence inside of all functions; a call counts as a step to where it returns.
#[derive(Default)]
pub struct Control {
    /// By location, the branches on which it depends.
    pub branches: Vec<Vec<LocationId>>,
    /// By location, the next one to which all ways from there lead, if the function has one.
    pub joins: Vec<Option<LocationId>>,
}

impl Control {
    /// `None` if that would be too large.
    pub fn of(program: &Program) -> Option<Self> {
        let count = program.locations.len();
        let mut control = Control { branches: vec![Vec::new(); count], joins: vec![None; count] };
        let mut pairs = 0;
        for function in 0..program.functions.len() {
            let order = program.reverse_postorder(FunctionId::new(function));
            control.find_joins(program, &order);
            for &branch in &order {
                pairs += control.add_branch(program, branch);
                if pairs > MOST_PAIRS {
                    return None;
                }
            }
        }
        Some(control)
    }

    /// Immediate postdominators. Locations from which no way leads to the end of the function get one, so that
    /// everything inside of an endless loop depends on all branches there.
    fn find_joins(&mut self, program: &Program, order: &[LocationId]) {
        let mut backwards: DiGraph<(), (), u32> = DiGraph::with_capacity(order.len() + 1, order.len() * 2);
        let end = backwards.add_node(());
        let nodes: FxHashMap<LocationId, NodeIndex> = order.iter().map(|&at| (at, backwards.add_node(()))).collect();
        for &at in order {
            let mut leaves = false;
            for (_, to) in program.local_successors(at) {
                leaves = true;
                backwards.add_edge(nodes[&to], nodes[&at], ());
            }
            if !leaves {
                backwards.add_edge(end, nodes[&at], ());
            }
        }
        let mut ends = vec![false; order.len() + 1];
        let mut search = petgraph::visit::Dfs::new(&backwards, end);
        while let Some(node) = search.next(&backwards) {
            ends[node.index()] = true;
        }
        for at in order.iter().map(|at| nodes[at]).filter(|at| !ends[at.index()]) {
            backwards.add_edge(end, at, ());
        }
        let dominators = simple_fast(&backwards, end);
        for &at in order {
            let join = dominators.immediate_dominator(nodes[&at]).filter(|&join| join != end);
            self.joins[at.index()] = join.map(|join| order[join.index() - 1]);
        }
    }

    /// Adds the branch to all locations from each of its sides to where the sides meet; returns how many there are.
    fn add_branch(&mut self, program: &Program, branch: LocationId) -> usize {
        let sides: Vec<LocationId> = program.local_successors(branch).map(|(_, to)| to).collect();
        if sides.len() < 2 {
            return 0;
        }
        let mut pairs = 0;
        let meeting = self.joins[branch.index()];
        for side in sides {
            let mut at = Some(side);
            while let Some(here) = at.filter(|_| at != meeting) {
                if self.branches[here.index()].last() != Some(&branch) {
                    self.branches[here.index()].push(branch);
                }
                pairs += 1;
                at = self.joins[here.index()];
            }
        }
        pairs
    }
}
