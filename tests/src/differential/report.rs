//! The outcome of many comparisons, as a table by category and a list of what needs a reader's attention.

use super::{Counts, Outcome, Verdict};
use crate::table;
use std::collections::BTreeMap;

pub struct Report {
    pub text: String,
    /// Tasks whose printed version behaves differently, or could not be compared.
    pub failures: usize,
}

#[derive(Default)]
struct Row {
    tasks: usize,
    same: usize,
    uninitialised: usize,
    undefined: usize,
    different: usize,
    not_compared: usize,
    counts: Counts,
}

impl Row {
    fn add(&mut self, outcome: &Outcome) {
        self.tasks += 1;
        match outcome.verdict {
            Verdict::Same => self.same += 1,
            Verdict::SameButUninitialised { .. } => {
                self.same += 1;
                self.uninitialised += 1;
            }
            Verdict::Undefined { .. } => self.undefined += 1,
            Verdict::Different { .. } => self.different += 1,
            Verdict::NotLoaded { .. } | Verdict::NotCompiled { .. } => self.not_compared += 1,
        }
        let counts = &outcome.counts;
        self.counts.vectors += counts.vectors;
        self.counts.events += counts.events;
        self.counts.cut += counts.cut;
        self.counts.silent += counts.silent;
        self.counts.errors += counts.errors;
    }

    fn cells(&self, name: &str) -> Vec<String> {
        let numbers = [
            self.tasks,
            self.same,
            self.different,
            self.not_compared,
            self.undefined,
            self.uninitialised,
            self.counts.vectors,
            self.counts.events,
            self.counts.errors,
            self.counts.cut,
            self.counts.silent,
        ];
        let mut cells = vec![name.to_string()];
        cells.extend(numbers.iter().map(usize::to_string));
        cells
    }
}

const HEADER: [&str; 12] = [
    "category",
    "tasks",
    "same",
    "different",
    "not compared",
    "undefined",
    "uninitialised",
    "vectors",
    "events",
    "errors reached",
    "cut",
    "cut silently",
];

const LEGEND: &str = "\
same: no difference on any vector. undefined: the original itself behaves differently when compiled in another way that
C allows, evidence below. uninitialised: of the same, those whose behaviour depends on memory that C leaves
uninitialised; both versions have zero there. cut: vectors that met the time, stack or trace limit, compared up to there
(silently: before the first event).
";

pub fn summary(outcomes: &[Outcome]) -> Report {
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    let mut total = Row::default();
    let mut notes = String::new();
    for outcome in outcomes {
        rows.entry(&outcome.task.category).or_default().add(outcome);
        total.add(outcome);
        notes.push_str(&note(outcome));
    }
    let mut cells: Vec<Vec<String>> = rows.iter().map(|(name, row)| row.cells(name)).collect();
    cells.push(total.cells("total"));
    let text = format!("{notes}\n{}\n{LEGEND}", table::render(&HEADER, &cells));
    Report { text, failures: total.different + total.not_compared }
}

/// The note about one task.
pub(super) fn note(outcome: &Outcome) -> String {
    let name = &outcome.task.name;
    match &outcome.verdict {
        Verdict::Same => String::new(),
        Verdict::SameButUninitialised { evidence } => format!("uninitialised  {name}: {evidence}\n"),
        Verdict::Undefined { evidence, difference } => {
            format!("undefined      {name}: {evidence}\n               difference: {difference}\n")
        }
        Verdict::Different { differences } => {
            format!("DIFFERENT      {name}: {}\n", differences.join("\n               "))
        }
        Verdict::NotLoaded { reason } => format!("NOT LOADED     {name}: {reason}\n"),
        Verdict::NotCompiled { which, reason } => format!("NOT COMPILED   {name}: {which}: {reason}\n"),
    }
}
