//! Numbers that consist of several: vectors (`vector_size`) and complex numbers. Each is a struct of its parts, so that
//! only the front end has to know them. Here are their types, how they are taken apart and put together.

use super::layout::{Member, Shape, place_members};
use super::{Lowered, Lowerer};
use lang_c::ast;
use lang_c::span::{Node, Span as AstSpan};
use rustc_hash::FxHashMap;
use tandem_plugin_api::program::*;

/// The kind of a type with parts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Numeric {
    pub is_complex: bool,
    pub element: TypeId,
    pub count: u64,
}

#[derive(Default)]
pub(super) struct Parted<'a> {
    types: FxHashMap<TypeId, Numeric>,
    vectors: FxHashMap<(TypeId, u64), TypeId>,
    complexes: FxHashMap<TypeId, TypeId>,
    /// Unions that show the bits of one type as another.
    unions: FxHashMap<(TypeId, TypeId), TypeId>,
    /// Values at file scope, where nothing can be executed: their parts.
    handles: FxHashMap<ExprId, Vec<ExprId>>,
    /// Temporaries whose parts are constants.
    constants: FxHashMap<VarId, Vec<ExprId>>,
    /// Functions of the prelude that are defined when they are first needed.
    pub helpers: FxHashMap<&'a str, &'a Node<ast::FunctionDefinition>>,
}

impl Parted<'_> {
    /// Forgets the parts of an older variable with this number.
    pub fn forget(&mut self, variable: VarId) {
        self.constants.remove(&variable);
    }
}

impl Lowerer<'_> {
    pub fn numeric(&self, ty: TypeId) -> Option<Numeric> {
        self.parted.types.get(&ty).copied()
    }

    pub fn complex_element(&self, ty: TypeId) -> Option<TypeId> {
        self.numeric(ty).filter(|numeric| numeric.is_complex).map(|numeric| numeric.element)
    }

    pub fn is_vector(&self, ty: TypeId) -> bool {
        self.numeric(ty).is_some_and(|numeric| !numeric.is_complex)
    }

    /// `_Alignof`, which for large vectors is less than the alignment of members.
    pub fn standard_alignment(&self, ty: TypeId) -> u64 {
        let own = self.types.align_of(ty);
        if self.is_vector(ty) { own.min(16) } else { own }
    }

    /// Whether a list in braces, rather than one value, initialises an object of this type.
    pub fn takes_list(&self, ty: TypeId) -> bool {
        self.types.is_aggregate(ty) && self.complex_element(ty).is_none()
    }

    pub fn complex_type(&mut self, element: TypeId) -> TypeId {
        if let Some(&known) = self.parted.complexes.get(&element) {
            return known;
        }
        let ty = self.composite_of(&[("re", element), ("im", element)], false, None);
        self.parted.complexes.insert(element, ty);
        self.parted.types.insert(ty, Numeric { is_complex: true, element, count: 2 });
        ty
    }

    /// `vector_size(bytes)` on a type.
    pub fn vector_type(&mut self, element: TypeId, bytes: i128, span: AstSpan) -> Lowered<TypeId> {
        let fits = match *self.types.get(element) {
            Type::Int(kind) => kind != IntKind::Bool && self.narrow(element).is_none(),
            Type::Float(kind) => matches!(kind, FloatKind::Float | FloatKind::Double),
            _ => false,
        };
        let size = i128::from(self.types.size_of(element).unwrap_or(1));
        let count = u64::try_from(bytes / size).unwrap_or(0);
        if !fits || bytes % size != 0 || !count.is_power_of_two() || count > 256 {
            return self.unsupported(format!("vector of {bytes} bytes of this type"), span);
        }
        if let Some(&known) = self.parted.vectors.get(&(element, count)) {
            return Ok(known);
        }
        let array = self.types.intern(Type::Array { element, length: count });
        let align = u64::try_from(bytes).ok();
        let ty = self.composite_of(&[("v", array)], false, align);
        self.parted.vectors.insert((element, count), ty);
        self.parted.types.insert(ty, Numeric { is_complex: false, element, count });
        Ok(ty)
    }

    pub fn has_vectors_of(&self, bytes: u64) -> bool {
        self.parted.vectors.values().any(|&ty| self.types.size_of(ty) == Some(bytes))
    }

    fn composite_of(&mut self, members: &[(&str, TypeId)], is_union: bool, align: Option<u64>) -> TypeId {
        let id = self.new_composite(None, is_union);
        let members = members.iter().map(|&(name, ty)| Member {
            name: name.to_owned(),
            ty,
            bit_width: None,
            type_align: None,
            align,
            packed: false,
        });
        let members = members.collect();
        let mut composite = self.types.composite(id).clone();
        place_members(&self.types, &mut composite, members, Shape { is_union, ..Shape::default() });
        self.types.composites[id.index()] = composite;
        self.types.intern(Type::Composite(id))
    }

    /// The parts of a value: constants where they are known, else the members of the place that the value is.
    pub fn parts(&mut self, value: ExprId) -> Vec<ExprId> {
        let Some(numeric) = self.numeric(self.exprs.ty(value)) else { return vec![value] };
        if let Some(parts) = self.known_parts(value) {
            return parts.to_vec();
        }
        (0..numeric.count).map(|index| self.part_place(value, index)).collect()
    }

    /// The parts of a value that are known without reading memory.
    pub fn known_parts(&self, value: ExprId) -> Option<&[ExprId]> {
        let known = match self.exprs.kind(value) {
            ExprKind::Var(id) => self.parted.constants.get(&id),
            _ => self.parted.handles.get(&value),
        };
        known.map(Vec::as_slice)
    }

    pub fn part_place(&mut self, place: ExprId, index: u64) -> ExprId {
        let ty = self.exprs.ty(place);
        let Type::Composite(id) = *self.types.get(ty) else { return place };
        if self.complex_element(ty).is_some() {
            return self.field(place, id, usize::from(index > 0));
        }
        let int = self.common.int;
        let elements = self.field(place, id, 0);
        let index = self.int_constant(index.into(), int);
        self.index(elements, index)
    }

    /// A value with these parts: a temporary, or at file scope a mere handle that initialisers take apart again.
    pub fn build(&mut self, ty: TypeId, parts: Vec<ExprId>, span: AstSpan) -> Lowered<ExprId> {
        if self.current.is_none() && !self.one_expression {
            let (size, number) = (self.common.size, self.parted.handles.len() as i128);
            let number = self.int_constant(number, size);
            // No program has a cast to a struct.
            let handle = self.exprs.intern(ExprKind::Cast(number), ty);
            self.parted.handles.insert(handle, parts);
            return Ok(handle);
        }
        let temporary = self.temporary(ty, span)?;
        let place = self.variable_expr(temporary);
        for (index, &part) in parts.iter().enumerate() {
            let target = self.part_place(place, index as u64);
            self.assign(target, part, span)?;
        }
        if parts.iter().all(|&part| self.as_constant(part).is_some()) {
            self.parted.constants.insert(temporary, parts);
        }
        Ok(place)
    }

    /// The same value, saved if several parts are computed from it.
    pub fn shared(&mut self, value: ExprId, span: AstSpan) -> Lowered<ExprId> {
        if self.as_constant(value).is_some() || self.current.is_none() { Ok(value) } else { self.save(value, span) }
    }

    /// The bits of a value as another type of the same size.
    pub fn reinterpret(&mut self, value: ExprId, to: TypeId, span: AstSpan) -> Lowered<ExprId> {
        let from = self.exprs.ty(value);
        let union = match self.parted.unions.get(&(from, to)) {
            Some(&union) => union,
            None => {
                let union = self.composite_of(&[("from", from), ("to", to)], true, None);
                self.parted.unions.insert((from, to), union);
                union
            }
        };
        let Type::Composite(id) = *self.types.get(union) else { return Ok(value) };
        let temporary = self.temporary(union, span)?;
        let place = self.variable_expr(temporary);
        let member = self.field(place, id, 0);
        self.assign(member, value, span)?;
        Ok(self.field(place, id, 1))
    }

    /// Conversions from and to numbers with parts; `None` where C has none of these.
    pub fn convert_parts(&mut self, value: ExprId, to: TypeId, span: AstSpan) -> Lowered<Option<ExprId>> {
        let from = self.exprs.ty(value);
        let is_number = |ty| self.types.is_integer(ty) || self.types.is_float(ty);
        match (self.numeric(from), self.numeric(to)) {
            (Some(a), Some(b)) if a.is_complex && b.is_complex => {
                let parts = self.parts(value).into_iter().map(|part| self.cast(part, b.element)).collect();
                self.build(to, parts, span).map(Some)
            }
            (None, Some(b)) if b.is_complex && is_number(from) => {
                let real = self.cast(value, b.element);
                let zero = self.zero_of(b.element);
                self.build(to, vec![real, zero], span).map(Some)
            }
            (Some(a), None) if a.is_complex && is_number(to) => {
                if matches!(self.types.get(to), Type::Int(IntKind::Bool)) {
                    let truth = self.complex_truth(value);
                    return Ok(Some(self.cast(truth, to)));
                }
                let real = self.parts(value)[0];
                Ok(Some(self.cast(real, to)))
            }
            (Some(a), other) if !a.is_complex => self.convert_vector(value, a, to, other, span),
            (None, Some(b)) if !b.is_complex && self.types.is_integer(from) => {
                let same = self.types.size_of(from) == self.types.size_of(to);
                if same { self.reinterpret(value, to, span).map(Some) } else { Ok(None) }
            }
            _ => Ok(None),
        }
    }

    fn convert_vector(
        &mut self,
        value: ExprId,
        from: Numeric,
        to: TypeId,
        other: Option<Numeric>,
        span: AstSpan,
    ) -> Lowered<Option<ExprId>> {
        let same_size = self.types.size_of(self.exprs.ty(value)) == self.types.size_of(to);
        let is_vector = other.is_some_and(|other| !other.is_complex);
        if !same_size || !is_vector && !self.types.is_integer(to) {
            return Ok(None);
        }
        let both_integers = |other: &Numeric| {
            from.count == other.count && self.types.is_integer(from.element) && self.types.is_integer(other.element)
        };
        match other.filter(both_integers) {
            Some(other) => {
                let parts = self.parts(value).into_iter().map(|part| self.cast(part, other.element)).collect();
                self.build(to, parts, span).map(Some)
            }
            None => self.reinterpret(value, to, span).map(Some),
        }
    }

    pub fn zero_of(&mut self, ty: TypeId) -> ExprId {
        match self.types.is_float(ty) {
            true => self.exprs.intern(ExprKind::Float(0), ty),
            false => self.int_constant(0, ty),
        }
    }

    /// `- ~ +` on a number with parts.
    pub fn unary_on_parts(&mut self, op: &ast::UnaryOperator, value: ExprId, span: AstSpan) -> Lowered<ExprId> {
        let ty = self.exprs.ty(value);
        let Some(numeric) = self.numeric(ty) else { return Ok(value) };
        let op = match op {
            ast::UnaryOperator::Minus => UnaryOp::Negate,
            ast::UnaryOperator::Complement => UnaryOp::BitNot,
            _ => return Ok(value),
        };
        if op == UnaryOp::BitNot && !numeric.is_complex && self.types.is_float(numeric.element) {
            return self.invalid("`~` on a vector of floating-point numbers", span);
        }
        let conjugate = numeric.is_complex && op == UnaryOp::BitNot;
        let mut parts = self.parts(value);
        for (index, part) in parts.iter_mut().enumerate() {
            if conjugate && index == 0 {
                continue;
            }
            let op = if conjugate { UnaryOp::Negate } else { op };
            let promoted = self.promote(*part);
            let result = self.unary(op, promoted);
            *part = self.cast(result, numeric.element);
        }
        self.build(ty, parts, span)
    }

    /// A binary operator of which at least one operand has parts.
    pub fn binary_on_parts(&mut self, op: BinaryOp, a: ExprId, b: ExprId, span: AstSpan) -> Lowered<ExprId> {
        let is_vector = self.is_vector(self.exprs.ty(a)) || self.is_vector(self.exprs.ty(b));
        if is_vector { self.vector_binary(op, a, b, span) } else { self.complex_binary(op, a, b, span) }
    }
}
