//! Random terms over the values of variables, written as C, and read back: the solver must find no difference.

use super::*;
use crate::frontend::{load_text, parse_expression};
use crate::smt::added::Added;
use crate::smt::solver::{Answer, Limits, Solver};
use std::time::Duration;
use tandem_plugin_api::program::print_c;
use tandem_plugin_api::service::Scope;

const PROGRAM: &str = "int g; unsigned long long wide;
    int main(void) {
      int a, b; unsigned u, v; char c; unsigned char d; short s; unsigned short t; _Bool p; long long l; int *q; double f; float h;
      { int a; int *r = &a; *r = b; if (a > 0) b = 3; }
      return a + b;
    }";

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % limit
    }
}

/// A state in which all locals of main have any value.
fn state(encoder: &mut Encoder) -> State {
    let mut state = encoder.initial();
    let program = encoder.program.clone();
    for (index, edge) in program.edges.iter().enumerate() {
        if matches!(edge.op, Op::Declare(_)) {
            state = encoder.post(&state, EdgeId::new(index));
        }
    }
    state
}

fn values(encoder: &mut Encoder, state: &mut State) -> Vec<Term> {
    let program = encoder.program.clone();
    let mut list = Vec::new();
    for (index, variable) in program.variables.iter().enumerate() {
        if program.types.is_scalar(variable.ty) && variable.is_local() && variable.storage == Storage::Local {
            let expr = Arc::make_mut(&mut encoder.program).exprs.intern(ExprKind::Var(VarId::new(index)), variable.ty);
            list.push(encoder.settled_value(state, expr));
        }
    }
    list
}

fn grow(terms: &mut super::super::term::Terms, pool: &mut Vec<Term>, random: &mut Random) {
    let of = |random: &mut Random, pool: &[Term], terms: &super::super::term::Terms, sort: Sort| {
        let fitting: Vec<Term> = pool.iter().copied().filter(|t| terms.sort(*t) == sort).collect();
        (!fitting.is_empty()).then(|| fitting[random.below(fitting.len())])
    };
    let first = pool[random.below(pool.len())];
    let sort = terms.sort(first);
    let Some(second) = of(random, pool, terms, sort) else { return };
    let new = match sort {
        Sort::Bool => match random.below(5) {
            0 => terms.not(first),
            1 => terms.and(first, second),
            2 => terms.or(first, second),
            3 => terms.eq(first, second),
            _ => {
                let Some(x) = of(random, pool, terms, Sort::Bits(32)) else { return };
                let Some(y) = of(random, pool, terms, Sort::Bits(32)) else { return };
                terms.ite(first, x, y)
            }
        },
        Sort::Bits(width) => match random.below(14) {
            0..=2 => {
                use WordOp::*;
                let op = [Add, Mul, And, Or, Xor, Add][random.below(6)];
                terms.word(op, first, second)
            }
            3 => terms.sub(first, second),
            4 => {
                let number = terms.signed(width, [0, 1, -1, 7, 100, -128, 65535][random.below(7)]);
                terms.add(first, number)
            }
            5 => {
                use WordOp::*;
                let number = terms.signed(width, [1, 2, 3, 7, -3, 10][random.below(6)]);
                terms.word([UDiv, SDiv, URem, SRem][random.below(4)], first, number)
            }
            6 => {
                use WordOp::*;
                let number = terms.bits(width, random.below(width as usize) as u128);
                terms.word([Shl, LShr, AShr][random.below(3)], first, number)
            }
            7 => terms.neg(first),
            8 => terms.bit_not(first),
            9 => {
                let low = random.below(width as usize) as u32;
                let high = low + random.below((width - low) as usize) as u32;
                terms.extract(high, low, first)
            }
            10 if width < 64 => terms.concat(first, second),
            11 => {
                let target = [8, 16, 32, 64][random.below(4)];
                if target <= width {
                    return;
                }
                terms.resize(target, random.below(2) == 0, first)
            }
            12 => terms.eq(first, second),
            _ => terms.compare([Order::ULt, Order::ULe, Order::SLt, Order::SLe][random.below(4)], first, second),
        },
        Sort::Float(_) => match random.below(3) {
            0 => terms.float_compare([FloatOrder::Eq, FloatOrder::Lt, FloatOrder::Le][random.below(3)], first, second),
            1 => terms.float_unary(FloatUnary::Neg, first),
            _ => return,
        },
        Sort::Array { .. } => return,
    };
    pool.push(new);
}

#[test]
fn terms_written_as_c_mean_the_same() {
    let program = Arc::new(load_text(PROGRAM, "p.c", DataModel::Lp64).unwrap());
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut written, mut refused, mut decided) = (0, 0, 0);
    for _ in 0..60 {
        let mut encoder = Encoder::new(program.clone());
        let added = Added::new(program.clone());
        let mut solver = crate::smt::solver::start();
        let mut state = state(&mut encoder);
        let mut pool = values(&mut encoder, &mut state);
        for _ in 0..40 {
            grow(&mut encoder.terms, &mut pool, &mut random);
        }
        for term in pool.into_iter().filter(|t| t.index() > 1) {
            if encoder.terms.sort(term) != Sort::Bool {
                continue;
            }
            let Some(expr) = ToC::new(&mut encoder, &mut state, program.main).condition(term) else {
                refused += 1;
                continue;
            };
            written += 1;
            let text = print_c::readable(&encoder.program, expr, Some(program.main)).expect("all variables are main's");
            let parsed = parse_expression(&program, &text, Scope::Function(program.main))
                .unwrap_or_else(|error| panic!("{text}: {error}"));
            let read = added.parsed(&mut encoder.program, parsed).unwrap();
            for back in [expr, read] {
                let again = encoder.condition_of(&state, back);
                let same = encoder.terms.eq(term, again);
                let differs = encoder.terms.not(same);
                let limits = Limits { time: Some(Duration::from_millis(500)), stop: None };
                match solver.check(&encoder.terms, &[differs], &limits) {
                    Answer::Sat(_) => panic!("{text} is not {term:?}"),
                    Answer::Unsat { .. } => decided += 1,
                    Answer::Unknown(_) => {}
                }
            }
        }
    }
    assert!(written > 200 && refused < written, "{written} written, {refused} refused");
    assert!(decided > written, "{decided} of {written} decided");
}

#[test]
fn conditions_are_written_as_people_would() {
    let program = Arc::new(load_text(PROGRAM, "p.c", DataModel::Ilp32).unwrap());
    let mut encoder = Encoder::new(program.clone());
    let mut state = state(&mut encoder);
    for text in ["b < 10", "b != u", "b + 1 <= g", "p", "d == 200", "a__2 > 0", "l < 5 && b >= 3", "f < 0.5"] {
        let parsed = match parse_expression(&program, text, Scope::Function(program.main)) {
            Ok(parsed) => parsed,
            Err(error) => panic!("{error}"),
        };
        let expr = Added::new(program.clone()).parsed(&mut encoder.program, parsed).unwrap();
        let term = encoder.settled_condition(&mut state, expr);
        let written = ToC::new(&mut encoder, &mut state, program.main).condition(term);
        let written = written.unwrap_or_else(|| panic!("{text} cannot be written: {:?}", encoder.terms.node(term)));
        let printed = print_c::readable(&encoder.program, written, Some(program.main)).unwrap();
        let again = encoder.condition_of(&state, written);
        assert_eq!(again, term, "{text} became {printed}");
        assert!(printed.len() <= text.len() + 15, "{text} became {printed}");
    }
}
