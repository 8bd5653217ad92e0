//! Executes the tests that actors claim to reach the error; `crate::verdict` decides by the result whether FALSE is reported.
//! that trust counterexamples of their components report 20 to 59 wrong alarms per configuration.)

use super::stop::Stop;
use crate::replay::{Confirmed, LIMITS, Unconfirmed, confirm};
use crate::services::{Execute, Executions};
use crate::verdict::of_claim;
use std::sync::Arc;
use std::time::Duration;
use tandem_plugin_api::artifact::{Acceptance, Outcome, TestCase, TestSuite};
use tandem_plugin_api::service::execution::ExecutionOptions;
use tandem_plugin_api::service::recorded::tested;
use tandem_plugin_api::task::Task;

/// The time limit of a test's execution: longer tests are useless.
const TIME: Duration = Duration::from_secs(30);

/// The outcome with a verdict that was executed where it is FALSE; its tests claim an error only if they reach it.
pub fn confirmed(mut outcome: Outcome, actor: &str, task: &Arc<Task>, executions: &Arc<Executions>) -> Outcome {
    let claims_error = |outcome: &Outcome| outcome.tests.iter().flat_map(|suite| &suite.tests).any(|t| t.covers_error);
    let claims = outcome.verdict.is_false() || claims_error(&outcome);
    if !claims || task.property.is_coverage() {
        outcome.verdict = of_claim(outcome.verdict, actor, &task.property, None);
        return outcome;
    }
    let mut tests = outcome.tests.take().unwrap_or_default();
    let mut claimed = tests.clone();
    // With another verdict, only tests that claim to reach the error are executed.
    claimed.tests.retain(|test| test.covers_error || outcome.verdict.is_false());
    tests.tests.iter_mut().for_each(|test| test.covers_error = false);
    let executed = execute(task, executions, &claimed).map(|confirmed| {
        put_first(&mut tests, confirmed.test);
        // Other actors can use the path, whichever actor found it.
        if !outcome.gia.as_ref().is_some_and(|gia| gia.has(Acceptance::Rt)) {
            outcome.gia = tested(&task.program, &[confirmed.run], &[]).ok();
        }
    });
    outcome.verdict = of_claim(outcome.verdict, actor, &task.property, Some(executed));
    outcome.tests = Some(tests);
    outcome
}

/// The test that was executed takes the place of the one that it was made from, if that is still the same.
fn put_first(tests: &mut TestSuite, executed: TestCase) {
    tests.tests.retain(|test| !test.values().eq(executed.values()));
    tests.tests.insert(0, executed);
}

fn execute(task: &Task, executions: &Arc<Executions>, tests: &TestSuite) -> Result<Confirmed, String> {
    if tests.tests.is_empty() {
        return Err(Unconfirmed::NoTests.to_string());
    }
    if let Some(known) = executions.reached(task, tests) {
        return Ok(known);
    }
    let options = ExecutionOptions { targets: task.targets.clone(), coverage: true, ..ExecutionOptions::default() };
    // The actor's own time may be over; the test has a time of its own.
    let stop = Stop::new();
    let started = executions.start(&options, stop.signal().clone());
    let mut execution = started.map_err(|error| format!("its test cannot be executed: {error}"))?;
    let _alarm = stop.after(TIME)?;
    confirm(&task.program, &mut *execution, tests, &LIMITS).map_err(|why| why.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::load_text;
    use tandem_plugin_api::artifact::{InputValue, Verdict};
    use tandem_plugin_api::program::DataModel;
    use tandem_plugin_api::task::Property;

    const PROGRAM: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n\
                           if (__VERIFIER_nondet_int() == 7) {\nreach_error();\n}\nreturn 3; }\n";

    fn task(property: Property) -> Arc<Task> {
        Arc::new(Task::new(Arc::new(load_text(PROGRAM, "p.c", DataModel::Ilp32).unwrap()), property))
    }

    fn outcome(verdict: Verdict, values: &[i128], covers_error: bool) -> Outcome {
        let test = |value: &i128| {
            let test = TestCase::of([InputValue::integer(32, true, *value), InputValue::integer(32, true, 9)]);
            TestCase { covers_error, ..test }
        };
        let mut outcome = Outcome::new(verdict);
        outcome.tests = Some(TestSuite { tests: values.iter().map(test).collect() });
        outcome
    }

    fn check(outcome: Outcome) -> Outcome {
        let task = task(Property::UnreachableCall { function: "reach_error".into() });
        confirmed(outcome, "bmc", &task, &Executions::of(&task.program))
    }

    #[test]
    fn a_violation_needs_a_test_that_reaches_it() {
        let reason = |outcome: Outcome| check(outcome).verdict.to_string();
        let none = reason(Outcome::new(Verdict::False));
        assert_eq!(none, "UNKNOWN (actor `bmc` claims a violation, but no test was given that shows it)");
        let wrong = reason(outcome(Verdict::False, &[6], true));
        assert!(wrong.contains("its test does not reach the error when executed: main returned 3"), "{wrong}");
        let good = check(outcome(Verdict::False, &[6, 7], false));
        assert_eq!(good.verdict, Verdict::False);
        assert!(good.gia.unwrap().has(Acceptance::Rt));
        // The test has exactly the inputs that were read and comes first; no other test claims to reach the error.
        let tests = good.tests.unwrap().tests;
        let claims: Vec<(String, bool)> =
            tests.iter().map(|test| (test.inputs[0].value.to_string(), test.covers_error)).collect();
        assert_eq!(claims, [("7".into(), true), ("6".into(), false), ("7".into(), false)]);
        assert_eq!(tests[0].inputs.len(), 1);
    }

    #[test]
    fn what_was_executed_once_is_not_executed_again() {
        let task = task(Property::UnreachableCall { function: "reach_error".into() });
        let executions = Executions::of(&task.program);
        let claim = |values: &[i128]| outcome(Verdict::False, values, true);
        assert_eq!(confirmed(claim(&[6]), "bmc", &task, &executions).verdict.name(), "UNKNOWN");
        assert_eq!(executions.reached(&task, &claim(&[7]).tests.unwrap()), None);
        let first = confirmed(claim(&[7]), "bmc", &task, &executions);
        let known = executions.reached(&task, first.tests.as_ref().unwrap()).unwrap();
        assert_eq!(Some(&known.test), first.tests.as_ref().unwrap().tests.first());
        // What is remembered gives the same outcome.
        assert_eq!(confirmed(first.clone(), "bmc", &task, &executions), first);
        // Other inputs, and other tasks, are not known.
        assert_eq!(executions.reached(&task, &claim(&[6, 8]).tests.unwrap()), None);
        let other = Task::new(task.program.clone(), Property::UnreachableCall { function: "abort".into() });
        assert_eq!(executions.reached(&other, first.tests.as_ref().unwrap()), None);
    }

    #[test]
    fn a_test_that_reaches_the_error_outdoes_other_verdicts() {
        for verdict in [Verdict::True, Verdict::unknown("open")] {
            assert_eq!(check(outcome(verdict.clone(), &[7], true)).verdict, Verdict::False);
            let unshaken = check(outcome(verdict.clone(), &[6], true));
            assert_eq!(unshaken.verdict, verdict);
            assert!(!unshaken.tests.unwrap().tests[0].covers_error);
            // Tests that claim nothing are not run.
            assert_eq!(check(outcome(verdict.clone(), &[7], false)).verdict, verdict);
        }
    }

    #[test]
    fn questions_for_tests_have_no_false() {
        let task = task(Property::CoverBranches);
        let answer = confirmed(outcome(Verdict::False, &[7], true), "bmc", &task, &Executions::of(&task.program));
        assert!(answer.verdict.is_unknown());
        assert_eq!(answer.tests.unwrap().tests.len(), 1);
    }
}
