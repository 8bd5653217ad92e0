//! `__builtin_object_size(pointer, kind)`, as gcc answers it without optimisation: known for the address of a variable
//! or of a part of one at a constant place, else the largest (`kind` 0 and 1) or smallest (2 and 3) number.

use super::places::Value;
use super::{Lowered, Lowerer};
use lang_c::ast::{BinaryOperator as AstBinary, Constant, Expression, MemberOperator, UnaryOperator};
use lang_c::span::Node;
use tandem_plugin_api::program::{BinaryOp, ExprId, ExprKind, Type};

/// How an address is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Of a variable, or of a member or an element of one.
    Place,
    /// With something added to it.
    Sum,
    Other,
}

fn form(pointer: &Node<Expression>) -> Form {
    match &pointer.node {
        Expression::Identifier(_) | Expression::StringLiteral(_) => Form::Place,
        Expression::Cast(cast) => form(&cast.node.expression),
        Expression::Member(member) if member.node.operator.node == MemberOperator::Direct => {
            form(&member.node.expression)
        }
        Expression::UnaryOperator(unary) if unary.node.operator.node == UnaryOperator::Address => {
            match indexed(&unary.node.operand) {
                // At a place that is not constant, nothing is known.
                Some(array) => form(array),
                None => form(&unary.node.operand),
            }
        }
        Expression::BinaryOperator(binary) => match binary.node.operator.node {
            AstBinary::Index if is_literal(&binary.node.rhs) && !is_pointer(&binary.node.lhs) => form(&binary.node.lhs),
            AstBinary::Plus | AstBinary::Minus => {
                let sides = [&*binary.node.lhs, &*binary.node.rhs];
                let zero = |side: &Node<Expression>| {
                    matches!(&side.node, Expression::Constant(c)
                    if matches!(&c.node, Constant::Integer(number) if &*number.number == "0"))
                };
                match sides.map(form) {
                    [Form::Place | Form::Sum, _] if !zero(sides[1]) => Form::Sum,
                    [_, Form::Place | Form::Sum] if !zero(sides[0]) => Form::Sum,
                    _ => Form::Other,
                }
            }
            _ => Form::Other,
        },
        _ => Form::Other,
    }
}

/// Whether the way in which it is written shows that it is not an array.
fn is_pointer(indexed: &Node<Expression>) -> bool {
    matches!(indexed.node, Expression::UnaryOperator(_) | Expression::Cast(_))
        || matches!(&indexed.node, Expression::BinaryOperator(inner) if inner.node.operator.node != AstBinary::Index)
}

/// The array of an element.
fn indexed(place: &Node<Expression>) -> Option<&Node<Expression>> {
    match &place.node {
        Expression::BinaryOperator(binary) if binary.node.operator.node == AstBinary::Index => {
            Some(&*binary.node.lhs).filter(|array| !is_pointer(array))
        }
        _ => None,
    }
}

fn is_literal(index: &Node<Expression>) -> bool {
    matches!(index.node, Expression::Constant(_))
}

impl Lowerer<'_> {
    pub fn object_size(&mut self, pointer: &Node<Expression>, kind: &Node<Expression>) -> Lowered<Value> {
        let kind = self.constant_integer(kind)?;
        let value = self.unevaluated(|s| Ok(s.value(pointer)?.expr))?;
        let (address, added) = self.without_offset(value);
        let part_only = kind & 1 != 0;
        let form = form(pointer);
        if part_only && form == Form::Other {
            return self.unsupported("the size of a part of an object behind a computed address", pointer.span);
        }
        let known = match (self.exprs.kind(address), added) {
            (ExprKind::AddressOf(place), Some(added)) => match self.is_part_of_pointed(place) {
                true if part_only => {
                    return self.unsupported("the size of a part of what a pointer points to", pointer.span);
                }
                true => None,
                // gcc forgets which part an address belongs to once a number was added to it.
                false if part_only && form == Form::Sum => None,
                false => self.rest_of_object(place, part_only).map(|rest| (rest - added).max(0)),
            },
            _ => None,
        };
        let unknown = if kind < 2 { -1 } else { 0 };
        let size = self.common.size;
        Ok(self.int_constant(known.unwrap_or(unknown), size).into())
    }

    /// The address without casts and constants added to it, and how many bytes these are if all of them are constant.
    fn without_offset(&self, mut pointer: ExprId) -> (ExprId, Option<i128>) {
        let mut added = Some(0);
        loop {
            match self.exprs.kind(pointer) {
                ExprKind::Cast(inner) if self.types.is_pointer(self.exprs.ty(inner)) => pointer = inner,
                ExprKind::Binary { op: BinaryOp::PointerAdd, lhs, rhs } => {
                    let size = self.types.pointee(self.exprs.ty(lhs)).and_then(|ty| self.types.size_of(ty));
                    let bytes = self.exprs.as_int(rhs).map(|index| index * i128::from(size.unwrap_or(1)));
                    added = added.zip(bytes).map(|(a, b)| a + b);
                    pointer = lhs;
                }
                _ => return (pointer, added),
            }
        }
    }

    fn is_part_of_pointed(&self, place: ExprId) -> bool {
        match self.exprs.kind(place) {
            ExprKind::Field { base, .. } | ExprKind::Index { base, .. } => self.is_part_of_pointed(base),
            kind => matches!(kind, ExprKind::Deref(_)),
        }
    }

    /// The bytes from `place` to the end of its variable, or with `part_only` of the member or array around it.
    fn rest_of_object(&self, place: ExprId, part_only: bool) -> Option<i128> {
        let whole = match self.exprs.kind(place) {
            ExprKind::Index { base, .. } if part_only => base,
            _ if part_only => place,
            _ => self.variable_around(place),
        };
        let size = i128::from(self.types.size_of(self.exprs.ty(whole))?);
        let before = self.offset_in_variable(place)? - self.offset_in_variable(whole)?;
        (before >= 0).then_some(size - before)
    }

    fn variable_around(&self, place: ExprId) -> ExprId {
        match self.exprs.kind(place) {
            ExprKind::Field { base, .. } | ExprKind::Index { base, .. } => self.variable_around(base),
            _ => place,
        }
    }

    fn offset_in_variable(&self, place: ExprId) -> Option<i128> {
        match self.exprs.kind(place) {
            ExprKind::Var(_) => Some(0),
            ExprKind::Field { base, field } => {
                let Type::Composite(id) = self.types.get(self.exprs.ty(base)) else { return None };
                let offset = self.types.composite(*id).fields.get(field as usize)?.offset;
                Some(self.offset_in_variable(base)? + i128::from(offset))
            }
            ExprKind::Index { base, index } => {
                let size = self.types.size_of(self.exprs.ty(place))?;
                Some(self.offset_in_variable(base)? + self.exprs.as_int(index)? * i128::from(size))
            }
            _ => None,
        }
    }
}
