//! Values of test inputs: bit-exact integers of every width and floats of every format, with their text form.
//! Text is what test suites on disk hold: plain decimal where that is exact, hexadecimal bits where it is not.

use crate::program::{FloatKind, Type, TypeId, Types};
use rustc_apfloat::ieee::{Double, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, Round, StatusAnd};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// The type of an input, as far as its value needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ValueType {
    /// 1 to 128 bits; 1 bit is `_Bool`. Pointers are unsigned.
    Int {
        width: u32,
        signed: bool,
    },
    Float(FloatKind),
}

impl ValueType {
    /// The type of values of a scalar C type; `None` for all others.
    pub fn of(types: &Types, ty: TypeId) -> Option<Self> {
        match types.get(ty) {
            Type::Float(kind) => Some(ValueType::Float(*kind)),
            _ => types.word_shape(ty).map(|(width, signed)| ValueType::Int { width, signed }),
        }
    }

    /// How many bits a value has; 80 for x87's `long double`, whatever its storage is.
    pub fn bits(self) -> u32 {
        match self {
            ValueType::Int { width, .. } => width,
            ValueType::Float(FloatKind::Float) => 32,
            ValueType::Float(FloatKind::Double) => 64,
            ValueType::Float(FloatKind::LongDouble) => 80,
            ValueType::Float(FloatKind::Float128) => 128,
        }
    }

    fn mask(self) -> u128 {
        u128::MAX.checked_shr(128 - self.bits().min(128)).unwrap_or(0)
    }
}

impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueType::Int { width: 1, .. } => f.write_str("_Bool"),
            ValueType::Int { width, signed: true } => write!(f, "{width}-bit signed integer"),
            ValueType::Int { width, signed: false } => write!(f, "{width}-bit unsigned integer"),
            ValueType::Float(kind) => f.write_str(kind.c_name()),
        }
    }
}

/// The value of one input.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum InputValue {
    /// The low `width` bits of `bits`; the others are zero.
    Int { width: u32, signed: bool, bits: u128 },
    /// The bits of the type's own format; the others are zero.
    Float { kind: FloatKind, bits: u128 },
    /// As a file gave it: the input function that reads it decides on the type, see [`InputValue::typed`].
    Text(Arc<str>),
    /// The test says nothing about this input (an underspecified test).
    Any,
}

/// Why a text, or a value of another type, cannot be read as a value of a type.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{text}` is not a value of type {ty}; {help}")]
pub struct ValueError {
    pub text: String,
    pub ty: String,
    pub help: &'static str,
}

const INTEGER_HELP: &str = "write a decimal integer, `0x` and hexadecimal digits, or a character in quotes";
const FLOAT_HELP: &str = "write a decimal number, `inf`, `nan`, or `0x` and the bits in hexadecimal digits";
const MISMATCH_HELP: &str = "the test was made for an input function of another type";

impl InputValue {
    /// A value of `ty` with these bits; bits beyond the type's are dropped.
    pub fn from_bits(ty: ValueType, bits: u128) -> Self {
        let bits = bits & ty.mask();
        match ty {
            ValueType::Int { width, signed } => InputValue::Int { width, signed, bits },
            ValueType::Float(kind) => InputValue::Float { kind, bits },
        }
    }

    /// An integer converted to `width` bits as C does: `_Bool` becomes 0 or 1, all others wrap.
    pub fn integer(width: u32, signed: bool, value: i128) -> Self {
        let bits = if width == 1 { u128::from(value != 0) } else { value as u128 };
        InputValue::from_bits(ValueType::Int { width, signed }, bits)
    }

    pub fn float(value: f32) -> Self {
        InputValue::Float { kind: FloatKind::Float, bits: value.to_bits().into() }
    }

    pub fn double(value: f64) -> Self {
        InputValue::Float { kind: FloatKind::Double, bits: value.to_bits().into() }
    }

    /// The type, where the value has one.
    pub fn value_type(&self) -> Option<ValueType> {
        match *self {
            InputValue::Int { width, signed, .. } => Some(ValueType::Int { width, signed }),
            InputValue::Float { kind, .. } => Some(ValueType::Float(kind)),
            InputValue::Text(_) | InputValue::Any => None,
        }
    }

    /// The bits, where the value has a type.
    pub fn bits(&self) -> Option<u128> {
        match *self {
            InputValue::Int { bits, .. } | InputValue::Float { bits, .. } => Some(bits),
            InputValue::Text(_) | InputValue::Any => None,
        }
    }

    /// The integer that this is, where `i128` can hold it.
    pub fn as_integer(&self) -> Option<i128> {
        match *self {
            InputValue::Int { width, signed: true, bits } => Some(sign_extend(bits, width)),
            InputValue::Int { bits, .. } => bits.try_into().ok(),
            _ => None,
        }
    }

    /// This value as one of `ty`: text is read, integers are converted as C does, and anything else must fit as it is.
    pub fn typed(&self, ty: ValueType) -> Result<InputValue, ValueError> {
        match (self, ty) {
            (InputValue::Any, _) => Ok(InputValue::Any),
            (InputValue::Text(text), _) => Self::parse(text, ty),
            (InputValue::Int { width, signed, bits }, ValueType::Int { width: to_width, signed: to_signed }) => {
                let value = if *signed { sign_extend(*bits, *width) } else { *bits as i128 };
                Ok(Self::integer(to_width, to_signed, value))
            }
            (same, _) if same.value_type() == Some(ty) => Ok(same.clone()),
            (other, _) => Err(ValueError { text: other.to_string(), ty: ty.to_string(), help: MISMATCH_HELP }),
        }
    }

    /// Reads the text form of a value of `ty`. Hexadecimal gives the bits; suffixes such as `1UL` are ignored;
    /// integers out of range wrap as in C.
    pub fn parse(text: &str, ty: ValueType) -> Result<InputValue, ValueError> {
        let trimmed = text.trim();
        let (parsed, help) = match ty {
            ValueType::Int { width, signed } => {
                (parse_integer(trimmed).map(|value| Self::integer(width, signed, value)), INTEGER_HELP)
            }
            ValueType::Float(kind) => {
                (parse_float(trimmed, kind).map(|bits| InputValue::Float { kind, bits }), FLOAT_HELP)
            }
        };
        parsed.ok_or_else(|| ValueError { text: text.to_owned(), ty: ty.to_string(), help })
    }
}

/// The text form. [`InputValue::parse`] gets the same bits from it.
impl fmt::Display for InputValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputValue::Int { width, signed: true, bits } => write!(f, "{}", sign_extend(*bits, *width)),
            InputValue::Int { bits, .. } => write!(f, "{bits}"),
            InputValue::Float { kind, bits } => f.write_str(&float_text(*kind, *bits)),
            InputValue::Text(text) => f.write_str(text),
            InputValue::Any => f.write_str("*"),
        }
    }
}

fn sign_extend(bits: u128, width: u32) -> i128 {
    let unused = 128 - width.clamp(1, 128);
    ((bits << unused) as i128) >> unused
}

/// The value modulo 2^128.
fn parse_integer(text: &str) -> Option<i128> {
    if let Some(quoted) = text.strip_prefix('\'') {
        return parse_character(quoted.strip_suffix('\'')?);
    }
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = digits.trim_end_matches(['u', 'U', 'l', 'L']);
    let magnitude = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => parse_digits(hex, 16)?,
        None => parse_digits(digits, 10)?,
    };
    Some(if negative { (magnitude as i128).wrapping_neg() } else { magnitude as i128 })
}

/// As `from_str_radix`, but without a sign of its own.
fn parse_digits(digits: &str, radix: u32) -> Option<u128> {
    let first = digits.chars().next()?;
    if first.is_digit(radix) { u128::from_str_radix(digits, radix).ok() } else { None }
}

/// The text between single quotes; plain `char` is signed.
fn parse_character(text: &str) -> Option<i128> {
    let byte = match text.strip_prefix('\\') {
        None => match *text.as_bytes() {
            [byte] => byte,
            _ => return None,
        },
        Some("n") => b'\n',
        Some("t") => b'\t',
        Some("r") => b'\r',
        Some("a") => 7,
        Some("b") => 8,
        Some("f") => 12,
        Some("v") => 11,
        Some(same @ ("\\" | "'" | "\"" | "?")) => same.as_bytes()[0],
        Some(code) => match code.strip_prefix('x') {
            Some(hex) => parse_digits(hex, 16)?.try_into().ok()?,
            None if code.len() <= 3 => parse_digits(code, 8)?.try_into().ok()?,
            None => return None,
        },
    };
    Some((byte as i8).into())
}

/// Bits of the sign, the infinity and the quiet NaN of a format.
fn special_bits(kind: FloatKind) -> (u128, u128, u128) {
    match kind {
        FloatKind::Float => (1 << 31, 0x7f80_0000, 0x7fc0_0000),
        FloatKind::Double => (1 << 63, 0x7ff << 52, 0xfff << 51),
        FloatKind::LongDouble => (1 << 79, 0xffff << 63, 0x1_ffff << 62),
        FloatKind::Float128 => (1 << 127, 0x7fff << 112, 0xffff << 111),
    }
}

fn parse_float(text: &str, kind: FloatKind) -> Option<u128> {
    let (sign, infinity, nan) = special_bits(kind);
    let (negative, magnitude) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let sign = if negative { sign } else { 0 };
    let lower = magnitude.to_ascii_lowercase();
    match &*lower {
        "inf" | "infinity" => return Some(sign | infinity),
        "nan" => return Some(sign | nan),
        _ => {}
    }
    if let Some(hex) = lower.strip_prefix("0x").filter(|hex| !hex.contains(['p', '.'])) {
        let bits = parse_digits(hex, 16)?;
        return (!negative && bits & !ValueType::Float(kind).mask() == 0).then_some(bits);
    }
    let number = if lower.starts_with("0x") { lower.trim_end_matches('l') } else { lower.trim_end_matches(['f', 'l']) };
    if !is_number(number) {
        return None;
    }
    let bits = match kind {
        FloatKind::Float => nearest_bits::<Single>(number),
        FloatKind::Double => nearest_bits::<Double>(number),
        FloatKind::LongDouble => nearest_bits::<X87DoubleExtended>(number),
        FloatKind::Float128 => nearest_bits::<Quad>(number),
    }?;
    Some(sign | bits)
}

fn nearest_bits<F: Float>(number: &str) -> Option<u128> {
    let StatusAnd { value, .. } = F::from_str_r(number, Round::NearestTiesToEven).ok()?;
    Some(value.to_bits())
}

/// `digits [. digits] [e exponent]`, or `0x hex-digits [. hex-digits] p exponent`; at least one digit, at most nine in
/// the exponent, which is far beyond what any format can hold.
fn is_number(text: &str) -> bool {
    let (digits, radix, mark) = match text.strip_prefix("0x") {
        Some(hex) => (hex, 16, 'p'),
        None => (text, 10, 'e'),
    };
    let (mantissa, exponent) = match digits.split_once(mark) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (digits, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all_digits = |part: &str, radix| part.chars().all(|c| c.is_digit(radix));
    let exponent_fits = exponent.map_or(radix == 10, |exponent| {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        (1..=9).contains(&exponent.len()) && all_digits(exponent, 10)
    });
    exponent_fits && whole.len() + fraction.len() > 0 && all_digits(whole, radix) && all_digits(fraction, radix)
}

/// Decimal where it reads back as the same bits. Some bits have no decimal: NaNs with a payload, odd x87 patterns.
fn float_text(kind: FloatKind, bits: u128) -> String {
    let (sign, infinity, nan) = special_bits(kind);
    let minus = if bits & sign == 0 { "" } else { "-" };
    let magnitude = bits & !sign;
    let text = if magnitude == infinity {
        format!("{minus}inf")
    } else if magnitude == nan {
        format!("{minus}nan")
    } else if magnitude > infinity {
        String::new()
    } else {
        match kind {
            FloatKind::Float => format!("{:?}", f32::from_bits(bits as u32)),
            FloatKind::Double => format!("{:?}", f64::from_bits(bits as u64)),
            FloatKind::LongDouble => X87DoubleExtended::from_bits(bits).to_string(),
            FloatKind::Float128 => Quad::from_bits(bits).to_string(),
        }
    };
    if parse_float(&text, kind) == Some(bits) { text } else { format!("{bits:#x}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: ValueType = ValueType::Int { width: 32, signed: true };
    const UCHAR: ValueType = ValueType::Int { width: 8, signed: false };
    const BOOL: ValueType = ValueType::Int { width: 1, signed: false };
    const FLOAT: ValueType = ValueType::Float(FloatKind::Float);
    const DOUBLE: ValueType = ValueType::Float(FloatKind::Double);
    const LONG_DOUBLE: ValueType = ValueType::Float(FloatKind::LongDouble);

    fn bits(text: &str, ty: ValueType) -> u128 {
        InputValue::parse(text, ty).unwrap().bits().unwrap()
    }

    #[test]
    fn reads_what_test_suites_hold() {
        assert_eq!(bits("-1", INT), 0xffff_ffff);
        assert_eq!(bits(" 0xFFFFFFFF ", INT), 0xffff_ffff);
        assert_eq!(InputValue::parse("0xFFFFFFFF", INT).unwrap().to_string(), "-1");
        assert_eq!(bits("1UL", INT), 1);
        assert_eq!(bits("4294967303", INT), 7);
        assert_eq!(bits("300", UCHAR), 44);
        assert_eq!(bits("256", BOOL), 1);
        assert_eq!(bits("'a'", INT), 97);
        assert_eq!(bits("'\\n'", INT), 10);
        assert_eq!(bits("'\\xff'", INT), 0xffff_ffff);
        assert_eq!(bits("'\\0'", INT), 0);
        assert_eq!(bits("'\\''", INT), 39);
        assert_eq!(bits("7", DOUBLE), 7f64.to_bits().into());
        assert_eq!(bits("-0.0", FLOAT), 0x8000_0000);
        assert_eq!(bits("1.5f", FLOAT), 1.5f32.to_bits().into());
        assert_eq!(bits("0x1.8p3", DOUBLE), 12f64.to_bits().into());
        assert_eq!(bits("0x3f800000", FLOAT), 1f32.to_bits().into());
        assert_eq!(bits("-Infinity", DOUBLE), f64::NEG_INFINITY.to_bits().into());
        assert_eq!(bits("-nan", FLOAT), 0xffc0_0000);
        assert_eq!(bits("1e999999999", LONG_DOUBLE), 0xffff << 63);
        assert_eq!(bits("1e-999999999", ValueType::Float(FloatKind::Float128)), 0);
        assert_eq!(bits("0.1", LONG_DOUBLE), 0x3ffb_cccc_cccc_cccc_cccd);
    }

    #[test]
    fn writes_plain_decimal_where_that_is_exact() {
        let text = |ty, bits| InputValue::from_bits(ty, bits).to_string();
        assert_eq!(text(ValueType::Int { width: 128, signed: true }, 1 << 127), i128::MIN.to_string());
        assert_eq!(text(ValueType::Int { width: 128, signed: false }, u128::MAX), u128::MAX.to_string());
        assert_eq!(InputValue::float(0.1).to_string(), "0.1");
        assert_eq!(InputValue::double(-0.0).to_string(), "-0.0");
        assert_eq!(InputValue::double(f64::INFINITY).to_string(), "inf");
        assert_eq!(text(FLOAT, 0x7fc0_0000), "nan");
        // A signalling NaN, and an x87 pseudo-denormal: no decimal is the same bits.
        assert_eq!(text(FLOAT, 0x7f80_0001), "0x7f800001");
        assert_eq!(text(LONG_DOUBLE, 1 << 63), "0x8000000000000000");
    }

    #[test]
    fn refuses_what_is_no_value() {
        for text in
            ["", "-", "x", "1.0", "0x", "--1", "+-1", "0x-1", "''", "'ab'", "'é'", "'\\777'", "1 2", &"9".repeat(50)]
        {
            assert!(InputValue::parse(text, INT).is_err(), "{text}");
        }
        for text in ["", ".", "e5", "1e", "0x1ffffffff", "-0x1", "0x1.8", "1e+-5", "infinit", "1_0", "1e9999999999"] {
            assert!(InputValue::parse(text, FLOAT).is_err(), "{text}");
        }
        let message = InputValue::parse("seven", INT).unwrap_err().to_string();
        assert!(message.contains("`seven` is not a value of type 32-bit signed integer"), "{message}");
    }

    #[test]
    fn huge_texts_are_read_quickly() {
        let digits = format!("0.{}", "7".repeat(100_000));
        for kind in [FloatKind::Double, FloatKind::LongDouble, FloatKind::Float128] {
            let _ = InputValue::parse(&digits, ValueType::Float(kind));
        }
    }

    #[test]
    fn converts_integers_as_c_does() {
        let minus_one = InputValue::integer(32, true, -1);
        assert_eq!(minus_one.typed(ValueType::Int { width: 64, signed: false }).unwrap().bits(), Some(u64::MAX.into()));
        assert_eq!(minus_one.typed(BOOL).unwrap().bits(), Some(1));
        assert_eq!(InputValue::integer(8, false, 200).typed(INT).unwrap().as_integer(), Some(200));
        assert_eq!(InputValue::integer(32, true, 511).typed(UCHAR).unwrap().as_integer(), Some(255));
        assert_eq!(InputValue::Any.typed(INT).unwrap(), InputValue::Any);
        assert!(minus_one.typed(FLOAT).is_err() && InputValue::float(1.0).typed(DOUBLE).is_err());
        assert_eq!(InputValue::Text("2".into()).typed(FLOAT).unwrap(), InputValue::float(2.0));
    }
}
