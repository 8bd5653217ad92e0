//! The text of GraphML witnesses: header, automaton, and escapes.

use crate::artifact::test_suite::architecture;
use crate::artifact::witness::{InvariantType, Metadata, Segment, WaypointType, WitnessInvariant};
use quick_xml::escape::escape;
use std::collections::BTreeMap;
use std::fmt::Write;
use tandem_plugin_api::program::Program;

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
pub fn write_invariants(all: &[WitnessInvariant], program: &Program, metadata: &Metadata) -> String {
    let mut by_line: BTreeMap<(u32, String), Vec<&str>> = BTreeMap::new();
    for invariant in all.iter().filter(|invariant| invariant.kind == InvariantType::Loop) {
        let line = invariant.position.line;
        // Places are identified by lines only: if two loops are on one line, a reader does not know which is meant.
        let is_only = program.loops.iter().filter(|l| l.keyword.physical_line == line).count() == 1;
        if is_only {
            let function = invariant.position.function.clone().unwrap_or_default();
            by_line.entry((line, function)).or_default().push(&invariant.value);
        }
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
