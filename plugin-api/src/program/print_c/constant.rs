//! Integer and string constants as C text, and the types that C itself gives to expressions.
//! Those can differ from the model's: `'a'` is an `int`, and a narrow bit-field is promoted to `int`.

use super::super::{DataModel, FloatKind, IntKind, Type, TypeId, Types};

/// The type that C gives to a printed expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CType {
    Int(IntKind),
    Float(FloatKind),
    /// Neither integer nor float: the program's own type.
    Other(TypeId),
    /// A bit-field wider than `int`: gcc computes in a type of just that width, which has no name.
    WideBitField,
    /// The constant 0 where a pointer is wanted.
    Null,
}

impl CType {
    pub(super) fn of(types: &Types, ty: TypeId) -> CType {
        match types.get(ty) {
            Type::Int(kind) => CType::Int(*kind),
            Type::Float(kind) => CType::Float(*kind),
            _ => CType::Other(ty),
        }
    }

    /// After integer promotion (C11 6.3.1.1).
    pub(super) fn promoted(self) -> CType {
        match self {
            CType::Int(kind) if kind.rank() < IntKind::Int.rank() => CType::Int(IntKind::Int),
            other => other,
        }
    }
}

/// The type in which C computes an operator on these operands (C11 6.3.1.8).
pub(super) fn usual_conversions(a: CType, b: CType, model: DataModel) -> Option<CType> {
    match (a.promoted(), b.promoted()) {
        (CType::Float(x), CType::Float(y)) => Some(CType::Float(x.max(y))),
        (CType::Float(x), CType::Int(_)) | (CType::Int(_), CType::Float(x)) => Some(CType::Float(x)),
        (CType::Int(x), CType::Int(y)) => {
            let kind = if x.is_signed() == y.is_signed() {
                if x.rank() >= y.rank() { x } else { y }
            } else {
                let (signed, unsigned) = if x.is_signed() { (x, y) } else { (y, x) };
                if unsigned.rank() >= signed.rank() {
                    unsigned
                } else if signed.bits(model) > unsigned.bits(model) {
                    signed
                } else {
                    signed.to_unsigned()
                }
            };
            Some(CType::Int(kind))
        }
        _ => None,
    }
}

/// Whether every value of `from` is a value of `to`, so that a conversion between them changes nothing.
pub(super) fn preserves_values(types: &Types, from: TypeId, to: TypeId) -> bool {
    let model = types.model;
    match (types.get(from), types.get(to)) {
        (Type::Int(a), Type::Int(b)) => {
            let (x, y) = (a.bits(model), b.bits(model));
            match (a.is_signed(), b.is_signed()) {
                (true, false) => false,
                (false, true) => y > x,
                _ => y >= x,
            }
        }
        (Type::Float(a), Type::Float(b)) => a <= b,
        _ => false,
    }
}

/// An integer constant, and its type in C: types below `int` have no constants.
pub(super) fn integer(value: i128, kind: IntKind, model: DataModel) -> (String, IntKind) {
    use IntKind::*;
    let suffix = match kind {
        Bool | Char | SChar | UChar | Short | UShort => return (value.to_string(), Int),
        Int => "",
        UInt => "U",
        Long => "L",
        ULong => "UL",
        LongLong => "LL",
        ULongLong => "ULL",
        Int128 | UInt128 => return (wide_integer(value, kind), kind),
    };
    let smallest = -(1i128 << (kind.bits(model) - 1));
    let text = if kind.is_signed() && value == smallest {
        // C has no negative constants, and the positive one would be of a wider type.
        format!("(-{}{suffix} - 1)", -(value + 1))
    } else {
        format!("{value}{suffix}")
    };
    (text, kind)
}

fn wide_integer(value: i128, kind: IntKind) -> String {
    let name = kind.c_name();
    if let Ok(small) = i64::try_from(value) {
        return format!("({name}){}", integer(small.into(), IntKind::LongLong, DataModel::Lp64).0);
    }
    let (high, low) = ((value as u128 >> 64) as u64, value as u128 as u64);
    format!("({name})((unsigned __int128){high}ULL << 64 | {low}ULL)")
}

/// A string literal of these bytes.
pub(super) fn string(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for &byte in bytes {
        match byte {
            b'\n' => out.push_str("\\n"),
            b'\t' => out.push_str("\\t"),
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            // Two question marks may begin a trigraph.
            b'?' => out.push_str("\\?"),
            b' '..=b'~' => out.push(byte.into()),
            // Always three digits, so that a digit may follow.
            _ => out.push_str(&format!("\\{byte:03o}")),
        }
    }
    out.push('"');
    out
}
