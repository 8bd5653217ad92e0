//! Expressions as terms over the values of a state.

use super::Encoder;
use crate::smt::state::State;
use crate::smt::term::{FALSE, FloatOp, FloatOrder, FloatUnary, Order, Sort, Term, WordOp};
use tandem_plugin_api::program::*;

impl Encoder {
    /// The value of a scalar expression. Where the machine would trap while computing it (division by zero), the
    /// state's paths are restricted to those without a trap.
    pub(super) fn value(&mut self, state: &mut State, expr: ExprId) -> Term {
        let Expr { kind, ty } = self.program.exprs.get(expr);
        match kind {
            ExprKind::Int(value) => {
                let Sort::Bits(width) = self.scalar_sort(ty) else { return FALSE };
                self.terms.signed(width, value)
            }
            ExprKind::Float(bits) => match self.scalar_sort(ty) {
                Sort::Float(kind) => self.terms.float(kind, bits),
                _ => FALSE,
            },
            ExprKind::Var(_) | ExprKind::Deref(_) | ExprKind::Field { .. } | ExprKind::Index { .. } => {
                self.read_place(state, expr)
            }
            ExprKind::AddressOf(place) => self.address(state, place),
            ExprKind::FunctionAddress(id) => self.function_base(id),
            ExprKind::Unary { op, operand } => self.unary(state, op, operand),
            ExprKind::Binary { op, lhs, rhs } if op.is_comparison() => {
                let truth = self.comparison(state, op, lhs, rhs);
                self.truth_as_int(truth, ty)
            }
            ExprKind::Binary { op, lhs, rhs } => self.binary(state, op, lhs, rhs, ty),
            ExprKind::Cast(inner) => {
                let from = self.program.exprs.ty(inner);
                if !self.program.types.is_scalar(ty) || !self.program.types.is_scalar(from) {
                    return FALSE;
                }
                let value = self.value(state, inner);
                self.convert(value, from, ty)
            }
            ExprKind::Zeroed => self.zero(ty),
            ExprKind::And { .. } | ExprKind::Or { .. } => {
                let truth = self.condition(state, expr);
                self.truth_as_int(truth, ty)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let condition = self.condition(state, condition);
                let (then, otherwise) = (self.value(state, then), self.value(state, otherwise));
                self.terms.ite(condition, then, otherwise)
            }
        }
    }

    fn truth_as_int(&mut self, truth: Term, ty: TypeId) -> Term {
        match self.scalar_sort(ty) {
            Sort::Bits(width) => self.terms.from_bool(width, truth),
            _ => truth,
        }
    }

    /// Whether an expression is not zero.
    pub(super) fn condition(&mut self, state: &mut State, expr: ExprId) -> Term {
        match self.program.exprs.kind(expr) {
            ExprKind::Binary { op, lhs, rhs } if op.is_comparison() => self.comparison(state, op, lhs, rhs),
            ExprKind::Unary { op: UnaryOp::LogicalNot, operand } => {
                let truth = self.condition(state, operand);
                self.terms.not(truth)
            }
            ExprKind::And { lhs, rhs } => {
                let (a, b) = (self.condition(state, lhs), self.condition(state, rhs));
                self.terms.and(a, b)
            }
            ExprKind::Or { lhs, rhs } => {
                let (a, b) = (self.condition(state, lhs), self.condition(state, rhs));
                self.terms.or(a, b)
            }
            _ => {
                let value = self.value(state, expr);
                self.truth(value)
            }
        }
    }

    fn unary(&mut self, state: &mut State, op: UnaryOp, operand: ExprId) -> Term {
        if op == UnaryOp::LogicalNot {
            let truth = self.condition(state, operand);
            let not = self.terms.not(truth);
            return self.terms.from_bool(32, not);
        }
        let value = self.value(state, operand);
        match (op, self.terms.sort(value)) {
            (UnaryOp::Negate, Sort::Float(_)) => self.terms.float_unary(FloatUnary::Neg, value),
            (UnaryOp::Negate, _) => self.terms.neg(value),
            _ => self.terms.bit_not(value),
        }
    }

    fn comparison(&mut self, state: &mut State, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> Term {
        let signed = self.is_signed(self.program.exprs.ty(lhs));
        let (a, b) = (self.value(state, lhs), self.value(state, rhs));
        if matches!(self.terms.sort(a), Sort::Float(_)) {
            return self.float_comparison(op, a, b);
        }
        let truth = self.word_comparison(op, a, b, signed);
        if !self.program.types.is_pointer(self.program.exprs.ty(lhs)) {
            return truth;
        }
        // Freed memory may be used again: the address of a dead object may be that of another one.
        let (left, right) = (self.may_dangle(state, a), self.may_dangle(state, b));
        let dangling = self.terms.or(left, right);
        if dangling == FALSE || a == b {
            return truth;
        }
        let any = self.terms.symbol(Sort::Bool, "dangling");
        self.terms.ite(dangling, any, truth)
    }

    /// The condition that a pointer points into an object whose lifetime is over.
    fn may_dangle(&mut self, state: &State, pointer: Term) -> Term {
        let targets = self.targets(pointer);
        let dead = targets.list.iter().map(|target| match state.memory.get(&target.object) {
            Some(contents) => self.terms.and(target.guard, contents.dead),
            None => target.guard,
        });
        let dead: Vec<Term> = dead.collect();
        self.terms.any(dead)
    }

    fn word_comparison(&mut self, op: BinaryOp, a: Term, b: Term, signed: bool) -> Term {
        let (less, at_most) = if signed { (Order::SLt, Order::SLe) } else { (Order::ULt, Order::ULe) };
        match op {
            BinaryOp::Eq => self.terms.eq(a, b),
            BinaryOp::Ne => {
                let same = self.terms.eq(a, b);
                self.terms.not(same)
            }
            BinaryOp::Lt => self.terms.compare(less, a, b),
            BinaryOp::Le => self.terms.compare(at_most, a, b),
            BinaryOp::Gt => self.terms.compare(less, b, a),
            _ => self.terms.compare(at_most, b, a),
        }
    }

    fn float_comparison(&mut self, op: BinaryOp, a: Term, b: Term) -> Term {
        match op {
            BinaryOp::Eq => self.terms.float_compare(FloatOrder::Eq, a, b),
            BinaryOp::Ne => {
                let same = self.terms.float_compare(FloatOrder::Eq, a, b);
                self.terms.not(same)
            }
            BinaryOp::Lt => self.terms.float_compare(FloatOrder::Lt, a, b),
            BinaryOp::Le => self.terms.float_compare(FloatOrder::Le, a, b),
            BinaryOp::Gt => self.terms.float_compare(FloatOrder::Lt, b, a),
            _ => self.terms.float_compare(FloatOrder::Le, b, a),
        }
    }

    fn binary(&mut self, state: &mut State, op: BinaryOp, lhs: ExprId, rhs: ExprId, ty: TypeId) -> Term {
        match op {
            BinaryOp::PointerAdd => {
                let element = self.program.types.pointee(self.program.exprs.ty(lhs));
                let size = element.and_then(|t| self.program.types.size_of(t)).unwrap_or(1);
                let pointer = self.value(state, lhs);
                return self.indexed(state, pointer, rhs, size);
            }
            BinaryOp::PointerDiff => return self.pointer_difference(state, lhs, rhs, ty),
            _ => {}
        }
        let (a, b) = (self.value(state, lhs), self.value(state, rhs));
        let signed = self.is_signed(self.program.exprs.ty(lhs));
        if matches!(self.terms.sort(a), Sort::Float(_)) {
            let op = match op {
                BinaryOp::Add => FloatOp::Add,
                BinaryOp::Sub => FloatOp::Sub,
                BinaryOp::Mul => FloatOp::Mul,
                _ => FloatOp::Div,
            };
            return self.terms.float_op(op, a, b);
        }
        let word = match (op, signed) {
            (BinaryOp::Add, _) => WordOp::Add,
            (BinaryOp::Sub, _) => return self.terms.sub(a, b),
            (BinaryOp::Mul, _) => WordOp::Mul,
            (BinaryOp::Div, true) => WordOp::SDiv,
            (BinaryOp::Div, false) => WordOp::UDiv,
            (BinaryOp::Rem, true) => WordOp::SRem,
            (BinaryOp::Rem, false) => WordOp::URem,
            (BinaryOp::Shl, _) => WordOp::Shl,
            (BinaryOp::Shr, true) => WordOp::AShr,
            (BinaryOp::Shr, false) => WordOp::LShr,
            (BinaryOp::BitAnd, _) => WordOp::And,
            (BinaryOp::BitOr, _) => WordOp::Or,
            _ => WordOp::Xor,
        };
        match op {
            BinaryOp::Div | BinaryOp::Rem => self.no_trap(state, a, b, signed),
            BinaryOp::Shl | BinaryOp::Shr => {
                // As the machine does it: the count is taken modulo the width.
                let width = self.terms.width(a);
                let count = self.terms.resize(width, false, b);
                let mask = self.terms.bits(width, (width - 1).into());
                let count = self.terms.word(WordOp::And, count, mask);
                return self.terms.word(word, a, count);
            }
            _ => {}
        }
        self.terms.word(word, a, b)
    }

    /// Only paths on which a division does not trap go on.
    fn no_trap(&mut self, state: &mut State, a: Term, b: Term, signed: bool) {
        let nonzero = self.terms.is_nonzero(b);
        state.assume(&mut self.terms, nonzero);
        if signed {
            let width = self.terms.width(a);
            let lowest = self.terms.bits(width, 1 << (width - 1));
            let minus_one = self.terms.signed(width, -1);
            let (x, y) = (self.terms.eq(a, lowest), self.terms.eq(b, minus_one));
            let overflow = self.terms.and(x, y);
            let fits = self.terms.not(overflow);
            state.assume(&mut self.terms, fits);
        }
    }

    /// `pointer + index * size`.
    pub(super) fn indexed(&mut self, state: &mut State, pointer: Term, index: ExprId, size: u64) -> Term {
        let signed = self.is_signed(self.program.exprs.ty(index));
        let index = self.value(state, index);
        let index = self.terms.resize(self.pointer_bits(), signed, index);
        let size = self.offset(size);
        let bytes = self.terms.mul(index, size);
        self.terms.add(pointer, bytes)
    }

    fn pointer_difference(&mut self, state: &mut State, lhs: ExprId, rhs: ExprId, ty: TypeId) -> Term {
        let element = self.program.types.pointee(self.program.exprs.ty(lhs));
        let size = element.and_then(|t| self.program.types.size_of(t)).unwrap_or(1).max(1);
        let (a, b) = (self.value(state, lhs), self.value(state, rhs));
        let (left, right) = (self.targets(a), self.targets(b));
        let bytes = match (&*left.list, &*right.list) {
            ([x], [y]) if x.object == y.object && left.rest == FALSE && right.rest == FALSE => {
                self.terms.sub(x.offset, y.offset)
            }
            _ => self.terms.sub(a, b),
        };
        let width = self.terms.width(bytes);
        let size = self.terms.bits(width, size.into());
        let count = self.terms.word(WordOp::SDiv, bytes, size);
        let Sort::Bits(width) = self.scalar_sort(ty) else { return count };
        self.terms.resize(width, true, count)
    }
}
