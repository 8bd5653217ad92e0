//! Two experiments side by side: tasks that the second gained, lost or answered differently, and how its times compare.

use super::result::{Rating, RunResult};
use super::table::{ConfigInfo, Results, Summary, aligned};
use serde::Serialize;
use std::collections::BTreeMap;

/// Times that differ by less are noise.
const NOISE_SECONDS: f64 = 0.5;
const NOISE_RATIO: f64 = 1.5;

/// One configuration of both.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    pub old: String,
    pub new: String,
    pub gained: Vec<Change>,
    pub lost: Vec<Change>,
    /// Answers that differ, and are correct in neither.
    pub changed: Vec<Change>,
    /// Solved by both, with times that differ by more than noise; the largest ratio first.
    pub slower: Vec<Change>,
    pub faster: Vec<Change>,
    pub solved_by_both: usize,
    /// Geometric mean of new over old CPU times, on tasks that both solve.
    pub mean_ratio: Option<f64>,
    pub only_old: usize,
    pub only_new: usize,
}

#[derive(Clone, Debug, Serialize)]
pub struct Change {
    pub task: String,
    pub old: String,
    pub new: String,
    pub old_seconds: f64,
    pub new_seconds: f64,
    pub ratio: f64,
    pub wrong: bool,
}

/// Compares configurations with the same label; where each side has a single one, these.
pub fn compare(old: &Results, new: &Results) -> Vec<Comparison> {
    let pairs: Vec<(&ConfigInfo, &ConfigInfo)> = match (old.configs.as_slice(), new.configs.as_slice()) {
        ([one], [other]) => vec![(one, other)],
        (olds, news) => olds.iter().filter_map(|o| Some((o, news.iter().find(|n| n.label == o.label)?))).collect(),
    };
    pairs.into_iter().map(|(o, n)| one(old, &o.label, new, &n.label)).collect()
}

fn by_task<'r>(results: &'r Results, label: &str) -> BTreeMap<&'r str, &'r RunResult> {
    results.runs.iter().filter(|run| run.config == label).map(|run| (run.task.as_str(), run)).collect()
}

fn one(old: &Results, old_label: &str, new: &Results, new_label: &str) -> Comparison {
    let (olds, news) = (by_task(old, old_label), by_task(new, new_label));
    let mut found = Comparison {
        old: old_label.to_string(),
        new: new_label.to_string(),
        gained: Vec::new(),
        lost: Vec::new(),
        changed: Vec::new(),
        slower: Vec::new(),
        faster: Vec::new(),
        solved_by_both: 0,
        mean_ratio: None,
        only_old: olds.keys().filter(|task| !news.contains_key(*task)).count(),
        only_new: news.keys().filter(|task| !olds.contains_key(*task)).count(),
    };
    let mut logarithms = 0.0;
    for (task, before) in &olds {
        let Some(after) = news.get(task) else { continue };
        let change = Change::of(task, before, after);
        match (before.solved(), after.solved()) {
            (false, true) => found.gained.push(change),
            (true, false) => found.lost.push(change),
            (false, false) if before.answer != after.answer => found.changed.push(change),
            (false, false) => {}
            (true, true) => {
                found.solved_by_both += 1;
                logarithms += change.ratio.ln();
                let matters = (change.new_seconds - change.old_seconds).abs() > NOISE_SECONDS;
                if matters && change.ratio > NOISE_RATIO {
                    found.slower.push(change);
                } else if matters && change.ratio < 1.0 / NOISE_RATIO {
                    found.faster.push(change);
                }
            }
        }
    }
    found.mean_ratio = (found.solved_by_both > 0).then(|| (logarithms / found.solved_by_both as f64).exp());
    found.slower.sort_by(|a, b| b.ratio.total_cmp(&a.ratio));
    found.faster.sort_by(|a, b| a.ratio.total_cmp(&b.ratio));
    found
}

impl Change {
    fn of(task: &str, old: &RunResult, new: &RunResult) -> Change {
        // The clock of some mechanisms ticks every 10 ms.
        let seconds = |run: &RunResult| run.cpu_seconds.max(0.01);
        Change {
            task: task.to_string(),
            old: old.answer.to_string(),
            new: new.answer.to_string(),
            old_seconds: old.cpu_seconds,
            new_seconds: new.cpu_seconds,
            ratio: seconds(new) / seconds(old),
            wrong: new.rating == Rating::Wrong,
        }
    }
}

/// For a terminal: a line per configuration, then every task that was gained, lost or changed.
pub fn text(comparisons: &[Comparison]) -> String {
    let header = ["configuration", "gained", "lost", "changed", "slower", "faster", "both", "time new/old"];
    let mut rows = vec![header.map(str::to_string).to_vec()];
    for found in comparisons {
        let name = if found.old == found.new { found.old.clone() } else { format!("{} → {}", found.old, found.new) };
        let mut row = vec![name];
        let lists = [&found.gained, &found.lost, &found.changed, &found.slower, &found.faster];
        row.extend(lists.map(|list| list.len().to_string()));
        row.push(found.solved_by_both.to_string());
        row.push(found.mean_ratio.map_or("-".to_string(), |ratio| format!("{ratio:.2}")));
        rows.push(row);
    }
    let mut text = aligned(&rows);
    for found in comparisons {
        let lists = [
            ("gained", &found.gained),
            ("lost", &found.lost),
            ("changed", &found.changed),
            ("slower", &found.slower),
            ("faster", &found.faster),
        ];
        for (what, list) in lists.iter().filter(|(_, list)| !list.is_empty()) {
            text.push_str(&format!("\n{}, {what}:\n", found.new));
            for change in *list {
                let wrong = if change.wrong { "  WRONG" } else { "" };
                let Change { task, old, new, old_seconds, new_seconds, ratio, .. } = change;
                let answers = if old == new { old.clone() } else { format!("{old} → {new}") };
                text.push_str(&format!(
                    "  {task}: {answers}, {old_seconds:.2} s → {new_seconds:.2} s (×{ratio:.2}){wrong}\n"
                ));
            }
        }
        for (count, side) in [(found.only_old, "first"), (found.only_new, "second")] {
            if count > 0 {
                text.push_str(&format!("\n{}: {count} tasks are in the {side} experiment only\n", found.new));
            }
        }
    }
    text
}

/// Both as one set of results, for the page: each configuration once as it was and once as it is.
pub fn merged(old: &Results, new: &Results, comparisons: &[Comparison]) -> Results {
    let mut merged = Results { configs: Vec::new(), summary: Vec::new(), runs: Vec::new(), planned: 0, ..new.clone() };
    merged.experiment = format!("{} → {}", old.experiment, new.experiment);
    for found in comparisons {
        for (side, results, label) in [("old", old, &found.old), ("new", new, &found.new)] {
            let shown = format!("{label} ({side})");
            let info = results.configs.iter().find(|config| config.label == *label);
            merged.configs.extend(info.map(|info| ConfigInfo { label: shown.clone(), ..info.clone() }));
            let runs = results.runs.iter().filter(|run| run.config == *label);
            // Files of the runs are elsewhere.
            let strip = |run: &RunResult| RunResult { config: shown.clone(), folder: String::new(), ..run.clone() };
            merged.runs.extend(runs.map(strip));
            merged.summary.push(Summary::of(&shown, &merged.runs));
        }
    }
    merged.planned = merged.runs.len();
    merged
}

#[cfg(test)]
mod tests {
    use super::super::result::Answer;
    use super::super::tasks::Task;
    use super::*;

    fn results(runs: &[(&str, &str, Answer, f64)]) -> Results {
        let mut labels: Vec<&str> = runs.iter().map(|run| run.0).collect();
        labels.dedup();
        let info = |label: &&str| ConfigInfo { label: label.to_string(), config: label.to_string(), options: vec![] };
        let run = |(config, name, answer, seconds): &(&str, &str, Answer, f64)| {
            let (name, hash) = (name.to_string(), String::new());
            let task = Task { name, file: "x".into(), property: None, expected: Some(true), hash };
            RunResult { cpu_seconds: *seconds, ..RunResult::new("k", config, &task, (*answer, String::new())) }
        };
        Results {
            tandem: String::new(),
            experiment: "e".into(),
            about: String::new(),
            limits: serde_json::Value::Null,
            configs: labels.iter().map(info).collect(),
            planned: runs.len(),
            jobs: 1,
            summary: vec![],
            runs: runs.iter().map(run).collect(),
        }
    }

    #[test]
    fn gains_losses_changes_and_times() {
        use Answer::{False, Timeout, True, Unknown};
        let old = results(&[
            ("a", "gained", Unknown, 1.0),
            ("a", "lost", True, 1.0),
            ("a", "other", Unknown, 1.0),
            ("a", "slower", True, 1.0),
            ("a", "faster", True, 8.0),
            ("a", "same", True, 1.0),
            ("a", "gone", True, 1.0),
        ]);
        let new = results(&[
            ("a", "gained", True, 2.0),
            ("a", "lost", False, 1.0),
            ("a", "other", Timeout, 1.0),
            ("a", "slower", True, 4.0),
            ("a", "faster", True, 2.0),
            ("a", "same", True, 1.1),
        ]);
        let found = compare(&old, &new).remove(0);
        let tasks = |list: &[Change]| list.iter().map(|change| change.task.clone()).collect::<Vec<_>>();
        assert_eq!(tasks(&found.gained), ["gained"]);
        assert_eq!(tasks(&found.lost), ["lost"]);
        assert!(found.lost[0].wrong);
        assert_eq!(tasks(&found.changed), ["other"]);
        assert_eq!((tasks(&found.slower), tasks(&found.faster)), (vec!["slower".into()], vec!["faster".into()]));
        assert_eq!((found.solved_by_both, found.only_old, found.only_new), (3, 1, 0));
        assert!((found.mean_ratio.unwrap() - 1.1f64.cbrt()).abs() < 1e-9);
        let shown = text(std::slice::from_ref(&found));
        assert!(shown.contains("lost: TRUE → FALSE, 1.00 s → 1.00 s (×1.00)  WRONG"), "{shown}");
        let both = merged(&old, &new, &[found]);
        assert_eq!(both.configs.iter().map(|config| config.label.as_str()).collect::<Vec<_>>(), ["a (old)", "a (new)"]);
        assert_eq!((both.runs.len(), both.summary[0].correct_true, both.summary[1].correct_true), (13, 5, 4));
    }

    #[test]
    fn single_configurations_are_compared_whatever_they_are_called() {
        let (old, new) = (results(&[("a", "t", Answer::True, 1.0)]), results(&[("b", "t", Answer::True, 1.0)]));
        assert_eq!(compare(&old, &new)[0].solved_by_both, 1);
    }
}
