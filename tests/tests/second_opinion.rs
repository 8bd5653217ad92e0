//! gcc as the second opinion on FALSE: it agrees, it disagrees, it is not available; and the text written after the
//! verdict.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use tandem_tests::command::{Ran, binary, root, run};
use tempfile::TempDir;

/// Everything that a program may leave to other files, in one program: inputs of many types, functions and objects
/// without a definition, one of these that it defines itself, and an error function with internal linkage.
const ALL: &str = r#"
typedef unsigned long size_t;
struct pair { int a; int b; };
extern char __VERIFIER_nondet_char(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern void *__VERIFIER_nondet_pointer(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern struct pair elsewhere(int, double);
extern int unknown(const char *, ...);
extern void __VERIFIER_assume(int);
extern int counter;
extern void *malloc(size_t);
short __VERIFIER_nondet_short(void) { return -5; }
static void reach_error(void) { for (;;) ; }
int main(int argc, char **argv) {
  int start;
  char c = __VERIFIER_nondet_char();
  unsigned long long u = __VERIFIER_nondet_ulonglong();
  short s = __VERIFIER_nondet_short();
  float f = __VERIFIER_nondet_float();
  double d = __VERIFIER_nondet_double();
  _Bool b = __VERIFIER_nondet_bool();
  int *block = malloc(8);
  __VERIFIER_assume(s == -5);
  if (c == -3 && u == 0x123456789abcdef0ULL && f > 0.5f && d < -1.5 && b)
    if (elsewhere(1, 2.0).b == 0 && unknown("%d", 1) == 0 && counter == 0 && block[1] == 0 && argc == 1)
      reach_error();
  return 0;
}
"#;

/// A program that behaves differently only in gcc's build.
const ODD: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n  \
                   int x = __VERIFIER_nondet_int();\n#ifdef ODD\n  return 3;\n#endif\n  if (x == 7) reach_error();\n  return 0;\n}\n";

struct Place(TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn program(&self, text: &str) -> PathBuf {
        fs::write(self.path("program.c"), text).unwrap();
        self.path("program.c")
    }

    /// A directory with a `gcc` that is this script.
    fn gcc(&self, script: &str) -> PathBuf {
        let folder = self.path("bin");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("gcc"), format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(folder.join("gcc"), fs::Permissions::from_mode(0o755)).unwrap();
        folder
    }

    /// Verifies with an output directory; with this PATH where one is given.
    fn verify(&self, arguments: &[&str], program: &Path, path: Option<&Path>) -> Ran {
        let mut command = Command::new(binary());
        command.current_dir(root()).env_remove("TANDEM_PLUGIN_PATH").arg("verify");
        if !arguments.contains(&"--limit") {
            command.args(["--limit", "60s"]);
        }
        command.arg("-o").arg(self.path("out")).args(arguments).arg(program);
        if let Some(path) = path {
            command.env("PATH", path);
        }
        run(&mut command)
    }

    fn result(&self) -> serde_json::Value {
        serde_json::from_str(&fs::read_to_string(self.path("out/result.json")).unwrap()).unwrap()
    }

    fn opinion(&self) -> String {
        self.result()["opinions"][1].as_str().unwrap_or_default().to_string()
    }

    /// A `gcc` whose builds define a macro that no other compiler has; the preprocessor is the usual one. All other
    /// tools are beside it.
    fn odd_gcc(&self) -> PathBuf {
        let path = std::env::var("PATH").unwrap();
        let script = format!("PATH='{path}'; case \"$*\" in *-E*) exec gcc \"$@\";; *) exec gcc -DODD=1 \"$@\";; esac");
        let folder = self.gcc(&script);
        PathBuf::from(format!("{}:{path}", folder.display()))
    }
}

fn is_false(ran: &Ran) {
    assert_eq!((ran.code(), ran.stdout.as_str()), (Some(10), "Verdict: FALSE\n"), "{ran:?}");
}

#[test]
fn gcc_reaches_the_error_with_what_nobody_defines() {
    for model in ["ILP32", "LP64"] {
        let place = Place::new();
        let ran = place.verify(&["--data-model", model], &place.program(ALL), None);
        is_false(&ran);
        assert!(place.opinion().contains("gcc's build of the original reached the error"), "{ran:?}");
        assert!(ran.stderr.contains("gcc's build of the original reached the error"), "{ran:?}");
    }
}

#[test]
fn a_program_with_headers_has_a_second_opinion() {
    let place = Place::new();
    let text = "#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\nextern void reach_error(void);\n\
                int main(void) { if (abs(-3) == 3) reach_error(); return 0; }\n";
    let ran = place.verify(&[], &place.program(text), None);
    is_false(&ran);
    assert!(place.opinion().contains("gcc's build"), "{}", ran.stderr);
}

#[test]
fn a_violation_that_gcc_does_not_see_is_unknown() {
    let place = Place::new();
    let path = place.odd_gcc();
    let ran = place.verify(&["--report"], &place.program(ODD), Some(&path));
    assert_eq!(ran.code(), Some(20), "{ran:?}");
    assert!(ran.stdout.contains("UNKNOWN (our execution and gcc's differ"), "{ran:?}");
    assert!(ran.stdout.contains("gcc's build ended with status 3"), "{ran:?}");
    assert!(ran.stderr.contains("please report it"), "{ran:?}");
    assert!(!place.path("out/witness.yml").exists());
    // A user who reports it needs the test.
    assert!(place.path("out/test-suite").exists());
    // The report has both runs, as far as gcc's can be traced.
    let difference = &place.result()["difference"];
    assert_eq!(difference["inputs"], serde_json::json!(["7"]));
    assert_eq!(difference["ours"]["lines"], serde_json::json!(["4", "8"]));
    assert_eq!(difference["gcc"]["did"], "ended with status 3");
    assert_eq!(difference["gcc"]["lines"].as_array().map(|lines| lines.last().cloned()), Some(Some("6".into())));
    let page = fs::read_to_string(place.path("out/report.html")).unwrap();
    assert!(page.contains("gcc's build") && page.contains("ended with status 3; lines"), "{difference}");
    let ran = place.verify(&["--no-gcc"], &place.program(ODD), Some(&path));
    is_false(&ran);
    assert!(place.opinion().contains("--no-gcc was given"), "{ran:?}");
}

#[test]
fn without_a_build_false_stands() {
    let plain = ODD.replace("#ifdef ODD\n  return 3;\n#endif\n", "");
    let place = Place::new();
    let ran = place.verify(&[], &place.program(&plain), Some(&place.path("nothing")));
    is_false(&ran);
    assert!(place.opinion().contains("gcc is not installed"), "{ran:?}");
    let script = "case \"$*\" in *-fsyntax-only*) exit 0;; *) echo 'x.c:1: error: no' >&2; exit 1;; esac";
    let ran = place.verify(&[], &place.program(&plain), Some(&place.gcc(script)));
    is_false(&ran);
    assert!(place.opinion().contains("gcc could not build it: no"), "{ran:?}");
}

#[test]
fn a_program_that_gcc_does_not_accept_has_no_verdict() {
    // Our front end does not find all mistakes: a compiler decides which errors a program has.
    for mistake in ["const int c = 1; c = 2;", "struct s { int a; int a; } v;", "switch (x) { case 1:; case 1:; }"] {
        let place = Place::new();
        let text = format!(
            "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\nint main(void) {{\n  \
             int x = __VERIFIER_nondet_int();\n  {mistake}\n  if (x == 7) reach_error();\n  return 0;\n}}\n"
        );
        let ran = place.verify(&[], &place.program(&text), None);
        let refused = ran.code() == Some(2);
        let unknown = ran.code() == Some(20) && ran.stdout.contains("UNKNOWN (gcc does not accept the program: ");
        assert!(refused || unknown, "{mistake}: {ran:?}");
    }
}

#[test]
fn without_the_libraries_of_the_data_model_false_stands() {
    let place = Place::new();
    let plain = ODD.replace("#ifdef ODD\n  return 3;\n#endif\n", "");
    let path = std::env::var("PATH").unwrap();
    // As on a machine without multilib.
    let script = format!(
        "PATH='{path}'; case \"$*\" in *-E*) exec gcc \"$@\";; *) echo '/usr/bin/ld: cannot find -lgcc: No such file or directory' >&2; exit 1;; esac"
    );
    let ran = place.verify(&["--data-model", "ILP32"], &place.program(&plain), Some(&place.gcc(&script)));
    is_false(&ran);
    assert!(place.opinion().contains("gcc could not build it: /usr/bin/ld: cannot find -lgcc"), "{ran:?}");
}

/// A known violation must not wait for a build that takes too long.
#[test]
fn a_build_that_takes_long_costs_no_verdict() {
    let place = Place::new();
    let path = std::env::var("PATH").unwrap();
    let script = format!("PATH='{path}'; case \"$*\" in *-E*) exec gcc \"$@\";; *) exec sleep 100;; esac");
    let ran = place.verify(&["--limit", "6s"], &place.program(ODD), Some(&place.gcc(&script)));
    is_false(&ran);
    assert!(place.opinion().contains("there was no time to build it"), "{ran:?}");
}

/// At the end of each run, some state depends on the build in a way that a comparison must notice, or must not consider
/// a mistake of ours.
fn proven_beside(odd: &str, plain: &str) -> (Place, Ran) {
    let place = Place::new();
    let text = format!(
        "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\nint left, numbers[3];\nint main(void) {{\n  \
         int x = __VERIFIER_nondet_int(), y;\n#ifdef ODD\n  {odd}\n#else\n  {plain}\n#endif\n  \
         if (x == 7 && left == 5) reach_error();\n  return 0;\n}}\n"
    );
    let (program, path) = (place.program(&text), place.odd_gcc());
    let ran = place.verify(&["-v", "-c", "bmc"], &program, Some(&path));
    (place, ran)
}

#[test]
fn a_proof_does_not_survive_a_run_in_which_gcc_differs() {
    for (odd, plain, theirs) in [
        ("left = 4;", "left = 3;", "left another one there"),
        ("numbers[x & 1] = 1;", "numbers[x & 1] = 2;", "left another one there"),
        ("return 2;", "left = 1;", "ended with status 2"),
        ("__VERIFIER_nondet_int();", "left = 0;", "asked for more inputs"),
        ("*(volatile int *)0 = 1;", "left = 0;", "was ended by signal 11"),
        ("reach_error();", "left = 0;", "reached the error"),
        // The run reads something uninitialised, so that only the error itself is a difference.
        ("left = y & 1; reach_error();", "left = y & 1;", "reached the error"),
    ] {
        let (place, ran) = proven_beside(odd, plain);
        assert_eq!(ran.code(), Some(20), "{odd}: {ran:?}");
        assert!(ran.stdout.contains("UNKNOWN (our execution and gcc's differ: "), "{odd}: {ran:?}");
        assert!(ran.stdout.contains(theirs) && ran.stderr.contains("please report it"), "{odd}: {ran:?}");
        assert_eq!(place.result()["difference"]["inputs"].as_array().map(Vec::len), Some(1), "{odd}");
    }
}

/// A proof waits for gcc, though not until the end of its time.
#[test]
fn a_build_that_takes_long_costs_no_proof() {
    let place = Place::new();
    let path = std::env::var("PATH").unwrap();
    let script = format!("PATH='{path}'; case \"$*\" in *-E*) exec gcc \"$@\";; *) exec sleep 100;; esac");
    let proven = ODD.replace("x == 7", "x != x").replace("#ifdef ODD\n  return 3;\n#endif\n", "");
    let ran = place.verify(&[], &place.program(&proven), Some(&place.gcc(&script)));
    assert_eq!((ran.code(), ran.stdout.as_str()), (Some(0), "Verdict: TRUE\n"), "{ran:?}");
}

#[test]
fn what_is_left_open_is_no_difference() {
    // Both sides do the same where C defines the behaviour.
    for (odd, plain) in [
        ("left = 3;", "left = 3;"),
        ("left = y * 0 + 2;", "left = y * 0 + 1;"),
        ("left = 2147483647; left += 2;", "left = 2147483647; left++;"),
        ("left = (unsigned long)&y & 1;", "left = ((unsigned long)&y & 1) + 1;"),
        ("left = numbers[3 + (x == 9)] != 7;", "left = numbers[3] != 8;"),
    ] {
        let (_, ran) = proven_beside(odd, plain);
        assert!(!ran.stdout.contains("differ"), "{odd}: {ran:?}");
        assert!(!ran.stdout.contains("FALSE"), "{odd}: {ran:?}");
    }
    let (_, ran) = proven_beside("left = 3;", "left = 3;");
    assert_eq!(ran.stdout, "Verdict: TRUE\n", "{ran:?}");
    assert!(!ran.stderr.contains("did the same as ours: 0"), "{ran:?}");
}

#[test]
fn assembly_that_needs_a_kernel_costs_no_verdict() {
    let place = Place::new();
    let program = "extern void reach_error(void);\nint main(void) { int x = 1; __asm__ volatile (\"hlt\" : : : \"cc\");\n\
                   if (x) reach_error(); return 0; }\n";
    is_false(&place.verify(&[], &place.program(program), None));
}

#[test]
fn a_long_run_has_its_witness() {
    let place = Place::new();
    let program = "extern void reach_error(void);\nint main(void) { unsigned i, j, n = 0;\n\
                   for (i = 0; i < 20000; i++) for (j = 0; j < 10000; j++) n += j & i;\n\
                   if (n != 1) reach_error(); return 0; }\n";
    let ran = place.verify(&["-c", "fuzz"], &place.program(program), None);
    is_false(&ran);
    assert!(place.path("out/witness.yml").exists(), "{ran:?}");
}
