//! Floating-point constants, given as the bits of their own format, as C text: bit-exact for compilers, short for people.
//! Reading and computing with them is in [`constant`](super::constant).

use super::constant::parse_float;
use super::types::FloatKind;
use rustc_apfloat::Float;
use rustc_apfloat::ieee::{Quad, X87DoubleExtended};
use std::fmt::Write;

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
    if parse_float(&with_point, kind) == Some(bits) { with_point + literal_suffix(kind) } else { to_c(bits, kind) }
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
    fn printed_constants_read_back_as_the_same_bits() {
        let mut bits: u128 = 0x1234_5678_9abc_def0_0fed_cba9_8765_4321;
        for _ in 0..150 {
            bits = bits.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(99);
            for (kind, width) in [(Float, 32), (Double, 64), (Float128, 127)] {
                check_round_trip(bits & ((1 << width) - 1), kind);
            }
            // Well-formed x87 numbers have the integer bit exactly if the exponent is not 0.
            let exponent = bits >> 64 & 0x7fff;
            let fraction = bits & 0x7fff_ffff_ffff_ffff;
            check_round_trip(exponent << 64 | u128::from(exponent != 0) << 63 | fraction, LongDouble);
        }
    }

    fn check_round_trip(bits: u128, kind: FloatKind) {
        for text in [to_c(bits, kind), to_decimal(bits, kind)] {
            if text.contains("builtin") {
                continue;
            }
            let number = text.trim_start_matches('-').trim_end_matches(literal_suffix(kind));
            let magnitude = bits & ((1 << Format::of(kind).sign_bit()) - 1);
            assert_eq!(parse_float(number, kind), Some(magnitude), "{text}");
            assert_eq!(text.starts_with('-'), bits != magnitude);
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
        assert_eq!(to_c(1, Float), "0x1p-149f");
        assert_eq!(to_decimal(0.1f32.to_bits().into(), Float), "0.1f");
        assert_eq!(to_decimal(1e30f64.to_bits().into(), Double), "1e30");
        assert_eq!(to_decimal(0x3fff_8000_0000_0000_0000, LongDouble), "1.0L");
    }
}
