//! Test cases and test suites: the values that input functions return, in the order of the calls.

use super::InputValue;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// One call of an input function.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TestInput {
    pub value: InputValue,
    /// The C name of the input function's result type, where known.
    pub type_name: Option<String>,
    /// The variable that gets the value, where known; only for readers.
    pub variable: Option<String>,
}

impl TestInput {
    pub fn new(value: InputValue) -> Self {
        TestInput { value, type_name: None, variable: None }
    }

    pub fn of_type(mut self, type_name: impl Into<String>) -> Self {
        self.type_name = Some(type_name.into());
        self
    }

    pub fn for_variable(mut self, variable: impl Into<String>) -> Self {
        self.variable = Some(variable.into());
        self
    }
}

/// One execution of the program. Where the inputs run out, the execution ends.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TestCase {
    pub inputs: Vec<TestInput>,
    /// Whether its execution is known to call the error function.
    pub covers_error: bool,
}

impl TestCase {
    pub fn of(values: impl IntoIterator<Item = InputValue>) -> Self {
        TestCase { inputs: values.into_iter().map(TestInput::new).collect(), covers_error: false }
    }

    pub fn values(&self) -> impl ExactSizeIterator<Item = &InputValue> {
        self.inputs.iter().map(|input| &input.value)
    }

    /// Whether some input is left open. (Whether the inputs are too few is known only after an execution.)
    pub fn is_underspecified(&self) -> bool {
        self.values().any(|value| *value == InputValue::Any)
    }
}

/// Tests in the order in which they were found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestSuite {
    pub tests: Vec<TestCase>,
}

impl TestSuite {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the tests of `other` whose values this suite does not have yet; returns how many these were.
    /// An error that either of two tests with the same values covers is kept.
    pub fn merge(&mut self, other: TestSuite) -> usize {
        let values = |test: &TestCase| test.values().cloned().collect::<Vec<_>>();
        let mut known: FxHashSet<_> = self.tests.iter().map(values).collect();
        let before = self.tests.len();
        for test in other.tests {
            if known.insert(values(&test)) {
                self.tests.push(test);
            } else if test.covers_error
                && let Some(same) = self.tests.iter_mut().find(|same| same.values().eq(test.values()))
            {
                same.covers_error = true;
            }
        }
        self.tests.len() - before
    }
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    fn test(values: &[i128]) -> TestCase {
        TestCase::of(values.iter().map(|&value| InputValue::integer(32, true, value)))
    }

    #[test]
    fn merging_keeps_order_and_drops_repetitions() {
        let mut suite = TestSuite { tests: vec![test(&[1]), test(&[2, 3])] };
        let error = TestCase { covers_error: true, ..test(&[1]) };
        assert_eq!(suite.merge(TestSuite { tests: vec![test(&[2]), error, test(&[2])] }), 1);
        assert_eq!(suite.tests.iter().map(|test| test.inputs.len()).collect::<Vec<_>>(), [1, 2, 1]);
        assert!(suite.tests[0].covers_error && !suite.tests[1].covers_error);
        assert!(!suite.tests[0].is_underspecified() && TestCase::of([InputValue::Any]).is_underspecified());
        let named = TestInput::new(InputValue::double(f64::NAN)).of_type("double").for_variable("d");
        suite.tests.push(TestCase { inputs: vec![named], covers_error: false });
        let bytes = postcard::to_stdvec(&suite).unwrap();
        assert_eq!(postcard::from_bytes::<TestSuite>(&bytes).unwrap(), suite);
        assert_eq!(serde_json::from_str::<TestSuite>(&serde_json::to_string(&suite).unwrap()).unwrap(), suite);
    }
}
