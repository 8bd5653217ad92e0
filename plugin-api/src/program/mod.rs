//! The program under analysis: a control-flow automaton per function over typed, side-effect free expressions.
//! Read-only once built, all in arenas indexed by typed ids. [`Program`] is the root.

pub mod cfa;
mod check;
pub mod constant;
pub mod expr;
pub mod float;
pub mod graph;
pub mod ids;
mod literals;
pub mod names;
pub mod print_c;
mod probe;
mod scope;
pub mod span;
mod truth;
pub mod types;

pub use cfa::*;
pub use constant::Constant;
pub use expr::{BinaryOp, Expr, ExprKind, Exprs, UnaryOp};
pub use ids::*;
pub use names::{EdgeNames, LocationNames};
pub use print_c::PrintOptions;
pub use scope::{Meaning, Viewpoint};
pub use span::{SourceFile, Span};
pub use types::*;

use serde::{Deserialize, Serialize};

/// A C program, typed and lowered. It means exactly what the C text means, with signed overflow that wraps and with
/// indeterminate values for uninitialised locals.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Program {
    /// The file that was read, as the user named it.
    pub name: String,
    /// SHA-256 of that file in hexadecimal, by which artifacts are matched with the program; empty if the program is
    /// not from a file.
    pub source_sha256: String,
    pub files: Vec<SourceFile>,
    pub types: Types,
    pub exprs: Exprs,
    pub variables: Vec<Variable>,
    pub functions: Vec<Function>,
    pub locations: Vec<Location>,
    pub edges: Vec<Edge>,
    pub call_sites: Vec<CallSite>,
    pub decisions: Vec<Decision>,
    pub loops: Vec<Loop>,
    pub unsupported: Vec<Unsupported>,
    /// The entry function, normally `main`.
    pub main: FunctionId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Storage {
    /// File scope, or `static` inside a function: lives for the whole run, zero where not initialised.
    Global,
    /// `extern` without a definition in this program: its initial value is unknown.
    Extern,
    Local,
    Parameter,
    /// Made by the front end; a local in every other respect.
    Temporary,
    /// Holds a function's result between `return` and the end of the call.
    Result,
    /// The array behind a string literal; a global in every other respect.
    StringLiteral,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable {
    /// As the source names it.
    pub name: String,
    /// Unique in the program and a C identifier: the name in printed programs.
    pub unique_name: String,
    pub ty: TypeId,
    pub storage: Storage,
    /// The function whose frame holds it; for a `static` local, the function that names it.
    pub function: Option<FunctionId>,
    pub span: Span,
    /// Whether it can be reached through a pointer.
    pub address_taken: bool,
    /// The alignment that its declaration asks for; `None` where its type decides.
    pub align: Option<u64>,
    /// For globals and string literals: zero first, then these, in order. Places and values are constant.
    pub initializer: Vec<Initial>,
}

impl Variable {
    /// A power of two that divides its address.
    pub fn alignment(&self, types: &Types) -> u64 {
        self.align.unwrap_or_else(|| types.align_of(self.ty))
    }

    /// Lives in a function's frame.
    pub fn is_local(&self) -> bool {
        matches!(self.storage, Storage::Local | Storage::Parameter | Storage::Temporary | Storage::Result)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Initial {
    pub place: ExprId,
    pub value: ExprId,
}

impl Program {
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.index()]
    }

    pub fn location(&self, id: LocationId) -> &Location {
        &self.locations[id.index()]
    }

    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    pub fn variable(&self, id: VarId) -> &Variable {
        &self.variables[id.index()]
    }

    pub fn call_site(&self, id: CallSiteId) -> &CallSite {
        &self.call_sites[id.index()]
    }

    pub fn edge_ids(&self) -> impl Iterator<Item = EdgeId> + use<> {
        (0..self.edges.len()).map(EdgeId::new)
    }

    /// The expressions whose values an edge computes, without the place that it writes to.
    pub fn expressions_of(&self, edge: EdgeId) -> Vec<ExprId> {
        match &self.edge(edge).op {
            Op::Assume { condition, .. } => vec![*condition],
            Op::Assign { value, .. } => vec![*value],
            Op::Call(site) | Op::External(site) => self.call_site(*site).arguments.clone(),
            Op::Return(value) => value.iter().copied().collect(),
            _ => Vec::new(),
        }
    }

    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        self.functions.iter().position(|f| f.name == name).map(FunctionId::new)
    }

    /// The type of the function's result.
    pub fn result_type(&self, function: FunctionId) -> Option<TypeId> {
        match *self.types.get(self.function(function).ty) {
            Type::Function { result, .. } => Some(result),
            _ => None,
        }
    }

    /// The function an edge belongs to: the caller's for `Call`, the callee's for `Resume`.
    pub fn function_of_edge(&self, id: EdgeId) -> FunctionId {
        self.location(self.edge(id).from).function
    }

    /// The function that this edge calls by name, defined or not, input functions included.
    pub fn called_function(&self, id: EdgeId) -> Option<FunctionId> {
        match &self.edge(id).op {
            Op::Input { function, .. } => Some(*function),
            Op::Call(site) | Op::External(site) => match self.call_site(*site).callee {
                Callee::Function(function) => Some(function),
                Callee::Pointer(_) => None,
            },
            _ => None,
        }
    }

    /// The location where execution goes on in the same function after a call returns.
    pub fn return_location(&self, site: CallSiteId) -> Option<LocationId> {
        self.call_site(site).resume.map(|edge| self.edge(edge).to)
    }

    /// Where the program begins.
    pub fn entry(&self) -> Option<LocationId> {
        self.function(self.main).body.map(|body| body.entry)
    }

    pub fn file_name(&self, span: Span) -> &str {
        self.files.get(span.file.index()).map_or("", |file| &file.name)
    }
}
