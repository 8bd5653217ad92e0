//! gcov's counts and tandem's, line by line. If both count the same number of ways, the same ways must have been taken;
//! if they do not, the difference is sorted by its explanation.

use super::gcov::Line;
use std::collections::{BTreeMap, BTreeSet};
use tandem::coverage::{Coverage, Ratio, Report};
use tandem_plugin_api::program::{EdgeId, LocationId, Op, Program};

/// The comparison of one task.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    pub tests: usize,
    /// tandem's branches of the source.
    pub branches: Ratio,
    /// tandem's conditions, and gcov's branches.
    pub conditions: Ratio,
    pub gcov: Ratio,
    /// Both, over the lines on which they count the same number of ways.
    pub comparable: Tally,
    /// Lines with code for both; `agree` where both say that it was executed, or both that it was not.
    pub lines: Tally,
    /// Lines that only one of the two says were executed.
    pub apart: Vec<(u32, String)>,
    pub differences: Vec<Difference>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub agree: usize,
    pub total: usize,
}

impl Tally {
    fn add(&mut self, agrees: bool) {
        self.total += 1;
        self.agree += usize::from(agrees);
    }
}

/// A line on which the counts differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub line: u32,
    pub tandem: Ratio,
    pub gcov: Ratio,
    pub explanation: Explanation,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Explanation {
    /// gcc folds operands of `&&` and `||` that have no side effects into one test.
    OperandsMerged,
    /// Both ways do the same: nothing.
    NoDifference,
    /// `case 1: case 2:` is one way.
    LabelsMerged,
    /// `assume(a && b)` has no branches, but its operands are jumps.
    Assumption,
    /// `a < b ? b : a` and the like are one instruction.
    NoJump,
    /// gcc drops code after a call that does not return, and folds what is constant.
    Dropped,
    /// A condition over several lines: the two place its operands on different ones.
    OtherLine,
    /// The number of ways is the same, those taken are not; or nothing above fits.
    None,
}

impl Explanation {
    pub fn text(self) -> &'static str {
        match self {
            Explanation::OperandsMerged => "gcc tests several operands of && or || at once",
            Explanation::NoDifference => "gcc drops a decision of which both ways do nothing",
            Explanation::LabelsMerged => "gcc counts several labels of one statement as one way of the switch",
            Explanation::Assumption => "gcc counts operands of && and || in assumptions, tandem no assumptions",
            Explanation::NoJump => "gcc computes ?: without a jump (minimum, maximum, absolute value)",
            Explanation::Dropped => "gcc drops code that it finds unreachable or constant",
            Explanation::OtherLine => "operands of one condition on several lines",
            Explanation::None => "NOT EXPLAINED",
        }
    }
}

/// Conditions of one line, as tandem counts them.
fn conditions_by_line(coverage: &Coverage<'_>) -> BTreeMap<u32, Ratio> {
    let mut lines: BTreeMap<u32, Ratio> = BTreeMap::new();
    for goal in &coverage.goals().conditions {
        let ratio = lines.entry(goal.span.physical_line).or_default();
        ratio.total += 1;
        ratio.covered += usize::from(coverage.is_covered(goal));
    }
    lines
}

pub fn compare(coverage: &Coverage<'_>, report: &Report, counted: &BTreeMap<u32, Line>) -> Comparison {
    let conditions = conditions_by_line(coverage);
    let gcov_of = |line: u32| counted.get(&line).map(|line| Ratio::of(line.branches.iter().map(|&count| count > 0)));
    let mut comparison = Comparison {
        tests: report.tests.len(),
        branches: report.branches,
        conditions: report.conditions,
        ..Comparison::default()
    };
    for source in &report.source {
        let tandem = conditions.get(&source.number).copied().unwrap_or_default();
        let gcov = gcov_of(source.number).unwrap_or_default();
        comparison.gcov.covered += gcov.covered;
        comparison.gcov.total += gcov.total;
        if let (Some(tests), Some(line)) = (source.tests, counted.get(&source.number)) {
            let agrees = (tests > 0) == (line.executions > 0);
            comparison.lines.add(agrees);
            if !agrees {
                comparison.apart.push((source.number, source.text.trim().to_string()));
            }
        }
        if tandem.total == gcov.total && tandem.total > 0 {
            comparison.comparable.add(tandem == gcov);
        }
        if tandem != gcov {
            let text = source.text.trim().to_string();
            let explanation = Explanation::None;
            comparison.differences.push(Difference { line: source.number, tandem, gcov, explanation, text });
        }
    }
    explain(&mut comparison.differences, coverage, report);
    comparison
}

/// Neighbouring differences that cancel out are one condition over several lines.
fn explain(differences: &mut [Difference], coverage: &Coverage<'_>, report: &Report) {
    let mut at = 0;
    while at < differences.len() {
        let mut end = at + 1;
        let group = loop {
            let group = &differences[at..end];
            let sum = |side: fn(&Difference) -> Ratio| {
                group.iter().map(side).fold((0, 0), |sum, ratio| (sum.0 + ratio.covered, sum.1 + ratio.total))
            };
            if group.len() > 1 && sum(|d| d.tandem) == sum(|d| d.gcov) {
                break Some(end);
            }
            let near = differences.get(end).is_some_and(|next| next.line <= differences[end - 1].line + 2);
            if !near || group.len() > 12 {
                break None;
            }
            end += 1;
        };
        if let Some(end) = group {
            differences[at..end].iter_mut().for_each(|difference| difference.explanation = Explanation::OtherLine);
            at = end;
            continue;
        }
        differences[at].explanation = alone(&differences[at], coverage, report);
        at += 1;
    }
}

fn alone(difference: &Difference, coverage: &Coverage<'_>, report: &Report) -> Explanation {
    let Difference { tandem, gcov, line, .. } = difference;
    let source = &report.source[*line as usize - 1];
    let joins = source.text.matches("&&").count() + source.text.matches("||").count();
    let chooses = source.branches.iter().all(|branch| branch.decision == "?:");
    let missing = tandem.total.saturating_sub(gcov.total);
    if source.text.contains("_assume") && joins > 0 {
        Explanation::Assumption
    } else if gcov.total >= tandem.total {
        Explanation::None
    } else if source.branches.iter().any(|branch| branch.decision == "switch") {
        Explanation::LabelsMerged
    } else if missing > 0 && missing <= ways_that_do_nothing(coverage, *line) {
        Explanation::NoDifference
    } else if gcov.total == 0 && chooses && !source.branches.is_empty() {
        Explanation::NoJump
    } else if gcov.total == 0 && tandem.covered == 0 {
        Explanation::Dropped
    } else if missing > 0 && gcov.total > 0 && joins > 0 {
        Explanation::OperandsMerged
    } else {
        Explanation::None
    }
}

/// Conditions of a line after which both ways meet again without any operation in between.
fn ways_that_do_nothing(coverage: &Coverage<'_>, line: u32) -> usize {
    let program = coverage.program();
    let meets = |edge: EdgeId| meeting_point(program, program.edge(edge).to, DEEPEST);
    let on_line = coverage.goals().conditions.iter().filter(|goal| goal.span.physical_line == line);
    on_line
        .filter(|goal| {
            let leaving = &program.location(program.edge(goal.edges[0]).from).leaving;
            leaving.iter().all(|&edge| meets(edge) == meets(goal.edges[0]))
        })
        .count()
}

/// Decisions in decisions that do nothing.
const DEEPEST: u32 = 8;

/// Where control is after everything that does nothing.
fn meeting_point(program: &Program, from: LocationId, depth: u32) -> LocationId {
    let mut at = from;
    // A loop of jumps has no end.
    for _ in 0..100 {
        let leaving = program.location(at).leaving.as_slice();
        let nothing = |edge: &EdgeId| matches!(program.edge(*edge).op, Op::Skip | Op::Assume { .. });
        if leaving.is_empty() || depth == 0 || !leaving.iter().all(nothing) {
            break;
        }
        let ends: BTreeSet<LocationId> =
            leaving.iter().map(|&edge| meeting_point(program, program.edge(edge).to, depth - 1)).collect();
        match ends.first() {
            Some(&end) if ends.len() == 1 && end != at => at = end,
            _ => break,
        }
    }
    at
}
