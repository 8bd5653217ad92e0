//! What gcc computes when it compiles, also without optimisation, though C leaves it open or the machine would do something
//! else: divisions that would end the run, and shifts of constants that are too far (match.pd and fold-const.cc in gcc 12).

use super::Lowerer;
use tandem_plugin_api::program::*;

impl Lowerer<'_> {
    /// `a op b` on integers of one type, where gcc writes something simpler.
    pub fn folded_by_gcc(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> Option<ExprId> {
        let ty = self.exprs.ty(a);
        if !self.types.is_integer(ty) {
            return None;
        }
        let (left, right) = (self.exprs.as_int(a), self.exprs.as_int(b));
        let is_signed = self.types.word_shape(ty).is_some_and(|(_, signed)| signed);
        let value = match (op, left, right) {
            // Nothing is divided, so the lowest number is no exception.
            (BinaryOp::Div, None, Some(-1)) if is_signed => return Some(self.unary(UnaryOp::Negate, a)),
            (BinaryOp::Rem, None, Some(-1)) if is_signed => 0,
            // Also where the divisor is zero.
            (BinaryOp::Div | BinaryOp::Rem, Some(0), None) => 0,
            (BinaryOp::Div, None, None) if a == b => 1,
            (BinaryOp::Rem, None, None) if a == b => 0,
            // The count is negative or not less than the width. The machine would take it modulo the width.
            (BinaryOp::Shl, Some(_), Some(_)) => 0,
            (BinaryOp::Shr, Some(shifted), Some(_)) => -i128::from(shifted < 0),
            _ => return None,
        };
        Some(self.int_constant(value, ty))
    }

    /// Whether the result of `a op b` is the same whatever one operand is, and that operand may divide by zero. gcc then does not
    /// compute it, in cases that are more than these.
    pub fn leaves_out_division(&self, op: BinaryOp, a: ExprId, b: ExprId) -> bool {
        use BinaryOp::*;
        let (left, right) = (self.exprs.as_int(a), self.exprs.as_int(b));
        let decides_nothing = match op {
            Mul | BitAnd => left == Some(0) || right == Some(0),
            BitOr => left == Some(-1) || right == Some(-1),
            Shl | Shr => left == Some(0),
            Div => left == Some(0) || a == b,
            Rem => left == Some(0) || matches!(right, Some(1 | -1)) || a == b,
            Sub | BitXor | Eq | Ne => a == b,
            Lt | Le | Gt | Ge => a == b,
            _ => false,
        };
        decides_nothing && (self.may_divide_by_zero(a) || self.may_divide_by_zero(b))
    }

    /// The result of a comparison whose types decide it, if an operand may divide by zero: gcc does not compute that operand then.
    pub fn decided_without_division(&self, op: BinaryOp, a: ExprId, b: ExprId) -> Option<bool> {
        use BinaryOp::*;
        let mirrored = match op {
            Lt => Gt,
            Le => Ge,
            Gt => Lt,
            Ge => Le,
            same => same,
        };
        let decided = self.type_decides(op, a, b).or_else(|| self.type_decides(mirrored, b, a));
        decided.filter(|_| self.may_divide_by_zero(a) || self.may_divide_by_zero(b))
    }

    /// How an expression compares with a constant on its right, where the type that its value comes from is enough to say so.
    fn type_decides(&self, op: BinaryOp, mut side: ExprId, right: ExprId) -> Option<bool> {
        let constant = self.exprs.as_int(right)?;
        let shape = |expr: ExprId| self.types.word_shape(self.exprs.ty(expr));
        // The usual arithmetic conversions keep both values.
        match (shape(side)?, shape(right)?) {
            ((_, true), (_, true)) => {}
            ((_, false), _) if constant >= 0 => {}
            ((bits, true), (others, false)) if bits > others => {}
            ((bits, false), (others, true)) if bits < others => {}
            _ => return None,
        }
        // Casts that keep the value.
        while let ExprKind::Cast(inner) = self.exprs.kind(side)
            && let (Some((from, was_signed)), Some((to, is_signed))) = (shape(inner), shape(side))
            && from < to
            && (is_signed || !was_signed)
        {
            side = inner;
        }
        let (bits, signed) = shape(side).filter(|(bits, _)| *bits < 127)?;
        let (least, greatest) =
            if signed { (-1 << (bits - 1), (1 << (bits - 1)) - 1) } else { (0, (1i128 << bits) - 1) };
        let (is_below, is_above) = (constant < least, constant > greatest);
        match op {
            BinaryOp::Eq | BinaryOp::Ne if is_below || is_above => Some(op == BinaryOp::Ne),
            BinaryOp::Lt if is_above || constant <= least => Some(is_above),
            BinaryOp::Le if constant >= greatest || is_below => Some(!is_below),
            BinaryOp::Gt if is_below || constant >= greatest => Some(is_below),
            BinaryOp::Ge if constant <= least || is_above => Some(!is_above),
            _ => None,
        }
    }

    fn may_divide_by_zero(&self, root: ExprId) -> bool {
        let mut found = false;
        self.exprs.walk(root, &mut |expr| {
            if let ExprKind::Binary { op: BinaryOp::Div | BinaryOp::Rem, rhs, .. } = self.exprs.kind(expr) {
                found |=
                    self.types.is_integer(self.exprs.ty(rhs)) && self.exprs.as_int(rhs).is_none_or(|value| value == 0);
            }
        });
        found
    }
}
