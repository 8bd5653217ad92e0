//! The constructors against plain evaluation: whatever they simplify keeps its value.

pub mod random;

use super::*;
use proptest::prelude::*;
use random::{Pool, Step};

/// Whether a value of this sort is what was expected. All NaNs are one.
pub fn agrees(sort: Sort, value: &Value, expected: &Value) -> bool {
    if let (Sort::Float(kind), Value::Bits(a), Value::Bits(b)) = (sort, value, expected) {
        let is_nan = |bits| random::float_test(FloatTest::Nan, kind, bits);
        return a == b || (is_nan(*a) && is_nan(*b));
    }
    value.same(expected, sort)
}

pub fn steps(count: usize) -> impl Strategy<Value = (Vec<u128>, Vec<Step>)> {
    (proptest::collection::vec(any::<u128>(), 8), proptest::collection::vec(any::<Step>(), 1..count))
}

pub fn build(seeds: &[u128], steps: &[Step]) -> Pool {
    let mut pool = Pool::new(seeds);
    for &step in steps {
        pool.step(step);
    }
    pool
}

fn is_computed_here(terms: &Terms, root: Term) -> bool {
    let (mut open, mut seen) = (vec![root], std::collections::BTreeSet::new());
    while let Some(term) = open.pop() {
        use FloatUnary::*;
        if matches!(terms.node(term), Node::FloatUnary(Sqrt | RoundEven | Floor | Ceil | Trunc, _)) {
            return false;
        }
        if seen.insert(term) {
            open.extend(terms.operands(term));
        }
    }
    true
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn simplified_terms_have_the_value_of_what_they_were_built_from((seeds, steps) in steps(60)) {
        let pool = build(&seeds, &steps);
        let mut known = FxHashMap::default();
        for (term, expected) in &pool.all {
            let Some(expected) = expected else { continue };
            match pool.terms.evaluate(*term, &pool.assignment, &mut known) {
                Some(value) => prop_assert!(
                    agrees(pool.terms.sort(*term), &value, expected),
                    "{:?} is {value:x?}, not {expected:x?}", pool.terms.node(*term)
                ),
                None => prop_assert!(!is_computed_here(&pool.terms, *term), "{:?} has no value", pool.terms.node(*term)),
            }
        }
    }
}

#[test]
fn complementary_branches_join_to_their_common_prefix() {
    let mut t = Terms::default();
    let (p, c) = (t.symbol(Sort::Bool, "p"), t.symbol(Sort::Bool, "c"));
    let n = t.not(c);
    let (a, b) = (t.and(p, c), t.and(p, n));
    assert_eq!(t.or(a, b), p);
}

#[test]
fn comparisons_of_truth_values_are_the_truth_values() {
    let mut t = Terms::default();
    let c = t.symbol(Sort::Bool, "c");
    let word = t.from_bool(32, c);
    assert_eq!(t.is_nonzero(word), c);
}

#[test]
fn cutting_a_sum_that_shares_its_operands_stays_small() {
    let mut t = Terms::default();
    let (x, y) = (t.symbol(Sort::Bits(32), "x"), t.symbol(Sort::Bits(32), "y"));
    let mut sum = x;
    for _ in 0..64 {
        let other = t.word(WordOp::Xor, sum, y);
        sum = t.mul(sum, other);
    }
    let before = t.len();
    t.extract(7, 0, sum);
    assert!(t.len() < before + 300, "{} terms", t.len() - before);
}

#[test]
fn deep_terms_do_not_overflow_the_stack() {
    const DEPTH: u32 = 100_000;
    let mut t = Terms::default();
    let mut chain = t.symbol(Sort::Bits(32), "x");
    let (mut all, mut sum) = (TRUE, chain);
    for at in 0..DEPTH {
        let condition = t.symbol(Sort::Bool, "c");
        let number = t.bits(32, at.into());
        chain = t.ite(condition, number, chain);
        all = t.and(all, condition);
        sum = t.word(WordOp::Xor, sum, chain);
    }
    let number = t.bits(32, 1 << 20);
    t.eq(chain, number);
    t.extract(7, 0, sum);
    let start = t.symbol(Sort::Bool, "start");
    let joined = t.and(start, all);
    let assignment = Assignment { otherwise_zero: true, ..Assignment::default() };
    assert_eq!(t.evaluate(joined, &assignment, &mut FxHashMap::default()), Some(Value::Bool(false)));
}

#[test]
fn arrays_are_equal_by_their_elements() {
    let mut t = Terms::default();
    let (zero, one) = (t.bits(8, 0), t.bits(8, 1));
    let (low, high) = (t.bits(1, 0), t.bits(1, 1));
    let array = t.symbol(Sort::Array { index: 1, element: 8 }, "a");
    let Node::Symbol(symbol) = t.node(array) else { panic!("no symbol") };
    let written = t.store(array, low, one);
    let written = t.store(written, high, one);
    let (ones, zeros) = (t.uniform(1, one), t.uniform(1, zero));
    let (same, other) = (t.eq(written, ones), t.eq(written, zeros));
    let mut assignment = Assignment::default();
    assignment.values.insert(symbol, Value::Array { default: 0, elements: Default::default() });
    assert_eq!(t.evaluate(same, &assignment, &mut FxHashMap::default()), Some(Value::Bool(true)));
    assert_eq!(t.evaluate(other, &assignment, &mut FxHashMap::default()), Some(Value::Bool(false)));
}
