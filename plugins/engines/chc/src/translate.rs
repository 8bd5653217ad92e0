//! Translates C expressions to terms over mathematical integers: as if nothing ever overflowed, or with explicit
//! wrap-around.

use crate::terms::{Bounds, Terms};
use std::collections::BTreeMap;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::{BinaryOp, ExprKind, IntKind, Type, TypeId, UnaryOp};
use tandem_plugin_api::service::formulas::Expressions;
use tandem_plugin_api::service::horn::HornTerm;

/// How the clauses treat the arithmetic of C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// Nothing overflows, and conversions keep the value. This is wrong where something does overflow, so that results
    /// must be checked.
    Ideal,
    /// An overflow counts as an error, so that nothing else overflows. Conversions wrap. Results hold.
    Checked,
    /// Wrap-around as C's types have it. Over-approximates operations for which there is no linear term.
    Wrapped,
}

/// The values of cells; a cell that is not in the map has any value of its type.
pub type Values = BTreeMap<ExprId, HornTerm>;

/// See the module.
pub struct Translator<'a> {
    pub pool: &'a Expressions,
    pub terms: &'a mut Terms,
    pub arithmetic: Arithmetic,
    /// Cells that are followed.
    pub is_followed: &'a dyn Fn(ExprId) -> bool,
    /// The conditions under which something overflows, where overflows count as errors.
    pub overflows: &'a mut Vec<HornTerm>,
    /// The unknowns that stand for unknown expressions at this place, so that both sides of a branch agree.
    pub unknown: &'a mut BTreeMap<ExprId, HornTerm>,
}

impl Translator<'_> {
    fn shape(&self, ty: TypeId) -> Option<(u32, bool)> {
        match self.pool.types.get(ty) {
            Type::Int(_) => self.pool.types.word_shape(ty),
            _ => None,
        }
    }

    /// The values of a type.
    pub fn range(&self, ty: TypeId) -> Bounds {
        match self.shape(ty) {
            Some((bits, true)) if bits < 100 => Bounds::new(-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            Some((bits, false)) if bits < 100 => Bounds::new(0, (1 << bits) - 1),
            _ => Bounds::ANY,
        }
    }

    /// Any value of a type.
    pub fn anything(&mut self, ty: TypeId) -> HornTerm {
        let range = self.range(ty);
        self.terms.unknown(range)
    }

    /// The value of a cell.
    pub fn read(&mut self, values: &mut Values, cell: ExprId) -> HornTerm {
        if let Some(&value) = values.get(&cell) {
            return value;
        }
        let value = self.anything(self.pool.exprs.ty(cell));
        values.insert(cell, value);
        value
    }

    fn unknown_expression(&mut self, expr: ExprId) -> HornTerm {
        if let Some(&known) = self.unknown.get(&expr) {
            return known;
        }
        let value = self.anything(self.pool.exprs.ty(expr));
        self.unknown.insert(expr, value);
        value
    }

    /// The condition that an expression is not zero.
    pub fn condition(&mut self, values: &mut Values, expr: ExprId) -> HornTerm {
        match self.pool.exprs.kind(expr) {
            ExprKind::Unary { op: UnaryOp::LogicalNot, operand } => {
                let inner = self.condition(values, operand);
                self.terms.not(inner)
            }
            ExprKind::Binary { op, lhs, rhs } if op.is_comparison() => self.comparison(values, expr, op, lhs, rhs),
            ExprKind::And { lhs, rhs } => {
                let both = [self.condition(values, lhs), self.condition(values, rhs)];
                self.terms.and(&both)
            }
            ExprKind::Or { lhs, rhs } => {
                let both = [self.condition(values, lhs), self.condition(values, rhs)];
                self.terms.or(&both)
            }
            _ if self.shape(self.pool.exprs.ty(expr)).is_some() => {
                let value = self.value(values, expr);
                self.is_not_zero(value)
            }
            _ => self.unknown_condition(expr),
        }
    }

    fn is_not_zero(&mut self, value: HornTerm) -> HornTerm {
        let zero = self.terms.integer(0);
        let is_zero = self.terms.equal(value, zero);
        self.terms.not(is_zero)
    }

    fn unknown_condition(&mut self, expr: ExprId) -> HornTerm {
        let value = match self.unknown.get(&expr) {
            Some(&known) => known,
            None => {
                let value = self.terms.unknown(Bounds::new(0, 1));
                self.unknown.insert(expr, value);
                value
            }
        };
        let one = self.terms.integer(1);
        self.terms.equal(value, one)
    }

    fn comparison(&mut self, values: &mut Values, expr: ExprId, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> HornTerm {
        if self.shape(self.pool.exprs.ty(lhs)).is_none() || self.shape(self.pool.exprs.ty(rhs)).is_none() {
            return self.unknown_condition(expr);
        }
        let (a, b) = (self.value(values, lhs), self.value(values, rhs));
        match op {
            BinaryOp::Eq => self.terms.equal(a, b),
            BinaryOp::Ne => {
                let equal = self.terms.equal(a, b);
                self.terms.not(equal)
            }
            BinaryOp::Le => self.terms.le(a, b),
            BinaryOp::Ge => self.terms.le(b, a),
            BinaryOp::Lt => self.less(a, b),
            _ => self.less(b, a),
        }
    }

    fn less(&mut self, a: HornTerm, b: HornTerm) -> HornTerm {
        let at_least = self.terms.le(b, a);
        self.terms.not(at_least)
    }

    /// The value of an integer expression. For others, any number.
    pub fn value(&mut self, values: &mut Values, expr: ExprId) -> HornTerm {
        let node = self.pool.exprs.get(expr);
        if self.shape(node.ty).is_none() {
            return self.unknown_expression(expr);
        }
        match node.kind {
            ExprKind::Int(value) => self.terms.integer(value),
            ExprKind::Zeroed => self.terms.integer(0),
            ExprKind::Var(_) | ExprKind::Field { .. } | ExprKind::Index { .. } => {
                if (self.is_followed)(expr) {
                    self.read(values, expr)
                } else {
                    self.unknown_expression(expr)
                }
            }
            ExprKind::Unary { op: UnaryOp::LogicalNot, .. } | ExprKind::And { .. } | ExprKind::Or { .. } => {
                let condition = self.condition(values, expr);
                self.terms.number(condition)
            }
            ExprKind::Unary { op, operand } => {
                let value = self.value(values, operand);
                let negated = self.terms.times(-1, value);
                let result = match (op, self.shape(node.ty)) {
                    (UnaryOp::BitNot, Some((_, false))) => {
                        let most = self.range(node.ty).high;
                        let most = self.terms.integer(most);
                        self.terms.add(most, negated)
                    }
                    (UnaryOp::BitNot, _) => {
                        let minus = self.terms.integer(-1);
                        self.terms.add(minus, negated)
                    }
                    _ => negated,
                };
                self.result(result, node.ty)
            }
            ExprKind::Binary { op, .. } if op.is_comparison() => {
                let condition = self.condition(values, expr);
                self.terms.number(condition)
            }
            ExprKind::Binary { op, lhs, rhs } => self.binary(values, expr, op, lhs, rhs),
            ExprKind::Cast(operand) => {
                let from = self.pool.exprs.ty(operand);
                if self.shape(from).is_none() {
                    return self.unknown_expression(expr);
                }
                let value = self.value(values, operand);
                self.cast(value, node.ty)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let condition = self.condition(values, condition);
                let (then, otherwise) = (self.value(values, then), self.value(values, otherwise));
                self.terms.choose(condition, then, otherwise)
            }
            _ => self.unknown_expression(expr),
        }
    }

    pub fn cast(&mut self, value: HornTerm, to: TypeId) -> HornTerm {
        if matches!(self.pool.types.get(to), Type::Int(IntKind::Bool)) {
            let condition = self.is_not_zero(value);
            return self.terms.number(condition);
        }
        self.wrap(value, to)
    }

    /// The result of an operation.
    fn result(&mut self, value: HornTerm, ty: TypeId) -> HornTerm {
        let range = self.range(ty);
        let fits = self.terms.bounds(value).within(range) || self.terms.constant(value).is_some();
        if self.arithmetic != Arithmetic::Checked || fits {
            return self.wrap(value, ty);
        }
        let (low, high) = (self.terms.integer(range.low), self.terms.integer(range.high));
        let bounds = [self.terms.le(low, value), self.terms.le(value, high)];
        let fits = self.terms.and(&bounds);
        let overflow = self.terms.not(fits);
        self.overflows.push(overflow);
        value
    }

    /// The value that a type has for a number.
    fn wrap(&mut self, value: HornTerm, ty: TypeId) -> HornTerm {
        let range = self.range(ty);
        let Some((bits, _)) = self.shape(ty).filter(|(bits, _)| *bits < 100) else { return value };
        let modulus: i128 = 1 << bits;
        if let Some(constant) = self.terms.constant(value) {
            return self.terms.integer((constant - range.low).rem_euclid(modulus) + range.low);
        }
        let bounds = self.terms.bounds(value);
        if self.arithmetic == Arithmetic::Ideal || bounds.within(range) {
            return value;
        }
        if bounds.within(Bounds::new(range.low - modulus, range.high + modulus)) {
            let mut result = value;
            if bounds.high > range.high {
                let (high, less) = (self.terms.integer(range.high), self.terms.integer(-modulus));
                let (fits, wrapped) = (self.terms.le(value, high), self.terms.add(value, less));
                result = self.terms.choose(fits, result, wrapped);
            }
            if bounds.low < range.low {
                let (low, more) = (self.terms.integer(range.low), self.terms.integer(modulus));
                let (fits, wrapped) = (self.terms.le(low, value), self.terms.add(value, more));
                result = self.terms.choose(fits, result, wrapped);
            }
            return self.bounded(result, range);
        }
        let shift = self.terms.integer(-range.low);
        let shifted = self.terms.add(value, shift);
        let rest = self.terms.remainder(shifted, modulus);
        let back = self.terms.integer(range.low);
        self.terms.add(rest, back)
    }

    /// A name for a term that is known to be in a range which its parts do not show.
    fn bounded(&mut self, value: HornTerm, range: Bounds) -> HornTerm {
        let named = self.terms.unknown(range);
        let same = self.terms.equal(named, value);
        self.terms.know(named, same);
        named
    }

    fn binary(&mut self, values: &mut Values, expr: ExprId, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> HornTerm {
        let ty = self.pool.exprs.ty(expr);
        if self.shape(self.pool.exprs.ty(lhs)).is_none() || self.shape(self.pool.exprs.ty(rhs)).is_none() {
            return self.unknown_expression(expr);
        }
        let (a, b) = (self.value(values, lhs), self.value(values, rhs));
        let result = match op {
            BinaryOp::Add => {
                let (a, b) = (self.as_difference(a, ty), self.as_difference(b, ty));
                Some(self.terms.add(a, b))
            }
            BinaryOp::Sub => {
                let b = self.as_difference(b, ty);
                Some(self.terms.subtract(a, b))
            }
            BinaryOp::Mul => self.product(a, b),
            BinaryOp::Div => self.division(a, b, ty, true),
            BinaryOp::Rem => self.division(a, b, ty, false),
            BinaryOp::Shl => match self.terms.constant(b) {
                Some(by) if (0..64).contains(&by) => Some(self.terms.times(1 << by, a)),
                _ => None,
            },
            BinaryOp::Shr => match self.terms.constant(b) {
                // Euclid's quotient by a power of two is what an arithmetic shift gives.
                Some(by) if (0..64).contains(&by) => Some(self.terms.quotient(a, 1 << by)),
                _ => None,
            },
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => self.bitwise(op, a, b, ty),
            _ => None,
        };
        match result {
            Some(result) => self.result(result, ty),
            None => self.anything(ty),
        }
    }

    /// A large unsigned constant in a sum is meant as a negative number, where nothing wraps.
    fn as_difference(&mut self, term: HornTerm, ty: TypeId) -> HornTerm {
        match (self.terms.constant(term), self.shape(ty)) {
            (Some(value), Some((bits, false)))
                if self.arithmetic == Arithmetic::Ideal && bits < 100 && value >= 1 << (bits - 1) =>
            {
                self.terms.integer(value - (1 << bits))
            }
            _ => term,
        }
    }

    fn product(&mut self, a: HornTerm, b: HornTerm) -> Option<HornTerm> {
        match (self.terms.constant(a), self.terms.constant(b)) {
            (Some(factor), _) => Some(self.terms.times(factor, b)),
            (_, Some(factor)) => Some(self.terms.times(factor, a)),
            _ => None,
        }
    }

    /// C's quotient or remainder, which round towards zero.
    fn division(&mut self, a: HornTerm, b: HornTerm, ty: TypeId, quotient: bool) -> Option<HornTerm> {
        let by = match self.terms.constant(b) {
            Some(by) if by != 0 && by.abs() < 1 << 64 => by,
            _ => return Some(self.division_by_unknown(a, b, ty, quotient)),
        };
        let divide = |terms: &mut Terms, value: HornTerm| {
            if quotient { terms.quotient(value, by.abs()) } else { terms.remainder(value, by.abs()) }
        };
        let positive = divide(self.terms, a);
        let mut result = positive;
        if self.terms.bounds(a).low < 0 {
            let opposite = self.terms.times(-1, a);
            let divided = divide(self.terms, opposite);
            let negative = self.terms.times(-1, divided);
            let zero = self.terms.integer(0);
            let is_positive = self.terms.le(zero, a);
            result = self.terms.choose(is_positive, positive, negative);
        }
        Some(if quotient && by < 0 { self.terms.times(-1, result) } else { result })
    }

    fn division_by_unknown(&mut self, a: HornTerm, b: HornTerm, ty: TypeId, quotient: bool) -> HornTerm {
        let result = self.anything(ty);
        let (zero, one) = (self.terms.integer(0), self.terms.integer(1));
        let usual = [self.terms.le(zero, a), self.terms.le(one, b)];
        let usual = self.terms.and(&usual);
        let unusual = self.terms.not(usual);
        let mut facts = vec![self.terms.le(zero, result), self.terms.le(result, a)];
        if !quotient {
            facts.push(self.less(result, b));
        }
        let facts = self.terms.and(&facts);
        let fact = self.terms.or(&[unusual, facts]);
        self.terms.know(result, fact);
        result
    }

    fn bitwise(&mut self, op: BinaryOp, a: HornTerm, b: HornTerm, ty: TypeId) -> Option<HornTerm> {
        let (a, b) = if self.terms.constant(a).is_some() { (b, a) } else { (a, b) };
        let constant = self.terms.constant(b);
        if let (Some(x), Some(y)) = (self.terms.constant(a), constant) {
            let value = match op {
                BinaryOp::BitAnd => x & y,
                BinaryOp::BitOr => x | y,
                _ => x ^ y,
            };
            return Some(self.terms.integer(value));
        }
        match (op, constant) {
            (BinaryOp::BitAnd, Some(0)) => return Some(b),
            (BinaryOp::BitOr | BinaryOp::BitXor, Some(0)) => return Some(a),
            (BinaryOp::BitAnd, Some(mask)) if mask > 0 && (mask & (mask + 1)) == 0 => {
                return Some(self.terms.remainder(a, mask + 1));
            }
            _ => {}
        }
        let truth = Bounds::new(0, 1);
        if self.terms.bounds(a).within(truth) && self.terms.bounds(b).within(truth) {
            let (x, y) = (self.is_not_zero(a), self.is_not_zero(b));
            let condition = match op {
                BinaryOp::BitAnd => self.terms.and(&[x, y]),
                BinaryOp::BitOr => self.terms.or(&[x, y]),
                _ => {
                    let equal = self.terms.equal(a, b);
                    self.terms.not(equal)
                }
            };
            return Some(self.terms.number(condition));
        }
        Some(self.bitwise_unknown(op, a, b, ty))
    }

    /// Any value, with the bounds that operands without a sign give.
    fn bitwise_unknown(&mut self, op: BinaryOp, a: HornTerm, b: HornTerm, ty: TypeId) -> HornTerm {
        let result = self.anything(ty);
        let zero = self.terms.integer(0);
        let (a_counts, b_counts) = (self.terms.le(zero, a), self.terms.le(zero, b));
        let mut facts = Vec::new();
        let mut given = |terms: &mut Terms, when: &[HornTerm], fact: HornTerm| {
            let when = terms.and(when);
            let unless = terms.not(when);
            facts.push(terms.or(&[unless, fact]));
        };
        let positive = self.terms.le(zero, result);
        if op == BinaryOp::BitAnd {
            for (side, counts) in [(a, a_counts), (b, b_counts)] {
                let less = self.terms.le(result, side);
                let between = self.terms.and(&[positive, less]);
                given(self.terms, &[counts], between);
            }
        } else {
            let sum = self.terms.add(a, b);
            let less = self.terms.le(result, sum);
            let mut bounds = vec![positive, less];
            if op == BinaryOp::BitOr {
                bounds.extend([self.terms.le(a, result), self.terms.le(b, result)]);
            }
            let bounds = self.terms.and(&bounds);
            given(self.terms, &[a_counts, b_counts], bounds);
        }
        for fact in facts {
            self.terms.know(result, fact);
        }
        result
    }
}
