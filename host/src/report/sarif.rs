//! A verdict as SARIF 2.1.0 (OASIS Standard, 27 March 2020), which code-scanning views of editors and forges read.

use super::trace::{Followed, ShownStep};
use serde_json::{Map, Value, json};
use tandem_plugin_api::artifact::Verdict;
use tandem_plugin_api::program::{EdgeId, Program, Span};
use tandem_plugin_api::task::Property;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
const RULE: &str = "unreach-call";

/// The data of the document.
pub struct Finding<'a> {
    pub program: &'a Program,
    pub property: &'a Property,
    pub verdict: &'a Verdict,
    /// The program's text, as it was read.
    pub text: &'a str,
    /// The counterexample, or why it cannot be followed.
    pub followed: Option<&'a Result<Followed, String>>,
    /// Where the error is, also where the way to it cannot be shown.
    pub target: Option<EdgeId>,
    /// What the verdict rests on.
    pub conventions: Vec<String>,
    /// Unchecked claims of external tools.
    pub claims: Vec<String>,
}

/// The document: one result for FALSE, none for TRUE, and a notification with the reason for UNKNOWN.
pub fn document(finding: &Finding<'_>) -> Value {
    let results = if finding.verdict.is_false() { vec![result(finding)] } else { Vec::new() };
    let mut notifications: Vec<Value> =
        finding.conventions.iter().map(|what| notification("note", format!("by convention: {what}"))).collect();
    for what in &finding.claims {
        notifications.push(notification("warning", format!("claimed, not checked: {what}")));
    }
    if let Verdict::Unknown { reason } = finding.verdict {
        let text = if reason.is_empty() { "no reason given" } else { reason };
        notifications.push(notification("warning", format!("UNKNOWN: {text}")));
    }
    if let Some(Err(why)) = finding.followed {
        notifications.push(notification("note", format!("the steps of the counterexample are not known: {why}")));
    }
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "tandem",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": [rule(finding.property)],
            }},
            "artifacts": [{ "location": { "uri": uri(&finding.program.name) } }],
            "columnKind": "unicodeCodePoints",
            "invocations": [{ "executionSuccessful": true, "toolExecutionNotifications": notifications }],
            "results": results,
        }],
    })
}

fn notification(level: &str, text: String) -> Value {
    json!({ "level": level, "message": { "text": text } })
}

fn function(property: &Property) -> String {
    match property.functions() {
        [] => "the error function".to_string(),
        functions => functions.join(" or "),
    }
}

fn rule(property: &Property) -> Value {
    json!({
        "id": RULE,
        "name": "UnreachableCall",
        "shortDescription": { "text": format!("{} is never called", function(property)) },
        "defaultConfiguration": { "level": "error" },
    })
}

fn result(finding: &Finding<'_>) -> Value {
    let followed = finding.followed.and_then(|followed| followed.as_ref().ok());
    let target = followed.and_then(|followed| followed.target).or(finding.target);
    let called = target
        .and_then(|edge| finding.program.called_function(edge))
        .map_or_else(|| function(finding.property), |called| finding.program.function(called).name.clone());
    let inputs = followed.map_or(String::new(), inputs);
    let message = format!("{called} is called: a test was executed that reaches it{inputs}.");
    let mut result = json!({
        "ruleId": RULE,
        "ruleIndex": 0,
        "kind": "fail",
        "level": "error",
        "message": { "text": message },
        "locations": target.map(|edge| vec![location(finding, finding.program.edge(edge).span, None)]).unwrap_or_default(),
    });
    if let Some(followed) = followed {
        result["codeFlows"] = json!([{ "threadFlows": [{ "locations": flow(finding, followed) }] }]);
    }
    result
}

fn inputs(followed: &Followed) -> String {
    const SHOWN: usize = 8;
    let mut values: Vec<&str> = followed.inputs.iter().take(SHOWN).map(|input| input.value.as_str()).collect();
    if followed.inputs.len() > SHOWN {
        values.push("…");
    }
    if values.is_empty() { String::new() } else { format!(", with the inputs {}", values.join(", ")) }
}

/// A location for each step, with the variables that have changed since the last one.
fn flow(finding: &Finding<'_>, followed: &Followed) -> Vec<Value> {
    let mut stack = vec![0];
    let mut locations = Vec::new();
    for (at, step) in followed.steps.iter().enumerate() {
        stack.truncate(stack.len().saturating_sub(step.returned).max(1));
        stack.extend(&step.entered);
        let span = step.edges.first().map_or(Span::NOWHERE, |edge| finding.program.edge(*edge).span);
        let texts: Vec<&str> = step.texts.iter().filter_map(|text| Some(followed.texts.get(*text)?.as_str())).collect();
        let is_last = at + 1 == followed.steps.len();
        let mut entry = json!({
            "location": location(finding, span, Some(texts.join("; "))),
            "executionOrder": at + 1,
            "nestingLevel": stack.len().saturating_sub(2),
            "importance": if is_last { "essential" } else { "important" },
        });
        let state = state(followed, &stack, step);
        if !state.is_empty() {
            entry["state"] = Value::Object(state);
        }
        locations.push(entry);
    }
    locations
}

fn state(followed: &Followed, stack: &[usize], step: &ShownStep) -> Map<String, Value> {
    let value = |(frame, variable, text): &(usize, usize, String)| {
        let frame = followed.frames.get(*stack.get(*frame)?)?;
        let name = &frame.variables.get(*variable)?.name;
        let name = if frame.function.is_empty() { name.clone() } else { format!("{}::{name}", frame.function) };
        Some((name, json!({ "text": text })))
    };
    step.changes.iter().filter_map(value).collect()
}

fn location(finding: &Finding<'_>, span: Span, message: Option<String>) -> Value {
    let mut place = json!({ "artifactLocation": { "uri": uri(&finding.program.name), "index": 0 } });
    if span.is_somewhere() && span.physical_line > 0 {
        let mut region = json!({ "startLine": span.physical_line });
        if let Some(column) = column(finding.text, span) {
            region["startColumn"] = json!(column);
        }
        place["region"] = region;
    }
    let mut location = json!({ "physicalLocation": place });
    if let Some(text) = message.filter(|text| !text.is_empty()) {
        location["message"] = json!({ "text": text });
    }
    location
}

/// In characters, where spans count bytes.
fn column(text: &str, span: Span) -> Option<usize> {
    let line = text.lines().nth(span.physical_line as usize - 1)?;
    let before = line.get(..(span.column as usize).checked_sub(1)?)?;
    Some(before.chars().count() + 1)
}

/// A path as a reference that is relative where the path is (RFC 3986, section 4.1).
fn uri(path: &str) -> String {
    let encode = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    let encoded: String = path.bytes().map(encode).collect();
    if path.starts_with('/') { format!("file://{encoded}") } else { encoded }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::load_text;
    use std::sync::Arc;
    use tandem_plugin_api::artifact::{InputValue, TestCase};
    use tandem_plugin_api::program::DataModel;
    use tandem_plugin_api::task::Task;

    const TEXT: &str = "extern int __VERIFIER_nondet_int(void);\nvoid reach_error(void) {}\nint g = 4;\n\
        int twice(int a) {\n  return 2 * a;\n}\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n\
        /* é */ g = twice(x);\n  if (g == 14)\n    /* é */ reach_error();\n  return 0;\n}\n";

    fn documents(verdict: Verdict) -> Value {
        let program = Arc::new(load_text(TEXT, "dir/a b<c>.c", DataModel::Ilp32).unwrap());
        let task = Task::new(program.clone(), Property::UnreachableCall { function: "reach_error".into() });
        let test = TestCase::of([InputValue::integer(32, true, 7)]);
        let followed = super::super::trace::follow(&program, &task.targets, &test, None);
        let is_false = verdict == Verdict::False;
        document(&Finding {
            program: &program,
            property: &task.property,
            verdict: &verdict,
            text: TEXT,
            followed: is_false.then_some(&followed),
            target: None,
            conventions: vec!["c".into()],
            claims: if verdict == Verdict::True { vec!["the word of another".into()] } else { Vec::new() },
        })
    }

    #[test]
    fn a_violation_is_a_result_with_its_steps() {
        let document = documents(Verdict::False);
        let run = &document["runs"][0];
        assert_eq!((&document["version"], &run["tool"]["driver"]["name"]), (&json!("2.1.0"), &json!("tandem")));
        let result = &run["results"][0];
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "dir/a%20b%3Cc%3E.c");
        assert_eq!((&place["region"]["startLine"], &place["region"]["startColumn"]), (&json!(11), &json!(13)));
        assert!(result["message"]["text"].as_str().unwrap().contains("with the inputs 7"));
        let steps = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap();
        let lines: Vec<u64> = steps
            .iter()
            .map(|step| step["location"]["physicalLocation"]["region"]["startLine"].as_u64().unwrap())
            .collect();
        assert_eq!(lines, [8, 9, 5, 10, 11]);
        assert_eq!((&steps[2]["nestingLevel"], &steps[2]["state"]["twice::a"]["text"]), (&json!(1), &json!("7")));
        assert_eq!((&steps[3]["nestingLevel"], &steps[3]["state"]["g"]["text"]), (&json!(0), &json!("14")));
    }

    #[test]
    fn other_verdicts_have_no_results() {
        for (verdict, text) in [(Verdict::True, "word of another"), (Verdict::unknown("no time"), "UNKNOWN: no time")] {
            let document = documents(verdict);
            let run = &document["runs"][0];
            assert_eq!(run["results"], json!([]));
            let told = run["invocations"][0]["toolExecutionNotifications"].as_array().unwrap();
            let last = told.last().unwrap();
            assert_eq!((told[0]["level"].as_str(), last["level"].as_str()), (Some("note"), Some("warning")));
            assert!(last["message"]["text"].as_str().unwrap().contains(text));
        }
    }
}
