//! The control-flow automaton: locations, edges with their operations, functions, calls, source decisions and loops.

use super::ids::*;
use super::span::Span;
use serde::{Deserialize, Serialize};

/// The operation of an edge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Op {
    /// Nothing (a label, a jump, an empty statement).
    Skip,
    /// Passes where `condition` is non-zero (`holds`) or zero (not `holds`). Two such edges leave a branching location.
    Assume { condition: ExprId, holds: bool },
    /// `target` is a place; both sides have the same type, aggregates included. Bit-fields keep their low bits.
    Assign { target: ExprId, value: ExprId },
    /// The variable's lifetime begins: its value is indeterminate.
    Declare(VarId),
    /// The next test input, from the input function (`__VERIFIER_nondet_int`, …), whose result type is `target`'s.
    Input { function: FunctionId, target: Option<ExprId> },
    /// `target` gets any value, not chosen by a test. Used for outputs of inline assembly.
    Havoc { target: ExprId },
    /// Enters a defined function: its parameters get the arguments. Leads to the callee's entry location.
    Call(CallSiteId),
    /// Comes back from a defined function: the call's result place gets the callee's result variable.
    /// Leads from the callee's exit location to the location after the call; passable only if this call is on top of
    /// the call stack.
    Resume(CallSiteId),
    /// A call that stays on this edge: a library function, a function without a body, or a call through a pointer
    /// that equals the address of no function of the program.
    External(CallSiteId),
    /// The result variable gets the value; leads to the function's exit location.
    Return(Option<ExprId>),
    /// The front end could not represent what stands here. No proof may pass over this edge.
    Unsupported(UnsupportedId),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edge {
    pub from: LocationId,
    pub to: LocationId,
    pub op: Op,
    pub span: Span,
    /// The outcome of a source decision that passing this edge settles. An edge of `a` in `if (a && b)` that goes on to
    /// `b` settles nothing.
    pub settles: Option<Outcome>,
}

/// The `index`-th outcome of a decision. For all but `switch`: 0 is false, 1 is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Outcome {
    pub decision: DecisionId,
    pub index: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Location {
    pub function: FunctionId,
    pub leaving: Vec<EdgeId>,
    pub entering: Vec<EdgeId>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Function {
    pub name: String,
    /// A [`Type::Function`](super::Type::Function).
    pub ty: TypeId,
    pub parameters: Vec<VarId>,
    /// Locals and temporaries; not the parameters, not the result variable.
    pub locals: Vec<VarId>,
    /// Holds what `return` returned; none for `void` functions and functions without a body.
    pub result: Option<VarId>,
    pub body: Option<Body>,
    /// Named labels of the source, with their locations.
    pub labels: Vec<(String, LocationId)>,
    pub span: Span,
    /// Whether its address is used other than to call it directly.
    pub address_taken: bool,
}

impl Function {
    /// A function without a body, whose address is never taken.
    pub fn declared(name: impl Into<String>, ty: TypeId) -> Self {
        Function {
            name: name.into(),
            ty,
            parameters: Vec::new(),
            locals: Vec::new(),
            result: None,
            body: None,
            labels: Vec::new(),
            span: Span::NOWHERE,
            address_taken: false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Body {
    pub entry: LocationId,
    /// No edges leave it but [`Op::Resume`].
    pub exit: LocationId,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallSite {
    pub callee: Callee,
    /// Converted to the parameter types; those of a variadic part are promoted.
    pub arguments: Vec<ExprId>,
    /// A place of the function's result type.
    pub result: Option<ExprId>,
    /// The [`Op::Call`] or [`Op::External`] edge.
    pub call: EdgeId,
    /// The [`Op::Resume`] edge of a call of a defined function.
    pub resume: Option<EdgeId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Callee {
    Function(FunctionId),
    Pointer(ExprId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum DecisionKind {
    If,
    While,
    For,
    DoWhile,
    Switch,
    /// `c ? a : b`
    Conditional,
    /// `a && b` or `a || b` used as a value.
    ShortCircuit,
}

/// A decision of the source text, the unit that branch coverage counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    pub kind: DecisionKind,
    pub function: FunctionId,
    /// The keyword, or the operator for expressions.
    pub span: Span,
    /// 2, or for a switch the number of its distinct targets (the last is the default).
    pub outcomes: u32,
}

/// A loop statement of the source. Loops made of `goto` are found in the graph, see [`graph`](super::graph).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loop {
    pub function: FunctionId,
    pub head: LocationId,
    /// The keyword `for`, `while` or `do`.
    pub keyword: Span,
}

/// Something that the front end could not represent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unsupported {
    pub what: String,
    pub span: Span,
}
