//! External tools as actors: Frama-C and AFL++ themselves where they are installed, all others by a stand-in that
//! prints their output. FALSE is never reported without an executed test, and TRUE is marked as a claim.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tandem_plugin_api::kit::testing::skip;
use tandem_tests::command::{Ran, binary, root, run, tandem};

/// The error is reached with 4711 only.
const BUG: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error() { abort(); }
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 4711)
    reach_error();
  return 0;
}
";
const LOOP: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error() { abort(); }
int main(void) {
  int i = 0;
  while (i < 10)
    i++;
  if (i != 10)
    reach_error();
  return 0;
}
";

/// A directory with a program and a configuration for the stand-in.
struct Case {
    directory: tempfile::TempDir,
}

impl Case {
    /// The stand-in in a mode, with further lines of the configuration.
    fn new(program: &str, mode: &str, more: &[&str]) -> Self {
        let command = format!("[\"{}\", \"{mode}\", \"${{file}}\", \"${{witness}}\"]", stand_in());
        Case::with_command(program, &command, more)
    }

    fn with_command(program: &str, command: &str, more: &[&str]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("program.c"), program).unwrap();
        let mut text = format!(
            "about = \"a test\"\n[actor.tool]\nadapter = \"witness-tool\"\nwitness-tool.name = \"Stand-in\"\n\
             witness-tool.command = {command}\nwitness-tool.true-pattern = \"Verification result: TRUE\"\n\
             witness-tool.false-pattern = [\"Verification result: FALSE\", \"/^.*ASSERTION +FAIL/\"]\n\
             witness-tool.unknown-pattern = \"Verification result: UNKNOWN\"\nwitness-tool.witness = \"witness.yml\"\n"
        );
        more.iter().for_each(|line| writeln!(text, "witness-tool.{line}").unwrap());
        text.push_str("[run]\nactor = \"tool\"\n");
        fs::write(directory.path().join("tool.toml"), text).unwrap();
        Case { directory }
    }

    fn path(&self, name: &str) -> String {
        self.directory.path().join(name).display().to_string()
    }

    fn verify(&self, more: &[&str]) -> Ran {
        let (config, program) = (self.path("tool.toml"), self.path("program.c"));
        let arguments = ["verify", "--limit", "30s", "-c", &config, &program];
        tandem(arguments.iter().chain(more))
    }
}

fn stand_in() -> String {
    root().join("tests/tools/stand-in.sh").display().to_string()
}

/// Fails unless the verdict line has all these texts.
#[track_caller]
fn says(ran: &Ran, texts: &[&str]) {
    for text in texts {
        assert!(ran.stdout.contains(text), "expected `{text}` in: {}\n{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn true_is_a_claim_and_a_correctness_witness_gives_invariants() {
    let case = Case::new(LOOP, "true", &[]);
    let ran = case.verify(&["--json"]);
    assert_eq!(ran.code(), Some(0), "{}{}", ran.stdout, ran.stderr);
    says(&ran, &["TRUE by Stand-in", "invariants claimed"]);
    says(&case.verify(&[]), &["Verdict: TRUE", "claimed, not checked: TRUE by Stand-in", "--validate"]);
    // The invariant proves itself and the property, so that the witness with it is confirmed.
    let output = case.path("out");
    let ran = case.verify(&["--validate", "-o", &output]);
    assert!(ran.stderr.contains("witness: confirmed"), "{}", ran.stderr);
    let witness = fs::read_to_string(Path::new(&output).join("witness.yml")).unwrap();
    assert!(witness.contains("i <= 10"), "{witness}");
}

#[test]
fn false_is_executed_whatever_form_the_witness_has() {
    let printed = BUG.replace("extern void abort", "#define NOTHING\nextern void abort");
    for (program, mode, more) in [
        (BUG, "false", &[][..]),
        (BUG, "false-graphml", &[][..]),
        // A program that needs a preprocessor is printed for the tool, and so is one with another form of the error.
        (&*printed, "false", &[][..]),
        (BUG, "false", &["encode = \"assert\""][..]),
        (BUG, "false-graphml", &["encode = \"label\""][..]),
        (BUG, "ktest", &["tests = \"out\""][..]),
        (BUG, "xml", &["tests = \"out\""][..]),
    ] {
        let case = Case::new(program, mode, more);
        let ran = case.verify(&["-o", &case.path("out")]);
        assert_eq!(ran.code(), Some(10), "{mode} {more:?}: {}{}", ran.stdout, ran.stderr);
        let witness = fs::read_to_string(case.path("out/witness.yml")).unwrap();
        assert!(witness.contains("4711"), "{mode}: {witness}");
    }
}

#[test]
fn what_tools_get_compiles() {
    let own = "extern void __assert_fail(const char *, const char *, unsigned int, const char *);\n";
    let asserts = BUG.replace("{ abort(); }", "{ __assert_fail(\"0\", \"b.c\", 3, \"reach_error\"); }");
    let asserts = format!("{own}{asserts}");
    let included = asserts
        .replace(own, "#include <assert.h>\n")
        .replace("__assert_fail(\"0\", \"b.c\", 3, \"reach_error\")", "assert(0)");
    let command = "[\"gcc\", \"-w\", \"-std=gnu11\", \"-fsyntax-only\", \"${file}\"]";
    for program in [BUG, LOOP, &asserts, &included] {
        for way in ["as-is", "assert", "label"] {
            let case = Case::with_command(program, command, &[&format!("encode = \"{way}\"")]);
            let ran = case.verify(&["--data-model", "LP64"]);
            says(&ran, &["UNKNOWN", "(exit status 0) printed no verdict"]);
        }
    }
}

#[test]
fn false_that_no_execution_shows_is_unknown() {
    let command = format!("\"{} false ${{file}} ${{witness}} 7\"", stand_in());
    let ran = Case::with_command(BUG, &command, &[]).verify(&[]);
    says(&ran, &["UNKNOWN", "Stand-in claims FALSE", "do not reach the error here", "1 inputs that it names"]);
    says(&Case::new(BUG, "false-no-witness", &[]).verify(&[]), &["UNKNOWN", "wrote no witness (witness.yml)"]);
    says(&Case::new(BUG, "false-garbage", &[]).verify(&[]), &["UNKNOWN", "witness cannot be used", "is not text"]);
    // Without inputs, nothing needs to be named.
    let certain = BUG.replace("x == 4711", "1");
    assert_eq!(Case::new(&certain, "false-no-witness", &[]).verify(&[]).code(), Some(10));
}

#[test]
fn a_witness_of_something_else_supports_nothing() {
    let ran = Case::new(LOOP, "true-other-program", &[]).verify(&[]);
    says(&ran, &["UNKNOWN", "Stand-in claims TRUE", "the witness is about another program", "`program.c`"]);
    let ran = Case::new(LOOP, "true-other-lines", &[]).verify(&[]);
    says(&ran, &["UNKNOWN", "the witness does not fit the program", "the program has no loop there"]);
    let ran = Case::new(LOOP, "true-no-witness", &[]).verify(&[]);
    says(&ran, &["Verdict: TRUE", "claimed, not checked"]);
    assert!(ran.stderr.contains("Stand-in wrote no witness (witness.yml)"), "{}", ran.stderr);
}

#[test]
fn a_wrong_true_is_marked_and_refuted_when_it_is_checked() {
    let case = Case::new(BUG, "true-no-witness", &[]);
    says(&case.verify(&[]), &["Verdict: TRUE", "claimed, not checked: TRUE by Stand-in"]);
    let ran = case.verify(&["--validate"]);
    assert_eq!(ran.code(), Some(20), "{}{}", ran.stdout, ran.stderr);
    says(&ran, &["UNKNOWN", "refuted", "line 7 is reached", "4711"]);
}

#[test]
fn what_a_tool_prints_is_not_trusted_further_than_it_goes() {
    says(&Case::new(BUG, "garbage", &[]).verify(&[]), &["UNKNOWN", "printed no verdict", "what was the question?"]);
    says(&Case::new(BUG, "unknown", &[]).verify(&[]), &["UNKNOWN", "Stand-in does not know", "incomplete analysis"]);
    says(&Case::new(BUG, "both", &[]).verify(&[]), &["UNKNOWN", "patterns of different verdicts"]);
    says(&Case::new(BUG, "true-then-crash", &[]).verify(&[]), &["UNKNOWN", "crashed (signal 11)"]);
}

#[test]
fn tools_that_are_missing_or_too_old_say_what_to_do() {
    let install = "install = \"get it from https://example.org\"";
    let ran = Case::with_command(BUG, "\"no-such-tool ${file}\"", &[install]).verify(&[]);
    says(&ran, &["UNKNOWN", "Stand-in is missing", "`no-such-tool`", "get it from https://example.org"]);
    let version = format!("version-command = \"{} --version\"", stand_in());
    let check = |more: &[&str]| Case::new(LOOP, "true", &[&[version.as_str(), install], more].concat()).verify(&[]);
    says(&check(&["minimum-version = \"2.5.0\""]), &["Verdict: TRUE"]);
    says(
        &check(&["minimum-version = \"2.10\""]),
        &["UNKNOWN", "Stand-in 2.5 is too old: 2.10 or newer is needed", "get it"],
    );
    says(&check(&["version-pattern = 'Release (\\d+)'"]), &["UNKNOWN", "prints no version: is it Stand-in?"]);
    let ran = Case::new(LOOP, "true", &["before = \"false\"", install]).verify(&[]);
    says(&ran, &["UNKNOWN", "`false`, which comes before Stand-in, failed", "get it"]);
}

#[test]
fn mistakes_in_a_description_are_told() {
    for (command, more, told) in [
        ("[]", &[][..], "the option `command` is missing"),
        ("\"tool 'x\"", &[], "a ' is not closed"),
        ("\"tool ${fil}\"", &[], "`${fil}` in `${fil}` has no value"),
        ("\"tool\"", &["environment = \"x\""], "not of the form NAME=value"),
        ("\"tool\"", &["minimum-version = \"1\""], "needs a `version-command`"),
        ("\"tool\"", &["tests = \"../up\""], "leaves the tool's directory"),
    ] {
        says(&Case::with_command(BUG, command, more).verify(&[]), &["UNKNOWN", told]);
    }
    let bad = Case::with_command(BUG, "\"tool\"", &[]);
    let text = fs::read_to_string(bad.path("tool.toml")).unwrap().replace("\"Verification result: TRUE\"", "\"/(/\"");
    fs::write(bad.path("tool.toml"), text).unwrap();
    says(&bad.verify(&[]), &["UNKNOWN", "`(` is not a regular expression"]);
}

#[test]
fn placeholders_are_words_of_the_command_line() {
    let command = format!(
        "[\"{}\", \"arguments\", \"${{file}}\", \"${{witness}}\", \"${{property}} ${{data_model}}\", \"-m${{bits}}\", \
         \"${{seconds}}s\", \"${{memory_mb}}M\", \"; $(touch x)\"]",
        stand_in()
    );
    let unknown = "unknown-pattern";
    let case = Case::with_command(BUG, &command, &[]);
    let text = fs::read_to_string(case.path("tool.toml")).unwrap();
    for (pattern, told) in
        [("/^.property.prp/", "[property.prp LP64]"), ("/^.-m/", "[-m64]"), ("touch", "[; $(touch x)]")]
    {
        let changed =
            text.replace(&format!("{unknown} = \"Verification result: UNKNOWN\""), &format!("{unknown} = '{pattern}'"));
        fs::write(case.path("tool.toml"), changed).unwrap();
        says(&case.verify(&["--data-model", "LP64"]), &[told]);
    }
    let changed = text.replace("Verification result: UNKNOWN", "/^\\\\[[0-9]+[sM]\\\\]$/");
    fs::write(case.path("tool.toml"), changed).unwrap();
    says(&case.verify(&["--memory", "2G"]), &["[2048M]"]);
}

/// The described tools: each file is right, is found by its name from any directory, and says how to install the tool.
#[test]
fn described_tools_are_found_and_say_how_to_install_them() {
    let elsewhere = tempfile::tempdir().unwrap();
    fs::write(elsewhere.path().join("program.c"), BUG).unwrap();
    let listed = run(Command::new(binary()).args(["configs", "list"]).current_dir(&elsewhere)).stdout;
    let mut count = 0;
    for entry in fs::read_dir(root().join("configs/tools")).unwrap() {
        let path: PathBuf = entry.unwrap().path();
        let name = format!("tools/{}", path.file_stem().unwrap().to_string_lossy());
        assert!(listed.contains(&format!("{name} ")), "{name}: {listed}");
        let ran = run(Command::new(binary()).args(["configs", "check", &name]).current_dir(&elsewhere));
        assert_eq!(ran.code(), Some(0), "{}", ran.stderr);
        let arguments = ["verify", "--limit", "20s", "-c", &name, "program.c"];
        // A path where none of them can be found.
        let ran = run(Command::new(binary()).args(arguments).current_dir(&elsewhere).env("PATH", "/nowhere"));
        says(&ran, &["UNKNOWN", "is missing", "install it: "]);
        count += 1;
    }
    assert!(count >= 5, "only {count} tools");
    let more = "extends = \"tools/cbmc\"\n[actor.cbmc]\nwitness-tool.command = \"cbmc --unwind 9 ${file}\"\n";
    fs::write(elsewhere.path().join("mine.toml"), more).unwrap();
    let ran = run(Command::new(binary()).args(["configs", "check", "mine.toml"]).current_dir(&elsewhere));
    assert_eq!(ran.code(), Some(0), "{}", ran.stderr);
    let ran = tandem(["configs", "check", "tools/cpacheker"]);
    assert!(ran.stderr.contains("did you mean `tools/cpachecker`?"), "{}", ran.stderr);
}

#[test]
fn a_tool_that_is_no_program_is_not_called_missing() {
    let folder = tempfile::tempdir().unwrap();
    let case = Case::with_command(BUG, &format!("[{:?}]", folder.path()), &[]);
    says(&case.verify(&[]), &["UNKNOWN", "Stand-in cannot be used", "Permission denied"]);
    let case = Case::new(BUG, "true", &["before = [\"sh -c 'exit 3'\"]"]);
    says(&case.verify(&[]), &["UNKNOWN", "failed (exit status 3)"]);
}

/// The results of an installed tool for three programs; `None` if it is not installed.
fn for_real(program: &str, config: &str, expected: &[(&str, &str)]) {
    if run(Command::new("sh").args(["-c", &format!("command -v {program}")])).code() != Some(0) {
        skip(&format!("{program} is not installed"));
        return;
    }
    for (number, (text, verdict)) in expected.iter().enumerate() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("program.c").display().to_string();
        fs::write(&file, text).unwrap();
        let output = directory.path().join("out");
        let ran = tandem(["verify", "--limit", "20s", "-c", config, "-o", &output.display().to_string(), &file]);
        let line = &ran.stdout;
        assert!(line.starts_with(&format!("Verdict: {verdict}")), "{config}, program {number}: {line}{}", ran.stderr);
        match *verdict {
            "TRUE" => assert!(line.contains("claimed, not checked"), "{line}"),
            "FALSE" => assert!(output.join("test-suite").is_dir() || output.join("witness.yml").is_file(), "{line}"),
            _ => assert!(line.contains('('), "UNKNOWN needs a reason: {line}"),
        }
    }
}

#[test]
fn frama_c_for_real() {
    // The last one needs that j is three times n, which no domain of Eva expresses.
    let related = LOOP
        .replace("int i = 0;", "unsigned i = 0, n = __VERIFIER_nondet_int(), j = 3 * n;")
        .replace("i < 10)\n    i++;", "n > 0) {\n    n--;\n    j -= 3;\n    if (j != 3 * n)\n      reach_error();\n  }")
        .replace("i != 10", "i");
    for_real("frama-c", "frama-c", &[(LOOP, "TRUE"), (BUG, "UNKNOWN"), (&related, "UNKNOWN")]);
    // A confirmed claim is no longer a claim; until then, every report of the verdict says so.
    if run(Command::new("sh").args(["-c", "command -v frama-c"])).code() == Some(0) {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name).display().to_string();
        fs::write(path("program.c"), LOOP).unwrap();
        let ran = tandem(["verify", "--limit", "20s", "-c", "frama-c", "--validate", &path("program.c")]);
        assert_eq!(ran.stdout, "Verdict: TRUE\n", "{}", ran.stderr);
        let page = format!("--report={}", path("page.html"));
        tandem(["verify", "--limit", "20s", "-c", "frama-c", &page, "--sarif", &path("run.sarif"), &path("program.c")]);
        for file in ["page.html", "run.sarif"] {
            assert!(fs::read_to_string(path(file)).unwrap().contains("by `frama-c`"), "{file}");
        }
    }
    // Eva leaves out the runs behind a missing `return`, and what a function without a body writes behind the first object.
    let missing = LOOP
        .replace("int main(", "static int f(int x) { if (x) return 10; }\nint main(")
        .replace("i != 10", "f(__VERIFIER_nondet_int()) != 10");
    let written = LOOP
        .replace("int main(", "extern void fill(int *p);\nint a[2];\nint main(")
        .replace("i != 10", "(fill(a), a[1] != 0)");
    // It knows `memchr` by its name, and cuts off what its header would forbid.
    let library = LOOP
        .replace("int main(", "extern void *memchr(const void *, int, unsigned);\nchar a[4] = {1, 1, 1, 1};\nint main(")
        .replace("i != 10", "(memchr(a, 9, 5), 1)");
    let format = LOOP
        .replace("int main(", "extern int sscanf(const char *, const char *, ...);\nint a[2];\nint main(")
        .replace("i != 10", "(sscanf(\"30064771072\", \"%lld\", a), a[1] == 7)");
    // The local of the second round is another one.
    let rounds = LOOP.replace(
        "i++;",
        "{ { int x; int *p = &x; if (i == 0) *p = 5; else if (*p != 5) reach_error(); } { int y[1]; int *q = y; *q = 7; } i++; }",
    );
    let wrong = [&missing, &written, &library, &format, &rounds].map(|text| (text.as_str(), "UNKNOWN"));
    for_real("frama-c", "frama-c", &wrong);
}

#[test]
fn afl_for_real() {
    let easy = BUG.replace("x == 4711", "x > 1000");
    let sum =
        BUG.replace("if (x == 4711)", "int y = __VERIFIER_nondet_int();\n  if (x > 0 && y > 0 && x < 100 && y == x)");
    for_real("afl-fuzz", "afl", &[(&easy, "FALSE"), (&sum, "FALSE")]);
    let short = LOOP.replace("i != 10", "i > 10");
    if run(Command::new("sh").args(["-c", "command -v afl-fuzz"])).code() == Some(0) {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("program.c").display().to_string();
        fs::write(&file, short).unwrap();
        let ran = tandem(["verify", "--limit", "5s", "-c", "afl", &file]);
        says(&ran, &["UNKNOWN"]);
    }
}
