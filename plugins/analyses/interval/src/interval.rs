//! Intervals of integers of a given width and signedness. Arithmetic is that of the machine: a result that leaves the
//! range of its type wraps, exactly where the whole interval wraps alike, else to the full range.

use crate::bitwise;
use tandem_plugin_api::program::BinaryOp;

/// Width and signedness of an integer type of at most 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    pub bits: u32,
    pub signed: bool,
}

impl Shape {
    pub fn min(self) -> i128 {
        if self.signed { -(1 << (self.bits - 1)) } else { 0 }
    }

    pub fn max(self) -> i128 {
        if self.signed { (1 << (self.bits - 1)) - 1 } else { (1 << self.bits) - 1 }
    }

    pub fn range(self) -> Interval {
        Interval { lo: self.min(), hi: self.max() }
    }

    fn modulus(self) -> i128 {
        1 << self.bits
    }

    /// How often the range was left before this value.
    fn period(self, value: i128) -> i128 {
        (value - self.min()).div_euclid(self.modulus())
    }
}

/// All integers from `lo` to `hi`; never empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    pub lo: i128,
    pub hi: i128,
}

/// Wider than any sum or product that is computed: larger ones are given up.
const LARGEST: i128 = 1 << 120;

impl Interval {
    pub fn point(value: i128) -> Self {
        Interval { lo: value, hi: value }
    }

    /// `None` if it is empty.
    pub fn new(lo: i128, hi: i128) -> Option<Self> {
        (lo <= hi).then_some(Interval { lo, hi })
    }

    pub fn is_point(self) -> bool {
        self.lo == self.hi
    }

    pub fn contains(self, value: i128) -> bool {
        (self.lo..=self.hi).contains(&value)
    }

    pub fn within(self, other: Interval) -> bool {
        other.lo <= self.lo && self.hi <= other.hi
    }

    pub fn join(self, other: Interval) -> Interval {
        Interval { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    pub fn meet(self, other: Interval) -> Option<Interval> {
        Interval::new(self.lo.max(other.lo), self.hi.min(other.hi))
    }

    /// Whether C takes the value for true; `None` if it may be either.
    pub fn truth(self) -> Option<bool> {
        if !self.contains(0) {
            Some(true)
        } else if self.is_point() {
            Some(false)
        } else {
            None
        }
    }

    /// The values after conversion to a type: high bits are dropped.
    pub fn cast(self, shape: Shape) -> Interval {
        if self.within(shape.range()) {
            return self;
        }
        let period = shape.period(self.lo);
        if self.lo < -LARGEST || self.hi > LARGEST || period != shape.period(self.hi) {
            return shape.range();
        }
        let shift = period * shape.modulus();
        Interval { lo: self.lo - shift, hi: self.hi - shift }
    }

    /// The values of `self`, none of them wrapped yet, that lie in `wanted` once they are.
    pub fn before_wrapping(self, wanted: Interval, shape: Shape) -> Option<Interval> {
        let (first, last) = (shape.period(self.lo), shape.period(self.hi));
        if self.lo < -LARGEST || self.hi > LARGEST || last - first > 4 {
            return Some(self);
        }
        let pieces = (first..=last).filter_map(|period| {
            let shift = period * shape.modulus();
            self.meet(Interval { lo: wanted.lo + shift, hi: wanted.hi + shift })
        });
        pieces.reduce(Interval::join)
    }

    pub fn plus(self, other: Interval) -> Interval {
        Interval { lo: self.lo + other.lo, hi: self.hi + other.hi }
    }

    pub fn minus(self, other: Interval) -> Interval {
        Interval { lo: self.lo - other.hi, hi: self.hi - other.lo }
    }

    pub fn negated(self) -> Interval {
        Interval { lo: -self.hi, hi: -self.lo }
    }

    pub fn times(self, other: Interval) -> Option<Interval> {
        let corners = [(self.lo, other.lo), (self.lo, other.hi), (self.hi, other.lo), (self.hi, other.hi)];
        let mut products = Vec::with_capacity(4);
        for (a, b) in corners {
            products.push(a.checked_mul(b)?);
        }
        hull(&products)
    }

    /// `~x` for all x.
    pub fn complement(self, shape: Shape) -> Interval {
        let most = if shape.signed { -1 } else { shape.max() };
        Interval { lo: most - self.hi, hi: most - self.lo }
    }
}

fn hull(values: &[i128]) -> Option<Interval> {
    Interval::new(*values.iter().min()?, *values.iter().max()?)
}

/// `a op b` in a type; comparisons yield 0 or 1. For shifts, the type is that of `a`.
pub fn binary(op: BinaryOp, a: Interval, b: Interval, shape: Shape) -> Interval {
    use BinaryOp::*;
    let all = shape.range();
    match op {
        Add => a.plus(b).cast(shape),
        Sub => a.minus(b).cast(shape),
        Mul => a.times(b).map_or(all, |product| product.cast(shape)),
        Div => quotient(a, b).map_or(all, |result| result.meet(all).unwrap_or(all)),
        Rem => remainder(a, b).unwrap_or(all),
        Shl | Shr if b.lo < 0 || b.hi >= i128::from(shape.bits) => all,
        Shl => {
            let power = Interval { lo: 1 << b.lo, hi: 1 << b.hi };
            a.times(power).map_or(all, |product| product.cast(shape))
        }
        Shr => hull(&[a.lo >> b.lo, a.lo >> b.hi, a.hi >> b.lo, a.hi >> b.hi]).unwrap_or(all),
        BitAnd | BitOr | BitXor => bitwise::bounds(op, a, b, shape),
        Eq | Ne | Lt | Le | Gt | Ge => match compare(op, a, b) {
            Some(truth) => Interval::point(truth.into()),
            None => Interval { lo: 0, hi: 1 },
        },
        PointerAdd | PointerDiff => all,
    }
}

/// Whether a comparison holds for all values, or for none.
pub fn compare(op: BinaryOp, a: Interval, b: Interval) -> Option<bool> {
    use BinaryOp::*;
    match op {
        Eq if a.is_point() && a == b => Some(true),
        Eq if a.meet(b).is_none() => Some(false),
        Ne => compare(Eq, a, b).map(|same| !same),
        Lt if a.hi < b.lo => Some(true),
        Lt if a.lo >= b.hi => Some(false),
        Le if a.hi <= b.lo => Some(true),
        Le if a.lo > b.hi => Some(false),
        Gt => compare(Lt, b, a),
        Ge => compare(Le, b, a),
        _ => None,
    }
}

/// A division by zero traps, so nothing comes after it.
fn quotient(a: Interval, b: Interval) -> Option<Interval> {
    let parts = [Interval::new(b.lo, b.hi.min(-1)), Interval::new(b.lo.max(1), b.hi)];
    let corners: Vec<i128> = parts
        .into_iter()
        .flatten()
        .flat_map(|part| [a.lo / part.lo, a.lo / part.hi, a.hi / part.lo, a.hi / part.hi])
        .collect();
    hull(&corners)
}

/// The remainder has the sign of the dividend.
fn remainder(a: Interval, b: Interval) -> Option<Interval> {
    let largest = b.lo.abs().max(b.hi.abs()) - 1;
    if largest < 0 {
        return None;
    }
    let smallest = if b.lo > 0 {
        b.lo
    } else if b.hi < 0 {
        -b.hi
    } else {
        1
    };
    if a.lo > -smallest && a.hi < smallest {
        return Some(a);
    }
    if a.lo >= 0 && b.is_point() && a.lo / smallest == a.hi / smallest {
        return Some(Interval { lo: a.lo % smallest, hi: a.hi % smallest });
    }
    Some(Interval { lo: a.lo.min(0).max(-largest), hi: a.hi.max(0).min(largest) })
}

/// Both sides restricted to the values for which a comparison holds; `None` if it never does.
pub fn narrow(op: BinaryOp, a: Interval, b: Interval) -> Option<(Interval, Interval)> {
    use BinaryOp::*;
    match op {
        Eq => a.meet(b).map(|both| (both, both)),
        Ne => Some((without(a, b)?, without(b, a)?)),
        Lt => Some((Interval::new(a.lo, a.hi.min(b.hi - 1))?, Interval::new(b.lo.max(a.lo + 1), b.hi)?)),
        Le => Some((Interval::new(a.lo, a.hi.min(b.hi))?, Interval::new(b.lo.max(a.lo), b.hi)?)),
        Gt | Ge => {
            let mirrored = if op == Gt { Lt } else { Le };
            narrow(mirrored, b, a).map(|(b, a)| (a, b))
        }
        _ => Some((a, b)),
    }
}

/// The values that differ from the other side, as far as an interval can say it.
fn without(a: Interval, other: Interval) -> Option<Interval> {
    if !other.is_point() {
        return Some(a);
    }
    let lo = if a.lo == other.lo { a.lo + 1 } else { a.lo };
    let hi = if a.hi == other.lo { a.hi - 1 } else { a.hi };
    Interval::new(lo, hi)
}

/// The comparison that holds where this one does not.
pub fn opposite(op: BinaryOp) -> BinaryOp {
    use BinaryOp::*;
    match op {
        Eq => Ne,
        Ne => Eq,
        Lt => Ge,
        Ge => Lt,
        Gt => Le,
        Le => Gt,
        other => other,
    }
}

#[cfg(test)]
#[path = "interval_tests.rs"]
mod tests;
