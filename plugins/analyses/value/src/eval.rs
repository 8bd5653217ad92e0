//! The values of expressions in a state, with the cells that they rest on.

use crate::domain::{Cell, Entry, Object, State, Value};
use crate::facts::Facts;
use std::cell::RefCell;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::{BinaryOp, Constant, ExprKind, IntKind, Storage, Type, TypeId, UnaryOp};

/// Where a place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// This many bytes into an object.
    At(Object, u64),
    /// Some bits of the storage there, which has this many bytes.
    Bits(Object, u64, u64),
    /// Somewhere in this object.
    Within(Object),
    /// Any place that a pointer may point to.
    Anywhere,
}

/// Evaluates in one state.
pub struct Eval<'a> {
    pub facts: &'a Facts,
    pub state: &'a State,
    /// Cells that were read, if they are recorded.
    reads: Option<RefCell<Vec<Cell>>>,
}

impl<'a> Eval<'a> {
    pub fn new(facts: &'a Facts, state: &'a State, record: bool) -> Self {
        Eval { facts, state, reads: record.then(RefCell::default) }
    }

    /// The cells that were read since the last call.
    pub fn take_reads(&self) -> Vec<Cell> {
        self.reads.as_ref().map(RefCell::take).unwrap_or_default()
    }

    fn program(&self) -> &'a Program {
        &self.facts.program
    }

    fn ty(&self, expr: ExprId) -> TypeId {
        self.program().exprs.ty(expr)
    }

    /// Size in bytes of the object at a place of this type.
    pub fn size(&self, ty: TypeId) -> Option<u64> {
        self.program().types.size_of(ty)
    }

    /// The value of a scalar expression, if it is known.
    pub fn value(&self, expr: ExprId) -> Option<Value> {
        let (exprs, types) = (&self.program().exprs, &self.program().types);
        match exprs.kind(expr) {
            ExprKind::Int(value) => Some(Value::Int(value)),
            ExprKind::Float(bits) => Some(Value::Float(bits)),
            ExprKind::Var(_) | ExprKind::Deref(_) | ExprKind::Field { .. } | ExprKind::Index { .. } => {
                self.read(self.place(expr), exprs.ty(expr))
            }
            ExprKind::AddressOf(place) => match (exprs.kind(place), self.place(place)) {
                (ExprKind::Deref(pointer), _) => self.value(pointer),
                (_, Place::At(object, offset)) => Some(Value::Pointer { object, offset: i64::try_from(offset).ok()? }),
                _ => None,
            },
            ExprKind::FunctionAddress(function) => {
                Some(Value::Pointer { object: Object::Function(function), offset: 0 })
            }
            ExprKind::Unary { op, operand } => self.unary(op, operand),
            ExprKind::Binary { op, lhs, rhs } => {
                let (a, b) = (self.value(lhs)?, self.value(rhs)?);
                self.binary(op, a, b, self.ty(lhs))
            }
            ExprKind::Cast(inner) => self.cast(self.value(inner)?, exprs.ty(inner), exprs.ty(expr)),
            ExprKind::Zeroed if types.is_float(exprs.ty(expr)) => Some(Value::Float(0)),
            ExprKind::Zeroed => Some(Value::Int(0)),
            ExprKind::And { lhs, rhs } => self.connective(lhs, rhs, false),
            ExprKind::Or { lhs, rhs } => self.connective(lhs, rhs, true),
            ExprKind::Conditional { condition, then, otherwise } => {
                self.value(if self.truth(condition)? { then } else { otherwise })
            }
        }
    }

    /// Whether an expression is not zero, if that is known.
    pub fn truth(&self, expr: ExprId) -> Option<bool> {
        let value = self.value(expr)?;
        self.is_true(value, self.ty(expr))
    }

    fn connective(&self, lhs: ExprId, rhs: ExprId, decides: bool) -> Option<Value> {
        let sides = [self.truth(lhs), self.truth(rhs)];
        if sides.contains(&Some(decides)) {
            return Some(Value::Int(decides.into()));
        }
        (sides == [Some(!decides); 2]).then(|| Value::Int((!decides).into()))
    }

    fn is_true(&self, value: Value, ty: TypeId) -> Option<bool> {
        let types = &self.program().types;
        match value {
            Value::Int(value) => Some(Constant::Int(value).is_truthy(ty, types)),
            Value::Float(bits) => Some(Constant::Float(bits).is_truthy(ty, types)),
            Value::Pointer { object, offset } => self.is_inside(object, offset, true).then_some(true),
        }
    }

    /// Whether an address is that of a byte of the object, or the one behind it.
    fn is_inside(&self, object: Object, offset: i64, or_behind: bool) -> bool {
        let Ok(offset) = u64::try_from(offset) else { return false };
        let size = match object {
            Object::Variable(variable, _) => self.size(self.program().variable(variable).ty),
            Object::Function(_) => Some(1),
            // The size is not known here; an allocated block has at least a byte of its own.
            Object::Block(..) => Some(1),
        };
        size.is_some_and(|size| offset < size || or_behind && offset == size)
    }

    /// Memory of `alloca` and variable-length arrays: it ends with its block or function, and the next allocation may
    /// get it.
    fn is_on_stack(&self, object: Object) -> bool {
        let Object::Block(edge, _) = object else { return false };
        let function = self.program().called_function(edge).map(|function| &self.program().function(function).name);
        function.is_some_and(|name| name.trim_start_matches("__builtin_") == "alloca")
    }

    fn is_literal(&self, object: Object) -> bool {
        let Object::Variable(variable, _) = object else { return false };
        self.program().variable(variable).storage == Storage::StringLiteral
    }

    fn unary(&self, op: UnaryOp, operand: ExprId) -> Option<Value> {
        let (value, ty) = (self.value(operand)?, self.ty(operand));
        if op == UnaryOp::LogicalNot {
            return Some(Value::Int((!self.is_true(value, ty)?).into()));
        }
        self.program().types.unary_constant(op, constant(value)?, ty).map(of)
    }

    /// `ty` is the type of the left side.
    fn binary(&self, op: BinaryOp, a: Value, b: Value, ty: TypeId) -> Option<Value> {
        let types = &self.program().types;
        match op {
            BinaryOp::PointerAdd => {
                let size = i128::from(self.size(types.pointee(ty)?)?);
                let Value::Int(count) = b else { return None };
                let bytes = count.checked_mul(size)?;
                match a {
                    Value::Int(address) => Some(Value::Int(types.wrap(ty, address.wrapping_add(bytes)))),
                    other => moved(other, bytes),
                }
            }
            BinaryOp::PointerDiff => {
                let size = i128::from(self.size(types.pointee(ty)?)?);
                let distance = match (a, b) {
                    (Value::Int(a), Value::Int(b)) => a - b,
                    (Value::Pointer { object, offset }, Value::Pointer { object: other, offset: start })
                        if object == other =>
                    {
                        i128::from(offset) - i128::from(start)
                    }
                    _ => return None,
                };
                (size > 0 && distance % size == 0).then(|| Value::Int(distance / size))
            }
            _ => match (a, b) {
                (Value::Pointer { .. }, _) | (_, Value::Pointer { .. }) => self.with_addresses(op, a, b, ty),
                _ => types.binary_constant(op, ty, constant(a)?, constant(b)?).map(of),
            },
        }
    }

    /// Arithmetic and comparisons where one side is an address.
    fn with_addresses(&self, op: BinaryOp, a: Value, b: Value, ty: TypeId) -> Option<Value> {
        let is_pointer = self.program().types.is_pointer(ty);
        match (op, a, b) {
            (BinaryOp::Add, address @ Value::Pointer { .. }, Value::Int(n))
            | (BinaryOp::Add, Value::Int(n), address @ Value::Pointer { .. }) => {
                moved(address, self.program().types.wrap(ty, n)).and_then(|value| self.small_step(n, value))
            }
            (BinaryOp::Sub, address @ Value::Pointer { .. }, Value::Int(n)) => {
                moved(address, n.checked_neg()?).and_then(|value| self.small_step(n, value))
            }
            (_, Value::Pointer { object: ours, offset: here }, Value::Pointer { object: theirs, offset: there }) => {
                if ours == theirs {
                    let order = here.cmp(&there);
                    return Some(Value::Int(match op {
                        BinaryOp::Eq => order.is_eq().into(),
                        BinaryOp::Ne => order.is_ne().into(),
                        BinaryOp::Lt if is_pointer => order.is_lt().into(),
                        BinaryOp::Le if is_pointer => order.is_le().into(),
                        BinaryOp::Gt if is_pointer => order.is_gt().into(),
                        BinaryOp::Ge if is_pointer => order.is_ge().into(),
                        BinaryOp::Sub => self.program().types.wrap(ty, i128::from(here) - i128::from(there)),
                        _ => return None,
                    }));
                }
                // The address behind an object may be that of another, and literals may share their memory.
                let literals = self.is_literal(ours) && self.is_literal(theirs);
                let reused = self.is_on_stack(ours) || self.is_on_stack(theirs);
                let apart =
                    self.is_inside(ours, here, false) && self.is_inside(theirs, there, false) && !literals && !reused;
                if apart { distinct(op) } else { None }
            }
            (_, Value::Pointer { object, offset }, Value::Int(0))
            | (_, Value::Int(0), Value::Pointer { object, offset }) => {
                if self.is_inside(object, offset, true) {
                    distinct(op)
                } else {
                    None
                }
            }
            _ => None,
        }
    }

    /// Unsigned integers are never negative: a large one is a step back, and only small steps stay in an object.
    fn small_step(&self, count: i128, moved: Value) -> Option<Value> {
        (count.unsigned_abs() < 1 << 31).then_some(moved)
    }

    pub fn cast(&self, value: Value, from: TypeId, to: TypeId) -> Option<Value> {
        let types = &self.program().types;
        match value {
            Value::Pointer { .. } => match types.get(to) {
                Type::Int(IntKind::Bool) => self.is_true(value, from).map(|truth| Value::Int(truth.into())),
                Type::Pointer(_) | Type::Int(_) if self.size(to) == Some(types.model.word()) => Some(value),
                _ => None,
            },
            _ => types.convert_constant(constant(value)?, from, to).map(of),
        }
    }

    /// The value of a cell, read as this type.
    pub fn read(&self, place: Place, ty: TypeId) -> Option<Value> {
        let Place::At(object, offset) = place else { return None };
        let cell = Cell { object, offset: u32::try_from(offset).ok()? };
        let entry = *self.state.get(&cell)?;
        let value = self.reinterpreted(entry, ty)?;
        if let Some(reads) = &self.reads {
            reads.borrow_mut().push(cell);
        }
        Some(value)
    }

    fn reinterpreted(&self, entry: Entry, ty: TypeId) -> Option<Value> {
        let types = &self.program().types;
        if entry.ty == ty {
            return Some(entry.value);
        }
        if self.size(ty) != Some(entry.size.into()) {
            return None;
        }
        let whole = |ty: TypeId| types.word_shape(ty).is_some_and(|(bits, _)| bits == entry.size * 8);
        if !whole(ty) || !whole(entry.ty) {
            return None;
        }
        match entry.value {
            Value::Int(value) => Some(Value::Int(types.wrap(ty, value))),
            Value::Pointer { .. } => Some(entry.value),
            Value::Float(_) => None,
        }
    }

    /// Where a place is. Cells that decide this are recorded as read.
    pub fn place(&self, expr: ExprId) -> Place {
        let (exprs, types) = (&self.program().exprs, &self.program().types);
        match exprs.kind(expr) {
            ExprKind::Var(variable) => Place::At(self.facts.object(variable, self.state.depth), 0),
            ExprKind::Deref(pointer) => match self.value(pointer) {
                Some(Value::Pointer { object, offset }) if !matches!(object, Object::Function(_)) => {
                    u64::try_from(offset).map_or(Place::Anywhere, |offset| self.checked(object, offset, exprs.ty(expr)))
                }
                _ => Place::Anywhere,
            },
            ExprKind::Field { base, field } => {
                let Type::Composite(composite) = types.get(exprs.ty(base)) else { return Place::Anywhere };
                let Some(field) = types.composite(*composite).fields.get(field as usize) else {
                    return Place::Anywhere;
                };
                match (self.place(base), field.bits) {
                    (Place::At(object, start), Some(bits)) => {
                        let bytes = u64::from(bits.start + bits.width).div_ceil(8);
                        Place::Bits(object, start + field.offset, bytes)
                    }
                    (Place::At(object, start), None) => self.checked(object, start + field.offset, field.ty),
                    (Place::Bits(object, ..), _) => Place::Within(object),
                    (other, _) => other,
                }
            }
            ExprKind::Index { base, index } => {
                let element = exprs.ty(expr);
                match (self.place(base), self.value(index), self.size(element)) {
                    (Place::At(object, start), Some(Value::Int(index)), Some(size)) => {
                        let offset = index.checked_mul(size.into()).and_then(|bytes| bytes.checked_add(start.into()));
                        match offset.and_then(|offset| u64::try_from(offset).ok()) {
                            Some(offset) => self.checked(object, offset, element),
                            None => Place::Anywhere,
                        }
                    }
                    (Place::At(object, _), ..) => Place::Within(object),
                    (other, ..) => other,
                }
            }
            _ => Place::Anywhere,
        }
    }

    /// Outside of its object, a place may be anywhere.
    fn checked(&self, object: Object, offset: u64, ty: TypeId) -> Place {
        let inside = match object {
            Object::Variable(variable, _) => {
                let size = self.size(self.program().variable(variable).ty);
                size.is_none_or(|size| offset.saturating_add(self.size(ty).unwrap_or(0)) <= size)
            }
            Object::Block(..) => offset < 1 << 24,
            Object::Function(_) => false,
        };
        if inside { Place::At(object, offset) } else { Place::Anywhere }
    }
}

fn distinct(op: BinaryOp) -> Option<Value> {
    match op {
        BinaryOp::Eq => Some(Value::Int(0)),
        BinaryOp::Ne => Some(Value::Int(1)),
        _ => None,
    }
}

fn moved(address: Value, bytes: i128) -> Option<Value> {
    let Value::Pointer { object, offset } = address else { return None };
    let offset = i128::from(offset).checked_add(bytes).and_then(|offset| i64::try_from(offset).ok())?;
    // Far outside of all objects, addresses wrap.
    (offset.unsigned_abs() < 1 << 31).then_some(Value::Pointer { object, offset })
}

fn constant(value: Value) -> Option<Constant> {
    match value {
        Value::Int(value) => Some(Constant::Int(value)),
        Value::Float(bits) => Some(Constant::Float(bits)),
        Value::Pointer { .. } => None,
    }
}

fn of(constant: Constant) -> Value {
    match constant {
        Constant::Int(value) => Value::Int(value),
        Constant::Float(bits) => Value::Float(bits),
    }
}
