//! Native execution: what a run records, how it ends, and that no program can harm the host.

use std::process::Command;
use std::sync::Arc;
use tandem::exec::{Executable, Runner};
use tandem::frontend::{load, load_text};
use tandem_plugin_api::program::{DataModel, EdgeId, Op, Program};
use tandem_plugin_api::service::execution::*;
use tandem_plugin_api::task::Property;
use tandem_tests::random_c;

const PRELUDE: &str = "extern int __VERIFIER_nondet_int(void); extern unsigned char __VERIFIER_nondet_uchar(void);\n\
    extern double __VERIFIER_nondet_double(void); extern void __VERIFIER_assume(int); extern void abort(void);\n\
    extern void exit(int); extern void *malloc(unsigned); void reach_error(void) { abort(); }\n# 1 \"test.c\"\n";

fn program(text: &str, model: DataModel) -> Arc<Program> {
    let text = format!("{PRELUDE}{text}");
    Arc::new(load_text(&text, "test.c", model).unwrap_or_else(|d| panic!("{d}")))
}

fn options(program: &Program) -> ExecutionOptions {
    let property = Property::UnreachableCall { function: "reach_error".into() };
    let targets = property.targets(program);
    ExecutionOptions { targets, coverage: true, decisions: true, comparisons: true, ..ExecutionOptions::default() }
}

fn runner(program: &Arc<Program>) -> Runner {
    let executable = Executable::compile(Arc::clone(program), &options(program)).expect("it compiles");
    Runner::new(executable).expect("it can run")
}

/// How a run of this text ends, and on which line.
fn ends(text: &str, model: DataModel, inputs: &[u64]) -> (String, u32) {
    let program = program(text, model);
    let limits = RunLimits { steps: 20_000_000, ..RunLimits::default() };
    let exit = runner(&program).run(inputs, &limits);
    (exit.to_string(), exit.edge().map_or(0, |edge| program.edge(edge).span.line))
}

fn ends_alike(text: &str, inputs: &[u64], expected: (&str, u32)) {
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let (exit, line) = ends(text, model, inputs);
        assert_eq!((exit.as_str(), line), expected, "{model:?}: {text}");
    }
}

/// gcc before 13 does not accept them, so that no comparison with its build is possible.
#[test]
fn enumerations_may_have_a_type() {
    ends_alike(
        "enum E : unsigned char { A, B = 200, C }; enum F : long long { X = 1LL << 40 }; enum G : short;\n\
         struct S { enum E e; }; int main(void) { enum E e = C; e += 100; int sizes = sizeof(enum F) * 100 + sizeof(enum G) * 10 + sizeof(A);\n\
         return sizes == 821 && sizeof(struct S) == 1 && e == (unsigned char)301 && X == 1099511627776LL; }",
        &[],
        ("main returned 1", 0),
    );
}

#[test]
fn what_cannot_be_executed_is_named() {
    let explained = |text: &str| {
        let program = program(text, DataModel::Ilp32);
        runner(&program).run(&[], &RunLimits::default()).explained(&program)
    };
    let conversion =
        "a floating-point number is converted to an integer type that cannot hold it, which C leaves undefined";
    for (text, expected) in [
        ("double d = 1e20;\nint main(void) { return (int)d; }", format!("{conversion} (test.c:2)")),
        (
            "void swab(const void *, void *, int);\nint main(void) { char a[2] = {1, 2}; swab(a, a, 2); return 0; }",
            "a call of `swab` cannot be executed (test.c:2)".to_owned(),
        ),
        ("int main(void) { return 3; }", "main returned 3".to_owned()),
        ("int main(void) {\n abort(); }", "the program aborted (test.c:2)".to_owned()),
    ] {
        let found = explained(text);
        assert!(found.starts_with(&expected), "{text}: {found}");
    }
}

#[test]
fn nothing_rests_on_what_c_leaves_open() {
    let from = |condition: &str| {
        format!("double d;\nint main(void) {{ d = __VERIFIER_nondet_double();\n return {condition}; }}")
    };
    let bits = |value: f64| [value.to_bits()];
    for (conversion, fits, does_not) in [
        ("(int)d != 0", 2147483647.9, 2147483648.0),
        ("(int)d != 0", -2147483648.9, -2147483649.0),
        ("(unsigned)d != 0", 4294967295.5, 4294967296.0),
        ("(unsigned)(d - 1) == 0", 0.5, -0.5),
        ("(unsigned char)d != 0", 255.5, 256.0),
        ("(long long)d != 0", -9223372036854775808.0, 9223372036854775808.0),
        ("(unsigned long long)d != 0", 18446744073709549568.0, 18446744073709551616.0),
        ("(int)(long double)d != 0", 2147483647.9, 2147483648.0),
        ("(int)d != 0", 1.0, f64::NAN),
        ("(int)d != 0", 1.0, f64::INFINITY),
    ] {
        ends_alike(&from(conversion), &bits(fits), ("main returned 1", 0));
        ends_alike(&from(conversion), &bits(does_not), ("code that cannot be executed was reached", 3));
    }
}

#[test]
fn string_literals_cannot_be_written() {
    let text = "char *text = \"abc\"; char array[] = \"abc\"; extern char *strcpy(char *, const char *);\n\
        int main(void) { array[0] = text[1]; if (__VERIFIER_nondet_int()) {\n strcpy(text, \"x\"); }\n text[0] = 1;\n return 0; }";
    ends_alike(text, &[0], ("memory that the program does not have was accessed", 4));
    ends_alike(text, &[1], ("memory that the program does not have was accessed", 3));
    // And a run after that finds them as they were.
    let program = program("int main(void) { char *p = \"abc\"; return p[0] + p[3]; }", DataModel::Lp64);
    let mut runner = runner(&program);
    for _ in 0..3 {
        assert_eq!(runner.run(&[], &RunLimits::default()).to_string(), "main returned 97");
    }
}

#[test]
fn runs_end_as_the_program_says() {
    ends_alike("int main(void) { return 42; }", &[], ("main returned 42", 0));
    ends_alike("int main(void) { exit(3); }", &[], ("the program called exit(3)", 0));
    ends_alike("int main(void) {\n abort(); }", &[], ("the program aborted", 2));
    ends_alike(
        "int main(void) {\n if (__VERIFIER_nondet_int() == 7)\n  reach_error(); return 0; }",
        &[7],
        ("a target was reached", 3),
    );
    ends_alike(
        "int main(void) { if (__VERIFIER_nondet_int() == 7) reach_error(); return 0; }",
        &[8],
        ("main returned 0", 0),
    );
    ends_alike(
        "int main(void) {\n __VERIFIER_assume(__VERIFIER_nondet_int() > 5); return 0; }",
        &[5],
        ("an assumption was violated", 2),
    );
    ends_alike(
        "int main(void) {\n int a = __VERIFIER_nondet_int();\n return a + __VERIFIER_nondet_int(); }",
        &[1],
        ("the inputs ended", 3),
    );
}

#[test]
fn hostile_programs_end_with_the_line_and_the_host_lives() {
    let memory = "memory that the program does not have was accessed";
    ends_alike("int main(void) {\n int *p = 0;\n *p = 1; return 0; }", &[], (memory, 3));
    ends_alike("int main(void) {\n int *p = (int *)0x7fff1234;\n return *p; }", &[], (memory, 3));
    ends_alike("int main(void) {\n int *p = (int *)-8;\n *p = 1; return 0; }", &[], (memory, 3));
    ends_alike(
        "static void f(void);\nstatic void (*p)(void);\nstatic void f(void) { p = f; }\nint main(void) {\n p(); return 0; }",
        &[],
        (memory, 5),
    );
    ends_alike(
        "static int f(int x) {\n return f(x + 1) + 1; }\nint main(void) { return f(0); }",
        &[],
        ("the stack overflowed", 2),
    );
    ends_alike(
        "static int f(int *x) {\n int a[100]; a[0] = *x; return f(a); }\nint main(void) { int x = 1; return f(&x); }",
        &[],
        ("the stack overflowed", 2),
    );
    ends_alike(
        "int main(void) { int x = 1;\n while (x)\n  x ^= 2; return 0; }",
        &[],
        ("the step limit was reached", 2),
    );
    ends_alike(
        "int main(void) { int d = __VERIFIER_nondet_int();\n return 10 / d; }",
        &[0],
        ("division by zero or overflow in a division", 2),
    );
    ends_alike(
        "int main(void) { int d = __VERIFIER_nondet_int();\n return (-2147483647 - 1) % d; }",
        &[u64::MAX],
        ("division by zero or overflow in a division", 2),
    );
    let (exit, line) =
        ends("int main(void) { long x = 1;\n int *p = (int *)(x << 40);\n return *p; }", DataModel::Lp64, &[]);
    assert_eq!((exit.as_str(), line), (memory, 3), "an address beyond the sandbox");
}

#[test]
fn endless_allocation_ends() {
    let text = "int main(void) { for (;;) {\n char *p = malloc(1000000); if (p) *p = 1; } }";
    let (exit, _) = ends(text, DataModel::Ilp32, &[]);
    assert!(["the program allocated too much memory", "the step limit was reached"].contains(&exit.as_str()), "{exit}");
}

#[test]
fn runs_do_not_see_each_other() {
    let program = program(
        "int g = 5; int a[1000]; int main(void) { int l[64]; int r = g + a[999] + l[7]; g = 9; a[999] = 4; l[7] = 3; return r; }",
        DataModel::Ilp32,
    );
    let mut runner = runner(&program);
    for _ in 0..3 {
        assert_eq!(runner.run(&[], &RunLimits::default()), Exit::Returned(5));
    }
}

#[test]
fn records_tell_what_happened() {
    let program = program(
        "int main(void) { int n = __VERIFIER_nondet_int(), s = 0; for (int i = 0; i < n; i++) s += __VERIFIER_nondet_uchar(); return s == 517; }",
        DataModel::Lp64,
    );
    let mut runner = runner(&program);
    assert_eq!(runner.run(&[3, 255, 256 + 7, 255], &RunLimits::default()), Exit::Returned(1));
    let values: Vec<u64> = runner.consumed().iter().map(|input| input.bits).collect();
    assert_eq!(values, [3, 255, 7, 255], "values are cut to their width");
    assert_eq!(runner.decisions(), [1, 1, 1, 0]);
    let last = runner.comparisons().last().expect("compared");
    assert_eq!((last.left, last.right, last.bits), (3, 3, 32));
    let looped = program.edge_ids().find(|&e| program.edge_text(e) == "i = i + 1;").expect("the step");
    assert_eq!(runner.coverage()[looped.index()], 3);
    assert!(runner.steps() >= 4);
}

/// Code counts several edges at once, and leaves out those that follow from others. Where decisions are recorded, too,
/// each comparison of a switch is made and counted by itself.
#[test]
fn counts_are_the_same_however_they_are_made() {
    let text = "static int small(int x) { switch (x) { case 1: return 5; case 2: return 7; case 3: case 4: x++; break;\n\
        case 9: x = 2; break; default: x = x * 2; } return x; }\n\
        int main(void) { int s = 0, t = 1; for (int i = 0; i < __VERIFIER_nondet_int(); i++) {\n\
        s += small(i % 11); t = t * 3 + s; if (t & 1) s++; t %= 1000; } return s; }";
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let program = program(text, model);
        let counts = |decisions: bool, rounds: u64| {
            let options = ExecutionOptions { coverage: true, decisions, ..ExecutionOptions::default() };
            let executable = Executable::compile(Arc::clone(&program), &options).expect("it compiles");
            let mut runner = Runner::new(executable).expect("it can run");
            let inputs = vec![rounds; rounds as usize + 1];
            (runner.run(&inputs, &RunLimits::default()), runner.coverage().to_vec())
        };
        for rounds in [0, 1, 2, 5, 30, 1000, 3000] {
            let (exit, found) = counts(false, rounds);
            assert!(matches!(exit, Exit::Returned(_)), "{exit}");
            assert_eq!((exit, &found), (counts(true, rounds).0, &counts(true, rounds).1), "{rounds} rounds");
            conserved(&program, &found);
        }
    }
}

/// In a run that returned, each location is left as often as it is entered. Returns from calls are not counted.
fn conserved(program: &Program, counts: &[u8]) {
    let of = |edges: &[EdgeId]| edges.iter().map(|e| u32::from(counts[e.index()])).sum::<u32>();
    let is_end = |location| {
        program.functions.iter().filter_map(|f| f.body).any(|body| body.exit == location || body.entry == location)
    };
    for edge in program.edge_ids() {
        let to = program.edge(edge).to;
        let (entering, leaving) = (&program.location(to).entering, &program.location(to).leaving);
        let after_call = entering.iter().any(|&e| matches!(program.edge(e).op, Op::Resume(_)));
        if !after_call && !is_end(to) && of(entering) < 255 && of(leaving) < 255 {
            assert_eq!(of(entering), of(leaving), "after {}", program.edge_text(edge));
        }
    }
}

#[test]
fn what_follows_a_fault_is_not_counted() {
    let text = "int a[4]; int main(void) { int *p = a; int s = 0; for (int i = 0; i < 3; i++) {\n\
        s = s + 1; s = s + 2; if (i == 2) p = (int *)64;\n s = s + 3; s = s + *p; s = s + 4; s = s + 5; } return s; }";
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let program = program(text, model);
        let options = ExecutionOptions { coverage: true, ..ExecutionOptions::default() };
        let mut runner =
            Runner::new(Executable::compile(Arc::clone(&program), &options).expect("it compiles")).expect("it can run");
        assert!(matches!(runner.run(&[], &RunLimits::default()), Exit::MemoryFault(_)));
        for (text, count) in
            [("s = s + 1;", 3), ("s = s + 3;", 3), ("s = s + *p;", 3), ("s = s + 4;", 2), ("s = s + 5;", 2)]
        {
            let edge = program.edge_ids().find(|&e| program.edge_text(e) == text).expect("the edge");
            assert_eq!(runner.coverage()[edge.index()], count, "{text}");
        }
    }
}

#[test]
fn many_calls_without_loops_are_steps() {
    let mut text = String::from("static int f0(int x) { return x + 1; }\n");
    for n in 1..60 {
        let call = format!("f{}(x)", n - 1);
        text.push_str(&format!("static int f{n}(int x) {{ x = {call} + 1; x = {call} ^ {n}; return x; }}\n"));
    }
    text.push_str("int main(void) { return f59(1); }");
    let (exit, _) = ends(&text, DataModel::Lp64, &[]);
    assert_eq!(exit, "the step limit was reached");
}

#[test]
fn recursion_with_calls_of_the_host_ends() {
    let text = "static int f(int x) { int y = __VERIFIER_nondet_int(); return f(x + y) + y; }\n\
        int main(void) { return f(0); }";
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let program = program(text, model);
        let options = ExecutionOptions::default();
        let mut runner =
            Runner::new(Executable::compile(Arc::clone(&program), &options).expect("it compiles")).expect("it can run");
        let limits = RunLimits { steps: 100_000_000, when_inputs_end: WhenInputsEnd::Zero };
        let exit = runner.run(&[], &limits);
        assert!(matches!(exit, Exit::StackOverflow(_) | Exit::InputsEnded(_)), "{exit}");
    }
}

#[test]
fn inputs_may_go_on_at_random_but_repeatably() {
    let program = program(
        "int main(void) { int s = 0; for (int i = 0; i < 50; i++) s = s * 31 + __VERIFIER_nondet_int(); return s; }",
        DataModel::Ilp32,
    );
    let mut runner = runner(&program);
    let mut run = |seed| runner.run(&[1], &RunLimits { steps: 1000, when_inputs_end: WhenInputsEnd::Random(seed) });
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

#[test]
fn a_run_can_be_cancelled_from_another_thread() {
    use tandem_plugin_api::service::{StopReason, StopSignal};
    let program = program("int main(void) { for (;;) ; }", DataModel::Ilp32);
    let executable = Executable::compile(Arc::clone(&program), &ExecutionOptions::default()).expect("it compiles");
    let stop = StopSignal::new();
    let mut runner = Runner::with_stop_signal(executable, stop.clone()).expect("it can run");
    let exit = std::thread::scope(|scope| {
        let worker = scope.spawn(|| runner.run(&[], &RunLimits { steps: u64::MAX, ..RunLimits::default() }));
        std::thread::sleep(std::time::Duration::from_millis(20));
        stop.stop(StopReason::Cancelled);
        worker.join().expect("no panic")
    });
    assert!(matches!(exit, Exit::Cancelled(_)), "{exit}");
}

/// The generated program with its output folded into what `main` returns.
fn hashing(seed: u64) -> String {
    let text = random_c::program(seed).replace("extern int printf(const char *, ...);", "");
    let report = "static unsigned long long h; union d { double d; unsigned long long u; };\n\
        static void note(long long v) { h = h * 31 + (unsigned long long)v; }\n\
        static void note_double(double v) { union d u; u.d = v; if (v == v) note(u.u); }\n";
    let mut out = String::from(report);
    for line in text.lines() {
        match line.strip_prefix("printf(\"%a %a") {
            Some(_) => out.push_str("note_double(gd); note_double((double)gf); note(gi);\n"),
            None if line.contains("printf(") => out.push_str(&noted(line)),
            None => out.push_str(line),
        }
        out.push('\n');
    }
    let end = out.rfind("return 0;").expect("main returns");
    out.replace_range(end.., "return (int)(h ^ h >> 32);\n}\n");
    out
}

/// `printf("…", a, b);` as `note(a); note(b);`, whatever stands before it.
fn noted(line: &str) -> String {
    let (before, call) = line.split_once("printf(").expect("a call");
    let (_, arguments) = call.split_once("\",").or(call.split_once("\" ,")).unwrap_or(("", ""));
    let inner = arguments.trim_end().trim_end_matches(';').trim_end_matches(')');
    let (mut depth, mut parts, mut current) = (0, Vec::new(), String::new());
    for c in inner.chars() {
        match c {
            ',' if depth == 0 => parts.push(std::mem::take(&mut current)),
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        if c != ',' || depth != 0 {
            current.push(c);
        }
    }
    parts.push(current);
    let missing: usize = parts.iter().map(|p| p.matches('(').count().saturating_sub(p.matches(')').count())).sum();
    let notes: Vec<String> =
        parts.iter().map(|part| format!("note({}{});", part, ")".repeat(missing.min(1)))).collect();
    format!("{before}{{ {} }}", notes.join(" "))
}

#[test]
fn random_programs_run_as_gcc_runs_them() {
    let count = std::env::var("TANDEM_RANDOM_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(16);
    let mut refused = 0;
    for seed in 1001..=1000 + count {
        let (model, flag) = if seed % 2 == 0 { (DataModel::Lp64, "-m64") } else { (DataModel::Ilp32, "-m32") };
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("program.c");
        std::fs::write(&file, hashing(seed)).expect("written");
        let loaded = Arc::new(load(&file, model).unwrap_or_else(|d| panic!("seed {seed}: {d}")));
        if random_c::is_folded_by_gcc(&loaded) {
            refused += 1;
            continue;
        }
        let executable = Executable::compile(loaded, &ExecutionOptions::default()).expect("it compiles");
        let exit = Runner::new(executable).expect("it can run").run(&[], &RunLimits::default());
        let (driver, binary) = (directory.path().join("driver.c"), directory.path().join("program"));
        let driver_text =
            "#include <stdio.h>\nint tested(void); int main(void) { printf(\"%d\\n\", tested()); return 0; }";
        std::fs::write(&driver, driver_text).expect("written");
        let object = directory.path().join("program.o");
        let flags = [flag, "-std=gnu11", "-w", "-O0", "-fwrapv", "-msse2", "-mfpmath=sse", "-ffp-contract=off"];
        let compile =
            Command::new("gcc").args(flags).args(["-Dmain=tested", "-c", "-o"]).arg(&object).arg(&file).output();
        let compile = compile.expect("gcc runs");
        assert!(compile.status.success(), "seed {seed}: {}", String::from_utf8_lossy(&compile.stderr));
        let link =
            Command::new("gcc").args(flags).arg("-o").arg(&binary).args([&object, &driver]).output().expect("gcc runs");
        assert!(link.status.success(), "{}", String::from_utf8_lossy(&link.stderr));
        let run = Command::new("timeout").arg("20").arg(&binary).output().expect("it runs");
        let expected = String::from_utf8_lossy(&run.stdout).trim().to_owned();
        assert_eq!(
            exit.to_string(),
            format!("main returned {expected}"),
            "seed {seed} ({flag}): {}",
            directory.keep().display()
        );
    }
    assert!(refused * 3 <= count, "{refused} of {count} programs are refused, since gcc folds expressions of them");
}

/// Sandboxes reserve address space between the pages of code that is being compiled at the same time.
#[test]
fn compiling_beside_running_programs() {
    let functions: String = (0..400)
        .map(|i| format!("int f{i}(int x) {{ for (int i = 0; i < x; i++) x = x * {i} % 7 + i / 3; return x; }}\n"))
        .collect();
    let calls: String = (0..400).map(|i| format!("s += f{i}(s);\n")).collect();
    let program = program(&format!("{functions}int main(void) {{ int s = 1;\n{calls} return 0; }}"), DataModel::Ilp32);
    let small =
        Executable::compile(self::program("int main(void) { return 0; }", DataModel::Ilp32), &options(&program));
    let (small, done) = (small.expect("it compiles"), std::sync::atomic::AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut sandboxes = Vec::new();
            while !done.load(std::sync::atomic::Ordering::Relaxed) && sandboxes.len() < 100 {
                sandboxes.push(Runner::new(Arc::clone(&small)).expect("it can run"));
            }
        });
        let runs: Vec<_> = (0..4).map(|_| runner(&program).run(&[], &RunLimits::default())).collect();
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        assert_eq!(runs, [Exit::Returned(0); 4]);
    });
}

#[test]
fn indeterminate_locals_of_every_width_can_hold_junk() {
    let text = "int main(void) { signed char a; short b; int c; long long d; unsigned long long e; float f; double g; _Bool h;\n\
        if (__VERIFIER_nondet_int()) { d = 40; e = 1; f = 0; g = 0; a = 0; b = 0; c = 0; h = 0; }\n\
        return (int)(a + b + c + d + (long long)e + f + g + h); }";
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let program = program(text, model);
        let options = ExecutionOptions { junk: true, ..options(&program) };
        let executable = Executable::compile(Arc::clone(&program), &options).expect("it compiles");
        let exit = Runner::new(executable).expect("it can run").run(&[1], &RunLimits::default());
        assert_eq!(exit, Exit::Returned(41), "{model:?}");
    }
}

#[test]
fn structs_that_calls_give_do_not_use_up_the_stack() {
    ends_alike(
        "struct big { int a[100]; };\nstruct big make(int x) { struct big b; b.a[5] = x; return b; }\n\
         int main(void) { unsigned sum = 0; for (int i = 0; i < 300000; i++) sum += make(i).a[5]; return sum == 2050177040u; }",
        &[],
        ("main returned 1", 0),
    );
}
