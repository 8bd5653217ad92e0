//! Vectors, as `__attribute__((vector_size(n)))` makes them: operators work on each element, and so do gcc's builtins.

use super::places::{Located, Value};
use super::{Lowered, Lowerer};
use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span as AstSpan};
use tandem_plugin_api::program::*;

impl Lowerer<'_> {
    pub fn vector_binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId, span: AstSpan) -> Lowered<ExprId> {
        let (ta, tb) = (self.exprs.ty(a), self.exprs.ty(b));
        let ty = if self.is_vector(ta) { ta } else { tb };
        let Some(numeric) = self.numeric(ty) else { return self.invalid("operands that are not vectors", span) };
        let integers_only = matches!(op, BinaryOp::Rem | BinaryOp::Shl | BinaryOp::Shr)
            || matches!(op, BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor);
        if integers_only && self.types.is_float(numeric.element) {
            return self.invalid(format!("`{}` on vectors of floating-point numbers", op.c_symbol()), span);
        }
        let left = self.elements(a, numeric.element, numeric.count, span)?;
        let right = self.elements(b, numeric.element, numeric.count, span)?;
        let (result, element) = match op.is_comparison() {
            true => self.mask_type(numeric.element, numeric.count, span)?,
            false => (ty, numeric.element),
        };
        let mut parts = Vec::with_capacity(left.len());
        for (x, y) in left.into_iter().zip(right) {
            let mut value = self.arithmetic(op, x, y);
            if op.is_comparison() {
                value = self.unary(UnaryOp::Negate, value);
            }
            parts.push(self.cast(value, element));
        }
        self.build(result, parts, span)
    }

    /// The elements of an operand; a scalar stands for as many as are needed.
    fn elements(&mut self, value: ExprId, element: TypeId, count: u64, span: AstSpan) -> Lowered<Vec<ExprId>> {
        let ty = self.exprs.ty(value);
        match self.numeric(ty) {
            Some(numeric) if !numeric.is_complex && numeric.count == count => {
                if self.types.size_of(numeric.element) != self.types.size_of(element)
                    || self.types.is_float(numeric.element) != self.types.is_float(element)
                {
                    return self.invalid("operands that are vectors of different types", span);
                }
                Ok(self.parts(value).into_iter().map(|part| self.cast(part, element)).collect())
            }
            None if self.types.is_integer(ty) || self.types.is_float(ty) => {
                let scalar = self.cast(value, element);
                let scalar = self.shared(scalar, span)?;
                Ok(vec![scalar; usize::try_from(count).unwrap_or(0)])
            }
            _ => self.invalid("operands that are vectors of different types", span),
        }
    }

    /// The type of a comparison: signed integers of the same width.
    fn mask_type(&mut self, element: TypeId, count: u64, span: AstSpan) -> Lowered<(TypeId, TypeId)> {
        let kind = match self.types.size_of(element) {
            Some(1) => IntKind::SChar,
            Some(2) => IntKind::Short,
            Some(4) => IntKind::Int,
            Some(8) if self.types.model == DataModel::Lp64 => IntKind::Long,
            Some(8) => IntKind::LongLong,
            _ => return self.unsupported("comparison of vectors of this type", span),
        };
        let element = self.types.int(kind);
        let bytes = i128::from(self.types.size_of(element).unwrap_or(1)) * i128::from(count);
        Ok((self.vector_type(element, bytes, span)?, element))
    }

    /// `v[i]` as a place.
    pub fn vector_element(&mut self, vector: ExprId, index: ExprId) -> Located {
        let Type::Composite(id) = *self.types.get(self.exprs.ty(vector)) else { return vector.into() };
        let elements = self.field(vector, id, 0);
        let index = self.promote(index);
        self.index(elements, index).into()
    }

    pub fn vector_builtin(&mut self, name: &str, call: &Node<ast::CallExpression>) -> Lowered<Option<Value>> {
        let span = call.span;
        match (name, call.node.arguments.as_slice()) {
            ("shuffle", [from, mask]) => {
                let (from, mask) = self.operands(from, mask)?;
                self.shuffle(&[from.expr], mask.expr, span).map(Some)
            }
            ("shuffle", [first, second, mask]) => {
                let mut values = Vec::new();
                for argument in [first, second, mask] {
                    let value = self.value(argument)?.expr;
                    values.push(self.save(value, span)?);
                }
                self.shuffle(&values[..2], values[2], span).map(Some)
            }
            ("shufflevector", [first, second, indices @ ..]) => {
                self.shuffle_constant(first, second, indices, span).map(Some)
            }
            ("convertvector", [value, ty]) => {
                let value = self.value(value)?.expr;
                // The text gives a null pointer to the type.
                let to = self.unevaluated(|s| s.operand_type(ty))?;
                let to = self.types.pointee(to).unwrap_or(to);
                let (Some(a), Some(b)) = (self.numeric(self.exprs.ty(value)), self.numeric(to)) else {
                    return self.invalid("__builtin_convertvector of something that is not a vector", span);
                };
                if a.count != b.count || a.is_complex || b.is_complex {
                    return self.invalid("__builtin_convertvector between vectors of different lengths", span);
                }
                let parts = self.parts(value).into_iter().map(|part| self.cast(part, b.element)).collect();
                Ok(Some(self.build(to, parts, span)?.into()))
            }
            _ => Ok(None),
        }
    }

    /// Elements of one or two vectors by indices that are computed; only their low bits count.
    fn shuffle(&mut self, from: &[ExprId], mask: ExprId, span: AstSpan) -> Lowered<Value> {
        let ty = self.exprs.ty(from[0]);
        let (Some(source), Some(indices)) = (self.numeric(ty), self.numeric(self.exprs.ty(mask))) else {
            return self.invalid("__builtin_shuffle of something that is not a vector", span);
        };
        if source.count != indices.count || !self.types.is_integer(indices.element) {
            return self.invalid("__builtin_shuffle with a mask of another length", span);
        }
        let length = source.count * from.len() as u64;
        let array = self.types.intern(Type::Array { element: source.element, length });
        let all = self.temporary(array, span)?;
        let all = self.variable_expr(all);
        let int = self.common.int;
        let values: Vec<ExprId> = from.iter().flat_map(|&vector| self.parts(vector)).collect();
        for (at, value) in values.into_iter().enumerate() {
            let index = self.int_constant(at as i128, int);
            let place = self.index(all, index);
            self.assign(place, value, span)?;
        }
        let low_bits = self.int_constant(i128::from(length) - 1, int);
        let mut parts = Vec::new();
        for index in self.parts(mask) {
            let index = self.cast(index, int);
            let index = self.binary(BinaryOp::BitAnd, index, low_bits);
            parts.push(self.index(all, index));
        }
        Ok(self.build(ty, parts, span)?.into())
    }

    /// `__builtin_shufflevector`: the indices are constants, and their number is the length of the result.
    fn shuffle_constant(
        &mut self,
        first: &Node<Expression>,
        second: &Node<Expression>,
        indices: &[Node<Expression>],
        span: AstSpan,
    ) -> Lowered<Value> {
        let (a, b) = self.operands(first, second)?;
        let element = match (self.numeric(self.exprs.ty(a.expr)), self.numeric(self.exprs.ty(b.expr))) {
            (Some(a), Some(b)) if a.element == b.element && !a.is_complex => a.element,
            _ => return self.invalid("__builtin_shufflevector of something that is not a vector", span),
        };
        let mut all = self.parts(a.expr);
        all.extend(self.parts(b.expr));
        let mut parts = Vec::with_capacity(indices.len());
        for index in indices {
            let at = self.constant_integer(index)?;
            match usize::try_from(at).ok().and_then(|at| all.get(at)) {
                Some(&part) => parts.push(part),
                None if at == -1 => return self.unsupported("element of a vector that may be anything", index.span),
                None => return self.invalid(format!("no element {at} in these vectors"), index.span),
            }
        }
        let bytes = i128::from(self.types.size_of(element).unwrap_or(1)) * parts.len() as i128;
        let ty = self.vector_type(element, bytes, span)?;
        Ok(self.build(ty, parts, span)?.into())
    }
}
