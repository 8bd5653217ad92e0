//! Uses the files of a tool: tests and inputs are executed, invariants are passed on as claims, and a file that cannot
//! be used is reported.

use crate::ktest;
use tandem_plugin_api::adapter::ToolFile;
use tandem_plugin_api::artifact::{InputValue, Invariants, TestCase, TestSuite};
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::service::execution::{ExecutionOptions, Exit, RunLimits, WhenInputsEnd};
use tandem_plugin_api::service::recorded;

/// More tests than these are not executed.
const MOST_TESTS: usize = 2_000;

pub struct Findings<'t> {
    task: &'t Task,
    tool: &'t str,
    /// The text that the tool got, if it is not the program's own.
    given: Option<&'t str>,
    candidates: Vec<TestCase>,
    tests: Vec<TestCase>,
    invariants: Invariants,
    notes: Vec<String>,
    /// Witnesses that could be read.
    pub read: usize,
    /// Why the first unreadable witness could not be read.
    pub problem: Option<String>,
}

impl<'t> Findings<'t> {
    pub fn new(task: &'t Task, tool: &'t str, given: Option<&'t str>) -> Self {
        Findings {
            task,
            tool,
            given,
            candidates: Vec::new(),
            tests: Vec::new(),
            invariants: Invariants::default(),
            notes: Vec::new(),
            read: 0,
            problem: None,
        }
    }

    pub fn witness(&mut self, file: &ToolFile, host: &Host) {
        match host.read_claims(self.given, file) {
            Ok(claims) => {
                self.read += 1;
                self.candidates.extend(claims.tests);
                claims.invariants.iter().for_each(|invariant| self.invariants.insert(invariant.clone()));
                self.notes.extend(claims.notes.into_iter().map(|note| format!("{}: {note}", file.path)));
            }
            Err(error) => self.problem = self.problem.take().or(Some(error.message)),
        }
    }

    /// Reads a file of the directory of tests; other files are skipped.
    pub fn test(&mut self, file: &ToolFile, host: &Host) {
        let read = if file.path.ends_with(".ktest") {
            ktest::vector(&file.content).map(|values| vec![as_test(&values)])
        } else if file.path.ends_with(".xml") && !file.path.ends_with("metadata.xml") {
            host.read_claims(self.given, file).map(|claims| claims.tests)
        } else {
            return;
        };
        match read {
            Ok(tests) => self.candidates.extend(tests),
            Err(error) => self.notes.push(format!("{}: {}", file.path, error.message)),
        }
    }

    /// Executes the tests until one reaches the error. If the tool claims an error, a run without inputs is tried as
    /// well.
    pub fn reaches_error(&mut self, claimed: bool, host: &Host) -> Result<bool> {
        if claimed {
            self.candidates.push(TestCase::of([]));
        }
        if self.candidates.is_empty() {
            return Ok(false);
        }
        let options = ExecutionOptions { targets: self.task.targets.clone(), ..ExecutionOptions::default() };
        let mut execution = match host.execution(&options) {
            Ok(execution) => execution,
            Err(error) => {
                self.notes.push(error.message);
                return Ok(false);
            }
        };
        let limits = RunLimits { when_inputs_end: WhenInputsEnd::Zero, ..RunLimits::default() };
        for test in self.candidates.iter().take(MOST_TESTS) {
            if host.stopped().is_some() {
                break;
            }
            let values: Vec<u64> = test.values().map(bits).collect();
            let exit = execution.run(&values, &limits);
            let reached = matches!(exit, Exit::Target(_));
            let case = recorded::test_case(&self.task.program, execution.consumed());
            self.tests.push(TestCase { covers_error: reached, ..case });
            if reached {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The outcome where the tool says TRUE: a claim, unless its witness cannot be used.
    pub fn claimed_true(&self) -> Outcome {
        let tool = self.tool;
        if let (Some(problem), 0) = (&self.problem, self.read) {
            return Outcome::unknown(format!("{tool} claims TRUE, but its witness cannot be used: {problem}"));
        }
        if self.given.is_some() && self.task.program.may_compare_literals() {
            let why = "it got each string literal as an array of its own, and the program compares addresses";
            return Outcome::unknown(format!("{tool} claims TRUE, but {why}"));
        }
        let mut outcome = Outcome::new(Verdict::True);
        outcome.soundness.claim(format!("TRUE by {tool}"));
        outcome
    }

    /// The outcome where the tool says FALSE, and no execution shows it.
    pub fn claimed_false(&self, line: &str, witnesses: &[String]) -> Outcome {
        let tool = self.tool;
        let why = match (&self.problem, self.notes.first()) {
            (Some(problem), _) if self.read == 0 => format!("its witness cannot be used: {problem}"),
            _ if self.candidates.len() <= 1 && self.read == 0 => match witnesses {
                [] => "no test of it reaches the error".to_string(),
                _ => format!("it wrote no witness ({})", witnesses.join(", ")),
            },
            (_, Some(note)) => format!("the inputs in its files do not reach the error here ({note})"),
            _ => "the inputs in its files do not reach the error here".to_string(),
        };
        Outcome::unknown(format!("{tool} claims FALSE ({line}), but {why}"))
    }

    /// Adds tests, invariants and notes to the outcome.
    pub fn add_to(self, outcome: &mut Outcome, host: &Host) {
        for note in &self.notes {
            host.info(note);
        }
        outcome.statistic("witnesses read", self.read);
        if !self.tests.is_empty() {
            outcome.statistic("tests executed", self.tests.len());
            outcome.tests = Some(TestSuite { tests: self.tests });
        }
        if !self.invariants.is_empty() {
            outcome.statistic("invariants claimed", self.invariants.len());
            outcome.invariants = Some(self.invariants);
        }
    }
}

fn as_test(values: &[u64]) -> TestCase {
    TestCase::of(values.iter().map(|value| InputValue::Int { width: 64, signed: false, bits: u128::from(*value) }))
}

/// The bits of an input for an execution; the host has given all inputs their types.
fn bits(value: &InputValue) -> u64 {
    value.bits().map_or(0, |bits| bits as u64)
}
