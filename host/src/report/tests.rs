//! Tests of the page as text; its behaviour in a browser is tested with the whole program.

use super::*;
use crate::frontend::load_text;
use std::sync::Arc;
use tandem_plugin_api::artifact::{Gia, TestCase};
use tandem_plugin_api::program::DataModel;
use tandem_plugin_api::task::{Property, Task};

const TEXT: &str = "void reach_error(void) {}\nint main(void) {\n  int x = 1; // </script><script>alert(1)</script>\n\
                    while (x < 3)\n    x++;\n  reach_error();\n}\n";

fn made(verdict: Verdict) -> String {
    let program = Arc::new(load_text(TEXT, "dir/<b>&'\".c", DataModel::Ilp32).unwrap());
    let task = Task::new(program.clone(), Property::UnreachableCall { function: "reach_error".into() });
    let followed = trace::follow(&program, &task.targets, &TestCase::of([]), None);
    let mut outcome = Outcome::new(verdict.clone());
    outcome.gia = Some(Gia::all_ut());
    outcome.soundness.convention("<img src=x onerror=alert(1)>");
    let (is_false, record) = (verdict == Verdict::False, Record::default());
    let material = Material {
        program: &program,
        targets: &task.targets,
        text: TEXT,
        verdict: &verdict,
        outcome: &outcome,
        invariants: &Invariants::new(),
        record: &record,
        followed: is_false.then_some(&followed),
        coverage: None,
        facts: vec![("File", program.name.clone())],
        elapsed: Duration::from_secs(1),
    };
    page(&material).unwrap()
}

fn json(page: &str) -> &str {
    page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0
}

fn embedded(page: &str) -> serde_json::Value {
    serde_json::from_str(json(page)).unwrap()
}

#[test]
fn the_page_stands_alone_and_nothing_of_the_input_is_markup() {
    let page = made(Verdict::False);
    assert_eq!(page.matches("<script").count(), 2);
    assert!(!page.contains("<img") && !page.contains("<b>") && page.contains("&lt;b&gt;&amp;&#39;&quot;.c"));
    let outside = page.replace(json(&page), "");
    for foreign in ["http:", "https:", "url(", "@import", " src=", " href=", "innerHTML", "eval("] {
        assert!(!outside.contains(foreign), "{foreign}");
    }
    let data = embedded(&page);
    assert_eq!(data["verdict"], "FALSE");
    assert_eq!(data["source"]["lines"][2], "  int x = 1; // </script><script>alert(1)</script>");
    assert_eq!(data["rests"]["conventions"][0], "<img src=x onerror=alert(1)>");
}

#[test]
fn a_counterexample_has_steps_and_marks() {
    let data = embedded(&made(Verdict::False));
    let lines: Vec<u64> =
        data["trace"]["steps"].as_array().unwrap().iter().map(|step| step["l"].as_u64().unwrap()).collect();
    assert_eq!(lines, [3, 4, 5, 4, 5, 4, 6]);
    assert_eq!(data["source"]["marked"], "counterexample");
    assert_eq!(data["source"]["marks"]["5"], "yes");
    let kinds: Vec<&str> =
        data["control_flow"][0]["nodes"].as_array().unwrap().iter().filter_map(|node| node["k"].as_str()).collect();
    assert!(kinds.contains(&"target") && kinds.contains(&"taken"), "{kinds:?}");
}

#[test]
fn other_verdicts_have_none() {
    let data = embedded(&made(Verdict::unknown("<no> time")));
    assert_eq!((&data["trace"], &data["reason"]), (&serde_json::Value::Null, &serde_json::json!("<no> time")));
    assert_eq!(data["passes"][0]["gia"]["nodes"][0]["k"], "ut");
}
