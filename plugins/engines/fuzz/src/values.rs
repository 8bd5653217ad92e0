//! Values of inputs by the result type of their input function: which ones are worth a try, and how they change a little.
//! A value is the bits of its type in the low bits of a word, the rest zero.

use crate::random::Random;
use tandem_plugin_api::artifact::ValueType;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::{FloatKind, Type};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Int {
        width: u32,
        signed: bool,
    },
    Pointer {
        width: u32,
    },
    Float,
    Double,
    /// A type whose values do not fit a word: only its low bits are chosen.
    Wide,
}

impl Shape {
    pub fn width(self) -> u32 {
        match self {
            Shape::Int { width, .. } | Shape::Pointer { width } => width,
            Shape::Float => 32,
            Shape::Double | Shape::Wide => 64,
        }
    }

    /// The bits that a value of this shape may have.
    pub fn mask(self) -> u64 {
        u64::MAX >> (64 - self.width().clamp(1, 64))
    }

    pub fn is_float(self) -> bool {
        matches!(self, Shape::Float | Shape::Double)
    }

    /// The bits of an integer converted to this shape.
    pub fn of_integer(self, value: i128) -> u64 {
        match self {
            Shape::Float => u64::from((value as f32).to_bits()),
            Shape::Double => (value as f64).to_bits(),
            Shape::Int { width: 1, .. } => u64::from(value != 0),
            _ => value as u64 & self.mask(),
        }
    }

    /// The bits of a number converted to this shape.
    pub fn of_number(self, value: f64) -> u64 {
        match self {
            Shape::Float => u64::from((value as f32).to_bits()),
            Shape::Double => value.to_bits(),
            _ => self.of_integer(value as i128),
        }
    }

    /// The value as a number; for floats, that of the bits.
    pub fn number(self, bits: u64) -> i128 {
        match self {
            Shape::Int { signed: true, .. } => i128::from(self.extended(bits) as i64),
            _ => i128::from(bits & self.mask()),
        }
    }

    /// The least and the largest number of this shape.
    pub fn range(self) -> (i128, i128) {
        match self {
            Shape::Int { width, signed: true } if width > 1 => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
            _ => (0, i128::from(self.mask())),
        }
    }

    /// The value as an integer, sign-extended where it is signed; for floats, the bits.
    pub fn extended(self, bits: u64) -> u64 {
        match self {
            Shape::Int { width, signed: true } if width < 64 => {
                let unused = 64 - width;
                ((bits << unused) as i64 >> unused) as u64
            }
            _ => bits & self.mask(),
        }
    }
}

/// The shapes of all input functions.
pub struct Shapes {
    by_function: Vec<Shape>,
}

impl Shapes {
    pub fn new(program: &Program) -> Self {
        let shape = |function: &tandem_plugin_api::program::Function| {
            let Type::Function { result, .. } = *program.types.get(function.ty) else { return Shape::Wide };
            if program.types.is_pointer(result) {
                return Shape::Pointer { width: program.types.model.word() as u32 * 8 };
            }
            match ValueType::of(&program.types, result) {
                Some(ValueType::Int { width, signed }) if width <= 64 => Shape::Int { width, signed },
                Some(ValueType::Float(FloatKind::Float)) => Shape::Float,
                Some(ValueType::Float(FloatKind::Double)) => Shape::Double,
                _ => Shape::Wide,
            }
        };
        Shapes { by_function: program.functions.iter().map(shape).collect() }
    }

    pub fn of(&self, function: FunctionId) -> Shape {
        self.by_function.get(function.index()).copied().unwrap_or(Shape::Wide)
    }
}

/// Values at which programs change their behaviour: ends of ranges, powers of two, and their neighbours.
pub fn boundary(shape: Shape, random: &mut Random) -> u64 {
    const SMALL: [i128; 12] = [0, 1, -1, 2, -2, 3, 4, 5, 10, 16, 64, 100];
    match shape {
        Shape::Float | Shape::Double => special_float(shape, random),
        Shape::Pointer { .. } => 0,
        Shape::Int { width: 1, .. } => random.bits() & 1,
        _ => {
            let ends = [7, 8, 15, 16, 31, 32, 63, shape.width(), shape.width() - 1];
            if random.one_in(2) {
                return shape.of_integer(*random.pick(&SMALL).unwrap_or(&0));
            }
            let exponent = *random.pick(&ends).unwrap_or(&8);
            let near = random.below(3) as i128 - 1;
            let sign = if random.one_in(3) { -1 } else { 1 };
            shape.of_integer(sign * ((1i128 << exponent) + near))
        }
    }
}

const FLOATS: [f64; 20] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.1,
    0.5,
    -0.5,
    2.0,
    10.0,
    1e10,
    -1e10,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    f64::MAX,
    f64::MIN,
    f64::MIN_POSITIVE,
    f64::EPSILON,
    16_777_216.0,
    9_007_199_254_740_992.0,
];

fn special_float(shape: Shape, random: &mut Random) -> u64 {
    match (shape, random.below(8)) {
        // Denormals, and the largest values of the narrow format, which a cast from f64 does not give.
        (Shape::Float, 0) => 1 + (random.bits() & 7),
        (Shape::Float, 1) => u64::from(f32::MAX.to_bits()),
        (Shape::Double, 0) => 1 + (random.bits() & 7),
        _ => shape.of_number(*random.pick(&FLOATS).unwrap_or(&0.0)),
    }
}

/// Any value. Small ones are as likely as large ones.
pub fn arbitrary(shape: Shape, random: &mut Random) -> u64 {
    match shape {
        Shape::Pointer { .. } => {
            if random.one_in(8) {
                random.bits() & shape.mask()
            } else {
                0
            }
        }
        Shape::Int { width: 1, .. } => random.bits() & 1,
        Shape::Float | Shape::Double => match random.below(4) {
            0 => special_float(shape, random),
            1 => shape.of_number((random.below(2001) as f64 - 1000.0) / 8.0),
            2 => shape.of_number((random.below(2_000_001) as f64 - 1e6) / 1e6),
            _ => random.bits() & shape.mask(),
        },
        _ => match random.below(8) {
            0 | 1 => random.bits() & 1,
            2 | 3 => shape.of_integer(random.below(17) as i128),
            4 => shape.of_integer(-(random.below(17) as i128)),
            5 => random.bits() & 0xff & shape.mask(),
            6 => boundary(shape, random),
            _ => random.bits() & shape.mask(),
        },
    }
}

/// A value near the given one.
pub fn nudged(shape: Shape, bits: u64, random: &mut Random) -> u64 {
    if shape.is_float() {
        return nudged_float(shape, bits, random);
    }
    let by = random.between(1, 16) as u64;
    let changed = match random.below(8) {
        0..=2 => bits.wrapping_add(by),
        3..=5 => bits.wrapping_sub(by),
        6 => bits ^ (1 << random.below(shape.width() as usize)),
        _ => match random.below(4) {
            0 => bits.wrapping_neg(),
            1 => !bits,
            2 => bits << 1,
            _ => bits >> 1,
        },
    };
    changed & shape.mask()
}

fn nudged_float(shape: Shape, bits: u64, random: &mut Random) -> u64 {
    let value = match shape {
        Shape::Float => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    };
    let changed = match random.below(8) {
        // The next representable values, which rounding errors depend on.
        0 => return bits.wrapping_add(1) & shape.mask(),
        1 => return bits.wrapping_sub(1) & shape.mask(),
        2 => return (bits ^ (1 << random.below(shape.width() as usize))) & shape.mask(),
        3 => value + 1.0,
        4 => value - 1.0,
        5 => -value,
        6 => value * 2.0,
        _ => value / 2.0,
    };
    shape.of_number(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHAR: Shape = Shape::Int { width: 8, signed: true };

    #[test]
    fn values_fit_their_types() {
        let mut random = Random::new(3);
        let shapes =
            [CHAR, Shape::Int { width: 1, signed: false }, Shape::Int { width: 64, signed: true }, Shape::Float];
        for shape in shapes.into_iter().chain([Shape::Double, Shape::Pointer { width: 32 }, Shape::Wide]) {
            for _ in 0..2000 {
                let mut value = arbitrary(shape, &mut random);
                for _ in 0..3 {
                    assert_eq!(value & !shape.mask(), 0, "{shape:?} {value:#x}");
                    value = nudged(shape, value, &mut random);
                }
                assert_eq!(boundary(shape, &mut random) & !shape.mask(), 0, "{shape:?}");
            }
        }
    }

    #[test]
    fn conversions_are_those_of_c() {
        assert_eq!(CHAR.of_integer(-1), 0xff);
        assert_eq!(CHAR.extended(0xff), u64::MAX);
        assert_eq!(Shape::Int { width: 8, signed: false }.extended(0xff), 0xff);
        assert_eq!(Shape::Int { width: 1, signed: false }.of_integer(256), 1);
        assert_eq!(Shape::Float.of_integer(3), u64::from(3f32.to_bits()));
        assert_eq!(Shape::Double.of_number(0.5), 0.5f64.to_bits());
    }

    #[test]
    fn interesting_floats_turn_up() {
        let mut random = Random::new(1);
        let drawn: Vec<u64> = (0..3000).map(|_| boundary(Shape::Double, &mut random)).collect();
        for wanted in [-0.0, f64::INFINITY, f64::MAX, 0.1] {
            assert!(drawn.contains(&f64::to_bits(wanted)), "{wanted}");
        }
        assert!(drawn.iter().any(|&bits| f64::from_bits(bits).is_nan()));
        assert!(drawn.iter().any(|&bits| f64::from_bits(bits).is_subnormal()));
    }
}
