//! A program without inputs is proven by its only run, but never by a run that leaves something open.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::process::Command;
use tandem_tests::command::{Ran, binary, root, run};

const BEGIN: &str = "typedef unsigned long size_t; extern void reach_error(void); extern void *malloc(size_t); extern void free(void *);\n\
    extern void *memcpy(void *, const void *, size_t); extern void *memset(void *, int, size_t);\n\
    extern int printf(const char *, ...); extern void abort(void); extern void exit(int);\n\
    extern int elsewhere(int); extern int other; int global; int table[10]; int twice(int x) { return 2 * x; }\n\
    struct pair { char c; int *p; double d; }; union bits { double d; unsigned char b[8]; };\n";

fn verify(text: &str, model: &str) -> Ran {
    let place = tempfile::tempdir().unwrap();
    let program = place.path().join("program.c");
    fs::write(&program, format!("{BEGIN}{text}\n")).unwrap();
    let mut command = Command::new(binary());
    command.current_dir(root()).env_remove("TANDEM_PLUGIN_PATH");
    command.args(["verify", "-c", "configs/single-run.toml", "--limit", "60s", "--data-model", model]).arg(program);
    run(&mut command)
}

/// The body of `main` in both data models: the text that the line on standard output has to contain.
fn says(body: &str, expected: &str) {
    for model in ["ILP32", "LP64"] {
        let ran = verify(&format!("int main(int argc, char **argv) {{ {body} return 0; }}"), model);
        assert!(ran.stdout.contains(expected), "{model}: {body}\n{ran:?}");
    }
}

#[test]
fn a_run_in_which_nothing_is_open_is_a_proof() {
    for body in [
        "int i, s = 0; for (i = 0; i < 100000; i++) s += i % 3; if (s != 99999) reach_error();",
        "int i; for (i = 0; i < 10; i++) table[i] = twice(i); for (i = 0; i < 10; i++) if (table[i] != 2 * i) reach_error();",
        "int *p = malloc(8); p[1] = 5; if (!p || p[1] != 5) reach_error(); free(p);",
        "struct pair a, b; a.c = 'x'; a.p = &global; a.d = 0.5; b = a; *b.p = 3; if (global != 3 || b.d + b.d != 1) reach_error();",
        "struct pair a, b; a.p = &global; memcpy(&b, &a, sizeof a); if (b.p != &global) reach_error();",
        "int a[4], b[4]; memset(a, 0, sizeof a); if (&a[1] >= &a[2] || a == b || &a[4] - a != 4 || a[3]) reach_error();",
        "int (*f)(int) = twice; if (f(4) != 8) reach_error();",
        "unsigned u = 0; u--; if (u != 0xffffffffu) reach_error(); printf(\"%u\\n\", u);",
        "if (global) reach_error(); abort(); reach_error();",
        "if (!global) exit(1); reach_error();",
        "double z = 0, n = z / z; double c = n; if (c == n) reach_error();",
        "union bits b; b.d = 1; if (b.b[7] != 0x3f) reach_error();",
        "int n = 3; int v[n]; v[0] = 1; v[2] = v[0]; if (v[2] != 1) reach_error();",
        "for (int i = 0; i < 3; i++) { int x; x = i; if (x != i) reach_error(); }",
    ] {
        says(body, "Verdict: TRUE\n");
    }
}

#[test]
fn the_error_is_found() {
    for body in [
        "int i, s = 0; for (i = 0; i < 100000; i++) s += i % 3; if (s == 99999) reach_error();",
        "int *p = malloc(8); p[1] = 5; if (p && p[1] == 5) reach_error();",
        "struct pair a, b; a.p = &global; memcpy(&b, &a, sizeof a); if (b.p == &global) reach_error();",
    ] {
        says(body, "Verdict: FALSE\n");
    }
}

/// Such runs prove nothing, whatever happens in one execution.
#[test]
fn a_run_in_which_something_is_open_proves_nothing() {
    for (body, why) in [
        ("int x; if (x == 77) reach_error();", "uninitialised variable"),
        ("int x, y; y = x; if (global) reach_error();", "uninitialised variable"),
        ("int a[3]; a[0] = 1; if (a[1] == 77) reach_error();", "uninitialised memory"),
        ("int *p = malloc(8); if (p[1] == 77) reach_error();", "uninitialised memory"),
        ("int n = 2; int v[n]; if (v[1] == 77) reach_error();", "uninitialised memory"),
        ("struct pair a, b; b = a; if (b.c == 77) reach_error();", "uninitialised memory"),
        ("if (argc == 77) reach_error();", "uninitialised variable"),
        ("if (((size_t)&global & 0xff0) == 0x120) reach_error();", "an address for a number"),
        ("union { int *p; size_t n; } u; u.p = &global; if (u.n == 77) reach_error();", "the bytes of an address"),
        ("int a, b; if (&a < &b) global = 1; if (global == 2) reach_error();", "addresses of different objects"),
        ("char *p = (char *)&global; if (!(p < (char *)0)) reach_error();", "an address with a number"),
        ("if (!((char *)main < (char *)twice)) reach_error();", "the addresses of functions"),
        ("int a[2], b[2]; if (a + 2 == b) reach_error();", "comparison of addresses"),
        ("if (\"abc\" == \"abc\") reach_error();", "comparison of addresses"),
        ("char *s = \"abc\", *t = \"bc\"; if (s + 1 == t) reach_error();", "addresses that may be equal or not"),
        ("int i = 2147483647; i = i + 1; if (i == 77) reach_error();", "a signed number overflows"),
        ("int i = -2147483647 - 1; i = -i; if (i == 77) reach_error();", "a signed number overflows"),
        ("int i = 50000; i *= i; if (i == 77) reach_error();", "a signed number overflows"),
        ("int n = 33; if (1 << n == 77) reach_error();", "leaves undefined"),
        ("double d = 1e30; int i = d; if (i == 77) reach_error();", "leaves undefined"),
        ("int n = 0; if (1 / n == 77) reach_error();", "leaves undefined"),
        ("int i = 10; if (table[i] == 77) reach_error();", "outside of an array"),
        ("int m[2][3] = {{1}}, i = 3; if (m[0][i] == 77) reach_error();", "outside of an array"),
        ("int *p = table; p += 11; if (p == 0) reach_error();", "an address outside of an object"),
        ("int *p = malloc(4); *p = 1; free(p); if (*p == 77) reach_error();", "an object that is gone"),
        ("int *p = malloc(4), *q = malloc(4); free(p); if (p == q) reach_error();", "an object that is gone"),
        (
            "int *p; for (int i = 0; i < 2; i++) { int x; if (i) { if (*p == 77) reach_error(); } else { x = 1; p = &x; } }",
            "an object that is gone",
        ),
        ("int *p = 0; if (*p == 77) reach_error();", "points to no object"),
        ("char *s = \"abc\"; s[0] = 'x'; if (s[0] == 'y') reach_error();", "a string literal"),
        ("if (elsewhere(1) == 77) reach_error();", "only has a body elsewhere: elsewhere"),
        ("if (other == 77) reach_error();", "uninitialised memory"),
        ("if (printf(\"x\") == 77) reach_error();", "only has a body elsewhere: printf"),
        ("int n; printf(\"x%n\", &n); if (n == 77) reach_error();", "something that is not a number"),
        ("double z = 0; union bits b; b.d = z / z; if (b.b[7] == 0x7f) reach_error();", "of a NaN"),
        ("extern int __VERIFIER_nondet_int(void); if (__VERIFIER_nondet_int() == 77) reach_error();", "reads inputs"),
        ("extern long time(long *); if (time(0) == 77) reach_error();", "elsewhere: time"),
        ("extern char *getenv(const char *); if (getenv(\"X\")) reach_error();", "elsewhere: getenv"),
        ("extern int rand(void); if (rand() == 77) reach_error();", "elsewhere: rand"),
    ] {
        says(body, "UNKNOWN (");
        says(body, why);
    }
}

/// The engine works not only alone.
#[test]
fn the_usual_configuration_proves_by_running() {
    let place = tempfile::tempdir().unwrap();
    let program = place.path().join("program.c");
    let text = "int a[100000]; int main(void) { int i; for (i = 0; i < 100000; i++) a[i] = (i * 7) % 13;\n\
                for (i = 0; i < 100000; i++) if (a[i] != (7 * i) % 13) reach_error(); return 0; }";
    fs::write(&program, format!("{BEGIN}{text}\n")).unwrap();
    let mut command = Command::new(binary());
    command
        .current_dir(root())
        .env_remove("TANDEM_PLUGIN_PATH")
        .args(["verify", "-v", "-c", "configs/default.toml", "--limit", "60s"])
        .arg(program);
    let ran = run(&mut command);
    assert_eq!((ran.code(), ran.stdout.as_str()), (Some(0), "Verdict: TRUE\n"), "{ran:?}");
    assert!(ran.stderr.contains("answered by: single-run"), "{ran:?}");
}
