//! Test suites from end to end: measuring one, finding one, and the test that comes with FALSE, which gcc's build confirms.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tandem::artifact::test_suite::{self, Metadata};
use tandem_plugin_api::artifact::{InputValue, TestCase, TestSuite};
use tandem_tests::command::{Ran, run, tandem};
use tandem_tests::test_plugins::{build_dir, library};

const PROGRAM: &str = "\
extern int __VERIFIER_nondet_int(void);
extern float __VERIFIER_nondet_float(void);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n == 7 && __VERIFIER_nondet_float() > 1.5f) {
    reach_error();
  }
  return 0;
}
";

struct Folder {
    directory: tempfile::TempDir,
}

impl Folder {
    /// With `PROGRAM` in it.
    fn new() -> Self {
        let folder = Folder { directory: tempfile::tempdir().unwrap() };
        folder.write("program.c", PROGRAM);
        folder
    }

    fn path(&self, name: &str) -> String {
        self.directory.path().join(name).display().to_string()
    }

    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    /// A suite of tests with these texts.
    fn suite(&self, name: &str, tests: &[&[&str]]) -> String {
        let test = |texts: &&[&str]| TestCase::of(texts.iter().map(|&text| InputValue::Text(text.into())));
        let suite = TestSuite { tests: tests.iter().map(test).collect() };
        let path = PathBuf::from(self.path(name));
        let write = if name.ends_with(".zip") { test_suite::write_zip } else { test_suite::write_directory };
        write(&path, &suite, &Metadata { architecture: "64bit".into(), ..Metadata::default() }).unwrap();
        self.path(name)
    }

    /// A configuration of the engine that claims what its options say.
    fn claimant(&self, options: &str) -> String {
        library("claimant");
        self.write("claimant.toml", &format!("[actor.c]\nengine = \"claimant\"\n{options}\n"))
    }
}

fn with_claimant(arguments: &[&str]) -> Ran {
    let plugins = build_dir().join("examples").display().to_string();
    tandem(["--plugin-dir", &plugins].iter().chain(arguments))
}

#[test]
fn a_suite_is_measured_from_directory_and_archive() {
    let folder = Folder::new();
    for name in ["suite", "suite.zip"] {
        let suite = folder.suite(name, &[&["7", "0x2"], &["'a'"]]);
        let ran = tandem(["coverage", "-s", &suite, &folder.path("program.c")]);
        let expected = "Branches: 2 of 2 (100.0 %)\nConditions: 3 of 4 (75.0 %)\nLines: 5 of 5 (100.0 %)\n\
                        Error: reached by 1 of 2 tests\n";
        assert_eq!((ran.stdout.as_str(), ran.code()), (expected, Some(0)), "{ran:?}");
    }
    let suite = folder.suite("one", &[&["1"]]);
    let page = folder.path("page.html");
    let ran = tandem(["coverage", "-s", &suite, "--annotate", "--html", &page, &folder.path("program.c")]);
    assert!(ran.stdout.contains("      1 T-F+        7 |   if (n == 7 &&"), "{}", ran.stdout);
    assert!(ran.stdout.contains("      -             8 |     reach_error();"), "{}", ran.stdout);
    assert!(fs::read_to_string(page).unwrap().contains("No test reaches the error."));
    let ran = tandem(["coverage", "--suite", &suite, "--json", &folder.path("program.c")]);
    let document: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(document["data_model"], "LP64", "the suite's own: {document}");
    assert_eq!(document["branches"]["covered"], 1);
    assert_eq!(document["tests"][0]["inputs_used"], 1);
}

#[test]
fn what_is_wrong_with_a_suite_is_said() {
    let folder = Folder::new();
    let program = folder.path("program.c");
    let suite = folder.suite("suite", &[&["7", "many"], &["1"]]);
    fs::write(Path::new(&suite).join("stray.xml"), "<testcase/>").unwrap();
    let ran = tandem(["coverage", "-s", &suite, &program]);
    assert_eq!(ran.code(), Some(0), "{ran:?}");
    assert!(ran.stderr.contains("input 2 (__VERIFIER_nondet_float): `many` is not a value of type float"), "{ran:?}");
    assert!(ran.stderr.contains("stray.xml:1:1: error: this is not a test case"), "{ran:?}");
    let ran = tandem(["coverage", "-s", &folder.path("nowhere"), &program]);
    assert_eq!(ran.code(), Some(2), "{ran:?}");
    assert!(ran.stdout.is_empty() && ran.stderr.contains("the test suite cannot be read"), "{ran:?}");
    let ran = tandem(["coverage", "-s", &program, &program]);
    assert_eq!(ran.code(), Some(2), "{ran:?}");
    let ran = tandem(["coverage", &program]);
    assert!(ran.code() == Some(2) && ran.stderr.contains("--suite"), "{ran:?}");
    let metadata = Metadata { program_hash: "0".repeat(64), ..Metadata::default() };
    let suite = folder.path("other");
    test_suite::write_directory(Path::new(&suite), &TestSuite { tests: vec![TestCase::default()] }, &metadata).unwrap();
    let ran = tandem(["coverage", "-s", &suite, &program]);
    assert!(ran.code() == Some(0) && ran.stderr.contains("made for another program"), "{ran:?}");
}

#[test]
fn claims_are_executed_before_false_is_said() {
    let folder = Folder::new();
    let verify = |options: &str| {
        let config = folder.claimant(options);
        with_claimant(&["verify", "-c", &config, "-o", &folder.path("out"), &folder.path("program.c")])
    };
    let suite = PathBuf::from(folder.path("out/test-suite"));
    let ran = verify("claimant.verdict = \"FALSE\"\nclaimant.tests = [\"1\", \"7 2.5 9\"]");
    assert_eq!((ran.stdout.as_str(), ran.code()), ("Verdict: FALSE\n", Some(10)), "{ran:?}");
    let written = test_suite::read(&suite).unwrap();
    assert_eq!(written.tests.len(), 1, "only the test that reaches the error");
    assert!(written.tests[0].test.covers_error);
    let values: Vec<String> = written.tests[0].test.values().map(ToString::to_string).collect();
    assert_eq!(values, ["7", "2.5"], "only what was read");
    let metadata = written.metadata.unwrap();
    assert_eq!(metadata.is_about(PROGRAM.as_bytes()), Some(true));
    assert_eq!(metadata.specification, "CHECK( init(main()), LTL(G ! call(reach_error())) )");

    let ran = verify("claimant.verdict = \"FALSE\"\nclaimant.tests = [\"7 1.5\"]");
    assert_eq!(ran.code(), Some(20), "{ran:?}");
    let reason = "actor `c` claims a violation, but its test does not reach the error when executed: main returned 0";
    assert!(ran.stdout.contains(reason), "{ran:?}");
    assert!(!suite.join("testcase-0001.xml").exists(), "the test of the earlier run is still there");
    let ran = verify("claimant.verdict = \"FALSE\"");
    assert!(ran.code() == Some(20) && ran.stdout.contains("no test was given"), "{ran:?}");
    // A test that reaches the error overrides a proof.
    let ran = verify("claimant.verdict = \"TRUE\"\nclaimant.tests = [\"7 2\"]\nclaimant.covers-error = true");
    assert_eq!(ran.code(), Some(10), "{ran:?}");
}

#[test]
fn any_engine_that_gives_tests_makes_a_suite() {
    let folder = Folder::new();
    let error = folder.write("error.prp", "COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )\n");
    let out = folder.path("out");
    let test = |options: &str, more: &[&str]| {
        let config = folder.claimant(options);
        let program = folder.path("program.c");
        let mut arguments = vec!["test", "-c", &config, "-o", &out];
        arguments.extend(more);
        arguments.push(&program);
        with_claimant(&arguments)
    };
    let ran = test("claimant.tests = [\"7 1e0\", \"1 5\"]", &[]);
    assert_eq!((ran.stdout.as_str(), ran.code()), ("Tests: 2, branches 1 of 2 (50.0 %)\n", Some(0)), "{ran:?}");
    let suite = Path::new(&out).join("test-suite");
    assert_eq!(test_suite::read(&suite).unwrap().tests[1].test.inputs.len(), 1, "only what was read");
    let ran = test("claimant.tests = [\"7 3\"]", &["-p", &error, "--json"]);
    let document: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&document["tests"]["count"], &document["tests"]["error_reached"]), (&1.into(), &true.into()));
    assert!(test_suite::read(&suite).unwrap().tests[0].test.covers_error);
    let ran = test("", &["-p", &error]);
    assert_eq!((ran.stdout.as_str(), ran.code()), ("Tests: 0, error not reached, branches 0 of 2 (0.0 %)\n", Some(20)));
    let property = folder.write("check.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    let ran = test("", &["-p", &property]);
    assert!(ran.code() == Some(2) && ran.stderr.contains("COVER"), "{ran:?}");
}

#[test]
fn tests_survive_an_actor_that_hangs() {
    let folder = Folder::new();
    let config = folder.claimant("claimant.tests = [\"7 3\", \"1\"]\nclaimant.hangs = true");
    let out = folder.path("out");
    let ran = with_claimant(&["test", "-c", &config, "--limit", "500ms", "-o", &out, &folder.path("program.c")]);
    // Their coverage is reported if the actor is left behind before the end of the whole run.
    assert!(ran.stdout.starts_with("Tests: 2") && ran.code() == Some(0), "{ran:?}");
    assert_eq!(test_suite::read(&Path::new(&out).join("test-suite")).unwrap().tests.len(), 2);
}

const HARNESS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
static char text[512];
static const char *next(void) { if (!fgets(text, sizeof text, stdin)) exit(97); return text; }
int __VERIFIER_nondet_int(void) { return (int)strtoll(next(), 0, 0); }
float __VERIFIER_nondet_float(void) { return strtof(next(), 0); }
void abort(void) { _Exit(107); }
"#;

/// The fuzzer finds the error, and gcc's build of the same file reaches it with the test that was written.
#[test]
fn gcc_confirms_the_test() {
    let folder = Folder::new();
    let out = folder.path("out");
    let arguments = ["verify", "-c", "fuzz", "--limit", "60s", "--data-model", "LP64", "-o", &out];
    let ran = tandem(arguments.iter().chain([&folder.path("program.c").as_str()]));
    assert_eq!(ran.stdout, "Verdict: FALSE\n", "{ran:?}");
    let harness = folder.write("harness.c", HARNESS);
    let binary = folder.path("program");
    let built =
        run(Command::new("gcc").args(["-w", "-fno-builtin", "-o", &binary, &folder.path("program.c"), &harness]));
    assert_eq!(built.code(), Some(0), "{built:?}");
    let suite = test_suite::read(&Path::new(&out).join("test-suite")).unwrap();
    let inputs: String = suite.tests[0].test.values().map(|value| format!("{value}\n")).collect();
    let inputs = folder.write("inputs.txt", &inputs);
    let status = Command::new(&binary).stdin(fs::File::open(inputs).unwrap()).status().unwrap();
    assert_eq!(status.code(), Some(107));
}
