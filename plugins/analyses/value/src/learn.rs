//! Learns values of cells that were not known from a condition.

use crate::domain::{Cell, Entry, Value};
use crate::eval::{Eval, Place};
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::{BinaryOp, ExprKind, IntKind, Type, TypeId, UnaryOp};

/// A cell, its value, and the cells that this rests on.
pub type Learnt = (Cell, Entry, Vec<Cell>);

/// The condition is not zero (`holds`), or zero.
pub fn from_condition(eval: &Eval<'_>, condition: ExprId, holds: bool) -> Option<Learnt> {
    let exprs = &eval.facts.program.exprs;
    match exprs.kind(condition) {
        ExprKind::Unary { op: UnaryOp::LogicalNot, operand } => from_condition(eval, operand, !holds),
        ExprKind::Binary { op, lhs, rhs } => {
            let equal = match op {
                BinaryOp::Eq => holds,
                BinaryOp::Ne => !holds,
                _ => return None,
            };
            let known = |side| {
                eval.take_reads();
                let value = eval.value(side)?;
                Some((value, eval.take_reads()))
            };
            let (side, (value, reads)) = match (known(lhs), known(rhs)) {
                (None, Some(value)) => (lhs, value),
                (Some(value), None) => (rhs, value),
                _ => return None,
            };
            match (equal, value) {
                (true, _) => bind(eval, side, value, reads),
                // One of two possible values: it is not the other.
                (false, Value::Int(0)) if is_truth_value(eval, side) => bind(eval, side, Value::Int(1), reads),
                (false, Value::Int(1)) if is_truth_value(eval, side) => bind(eval, side, Value::Int(0), reads),
                _ => None,
            }
        }
        _ if !holds => bind(eval, condition, Value::Int(0), Vec::new()),
        _ if is_truth_value(eval, condition) => bind(eval, condition, Value::Int(1), Vec::new()),
        _ => None,
    }
}

/// Whether an expression is 0 or 1, whatever its variables are.
fn is_truth_value(eval: &Eval<'_>, expr: ExprId) -> bool {
    let program = &eval.facts.program;
    match program.exprs.kind(expr) {
        ExprKind::Binary { op, .. } => op.is_comparison(),
        ExprKind::Unary { op: UnaryOp::LogicalNot, .. } => true,
        ExprKind::Cast(inner) => is_integer(eval, program.exprs.ty(expr)) && is_truth_value(eval, inner),
        // Memory of a `_Bool` may hold other bytes, if the program can write them there.
        _ => {
            eval.facts.has_exact_truth && matches!(program.types.get(program.exprs.ty(expr)), Type::Int(IntKind::Bool))
        }
    }
}

fn is_integer(eval: &Eval<'_>, ty: TypeId) -> bool {
    eval.facts.program.types.is_integer(ty)
}

/// The expression has this value.
fn bind(eval: &Eval<'_>, expr: ExprId, value: Value, mut reads: Vec<Cell>) -> Option<Learnt> {
    let program = &eval.facts.program;
    let ty = program.exprs.ty(expr);
    // Equal floating-point numbers may be two different zeros.
    if matches!(value, Value::Float(_)) || program.types.word_shape(ty).is_none() {
        return None;
    }
    match program.exprs.kind(expr) {
        ExprKind::Cast(inner) => {
            let from = program.exprs.ty(inner);
            if !is_injective(eval, from, ty) {
                return None;
            }
            let before = eval.cast(value, ty, from)?;
            (eval.cast(before, from, ty) == Some(value)).then(|| bind(eval, inner, before, reads)).flatten()
        }
        ExprKind::Unary { op: UnaryOp::LogicalNot, .. } => decided(eval, expr, value),
        ExprKind::Binary { op, .. } if op.is_comparison() => decided(eval, expr, value),
        ExprKind::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), lhs, rhs } if is_integer(eval, ty) => {
            eval.take_reads();
            let Value::Int(sum) = value else { return None };
            let (side, other) = match (op, eval.value(lhs), eval.value(rhs)) {
                (BinaryOp::Add, None, Some(Value::Int(n))) => (lhs, sum.wrapping_sub(n)),
                (BinaryOp::Add, Some(Value::Int(n)), None) => (rhs, sum.wrapping_sub(n)),
                (_, None, Some(Value::Int(n))) if op == BinaryOp::Sub => (lhs, sum.wrapping_add(n)),
                _ => return None,
            };
            reads.extend(eval.take_reads());
            bind(eval, side, Value::Int(program.types.wrap(ty, other)), reads)
        }
        ExprKind::Var(_) | ExprKind::Deref(_) | ExprKind::Field { .. } | ExprKind::Index { .. } => {
            eval.take_reads();
            let Place::At(object, offset) = eval.place(expr) else { return None };
            reads.extend(eval.take_reads());
            let cell = Cell { object, offset: u32::try_from(offset).ok()? };
            let size = u32::try_from(eval.size(ty)?).ok()?;
            // Its value is known differently, or in part.
            if !eval.state.overlapping(object, offset, size.into()).is_empty() {
                return None;
            }
            Some((cell, Entry { value, ty, size }, reads))
        }
        _ => None,
    }
}

/// The value of a condition inside of a condition.
fn decided(eval: &Eval<'_>, expr: ExprId, value: Value) -> Option<Learnt> {
    match value {
        Value::Int(truth @ (0 | 1)) => from_condition(eval, expr, truth == 1),
        _ => None,
    }
}

/// Whether a cast keeps all values apart.
fn is_injective(eval: &Eval<'_>, from: TypeId, to: TypeId) -> bool {
    let types = &eval.facts.program.types;
    match (types.word_shape(from), types.word_shape(to)) {
        (Some((narrow, _)), Some((wide, _))) => narrow <= wide,
        _ => false,
    }
}
