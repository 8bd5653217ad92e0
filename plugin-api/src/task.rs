//! The question about a program: a property to verify or to cover, and the edges that are its targets.

use crate::artifact::{Gia, Invariants, PathRange, Precision, TestSuite};
use crate::program::{EdgeId, FunctionId, Op, Program};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A property of SV-COMP or Test-Comp.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Property {
    /// No call of this function is reachable (`G ! call(f())`).
    UnreachableCall { function: String },
    /// Tests that take every branch of the source (`COVER EDGES(@DECISIONEDGE)`).
    CoverBranches,
    /// A test that calls this function (`COVER EDGES(@CALL(f))`).
    CoverCall { function: String },
    /// No call of any of these functions is reachable (`G ! (call(f()) || call(g()))`): this is checked if no property
    /// is given and the program has several functions that stand for an error.
    UnreachableCalls { functions: Vec<String> },
}

/// Functions whose call is the error in SV-COMP's programs.
const ERROR_FUNCTIONS: [&str; 2] = ["reach_error", "__VERIFIER_error"];

/// The functions that a failing `assert` calls: in glibc and musl, in macOS's library, in newlib.
const FAILURE_FUNCTIONS: [&str; 4] = ["__assert_fail", "__assert_perror_fail", "__assert_rtn", "__assert_func"];

/// The same in libraries whose names programs also use for functions of their own; such functions do not count.
const SHORT_FAILURE_FUNCTIONS: [&str; 3] = ["__assert", "_assert", PLAIN_ASSERT];

/// A call of `assert` itself, where no header made a macro of it and the program has no body for it: the front end makes it a call
/// that happens only if the condition is false.
pub const PLAIN_ASSERT: &str = "assert";

impl Property {
    /// The edges whose execution violates the property, or covers a goal of it.
    pub fn targets(&self, program: &Program) -> Vec<EdgeId> {
        let edges = program.edge_ids();
        if *self == Property::CoverBranches {
            let decides = |edge: &EdgeId| {
                program.edge(*edge).settles.is_some() && matches!(program.edge(*edge).op, Op::Assume { .. })
            };
            return edges.filter(decides).collect();
        }
        // gcc's `__builtin_abort` is a call of `abort`.
        let names = self.functions().iter().flat_map(|name| [name.clone(), format!("__builtin_{name}")]);
        let wanted: Vec<FunctionId> = names.filter_map(|name| program.function_named(&name)).collect();
        edges.filter(|&edge| program.called_function(edge).is_some_and(|called| wanted.contains(&called))).collect()
    }

    /// The functions whose calls are the targets; none for branches.
    pub fn functions(&self) -> &[String] {
        match self {
            Property::UnreachableCall { function } | Property::CoverCall { function } => std::slice::from_ref(function),
            Property::UnreachableCalls { functions } => functions,
            Property::CoverBranches => &[],
        }
    }

    /// Whether a failing `assert` is a target. External tools have a meaning of their own for that.
    pub fn checks_assertions(&self) -> bool {
        let fails = |name: &str| FAILURE_FUNCTIONS.contains(&name) || SHORT_FAILURE_FUNCTIONS.contains(&name);
        self.functions().iter().any(|name| fails(name))
    }

    /// The property that is checked if none is given: that the program calls no function that stands for an error, and
    /// that no `assert` fails. `None` if the program has no such call.
    pub fn usual(program: &Program) -> Option<Property> {
        let mut functions: Vec<String> = usual_functions(program).map(str::to_string).collect();
        match functions.len() {
            0 => None,
            1 => functions.pop().map(|function| Property::UnreachableCall { function }),
            _ => Some(Property::UnreachableCalls { functions }),
        }
    }

    /// Whether the question is for tests rather than for a proof.
    pub fn is_coverage(&self) -> bool {
        matches!(self, Property::CoverBranches | Property::CoverCall { .. })
    }
}

/// Functions that the program calls and that stand for an error by their names. Calls inside of an error function are
/// not errors of their own.
fn usual_functions(program: &Program) -> impl Iterator<Item = &'static str> {
    let is_own = move |name: &str| program.function_named(name).is_some_and(|id| program.function(id).body.is_some());
    let is_called = move |name: &str| {
        let Some(wanted) = program.function_named(name) else { return false };
        program.edge_ids().any(|edge| {
            let caller = program.location(program.edge(edge).from).function;
            program.called_function(edge) == Some(wanted)
                && !ERROR_FUNCTIONS.contains(&program.function(caller).name.as_str())
        })
    };
    let short = SHORT_FAILURE_FUNCTIONS.into_iter().filter(move |name| !is_own(name));
    ERROR_FUNCTIONS.into_iter().chain(FAILURE_FUNCTIONS).chain(short).filter(move |name| is_called(name))
}

/// A program with the question about it.
#[derive(Clone, Debug)]
pub struct Task {
    pub program: Arc<Program>,
    pub property: Property,
    /// [`Property::targets`] of the program.
    pub targets: Vec<EdgeId>,
}

impl Task {
    pub fn new(program: Arc<Program>, property: Property) -> Self {
        let targets = property.targets(&program);
        Task { program, property, targets }
    }

    /// Whether passing this edge violates the property or covers a goal.
    pub fn is_target(&self, edge: EdgeId) -> bool {
        self.targets.binary_search(&edge).is_ok()
    }
}

/// The inputs of an actor beside its task: the artifacts of those that ran before it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inputs {
    /// The knowledge so far; [`Gia::nothing_known`] at the start of a cooperation.
    pub gia: Gia,
    pub precision: Option<Precision>,
    pub tests: Option<TestSuite>,
    pub invariants: Option<Invariants>,
    /// The part of the paths that this actor is to look at.
    pub range: Option<PathRange>,
    /// The seed of all random choices: the same seed gives the same result.
    pub seed: u64,
}

impl Default for Inputs {
    fn default() -> Self {
        Inputs { gia: Gia::nothing_known(), precision: None, tests: None, invariants: None, range: None, seed: 0 }
    }
}
