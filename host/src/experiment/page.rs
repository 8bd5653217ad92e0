//! The results as one page of HTML that needs nothing else: data, style and script stand in it, and nothing is loaded.

use super::compare::Comparison;
use super::result::RunResult;
use super::table::Results;
use crate::artifact::html;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const FRAME: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &[&str] = &[
    include_str!("page/data.js"),
    include_str!("page/table.js"),
    include_str!("page/plots.js"),
    include_str!("page/sets.js"),
    include_str!("page/main.js"),
];

pub fn page(results: &Results) -> String {
    fill(results, &[])
}

/// The page of two experiments that were merged into one.
pub fn comparison_page(merged: &Results, comparisons: &[Comparison]) -> String {
    fill(merged, comparisons)
}

fn fill(results: &Results, comparisons: &[Comparison]) -> String {
    // A value of JSON can always be written.
    let data = html::json_for_script(&data(results, comparisons)).unwrap_or_default();
    let mut page = FRAME.replacen("{{style}}", STYLE, 1);
    page = page.replacen("{{script}}", &SCRIPT.concat(), 1);
    page = page.replacen("{{title}}", &html::escape(&results.experiment).replace("{{", "{ {"), 1);
    // Last, since it holds texts of users.
    page.replacen("{{data}}", &data, 1)
}

/// Tasks once, and for each configuration a list of cells in the order of the tasks: short, since there may be many.
fn data(results: &Results, comparisons: &[Comparison]) -> Value {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut tasks: Vec<Value> = Vec::new();
    let columns: BTreeMap<&str, usize> =
        results.configs.iter().enumerate().map(|(at, config)| (config.label.as_str(), at)).collect();
    let mut cells: Vec<BTreeMap<usize, Value>> = vec![BTreeMap::new(); results.configs.len()];
    for run in &results.runs {
        let place = *places.entry(&run.task).or_insert_with(|| {
            tasks.push(json!([run.task, run.expected]));
            tasks.len() - 1
        });
        if let Some(column) = columns.get(run.config.as_str()).and_then(|at| cells.get_mut(*at)) {
            column.insert(place, cell(run));
        }
    }
    let count = tasks.len();
    let columns: Vec<Vec<Value>> = cells
        .into_iter()
        .map(|mut cells| (0..count).map(|at| cells.remove(&at).unwrap_or(Value::Null)).collect())
        .collect();
    json!({
        "tandem": results.tandem, "experiment": results.experiment, "about": results.about, "limits": results.limits,
        "planned": results.planned, "finished": results.runs.len(), "jobs": results.jobs, "configs": results.configs,
        "summary": results.summary, "tasks": tasks, "runs": columns, "comparisons": comparisons,
    })
}

fn cell(run: &RunResult) -> Value {
    let folder = if run.folder.is_empty() { Value::Null } else { json!(run.folder) };
    json!([
        run.answer.word(),
        run.rating.word(),
        run.cpu_seconds,
        run.wall_seconds,
        run.memory_bytes,
        run.reason,
        folder,
        u8::from(run.report),
        run.measured_by,
    ])
}
