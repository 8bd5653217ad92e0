//! Typed expression nodes: conversions, promotions and operators by C's rules, folded where the operands are constant.

use super::Lowerer;
use tandem_plugin_api::program::*;

impl Lowerer<'_> {
    pub fn int_constant(&mut self, value: i128, ty: TypeId) -> ExprId {
        let value = self.types.wrap(ty, value);
        self.exprs.intern(ExprKind::Int(value), ty)
    }

    pub fn constant(&mut self, value: Constant, ty: TypeId) -> ExprId {
        match value {
            Constant::Int(value) => self.int_constant(value, ty),
            Constant::Float(bits) => self.exprs.intern(ExprKind::Float(bits), ty),
        }
    }

    pub fn as_constant(&self, expr: ExprId) -> Option<Constant> {
        match self.exprs.kind(expr) {
            ExprKind::Int(value) => Some(Constant::Int(value)),
            ExprKind::Float(bits) => Some(Constant::Float(bits)),
            _ => None,
        }
    }

    /// `Some` where the expression's truth is known.
    pub fn truth(&self, expr: ExprId) -> Option<bool> {
        match self.exprs.kind(expr) {
            // No object or function has the address 0.
            ExprKind::FunctionAddress(_) => Some(true),
            _ => self.as_constant(expr).map(|c| c.is_truthy(self.exprs.ty(expr), &self.types)),
        }
    }

    /// Conversion to a scalar type; nothing where the type is the same already.
    pub fn cast(&mut self, expr: ExprId, to: TypeId) -> ExprId {
        let from = self.exprs.ty(expr);
        if from == to {
            return expr;
        }
        if let Some(narrow) = self.narrow(to) {
            return self.cast_to_narrow(expr, to, narrow);
        }
        if let Some(value) = self.as_constant(expr)
            && let Some(converted) = self.types.convert_constant(value, from, to)
        {
            return self.constant(converted, to);
        }
        self.exprs.intern(ExprKind::Cast(expr), to)
    }

    /// The bit-field that this place is, if it is one.
    pub fn bit_field(&self, expr: ExprId) -> Option<BitField> {
        let ExprKind::Field { base, field } = self.exprs.kind(expr) else { return None };
        let Type::Composite(composite) = self.types.get(self.exprs.ty(base)) else { return None };
        self.types.composite(*composite).fields.get(field as usize)?.bits
    }

    /// Integer promotions (C11 6.3.1.1): what fits in `int` becomes `int`. Bit-fields go by their width.
    pub fn promote(&mut self, expr: ExprId) -> ExprId {
        let Type::Int(kind) = *self.types.get(self.exprs.ty(expr)) else { return expr };
        let int = self.common.int;
        if let Some(bits) = self.bit_field(expr) {
            let ty = if bits.width < 32 { Some(int) } else { self.bit_field_type(expr) };
            return ty.map_or(expr, |ty| self.cast(expr, ty));
        }
        if let Some(narrow) = self.narrow(self.exprs.ty(expr)) {
            return if narrow.width < 32 { self.cast(expr, int) } else { expr };
        }
        if kind.rank() < IntKind::Int.rank() { self.cast(expr, int) } else { expr }
    }

    /// Default argument promotions, for variadic and unprototyped calls.
    pub fn promote_argument(&mut self, expr: ExprId) -> ExprId {
        match self.types.get(self.exprs.ty(expr)) {
            Type::Float(FloatKind::Float) => {
                let double = self.common.double;
                self.cast(expr, double)
            }
            Type::Int(_) => self.promote(expr),
            _ => expr,
        }
    }

    /// Usual arithmetic conversions (C11 6.3.1.8): both operands get the common type.
    pub fn usual_conversions(&mut self, a: ExprId, b: ExprId) -> (ExprId, ExprId) {
        let (a, b) = (self.promote(a), self.promote(b));
        let (ta, tb) = (self.exprs.ty(a), self.exprs.ty(b));
        let common = match (self.types.get(ta).clone(), self.types.get(tb).clone()) {
            (Type::Float(x), Type::Float(y)) => self.types.intern(Type::Float(x.max(y))),
            (Type::Float(_), _) => ta,
            (_, Type::Float(_)) => tb,
            (Type::Int(x), Type::Int(y)) => 'common: {
                if let Some(narrow) = self.common_narrow(a, b) {
                    break 'common narrow;
                }
                let kind = common_integer(x, y, self.types.model);
                self.types.int(kind)
            }
            _ => ta,
        };
        (self.cast(a, common), self.cast(b, common))
    }

    /// `op operand`, the operand being promoted already.
    pub fn unary(&mut self, op: UnaryOp, operand: ExprId) -> ExprId {
        let operand_type = self.exprs.ty(operand);
        let ty = if op == UnaryOp::LogicalNot { self.common.int } else { operand_type };
        if op == UnaryOp::LogicalNot
            && let Some(truth) = self.truth(operand)
        {
            return self.int_constant((!truth).into(), ty);
        }
        if let Some(value) = self.as_constant(operand)
            && let Some(result) = self.types.unary_constant(op, value, operand_type)
        {
            return self.constant(result, ty);
        }
        if op != UnaryOp::LogicalNot
            && let Some(narrow) = self.narrow(operand_type)
        {
            let whole = self.cast(operand, narrow.base);
            let result = self.unary(op, whole);
            return self.cast(result, operand_type);
        }
        self.exprs.intern(ExprKind::Unary { op, operand }, ty)
    }

    /// `a op b`, operands converted already. The result has their type, or `int` for comparisons.
    pub fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        if let Some(narrow) = self.narrow_binary(op, a, b) {
            return narrow;
        }
        let operand_type = self.exprs.ty(a);
        let ty = if op.is_comparison() { self.common.int } else { operand_type };
        if let (Some(x), Some(y)) = (self.as_constant(a), self.as_constant(b))
            && let Some(result) = self.types.binary_constant(op, operand_type, x, y)
        {
            return self.constant(result, ty);
        }
        if let Some(folded) = self.folded_by_gcc(op, a, b) {
            return folded;
        }
        self.exprs.intern(ExprKind::Binary { op, lhs: a, rhs: b }, ty)
    }

    /// `a op b` for arithmetic operands as written: conversions first.
    pub fn arithmetic(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            let (a, b) = (self.promote(a), self.promote(b));
            return self.binary(op, a, b);
        }
        let (a, b) = self.usual_conversions(a, b);
        self.binary(op, a, b)
    }

    /// Pointer plus integer. `&a[0] + i` is `&a[i]`, so that accesses through decayed arrays stay visible as such.
    pub fn pointer_add(&mut self, pointer: ExprId, index: ExprId) -> ExprId {
        let ty = self.exprs.ty(pointer);
        let index = self.promote(index);
        if self.exprs.as_int(index) == Some(0) {
            return pointer;
        }
        if let ExprKind::AddressOf(place) = self.exprs.kind(pointer)
            && let ExprKind::Index { base, index: first } = self.exprs.kind(place)
            && self.exprs.as_int(first) == Some(0)
        {
            let element = self.index(base, index);
            return self.exprs.intern(ExprKind::AddressOf(element), ty);
        }
        if let Some(folded) = self.fold_pointer_add(pointer, index, ty) {
            return folded;
        }
        self.exprs.intern(ExprKind::Binary { op: BinaryOp::PointerAdd, lhs: pointer, rhs: index }, ty)
    }

    /// `(T *)8 + 2`, as in hand-written offsetof.
    fn fold_pointer_add(&mut self, pointer: ExprId, index: ExprId, ty: TypeId) -> Option<ExprId> {
        let (address, index) = (self.exprs.as_int(pointer)?, self.exprs.as_int(index)?);
        let size = self.types.size_of(self.types.pointee(ty)?)?;
        Some(self.int_constant(address.wrapping_add(index.wrapping_mul(size.into())), ty))
    }

    /// The index to add for a pointer minus an integer.
    pub fn negated_index(&mut self, index: ExprId) -> ExprId {
        let index = self.promote(index);
        // Widen first: the negation of an unsigned index must not wrap in its own type.
        let ptrdiff = self.common.ptrdiff;
        let wide = self.cast(index, ptrdiff);
        self.unary(UnaryOp::Negate, wide)
    }

    /// Difference of two pointers of the same type, in elements.
    pub fn pointer_difference(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let ty = self.exprs.ty(a);
        let ptrdiff = self.common.ptrdiff;
        if let (Some(x), Some(y)) = (self.exprs.as_int(a), self.exprs.as_int(b))
            && let Some(size) = self.types.pointee(ty).and_then(|t| self.types.size_of(t)).filter(|&s| s > 0)
        {
            let bytes = self.types.wrap(ptrdiff, x.wrapping_sub(y));
            return self.int_constant(bytes / i128::from(size), ptrdiff);
        }
        self.exprs.intern(ExprKind::Binary { op: BinaryOp::PointerDiff, lhs: a, rhs: b }, ptrdiff)
    }

    /// An element of a place of array type.
    pub fn index(&mut self, base: ExprId, index: ExprId) -> ExprId {
        let element = self.types.element(self.exprs.ty(base)).unwrap_or(self.common.char);
        self.exprs.intern(ExprKind::Index { base, index }, element)
    }

    pub fn field(&mut self, base: ExprId, composite: CompositeId, field: usize) -> ExprId {
        let ty = self.types.composite(composite).fields[field].ty;
        self.exprs.intern(ExprKind::Field { base, field: field as u32 }, ty)
    }

    /// The place a pointer points to; `*&x` is `x`.
    pub fn deref(&mut self, pointer: ExprId) -> ExprId {
        let ty = self.types.pointee(self.exprs.ty(pointer)).unwrap_or(self.common.void);
        if let ExprKind::AddressOf(place) = self.exprs.kind(pointer)
            && self.exprs.ty(place) == ty
        {
            return place;
        }
        self.exprs.intern(ExprKind::Deref(pointer), ty)
    }

    /// The address of a place; `&*p` is `p`, and a member of a constant address is a constant (`offsetof` by hand).
    pub fn address_of(&mut self, place: ExprId) -> ExprId {
        let ty = self.types.pointer_to(self.exprs.ty(place));
        if let ExprKind::Deref(pointer) = self.exprs.kind(place)
            && self.exprs.ty(pointer) == ty
        {
            return pointer;
        }
        if let Some(address) = self.constant_address(place) {
            return self.int_constant(address, ty);
        }
        self.exprs.intern(ExprKind::AddressOf(place), ty)
    }

    /// Where `*(T *)constant`, a member or an element of it lies.
    fn constant_address(&self, place: ExprId) -> Option<i128> {
        match self.exprs.kind(place) {
            ExprKind::Deref(pointer) => self.exprs.as_int(pointer),
            ExprKind::Field { base, field } => {
                let Type::Composite(composite) = self.types.get(self.exprs.ty(base)) else { return None };
                let offset = self.types.composite(*composite).fields.get(field as usize)?.offset;
                Some(self.constant_address(base)? + i128::from(offset))
            }
            ExprKind::Index { base, index } => {
                let size = self.types.size_of(self.exprs.ty(place))?;
                Some(self.constant_address(base)? + self.exprs.as_int(index)? * i128::from(size))
            }
            _ => None,
        }
    }

    /// An array as a pointer to its first element.
    pub fn decay(&mut self, place: ExprId) -> ExprId {
        let size = self.common.int;
        let zero = self.int_constant(0, size);
        let element = self.index(place, zero);
        self.address_of(element)
    }
}

/// The type both integer operands (promoted) get.
pub(super) fn common_integer(x: IntKind, y: IntKind, model: DataModel) -> IntKind {
    if x == y {
        return x;
    }
    if x.is_signed() == y.is_signed() {
        return if x.rank() >= y.rank() { x } else { y };
    }
    let (signed, unsigned) = if x.is_signed() { (x, y) } else { (y, x) };
    if unsigned.rank() >= signed.rank() {
        unsigned
    } else if signed.bits(model) > unsigned.bits(model) {
        signed
    } else {
        signed.to_unsigned()
    }
}
