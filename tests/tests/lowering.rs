//! The front end's results for single constructs: decisions, loops, places, calls, unsupported ones.

use tandem::frontend::load_text;
use tandem_plugin_api::program::*;

fn load(text: &str) -> Program {
    load_text(text, "input.c", DataModel::Ilp32).unwrap_or_else(|d| panic!("{d}"))
}

fn refused(text: &str) -> String {
    match load_text(text, "input.c", DataModel::Ilp32) {
        Ok(_) => panic!("accepted:\n{text}"),
        Err(d) => d.to_string(),
    }
}

/// Texts of the edges of a function, in order.
fn edges(program: &Program, function: &str) -> Vec<String> {
    let function = program.function_named(function).expect("the function exists");
    let own = program.edge_ids().filter(|&e| program.function_of_edge(e) == function);
    own.filter(|&e| !matches!(program.edge(e).op, Op::Resume(_))).map(|e| program.edge_text(e)).collect()
}

fn settled(program: &Program) -> Vec<(String, u32)> {
    let mut list: Vec<_> = program
        .edge_ids()
        .filter_map(|e| program.edge(e).settles.map(|outcome| (program.edge_text(e), outcome.index)))
        .collect();
    list.sort();
    list
}

#[test]
fn a_decision_is_settled_by_the_edges_that_leave_it() {
    let program = load("int main(int a, int b) { if (a && !b) return 1; return 0; }");
    assert_eq!(program.decisions.len(), 1);
    let expected = [("[!(a)]", 0), ("[!(b)]", 1), ("[b]", 0)].map(|(text, index)| (text.to_owned(), index));
    assert_eq!(settled(&program), expected);
    let going_on = program.edge_ids().find(|&e| program.edge_text(e) == "[a]").expect("the edge of a");
    assert_eq!(program.edge(going_on).settles, None, "what goes on to b settles nothing");
}

#[test]
fn constant_conditions_are_no_decisions() {
    let program = load("int main(void) { while (1) { if (0) return 2; if (sizeof(int) == 4) return 3; } }");
    assert!(program.decisions.is_empty());
    assert_eq!(edges(&program, "main"), ["", "return 3;"]);
}

#[test]
fn what_is_unsupported_in_one_arm_leaves_no_way_that_ends_nowhere() {
    let program = load(
        "int x; int main(void) { x ? (void)0 : (__builtin_frobnicate(1), __builtin_abort()); \
         int y = x || __builtin_frobnicate(2); return x; }",
    );
    let ends = program.locations.iter().filter(|location| location.leaving.is_empty() && !location.entering.is_empty());
    let open = ends.filter(|location| {
        location.entering.iter().any(|&edge| matches!(program.edge(edge).op, Op::Assume { .. } | Op::Assign { .. }))
    });
    assert_eq!(open.count(), 0, "{:?}", edges(&program, "main"));
    assert!(program.unsupported.len() >= 2);
}

#[test]
fn comparisons_of_addresses_that_the_compiler_decides_are_unsupported() {
    let open = |condition: &str| {
        let program = load(&format!("int a, b, c[3]; int main(void) {{ return {condition}; }}"));
        program.unsupported.iter().any(|found| found.what.contains("up to the compiler"))
    };
    for condition in ["\"abc\" + 1 == \"bc\"", "\"x\" == \"x\"", "&a + 1 == &b", "c + 3 != &a", "&b < &a + 1"] {
        assert!(open(condition), "{condition}");
    }
    for condition in ["&a == &b", "c + 3 == &c[1]", "&c[2] != &a", "\"x\" == 0", "&a + 1 == 0"] {
        assert!(!open(condition), "{condition}");
    }
}

#[test]
fn switches_have_an_outcome_per_case_and_fall_through() {
    let program = load(
        "int main(int x) { int r = 0; switch (x) { case 1: r++; case 2 ... 4: r += 2; break; default: r = 9; } return r; }",
    );
    assert_eq!(program.decisions[0].kind, DecisionKind::Switch);
    assert_eq!(program.decisions[0].outcomes, 3);
    let outcomes: Vec<u32> = settled(&program).into_iter().map(|(_, index)| index).collect();
    assert_eq!(outcomes.iter().filter(|&&i| i == 2).count(), 2, "two ways out of the range lead to the default");
}

#[test]
fn loops_know_their_keyword() {
    let program = load("int main(void) {\n  int i;\n  for (i = 0; i < 3; i++) ;\n  do i--; while (i);\n  return 0;\n}");
    let keywords: Vec<_> = program.loops.iter().map(|l| (l.keyword.line, l.keyword.column)).collect();
    assert_eq!(keywords, [(3, 3), (4, 3)]);
    let heads = program.loop_heads(program.main);
    assert!(program.loops.iter().all(|l| heads.contains(&l.head)));
}

#[test]
fn line_markers_give_the_users_file_and_line() {
    let program = load("# 1 \"outer.c\"\nint main(void) {\n# 40 \"inner.h\"\n  return 7;\n}\n");
    let edge = program.edge_ids().find(|&e| program.edge_text(e) == "return 7;").expect("the return");
    let span = program.edge(edge).span;
    assert_eq!((program.file_name(span), span.line, span.column, span.physical_line), ("inner.h", 40, 3, 4));
}

#[test]
fn calls_through_pointers_compare_with_every_function_of_the_type() {
    let program = load(
        "int f(int x) { return x; } int g(int x) { return -x; } int other(void) { return 1; }\n\
         int (*table[2])(int) = { f, g }; int (*unused)(void) = other;\n\
         int main(int i) { return table[i & 1](i); }",
    );
    let texts = edges(&program, "main");
    assert_eq!(texts.iter().filter(|t| t.starts_with("[table") || t.starts_with("[!(table")).count(), 4, "{texts:?}");
    assert!(!texts.iter().any(|t| t.contains("other")), "a function of another type is not a candidate: {texts:?}");
    let through = program.call_sites.iter().filter(|s| matches!(s.callee, Callee::Pointer(_)));
    assert_eq!(through.count(), 1, "what equals none of them stays a call through the pointer");
}

#[test]
fn assumptions_end_paths_and_inputs_are_inputs() {
    let program = load(
        "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int);\n\
         int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 3); return x; }",
    );
    let stops = program.locations.iter().filter(|l| l.leaving.is_empty() && !l.entering.is_empty());
    assert_eq!(stops.count(), 2, "the exit of main, and where the assumption fails");
    assert!(program.edges.iter().any(|e| matches!(e.op, Op::Input { target: Some(_), .. })));
    assert!(program.decisions.is_empty());
}

#[test]
fn what_never_returns_has_no_successor() {
    let program = load("extern void abort(void); int main(int x) { if (x) abort(); else return 1; return 2; }");
    let texts = edges(&program, "main");
    assert!(!texts.contains(&"return 2;".to_owned()), "{texts:?}");
}

#[test]
fn unsupported_code_is_marked_at_its_place_and_the_rest_goes_on() {
    let program = load(
        "void *p;\n\
         int sum(int n) {\n  int s = 1;\n  p = __builtin_frame_address(0);\n  s += 2;\n  return s;\n}\n\
         int main(void) { return sum(1); }",
    );
    assert_eq!(program.unsupported.len(), 1);
    assert_eq!(program.unsupported[0].span.line, 4);
    assert!(edges(&program, "sum").iter().any(|t| t == "s = s + 2;"));
    let marked = program.edges.iter().filter(|e| matches!(e.op, Op::Unsupported(_)));
    assert_eq!(marked.count(), 1);
}

#[test]
fn labels_of_the_same_name_in_two_blocks_are_told_apart() {
    let program = load(
        "int main(void) { int a = 0; { __label__ l; if (a) goto l; a++; l: a++; } { __label__ l; if (a) goto l; a++; l: a++; } return a; }",
    );
    assert!(program.unsupported.is_empty(), "{:?}", program.unsupported);
    let program = load("int main(void) { int a = 0; l: if (a++) goto l; l: return a; }");
    assert!(program.unsupported.iter().any(|u| u.what.contains("two labels `l`")), "{:?}", program.unsupported);
}

#[test]
fn functions_inside_functions_reach_the_variables_around_them_through_pointers() {
    let program = load("int main(void) { int a = 0; int f(void) { return a++; } return f(); }");
    assert!(program.unsupported.is_empty(), "{:?}", program.unsupported);
    assert!(edges(&program, "main").contains(&"__tandem_chain_main_a = &a;".to_owned()));
    let text = "int f(int n, int (*g)(void)) { int h(void) { return n; } return n ? f(n - 1, h) : g(); } int main(void) { return f(1, 0); }";
    let program = load(text);
    assert!(
        program.unsupported.iter().any(|u| u.what.contains("functions inside of `f`")),
        "{:?}",
        program.unsupported
    );
    let program = load("int main(void) { __label__ l; void f(void) { goto l; } f(); l: return 0; }");
    assert!(!program.unsupported.iter().any(|u| u.what.contains("label `l`")), "{:?}", program.unsupported);
}

#[test]
fn jumps_into_unsupported_code_are_unsupported_too() {
    let program = load(
        "int main(int x) { if (x) goto inside; switch (__builtin_frame_address(0) != 0) { inside: return 1; } return 0; }",
    );
    assert!(program.unsupported.iter().any(|u| u.what.contains("inside")), "{:?}", program.unsupported);
}

#[test]
fn functions_that_run_before_main_are_not_passed_over() {
    let program = load("int x; __attribute__((constructor)) void f(void) { x = 1; } int main(void) { return x; }");
    assert_eq!(edges(&program, "main"), ["f()", "return x;"]);
    let program = load("void f(void); __attribute__((destructor)) void f(void) {} int main(void) { return 1; }");
    assert!(edges(&program, "main").contains(&"f()".to_owned()), "{:?}", edges(&program, "main"));
    let program = load("__attribute__((constructor)) void f(int argc) {} int main(void) { return 1; }");
    assert!(program.unsupported.iter().any(|u| u.what.contains("constructor")));
}

#[test]
fn what_is_not_c_is_refused_with_its_place() {
    let cases = [
        ("int main(void) {\n  return y;\n}", "input.c:2:10: error: `y` is not declared"),
        ("struct s { int x, y; } main(void) {}", "input.c:1:24: error: `main` does not return an integer"),
        ("int a[] = {[5 ... 2] = 1}; int main(void) {}", "error: the range of elements 5 ... 2 is empty"),
        ("int a[] = {[0 ... 999999999] = 1}; int main(void) {}", "error: more than 4 million elements are named"),
        ("int main(void) { _Static_assert(sizeof(int) == 2, \"no\"); }", "error: this static assertion fails"),
        ("int f(int a);\nint main(void) { return f(); }", "input.c:2:25: error: a call with 0 arguments"),
        ("struct s { int a; } v;\nint main(void) { return v.b; }", "no member `b`"),
        ("int main(void) { 3 = 4; return 0; }", "cannot be assigned to"),
        ("int main(void) { break; }", "`break` outside a loop or switch"),
        ("int f(void) { return 0; }", "no function `main`"),
        ("int main(void) { return 0; } int main(void) { return 1; }", "`main` is defined twice"),
        ("struct s; int main(void) { return sizeof(struct s); }", "sizeof of an incomplete type"),
    ];
    for (text, expected) in cases {
        let message = refused(text);
        assert!(message.contains(expected), "{message}\nexpected: {expected}");
        assert!(message.contains("help:"), "{message}");
    }
}

#[test]
fn reading_twice_gives_the_same_program() {
    let text =
        tandem_tests::random_c::program(7).lines().filter(|l| !l.starts_with('#')).collect::<Vec<_>>().join("\n");
    let text = text.replace("table[", "(&f0)[0*");
    let (first, second) = (load(&text), load(&text));
    assert_eq!(format!("{:?}", first.edges), format!("{:?}", second.edges));
    assert_eq!(first.to_c(&Default::default()), second.to_c(&Default::default()));
}

#[test]
fn every_program_is_internally_consistent() {
    let program = load(
        "struct p { int x, y; }; static struct p make(int a) { struct p r = { a, .y = a + 1 }; return r; }\n\
         int main(int n) { int a[n][3]; a[1][2] = make(n).y; return a[1][2] + (int)sizeof a; }",
    );
    assert_eq!(program.problems(), Vec::<String>::new());
}

#[test]
fn empty_lists_are_zero_and_classes_of_types_are_constants() {
    let program = load(
        "struct s { int a[2]; }; int none[] = {}; int main(void) { struct s x = {}; int y = {}; \
         return sizeof(none) + __builtin_classify_type(1.5) + __builtin_classify_type(x) + __builtin_classify_type(&x); }",
    );
    assert!(program.unsupported.is_empty());
    let texts = edges(&program, "main");
    assert_eq!(texts.last().map(String::as_str), Some("return 25;"), "{texts:?}");
    assert!(texts.iter().any(|text| text == "y = 0;"), "{texts:?}");
}
