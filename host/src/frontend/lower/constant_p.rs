//! `__builtin_constant_p(e)`, as gcc answers it without optimisation. gcc folds expressions in many ways (`a * 0`, `"abc" + 0`), of which only
//! the plain ones are followed here; an expression for which the answer is not sure is unsupported.

use super::ast_query::{is_assignment, looks_constant};
use super::places::Value;
use super::scopes::Symbol;
use super::{Lowered, Lowerer};
use lang_c::ast::{BinaryOperator, Expression, UnaryOperator};
use lang_c::span::Node;
use tandem_plugin_api::library::is_library_name;

impl Lowerer<'_> {
    pub fn constant_p(&mut self, operand: &Node<Expression>) -> Lowered<Value> {
        let Some(answer) = self.is_constant_for_gcc(operand)? else {
            return self.unsupported("`__builtin_constant_p` of an expression that gcc may fold", operand.span);
        };
        let int = self.common.int;
        Ok(self.int_constant(answer.into(), int).into())
    }

    /// `None` where gcc may know more than this.
    fn is_constant_for_gcc(&mut self, operand: &Node<Expression>) -> Lowered<Option<bool>> {
        if matches!(operand.node, Expression::StringLiteral(_)) {
            return Ok(Some(true));
        }
        if looks_constant(operand, &self.scopes) && is_arithmetic(operand) {
            return self.is_constant(operand).map(Some);
        }
        Ok(self.is_variable_for_gcc(operand).then_some(false))
    }

    /// Whether no folding makes a constant of it.
    fn is_variable_for_gcc(&self, operand: &Node<Expression>) -> bool {
        match &operand.node {
            Expression::Identifier(name) => {
                matches!(self.scopes.lookup(&name.node.name), Some(Symbol::Variable { .. } | Symbol::Function(_)))
            }
            Expression::Member(member) => self.is_variable_for_gcc(&member.node.expression),
            // A call of a function whose result gcc cannot compute itself.
            Expression::Call(call) => matches!(&call.node.callee.node, Expression::Identifier(name)
                if !name.node.name.starts_with("__builtin_") && !is_library_name(&name.node.name)),
            Expression::Cast(cast) => self.is_variable_for_gcc(&cast.node.expression),
            Expression::UnaryOperator(unary) => match unary.node.operator.node {
                UnaryOperator::PostIncrement
                | UnaryOperator::PostDecrement
                | UnaryOperator::PreIncrement
                | UnaryOperator::PreDecrement => true,
                UnaryOperator::Address => matches!(unary.node.operand.node, Expression::Identifier(_)),
                _ => self.is_variable_for_gcc(&unary.node.operand),
            },
            Expression::BinaryOperator(binary) => match binary.node.operator.node {
                BinaryOperator::Index => self.is_variable_for_gcc(&binary.node.lhs),
                // One side differs from run to run, and the other does not.
                BinaryOperator::Plus | BinaryOperator::Minus => {
                    let sides = [&*binary.node.lhs, &*binary.node.rhs];
                    let variable = sides.map(|side| is_plain(side) && self.is_variable_for_gcc(side));
                    let literal = sides.map(|side| matches!(side.node, Expression::Constant(_)));
                    variable[0] && literal[1] || literal[0] && variable[1]
                }
                ref operator => is_assignment(operator),
            },
            _ => false,
        }
    }
}

/// A variable, a member or an element: nothing that gcc could compute partly.
fn is_plain(operand: &Node<Expression>) -> bool {
    match &operand.node {
        Expression::Identifier(_) | Expression::Member(_) => true,
        Expression::BinaryOperator(binary) => binary.node.operator.node == BinaryOperator::Index,
        _ => false,
    }
}

/// Numbers, and operators on numbers whose operands are all used.
fn is_arithmetic(operand: &Node<Expression>) -> bool {
    match &operand.node {
        Expression::Constant(_)
        | Expression::Identifier(_)
        | Expression::SizeOfTy(_)
        | Expression::SizeOfVal(_)
        | Expression::AlignOf(_)
        | Expression::OffsetOf(_) => true,
        Expression::Cast(cast) => is_arithmetic(&cast.node.expression),
        Expression::UnaryOperator(unary) => is_arithmetic(&unary.node.operand),
        Expression::BinaryOperator(binary) => {
            let operator = &binary.node.operator.node;
            let chooses = matches!(operator, BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr);
            !chooses && !is_assignment(operator) && is_arithmetic(&binary.node.lhs) && is_arithmetic(&binary.node.rhs)
        }
        _ => false,
    }
}
