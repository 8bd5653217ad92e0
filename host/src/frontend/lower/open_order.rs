//! Operands whose order C leaves open (C11 6.5p3), where one of them writes and the order matters. gcc folds such expressions
//! (`x - f() - x`, `-x + f()`, `(a, b) + (c, d)`) before it chooses an order; an expression whose order in gcc's code is not known is unsupported.

use super::ast_query::{any, is_assignment};
use super::scopes::Symbol;
use super::{Lowered, Lowerer};
use lang_c::ast::{self, BinaryOperator, Expression, UnaryOperator};
use lang_c::span::{Node, Span};
use rustc_hash::FxHashSet;

const WHAT: &str = "operands whose order C leaves open, and which gcc folds";

impl Lowerer<'_> {
    /// Refuses an operator whose operands are not evaluated in the order that is followed.
    pub fn check_order(&mut self, lhs: &Node<Expression>, rhs: &Node<Expression>, span: Span) -> Lowered<()> {
        let (left_writes, right_writes) = (self.writes_shared(lhs), self.writes_shared(rhs));
        if !left_writes && !right_writes {
            return Ok(());
        }
        let (left, right) = (self.shared_roots(lhs), self.shared_roots(rhs));
        let interferes = left_writes && (right_writes || !right.is_empty()) || right_writes && !left.is_empty();
        let commas = interferes && (is_comma(lhs) || is_comma(rhs));
        let folded = right_writes && !left.is_empty() && !is_followed(lhs, rhs);
        if commas || folded || !left.is_disjoint(&right) {
            return self.unsupported(WHAT, span);
        }
        Ok(())
    }

    /// Likewise, for `lhs op= rhs`.
    pub fn check_compound_order(&mut self, lhs: &Node<Expression>, rhs: &Node<Expression>) -> Lowered<()> {
        if self.writes_shared(rhs) && !self.shared_roots(lhs).is_disjoint(&self.shared_roots(rhs)) {
            return self.unsupported(WHAT, Span { start: lhs.span.start, end: rhs.span.end });
        }
        Ok(())
    }

    /// Likewise, for `lhs = rhs`: where the right side is built in place, gcc works out the place before it.
    pub fn check_assignment_order(&mut self, lhs: &Node<Expression>, rhs: &Node<Expression>) -> Lowered<()> {
        let is_built = is_comma(rhs) || matches!(without_casts(rhs).node, Expression::CompoundLiteral(_));
        if is_built && self.writes_shared(rhs) {
            let mut roots = FxHashSet::default();
            self.address_roots(lhs, &mut roots);
            if self.writes_shared(lhs) || !roots.is_empty() {
                return self.unsupported(WHAT, Span { start: lhs.span.start, end: rhs.span.end });
            }
        }
        Ok(())
    }

    /// Whether evaluating the expression may write something that other operands read.
    fn writes_shared(&self, e: &Node<Expression>) -> bool {
        let mut found = false;
        any(e, &mut |e| {
            found |= match &e.node {
                Expression::Statement(_) => true,
                Expression::Call(call) => !matches!(&call.node.callee.node, Expression::Identifier(name)
                    if name.node.name.starts_with("__VERIFIER_nondet_")),
                Expression::UnaryOperator(u) => is_step(&u.node.operator.node) && !self.is_own_scalar(&u.node.operand),
                Expression::BinaryOperator(b) => {
                    is_assignment(&b.node.operator.node) && !self.is_own_scalar(&b.node.lhs)
                }
                _ => false,
            };
            !found
        });
        found
    }

    /// A variable that nothing else in the expression can change.
    fn is_own_scalar(&self, e: &Node<Expression>) -> bool {
        match &e.node {
            Expression::Identifier(name) => match self.scopes.lookup(&name.node.name) {
                Some(Symbol::Variable { id, .. }) => self.is_private(*id),
                _ => true,
            },
            _ => false,
        }
    }

    /// What the operand reads of memory that a call may write. Arguments of calls are not the operand's own.
    fn shared_roots(&self, e: &Node<Expression>) -> FxHashSet<String> {
        let mut roots = FxHashSet::default();
        self.add_roots(e, &mut roots);
        roots
    }

    fn add_roots(&self, e: &Node<Expression>, roots: &mut FxHashSet<String>) {
        match &e.node {
            Expression::Identifier(name) => {
                let is_variable = matches!(self.scopes.lookup(&name.node.name), Some(Symbol::Variable { .. }));
                if is_variable && !self.is_own_scalar(e) {
                    roots.insert(name.node.name.clone());
                }
            }
            Expression::Member(_) => {
                roots.insert(place_text(e));
                self.address_roots(e, roots);
            }
            Expression::UnaryOperator(u) => match u.node.operator.node {
                UnaryOperator::Indirection => {
                    roots.insert(place_text(e));
                    self.address_roots(e, roots);
                }
                UnaryOperator::Address => self.address_roots(&u.node.operand, roots),
                _ => self.add_roots(&u.node.operand, roots),
            },
            Expression::BinaryOperator(b) => {
                if b.node.operator.node == BinaryOperator::Index {
                    roots.insert(place_text(e));
                    return self.address_roots(e, roots);
                }
                self.add_roots(&b.node.lhs, roots);
                self.add_roots(&b.node.rhs, roots);
            }
            Expression::Cast(cast) => self.add_roots(&cast.node.expression, roots),
            Expression::Conditional(c) => {
                for part in [&c.node.condition, &c.node.then_expression, &c.node.else_expression] {
                    self.add_roots(part, roots);
                }
            }
            Expression::Comma(list) => list.iter().for_each(|part| self.add_roots(part, roots)),
            _ => {}
        }
    }

    /// What is read to find the address of a place.
    fn address_roots(&self, place: &Node<Expression>, roots: &mut FxHashSet<String>) {
        match &place.node {
            Expression::Member(m) if m.node.operator.node == ast::MemberOperator::Direct => {
                self.address_roots(&m.node.expression, roots);
            }
            Expression::Member(m) => self.pointer_roots(&m.node.expression, roots),
            Expression::UnaryOperator(u) if u.node.operator.node == UnaryOperator::Indirection => {
                self.pointer_roots(&u.node.operand, roots);
            }
            Expression::BinaryOperator(b) if b.node.operator.node == BinaryOperator::Index => {
                self.pointer_roots(&b.node.lhs, roots);
                self.pointer_roots(&b.node.rhs, roots);
            }
            _ => {}
        }
    }

    /// Like `add_roots`; an array is no pointer that would be read.
    fn pointer_roots(&self, e: &Node<Expression>, roots: &mut FxHashSet<String>) {
        if let Expression::Identifier(name) = &e.node
            && let Some(Symbol::Variable { id, .. }) = self.scopes.lookup(&name.node.name)
            && !self.types.is_scalar(self.variables[id.index()].ty)
        {
            return;
        }
        self.add_roots(e, roots);
    }
}

fn without_casts(e: &Node<Expression>) -> &Node<Expression> {
    match &e.node {
        Expression::Cast(cast) => without_casts(&cast.node.expression),
        _ => e,
    }
}

/// A comma expression, up to casts and unary operators, into which gcc pushes the operator.
fn is_comma(e: &Node<Expression>) -> bool {
    match &e.node {
        Expression::Comma(_) => true,
        Expression::Cast(cast) => is_comma(&cast.node.expression),
        Expression::UnaryOperator(u) => is_comma(&u.node.operand),
        _ => false,
    }
}

fn is_step(operator: &UnaryOperator) -> bool {
    use UnaryOperator::*;
    matches!(operator, PostIncrement | PostDecrement | PreIncrement | PreDecrement)
}

/// The same for two places that gcc may take for the same: names of variables and members, without indices.
fn place_text(place: &Node<Expression>) -> String {
    match &place.node {
        Expression::Identifier(name) => name.node.name.clone(),
        Expression::Member(m) => format!("{}.{}", place_text(&m.node.expression), m.node.identifier.node.name),
        Expression::UnaryOperator(u) => format!("*{}", place_text(&u.node.operand)),
        Expression::BinaryOperator(b) => format!("{}[]", place_text(&b.node.lhs)),
        Expression::Cast(cast) => place_text(&cast.node.expression),
        _ => String::new(),
    }
}

/// Whether gcc folds nothing that would exchange what the left side reads and what the right side writes: the left side is one value, or
/// plain arithmetic beside a call.
fn is_followed(lhs: &Node<Expression>, rhs: &Node<Expression>) -> bool {
    is_one_value(without_casts(lhs)) || is_effect(without_casts(rhs)) && !is_rearranged(lhs)
}

fn is_one_value(e: &Node<Expression>) -> bool {
    match &e.node {
        Expression::Identifier(_) | Expression::Member(_) | Expression::Call(_) | Expression::Statement(_) => true,
        Expression::UnaryOperator(u) => {
            let operator = &u.node.operator.node;
            is_step(operator) || matches!(operator, UnaryOperator::Indirection | UnaryOperator::Address)
        }
        Expression::BinaryOperator(b) => {
            let operator = &b.node.operator.node;
            is_assignment(operator) || *operator == BinaryOperator::Index
        }
        _ => false,
    }
}

/// A call, or another expression with an effect, and no operator around it.
fn is_effect(e: &Node<Expression>) -> bool {
    match &e.node {
        Expression::Call(_) | Expression::Statement(_) => true,
        Expression::UnaryOperator(u) => is_step(&u.node.operator.node),
        Expression::BinaryOperator(b) => is_assignment(&b.node.operator.node),
        _ => false,
    }
}

/// Whether the operand has an operator that gcc moves to the other operand, or choices that it simplifies.
fn is_rearranged(e: &Node<Expression>) -> bool {
    let mut found = false;
    any(e, &mut |e| {
        found |= match &e.node {
            Expression::Conditional(_) | Expression::Comma(_) => true,
            Expression::UnaryOperator(u) => u.node.operator.node == UnaryOperator::Minus,
            Expression::BinaryOperator(b) => {
                b.node.operator.node == BinaryOperator::Minus && matches!(b.node.lhs.node, Expression::Constant(_))
            }
            Expression::Call(_) => return false,
            _ => false,
        };
        !found
    });
    found
}
