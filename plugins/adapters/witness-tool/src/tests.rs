//! Commands, patterns, versions and KLEE's tests, each by itself; whole runs are in `tests/tests/tools.rs`.

use crate::command::{self, Command};
use crate::patterns::{Patterns, Said};
use crate::version::Version;
use crate::{WitnessTool, ktest};
use tandem_plugin_api::kit::testing;
use tandem_plugin_api::prelude::*;

fn options(given: &[(&str, &str)]) -> Options {
    let given = given.iter().map(|(name, value)| {
        let spec = WitnessTool::descriptor().options.into_iter().find(|spec| spec.name == *name).unwrap();
        let value = match spec.ty {
            OptionType::TextList => OptionValue::TextList(vec![value.to_string()]),
            _ => OptionValue::Text(value.to_string()),
        };
        (name.to_string(), value)
    });
    Options::fill(&WitnessTool::descriptor().options, given).unwrap()
}

#[test]
fn a_line_is_split_without_a_shell() {
    let words = |line: &str| {
        let command = Command::parse("command", &[line.to_string()]).unwrap().unwrap();
        let (program, mut words) = command.filled(|word| Ok(word.to_string())).unwrap();
        words.insert(0, program);
        words
    };
    assert_eq!(words("  a  b\tc "), ["a", "b", "c"]);
    assert_eq!(words(r#"a 'b c' "d 'e" f"g h" ''"#), ["a", "b c", "d 'e", "fg h", ""]);
    assert_eq!(words("a;b $(c) `d` >e"), ["a;b", "$(c)", "`d`", ">e"]);
    assert!(Command::parse("command", &["a 'b".into()]).unwrap_err().message.contains("not closed"));
    assert_eq!(Command::parse("command", &[]).unwrap(), None);
    // A list is not split.
    let list = Command::parse("command", &["a b".into(), "c d".into()]).unwrap().unwrap();
    assert_eq!(list.program(), "a b");
}

#[test]
fn placeholders_are_filled_once() {
    let value = |name: &str| (name == "x").then(|| "${x}".to_string());
    assert_eq!(command::fill("a${x}b$c{d}", value).unwrap(), "a${x}b$c{d}");
    assert!(command::fill("${y}", value).is_err());
    assert!(command::fill("${x", value).is_err());
}

#[test]
fn the_last_line_that_fits_counts() {
    let patterns = Patterns::of(&options(&[
        ("true-pattern", "result: TRUE"),
        ("false-pattern", "/result: FALSE(\\(.*\\))?$/"),
        ("unknown-pattern", "result: "),
    ]));
    let patterns = patterns.unwrap();
    let read = |output: &str, errors: &str| patterns.read(output.as_bytes(), errors.as_bytes());
    assert_eq!(read("nothing\n", ""), Said::Nothing);
    assert_eq!(read("result: maybe\r\n", ""), Said::Unknown("`result: maybe`".into()));
    assert_eq!(read("result: TRUE\n", ""), Said::Both("`result: TRUE`".into()));
    let plain = Patterns::of(&options(&[("true-pattern", "TRUE"), ("false-pattern", "/^FALSE(\\(.*\\))?$/")])).unwrap();
    assert_eq!(plain.read(b"TRUE\nFALSE(reach)\n\xff\xfe", b""), Said::False("`FALSE(reach)`".into()));
    assert_eq!(plain.read(b"FALSE", b"TRUE"), Said::True("`TRUE`".into()));
    assert_eq!(plain.read(b"not FALSE", b""), Said::Nothing);
    assert!(Patterns::of(&options(&[("true-pattern", "")])).is_err());
}

#[test]
fn versions_are_numbers() {
    let version = Version::of(&options(&[("version-command", "tool -v"), ("minimum-version", "6.10")]), "Tool");
    let version = version.unwrap().unwrap();
    assert!(version.check(b"6.10.0 (tool-6.10.0)", "").is_ok());
    assert!(version.check(b"Tool 7", "").is_ok());
    assert!(version.check(b"6.9", "").unwrap_err().message.contains("6.9 is too old"));
    assert!(version.check(b"none", "").unwrap_err().message.contains("is it Tool?"));
    assert!(Version::of(&options(&[("version-command", "t"), ("version-pattern", "x")]), "Tool").is_err());
    assert!(Version::of(&options(&[("version-command", "t"), ("minimum-version", "x")]), "Tool").is_err());
}

#[test]
fn tests_of_klee_are_read_or_refused() {
    let head = b"KTEST\0\0\0\x03\0\0\0\x01\0\0\0\x02ab\0\0\0\0\0\0\0\0\0\0\0\x02".to_vec();
    let whole = [&head[..], b"\0\0\0\x01x\0\0\0\x04\x67\x12\0\0", b"\0\0\0\x01y\0\0\0\x01\xff"].concat();
    assert_eq!(ktest::vector(&whole).unwrap(), [4711, 255]);
    for end in 0..whole.len() {
        assert!(ktest::vector(&whole[..end]).is_err(), "cut at {end}");
    }
    let large = [&head[..], b"\0\0\0\x01x\0\0\0\x09123456789"].concat();
    assert!(ktest::vector(&large).unwrap_err().message.contains("9 bytes"));
    assert!(ktest::vector(b"KTEST\0\0\0\x03\xff\xff\xff\xff").is_err());
}

#[test]
fn the_error_is_written_as_the_tool_likes_it() {
    let task = testing::two_inputs();
    let text = |more: &[(&str, OptionValue)]| {
        let command = ("command", OptionValue::TextList(vec!["tool".into(), "${file}".into()]));
        let mut adapter = testing::worker::<WitnessTool>(&task, &[&[command], more].concat()).unwrap();
        let invocation = adapter.prepare(&Inputs::default(), &Host::silent()).unwrap();
        let files: Vec<String> =
            invocation.files.iter().map(|file| String::from_utf8(file.content.clone()).unwrap()).collect();
        assert_eq!(invocation.arguments, [invocation.files[0].path.clone()]);
        files.join("\n")
    };
    assert!(text(&[]).contains("G ! call("));
    let choice = |way: &str| ("encode", OptionValue::Text(way.into()));
    assert!(text(&[choice("assert")]).contains("__assert_fail(\"0\""));
    let label = text(&[choice("label")]);
    assert!(label.contains("ERROR: ;") && label.contains("G ! label(ERROR)"), "{label}");
    let inputs = ("inputs", OptionValue::Text("${type} ${function}() { return 0; }".into()));
    assert!(text(&[inputs]).contains("int __VERIFIER_nondet_int() { return 0; }"));
}
