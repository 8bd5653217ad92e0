//! Simplifying constructors of words: arithmetic, shifts, comparisons, and cutting and joining of bits.

use super::{FALSE, Node, Order, Sort, TRUE, Term, Terms, WordOp, mask, sign_extend};

/// The result on constants. Division by zero is as SMT-LIB has it; no program gets there.
pub fn fold_word(op: WordOp, width: u32, a: u128, b: u128) -> u128 {
    let (sa, sb) = (sign_extend(a, width), sign_extend(b, width));
    let result = match op {
        WordOp::Add => a.wrapping_add(b),
        WordOp::Mul => a.wrapping_mul(b),
        WordOp::UDiv => a.checked_div(b).unwrap_or(u128::MAX),
        WordOp::URem => a.checked_rem(b).unwrap_or(a),
        WordOp::SDiv if sb == 0 => {
            if sa < 0 {
                1
            } else {
                u128::MAX
            }
        }
        WordOp::SDiv => sa.wrapping_div(sb) as u128,
        WordOp::SRem if sb == 0 => a,
        WordOp::SRem => sa.wrapping_rem(sb) as u128,
        WordOp::Shl if b >= u128::from(width) => 0,
        WordOp::Shl => a << b,
        WordOp::LShr if b >= u128::from(width) => 0,
        WordOp::LShr => a >> b,
        WordOp::AShr => (sa >> b.min(127)) as u128,
        WordOp::And => a & b,
        WordOp::Or => a | b,
        WordOp::Xor => a ^ b,
    };
    result & mask(width)
}

pub fn fold_compare(order: Order, width: u32, a: u128, b: u128) -> bool {
    let (sa, sb) = (sign_extend(a, width), sign_extend(b, width));
    match order {
        Order::ULt => a < b,
        Order::ULe => a <= b,
        Order::SLt => sa < sb,
        Order::SLe => sa <= sb,
    }
}

fn is_commutative(op: WordOp) -> bool {
    matches!(op, WordOp::Add | WordOp::Mul | WordOp::And | WordOp::Or | WordOp::Xor)
}

impl Terms {
    pub fn word(&mut self, op: WordOp, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if let (Some(x), Some(y)) = (self.as_bits(a), self.as_bits(b)) {
            return self.bits(width, fold_word(op, width, x, y));
        }
        if let Some(result) = self.distribute(a, b, &mut |terms, x, y| terms.word(op, x, y)) {
            return result;
        }
        // The constant, if any, is on the right.
        let (a, b) = if is_commutative(op) && (self.is_constant(a) || (!self.is_constant(b) && a > b)) {
            (b, a)
        } else {
            (a, b)
        };
        let simpler = match op {
            WordOp::Add => self.simpler_add(a, b, width),
            _ => self.as_bits(b).and_then(|constant| self.simpler_with_constant(op, a, constant, width)),
        };
        if let Some(result) = simpler {
            return result;
        }
        if a == b {
            match op {
                WordOp::And | WordOp::Or => return a,
                WordOp::Xor => return self.bits(width, 0),
                _ => {}
            }
        }
        self.intern(Node::Word(op, a, b), Sort::Bits(width))
    }

    fn simpler_add(&mut self, a: Term, b: Term, width: u32) -> Option<Term> {
        if let Some(constant) = self.as_bits(b) {
            if constant == 0 {
                return Some(a);
            }
            // Constants gather at the right end.
            if let Node::Word(WordOp::Add, x, y) = self.node(a)
                && let Some(inner) = self.as_bits(y)
            {
                let sum = self.bits(width, inner.wrapping_add(constant));
                return Some(self.add(x, sum));
            }
            return None;
        }
        if self.node(a) == Node::Neg(b) || self.node(b) == Node::Neg(a) {
            return Some(self.bits(width, 0));
        }
        for (a, b) in [(a, b), (b, a)] {
            if let Node::Word(WordOp::Add, x, y) = self.node(a) {
                if self.as_bits(y).is_some() {
                    let rest = self.add(x, b);
                    return Some(self.add(rest, y));
                }
                // (x + y) - y
                if self.node(b) == Node::Neg(y) {
                    return Some(x);
                }
                if self.node(b) == Node::Neg(x) {
                    return Some(y);
                }
            }
        }
        None
    }

    fn simpler_with_constant(&mut self, op: WordOp, a: Term, constant: u128, width: u32) -> Option<Term> {
        let zero = constant == 0;
        match op {
            WordOp::Mul if zero => Some(self.bits(width, 0)),
            WordOp::Mul | WordOp::UDiv if constant == 1 => Some(a),
            WordOp::SDiv if constant == 1 && width > 1 => Some(a),
            WordOp::URem if constant == 1 => Some(self.bits(width, 0)),
            WordOp::URem if constant.is_power_of_two() => {
                let low = self.extract(constant.trailing_zeros() - 1, 0, a);
                Some(self.zero_extend(width, low))
            }
            WordOp::UDiv if constant.is_power_of_two() => {
                let shift = self.bits(width, constant.trailing_zeros().into());
                Some(self.word(WordOp::LShr, a, shift))
            }
            WordOp::Mul => {
                // (x · c) · d and (x + c) · d, so that offsets into memory keep their form.
                let node = self.node(a);
                let (Node::Word(inner @ (WordOp::Mul | WordOp::Add), x, y), d) = (node, constant) else { return None };
                let c = self.as_bits(y)?;
                let product = self.bits(width, c.wrapping_mul(d));
                if inner == WordOp::Mul {
                    return Some(self.word(WordOp::Mul, x, product));
                }
                let d = self.bits(width, d);
                let scaled = self.word(WordOp::Mul, x, d);
                Some(self.add(scaled, product))
            }
            WordOp::Shl | WordOp::LShr | WordOp::AShr | WordOp::Or | WordOp::Xor if zero => Some(a),
            WordOp::And if zero => Some(self.bits(width, 0)),
            WordOp::And | WordOp::Or | WordOp::Xor if constant == mask(width) => Some(match op {
                WordOp::And => a,
                WordOp::Or => self.bits(width, constant),
                _ => self.bit_not(a),
            }),
            WordOp::And if (constant + 1).is_power_of_two() => {
                let low = self.extract(constant.trailing_ones() - 1, 0, a);
                Some(self.zero_extend(width, low))
            }
            WordOp::Shl if constant >= width.into() => Some(self.bits(width, 0)),
            WordOp::LShr if constant >= width.into() => Some(self.bits(width, 0)),
            WordOp::LShr => {
                let high = self.extract(width - 1, constant as u32, a);
                Some(self.zero_extend(width, high))
            }
            WordOp::And | WordOp::Or | WordOp::Xor => {
                let Node::Word(inner, x, y) = self.node(a) else { return None };
                let both = self.as_bits(y).filter(|_| inner == op)?;
                let joined = self.bits(width, fold_word(op, width, both, constant));
                Some(self.word(op, x, joined))
            }
            _ => None,
        }
    }

    pub fn add(&mut self, a: Term, b: Term) -> Term {
        self.word(WordOp::Add, a, b)
    }

    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        let negative = self.neg(b);
        self.word(WordOp::Add, a, negative)
    }

    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        self.word(WordOp::Mul, a, b)
    }

    pub fn neg(&mut self, a: Term) -> Term {
        let width = self.width(a);
        if let Some(value) = self.as_bits(a) {
            return self.bits(width, value.wrapping_neg());
        }
        if self.is_choice_of_constants(a) {
            return self.map_leaves(a, &mut |terms, leaf| terms.neg(leaf));
        }
        match self.node(a) {
            Node::Neg(inner) => inner,
            // -(x + c) = -x + -c, so that constants gather.
            Node::Word(WordOp::Add, x, y) if self.as_bits(y).is_some() => {
                let (x, y) = (self.neg(x), self.neg(y));
                self.add(x, y)
            }
            Node::Word(WordOp::Mul, x, y) if self.as_bits(y).is_some() => {
                let y = self.neg(y);
                self.mul(x, y)
            }
            _ => self.intern(Node::Neg(a), Sort::Bits(width)),
        }
    }

    pub fn bit_not(&mut self, a: Term) -> Term {
        let width = self.width(a);
        if let Some(value) = self.as_bits(a) {
            return self.bits(width, !value);
        }
        match self.node(a) {
            Node::BitNot(inner) => inner,
            _ => self.intern(Node::BitNot(a), Sort::Bits(width)),
        }
    }

    pub fn compare(&mut self, order: Order, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if a == b {
            return self.bool(matches!(order, Order::ULe | Order::SLe));
        }
        if let (Some(x), Some(y)) = (self.as_bits(a), self.as_bits(b)) {
            return self.bool(fold_compare(order, width, x, y));
        }
        if let Some(result) = self.distribute(a, b, &mut |terms, x, y| terms.compare(order, x, y)) {
            return result;
        }
        // a <= b is !(b < a): one form for both.
        match order {
            Order::ULe => {
                let less = self.compare(Order::ULt, b, a);
                return self.not(less);
            }
            Order::SLe => {
                let less = self.compare(Order::SLt, b, a);
                return self.not(less);
            }
            _ => {}
        }
        if let Some(result) = self.less_than_by_bounds(order, a, b, width) {
            return result;
        }
        match (self.node(a), self.node(b)) {
            (Node::ZeroExtend(_, x), Node::ZeroExtend(_, y)) if self.sort(x) == self.sort(y) => {
                self.compare(Order::ULt, x, y)
            }
            (Node::SignExtend(_, x), Node::SignExtend(_, y)) if self.sort(x) == self.sort(y) => {
                self.compare(order, x, y)
            }
            _ => self.intern(Node::Compare(order, a, b), Sort::Bool),
        }
    }

    /// Comparisons that the ranges of the operands decide.
    fn less_than_by_bounds(&mut self, order: Order, a: Term, b: Term, width: u32) -> Option<Term> {
        let (low_a, high_a) = self.bounds(order, a, width);
        let (low_b, high_b) = self.bounds(order, b, width);
        if high_a < low_b {
            return Some(TRUE);
        }
        if low_a >= high_b {
            return Some(FALSE);
        }
        // x < lowest + 1 and highest - 1 < x are equalities.
        if order == Order::ULt {
            if self.as_bits(b) == Some(1) {
                let zero = self.bits(width, 0);
                return Some(self.eq(a, zero));
            }
            if self.as_bits(a) == Some(0) {
                let zero = self.bits(width, 0);
                let is_zero = self.eq(b, zero);
                return Some(self.not(is_zero));
            }
        }
        None
    }

    /// Bounds that the shape of a term shows.
    fn bounds(&self, order: Order, term: Term, width: u32) -> (i128, i128) {
        let signed = matches!(order, Order::SLt | Order::SLe);
        if width > 64 {
            return (i128::MIN, i128::MAX);
        }
        if let Some(value) = self.as_bits(term) {
            let value = if signed { sign_extend(value, width) } else { value as i128 };
            return (value, value);
        }
        match self.node(term) {
            Node::ZeroExtend(_, inner) if self.width(inner) < width => (0, mask(self.width(inner)) as i128),
            Node::SignExtend(_, inner) if signed => {
                let half = 1i128 << (self.width(inner) - 1);
                (-half, half - 1)
            }
            Node::Ite(_, x, y) if self.is_choice_of_constants(term) => {
                let (a, b) = (self.bounds(order, x, width), self.bounds(order, y, width));
                (a.0.min(b.0), a.1.max(b.1))
            }
            _ if signed => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
            _ => (0, mask(width) as i128),
        }
    }

    pub fn extract(&mut self, high: u32, low: u32, a: Term) -> Term {
        let width = self.width(a);
        if low == 0 && high + 1 == width {
            return a;
        }
        let size = high - low + 1;
        if let Some(value) = self.as_bits(a) {
            return self.bits(size, value >> low);
        }
        if self.is_choice_of_constants(a) {
            return self.map_leaves(a, &mut |terms, leaf| terms.extract(high, low, leaf));
        }
        match self.node(a) {
            Node::Extract { low: inner_low, term, .. } => self.extract(high + inner_low, low + inner_low, term),
            Node::Concat(x, y) => {
                let split = self.width(y);
                if high < split {
                    self.extract(high, low, y)
                } else if low >= split {
                    self.extract(high - split, low - split, x)
                } else {
                    let upper = self.extract(high - split, 0, x);
                    let lower = self.extract(split - 1, low, y);
                    self.concat(upper, lower)
                }
            }
            Node::ZeroExtend(_, inner) | Node::SignExtend(_, inner) if high < self.width(inner) => {
                self.extract(high, low, inner)
            }
            Node::ZeroExtend(_, inner) if low >= self.width(inner) => self.bits(size, 0),
            Node::ZeroExtend(_, inner) => {
                let top = self.width(inner) - 1;
                let part = self.extract(top, low, inner);
                self.zero_extend(size, part)
            }
            Node::SignExtend(_, inner) if low == 0 => self.sign_extend(size, inner),
            _ => self.extract_inside(high, low, a).unwrap_or_else(|| self.intern_extract(high, low, a)),
        }
    }

    fn intern_extract(&mut self, high: u32, low: u32, a: Term) -> Term {
        self.intern(Node::Extract { high, low, term: a }, Sort::Bits(high - low + 1))
    }

    /// Cuts operands instead of their result.
    fn extract_inside(&mut self, high: u32, low: u32, a: Term) -> Option<Term> {
        let node = self.node(a);
        let (x, y) = match node {
            Node::Word(WordOp::And | WordOp::Or | WordOp::Xor, x, y) => (x, y),
            // Low bits of sums and products depend on low bits only.
            Node::Word(WordOp::Add | WordOp::Mul, x, y) if low == 0 => (x, y),
            Node::Ite(_, x, y) if self.is_constant(x) || self.is_constant(y) => (x, y),
            _ => return None,
        };
        if let Some(&known) = self.cut.get(&(a, high, low)) {
            return Some(known);
        }
        let (x, y) = self.deeper(|terms| (terms.extract(high, low, x), terms.extract(high, low, y)))?;
        let result = match node {
            Node::Word(op, ..) => self.word(op, x, y),
            Node::Ite(condition, ..) => self.ite(condition, x, y),
            _ => return None,
        };
        self.cut.insert((a, high, low), result);
        Some(result)
    }

    /// `a` above `b`.
    pub fn concat(&mut self, a: Term, b: Term) -> Term {
        let (wide, low) = (self.width(a), self.width(b));
        let width = wide + low;
        match (self.node(a), self.node(b)) {
            (Node::Bits(_, x), Node::Bits(_, y)) if width <= 128 => return self.bits(width, x << low | y),
            (Node::Bits(_, 0), _) => return self.zero_extend(width, b),
            (Node::Extract { high, low: split, term }, Node::Extract { high: below, low, term: same })
                if term == same && split == below + 1 =>
            {
                return self.extract(high, low, term);
            }
            // (x above y) above z is x above (y above z), so that neighbours meet.
            (Node::Concat(x, y), _) => {
                let lower = self.concat(y, b);
                return self.concat(x, lower);
            }
            (Node::Extract { high, low: split, term }, Node::Concat(x, y)) => {
                if let Node::Extract { high: below, low, term: same } = self.node(x)
                    && term == same
                    && split == below + 1
                {
                    let joined = self.extract(high, low, term);
                    return self.concat(joined, y);
                }
            }
            _ => {}
        }
        self.intern(Node::Concat(a, b), Sort::Bits(width))
    }

    pub fn zero_extend(&mut self, width: u32, a: Term) -> Term {
        if self.width(a) >= width {
            return a;
        }
        if let Some(value) = self.as_bits(a) {
            return self.bits(width, value);
        }
        if self.is_choice_of_constants(a) {
            return self.map_leaves(a, &mut |terms, leaf| terms.zero_extend(width, leaf));
        }
        match self.node(a) {
            Node::ZeroExtend(_, inner) => self.zero_extend(width, inner),
            _ => self.intern(Node::ZeroExtend(width, a), Sort::Bits(width)),
        }
    }

    pub fn sign_extend(&mut self, width: u32, a: Term) -> Term {
        let narrow = self.width(a);
        if narrow >= width {
            return a;
        }
        if let Some(value) = self.as_bits(a) {
            return self.signed(width, sign_extend(value, narrow));
        }
        if self.is_choice_of_constants(a) {
            return self.map_leaves(a, &mut |terms, leaf| terms.sign_extend(width, leaf));
        }
        match self.node(a) {
            Node::SignExtend(_, inner) => self.sign_extend(width, inner),
            Node::ZeroExtend(_, inner) => self.zero_extend(width, inner),
            _ => self.intern(Node::SignExtend(width, a), Sort::Bits(width)),
        }
    }

    /// The word in another width: cut, or extended as its signedness says.
    pub fn resize(&mut self, width: u32, signed: bool, a: Term) -> Term {
        if width < self.width(a) {
            self.extract(width - 1, 0, a)
        } else if signed {
            self.sign_extend(width, a)
        } else {
            self.zero_extend(width, a)
        }
    }

    /// 1 or 0.
    pub fn from_bool(&mut self, width: u32, condition: Term) -> Term {
        let (one, zero) = (self.bits(width, 1), self.bits(width, 0));
        self.ite(condition, one, zero)
    }

    /// Whether any bit is set.
    pub fn is_nonzero(&mut self, a: Term) -> Term {
        let zero = self.bits(self.width(a), 0);
        let is_zero = self.eq(a, zero);
        self.not(is_zero)
    }
}
