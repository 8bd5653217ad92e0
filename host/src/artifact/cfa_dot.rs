//! The control-flow automaton as a graph for graphviz: a box per function, edges with their text as CPAchecker has it.

use std::fmt::Write;
use tandem_plugin_api::program::{FunctionId, LocationId, Op, Program};

/// Edge texts longer than this are cut, since graphviz makes the picture as wide as its longest label.
const LONGEST_LABEL: usize = 120;

pub fn write(program: &Program) -> String {
    let mut out =
        String::from("digraph cfa {\n  node [shape=circle, fontname=monospace];\n  edge [fontname=monospace];\n");
    let mut members: Vec<Vec<LocationId>> = vec![Vec::new(); program.functions.len()];
    for (index, location) in program.locations.iter().enumerate() {
        members[location.function.index()].push(LocationId::new(index));
    }
    for (index, locations) in members.iter().enumerate().filter(|(_, locations)| !locations.is_empty()) {
        write_function(program, FunctionId::new(index), locations, &mut out);
    }
    for id in program.edge_ids() {
        let edge = program.edge(id);
        let style = match edge.op {
            Op::Call(_) | Op::Resume(_) => ", style=dashed",
            Op::Unsupported(_) => ", color=red",
            _ => "",
        };
        let line = if edge.span.is_somewhere() { format!("{}: ", edge.span.line) } else { String::new() };
        let label = quoted(&shortened(&format!("{line}{}", program.edge_text(id))));
        let (from, to) = (edge.from.index(), edge.to.index());
        let _ = writeln!(out, "  {from} -> {to} [label={label}{style}];");
    }
    out.push_str("}\n");
    out
}

fn write_function(program: &Program, id: FunctionId, locations: &[LocationId], out: &mut String) {
    let function = program.function(id);
    let heads = program.loop_heads(id);
    let _ = writeln!(out, "  subgraph cluster_{} {{\n    label={};", id.index(), quoted(&function.name));
    for at in locations {
        let shape = match function.body {
            Some(body) if body.entry == *at => " [shape=diamond]",
            Some(body) if body.exit == *at => " [shape=doublecircle]",
            _ if heads.contains(at) => " [peripheries=2, shape=box]",
            _ => "",
        };
        let _ = writeln!(out, "    {}{shape};", at.index());
    }
    out.push_str("  }\n");
}

pub(super) fn shortened(text: &str) -> String {
    super::html::shortened(text, LONGEST_LABEL)
}

/// A string of the dot language, where a backslash would begin an escape.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_survive_quotes_and_backslashes() {
        assert_eq!(quoted(r#"p = "a\n";"#), r#""p = \"a\\n\";""#);
        assert_eq!(shortened(&"é".repeat(300)).chars().count(), LONGEST_LABEL + 1);
    }
}
