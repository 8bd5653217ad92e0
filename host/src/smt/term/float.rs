//! Simplifying constructors of floating-point terms; constants are folded as the program's own are.

use super::{FloatOp, FloatOrder, FloatTest, FloatUnary, Node, Sort, Term, Terms, mask, sign_extend};
use tandem_plugin_api::program::constant;
use tandem_plugin_api::program::{BinaryOp, Constant, FloatKind};

/// Bits of a format as it is stored, without padding.
pub fn format_bits(kind: FloatKind) -> u32 {
    match kind {
        FloatKind::Float => 32,
        FloatKind::Double => 64,
        FloatKind::LongDouble => 80,
        FloatKind::Float128 => 128,
    }
}

pub fn fold_op(op: FloatOp, kind: FloatKind, a: u128, b: u128) -> Option<u128> {
    let op = match op {
        FloatOp::Add => BinaryOp::Add,
        FloatOp::Sub => BinaryOp::Sub,
        FloatOp::Mul => BinaryOp::Mul,
        FloatOp::Div => BinaryOp::Div,
    };
    match constant::float_binary(op, a, b, kind)? {
        Constant::Float(bits) => Some(bits),
        Constant::Int(_) => None,
    }
}

pub fn fold_compare(order: FloatOrder, kind: FloatKind, a: u128, b: u128) -> Option<bool> {
    let op = match order {
        FloatOrder::Eq => BinaryOp::Eq,
        FloatOrder::Lt => BinaryOp::Lt,
        FloatOrder::Le => BinaryOp::Le,
    };
    match constant::float_binary(op, a, b, kind)? {
        Constant::Int(value) => Some(value != 0),
        Constant::Float(_) => None,
    }
}

/// Only sign and absolute value are folded; the rest is left to the solver.
pub fn fold_unary(op: FloatUnary, kind: FloatKind, bits: u128) -> Option<u128> {
    let sign = 1u128 << (format_bits(kind) - 1);
    match op {
        FloatUnary::Neg => Some(bits ^ sign),
        FloatUnary::Abs => Some(bits & !sign),
        _ => None,
    }
}

pub fn fold_test(test: FloatTest, kind: FloatKind, bits: u128) -> Option<bool> {
    let width = format_bits(kind);
    let (significand, exponent_bits) = match kind {
        FloatKind::Float => (23, 8),
        FloatKind::Double => (52, 11),
        FloatKind::LongDouble => (64, 15),
        FloatKind::Float128 => (112, 15),
    };
    let exponent = bits >> significand & mask(exponent_bits);
    let extreme = exponent == mask(exponent_bits);
    let stored = bits & mask(significand);
    // The 80 bits of x87 store the leading bit of the significand: without it, large values are NaNs, and with it, small
    // ones are normal.
    let (fraction, leading) = match kind {
        FloatKind::LongDouble => (stored & mask(63), stored >> 63 != 0),
        _ => (stored, exponent != 0),
    };
    let nan = (extreme && fraction != 0) || (exponent != 0 && !leading);
    Some(match test {
        FloatTest::Nan => nan,
        FloatTest::Infinite => extreme && !nan,
        FloatTest::Zero => exponent == 0 && stored == 0,
        FloatTest::Normal => !extreme && !nan && leading,
        FloatTest::Subnormal => exponent == 0 && !leading && stored != 0,
        FloatTest::Negative => bits >> (width - 1) & 1 != 0 && !nan,
    })
}

impl Terms {
    pub fn as_float(&self, term: Term) -> Option<u128> {
        match self.node(term) {
            Node::Float(_, bits) => Some(bits),
            _ => None,
        }
    }

    fn kind(&self, term: Term) -> FloatKind {
        match self.sort(term) {
            Sort::Float(kind) => kind,
            _ => FloatKind::Double,
        }
    }

    pub fn float_op(&mut self, op: FloatOp, a: Term, b: Term) -> Term {
        let kind = self.kind(a);
        if let (Some(x), Some(y)) = (self.as_float(a), self.as_float(b))
            && let Some(bits) = fold_op(op, kind, x, y)
            // The processor decides which NaN is the result, not the arithmetic.
            && fold_test(FloatTest::Nan, kind, bits) != Some(true)
        {
            return self.float(kind, bits);
        }
        if let Some(result) = self.distribute(a, b, &mut |terms, x, y| terms.float_op(op, x, y)) {
            return result;
        }
        self.intern(Node::FloatOp(op, a, b), Sort::Float(kind))
    }

    pub fn float_unary(&mut self, op: FloatUnary, a: Term) -> Term {
        let kind = self.kind(a);
        if let Some(folded) = self.as_float(a).and_then(|bits| fold_unary(op, kind, bits)) {
            return self.float(kind, folded);
        }
        match (op, self.node(a)) {
            (FloatUnary::Neg, Node::FloatUnary(FloatUnary::Neg, inner)) => inner,
            _ => self.intern(Node::FloatUnary(op, a), Sort::Float(kind)),
        }
    }

    pub fn float_compare(&mut self, order: FloatOrder, a: Term, b: Term) -> Term {
        let kind = self.kind(a);
        if let (Some(x), Some(y)) = (self.as_float(a), self.as_float(b))
            && let Some(result) = fold_compare(order, kind, x, y)
        {
            return self.bool(result);
        }
        if let Some(result) = self.distribute(a, b, &mut |terms, x, y| terms.float_compare(order, x, y)) {
            return result;
        }
        let (a, b) = if order == FloatOrder::Eq && a > b { (b, a) } else { (a, b) };
        self.intern(Node::FloatCompare(order, a, b), Sort::Bool)
    }

    pub fn float_test(&mut self, test: FloatTest, a: Term) -> Term {
        let kind = self.kind(a);
        match self.as_float(a).and_then(|bits| fold_test(test, kind, bits)) {
            Some(result) => self.bool(result),
            None => self.intern(Node::FloatTest(test, a), Sort::Bool),
        }
    }

    /// The float that these bits stand for. `bits` has the width of the format.
    pub fn float_from_bits(&mut self, kind: FloatKind, bits: Term) -> Term {
        if let Some(value) = self.as_bits(bits) {
            return self.float(kind, value);
        }
        match self.node(bits) {
            Node::FloatToBits(inner) if self.kind(inner) == kind => inner,
            // One level only: below, choices may share much.
            Node::Ite(condition, x, y) if self.was_float(x) && self.was_float(y) => {
                let (x, y) = (self.float_from_bits(kind, x), self.float_from_bits(kind, y));
                self.ite(condition, x, y)
            }
            _ => self.intern(Node::FloatFromBits(kind, bits), Sort::Float(kind)),
        }
    }

    fn was_float(&self, bits: Term) -> bool {
        matches!(self.node(bits), Node::Bits(..) | Node::FloatToBits(_))
    }

    /// The bits of a float. Those of a NaN are any that are a NaN, but a float that was made of bits keeps them.
    pub fn float_to_bits(&mut self, a: Term) -> Term {
        let kind = self.kind(a);
        let width = format_bits(kind);
        match self.node(a) {
            Node::Float(_, bits) => self.bits(width, bits),
            Node::FloatFromBits(_, bits) => bits,
            _ => self.intern(Node::FloatToBits(a), Sort::Bits(width)),
        }
    }

    pub fn float_convert(&mut self, kind: FloatKind, a: Term) -> Term {
        let from = self.kind(a);
        if from == kind {
            return a;
        }
        match self.as_float(a) {
            Some(bits) => self.float(kind, constant::float_to_float(bits, from, kind)),
            None => self.intern(Node::FloatConvert(kind, a), Sort::Float(kind)),
        }
    }

    pub fn float_from_int(&mut self, kind: FloatKind, signed: bool, term: Term) -> Term {
        let width = self.width(term);
        if let Some(value) = self.as_bits(term) {
            let value = if signed { sign_extend(value, width) } else { value as i128 };
            return self.float(kind, constant::int_to_float(value, !signed && width == 128, kind));
        }
        if self.is_choice_of_constants(term) {
            return self.map_leaves(term, &mut |terms, leaf| terms.float_from_int(kind, signed, leaf));
        }
        self.intern(Node::FloatFromInt { kind, signed, term }, Sort::Float(kind))
    }

    pub fn float_to_int(&mut self, bits: u32, signed: bool, term: Term) -> Term {
        let kind = self.kind(term);
        if let Some(value) = self.as_float(term)
            && let Some(result) = constant::float_to_int(value, kind, bits, signed)
        {
            return self.bits(bits, result as u128);
        }
        self.intern(Node::FloatToInt { bits, signed, term }, Sort::Bits(bits))
    }
}
