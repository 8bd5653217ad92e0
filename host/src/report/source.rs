//! The source as the page shows it: its lines with marks, and the invariants at their places.

use crate::compose::recorder::Record;
use crate::coverage::Coverage;
use serde::Serialize;
use std::collections::BTreeMap;
use tandem_plugin_api::artifact::Invariants;
use tandem_plugin_api::program::{EdgeId, EdgeNames, LocationId, LocationNames, Op, Program};

/// Longer files are cut: browsers do not show them well.
const MOST_LINES: usize = 20_000;

#[derive(Clone, Debug, Default, Serialize)]
pub struct Source {
    pub lines: Vec<String>,
    /// How many there are.
    pub total: usize,
    /// The meaning of the marks.
    pub marked: Marked,
    /// By line.
    pub marks: BTreeMap<u32, Mark>,
    pub invariants: Vec<ShownInvariant>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Marked {
    #[default]
    Nothing,
    /// Lines that the counterexample executes.
    Counterexample,
    /// Lines that tests executed.
    Tests,
    /// Lines that abstract states reached.
    Explored,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    Yes,
    /// Some branches are missing, or states wait there.
    Part,
    No,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShownInvariant {
    /// It stands above this line.
    pub line: u32,
    pub function: String,
    pub expression: String,
}

impl Source {
    pub fn of(text: &str) -> Self {
        let total = text.lines().count();
        let lines = text.lines().take(MOST_LINES).map(str::to_string).collect();
        Source { lines, total, ..Source::default() }
    }

    /// Marks the lines of these edges.
    pub fn mark_taken(&mut self, program: &Program, taken: &[EdgeId]) {
        self.marked = Marked::Counterexample;
        self.marks = taken.iter().filter_map(|edge| line(program, *edge)).map(|line| (line, Mark::Yes)).collect();
    }

    pub fn mark_tests(&mut self, coverage: &Coverage<'_>) {
        self.marked = Marked::Tests;
        for at in 1..=self.lines.len() as u32 {
            let mark = coverage.tests_of_line(at).map(|tests| if tests > 0 { Mark::Yes } else { Mark::No });
            self.marks.extend(mark.map(|mark| (at, mark)));
        }
        for goal in coverage.goals().branches.iter().filter(|goal| !coverage.is_covered(goal)) {
            let mark = self.marks.get_mut(&goal.span.physical_line).filter(|mark| **mark == Mark::Yes);
            mark.into_iter().for_each(|mark| *mark = Mark::Part);
        }
    }

    /// Marks the lines that abstract states reached, if an actor had some.
    pub fn mark_explored(&mut self, program: &Program, record: &Record) {
        let own = record.works.iter().filter(|work| !work.residual).filter_map(|work| work.graph.as_ref());
        let graphs: Vec<_> = own.collect();
        if graphs.is_empty() {
            return;
        }
        self.marked = Marked::Explored;
        for edge in program.edge_ids() {
            self.marks.extend(line(program, edge).map(|line| (line, Mark::No)));
        }
        let passed = graphs.iter().flat_map(|graph| &graph.passed);
        self.marks.extend(passed.filter_map(|edge| line(program, *edge)).map(|line| (line, Mark::Yes)));
        let waiting = graphs.iter().flat_map(|graph| &graph.waiting).flat_map(|at| &program.location(*at).leaving);
        self.marks.extend(waiting.filter_map(|edge| line(program, *edge)).map(|line| (line, Mark::Part)));
    }

    /// Invariants that were proven.
    pub fn add_invariants(&mut self, program: &Program, invariants: &Invariants) {
        let names = LocationNames::new(program, &EdgeNames::new(program));
        for invariant in invariants.iter() {
            let Some(location) = names.location(&invariant.location) else { continue };
            let Some(line) = line_of_location(program, location) else { continue };
            self.invariants.push(ShownInvariant {
                line,
                function: program.function(program.location(location).function).name.clone(),
                expression: invariant.expression.text().to_string(),
            });
        }
        self.invariants.sort_by_key(|invariant| invariant.line);
    }
}

/// The line that a reader sees executed at this edge.
fn line(program: &Program, edge: EdgeId) -> Option<u32> {
    let edge = program.edge(edge);
    let seen = edge.span.is_somewhere() && !matches!(edge.op, Op::Declare(_) | Op::Resume(_));
    seen.then_some(edge.span.physical_line)
}

/// The line of the loop's keyword, or of the next operation.
fn line_of_location(program: &Program, at: LocationId) -> Option<u32> {
    let keyword = program.loops.iter().find(|statement| statement.head == at).map(|statement| statement.keyword);
    let leaving = program.location(at).leaving.iter().map(|edge| program.edge(*edge).span);
    keyword.into_iter().chain(leaving).find(|span| span.is_somewhere()).map(|span| span.physical_line)
}
