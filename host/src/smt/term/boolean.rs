//! Simplifying constructors of Boolean terms: connectives, choice and equality.

use super::{FALSE, Node, Sort, TRUE, Term, Terms, WordOp};

impl Terms {
    pub fn not(&mut self, a: Term) -> Term {
        match self.node(a) {
            Node::Bool(value) => self.bool(!value),
            Node::Not(inner) => inner,
            _ => self.intern(Node::Not(a), Sort::Bool),
        }
    }

    fn is_negation(&self, a: Term, b: Term) -> bool {
        self.node(a) == Node::Not(b) || self.node(b) == Node::Not(a)
    }

    /// Conjunctions nest to the left, so that the newest conjunct is on the right.
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        if a == FALSE || b == FALSE || self.is_negation(a, b) {
            return FALSE;
        }
        if a == TRUE || a == b {
            return b;
        }
        if b == TRUE {
            return a;
        }
        match (self.node(a), self.node(b)) {
            // A conjunct near the end of the conjunction is the same or the opposite.
            (Node::And(x, y), _) if x == b || y == b => a,
            (Node::And(x, y), _) if self.is_negation(x, b) || self.is_negation(y, b) => FALSE,
            (_, Node::And(x, y)) if x == a || y == a => b,
            (_, Node::And(x, y)) if self.is_negation(x, a) || self.is_negation(y, a) => FALSE,
            // Absorption, and choices of which one arm is left.
            (_, Node::Or(x, y)) if x == a || y == a => a,
            (Node::Or(x, y), _) if x == b || y == b => b,
            (_, Node::Or(x, y)) if self.is_negation(x, a) => self.and(a, y),
            (_, Node::Or(x, y)) if self.is_negation(y, a) => self.and(a, x),
            (_, Node::And(..)) => self.and_each(a, b),
            _ => self.intern(Node::And(a, b), Sort::Bool),
        }
    }

    /// Adds the conjuncts of `b` one by one. The right side of a conjunction is never a conjunction.
    fn and_each(&mut self, a: Term, b: Term) -> Term {
        let (mut parts, mut at) = (Vec::new(), b);
        while let Node::And(front, last) = self.node(at) {
            parts.push(last);
            at = front;
        }
        let first = self.and(a, at);
        parts.into_iter().rev().fold(first, |all, part| self.and(all, part))
    }

    pub fn or(&mut self, a: Term, b: Term) -> Term {
        if a == TRUE || b == TRUE || self.is_negation(a, b) {
            return TRUE;
        }
        if a == FALSE || a == b {
            return b;
        }
        if b == FALSE {
            return a;
        }
        match (self.node(a), self.node(b)) {
            (Node::And(p, x), Node::And(q, y)) if p == q => {
                let rest = self.or(x, y);
                self.and(p, rest)
            }
            (_, Node::And(x, y)) if x == a || y == a => a,
            (Node::And(x, y), _) if x == b || y == b => b,
            (_, Node::And(x, y)) if self.is_negation(y, a) => self.or(a, x),
            (_, Node::And(x, y)) if self.is_negation(x, a) => self.or(a, y),
            (Node::And(x, y), _) if self.is_negation(y, b) => self.or(x, b),
            (Node::And(x, y), _) if self.is_negation(x, b) => self.or(y, b),
            (Node::Or(x, y), _) if x == b || y == b => a,
            (_, Node::Or(x, y)) if x == a || y == a => b,
            (Node::Or(x, y), _) if self.is_negation(x, b) || self.is_negation(y, b) => TRUE,
            (_, Node::Or(x, y)) if self.is_negation(x, a) || self.is_negation(y, a) => TRUE,
            _ => {
                let (a, b) = if a <= b { (a, b) } else { (b, a) };
                self.intern(Node::Or(a, b), Sort::Bool)
            }
        }
    }

    pub fn all(&mut self, list: impl IntoIterator<Item = Term>) -> Term {
        list.into_iter().fold(TRUE, |all, term| self.and(all, term))
    }

    pub fn any(&mut self, list: impl IntoIterator<Item = Term>) -> Term {
        list.into_iter().fold(FALSE, |any, term| self.or(any, term))
    }

    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not = self.not(a);
        self.or(not, b)
    }

    pub fn ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        if then == otherwise || condition == TRUE {
            return then;
        }
        if condition == FALSE {
            return otherwise;
        }
        if let Node::Not(inner) = self.node(condition) {
            return self.ite(inner, otherwise, then);
        }
        // The condition's value is known in the arms.
        if let Node::Ite(inner, a, _) = self.node(then)
            && inner == condition
        {
            return self.ite(condition, a, otherwise);
        }
        if let Node::Ite(inner, _, b) = self.node(otherwise)
            && inner == condition
        {
            return self.ite(condition, then, b);
        }
        let sort = self.sort(then);
        if sort == Sort::Bool {
            return self.bool_ite(condition, then, otherwise);
        }
        // A chain of choices with one result among them is one choice.
        if let Node::Ite(inner, a, b) = self.node(otherwise) {
            if a == then {
                let either = self.or(condition, inner);
                return self.ite(either, then, b);
            }
            if b == then {
                let not = self.not(condition);
                let both = self.and(not, inner);
                return self.ite(both, a, then);
            }
        }
        if let Node::Ite(inner, a, b) = self.node(then) {
            if b == otherwise {
                let both = self.and(condition, inner);
                return self.ite(both, a, otherwise);
            }
            if a == otherwise {
                let not = self.not(inner);
                let both = self.and(condition, not);
                return self.ite(both, b, otherwise);
            }
        }
        self.intern(Node::Ite(condition, then, otherwise), sort)
    }

    fn bool_ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        if then == TRUE || then == condition {
            return self.or(condition, otherwise);
        }
        if then == FALSE || self.is_negation(then, condition) {
            let not = self.not(condition);
            return self.and(not, otherwise);
        }
        if otherwise == TRUE || self.is_negation(otherwise, condition) {
            let not = self.not(condition);
            return self.or(not, then);
        }
        if otherwise == FALSE || otherwise == condition {
            return self.and(condition, then);
        }
        self.intern(Node::Ite(condition, then, otherwise), Sort::Bool)
    }

    /// Equality of two terms of one sort. Floats are not compared here.
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return TRUE;
        }
        if self.is_constant(a) && self.is_constant(b) {
            return FALSE;
        }
        // The constant, if any, is on the right.
        let (a, b) = if self.is_constant(a) || (!self.is_constant(b) && a > b) { (b, a) } else { (a, b) };
        if self.sort(a) == Sort::Bool {
            return self.bool_eq(a, b);
        }
        if let Some(result) = self.distribute(a, b, &mut |terms, x, y| terms.eq(x, y)) {
            return result;
        }
        if self.are_apart(a, b) {
            return FALSE;
        }
        if let Some(result) = self.eq_by_shape(a, b) {
            return result;
        }
        self.intern(Node::Eq(a, b), Sort::Bool)
    }

    fn bool_eq(&mut self, a: Term, b: Term) -> Term {
        match self.as_bool(b) {
            Some(true) => a,
            Some(false) => self.not(a),
            None if self.is_negation(a, b) => FALSE,
            None => match (self.node(a), self.node(b)) {
                (Node::Not(x), Node::Not(y)) => self.eq(x, y),
                _ => self.intern(Node::Eq(a, b), Sort::Bool),
            },
        }
    }

    /// A constant, or an address at a constant distance from an object.
    fn is_plain(&self, term: Term) -> bool {
        self.is_constant(term) || self.as_address(term).is_some()
    }

    fn eq_by_shape(&mut self, a: Term, b: Term) -> Option<Term> {
        if let Some(value) = self.as_bits(b) {
            return self.deeper(|terms| terms.eq_constant(a, value))?;
        }
        self.deeper(|terms| terms.eq_of_shapes(a, b))?
    }

    fn eq_of_shapes(&mut self, a: Term, b: Term) -> Option<Term> {
        match (self.node(a), self.node(b)) {
            (Node::Word(WordOp::Add, x, y), Node::Word(WordOp::Add, u, v)) if y == v => Some(self.eq(x, u)),
            (Node::Word(WordOp::Add, x, y), Node::Word(WordOp::Add, u, v)) if x == u => Some(self.eq(y, v)),
            (Node::Word(WordOp::Add, x, y), _) if x == b => {
                let zero = self.bits(self.width(b), 0);
                Some(self.eq(y, zero))
            }
            (_, Node::Word(WordOp::Add, x, y)) if x == a => {
                let zero = self.bits(self.width(a), 0);
                Some(self.eq(y, zero))
            }
            (Node::ZeroExtend(_, x), Node::ZeroExtend(_, y)) | (Node::SignExtend(_, x), Node::SignExtend(_, y))
                if self.sort(x) == self.sort(y) =>
            {
                Some(self.eq(x, y))
            }
            // Addresses go into choices between addresses.
            (Node::Ite(c, x, y), _) if self.is_plain(b) && (self.is_plain(x) || self.is_plain(y)) => {
                let (x, y) = (self.eq(x, b), self.eq(y, b));
                Some(self.ite(c, x, y))
            }
            (_, Node::Ite(c, x, y)) if self.is_plain(a) && (self.is_plain(x) || self.is_plain(y)) => {
                let (x, y) = (self.eq(a, x), self.eq(a, y));
                Some(self.ite(c, x, y))
            }
            // One arm of a choice is the other side.
            (Node::Ite(c, x, y), _) if x == b => {
                let rest = self.eq(y, b);
                Some(self.or(c, rest))
            }
            (Node::Ite(c, x, y), _) if y == b => {
                let rest = self.eq(x, b);
                let not = self.not(c);
                Some(self.or(not, rest))
            }
            (_, Node::Ite(c, x, y)) if x == a => {
                let rest = self.eq(y, a);
                Some(self.or(c, rest))
            }
            (_, Node::Ite(c, x, y)) if y == a => {
                let rest = self.eq(x, a);
                let not = self.not(c);
                Some(self.or(not, rest))
            }
            _ => None,
        }
    }

    /// Equality with a constant word.
    fn eq_constant(&mut self, a: Term, value: u128) -> Option<Term> {
        let width = self.width(a);
        match self.node(a) {
            Node::Word(WordOp::Add, x, c) => {
                let c = self.as_bits(c)?;
                let rest = self.bits(width, value.wrapping_sub(c));
                Some(self.eq(x, rest))
            }
            Node::Word(WordOp::Xor, x, c) => {
                let rest = self.bits(width, value ^ self.as_bits(c)?);
                Some(self.eq(x, rest))
            }
            Node::Neg(x) => {
                let rest = self.bits(width, value.wrapping_neg());
                Some(self.eq(x, rest))
            }
            Node::BitNot(x) => {
                let rest = self.bits(width, !value);
                Some(self.eq(x, rest))
            }
            Node::ZeroExtend(_, x) => {
                let inner = self.width(x);
                if value > super::mask(inner) {
                    return Some(FALSE);
                }
                let rest = self.bits(inner, value);
                Some(self.eq(x, rest))
            }
            Node::SignExtend(_, x) => {
                let inner = self.width(x);
                let signed = super::sign_extend(value, width);
                if super::sign_extend(value & super::mask(inner), inner) != signed {
                    return Some(FALSE);
                }
                let rest = self.bits(inner, value);
                Some(self.eq(x, rest))
            }
            Node::Concat(x, y) => {
                let low = self.width(y);
                let high_value = self.bits(self.width(x), value >> low);
                let low_value = self.bits(low, value);
                let (high, low) = (self.eq(x, high_value), self.eq(y, low_value));
                Some(self.and(high, low))
            }
            Node::Word(WordOp::Mul, x, c) if self.as_bits(c).is_some_and(u128::is_power_of_two) => {
                let shift = self.as_bits(c)?.trailing_zeros();
                if value & super::mask(shift) != 0 {
                    return Some(FALSE);
                }
                let low = self.extract(width - 1 - shift, 0, x);
                let rest = self.bits(width - shift, value >> shift);
                Some(self.eq(low, rest))
            }
            // A choice with one arm that is constant or an address: the other arm decides the rest.
            Node::Ite(c, x, y) if self.is_plain(x) || self.is_plain(y) => {
                let constant = self.bits(width, value);
                let (x, y) = (self.eq(x, constant), self.eq(y, constant));
                Some(self.ite(c, x, y))
            }
            _ => None,
        }
    }
}
