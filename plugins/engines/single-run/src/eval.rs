//! Values of prepared expressions in a state. Operations whose result C or the machine leaves open are refused.

use crate::code::{Node, Place};
use crate::memory::Memory;
use crate::value::{Address, Checked, Value, is_bool, refuse};
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::constant::{float_binary, wrap};
use tandem_plugin_api::program::{BinaryOp, Constant, Type, TypeId, UnaryOp};

/// The state in which expressions are evaluated.
pub struct View<'a> {
    pub program: &'a Program,
    pub memory: &'a Memory,
    pub globals: &'a [Address],
    /// The slots of the frame; empty ones are indeterminate.
    pub slots: &'a [Option<Value>],
}

impl View<'_> {
    pub fn value(&self, node: &Node) -> Checked<Value> {
        match node {
            Node::Constant(value) => Ok(*value),
            Node::Register(slot) => match self.slots[*slot as usize] {
                Some(value) => Ok(value),
                None => refuse("it reads an uninitialised variable"),
            },
            Node::Load(place, shape) => self.memory.load(self.place(place)?, *shape),
            Node::LoadBits(place, bits) => self.memory.load_bits(self.place(place)?, *bits),
            Node::AddressOf(place) => self.place(place).map(Value::Address),
            Node::Not(operand) => Ok(Value::Int((!self.is_true(operand)?).into())),
            Node::Negate(operand, ty) => self.negate(self.value(operand)?, *ty),
            Node::BitNot(operand, ty) => self.unary(UnaryOp::BitNot, self.value(operand)?, *ty),
            Node::Int { op, sides, bits, signed, ty } => {
                let (a, b) = (self.number(&sides.0)?, self.number(&sides.1)?);
                self.integers(*op, a, b, (*bits, *signed), *ty)
            }
            Node::Float { op, sides, kind } => match (self.value(&sides.0)?, self.value(&sides.1)?) {
                (Value::Float(a), Value::Float(b)) => known(float_binary(*op, a, b, *kind)),
                _ => refuse("it uses a value as a float that is not one"),
            },
            Node::Compare { op, sides } => self.pointers(*op, self.value(&sides.0)?, self.value(&sides.1)?),
            Node::PointerAdd { sides, size } => {
                let bytes = self.number(&sides.1)?.checked_mul(*size);
                match (self.value(&sides.0)?, bytes) {
                    (Value::Address(at), Some(bytes)) => self.memory.moved(at, bytes).map(Value::Address),
                    (null @ Value::Int(0), Some(0)) => Ok(null),
                    _ => refuse("it moves a pointer that points to no object"),
                }
            }
            Node::PointerDiff { sides, size } => match (self.value(&sides.0)?, self.value(&sides.1)?) {
                (Value::Address(a), Value::Address(b)) if self.memory.same(a, b)?.is_some() && a.object == b.object => {
                    let distance = i128::from(a.offset) - i128::from(b.offset);
                    if distance % size == 0 {
                        Ok(Value::Int(distance / size))
                    } else {
                        refuse("it subtracts pointers between elements")
                    }
                }
                _ => refuse("it subtracts pointers to different objects"),
            },
            Node::Resize { operand, bits, signed } => Ok(Value::Int(wrap(self.number(operand)?, *bits, *signed))),
            Node::Cast { operand, from, to } => self.cast(self.value(operand)?, *from, *to),
            Node::Refused(why) => refuse(why),
        }
    }

    /// An integer.
    pub fn number(&self, node: &Node) -> Checked<i128> {
        match self.value(node)? {
            Value::Int(value) => Ok(value),
            _ => refuse("it computes with an address as with a number"),
        }
    }

    /// Whether a condition holds.
    pub fn is_true(&self, node: &Node) -> Checked<bool> {
        match self.value(node)? {
            Value::Int(value) => Ok(value != 0),
            Value::Float(_) => refuse("it takes a float for a condition"),
            pointer => self.is_not_null(pointer),
        }
    }

    fn is_not_null(&self, pointer: Value) -> Checked<bool> {
        let is_certain = match pointer {
            Value::Int(value) => return Ok(value != 0),
            Value::Address(at) => self.memory.is_not_null(at)?,
            // A function without a body may be a weak symbol.
            Value::Code(function) => self.program.function(function).body.is_some(),
            Value::Float(_) => false,
        };
        if is_certain { Ok(true) } else { refuse("it asks whether something is there that is defined elsewhere") }
    }

    fn negate(&self, value: Value, ty: TypeId) -> Checked<Value> {
        match (value, self.program.types.word_shape(ty)) {
            (Value::Int(number), Some((bits, true))) if number == wrap(1 << (bits - 1), bits, true) => {
                refuse("a signed number overflows")
            }
            _ => self.unary(UnaryOp::Negate, value, ty),
        }
    }

    fn unary(&self, op: UnaryOp, value: Value, ty: TypeId) -> Checked<Value> {
        match constant(value) {
            Some(value) => known(self.program.types.unary_constant(op, value, ty)),
            None => refuse("it computes with an address as with a number"),
        }
    }

    fn integers(&self, op: BinaryOp, a: i128, b: i128, (bits, signed): (u32, bool), ty: TypeId) -> Checked<Value> {
        use BinaryOp::*;
        if bits <= 64 {
            let exact = match op {
                Add => a + b,
                Sub => a - b,
                Mul if signed => a * b,
                Eq => (a == b).into(),
                Ne => (a != b).into(),
                Lt => (a < b).into(),
                Le => (a <= b).into(),
                Gt => (a > b).into(),
                Ge => (a >= b).into(),
                _ => return known(self.program.types.binary_constant(op, ty, Constant::Int(a), Constant::Int(b))),
            };
            let wrapped = wrap(exact, bits, signed);
            if signed && wrapped != exact {
                return refuse("a signed number overflows");
            }
            // The result of a comparison is not truncated.
            return Ok(Value::Int(if op.is_comparison() { exact } else { wrapped }));
        }
        let overflows = match op {
            Add => a.checked_add(b).is_none(),
            Sub => a.checked_sub(b).is_none(),
            Mul => a.checked_mul(b).is_none(),
            _ => false,
        };
        if signed && overflows {
            return refuse("a signed number overflows");
        }
        known(self.program.types.binary_constant(op, ty, Constant::Int(a), Constant::Int(b)))
    }

    /// A comparison of pointers.
    fn pointers(&self, op: BinaryOp, a: Value, b: Value) -> Checked<Value> {
        use BinaryOp::*;
        let order = match (a, b) {
            (Value::Address(a), Value::Address(b)) if op != Eq && op != Ne => {
                if a.object != b.object || self.memory.same(a, b)?.is_none() {
                    return refuse("it compares addresses of different objects");
                }
                a.offset.cmp(&b.offset)
            }
            (Value::Int(a), Value::Int(b)) => a.cmp(&b),
            _ if op != Eq && op != Ne => {
                return refuse("it compares the addresses of functions, or an address with a number");
            }
            _ => return self.are_equal(a, b).map(|equal| Value::Int((equal == (op == Eq)).into())),
        };
        Ok(Value::Int(
            match op {
                Eq => order.is_eq(),
                Ne => order.is_ne(),
                Lt => order.is_lt(),
                Le => order.is_le(),
                Gt => order.is_gt(),
                _ => order.is_ge(),
            }
            .into(),
        ))
    }

    fn are_equal(&self, a: Value, b: Value) -> Checked<bool> {
        let open = "it compares addresses that may be equal or not";
        match (a, b) {
            (Value::Address(a), Value::Address(b)) => match self.memory.same(a, b)? {
                Some(equal) => Ok(equal),
                None => refuse(open),
            },
            (Value::Code(a), Value::Code(b)) => Ok(a == b),
            (pointer @ (Value::Address(_) | Value::Code(_)), Value::Int(0))
            | (Value::Int(0), pointer @ (Value::Address(_) | Value::Code(_))) => {
                self.is_not_null(pointer).map(|not| !not)
            }
            _ => refuse(open),
        }
    }

    fn cast(&self, value: Value, from: TypeId, to: TypeId) -> Checked<Value> {
        let types = &self.program.types;
        if let Some(value) = constant(value) {
            return known(types.convert_constant(value, from, to));
        }
        match types.get(to) {
            Type::Pointer(_) => Ok(value),
            _ if is_bool(types, to) => self.is_not_null(value).map(|truth| Value::Int(truth.into())),
            _ => refuse("it takes an address for a number"),
        }
    }

    pub fn place(&self, place: &Place) -> Checked<Address> {
        match place {
            Place::Frame(slot) => match self.slots[*slot as usize] {
                Some(Value::Address(at)) => Ok(at),
                _ => refuse("it uses a variable before its life begins"),
            },
            Place::Global(number) => Ok(self.globals[*number as usize]),
            Place::Deref(pointer) => match self.value(pointer)? {
                Value::Address(at) => Ok(at),
                _ => refuse("it follows a pointer that points to no object"),
            },
            Place::Field(base, offset) => {
                let at = self.place(base)?;
                Ok(Address { offset: at.offset + *offset as i64, ..at })
            }
            Place::Index { base, index, size, count, behind } => {
                let (at, index) = (self.place(base)?, self.number(index)?);
                if count.is_some_and(|count| index < 0 || index > count || index == count && !behind) {
                    return refuse("it uses an element outside of an array");
                }
                match index.checked_mul(*size) {
                    Some(bytes) => self.memory.moved(at, bytes),
                    None => refuse("it uses an element outside of an array"),
                }
            }
            Place::Refused(why) => refuse(why),
        }
    }
}

fn constant(value: Value) -> Option<Constant> {
    match value {
        Value::Int(value) => Some(Constant::Int(value)),
        Value::Float(bits) => Some(Constant::Float(bits)),
        Value::Address(_) | Value::Code(_) => None,
    }
}

fn known(constant: Option<Constant>) -> Checked<Value> {
    match constant {
        Some(Constant::Int(value)) => Ok(Value::Int(value)),
        Some(Constant::Float(bits)) => Ok(Value::Float(bits)),
        None => refuse("it computes something that C leaves undefined"),
    }
}
