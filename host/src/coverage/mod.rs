//! The coverage of a test suite: the branches of the source, its conditions, and its lines.
//!
//! A *branch* is an outcome of a decision of the source text: `if`, the loops, `?:`, and `&&` or `||` used as a value have
//! two, a `switch` has one for each `case` and one for `default`, written or not. `if (a && b)` is one decision, however
//! many jumps it becomes. Decisions on constants (`while (1)`) do not count. All code of the program counts, whether or
//! not anything calls it. This is what Test-Comp's `COVER EDGES(@DECISIONEDGE)` names.
//!
//! gcov counts the jumps of the compiled program instead, which is what *conditions* are here: each operand of `&&` and
//! `||` has two. The two numbers still differ where gcc folds or merges comparisons before it counts.

mod goals;
pub mod html;
mod lines;
mod measure;
pub mod report;
pub mod text;

pub use goals::{Goal, Goals};
pub use measure::measure;
pub use report::Report;

use crate::replay::{Replayer, TestRun, describe};
use lines::Lines;
use serde::Serialize;
use std::ops::ControlFlow;
use tandem_plugin_api::artifact::TestCase;
use tandem_plugin_api::program::{EdgeId, Program};
use tandem_plugin_api::service::execution::{Execution, ExecutionOptions, Exit, RunLimits, WhenInputsEnd};
use tandem_plugin_api::task::Property;

/// Enough for every test that ends; a test that does not end is cut off, and counts as far as it came.
pub fn measuring_limits() -> RunLimits {
    RunLimits { steps: 100_000_000, when_inputs_end: WhenInputsEnd::Stop }
}

/// Covered out of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Ratio {
    pub covered: usize,
    pub total: usize,
}

impl Ratio {
    pub fn of(covered: impl IntoIterator<Item = bool>) -> Self {
        let mut ratio = Ratio::default();
        for covered in covered {
            ratio.total += 1;
            ratio.covered += usize::from(covered);
        }
        ratio
    }

    /// 100 if there is nothing to cover.
    pub fn percent(self) -> f64 {
        if self.total == 0 { 100.0 } else { 100.0 * self.covered as f64 / self.total as f64 }
    }
}

impl std::fmt::Display for Ratio {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {} ({:.1} %)", self.covered, self.total, self.percent())
    }
}

/// The run of one test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TestResult {
    pub name: String,
    /// How the run ended, and where.
    pub end: String,
    pub inputs_given: usize,
    pub inputs_used: usize,
    /// Branches that no test before it took.
    pub new_branches: usize,
    pub reaches_error: bool,
    /// What is wrong with the test's values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// The coverage of the tests so far.
pub struct Coverage<'p> {
    program: &'p Program,
    replayer: Replayer<'p>,
    goals: Goals,
    error_calls: Vec<EdgeId>,
    /// By edge: how many tests took it.
    taken: Vec<u32>,
    lines: Lines,
    tests: Vec<TestResult>,
}

impl<'p> Coverage<'p> {
    /// Nothing is covered yet. `property` says which function stands for the error, where it is known.
    pub fn new(program: &'p Program, property: Option<&Property>) -> Self {
        Coverage {
            program,
            replayer: Replayer::new(program),
            goals: Goals::of(program),
            error_calls: error_calls(program, property),
            taken: vec![0; program.edges.len()],
            lines: Lines::of(program),
            tests: Vec::new(),
        }
    }

    /// How an execution must be made for [`Coverage::run`]. An error function with a body is run as any other, since
    /// the branches in it count; one without ends the run.
    pub fn options(program: &Program, property: Option<&Property>) -> ExecutionOptions {
        let mut targets = error_calls(program, property);
        let has_body = |edge: EdgeId| {
            program.called_function(edge).is_some_and(|function| program.function(function).body.is_some())
        };
        targets.retain(|&edge| !has_body(edge));
        ExecutionOptions { targets, coverage: true, ..ExecutionOptions::default() }
    }

    /// Runs a test and adds its coverage. The records of the execution stay until the next run.
    pub fn run(
        &mut self,
        execution: &mut dyn Execution,
        name: &str,
        test: &TestCase,
        limits: &RunLimits,
    ) -> (&TestResult, TestRun) {
        let run = self.replayer.run(execution, test, limits);
        let branches_before = self.branches().covered;
        let counts = execution.coverage();
        // A run ends before it takes its target.
        let target = match run.exit {
            Exit::Target(edge) => Some(edge),
            _ => None,
        };
        let took = |edge: EdgeId| counts.get(edge.index()).is_some_and(|&count| count > 0) || target == Some(edge);
        let edges: Vec<EdgeId> = self.program.edge_ids().filter(|&edge| took(edge)).collect();
        edges.iter().for_each(|edge| self.taken[edge.index()] += 1);
        self.lines.add(edges.iter().copied());
        let reaches_error = self.error_calls.iter().any(|&edge| took(edge));
        let end = describe(self.program, &TestRun { problem: None, ..run.clone() });
        self.tests.push(TestResult {
            name: name.to_string(),
            end,
            inputs_given: test.inputs.len(),
            inputs_used: run.used,
            new_branches: self.branches().covered - branches_before,
            reaches_error,
            problem: run.problem.as_ref().map(ToString::to_string),
        });
        (&self.tests[self.tests.len() - 1], run)
    }

    /// Runs all tests, or until `go_on`, which gets the number of tests done, breaks.
    pub fn run_all<'t>(
        &mut self,
        execution: &mut dyn Execution,
        tests: impl IntoIterator<Item = (&'t str, &'t TestCase)>,
        limits: &RunLimits,
        mut go_on: impl FnMut(usize) -> ControlFlow<()>,
    ) {
        for (at, (name, test)) in tests.into_iter().enumerate() {
            self.run(execution, name, test, limits);
            if go_on(at + 1).is_break() {
                return;
            }
        }
    }

    pub fn program(&self) -> &'p Program {
        self.program
    }

    pub fn replayer(&self) -> &Replayer<'p> {
        &self.replayer
    }

    pub fn goals(&self) -> &Goals {
        &self.goals
    }

    pub fn tests(&self) -> &[TestResult] {
        &self.tests
    }

    /// How many tests took this edge.
    pub fn tests_of_edge(&self, edge: EdgeId) -> u32 {
        self.taken[edge.index()]
    }

    /// How many tests executed this line of the text; `None` where it has no code.
    pub fn tests_of_line(&self, line: u32) -> Option<u32> {
        self.lines.tests(line)
    }

    pub fn branches(&self) -> Ratio {
        self.ratio(&self.goals.branches)
    }

    pub fn conditions(&self) -> Ratio {
        self.ratio(&self.goals.conditions)
    }

    /// Whether some test reached the error; `None` where the program has no call of it.
    pub fn error_reached(&self) -> Option<bool> {
        if self.error_calls.is_empty() { None } else { Some(self.tests.iter().any(|test| test.reaches_error)) }
    }

    pub fn is_covered(&self, goal: &Goal) -> bool {
        goal.edges.iter().any(|&edge| self.tests_of_edge(edge) > 0)
    }

    fn ratio(&self, goals: &[Goal]) -> Ratio {
        Ratio::of(goals.iter().map(|goal| self.is_covered(goal)))
    }
}

/// The calls of the functions that the property names, or of those that stand for an error where it names none.
fn error_calls(program: &Program, property: Option<&Property>) -> Vec<EdgeId> {
    match property.filter(|property| !property.functions().is_empty()) {
        Some(property) => property.targets(program),
        None => Property::usual(program).map(|property| property.targets(program)).unwrap_or_default(),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::frontend::load_text;
    use tandem_plugin_api::artifact::InputValue;
    use tandem_plugin_api::program::DataModel;
    use tandem_plugin_api::service::execution::{ComparedValues, ConsumedInput};

    /// An execution that covers the edges its inputs name.
    pub struct Named {
        pub counts: Vec<u8>,
        pub exit: Exit,
    }

    impl Execution for Named {
        fn run(&mut self, inputs: &[u64], _: &RunLimits) -> Exit {
            self.counts.fill(0);
            inputs.iter().for_each(|&edge| self.counts[edge as usize] = 1);
            self.exit
        }

        fn consumed(&self) -> &[ConsumedInput] {
            &[]
        }

        fn coverage(&self) -> &[u8] {
            &self.counts
        }

        fn decisions(&self) -> &[u8] {
            &[]
        }

        fn comparisons(&self) -> &[ComparedValues] {
            &[]
        }

        fn steps(&self) -> u64 {
            0
        }
    }

    pub fn test_of(edges: impl IntoIterator<Item = EdgeId>) -> TestCase {
        TestCase::of(edges.into_iter().map(|edge| InputValue::integer(64, false, edge.0.into())))
    }

    #[test]
    fn tests_add_up() {
        let text = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n\
                    int x = __VERIFIER_nondet_int();\nif (x > 0 && x < 9) reach_error();\nreturn 0; }\n";
        let program = load_text(text, "p.c", DataModel::Ilp32).unwrap();
        let mut coverage = Coverage::new(&program, None);
        assert_eq!((coverage.branches().total, coverage.conditions().total), (2, 4));
        assert_eq!(coverage.error_reached(), Some(false));
        let branch = |truth: &str| {
            let goal = coverage.goals().branches.iter().find(|goal| goal.outcome == truth);
            goal.unwrap().edges.clone()
        };
        let (yes, no) = (branch("true"), branch("false"));
        assert_eq!((yes.len(), no.len()), (1, 2));
        let mut execution = Named { counts: vec![0; program.edges.len()], exit: Exit::Returned(0) };
        let limits = RunLimits::default();
        for (expected, edge) in [(1, no[0]), (0, no[1])] {
            let (result, _) = coverage.run(&mut execution, "a", &test_of([edge]), &limits);
            assert_eq!((result.new_branches, result.reaches_error), (expected, false));
        }
        let targets = Coverage::options(&program, None).targets;
        assert_eq!(targets.len(), 1);
        execution.exit = Exit::Target(targets[0]);
        let (result, _) = coverage.run(&mut execution, "b", &test_of([yes[0]]), &limits);
        assert_eq!((result.new_branches, result.reaches_error), (1, true));
        assert_eq!(result.end, "a target was reached (p.c:5)");
        assert_eq!(coverage.error_reached(), Some(true));
        assert_eq!(coverage.tests_of_edge(targets[0]), 1);
        assert_eq!(coverage.branches().to_string(), "2 of 2 (100.0 %)");
        assert_eq!(coverage.conditions().to_string(), "3 of 4 (75.0 %)");
    }

    #[test]
    fn an_error_function_with_a_body_is_run() {
        let text = "int x;\nvoid reach_error(void) { if (x) x = 1; }\nvoid other(void);\n\
                    int main(void) { reach_error(); other(); return 0; }\n";
        let program = load_text(text, "p.c", DataModel::Ilp32).unwrap();
        assert_eq!(Coverage::options(&program, None).targets, []);
        let call = |function: &str| Property::CoverCall { function: function.into() };
        assert_eq!(Coverage::options(&program, Some(&call("other"))).targets.len(), 1);
        let mut coverage = Coverage::new(&program, None);
        let mut execution = Named { counts: vec![0; program.edges.len()], exit: Exit::Returned(0) };
        let calls = error_calls(&program, None);
        let (result, _) = coverage.run(&mut execution, "a", &test_of(calls), &RunLimits::default());
        assert!(result.reaches_error);
        assert_eq!(Coverage::new(&program, Some(&call("absent"))).error_reached(), None);
    }
}
