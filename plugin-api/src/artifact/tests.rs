//! Test cases and test suites: the values that input functions return, in the order of the calls.

use super::InputValue;
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

/// One execution of the program. Where the inputs run out, the execution ends.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TestCase {
    pub inputs: Vec<TestInput>,
    /// Whether its execution is known to call the error function.
    pub covers_error: bool,
}

/// Tests in the order in which they were found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestSuite {
    pub tests: Vec<TestCase>,
}
