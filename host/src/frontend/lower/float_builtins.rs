//! gcc's builtins on floating-point numbers: constants, classification, comparisons that allow NaN, and signs. All but
//! the sign of `float` and `double` are lowered to comparisons, which every analysis understands.

use super::places::Value;
use super::{Lowered, Lowerer};
use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span as AstSpan};
use tandem_plugin_api::program::constant::{infinity, nan, parse_float};
use tandem_plugin_api::program::*;

/// Where the sign of an 80-bit number is.
const SIGN_BYTE_OF_LONG_DOUBLE: i128 = 9;

/// Largest finite and smallest normal number.
fn limits(kind: FloatKind) -> (&'static str, &'static str) {
    match kind {
        FloatKind::Float => ("0x1.fffffep127", "0x1p-126"),
        FloatKind::Double => ("0x1.fffffffffffffp1023", "0x1p-1022"),
        FloatKind::LongDouble => ("0x1.fffffffffffffffep16383", "0x1p-16382"),
        FloatKind::Float128 => ("0x1.ffffffffffffffffffffffffffffp16383", "0x1p-16382"),
    }
}

/// The type of the letter behind a builtin's name.
fn suffixed<'n>(name: &'n str, stem: &str) -> Option<(&'n str, FloatKind)> {
    match name.strip_prefix(stem)? {
        "" => Some((name, FloatKind::Double)),
        "f" => Some((name, FloatKind::Float)),
        "l" => Some((name, FloatKind::LongDouble)),
        _ => None,
    }
}

impl Lowerer<'_> {
    /// The value of a builtin of this group; `None` for others. `name` is without `__builtin_`.
    pub fn float_builtin(&mut self, name: &str, call: &Node<ast::CallExpression>) -> Lowered<Option<Value>> {
        let value = match call.node.arguments.as_slice() {
            [] => self.infinite_constant(name),
            [Node { node: Expression::StringLiteral(text), .. }] => self.nan_constant(name, &text.node, call.span)?,
            [x] => self.classification(name, x)?,
            [a, b] => self.unordered_comparison(name, a, b)?,
            [values @ .., x] if name == "fpclassify" && values.len() == 5 => Some(self.fpclassify(values, x)?),
            _ => None,
        };
        Ok(value.map(Value::from))
    }

    fn infinite_constant(&mut self, name: &str) -> Option<ExprId> {
        let (_, kind) = ["inf", "huge_val"].into_iter().find_map(|stem| suffixed(name, stem))?;
        Some(self.float_constant(infinity(kind), kind))
    }

    fn nan_constant(&mut self, name: &str, text: &[String], span: AstSpan) -> Lowered<Option<ExprId>> {
        let Some((_, kind)) = suffixed(name, "nan") else { return Ok(None) };
        if !text.iter().all(|piece| matches!(piece.as_str(), "\"\"" | "\"0\"")) {
            return self.unsupported(format!("`__builtin_{name}` with a payload"), span);
        }
        Ok(Some(self.float_constant(nan(kind), kind)))
    }

    fn float_constant(&mut self, bits: u128, kind: FloatKind) -> ExprId {
        let ty = self.types.intern(Type::Float(kind));
        self.exprs.intern(ExprKind::Float(bits), ty)
    }

    /// Comparisons that are false where an operand is NaN; they raise no exception, which a program here cannot
    /// observe.
    fn unordered_comparison(
        &mut self,
        name: &str,
        a: &Node<Expression>,
        b: &Node<Expression>,
    ) -> Lowered<Option<ExprId>> {
        if let Some((_, kind)) = suffixed(name, "copysign") {
            return self.copy_sign(name, kind, a, b).map(Some);
        }
        let plain = match name {
            "isgreater" => Some(BinaryOp::Gt),
            "isgreaterequal" => Some(BinaryOp::Ge),
            "isless" => Some(BinaryOp::Lt),
            "islessequal" => Some(BinaryOp::Le),
            "islessgreater" | "isunordered" => None,
            _ => return Ok(None),
        };
        let (a, b) = self.operands(a, b)?;
        let (a, b) = self.usual_conversions(a.expr, b.expr);
        Ok(Some(match plain {
            Some(op) => self.binary(op, a, b),
            None if name == "isunordered" => {
                let (left, right) = (self.binary(BinaryOp::Ne, a, a), self.binary(BinaryOp::Ne, b, b));
                self.binary(BinaryOp::BitOr, left, right)
            }
            None => {
                let (less, greater) = (self.binary(BinaryOp::Lt, a, b), self.binary(BinaryOp::Gt, a, b));
                self.binary(BinaryOp::BitOr, less, greater)
            }
        }))
    }

    fn classification(&mut self, name: &str, x: &Node<Expression>) -> Lowered<Option<ExprId>> {
        if let Some((_, kind)) = suffixed(name, "fabs") {
            return self.absolute_value(name, kind, x).map(Some);
        }
        let stem = ["isinf_sign", "isnormal", "isfinite", "isnan", "isinf", "finite", "signbit"]
            .into_iter()
            .find(|stem| suffixed(name, stem).is_some());
        let Some(stem) = stem else { return Ok(None) };
        let mut value = self.value(x)?.expr;
        // With a letter, or for `finite`, the argument is converted; without one, it keeps its type.
        if let Some((_, kind)) = suffixed(name, stem).filter(|(name, _)| *name != stem || stem == "finite") {
            let ty = self.types.intern(Type::Float(kind));
            value = self.convert(value, ty, x.span)?;
        }
        let Type::Float(kind) = *self.types.get(self.exprs.ty(value)) else {
            return self
                .invalid(format!("`__builtin_{name}` of something that is not a floating-point number"), x.span);
        };
        Ok(Some(match stem {
            "isnan" => self.binary(BinaryOp::Ne, value, value),
            "isinf" => {
                let (plus, minus) = self.infinities(value, kind);
                self.binary(BinaryOp::BitOr, plus, minus)
            }
            "isinf_sign" => {
                let (plus, minus) = self.infinities(value, kind);
                self.binary(BinaryOp::Sub, plus, minus)
            }
            "isnormal" => self.is_normal(value, kind, x.span)?,
            "signbit" => self.sign_bit(value, kind, x.span)?,
            _ => {
                let low = self.negative_infinity(kind);
                let high = self.float_constant(infinity(kind), kind);
                let (above, below) = (self.binary(BinaryOp::Gt, value, low), self.binary(BinaryOp::Lt, value, high));
                self.binary(BinaryOp::BitAnd, above, below)
            }
        }))
    }

    fn negative_infinity(&mut self, kind: FloatKind) -> ExprId {
        let plus = self.float_constant(infinity(kind), kind);
        self.unary(UnaryOp::Negate, plus)
    }

    /// Whether `value` is positive or negative infinity.
    fn infinities(&mut self, value: ExprId, kind: FloatKind) -> (ExprId, ExprId) {
        let plus = self.float_constant(infinity(kind), kind);
        let minus = self.negative_infinity(kind);
        (self.binary(BinaryOp::Eq, value, plus), self.binary(BinaryOp::Eq, value, minus))
    }

    fn is_normal(&mut self, value: ExprId, kind: FloatKind, span: AstSpan) -> Lowered<ExprId> {
        let (largest, smallest) = limits(kind);
        let (Some(largest), Some(smallest)) = (parse_float(largest, kind), parse_float(smallest, kind)) else {
            return self.unsupported("classification of numbers of this type", span);
        };
        let [largest, smallest] = [largest, smallest].map(|bits| self.float_constant(bits, kind));
        let [lowest, highest] = [largest, smallest].map(|limit| self.unary(UnaryOp::Negate, limit));
        let mut within = |low, high| {
            let (above, below) = (self.binary(BinaryOp::Ge, value, low), self.binary(BinaryOp::Le, value, high));
            self.binary(BinaryOp::BitAnd, above, below)
        };
        let (positive, negative) = (within(smallest, largest), within(lowest, highest));
        Ok(self.binary(BinaryOp::BitOr, positive, negative))
    }

    /// `__builtin_fpclassify(nan, infinite, normal, subnormal, zero, x)`: exactly one of the tests is 1.
    fn fpclassify(&mut self, values: &[Node<Expression>], x: &Node<Expression>) -> Lowered<ExprId> {
        let x_value = self.value(x)?.expr;
        let Type::Float(kind) = *self.types.get(self.exprs.ty(x_value)) else {
            return self.invalid("`__builtin_fpclassify` of something that is not a floating-point number", x.span);
        };
        let int = self.common.int;
        let nan = self.binary(BinaryOp::Ne, x_value, x_value);
        let (plus, minus) = self.infinities(x_value, kind);
        let infinite = self.binary(BinaryOp::BitOr, plus, minus);
        let normal = self.is_normal(x_value, kind, x.span)?;
        let zero = self.unary(UnaryOp::LogicalNot, x_value);
        let mut subnormal = self.int_constant(1, int);
        for test in [nan, infinite, normal, zero] {
            subnormal = self.binary(BinaryOp::Sub, subnormal, test);
        }
        let mut class = self.int_constant(0, int);
        for (value, test) in values.iter().zip([nan, infinite, normal, subnormal, zero]) {
            let number = self.constant_integer(value)?;
            let number = self.int_constant(number, int);
            let part = self.binary(BinaryOp::Mul, test, number);
            class = self.binary(BinaryOp::Add, class, part);
        }
        Ok(class)
    }

    /// A function of gcc's or the C library's that the models describe, applied to values.
    fn apply_function(&mut self, name: &str, result: TypeId, arguments: Vec<ExprId>, span: AstSpan) -> Lowered<ExprId> {
        let types: Vec<TypeId> = arguments.iter().map(|&argument| self.exprs.ty(argument)).collect();
        let function = self.library_function(name, result, &types, span);
        let temporary = self.temporary(result, span)?;
        let place = self.variable_expr(temporary);
        let op = super::draft::DraftOp::Call { callee: Callee::Function(function), arguments, result: Some(place) };
        self.emit_draft(op, span)?;
        Ok(place)
    }

    /// Not zero for negative numbers; which number it is depends on the type, as in gcc.
    fn sign_bit(&mut self, value: ExprId, kind: FloatKind, span: AstSpan) -> Lowered<ExprId> {
        let int = self.common.int;
        match kind {
            FloatKind::Float => self.apply_function("__builtin_signbitf", int, vec![value], span),
            FloatKind::Double => self.apply_function("__builtin_signbit", int, vec![value], span),
            FloatKind::LongDouble => {
                let (_, byte) = self.with_sign_byte(value, span)?;
                let byte = self.cast(byte, int);
                let [mask, factor] = [0x80, 4].map(|number| self.int_constant(number, int));
                let sign = self.binary(BinaryOp::BitAnd, byte, mask);
                Ok(self.binary(BinaryOp::Mul, sign, factor))
            }
            FloatKind::Float128 => self.unsupported("`__builtin_signbit` of a `__float128`", span),
        }
    }

    /// A copy of a `long double`, and the byte of the copy that has the sign.
    fn with_sign_byte(&mut self, value: ExprId, span: AstSpan) -> Lowered<(ExprId, ExprId)> {
        let temporary = self.temporary(self.exprs.ty(value), span)?;
        let copy = self.variable_expr(temporary);
        self.emit(Op::Assign { target: copy, value }, span)?;
        let bytes = self.types.int(IntKind::UChar);
        let bytes = self.types.pointer_to(bytes);
        let address = self.address_of(copy);
        let first = self.cast(address, bytes);
        let int = self.common.int;
        let offset = self.int_constant(SIGN_BYTE_OF_LONG_DOUBLE, int);
        let pointer = self.pointer_add(first, offset);
        let byte = self.deref(pointer);
        Ok((copy, byte))
    }

    fn absolute_value(&mut self, name: &str, kind: FloatKind, x: &Node<Expression>) -> Lowered<ExprId> {
        let ty = self.types.intern(Type::Float(kind));
        let value = self.value(x)?.expr;
        let value = self.convert(value, ty, x.span)?;
        if kind != FloatKind::LongDouble {
            return self.apply_function(&format!("__builtin_{name}"), ty, vec![value], x.span);
        }
        let (copy, byte) = self.with_sign_byte(value, x.span)?;
        let int = self.common.int;
        self.set_sign(byte, None, int, x.span)?;
        Ok(copy)
    }

    fn copy_sign(
        &mut self,
        name: &str,
        kind: FloatKind,
        magnitude: &Node<Expression>,
        sign: &Node<Expression>,
    ) -> Lowered<ExprId> {
        let ty = self.types.intern(Type::Float(kind));
        let (value, from) = self.operands(magnitude, sign)?;
        let value = self.convert(value.expr, ty, magnitude.span)?;
        let from = self.convert(from.expr, ty, sign.span)?;
        if kind != FloatKind::LongDouble {
            return self.apply_function(&format!("__builtin_{name}"), ty, vec![value, from], magnitude.span);
        }
        let (copy, byte) = self.with_sign_byte(value, magnitude.span)?;
        let (_, sign_byte) = self.with_sign_byte(from, sign.span)?;
        let int = self.common.int;
        self.set_sign(byte, Some(sign_byte), int, magnitude.span)?;
        Ok(copy)
    }

    /// Replaces the highest bit of `byte` by that of `from`, or by 0.
    fn set_sign(&mut self, byte: ExprId, from: Option<ExprId>, int: TypeId, span: AstSpan) -> Lowered<()> {
        let ty = self.exprs.ty(byte);
        let whole = self.cast(byte, int);
        let low = self.int_constant(0x7f, int);
        let mut bits = self.binary(BinaryOp::BitAnd, whole, low);
        if let Some(from) = from {
            let from = self.cast(from, int);
            let high = self.int_constant(0x80, int);
            let sign = self.binary(BinaryOp::BitAnd, from, high);
            bits = self.binary(BinaryOp::BitOr, bits, sign);
        }
        let bits = self.cast(bits, ty);
        self.emit(Op::Assign { target: byte, value: bits }, span)
    }
}
