//! Questions about a call without a body in a program: what the call does to memory, and whether it does what no edge shows.

use super::{Effects, LibraryFunction, Memory, Models, is_library_name};
use crate::program::{CallSite, Callee, ExprId, ExprKind, Program, Storage};

impl LibraryFunction {
    /// The function that a call without a body is of.
    pub fn called(program: &Program, call: &CallSite) -> Option<&'static LibraryFunction> {
        match call.callee {
            Callee::Function(callee) => LibraryFunction::named(&program.function(callee).name),
            Callee::Pointer(_) => None,
        }
    }
}

/// What a call without a body does to memory: `Untouched` by convention if the function is not one of the C library's or called
/// by a pointer, and `Anything` if it is one of which no more than its name is known.
pub fn memory_of_call(program: &Program, call: &CallSite) -> Memory {
    let Callee::Function(callee) = call.callee else { return Memory::Untouched };
    let name = program.function(callee).name.as_str();
    match LibraryFunction::named(name) {
        Some(function) => function.memory(),
        None if is_library_name(plain(name)) => Memory::Anything,
        None => Memory::Untouched,
    }
}

/// Whether a call without a body is one of the C library that may write through its arguments, or call back, in a way that the
/// table does not tell.
pub fn may_touch_memory(program: &Program, call: &CallSite) -> bool {
    let Callee::Function(callee) = call.callee else { return false };
    let known = LibraryFunction::named(&program.function(callee).name);
    if known.is_some_and(|function| function.has(Models::EXECUTION))
        || known.is_none() && !is_library_name(plain(&program.function(callee).name))
    {
        return false;
    }
    let by_number = known.is_some_and(|function| function.has_effect(Effects::TAKES_ADDRESS_AS_NUMBER));
    let points =
        |argument: &ExprId| program.types.is_pointer(program.exprs.ty(*argument)) && !is_null(program, *argument);
    // A union may hold a pointer, and so may a number.
    let hides = |argument: &ExprId| {
        let ty = program.exprs.ty(*argument);
        !program.types.is_scalar(ty) || is_number_of_address(program, *argument)
    };
    // As wide as an address.
    let is_wide =
        |argument: &ExprId| program.types.size_of(program.exprs.ty(*argument)) >= Some(program.types.model.word());
    let may_be_address = |argument: &ExprId| is_wide(argument) && program.exprs.as_int(*argument).is_none();
    (known.is_none() || by_number) && call.arguments.iter().any(points)
        || call.arguments.iter().any(|argument| hides(argument) || by_number && may_be_address(argument))
}

fn plain(name: &str) -> &str {
    name.strip_prefix("__builtin_").unwrap_or(name)
}

/// Whether a number is made of an address.
fn is_number_of_address(program: &Program, expr: ExprId) -> bool {
    match program.exprs.kind(expr) {
        ExprKind::Cast(inner) => {
            program.types.is_pointer(program.exprs.ty(inner)) && !is_null(program, inner)
                || is_number_of_address(program, inner)
        }
        ExprKind::Binary { lhs, rhs, .. } => is_number_of_address(program, lhs) || is_number_of_address(program, rhs),
        ExprKind::Unary { operand, .. } => is_number_of_address(program, operand),
        _ => false,
    }
}

fn is_null(program: &Program, mut expr: ExprId) -> bool {
    while let ExprKind::Cast(inner) = program.exprs.kind(expr) {
        expr = inner;
    }
    program.exprs.as_int(expr) == Some(0)
}

/// A function that the program defines and that this one may call, or that gcc calls in its place.
pub fn called_by_library(program: &Program, function: &LibraryFunction) -> Option<&'static str> {
    let ways =
        [(Effects::CALLS_MALLOC, Effects::SERVES_MALLOC), (Effects::REPLACED_BY_PRINTING, Effects::SERVES_PRINTING)];
    let served = ways.into_iter().filter(|(calls, _)| function.has_effect(*calls)).map(|(_, serves)| serves);
    let mut candidates = served.flat_map(|serves| LibraryFunction::all().filter(move |other| other.has_effect(serves)));
    let is_own = |name: &str| program.function_named(name).is_some_and(|id| program.function(id).body.is_some());
    candidates.find(|other| is_own(other.name())).map(LibraryFunction::name)
}

/// Whether a call may have `%n` in its format, and a pointer for it: nothing but an execution follows what it writes.
pub fn writes_a_count(program: &Program, call: &CallSite) -> bool {
    let Some(function) = LibraryFunction::called(program, call) else { return false };
    let Some(at) = function.format() else { return false };
    let is_pointer = |argument: &ExprId| program.types.is_pointer(program.exprs.ty(*argument));
    let rest = call.arguments.get(at + 1..).unwrap_or_default();
    // A list of arguments may have one.
    let has_pointer = !function.prototype().variadic || rest.iter().any(is_pointer);
    let format = call.arguments.get(at).and_then(|format| literal(program, *format));
    has_pointer && format.is_none_or(|format| has_count(&format))
}

/// Whether a format may have a conversion `%n`, which writes the length of the text to memory of the program.
pub fn has_count(format: &[u8]) -> bool {
    format.split(|&byte| byte == b'%').skip(1).any(|part| {
        let letter = part.iter().find(|byte| !b"-+ #0123456789.*$'IhlqjztL".contains(byte));
        letter == Some(&b'n')
    })
}

/// The bytes of a string literal that an expression is the address of.
fn literal(program: &Program, mut expr: ExprId) -> Option<Vec<u8>> {
    while let ExprKind::Cast(inner) = program.exprs.kind(expr) {
        expr = inner;
    }
    let ExprKind::AddressOf(place) = program.exprs.kind(expr) else { return None };
    let ExprKind::Index { base, .. } = program.exprs.kind(place) else { return None };
    let ExprKind::Var(variable) = program.exprs.kind(base) else { return None };
    let variable = program.variable(variable);
    let unit = |value: ExprId| match program.exprs.kind(value) {
        ExprKind::Int(unit) => Some(unit as u8),
        _ => None,
    };
    (variable.storage == Storage::StringLiteral)
        .then(|| variable.initializer.iter().map(|initial| unit(initial.value)).collect())
        .flatten()
}
