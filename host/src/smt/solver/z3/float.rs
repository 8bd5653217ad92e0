//! Floats as Z3 has them. Functions that the bindings do not offer come from a line of SMT-LIB each.

use super::translate::constant;
use crate::smt::term::{FloatOp, FloatTest, FloatUnary, mask};
use ::z3::FuncDecl;
use ::z3::ast::{Ast, BV, Bool, Float, RoundingMode};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::ops::Not;
use tandem_plugin_api::program::FloatKind;

/// Bits of exponent and significand as Z3 counts them: the significand's leading bit is counted and not stored.
pub fn layout(kind: FloatKind) -> (u32, u32) {
    match kind {
        FloatKind::Float => (8, 24),
        FloatKind::Double => (11, 53),
        FloatKind::LongDouble => (15, 64),
        FloatKind::Float128 => (15, 113),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Source {
    Bits,
    Signed(u32),
    Unsigned(u32),
}

/// Z3's functions that make floats of words.
#[derive(Default)]
pub struct Formats {
    conversions: FxHashMap<((u32, u32), Source), FuncDecl>,
}

fn parse_conversion((exponent, significand): (u32, u32), source: Source) -> Option<FuncDecl> {
    let (width, name, mode) = match source {
        Source::Bits => (exponent + significand, "to_fp", ""),
        Source::Signed(width) => (width, "to_fp", "RNE "),
        Source::Unsigned(width) => (width, "to_fp_unsigned", "RNE "),
    };
    let solver = ::z3::Solver::new();
    solver.from_string(format!(
        "(declare-fun w () (_ BitVec {width}))(assert (fp.isNaN ((_ {name} {exponent} {significand}) {mode}w)))"
    ));
    solver.get_assertions().first()?.nth_child(0)?.safe_decl().ok()
}

impl Formats {
    /// The function `to_fp` of these sorts.
    fn conversion(&mut self, format: (u32, u32), source: Source) -> Option<&FuncDecl> {
        if let Entry::Vacant(place) = self.conversions.entry((format, source)) {
            place.insert(parse_conversion(format, source)?);
        }
        self.conversions.get(&(format, source))
    }

    pub fn constant(&mut self, kind: FloatKind, bits: u128) -> Option<Float> {
        let bits = constant(crate::smt::term::format_bits(kind), bits)?;
        Some(self.of_bits(kind, &bits)?.simplify())
    }

    pub fn of_bits(&mut self, kind: FloatKind, bits: &BV) -> Option<Float> {
        if kind == FloatKind::LongDouble {
            return self.of_extended_bits(bits);
        }
        self.conversion(layout(kind), Source::Bits)?.apply(&[bits]).as_float()
    }

    /// The 80 bits of x87 store the leading bit of the significand. Where it does not fit the exponent, the hardware takes
    /// the value for a NaN, or for exponent 0, for one with exponent 1.
    fn of_extended_bits(&mut self, bits: &BV) -> Option<Float> {
        let format = layout(FloatKind::LongDouble);
        let (sign, exponent, fraction) = (bits.extract(79, 79), bits.extract(78, 64), bits.extract(62, 0));
        let leading = bits.extract(63, 63).eq(BV::from_u64(1, 1));
        let is_small = exponent.eq(BV::from_u64(0, 15));
        let is_pseudo_denormal = Bool::and(&[&is_small, &leading]);
        let exponent = is_pseudo_denormal.ite(&BV::from_u64(1, 15), &exponent);
        let packed = sign.concat(&exponent).concat(&fraction);
        let value = self.conversion(format, Source::Bits)?.apply(&[&packed]).as_float()?;
        let is_invalid = Bool::and(&[&is_small.not(), &leading.not()]);
        Some(is_invalid.ite(&Float::nan(&::z3::Sort::float(format.0, format.1)), &value))
    }

    /// The stored bits. For a NaN they are those of any NaN: hardware and libraries differ in them.
    pub fn to_bits(float: &Float) -> Option<BV> {
        let sort = float.get_sort();
        let (exponent, significand) = (sort.float_exponent_size()?, sort.float_significand_size()?);
        let fraction_bits = significand - 1;
        let stored = float.to_ieee_bv();
        let any = BV::fresh_const("nan", fraction_bits);
        let zero = BV::from_u64(0, fraction_bits);
        let fraction = any.eq(&zero).ite(&constant(fraction_bits, 1)?, &any);
        let nan = BV::fresh_const("sign", 1).concat(constant(exponent, mask(exponent))?).concat(&fraction);
        let bits = float.is_nan().ite(&nan, &stored);
        if (exponent, significand) != layout(FloatKind::LongDouble) {
            return Some(bits);
        }
        let exponent = bits.extract(77, 63);
        let (set, clear) = (BV::from_u64(1, 1), BV::from_u64(0, 1));
        let leading = exponent.eq(BV::from_u64(0, 15)).ite(&clear, &set);
        Some(bits.extract(78, 78).concat(&exponent).concat(&leading).concat(bits.extract(62, 0)))
    }

    pub fn of_int(&mut self, kind: FloatKind, signed: bool, word: &BV) -> Option<Float> {
        self.int_in_format(layout(kind), signed, word)
    }

    fn int_in_format(&mut self, format: (u32, u32), signed: bool, word: &BV) -> Option<Float> {
        let width = word.get_size();
        let source = if signed { Source::Signed(width) } else { Source::Unsigned(width) };
        let mode = RoundingMode::round_nearest_ties_to_even();
        self.conversion(format, source)?.apply(&[&mode, word]).as_float()
    }

    /// Towards zero; any value where it does not fit.
    pub fn integer(&mut self, bits: u32, signed: bool, float: &Float) -> Option<BV> {
        let mode = RoundingMode::round_towards_zero();
        let value = if signed {
            float.to_sbv_with_rounding_mode(&mode, bits)
        } else {
            float.to_ubv_with_rounding_mode(&mode, bits)
        };
        let fits = self.fits(bits, signed, float)?;
        Some(fits.ite(&value, &BV::fresh_const("unfit", bits)))
    }

    /// Whether an integer of so many bits holds the value without its fraction.
    fn fits(&mut self, bits: u32, signed: bool, float: &Float) -> Option<Bool> {
        let sort = float.get_sort();
        let format = (sort.float_exponent_size()?, sort.float_significand_size()?);
        // One bit more than the bounds need, and one for the sign.
        let width = bits + 2;
        let one = constant(width, 1)?;
        let power = one.bvshl(BV::from_u64(u64::from(if signed { bits - 1 } else { bits }), width));
        let above = self.int_in_format(format, true, &power.simplify())?.simplify();
        let is_above_minimum = if !signed {
            let below = self.int_in_format(format, true, &one.bvneg().simplify())?.simplify();
            float.gt(&below)
        } else if bits <= format.1 {
            let below = self.int_in_format(format, true, &power.bvneg().bvsub(&one).simplify())?.simplify();
            float.gt(&below)
        } else {
            // The significand is too short for a value between the minimum and the integer below it.
            float.ge(above.unary_neg())
        };
        Some(Bool::and(&[&is_above_minimum, &float.lt(&above)]))
    }

    pub fn convert(kind: FloatKind, float: &Float) -> Float {
        let (exponent, significand) = layout(kind);
        let mode = RoundingMode::round_nearest_ties_to_even();
        float.to_fp_with_rounding_mode(&mode, &::z3::Sort::float(exponent, significand))
    }

    pub fn op(op: FloatOp, a: &Float, b: &Float) -> Float {
        let mode = RoundingMode::round_nearest_ties_to_even();
        match op {
            FloatOp::Add => a.add_with_rounding_mode(b, &mode),
            FloatOp::Sub => a.sub_with_rounding_mode(b, &mode),
            FloatOp::Mul => a.mul_with_rounding_mode(b, &mode),
            FloatOp::Div => a.div_with_rounding_mode(b, &mode),
        }
    }

    pub fn unary(op: FloatUnary, a: &Float) -> Float {
        let round = |mode: RoundingMode| a.round_to_integral_with_rounding_mode(&mode);
        match op {
            FloatUnary::Neg => a.unary_neg(),
            FloatUnary::Abs => a.unary_abs(),
            FloatUnary::Sqrt => a.sqrt(),
            FloatUnary::RoundEven => round(RoundingMode::round_nearest_ties_to_even()),
            FloatUnary::Floor => round(RoundingMode::round_towards_negative()),
            FloatUnary::Ceil => round(RoundingMode::round_towards_positive()),
            FloatUnary::Trunc => round(RoundingMode::round_towards_zero()),
        }
    }

    pub fn test(test: FloatTest, a: &Float) -> Bool {
        match test {
            FloatTest::Nan => a.is_nan(),
            FloatTest::Infinite => a.is_infinite(),
            FloatTest::Zero => a.is_zero(),
            FloatTest::Normal => a.is_normal(),
            FloatTest::Subnormal => a.is_subnormal(),
            FloatTest::Negative => a.is_negative(),
        }
    }
}
