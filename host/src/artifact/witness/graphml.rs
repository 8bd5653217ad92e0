//! Witnesses in the GraphML format 1.0: automata over control-flow edges, read and written.
//! Nothing is fetched and no entity is expanded but XML's own five, whatever a file declares.

mod write;
mod xml;

use super::places::{base_name, on_line};
use super::{Metadata, Position, invariants, result, violation};
use crate::artifact::condition_automaton::Translated;
use crate::artifact::hints;
use crate::diagnostic::Diagnostic;
use std::collections::{BTreeMap, BTreeSet};
use tandem_plugin_api::artifact::{
    Acceptance, Condition, EdgeSet, Gia, GiaBuilder, InvariantKind, Invariants, StateId,
};
use tandem_plugin_api::program::{EdgeId, EdgeNames, LocationId, LocationNames, Loop, Op, Program, Span};

pub use write::{write_invariants, write_violation};
pub use xml::parse;

/// A file in this format. Data is kept by key; keys that are not known are kept as well.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GraphWitness {
    pub metadata: Metadata,
    pub is_violation: bool,
    pub nodes: Vec<GraphNode>,
    pub edges: Vec<GraphEdge>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GraphNode {
    pub id: String,
    pub data: BTreeMap<String, String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GraphEdge {
    /// Indices of nodes.
    pub source: usize,
    pub target: usize,
    pub data: BTreeMap<String, String>,
}

impl GraphNode {
    pub fn is(&self, key: &str) -> bool {
        self.data.get(key).is_some_and(|value| value == "true")
    }
}

/// The witness as a GIA: paths to a violation are candidates; invariants are hints.
pub fn gia(witness: &GraphWitness, program: &Program, file: &str) -> Result<Translated<Gia>, Diagnostic> {
    if witness.is_violation {
        return violation_gia(witness, program, file);
    }
    let invariants = invariants_of(witness, program);
    let gia = hints::gia_of_invariants(&invariants.result, program);
    Ok(Translated { result: gia, notes: invariants.notes })
}

/// An invariant of a node, and where an edge to it leads.
pub struct PlacedInvariant {
    pub text: String,
    /// The head of a loop with its line; `None` if it is not clear which place is meant.
    pub at: Option<(LocationId, u32)>,
    /// Whether every visit of the place enters the node, whatever the path before.
    pub everywhere: bool,
}

/// The invariants of nodes, for each edge to them.
pub fn placed_invariants(witness: &GraphWitness, program: &Program) -> Vec<PlacedInvariant> {
    let mut found = Vec::new();
    for edge in &witness.edges {
        let node = &witness.nodes[edge.target];
        let Some(text) = node.data.get("invariant").filter(|text| !text.trim().is_empty()) else { continue };
        let is_head = edge.data.get("enterLoopHead").is_some_and(|value| value == "true");
        let lines = Lines::of(edge).filter(|_| is_head);
        let scope = node.data.get("invariant.scope").filter(|scope| !scope.is_empty());
        let there = |l: &&Loop| {
            let named = scope.is_none_or(|scope| program.function(l.function).name == *scope);
            named && lines.as_ref().is_some_and(|lines| lines.contain(program, l.keyword))
        };
        let at = match program.loops.iter().filter(there).collect::<Vec<_>>().as_slice() {
            [only] => Some((only.head, only.keyword.physical_line)),
            _ => None,
        };
        let from_all = (0..witness.nodes.len()).all(|source| {
            let same = |other: &GraphEdge| other.target == edge.target && other.data == edge.data;
            let mut leaving = witness.edges.iter().filter(|other| other.source == source);
            source == edge.target || witness.nodes[source].is("entry") || leaving.any(same)
        });
        found.push(PlacedInvariant { text: text.trim().to_string(), at, everywhere: from_all });
    }
    // Paths begin at a node that nothing leads to.
    let entered = |node: usize| witness.edges.iter().any(|edge| edge.target == node);
    for (_, node) in witness.nodes.iter().enumerate().filter(|(index, _)| !entered(*index)) {
        if let Some(text) = node.data.get("invariant").filter(|text| !matches!(text.trim(), "" | "true" | "1")) {
            found.push(PlacedInvariant { text: text.clone(), at: None, everywhere: false });
        }
    }
    found
}

/// The invariants of nodes, at the places where the edges to them lead.
pub fn invariants_of(witness: &GraphWitness, program: &Program) -> Translated<Invariants> {
    let names = LocationNames::new(program, &EdgeNames::new(program));
    let mut found = Invariants::new();
    let mut notes = BTreeSet::new();
    for PlacedInvariant { text, at, .. } in placed_invariants(witness, program) {
        let Some((head, _)) = at else {
            notes.insert(format!("the place of the invariant `{text}` is not that of one loop: it is left out"));
            continue;
        };
        let origin = &witness.metadata.producer;
        found.insert(invariants::of_location(program, &names, head, InvariantKind::Loop, &text, origin));
    }
    Translated { result: found, notes: notes.into_iter().collect() }
}

/// The inputs that the shortest way to the violation names: where each may be read, and its text.
pub fn inputs(witness: &GraphWitness, program: &Program) -> Vec<(Vec<EdgeId>, String)> {
    let entry = witness.nodes.iter().position(|node| node.is("entry")).unwrap_or(0);
    let mut from: BTreeMap<usize, &GraphEdge> = BTreeMap::new();
    let mut queue = std::collections::VecDeque::from([entry]);
    let mut leaving: Vec<Vec<&GraphEdge>> = vec![Vec::new(); witness.nodes.len()];
    witness.edges.iter().for_each(|edge| leaving[edge.source].push(edge));
    let mut end = None;
    while let Some(at) = queue.pop_front() {
        if witness.nodes[at].is("violation") {
            end = Some(at);
            break;
        }
        for edge in &leaving[at] {
            if edge.target != entry && !from.contains_key(&edge.target) {
                from.insert(edge.target, edge);
                queue.push_back(edge.target);
            }
        }
    }
    let (mut found, mut at) = (Vec::new(), end);
    while let Some(edge) = at.and_then(|at| from.get(&at)) {
        let value = edge.data.get("assumption").and_then(|text| result::named_value(text));
        found.extend(value.map(|value| (matching(edge, program), value)));
        at = Some(edge.source);
    }
    found.reverse();
    found
}

fn number(edge: &GraphEdge, key: &str) -> Option<u32> {
    edge.data.get(key).and_then(|text| text.trim().parse().ok())
}

/// The lines that a guard names.
struct Lines {
    first: Position,
    last: u32,
}

impl Lines {
    fn of(edge: &GraphEdge) -> Option<Self> {
        let line = number(edge, "startline")?;
        let file = edge.data.get("originfile").map_or("", |file| base_name(file)).to_string();
        let last = number(edge, "endline").unwrap_or(line).max(line);
        Some(Lines { first: Position { file, line, column: None, function: None }, last })
    }

    fn contain(&self, program: &Program, span: Span) -> bool {
        let near = |line: u32| (self.first.line..=self.last).contains(&line);
        let at = |line: u32| near(line) && on_line(program, span, &Position { line, ..self.first.clone() });
        at(span.physical_line) || at(span.line)
    }
}

/// A guard that only says that `main` is entered, where every path begins.
fn is_start(edge: &GraphEdge, program: &Program) -> bool {
    let main = &program.function(program.main).name;
    edge.data.get("enterFunction") == Some(main)
        && !edge.data.keys().any(|key| ["control", "assumption", "returnFromFunction"].contains(&key.as_str()))
}

fn violation_gia(witness: &GraphWitness, program: &Program, file: &str) -> Result<Translated<Gia>, Diagnostic> {
    let mut notes = BTreeSet::new();
    let mut builder = GiaBuilder::new();
    let mut ids: Vec<StateId> = Vec::with_capacity(witness.nodes.len());
    for node in &witness.nodes {
        ids.push(match (node.is("violation"), node.is("sink")) {
            (true, _) => builder.sink(node.id.as_str(), Acceptance::Cand),
            (_, true) => builder.state(node.id.as_str(), Acceptance::None),
            // At edges that no guard matches the automaton stays where it is.
            _ => builder.sink(node.id.as_str(), Acceptance::None),
        });
    }
    let entry = witness.nodes.iter().position(|node| node.is("entry")).unwrap_or(0);
    let mut leaving: Vec<Vec<&GraphEdge>> = vec![Vec::new(); witness.nodes.len()];
    witness.edges.iter().for_each(|edge| leaving[edge.source].push(edge));
    for source in 0..witness.nodes.len() {
        for edge in from_start(source, &leaving, program) {
            let edges = matching(edge, program);
            // Each call puts its result into another place.
            let is_result = edge.data.get("assumption").is_some_and(|text| text.contains("\\result"));
            let groups: Vec<Vec<EdgeId>> =
                if is_result { edges.into_iter().map(|edge| vec![edge]).collect() } else { vec![edges] };
            for edges in groups {
                let condition = condition(edge, &edges, program);
                if condition.is_none() {
                    let text = &edge.data["assumption"];
                    notes.insert(format!("the assumption `{text}` cannot be used, and is left out"));
                }
                let found = if edges.len() == program.edges.len() { EdgeSet::any() } else { EdgeSet::of(edges) };
                builder.transition(ids[source], found, condition.unwrap_or_default(), ids[edge.target]);
            }
        }
    }
    let gia = builder.build(ids[entry]).map_err(|error| Diagnostic::new(error.to_string()).in_file(file))?;
    Ok(Translated { result: gia, notes: notes.into_iter().collect() })
}

/// The edges that leave a node. At the start of a path, also those behind edges that only enter main.
fn from_start<'w>(source: usize, leaving: &[Vec<&'w GraphEdge>], program: &Program) -> Vec<&'w GraphEdge> {
    let mut from = vec![source];
    let mut found = Vec::new();
    let mut next = 0;
    while let Some(&at) = from.get(next) {
        next += 1;
        for edge in &leaving[at] {
            if !is_start(edge, program) {
                found.push(*edge);
            } else if !from.contains(&edge.target) {
                from.push(edge.target);
            }
        }
    }
    found
}

/// Our edges that fit all guards that are supported.
fn matching(guard: &GraphEdge, program: &Program) -> Vec<EdgeId> {
    let lines = Lines::of(guard);
    let fits = |id: &EdgeId| {
        let edge = program.edge(*id);
        let name = |at| &program.function(program.location(at).function).name;
        let line = lines.as_ref().is_none_or(|lines| lines.contain(program, edge.span));
        let control = match guard.data.get("control").map(String::as_str) {
            Some("condition-true") => matches!(edge.op, Op::Assume { holds: true, .. }),
            Some("condition-false") => matches!(edge.op, Op::Assume { holds: false, .. }),
            _ => true,
        };
        let called = program.called_function(*id).map(|function| &program.function(function).name);
        let enters = guard.data.get("enterFunction").is_none_or(|function| called == Some(function));
        let returns = guard
            .data
            .get("returnFromFunction")
            .is_none_or(|function| matches!(edge.op, Op::Resume(_)) && name(edge.from) == function);
        let result = guard.data.get("assumption.resultfunction").is_none_or(|function| called == Some(function));
        let head = guard.data.get("enterLoopHead").is_none_or(|value| value != "true")
            || program.loops.iter().any(|l| l.head == edge.to);
        // The line of a loop head is that of its keyword, wherever the edge that enters it stands.
        let line = line || guard.data.get("enterLoopHead").is_some_and(|value| value == "true");
        line && control && enters && returns && result && head
    };
    program.edge_ids().filter(fits).collect()
}

/// The assumption after the edge; `None` if it cannot be expressed.
fn condition(guard: &GraphEdge, edges: &[EdgeId], program: &Program) -> Option<Condition> {
    let Some(text) = guard.data.get("assumption") else { return Some(Condition::always()) };
    let parts: Vec<&str> = text.split(';').map(str::trim).filter(|part| !part.is_empty()).collect();
    let text = match parts.as_slice() {
        [only] => (*only).to_string(),
        several => several.iter().map(|part| format!("({part})")).collect::<Vec<_>>().join(" && "),
    };
    if text.contains("\\result") {
        return match edges {
            [only] => violation::on_result(program, *only, &text),
            _ => None,
        };
    }
    if text.contains('\\') || text.is_empty() {
        return None;
    }
    let scope = guard.data.get("assumption.scope").filter(|scope| program.function_named(scope).is_some()).cloned();
    let of_edges = || {
        let functions: BTreeSet<_> =
            edges.iter().map(|edge| program.location(program.edge(*edge).to).function).collect();
        functions
            .into_iter()
            .next()
            .filter(|_| !edges.is_empty())
            .map(|function| program.function(function).name.clone())
    };
    Some(Condition::new(scope.or_else(of_edges), text))
}
