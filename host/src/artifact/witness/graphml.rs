//! Witnesses in the GraphML format 1.0: automata over control-flow edges, read and written.
//! Nothing is fetched and no entity is expanded but XML's own five, whatever a file declares.

mod xml;

use super::places::{base_name, on_line};
use super::{InvariantType, Metadata, Position, Segment, WaypointType, WitnessInvariant, invariants, violation};
use crate::artifact::condition_automaton::Translated;
use crate::artifact::hints;
use crate::artifact::test_suite::architecture;
use crate::diagnostic::Diagnostic;
use quick_xml::escape::escape;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use tandem_plugin_api::artifact::{
    Acceptance, Condition, EdgeSet, Gia, GiaBuilder, InvariantKind, Invariants, StateId,
};
use tandem_plugin_api::program::{EdgeId, EdgeNames, LocationNames, Op, Program, Span};

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

/// What the witness says, as a GIA: paths to a violation are candidates; invariants are hints.
pub fn gia(witness: &GraphWitness, program: &Program, file: &str) -> Result<Translated<Gia>, Diagnostic> {
    if witness.is_violation {
        return violation_gia(witness, program, file);
    }
    let invariants = invariants_of(witness, program);
    let gia = hints::gia_of_invariants(&invariants.result, program);
    Ok(Translated { result: gia, notes: invariants.notes })
}

/// The invariants of nodes, at the places where the edges to them lead.
pub fn invariants_of(witness: &GraphWitness, program: &Program) -> Translated<Invariants> {
    let names = LocationNames::new(program, &EdgeNames::new(program));
    let mut found = Invariants::new();
    let mut notes = BTreeSet::new();
    for edge in &witness.edges {
        let node = &witness.nodes[edge.target];
        let Some(value) = node.data.get("invariant") else { continue };
        let mut placed = false;
        if edge.data.get("enterLoopHead").is_some_and(|value| value == "true") {
            let lines = Lines::of(edge);
            let there = |span| lines.as_ref().is_some_and(|lines| lines.contain(program, span));
            for found_loop in program.loops.iter().filter(|l| there(l.keyword)) {
                let kind = InvariantKind::Loop;
                let origin = &witness.metadata.producer;
                found.insert(invariants::of_location(program, &names, found_loop.head, kind, value, origin));
                placed = true;
            }
        }
        if !placed {
            notes.insert(format!("the place of the invariant `{value}` is not that of a loop: it is left out"));
        }
    }
    Translated { result: found, notes: notes.into_iter().collect() }
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
            // Edges that no guard matches leave the automaton where it is.
            _ => builder.sink(node.id.as_str(), Acceptance::None),
        });
    }
    let entry = witness.nodes.iter().position(|node| node.is("entry")).unwrap_or(0);
    let mut leaving: Vec<Vec<&GraphEdge>> = vec![Vec::new(); witness.nodes.len()];
    witness.edges.iter().for_each(|edge| leaving[edge.source].push(edge));
    for source in 0..witness.nodes.len() {
        for edge in from_start(source, &leaving, program) {
            let edges = matching(edge, program);
            let condition = condition(edge, &edges, program);
            if condition.is_none() {
                notes.insert(format!("the assumption `{}` cannot be used, and is left out", edge.data["assumption"]));
            }
            let found = if edges.len() == program.edges.len() { EdgeSet::any() } else { EdgeSet::of(edges) };
            builder.transition(ids[source], found, condition.unwrap_or_default(), ids[edge.target]);
        }
    }
    let gia = builder.build(ids[entry]).map_err(|error| Diagnostic::new(error.to_string()).in_file(file))?;
    Ok(Translated { result: gia, notes: notes.into_iter().collect() })
}

/// The edges that leave a node. Where a path begins, it is also where the edges lead that only enter main.
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

/// Our edges that fit all guards which we know.
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

/// The assumption after the edge; none where it cannot be said.
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

const KEYS: [(&str, &str, &str); 22] = [
    ("witness-type", "string", "graph"),
    ("sourcecodelang", "string", "graph"),
    ("producer", "string", "graph"),
    ("specification", "string", "graph"),
    ("programfile", "string", "graph"),
    ("programhash", "string", "graph"),
    ("architecture", "string", "graph"),
    ("creationtime", "string", "graph"),
    ("witness-format-version", "string", "graph"),
    ("entry", "boolean", "node"),
    ("violation", "boolean", "node"),
    ("sink", "boolean", "node"),
    ("invariant", "string", "node"),
    ("invariant.scope", "string", "node"),
    ("startline", "int", "edge"),
    ("endline", "int", "edge"),
    ("control", "string", "edge"),
    ("enterLoopHead", "boolean", "edge"),
    ("enterFunction", "string", "edge"),
    ("assumption", "string", "edge"),
    ("assumption.scope", "string", "edge"),
    ("assumption.resultfunction", "string", "edge"),
];

fn head(kind: &str, metadata: &Metadata) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" \
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n",
    );
    for (key, ty, owner) in KEYS {
        let open = format!("  <key id=\"{key}\" attr.name=\"{key}\" attr.type=\"{ty}\" for=\"{owner}\"");
        text.push_str(&open);
        text.push_str(if ty == "boolean" { "><default>false</default></key>\n" } else { "/>\n" });
    }
    text.push_str("  <graph edgedefault=\"directed\">\n");
    let (file, hash) = metadata.input_file_hashes.first().cloned().unwrap_or_default();
    let producer = format!("{} {}", metadata.producer, metadata.producer_version);
    let bits = metadata.data_model.map_or("32bit", architecture);
    for (key, value) in [
        ("witness-type", kind),
        ("sourcecodelang", metadata.language.as_str()),
        ("producer", &producer),
        ("specification", &metadata.specification),
        ("programfile", &file),
        ("programhash", &hash),
        ("architecture", bits),
        ("creationtime", &metadata.creation_time),
        ("witness-format-version", "1.0"),
    ] {
        text.push_str(&data(key, value, "    "));
    }
    text
}

fn data(key: &str, value: &str, indent: &str) -> String {
    format!("{indent}<data key=\"{key}\">{}</data>\n", escape(value))
}

fn edge(source: &str, target: &str, guards: &[(&str, String)], text: &mut String) {
    let _ = writeln!(text, "    <edge source=\"{source}\" target=\"{target}\">");
    for (key, value) in guards {
        text.push_str(&data(key, value, "      "));
    }
    text.push_str("    </edge>\n");
}

const START: &str = "    <node id=\"q0\"><data key=\"entry\">true</data></node>\n    <node id=\"q1\"/>\n";
const END: &str = "  </graph>\n</graphml>\n";

/// The text of a correctness witness. Its loops can be entered in any order; other places have no form here.
pub fn write_invariants(all: &[WitnessInvariant], metadata: &Metadata) -> String {
    let mut by_line: BTreeMap<(u32, String), Vec<&str>> = BTreeMap::new();
    for invariant in all.iter().filter(|invariant| invariant.kind == InvariantType::Loop) {
        let function = invariant.position.function.clone().unwrap_or_default();
        by_line.entry((invariant.position.line, function)).or_default().push(&invariant.value);
    }
    let mut text = head("correctness_witness", metadata);
    text.push_str(START);
    for ((line, function), values) in &by_line {
        let whole = match values.as_slice() {
            [only] => (*only).to_string(),
            several => several.iter().map(|value| format!("({value})")).collect::<Vec<_>>().join(" && "),
        };
        let _ = writeln!(text, "    <node id=\"head{line}\">");
        text.push_str(&data("invariant", &whole, "      "));
        text.push_str(&data("invariant.scope", function, "      "));
        text.push_str("    </node>\n");
    }
    edge("q0", "q1", &[("enterFunction", "main".into())], &mut text);
    let heads: Vec<u32> = by_line.keys().map(|(line, _)| *line).collect();
    for target in &heads {
        let guards = [("startline", target.to_string()), ("enterLoopHead", "true".into())];
        let others = heads.iter().filter(|source| *source != target).map(|source| format!("head{source}"));
        for source in std::iter::once("q1".to_string()).chain(others) {
            edge(&source, &format!("head{target}"), &guards, &mut text);
        }
    }
    text + END
}

/// The text of a violation witness.
pub fn write_violation(segments: &[Segment], metadata: &Metadata) -> String {
    let mut text = head("violation_witness", metadata);
    text.push_str(START);
    for number in 2..=segments.len() {
        let _ = writeln!(text, "    <node id=\"q{number}\"/>");
    }
    text.push_str("    <node id=\"error\"><data key=\"violation\">true</data></node>\n");
    edge("q0", "q1", &[("enterFunction", "main".into())], &mut text);
    for (number, waypoint) in segments.iter().filter_map(|segment| segment.waypoints.last()).enumerate() {
        let mut guards = vec![("startline", waypoint.position.line.to_string())];
        match (waypoint.kind, &waypoint.constraint) {
            (WaypointType::FunctionReturn, Some(constraint)) => {
                guards.push(("assumption", format!("{};", constraint.value)));
                guards.push(("assumption.scope", waypoint.position.function.clone().unwrap_or_default()));
                guards.push(("assumption.resultfunction", waypoint.callee.clone().unwrap_or_default()));
            }
            (WaypointType::Target, _) => guards.extend(waypoint.callee.clone().map(|callee| ("enterFunction", callee))),
            _ => {}
        }
        let last = number + 1 == segments.len();
        let target = if last { "error".to_string() } else { format!("q{}", number + 2) };
        edge(&format!("q{}", number + 1), &target, &guards, &mut text);
    }
    text + END
}
