//! gcc's builtins and SV-COMP's special functions, where the program does not define them itself.

use super::places::Value;
use super::scopes::Symbol;
use super::{Lowered, Lowerer};
use crate::frontend::complex_helpers;
use crate::frontend::text::{COMPUTED_GOTO, LABEL_ADDRESS};
use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span as AstSpan};
use tandem_plugin_api::library::{self, Effects, Folding, LibraryFunction, Life, Memory};
use tandem_plugin_api::program::*;

/// Functions from which control does not come back.
pub(super) fn never_returns(name: &str) -> bool {
    library::never_returns(name) || matches!(name, "__VERIFIER_error" | "reach_error")
}

/// Floating-point numbers are rounded to the nearest everywhere.
pub(super) const ROUNDING: &str = "fesetround";

/// Whether gcc computes a builtin itself whatever the program defines under the name without `__builtin_`.
fn is_always_expanded(name: &str) -> bool {
    LibraryFunction::named(&format!("__builtin_{name}")).is_some_and(|known| {
        known.name().starts_with("__builtin_")
            || known.gcc().folding == Folding::Every
            || matches!(known.memory(), Memory::Allocates { life: Life::Frame, .. })
    })
}

/// The condition inside `__builtin_expect(condition, likely value)`.
pub(super) fn expected_condition(call: &ast::CallExpression) -> Option<&Node<Expression>> {
    match (&call.callee.node, call.arguments.as_slice()) {
        // A likely value with side effects is evaluated like an argument.
        (Expression::Identifier(id), [condition, likely])
            if id.node.name == "__builtin_expect" && !super::ast_query::may_write(likely) =>
        {
            Some(condition)
        }
        _ => None,
    }
}

impl Lowerer<'_> {
    /// A call of a function with a meaning of its own; `None` for ordinary functions.
    pub fn special_call(&mut self, name: &str, call: &Node<ast::CallExpression>) -> Lowered<Option<Value>> {
        if name == "__VERIFIER_assume" {
            return self.assume(call);
        }
        let known = LibraryFunction::named(name);
        let gives_buffer = known.is_some_and(|function| function.has_effect(Effects::GIVES_BUFFER));
        if let (true, Some(buffer)) = (gives_buffer, call.node.arguments.get(1)) {
            let is_null = self.unevaluated(|s| {
                let value = s.value(buffer)?.expr;
                Ok(s.exprs.as_int(value) == Some(0))
            })?;
            if !is_null {
                return self.unsupported(format!("call of `{name}` with a buffer"), call.span);
            }
        }
        if name == ROUNDING {
            return self.rounding_direction(call).map(Some);
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
        if let Some(value) = self.atomic_call(name, call)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.nonlocal_jump(name, call)? {
            return Ok(Some(value));
        }
        if name == complex_helpers::NOT_A_NUMBER {
            return self
                .unsupported("product or quotient of complex numbers that are infinite or not a number", call.span);
        }
        if name != "complex"
            && let Some(value) = self.complex_builtin(name, call)?
        {
            return Ok(Some(value));
        }
        match name.strip_prefix("__builtin_") {
            Some(builtin) => self.builtin(builtin, call).map(Some),
            // No model takes a `long double`.
            None if matches!(name, "fabsl" | "copysignl" | "isnanl" | "isinfl" | "finitel") => {
                self.float_builtin(name, call)
            }
            None => Ok(None),
        }
    }

    pub fn builtin(&mut self, name: &str, call: &Node<ast::CallExpression>) -> Lowered<Value> {
        let arguments = call.node.arguments.as_slice();
        for group in [Self::float_builtin, Self::overflow_builtin, Self::hinted_value] {
            if let Some(value) = group(self, name, call)? {
                return Ok(value);
            }
        }
        if arguments.is_empty()
            && let Some(value) = self.position_builtin(name, call.span)?
        {
            return Ok(value);
        }
        if let Some(value) = self.bit_builtin(name, call)? {
            return Ok(value);
        }
        if let Some(value) = self.vector_builtin(name, call)? {
            return Ok(value);
        }
        if let Some(value) = self.complex_builtin(name, call)? {
            return Ok(value);
        }
        match (name, arguments) {
            ("constant_p", [value]) => self.constant_p(value),
            ("choose_expr", [condition, then, otherwise]) => {
                let chosen = if self.constant_integer(condition)? != 0 { then } else { otherwise };
                self.value(chosen)
            }
            ("types_compatible_p", [a, b]) => {
                let compatible = self.types_compatible(a, b)?;
                let int = self.common.int;
                Ok(self.int_constant(compatible.into(), int).into())
            }
            ("object_size" | "dynamic_object_size", [pointer, kind]) => self.object_size(pointer, kind),
            ("alloca_with_align", [size, bits]) | ("alloca_with_align_and_max", [size, bits, _]) => {
                self.aligned_alloca(size, bits)
            }
            ("bswap128", [value]) => self.byte_swap_128(value),
            ("prefetch" | "__clear_cache", _) => {
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
                    Type::Composite(_) if self.complex_element(ty).is_some() => 9,
                    Type::Composite(_) if self.is_vector(ty) => -1,
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

    /// The only direction that is supported is the one to the nearest, which is 0.
    fn rounding_direction(&mut self, call: &Node<ast::CallExpression>) -> Lowered<Value> {
        match call.node.arguments.as_slice() {
            [direction] if self.is_constant(direction)? && self.constant_integer(direction)? == 0 => {
                let int = self.common.int;
                Ok(self.int_constant(0, int).into())
            }
            _ => self.unsupported(format!("call of `{ROUNDING}`: numbers are rounded to the nearest only"), call.span),
        }
    }

    /// Builtins that are functions, with gcc's types. Where the program defines the function of the C library itself, gcc
    /// calls that one, unless it always expands the builtin.
    fn library_builtin(&mut self, name: &str, call: &Node<ast::CallExpression>) -> Lowered<Value> {
        let Some(signature) = self.builtin_signature(name) else {
            return self.unsupported(format!("gcc builtin `__builtin_{name}`"), call.span);
        };
        let Type::Function { result, parameters, variadic, .. } = self.types.get(signature).clone() else {
            return self.unsupported(format!("gcc builtin `__builtin_{name}`"), call.span);
        };
        let given = call.node.arguments.len();
        if given < parameters.len() || given > parameters.len() && !variadic {
            return self.invalid(format!("wrong number of arguments for __builtin_{name}"), call.span);
        }
        let own = self.defined.contains(name) && !is_always_expanded(name);
        let called = if own { name.to_owned() } else { format!("__builtin_{name}") };
        let function = match self.scopes.lookup_file(&called) {
            Some(Symbol::Function(id)) => *id,
            _ => self.declare_function(&called, signature, call.span),
        };
        let arguments = self.arguments(&call.node.arguments, &parameters)?;
        self.pass_variadic(Callee::Function(function), signature, &arguments, call.span)?;
        self.emit_call(Callee::Function(function), arguments, result, true, call.span)
    }

    /// Builtins that are their first argument; the others are hints for the optimiser.
    fn hinted_value(&mut self, name: &str, call: &Node<ast::CallExpression>) -> Lowered<Option<Value>> {
        let (first, ty) = match (name, call.node.arguments.as_slice()) {
            ("expect", [first, _]) | ("expect_with_probability", [first, _, _]) => {
                (first, Some(self.types.int(IntKind::Long)))
            }
            ("assume_aligned", [first, _] | [first, _, _]) => (first, Some(self.common.void_pointer)),
            ("extract_return_addr" | "frob_return_addr", [first]) => (first, Some(self.common.void_pointer)),
            ("speculation_safe_value", [first] | [first, _]) | ("assoc_barrier", [first]) => (first, None),
            _ => return Ok(None),
        };
        let mut value = self.value(first)?.expr;
        if let Some(ty) = ty {
            value = self.convert(value, ty, first.span)?;
        }
        if call.node.arguments.iter().skip(1).any(super::ast_query::may_write) {
            value = self.save(value, first.span)?;
            for hint in &call.node.arguments[1..] {
                self.discard(hint)?;
            }
        }
        Ok(Some(value.into()))
    }

    /// `__builtin_LINE` and the like: where the call stands.
    fn position_builtin(&mut self, name: &str, span: AstSpan) -> Lowered<Option<Value>> {
        let at = self.span(span);
        let text = match name {
            "LINE" => {
                let int = self.common.int;
                return Ok(Some(self.int_constant(at.line.into(), int).into()));
            }
            "FUNCTION" => {
                let function = self.draft(span)?.function;
                self.source_name(function).to_owned()
            }
            "FILE" => self.source.map.files().get(at.file.index()).map_or(self.name, |f| f.name.as_str()).to_owned(),
            _ => return Ok(None),
        };
        let text = format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        let id = self.string_variable(&[text], span)?;
        let place = self.variable_expr(id);
        Ok(Some(self.decay(place).into()))
    }

    /// `__builtin_alloca_with_align(size, bits)`: more than enough memory, of which the first aligned address is taken.
    fn aligned_alloca(&mut self, size: &Node<Expression>, bits: &Node<Expression>) -> Lowered<Value> {
        let align = (self.constant_integer(bits)? / 8).max(1);
        let (pointer, size_type) = (self.common.void_pointer, self.common.size);
        let function = self.library_function("__builtin_alloca", pointer, &[size_type], size.span);
        let value = self.value(size)?.expr;
        let mut value = self.convert(value, size_type, size.span)?;
        if align <= 16 {
            return self.emit_call(Callee::Function(function), vec![value], pointer, true, size.span);
        }
        let [more, mask] = [align - 1, -align].map(|number| self.int_constant(number, size_type));
        value = self.binary(BinaryOp::Add, value, more);
        let block = self.emit_call(Callee::Function(function), vec![value], pointer, true, size.span)?.expr;
        // The address stays one inside the block: the bytes to skip are added to it.
        let address = self.cast(block, size_type);
        let above = self.binary(BinaryOp::Add, address, more);
        let aligned = self.binary(BinaryOp::BitAnd, above, mask);
        let skipped = self.binary(BinaryOp::Sub, aligned, address);
        let bytes = self.types.pointer_to(self.common.char);
        let first = self.cast(block, bytes);
        let moved = self.pointer_add(first, skipped);
        Ok(self.cast(moved, pointer).into())
    }

    /// Of 128 bits: both halves are reversed and change places.
    fn byte_swap_128(&mut self, value: &Node<Expression>) -> Lowered<Value> {
        let (wide, word) = (self.types.int(IntKind::UInt128), self.types.int(IntKind::ULong));
        let int = self.common.int;
        let by = self.int_constant(64, int);
        let given = self.value(value)?.expr;
        let given = self.convert(given, wide, value.span)?;
        let high = self.binary(BinaryOp::Shr, given, by);
        let mut halves = [given, high];
        for half in &mut halves {
            let argument = self.cast(*half, word);
            let function = self.library_function("__builtin_bswap64", word, &[word], value.span);
            let swapped = self.emit_call(Callee::Function(function), vec![argument], word, true, value.span)?.expr;
            *half = self.cast(swapped, wide);
        }
        let high = self.binary(BinaryOp::Shl, halves[0], by);
        Ok(self.binary(BinaryOp::BitOr, high, halves[1]).into())
    }
}
