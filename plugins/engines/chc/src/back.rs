//! Translates meanings of relations to C conditions. They are written in types that are wide enough for every possible
//! value, so that the conditions say of the program's values what the meanings say of integers; equations are also
//! written with the wrap-around of the types.

use std::collections::BTreeMap;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::{BinaryOp, ExprKind, IntKind, TypeId, UnaryOp};
use tandem_plugin_api::service::formulas::Expressions;
use tandem_plugin_api::service::horn::{HornNode, HornTerm};

/// At most this many equations are made of one meaning.
const MOST_EQUATIONS: usize = 40;

/// A sum of multiples of C expressions and a constant; each expression comes with the largest absolute value it can have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Sum {
    parts: BTreeMap<ExprId, (i128, i128)>,
    constant: i128,
}

impl Sum {
    fn add(&mut self, other: &Sum, factor: i128) -> Option<()> {
        for (&expr, &(coefficient, size)) in &other.parts {
            let scaled = coefficient.checked_mul(factor)?;
            let entry = self.parts.entry(expr).or_insert((0, size));
            entry.0 = entry.0.checked_add(scaled)?;
            if entry.0 == 0 {
                self.parts.remove(&expr);
            }
        }
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        Some(())
    }

    /// The largest absolute value that the sum or a part of it can have.
    fn size(&self) -> Option<i128> {
        let mut size = self.constant.checked_abs()?;
        for &(coefficient, most) in self.parts.values() {
            size = size.checked_add(coefficient.checked_abs()?.checked_mul(most)?)?;
        }
        Some(size)
    }
}

/// Whether one is the other's negative.
fn is_opposite(a: &Sum, b: &Sum) -> bool {
    let mut both = a.clone();
    both.add(b, 1).is_some() && both.parts.is_empty() && both.constant == 0
}

/// Translates the meaning of one relation.
pub struct Reader<'a> {
    pub pool: &'a mut Expressions,
    pub nodes: &'a [HornNode],
    pub cells: &'a [ExprId],
}

impl Reader<'_> {
    /// The conditions of a meaning as C. Conditions that do not fit into C's types are left out.
    pub fn conditions(&mut self, meaning: &[HornTerm]) -> Vec<ExprId> {
        let mut found = Vec::new();
        for &term in meaning {
            found.extend(self.condition(term));
        }
        found.extend(self.equations(meaning));
        found.retain(|&expr| self.pool.exprs.as_int(expr).is_none());
        found
    }

    /// Equations with the wrap-around of the types, also from two inequalities that together make an equation. Where
    /// the inequalities are parts of clauses, the equation or one of the clauses' other parts holds.
    fn equations(&mut self, meaning: &[HornTerm]) -> Vec<ExprId> {
        let mut found = Vec::new();
        let mut bounds: Vec<(Sum, Vec<HornTerm>)> = Vec::new();
        for &term in meaning {
            if let HornNode::Equal(a, b) = self.nodes[term.index()]
                && let Some(sum) = self.difference(a, b)
            {
                found.extend(self.wrapped_equation(&sum));
            }
            let parts = self.disjuncts(term);
            for (at, &part) in parts.iter().enumerate() {
                // A variable that equals a constant needs no arithmetic.
                if let Some(sum) = self.bounded_sum(part).filter(|sum| sum.parts.len() > 1) {
                    let mut rest = parts.clone();
                    rest.remove(at);
                    bounds.push((sum, rest));
                }
            }
        }
        for (at, (sum, rest)) in bounds.iter().enumerate() {
            for (other, more) in &bounds[..at] {
                if is_opposite(sum, other)
                    && let Some(equation) = self.wrapped_equation(sum)
                {
                    let mut rest = rest.clone();
                    rest.extend(more.iter().filter(|part| !rest.contains(part)).copied().collect::<Vec<_>>());
                    found.extend(self.clause(&rest, equation));
                }
            }
        }
        found.truncate(MOST_EQUATIONS);
        found
    }

    fn disjuncts(&self, term: HornTerm) -> Vec<HornTerm> {
        match &self.nodes[term.index()] {
            HornNode::Or(list) => list.clone(),
            _ => vec![term],
        }
    }

    /// A sum that an inequality says to be at most zero.
    fn bounded_sum(&mut self, term: HornTerm) -> Option<Sum> {
        match self.nodes[term.index()] {
            HornNode::Le(a, b) => self.difference(a, b),
            HornNode::Not(inner) => {
                let HornNode::Le(a, b) = self.nodes[inner.index()] else { return None };
                let mut sum = self.difference(b, a)?;
                sum.constant = sum.constant.checked_add(1)?;
                Some(sum)
            }
            _ => None,
        }
    }

    /// A disjunction: the condition, or one of the others.
    fn clause(&mut self, others: &[HornTerm], condition: ExprId) -> Option<ExprId> {
        let int = self.int();
        let mut result = condition;
        for &other in others {
            let other = self.condition(other)?;
            match self.pool.exprs.as_int(other) {
                Some(0) => {}
                Some(_) => return None,
                None => result = self.pool.exprs.intern(ExprKind::Or { lhs: other, rhs: result }, int),
            }
        }
        Some(result)
    }

    fn difference(&mut self, a: HornTerm, b: HornTerm) -> Option<Sum> {
        let mut sum = self.sum(a)?;
        let right = self.sum(b)?;
        sum.add(&right, -1)?;
        Some(sum)
    }

    fn int(&mut self) -> TypeId {
        self.pool.types.int(IntKind::Int)
    }

    fn constant(&mut self, value: i128, ty: TypeId) -> ExprId {
        let value = self.pool.types.wrap(ty, value);
        self.pool.exprs.intern(ExprKind::Int(value), ty)
    }

    fn binary(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId, ty: TypeId) -> ExprId {
        self.pool.exprs.intern(ExprKind::Binary { op, lhs, rhs }, ty)
    }

    fn compare(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> ExprId {
        let int = self.int();
        self.binary(op, lhs, rhs, int)
    }

    fn cast(&mut self, expr: ExprId, ty: TypeId) -> ExprId {
        if self.pool.exprs.ty(expr) == ty {
            return expr;
        }
        if let Some(value) = self.pool.exprs.as_int(expr) {
            return self.constant(value, ty);
        }
        self.pool.exprs.intern(ExprKind::Cast(expr), ty)
    }

    /// The largest absolute value of a type.
    fn most(&self, ty: TypeId) -> Option<i128> {
        let (bits, signed) = self.pool.types.word_shape(ty)?;
        (bits < 127).then(|| if signed { 1 << (bits - 1) } else { (1 << bits) - 1 })
    }

    /// A type in which all values up to this size fit.
    fn wide(&mut self, size: i128) -> Option<TypeId> {
        let kind = match size {
            _ if size < 1 << 31 => IntKind::Int,
            _ if size < 1 << 63 => IntKind::LongLong,
            _ if size < 1 << 126 => IntKind::Int128,
            _ => return None,
        };
        Some(self.pool.types.int(kind))
    }

    /// One condition as C.
    pub fn condition(&mut self, term: HornTerm) -> Option<ExprId> {
        let int = self.int();
        match self.nodes[term.index()].clone() {
            HornNode::Truth(value) => Some(self.constant(i128::from(value), int)),
            HornNode::Le(a, b) => {
                let sum = self.difference(a, b)?;
                self.comparison(&sum, BinaryOp::Le)
            }
            HornNode::Equal(a, b) => {
                let sum = self.difference(a, b)?;
                self.comparison(&sum, BinaryOp::Eq)
            }
            HornNode::Not(inner) => match self.nodes[inner.index()] {
                HornNode::Le(a, b) => {
                    // Not a ≤ b: b + 1 ≤ a.
                    let mut sum = self.difference(b, a)?;
                    sum.constant = sum.constant.checked_add(1)?;
                    self.comparison(&sum, BinaryOp::Le)
                }
                HornNode::Equal(a, b) => {
                    let sum = self.difference(a, b)?;
                    self.comparison(&sum, BinaryOp::Ne)
                }
                _ => {
                    let operand = self.condition(inner)?;
                    Some(self.pool.exprs.intern(ExprKind::Unary { op: UnaryOp::LogicalNot, operand }, int))
                }
            },
            HornNode::And(list) => self.connect(&list, |lhs, rhs| ExprKind::And { lhs, rhs }, 1),
            HornNode::Or(list) => self.connect(&list, |lhs, rhs| ExprKind::Or { lhs, rhs }, 0),
            _ => None,
        }
    }

    fn connect(&mut self, list: &[HornTerm], kind: fn(ExprId, ExprId) -> ExprKind, neutral: i128) -> Option<ExprId> {
        let int = self.int();
        let mut result = None;
        for &term in list {
            let next = self.condition(term)?;
            match self.pool.exprs.as_int(next) {
                Some(value) if value == neutral => continue,
                Some(_) => return Some(next),
                None => {}
            }
            result = Some(match result {
                None => next,
                Some(before) => self.pool.exprs.intern(kind(before, next), int),
            });
        }
        match result {
            Some(result) => Some(result),
            None => Some(self.constant(neutral, int)),
        }
    }

    /// `sum op 0`, as simply as types allow.
    fn comparison(&mut self, sum: &Sum, op: BinaryOp) -> Option<ExprId> {
        let parts: Vec<(ExprId, i128)> = sum.parts.iter().map(|(&expr, &(factor, _))| (expr, factor)).collect();
        match parts.as_slice() {
            [] => {
                let holds = match op {
                    BinaryOp::Le => sum.constant <= 0,
                    BinaryOp::Eq => sum.constant == 0,
                    _ => sum.constant != 0,
                };
                let int = self.int();
                Some(self.constant(i128::from(holds), int))
            }
            [(expr, factor)] if factor.abs() == 1 => self.bound(*expr, *factor, sum, op),
            [(a, 1), (b, -1)] | [(b, -1), (a, 1)] if self.pool.exprs.ty(*a) == self.pool.exprs.ty(*b) => {
                match (sum.constant, op) {
                    (0, _) => Some(self.compare(op, *a, *b)),
                    (1, BinaryOp::Le) => Some(self.compare(BinaryOp::Lt, *a, *b)),
                    _ => self.wide_comparison(sum, op),
                }
            }
            _ => self.wide_comparison(sum, op),
        }
    }

    /// A cell, or another part, compared with a constant.
    fn bound(&mut self, cell: ExprId, factor: i128, sum: &Sum, op: BinaryOp) -> Option<ExprId> {
        let ty = self.pool.exprs.ty(cell);
        let value = sum.constant.checked_mul(-factor)?;
        if self.pool.types.wrap(ty, value) != value {
            // No value of the type is beyond it.
            let holds = match op {
                BinaryOp::Le => (value > 0) == (factor > 0),
                op => op == BinaryOp::Ne,
            };
            let int = self.int();
            return Some(self.constant(i128::from(holds), int));
        }
        let constant = self.constant(value, ty);
        let op = if factor < 0 && op == BinaryOp::Le { BinaryOp::Ge } else { op };
        Some(self.compare(op, cell, constant))
    }

    /// Compares the positive parts on the left with the negative parts on the right, in a type in which nothing
    /// overflows.
    fn wide_comparison(&mut self, sum: &Sum, op: BinaryOp) -> Option<ExprId> {
        let ty = self.wide(sum.size()?)?;
        let (left, right) = (self.side(sum, 1, ty), self.side(sum, -1, ty));
        Some(self.compare(op, left, right))
    }

    /// The equation in the widest type of the parts, with wrap-around: iterations keep it even where values overflow.
    fn wrapped_equation(&mut self, sum: &Sum) -> Option<ExprId> {
        let size = |ty: TypeId| self.pool.types.word_shape(ty).map_or(0, |(bits, _)| bits);
        let types = sum.parts.keys().map(|&expr| self.pool.exprs.ty(expr));
        let ty = types.max_by_key(|&ty| (size(ty), ty))?;
        (size(ty) >= 32).then_some(())?;
        let (left, right) = (self.side(sum, 1, ty), self.side(sum, -1, ty));
        Some(self.compare(BinaryOp::Eq, left, right))
    }

    fn side(&mut self, sum: &Sum, sign: i128, ty: TypeId) -> ExprId {
        let mut result = None;
        let mut parts: Vec<(ExprId, i128)> = Vec::new();
        for (&expr, &(factor, _)) in &sum.parts {
            if factor.signum() == sign {
                parts.push((expr, factor.abs()));
            }
        }
        for (expr, factor) in parts {
            let mut part = self.cast(expr, ty);
            if factor != 1 {
                let factor = self.constant(factor, ty);
                part = self.binary(BinaryOp::Mul, part, factor, ty);
            }
            result = Some(match result {
                None => part,
                Some(before) => self.binary(BinaryOp::Add, before, part, ty),
            });
        }
        let constant = if sum.constant.signum() == sign { sum.constant.abs() } else { 0 };
        match result {
            Some(result) if constant == 0 => result,
            Some(result) => {
                let constant = self.constant(constant, ty);
                self.binary(BinaryOp::Add, result, constant, ty)
            }
            None => self.constant(constant, ty),
        }
    }

    /// An integer as a sum. Quotients, remainders and choices are parts of their own.
    fn sum(&mut self, term: HornTerm) -> Option<Sum> {
        let mut sum = Sum::default();
        match self.nodes[term.index()].clone() {
            HornNode::Integer(value) => sum.constant = value,
            HornNode::Variable(number) => {
                let cell = *self.cells.get(number as usize)?;
                let most = self.most(self.pool.exprs.ty(cell))?;
                sum.parts.insert(cell, (1, most));
            }
            HornNode::Add(list) => {
                for term in list {
                    let part = self.sum(term)?;
                    sum.add(&part, 1)?;
                }
            }
            HornNode::Mul(a, b) => {
                let (left, right) = (self.sum(a)?, self.sum(b)?);
                match (left.parts.is_empty(), right.parts.is_empty()) {
                    (true, _) => sum.add(&right, left.constant)?,
                    (_, true) => sum.add(&left, right.constant)?,
                    _ => return None,
                }
            }
            HornNode::Mod(a, b) => {
                let by = self.divisor(b)?;
                let (rest, _) = self.remainder(a, by)?;
                sum.parts.insert(rest, (1, by));
            }
            HornNode::Div(a, b) => {
                let by = self.divisor(b)?;
                let (rest, whole) = self.remainder(a, by)?;
                let size = self.sum(a)?.size()?;
                let ty = self.pool.exprs.ty(rest);
                let difference = self.binary(BinaryOp::Sub, whole, rest, ty);
                let by = self.constant(by, ty);
                let quotient = self.binary(BinaryOp::Div, difference, by, ty);
                sum.parts.insert(quotient, (1, size));
            }
            HornNode::Ite(c, a, b) => {
                let condition = self.condition(c)?;
                let (then, otherwise) = (self.sum(a)?, self.sum(b)?);
                let size = then.size()?.max(otherwise.size()?);
                let ty = self.wide(size)?;
                let (then, otherwise) = (self.whole(&then, ty), self.whole(&otherwise, ty));
                let choice = self.pool.exprs.intern(ExprKind::Conditional { condition, then, otherwise }, ty);
                sum.parts.insert(choice, (1, size));
            }
            _ => return None,
        }
        Some(sum)
    }

    fn single_cell(&self, sum: &Sum) -> Option<ExprId> {
        let (&cell, &(factor, _)) = sum.parts.first_key_value()?;
        (sum.parts.len() == 1 && factor == 1 && sum.constant == 0 && self.cells.contains(&cell)).then_some(cell)
    }

    fn divisor(&self, term: HornTerm) -> Option<i128> {
        match self.nodes[term.index()] {
            HornNode::Integer(value) if (1..1 << 62).contains(&value) => Some(value),
            _ => None,
        }
    }

    fn whole(&mut self, sum: &Sum, ty: TypeId) -> ExprId {
        let (plus, minus) = (self.side(sum, 1, ty), self.side(sum, -1, ty));
        if self.pool.exprs.as_int(minus) == Some(0) {
            return plus;
        }
        self.binary(BinaryOp::Sub, plus, minus, ty)
    }

    /// Euclid's remainder, and the expression of which it is the remainder.
    fn remainder(&mut self, term: HornTerm, by: i128) -> Option<(ExprId, ExprId)> {
        let sum = self.sum(term)?;
        let ty = match self.single_cell(&sum).map(|cell| self.pool.exprs.ty(cell)) {
            // No step of the computation leaves the type.
            Some(own) if by.checked_mul(2)? < self.most(own)? => own,
            _ => self.wide(sum.size()?.checked_add(by)?)?,
        };
        let whole = self.whole(&sum, ty);
        let divisor = self.constant(by, ty);
        let rest = self.binary(BinaryOp::Rem, whole, divisor, ty);
        let unsigned = sum.constant >= 0
            && sum.parts.iter().all(|(&expr, &(factor, _))| {
                let shape = self.pool.types.word_shape(self.pool.exprs.ty(expr));
                factor > 0 && matches!(shape, Some((_, false)))
            });
        if unsigned {
            return Some((rest, whole));
        }
        let shifted = self.binary(BinaryOp::Add, rest, divisor, ty);
        Some((self.binary(BinaryOp::Rem, shifted, divisor, ty), whole))
    }
}
