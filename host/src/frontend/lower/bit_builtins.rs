//! gcc's builtins that count or move the bits of a number, as arithmetic that every analysis follows.

use super::draft::Target;
use super::places::Value;
use super::{Lowered, Lowerer};
use lang_c::ast;
use lang_c::span::{Node, Span as AstSpan};
use tandem_plugin_api::program::*;

impl Lowerer<'_> {
    /// `None` if `name`, which has no prefix, is not such a builtin.
    pub fn bit_builtin(&mut self, name: &str, call: &Node<ast::CallExpression>) -> Lowered<Option<Value>> {
        let [argument] = call.node.arguments.as_slice() else { return Ok(None) };
        let span = call.span;
        if let Some(bits) = name.strip_prefix("bswap").and_then(|bits| bits.parse().ok()).filter(|bits| *bits <= 64) {
            let ty = self.builtin_signature(name).map(|signature| self.types.get(signature).clone());
            let Some(Type::Function { result, .. }) = ty else { return Ok(None) };
            let value = self.value(argument)?.expr;
            let value = self.convert(value, result, span)?;
            return Ok(Some(self.swapped_bytes(value, bits, span)?.into()));
        }
        let length = ["popcount", "parity", "clrsb", "clz", "ctz", "ffs"].iter().find_map(|known| {
            let suffix = name.strip_prefix(known)?;
            matches!(suffix, "" | "l" | "ll").then_some(known.len())
        });
        let Some(length) = length else { return Ok(None) };
        let (operation, suffix) = name.split_at(length);
        let (signed, unsigned) = match suffix {
            "" => (IntKind::Int, IntKind::UInt),
            "l" => (IntKind::Long, IntKind::ULong),
            _ => (IntKind::LongLong, IntKind::ULongLong),
        };
        let (signed, unsigned) = (self.types.int(signed), self.types.int(unsigned));
        let value = self.value(argument)?.expr;
        let value = self.convert(value, if operation == "clrsb" { signed } else { unsigned }, span)?;
        let value = self.step(value, span)?;
        if matches!(operation, "clz" | "ctz") {
            self.exclude_zero(value, name, span)?;
        }
        let counted = match operation {
            "popcount" => self.ones(value, span)?,
            "parity" => self.parity(value, span)?,
            "clz" => self.leading_zeros(value, span)?,
            "ctz" => self.trailing_zeros(value, span)?,
            "ffs" => self.first_one(value, span)?,
            _ => {
                let last = self.bits_of(value) - 1;
                let sign = self.shifted(BinaryOp::Shr, value, last);
                let changes = self.binary(BinaryOp::BitXor, value, sign);
                let changes = self.cast(changes, unsigned);
                let changes = self.step(changes, span)?;
                let zeros = self.leading_zeros(changes, span)?;
                let one = self.constant_like(zeros, 1);
                self.binary(BinaryOp::Sub, zeros, one)
            }
        };
        let int = self.common.int;
        Ok(Some(self.cast(counted, int).into()))
    }

    /// The result for zero is undefined: in gcc's build it depends on the processor.
    fn exclude_zero(&mut self, value: ExprId, name: &str, span: AstSpan) -> Lowered<()> {
        let what = format!("`__builtin_{name}` of zero, whose result is undefined");
        match self.exprs.as_int(value) {
            Some(0) => return self.unsupported(what, span),
            Some(_) => return Ok(()),
            None => {}
        }
        let draft = self.draft(span)?;
        let (defined, undefined) = (draft.place(), draft.place());
        let target = |place| Target { place, settles: None };
        self.branch_on(value, target(defined), target(undefined), span)?;
        self.draft(span)?.at = undefined;
        self.emit_unsupported(what, self.span(span), span)?;
        self.draft(span)?.at = defined;
        Ok(())
    }

    /// The value in a temporary, so that it is computed once; a constant stays one.
    fn step(&mut self, value: ExprId, span: AstSpan) -> Lowered<ExprId> {
        if self.exprs.as_int(value).is_some() { Ok(value) } else { self.save(value, span) }
    }

    fn bits_of(&self, value: ExprId) -> u32 {
        self.types.size_of(self.exprs.ty(value)).map_or(32, |bytes| 8 * bytes as u32)
    }

    fn constant_like(&mut self, value: ExprId, constant: i128) -> ExprId {
        let ty = self.exprs.ty(value);
        let constant = self.types.wrap(ty, constant);
        self.int_constant(constant, ty)
    }

    fn shifted(&mut self, op: BinaryOp, value: ExprId, by: u32) -> ExprId {
        let int = self.common.int;
        let by = self.int_constant(by.into(), int);
        self.binary(op, value, by)
    }

    /// The byte in all bytes of the value's type.
    fn repeated(&mut self, value: ExprId, byte: u8) -> ExprId {
        self.constant_like(value, i128::from(u64::from(byte) * 0x0101_0101_0101_0101))
    }

    /// Counts in pairs of bits, then in groups of four and of eight, whose counts are added.
    fn ones(&mut self, value: ExprId, span: AstSpan) -> Lowered<ExprId> {
        let (odd, pairs, halves) = (self.repeated(value, 0x55), self.repeated(value, 0x33), self.repeated(value, 0x0f));
        let high = self.shifted(BinaryOp::Shr, value, 1);
        let high = self.binary(BinaryOp::BitAnd, high, odd);
        let counts = self.binary(BinaryOp::Sub, value, high);
        let counts = self.step(counts, span)?;
        let high = self.shifted(BinaryOp::Shr, counts, 2);
        let (low, high) = (self.binary(BinaryOp::BitAnd, counts, pairs), self.binary(BinaryOp::BitAnd, high, pairs));
        let counts = self.binary(BinaryOp::Add, low, high);
        let counts = self.step(counts, span)?;
        let high = self.shifted(BinaryOp::Shr, counts, 4);
        let sum = self.binary(BinaryOp::Add, counts, high);
        let mut counts = self.binary(BinaryOp::BitAnd, sum, halves);
        let mut distance = 8;
        while distance < self.bits_of(value) {
            counts = self.step(counts, span)?;
            let high = self.shifted(BinaryOp::Shr, counts, distance);
            counts = self.binary(BinaryOp::Add, counts, high);
            distance *= 2;
        }
        let mask = self.constant_like(value, 0x7f);
        Ok(self.binary(BinaryOp::BitAnd, counts, mask))
    }

    fn parity(&mut self, mut value: ExprId, span: AstSpan) -> Lowered<ExprId> {
        let mut distance = self.bits_of(value) / 2;
        while distance > 0 {
            let high = self.shifted(BinaryOp::Shr, value, distance);
            value = self.binary(BinaryOp::BitXor, value, high);
            value = self.step(value, span)?;
            distance /= 2;
        }
        let one = self.constant_like(value, 1);
        Ok(self.binary(BinaryOp::BitAnd, value, one))
    }

    /// All bits below the highest one are set, and the rest is counted.
    fn leading_zeros(&mut self, mut value: ExprId, span: AstSpan) -> Lowered<ExprId> {
        let bits = self.bits_of(value);
        let mut distance = 1;
        while distance < bits {
            let lower = self.shifted(BinaryOp::Shr, value, distance);
            value = self.binary(BinaryOp::BitOr, value, lower);
            value = self.step(value, span)?;
            distance *= 2;
        }
        let ones = self.ones(value, span)?;
        let all = self.constant_like(ones, bits.into());
        Ok(self.binary(BinaryOp::Sub, all, ones))
    }

    /// The number of bits below the lowest one; all for zero.
    fn trailing_zeros(&mut self, value: ExprId, span: AstSpan) -> Lowered<ExprId> {
        let (zero, one) = (self.constant_like(value, 0), self.constant_like(value, 1));
        let negative = self.binary(BinaryOp::Sub, zero, value);
        let lowest = self.binary(BinaryOp::BitAnd, value, negative);
        let below = self.binary(BinaryOp::Sub, lowest, one);
        let below = self.step(below, span)?;
        self.ones(below, span)
    }

    fn first_one(&mut self, value: ExprId, span: AstSpan) -> Lowered<ExprId> {
        let zeros = self.trailing_zeros(value, span)?;
        let (zero, one) = (self.constant_like(value, 0), self.constant_like(value, 1));
        let place = self.binary(BinaryOp::Add, zeros, one);
        let is_some = self.binary(BinaryOp::Ne, value, zero);
        let ty = self.exprs.ty(value);
        let is_some = self.cast(is_some, ty);
        let mask = self.binary(BinaryOp::Sub, zero, is_some);
        Ok(self.binary(BinaryOp::BitAnd, place, mask))
    }

    /// In the type of the value, or in `unsigned` where that is smaller.
    fn swapped_bytes(&mut self, value: ExprId, bits: u32, span: AstSpan) -> Lowered<ExprId> {
        let result = self.exprs.ty(value);
        let wide = if bits < 32 { self.types.int(IntKind::UInt) } else { result };
        let value = self.cast(value, wide);
        let value = self.step(value, span)?;
        let mut swapped = self.constant_like(value, 0);
        for byte in 0..bits / 8 {
            let mask = self.constant_like(value, 0xff);
            let part = self.shifted(BinaryOp::Shr, value, 8 * byte);
            let part = self.binary(BinaryOp::BitAnd, part, mask);
            let part = self.shifted(BinaryOp::Shl, part, bits - 8 - 8 * byte);
            swapped = self.binary(BinaryOp::BitOr, swapped, part);
        }
        Ok(self.cast(swapped, result))
    }
}
