//! The control-flow automaton as JSON for other programs: functions, locations, edges with source positions, decisions,
//! loops. Ids are positions in the arrays, and stable under re-parsing of the same text.

use serde::Serialize;
use serde_json::{Value, json};
use tandem_plugin_api::program::{Op, Program, Span};

/// Raised when a field changes its meaning or goes away.
const FORMAT_VERSION: u32 = 1;

pub fn write(program: &Program) -> String {
    let document = json!({
        "format": "tandem-cfa",
        "version": FORMAT_VERSION,
        "program": program.name,
        "data_model": program.types.model.name(),
        "entry": program.function(program.main).name,
        "functions": functions(program),
        "locations": locations(program),
        "edges": edges(program),
        "decisions": decisions(program),
        "loops": loops(program),
        "unsupported": unsupported(program),
    });
    // Indented, so that two files can be compared line by line.
    let mut out = Vec::new();
    let formatter = serde_json::ser::PrettyFormatter::with_indent(b" ");
    let mut serializer = serde_json::Serializer::with_formatter(&mut out, formatter);
    match document.serialize(&mut serializer) {
        Ok(()) => String::from_utf8_lossy(&out).into_owned() + "\n",
        // A tree of plain values always serialises.
        Err(_) => document.to_string() + "\n",
    }
}

fn functions(program: &Program) -> Vec<Value> {
    let describe = |function: &tandem_plugin_api::program::Function| {
        let variable = |id: &tandem_plugin_api::program::VarId| {
            let variable = program.variable(*id);
            json!({ "name": variable.name, "unique_name": variable.unique_name, "type": program.type_to_c(variable.ty) })
        };
        json!({
            "name": function.name,
            "type": program.type_to_c(function.ty),
            "parameters": function.parameters.iter().map(variable).collect::<Vec<_>>(),
            "locals": function.locals.iter().map(variable).collect::<Vec<_>>(),
            "entry": function.body.map(|body| body.entry.index()),
            "exit": function.body.map(|body| body.exit.index()),
            "labels": function.labels.iter().map(|(name, at)| json!([name, at.index()])).collect::<Vec<_>>(),
            "at": position(program, function.span),
        })
    };
    program.functions.iter().map(describe).collect()
}

fn locations(program: &Program) -> Vec<Value> {
    program.locations.iter().map(|location| json!({ "function": location.function.index() })).collect()
}

fn edges(program: &Program) -> Vec<Value> {
    let describe = |id| {
        let edge = program.edge(id);
        let mut value = json!({
            "from": edge.from.index(),
            "to": edge.to.index(),
            "kind": kind(&edge.op),
            "text": program.edge_text(id),
            "at": position(program, edge.span),
        });
        if let Op::Assume { holds, .. } = edge.op {
            value["holds"] = json!(holds);
        }
        if let Some(outcome) = edge.settles {
            value["settles"] = json!({ "decision": outcome.decision.index(), "outcome": outcome.index });
        }
        if let Some(function) = program.called_function(id) {
            value["calls"] = json!(program.function(function).name);
        }
        value
    };
    program.edge_ids().map(describe).collect()
}

fn kind(op: &Op) -> &'static str {
    match op {
        Op::Skip => "skip",
        Op::Assume { .. } => "assume",
        Op::Assign { .. } => "assign",
        Op::Declare(_) => "declare",
        Op::Input { .. } => "input",
        Op::Havoc { .. } => "havoc",
        Op::Call(_) => "call",
        Op::Resume(_) => "resume",
        Op::External(_) => "external",
        Op::Return(_) => "return",
        Op::Unsupported(_) => "unsupported",
    }
}

fn decisions(program: &Program) -> Vec<Value> {
    let describe = |decision: &tandem_plugin_api::program::Decision| {
        json!({
            "kind": format!("{:?}", decision.kind),
            "function": decision.function.index(),
            "outcomes": decision.outcomes,
            "at": position(program, decision.span),
        })
    };
    program.decisions.iter().map(describe).collect()
}

fn loops(program: &Program) -> Vec<Value> {
    let describe = |one: &tandem_plugin_api::program::Loop| json!({ "function": one.function.index(), "head": one.head.index(), "at": position(program, one.keyword) });
    program.loops.iter().map(describe).collect()
}

fn unsupported(program: &Program) -> Vec<Value> {
    program.unsupported.iter().map(|one| json!({ "what": one.what, "at": position(program, one.span) })).collect()
}

fn position(program: &Program, span: Span) -> Value {
    if !span.is_somewhere() {
        return Value::Null;
    }
    json!({
        "file": program.file_name(span),
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        "physical_line": span.physical_line,
    })
}
