//! A GIA as a graph for graphviz, and as a picture: ut states are green, rt states blue, candidates yellow.

use super::cfa_dot::{quoted, shortened};
use super::cfa_svg;
use crate::diagnostic::Diagnostic;
use std::fmt::Write;
use tandem_plugin_api::artifact::{Acceptance, EdgeSet, Gia};
use tandem_plugin_api::program::{EdgeNames, Program};

/// A transition that names more edges than this shows how many more there are.
const MOST_EDGES_SHOWN: usize = 4;
/// Graphviz needs minutes and gigabytes for graphs beyond this.
const MOST_TRANSITIONS: usize = 20_000;

pub fn write(gia: &Gia, program: &Program) -> String {
    let names = EdgeNames::new(program);
    let mut out = String::from(
        "digraph gia {\n  node [shape=ellipse, fontname=monospace, style=filled, fillcolor=white];\n  \
         edge [fontname=monospace];\n  start [shape=point];\n",
    );
    for id in gia.state_ids() {
        let state = gia.state(id);
        let (color, kind) = match state.acceptance {
            Acceptance::None => ("white", ""),
            Acceptance::Ut => ("palegreen", "ut"),
            Acceptance::Rt => ("lightblue", "rt"),
            Acceptance::Cand => ("khaki", "cand"),
        };
        let mut lines = vec![shortened(&state.name)];
        if !kind.is_empty() {
            lines.push(format!("({kind})"));
        }
        if !state.invariant.is_true() {
            lines.push(shortened(&format!("inv: {}", state.invariant)));
        }
        let border = if kind.is_empty() { "" } else { ", peripheries=2" };
        let label = quoted(&lines.join("\n"));
        let _ = writeln!(out, "  {} [label={label}, fillcolor={color}{border}];", id.index());
    }
    let _ = writeln!(out, "  start -> {};", gia.initial().index());
    for transition in gia.transitions() {
        let mut lines = edge_lines(&transition.edges, program, &names);
        if !transition.condition.is_true() {
            lines.push(shortened(&format!("if {}", transition.condition)));
        }
        let (from, to) = (transition.source.index(), transition.target.index());
        let _ = writeln!(out, "  {from} -> {to} [label={}];", quoted(&lines.join("\n")));
    }
    out.push_str("}\n");
    out
}

fn edge_lines(edges: &EdgeSet, program: &Program, names: &EdgeNames) -> Vec<String> {
    let Some(edges) = edges.edges() else { return vec!["*".to_string()] };
    let known = edges.iter().filter(|edge| edge.index() < program.edges.len());
    let text = |edge| shortened(&format!("{} {}", names.name(edge), program.edge_text(edge)));
    let mut lines: Vec<String> = known.take(MOST_EDGES_SHOWN).map(|edge| text(*edge)).collect();
    if edges.len() > MOST_EDGES_SHOWN {
        lines.push(format!("… and {} more", edges.len() - MOST_EDGES_SHOWN));
    }
    lines
}

pub fn draw(gia: &Gia, program: &Program) -> Result<String, Diagnostic> {
    if gia.transitions().len() > MOST_TRANSITIONS {
        let message = format!("the GIA has {} transitions, too many for a picture", gia.transitions().len());
        return Err(Diagnostic::new(message).help("write it as dot or JSON"));
    }
    cfa_svg::draw("dot", &write(gia, program))
}
