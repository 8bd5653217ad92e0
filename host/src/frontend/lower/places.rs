//! Places (lvalues): variables, members, elements, what pointers point to, and variable-length arrays.

use super::ast_query::may_write;
use super::complex::part_operator;
use super::expressions::is_function_name;
use super::scopes::{Dims, Symbol};
use super::{Lowered, Lowerer};
use lang_c::ast::{self, Expression, UnaryOperator};
use lang_c::span::{Node, Span as AstSpan};
use tandem_plugin_api::program::*;

/// A value. A pointer to variable-length arrays carries their shape.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub expr: ExprId,
    pub pointee: Option<Dims>,
}

impl From<ExprId> for Value {
    fn from(expr: ExprId) -> Self {
        Value { expr, pointee: None }
    }
}

/// A place. For a variable-length array, `expr` is not a place but the pointer to its first innermost element.
#[derive(Clone, Debug)]
pub(super) struct Located {
    pub expr: ExprId,
    pub array: Option<Dims>,
    pub pointee: Option<Dims>,
}

impl From<ExprId> for Located {
    fn from(expr: ExprId) -> Self {
        Located { expr, array: None, pointee: None }
    }
}

impl Lowerer<'_> {
    /// Whether the expression has the form of an lvalue.
    pub fn is_place(&self, e: &Node<Expression>) -> bool {
        match &e.node {
            Expression::Identifier(id) => match self.scopes.lookup(&id.node.name) {
                Some(Symbol::Variable { .. }) => true,
                None => is_function_name(&id.node.name),
                _ => false,
            },
            Expression::UnaryOperator(u) => match part_operator(&u.node) {
                Some((_, number)) => self.is_place(number),
                None => u.node.operator.node == UnaryOperator::Indirection,
            },
            Expression::BinaryOperator(b) => b.node.operator.node == ast::BinaryOperator::Index,
            Expression::Member(_) | Expression::StringLiteral(_) | Expression::CompoundLiteral(_) => true,
            _ => false,
        }
    }

    pub fn place(&mut self, e: &Node<Expression>) -> Lowered<Located> {
        match &e.node {
            Expression::Identifier(id) => self.variable_place(&id.node.name, e.span),
            Expression::UnaryOperator(u) if u.node.operator.node == UnaryOperator::Indirection => {
                if let Some((index, number)) = part_operator(&u.node) {
                    return self.part_located(index, number, e.span);
                }
                let pointer = self.value(&u.node.operand)?;
                self.pointed(pointer, e.span)
            }
            Expression::BinaryOperator(b) if b.node.operator.node == ast::BinaryOperator::Index => {
                self.element(&b.node, e.span)
            }
            Expression::Member(m) => self.member(&m.node, e.span),
            Expression::StringLiteral(pieces) => {
                let id = self.string_variable(&pieces.node, e.span)?;
                Ok(self.variable_expr(id).into())
            }
            Expression::CompoundLiteral(literal) => Ok(self.compound_literal(literal)?.into()),
            // Structs as values are places in this lowering: variables or temporaries.
            _ => {
                let value = self.value(e)?;
                match self.exprs.kind(value.expr) {
                    ExprKind::Var(_) | ExprKind::Deref(_) | ExprKind::Field { .. } | ExprKind::Index { .. } => {
                        Ok(Located { expr: value.expr, array: None, pointee: value.pointee })
                    }
                    _ => self.invalid("an expression that cannot be assigned to or have its address taken", e.span),
                }
            }
        }
    }

    fn variable_place(&mut self, name: &str, span: AstSpan) -> Lowered<Located> {
        match self.scopes.lookup(name) {
            Some(Symbol::Variable { id, array, pointee }) => {
                let (id, array, pointee) = (*id, array.clone(), pointee.clone());
                Ok(Located { expr: self.linked_place(id), array, pointee })
            }
            Some(Symbol::Unsupported(why)) => self.unsupported(why.clone(), span),
            Some(_) => self.invalid(format!("`{name}` is not a variable"), span),
            None => Ok(self.function_name(name, span)?.into()),
        }
    }

    /// What a pointer points to.
    pub fn pointed(&mut self, pointer: Value, span: AstSpan) -> Lowered<Located> {
        if let Some(dims) = pointer.pointee {
            return Ok(Located { expr: pointer.expr, array: Some(dims), pointee: None });
        }
        match self.types.pointee(self.exprs.ty(pointer.expr)) {
            Some(_) => Ok(self.deref(pointer.expr).into()),
            None => self.invalid("the operand of `*`, `->` or `[]` is not a pointer", span),
        }
    }

    /// `a[i]`, `p[i]`, and `i[p]` too.
    fn element(&mut self, b: &ast::BinaryOperatorExpression, span: AstSpan) -> Lowered<Located> {
        let mut lhs = self.value(&b.lhs)?;
        if self.is_vector(self.exprs.ty(lhs.expr)) {
            let vector = if may_write(&b.rhs) { self.stabilize(lhs.expr, span)? } else { lhs.expr };
            let index = self.value(&b.rhs)?.expr;
            return Ok(self.vector_element(vector, index));
        }
        if may_write(&b.rhs) && self.reads_shared_memory(lhs.expr) {
            lhs.expr = self.save(lhs.expr, b.lhs.span)?;
        }
        let rhs = self.value(&b.rhs)?;
        let (pointer, index) = if self.types.is_pointer(self.exprs.ty(lhs.expr)) { (lhs, rhs) } else { (rhs, lhs) };
        if !self.types.is_pointer(self.exprs.ty(pointer.expr)) || !self.types.is_integer(self.exprs.ty(index.expr)) {
            return self.invalid("`[]` needs a pointer or array and an integer", span);
        }
        let sum = self.offset_pointer(pointer, index.expr);
        self.pointed(sum, span)
    }

    /// Both operands of an operator, left first. A value that the left one read is saved if the right one may change
    /// it.
    pub fn operands(&mut self, lhs: &Node<Expression>, rhs: &Node<Expression>) -> Lowered<(Value, Value)> {
        let mut left = self.value(lhs)?;
        if may_write(rhs) && self.reads_shared_memory(left.expr) {
            left.expr = self.save(left.expr, lhs.span)?;
        }
        let right = self.value(rhs)?;
        Ok((left, right))
    }

    /// Likewise, for operators whose operands gcc exchanges to have variables last: a plain variable on the left is
    /// then read after the side effects of the right side. C leaves the order open; tests are replayed on what gcc
    /// compiles.
    pub fn exchangeable_operands(&mut self, lhs: &Node<Expression>, rhs: &Node<Expression>) -> Lowered<(Value, Value)> {
        let mut left = self.value(lhs)?;
        if may_write(rhs) && self.reads_shared_memory(left.expr) {
            let exchanged = self.is_variable_like(left.expr) && self.keeps_its_mode(left.expr, rhs)?;
            if !exchanged {
                left.expr = self.save(left.expr, lhs.span)?;
            }
        }
        let right = self.value(rhs)?;
        Ok((left, right))
    }

    /// Whether the usual conversions with `rhs` leave a value in the same machine format.
    fn keeps_its_mode(&mut self, left: ExprId, rhs: &Node<Expression>) -> Lowered<bool> {
        let converted = self.unevaluated(|s| {
            let right = s.value(rhs)?.expr;
            let arithmetic = |ty| s.types.is_integer(ty) || s.types.is_float(ty);
            if !arithmetic(s.exprs.ty(left)) || !arithmetic(s.exprs.ty(right)) {
                return Ok(s.exprs.ty(left));
            }
            let (converted, _) = s.usual_conversions(left, right);
            Ok(s.exprs.ty(converted))
        })?;
        let own = self.exprs.ty(left);
        let same_kind = self.types.is_float(own) == self.types.is_float(converted);
        Ok(same_kind && self.types.size_of(own) == self.types.size_of(converted))
    }

    /// A variable, up to a cast that keeps its width or a constant added to it.
    fn is_variable_like(&self, expr: ExprId) -> bool {
        match self.exprs.kind(expr) {
            ExprKind::Var(_) => true,
            ExprKind::Cast(inner) => {
                let (to, from) = (self.exprs.ty(expr), self.exprs.ty(inner));
                self.types.size_of(to) == self.types.size_of(from) && self.is_variable_like(inner)
            }
            ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub, lhs, rhs } => {
                self.exprs.as_int(rhs).is_some() && self.is_variable_like(lhs)
            }
            _ => false,
        }
    }

    /// Pointer plus integer, where the pointer may point to variable-length arrays.
    pub fn offset_pointer(&mut self, pointer: Value, index: ExprId) -> Value {
        let Some(dims) = pointer.pointee.clone() else {
            return self.pointer_add(pointer.expr, index).into();
        };
        let size = self.common.size;
        let index = self.promote(index);
        // Signed indices are widened as such before they are scaled.
        let ptrdiff = self.common.ptrdiff;
        let index = self.cast(index, ptrdiff);
        let mut scaled = self.cast(index, size);
        for &count in dims.iter() {
            scaled = self.binary(BinaryOp::Mul, scaled, count);
        }
        let expr = self.pointer_add(pointer.expr, scaled);
        Value { expr, pointee: Some(dims) }
    }

    fn member(&mut self, m: &ast::MemberExpression, span: AstSpan) -> Lowered<Located> {
        let base = match m.operator.node {
            ast::MemberOperator::Direct => self.place(&m.expression)?,
            ast::MemberOperator::Indirect => {
                let pointer = self.value(&m.expression)?;
                self.pointed(pointer, span)?
            }
        };
        let name = &m.identifier.node.name;
        if let Some(place) = self.variable_member(&base, name) {
            return Ok(place);
        }
        match self.named_member(base.expr, name) {
            Some((place, _)) => Ok(place.into()),
            None => self.invalid(format!("no member `{name}` in the expression before it"), m.identifier.span),
        }
    }

    /// A member by name, also inside anonymous members; and the index of the outermost member on the way.
    pub fn named_member(&mut self, base: ExprId, name: &str) -> Option<(ExprId, u64)> {
        let path = self.member_path(self.exprs.ty(base), name)?;
        let top = *path.first()? as u64;
        let mut place = base;
        for field in path {
            let Type::Composite(id) = *self.types.get(self.exprs.ty(place)) else { return None };
            place = self.field(place, id, field);
        }
        Some((place, top))
    }

    pub fn member_path(&self, ty: TypeId, name: &str) -> Option<Vec<usize>> {
        let Type::Composite(id) = self.types.get(ty) else { return None };
        let fields = &self.types.composite(*id).fields;
        if let Some(at) = fields.iter().position(|f| f.name == name) {
            return Some(vec![at]);
        }
        fields.iter().enumerate().filter(|(_, f)| f.name.is_empty()).find_map(|(at, f)| {
            let mut path = self.member_path(f.ty, name)?;
            path.insert(0, at);
            Some(path)
        })
    }

    /// The value of a place: arrays decay to pointers.
    pub fn load(&mut self, located: Located) -> Value {
        if let Some(dims) = located.array {
            let inner: Dims = dims[1..].into();
            return Value { expr: located.expr, pointee: (!inner.is_empty()).then_some(inner) };
        }
        let ty = self.exprs.ty(located.expr);
        if self.types.element(ty).is_some() {
            return self.decay(located.expr).into();
        }
        Value { expr: located.expr, pointee: located.pointee }
    }

    /// The same place, independent of what is executed next.
    pub fn stabilize(&mut self, place: ExprId, span: AstSpan) -> Lowered<ExprId> {
        let ty = self.exprs.ty(place);
        match self.exprs.kind(place) {
            ExprKind::Deref(pointer) if self.reads_shared_memory(pointer) => {
                let saved = self.save(pointer, span)?;
                Ok(self.exprs.intern(ExprKind::Deref(saved), ty))
            }
            ExprKind::Field { base, field } => {
                let base = self.stabilize(base, span)?;
                Ok(self.exprs.intern(ExprKind::Field { base, field }, ty))
            }
            ExprKind::Index { base, index } => {
                let base = self.stabilize(base, span)?;
                let index = if self.reads_shared_memory(index) { self.save(index, span)? } else { index };
                Ok(self.exprs.intern(ExprKind::Index { base, index }, ty))
            }
            _ => Ok(place),
        }
    }

    /// Whether the value depends on memory that a call may change: anything but constants and plain local variables
    /// whose address is never taken.
    pub fn reads_shared_memory(&self, expr: ExprId) -> bool {
        let mut shared = false;
        self.exprs.walk(expr, &mut |id| {
            shared |= match self.exprs.kind(id) {
                ExprKind::Var(v) => !self.is_private(v),
                ExprKind::Deref(_) => true,
                _ => false,
            };
        });
        shared
    }

    pub fn is_private(&self, id: VarId) -> bool {
        let variable = &self.variables[id.index()];
        let is_changed_elsewhere = |draft: &super::draft::Draft| {
            draft.addressed.contains(&variable.name) || variable.function != Some(draft.function)
        };
        variable.storage == Storage::Temporary
            || variable.is_local()
                && self.types.is_scalar(variable.ty)
                && !self.current.as_ref().is_some_and(is_changed_elsewhere)
    }
}
