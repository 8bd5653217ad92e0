//! Control-flow automata, reachability graphs and GIAs as graphs that are placed and ready to be drawn.

use super::layout;
use crate::artifact::html::shortened;
use crate::compose::recorder::{MOST_NODES, ReachedGraph, Record};
use crate::cpa::Openness;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use tandem_plugin_api::artifact::{Acceptance, Gia};
use tandem_plugin_api::program::{EdgeId, FunctionId, LocationId, Op, Program};

/// Width of a character, and of what is around the text.
const CHARACTER: f64 = 7.0;
const AROUND: f64 = 18.0;
const ROW: f64 = 46.0;
/// Larger GIAs are only described by numbers.
const MOST_STATES: usize = 120;
const LONGEST_LABEL: usize = 42;

/// A graph, with short names since there may be thousands of each.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Graph {
    pub name: String,
    /// The parts that were left out, or how to read it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
    pub width: i64,
    pub height: i64,
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Node {
    pub x: i64,
    pub y: i64,
    #[serde(rename = "w")]
    pub width: i64,
    #[serde(rename = "t")]
    pub label: String,
    /// The kind, as the style sheet names it; empty for plain ones.
    #[serde(rename = "k", skip_serializing_if = "str::is_empty")]
    pub kind: &'static str,
    #[serde(rename = "l", skip_serializing_if = "is_zero")]
    pub line: u32,
    /// The location in the program.
    #[serde(rename = "n")]
    pub number: u32,
}

#[derive(Clone, Debug, Serialize)]
pub struct Edge {
    #[serde(rename = "a")]
    pub from: usize,
    #[serde(rename = "b")]
    pub to: usize,
    #[serde(rename = "t", skip_serializing_if = "String::is_empty")]
    pub label: String,
    #[serde(rename = "k", skip_serializing_if = "str::is_empty")]
    pub kind: &'static str,
    #[serde(rename = "p", skip_serializing_if = "Vec::is_empty")]
    pub bends: Vec<(i64, i64)>,
}

fn is_zero(line: &u32) -> bool {
    *line == 0
}

/// A node before it has a place.
struct Draft {
    label: String,
    kind: &'static str,
    line: u32,
    number: u32,
}

fn drawn(name: String, drafts: Vec<Draft>, edges: Vec<(usize, usize, String, &'static str)>, row: f64) -> Graph {
    let widths: Vec<f64> = drafts.iter().map(|draft| draft.label.chars().count() as f64 * CHARACTER + AROUND).collect();
    let ends: Vec<(usize, usize)> = edges.iter().map(|(from, to, ..)| (*from, *to)).collect();
    let placed = layout::place(&widths, &ends, row);
    let whole = |(x, y): (f64, f64)| (x.round() as i64, y.round() as i64);
    let nodes = drafts.into_iter().zip(&placed.nodes).zip(&widths).map(|((draft, at), width)| {
        let (x, y) = whole(*at);
        let Draft { label, kind, line, number } = draft;
        Node { x, y, width: width.round() as i64, label, kind, line, number }
    });
    let edges = edges.into_iter().zip(placed.bends).map(|((from, to, label, kind), bends)| Edge {
        from,
        to,
        label,
        kind,
        bends: bends.into_iter().map(whole).collect(),
    });
    Graph {
        name,
        note: String::new(),
        width: placed.width.ceil() as i64,
        height: placed.height.ceil() as i64,
        nodes: nodes.collect(),
        edges: edges.collect(),
    }
}

/// The label of a location: the operation on its edge, or the condition that decides.
fn label(program: &Program, location: LocationId) -> (String, u32) {
    let leaving = &program.location(location).leaving;
    let Some(&first) = leaving.first() else { return ("end".into(), 0) };
    let edge = program.edge(first);
    let text = match &edge.op {
        Op::Assume { condition, .. } => format!("{} ?", program.expr_to_c(*condition)),
        Op::Resume(_) => "return".to_string(),
        Op::Skip => String::new(),
        _ => program.edge_text(first),
    };
    let line = edge.span.physical_line;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = match (text.is_empty(), line) {
        (true, 0) => "·".to_string(),
        (true, line) => line.to_string(),
        (false, 0) => text,
        (false, line) => format!("{line}: {text}"),
    };
    (shortened(&text, LONGEST_LABEL), line)
}

fn branch(program: &Program, edge: EdgeId) -> String {
    match program.edge(edge).op {
        Op::Assume { holds: true, .. } => "T".into(),
        Op::Assume { holds: false, .. } => "F".into(),
        _ => String::new(),
    }
}

/// One graph for each function that can be reached, `main` first; those on the way to the error come next.
pub fn control_flow(program: &Program, targets: &[EdgeId], taken: &[EdgeId]) -> Vec<Graph> {
    let reachable = program.reachable_functions();
    let mut order: Vec<FunctionId> = (0..program.functions.len()).map(FunctionId::new).collect();
    order.retain(|id| reachable.get(id.index()) == Some(&true) && program.function(*id).body.is_some());
    let on_way: FxHashSet<FunctionId> = taken.iter().map(|edge| program.function_of_edge(*edge)).collect();
    order.sort_by_key(|id| (*id != program.main, !on_way.contains(id)));
    let mut locations: FxHashMap<FunctionId, Vec<LocationId>> = FxHashMap::default();
    for at in (0..program.locations.len()).map(LocationId::new) {
        locations.entry(program.location(at).function).or_default().push(at);
    }
    let (targets, taken) = (targets.iter().copied().collect(), taken.iter().copied().collect());
    let mut room = 2 * MOST_NODES;
    let mut graphs = Vec::new();
    for function in order {
        let own = locations.remove(&function).unwrap_or_default();
        if own.len() > room {
            let name = program.function(function).name.clone();
            let note = format!("{} locations: too many to be drawn", own.len());
            graphs.push(Graph { name, note, ..Graph::default() });
            continue;
        }
        room -= own.len();
        graphs.push(function_graph(program, function, own, &targets, &taken));
    }
    graphs
}

fn function_graph(
    program: &Program,
    id: FunctionId,
    mut locations: Vec<LocationId>,
    targets: &FxHashSet<EdgeId>,
    taken: &FxHashSet<EdgeId>,
) -> Graph {
    let body = program.function(id).body;
    // The entry comes first, where the drawing begins. Locations that nothing leads to are not drawn.
    locations.sort_by_key(|at| body.is_none_or(|body| body.entry != *at));
    let is_part = |at: &LocationId| {
        let location = program.location(*at);
        body.is_some_and(|body| body.entry == *at || body.exit == *at) || !location.entering.is_empty()
    };
    locations.retain(is_part);
    let number: FxHashMap<LocationId, usize> = locations.iter().enumerate().map(|(at, id)| (*id, at)).collect();
    let draft = |&at: &LocationId| {
        let (label, line) = label(program, at);
        let leaving = &program.location(at).leaving;
        let kind = if leaving.iter().any(|edge| targets.contains(edge)) {
            "target"
        } else if leaving.iter().any(|edge| taken.contains(edge)) {
            "taken"
        } else if body.is_some_and(|body| body.entry == at) {
            "entry"
        } else {
            ""
        };
        Draft { label, kind, line, number: at.0 }
    };
    let mut edges = Vec::new();
    for (own, &at) in locations.iter().enumerate() {
        for (edge, to) in program.local_successors(at) {
            let kind = if taken.contains(&edge) { "taken" } else { "" };
            edges.extend(number.get(&to).map(|to| (own, *to, branch(program, edge), kind)));
        }
    }
    drawn(program.function(id).name.clone(), locations.iter().map(draft).collect(), edges, ROW)
}

/// The reachability graphs of all actors that had one.
pub fn reached(record: &Record) -> Vec<Graph> {
    let drawn = |work: &crate::compose::recorder::Work| Some((work.actor.clone(), work.residual, work.graph.clone()?));
    record
        .works
        .iter()
        .filter_map(drawn)
        .map(|(actor, residual, graph)| reached_graph(actor, residual, &graph))
        .collect()
}

fn reached_graph(name: String, residual: bool, reached: &ReachedGraph) -> Graph {
    let program = &*reached.program;
    let drafts = reached.nodes.iter().map(|node| {
        let (label, line) = label(program, node.location);
        let kind = match node.openness {
            _ if node.is_target => "target",
            Openness::Target => "target",
            Openness::Waiting => "waiting",
            Openness::Covered(_) => "covered",
            Openness::Cut => "cut",
            Openness::Expanded | Openness::Removed => "",
        };
        Draft { label, kind, line: if residual { 0 } else { line }, number: node.location.0 }
    });
    let edges = reached.edges.iter().map(|&(from, to, edge)| (from as usize, to as usize, branch(program, edge), ""));
    let covers = reached.covered_by.iter().map(|&(own, by)| (own as usize, by as usize, String::new(), "cover"));
    let mut graph = drawn(name, drafts.collect(), edges.chain(covers).collect(), ROW);
    let shown = reached.nodes.len();
    if shown < reached.total {
        graph.note = format!("The first {shown} of {} abstract states are drawn.", reached.total);
    }
    if residual {
        let own = "It is that of a residual program.";
        graph.note = format!("{} {own}", graph.note).trim().to_string();
    }
    graph
}

/// A small GIA as a graph; `None` for large ones.
pub fn gia(name: String, gia: &Gia, program: &Program) -> Option<Graph> {
    if gia.states().len() > MOST_STATES {
        return None;
    }
    let drafts = gia.state_ids().map(|id| {
        let state = gia.state(id);
        let kind = match state.acceptance {
            Acceptance::Ut => "ut",
            Acceptance::Rt => "rt",
            Acceptance::Cand => "cand",
            Acceptance::None if id == gia.initial() => "entry",
            Acceptance::None => "",
        };
        let invariant = if state.invariant.is_true() { String::new() } else { format!(" | {}", state.invariant) };
        let label = shortened(&format!("{}{invariant}", state.name), LONGEST_LABEL);
        Draft { label, kind, line: 0, number: id.0 }
    });
    let edges = gia.transitions().iter().map(|transition| {
        let text = match transition.edges.edges() {
            None => "any".to_string(),
            Some(edges) => {
                let known = edges.iter().filter(|edge| edge.index() < program.edges.len());
                let text =
                    |edge: &EdgeId| format!("{}: {}", program.edge(*edge).span.physical_line, program.edge_text(*edge));
                let first: Vec<String> = known.take(2).map(text).collect();
                let more = if edges.len() > 2 { format!(" and {} more", edges.len() - 2) } else { String::new() };
                format!("{}{more}", first.join(", "))
            }
        };
        let condition =
            if transition.condition.is_true() { String::new() } else { format!(" if {}", transition.condition) };
        let label = shortened(&format!("{text}{condition}"), LONGEST_LABEL);
        (transition.source.index(), transition.target.index(), label, "")
    });
    Some(drawn(name, drafts.collect(), edges.collect(), 1.6 * ROW))
}
