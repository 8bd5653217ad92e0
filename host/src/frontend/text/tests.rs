//! Positions, reading files, limits: the properties of the prepared text as a whole.

use super::{SourceText, prepare, read};
use crate::diagnostic::Diagnostic;
use crate::frontend::parse::{parse, with_large_stack};
use std::path::Path;
use tandem_plugin_api::program::{DataModel, Span};

/// The span of a piece of the prepared text.
fn span_of(source: &SourceText, piece: &str) -> Span {
    let start = source.text.find(piece).unwrap_or_else(|| panic!("no {piece} in {}", source.text));
    source.map.span(start, start + piece.len())
}

/// Checks file, line, column, end and physical line of a piece.
fn at(source: &SourceText, piece: &str, file: &str, line: u32, column: u32, physical_line: u32) {
    let span = span_of(source, piece);
    let found = (source.map.file_name(span.file), span.line, span.column, span.physical_line);
    assert_eq!(found, (file, line, column, physical_line), "{piece}");
}

fn file_with(name: &str, content: &[u8]) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    (folder, path)
}

fn problem_with(content: &[u8]) -> Diagnostic {
    let (_folder, path) = file_with("t.c", content);
    read(&path, DataModel::Ilp32).unwrap_err()
}

#[test]
fn comments_and_blanks_keep_their_place() {
    let text =
        "/* a\n b */ int x; // c\r\n\x0c\tint\x0by; /* \"'é */ int z = 1 /**/ / 2; char *s = \"/* no */ // no\";\n";
    let source = prepare(text, "t.c").unwrap();
    assert_eq!(source.text.len(), text.len());
    at(&source, "int x", "t.c", 2, 7, 2);
    at(&source, "y;", "t.c", 3, 7, 3);
    at(&source, "int z", "t.c", 3, 21, 3);
    assert!(source.text.contains("\"/* no */ // no\""));
    let span = span_of(&source, "int x;");
    assert_eq!((span.end_line, span.end_column), (2, 13));
}

#[test]
fn line_markers_name_the_lines() {
    let text = "int a;\n# 10 \"dir/b \\\"q\\\".h\" 1 3\nint b;\n\nint c;\n#line 7 \"t.c\"\nint d;\n#line 100\nint e;\n";
    let source = prepare(text, "t.c").unwrap();
    at(&source, "int a", "t.c", 1, 1, 1);
    at(&source, "int b", "dir/b \"q\".h", 10, 1, 3);
    at(&source, "int c", "dir/b \"q\".h", 12, 1, 5);
    at(&source, "int d", "t.c", 7, 1, 7);
    at(&source, "int e", "t.c", 100, 1, 9);
    let names: Vec<&str> = source.map.files().iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["t.c", "dir/b \"q\".h"]);
    let over = source.map.span(source.text.find("int c").unwrap(), source.text.find("int e").unwrap());
    assert_eq!((over.line, over.end_line, over.end_column), (12, 12, 1), "a span never crosses files");
}

#[test]
fn splices_and_edits_do_not_shift_positions() {
    let text = "int ab\\\ncd = 1; // so \\\n it goes\n#pragma x \\\n y\n# 50 \"u.c\"\nint f(int a) { return a ?: abcd; }\nint \\\r\n  g;\n";
    let source = prepare(text, "t.c").unwrap();
    at(&source, "abcd = 1", "t.c", 1, 5, 1);
    at(&source, "= 1", "t.c", 2, 4, 2);
    at(&source, "return", "u.c", 50, 16, 7);
    at(&source, "__tandem_elvis", "u.c", 50, 26, 7);
    at(&source, "abcd; }", "u.c", 50, 28, 7);
    at(&source, "g;", "u.c", 52, 3, 9);
    let span = span_of(&source, "a ? __tandem_elvis : abcd");
    assert_eq!((span.column, span.end_column), (23, 32));
}

#[test]
fn the_prelude_is_nowhere_in_the_way() {
    let source = prepare("__int128 x; int y;\nint z;", "t.c").unwrap();
    at(&source, "x;", "t.c", 1, 10, 1);
    at(&source, "int y", "t.c", 1, 13, 1);
    at(&source, "int z", "t.c", 2, 1, 2);
}

#[test]
fn directives_need_a_preprocessor() {
    let (folder, path) =
        file_with("main.c", b"#include \"h.h\"\n#define TWO 2\n\nint main(void) { return TWO + one; }\n");
    std::fs::write(folder.path().join("h.h"), "int zero;\nint one;\n#if __SIZEOF_LONG__ == 8\nint lp64;\n#endif\n")
        .unwrap();
    let source = read(&path, DataModel::Ilp32).unwrap();
    let name = path.display().to_string();
    at(&source, "return", &name, 4, 18, 4);
    at(&source, "int one", &folder.path().join("h.h").display().to_string(), 2, 1, 1);
    assert!(!source.text.contains("lp64"));
    assert!(read(&path, DataModel::Lp64).unwrap().text.contains("lp64"));
    with_large_stack(|| parse(&source).map(drop)).unwrap();
    let problem = prepare("int x;\n #include <x.h>\n", "t.c").unwrap_err();
    assert_eq!((problem.line, problem.message.contains("#include")), (Some(2), true));
    // These do not need it.
    for text in [
        "#pragma once\nint x;",
        "#ident \"x\"\nint x;",
        "#\nint x;",
        "# 1 \"a.c\"\nint x;",
        "/*\n#include <no>\n*/int x;",
    ] {
        assert!(prepare(text, "t.c").is_ok(), "{text}");
    }
}

#[test]
fn what_gcc_complains_of_is_passed_on() {
    let (folder, path) = file_with("main.c", b"int x;\n#include \"nowhere.h\"\n#error no\n");
    let problem = read(&path, DataModel::Ilp32).unwrap_err();
    assert_eq!(problem.file, Some(path.display().to_string()));
    assert_eq!((problem.line, problem.message.contains("nowhere.h")), (Some(2), true));
    assert!(problem.help.is_some());
    drop(folder);
}

#[test]
fn bytes_that_are_not_utf8() {
    let (_folder, path) =
        file_with("t.c", b"// caf\xe9\nchar s[] = \"\xe91\"; int *w = L\"\xe9\"; int z; /* \xff */\n");
    let source = read(&path, DataModel::Ilp32).unwrap();
    assert!(source.text.contains("char s[] = \"\\3511\"; int *w = L\"é\"; int z;"), "{}", source.text);
    at(&source, "int z", &path.display().to_string(), 2, 33, 2);
    assert!(problem_with(b"int x;\nint \xe9\xe8;").message.contains("not UTF-8"));
}

#[test]
fn files_that_are_no_c_files() {
    for (content, message) in [
        (&b""[..], "no C declarations"),
        (b" \n// only a comment\n/* and another */ ; \n", "no C declarations"),
        (b"\x7fELF\x00\x01", "binary"),
        (b"int x;\n/* never closed", "never closed"),
        (b"char *s = \"abc;\nint y;", "not closed on its line"),
        (b"int x = 'a;", "not closed on its line"),
        (b"int x = `a`;", "unexpected '`'"),
        (b"int x; \x01", "unexpected byte 0x01"),
        (b"# 99999999999 \"a.c\"\nint x;", "line number"),
    ] {
        let problem = problem_with(content);
        assert!(problem.message.contains(message) && problem.help.is_some(), "{problem}");
    }
    let missing = read(Path::new("/no/such.c"), DataModel::Ilp32).unwrap_err();
    assert_eq!(missing.to_string().lines().next(), Some("/no/such.c: error: there is no such file"));
    assert!(read(Path::new("/"), DataModel::Ilp32).unwrap_err().message.contains("directory"));
    assert!(read(Path::new("/dev/null"), DataModel::Ilp32).unwrap_err().message.contains("not a regular file"));
    let (_folder, large) = file_with("t.c", &vec![b' '; (16 << 20) + 1]);
    assert!(read(&large, DataModel::Ilp32).unwrap_err().message.contains("the limit is 16 MiB"));
}

#[test]
fn brackets_that_do_not_match() {
    for (text, message, line, column) in [
        ("int f(void) {\n  if (1) {\n    f();\n}\n", "this '{' is never closed", 1, 13),
        ("int x; }\n", "this '}' closes nothing", 1, 8),
        ("int f(void) {\n  f(1;\n}\n", "expected ')' for the '(' of line 2, found '}'", 3, 1),
        ("int a[3;\nint b;", "this '[' is never closed", 1, 6),
        ("# 20 \"o.c\"\nint f(void) { f(]; }", "for the '(' of line 20", 20, 17),
    ] {
        let problem = prepare(text, "t.c").unwrap_err();
        assert!(problem.message.contains(message), "{problem}");
        assert_eq!((problem.line, problem.column), (Some(line), Some(column)), "{problem}");
    }
}

fn in_main(body: &str) -> String {
    format!("int f(int, int); int a[3]; int main(void) {{ int x = 0; {body} return 0; }}\n")
}

#[test]
fn deep_nesting_parses() {
    let chain: String = (0..8_000).map(|i| format!("else if (x == {i}) {{ x = {i}; }}\n")).collect();
    for body in [
        format!("if (x) ; {chain}"),
        format!("x = {}1{};", "f(1, ".repeat(500), ")".repeat(500)),
        format!("x = {}1{};", "(".repeat(3_000), ")".repeat(3_000)),
        format!("{}x = 1;{}", "if (x) {".repeat(3_000), "}".repeat(3_000)),
        format!("x = {}1;", "x + ".repeat(40_000)),
        format!("x = {}1;", "!".repeat(40_000)),
        format!("x = {}1;", "(int)".repeat(40_000)),
        format!("x = {}1;", "x ? 2 : ".repeat(20_000)),
        format!("int big[] = {{ {} }};", "1, ".repeat(300_000)),
    ] {
        let source = prepare(&in_main(&body), "t.c").unwrap();
        with_large_stack(|| parse(&source).map(drop)).unwrap();
    }
}

#[test]
fn deeper_nesting_is_refused_at_once() {
    for body in [
        format!("x = {}1{};", "f(1, ".repeat(20_000), ")".repeat(20_000)),
        format!("x = {}1{};", "(".repeat(200_000), ")".repeat(200_000)),
        format!("x = {}1{};", "a[".repeat(20_000), "]".repeat(20_000)),
        format!("{}x = 1;{}", "{".repeat(200_000), "}".repeat(200_000)),
        format!("x = {}1;", "!".repeat(200_000)),
        format!("x = {}1;", "(int)".repeat(200_000)),
        format!("{}x = 1;", "L: ".repeat(200_000)),
        format!("{}x = 1;", "for (;;) ".repeat(200_000)),
        "{ L: M: ".repeat(60_000) + &"}".repeat(60_000),
        format!("if (x) ; {}", "else if (x) ; ".repeat(200_000)),
    ] {
        let begin = std::time::Instant::now();
        let problem = prepare(&in_main(&body), "t.c").unwrap_err();
        assert!(problem.message.contains("too long") || problem.message.contains("too deeply"), "{problem}");
        assert!(problem.help.is_some() && begin.elapsed().as_secs() < 2);
    }
}

/// Damaged programs give a message or a tree, never a panic, and every position is inside the text.
#[test]
fn damaged_text_never_panics() {
    let text = "#pragma pack(push, 1)\nstruct __attribute__((packed)) S { int a : 3; _Alignas(8) char *b; };\n# 7 \"x.c\"\n\
        typedef unsigned __int128 T; static q; asm(\"x\" : : );\n\
        int f(T a, int n) { L: T b; switch (n) { case 1 ? 2 : 3: ; default: } goto *&&L; __label__ Z;\n\
        asm volatile goto (\"\" : \"=r\"(n) : : \"cc\" : L); return a ?: __alignof__(b) && 'x' + sizeof (int){ 1 } \\\n\
        + __builtin_types_compatible_p(int, char) + ({ __auto_type y = \"\\e\"; 1.0q; }); } [[x]] // end\n";
    let check = |damaged: &str| {
        if let Ok(source) = prepare(damaged, "t.c") {
            let lines = damaged.lines().count() as u32 + 1;
            for offset in 0..=source.text.len() {
                assert!(source.map.position(offset).physical_line <= lines);
            }
            let _ = parse(&source).map(drop);
        }
    };
    with_large_stack(|| {
        check(text);
        for (index, _) in text.char_indices() {
            check(&text[..index]);
            check(&text[index..]);
            let mut without = text.to_owned();
            without.remove(index);
            check(&without);
            for extra in ["(", "}", ":", "\"", "goto", " asm ", "__attribute__", "{", "=", "#", "\\\n", "é"] {
                let mut with = text.to_owned();
                with.insert_str(index, extra);
                check(&with);
            }
        }
    });
}

#[test]
fn macros_that_gcc_predefines_need_no_directive() {
    let content = b"__SIZE_TYPE__ s;\nint a[__CHAR_BIT__ + __LINE__], m = __INT_MAX__;\n#line 7\nint b[__LINE__];";
    let (_folder, path) = file_with("t.c", content);
    let source = read(&path, DataModel::Lp64).unwrap();
    for expected in ["long unsigned int s", "a[8 + 2], m = 0x7fffffff", "b[7]"] {
        assert!(source.text.contains(expected), "{expected} in {}", source.text);
    }
    // Names of the program, or of the compiler, are left alone: no preprocessor has to run.
    for word in ["__FUNCTION__", "__func__", "__attribute__", "LIST_MAX", "_C", "__restrict__", "__MY_LIST__"] {
        assert!(!super::preprocess::is_predefined(word.as_bytes()), "{word}");
    }
}

#[test]
fn a_line_directive_may_need_the_preprocessor() {
    let (_folder, path) = file_with("t.c", b"#line __LINE__ \"u.c\"\nint a;\n");
    let source = read(&path, DataModel::Ilp32).unwrap();
    at(&source, "int a", "u.c", 1, 1, 1);
}
