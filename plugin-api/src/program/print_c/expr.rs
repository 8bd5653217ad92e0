//! Expressions as C text. Invariant: the text has the model's value; its type in C may differ from the model's, and is
//! kept with it, so that a cast is printed exactly where C's own conversions would not lead to the same type.

use super::super::{BinaryOp, ExprId, ExprKind, IntKind, Type, TypeId, UnaryOp, float};
use super::constant::{CType, integer, preserves_values, usual_conversions};
use super::{Names, Printer};

/// How tightly an expression's outermost operator binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Conditional,
    LogicalOr,
    LogicalAnd,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Relation,
    Shift,
    Sum,
    Product,
    /// Unary operators and casts.
    Unary,
    /// Subscripts, members, calls.
    Postfix,
    Primary,
}

#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub text: String,
    pub level: Level,
    pub ty: CType,
}

impl Piece {
    pub(super) fn at_least(self, level: Level) -> String {
        if self.level >= level { self.text } else { format!("({})", self.text) }
    }
}

/// From this nesting on, printing goes on in a thread with room for very deep expressions.
const DEEP: u32 = 200;
const ROOM_FOR_DEEP: usize = 1 << 30;

impl Printer<'_> {
    /// With the model's value, in whatever type is shortest to write.
    pub(super) fn any_type(&mut self, id: ExprId) -> Piece {
        self.depth += 1;
        let piece = if self.depth == DEEP { self.in_deep_thread(id) } else { self.any_type_here(id) };
        self.depth -= 1;
        piece
    }

    fn in_deep_thread(&mut self, id: ExprId) -> Piece {
        let printed = std::thread::scope(|scope| {
            let printer = &mut *self;
            let thread = std::thread::Builder::new().stack_size(ROOM_FOR_DEEP);
            match thread.spawn_scoped(scope, move || printer.any_type_here(id)) {
                Ok(handle) => Some(handle.join()),
                Err(_) => None,
            }
        });
        match printed {
            Some(Ok(piece)) => piece,
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            None => self.any_type_here(id),
        }
    }

    fn any_type_here(&mut self, id: ExprId) -> Piece {
        let expr = self.program.exprs.get(id);
        match expr.kind {
            ExprKind::Int(value) => self.int_constant(value, expr.ty),
            ExprKind::Float(bits) => self.float_constant(bits, expr.ty),
            ExprKind::Var(_) | ExprKind::Deref(_) | ExprKind::Field { .. } | ExprKind::Index { .. } => self.place(id),
            ExprKind::AddressOf(place) => self.address_of(place, expr.ty),
            ExprKind::FunctionAddress(function) => {
                self.used.functions.insert(function);
                self.of_model_type(format!("&{}", self.program.function(function).name), Level::Unary, expr.ty)
            }
            ExprKind::Unary { op, operand } => self.unary(op, operand, expr.ty),
            ExprKind::Binary { op, lhs, rhs } => self.binary(op, lhs, rhs, expr.ty),
            ExprKind::Cast(inner) => self.cast(inner, expr.ty),
            ExprKind::Zeroed => {
                self.need_complete(expr.ty);
                let name = self.declaration(expr.ty, "");
                self.of_model_type(format!("({name}){{0}}"), Level::Postfix, expr.ty)
            }
            ExprKind::And { lhs, rhs } => self.logical(lhs, rhs, " && ", Level::LogicalAnd),
            ExprKind::Or { lhs, rhs } => self.logical(lhs, rhs, " || ", Level::LogicalOr),
            ExprKind::Conditional { condition, then, otherwise } => {
                self.conditional(condition, then, otherwise, expr.ty)
            }
        }
    }

    pub(super) fn of_model_type(&self, text: String, level: Level, ty: TypeId) -> Piece {
        Piece { text, level, ty: CType::of(&self.program.types, ty) }
    }

    /// With the model's value and exactly its type.
    pub(super) fn exact(&mut self, id: ExprId) -> Piece {
        let ty = self.program.exprs.ty(id);
        let piece = self.any_type(id);
        self.converted(piece, ty)
    }

    /// `piece` cast to `ty` unless it has that type.
    pub(super) fn converted(&mut self, piece: Piece, ty: TypeId) -> Piece {
        if piece.ty == CType::of(&self.program.types, ty) || self.program.types.is_aggregate(ty) {
            return piece;
        }
        let text = format!("({}){}", self.declaration(ty, ""), piece.at_least(Level::Unary));
        self.of_model_type(text, Level::Unary, ty)
    }

    /// For contexts that convert as an assignment to an object of the expression's type does.
    pub(super) fn assigned(&mut self, id: ExprId) -> Piece {
        let expr = self.program.exprs.get(id);
        let types = &self.program.types;
        if types.is_pointer(expr.ty) {
            if self.program.exprs.as_int(id) == Some(0) {
                return Piece { text: "0".into(), level: Level::Primary, ty: CType::Null };
            }
            if let ExprKind::Cast(inner) = expr.kind {
                let from = self.program.exprs.ty(inner);
                let is_void = |ty| types.pointee(ty).is_some_and(|target| *types.get(target) == Type::Void);
                if types.is_pointer(from) && (is_void(from) || is_void(expr.ty)) {
                    return self.exact(inner);
                }
            }
            return self.exact(id);
        }
        self.operand(id)
    }

    /// For a place that asks only whether the value is zero.
    pub(super) fn condition(&mut self, id: ExprId) -> Piece {
        let types = &self.program.types;
        let mut at = id;
        while let ExprKind::Cast(inner) = self.program.exprs.kind(at) {
            let (from, to) = (self.program.exprs.ty(inner), self.program.exprs.ty(at));
            let to_bool = *types.get(to) == Type::Int(IntKind::Bool);
            if !to_bool && !preserves_values(types, from, to) {
                break;
            }
            at = inner;
        }
        match self.program.exprs.as_int(at) {
            Some(value) if types.is_pointer(self.program.exprs.ty(at)) => self.null_or_not(value),
            _ => self.any_type(at),
        }
    }

    fn null_or_not(&self, value: i128) -> Piece {
        Piece { text: if value == 0 { "0" } else { "1" }.into(), level: Level::Primary, ty: CType::Int(IntKind::Int) }
    }

    /// Whether the condition is false.
    pub(super) fn negated_condition(&mut self, id: ExprId) -> String {
        if let ExprKind::Unary { op: UnaryOp::LogicalNot, operand } = self.program.exprs.kind(id) {
            return self.condition(operand).text;
        }
        let piece = self.condition(id);
        if piece.level >= Level::Postfix { format!("!{}", piece.text) } else { format!("!({})", piece.text) }
    }

    /// An operand that C converts anyway: without the conversion that the model makes explicit, and in the shortest
    /// type. The caller checks where C's conversions lead.
    pub(super) fn operand(&mut self, id: ExprId) -> Piece {
        let expr = self.program.exprs.get(id);
        match expr.kind {
            ExprKind::Int(value) if self.program.types.is_integer(expr.ty) && i32::try_from(value).is_ok() => {
                let (text, kind) = integer(value, IntKind::Int, self.program.types.model);
                let level = if value < 0 { Level::Unary } else { Level::Primary };
                Piece { text, level, ty: CType::Int(kind) }
            }
            ExprKind::Cast(inner) => {
                let types = &self.program.types;
                let arithmetic = |ty| types.is_integer(ty) || types.is_float(ty);
                if arithmetic(expr.ty) && arithmetic(self.program.exprs.ty(inner)) {
                    let inner = self.without_widening(inner);
                    self.any_type(inner)
                } else {
                    self.any_type(id)
                }
            }
            _ => self.any_type(id),
        }
    }

    /// What [`exact`](Self::exact) prints, from what [`operand`](Self::operand) printed: an expression is printed once,
    /// since trying both forms at each level would take exponential time.
    fn exact_from_operand(&mut self, id: ExprId, operand: &Piece) -> Piece {
        if self.program.exprs.as_int(id).is_some() {
            return self.exact(id);
        }
        self.converted(operand.clone(), self.program.exprs.ty(id))
    }

    /// Below conversions that change no value.
    pub(super) fn without_widening(&self, id: ExprId) -> ExprId {
        let mut at = id;
        while let ExprKind::Cast(inner) = self.program.exprs.kind(at) {
            let exprs = &self.program.exprs;
            if !preserves_values(&self.program.types, exprs.ty(inner), exprs.ty(at)) {
                break;
            }
            at = inner;
        }
        at
    }

    fn int_constant(&mut self, value: i128, ty: TypeId) -> Piece {
        let model = self.program.types.model;
        match self.program.types.get(ty) {
            Type::Int(kind) => {
                let (text, kind) = integer(value, *kind, model);
                let cast = matches!(kind, IntKind::Int128 | IntKind::UInt128);
                let level = if cast || text.starts_with('-') { Level::Unary } else { Level::Primary };
                Piece { text, level, ty: CType::Int(kind) }
            }
            _ => {
                let number = if i32::try_from(value).is_ok() {
                    value.to_string()
                } else {
                    integer(value, IntKind::ULong, model).0
                };
                let text = format!("({}){number}", self.declaration(ty, ""));
                self.of_model_type(text, Level::Unary, ty)
            }
        }
    }

    fn float_constant(&mut self, bits: u128, ty: TypeId) -> Piece {
        let Type::Float(kind) = self.program.types.get(ty) else {
            return self.int_constant(bits as i128, ty);
        };
        let text = match self.names {
            Names::Source => float::to_decimal(bits, *kind),
            Names::Unique | Names::Readable(_) => float::to_c(bits, *kind),
        };
        let level = if text.starts_with('-') { Level::Unary } else { Level::Postfix };
        Piece { text, level, ty: CType::Float(*kind) }
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprId, ty: TypeId) -> Piece {
        if op == UnaryOp::LogicalNot {
            let text = format!("!{}", self.condition(operand).at_least(Level::Unary));
            return Piece { text, level: Level::Unary, ty: CType::Int(IntKind::Int) };
        }
        let wanted = CType::of(&self.program.types, ty);
        let mut piece = self.operand(operand);
        if piece.ty.promoted() != wanted.promoted() {
            piece = self.exact_from_operand(operand, &piece);
        }
        let computed = piece.ty.promoted();
        let symbol = if op == UnaryOp::Negate { "-" } else { "~" };
        let inner = piece.at_least(Level::Unary);
        // `--x` would be a decrement.
        let inner = if inner.starts_with('-') { format!("({inner})") } else { inner };
        let result = Piece { text: format!("{symbol}{inner}"), level: Level::Unary, ty: computed };
        // Below `int`, C computes in `int`; the model wraps in the narrow type.
        if computed == wanted { result } else { self.converted(result, ty) }
    }

    fn binary(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId, ty: TypeId) -> Piece {
        match op {
            BinaryOp::PointerAdd => self.pointer_add(lhs, rhs, ty),
            BinaryOp::PointerDiff => {
                let pointer = self.program.exprs.ty(lhs);
                if let Some(target) = self.program.types.pointee(pointer) {
                    self.need_complete(target);
                }
                let left = self.exact(lhs).at_least(Level::Sum);
                let right = self.exact(rhs).at_least(Level::Product);
                self.of_model_type(format!("{left} - {right}"), Level::Sum, ty)
            }
            BinaryOp::Shl | BinaryOp::Shr => self.shift(op, lhs, rhs, ty),
            _ => self.arithmetic(op, lhs, rhs, ty),
        }
    }

    fn arithmetic(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId, ty: TypeId) -> Piece {
        let level = level_of(op);
        // Comparisons of the same level do not chain in the reader's mind.
        let left_level = if op.is_comparison() { above(level) } else { level };
        let (left, right, computed) = self.both_operands(lhs, rhs);
        let text = format!("{} {} {}", left.at_least(left_level), op.c_symbol(), right.at_least(above(level)));
        if op.is_comparison() {
            return Piece { text, level, ty: CType::Int(IntKind::Int) };
        }
        let result = Piece { text, level, ty: computed };
        if computed == CType::of(&self.program.types, ty) { result } else { self.converted(result, ty) }
    }

    /// The two operands of a model type T, with the fewest casts for which C computes in T too.
    fn both_operands(&mut self, lhs: ExprId, rhs: ExprId) -> (Piece, Piece, CType) {
        let operand_type = self.program.exprs.ty(lhs);
        let wanted = CType::of(&self.program.types, operand_type);
        if self.program.types.is_pointer(operand_type) {
            let is_null = |id| self.program.exprs.as_int(id) == Some(0);
            let left = if is_null(lhs) && !is_null(rhs) { self.assigned(lhs) } else { self.exact(lhs) };
            let right = if is_null(rhs) { self.assigned(rhs) } else { self.exact(rhs) };
            return (left, right, wanted);
        }
        let model = self.program.types.model;
        let (short_left, short_right) = (self.operand(lhs), self.operand(rhs));
        if usual_conversions(short_left.ty, short_right.ty, model) == Some(wanted) {
            return (short_left, short_right, wanted);
        }
        let right = self.exact_from_operand(rhs, &short_right);
        if usual_conversions(short_left.ty, right.ty, model) == Some(wanted) {
            return (short_left, right, wanted);
        }
        let left = self.exact_from_operand(lhs, &short_left);
        if usual_conversions(left.ty, short_right.ty, model) == Some(wanted) {
            return (left, short_right, wanted);
        }
        let computed = usual_conversions(left.ty, right.ty, model).unwrap_or(wanted);
        (left, right, computed)
    }

    fn shift(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId, ty: TypeId) -> Piece {
        let wanted = CType::of(&self.program.types, ty);
        let mut left = self.operand(lhs);
        if left.ty.promoted() != wanted {
            left = self.exact_from_operand(lhs, &left);
        }
        let computed = left.ty.promoted();
        let amount = self.without_widening(rhs);
        let mut right = self.operand_keeping_value(amount);
        if right.ty == CType::WideBitField {
            right = self.exact_from_operand(amount, &right);
        }
        let text = format!("{} {} {}", left.at_least(Level::Shift), op.c_symbol(), right.at_least(above(Level::Shift)));
        let result = Piece { text, level: Level::Shift, ty: computed };
        if computed == wanted { result } else { self.converted(result, ty) }
    }

    /// A constant in its shortest form; anything else with its own value.
    pub(super) fn operand_keeping_value(&mut self, id: ExprId) -> Piece {
        if self.program.exprs.as_int(id).is_some() { self.operand(id) } else { self.any_type(id) }
    }

    fn cast(&mut self, inner: ExprId, ty: TypeId) -> Piece {
        let inner = self.without_widening(inner);
        let arithmetic = self.program.types.is_integer(ty) || self.program.types.is_float(ty);
        let piece = if arithmetic { self.operand_keeping_value(inner) } else { self.any_type(inner) };
        self.converted(piece, ty)
    }

    fn logical(&mut self, lhs: ExprId, rhs: ExprId, symbol: &str, level: Level) -> Piece {
        let left = self.condition(lhs).at_least(level);
        let right = self.condition(rhs).at_least(above(level));
        Piece { text: format!("{left}{symbol}{right}"), level, ty: CType::Int(IntKind::Int) }
    }

    fn conditional(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId, ty: TypeId) -> Piece {
        let condition = self.condition(condition).at_least(Level::LogicalOr);
        let (then, otherwise) = (self.exact(then), self.exact(otherwise));
        let computed = usual_conversions(then.ty, otherwise.ty, self.program.types.model)
            .unwrap_or(CType::of(&self.program.types, ty));
        let text = format!("{condition} ? {} : {}", then.text, otherwise.at_least(Level::Conditional));
        Piece { text, level: Level::Conditional, ty: computed }
    }
}

pub(super) fn level_of(op: BinaryOp) -> Level {
    use BinaryOp::*;
    match op {
        Add | Sub | PointerAdd | PointerDiff => Level::Sum,
        Mul | Div | Rem => Level::Product,
        Shl | Shr => Level::Shift,
        BitAnd => Level::BitAnd,
        BitOr => Level::BitOr,
        BitXor => Level::BitXor,
        Eq | Ne => Level::Equality,
        Lt | Le | Gt | Ge => Level::Relation,
    }
}

/// The next tighter level: what the right operand of a left-associative operator needs.
pub(super) fn above(level: Level) -> Level {
    use Level::*;
    match level {
        Conditional => LogicalOr,
        LogicalOr => LogicalAnd,
        LogicalAnd => BitOr,
        BitOr => BitXor,
        BitXor => BitAnd,
        BitAnd => Equality,
        Equality => Relation,
        Relation => Shift,
        Shift => Sum,
        Sum => Product,
        Product => Unary,
        Unary => Postfix,
        Postfix | Primary => Primary,
    }
}
