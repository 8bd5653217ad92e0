//! What people read: expressions and edges.

use super::build::{Build, bit_field, plain_field};
use crate::program::print_c::{Names, declaration, expression};
use crate::program::*;
use BinaryOp::*;
use IntKind::*;

fn check(build: &Build, expr: ExprId, expected: &str) {
    assert_eq!(build.program.expr_to_c(expr), expected);
}

#[test]
fn conversions_that_c_makes_itself_are_not_printed() {
    let mut b = Build::new(DataModel::Ilp32);
    let (c, u, x) = (b.global("c", Char), b.global("u", UInt), b.global("x", Int));
    let (int, uint, long_long) = (b.int_type(Int), b.int_type(UInt), b.int_type(LongLong));
    let promoted = b.cast(c, int);
    let three = b.int(3, Int);
    let less = b.binary(Lt, promoted, three);
    check(&b, less, "c < 3");

    let three = b.int(3, UInt);
    let less = b.binary(Lt, u, three);
    check(&b, less, "u < 3");

    let converted = b.cast(x, uint);
    let sum = b.binary(Add, converted, u);
    check(&b, sum, "x + u");
    // Both are ints without the casts: the comparison would be signed.
    let unsigned_less = b.binary(Lt, converted, three);
    check(&b, unsigned_less, "x < 3U");
    let again = b.cast(promoted, uint);
    let both = b.binary(Lt, converted, again);
    check(&b, both, "x < (unsigned int)c");

    let wide = b.cast(x, long_long);
    let product = b.binary(Mul, wide, wide);
    check(&b, product, "x * (long long)x");
    let narrow = b.int_type(Char);
    let back = b.cast(product, narrow);
    check(&b, back, "(char)(x * (long long)x)");
}

#[test]
fn precedence_needs_the_fewest_parentheses() {
    let mut b = Build::new(DataModel::Lp64);
    let (x, y, z) = (b.global("x", Int), b.global("y", Int), b.global("z", Int));
    let sum = b.binary(Add, x, y);
    let product = b.binary(Mul, sum, z);
    check(&b, product, "(x + y) * z");
    let left = b.binary(Sub, sum, z);
    check(&b, left, "x + y - z");
    let right = b.binary(Sub, z, sum);
    check(&b, right, "z - (x + y)");
    let mask = b.binary(BitAnd, x, y);
    let equal = b.binary(Eq, mask, z);
    check(&b, equal, "(x & y) == z");
    let not = b.unary(UnaryOp::LogicalNot, equal);
    check(&b, not, "!((x & y) == z)");
    let int = b.int_type(Int);
    let both = b.expr(ExprKind::And { lhs: equal, rhs: not }, int);
    let either = b.expr(ExprKind::Or { lhs: both, rhs: x }, int);
    let nested = b.expr(ExprKind::And { lhs: either, rhs: y }, int);
    check(&b, nested, "((x & y) == z && !((x & y) == z) || x) && y");
    let choice = b.expr(ExprKind::Conditional { condition: either, then: x, otherwise: y }, int);
    let more = b.binary(Add, choice, z);
    check(&b, more, "((x & y) == z && !((x & y) == z) || x ? x : y) + z");
    let minus = b.unary(UnaryOp::Negate, x);
    let twice = b.unary(UnaryOp::Negate, minus);
    check(&b, twice, "-(-x)");
    let minus_five = b.int(-5, Int);
    let difference = b.binary(Sub, x, minus_five);
    check(&b, difference, "x - -5");
}

#[test]
fn constants_have_their_types() {
    let mut b = Build::new(DataModel::Lp64);
    for (value, kind, expected) in [
        (i32::MIN.into(), Int, "(-2147483647 - 1)"),
        (7, UInt, "7U"),
        (-7, Long, "-7L"),
        (u64::MAX.into(), ULong, "18446744073709551615UL"),
        (i64::MIN.into(), LongLong, "(-9223372036854775807LL - 1)"),
        (65, Char, "65"),
        (-1, Int128, "(__int128)-1LL"),
        (1 << 100, Int128, "(__int128)((unsigned __int128)68719476736ULL << 64 | 0ULL)"),
    ] {
        let constant = b.int(value, kind);
        check(&b, constant, expected);
    }
    let float = b.float_type(FloatKind::Float);
    let tenth = b.expr(ExprKind::Float(0.1f32.to_bits().into()), float);
    check(&b, tenth, "0.1f");
    assert_eq!(expression(&b.program, tenth, Names::Unique), "0x1.99999ap-4f");
}

#[test]
fn places_and_pointers() {
    let mut b = Build::new(DataModel::Ilp32);
    let (int, uint) = (b.int_type(Int), b.int_type(UInt));
    let inner = b.composite("inner", true, vec![plain_field("i", int, 0), plain_field("u", uint, 0)], 4, 4);
    let fields = vec![plain_field("", inner, 0), bit_field("flag", uint, 4, 0, 3), plain_field("x", int, 8)];
    let s = b.composite("s", false, fields, 12, 4);
    let p_type = b.pointer(s);
    let p = b.variable("p", p_type, Storage::Global);
    let object = b.deref(p);
    let x = b.field(object, 2);
    check(&b, x, "p->x");
    let anonymous = b.field(object, 0);
    let i = b.field(anonymous, 0);
    check(&b, i, "p->i");
    assert_eq!(expression(&b.program, i, Names::Unique), "p_u->anonymous_0.i");
    let address = b.address_of(x);
    check(&b, address, "&p->x");

    // A narrow bit-field is an int in C, whatever its declared type.
    let flag = b.field(object, 1);
    let one = b.int(1, UInt);
    let sum = b.binary(Add, flag, one);
    check(&b, sum, "p->flag + 1U");
    let inverted = b.unary(UnaryOp::BitNot, flag);
    check(&b, inverted, "~(unsigned int)p->flag");
    let promoted = b.cast(flag, int);
    let inverted = b.unary(UnaryOp::BitNot, promoted);
    check(&b, inverted, "~p->flag");

    let row = b.array(int, 4);
    let matrix = b.array(row, 3);
    let m = b.variable("m", matrix, Storage::Global);
    let first = b.index(m, 1);
    let element = b.index(first, 2);
    check(&b, element, "m[1][2]");
    let zeroth = b.index(first, 0);
    let decayed = b.address_of(zeroth);
    check(&b, decayed, "m[1]");
    let whole = b.address_of(first);
    check(&b, whole, "&m[1]");
    let long = b.int_type(Long);
    let n = b.global("n", UInt);
    let offset = b.cast(n, long);
    let pointer = b.program.exprs.ty(decayed);
    let moved = b.expr(ExprKind::Binary { op: PointerAdd, lhs: decayed, rhs: offset }, pointer);
    check(&b, moved, "m[1] + n");
    let target = b.deref(moved);
    check(&b, target, "m[1][n]");
    let back = b.int(-2, Int);
    let moved = b.expr(ExprKind::Binary { op: PointerAdd, lhs: decayed, rhs: back }, pointer);
    check(&b, moved, "m[1] - 2");
    let null = b.expr(ExprKind::Int(0), pointer);
    let is_null = b.binary(Eq, moved, null);
    check(&b, is_null, "m[1] - 2 == 0");
    check(&b, null, "(int *)0");
}

#[test]
fn declarations_grow_around_the_name() {
    let mut b = Build::new(DataModel::Lp64);
    let (int, char) = (b.int_type(Int), b.int_type(Char));
    let string = b.pointer(char);
    let function = b.function_type(string, &[int, string]);
    let pointer = b.pointer(function);
    let table = b.array(pointer, 3);
    assert_eq!(declaration(&b.program, table, "t"), "char *(*t[3])(int, char *)");
    let row = b.array(int, 3);
    let row_pointer = b.pointer(row);
    assert_eq!(b.program.type_to_c(row_pointer), "int (*)[3]");
    let returns = b.function_type(row_pointer, &[]);
    assert_eq!(declaration(&b.program, returns, "f"), "int (*f(void))[3]");
}

#[test]
fn strings_stand_where_they_are_used() {
    let mut b = Build::new(DataModel::Lp64);
    let char = b.int_type(Char);
    let array = b.array(char, 6);
    let literal = b.variable("str", array, Storage::StringLiteral);
    for (at, byte) in b"a\"\n1\xff\0".iter().enumerate() {
        let place = b.index(literal, at as i128);
        let value = b.int((*byte as i8).into(), Char);
        b.initial(place, value);
    }
    let zeroth = b.index(literal, 0);
    let decayed = b.address_of(zeroth);
    check(&b, decayed, r#""a\"\n1\377""#);
    assert_eq!(expression(&b.program, decayed, Names::Unique), "str_u");
}

#[test]
fn edges_read_as_in_cpachecker() {
    let mut b = Build::new(DataModel::Ilp32);
    let int = b.int_type(Int);
    let void = b.program.types.intern(Type::Void);
    let ty = b.function_type(int, &[]);
    let takes_int = b.function_type(void, &[int]);
    let main = b.function("main", ty, true);
    let input = b.function("__VERIFIER_nondet_int", ty, false);
    let f = b.function("f", takes_int, true);
    let x = b.local(main, "x", int);
    let ExprKind::Var(variable) = b.program.exprs.kind(x) else { panic!() };
    let three = b.int(3, Int);
    let less = b.binary(Lt, x, three);
    let sum = b.binary(Add, x, three);
    let Body { entry, exit } = b.body(main);
    let ops = [
        (Op::Skip, ""),
        (Op::Declare(variable), "int x;"),
        (Op::Assume { condition: less, holds: true }, "[x < 3]"),
        (Op::Assume { condition: less, holds: false }, "[!(x < 3)]"),
        (Op::Assign { target: x, value: sum }, "x = x + 3;"),
        (Op::Input { function: input, target: Some(x) }, "x = __VERIFIER_nondet_int();"),
        (Op::Return(Some(x)), "return x;"),
    ];
    for (op, expected) in ops {
        let edge = b.edge(entry, exit, op);
        assert_eq!(b.program.edge_text(edge), expected);
    }
    b.call(entry, exit, Callee::Function(f), vec![sum], None);
    let site = b.program.call_sites[0].clone();
    assert_eq!(b.program.edge_text(site.call), "f(x + 3)");
    assert_eq!(b.program.edge_text(site.resume.expect("defined")), "Return edge from f to main");
}

#[test]
fn very_deep_expressions_do_not_overflow_the_stack() {
    let mut b = Build::new(DataModel::Ilp32);
    let x = b.global("x", Int);
    let mut sum = x;
    for _ in 0..100_000 {
        sum = b.unary(UnaryOp::BitNot, sum);
    }
    assert_eq!(b.program.expr_to_c(sum).len(), 100_001);
}
