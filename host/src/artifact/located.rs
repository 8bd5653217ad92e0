//! A GIA whose states know where in the program a path is: it covers the same paths of the program, and no paths that
//! the program does not have. Two such automata contradict each other only on paths of the program.

use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use tandem_plugin_api::artifact::{Acceptance, Condition, EdgeSet, Gia, GiaBuilder, Inconsistent, StateId};
use tandem_plugin_api::program::{CallSiteId, EdgeId, LocationId, Op, Program};

/// If there would be more states there is no located automaton, since using it would take too long.
const MOST_STATES: usize = 200_000;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Node {
    state: StateId,
    at: LocationId,
    calls: Vec<CallSiteId>,
}

/// The combiner for automata over one program. A contradiction counts only on a path of the program, which automata alone do not
/// know.
pub fn combine_on(program: &Program, first: &Gia, second: &Gia) -> Result<Gia, Inconsistent> {
    let error = match first.combine(second) {
        Ok(gia) => return Ok(gia),
        Err(error) => error,
    };
    match (located(first, program), located(second, program)) {
        (Some(first), Some(second)) => first.combine(&second),
        _ => Err(error),
    }
}

/// `None` if it would have too many states, as with recursion.
pub fn located(gia: &Gia, program: &Program) -> Option<Gia> {
    let entry = program.entry()?;
    let mut product = Product {
        gia,
        program,
        builder: GiaBuilder::new(),
        nodes: FxHashMap::default(),
        ends: FxHashMap::default(),
        work: VecDeque::new(),
    };
    let start = Node { state: gia.initial(), at: entry, calls: Vec::new() };
    let settled = matches!(gia.acceptance(start.state), Acceptance::Ut | Acceptance::Rt);
    if settled {
        return Some(gia.clone());
    }
    let initial = product.node(start);
    if gia.acceptance(gia.initial()) == Acceptance::Cand {
        let end = product.end(gia.initial());
        product.builder.transition(initial, EdgeSet::any(), Condition::always(), end);
    }
    while let Some(node) = product.work.pop_front() {
        product.expand(&node)?;
        if product.builder.len() > MOST_STATES {
            return None;
        }
    }
    product.builder.build(initial).ok()
}

struct Product<'a> {
    gia: &'a Gia,
    program: &'a Program,
    builder: GiaBuilder,
    nodes: FxHashMap<Node, StateId>,
    /// The state in which paths stay once they are covered.
    ends: FxHashMap<StateId, StateId>,
    work: VecDeque<Node>,
}

impl Product<'_> {
    fn node(&mut self, node: Node) -> StateId {
        if let Some(&id) = self.nodes.get(&node) {
            return id;
        }
        let state = self.gia.state(node.state);
        let name = format!("{} @{} #{}", state.name, node.at.index(), self.nodes.len());
        let id = self.builder.state_with_invariant(name, state.invariant.clone(), Acceptance::None);
        self.nodes.insert(node.clone(), id);
        self.work.push_back(node);
        id
    }

    fn end(&mut self, state: StateId) -> StateId {
        if let Some(&id) = self.ends.get(&state) {
            return id;
        }
        let end = self.gia.state(state);
        let id = self.builder.state_with_invariant(end.name.clone(), end.invariant.clone(), end.acceptance);
        self.builder.transition(id, EdgeSet::any(), Condition::always(), id);
        self.ends.insert(state, id);
        id
    }

    fn expand(&mut self, node: &Node) -> Option<()> {
        let source = self.nodes[node];
        for &edge in &self.program.location(node.at).leaving {
            let Some(calls) = self.calls_after(node, edge)? else { continue };
            let at = self.program.edge(edge).to;
            for transition in self.gia.leaving(node.state).iter().filter(|t| t.edges.contains(edge)) {
                let acceptance = self.gia.acceptance(transition.target);
                if acceptance != Acceptance::None {
                    let end = self.end(transition.target);
                    self.builder.transition(source, edge, transition.condition.clone(), end);
                }
                if matches!(acceptance, Acceptance::None | Acceptance::Cand) {
                    let next = self.node(Node { state: transition.target, at, calls: calls.clone() });
                    self.builder.transition(source, edge, transition.condition.clone(), next);
                }
            }
        }
        Some(())
    }

    /// The stack of calls after the edge. Inner `None`: the edge cannot be passed. Outer `None`: recursion.
    fn calls_after(&self, node: &Node, edge: EdgeId) -> Option<Option<Vec<CallSiteId>>> {
        let mut calls = node.calls.clone();
        match self.program.edge(edge).op {
            Op::Call(site) if calls.contains(&site) => return None,
            Op::Call(site) => calls.push(site),
            Op::Resume(site) => match calls.pop() {
                Some(open) if open == site => {}
                _ => return Some(None),
            },
            _ => {}
        }
        Some(Some(calls))
    }
}
