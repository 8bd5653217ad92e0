//! The command line as a user meets it: output streams, exit statuses, help, typos, limits, missing plugins.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};
use tandem_plugin_api::kit::testing::skip;
use tandem_tests::command::{binary, root, run, tandem};

const TRUE_TASK: &str = "examples/traffic-light.yml";
const UNKNOWN_TASK: &str = "examples/countdown.yml";

#[test]
fn the_verdict_is_the_only_line_on_stdout() {
    let ran = tandem(["verify", TRUE_TASK]);
    assert_eq!((ran.stdout.as_str(), ran.code()), ("Verdict: TRUE\n", Some(0)), "{ran:?}");
    let ran = tandem(["verify", "-c", "location", UNKNOWN_TASK]);
    assert_eq!(ran.code(), Some(20), "{ran:?}");
    assert!(ran.stdout.starts_with("Verdict: UNKNOWN (") && ran.stdout.ends_with(")\n"), "{ran:?}");
    assert_eq!(ran.stdout.lines().count(), 1, "{ran:?}");
}

#[test]
fn quiet_says_nothing_else() {
    for task in [TRUE_TASK, UNKNOWN_TASK] {
        assert_eq!(tandem(["verify", "--quiet", "--limit", "2s", task]).stderr, "");
    }
    let ran = tandem(["--quiet", "verify", "examples/not-there.c"]);
    assert!(ran.stderr.contains("error:"), "errors are not quiet: {ran:?}");
}

#[test]
fn without_a_property_the_error_function_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let verify = |text: &str| {
        let path = folder.path().join("x.c");
        fs::write(&path, text).unwrap();
        tandem(["verify", &path.display().to_string()])
    };
    let text = "extern void reach_error(void);\nint main(int n, char **v) { if (n != n) reach_error(); return 0; }\n";
    let ran = verify(text);
    assert!(ran.stderr.contains("reach_error") && !ran.stderr.contains("__VERIFIER_error"), "{ran:?}");
    assert_eq!(ran.code(), Some(0), "{ran:?}");
    let ran = verify("extern void __VERIFIER_error(void);\nint main(void) { __VERIFIER_error(); return 0; }\n");
    assert!(ran.stderr.contains("__VERIFIER_error"), "{ran:?}");
    assert_eq!(ran.code(), Some(10), "{ran:?}");
    // A program that declares the error function asks about it, even if it is never called.
    let ran = verify("extern void reach_error(void);\nint main(void) { return 0; }\n");
    assert_eq!((ran.stdout.as_str(), ran.code()), ("Verdict: TRUE\n", Some(0)), "{ran:?}");
    for nothing in ["", "void assert(int c) {}\nvoid f(void) { assert(0); }\n"] {
        let ran = verify(&format!("{nothing}int main(void) {{ return 0; }}\n"));
        assert!(ran.stdout.starts_with("Verdict: UNKNOWN (nothing to check: "), "{ran:?}");
        assert_eq!(ran.code(), Some(20), "{ran:?}");
    }
}

/// Each with `CHECK` for the condition: a failing `assert` of some library, or without a library.
const ASSERTIONS: [&str; 6] = [
    "void __assert_fail(const char *, const char *, unsigned, const char *);\n\
     #define CHECK(c) ((c) ? (void)0 : __assert_fail(\"c\", \"x.c\", 1, \"f\"))\n",
    "void __assert_rtn(const char *, const char *, int, const char *);\n\
     #define CHECK(c) ((c) ? (void)0 : __assert_rtn(\"f\", \"x.c\", 1, \"c\"))\n",
    "void __assert(const char *, const char *, int);\n#define CHECK(c) ((c) ? (void)0 : __assert(\"c\", \"x.c\", 1))\n",
    "#define CHECK(c) assert(c)\n",
    "extern void assert(_Bool);\n#define CHECK(c) assert(c)\n",
    "extern void reach_error(void);\nvoid unused(void) { reach_error(); }\n\
     void __assert_fail(const char *, const char *, unsigned, const char *);\n\
     #define CHECK(c) ((c) ? (void)0 : __assert_fail(\"c\", \"x.c\", 1, \"f\"))\n",
];

#[test]
fn without_a_property_no_assertion_may_fail() {
    let folder = tempfile::tempdir().unwrap();
    for (number, library) in ASSERTIONS.iter().enumerate() {
        for config in ["default", "value", "interval", "predicate", "bmc", "k-induction", "chc", "symbolic", "fuzz"] {
            let verdict = |check: &str| {
                let text = format!(
                    "{library}extern int __VERIFIER_nondet_int(void);\nint main(void) {{\n  \
                     int x = __VERIFIER_nondet_int();\n  if (x > 3 && x < 9) {{ CHECK({check}); }}\n  return 0;\n}}\n"
                );
                let path = folder.path().join(format!("{number}-{config}.c"));
                fs::write(&path, text).unwrap();
                let ran = tandem(["verify", "--limit", "5s", "-c", config, &path.display().to_string()]);
                (ran.code(), format!("{number} {config}: {ran:?}"))
            };
            let (fails, said) = verdict("x != 7");
            let least = if config == "interval" { Some(20) } else { Some(10) };
            assert!(fails == Some(10) || fails == least, "{said}");
            let (holds, said) = verdict("x != 9");
            let least = if matches!(config, "fuzz" | "value") { Some(20) } else { Some(0) };
            assert!(holds == Some(0) || holds == least, "{said}");
        }
    }
}

#[test]
fn several_error_functions_are_one_property() {
    let folder = tempfile::tempdir().unwrap();
    let (path, out) = (folder.path().join("x.c"), folder.path().join("out"));
    let text = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n  \
                int x = __VERIFIER_nondet_int();\n  if (x != x) reach_error();\n  assert(x != 7);\n  return 0;\n}\n";
    fs::write(&path, text).unwrap();
    let (path, out) = (path.display().to_string(), out.display().to_string());
    let ran = tandem(["verify", "--limit", "20s", "--validate", "-o", &out, &path]);
    assert_eq!(ran.stdout, "Verdict: FALSE\n", "{ran:?}");
    assert!(ran.stderr.contains("reach_error and assert are never called"), "{ran:?}");
    let document = fs::read_to_string(folder.path().join("out/result.json")).unwrap();
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    let property = "CHECK( init(main()), LTL(G ! (call(reach_error()) || call(assert()))) )";
    assert_eq!(document["property"], property, "{document}");
    let ran = tandem(["validate", "-w", &format!("{out}/witness.yml"), "--limit", "20s", &path]);
    assert_eq!(ran.code(), Some(0), "{ran:?}");
}

#[test]
fn json_is_one_document() {
    let ran = tandem(["verify", "--json", TRUE_TASK]);
    let document: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(document["verdict"], "TRUE", "{document}");
    assert_eq!(document["data_model"], "ILP32", "{document}");
    assert_eq!(document["property"], "CHECK( init(main()), LTL(G ! call(reach_error())) )", "{document}");
    let ran = tandem(["verify", "-c", "location", "--json", UNKNOWN_TASK]);
    let document: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((document["verdict"].as_str(), ran.code()), (Some("UNKNOWN"), Some(20)), "{document}");
    assert!(!document["reason"].as_str().unwrap().is_empty(), "{document}");
    let ran = tandem(["verify", "--json", "examples/not-there.c"]);
    let document: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(ran.code(), Some(2));
    assert_eq!(document["errors"][0]["file"], "examples/not-there.c", "{document}");
}

#[test]
fn the_result_is_written_to_the_output_directory() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new/deep");
    let ran = tandem(["verify", "-o", &out.display().to_string(), TRUE_TASK]);
    assert_eq!(ran.stdout, "Verdict: TRUE\n", "{ran:?}");
    let result = fs::read_to_string(out.join("result.json")).unwrap();
    let document: serde_json::Value = serde_json::from_str(&result).unwrap();
    assert_eq!(document["verdict"], "TRUE", "{document}");
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let ran = tandem(["verify", "-o", &file.display().to_string(), TRUE_TASK]);
    assert_eq!(ran.code(), Some(2), "{ran:?}");
    assert!(ran.stdout.is_empty() && ran.stderr.contains("file"), "{ran:?}");
}

#[test]
fn outputs_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let program = "extern void reach_error(void);\nint main(void) { return 0; }\n";
    fs::write(path("result.json"), program).unwrap();
    let ran = tandem(["verify", "-o", &path(""), &path("result.json")]);
    assert!(ran.code() == Some(2) && ran.stderr.contains("would be overwritten"), "{ran:?}");
    assert_eq!(fs::read_to_string(path("result.json")).unwrap(), program);
    fs::write(path("outside"), "kept").unwrap();
    fs::create_dir(path("links")).unwrap();
    std::os::unix::fs::symlink(path("outside"), path("links/result.json")).unwrap();
    let ran = tandem(["verify", "-o", &path("links"), TRUE_TASK]);
    assert!(ran.code() == Some(2) && ran.stderr.contains("symbolic link"), "{ran:?}");
    assert_eq!(fs::read_to_string(path("outside")).unwrap(), "kept");
    let (report, sarif) = (format!("--report={}", path("one")), path("one"));
    let ran = tandem(["verify", &report, "--sarif", &sarif, TRUE_TASK]);
    assert!(ran.code() == Some(2) && ran.stderr.contains("two outputs"), "{ran:?}");
    assert!(!folder.path().join("one").exists());
}

/// Also files that are read indirectly, and files that would be removed as the output of an earlier run.
#[test]
fn outputs_keep_what_is_read_by_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let refused = |arguments: &[&str], kept: &str| {
        let before = fs::read_to_string(path(kept)).unwrap();
        let ran = tandem(arguments.iter().copied());
        assert!(ran.code() == Some(2) && ran.stderr.contains("would be overwritten"), "{ran:?}");
        assert_eq!(fs::read_to_string(path(kept)).unwrap(), before);
    };
    let program = "extern void reach_error(void);\nint main(void) { return 0; }\n";
    fs::create_dir(path("test-suite")).unwrap();
    fs::write(path("test-suite/testcase-1.xml"), program).unwrap();
    refused(&["test", "-o", &path(""), &path("test-suite/testcase-1.xml")], "test-suite/testcase-1.xml");
    fs::write(path("gia.json"), program).unwrap();
    fs::write(path("program.c"), "#include \"gia.json\"\n").unwrap();
    refused(&["verify", "-o", &path(""), &path("program.c")], "gia.json");
    fs::write(path("precision.json"), "[actor.value]\nanalyses = [\"value\"]\n[run]\nrun = \"value\"\n").unwrap();
    fs::write(path("mine.toml"), "extends = \"precision.json\"\n").unwrap();
    refused(&["verify", "-c", &path("mine.toml"), "-o", &path(""), TRUE_TASK], "precision.json");
    fs::write(path("bad.c"), "int main(void) { return y; }\n").unwrap();
    let ran = tandem(["verify", "-o", &path(""), &path("bad.c")]);
    assert!(
        ran.code() == Some(2) && folder.path().join("gia.json").exists(),
        "a run that cannot begin removes nothing"
    );
}

/// The predicate analysis proves the program; without refinement, the first path to the error is left to others.
#[test]
fn without_refinement_a_path_to_the_error_is_a_candidate() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    for analysis in ["predicate", "value"] {
        let text =
            format!("[actor.main]\nanalyses = [\"{analysis}\"]\nrefinement = \"none\"\n\n[run]\nactor = \"main\"\n");
        fs::write(path("none.toml"), text).unwrap();
        let task = "tests/programs/predicate/lock.yml";
        let ran = tandem(["verify", "-c", &path("none.toml"), "--json", "-o", &path("out"), task]);
        let document: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(document["verdict"], "UNKNOWN", "{document}");
        let reason = document["reason"].as_str().unwrap();
        assert!(reason.contains("a path leads to reach_error at ") && reason.contains("left to others"), "{reason}");
        let statistics = document["statistics"].as_array().unwrap();
        for name in ["refinements", "paths decided by the solver", "infeasible ways to targets"] {
            let found = statistics.iter().find(|line| line["name"] == name).unwrap();
            assert_eq!(found["value"], "0", "{analysis}: {name}");
        }
        let gia = fs::read_to_string(folder.path().join("out/gia.json")).unwrap();
        assert!(gia.contains("\"cand\""), "{gia}");
    }
}

#[test]
fn a_precision_is_written_and_used() {
    let task = "tests/programs/predicate/lock.yml";
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().display().to_string();
    let refinements = |ran: &tandem_tests::command::Ran| {
        let document: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(document["verdict"], "TRUE", "{document}");
        let statistics = document["statistics"].as_array().unwrap();
        let found = statistics.iter().find(|line| line["name"] == "refinements").unwrap();
        found["value"].as_str().unwrap().parse::<u32>().unwrap()
    };
    let fresh = refinements(&tandem(["verify", "-c", "predicate", "--json", "-o", &out, task]));
    let file = folder.path().join("precision.json").display().to_string();
    let ran = tandem(["verify", "-c", "predicate", "--precision", &file, "-o", &out, task]);
    assert!(ran.code() == Some(2) && ran.stderr.contains("would be overwritten"), "{ran:?}");
    let other = folder.path().join("other").display().to_string();
    let arguments = ["verify", "-c", "predicate", "--json", "--precision", &file, "-o", &other, task];
    let ran = tandem(arguments);
    let reused = refinements(&ran);
    assert!(fresh > 0 && reused == 0, "{fresh} refinements, then {reused}");
    assert!(!ran.stderr.contains("ignored"), "{}", ran.stderr);
    let ran = tandem(["verify", "-c", "predicate", "--precision", &file, "tests/programs/predicate/scope-global.yml"]);
    assert!(ran.stdout == "Verdict: TRUE\n" && ran.stderr.contains("items of the precision are ignored"), "{ran:?}");
    let bad = folder.path().join("bad.json");
    fs::write(&bad, "{\"format\": 1}").unwrap();
    for (path, said) in [(bad.display().to_string(), "this is not a precision"), ("not-there".into(), "cannot be read")]
    {
        let ran = tandem(["verify", "--precision", &path, task]);
        assert!(ran.code() == Some(2) && ran.stderr.contains(said), "{ran:?}");
    }
}

#[test]
fn conventions_are_listed_and_strict_refuses_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.c");
    let text = "extern int unknown(int);\nextern void reach_error(void);\n\
                int main(void) { int x = unknown(1); if (x != x) reach_error(); return x; }\n";
    fs::write(&path, text).unwrap();
    let path = path.display().to_string();
    let ran = tandem(["verify", &path]);
    assert_eq!(ran.stdout, "Verdict: TRUE\n", "{ran:?}");
    assert!(ran.stderr.contains("unknown"), "the convention is not listed: {ran:?}");
    let ran = tandem(["verify", "--strict", &path]);
    assert_eq!(ran.code(), Some(20), "{ran:?}");
    assert!(ran.stdout.contains("unknown"), "{ran:?}");
}

/// A proof rests on what it passed, whatever else the program's graph has; no proof passes the call that must not happen.
#[test]
fn strict_asks_for_no_more_than_a_proof_needed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.c").display().to_string();
    let verdict = |config: &str, body: &str| {
        let text = format!(
            "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nextern void foo(void);\n\
             int main(void) {{ int x = __VERIFIER_nondet_int(), never = 0; {body} return 0; }}\n"
        );
        fs::write(&path, text).unwrap();
        tandem(["verify", "--strict", "--no-gcc", "--limit", "60s", "-c", config, &path]).stdout
    };
    const UNREACHABLE: &str = "int y = 5; if (x > 3) y = 6; if (y == 7) { reach_error(); foo(); }";
    for config in ["bmc", "k-induction", "chc", "value", "predicate"] {
        assert_eq!(verdict(config, UNREACHABLE), "Verdict: TRUE\n", "{config}");
        let used = verdict(config, &format!("foo(); {UNREACHABLE}"));
        assert!(
            used.starts_with("Verdict: UNKNOWN (") && used.contains("function without a body: foo"),
            "{config}: {used}"
        );
    }
    for config in ["bmc", "k-induction", "chc"] {
        let never = verdict(config, &format!("if (never) foo(); {UNREACHABLE}"));
        assert_eq!(never, "Verdict: TRUE\n", "{config}");
    }
}

#[test]
fn help_and_version() {
    let ran = tandem(["--version"]);
    assert!(ran.stdout.starts_with("tandem 0.") && ran.stdout.contains("(plugin API 2."), "{ran:?}");
    assert_eq!(ran.code(), Some(0));
    let ran = tandem(["verify", "--help"]);
    assert_eq!(ran.code(), Some(0));
    for word in ["ILP32", "--limit", "--memory", "--strict", "--plugin-dir"] {
        assert!(ran.stdout.contains(word), "{word} is not in the help:\n{}", ran.stdout);
    }
}

#[test]
fn wrong_usage() {
    for (arguments, expected) in [
        (&["verfy", "x.c"][..], "verify"),
        (&["verify", "--limt", "5s", "x.c"], "--limit"),
        (&["verify"], "FILE"),
        (&["verify", "--limit", "5 parsecs", TRUE_TASK], "is not a duration"),
        (&["verify", "--limit", "0", TRUE_TASK], "more than zero"),
        (&["verify", "--memory", "lots", TRUE_TASK], "is not a size"),
        (&["verify", "--data-model", "LLP64", TRUE_TASK], "LP64"),
        (&["verify", "-c", "lcation", TRUE_TASK], "did you mean `location`"),
        (&["verify", "-c", "examples/countdown.c", TRUE_TASK], "is a C file, not a configuration"),
        (&["verify", "-c", TRUE_TASK, TRUE_TASK], "is a task definition, not a configuration"),
        (&["verify", "-p", "examples/countdown.c", TRUE_TASK], "examples/countdown.c"),
        (&["cfa", "--format", "pdf", "x.c"], "svg"),
        (&["plugins", "info", "lcation"], "did you mean `location`"),
        (&["plugins", "check", "README.md"], "README.md"),
        (&["configs", "check", "not-there.toml"], "not-there.toml"),
        (&["split", "x.c"], "unrecognized subcommand"),
        (&["test", "-o", "examples/not-made", "examples/not-there.c"], "no such file"),
    ] {
        let ran = tandem(arguments);
        assert_eq!(ran.code(), Some(2), "{arguments:?}: {ran:?}");
        assert_eq!(ran.stdout, "", "{arguments:?}: {ran:?}");
        assert!(ran.stderr.contains(expected), "{arguments:?}: `{expected}` is missing:\n{}", ran.stderr);
    }
    assert!(!root().join("examples/not-made").exists(), "a run that failed leaves no output directory");
}

#[test]
fn configurations() {
    let ran = tandem(["configs", "list"]);
    assert_eq!(ran.code(), Some(0), "{ran:?}");
    assert!(ran.stdout.contains("default") && ran.stdout.contains("location"), "{ran:?}");
    assert!(ran.stdout.contains("Experiments, for `tandem experiment NAME`:\ncmc "), "{ran:?}");
    let text = fs::read_to_string(root().join("configs/location.toml")).unwrap();
    assert_eq!(tandem(["configs", "show", "location"]).stdout, text);
    for entry in fs::read_dir(root().join("configs")).unwrap() {
        let path = entry.unwrap().path();
        // Experiments are in a folder of their own.
        if path.is_dir() {
            continue;
        }
        let ran = tandem(["configs", "check", &path.display().to_string()]);
        assert_eq!(ran.code(), Some(0), "{ran:?}");
    }
    // From elsewhere, where there is no ./configs, the built-in ones are found.
    let elsewhere = tempfile::tempdir().unwrap();
    let ran = run(Command::new(binary()).args(["configs", "show", "location"]).current_dir(&elsewhere));
    assert_eq!(ran.stdout, text);
    let ran = run(Command::new(binary()).args(["configs", "check", "default"]).current_dir(&elsewhere));
    assert_eq!(ran.stdout, "default (built in): no mistakes\n", "{ran:?}");
}

#[test]
fn plugins() {
    let ran = tandem(["plugins", "list"]);
    assert_eq!(ran.code(), Some(0), "{ran:?}");
    let line = ran.stdout.lines().find(|line| line.starts_with("location "));
    assert!(line.is_some_and(|line| line.contains("analysis")), "{ran:?}");
    let ran = tandem(["plugins", "info", "location"]);
    assert!(ran.stdout.contains("location") && ran.stdout.contains("API"), "{ran:?}");
}

/// A copy of the binary with no plugins beside it.
fn lonely_binary(folder: &std::path::Path) -> Command {
    let copy = folder.join("tandem");
    fs::copy(binary(), &copy).unwrap();
    let mut command = Command::new(copy);
    command.env_remove("TANDEM_PLUGIN_PATH").env("HOME", folder).env_remove("XDG_DATA_HOME").current_dir(root());
    command
}

#[test]
fn without_plugins_the_user_is_told_to_build_them() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(lonely_binary(folder.path()).args(["verify", TRUE_TASK]));
    assert_eq!(ran.code(), Some(2), "{ran:?}");
    assert!(ran.stderr.contains("cargo build --release"), "{ran:?}");
    assert!(ran.stderr.contains("--plugin-dir"), "{ran:?}");
    let ran = run(lonely_binary(folder.path()).args(["plugins", "list"]));
    assert_eq!(ran.stdout, "", "{ran:?}");
    assert!(ran.stderr.contains("cargo build --release"), "{ran:?}");
    // The same binary works with the directory named.
    let plugins = tandem_tests::command::build_dir();
    let ran = run(lonely_binary(folder.path()).args(["verify", TRUE_TASK, "--plugin-dir"]).arg(plugins));
    assert_eq!(ran.stdout, "Verdict: TRUE\n", "{ran:?}");
}

#[test]
fn limits_end_in_unknown() {
    let ran = tandem(["verify", "--memory", "1M", TRUE_TASK]);
    assert_eq!((ran.stdout.as_str(), ran.code()), ("Verdict: UNKNOWN (memory limit)\n", Some(20)), "{ran:?}");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().display().to_string();
    let ran = tandem(["verify", "--limit", "60s", "--memory", "8G", TRUE_TASK]);
    assert_eq!(ran.stdout, "Verdict: TRUE\n", "{ran:?}");
    // Long enough to read for any machine: the limit cuts in while the file is parsed.
    let path = folder.path().join("long.c");
    fs::write(&path, long_program()).unwrap();
    let ran = tandem(["verify", "--limit", "50ms", "-o", &out, &path.display().to_string()]);
    assert_eq!((ran.stdout.as_str(), ran.code()), ("Verdict: UNKNOWN (time limit)\n", Some(20)), "{ran:?}");
    let document: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("result.json")).unwrap()).unwrap();
    assert_eq!(document["reason"], "time limit", "{document}");
}

fn long_program() -> String {
    let mut text = String::from("extern void reach_error(void);\nint main(void) { int x = 0;\n");
    for n in 0..100_000 {
        text.push_str(&format!("  x = x * {n} + (x ^ {n});\n"));
    }
    text + "  return x; }\n"
}

#[test]
fn a_closed_pipe_is_no_panic() {
    for arguments in [
        &["configs", "list"][..],
        &["verify", TRUE_TASK],
        &["--help"],
        &["cfa", "--format", "json", "examples/countdown.c"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new(binary());
        command.args(arguments).current_dir(root()).stdin(Stdio::null());
        command.stdout(OwnedFd::from(writer)).stderr(Stdio::piped());
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
        assert!(!String::from_utf8_lossy(&output.stderr).contains("panic"), "{output:?}");
    }
}

#[test]
fn a_full_disk_is_reported() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = Command::new(binary());
    command.args(["configs", "show", "location"]).current_dir(root()).stdout(full).stderr(Stdio::piped());
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("standard output cannot be written"), "{output:?}");
}

#[test]
fn the_automaton_is_printed_in_every_format() {
    for (format, expected) in [("c", "main"), ("dot", "digraph"), ("json", "{"), ("svg", "<svg")] {
        if format == "svg" && Command::new("dot").arg("-V").stderr(Stdio::null()).status().is_err() {
            skip("graphviz is not installed");
            continue;
        }
        let ran = tandem(["cfa", "--format", format, "examples/countdown.c"]);
        assert_eq!(ran.code(), Some(0), "{format}: {}", ran.stderr);
        assert!(ran.stdout.contains(expected), "{format}: {}", ran.stdout);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("out").display().to_string();
        let to_file = tandem(["cfa", "--format", format, "-o", &file, "examples/countdown.c"]);
        assert_eq!((to_file.stdout.as_str(), to_file.code()), ("", Some(0)), "{to_file:?}");
        assert_eq!(fs::read_to_string(&file).unwrap(), ran.stdout, "{format}");
    }
}

/// Copies an example to a folder; its name there.
fn copied(folder: &std::path::Path, name: &str) -> String {
    let path = folder.join(name);
    fs::copy(root().join("examples").join(name), &path).unwrap();
    path.display().to_string()
}

#[test]
fn an_output_is_never_an_input() {
    let folder = tempfile::tempdir().unwrap();
    let (program, link) = (copied(folder.path(), "overdraft.c"), folder.path().join("link").display().to_string());
    fs::hard_link(&program, &link).unwrap();
    let before = fs::read(&program).unwrap();
    let gia = folder.path().join("gia.json").display().to_string();
    let made = tandem(["verify", "-c", "fuzz", "--limit", "10s", "-o", &folder.path().display().to_string(), &program]);
    assert_eq!(made.code(), Some(10), "{made:?}");
    let page = format!("--report={link}");
    for arguments in [
        &["cfa", "-o", &link, &program][..],
        &["verify", &page, &program],
        &["verify", "--sarif", &link, &program],
        &["reduce", "--reducer", "identity", "--gia", &gia, "-o", &link, &program],
        &["convert", "--from", &gia, "--to", &gia, &program],
        &["combine", &gia, &gia, "-o", &gia, &program],
        &["coverage", "--suite", &folder.path().join("test-suite").display().to_string(), "--html", &link, &program],
    ] {
        let ran = tandem(arguments);
        assert_eq!(ran.code(), Some(2), "{arguments:?} {ran:?}");
        assert!(ran.stderr.contains("would be overwritten"), "{arguments:?} {ran:?}");
        assert_eq!(fs::read(&program).unwrap(), before, "{arguments:?}");
    }
}

#[test]
fn what_cannot_be_written_costs_no_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file").display().to_string();
    fs::write(&file, "").unwrap();
    // Known before the run.
    for option in [format!("--sarif={file}/x"), format!("--report={file}/x"), format!("-o{file}")] {
        let ran = tandem(["verify", &option, TRUE_TASK]);
        assert_eq!((ran.code(), &*ran.stdout), (Some(2), ""), "{option} {ran:?}");
    }
    // Found only when it is written.
    for option in ["--report=/dev/full", "--sarif=/dev/full"] {
        let ran = tandem(["verify", option, TRUE_TASK]);
        assert_eq!((ran.code(), &*ran.stdout), (Some(2), "Verdict: TRUE\n"), "{option} {ran:?}");
        assert!(ran.stderr.contains("error: cannot be written: No space left"), "{option} {ran:?}");
    }
}

#[test]
fn devices_are_not_read() {
    for option in ["--precision", "-p"] {
        let ran = tandem(["verify", option, "/dev/zero", TRUE_TASK]);
        assert_eq!(ran.code(), Some(2), "{ran:?}");
        assert!(ran.stderr.contains("it is a device"), "{ran:?}");
    }
    let ran = tandem(["validate", "-w", "/dev/zero", TRUE_TASK]);
    assert!(ran.code() == Some(2) && ran.stderr.contains("it is a device"), "{ran:?}");
}

#[test]
fn no_empty_suite_is_left_of_an_earlier_run() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().display().to_string();
    for (program, suite) in [("examples/overdraft.c", true), (TRUE_TASK, false)] {
        tandem(["verify", "--limit", "20s", "-o", &output, program]);
        assert_eq!(folder.path().join("test-suite").exists(), suite, "{program}");
    }
}

#[test]
fn the_same_run_gives_the_same_result() {
    let run = || {
        let ran = tandem(["verify", "-c", "location", "--json", UNKNOWN_TASK]);
        let mut document: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        document["resources"].take();
        document
    };
    assert_eq!(run(), run());
}
