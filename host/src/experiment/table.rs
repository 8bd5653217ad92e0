//! The results of an experiment as data: JSON and CSV for other programs, and a summary per configuration for people.

use super::folder::Done;
use super::plan::Plan;
use super::result::{Answer, Rating, RunResult};
use crate::diagnostic::Diagnostic;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;

/// Everything that `results.json` holds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    pub tandem: String,
    pub experiment: String,
    pub about: String,
    pub limits: Value,
    pub configs: Vec<ConfigInfo>,
    /// How many runs there are in all, finished or not.
    pub planned: usize,
    pub jobs: usize,
    pub summary: Vec<Summary>,
    /// Task by task, in the order of the configurations.
    pub runs: Vec<RunResult>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ConfigInfo {
    pub label: String,
    pub config: String,
    pub options: Vec<String>,
}

/// One configuration on all tasks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    pub config: String,
    pub correct_true: usize,
    pub correct_false: usize,
    pub wrong_true: usize,
    pub wrong_false: usize,
    pub unknown: usize,
    pub timeout: usize,
    pub out_of_memory: usize,
    pub error: usize,
    pub unrated: usize,
    pub score: i64,
    /// Of correct answers.
    pub correct_cpu_seconds: f64,
    pub cpu_seconds: f64,
}

impl Results {
    pub fn new(plan: &Plan, done: &Done, jobs: usize) -> Results {
        let runs: Vec<RunResult> = plan.runs.iter().filter_map(|run| done.get(&run.key)).cloned().collect();
        let configs = plan.definition.configs.iter().map(|used| ConfigInfo {
            label: used.label.clone(),
            config: used.config.clone(),
            options: used.options.clone(),
        });
        let configs: Vec<ConfigInfo> = configs.collect();
        let summary = configs.iter().map(|config| Summary::of(&config.label, &runs)).collect();
        Results {
            tandem: env!("CARGO_PKG_VERSION").to_string(),
            experiment: plan.definition.name.clone(),
            about: plan.definition.about.clone(),
            limits: serde_json::to_value(plan.definition.limits.shown()).unwrap_or_default(),
            configs,
            planned: plan.runs.len(),
            jobs,
            summary,
            runs,
        }
    }

    /// Reads `results.json`, or that of an experiment's folder.
    pub fn read(path: &Path) -> Result<Results, Diagnostic> {
        let path = if path.is_dir() { path.join("results.json") } else { path.to_path_buf() };
        let problem = |what: String| {
            Diagnostic::new(what)
                .in_file(path.display().to_string())
                .help("name the results.json of an experiment, or its folder")
        };
        let text =
            std::fs::read_to_string(&path).map_err(|error| problem(format!("the results cannot be read: {error}")))?;
        serde_json::from_str(&text).map_err(|error| problem(format!("this is not a file of results: {error}")))
    }

    pub fn json(&self) -> Result<String, Diagnostic> {
        serde_json::to_string_pretty(self)
            .map(|text| text + "\n")
            .map_err(|error| Diagnostic::new(format!("the results cannot be written as JSON: {error}")))
    }

    pub fn csv(&self) -> String {
        let mut text = String::from(
            "config,task,expected,answer,rating,score,wall_seconds,cpu_seconds,memory_bytes,reason,stopped,measured_by,folder\n",
        );
        for run in &self.runs {
            let expected = run.expected.map_or(String::new(), |expected| expected.to_string());
            let memory = run.memory_bytes.map_or(String::new(), |bytes| bytes.to_string());
            let word = |value: Value| value.as_str().unwrap_or_default().to_string();
            let stopped = run.stopped.map_or(String::new(), |stopped| word(serde_json::json!(stopped)));
            let measured = run.measured_by.map_or(String::new(), |mechanism| word(serde_json::json!(mechanism)));
            let cells = [
                cell(&run.config),
                cell(&run.task),
                expected,
                run.answer.to_string(),
                run.rating.word().to_string(),
                run.score.to_string(),
                run.wall_seconds.to_string(),
                run.cpu_seconds.to_string(),
                memory,
                cell(&run.reason),
                stopped,
                measured,
                cell(&run.folder),
            ];
            text.push_str(&cells.join(","));
            text.push('\n');
        }
        text
    }

    /// A line per configuration, aligned.
    pub fn text(&self) -> String {
        let header = ["configuration", "correct", "true", "false", "wrong", "unknown", "error", "score", "CPU s"];
        let mut rows = vec![header.map(str::to_string).to_vec()];
        for row in &self.summary {
            let correct = row.correct_true + row.correct_false;
            let mut unknown = (row.unknown + row.timeout + row.out_of_memory + row.unrated).to_string();
            if row.timeout + row.out_of_memory > 0 {
                unknown.push_str(&format!(" ({} limit)", row.timeout + row.out_of_memory));
            }
            rows.push(vec![
                row.config.clone(),
                correct.to_string(),
                row.correct_true.to_string(),
                row.correct_false.to_string(),
                (row.wrong_true + row.wrong_false).to_string(),
                unknown,
                row.error.to_string(),
                row.score.to_string(),
                format!("{:.1}", row.cpu_seconds),
            ]);
        }
        aligned(&rows)
    }
}

/// Columns aligned, the first to the left and the others to the right.
pub fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let length = |text: &String| text.chars().count();
    let widths: Vec<usize> =
        (0..columns).map(|at| rows.iter().filter_map(|row| row.get(at)).map(length).max().unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (at, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let padding = " ".repeat(width - length(cell));
            line.push_str(&if at == 0 { format!("{cell}{padding}") } else { format!("  {padding}{cell}") });
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// A cell of CSV: in quotes where it needs them.
fn cell(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_string() }
}

impl Summary {
    pub fn of(config: &str, runs: &[RunResult]) -> Summary {
        let mut summary = Summary { config: config.to_string(), ..Summary::default() };
        for run in runs.iter().filter(|run| run.config == config) {
            let counter = match (run.rating, run.answer) {
                (Rating::Correct, Answer::True) => &mut summary.correct_true,
                (Rating::Correct, _) => &mut summary.correct_false,
                (Rating::Wrong, Answer::True) => &mut summary.wrong_true,
                (Rating::Wrong, _) => &mut summary.wrong_false,
                (Rating::Unrated, _) => &mut summary.unrated,
                (Rating::Error, _) => &mut summary.error,
                (Rating::Unknown, Answer::Timeout) => &mut summary.timeout,
                (Rating::Unknown, Answer::OutOfMemory) => &mut summary.out_of_memory,
                (Rating::Unknown, _) => &mut summary.unknown,
            };
            *counter += 1;
            summary.score += run.score;
            summary.cpu_seconds += run.cpu_seconds;
            if run.solved() {
                summary.correct_cpu_seconds += run.cpu_seconds;
            }
        }
        let rounded = |seconds: f64| (seconds * 1000.0).round() / 1000.0;
        summary.cpu_seconds = rounded(summary.cpu_seconds);
        summary.correct_cpu_seconds = rounded(summary.correct_cpu_seconds);
        summary
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_needed() {
        assert_eq!(cell("plain"), "plain");
        assert_eq!(cell("a,\"b\"\n"), "\"a,\"\"b\"\"\n\"");
        assert_eq!(aligned(&[vec!["ab".into(), "1".into()], vec!["c".into(), "22".into()]]), "ab   1\nc   22\n");
    }
}
