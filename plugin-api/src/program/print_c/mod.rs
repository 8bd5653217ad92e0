//! Programs, expressions, types and edges as C text: for people (`x < 3`), for condition automata, and as C files that
//! gcc compiles to the same meaning. Residual programs leave tandem through here.

mod call;
mod constant;
mod edge;
mod expr;
mod function;
mod initializer;
mod place;
mod program;
#[cfg(test)]
mod tests;
mod types;

use super::{CompositeId, EdgeId, ExprId, ExprKind, FunctionId, Program, TypeId, VarId};
use std::collections::BTreeSet;

/// Which names variables get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// As the source names them: for people, and for formats that name variables of the source.
    Source,
    /// Unique in the program: for printed programs.
    Unique,
    /// Such that the host reads the text back as the same expression, with the names of this function.
    Readable(Option<FunctionId>),
}

/// How a whole program is printed.
#[derive(Clone, Copy, Debug, Default)]
pub struct PrintOptions {
    /// `#line` directives, so that a compiler's messages and a debugger speak of the original file.
    pub line_directives: bool,
    /// Static assertions that the compiler lays out every struct and union as the program model says.
    pub layout_asserts: bool,
    /// Leave out functions and variables that `main` cannot use.
    pub only_used: bool,
    /// Set a local to zero where its lifetime begins, which makes runs comparable with those of gcc's
    /// `-ftrivial-auto-var-init=zero`.
    pub zero_declared: bool,
}

impl Program {
    /// The expression as C, with the names of the source.
    pub fn expr_to_c(&self, expr: ExprId) -> String {
        expression(self, expr, Names::Source)
    }

    /// What happens on the edge, in the manner of CPAchecker: `[x < 3]`, `[!(x < 3)]`, `x = y + 1;`, `f(a)`.
    pub fn edge_text(&self, edge: EdgeId) -> String {
        edge::text(self, edge)
    }

    /// The type as C writes it in a cast: `struct s *`, `int (*)(char)`.
    pub fn type_to_c(&self, ty: TypeId) -> String {
        declaration(self, ty, "")
    }

    /// The whole program as a C file (GNU C11) of the same meaning.
    pub fn to_c(&self, options: &PrintOptions) -> String {
        program::text(self, options)
    }
}

/// The expression as C.
pub fn expression(program: &Program, expr: ExprId, names: Names) -> String {
    Printer::new(program, names).any_type(expr).text
}

/// The expression as C that the host reads back as one of the same value, with the names that a function sees. `None` where
/// it uses variables of other functions, or ones that no name stands for there.
pub fn readable(program: &Program, expr: ExprId, function: Option<FunctionId>) -> Option<String> {
    let mut named = true;
    program.exprs.walk(expr, &mut |id| {
        if let ExprKind::Var(variable) = program.exprs.kind(id) {
            named = named && program.name_in(variable, function).is_some();
        }
    });
    named.then(|| expression(program, expr, Names::Readable(function)))
}

/// A declaration of `name` with this type, without the semicolon; just the type where the name is empty.
pub fn declaration(program: &Program, ty: TypeId, name: &str) -> String {
    Printer::new(program, Names::Source).declaration(ty, name)
}

/// Prints pieces of one program and notes what they mention.
struct Printer<'p> {
    program: &'p Program,
    names: Names,
    used: Used,
    /// Nesting of the expression being printed.
    depth: u32,
}

/// What printed text mentions and a file must therefore declare.
#[derive(Default)]
struct Used {
    functions: BTreeSet<FunctionId>,
    variables: BTreeSet<VarId>,
    /// Must be complete types.
    composites: BTreeSet<CompositeId>,
    /// A tag was named.
    tags: BTreeSet<CompositeId>,
    /// Functions that give any value of a type, with their declarations.
    any_value: BTreeSet<(String, String)>,
    /// `__VERIFIER_assume` and `abort` are called by what the printer added.
    assume: bool,
    abort: bool,
}

impl<'p> Printer<'p> {
    fn new(program: &'p Program, names: Names) -> Self {
        Printer { program, names, used: Used::default(), depth: 0 }
    }
}
