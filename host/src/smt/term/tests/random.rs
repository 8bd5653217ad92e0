//! Random terms with the values that plain Rust gives them, computed from values alone while the terms are built.

use crate::smt::term::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use tandem_plugin_api::program::constant;

/// One step of building: which operation, on which of the terms so far, with which number.
pub type Step = (u8, u16, u16, u16, u128);

pub const FORMATS: [FloatKind; 4] = [FloatKind::Float, FloatKind::Double, FloatKind::LongDouble, FloatKind::Float128];
const WIDTHS: [u32; 8] = [1, 3, 8, 16, 32, 64, 80, 128];
pub const ARRAY: Sort = Sort::Array { index: 3, element: 8 };
/// Numbers at which operations change their behaviour.
const SPECIAL: [u128; 12] = [0, 1, 2, 3, 7, 8, 0x7f, 0x80, 0xff, 0x7fff_ffff, 0x8000_0000, u128::MAX];

/// Terms with their values, where they have one.
pub struct Pool {
    pub terms: Terms,
    pub all: Vec<(Term, Option<Value>)>,
    pub assignment: Assignment,
}

impl Pool {
    /// Symbols of all sorts, with values that `seeds` make.
    pub fn new(seeds: &[u128]) -> Pool {
        let mut pool = Pool { terms: Terms::default(), all: Vec::new(), assignment: Assignment::default() };
        let sorts = [Sort::Bool; 2]
            .into_iter()
            .chain(WIDTHS.map(Sort::Bits))
            .chain(WIDTHS.map(Sort::Bits))
            .chain(FORMATS.map(Sort::Float))
            .chain(FORMATS.map(Sort::Float))
            .chain([ARRAY; 2]);
        for (at, sort) in sorts.enumerate() {
            let seed = seeds[at % seeds.len()].rotate_left(at as u32 * 7);
            let value = match sort {
                Sort::Bool => Value::Bool(seed & 1 != 0),
                Sort::Bits(width) => Value::Bits(special(seed) & mask(width)),
                Sort::Float(kind) => Value::Bits(some_float(kind, seed)),
                Sort::Array { .. } => {
                    let elements: BTreeMap<u128, u128> =
                        (0..seed >> 8 & 3).map(|at| (seed >> (at * 5) & 7, seed >> (at * 9) & 255)).collect();
                    Value::Array { default: seed & 255, elements: Arc::new(elements) }
                }
            };
            let symbol = pool.terms.symbol(sort, format!("s{at}"));
            if let Node::Symbol(symbol) = pool.terms.node(symbol) {
                pool.assignment.values.insert(symbol, value.clone());
            }
            pool.all.push((symbol, Some(value)));
        }
        pool
    }

    /// A term of this sort. There is one of each: the symbols. Late ones come first, so that terms grow.
    fn pick(&self, at: u16, sort: Sort) -> (Term, Option<Value>) {
        let fitting: Vec<_> = self.all.iter().rev().filter(|(term, _)| self.terms.sort(*term) == sort).collect();
        fitting[at as usize % fitting.len()].clone()
    }

    fn word(&self, at: u16, width: u32) -> (Term, Option<u128>) {
        let (term, value) = self.pick(at, Sort::Bits(width));
        (term, value.and_then(|value| value.as_bits()))
    }

    fn truth(&self, at: u16) -> (Term, Option<bool>) {
        let (term, value) = self.pick(at, Sort::Bool);
        (term, value.and_then(|value| value.as_bool()))
    }

    fn float(&self, at: u16, kind: FloatKind) -> (Term, Option<u128>) {
        let (term, value) = self.pick(at, Sort::Float(kind));
        (term, value.and_then(|value| value.as_bits()))
    }

    pub fn step(&mut self, step: Step) {
        let (term, value) = match step.0 % 8 {
            0 | 1 => self.boolean(step),
            2..=4 => self.words(step),
            5 => self.array(step),
            _ => self.floats(step),
        };
        self.all.push((term, value));
    }

    fn boolean(&mut self, (op, a, b, c, k): Step) -> (Term, Option<Value>) {
        let width = WIDTHS[k as usize % WIDTHS.len()];
        let kind = FORMATS[k as usize % 4];
        let (p, q, r) = (self.truth(a), self.truth(b), self.truth(c));
        let (x, y) = (self.word(a, width), self.word(b, width));
        let (f, g) = (self.float(a, kind), self.float(b, kind));
        let words = |f: &dyn Fn(u128, u128) -> bool| Some(f(x.1?, y.1?));
        let t = &mut self.terms;
        let (term, value) = match op / 8 % 18 {
            0 => (t.not(p.0), p.1.map(|p| !p)),
            1 => (t.and(p.0, q.0), and(p.1, q.1)),
            2 => (t.or(p.0, q.0), and(p.1.map(|p| !p), q.1.map(|q| !q)).map(|no| !no)),
            3 => (t.ite(p.0, q.0, r.0), p.1.and_then(|p| if p { q.1 } else { r.1 })),
            4 => (t.eq(p.0, q.0), p.1.zip(q.1).map(|(p, q)| p == q)),
            5 => (t.implies(p.0, q.0), and(p.1, q.1.map(|q| !q)).map(|no| !no)),
            6 => (t.eq(x.0, y.0), words(&|x, y| x == y)),
            7 => {
                let constant = t.bits(width, special(k >> 8));
                (t.eq(x.0, constant), x.1.map(|x| x == special(k >> 8) & mask(width)))
            }
            8 => (t.compare(Order::ULt, x.0, y.0), words(&|x, y| x < y)),
            9 => (t.compare(Order::ULe, x.0, y.0), words(&|x, y| x <= y)),
            10 => (t.compare(Order::SLt, x.0, y.0), words(&|x, y| signed(x, width) < signed(y, width))),
            11 => (t.compare(Order::SLe, x.0, y.0), words(&|x, y| signed(x, width) <= signed(y, width))),
            12 => (t.is_nonzero(x.0), x.1.map(|x| x != 0)),
            13 => {
                let constant = t.bits(width, special(k >> 8));
                let value = special(k >> 8) & mask(width);
                if k >> 7 & 1 == 0 {
                    (t.compare(Order::SLt, x.0, constant), x.1.map(|x| signed(x, width) < signed(value, width)))
                } else {
                    (t.compare(Order::ULt, constant, x.0), x.1.map(|x| value < x))
                }
            }
            14 => {
                let (x, y) = (self.pick(a, ARRAY), self.pick(b, ARRAY));
                let same = x.1.zip(y.1).map(|(x, y)| (0..8).all(|at| element(&x, at) == element(&y, at)));
                (self.terms.eq(x.0, y.0), same)
            }
            15 | 16 => {
                let order = [FloatOrder::Eq, FloatOrder::Lt, FloatOrder::Le][c as usize % 3];
                (t.float_compare(order, f.0, g.0), f.1.zip(g.1).and_then(|(f, g)| float_compare(order, kind, f, g)))
            }
            _ => {
                use FloatTest::*;
                let test = [Nan, Infinite, Zero, Normal, Subnormal, Negative][c as usize % 6];
                (t.float_test(test, f.0), f.1.map(|f| float_test(test, kind, f)))
            }
        };
        (term, value.map(Value::Bool))
    }

    fn words(&mut self, (op, a, b, c, k): Step) -> (Term, Option<Value>) {
        let width = WIDTHS[k as usize % WIDTHS.len()];
        let other = WIDTHS[(k >> 3) as usize % WIDTHS.len()];
        let kind = FORMATS[k as usize % 4];
        let (p, x, y, z) = (self.truth(c), self.word(a, width), self.word(b, width), self.word(b, other));
        let f = self.float(a, kind);
        let t = &mut self.terms;
        let (term, value) = match op / 8 % 24 {
            0..=5 => {
                let op = WORD_OPS[c as usize % 12];
                (t.word(op, x.0, y.0), x.1.zip(y.1).map(|(x, y)| word(op, width, x, y)))
            }
            6..=8 => {
                let op = WORD_OPS[c as usize % 12];
                let number = special(k >> 8) & mask(width);
                let constant = t.bits(width, number);
                if k >> 7 & 1 == 0 {
                    (t.word(op, x.0, constant), x.1.map(|x| word(op, width, x, number)))
                } else {
                    (t.word(op, constant, x.0), x.1.map(|x| word(op, width, number, x)))
                }
            }
            9 => (t.sub(x.0, y.0), x.1.zip(y.1).map(|(x, y)| x.wrapping_sub(y) & mask(width))),
            10 => (t.neg(x.0), x.1.map(|x| 0u128.wrapping_sub(x) & mask(width))),
            11 => (t.bit_not(x.0), x.1.map(|x| mask(width) - x)),
            12 if width + other <= 128 => (t.concat(x.0, z.0), x.1.zip(z.1).map(|(x, z)| (x << other) + z)),
            12..=14 => {
                let (i, j) = ((k >> 8) as u32 % width, (k >> 16) as u32 % width);
                let (high, low) = (i.max(j), i.min(j));
                (t.extract(high, low, x.0), x.1.map(|x| x >> low & mask(high - low + 1)))
            }
            15 => (t.zero_extend(width.max(other), x.0), x.1),
            16 => {
                let to = width.max(other);
                (t.sign_extend(to, x.0), x.1.map(|x| signed(x, width) as u128 & mask(to)))
            }
            17 => {
                let (array, index) = (self.pick(a, ARRAY), self.word(b, 3));
                let value = array.1.zip(index.1).map(|(array, index)| element(&array, index));
                (self.terms.select(array.0, index.0), value)
            }
            18 => (t.float_to_bits(f.0), f.1.filter(|&f| !float_test(FloatTest::Nan, kind, f))),
            19 => {
                let (bits, is_signed) = ([8, 32, 64, 128][c as usize % 4], k >> 9 & 1 == 0);
                let value = f.1.and_then(|f| constant::float_to_int(f, kind, bits, is_signed));
                (t.float_to_int(bits, is_signed, f.0), value.map(|value| value as u128 & mask(bits)))
            }
            20 => (t.from_bool(width, p.0), p.1.map(u128::from)),
            21 => {
                let constant = special(k >> 8) & mask(width);
                let term = t.bits(width, constant);
                (t.ite(p.0, term, x.0), p.1.and_then(|p| if p { Some(constant) } else { x.1 }))
            }
            22 => (t.bits(width, special(k >> 8)), Some(special(k >> 8) & mask(width))),
            _ => (t.ite(p.0, x.0, y.0), p.1.and_then(|p| if p { x.1 } else { y.1 })),
        };
        (term, value.map(Value::Bits))
    }

    fn array(&mut self, (op, a, b, c, k): Step) -> (Term, Option<Value>) {
        let (x, y, p) = (self.pick(a, ARRAY), self.pick(b, ARRAY), self.truth(c));
        let (index, value) = (self.word(b, 3), self.word(c, 8));
        let t = &mut self.terms;
        match op / 8 % 4 {
            0 => {
                let Sort::Array { index, .. } = ARRAY else { unreachable!("it is one") };
                let array = value.1.map(|default| Value::Array { default, elements: Arc::default() });
                (t.uniform(index, value.0), array)
            }
            1 => (t.ite(p.0, x.0, y.0), p.1.and_then(|p| if p { x.1 } else { y.1 })),
            _ => {
                let index = if k & 1 == 0 { index } else { (t.bits(3, k >> 8), Some(k >> 8 & 7)) };
                let stored = x.1.zip(index.1.zip(value.1)).map(|(array, (index, value))| {
                    let mut elements: BTreeMap<u128, u128> = (0..8).map(|at| (at, element(&array, at))).collect();
                    elements.insert(index, value);
                    Value::Array { default: 0, elements: Arc::new(elements) }
                });
                (t.store(x.0, index.0, value.0), stored)
            }
        }
    }

    fn floats(&mut self, (op, a, b, c, k): Step) -> (Term, Option<Value>) {
        let kind = FORMATS[k as usize % 4];
        let other = FORMATS[(k >> 2) as usize % 4];
        let (f, g, p) = (self.float(a, kind), self.float(b, kind), self.truth(c));
        let from = self.float(a, other);
        let width = WIDTHS[(k >> 4) as usize % WIDTHS.len()];
        let (bits, int) = (self.word(a, format_bits(kind)), self.word(a, width));
        let t = &mut self.terms;
        let (term, value) = match op / 8 % 10 {
            0 | 1 => {
                use FloatOp::*;
                let op = [Add, Sub, Mul, Div][c as usize % 4];
                (t.float_op(op, f.0, g.0), f.1.zip(g.1).and_then(|(f, g)| float_op(op, kind, f, g)))
            }
            2 | 3 => {
                use FloatUnary::*;
                let op = [Neg, Abs, Sqrt, RoundEven, Floor, Ceil, Trunc][c as usize % 7];
                (t.float_unary(op, f.0), f.1.and_then(|f| float_unary(op, kind, f)))
            }
            4 => (t.float_from_bits(kind, bits.0), bits.1),
            5 => (t.float_convert(kind, from.0), from.1.map(|from| constant::float_to_float(from, other, kind))),
            6 => {
                let is_signed = k >> 9 & 1 == 0;
                let value = int.1.map(|int| {
                    let value = if is_signed { signed(int, width) } else { int as i128 };
                    constant::int_to_float(value, !is_signed, kind)
                });
                (t.float_from_int(kind, is_signed, int.0), value)
            }
            7 => {
                let bits = some_float(kind, k >> 8);
                (t.float(kind, bits), Some(bits))
            }
            _ => (t.ite(p.0, f.0, g.0), p.1.and_then(|p| if p { f.1 } else { g.1 })),
        };
        (term, value.map(Value::Bits))
    }
}

const WORD_OPS: [WordOp; 12] = [
    WordOp::Add,
    WordOp::Mul,
    WordOp::UDiv,
    WordOp::SDiv,
    WordOp::URem,
    WordOp::SRem,
    WordOp::Shl,
    WordOp::LShr,
    WordOp::AShr,
    WordOp::And,
    WordOp::Or,
    WordOp::Xor,
];

fn special(seed: u128) -> u128 {
    if seed & 3 == 0 { seed >> 2 } else { SPECIAL[(seed >> 2) as usize % SPECIAL.len()] }
}

/// Zeros, infinities, NaNs, small integers and others.
fn some_float(kind: FloatKind, seed: u128) -> u128 {
    let bits = match seed % 8 {
        0 => 0x7ff0_0000_0000_0000,
        1 => 0x7ff8_0000_0000_0001,
        2 => 0,
        3 => 1,
        4 => (seed >> 8) as u64,
        5 => (((seed >> 8) as i8) as f64 / 2.0).to_bits(),
        _ => ((seed >> 8) as i32 as f64).to_bits(),
    };
    let sign = (seed as u64 >> 7 & 1) << 63;
    constant::float_to_float((bits ^ sign).into(), FloatKind::Double, kind)
}

fn and(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (a, b) => Some(a? && b?),
    }
}

fn element(array: &Value, at: u128) -> u128 {
    match array {
        Value::Array { default, elements } => elements.get(&at).copied().unwrap_or(*default),
        _ => 0,
    }
}

fn signed(value: u128, width: u32) -> i128 {
    let half = 1u128 << (width - 1);
    (value ^ half).wrapping_sub(half) as i128
}

/// Operations on words once more, in other ways than the terms' own folding where there are any.
fn word(op: WordOp, width: u32, a: u128, b: u128) -> u128 {
    let negative = |x: u128| x >> (width - 1) & 1 != 0;
    let magnitude = |x: u128| if negative(x) { ((mask(width) - x).wrapping_add(1)) & mask(width) } else { x };
    let with_sign = |x: u128, minus: bool| if minus { 0u128.wrapping_sub(x) } else { x };
    let unsigned_division = |x: u128, y: u128| x.checked_div(y).unwrap_or(mask(width));
    let unsigned_rest = |x: u128, y: u128| x.checked_rem(y).unwrap_or(x);
    let result = match op {
        WordOp::Add => a.wrapping_add(b),
        WordOp::Mul => (0..width).filter(|&bit| b >> bit & 1 != 0).fold(0, |sum: u128, bit| sum.wrapping_add(a << bit)),
        WordOp::UDiv => unsigned_division(a, b),
        WordOp::URem => unsigned_rest(a, b),
        // As SMT-LIB defines them.
        WordOp::SDiv => with_sign(unsigned_division(magnitude(a), magnitude(b)), negative(a) != negative(b)),
        WordOp::SRem => with_sign(unsigned_rest(magnitude(a), magnitude(b)), negative(a)),
        WordOp::Shl => (0..b.min(128)).fold(a, |x, _| x << 1),
        WordOp::LShr => (0..b.min(128)).fold(a, |x, _| x >> 1),
        WordOp::AShr => {
            let top = if negative(a) { 1 << (width - 1) } else { 0 };
            (0..b.min(128)).fold(a, |x, _| x >> 1 | top)
        }
        WordOp::And => !(!a | !b),
        WordOp::Or => !(!a & !b),
        WordOp::Xor => (a | b) & !(a & b),
    };
    result & mask(width)
}

pub fn float_test(test: FloatTest, kind: FloatKind, bits: u128) -> bool {
    // In a format that holds all values of the smaller ones; only whether a value is normal depends on its own.
    let classify = |class: std::num::FpCategory| match test {
        FloatTest::Normal => class == std::num::FpCategory::Normal,
        FloatTest::Subnormal => class == std::num::FpCategory::Subnormal,
        FloatTest::Nan => class == std::num::FpCategory::Nan,
        FloatTest::Infinite => class == std::num::FpCategory::Infinite,
        FloatTest::Zero => class == std::num::FpCategory::Zero,
        FloatTest::Negative => class != std::num::FpCategory::Nan && bits >> (format_bits(kind) - 1) & 1 != 0,
    };
    match kind {
        FloatKind::Float => classify(f32::from_bits(bits as u32).classify()),
        FloatKind::Double => classify(f64::from_bits(bits as u64).classify()),
        _ => super::float::fold_test(test, kind, bits).unwrap_or_default(),
    }
}

fn float_compare(order: FloatOrder, kind: FloatKind, a: u128, b: u128) -> Option<bool> {
    let compare = |ordering: Option<std::cmp::Ordering>| match order {
        FloatOrder::Eq => ordering.is_some_and(|o| o.is_eq()),
        FloatOrder::Lt => ordering.is_some_and(|o| o.is_lt()),
        FloatOrder::Le => ordering.is_some_and(|o| o.is_le()),
    };
    match kind {
        FloatKind::Float => Some(compare(f32::from_bits(a as u32).partial_cmp(&f32::from_bits(b as u32)))),
        FloatKind::Double => Some(compare(f64::from_bits(a as u64).partial_cmp(&f64::from_bits(b as u64)))),
        _ => super::float::fold_compare(order, kind, a, b),
    }
}

fn float_op(op: FloatOp, kind: FloatKind, a: u128, b: u128) -> Option<u128> {
    macro_rules! compute {
        ($F:ty, $Bits:ty) => {{
            let (a, b) = (<$F>::from_bits(a as $Bits), <$F>::from_bits(b as $Bits));
            let result = match op {
                FloatOp::Add => a + b,
                FloatOp::Sub => a - b,
                FloatOp::Mul => a * b,
                FloatOp::Div => a / b,
            };
            Some(result.to_bits().into())
        }};
    }
    match kind {
        FloatKind::Float => compute!(f32, u32),
        FloatKind::Double => compute!(f64, u64),
        _ => super::float::fold_op(op, kind, a, b),
    }
}

fn float_unary(op: FloatUnary, kind: FloatKind, a: u128) -> Option<u128> {
    macro_rules! compute {
        ($F:ty, $Bits:ty) => {{
            let a = <$F>::from_bits(a as $Bits);
            let result = match op {
                FloatUnary::Neg => -a,
                FloatUnary::Abs => a.abs(),
                FloatUnary::Sqrt => a.sqrt(),
                FloatUnary::RoundEven => a.round_ties_even(),
                FloatUnary::Floor => a.floor(),
                FloatUnary::Ceil => a.ceil(),
                FloatUnary::Trunc => a.trunc(),
            };
            Some(result.to_bits().into())
        }};
    }
    match kind {
        FloatKind::Float => compute!(f32, u32),
        FloatKind::Double => compute!(f64, u64),
        _ => super::float::fold_unary(op, kind, a),
    }
}
