//! Concrete execution of the program, as the host offers it: native code in a sandbox, fed with a vector of inputs. A
//! run does what gcc's build of the program does, up to what C leaves open.

use crate::program::{EdgeId, FunctionId, Op, Program};
use serde::{Deserialize, Serialize};
use std::fmt;

/// By the count of an edge: its class, one bit for each. Runs whose counts have the same classes are alike for a fuzzer (AFL,
/// technical whitepaper, 2016): 1, 2, 3, 4-7, 8-15, 16-31, 32-127, 128 and more.
pub const HIT_COUNT_CLASSES: [u8; 256] = {
    let mut class = [0; 256];
    let mut count = 1;
    while count < 256 {
        class[count] = match count {
            1 => 1,
            2 => 2,
            3 => 4,
            4..=7 => 8,
            8..=15 => 16,
            16..=31 => 32,
            32..=127 => 64,
            _ => 128,
        };
        count += 1;
    }
    class
};

/// Why a run ended. The edge is where it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Exit {
    /// `main` returned this.
    Returned(i32),
    /// `exit` was called with this.
    Exited(i32),
    /// `abort`, a failed `assert`, or a trap of the program's own.
    Aborted(EdgeId),
    /// A target edge was about to be taken. This is what an alarm needs.
    Target(EdgeId),
    AssumptionViolated(EdgeId),
    /// The inputs ended, and the run was to stop then.
    InputsEnded(EdgeId),
    StepLimit(EdgeId),
    StackOverflow(EdgeId),
    /// An allocation beyond the limit.
    OutOfMemory(EdgeId),
    /// A read or write of memory that the program does not have.
    MemoryFault(EdgeId),
    /// Division by zero, or the one quotient that does not fit.
    DivisionError(EdgeId),
    /// Something that cannot be executed: unsupported code, a call of an unknown function through a pointer.
    Unsupported(EdgeId),
    Cancelled(EdgeId),
}

impl Exit {
    /// Where it happened; `None` for a regular end.
    pub fn edge(self) -> Option<EdgeId> {
        use Exit::*;
        match self {
            Returned(_) | Exited(_) => None,
            Aborted(e)
            | Target(e)
            | AssumptionViolated(e)
            | InputsEnded(e)
            | StepLimit(e)
            | StackOverflow(e)
            | OutOfMemory(e)
            | MemoryFault(e)
            | DivisionError(e)
            | Unsupported(e)
            | Cancelled(e) => Some(e),
        }
    }
}

impl Exit {
    /// The same as text for a user, with the operation that could not be executed and the line where the run ended.
    pub fn explained(self, program: &Program) -> String {
        let Some(edge) = self.edge() else { return self.to_string() };
        let what = match self {
            Exit::Unsupported(_) => unsupported_operation(program, edge),
            _ => self.to_string(),
        };
        let span = program.edge(edge).span;
        match span.is_somewhere() {
            true => format!("{what} ({}:{})", program.file_name(span), span.line),
            false => what,
        }
    }
}

/// The operation that ended a run as unsupported at this edge.
pub fn unsupported_operation(program: &Program, edge: EdgeId) -> String {
    match program.edge(edge).op {
        Op::Unsupported(id) => format!("unsupported code was reached: {}", program.unsupported[id.index()].what),
        Op::Call(_) | Op::External(_) => match program.called_function(edge) {
            Some(function) => format!("a call of `{}` cannot be executed", program.function(function).name),
            None => "a call through a pointer leads to no function that can be executed".to_owned(),
        },
        // All other operations are executed; only this conversion can fail among them.
        _ => "a floating-point number is converted to an integer type that cannot hold it, which C leaves undefined"
            .to_owned(),
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Exit::*;
        match self {
            Returned(status) => write!(f, "main returned {status}"),
            Exited(status) => write!(f, "the program called exit({status})"),
            Aborted(_) => f.write_str("the program aborted"),
            Target(_) => f.write_str("a target was reached"),
            AssumptionViolated(_) => f.write_str("an assumption was violated"),
            InputsEnded(_) => f.write_str("the inputs ended"),
            StepLimit(_) => f.write_str("the step limit was reached"),
            StackOverflow(_) => f.write_str("the stack overflowed"),
            OutOfMemory(_) => f.write_str("the program allocated too much memory"),
            MemoryFault(_) => f.write_str("memory that the program does not have was accessed"),
            DivisionError(_) => f.write_str("division by zero or overflow in a division"),
            Unsupported(_) => f.write_str("code that cannot be executed was reached"),
            Cancelled(_) => f.write_str("cancelled"),
        }
    }
}

/// The records and checks for which a program is compiled; each of these costs time in every run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExecutionOptions {
    /// Runs end when one of these is about to be taken.
    pub targets: Vec<EdgeId>,
    /// Count how often each edge is taken.
    pub coverage: bool,
    /// Record the sequence of branch decisions.
    pub decisions: bool,
    /// Record the operands of comparisons.
    pub comparisons: bool,
    /// Where the lifetime of a local variable begins, fill it with junk, which differs from run to run, rather than
    /// leave the old bytes. Runs that depend on indeterminate values then go different ways.
    pub junk: bool,
}

/// What happens when the program asks for more inputs than it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WhenInputsEnd {
    Stop,
    Zero,
    /// Pseudo-random values from this seed.
    Random(u64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunLimits {
    /// Loop iterations plus calls.
    pub steps: u64,
    pub when_inputs_end: WhenInputsEnd,
}

impl Default for RunLimits {
    fn default() -> Self {
        RunLimits { steps: 10_000_000, when_inputs_end: WhenInputsEnd::Stop }
    }
}

/// An input that a run consumed, in call order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[repr(C)]
pub struct ConsumedInput {
    /// The input function.
    pub function: FunctionId,
    /// The edge that read it.
    pub edge: EdgeId,
    /// The value in the low bits, in the format of the function's result type; the rest is zero.
    pub bits: u64,
}

/// Two integers that decided a branch, sign- or zero-extended as their type says. Where the condition is an integer
/// rather than a comparison, it stands on the left, and zero on the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(C)]
pub struct ComparedValues {
    /// One of the two sides of the branch.
    pub edge: EdgeId,
    /// The width of the compared type.
    pub bits: u32,
    pub left: u64,
    pub right: u64,
}

/// A program ready to run, with memory of its own; one for each thread. The records of a run are valid until the next
/// run.
pub trait Execution: Send {
    /// Runs the program from its start. `inputs` are consumed in call order; each is cut to the width it needs.
    fn run(&mut self, inputs: &[u64], limits: &RunLimits) -> Exit;

    /// The inputs that the last run consumed, including those that it made up itself.
    fn consumed(&self) -> &[ConsumedInput];

    /// How often the last run took each edge, by edge number, at most 255 each. Empty unless asked for.
    fn coverage(&self) -> &[u8];

    /// The branch decisions of the last run: for each pair of assume edges, 1 if the condition held. Empty unless asked
    /// for; ends after [`MAX_RECORDED`] entries.
    fn decisions(&self) -> &[u8];

    /// Operands of comparisons in the last run. Empty unless asked for; ends after [`MAX_RECORDED`] entries.
    fn comparisons(&self) -> &[ComparedValues];

    /// Steps that the last run took.
    fn steps(&self) -> u64;
}

/// Records longer than this are cut.
pub const MAX_RECORDED: usize = 1 << 20;
