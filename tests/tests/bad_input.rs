//! Input that is not a C program: each kind gets one clear message that names the file, exit status 2, and nothing on
//! standard output, never a crash, a hang or a backtrace.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use tandem_tests::command::{Ran, tandem};

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }
}

/// Runs `verify` and `cfa` on a path: both refuse it with the same message, which contains `expected`.
fn refused(path: &Path, expected: &str) {
    let name = path.display().to_string();
    for arguments in [["verify", name.as_str()].as_slice(), &["cfa", "--format", "c", &name]] {
        let ran = tandem(arguments);
        one_message(&ran, &name);
        assert!(ran.stderr.contains(expected), "`{expected}` is missing:\n{}", ran.stderr);
    }
}

fn one_message(ran: &Ran, name: &str) {
    assert_eq!(ran.code(), Some(2), "{ran:?}");
    assert_eq!(ran.stdout, "", "{ran:?}");
    assert_eq!(ran.stderr.matches("error:").count(), 1, "not one message:\n{}", ran.stderr);
    assert!(ran.stderr.lines().count() <= 3, "too long:\n{}", ran.stderr);
    assert!(ran.stderr.len() < 1500, "too long:\n{}", ran.stderr);
    assert!(ran.stderr.contains(name), "the file is not named:\n{}", ran.stderr);
    for word in ["panicked", "backtrace", "internal error"] {
        assert!(!ran.stderr.contains(word), "{}", ran.stderr);
    }
}

#[test]
fn text_that_is_not_c() {
    let folder = Folder::new();
    refused(&folder.file("prose.c", "Dear reader,\nthis is a letter and not a program.\n"), ":1:");
    refused(&folder.file("script.c", "import os\nprint(os.getcwd())\n"), ":1:");
    refused(&folder.file("broken.c", "int main(void) {\n  int x = ;\n  return x;\n}\n"), ":2:");
    refused(&folder.file("unclosed.c", "int main(void) {\n  return 0;\n"), "unclosed.c");
    refused(&folder.file("comment.c", "int main(void) { return 0; }\n/* never ends\n"), ":2:");
    refused(&folder.file("string.c", "char *s = \"never ends;\nint main(void) { return 0; }\n"), ":1:");
    refused(&folder.file("no-main.c", "int f(void) { return 0; }\n"), "main");
}

#[test]
fn members_that_cannot_be() {
    let folder = Folder::new();
    for (text, expected) in [
        ("struct s {\n  struct s b;\n}; struct s x;", ":2:12: error: member `b` has an incomplete type"),
        ("struct s {\n  struct s { int a; } b; } x;", ":2:3: error: `s` is defined twice"),
        ("union u {\n  int a; union u b; } x;", ":2:18: error: member `b`"),
        ("struct s {\n  struct s b[2]; } x;", ":2:12: error: member `b`"),
        ("struct s {\n  struct s b[]; } x;", ":2:12: error: member `b`"),
        ("struct a; struct b {\n  struct a a; }; struct a { struct b b; } x;", ":2:12: error: member `a`"),
        ("struct s {\n  void v; } x;", ":2:8: error: member `v`"),
        ("struct s {\n  int f(void); } x;", ":2:7: error: member `f` is a function"),
        ("struct s {\n  int a : 99; } x;", ":2:11: error: a bit-field of this type has 0 to 32 bits, not 99"),
        ("struct s {\n  int a : -1; } x;", ":2:11: error: a bit-field"),
        ("struct s {\n  _Bool a : 2; } x;", ":2:13: error: a bit-field"),
        ("struct s {\n  int a : 0; } x;", ":2:11: error: bit-field `a` has no bits"),
        ("struct s {\n  float a : 3; } x;", ":2:13: error: bit-field `a` does not have an integer type"),
    ] {
        refused(&folder.file("members.c", format!("{text}\nint main(void) {{ return 0; }}\n")), expected);
    }
    let right = "struct e {}; struct s { struct s *next; int a : 3, : 0, : 5; _Bool b : 1; struct e e; int z[0]; int f[]; };\n\
                 struct s x; int main(void) { return sizeof(x) == 0; }\n";
    let path = folder.file("right.c", right).display().to_string();
    assert_eq!(tandem(["cfa", "--format", "c", &path]).code(), Some(0));
}

#[test]
fn empty_files() {
    let folder = Folder::new();
    refused(&folder.file("empty.c", ""), "empty.c");
    refused(&folder.file("blank.c", " \n\t\n\n"), "blank.c");
    refused(&folder.file("comment-only.c", "// nothing\n/* here */\n"), "comment-only.c");
}

#[test]
fn binary_files() {
    let folder = Folder::new();
    let bytes: Vec<u8> = (0..100_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    refused(&folder.file("noise.c", bytes), "noise.c");
    refused(&folder.file("elf.c", fs::read(std::env::current_exe().unwrap()).unwrap().split_at(200_000).0), "elf.c");
    refused(
        &folder.file("utf16.c", "int main".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()),
        "utf16.c",
    );
}

#[test]
fn deep_nesting() {
    let folder = Folder::new();
    let nest = |open: &str, close: &str| {
        format!("int main(void) {{ return {}1{}; }}\n", open.repeat(100_000), close.repeat(100_000))
    };
    refused(&folder.file("parentheses.c", nest("(", ")")), "parentheses.c");
    refused(&folder.file("unclosed.c", nest("(", "")), "unclosed.c");
    let blocks = format!("int main(void) {{ {} {} return 0; }}\n", "{".repeat(100_000), "}".repeat(100_000));
    refused(&folder.file("blocks.c", blocks), "blocks.c");
}

/// Deeper than people write, but within the limit: analyses, execution and printing must not run out of stack.
#[test]
fn deep_expressions_are_verified() {
    let folder = Folder::new();
    let sum = vec!["n"; 30_000].join(" + ");
    let programs = [
        ("sum.c", sum.as_str(), "r > 30000"),
        ("complement.c", &format!("{}n", "~".repeat(30_000)), "r != n"),
        ("list.c", &format!("p{}->value", "->next".repeat(45_000)), "r != 7"),
    ];
    for (name, expression, wrong) in programs {
        let text = format!(
            "struct cell {{ struct cell *next; int value; }};\nextern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n\
             int main(void) {{ int n = __VERIFIER_nondet_int(); if (n < 0 || n > 1) return 0;\n\
             struct cell c = {{ &c, 7 }}, *p = &c; int r = {expression};\n\
             if ({wrong}) reach_error(); return p->value == 0; }}\n"
        );
        let path = folder.file(name, text).display().to_string();
        for configuration in ["fuzz", "value", "interval", "bmc"] {
            let ran = tandem(["verify", "-c", configuration, "--limit", "5s", &path]);
            assert!(matches!(ran.code(), Some(0 | 20)), "{name} {configuration}: {ran:?}");
        }
        let printed = tandem(["cfa", "--format", "c", &path]);
        assert_eq!(printed.code(), Some(0), "{name}: {}", printed.stderr);
    }
}

#[test]
fn a_file_of_50_megabytes() {
    let folder = Folder::new();
    let line = "int f(int a) { return a + 1; }\n";
    refused(&folder.file("large.c", line.repeat((50 << 20) / line.len())), "large.c");
}

#[test]
fn directories_and_missing_files() {
    let folder = Folder::new();
    refused(folder.0.path(), "directory");
    let directory = folder.0.path().join("directory.c");
    fs::create_dir(&directory).unwrap();
    refused(&directory, "directory");
    refused(&folder.0.path().join("missing.c"), "missing.c");
    refused(&folder.file("file.c", "").join("below-a-file.c"), "below-a-file.c");
    refused(Path::new("/dev/null"), "/dev/null");
}

#[test]
fn other_kinds_of_files_where_c_is_wanted() {
    let folder = Folder::new();
    refused(&folder.file("config.toml", "about = 'x'\n"), "configuration");
    refused(&folder.file("unreach.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"), "property");
}

#[test]
fn tasks_and_properties_with_mistakes() {
    let folder = Folder::new();
    let c = folder.file("right.c", "void reach_error(void) {}\nint main(void) { return 0; }\n");
    let task = |name: &str, text: &str| folder.file(name, text);
    let verify_only = |path: &Path, expected: &str| {
        let name = path.display().to_string();
        let ran = tandem(["verify", &name]);
        assert_eq!(ran.code(), Some(2), "{ran:?}");
        assert_eq!(ran.stdout, "", "{ran:?}");
        assert!(ran.stderr.contains(&name) && ran.stderr.contains(expected), "{}", ran.stderr);
    };
    verify_only(&task("not-yaml.yml", "{{{ : :\n"), "not-yaml.yml");
    verify_only(&task("no-files.yml", "format_version: '2.0'\n"), "input_files");
    verify_only(&task("missing.yml", "format_version: '2.0'\ninput_files: 'not-there.c'\n"), "not-there.c");
    let property = folder.file("p.prp", "CHECK( init(main()), LTL(G ! call(reach_error()) )\n");
    let ran = tandem(["verify", "-p", &property.display().to_string(), &c.display().to_string()]);
    one_message(&ran, &property.display().to_string());
    let coverage = folder.file("c.prp", "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )\n");
    let ran = tandem(["verify", "-p", &coverage.display().to_string(), &c.display().to_string()]);
    one_message(&ran, &coverage.display().to_string());
    let ran = tandem(["verify", "-p", &folder.0.path().join("none.prp").display().to_string(), "right.c"]);
    assert_eq!(ran.code(), Some(2), "{ran:?}");
}
