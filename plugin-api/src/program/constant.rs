//! Arithmetic on constants exactly as C computes it for a data model: integers wrap, floats round to nearest even.
//! The one home of constant semantics, for the front end's folding and for analyses that compute with values.

use super::{BinaryOp, FloatKind, Type, TypeId, Types, UnaryOp};
use rustc_apfloat::ieee::{Double, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};
use std::cmp::Ordering;

/// A scalar constant; its type stands beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Constant {
    /// Within the range of its type; a value of `unsigned __int128` is kept as the `i128` with the same bits.
    Int(i128),
    /// Bits in the format of its type.
    Float(u128),
}

/// Runs `$body` with `$F` standing for the format of a float kind.
macro_rules! with_format {
    ($kind:expr, $F:ident => $body:expr) => {
        match $kind {
            FloatKind::Float => {
                type $F = Single;
                $body
            }
            FloatKind::Double => {
                type $F = Double;
                $body
            }
            FloatKind::LongDouble => {
                type $F = X87DoubleExtended;
                $body
            }
            FloatKind::Float128 => {
                type $F = Quad;
                $body
            }
        }
    };
}

impl Constant {
    /// Whether C takes it for true.
    pub fn is_truthy(self, ty: TypeId, types: &Types) -> bool {
        match (self, types.get(ty)) {
            (Constant::Float(bits), Type::Float(kind)) => with_format!(kind, F => !F::from_bits(bits).is_zero()),
            (Constant::Int(value), _) => value != 0,
            (Constant::Float(bits), _) => bits != 0,
        }
    }
}

/// Brings `value` into the range of an integer of this shape by dropping high bits.
pub fn wrap(value: i128, bits: u32, signed: bool) -> i128 {
    if bits >= 128 {
        return value;
    }
    let shift = 128 - bits;
    if signed { (value << shift) >> shift } else { (((value as u128) << shift) >> shift) as i128 }
}

/// A decimal or hexadecimal literal (without suffix), rounded to the nearest value of the format.
pub fn parse_float(text: &str, kind: FloatKind) -> Option<u128> {
    with_format!(kind, F => F::from_str_r(text, Round::NearestTiesToEven).ok().map(|v| v.value.to_bits()))
}

/// Positive infinity.
pub fn infinity(kind: FloatKind) -> u128 {
    with_format!(kind, F => F::INFINITY.to_bits())
}

/// The default quiet NaN.
pub fn nan(kind: FloatKind) -> u128 {
    with_format!(kind, F => F::NAN.to_bits())
}

impl Types {
    /// Brings an integer into the range of an integer or pointer type.
    pub fn wrap(&self, ty: TypeId, value: i128) -> i128 {
        match self.word_shape(ty) {
            Some((bits, signed)) => wrap(value, bits, signed),
            None => value,
        }
    }

    /// `(to) value`; `None` where C leaves the result undefined or the types are not scalars.
    pub fn convert_constant(&self, value: Constant, from: TypeId, to: TypeId) -> Option<Constant> {
        match (value, self.get(from), self.get(to)) {
            (_, _, Type::Int(super::IntKind::Bool)) => Some(Constant::Int(value.is_truthy(from, self).into())),
            (Constant::Int(v), _, Type::Int(_) | Type::Pointer(_)) => Some(Constant::Int(self.wrap(to, v))),
            (Constant::Int(v), _, Type::Float(kind)) => {
                let unsigned = matches!(self.word_shape(from), Some((128, false)));
                Some(Constant::Float(int_to_float(v, unsigned, *kind)))
            }
            (Constant::Float(bits), Type::Float(kind), Type::Float(target)) => {
                Some(Constant::Float(float_to_float(bits, *kind, *target)))
            }
            (Constant::Float(bits), Type::Float(kind), Type::Int(_)) => {
                let (width, signed) = self.word_shape(to)?;
                float_to_int(bits, *kind, width, signed).map(Constant::Int)
            }
            _ => None,
        }
    }

    /// `op value`, the operand being of type `ty` (after promotion).
    pub fn unary_constant(&self, op: UnaryOp, value: Constant, ty: TypeId) -> Option<Constant> {
        Some(match (op, value, self.get(ty)) {
            (UnaryOp::LogicalNot, _, _) => Constant::Int((!value.is_truthy(ty, self)).into()),
            (UnaryOp::Negate, Constant::Int(v), _) => Constant::Int(self.wrap(ty, v.wrapping_neg())),
            (UnaryOp::BitNot, Constant::Int(v), _) => Constant::Int(self.wrap(ty, !v)),
            (UnaryOp::Negate, Constant::Float(bits), Type::Float(kind)) => {
                Constant::Float(with_format!(kind, F => (-F::from_bits(bits)).to_bits()))
            }
            _ => return None,
        })
    }

    /// `a op b`, both of type `ty` (for shifts: `a` is). `None` where C leaves it undefined and machines differ.
    pub fn binary_constant(&self, op: BinaryOp, ty: TypeId, a: Constant, b: Constant) -> Option<Constant> {
        match (a, b, self.get(ty)) {
            (Constant::Int(a), Constant::Int(b), Type::Int(_) | Type::Pointer(_)) => {
                let (bits, signed) = self.word_shape(ty)?;
                int_binary(op, a, b, bits, signed).map(Constant::Int)
            }
            (Constant::Float(a), Constant::Float(b), Type::Float(kind)) => float_binary(op, a, b, *kind),
            _ => None,
        }
    }
}

fn int_binary(op: BinaryOp, a: i128, b: i128, bits: u32, signed: bool) -> Option<i128> {
    use BinaryOp::*;
    let order = if signed { a.cmp(&b) } else { (a as u128).cmp(&(b as u128)) };
    let result = match op {
        Add => a.wrapping_add(b),
        Sub => a.wrapping_sub(b),
        Mul => a.wrapping_mul(b),
        Div | Rem => return divide(op, a, b, bits, signed),
        Shl | Shr if !(0..i128::from(bits)).contains(&b) => return None,
        Shl => a.wrapping_shl(b as u32),
        Shr if signed => a >> b,
        Shr => ((a as u128) >> b) as i128,
        BitAnd => a & b,
        BitOr => a | b,
        BitXor => a ^ b,
        Eq | Ne | Lt | Le | Gt | Ge => return Some(compare(op, Some(order)).into()),
        PointerAdd | PointerDiff => return None,
    };
    Some(wrap(result, bits, signed))
}

fn divide(op: BinaryOp, a: i128, b: i128, bits: u32, signed: bool) -> Option<i128> {
    let overflows = signed && b == -1 && a == wrap(1i128 << (bits - 1), bits, true);
    if b == 0 || overflows {
        return None;
    }
    let (quotient, remainder) = if signed {
        (a.wrapping_div(b), a.wrapping_rem(b))
    } else {
        (((a as u128) / (b as u128)) as i128, ((a as u128) % (b as u128)) as i128)
    };
    Some(if op == BinaryOp::Div { quotient } else { remainder })
}

/// An unordered comparison (with a NaN) is true for `!=` only.
fn compare(op: BinaryOp, order: Option<Ordering>) -> bool {
    use BinaryOp::*;
    match (op, order) {
        (Ne, None) => true,
        (_, None) => false,
        (Eq, Some(o)) => o.is_eq(),
        (Ne, Some(o)) => o.is_ne(),
        (Lt, Some(o)) => o.is_lt(),
        (Le, Some(o)) => o.is_le(),
        (Gt, Some(o)) => o.is_gt(),
        (Ge, Some(o)) => o.is_ge(),
        _ => false,
    }
}

pub fn float_binary(op: BinaryOp, a: u128, b: u128, kind: FloatKind) -> Option<Constant> {
    use BinaryOp::*;
    with_format!(kind, F => {
        let (x, y) = (F::from_bits(a), F::from_bits(b));
        let value = match op {
            Add => (x + y).value,
            Sub => (x - y).value,
            Mul => (x * y).value,
            Div => (x / y).value,
            _ if op.is_comparison() => return Some(Constant::Int(compare(op, x.partial_cmp(&y)).into())),
            _ => return None,
        };
        Some(Constant::Float(value.to_bits()))
    })
}

pub fn int_to_float(value: i128, unsigned: bool, kind: FloatKind) -> u128 {
    let round = Round::NearestTiesToEven;
    with_format!(kind, F => {
        let float = if unsigned { F::from_u128_r(value as u128, round) } else { F::from_i128_r(value, round) };
        float.value.to_bits()
    })
}

pub fn float_to_float(bits: u128, from: FloatKind, to: FloatKind) -> u128 {
    with_format!(from, F => {
        let value = F::from_bits(bits);
        let mut loses = false;
        match to {
            FloatKind::Float => {
                let v: Single = value.convert_r(Round::NearestTiesToEven, &mut loses).value;
                v.to_bits()
            }
            FloatKind::Double => {
                let v: Double = value.convert_r(Round::NearestTiesToEven, &mut loses).value;
                v.to_bits()
            }
            FloatKind::LongDouble => {
                let v: X87DoubleExtended = value.convert_r(Round::NearestTiesToEven, &mut loses).value;
                v.to_bits()
            }
            FloatKind::Float128 => {
                let v: Quad = value.convert_r(Round::NearestTiesToEven, &mut loses).value;
                v.to_bits()
            }
        }
    })
}

/// Truncates; `None` where the value is out of range, which C leaves undefined.
pub fn float_to_int(bits: u128, kind: FloatKind, width: u32, signed: bool) -> Option<i128> {
    let mut exact = false;
    with_format!(kind, F => {
        let value = F::from_bits(bits);
        if signed {
            let result = value.to_i128_r(width as usize, Round::TowardZero, &mut exact);
            (!result.status.contains(rustc_apfloat::Status::INVALID_OP)).then_some(result.value)
        } else {
            let result = value.to_u128_r(width as usize, Round::TowardZero, &mut exact);
            (!result.status.contains(rustc_apfloat::Status::INVALID_OP)).then_some(result.value as i128)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{DataModel, IntKind};

    #[test]
    fn integers_wrap_like_gcc_fwrapv() {
        assert_eq!(int_binary(BinaryOp::Add, i32::MAX.into(), 1, 32, true), Some(i32::MIN.into()));
        assert_eq!(int_binary(BinaryOp::Sub, 0, 1, 32, false), Some(u32::MAX.into()));
        assert_eq!(int_binary(BinaryOp::Div, -7, 2, 32, true), Some(-3));
        assert_eq!(int_binary(BinaryOp::Rem, -7, 2, 32, true), Some(-1));
        assert_eq!(int_binary(BinaryOp::Shr, -8, 1, 32, true), Some(-4));
        assert_eq!(int_binary(BinaryOp::Div, i32::MIN.into(), -1, 32, true), None);
        assert_eq!(int_binary(BinaryOp::Shl, 1, 32, 32, true), None);
    }

    #[test]
    fn floats_agree_with_the_machine() {
        let mut types = Types::new(DataModel::Lp64);
        let double = types.intern(Type::Float(FloatKind::Double));
        let int = types.int(IntKind::Int);
        for (a, b) in [(1.0f64, 3.0f64), (0.1, 0.2), (1e308, 10.0), (-0.0, 5.0), (f64::NAN, 1.0)] {
            let (x, y) = (Constant::Float(a.to_bits().into()), Constant::Float(b.to_bits().into()));
            let division = types.binary_constant(BinaryOp::Div, double, x, y);
            if !(a / b).is_nan() {
                assert_eq!(division, Some(Constant::Float((a / b).to_bits().into())));
            }
            let less = types.binary_constant(BinaryOp::Lt, double, x, y);
            assert_eq!(less, Some(Constant::Int((a < b).into())));
        }
        let negative = Constant::Float((-2.9f64).to_bits().into());
        assert_eq!(types.convert_constant(negative, double, int), Some(Constant::Int(-2)));
        assert_eq!(parse_float("0.1", FloatKind::Double), Some(0.1f64.to_bits().into()));
        assert_eq!(parse_float("0x1.8p1", FloatKind::Float), Some(3.0f32.to_bits().into()));
    }
}
