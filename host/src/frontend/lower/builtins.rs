//! gcc's builtins and SV-COMP's special functions, where the program does not define them itself.

use super::places::Value;
use super::{Lowered, Lowerer};
use crate::frontend::text::{COMPUTED_GOTO, LABEL_ADDRESS};
use lang_c::ast::{self, Expression};
use lang_c::span::Node;
use tandem_plugin_api::program::constant::{infinity, nan};
use tandem_plugin_api::program::*;

/// Library functions from which control does not come back.
pub(super) fn never_returns(name: &str) -> bool {
    matches!(
        name,
        "abort"
            | "exit"
            | "_exit"
            | "_Exit"
            | "quick_exit"
            | "__assert_fail"
            | "__assert"
            | "__assert_perror_fail"
            | "__assert_rtn"
            | "__assert_func"
            | "_assert"
            | "__builtin_unreachable"
            | "__builtin_trap"
            | "__builtin_abort"
            | "__builtin_exit"
            | "longjmp"
            | "_longjmp"
            | "siglongjmp"
            | "pthread_exit"
            | "__VERIFIER_error"
            | "reach_error"
    )
}

/// The condition inside `__builtin_expect(condition, likely value)`.
pub(super) fn expected_condition(call: &ast::CallExpression) -> Option<&Node<Expression>> {
    match (&call.callee.node, call.arguments.as_slice()) {
        (Expression::Identifier(id), [condition, _]) if id.node.name == "__builtin_expect" => Some(condition),
        _ => None,
    }
}

impl Lowerer<'_> {
    /// A call that means something of its own; `None` for ordinary functions.
    pub fn special_call(&mut self, name: &str, call: &Node<ast::CallExpression>) -> Lowered<Option<Value>> {
        if name == "__VERIFIER_assume" {
            return self.assume(call);
        }
        if name == LABEL_ADDRESS {
            return self.label_address(call).map(Some);
        }
        if name == COMPUTED_GOTO {
            return self.computed_goto(call).map(Some);
        }
        if name.starts_with("__VERIFIER_nondet_") {
            return self.input(name, call);
        }
        match name.strip_prefix("__builtin_") {
            Some(builtin) => self.builtin(builtin, call).map(Some),
            None => Ok(None),
        }
    }

    fn builtin(&mut self, name: &str, call: &Node<ast::CallExpression>) -> Lowered<Value> {
        let arguments = call.node.arguments.as_slice();
        if let Some(value) = self.float_builtin(name, call)? {
            return Ok(value);
        }
        match (name, arguments) {
            ("expect", [value, _]) => {
                let value = self.value(value)?.expr;
                let long = self.types.int(IntKind::Long);
                Ok(self.cast(value, long).into())
            }
            ("constant_p", [value]) => {
                // As gcc without optimisation: literals and their combinations.
                let constant = self.constant_value(value)?.is_some();
                let int = self.common.int;
                Ok(self.int_constant(constant.into(), int).into())
            }
            ("choose_expr", [condition, then, otherwise]) => {
                let chosen = if self.constant_integer(condition)? != 0 { then } else { otherwise };
                self.value(chosen)
            }
            ("types_compatible_p", [a, b]) => {
                // The text gives null pointers to the two types.
                let types = self.unevaluated(|s| Ok((s.operand_type(a)?, s.operand_type(b)?)))?;
                let int = self.common.int;
                Ok(self.int_constant((types.0 == types.1).into(), int).into())
            }
            ("object_size", [_, kind]) => {
                let unknown = if self.constant_integer(kind)? < 2 { u64::MAX } else { 0 };
                Ok(self.size_constant(unknown).into())
            }
            ("prefetch", _) => {
                for argument in arguments {
                    self.discard(argument)?;
                }
                self.no_value()
            }
            ("classify_type", [value]) => {
                let ty = self.unevaluated(|s| {
                    let value = s.value(value)?.expr;
                    Ok(s.exprs.ty(value))
                })?;
                // The numbers of gcc's `enum type_class`.
                let class = match *self.types.get(ty) {
                    Type::Void => 0,
                    Type::Int(_) => 1,
                    Type::Float(_) => 8,
                    Type::Composite(id) if self.types.composite(id).is_union => 13,
                    Type::Composite(_) => 12,
                    _ => 5,
                };
                let int = self.common.int;
                Ok(self.int_constant(class, int).into())
            }
            ("va_start", [list, ..]) => {
                self.va_start(list, call.span)?;
                self.no_value()
            }
            ("va_copy", [to, from]) => {
                self.va_copy(to, from, call.span)?;
                self.no_value()
            }
            ("va_end", [list]) => {
                self.discard(list)?;
                self.no_value()
            }
            ("return_address" | "frame_address", _) => self.unsupported(format!("__builtin_{name}"), call.span),
            _ => self.library_builtin(name, call),
        }
    }

    /// Builtins that are functions, with gcc's types.
    fn library_builtin(&mut self, name: &str, call: &Node<ast::CallExpression>) -> Lowered<Value> {
        let (void, int, size, pointer) =
            (self.common.void, self.common.int, self.common.size, self.common.void_pointer);
        let string = self.types.pointer_to(self.common.char);
        let [short, uint, long, ulong, longlong] =
            [IntKind::UShort, IntKind::UInt, IntKind::ULong, IntKind::ULong, IntKind::ULongLong]
                .map(|kind| self.types.int(kind));
        let (result, parameters): (TypeId, Vec<TypeId>) = match name {
            "alloca" | "malloc" => (pointer, vec![size]),
            "calloc" => (pointer, vec![size, size]),
            "realloc" => (pointer, vec![pointer, size]),
            "free" => (void, vec![pointer]),
            "memcpy" | "memmove" | "mempcpy" => (pointer, vec![pointer, pointer, size]),
            "memset" => (pointer, vec![pointer, int, size]),
            "memcmp" => (int, vec![pointer, pointer, size]),
            "strlen" => (size, vec![string]),
            "strcpy" | "strcat" => (string, vec![string, string]),
            "strncpy" | "strncat" => (string, vec![string, string, size]),
            "strcmp" => (int, vec![string, string]),
            "strncmp" => (int, vec![string, string, size]),
            "strchr" | "strrchr" => (string, vec![string, int]),
            "abort" | "trap" | "unreachable" => (void, vec![]),
            "exit" => (void, vec![int]),
            "bswap16" => (short, vec![short]),
            "bswap32" => (uint, vec![uint]),
            "bswap64" if self.types.model == DataModel::Lp64 => (ulong, vec![ulong]),
            "bswap64" => (longlong, vec![longlong]),
            "popcount" | "clz" | "ctz" | "parity" | "ffs" => (int, vec![uint]),
            "popcountl" | "clzl" | "ctzl" | "parityl" | "ffsl" => (int, vec![long]),
            "popcountll" | "clzll" | "ctzll" | "parityll" | "ffsll" => (int, vec![longlong]),
            "abs" => (int, vec![int]),
            "putchar" => (int, vec![int]),
            "puts" => (int, vec![string]),
            _ => return self.unsupported(format!("gcc builtin `__builtin_{name}`"), call.span),
        };
        if call.node.arguments.len() != parameters.len() {
            return self.invalid(format!("wrong number of arguments for __builtin_{name}"), call.span);
        }
        self.library_call(&format!("__builtin_{name}"), result, &parameters, call)
    }

    /// Constants and classification of floating-point numbers.
    fn float_builtin(&mut self, name: &str, call: &Node<ast::CallExpression>) -> Lowered<Option<Value>> {
        let arguments = call.node.arguments.as_slice();
        let kind = match name {
            "inff" | "huge_valf" | "nanf" => FloatKind::Float,
            "infl" | "huge_vall" | "nanl" => FloatKind::LongDouble,
            _ => FloatKind::Double,
        };
        let bits = match name {
            "inf" | "inff" | "infl" | "huge_val" | "huge_valf" | "huge_vall" => infinity(kind),
            "nan" | "nanf" | "nanl" => nan(kind),
            _ => return self.float_comparison(name, arguments),
        };
        let ty = self.types.intern(Type::Float(kind));
        Ok(Some(self.exprs.intern(ExprKind::Float(bits), ty).into()))
    }

    fn float_comparison(&mut self, name: &str, arguments: &[Node<Expression>]) -> Lowered<Option<Value>> {
        let op = match (name, arguments) {
            ("isnan", [x]) => {
                let value = self.value(x)?.expr;
                return Ok(Some(self.binary(BinaryOp::Ne, value, value).into()));
            }
            ("fabs" | "fabsf" | "fabsl", [_]) | ("signbit" | "isinf" | "isfinite" | "isnormal" | "isinf_sign", [_]) => {
                return self.float_function(name, &arguments[0]).map(Some);
            }
            ("isgreater", [_, _]) => BinaryOp::Gt,
            ("isgreaterequal", [_, _]) => BinaryOp::Ge,
            ("isless", [_, _]) => BinaryOp::Lt,
            ("islessequal", [_, _]) => BinaryOp::Le,
            _ => return Ok(None),
        };
        let (a, b) = self.operands(&arguments[0], &arguments[1])?;
        Ok(Some(self.arithmetic(op, a.expr, b.expr).into()))
    }

    fn float_function(&mut self, name: &str, argument: &Node<Expression>) -> Lowered<Value> {
        let value = self.value(argument)?.expr;
        let fixed = match name {
            "fabs" => Some(FloatKind::Double),
            "fabsf" => Some(FloatKind::Float),
            "fabsl" => Some(FloatKind::LongDouble),
            _ => None,
        };
        let (parameter, result) = match fixed {
            Some(kind) => {
                let ty = self.types.intern(Type::Float(kind));
                (ty, ty)
            }
            None => (self.exprs.ty(value), self.common.int),
        };
        let suffix = match self.types.get(parameter) {
            Type::Float(FloatKind::Float) if fixed.is_none() => "f",
            Type::Float(FloatKind::LongDouble) if fixed.is_none() => "l",
            _ => "",
        };
        // The type-generic builtins have no prototype; one name per type keeps each of them a function.
        let builtin = match (name, suffix) {
            ("signbit", suffix) => format!("__builtin_signbit{suffix}"),
            ("isinf", suffix) => format!("__builtin_isinf{suffix}"),
            (name, _) => format!("__builtin_{name}"),
        };
        let function = self.library_function(&builtin, result, &[parameter], argument.span);
        let value = self.cast(value, parameter);
        let temporary = self.temporary(result, argument.span)?;
        let place = self.variable_expr(temporary);
        let op = super::draft::DraftOp::Call {
            callee: Callee::Function(function),
            arguments: vec![value],
            result: Some(place),
        };
        self.emit_draft(op, argument.span)?;
        Ok(place.into())
    }
}
