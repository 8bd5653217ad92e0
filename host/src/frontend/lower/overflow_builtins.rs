//! `__builtin_add_overflow` and its relatives: the sum, difference or product of two integers, computed exactly, is
//! stored in a third type, and the builtin's value is whether it did not fit.

use super::places::Value;
use super::{Lowered, Lowerer};
use lang_c::ast;
use lang_c::span::{Node, Span as AstSpan};
use tandem_plugin_api::program::*;

/// The parts of a builtin's name, without `__builtin_`.
struct Name {
    op: BinaryOp,
    /// `smull` has its type in its name.
    fixed: Option<IntKind>,
    /// `_p`: nothing is stored, the third argument only has the type.
    asks_only: bool,
}

fn parse(name: &str) -> Option<Name> {
    let (stem, asks_only) = match name.strip_suffix("_overflow_p") {
        Some(stem) => (stem, true),
        None => (name.strip_suffix("_overflow")?, false),
    };
    let operation = |text: &str| match text {
        "add" => Some(BinaryOp::Add),
        "sub" => Some(BinaryOp::Sub),
        "mul" => Some(BinaryOp::Mul),
        _ => None,
    };
    if let Some(op) = operation(stem) {
        return Some(Name { op, fixed: None, asks_only });
    }
    let (sign, rest) = (stem.get(..1)?, stem.get(1..)?);
    let op = operation(rest.get(..3)?)?;
    let kind = match rest.get(3..)? {
        "" => IntKind::Int,
        "l" => IntKind::Long,
        "ll" => IntKind::LongLong,
        _ => return None,
    };
    let kind = match sign {
        "s" => kind,
        "u" => kind.to_unsigned(),
        _ => return None,
    };
    Some(Name { op, fixed: Some(kind), asks_only: false }).filter(|_| !asks_only)
}

/// An exact result: `high` times two to the width of `low`, plus `low`, which is unsigned.
struct TwoWords {
    high: ExprId,
    low: ExprId,
}

impl Lowerer<'_> {
    /// The value of a builtin of this group; `None` for others.
    pub fn overflow_builtin(&mut self, name: &str, call: &Node<ast::CallExpression>) -> Lowered<Option<Value>> {
        let (Some(name), [_, _, third]) = (parse(name), call.node.arguments.as_slice()) else { return Ok(None) };
        let fixed = name.fixed.map(|kind| self.types.int(kind));
        let operand_types = fixed.map_or_else(Vec::new, |ty| vec![ty, ty]);
        let result_type = self.unevaluated(|s| {
            let value = s.value(third)?.expr;
            let ty = s.exprs.ty(value);
            Ok(match name.asks_only {
                true => s.bit_field_type(value).or(Some(ty)),
                false => s.types.pointee(ty),
            })
        })?;
        let Some(result_type) = result_type.filter(|&ty| self.types.is_integer(ty)) else {
            return self.invalid("the result of this builtin does not have an integer type", third.span);
        };
        let arguments = self.arguments(&call.node.arguments, &operand_types)?;
        let [a, b, target] = arguments.as_slice() else { return Ok(None) };
        let (a, b) = (self.save(*a, call.span)?, self.save(*b, call.span)?);
        if [a, b].iter().any(|&operand| !self.types.is_integer(self.exprs.ty(operand))) {
            return self.invalid("the operands of this builtin are not integers", call.span);
        }
        let (result, overflow) = self.exact(name.op, a, b, result_type, call.span)?;
        let bool_type = self.types.int(IntKind::Bool);
        let mut value = self.cast(overflow, bool_type);
        if !name.asks_only {
            value = self.save(value, call.span)?;
            let place = self.deref(*target);
            self.emit(Op::Assign { target: place, value: result }, call.span)?;
        }
        Ok(Some(value.into()))
    }

    /// `a op b` wrapped into `result_type`, and whether wrapping changed the number.
    fn exact(
        &mut self,
        op: BinaryOp,
        a: ExprId,
        b: ExprId,
        result_type: TypeId,
        span: AstSpan,
    ) -> Lowered<(ExprId, ExprId)> {
        let [(a_bits, a_signed), (b_bits, b_signed), (bits, _)] = [self.exprs.ty(a), self.exprs.ty(b), result_type]
            .map(|ty| self.types.word_shape(ty).unwrap_or((128, true)));
        let most = a_bits.max(b_bits).max(bits);
        let lp64 = self.types.model == DataModel::Lp64;
        let wide = match most {
            0..=32 => Some(IntKind::LongLong),
            33..=64 if lp64 => Some(IntKind::Int128),
            _ => None,
        };
        let Some(wide) = wide else {
            let word = if lp64 { IntKind::Int128 } else { IntKind::LongLong };
            let words = self.in_two_words(op, a, b, word, span)?;
            return self.fit_two_words(words, word, result_type, span);
        };
        // Twice the width has room for every result; a product of unsigned numbers needs all of it.
        let unsigned = op == BinaryOp::Mul && !a_signed && !b_signed;
        let wide = self.types.int(if unsigned { wide.to_unsigned() } else { wide });
        let (a, b) = (self.cast(a, wide), self.cast(b, wide));
        let exact = self.binary(op, a, b);
        let exact = self.save(exact, span)?;
        let result = self.cast(exact, result_type);
        let again = self.cast(result, wide);
        Ok((result, self.binary(BinaryOp::Ne, again, exact)))
    }

    /// The same where no type is wide enough: with a carry, by the rules of written arithmetic.
    fn in_two_words(&mut self, op: BinaryOp, a: ExprId, b: ExprId, word: IntKind, span: AstSpan) -> Lowered<TwoWords> {
        let signed = self.types.int(word);
        let unsigned = self.types.int(word.to_unsigned());
        let (a_high, b_high) = (self.sign_word(a, signed), self.sign_word(b, signed));
        let (a, b) = (self.cast(a, unsigned), self.cast(b, unsigned));
        let (a_high, b_high) = (self.cast(a_high, unsigned), self.cast(b_high, unsigned));
        if op == BinaryOp::Mul {
            let words = self.unsigned_product(a, b, word, span)?;
            // A negative number counts as its value plus two to the width.
            let (a_part, b_part) = (self.binary(BinaryOp::BitAnd, a_high, b), self.binary(BinaryOp::BitAnd, b_high, a));
            let high = self.binary(BinaryOp::Sub, words.high, a_part);
            let high = self.binary(BinaryOp::Sub, high, b_part);
            return Ok(TwoWords { high: self.save(high, span)?, low: words.low });
        }
        let low = self.binary(op, a, b);
        let low = self.save(low, span)?;
        let carry =
            if op == BinaryOp::Add { self.binary(BinaryOp::Lt, low, a) } else { self.binary(BinaryOp::Lt, a, b) };
        let carry = self.cast(carry, unsigned);
        let high = self.binary(op, a_high, b_high);
        let high = self.binary(op, high, carry);
        Ok(TwoWords { high: self.save(high, span)?, low })
    }

    /// All bits the sign of `value`.
    fn sign_word(&mut self, value: ExprId, signed: TypeId) -> ExprId {
        let shape = self.types.word_shape(self.exprs.ty(value));
        let (Some((_, true)), Some((bits, _))) = (shape, self.types.word_shape(signed)) else {
            return self.int_constant(0, signed);
        };
        let int = self.common.int;
        let by = self.int_constant(i128::from(bits) - 1, int);
        let value = self.cast(value, signed);
        self.binary(BinaryOp::Shr, value, by)
    }

    /// The product of two unsigned words, from the products of their halves.
    fn unsigned_product(&mut self, a: ExprId, b: ExprId, word: IntKind, span: AstSpan) -> Lowered<TwoWords> {
        let int = self.common.int;
        let ty = self.types.int(word.to_unsigned());
        let half = word.bits(self.types.model) / 2;
        let by = self.int_constant(half.into(), int);
        let mask = self.int_constant((1i128 << half) - 1, ty);
        let [a_low, b_low] = [a, b].map(|x| self.binary(BinaryOp::BitAnd, x, mask));
        let [a_high, b_high] = [a, b].map(|x| self.binary(BinaryOp::Shr, x, by));
        let mut products = Vec::new();
        for (x, y) in [(a_low, b_low), (a_low, b_high), (a_high, b_low), (a_high, b_high)] {
            let product = self.binary(BinaryOp::Mul, x, y);
            products.push(self.save(product, span)?);
        }
        let [low, cross, other, high] = products[..] else { return self.unsupported("this product", span) };
        let mut middle = self.binary(BinaryOp::Shr, low, by);
        for part in [cross, other] {
            let part = self.binary(BinaryOp::BitAnd, part, mask);
            middle = self.binary(BinaryOp::Add, middle, part);
        }
        let middle = self.save(middle, span)?;
        let mut high = high;
        for part in [cross, other, middle] {
            let part = self.binary(BinaryOp::Shr, part, by);
            high = self.binary(BinaryOp::Add, high, part);
        }
        let low = self.binary(BinaryOp::Mul, a, b);
        Ok(TwoWords { high, low: self.save(low, span)? })
    }

    fn fit_two_words(
        &mut self,
        words: TwoWords,
        word: IntKind,
        result_type: TypeId,
        span: AstSpan,
    ) -> Lowered<(ExprId, ExprId)> {
        let result = self.cast(words.low, result_type);
        let result = self.save(result, span)?;
        // The number is what was stored exactly if its sign fills the high word and its value the low one.
        let signed = self.types.int(word);
        let unsigned = self.types.int(word.to_unsigned());
        let sign = self.sign_word(result, signed);
        let sign = self.cast(sign, unsigned);
        let again = self.cast(result, unsigned);
        let low = self.binary(BinaryOp::Ne, again, words.low);
        let high = self.binary(BinaryOp::Ne, sign, words.high);
        Ok((result, self.binary(BinaryOp::BitOr, low, high)))
    }
}
