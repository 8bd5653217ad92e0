//! Witnesses: what `tandem verify -o` writes, the answers of `tandem validate` to it and to others, and what it
//! refuses.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tandem_tests::automata::COUNT;
use tandem_tests::command::{Ran, root, tandem};
use tandem_tests::tasks::shared_directory;

const MAZE: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  int way = 0;
  if (a > 10) {
    way = 1;
  }
  if (b == a + 1) {
    way = way + 2;
  }
  if (way >= 2) {
    reach_error();
  }
  return 0;
}
";

struct Folder(tempfile::TempDir);

impl Folder {
    fn with(name: &str, text: &str) -> Self {
        let folder = Folder(tempfile::tempdir().unwrap());
        folder.write(name, text);
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn verify(&self, program: &str, more: &[&str]) -> Ran {
        let (output, program) = (self.path("out"), self.path(program));
        let mut arguments = vec!["verify", "--limit", "60s", "-o", output.to_str().unwrap()];
        arguments.extend(more);
        arguments.push(program.to_str().unwrap());
        tandem(arguments)
    }

    fn validate(&self, witness: &str, program: &str, more: &[&str]) -> Ran {
        validate(&self.path(witness), &self.path(program), more)
    }

    /// The answer to a witness with this content.
    fn answer(&self, text: &str, program: &str) -> String {
        self.write("w.yml", text);
        line(&self.validate("w.yml", program, &[]))
    }
}

fn validate(witness: &Path, program: &Path, more: &[&str]) -> Ran {
    let mut arguments = vec!["validate", "--limit", "60s", "-w", witness.to_str().unwrap()];
    arguments.extend(more);
    arguments.push(program.to_str().unwrap());
    tandem(arguments)
}

fn line(ran: &Ran) -> String {
    assert_eq!(ran.stdout.lines().count(), 1, "{ran:?}");
    ran.stdout.trim().to_string()
}

/// A correctness witness with invariants of these types, lines and values.
fn correctness(invariants: &[(&str, u32, &str)]) -> String {
    let mut text = head("invariant_set");
    text.push_str(if invariants.is_empty() { "  content: []\n" } else { "  content:\n" });
    for (kind, line, value) in invariants {
        text.push_str(&format!(
            "    - invariant:\n        type: {kind}\n        location:\n          file_name: count.c\n          line: {line}\n          \
             function: main\n        value: \"{value}\"\n        format: c_expression\n"
        ));
    }
    text
}

/// A violation witness: each waypoint is a type, an action, a line and a constraint; waypoints to follow end segments.
fn violation(waypoints: &[(&str, &str, u32, &str)]) -> String {
    let mut text = head("violation_sequence") + "  content:\n";
    let mut begins = true;
    for (kind, action, line, constraint) in waypoints {
        if begins {
            text.push_str("    - segment:\n");
        }
        begins = *action == "follow";
        text.push_str(&format!("        - waypoint:\n            type: {kind}\n            action: {action}\n"));
        if !constraint.is_empty() {
            text.push_str(&format!("            constraint:\n              value: \"{constraint}\"\n"));
        }
        text.push_str(&format!("            location:\n              file_name: maze.c\n              line: {line}\n"));
    }
    text
}

fn head(kind: &str) -> String {
    format!(
        "- entry_type: {kind}\n  metadata:\n    format_version: \"2.0\"\n    task:\n      \
         specification: \"CHECK( init(main()), LTL(G ! call(reach_error())) )\"\n      data_model: ILP32\n"
    )
}

#[test]
fn invariants_that_hold_are_confirmed_and_others_are_refuted_with_values() {
    let folder = Folder::with("count.c", COUNT);
    let answer = |invariants: &[(&str, u32, &str)]| folder.answer(&correctness(invariants), "count.c");
    assert_eq!(answer(&[("loop_invariant", 11, "0 <= i && i <= n")]), "Witness: confirmed");
    assert_eq!(answer(&[("location_invariant", 14, "i == n"), ("loop_invariant", 11, "i <= n")]), "Witness: confirmed");
    assert_eq!(answer(&[]), "Witness: confirmed");
    let wrong = answer(&[("loop_invariant", 11, "0 <= i && i <= 7")]);
    assert!(
        wrong.starts_with("Witness: refuted (the loop invariant `i <= 7` of `0 <= i && i <= 7` at count.c:11"),
        "{wrong}"
    );
    assert!(wrong.contains("where i = 8"), "{wrong}");
    let wrong = answer(&[("location_invariant", 14, "i != 3")]);
    assert!(wrong.contains("refuted") && wrong.contains("i = 3") && wrong.contains("inputs 3"), "{wrong}");
    folder.write("w.yml", &correctness(&[("loop_invariant", 11, "i < n")]));
    let ran = folder.validate("w.yml", "count.c", &["--json"]);
    assert_eq!(ran.code(), Some(10), "{ran:?}");
    let document: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(document["answer"], "refuted");
    assert!(document["reason"].as_str().unwrap().contains("`i < n`"), "{document}");
}

#[test]
fn a_correctness_witness_of_a_wrong_program_is_refuted() {
    let folder = Folder::with("count.c", &COUNT.replace("n > 100", "n > 100 && n != 200"));
    folder.write("maze.c", MAZE);
    let answer = folder.answer(&correctness(&[]), "maze.c");
    assert!(answer.starts_with("Witness: refuted (the property does not hold: line 15 is reached"), "{answer}");
    // An invariant that is not inductive alone, but follows from the property's proof, does not count against it.
    assert_eq!(folder.answer(&correctness(&[("loop_invariant", 11, "n <= 200")]), "count.c"), "Witness: confirmed");
}

#[test]
fn parts_that_cannot_be_checked_confirm_nothing() {
    let folder = Folder::with("count.c", COUNT);
    let contract = correctness(&[]).replace(
        "  content: []\n",
        "  content:\n    - invariant:\n        type: function_contract\n        location:\n          line: 5\n        \
         requires: \"1\"\n        ensures: \"\\\\result == 0\"\n",
    );
    let answer = folder.answer(&contract, "count.c");
    assert!(answer.starts_with("Witness: unknown (all else is confirmed, but the contract"), "{answer}");
}

#[test]
fn violations_are_followed() {
    let folder = Folder::with("maze.c", MAZE);
    let answer = |waypoints: &[(&str, &str, u32, &str)]| folder.answer(&violation(waypoints), "maze.c");
    let target = ("target", "follow", 15, "");
    assert_eq!(answer(&[target]), "Witness: confirmed");
    assert_eq!(answer(&[("assumption", "follow", 7, "a == 41"), target]), "Witness: confirmed");
    assert_eq!(answer(&[("branching", "follow", 8, "true"), target]), "Witness: confirmed");
    assert_eq!(answer(&[("branching", "avoid", 8, "true"), target]), "Witness: confirmed");
    // No run that reaches the error does that.
    for waypoints in [
        vec![("branching", "avoid", 11, "true"), target],
        vec![("assumption", "follow", 7, "b == 3"), ("assumption", "follow", 11, "a == 3"), target],
        vec![("assumption", "avoid", 11, "b == a + 1"), target],
        vec![("branching", "follow", 11, "false"), target],
    ] {
        let answer = answer(&waypoints);
        assert!(answer.starts_with("Witness: refuted (no run of the program"), "{waypoints:?}: {answer}");
    }
    let named = "- entry_type";
    let ran =
        folder.answer(&violation(&[("target", "follow", 15, "")]).replace(named, "# a note\n- entry_type"), "maze.c");
    assert_eq!(ran, "Witness: confirmed");
}

#[test]
fn waypoints_may_meet_at_one_moment() {
    let text = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  \
        int y = x + 1;\n  if (y > 5) {\n    y = 0;\n    if (x == 7)\n      reach_error();\n  }\n  return 0;\n}\n";
    let folder = Folder::with("maze.c", text);
    let answer = |waypoints: &[(&str, &str, u32, &str)]| folder.answer(&violation(waypoints), "maze.c");
    let (read, target) = (("function_return", "follow", 4, "\\\\result == 7"), ("target", "follow", 9, ""));
    for waypoints in [
        vec![read, ("assumption", "follow", 5, "x == 7"), target],
        vec![("branching", "follow", 6, "true"), ("assumption", "follow", 7, "x == 7"), target],
        vec![read, ("assumption", "follow", 5, "x == 7"), ("assumption", "follow", 5, "x > 3"), target],
        vec![read, ("assumption", "avoid", 5, "x == 8"), target],
    ] {
        assert_eq!(answer(&waypoints), "Witness: confirmed", "{waypoints:?}");
    }
    for waypoints in [
        vec![read, ("assumption", "avoid", 5, "x == 7"), target],
        vec![read, ("assumption", "follow", 5, "x == 8"), target],
    ] {
        let answer = answer(&waypoints);
        assert!(answer.starts_with("Witness: refuted (no run of the program"), "{waypoints:?}: {answer}");
    }
}

#[test]
fn what_c_does_not_define_is_not_confirmed() {
    let text = "extern void reach_error(void);\nint main(void) {\n  int z = 0, i = 0;\n  int a[4] = {0, 0, 0, 0};\n  while (i < 5) {\n    i++;\n  }\n  \
        if (i != 5)\n    reach_error();\n  return a[0];\n}\n";
    let folder = Folder::with("count.c", text);
    let answer = |claim: (&str, u32, &str)| folder.answer(&correctness(&[claim]), "count.c");
    for value in ["1 / z == 1", "1 / z != 2 / z", "1 % z == 1", "a[i] == 0", "(1 << (z + 40)) == 256"] {
        for place in [("loop_invariant", 5, value), ("location_invariant", 8, value)] {
            let answer = answer(place);
            assert_ne!(answer, "Witness: confirmed", "{place:?}");
        }
    }
    for value in ["z == 0 || 6 / z <= 6", "i % 2 == 0 || i % 2 == 1", "a[3] == 0", "(i << 1) <= 10"] {
        assert_eq!(answer(("loop_invariant", 5, value)), "Witness: confirmed", "{value}");
    }
}

#[test]
fn names_that_may_mean_others_are_refused() {
    let text = "extern void reach_error(void);\nint g = 7;\nint main(void) {\n  int i = 0;\n  \
        { int g = 1; if (g != 1) reach_error(); }\n  while (i < 4) { int g = 5; i++; g++; }\n  if (i + g != 11) reach_error();\n  return 0;\n}\n";
    let folder = Folder::with("count.c", text);
    for (line, value) in [(6, "g == 1"), (6, "g == 7")] {
        folder.write("w.yml", &correctness(&[("loop_invariant", line, value)]));
        let ran = folder.validate("w.yml", "count.c", &[]);
        assert_eq!(ran.code(), Some(2), "{value}: {ran:?}");
    }
    assert_eq!(folder.answer(&correctness(&[("loop_invariant", 6, "i <= 4")]), "count.c"), "Witness: confirmed");
}

#[test]
fn what_does_not_fit_the_program_is_refused_at_once() {
    let folder = Folder::with("count.c", COUNT);
    folder.write("maze.c", MAZE);
    let refused = |name: &str, text: &str, parts: &[&str]| {
        folder.write(name, text);
        let started = Instant::now();
        let ran = folder.validate(name, "count.c", &[]);
        assert!(started.elapsed() < Duration::from_secs(2), "{parts:?}: {:?}", started.elapsed());
        assert_eq!(ran.code(), Some(2), "{text}: {ran:?}");
        assert!(ran.stdout.is_empty(), "{ran:?}");
        parts.iter().for_each(|part| assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr));
    };
    refused("w.yml", &correctness(&[("loop_invariant", 11, "i <= limit")]), &["w.yml", "`i <= limit`", "limit"]);
    refused("w.yml", &correctness(&[("loop_invariant", 12, "i <= n")]), &["no loop on line 12"]);
    refused("w.yml", &correctness(&[("location_invariant", 400, "i <= n")]), &["no statement on line 400"]);
    let of_count = |waypoints: &[(&str, &str, u32, &str)]| violation(waypoints).replace("maze.c", "count.c");
    refused("w.yml", &of_count(&[("target", "follow", 12, "")]), &["names no call of the error function"]);
    let nowhere = of_count(&[("branching", "follow", 6, "true"), ("target", "follow", 15, "")]);
    refused("w.yml", &nowhere, &["count.c:6"]);
    let unknown = of_count(&[("assumption", "follow", 14, "limit == 5"), ("target", "follow", 15, "")]);
    refused("w.yml", &unknown, &["`limit == 5`", "not declared"]);
    let good = correctness(&[("loop_invariant", 11, "0 <= i && i <= n")]);
    for length in [0, 20, 150, good.len() - 60] {
        refused("w.yml", &good[..length], &["w.yml"]);
    }
    refused("w.yml", &good.replace("ILP32", "ILP32\n      input_file_hashes:\n        x.c: \""), &["w.yml"]);
    let other = format!("ILP32\n      input_file_hashes:\n        count.c: \"{}\"", "ab".repeat(32));
    refused("w.yml", &good.replace("ILP32", &other), &["another program", &"ab".repeat(32)]);
    let ran = folder.validate("w.yml", "count.c", &["--ignore-hash"]);
    assert_eq!(line(&ran), "Witness: confirmed");
    folder.write("w.yml", &good.replace("reach_error())", "other())"));
    let property = root().join("tests/programs/properties/unreach-call.prp");
    let ran = folder.validate("w.yml", "count.c", &["-p", property.to_str().unwrap()]);
    assert_eq!((ran.code(), ran.stderr.contains("the witness is for `CHECK")), (Some(2), true), "{ran:?}");
    refused("w.yml", &good.replace("G ! call(reach_error())", "F end"), &["termination"]);
    let bomb: String = (0..40)
        .map(|level| match level {
            0 => "- &a0 [x, x, x, x, x, x, x, x, x]\n".to_string(),
            _ => format!("- &a{level} [{}]\n", vec![format!("*a{}", level - 1); 9].join(", ")),
        })
        .collect();
    refused("w.yml", &bomb, &["w.yml"]);
    let entities: String =
        (1..40).map(|n| format!("<!ENTITY e{n} \"{}\">", format!("&e{};", n - 1).repeat(9))).collect();
    let bomb = format!(
        "<?xml version=\"1.0\"?><!DOCTYPE graphml [<!ENTITY e0 \"aaaaaaaaaa\">{entities}]><graphml><graph>\
         <data key=\"producer\">&e39;</data></graph></graphml>"
    );
    refused("w.graphml", &bomb, &["w.graphml", "not defined"]);
    refused("w.graphml", "<graphml><graph>", &["not closed"]);
}

#[test]
fn verdicts_come_with_witnesses_that_are_confirmed() {
    let folder = Folder::with("count.c", COUNT);
    folder.write("maze.c", MAZE);
    for (program, verdict) in [("count.c", "TRUE"), ("maze.c", "FALSE")] {
        let ran = folder.verify(program, &["--validate"]);
        assert!(ran.stdout.contains(&format!("Verdict: {verdict}")), "{ran:?}");
        assert!(ran.stderr.contains("witness: confirmed"), "{ran:?}");
        for format in ["out/witness.yml", "out/witness.graphml"] {
            let ran = folder.validate(format, program, &[]);
            assert_eq!(line(&ran), "Witness: confirmed", "{format} of {program}");
            assert_eq!(ran.code(), Some(0));
        }
        check_graphml(&folder.text("out/witness.graphml"), verdict == "TRUE");
        // A witness of another program is refused.
        let other = if program == "count.c" { "maze.c" } else { "count.c" };
        let ran = folder.validate("out/witness.yml", other, &[]);
        assert_eq!((ran.code(), ran.stderr.contains("another program")), (Some(2), true), "{ran:?}");
    }
    // A run without a verdict leaves no witness of an earlier run behind.
    folder.write("open.c", &COUNT.replace("i + 1", "i * i + n % 7 + 1"));
    let ran = folder.verify("open.c", &["-c", "location"]);
    assert!(ran.stdout.contains("UNKNOWN"), "{ran:?}");
    assert!(!folder.path("out/witness.yml").exists() && !folder.path("out/witness.graphml").exists());
}

const NUMBERS: &str = "\
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  float f = __VERIFIER_nondet_float();
  double d = __VERIFIER_nondet_double();
  double e = __VERIFIER_nondet_double();
  __VERIFIER_nondet_float();
  if (f == 0.1f && d > 1.7976931348623157e308 && e != e && __VERIFIER_nondet_ulonglong() > 18446744073709551610ULL) {
    reach_error();
  }
  return 0;
}
";

#[test]
fn inputs_of_all_kinds_are_told() {
    let folder = Folder::with("numbers.c", NUMBERS);
    let ran = folder.verify("numbers.c", &[]);
    assert!(ran.stdout.contains("Verdict: FALSE"), "{ran:?}");
    for format in ["out/witness.yml", "out/witness.graphml"] {
        assert_eq!(line(&folder.validate(format, "numbers.c", &[])), "Witness: confirmed", "{}", folder.text(format));
    }
    let text = folder.text("out/witness.yml");
    for part in ["== 0.1f", "> 1.7976931348623157e308", "!= \\\\result", "ULL"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

const CASES: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
int over(int x) { if (x > 3) { return x; } return 0; }
int main(void) {
  int a = __VERIFIER_nondet_int();
  int r = 0;
  switch (a) {
    case 1: r = 1; break;
    case 5: r = over(a); break;
    default: r = 2;
  }
  if (r == 5 || r == 1) {
    reach_error();
  }
  return 0;
}
";

#[test]
fn calls_and_cases_are_followed() {
    let folder = Folder::with("maze.c", CASES);
    let answer = |waypoint: (&str, &str, u32, &str)| {
        folder.answer(&violation(&[waypoint, ("target", "follow", 14, "")]), "maze.c")
    };
    for waypoint in [
        ("branching", "follow", 8, "5"),
        ("branching", "follow", 8, "1"),
        ("function_enter", "follow", 10, ""),
        ("function_return", "follow", 10, "\\\\result == 5"),
        ("assumption", "follow", 4, "x == 5"),
    ] {
        assert_eq!(answer(waypoint), "Witness: confirmed", "{waypoint:?}");
    }
    for waypoint in [
        ("function_return", "follow", 10, "\\\\result == 6"),
        ("assumption", "follow", 4, "x == 6"),
        ("branching", "follow", 4, "false"),
    ] {
        let answer = answer(waypoint);
        assert!(answer.starts_with("Witness: refuted (no run of the program"), "{waypoint:?}: {answer}");
    }
    // A case that the switch does not have is not a constraint that was followed.
    let answer = answer(("branching", "follow", 8, "7"));
    assert!(answer.starts_with("Witness: unknown (all else is confirmed"), "{answer}");
}

/// The rules of the format: all keys declared, all data of the graph there once, one entry, and no data of the other kind.
fn check_graphml(text: &str, is_correctness: bool) {
    let count = |part: &str| text.matches(part).count();
    for key in text.split("<data key=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert_eq!(count(&format!("<key id=\"{key}\" ")), 1, "{key}");
    }
    let required = [
        "witness-type",
        "sourcecodelang",
        "producer",
        "specification",
        "programfile",
        "programhash",
        "architecture",
        "creationtime",
    ];
    for key in required {
        assert_eq!(count(&format!("<data key=\"{key}\">")), 1, "{key}");
        assert_eq!(count(&format!("<data key=\"{key}\"></data>")), 0, "{key}");
    }
    assert_eq!(count("<data key=\"entry\">true</data>"), 1);
    let foreign: &[&str] =
        if is_correctness { &["violation", "sink", "assumption"] } else { &["invariant", "invariant.scope"] };
    for key in foreign {
        assert_eq!(count(&format!("<data key=\"{key}\">")), 0, "{key}");
    }
    let ids: Vec<&str> = text.split("<node id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(ids.iter().all(|id| ids.iter().filter(|other| *other == id).count() == 1), "{ids:?}");
    for end in ["source=\"", "target=\""] {
        for id in text.split(end).skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(ids.contains(&id), "{id}");
        }
    }
    for part in text.split("\\result").skip(1) {
        assert!(part.split("</edge>").next().unwrap().contains("assumption.resultfunction"), "{part}");
    }
}

/// The value analysis settles the first part; the loop is left to the next actor.
const PARTS: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int kind = __VERIFIER_nondet_int();
  int n = 0;
  if (kind == 0) {
    while (n < 5) {
      n++;
    }
    if (n != 5) {
      reach_error();
    }
    return 0;
  }
  int i = 0;
  int j = 1;
  while (__VERIFIER_nondet_int()) {
    i = i + 1;
    if (i == 1000) {
      i = 0;
    }
    if (i < 0 || i >= 1000 || j != 1) {
      reach_error();
    }
  }
  return 0;
}
";

const CONDITIONAL: &str = "\
about = 'Values up to some rounds of a loop, and what is left to another'
[actor.value]
analyses = ['value', 'loop-bound']
value.track = 'everything'
order = 'breadth-first'
loop-bound.bound = 12
loop-bound.at-bound = 'end-exploration'
[actor.second]
SECOND
[run]
sequence = ['value', STEP]
";

#[test]
fn witnesses_of_compositions_speak_of_the_original_program() {
    let folder = Folder::with("parts.c", PARTS);
    for (second, step, invariant) in [
        ("engine = 'k-induction'", "{ reduce = 'fold-cfa', then = 'second' }", "!(i == 1000)"),
        ("engine = 'k-induction'", "{ reduce = 'product', then = 'second' }", ""),
        ("analyses = ['condition', 'predicate']", "'second'", ""),
    ] {
        folder.write("two.toml", &CONDITIONAL.replace("SECOND", second).replace("STEP", step));
        let ran = folder.verify("parts.c", &["-c", folder.path("two.toml").to_str().unwrap()]);
        assert!(ran.stdout.contains("Verdict: TRUE"), "{step}: {ran:?}");
        for format in ["out/witness.yml", "out/witness.graphml"] {
            assert_eq!(line(&folder.validate(format, "parts.c", &[])), "Witness: confirmed", "{step}");
            // Found on the residual program, and holds for the whole program.
            assert!(folder.text(format).contains(invariant), "{step}: {}", folder.text(format));
        }
    }
}

#[test]
fn the_examples_of_the_formats_are_confirmed() {
    let Some(shared) = shared_directory() else {
        eprintln!("skipped: ../shared is not there");
        return;
    };
    let examples = shared.join("formats/examples");
    for (witness, program) in [
        ("correctness-2.0.yml", "count.c"),
        ("correctness.graphml", "count.yml"),
        ("violation-2.0.yml", "seven.yml"),
        ("violation.graphml", "seven.c"),
    ] {
        let ran = validate(&examples.join(witness), &examples.join(program), &[]);
        assert_eq!(line(&ran), "Witness: confirmed", "{witness}");
    }
    // A witness about termination, which is not checked here.
    let ran = validate(&examples.join("correctness-2.1.yml"), &examples.join("count.c"), &[]);
    assert_eq!((ran.code(), ran.stderr.contains("termination")), (Some(2), true), "{ran:?}");
}
