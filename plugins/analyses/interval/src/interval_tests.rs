//! All operations on all intervals of small types, compared with the machine's results for every value.

use super::*;
use tandem_plugin_api::program::constant::wrap;

fn intervals(shape: Shape) -> Vec<Interval> {
    let values = shape.min()..=shape.max();
    values.clone().flat_map(|lo| values.clone().filter_map(move |hi| Interval::new(lo, hi))).collect()
}

fn shapes() -> [Shape; 4] {
    [(3, true), (3, false), (4, true), (1, false)].map(|(bits, signed)| Shape { bits, signed })
}

/// The machine's result; `None` where it traps, or where any result is possible.
fn machine(op: BinaryOp, a: i128, b: i128, shape: Shape) -> Option<i128> {
    use BinaryOp::*;
    let result = match op {
        Add => a + b,
        Sub => a - b,
        Mul => a * b,
        Div | Rem if b == 0 || (shape.signed && a == shape.min() && b == -1) => return None,
        Div => a / b,
        Rem => a % b,
        Shl | Shr if b < 0 || b >= i128::from(shape.bits) => return None,
        Shl => a << b,
        Shr => a >> b,
        BitAnd => a & b,
        BitOr => a | b,
        BitXor => a ^ b,
        Eq => (a == b).into(),
        Ne => (a != b).into(),
        Lt => (a < b).into(),
        Le => (a <= b).into(),
        Gt => (a > b).into(),
        Ge => (a >= b).into(),
        PointerAdd | PointerDiff => return None,
    };
    Some(if op.is_comparison() { result } else { wrap(result, shape.bits, shape.signed) })
}

const OPERATORS: [BinaryOp; 16] = {
    use BinaryOp::*;
    [Add, Sub, Mul, Div, Rem, Shl, Shr, BitAnd, BitOr, BitXor, Eq, Ne, Lt, Le, Gt, Ge]
};

#[test]
fn every_result_is_within_the_bounds() {
    for shape in shapes() {
        let all = intervals(shape);
        for op in OPERATORS {
            for &a in &all {
                for &b in &all {
                    let bounds = binary(op, a, b, shape);
                    let mut exact: Option<Interval> = None;
                    for x in a.lo..=a.hi {
                        for y in b.lo..=b.hi {
                            let Some(result) = machine(op, x, y, shape) else { continue };
                            assert!(
                                bounds.contains(result),
                                "{x} {op:?} {y} = {result}, not in {bounds:?} ({shape:?})"
                            );
                            let point = Interval::point(result);
                            exact = Some(exact.map_or(point, |hull| hull.join(point)));
                        }
                    }
                    // Where nothing wraps, the bounds are taken.
                    let exact_ones = [BinaryOp::BitAnd, BinaryOp::BitOr, BinaryOp::BitXor, BinaryOp::Lt, BinaryOp::Eq];
                    if let (Some(exact), true) = (exact, exact_ones.contains(&op)) {
                        assert_eq!(bounds, exact, "{a:?} {op:?} {b:?} ({shape:?})");
                    }
                }
            }
        }
    }
}

#[test]
fn comparisons_narrow_both_sides() {
    let shape = Shape { bits: 3, signed: true };
    for op in OPERATORS.into_iter().filter(|op| op.is_comparison()) {
        for a in intervals(shape) {
            for b in intervals(shape) {
                let narrowed = narrow(op, a, b);
                for x in a.lo..=a.hi {
                    for y in b.lo..=b.hi {
                        let holds = machine(op, x, y, shape) == Some(1);
                        assert_eq!(machine(opposite(op), x, y, shape) == Some(0), holds);
                        if holds {
                            let (left, right) = narrowed.unwrap();
                            assert!(left.contains(x) && right.contains(y), "{x} {op:?} {y}: {narrowed:?}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn conversions_and_their_inverse() {
    let from = Shape { bits: 4, signed: true };
    for shape in shapes() {
        for a in intervals(from) {
            let cast = a.cast(shape);
            for x in a.lo..=a.hi {
                assert!(cast.contains(wrap(x, shape.bits, shape.signed)));
            }
            for wanted in intervals(shape) {
                let before = a.before_wrapping(wanted, shape);
                for x in a.lo..=a.hi {
                    if wanted.contains(wrap(x, shape.bits, shape.signed)) {
                        assert!(before.is_some_and(|before| before.contains(x)));
                    }
                }
            }
        }
    }
    let (int, unsigned) = (Shape { bits: 32, signed: true }, Shape { bits: 32, signed: false });
    let negative = Interval { lo: -3, hi: -1 };
    assert_eq!(negative.cast(unsigned), Interval { lo: (1 << 32) - 3, hi: (1 << 32) - 1 });
    assert_eq!(Interval { lo: -1, hi: 1 }.cast(unsigned), unsigned.range());
    let below_ten = int.range().before_wrapping(Interval { lo: 0, hi: 9 }, unsigned);
    assert_eq!(below_ten, Some(Interval { lo: 0, hi: 9 }));
    assert_eq!(Interval { lo: 1 << 31, hi: 1 << 31 }.cast(int), Interval::point(-(1 << 31)));
}
