//! Values of scalars, how they lie in memory, and the reasons why a run is not a proof.

use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::constant::wrap;
use tandem_plugin_api::program::{Constant, FloatKind, IntKind, Type, TypeId, Types};

/// An offset in bytes into an object. Objects that follow each other in one place have different generations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    pub object: u32,
    pub generation: u32,
    pub offset: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Within the range of its type. A pointer may be a number, too: null, or a number that the program converted.
    Int(i128),
    Float(u128),
    Address(Address),
    Code(FunctionId),
}

/// Why the run proves nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub why: &'static str,
    /// A name that the reason mentions, such as a function's.
    pub name: Option<Box<str>>,
}

pub type Checked<T> = std::result::Result<T, Refusal>;

#[cold]
pub fn refuse<T>(why: &'static str) -> Checked<T> {
    Err(Refusal { why, name: None })
}

/// How a scalar lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Int { size: u8, bits: u8, signed: bool },
    Float { size: u8, kind: FloatKind },
    Pointer { size: u8 },
}

impl Shape {
    pub fn of(types: &Types, ty: TypeId) -> Option<Shape> {
        let size = u8::try_from(types.size_of(ty)?).ok()?;
        match types.get(ty) {
            Type::Int(kind) => Some(Shape::Int { size, bits: kind.bits(types.model) as u8, signed: kind.is_signed() }),
            Type::Float(kind) => Some(Shape::Float { size, kind: *kind }),
            Type::Pointer(_) => Some(Shape::Pointer { size }),
            _ => None,
        }
    }

    pub fn size(self) -> usize {
        match self {
            Shape::Int { size, .. } | Shape::Float { size, .. } | Shape::Pointer { size } => size.into(),
        }
    }

    /// How many bytes hold the value; the rest is padding.
    pub fn held(self) -> usize {
        match self {
            Shape::Float { kind, .. } => mask(kind).count_ones() as usize / 8,
            _ => self.size(),
        }
    }

    /// The value with these bits in memory.
    pub fn value(self, raw: u128) -> Checked<Value> {
        match self {
            Shape::Int { bits: 1, .. } if raw > 1 => refuse("it reads a _Bool that is neither 0 nor 1"),
            Shape::Int { bits, signed, .. } => Ok(Value::Int(wrap(raw as i128, bits.into(), signed))),
            Shape::Float { kind, .. } => Ok(Value::Float(raw & mask(kind))),
            Shape::Pointer { size } => Ok(Value::Int(wrap(raw as i128, u32::from(size) * 8, false))),
        }
    }

    /// The bits of a value in memory. `None` for an address, which has no bits, and for a NaN, whose bits the machine
    /// chooses.
    pub fn bits(self, value: Value) -> Option<u128> {
        match (self, value) {
            (_, Value::Int(value)) => Some(value as u128),
            (Shape::Float { kind, .. }, Value::Float(bits)) if !is_nan(bits, kind) => Some(bits),
            _ => None,
        }
    }
}

/// The bits of a float that count; the rest is padding.
fn mask(kind: FloatKind) -> u128 {
    let bits = match kind {
        FloatKind::Float => 32,
        FloatKind::Double => 64,
        FloatKind::LongDouble => 80,
        FloatKind::Float128 => 128,
    };
    u128::MAX >> (128 - bits)
}

fn is_nan(bits: u128, kind: FloatKind) -> bool {
    // A NaN is the only value that is not equal to itself.
    let equal =
        tandem_plugin_api::program::constant::float_binary(tandem_plugin_api::program::BinaryOp::Eq, bits, bits, kind);
    equal != Some(Constant::Int(1))
}

/// Whether an integer type is `_Bool`.
pub fn is_bool(types: &Types, ty: TypeId) -> bool {
    *types.get(ty) == Type::Int(IntKind::Bool)
}
