//! The states in which a condition holds, as far as bounds can express it. Conditions are followed down into both sides
//! of comparisons, through casts and arithmetic, to the variables.

use crate::interval::{self, Interval};
use crate::machine::Machine;
use crate::pointers::{Base, PointsTo, Target};
use crate::value::{Cells, Known, Value};
use tandem_plugin_api::program::{BinaryOp, ExprId, ExprKind, IntKind, Type, UnaryOp};

impl Machine {
    /// The states in which the condition is as wanted; `None` if there are no such states.
    pub fn assume(&self, state: &Cells, condition: ExprId, holds: bool) -> Option<Cells> {
        self.nested(Some(state.clone()), || self.assume_here(state, condition, holds))
    }

    fn assume_here(&self, state: &Cells, condition: ExprId, holds: bool) -> Option<Cells> {
        if self.truth(state, condition) == Some(!holds) {
            return None;
        }
        match self.program.exprs.kind(condition) {
            ExprKind::Unary { op: UnaryOp::LogicalNot, operand } => self.assume(state, operand, !holds),
            ExprKind::Binary { op, lhs, rhs } if op.is_comparison() => {
                let op = if holds { op } else { interval::opposite(op) };
                self.assume_comparison(state, op, lhs, rhs)
            }
            ExprKind::And { lhs, rhs } if holds => self.assume(&self.assume(state, lhs, true)?, rhs, true),
            ExprKind::Or { lhs, rhs } if !holds => self.assume(&self.assume(state, lhs, false)?, rhs, false),
            ExprKind::And { lhs, rhs } | ExprKind::Or { lhs, rhs } => {
                // Where `a && b` is false, `a` is, or `a` holds and `b` does not.
                let first = self.assume(state, lhs, holds);
                let second = self.assume(state, lhs, !holds).and_then(|rest| self.assume(&rest, rhs, holds));
                match (first, second) {
                    (Some(a), Some(b)) => Some(self.layout.join(&a, &b)),
                    (one, other) => one.or(other),
                }
            }
            _ => match self.evaluate(state, condition) {
                Known::Int(value) => {
                    let zero = Interval::point(0);
                    let op = if holds { BinaryOp::Ne } else { BinaryOp::Eq };
                    let (value, _) = interval::narrow(op, value, zero)?;
                    self.constrain(state, condition, value)
                }
                Known::Pointer(pointer) => {
                    let kept = pointer.filter(|target| (target.base != Base::Null) == holds)?;
                    Some(self.constrain_pointer(state, condition, kept))
                }
                Known::Nothing if !holds && self.program.types.is_pointer(self.ty(condition)) => {
                    Some(self.constrain_pointer(state, condition, PointsTo::null()))
                }
                Known::Nothing => Some(state.clone()),
            },
        }
    }

    fn assume_comparison(&self, state: &Cells, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> Option<Cells> {
        let (a, b) = (self.evaluate(state, lhs), self.evaluate(state, rhs));
        match (a, b) {
            (Known::Int(a), Known::Int(b)) => {
                let (left, right) = interval::narrow(op, a, b)?;
                let state = self.constrain(state, lhs, left)?;
                self.constrain(&state, rhs, right)
            }
            (Known::Pointer(a), Known::Pointer(b)) => {
                let left = self.narrow_pointer(op, &a, &b)?;
                let right = self.narrow_pointer(op, &b, &a)?;
                let state = self.constrain_pointer(state, lhs, left);
                Some(self.constrain_pointer(&state, rhs, right))
            }
            (Known::Nothing, Known::Pointer(known)) if op == BinaryOp::Eq => {
                Some(self.learn_pointer(state, lhs, known))
            }
            (Known::Pointer(known), Known::Nothing) if op == BinaryOp::Eq => {
                Some(self.learn_pointer(state, rhs, known))
            }
            _ => Some(state.clone()),
        }
    }

    /// A pointer of unknown origin that equals a known one has its address. If that is null or a function, nothing else
    /// can be known; an address of an object does not show what a write to it may do.
    fn learn_pointer(&self, state: &Cells, expr: ExprId, known: PointsTo) -> Cells {
        let is_plain = |target: &Target| matches!(target.base, Base::Null | Base::Function(_));
        if known.targets().iter().all(is_plain) { self.constrain_pointer(state, expr, known) } else { state.clone() }
    }

    /// The pointer `a` restricted to targets for which it compares so with `b`.
    fn narrow_pointer(&self, op: BinaryOp, a: &PointsTo, b: &PointsTo) -> Option<PointsTo> {
        match op {
            BinaryOp::Eq => a.filter(|ours| b.targets().iter().any(|theirs| !self.never_equal(ours, theirs))),
            BinaryOp::Ne => {
                let [other] = b.targets() else { return Some(a.clone()) };
                let same =
                    |ours: &Target| ours.base == other.base && matches!(ours.base, Base::Null | Base::Function(_));
                a.filter(|ours| !same(ours))
            }
            _ => Some(a.clone()),
        }
    }

    /// The pointer is one of these: kept where the expression is a cell.
    fn constrain_pointer(&self, state: &Cells, expr: ExprId, value: PointsTo) -> Cells {
        match self.program.exprs.kind(expr) {
            ExprKind::Cast(operand) if self.program.types.is_pointer(self.ty(operand)) => {
                self.constrain_pointer(state, operand, value)
            }
            ExprKind::Var(_) | ExprKind::Deref(_) | ExprKind::Field { .. } | ExprKind::Index { .. } => {
                let mut state = state.clone();
                if let Some(cell) = self.exact_cell(&state, expr) {
                    state.set(cell, self.layout.normal(cell, Value::Pointer(value)));
                }
                state
            }
            _ => state.clone(),
        }
    }

    /// The states in which an integer expression lies within bounds.
    fn constrain(&self, state: &Cells, expr: ExprId, wanted: Interval) -> Option<Cells> {
        self.nested(Some(state.clone()), || self.constrain_here(state, expr, wanted))
    }

    fn constrain_here(&self, state: &Cells, expr: ExprId, wanted: Interval) -> Option<Cells> {
        let Some(current) = self.interval(state, expr) else { return Some(state.clone()) };
        let wanted = current.meet(wanted)?;
        if wanted == current {
            return Some(state.clone());
        }
        match self.program.exprs.kind(expr) {
            ExprKind::Var(_) | ExprKind::Deref(_) | ExprKind::Field { .. } | ExprKind::Index { .. } => {
                let mut state = state.clone();
                if let Some(cell) = self.exact_cell(&state, expr) {
                    state.set(cell, self.layout.normal(cell, Value::Int(wanted)));
                }
                Some(state)
            }
            ExprKind::Cast(operand) => self.constrain_cast(state, expr, operand, wanted),
            ExprKind::Unary { op: UnaryOp::LogicalNot, .. } => self.constrain_truth(state, expr, wanted),
            ExprKind::Binary { op, .. } if op.is_comparison() => self.constrain_truth(state, expr, wanted),
            ExprKind::And { .. } | ExprKind::Or { .. } => self.constrain_truth(state, expr, wanted),
            ExprKind::Unary { op, operand } => self.constrain_unary(state, expr, op, operand, wanted),
            ExprKind::Binary { op, lhs, rhs } => self.constrain_binary(state, expr, op, (lhs, rhs), wanted),
            _ => Some(state.clone()),
        }
    }

    /// For expressions that are 0 or 1.
    fn constrain_truth(&self, state: &Cells, expr: ExprId, wanted: Interval) -> Option<Cells> {
        match wanted.truth() {
            Some(truth) => self.assume(state, expr, truth),
            None => Some(state.clone()),
        }
    }

    fn constrain_cast(&self, state: &Cells, expr: ExprId, operand: ExprId, wanted: Interval) -> Option<Cells> {
        let ty = self.ty(expr);
        let Some(shape) = self.shape(ty) else { return Some(state.clone()) };
        if matches!(self.program.types.get(ty), Type::Int(IntKind::Bool)) {
            return match wanted.truth() {
                Some(truth) => self.assume(state, operand, truth),
                None => Some(state.clone()),
            };
        }
        let Some(value) = self.interval(state, operand) else { return Some(state.clone()) };
        self.constrain(state, operand, value.before_wrapping(wanted, shape)?)
    }

    fn constrain_unary(
        &self,
        state: &Cells,
        expr: ExprId,
        op: UnaryOp,
        operand: ExprId,
        wanted: Interval,
    ) -> Option<Cells> {
        let (Some(shape), Some(value)) = (self.shape(self.ty(expr)), self.interval(state, operand)) else {
            return Some(state.clone());
        };
        let value = match op {
            UnaryOp::Negate => value.negated().before_wrapping(wanted, shape)?.negated(),
            _ => wanted.complement(shape),
        };
        self.constrain(state, operand, value)
    }

    fn constrain_binary(
        &self,
        state: &Cells,
        expr: ExprId,
        op: BinaryOp,
        (lhs, rhs): (ExprId, ExprId),
        wanted: Interval,
    ) -> Option<Cells> {
        let shape = self.shape(self.ty(expr));
        let (Some(shape), Some(a), Some(b)) = (shape, self.interval(state, lhs), self.interval(state, rhs)) else {
            return Some(state.clone());
        };
        match op {
            BinaryOp::Add => {
                let sum = a.plus(b).before_wrapping(wanted, shape)?;
                let state = self.constrain(state, lhs, sum.minus(b))?;
                self.constrain(&state, rhs, sum.minus(a))
            }
            BinaryOp::Sub => {
                let difference = a.minus(b).before_wrapping(wanted, shape)?;
                let state = self.constrain(state, lhs, difference.plus(b))?;
                self.constrain(&state, rhs, a.minus(difference))
            }
            BinaryOp::Mul if b.is_point() => self.constrain_factor(state, lhs, (a, b.lo), wanted, shape),
            BinaryOp::Mul if a.is_point() => self.constrain_factor(state, rhs, (b, a.lo), wanted, shape),
            BinaryOp::Shl if b.is_point() && (0..shape.bits.into()).contains(&b.lo) => {
                self.constrain_factor(state, lhs, (a, 1 << b.lo), wanted, shape)
            }
            BinaryOp::Div if b.is_point() && b.lo > 0 => self.constrain_quotient(state, lhs, b.lo, wanted),
            BinaryOp::Shr if b.is_point() && (0..shape.bits.into()).contains(&b.lo) => {
                // Rounds down, unlike division.
                let size = 1i128 << b.lo;
                self.constrain(state, lhs, Interval { lo: wanted.lo * size, hi: wanted.hi * size + size - 1 })
            }
            _ => Some(state.clone()),
        }
    }

    /// `x * factor` lies within bounds.
    fn constrain_factor(
        &self,
        state: &Cells,
        operand: ExprId,
        (value, factor): (Interval, i128),
        wanted: Interval,
        shape: interval::Shape,
    ) -> Option<Cells> {
        let Some(product) = value.times(Interval::point(factor)).filter(|_| factor != 0) else {
            return Some(state.clone());
        };
        let product = product.before_wrapping(wanted, shape)?;
        // x lies between the quotients of the two ends, in the order that the sign of the factor gives them.
        let (least, greatest) = if factor > 0 { (product.lo, product.hi) } else { (product.hi, product.lo) };
        let (lo, hi) = (divide_up(least, factor), divide_down(greatest, factor));
        self.constrain(state, operand, Interval::new(lo, hi)?)
    }

    /// `x / divisor` lies within bounds.
    fn constrain_quotient(&self, state: &Cells, operand: ExprId, divisor: i128, wanted: Interval) -> Option<Cells> {
        // Division rounds towards zero.
        let lo = if wanted.lo > 0 { wanted.lo * divisor } else { wanted.lo * divisor - (divisor - 1) };
        let hi = if wanted.hi < 0 { wanted.hi * divisor } else { wanted.hi * divisor + (divisor - 1) };
        self.constrain(state, operand, Interval { lo, hi })
    }
}

fn divide_down(a: i128, b: i128) -> i128 {
    let quotient = a / b;
    if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient }
}

fn divide_up(a: i128, b: i128) -> i128 {
    -divide_down(-a, b)
}
