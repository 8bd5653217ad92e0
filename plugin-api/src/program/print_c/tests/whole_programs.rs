//! Whole programs: printed, compiled, executed.

use super::build::{Build, bit_field, compile_and_run, plain_field};
use crate::program::*;
use BinaryOp::*;
use IntKind::*;

const CHECKED: PrintOptions =
    PrintOptions { line_directives: false, layout_asserts: true, only_used: false, zero_declared: false };

fn int_main(b: &mut Build) -> FunctionId {
    let int = b.int_type(Int);
    let ty = b.function_type(int, &[]);
    b.function("main", ty, true)
}

fn run(b: &Build, name: &str) -> Option<i32> {
    let text = b.program.to_c(&CHECKED);
    compile_and_run(b.program.types.model, name, &text).map(|(status, _)| status)
}

/// Sums 0..10 in a loop and returns the sum.
fn loop_program(model: DataModel) -> Build {
    let mut b = Build::new(model);
    let main = int_main(&mut b);
    let int = b.int_type(Int);
    let (i, sum) = (b.local(main, "i", int), b.local(main, "sum", int));
    let (zero, one, ten) = (b.int(0, Int), b.int(1, Int), b.int(10, Int));
    let Body { entry, exit } = b.body(main);
    let [start, head, body, step, done] = [(); 5].map(|()| b.location(main));
    b.edge(entry, start, Op::Assign { target: i, value: zero });
    b.edge(start, head, Op::Assign { target: sum, value: zero });
    let less = b.binary(Lt, i, ten);
    b.branch(head, less, body, done);
    let total = b.binary(Add, sum, i);
    b.edge(body, step, Op::Assign { target: sum, value: total });
    let next = b.binary(Add, i, one);
    b.edge(step, head, Op::Assign { target: i, value: next });
    b.edge(done, exit, Op::Return(Some(sum)));
    b
}

#[test]
fn a_loop_prints_with_few_labels_and_runs() {
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let b = loop_program(model);
        let text = b.program.to_c(&PrintOptions::default());
        let body = &text[text.rfind("int main(void)").expect("main")..];
        assert_eq!(
            body,
            "int main(void)\n{\n  int i_u;\n  int sum_u;\n  i_u = 0;\n  sum_u = 0;\nL3:\n  if (!(i_u < 10)) goto L6;\n  \
             sum_u = sum_u + i_u;\n  i_u = i_u + 1;\n  goto L3;\nL6:\n  return sum_u;\n}\n"
        );
        if let Some(status) = run(&b, "loop") {
            assert_eq!(status, 45);
        }
    }
}

#[test]
fn initialisers_reach_every_kind_of_object() {
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let mut b = Build::new(model);
        let main = int_main(&mut b);
        let (int, char, uint) = (b.int_type(Int), b.int_type(Char), b.int_type(UInt));
        let word = model.word();
        let union = b.composite("u", true, vec![plain_field("i", int, 0), plain_field("c", char, 0)], 4, 4);
        let self_type = b.program.types.intern(Type::Composite(CompositeId(1)));
        let self_pointer = b.pointer(self_type);
        let ints = b.array(int, 6);
        let fields = vec![
            bit_field("a", uint, 0, 0, 3),
            bit_field("", uint, 0, 3, 2),
            bit_field("b", int, 0, 5, 20),
            plain_field("next", self_pointer, word),
            plain_field("u", union, 2 * word),
            plain_field("v", ints, 2 * word + 4),
        ];
        let size = (2 * word + 28).next_multiple_of(word);
        let s = b.composite("s", false, fields, size, word);
        assert_eq!(s, self_type);
        let text_type = b.array(char, 4);
        let (x, y) = (b.variable("x", s, Storage::Global), b.variable("y", s, Storage::Global));
        let text = b.variable("text", text_type, Storage::Global);
        // x = { .a = 5, .b = -3, .next = &y, .u.c = 'z', .v[4] = 7 }, text = "abcd" without the final zero.
        let (a, bits, next, u, v) = (b.field(x, 0), b.field(x, 2), b.field(x, 3), b.field(x, 4), b.field(x, 5));
        let (u_i, u_c, fourth) = (b.field(u, 0), b.field(u, 1), b.index(v, 4));
        let address = b.address_of(y);
        let values = [b.int(5, UInt), b.int(-3, Int), address, b.int(9, Int), b.int(122, Char), b.int(7, Int)];
        for (place, value) in [a, bits, next, u_i, u_c, fourth].into_iter().zip(values) {
            b.initial(place, value);
        }
        for (at, byte) in b"abcd".iter().enumerate() {
            let place = b.index(text, at as i128);
            let value = b.int((*byte).into(), Char);
            b.initial(place, value);
        }
        let y_address = b.address_of(x);
        let y_next = b.field(y, 3);
        b.initial(y_next, y_address);

        // Returns the number of the first check that fails.
        let last = b.index(text, 3);
        let through = b.deref(y_next);
        let through_a = b.field(through, 0);
        let checks = [
            (a, b.int(5, UInt)),
            (bits, b.int(-3, Int)),
            (u_c, b.int(122, Char)),
            (fourth, b.int(7, Int)),
            (last, b.int(100, Char)),
            (through_a, b.int(5, UInt)),
        ];
        let Body { entry, exit } = b.body(main);
        let mut at = entry;
        for (number, (place, expected)) in checks.into_iter().enumerate() {
            let equal = b.binary(Eq, place, expected);
            let (good, bad) = (b.location(main), b.location(main));
            b.branch(at, equal, good, bad);
            let status = b.int(number as i128 + 1, Int);
            b.edge(bad, exit, Op::Return(Some(status)));
            at = good;
        }
        let zero = b.int(0, Int);
        b.edge(at, exit, Op::Return(Some(zero)));
        if let Some(status) = run(&b, "initialisers") {
            assert_eq!(status, 0, "{}", b.program.to_c(&CHECKED));
        }
    }
}

#[test]
fn calls_assumptions_and_what_is_unsupported() {
    let mut b = Build::new(DataModel::Lp64);
    let main = int_main(&mut b);
    let (int, void) = (b.int_type(Int), b.program.types.intern(Type::Void));
    let assume_type = b.function_type(void, &[int]);
    let unprototyped = b.program.types.intern(Type::Function {
        result: void,
        parameters: Vec::new(),
        variadic: false,
        prototyped: false,
    });
    let exit_function = b.function("exit", assume_type, false);
    let twice = b.function("twice", unprototyped, true);
    let global = b.global("g", Int);
    let Body { entry, exit } = b.body(twice);
    let doubled = b.binary(Add, global, global);
    let middle = b.location(twice);
    b.edge(entry, middle, Op::Assign { target: global, value: doubled });
    b.edge(middle, exit, Op::Return(None));

    let one = b.int(1, Int);
    let Body { entry, exit } = b.body(main);
    let [a, c, d, dead, odd] = [(); 5].map(|()| b.location(main));
    b.edge(entry, a, Op::Assign { target: global, value: one });
    // More arguments than an old-style function takes.
    b.call(a, c, Callee::Function(twice), vec![one, global], None);
    let two = b.int(2, Int);
    let equal = b.binary(Eq, global, two);
    b.branch(c, equal, d, odd);
    b.call(d, dead, Callee::Function(exit_function), vec![global], None);
    let unsupported = UnsupportedId(0);
    b.program.unsupported.push(Unsupported { what: "asm goto */".into(), span: Span::NOWHERE });
    b.edge(odd, exit, Op::Unsupported(unsupported));
    let text = b.program.to_c(&CHECKED);
    assert!(text.contains("/* unsupported: asm goto * / */\n  abort();"), "{text}");
    assert!(text.contains("twice(1, g_u)"), "{text}");
    assert!(!text.contains("__VERIFIER_assume"), "{text}");
    if let Some(status) = run(&b, "calls") {
        assert_eq!(status, 2);
    }
}

#[test]
fn a_violated_assumption_ends_the_run() {
    let mut b = Build::new(DataModel::Lp64);
    let main = int_main(&mut b);
    let x = b.global("x", Int);
    let Body { entry, exit } = b.body(main);
    let (good, dead) = (b.location(main), b.location(main));
    b.branch(entry, x, good, dead);
    b.edge(good, exit, Op::Return(Some(x)));
    let text = b.program.to_c(&CHECKED);
    assert!(text.contains("extern void __VERIFIER_assume(int);\nextern void abort(void);"), "{text}");
    assert!(text.contains("__VERIFIER_assume(0);\n  abort();"), "{text}");
}

#[test]
fn only_what_is_used_is_printed_on_request() {
    let mut b = loop_program(DataModel::Lp64);
    let int = b.int_type(Int);
    let ty = b.function_type(int, &[]);
    let unused = b.function("unused", ty, true);
    let global = b.global("unused_global", Int);
    let Body { entry, exit } = b.body(unused);
    b.edge(entry, exit, Op::Return(Some(global)));
    assert!(b.program.to_c(&PrintOptions::default()).contains("unused_global"));
    let small = b.program.to_c(&PrintOptions { only_used: true, ..PrintOptions::default() });
    assert!(!small.contains("unused"), "{small}");
}
