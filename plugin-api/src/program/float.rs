//! Floating-point constants as the bits of their own format: reading and printing C literals, and constant arithmetic.
//! Bit-exact for all four formats of C on x86, independent of the machine that tandem runs on.

use super::expr::BinaryOp;
use super::types::FloatKind;
use rustc_apfloat::ieee::{Double, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};
use std::cmp::Ordering;
use std::fmt::Write;

/// Runs `$body` with `$format` naming the type that computes in the format of `$kind`.
macro_rules! in_format {
    ($kind:expr, $format:ident => $body:expr) => {
        match $kind {
            FloatKind::Float => {
                type $format = Single;
                $body
            }
            FloatKind::Double => {
                type $format = Double;
                $body
            }
            FloatKind::LongDouble => {
                type $format = X87DoubleExtended;
                $body
            }
            FloatKind::Float128 => {
                type $format = Quad;
                $body
            }
        }
    };
}

/// Reads a decimal or hexadecimal constant without its suffix, rounded to nearest as gcc does.
pub fn parse(text: &str, kind: FloatKind) -> Option<u128> {
    in_format!(kind, F => Some(F::from_str_r(text, Round::NearestTiesToEven).ok()?.value.to_bits()))
}

/// Reads a constant with its suffix, which says the format. Suffixes of imaginary, decimal and half-precision
/// constants are refused.
pub fn parse_literal(text: &str) -> Option<(FloatKind, u128)> {
    let lower = text.to_ascii_lowercase();
    let hexadecimal = lower.starts_with("0x");
    let (digits, kind) = if let Some(rest) = lower.strip_suffix("f128").or_else(|| lower.strip_suffix('q')) {
        (rest, FloatKind::Float128)
    } else if let Some(rest) = lower.strip_suffix("f64x").or_else(|| lower.strip_suffix(['l', 'w'])) {
        (rest, FloatKind::LongDouble)
    } else if let Some(rest) = lower.strip_suffix("f64").or_else(|| lower.strip_suffix("f32x")) {
        (rest, FloatKind::Double)
    } else if let Some(rest) = lower.strip_suffix("f32") {
        (rest, FloatKind::Float)
    } else if let Some(rest) = lower.strip_suffix('f').filter(|rest| !hexadecimal || rest.contains('p')) {
        (rest, FloatKind::Float)
    } else {
        (lower.as_str(), FloatKind::Double)
    };
    Some((kind, parse(digits, kind)?))
}

/// A C expression with exactly these bits: a hexadecimal constant with its suffix, or a built-in for NaN and infinity.
pub fn to_c(bits: u128, kind: FloatKind) -> String {
    let parts = Parts::of(bits, kind);
    let mut out = String::new();
    if parts.negative {
        out.push('-');
    }
    let suffix = literal_suffix(kind);
    let builtin = builtin_suffix(kind);
    match parts.class {
        Class::Infinite => {
            let _ = write!(out, "__builtin_inf{builtin}()");
        }
        Class::Nan { quiet, payload: 0 } if quiet => {
            let _ = write!(out, "__builtin_nan{builtin}(\"\")");
        }
        Class::Nan { quiet, payload } => {
            let name = if quiet { "nan" } else { "nans" };
            let _ = write!(out, "__builtin_{name}{builtin}(\"{payload:#x}\")");
        }
        Class::Finite { significand: 0, .. } => {
            let _ = write!(out, "0.0{suffix}");
        }
        Class::Finite { significand, exponent } => {
            let top = 127 - significand.leading_zeros();
            let fraction = (significand << (127 - top)) << 1;
            out.push_str("0x1");
            if fraction != 0 {
                let digits = format!("{fraction:032x}");
                let _ = write!(out, ".{}", digits.trim_end_matches('0'));
            }
            let _ = write!(out, "p{:+}{suffix}", exponent + top as i32);
        }
    }
    out
}

/// For people: the shortest decimal constant that reads back as these bits where there is one, else like [`to_c`].
pub fn to_decimal(bits: u128, kind: FloatKind) -> String {
    let shortest = match kind {
        FloatKind::Float => format!("{:?}", f32::from_bits(bits as u32)),
        FloatKind::Double => format!("{:?}", f64::from_bits(bits as u64)),
        FloatKind::LongDouble => format!("{}", X87DoubleExtended::from_bits(bits)),
        FloatKind::Float128 => format!("{}", Quad::from_bits(bits)),
    };
    let with_point = if shortest.contains(['.', 'e', 'E']) { shortest } else { format!("{shortest}.0") };
    if parse(&with_point, kind) == Some(bits) { with_point + literal_suffix(kind) } else { to_c(bits, kind) }
}

fn literal_suffix(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Float => "f",
        FloatKind::Double => "",
        FloatKind::LongDouble => "L",
        FloatKind::Float128 => "F128",
    }
}

fn builtin_suffix(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Float => "f",
        FloatKind::Double => "",
        FloatKind::LongDouble => "l",
        FloatKind::Float128 => "f128",
    }
}

/// The same number in another format, rounded to nearest.
pub fn convert(bits: u128, from: FloatKind, to: FloatKind) -> u128 {
    let mut loses = false;
    in_format!(from, F => in_format!(to, T => convert_between::<F, T>(bits, &mut loses)))
}

fn convert_between<F: Float + FloatConvert<T>, T: Float>(bits: u128, loses: &mut bool) -> u128 {
    F::from_bits(bits).convert_r(Round::NearestTiesToEven, loses).value.to_bits()
}

/// The nearest number to an integer.
pub fn from_int(value: i128, to: FloatKind) -> u128 {
    in_format!(to, F => F::from_i128_r(value, Round::NearestTiesToEven).value.to_bits())
}

/// The nearest number to an unsigned integer.
pub fn from_unsigned(value: u128, to: FloatKind) -> u128 {
    in_format!(to, F => F::from_u128_r(value, Round::NearestTiesToEven).value.to_bits())
}

/// Truncated towards zero; `None` for NaN, infinities and what the integer type cannot hold (undefined in C).
/// An unsigned 128-bit result is given as its bits.
pub fn to_int(bits: u128, from: FloatKind, width: u32, signed: bool) -> Option<i128> {
    let mut exact = false;
    in_format!(from, F => {
        let number = F::from_bits(bits);
        if !number.is_finite() {
            return None;
        }
        if signed {
            let result = number.to_i128_r(width as usize, Round::TowardZero, &mut exact);
            (!result.status.contains(rustc_apfloat::Status::INVALID_OP)).then_some(result.value)
        } else {
            let result = number.to_u128_r(width as usize, Round::TowardZero, &mut exact);
            (!result.status.contains(rustc_apfloat::Status::INVALID_OP)).then_some(result.value as i128)
        }
    })
}

/// `a op b` for the four arithmetic operators; `None` for others.
pub fn arithmetic(op: BinaryOp, kind: FloatKind, a: u128, b: u128) -> Option<u128> {
    let round = Round::NearestTiesToEven;
    in_format!(kind, F => {
        let (a, b) = (F::from_bits(a), F::from_bits(b));
        let result = match op {
            BinaryOp::Add => a.add_r(b, round),
            BinaryOp::Sub => a.sub_r(b, round),
            BinaryOp::Mul => a.mul_r(b, round),
            BinaryOp::Div => a.div_r(b, round),
            _ => return None,
        };
        Some(result.value.to_bits())
    })
}

/// How two numbers compare; `None` if one is NaN.
pub fn compare(kind: FloatKind, a: u128, b: u128) -> Option<Ordering> {
    in_format!(kind, F => F::from_bits(a).partial_cmp(&F::from_bits(b)))
}

/// `-a`, which for NaN flips the sign bit too.
pub fn negate(kind: FloatKind, a: u128) -> u128 {
    a ^ (1 << Format::of(kind).sign_bit())
}

/// Either zero.
pub fn is_zero(kind: FloatKind, a: u128) -> bool {
    a & ((1 << Format::of(kind).sign_bit()) - 1) == 0
}

/// Where the fields of a format stand.
struct Format {
    /// Bits below the exponent, an explicit integer bit included.
    significand_bits: u32,
    exponent_bits: u32,
    /// x87 stores the bit before the binary point.
    explicit_integer_bit: bool,
}

impl Format {
    fn of(kind: FloatKind) -> Format {
        let (significand_bits, exponent_bits) = match kind {
            FloatKind::Float => (23, 8),
            FloatKind::Double => (52, 11),
            FloatKind::LongDouble => (64, 15),
            FloatKind::Float128 => (112, 15),
        };
        Format { significand_bits, exponent_bits, explicit_integer_bit: kind == FloatKind::LongDouble }
    }

    fn sign_bit(&self) -> u32 {
        self.significand_bits + self.exponent_bits
    }

    /// Bits after the binary point.
    fn fraction_bits(&self) -> u32 {
        self.significand_bits - u32::from(self.explicit_integer_bit)
    }
}

struct Parts {
    negative: bool,
    class: Class,
}

enum Class {
    Infinite,
    Nan {
        quiet: bool,
        payload: u128,
    },
    /// significand × 2^exponent
    Finite {
        significand: u128,
        exponent: i32,
    },
}

impl Parts {
    fn of(bits: u128, kind: FloatKind) -> Parts {
        let format = Format::of(kind);
        let negative = bits >> format.sign_bit() & 1 == 1;
        let largest = (1u128 << format.exponent_bits) - 1;
        let biased = bits >> format.significand_bits & largest;
        let stored = bits & ((1 << format.significand_bits) - 1);
        let fraction = stored & ((1 << format.fraction_bits()) - 1);
        let class = if biased == largest {
            let quiet_bit = 1 << (format.fraction_bits() - 1);
            match fraction {
                0 => Class::Infinite,
                _ => Class::Nan { quiet: fraction & quiet_bit != 0, payload: fraction & (quiet_bit - 1) },
            }
        } else {
            let bias = (largest >> 1) as i32;
            let implicit = u128::from(biased != 0 && !format.explicit_integer_bit) << format.fraction_bits();
            let exponent = (biased.max(1) as i32) - bias - format.fraction_bits() as i32;
            Class::Finite { significand: stored | implicit, exponent }
        };
        Parts { negative, class }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use FloatKind::*;

    #[test]
    fn literals_have_the_format_of_their_suffix() {
        assert_eq!(parse_literal("1.5f"), Some((Float, 1.5f32.to_bits().into())));
        assert_eq!(parse_literal("0x1.8p1"), Some((Double, 3f64.to_bits().into())));
        assert_eq!(parse_literal("0x1.fp1F"), Some((Float, 3.875f32.to_bits().into())));
        assert_eq!(parse_literal("1e400"), Some((Double, f64::INFINITY.to_bits().into())));
        assert_eq!(parse_literal("1.L"), Some((LongDouble, 0x3fff_8000_0000_0000_0000)));
        assert_eq!(parse_literal(".5q"), Some((Float128, 0x3ffe << 112)));
        assert_eq!(parse_literal("1e-45f"), Some((Float, 1)));
        assert_eq!(parse_literal("abc"), None);
        assert_eq!(parse_literal(""), None);
    }

    #[test]
    fn printed_constants_read_back_as_the_same_bits() {
        let mut bits: u128 = 0x1234_5678_9abc_def0_0fed_cba9_8765_4321;
        for _ in 0..150 {
            bits = bits.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(99);
            for (kind, width) in [(Float, 32), (Double, 64), (Float128, 127)] {
                let bits = bits & ((1 << width) - 1);
                check_round_trip(bits, kind);
            }
            // Well-formed x87 numbers have the integer bit exactly if the exponent is not 0.
            let exponent = bits >> 64 & 0x7fff;
            check_round_trip(
                exponent << 64 | u128::from(exponent != 0) << 63 | bits & 0x7fff_ffff_ffff_ffff,
                LongDouble,
            );
        }
    }

    fn check_round_trip(bits: u128, kind: FloatKind) {
        for text in [to_c(bits, kind), to_decimal(bits, kind)] {
            if text.contains("builtin") {
                continue;
            }
            assert_eq!(parse_literal(text.trim_start_matches('-')).map(|(k, b)| (k, b)), {
                let magnitude = bits & ((1 << Format::of(kind).sign_bit()) - 1);
                Some((kind, magnitude))
            });
        }
    }

    #[test]
    fn special_values() {
        assert_eq!(to_c((-0.0f64).to_bits().into(), Double), "-0.0");
        assert_eq!(to_c(f32::INFINITY.to_bits().into(), Float), "__builtin_inff()");
        assert_eq!(to_c(0x7ff8 << 48, Double), "__builtin_nan(\"\")");
        assert_eq!(to_c(0x7ff4 << 48, Double), "__builtin_nans(\"0x4000000000000\")");
        assert_eq!(to_c(0xffc0_0001, Float), "-__builtin_nanf(\"0x1\")");
        assert_eq!(to_c(1f64.to_bits().into(), Double), "0x1p+0");
        assert_eq!(to_decimal(0.1f32.to_bits().into(), Float), "0.1f");
        assert_eq!(to_decimal(1e30f64.to_bits().into(), Double), "1e30");
        assert_eq!(to_decimal(0x3fff_8000_0000_0000_0000, LongDouble), "1.0L");
    }

    #[test]
    fn conversions_and_arithmetic_agree_with_the_machine() {
        let values = [0.0, -0.0, 1.0, -1.5, 0.1, 1e300, 5e-324, f64::INFINITY, f64::NAN, 123456789.125];
        for a in values {
            let bits = u128::from(a.to_bits());
            let narrow = convert(bits, Double, Float);
            assert_eq!(f32::from_bits(narrow as u32).to_bits() & !(1 << 22), (a as f32).to_bits() & !(1 << 22));
            for b in values {
                let other = u128::from(b.to_bits());
                assert_eq!(compare(Double, bits, other), a.partial_cmp(&b));
                let sum = arithmetic(BinaryOp::Add, Double, bits, other).map(|s| f64::from_bits(s as u64));
                assert!(sum == Some(a + b) || (a + b).is_nan());
                let quotient = arithmetic(BinaryOp::Div, Double, bits, other).map(|s| f64::from_bits(s as u64));
                assert!(quotient == Some(a / b) || (a / b).is_nan());
            }
        }
        assert_eq!(to_int(u128::from((-3.99f64).to_bits()), Double, 32, true), Some(-3));
        assert_eq!(to_int(u128::from(3e9f64.to_bits()), Double, 32, true), None);
        assert_eq!(to_int(u128::from(3e9f64.to_bits()), Double, 32, false), Some(3_000_000_000));
        assert_eq!(from_int(-7, Double), u128::from((-7f64).to_bits()));
        assert_eq!(from_unsigned(u128::from(u64::MAX), Float), u128::from((u64::MAX as f32).to_bits()));
        assert_eq!(negate(Double, u128::from(2f64.to_bits())), u128::from((-2f64).to_bits()));
        assert!(is_zero(Float, 1 << 31) && !is_zero(Float, 1));
    }
}
