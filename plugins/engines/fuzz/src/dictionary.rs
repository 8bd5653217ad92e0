//! Values that occur in the program: constants of its text, and values that it compared inputs with at run time.

use crate::flow;
use crate::random::Random;
use crate::values::{Shape, Shapes};
use rustc_hash::{FxHashMap, FxHashSet};
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::{ExprKind, FloatKind, Type};

/// At most this many learned values for each input function: if there are more, they are counters rather than
/// constants.
const MAX_LEARNED: usize = 1024;
/// These are drawn more often than the others.
const FIRST: usize = 24;
/// Large initialised tables have many constants; those of comparisons come first.
const MAX_CONSTANTS: usize = 4096;

pub struct Dictionary {
    /// Constants that the text compares something with.
    compared: Vec<i128>,
    /// All other integer constants.
    others: Vec<i128>,
    floats: Vec<f64>,
    /// The values with which inputs of a function were compared, in the order of discovery.
    learned: FxHashMap<FunctionId, Learned>,
}

#[derive(Default)]
struct Learned {
    values: Vec<u64>,
    known: FxHashSet<u64>,
}

impl Dictionary {
    pub fn new(program: &Program, shapes: &Shapes) -> Self {
        let mut all = Collector::default();
        for at in 0..program.exprs.len() {
            let id = ExprId::new(at);
            match program.exprs.kind(id) {
                ExprKind::Binary { op, lhs, rhs } if op.is_comparison() => {
                    for operand in [lhs, rhs] {
                        all.compared_operand(program, operand);
                    }
                }
                ExprKind::Int(value) => all.other(value),
                ExprKind::Float(bits) => all.float(program, id, bits),
                _ => {}
            }
        }
        let learned = FxHashMap::default();
        let mut dictionary = Dictionary { compared: all.compared, others: all.others, floats: all.floats, learned };
        for (function, constant) in flow::compared_constants(program) {
            dictionary.learn(function, shapes.of(function).of_integer(constant));
        }
        dictionary
    }

    /// A dictionary without constants.
    pub fn empty() -> Self {
        Dictionary { compared: Vec::new(), others: Vec::new(), floats: Vec::new(), learned: FxHashMap::default() }
    }

    /// Notes that an input of this function was compared with `value`. Returns whether the value is new.
    pub fn learn(&mut self, function: FunctionId, value: u64) -> bool {
        let learned = self.learned.entry(function).or_default();
        let new = learned.values.len() < MAX_LEARNED && learned.known.insert(value);
        if new {
            learned.values.push(value);
        }
        new
    }

    /// The values with which inputs of this function were compared.
    pub fn learned(&self, function: FunctionId) -> &[u64] {
        self.learned.get(&function).map_or(&[], |learned| &learned.values)
    }

    /// How many values are known that inputs were compared with.
    pub fn learned_count(&self) -> usize {
        self.learned.values().map(|learned| learned.values.len()).sum()
    }

    /// A value for an input of this function, if anything fits.
    pub fn draw(&self, function: FunctionId, shape: Shape, random: &mut Random) -> Option<u64> {
        let learned = self.learned(function);
        if !learned.is_empty() && !random.one_in(4) {
            // Constants that the text compares with the input come first in the list, constants that only seem to be
            // compared with it later.
            let first = &learned[..learned.len().min(FIRST)];
            let list = if random.one_in(2) { learned } else { first };
            return random.pick(list).copied();
        }
        if shape.is_float() && !self.floats.is_empty() && !random.one_in(4) {
            let value = *random.pick(&self.floats)?;
            return Some(shape.of_number(value));
        }
        let list = if self.others.is_empty() || !random.one_in(4) { &self.compared } else { &self.others };
        let value = *random.pick(list)?;
        let near = if random.one_in(4) { random.below(3) as i128 - 1 } else { 0 };
        Some(shape.of_integer(value + near))
    }
}

#[derive(Default)]
struct Collector {
    compared: Vec<i128>,
    others: Vec<i128>,
    floats: Vec<f64>,
    known_compared: FxHashSet<i128>,
    known_others: FxHashSet<i128>,
    known_floats: FxHashSet<u64>,
}

impl Collector {
    /// The constant may be below casts, and part of a sum: `x + 3 == 7`.
    fn compared_operand(&mut self, program: &Program, operand: ExprId) {
        match program.exprs.kind(operand) {
            ExprKind::Int(value) if self.compared.len() < MAX_CONSTANTS && self.known_compared.insert(value) => {
                self.compared.push(value);
            }
            ExprKind::Cast(inner) => self.compared_operand(program, inner),
            _ => {}
        }
    }

    fn other(&mut self, value: i128) {
        let word = i128::from(i64::MIN)..=i128::from(u64::MAX);
        if self.others.len() < MAX_CONSTANTS && word.contains(&value) && self.known_others.insert(value) {
            self.others.push(value);
        }
    }

    fn float(&mut self, program: &Program, id: ExprId, bits: u128) {
        match program.types.get(program.exprs.ty(id)) {
            Type::Float(FloatKind::Float) => self.note_float(f64::from(f32::from_bits(bits as u32))),
            Type::Float(FloatKind::Double) => self.note_float(f64::from_bits(bits as u64)),
            _ => {}
        }
    }

    fn note_float(&mut self, value: f64) {
        if self.floats.len() < MAX_CONSTANTS && self.known_floats.insert(value.to_bits()) {
            self.floats.push(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_plugin_api::kit::testing::ProgramBuilder;
    use tandem_plugin_api::program::BinaryOp;

    const INT: Shape = Shape::Int { width: 32, signed: true };

    #[test]
    fn constants_of_comparisons_are_drawn_with_their_neighbours() {
        let mut builder = ProgramBuilder::new("magic.c");
        let main = builder.function("main");
        let x = builder.global("x");
        let (place, magic, other) = (builder.variable(x), builder.int(-123_456), builder.int(77));
        builder.binary(BinaryOp::Eq, place, magic);
        builder.binary(BinaryOp::Add, place, other);
        let program = builder.finish(main);
        let dictionary = Dictionary::new(&program, &Shapes::new(&program));
        let mut random = Random::new(1);
        let drawn: FxHashSet<u64> = (0..500).filter_map(|_| dictionary.draw(FunctionId(0), INT, &mut random)).collect();
        for wanted in [-123_456, -123_457, -123_455, 77] {
            assert!(drawn.contains(&INT.of_integer(wanted)), "{wanted}");
        }
    }

    #[test]
    fn what_inputs_are_compared_with_is_learned_once() {
        let mut dictionary = Dictionary::empty();
        let mut random = Random::new(1);
        assert_eq!(dictionary.draw(FunctionId(1), INT, &mut random), None);
        assert!(dictionary.learn(FunctionId(1), 5) && !dictionary.learn(FunctionId(1), 5));
        assert_eq!((dictionary.learned(FunctionId(1)), dictionary.learned(FunctionId(2))), (&[5][..], &[][..]));
        assert_eq!(dictionary.learned_count(), 1);
        assert!((0..50).any(|_| dictionary.draw(FunctionId(1), INT, &mut random) == Some(5)));
    }
}
