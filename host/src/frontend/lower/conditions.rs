//! Conditions as control flow: `&&`, `||` and `!` become branches, and each source decision keeps its outcomes.

use super::draft::{DraftOp, Place, Target};
use super::places::Value;
use super::{Lowered, Lowerer};
use lang_c::ast::{self, BinaryOperator, Expression, UnaryOperator};
use lang_c::span::{Node, Span as AstSpan};
use tandem_plugin_api::program::*;

/// A two-way decision, with the outcome of each way.
#[derive(Clone, Copy)]
pub(super) struct TwoWay(DecisionId);

impl TwoWay {
    pub fn yes(self, place: Place) -> Target {
        Target { place, settles: Some(Outcome { decision: self.0, index: 1 }) }
    }

    pub fn no(self, place: Place) -> Target {
        Target { place, settles: Some(Outcome { decision: self.0, index: 0 }) }
    }
}

impl Lowerer<'_> {
    pub fn new_decision(&mut self, kind: DecisionKind, outcomes: u32, span: AstSpan) -> Lowered<DecisionId> {
        let function = self.draft(span)?.function;
        let id = DecisionId::new(self.decisions.len());
        let span = self.span(span);
        self.decisions.push(Decision { kind, function, span, outcomes });
        Ok(id)
    }

    pub fn decision(&mut self, kind: DecisionKind, outcomes: u32, span: AstSpan) -> Lowered<TwoWay> {
        self.new_decision(kind, outcomes, span).map(TwoWay)
    }

    pub fn join(&mut self, place: Place, span: AstSpan) -> Lowered<()> {
        let at = self.span(span);
        self.draft(span)?.join(place, at);
        Ok(())
    }

    /// Leaves the current location to `yes` where `e` is true and to `no` where it is false.
    pub fn branch(&mut self, e: &Node<Expression>, yes: Target, no: Target) -> Lowered<()> {
        match &e.node {
            Expression::BinaryOperator(b) if b.node.operator.node == BinaryOperator::LogicalAnd => {
                let middle = Target { place: self.draft(e.span)?.place(), settles: None };
                self.branch(&b.node.lhs, middle, no)?;
                self.draft(e.span)?.at = middle.place;
                self.branch(&b.node.rhs, yes, no)
            }
            Expression::BinaryOperator(b) if b.node.operator.node == BinaryOperator::LogicalOr => {
                let middle = Target { place: self.draft(e.span)?.place(), settles: None };
                self.branch(&b.node.lhs, yes, middle)?;
                self.draft(e.span)?.at = middle.place;
                self.branch(&b.node.rhs, yes, no)
            }
            Expression::UnaryOperator(u) if u.node.operator.node == UnaryOperator::Negate => {
                self.branch(&u.node.operand, no, yes)
            }
            Expression::Comma(list) => match list.split_last() {
                Some((last, before)) => {
                    for part in before {
                        self.discard(part)?;
                    }
                    self.branch(last, yes, no)
                }
                None => self.invalid("an empty condition", e.span),
            },
            Expression::Call(call) => match super::builtins::expected_condition(&call.node) {
                Some(condition) => self.branch(condition, yes, no),
                None => self.branch_on_value(e, yes, no),
            },
            _ => self.branch_on_value(e, yes, no),
        }
    }

    fn branch_on_value(&mut self, e: &Node<Expression>, yes: Target, no: Target) -> Lowered<()> {
        let value = self.scalar(e)?;
        self.branch_on(value, yes, no, e.span)
    }

    /// Branches on a value that is computed already. A constant needs no branch.
    pub fn branch_on(&mut self, value: ExprId, yes: Target, no: Target, span: AstSpan) -> Lowered<()> {
        if let Some(truth) = self.truth(value) {
            return self.join(if truth { yes.place } else { no.place }, span);
        }
        if let ExprKind::Unary { op: UnaryOp::LogicalNot, operand } = self.exprs.kind(value) {
            return self.branch_on(operand, no, yes, span);
        }
        let at = self.span(span);
        let draft = self.draft(span)?;
        let from = draft.at;
        for (target, holds) in [(yes, true), (no, false)] {
            draft.add(from, target, DraftOp::Plain(Op::Assume { condition: value, holds }), at);
        }
        draft.at = draft.place();
        Ok(())
    }

    /// `a && b` and `a || b` as values: 0 or 1 by branches.
    pub fn short_circuit(&mut self, e: &Node<Expression>, b: &Node<ast::BinaryOperatorExpression>) -> Lowered<Value> {
        let int = self.common.int;
        if let Some(folded) = self.fold_short_circuit(b)? {
            return Ok(self.int_constant(folded.into(), int).into());
        }
        if self.one_expression {
            return self.logical(b);
        }
        let decision = self.decision(DecisionKind::ShortCircuit, 2, b.span)?;
        let temporary = self.temporary(int, b.span)?;
        let result = self.variable_expr(temporary);
        let draft = self.draft(b.span)?;
        let (yes, no, end) = (draft.place(), draft.place(), draft.place());
        self.branch(e, decision.yes(yes), decision.no(no))?;
        for (place, truth) in [(yes, 1), (no, 0)] {
            self.draft(b.span)?.at = place;
            let value = self.int_constant(truth, int);
            self.assign(result, value, b.span)?;
            self.join(end, b.span)?;
        }
        self.draft(b.span)?.at = end;
        Ok(result.into())
    }

    /// The value where the operands that decide it are constant.
    fn fold_short_circuit(&mut self, b: &Node<ast::BinaryOperatorExpression>) -> Lowered<Option<bool>> {
        let is_and = b.node.operator.node == BinaryOperator::LogicalAnd;
        let Some(left) = self.constant_value(&b.node.lhs)? else { return Ok(None) };
        if (left != 0) != is_and {
            return Ok(Some(!is_and));
        }
        Ok(self.constant_value(&b.node.rhs)?.map(|right| right != 0))
    }
}
