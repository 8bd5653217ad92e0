//! The constructors against plain evaluation: whatever they simplify keeps its value.

use super::*;

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
