//! Operators: arithmetic, comparison, assignment, increments, and the conditional operator.

use super::ast_query::{looks_constant, may_write};
use super::complex::part_operator;
use super::places::Value;
use super::{Lowered, Lowerer};
use lang_c::ast::{self, BinaryOperator as Ast, Expression, UnaryOperator};
use lang_c::span::{Node, Span as AstSpan};
use tandem_plugin_api::program::*;

impl Lowerer<'_> {
    pub fn unary_operator(&mut self, u: &Node<ast::UnaryOperatorExpression>) -> Lowered<Value> {
        let operand = &u.node.operand;
        match u.node.operator.node {
            UnaryOperator::PostIncrement => self.increment(operand, 1, true, true),
            UnaryOperator::PostDecrement => self.increment(operand, -1, true, true),
            UnaryOperator::PreIncrement => self.increment(operand, 1, false, true),
            UnaryOperator::PreDecrement => self.increment(operand, -1, false, true),
            UnaryOperator::Address => self.address_operator(operand, u.span),
            UnaryOperator::Indirection => match part_operator(&u.node) {
                Some((index, number)) => self.part_value(index, number),
                None => self.indirection(operand, u.span),
            },
            UnaryOperator::Plus | UnaryOperator::Minus | UnaryOperator::Complement => {
                let value = self.value(operand)?.expr;
                self.arithmetic_operator(&u.node.operator.node, value, operand.span)
            }
            UnaryOperator::Negate => {
                let value = self.scalar(operand)?;
                Ok(self.unary(UnaryOp::LogicalNot, value).into())
            }
        }
    }

    /// A value that can be tested for zero.
    pub fn scalar(&mut self, e: &Node<Expression>) -> Lowered<ExprId> {
        let value = self.value(e)?.expr;
        self.truth_value(value, e.span)
    }

    /// The value that is tested for zero where a value is a condition.
    fn truth_value(&mut self, value: ExprId, span: AstSpan) -> Lowered<ExprId> {
        let ty = self.exprs.ty(value);
        if self.types.is_scalar(ty) {
            return Ok(value);
        }
        if self.complex_element(ty).is_some() {
            return Ok(self.complex_truth(value));
        }
        self.invalid("expected a number or a pointer", span)
    }

    /// `+ - ~`
    fn arithmetic_operator(&mut self, operator: &UnaryOperator, value: ExprId, span: AstSpan) -> Lowered<Value> {
        let ty = self.exprs.ty(value);
        if self.numeric(ty).is_some() {
            return Ok(self.unary_on_parts(operator, value, span)?.into());
        }
        if !self.types.is_integer(ty) && !self.types.is_float(ty) {
            return self.invalid("expected a number", span);
        }
        let value = self.promote(value);
        Ok(match operator {
            UnaryOperator::Minus => self.unary(UnaryOp::Negate, value).into(),
            UnaryOperator::Complement => self.unary(UnaryOp::BitNot, value).into(),
            _ => value.into(),
        })
    }

    fn address_operator(&mut self, operand: &Node<Expression>, span: AstSpan) -> Lowered<Value> {
        if !self.is_place(operand) {
            // `&f` of a function is `f`; `&*f` likewise.
            let value = self.value(operand)?;
            if matches!(self.exprs.kind(value.expr), ExprKind::FunctionAddress(_)) {
                return Ok(value);
            }
        }
        let located = self.place(operand)?;
        if let Some(dims) = located.array {
            return Ok(Value { expr: located.expr, pointee: Some(dims) });
        }
        if self.bit_field(located.expr).is_some() {
            return self.invalid("the address of a bit-field", span);
        }
        Ok(self.address_of(located.expr).into())
    }

    fn indirection(&mut self, operand: &Node<Expression>, span: AstSpan) -> Lowered<Value> {
        let pointer = self.value(operand)?;
        let pointee = self.types.pointee(self.exprs.ty(pointer.expr));
        if pointee.is_some_and(|t| matches!(self.types.get(t), Type::Function { .. })) {
            return Ok(pointer);
        }
        let place = self.pointed(pointer, span)?;
        Ok(self.load(place))
    }

    /// `x++` and relatives. `old`: the value is the one from before.
    pub fn increment(&mut self, operand: &Node<Expression>, by: i128, old: bool, used: bool) -> Lowered<Value> {
        let located = self.place(operand)?;
        if located.array.is_some() {
            return self.invalid("an array cannot be incremented", operand.span);
        }
        let place = located.expr;
        let before = if old && used { Some(self.save(place, operand.span)?) } else { None };
        let current = before.unwrap_or(place);
        let ty = self.exprs.ty(place);
        let int = self.common.int;
        let step = self.int_constant(by, int);
        let next = if self.types.is_pointer(ty) {
            let pointer = Value { expr: current, pointee: located.pointee.clone() };
            self.offset_pointer(pointer, step).expr
        } else if self.numeric(ty).is_some() {
            let sum = self.binary_on_parts(BinaryOp::Add, current, step, operand.span)?;
            self.convert(sum, ty, operand.span)?
        } else {
            let sum = self.arithmetic(BinaryOp::Add, current, step);
            self.cast(sum, ty)
        };
        let expr = match before {
            Some(before) => {
                self.assign(place, next, operand.span)?;
                before
            }
            None => self.store(place, next, used, operand.span)?,
        };
        Ok(Value { expr, pointee: located.pointee })
    }

    /// `e` is the expression that `b` is the content of.
    pub fn binary_operator(
        &mut self,
        e: &Node<Expression>,
        b: &Node<ast::BinaryOperatorExpression>,
        used: bool,
    ) -> Lowered<Value> {
        let (lhs, rhs) = (&b.node.lhs, &b.node.rhs);
        let op = match &b.node.operator.node {
            Ast::LogicalAnd | Ast::LogicalOr => return self.short_circuit(e, b),
            Ast::Index => {
                let place = self.place(e)?;
                return Ok(self.load(place));
            }
            Ast::Assign => return self.assignment(lhs, rhs, used),
            compound if super::ast_query::is_assignment(compound) => {
                let op = arithmetic_op(compound);
                return self.compound_assignment(op, lhs, rhs, used);
            }
            plain => arithmetic_op(plain),
        };
        self.check_order(lhs, rhs, b.span)?;
        let (left, right) =
            if is_exchangeable(op) { self.exchangeable_operands(lhs, rhs)? } else { self.operands(lhs, rhs)? };
        self.apply(op, left, right, b.span)
    }

    /// A binary operator on values, pointers included.
    fn apply(&mut self, op: BinaryOp, left: Value, right: Value, span: AstSpan) -> Lowered<Value> {
        let (lt, rt) = (self.exprs.ty(left.expr), self.exprs.ty(right.expr));
        if self.numeric(lt).is_some() || self.numeric(rt).is_some() {
            return Ok(self.binary_on_parts(op, left.expr, right.expr, span)?.into());
        }
        let (lp, rp) = (self.types.is_pointer(lt), self.types.is_pointer(rt));
        if !self.types.is_scalar(lt) || !self.types.is_scalar(rt) {
            return self.invalid(format!("operands of `{}` that are not numbers or pointers", op.c_symbol()), span);
        }
        match (op, lp, rp) {
            (BinaryOp::Add, true, false) => Ok(self.offset_pointer(left, right.expr)),
            (BinaryOp::Add, false, true) => Ok(self.offset_pointer(right, left.expr)),
            (BinaryOp::Sub, true, false) => {
                let negative = self.negated_index(right.expr);
                Ok(self.offset_pointer(left, negative))
            }
            (BinaryOp::Sub, true, true) => {
                if left.pointee.is_some() {
                    return self.unsupported("difference of pointers to variable-length arrays", span);
                }
                let other = self.cast(right.expr, lt);
                Ok(self.pointer_difference(left.expr, other).into())
            }
            (_, true, true) if op.is_comparison() && self.is_open_comparison(left.expr, right.expr) => {
                self.unsupported("comparison of addresses that is up to the compiler", span)
            }
            (_, true, _) if op.is_comparison() => {
                let other = self.cast(right.expr, lt);
                Ok(self.binary(op, left.expr, other).into())
            }
            (_, false, true) if op.is_comparison() => {
                let other = self.cast(left.expr, rt);
                Ok(self.binary(op, other, right.expr).into())
            }
            (_, false, false) => {
                let integer_only = matches!(
                    op,
                    BinaryOp::Rem
                        | BinaryOp::Shl
                        | BinaryOp::Shr
                        | BinaryOp::BitAnd
                        | BinaryOp::BitOr
                        | BinaryOp::BitXor
                );
                if integer_only && (self.types.is_float(lt) || self.types.is_float(rt)) {
                    return self.invalid(format!("`{}` on floating-point numbers", op.c_symbol()), span);
                }
                if let Some(truth) = self.decided_without_division(op, left.expr, right.expr) {
                    return Ok(self.int_constant(truth.into(), self.common.int).into());
                }
                if self.leaves_out_division(op, left.expr, right.expr) {
                    return self.unsupported("division that gcc leaves out where its value decides nothing", span);
                }
                Ok(self.arithmetic(op, left.expr, right.expr).into())
            }
            _ => self.invalid(format!("`{}` on a pointer", op.c_symbol()), span),
        }
    }

    /// Whether the compiler decides how two constant addresses compare: both are of string literals, which may share
    /// memory, or one is the address behind an object, where another one may begin.
    fn is_open_comparison(&self, a: ExprId, b: ExprId) -> bool {
        let (Some((x, at_x)), Some((y, at_y))) = (self.constant_place(a), self.constant_place(b)) else { return false };
        let is_literal = |id: VarId| self.variables[id.index()].storage == Storage::StringLiteral;
        let inside = |id: VarId, at: i128| {
            let size = self.types.size_of(self.variables[id.index()].ty).unwrap_or(1);
            (0..i128::from(size)).contains(&at)
        };
        x != y && (is_literal(x) && is_literal(y) || !inside(x, at_x) || !inside(y, at_y))
    }

    /// The variable that a constant address belongs to, and the distance from its start.
    fn constant_place(&self, address: ExprId) -> Option<(VarId, i128)> {
        match self.exprs.kind(address) {
            ExprKind::Cast(inner) if self.types.is_pointer(self.exprs.ty(inner)) => self.constant_place(inner),
            ExprKind::AddressOf(place) => self.place_in_variable(place),
            ExprKind::Binary { op: BinaryOp::PointerAdd, lhs, rhs } => {
                let (variable, at) = self.constant_place(lhs)?;
                let size = self.types.size_of(self.types.pointee(self.exprs.ty(lhs))?)?;
                Some((variable, at + self.exprs.as_int(rhs)? * i128::from(size)))
            }
            _ => None,
        }
    }

    fn place_in_variable(&self, place: ExprId) -> Option<(VarId, i128)> {
        match self.exprs.kind(place) {
            ExprKind::Var(id) => Some((id, 0)),
            ExprKind::Field { base, field } => {
                let (variable, at) = self.place_in_variable(base)?;
                let Type::Composite(id) = self.types.get(self.exprs.ty(base)) else { return None };
                let offset = self.types.composite(*id).fields.get(field as usize)?.offset;
                Some((variable, at + i128::from(offset)))
            }
            ExprKind::Index { base, index } => {
                let (variable, at) = self.place_in_variable(base)?;
                let size = self.types.size_of(self.exprs.ty(place))?;
                Some((variable, at + self.exprs.as_int(index)? * i128::from(size)))
            }
            _ => None,
        }
    }

    /// `lhs = rhs`. C leaves open which side is evaluated first. gcc begins with the place if the right side is just a
    /// call, and with the value if it has other side effects.
    fn assignment(&mut self, lhs: &Node<Expression>, rhs: &Node<Expression>, used: bool) -> Lowered<Value> {
        self.check_assignment_order(lhs, rhs)?;
        let mut early = if may_write(rhs) && !self.is_plain_call(lhs, rhs)? { Some(self.value(rhs)?) } else { None };
        if let Some(value) = early.as_mut().filter(|_| may_write(lhs))
            && self.reads_shared_memory(value.expr)
        {
            value.expr = self.save(value.expr, rhs.span)?;
        }
        let located = self.place(lhs)?;
        let mut place = located.expr;
        if located.array.is_some() {
            let value = early.map_or_else(|| self.value(rhs), Ok)?;
            return self.copy_variable_struct(located.expr, &value, lhs.span);
        }
        let value = match early {
            Some(value) => value,
            None => {
                if may_write(rhs) {
                    place = self.stabilize(place, lhs.span)?;
                }
                self.value(rhs)?
            }
        };
        let ty = self.exprs.ty(place);
        let converted = self.convert(value.expr, ty, rhs.span)?;
        let result = self.store(place, converted, used, AstSpan { start: lhs.span.start, end: rhs.span.end })?;
        Ok(Value { expr: result, pointee: located.pointee.or(value.pointee) })
    }

    /// Whether the right side of an assignment is a call whose result needs no conversion.
    fn is_plain_call(&mut self, lhs: &Node<Expression>, rhs: &Node<Expression>) -> Lowered<bool> {
        if !matches!(rhs.node, Expression::Call(_) | Expression::Statement(_)) {
            return Ok(false);
        }
        let (to, from) = self.unevaluated(|s| Ok((s.operand_type(lhs)?, s.operand_type(rhs)?)))?;
        Ok(to == from)
    }

    /// Assigns, and returns the value of the assignment expression.
    fn store(&mut self, place: ExprId, value: ExprId, used: bool, span: AstSpan) -> Lowered<ExprId> {
        let simple = matches!(self.exprs.kind(place), ExprKind::Var(_));
        if !used || simple {
            self.assign(place, value, span)?;
            return Ok(place);
        }
        // The value of the assignment expression is what a bit-field keeps of the value.
        let kept = match self.bit_field_type(place) {
            Some(ty) => self.cast(value, ty),
            None => value,
        };
        // The assignment itself may change values that describe the place: read the copy instead.
        let saved = if self.as_constant(kept).is_some() { kept } else { self.save(kept, span)? };
        let stored = if self.bit_field(place).is_some() { self.cast(saved, self.exprs.ty(place)) } else { saved };
        self.assign(place, stored, span)?;
        Ok(saved)
    }

    fn compound_assignment(
        &mut self,
        op: BinaryOp,
        lhs: &Node<Expression>,
        rhs: &Node<Expression>,
        used: bool,
    ) -> Lowered<Value> {
        self.check_compound_order(lhs, rhs)?;
        // As in gcc, the place is evaluated and read after the right side.
        let mut early = if may_write(rhs) { Some(self.value(rhs)?) } else { None };
        if let Some(value) = early.as_mut().filter(|_| may_write(lhs))
            && self.reads_shared_memory(value.expr)
        {
            value.expr = self.save(value.expr, rhs.span)?;
        }
        let located = self.place(lhs)?;
        if located.array.is_some() {
            return self.invalid("an array cannot be assigned to", lhs.span);
        }
        let place = located.expr;
        let right = match early {
            Some(value) => value,
            None => self.value(rhs)?,
        };
        let left = Value { expr: place, pointee: located.pointee.clone() };
        let span = AstSpan { start: lhs.span.start, end: rhs.span.end };
        let result = self.apply(op, left, right, span)?;
        let ty = self.exprs.ty(place);
        let converted = self.convert(result.expr, ty, span)?;
        let expr = self.store(place, converted, used, span)?;
        Ok(Value { expr, pointee: located.pointee })
    }

    /// Conversion as if by assignment.
    pub fn convert(&mut self, value: ExprId, to: TypeId, span: AstSpan) -> Lowered<ExprId> {
        let from = self.exprs.ty(value);
        if from == to {
            return Ok(value);
        }
        if let Some(converted) = self.convert_parts(value, to, span)? {
            return Ok(converted);
        }
        if self.types.is_scalar(from) && self.types.is_scalar(to) {
            let odd = self.types.is_float(from) && self.types.is_pointer(to)
                || self.types.is_pointer(from) && self.types.is_float(to);
            if odd {
                return self.invalid("conversion between a pointer and a floating-point number", span);
            }
            return Ok(self.cast(value, to));
        }
        if self.types.is_aggregate(from) && self.types.is_aggregate(to) {
            return self.convert_aggregate(value, to, span);
        }
        if self.types.is_scalar(from)
            && let Some(wrapped) = self.wrap_in_union(value, to, span)?
        {
            return Ok(wrapped);
        }
        self.invalid("types that do not fit each other", span)
    }

    /// Structs declared twice (in two scopes) with the same layout are compatible: reinterpret the place.
    fn convert_aggregate(&mut self, value: ExprId, to: TypeId, span: AstSpan) -> Lowered<ExprId> {
        if self.types.size_of(self.exprs.ty(value)) != self.types.size_of(to) {
            return self.invalid("assignment between different struct types", span);
        }
        let address = self.address_of(value);
        let pointer = self.types.pointer_to(to);
        let address = self.cast(address, pointer);
        Ok(self.deref(address))
    }

    pub fn conditional(&mut self, c: &ast::ConditionalExpression, span: AstSpan) -> Lowered<Value> {
        let elvis = matches!(&c.then_expression.node,
            Expression::Identifier(id) if id.node.name == crate::frontend::text::ELVIS);
        if looks_constant(&c.condition, &self.scopes)
            && let Some(truth) = self.constant_value(&c.condition)?.map(|v| v != 0)
        {
            let chosen = match (truth, elvis) {
                (true, true) => &c.condition,
                (true, false) => &c.then_expression,
                (false, _) => &c.else_expression,
            };
            return self.chosen_arm(chosen, c, elvis);
        }
        if self.one_expression {
            return self.choice(c, elvis, span);
        }
        self.conditional_branches(c, elvis, span)
    }

    /// Where the condition is constant the other arm still takes part in the type.
    fn chosen_arm(&mut self, chosen: &Node<Expression>, c: &ast::ConditionalExpression, elvis: bool) -> Lowered<Value> {
        let value = self.value(chosen)?;
        let types = self.unevaluated(|s| {
            let then = if elvis { &c.condition } else { &c.then_expression };
            let (a, b) = (s.value(then)?.expr, s.value(&c.else_expression)?.expr);
            Ok(s.common_type(a, b))
        })?;
        match types {
            Some(ty) => Ok(Value { expr: self.convert(value.expr, ty, chosen.span)?, pointee: value.pointee }),
            None => Ok(value),
        }
    }

    fn conditional_branches(&mut self, c: &ast::ConditionalExpression, elvis: bool, span: AstSpan) -> Lowered<Value> {
        let decision = self.decision(DecisionKind::Conditional, 2, span)?;
        let draft = self.draft(span)?;
        let (yes, no, end) = (draft.place(), draft.place(), draft.place());
        let mut kept = None;
        if elvis {
            let value = self.value(&c.condition)?.expr;
            let value = self.save(value, c.condition.span)?;
            kept = Some(value);
            let truth = self.truth_value(value, c.condition.span)?;
            self.branch_on(truth, decision.yes(yes), decision.no(no), c.condition.span)?;
        } else {
            self.branch(&c.condition, decision.yes(yes), decision.no(no))?;
        }
        self.draft(span)?.at = yes;
        let a = match kept {
            Some(value) => value.into(),
            None => self.value(&c.then_expression)?,
        };
        let after_a = self.draft(span)?.at;
        self.draft(span)?.at = no;
        let b = self.value(&c.else_expression)?;
        let result = match self.common_type(a.expr, b.expr) {
            None => {
                self.join(end, span)?;
                self.draft(span)?.at = after_a;
                self.void_value(a.expr)
            }
            Some(ty) => {
                let temporary = self.temporary(ty, span)?;
                let place = self.variable_expr(temporary);
                let value = self.convert(b.expr, ty, c.else_expression.span)?;
                self.assign(place, value, c.else_expression.span)?;
                self.join(end, span)?;
                self.draft(span)?.at = after_a;
                let value = self.convert(a.expr, ty, c.then_expression.span)?;
                self.assign(place, value, c.then_expression.span)?;
                place
            }
        };
        self.join(end, span)?;
        self.draft(span)?.at = end;
        Ok(Value { expr: result, pointee: a.pointee.or(b.pointee) })
    }

    /// The type of `c ? a : b` (C11 6.5.15); `None` if it is void.
    pub fn common_type(&mut self, a: ExprId, b: ExprId) -> Option<TypeId> {
        let (ta, tb) = (self.exprs.ty(a), self.exprs.ty(b));
        let void = self.common.void;
        if ta == void || tb == void {
            return None;
        }
        if ta == tb && !self.types.is_integer(ta) {
            return Some(ta);
        }
        if self.complex_element(ta).is_some() || self.complex_element(tb).is_some() {
            return self.common_complex(a, b);
        }
        Some(match (self.types.is_pointer(ta), self.types.is_pointer(tb)) {
            (false, false) if self.types.is_aggregate(ta) => ta,
            (false, false) => {
                let (x, _) = self.usual_conversions(a, b);
                self.exprs.ty(x)
            }
            (true, false) => ta,
            (false, true) => tb,
            (true, true) if self.is_null(a) => tb,
            (true, true) if self.is_null(b) => ta,
            (true, true) if tb == self.common.void_pointer => tb,
            (true, true) => ta,
        })
    }

    fn is_null(&self, e: ExprId) -> bool {
        self.exprs.ty(e) == self.common.void_pointer && self.exprs.as_int(e) == Some(0)
    }
}

fn is_exchangeable(op: BinaryOp) -> bool {
    use BinaryOp::*;
    op.is_comparison() || matches!(op, Add | Mul | BitAnd | BitOr | BitXor)
}

fn arithmetic_op(op: &Ast) -> BinaryOp {
    match op {
        Ast::Multiply | Ast::AssignMultiply => BinaryOp::Mul,
        Ast::Divide | Ast::AssignDivide => BinaryOp::Div,
        Ast::Modulo | Ast::AssignModulo => BinaryOp::Rem,
        Ast::Plus | Ast::AssignPlus => BinaryOp::Add,
        Ast::Minus | Ast::AssignMinus => BinaryOp::Sub,
        Ast::ShiftLeft | Ast::AssignShiftLeft => BinaryOp::Shl,
        Ast::ShiftRight | Ast::AssignShiftRight => BinaryOp::Shr,
        Ast::Less => BinaryOp::Lt,
        Ast::Greater => BinaryOp::Gt,
        Ast::LessOrEqual => BinaryOp::Le,
        Ast::GreaterOrEqual => BinaryOp::Ge,
        Ast::Equals => BinaryOp::Eq,
        Ast::NotEquals => BinaryOp::Ne,
        Ast::BitwiseAnd | Ast::AssignBitwiseAnd => BinaryOp::BitAnd,
        Ast::BitwiseXor | Ast::AssignBitwiseXor => BinaryOp::BitXor,
        Ast::BitwiseOr | Ast::AssignBitwiseOr => BinaryOp::BitOr,
        // The callers handle these before they ask.
        Ast::Index | Ast::LogicalAnd | Ast::LogicalOr | Ast::Assign => BinaryOp::Add,
    }
}
