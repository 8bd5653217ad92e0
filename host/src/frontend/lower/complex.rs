//! Complex numbers: parts as places, literals, and arithmetic as gcc's. Products and quotients of floating-point numbers
//! are calls of functions in `complex_helpers`, which do what gcc's library does.

use super::complex_exact::{Pair, exact_product, exact_quotient};
use super::places::{Located, Value};
use super::scopes::Symbol;
use super::{Lowered, Lowerer};
use lang_c::ast::{self, Expression, UnaryOperator};
use lang_c::span::{Node, Span as AstSpan};
use tandem_plugin_api::program::*;

/// `__real__ e` and `__imag__ e`, which reach us as `*&!e` and `*&~e`: the index of the part, and `e`. No other C
/// takes the address of such a value.
pub(super) fn part_operator(u: &ast::UnaryOperatorExpression) -> Option<(u64, &Node<Expression>)> {
    let Expression::UnaryOperator(address) = &u.operand.node else { return None };
    if u.operator.node != UnaryOperator::Indirection || address.node.operator.node != UnaryOperator::Address {
        return None;
    }
    let Expression::UnaryOperator(part) = &address.node.operand.node else { return None };
    match part.node.operator.node {
        UnaryOperator::Negate => Some((0, &part.node.operand)),
        UnaryOperator::Complement => Some((1, &part.node.operand)),
        _ => None,
    }
}

impl Lowerer<'_> {
    /// `__real__ e` or `__imag__ e` as a value.
    pub fn part_value(&mut self, index: u64, operand: &Node<Expression>) -> Lowered<Value> {
        let value = self.value(operand)?.expr;
        let ty = self.exprs.ty(value);
        if self.complex_element(ty).is_some() {
            let part = self.parts(value)[usize::from(index > 0)];
            return Ok(part.into());
        }
        if !self.types.is_integer(ty) && !self.types.is_float(ty) {
            return self.invalid("expected a number", operand.span);
        }
        let expr = if index == 0 { value } else { self.zero_of(ty) };
        Ok(expr.into())
    }

    pub fn part_located(&mut self, index: u64, operand: &Node<Expression>, span: AstSpan) -> Lowered<Located> {
        let place = self.place(operand)?.expr;
        if self.complex_element(self.exprs.ty(place)).is_none() {
            return self.unsupported("`__real__` or `__imag__` of a real number as a place", span);
        }
        Ok(self.part_place(place, index).into())
    }

    /// `2.0i`: the literal without its suffix is the imaginary part.
    pub fn imaginary(&mut self, part: ExprId, span: AstSpan) -> Lowered<ExprId> {
        let element = self.exprs.ty(part);
        let zero = self.zero_of(element);
        let ty = self.complex_type(element);
        self.build(ty, vec![zero, part], span)
    }

    /// Whether a complex number is not zero.
    pub fn complex_truth(&mut self, value: ExprId) -> ExprId {
        let mut truth = None;
        for part in self.parts(value) {
            let zero = self.zero_of(self.exprs.ty(part));
            let part = self.arithmetic(BinaryOp::Ne, part, zero);
            truth = Some(truth.map_or(part, |before| self.binary(BinaryOp::BitOr, before, part)));
        }
        truth.unwrap_or(value)
    }

    /// The type of an operation on two numbers of which at least one is complex; `None` if one is not a number.
    pub fn common_complex(&mut self, a: ExprId, b: ExprId) -> Option<TypeId> {
        let (x, y) = (self.real_operand_type(a)?, self.real_operand_type(b)?);
        let element = match (self.types.get(x).clone(), self.types.get(y).clone()) {
            (Type::Float(p), Type::Float(q)) => self.types.intern(Type::Float(p.max(q))),
            (Type::Float(_), _) => x,
            (_, Type::Float(_)) => y,
            (Type::Int(p), Type::Int(q)) => {
                let kind = super::arithmetic::common_integer(p, q, self.types.model);
                self.types.int(kind)
            }
            _ => return None,
        };
        Some(self.complex_type(element))
    }

    /// The type that an operand contributes: the parts of a complex number are not promoted.
    fn real_operand_type(&mut self, value: ExprId) -> Option<TypeId> {
        let ty = self.exprs.ty(value);
        if let Some(element) = self.complex_element(ty) {
            return Some(element);
        }
        let promoted = self.promote(value);
        let ty = self.exprs.ty(promoted);
        let is_number = self.narrow(ty).is_none() && (self.types.is_integer(ty) || self.types.is_float(ty));
        is_number.then_some(ty)
    }

    pub fn complex_binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId, span: AstSpan) -> Lowered<ExprId> {
        let Some(ty) = self.common_complex(a, b) else {
            return self.invalid(format!("`{}` on a complex number and something else", op.c_symbol()), span);
        };
        let element = self.complex_element(ty).unwrap_or(self.common.double);
        let is_float = self.types.is_float(element);
        let real = |s: &Self, value| s.complex_element(s.exprs.ty(value)).is_none();
        match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul if is_float && (real(self, a) || real(self, b)) => {
                self.mixed(op, a, b, ty, span)
            }
            BinaryOp::Div if is_float && real(self, b) => self.mixed(op, a, b, ty, span),
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div => {
                let (a, b) = (self.convert(a, ty, span)?, self.convert(b, ty, span)?);
                self.same_complex(op, a, b, ty, span)
            }
            _ => self.invalid(format!("`{}` on complex numbers", op.c_symbol()), span),
        }
    }

    /// A real and a complex operand: as gcc, without an imaginary part for the real one, since 0 has a sign.
    fn mixed(&mut self, op: BinaryOp, a: ExprId, b: ExprId, ty: TypeId, span: AstSpan) -> Lowered<ExprId> {
        let element = self.complex_element(ty).unwrap_or(self.common.double);
        let real_first = self.complex_element(self.exprs.ty(a)).is_none();
        let (scalar, complex) = if real_first { (a, b) } else { (b, a) };
        let scalar = self.cast(scalar, element);
        let scalar = self.shared(scalar, span)?;
        let parts: Vec<ExprId> = self.parts(complex).into_iter().map(|part| self.cast(part, element)).collect();
        let mut apply = |part| {
            let (x, y) = if real_first { (scalar, part) } else { (part, scalar) };
            self.binary(op, x, y)
        };
        let real = apply(parts[0]);
        let imaginary = match op {
            BinaryOp::Mul | BinaryOp::Div => apply(parts[1]),
            BinaryOp::Sub if real_first => self.unary(UnaryOp::Negate, parts[1]),
            _ => parts[1],
        };
        self.build(ty, vec![real, imaginary], span)
    }

    /// Two operands of the same complex type.
    fn same_complex(&mut self, op: BinaryOp, a: ExprId, b: ExprId, ty: TypeId, span: AstSpan) -> Lowered<ExprId> {
        let element = self.complex_element(ty).unwrap_or(self.common.double);
        let (x, y) = (self.parts(a), self.parts(b));
        let combine = |s: &mut Self, op, x, y| {
            let value = s.arithmetic(op, x, y);
            s.cast(value, element)
        };
        match op {
            BinaryOp::Eq | BinaryOp::Ne => {
                let real = self.arithmetic(op, x[0], y[0]);
                let imaginary = self.arithmetic(op, x[1], y[1]);
                let joined = if op == BinaryOp::Eq { BinaryOp::BitAnd } else { BinaryOp::BitOr };
                Ok(self.binary(joined, real, imaginary))
            }
            BinaryOp::Add | BinaryOp::Sub => {
                let parts = vec![combine(self, op, x[0], y[0]), combine(self, op, x[1], y[1])];
                self.build(ty, parts, span)
            }
            BinaryOp::Mul if self.types.is_integer(element) => {
                let products = [(0, 0), (1, 1), (0, 1), (1, 0)].map(|(i, j)| combine(self, op, x[i], y[j]));
                let real = combine(self, BinaryOp::Sub, products[0], products[1]);
                let imaginary = combine(self, BinaryOp::Add, products[2], products[3]);
                self.build(ty, vec![real, imaginary], span)
            }
            _ if self.types.is_integer(element) => self.complex_helper(op, ty, &[x, y].concat(), span),
            _ => match self.constant_operands(op, &x, &y, element, span)? {
                Some(parts) => self.build(ty, parts, span),
                None => self.complex_helper(op, ty, &[x, y].concat(), span),
            },
        }
    }

    /// gcc works out products and quotients of constants without rounding in between. Where nothing is rounded anyway,
    /// the result is the same.
    fn constant_operands(
        &mut self,
        op: BinaryOp,
        x: &[ExprId],
        y: &[ExprId],
        element: TypeId,
        span: AstSpan,
    ) -> Lowered<Option<Vec<ExprId>>> {
        let numbers: Option<Vec<f64>> = x.iter().chain(y).map(|&part| self.as_double(part)).collect();
        let all_constant = x.iter().chain(y).all(|&part| self.as_constant(part).is_some());
        let exact = match numbers.as_deref() {
            Some(&[a, b, c, d]) => match op {
                BinaryOp::Mul => exact_product(Pair(a, b), Pair(c, d)),
                _ => exact_quotient(Pair(a, b), Pair(c, d)),
            },
            _ if all_constant => None,
            _ => return Ok(None),
        };
        let double = self.common.double;
        let fits = |value: f64| self.types.size_of(element) != Some(4) || f64::from(value as f32) == value;
        match exact.filter(|Pair(re, im)| fits(*re) && fits(*im)) {
            Some(Pair(re, im)) => {
                let parts = [re, im].map(|part| {
                    let part = self.exprs.intern(ExprKind::Float(u128::from(part.to_bits())), double);
                    self.cast(part, element)
                });
                Ok(Some(parts.to_vec()))
            }
            None => self.unsupported("product or quotient of complex constants that gcc rounds differently", span),
        }
    }

    fn as_double(&mut self, part: ExprId) -> Option<f64> {
        let Type::Float(FloatKind::Float | FloatKind::Double) = self.types.get(self.exprs.ty(part)) else {
            return None;
        };
        self.as_constant(part)?;
        let double = self.common.double;
        let wide = self.cast(part, double);
        match self.exprs.kind(wide) {
            ExprKind::Float(bits) => Some(f64::from_bits(bits as u64)),
            _ => None,
        }
    }

    /// Calls the function of the prelude that multiplies or divides.
    fn complex_helper(&mut self, op: BinaryOp, ty: TypeId, parts: &[ExprId], span: AstSpan) -> Lowered<ExprId> {
        if self.draft(span)?.is_scratch {
            let unused = self.temporary(ty, span)?;
            return Ok(self.variable_expr(unused));
        }
        let element = self.exprs.ty(parts[0]);
        let name = crate::frontend::complex_helpers::name(op, self.types.get(element), self.types.model);
        let Some(definition) = name.as_deref().and_then(|name| self.parted.helpers.get(name).copied()) else {
            return self.unsupported("product or quotient of complex numbers of this type", span);
        };
        let function = self.helper_function(definition)?;
        let temporary = self.temporary(ty, span)?;
        let result = self.variable_expr(temporary);
        let op = super::draft::DraftOp::Call {
            callee: Callee::Function(function),
            arguments: parts.to_vec(),
            result: Some(result),
        };
        self.emit_draft(op, span)?;
        Ok(result)
    }

    /// `__builtin_complex(re, im)`, and the functions of `<complex.h>` that take numbers apart.
    pub fn complex_builtin(&mut self, name: &str, call: &Node<ast::CallExpression>) -> Lowered<Option<Value>> {
        let kind = match name {
            "creal" | "cimag" | "conj" | "complex" => FloatKind::Double,
            "crealf" | "cimagf" | "conjf" => FloatKind::Float,
            "creall" | "cimagl" | "conjl" => FloatKind::LongDouble,
            _ => return Ok(None),
        };
        let arguments = call.node.arguments.as_slice();
        if let ("complex", [real, imaginary]) = (name, arguments) {
            let (real, imaginary) = self.operands(real, imaginary)?;
            let element = self.exprs.ty(real.expr);
            if !self.types.is_float(element) || self.exprs.ty(imaginary.expr) != element {
                return self.invalid("__builtin_complex needs two floating-point numbers of one type", call.span);
            }
            let ty = self.complex_type(element);
            return Ok(Some(self.build(ty, vec![real.expr, imaginary.expr], call.span)?.into()));
        }
        let [argument] = arguments else {
            return self.invalid(format!("wrong number of arguments for {name}"), call.span);
        };
        let element = self.types.intern(Type::Float(kind));
        let ty = self.complex_type(element);
        if let Some(Symbol::Function(id)) = self.scopes.lookup(name) {
            let declared = self.types.get(self.functions[id.index()].ty);
            if !matches!(declared, Type::Function { parameters, .. } if *parameters == [ty]) {
                return Ok(None);
            }
        }
        let value = self.value(argument)?.expr;
        let value = self.convert(value, ty, argument.span)?;
        let result = match name.as_bytes().get(1) {
            Some(b'r') => self.parts(value)[0],
            Some(b'i') => self.parts(value)[1],
            _ => self.unary_on_parts(&UnaryOperator::Complement, value, call.span)?,
        };
        Ok(Some(result.into()))
    }
}
