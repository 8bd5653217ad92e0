//! The types of bit-fields. gcc gives a bit-field whose width is not that of a standard type a type of its own, and
//! computes in it: `x.b << 8` of 40 bits wraps at 40 bits. Here such a type is an alias of the next larger standard one.

use super::Lowerer;
use rustc_hash::FxHashMap;
use tandem_plugin_api::program::*;

/// An integer type whose width no standard type has.
#[derive(Clone, Copy)]
pub(super) struct Narrow {
    pub width: u32,
    pub signed: bool,
    /// The standard type that its values are kept in.
    pub base: TypeId,
}

impl Narrow {
    /// The value that a conversion to this type gives.
    pub fn cut(self, value: i128) -> i128 {
        constant::wrap(value, self.width, self.signed)
    }
}

#[derive(Default)]
pub(super) struct NarrowTypes {
    ids: FxHashMap<(u32, bool), TypeId>,
    types: FxHashMap<TypeId, Narrow>,
}

impl Lowerer<'_> {
    pub fn narrow(&self, ty: TypeId) -> Option<Narrow> {
        self.narrow_types.types.get(&ty).copied()
    }

    /// The type that the value of a bit-field has before it is promoted; `None` for other places.
    pub fn bit_field_type(&mut self, place: ExprId) -> Option<TypeId> {
        let bits = self.bit_field(place)?;
        let declared = self.exprs.ty(place);
        let Type::Int(kind) = *self.types.get(declared) else { return None };
        if kind == IntKind::Bool || bits.width == kind.bits(self.types.model) {
            return Some(declared);
        }
        Some(self.integer_of_width(bits.width, kind.is_signed()))
    }

    fn integer_of_width(&mut self, width: u32, signed: bool) -> TypeId {
        use IntKind::*;
        let model = self.types.model;
        let kind = |kind: IntKind| if signed { kind } else { kind.to_unsigned() };
        if let Some(standard) = [Int, SChar, Short, Long, LongLong].into_iter().find(|k| k.bits(model) == width) {
            return self.types.int(kind(standard));
        }
        if let Some(&known) = self.narrow_types.ids.get(&(width, signed)) {
            return known;
        }
        let wider = [SChar, Short, Int, LongLong].into_iter().find(|k| k.bits(model) > width).unwrap_or(Int128);
        let base = self.types.int(kind(wider));
        let ty = self.types.alias(Type::Int(kind(wider)));
        self.narrow_types.ids.insert((width, signed), ty);
        self.narrow_types.types.insert(ty, Narrow { width, signed, base });
        ty
    }

    /// The value of `expr` cut to the width of `to`.
    pub fn cast_to_narrow(&mut self, expr: ExprId, to: TypeId, narrow: Narrow) -> ExprId {
        if let Some(value) = self.exprs.as_int(expr) {
            let value = narrow.cut(value);
            return self.exprs.intern(ExprKind::Int(value), to);
        }
        if self.width_of(expr).is_some_and(|(width, signed)| fits(width, signed, narrow)) {
            return self.exprs.intern(ExprKind::Cast(expr), to);
        }
        // In C, a type smaller than `int` would be promoted.
        let work = if narrow.width < 32 { IntKind::UInt } else { self.unsigned_kind(narrow.base) };
        let spare = work.bits(self.types.model) - narrow.width;
        let work = self.types.int(work);
        let whole = self.cast(expr, narrow.base);
        let whole = self.cast(whole, work);
        let cut = if narrow.signed {
            let int = self.common.int;
            let by = self.int_constant(spare.into(), int);
            let high = self.binary(BinaryOp::Shl, whole, by);
            let signed = self.signed_type(work);
            let high = self.cast(high, signed);
            self.binary(BinaryOp::Shr, high, by)
        } else {
            let mask = self.int_constant((1i128 << narrow.width) - 1, work);
            self.binary(BinaryOp::BitAnd, whole, mask)
        };
        self.exprs.intern(ExprKind::Cast(cut), to)
    }

    fn unsigned_kind(&self, ty: TypeId) -> IntKind {
        match self.types.get(ty) {
            Type::Int(kind) => kind.to_unsigned(),
            _ => IntKind::ULongLong,
        }
    }

    fn signed_type(&mut self, ty: TypeId) -> TypeId {
        match *self.types.get(ty) {
            Type::Int(kind) => self.types.int(kind.to_signed()),
            _ => ty,
        }
    }

    /// The most bits that values of an integer expression have, and whether one of these is a sign.
    fn width_of(&self, expr: ExprId) -> Option<(u32, bool)> {
        let ty = self.exprs.ty(expr);
        let Type::Int(kind) = self.types.get(ty) else { return None };
        if let Some(bits) = self.bit_field(expr) {
            return Some((bits.width, kind.is_signed()));
        }
        match self.narrow(ty) {
            Some(narrow) => Some((narrow.width, narrow.signed)),
            None if *kind == IntKind::Bool => Some((1, false)),
            None => Some((kind.bits(self.types.model), kind.is_signed())),
        }
    }

    /// The common type of two promoted operands of which one has a width of its own: the wider one, else the unsigned.
    pub fn common_narrow(&self, a: ExprId, b: ExprId) -> Option<TypeId> {
        let (ta, tb) = (self.exprs.ty(a), self.exprs.ty(b));
        if self.narrow(ta).is_none() && self.narrow(tb).is_none() {
            return None;
        }
        let ((wa, sa), (wb, _)) = (self.width_of(a)?, self.width_of(b)?);
        Some(if wa > wb || (wa == wb && !sa) { ta } else { tb })
    }

    /// A binary operator on operands of which one has a width of its own: computed in the standard type, then cut.
    pub fn narrow_binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> Option<ExprId> {
        let (ta, tb) = (self.exprs.ty(a), self.exprs.ty(b));
        let (left, right) = (self.narrow(ta), self.narrow(tb));
        if left.is_none() && right.is_none() {
            return None;
        }
        let a = left.map_or(a, |narrow| self.cast(a, narrow.base));
        let b = right.map_or(b, |narrow| self.cast(b, narrow.base));
        let result = self.binary(op, a, b);
        Some(if left.is_some() && !op.is_comparison() { self.cast(result, ta) } else { result })
    }
}

fn fits(width: u32, signed: bool, narrow: Narrow) -> bool {
    match (signed, narrow.signed) {
        (true, false) => false,
        (false, true) => width < narrow.width,
        _ => width <= narrow.width,
    }
}
