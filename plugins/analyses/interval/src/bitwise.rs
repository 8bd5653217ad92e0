//! Exact bounds of `&`, `|` and `^` over intervals (Warren, Hacker's Delight, section 4-3).

use crate::interval::{Interval, Shape};
use tandem_plugin_api::program::BinaryOp;

/// A range of bit patterns, as unsigned numbers.
#[derive(Clone, Copy)]
struct Patterns {
    lo: u64,
    hi: u64,
}

/// Bounds of `a op b`, where `op` is one of the three.
pub fn bounds(op: BinaryOp, a: Interval, b: Interval, shape: Shape) -> Interval {
    let mut result: Option<Interval> = None;
    for x in patterns(a, shape).into_iter().flatten() {
        for y in patterns(b, shape).into_iter().flatten() {
            let piece = of_patterns(op, x, y, shape);
            result = Some(result.map_or(piece, |so_far| so_far.join(piece)));
        }
    }
    result.unwrap_or(shape.range())
}

fn mask(shape: Shape) -> u64 {
    u64::MAX >> (64 - shape.bits)
}

/// Negative and other values have patterns that do not lie beside each other.
fn patterns(a: Interval, shape: Shape) -> [Option<Patterns>; 2] {
    let part =
        |lo: i128, hi: i128| (lo <= hi).then(|| Patterns { lo: lo as u64 & mask(shape), hi: hi as u64 & mask(shape) });
    [part(a.lo, a.hi.min(-1)), part(a.lo.max(0), a.hi)]
}

fn of_patterns(op: BinaryOp, x: Patterns, y: Patterns, shape: Shape) -> Interval {
    let top = 1u64 << (shape.bits - 1);
    let all = mask(shape);
    let (lo, hi) = match op {
        BinaryOp::BitOr => (least_or(x, y, top), greatest_or(x, y, top)),
        BinaryOp::BitAnd => {
            // By De Morgan's law.
            let not = |p: Patterns| Patterns { lo: !p.hi & all, hi: !p.lo & all };
            (!greatest_or(not(x), not(y), top) & all, !least_or(not(x), not(y), top) & all)
        }
        _ => (least_xor(x, y, top), greatest_xor(x, y, top)),
    };
    let value = |pattern: u64| {
        let negative = shape.signed && pattern & top != 0;
        i128::from(pattern) - if negative { 1i128 << shape.bits } else { 0 }
    };
    Interval { lo: value(lo), hi: value(hi) }
}

/// The lowest number from `number` on that has bit `m` and none below.
fn raised(number: u64, m: u64) -> u64 {
    (number | m) & m.wrapping_neg()
}

/// The highest number up to `number` without bit `m`, which `number` has, and with all bits below.
fn lowered(number: u64, m: u64) -> u64 {
    (number - m) | (m - 1)
}

fn least_or(mut x: Patterns, mut y: Patterns, top: u64) -> u64 {
    let mut m = top;
    while m != 0 {
        if !x.lo & y.lo & m != 0 {
            let candidate = raised(x.lo, m);
            if candidate <= x.hi {
                x.lo = candidate;
                break;
            }
        } else if x.lo & !y.lo & m != 0 {
            let candidate = raised(y.lo, m);
            if candidate <= y.hi {
                y.lo = candidate;
                break;
            }
        }
        m >>= 1;
    }
    x.lo | y.lo
}

fn greatest_or(mut x: Patterns, mut y: Patterns, top: u64) -> u64 {
    let mut m = top;
    while m != 0 {
        if x.hi & y.hi & m != 0 {
            let candidate = lowered(x.hi, m);
            if candidate >= x.lo {
                x.hi = candidate;
                break;
            }
            let candidate = lowered(y.hi, m);
            if candidate >= y.lo {
                y.hi = candidate;
                break;
            }
        }
        m >>= 1;
    }
    x.hi | y.hi
}

fn least_xor(mut x: Patterns, mut y: Patterns, top: u64) -> u64 {
    let mut m = top;
    while m != 0 {
        if !x.lo & y.lo & m != 0 {
            let candidate = raised(x.lo, m);
            if candidate <= x.hi {
                x.lo = candidate;
            }
        } else if x.lo & !y.lo & m != 0 {
            let candidate = raised(y.lo, m);
            if candidate <= y.hi {
                y.lo = candidate;
            }
        }
        m >>= 1;
    }
    x.lo ^ y.lo
}

fn greatest_xor(mut x: Patterns, mut y: Patterns, top: u64) -> u64 {
    let mut m = top;
    while m != 0 {
        if x.hi & y.hi & m != 0 {
            let candidate = lowered(x.hi, m);
            if candidate >= x.lo {
                x.hi = candidate;
            } else {
                let candidate = lowered(y.hi, m);
                if candidate >= y.lo {
                    y.hi = candidate;
                }
            }
        }
        m >>= 1;
    }
    x.hi ^ y.hi
}
