//! gcov's counts and tandem's, line by line. Where both count the same number of ways, the same ways must have been taken;
//! where they do not, the difference is sorted by what explains it.

use super::gcov::Line;
use std::collections::BTreeMap;
use tandem::coverage::{Coverage, Ratio, Report};

/// What came out for one task.
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
            comparison.lines.add((tests > 0) == (line.executions > 0));
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
    explain(&mut comparison.differences, report);
    comparison
}

/// Neighbouring differences that cancel out are one condition over several lines.
fn explain(differences: &mut [Difference], report: &Report) {
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
        differences[at].explanation = alone(&differences[at], report);
        at += 1;
    }
}

fn alone(difference: &Difference, report: &Report) -> Explanation {
    let Difference { tandem, gcov, line, .. } = difference;
    let text = &report.source[*line as usize - 1].text;
    let joins = text.matches("&&").count() + text.matches("||").count();
    if gcov.total < tandem.total && gcov.total > 0 && joins > 0 {
        Explanation::OperandsMerged
    } else if gcov.total == 0 && tandem.covered == 0 {
        Explanation::Dropped
    } else {
        Explanation::None
    }
}
