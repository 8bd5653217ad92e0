//! A measurement as plain data, from which the text, the HTML page and the JSON document are made.

use super::{Coverage, Goal, Ratio, TestResult};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub tandem: String,
    pub program: String,
    pub suite: String,
    pub data_model: String,
    /// Outcomes of source decisions.
    pub branches: Ratio,
    /// Jumps, as gcov counts them.
    pub conditions: Ratio,
    pub lines: Ratio,
    /// `None` where the program has no call of the error function.
    pub error_reached: Option<bool>,
    pub tests: Vec<TestResult>,
    pub source: Vec<SourceLine>,
}

/// A line of the program's text with what the tests did there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SourceLine {
    pub number: u32,
    pub text: String,
    /// How many tests executed it; `None` for lines without code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tests: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub branches: Vec<Branch>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Branch {
    pub decision: &'static str,
    pub outcome: String,
    /// The column of the decision.
    pub column: u32,
    /// Whether some test took it.
    pub covered: bool,
}

impl Report {
    /// `text` is the program's, as it was read.
    pub fn of(coverage: &Coverage<'_>, suite: &str, text: &str) -> Self {
        let source = source_lines(coverage, text);
        Report {
            tandem: env!("CARGO_PKG_VERSION").to_string(),
            program: coverage.program().name.clone(),
            suite: suite.to_string(),
            data_model: coverage.program().types.model.name().to_string(),
            branches: coverage.branches(),
            conditions: coverage.conditions(),
            lines: Ratio::of(source.iter().filter_map(|line| line.tests).map(|tests| tests > 0)),
            error_reached: coverage.error_reached(),
            tests: coverage.tests().to_vec(),
            source,
        }
    }

    /// The tests whose values do not fit the program, with the problem of each.
    pub fn problems(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tests.iter().filter_map(|test| Some((test.name.as_str(), test.problem.as_deref()?)))
    }
}

fn source_lines(coverage: &Coverage<'_>, text: &str) -> Vec<SourceLine> {
    let mut branches: BTreeMap<u32, Vec<Branch>> = BTreeMap::new();
    for goal in &coverage.goals().branches {
        let Goal { decision, ref outcome, span, .. } = *goal;
        let covered = coverage.is_covered(goal);
        let branch = Branch { decision, outcome: outcome.clone(), column: span.column, covered };
        branches.entry(span.physical_line).or_default().push(branch);
    }
    let numbered = text.lines().zip(1..);
    numbered
        .map(|(text, number)| SourceLine {
            number,
            text: text.to_string(),
            tests: coverage.tests_of_line(number),
            branches: branches.remove(&number).unwrap_or_default(),
        })
        .collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::tests::{Named, test_of};
    use super::*;
    use crate::frontend::load_text;
    use tandem_plugin_api::program::{DataModel, EdgeId};
    use tandem_plugin_api::service::execution::{Exit, RunLimits};

    pub const TEXT: &str = "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int x;\n\
                            x = __VERIFIER_nondet_int();\n  if (x < 3 && x > 1)\n    x = '<';\n  return x ? 1 : 2;\n}\n";

    /// One test that goes through the false branch of the `if`.
    pub fn report() -> Report {
        let program = load_text(TEXT, "p<1>.c", DataModel::Lp64).unwrap();
        let mut coverage = Coverage::new(&program, None);
        let no = coverage.goals().branches.iter().find(|goal| goal.outcome == "false").unwrap().edges[0];
        let input = program.edge_ids().filter(|&edge| program.edge(edge).span.line == 4);
        let edges: Vec<EdgeId> = input.chain([no]).collect();
        let mut execution = Named { counts: vec![0; program.edges.len()], exit: Exit::Returned(2) };
        coverage.run(&mut execution, "t&1.xml", &test_of(edges), &RunLimits::default());
        Report::of(&coverage, "suite", TEXT)
    }

    #[test]
    fn lines_say_what_happened_there() {
        let report = report();
        let tests: Vec<Option<u32>> = report.source.iter().map(|line| line.tests).collect();
        assert_eq!(tests, [None, None, None, Some(1), Some(1), Some(0), Some(0), None]);
        let marks = |line: usize| {
            let mark = |branch: &Branch| (branch.decision, branch.outcome.clone(), branch.covered);
            report.source[line - 1].branches.iter().map(mark).collect::<Vec<_>>()
        };
        assert_eq!(marks(5), [("if", "true".into(), false), ("if", "false".into(), true)]);
        assert_eq!(marks(7), [("?:", "true".into(), false), ("?:", "false".into(), false)]);
        assert_eq!(report.branches, Ratio { covered: 1, total: 4 });
        assert_eq!(report.lines, Ratio { covered: 2, total: 4 });
        assert_eq!((report.error_reached, report.data_model.as_str()), (None, "LP64"));
        let json = serde_json::to_value(&report).unwrap();
        assert_eq!(json["branches"]["covered"], 1);
        assert_eq!(json["source"][4]["branches"][1]["covered"], true);
        assert!(json["source"][0].get("tests").is_none());
    }
}
