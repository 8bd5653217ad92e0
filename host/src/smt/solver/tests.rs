//! Compares Z3's translation with evaluation, and checks the contract of solvers: levels, cores, limits, reuse.

use super::z3::{Engine, Strategy, Z3Solver};
use super::*;
use crate::smt::term::tests::{build, random, steps};
use crate::smt::term::{FALSE, FloatOp, FloatTest, Node, Order, Sort, TRUE, WordOp, format_bits};
use proptest::prelude::{ProptestConfig, TestCaseError, prop_assert, prop_assume, proptest};
use proptest::strategy::{Strategy as _, ValueTree as _};
use std::collections::BTreeSet;
use std::thread;
use std::time::Instant;
use tandem_plugin_api::program::FloatKind;
use tandem_plugin_api::service::StopReason;

const ROOMY: Duration = Duration::from_secs(60);
const PATIENT: Duration = Duration::from_secs(5);

fn symbol_of(terms: &Terms, term: Term) -> crate::smt::term::Symbol {
    match terms.node(term) {
        Node::Symbol(symbol) => symbol,
        node => panic!("{node:?} is no symbol"),
    }
}

/// That the term has this value.
fn has_value(terms: &mut Terms, term: Term, value: &Value) -> Term {
    match (terms.sort(term), value) {
        (Sort::Float(kind), Value::Bits(bits)) => {
            if random::float_test(FloatTest::Nan, kind, *bits) {
                return terms.float_test(FloatTest::Nan, term);
            }
            let stored = terms.float_to_bits(term);
            let expected = terms.bits(format_bits(kind), *bits);
            let (same, nan) = (terms.eq(stored, expected), terms.float_test(FloatTest::Nan, term));
            let number = terms.not(nan);
            terms.and(same, number)
        }
        (Sort::Bits(width), Value::Bits(bits)) => {
            let expected = terms.bits(width, *bits);
            terms.eq(term, expected)
        }
        (Sort::Bool, Value::Bool(true)) => term,
        (Sort::Bool, Value::Bool(false)) => terms.not(term),
        (Sort::Array { index, element }, Value::Array { default, elements }) => {
            let default = terms.bits(element, *default);
            let mut array = terms.uniform(index, default);
            for (&at, &value) in elements.iter() {
                let (at, value) = (terms.bits(index, at), terms.bits(element, value));
                array = terms.store(array, at, value);
            }
            terms.eq(term, array)
        }
        (sort, value) => panic!("{sort:?} has no value {value:?}"),
    }
}

/// Under the symbols' values, Z3 must give every term the value that plain Rust gave it, and no other.
fn check_translation(seeds: &[u128], steps: &[random::Step], strategy: Strategy) -> Result<(), TestCaseError> {
    let mut pool = build(seeds, steps);
    let mut fixed = TRUE;
    let mut symbols: Vec<_> = pool.assignment.values.clone().into_iter().collect();
    symbols.sort_by_key(|(symbol, _)| *symbol);
    let of: Vec<Term> = pool.all.iter().map(|(term, _)| *term).take(symbols.len()).collect();
    for ((symbol, value), term) in symbols.iter().zip(of) {
        assert_eq!(symbol_of(&pool.terms, term), *symbol);
        // Equality of floats is for constants here: Z3 puts the value in place of the symbol at once.
        let is = match (pool.terms.sort(term), value) {
            (Sort::Float(kind), Value::Bits(bits)) if !random::float_test(FloatTest::Nan, kind, *bits) => {
                let constant = pool.terms.float(kind, *bits);
                pool.terms.eq(term, constant)
            }
            _ => has_value(&mut pool.terms, term, value),
        };
        fixed = pool.terms.and(fixed, is);
    }
    let mut solver = Z3Solver::with_strategy(strategy);
    solver.assert(&pool.terms, fixed);
    let (mut all, mut none) = (TRUE, FALSE);
    for (term, value) in pool.all.clone() {
        let Some(value) = value else { continue };
        let is = has_value(&mut pool.terms, term, &value);
        let is_not = pool.terms.not(is);
        all = pool.terms.and(all, is);
        none = pool.terms.or(none, is_not);
    }
    // Some products of floats are too hard for Z3. Such a case is rejected, and few may be.
    let limits = Limits::time(PATIENT);
    let answer = solver.check(&pool.terms, &[all], &limits);
    prop_assume!(!matches!(answer, Answer::Unknown(_)));
    prop_assert!(answer.is_sat(), "{answer:?}");
    let answer = solver.check(&pool.terms, &[none], &limits);
    prop_assume!(!matches!(answer, Answer::Unknown(_)));
    if let Answer::Sat(_) = &answer {
        for (term, value) in pool.all.clone() {
            let Some(value) = value else { continue };
            let is = has_value(&mut pool.terms, term, &value);
            let is_not = pool.terms.not(is);
            let wrong = solver.check(&pool.terms, &[is_not], &limits);
            prop_assert!(wrong.is_unsat(), "{:?} is not {value:x?}: {wrong:?}", pool.terms.node(term));
        }
    }
    prop_assert!(answer.is_unsat(), "{answer:?}");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 10, ..ProptestConfig::with_cases(60) })]

    #[test]
    fn z3_agrees_with_plain_rust((seeds, steps) in steps(25)) {
        check_translation(&seeds, &steps, Strategy::Afresh(Engine::Default))?;
    }
}

#[test]
fn random_terms_have_all_shapes() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut kinds = BTreeSet::new();
    for _ in 0..200 {
        let (seeds, steps) = steps(60).new_tree(&mut runner).unwrap().current();
        let pool = build(&seeds, &steps);
        for at in 0..pool.terms.len() {
            let text = format!("{:?}", pool.terms.node(Term(at as u32)));
            kinds.insert(text.split([' ', '(']).next().unwrap_or_default().to_string());
        }
    }
    assert_eq!(kinds.len(), 29, "{kinds:?}");
}

fn word_symbols<const N: usize>(terms: &mut Terms, width: u32) -> [Term; N] {
    std::array::from_fn(|at| terms.symbol(Sort::Bits(width), format!("x{at}")))
}

/// Multiplication by shifting and adding is multiplication: easy to say, hard for a SAT solver.
fn hard(terms: &mut Terms) -> Term {
    const WIDTH: u32 = 32;
    let [x, y] = word_symbols(terms, WIDTH);
    let zero = terms.bits(WIDTH, 0);
    let mut sum = zero;
    for bit in 0..WIDTH {
        let (shift, one) = (terms.bits(WIDTH, bit.into()), terms.extract(bit, bit, y));
        let shifted = terms.word(WordOp::Shl, x, shift);
        let (is_set, added) = (terms.is_nonzero(one), terms.add(sum, shifted));
        sum = terms.ite(is_set, added, sum);
    }
    let product = terms.mul(x, y);
    let same = terms.eq(sum, product);
    terms.not(same)
}

#[test]
fn levels_and_cores() {
    let mut t = Terms::default();
    let [x, y] = word_symbols(&mut t, 32);
    let ten = t.bits(32, 10);
    let (small, large) = (t.compare(Order::ULt, x, ten), t.compare(Order::ULt, ten, x));
    let other = t.compare(Order::ULt, y, ten);
    let mut solver = Z3Solver::default();
    let limits = Limits::default();
    assert!(solver.check(&t, &[small, other], &limits).is_sat());
    match solver.check(&t, &[small, other, large], &limits) {
        Answer::Unsat { core } => assert_eq!(core, [0, 2]),
        answer => panic!("{answer:?}"),
    }
    solver.push();
    solver.assert(&t, small);
    match solver.check(&t, &[other, large], &limits) {
        Answer::Unsat { core } => assert_eq!(core, [1]),
        answer => panic!("{answer:?}"),
    }
    solver.pop(1);
    assert!(solver.check(&t, &[other, large], &limits).is_sat());
    solver.push();
    solver.assert(&t, large);
    assert!(solver.check(&t, &[small], &limits).is_unsat());
    assert!(solver.check(&t, &[], &limits).is_sat());
}

#[test]
fn a_query_ends_when_its_time_is_over_and_the_solver_stays_usable() {
    let mut t = Terms::default();
    let hard = hard(&mut t);
    let mut solver = Z3Solver::default();
    let start = Instant::now();
    let answer = solver.check(&t, &[hard], &Limits::time(Duration::from_millis(300)));
    assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    let [x] = word_symbols(&mut t, 8);
    let nonzero = t.is_nonzero(x);
    assert!(solver.check(&t, &[nonzero], &Limits::time(ROOMY)).is_sat());
}

#[test]
fn a_query_ends_when_it_is_stopped_and_the_solver_stays_usable() {
    let mut t = Terms::default();
    let hard = hard(&mut t);
    let stop = StopSignal::new();
    let mut solver = Z3Solver::default();
    let limits = Limits { time: None, stop: Some(stop.clone()) };
    let start = Instant::now();
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(200));
            stop.stop(StopReason::Cancelled);
        });
        let answer = solver.check(&t, &[hard], &limits);
        assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
    });
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    let [x] = word_symbols(&mut t, 8);
    let nonzero = t.is_nonzero(x);
    assert!(solver.check(&t, &[nonzero], &Limits::time(ROOMY)).is_sat());
    // A new one, because the old one may have an interrupt left.
    assert_eq!(solver.statistics().restarts, 1);
}

#[test]
fn a_thread_ends_in_the_middle_of_a_query() {
    let mut t = Terms::default();
    let hard = hard(&mut t);
    for wait in [0, 1, 20, 100] {
        let stop = StopSignal::new();
        let limits = Limits { time: Some(Duration::from_millis(wait)), stop: Some(stop) };
        let mut solver = Z3Solver::default();
        solver.check(&t, &[hard], &limits);
        let start = Instant::now();
        drop(solver);
        assert!(start.elapsed() < Duration::from_millis(450), "{:?}", start.elapsed());
    }
}

#[test]
fn deep_terms_reach_z3() {
    let mut t = Terms::default();
    let [mut sum, other] = word_symbols(&mut t, 2);
    for _ in 0..100_000 {
        let input = t.symbol(Sort::Bits(2), "in");
        let more = t.add(sum, input);
        sum = t.word(WordOp::And, more, other);
    }
    let reached = t.is_nonzero(sum);
    let answer = Z3Solver::default().check(&t, &[reached], &Limits::time(ROOMY));
    assert!(answer.is_sat(), "{answer:?}");
}

/// Z3's simplification takes more than linear time for these. It must neither overflow a stack nor exceed its time
/// limit.
#[test]
fn deep_choices_end_in_time() {
    let mut t = Terms::default();
    let [x] = word_symbols(&mut t, 32);
    let mut sum = x;
    for at in 0..100_000u32 {
        let condition = t.symbol(Sort::Bool, "c");
        let number = t.bits(32, u128::from(at) * 7 + 1);
        let masked = t.word(WordOp::And, sum, x);
        let mixed = t.add(masked, number);
        sum = t.ite(condition, mixed, sum);
    }
    let target = t.bits(32, 12345);
    let reached = t.compare(Order::ULt, sum, target);
    let start = Instant::now();
    Z3Solver::default().check(&t, &[reached], &Limits::time(Duration::from_secs(2)));
    assert!(start.elapsed() < Duration::from_secs(8), "{:?}", start.elapsed());
}

#[test]
fn a_nan_may_have_any_bits_of_a_nan() {
    let mut t = Terms::default();
    let mut solver = Z3Solver::default();
    for kind in random::FORMATS {
        let float = t.symbol(Sort::Float(kind), "f");
        let nan = t.float_test(FloatTest::Nan, float);
        let stored = t.float_to_bits(float);
        for bits in [0x7fc0_0000_u128, 0xffc0_0000, 0x7f80_0001] {
            let bits = tandem_plugin_api::program::constant::float_to_float(bits, FloatKind::Float, kind);
            let bits = t.bits(format_bits(kind), bits);
            let same = t.eq(stored, bits);
            let answer = solver.check(&t, &[nan, same], &Limits::time(ROOMY));
            assert!(answer.is_sat(), "{kind:?} {answer:?}");
        }
        let zero = t.bits(format_bits(kind), 0);
        let same = t.eq(stored, zero);
        assert!(solver.check(&t, &[nan, same], &Limits::time(ROOMY)).is_unsat());
    }
}

#[test]
fn models_have_arrays_floats_and_wide_words() {
    let mut t = Terms::default();
    let array = t.symbol(Sort::Array { index: 64, element: 8 }, "a");
    let float = t.symbol(Sort::Float(FloatKind::LongDouble), "f");
    let wide = t.symbol(Sort::Bits(128), "w");
    let [at, other] = word_symbols(&mut t, 64);
    let (read, seven) = (t.select(array, at), t.bits(8, 7));
    let next = t.select(array, other);
    let double = t.float_op(FloatOp::Add, float, float);
    let eight = t.float(FloatKind::LongDouble, 0x4002_8000_0000_0000_0000);
    let large = t.bits(128, 1 << 100);
    let same = t.eq(read, next);
    let conditions = [
        t.eq(read, seven),
        t.not(same),
        t.float_compare(crate::smt::term::FloatOrder::Eq, double, eight),
        t.compare(Order::ULt, large, wide),
    ];
    let mut solver = Z3Solver::default();
    let Answer::Sat(model) = solver.check(&t, &conditions, &Limits::time(ROOMY)) else { panic!("it has a model") };
    let value = |term: Term| model.values.get(&symbol_of(&t, term)).cloned();
    assert_eq!(value(float), Some(Value::Bits(0x4001_8000_0000_0000_0000)), "4.0L");
    assert!(value(wide).and_then(|value| value.as_bits()).is_some_and(|wide| wide > 1 << 100));
    assert!(matches!(value(array), Some(Value::Array { .. })));
}

#[test]
fn what_is_known_is_not_asked() {
    let mut t = Terms::default();
    let [x, y, z] = word_symbols(&mut t, 32);
    let (ten, five) = (t.bits(32, 10), t.bits(32, 5));
    let (small, large) = (t.compare(Order::ULt, x, ten), t.compare(Order::ULt, ten, x));
    let product = t.mul(y, y);
    let square = t.eq(product, five);
    let sum = t.add(y, z);
    let linked = t.compare(Order::ULt, ten, sum);
    let mut queries = start();
    let limits = Limits::time(ROOMY);
    assert!(queries.check(&t, &[TRUE], &limits).is_sat());
    assert!(queries.check(&t, &[small, FALSE], &limits).is_unsat());
    let opposite = t.not(small);
    match queries.check(&t, &[linked, small, opposite], &limits) {
        Answer::Unsat { core } => assert_eq!(core, [1, 2]),
        answer => panic!("{answer:?}"),
    }
    assert_eq!(queries.statistics().by_constant, 3);
    assert!(queries.check(&t, &[small], &limits).is_sat());
    assert!(queries.check(&t, &[small], &limits).is_sat());
    assert_eq!(queries.statistics().by_cache, 1);
    assert!(queries.check(&t, &[small, large], &limits).is_unsat());
    match queries.check(&t, &[linked, large, small], &limits) {
        Answer::Unsat { core } => assert_eq!(core, [1, 2]),
        answer => panic!("{answer:?}"),
    }
    assert_eq!(queries.statistics().by_core, 1);
    // A model is there for x, so only the square is asked.
    assert!(queries.check(&t, &[small, square], &limits).is_unsat());
    assert_eq!(queries.statistics().sliced, 1);
    let both = t.and(small, linked);
    assert!(queries.check(&t, &[both], &limits).is_sat());
    let asked = queries.statistics().asked;
    assert!(queries.check(&t, &[linked], &limits).is_sat());
    assert!(queries.check(&t, &[linked, small], &limits).is_sat());
    assert_eq!(queries.statistics().asked, asked);
    assert!(queries.statistics().by_model >= 2, "{}", queries.statistics());
}

#[test]
fn what_was_learned_on_a_level_ends_with_it() {
    let mut t = Terms::default();
    let [x] = word_symbols(&mut t, 32);
    let ten = t.bits(32, 10);
    let (small, large) = (t.compare(Order::ULt, x, ten), t.compare(Order::ULt, ten, x));
    let mut queries = start();
    let limits = Limits::time(ROOMY);
    queries.push();
    queries.assert(&t, small);
    assert!(queries.check(&t, &[large], &limits).is_unsat());
    queries.pop(1);
    assert!(queries.check(&t, &[large], &limits).is_sat());
    assert!(queries.check(&t, &[large, small], &limits).is_unsat());
}

#[test]
fn the_version_is_known() {
    assert!(
        version().contains("Z3") || version().chars().next().is_some_and(|first| first.is_ascii_digit()),
        "{}",
        version()
    );
}
