//! Places as C text: variables, members, elements, what pointers point to, and their addresses.

use super::super::{BinaryOp, ExprId, ExprKind, IntKind, Storage, Type, TypeId, UnaryOp, VarId};
use super::constant::{CType, preserves_values, string};
use super::expr::{Level, Piece, above};
use super::initializer::bytes_of_string;
use super::{Names, Printer};

impl Printer<'_> {
    pub(super) fn place(&mut self, id: ExprId) -> Piece {
        let expr = self.program.exprs.get(id);
        self.need_complete(expr.ty);
        match expr.kind {
            ExprKind::Var(variable) => self.variable(variable),
            ExprKind::Deref(pointer) => self.deref(pointer, expr.ty),
            ExprKind::Field { base, field } => self.field(base, field, expr.ty),
            ExprKind::Index { base, index } => {
                let base = self.any_type(base).at_least(Level::Postfix);
                let index = self.subscript(index);
                self.of_model_type(format!("{base}[{index}]"), Level::Postfix, expr.ty)
            }
            _ => self.any_type(id),
        }
    }

    fn variable(&mut self, id: VarId) -> Piece {
        let variable = self.program.variable(id);
        self.used.variables.insert(id);
        let text = match self.names {
            Names::Unique => variable.unique_name.clone(),
            Names::Readable(function) => {
                self.program.name_in(id, function).unwrap_or_else(|| variable.unique_name.clone())
            }
            Names::Source if variable.storage == Storage::StringLiteral => {
                bytes_of_string(self.program, id).map_or_else(|| variable.name.clone(), |bytes| string(&bytes))
            }
            Names::Source => variable.name.clone(),
        };
        self.of_model_type(text, Level::Primary, variable.ty)
    }

    fn deref(&mut self, pointer: ExprId, ty: TypeId) -> Piece {
        match self.program.exprs.kind(pointer) {
            ExprKind::AddressOf(place) if self.program.exprs.ty(place) == ty => return self.any_type(place),
            ExprKind::Binary { op: BinaryOp::PointerAdd, lhs, rhs } if self.points_to(lhs, ty) => {
                let base = self.pointer_to(lhs, ty, Level::Postfix);
                let index = self.subscript(rhs);
                return self.of_model_type(format!("{base}[{index}]"), Level::Postfix, ty);
            }
            _ => {}
        }
        let text = format!("*{}", self.pointer_to(pointer, ty, Level::Unary));
        self.of_model_type(text, Level::Unary, ty)
    }

    fn points_to(&self, pointer: ExprId, target: TypeId) -> bool {
        self.program.types.pointee(self.program.exprs.ty(pointer)) == Some(target)
    }

    /// A pointer whose target in C has just this type.
    fn pointer_to(&mut self, pointer: ExprId, target: TypeId, level: Level) -> String {
        let piece = self.exact(pointer);
        if self.points_to(pointer, target) {
            return piece.at_least(level);
        }
        let name = match self.program.types.get(target) {
            Type::Array { .. } | Type::IncompleteArray { .. } | Type::Function { .. } => {
                self.declaration(target, "(*)")
            }
            _ => self.declaration(target, "*"),
        };
        let text = format!("({name}){}", piece.at_least(Level::Unary));
        if level > Level::Unary { format!("({text})") } else { text }
    }

    fn field(&mut self, base: ExprId, index: u32, ty: TypeId) -> Piece {
        let Type::Composite(id) = *self.program.types.get(self.program.exprs.ty(base)) else {
            return self.any_type(base);
        };
        let composite = self.program.types.composite(id);
        let name = self.field_name(composite, index as usize);
        let base_piece = self.member_base(base);
        // Members of anonymous members are named as if they were the outer's own.
        let text = if name.is_empty() { base_piece } else { format!("{base_piece}{name}") };
        let bits = composite.fields.get(index as usize).and_then(|field| field.bits);
        let mut piece = self.of_model_type(text, Level::Postfix, ty);
        if let (Some(bits), Type::Int(kind)) = (bits, self.program.types.get(ty)) {
            if bits.width < 32 {
                piece.ty = CType::Int(IntKind::Int);
            } else if bits.width != kind.bits(self.program.types.model) {
                piece.ty = CType::WideBitField;
            }
        }
        piece
    }

    /// `base.` or `base->`.
    fn member_base(&mut self, base: ExprId) -> String {
        let ty = self.program.exprs.ty(base);
        self.need_complete(ty);
        match self.program.exprs.kind(base) {
            ExprKind::Field { base: outer, field } => {
                if let Type::Composite(id) = *self.program.types.get(self.program.exprs.ty(outer))
                    && self.field_name(self.program.types.composite(id), field as usize).is_empty()
                {
                    return self.member_base(outer);
                }
            }
            ExprKind::Deref(pointer) => {
                let is_element = matches!(
                    self.program.exprs.kind(pointer),
                    ExprKind::Binary { op: BinaryOp::PointerAdd, .. } | ExprKind::AddressOf(_)
                );
                if !is_element {
                    return format!("{}->", self.pointer_to(pointer, ty, Level::Postfix));
                }
            }
            _ => {}
        }
        format!("{}.", self.any_type(base).at_least(Level::Postfix))
    }

    /// An index: C scales any integer type alike, so conversions that keep the value, or only wrap at the width of
    /// pointers, need not be printed.
    fn subscript(&mut self, id: ExprId) -> String {
        let at = self.index_without_conversion(id);
        let piece = self.operand_keeping_value(at);
        if piece.ty == CType::WideBitField { self.exact(at).text } else { piece.text }
    }

    fn index_without_conversion(&self, id: ExprId) -> ExprId {
        let types = &self.program.types;
        let pointer_bits = types.model.word() as u32 * 8;
        let mut at = id;
        while let ExprKind::Cast(inner) = self.program.exprs.kind(at) {
            let (from, to) = (self.program.exprs.ty(inner), self.program.exprs.ty(at));
            let wraps_alike = |ty| types.is_integer(ty) && types.word_shape(ty).is_some_and(|s| s.0 == pointer_bits);
            if !(preserves_values(types, from, to) || wraps_alike(from) && wraps_alike(to)) {
                break;
            }
            at = inner;
        }
        at
    }

    pub(super) fn address_of(&mut self, place: ExprId, ty: TypeId) -> Piece {
        let exprs = &self.program.exprs;
        let target = self.program.types.pointee(ty);
        let piece = match exprs.kind(place) {
            ExprKind::Deref(pointer) if exprs.ty(pointer) == ty => return self.any_type(pointer),
            // An array decays by itself.
            ExprKind::Index { base, index } if exprs.as_int(index) == Some(0) && target == Some(exprs.ty(place)) => {
                let array = self.any_type(base);
                return self.of_model_type(array.text, array.level, ty);
            }
            _ => self.any_type(place),
        };
        let text = format!("&{}", piece.at_least(Level::Unary));
        if target == Some(self.program.exprs.ty(place)) {
            return self.of_model_type(text, Level::Unary, ty);
        }
        let name = self.declaration(ty, "");
        self.of_model_type(format!("({name}){text}"), Level::Unary, ty)
    }

    pub(super) fn pointer_add(&mut self, pointer: ExprId, offset: ExprId, ty: TypeId) -> Piece {
        if let Some(target) = self.program.types.pointee(ty) {
            self.need_complete(target);
        }
        let base = self.exact(pointer).at_least(Level::Sum);
        let offset = self.index_without_conversion(offset);
        let exprs = &self.program.exprs;
        let text = match exprs.kind(offset) {
            ExprKind::Int(value) if value < 0 && value > i32::MIN.into() => format!("{base} - {}", -value),
            // Negated in a narrower type, the smallest number would stay negative.
            ExprKind::Unary { op: UnaryOp::Negate, operand }
                if self.program.types.size_of(exprs.ty(offset)) == Some(self.program.types.model.word()) =>
            {
                let operand = self.index_without_conversion(operand);
                let amount = self.operand_keeping_value(operand).at_least(above(Level::Sum));
                format!("{base} - {amount}")
            }
            _ => format!("{base} + {}", self.subscript_operand(offset)),
        };
        self.of_model_type(text, Level::Sum, ty)
    }

    fn subscript_operand(&mut self, id: ExprId) -> String {
        let piece = self.operand_keeping_value(id);
        let piece = if piece.ty == CType::WideBitField { self.exact(id) } else { piece };
        piece.at_least(above(Level::Sum))
    }
}
