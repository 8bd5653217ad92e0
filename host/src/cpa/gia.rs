//! The results of an exploration for others: its graph as a GIA (Def. 2 of the GIA paper; the condition of Alg. 1 of
//! CoVeriTest where only ut counts), and the invariants of its loop heads.

use super::arg::{Node, NodeId, Openness};
use super::exploration::{End, Exploration};
use super::product::ComponentError;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use tandem_plugin_api::artifact::{
    Acceptance, Condition, Gia, GiaBuilder, Invariant, InvariantKind, Invariants, StateId,
};
use tandem_plugin_api::program::{EdgeId, EdgeNames, FunctionId, LocationId, LocationNames};

/// Larger graphs are not passed on: when time is up, little of it is left for that.
const MOST_NODES: usize = 100_000;
/// A larger automaton is not built: passing it on would cost more time than it can save.
const MOST_STATES: usize = 20_000;
/// Longer disjunctions are left out, since verifiers cannot use them.
const MOST_DISJUNCTS: usize = 20;

/// Where transitions lead.
struct Ends<'u> {
    explored: StateId,
    /// Only tasks that ask for tests have goals.
    goal: Option<StateId>,
    states: FxHashMap<NodeId, StateId>,
    unfinished: &'u [bool],
}

impl Exploration {
    /// The explored paths as `ut`, those to targets that are not excluded as candidates; the paths that wait are in no
    /// accepting state. `None` if it would be too large. A confirmed target is described by its test: the graph's ways
    /// to it need not all be executions, and `rt` is for executions only.
    pub fn gia(&self) -> Option<Gia> {
        if self.reach.arg.is_empty() || self.reach.arg.bound() > MOST_NODES {
            return None;
        }
        let unfinished = self.unfinished();
        let states = unfinished.iter().filter(|open| **open).count();
        if states == 0 {
            return Some(Gia::all_ut());
        }
        (states <= MOST_STATES).then(|| self.automaton(&unfinished)).flatten()
    }

    fn automaton(&self, unfinished: &[bool]) -> Option<Gia> {
        let mut builder = GiaBuilder::new();
        let explored = builder.sink("explored", Acceptance::Ut);
        let mut states: FxHashMap<NodeId, StateId> = FxHashMap::default();
        for (id, node) in self.reach.arg.nodes().filter(|(id, _)| unfinished[id.index()]) {
            if matches!(node.openness, Openness::Covered(_)) {
                continue;
            }
            let name = format!("{}", id.0);
            let state = match node.openness {
                Openness::Target => builder.sink(name, Acceptance::Cand),
                // The states' invariants hold on all paths to them: as conditions they would add nothing, and cost
                // readers of the automaton a branch each. Those of loop heads are passed on separately.
                _ => builder.state(name, Acceptance::None),
            };
            states.insert(id, state);
        }
        let goal = self.reach.task.property.is_coverage().then(|| builder.sink("goal", Acceptance::Cand));
        let wanted = Ends { explored, goal, states, unfinished };
        for (id, node) in self.reach.arg.nodes() {
            let Some(&source) = wanted.states.get(&id) else { continue };
            if matches!(node.openness, Openness::Expanded | Openness::Waiting) {
                self.transitions(&mut builder, node, source, &wanted);
            }
        }
        builder.build(*wanted.states.get(&NodeId(0))?).ok()
    }

    fn transitions(&self, builder: &mut GiaBuilder, node: &Node, source: StateId, ends: &Ends<'_>) {
        // Of what waits, some successors may be there and others not: only the targets are told.
        let is_expanded = node.openness == Openness::Expanded;
        let is_told = |child: NodeId| is_expanded || self.reach.arg.node(child).openness == Openness::Target;
        for &edge in &self.reach.task.program.location(node.location).leaving {
            let mut children: Vec<NodeId> = node
                .children
                .iter()
                .filter(|(over, child)| *over == edge && is_told(*child))
                .map(|(_, child)| self.continues_at(*child))
                .collect();
            children.sort_unstable();
            children.dedup();
            if children.is_empty() && !is_expanded {
                continue;
            }
            let open = |child: &NodeId| ends.unfinished[child.index()];
            let to = match children[..] {
                [_, ..] if self.is_open_goal(edge) => ends.goal,
                // Edges without a successor cannot be passed.
                _ if !children.iter().any(open) => Some(ends.explored),
                [child] => ends.states.get(&child).copied(),
                // A path is ut if one run along it accepts: so if several states stand for it together, none of them
                // may accept.
                _ => None,
            };
            if let Some(to) = to {
                builder.transition(source, edge, Condition::always(), to);
            }
        }
    }

    /// For tasks that ask for tests: a goal that no test covers yet. A covered goal is no longer a target.
    fn is_open_goal(&self, edge: EdgeId) -> bool {
        self.reach.task.property.is_coverage() && self.reach.task.is_target(edge) && !self.reach.goals.is_covered(edge)
    }

    /// Where the paths of a node go on.
    fn continues_at(&self, mut id: NodeId) -> NodeId {
        while let Openness::Covered(coverer) = self.reach.arg.node(id).openness {
            id = coverer;
        }
        id
    }

    /// By number of the node: whether an unexplored node or a target comes after it.
    fn unfinished(&self) -> Vec<bool> {
        let mut open = vec![false; self.reach.arg.bound()];
        let is_open = |node: &Node| {
            matches!(node.openness, Openness::Waiting | Openness::Target | Openness::Cut) || self.is_unproven(node)
        };
        let leads_to_goal = |node: &Node| node.children.iter().any(|(edge, _)| self.is_open_goal(*edge));
        let open_nodes = self.reach.arg.nodes().filter(|(_, node)| is_open(node) || leads_to_goal(node));
        let mut work: Vec<NodeId> = open_nodes.map(|(id, _)| id).collect();
        while let Some(id) = work.pop() {
            if !std::mem::replace(&mut open[id.index()], true) {
                let node = self.reach.arg.node(id);
                work.extend(node.parents.iter().map(|(parent, _)| *parent).chain(node.covering.iter().copied()));
            }
        }
        open
    }

    /// Whether checks of the node's state are put off. If the component cannot be asked, the state counts as not
    /// proven.
    fn is_unproven(&self, node: &Node) -> bool {
        node.unproven || (!node.parts.is_empty() && self.reach.product.is_unproven(&node.parts).unwrap_or(true))
    }

    fn invariant_of(&self, node: &Node) -> Result<Option<String>, ComponentError> {
        // If states are kept apart, explored ones were given back.
        if node.parts.is_empty() { Ok(None) } else { self.reach.product.invariant(&node.parts, node.location) }
    }

    /// The invariants of loop heads: one of the states that were reached there holds. Proven only if nothing was left
    /// out.
    pub fn loop_invariants(&self, end: &End) -> Result<Invariants, ComponentError> {
        let program = &self.reach.task.program;
        if self.reach.arg.bound() > MOST_NODES {
            return Ok(Invariants::new());
        }
        let mut reached: BTreeMap<LocationId, Option<Vec<String>>> = BTreeMap::new();
        let functions = (0..program.functions.len()).map(FunctionId::new);
        for head in functions.flat_map(|function| program.loop_heads(function)) {
            reached.insert(head, Some(Vec::new()));
        }
        let mut complete = *end == End::Complete && self.soundness().objection(false).is_none();
        for (_, node) in self.reach.arg.nodes() {
            complete &= !matches!(node.openness, Openness::Target | Openness::Cut | Openness::Waiting);
            let is_known = matches!(node.openness, Openness::Expanded | Openness::Waiting);
            let Some(list) = reached.get_mut(&node.location).filter(|_| is_known) else { continue };
            let Some(texts) = list else { continue };
            match self.invariant_of(node)? {
                Some(text) if texts.contains(&text) => {}
                Some(text) if texts.len() < MOST_DISJUNCTS => texts.push(text),
                _ => *list = None,
            }
        }
        reached.retain(|_, texts| texts.as_ref().is_some_and(|texts| !texts.is_empty()));
        if reached.is_empty() {
            return Ok(Invariants::new());
        }
        let names = LocationNames::new(program, &EdgeNames::new(program));
        let invariant = |(head, texts): (LocationId, Option<Vec<String>>)| {
            let texts = texts.unwrap_or_default();
            let text = if texts.len() == 1 { texts.concat() } else { format!("({})", texts.join(") || (")) };
            let is_loop = program.loops.iter().any(|known| known.head == head);
            let function = &program.function(program.location(head).function).name;
            Invariant {
                location: names.name(head).clone(),
                kind: if is_loop { InvariantKind::Loop } else { InvariantKind::Location },
                expression: Condition::in_function(function.clone(), text),
                origin: self.reach.product.names(),
                checked: complete,
            }
        };
        Ok(reached.into_iter().map(invariant).collect())
    }
}
