//! The values of cells and of expressions, and the abstract states made of them.

use crate::interval::Interval;
use crate::layout::{Kind, Layout};
use crate::pointers::PointsTo;
use crate::tree::Tree;

/// The known part of a cell's value. A cell of which nothing is known has no entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Int(Interval),
    Pointer(PointsTo),
}

/// The known part of an expression's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Known {
    /// Of an integer type of at most 64 bits.
    Int(Interval),
    Pointer(PointsTo),
    Nothing,
}

impl Known {
    pub fn truth(&self) -> Option<bool> {
        match self {
            Known::Int(interval) => interval.truth(),
            Known::Pointer(pointer) => pointer.truth(),
            Known::Nothing => None,
        }
    }

    pub fn join(self, other: Known) -> Known {
        match (self, other) {
            (Known::Int(a), Known::Int(b)) => Known::Int(a.join(b)),
            (Known::Pointer(a), Known::Pointer(b)) => a.join(&b).map_or(Known::Nothing, Known::Pointer),
            _ => Known::Nothing,
        }
    }
}

/// Values of cells.
pub type Cells = Tree<Value>;

/// How far bounds may grow before they are given up: for each cell, sorted bounds to try first.
pub trait Limits {
    fn limits(&self, cell: u32) -> &[i128];
}

impl Layout {
    /// `None` for a value that follows from the cell's type.
    pub fn normal(&self, cell: u32, value: Value) -> Option<Value> {
        match (self.cell(cell).kind, &value) {
            (Kind::Int(shape), Value::Int(interval)) => (*interval != shape.range()).then_some(value),
            (Kind::Pointer, Value::Pointer(_)) => Some(value),
            _ => None,
        }
    }

    pub fn join_values(&self, cell: u32, a: &Value, b: &Value) -> Option<Value> {
        match (a, b) {
            (Value::Int(a), Value::Int(b)) => self.normal(cell, Value::Int(a.join(*b))),
            (Value::Pointer(a), Value::Pointer(b)) => a.join(b).map(Value::Pointer),
            _ => None,
        }
    }

    pub fn join(&self, a: &Cells, b: &Cells) -> Cells {
        a.intersection(b, &mut |cell, a, b| self.join_values(cell, a, b))
    }

    /// The concrete states of both; `None` if there are none.
    pub fn meet(&self, a: &Cells, b: &Cells) -> Option<Cells> {
        a.union(b, &mut |_, a, b| match (a, b) {
            (Value::Int(a), Value::Int(b)) => a.meet(*b).map(Value::Int),
            (Value::Pointer(a), Value::Pointer(b)) => a.meet(b).map(Value::Pointer),
            _ => Some(a.clone()),
        })
    }

    /// Whether `greater` stands for all that `smaller` stands for.
    pub fn less_or_equal(&self, smaller: &Cells, greater: &Cells) -> bool {
        smaller.covers(greater, &mut |_, a, b| match (a, b) {
            (Value::Int(a), Value::Int(b)) => a.within(*b),
            (Value::Pointer(a), Value::Pointer(b)) => a.within(b),
            _ => false,
        })
    }

    /// An upper bound of both, such that no sequence of these grows for ever: a bound that grew goes on to the next
    /// limit (Cousot & Cousot 1992; thresholds as in Blanchet et al., PLDI 2003). With `early`, cells that keep old
    /// values beside new ones may grow freely: their new values often stop growing once those of the others do.
    pub fn widen(&self, before: &Cells, grown: &Cells, limits: Option<&dyn Limits>, early: bool) -> Cells {
        before.intersection(grown, &mut |cell, a, b| match (a, b, self.cell(cell).kind) {
            _ if early && self.cell(cell).keeps => self.join_values(cell, a, b),
            (Value::Int(a), Value::Int(b), Kind::Int(shape)) => {
                let list = limits.map_or(&[][..], |limits| limits.limits(cell));
                let joined = a.join(*b);
                let lo = if joined.lo < a.lo {
                    let found = list[..list.partition_point(|limit| *limit <= joined.lo)].last();
                    found.copied().unwrap_or(shape.min()).max(shape.min())
                } else {
                    joined.lo
                };
                let hi = if joined.hi > a.hi {
                    let found = list.get(list.partition_point(|limit| *limit < joined.hi));
                    found.copied().unwrap_or(shape.max()).min(shape.max())
                } else {
                    joined.hi
                };
                self.normal(cell, Value::Int(Interval { lo, hi }))
            }
            (Value::Pointer(a), Value::Pointer(b), _) => {
                let joined = a.join(b)?;
                let size = |variable| self.size(variable).map(|bits| bits / 8);
                a.widen(&joined, &size).map(Value::Pointer)
            }
            _ => None,
        })
    }
}
