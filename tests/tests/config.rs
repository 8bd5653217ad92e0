//! Checks configurations with mistakes against made-up plugins, and compares all messages with golden texts:
//! every `tests/configs/X.toml` has its `X.expected` beside it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tandem::compose::{Available, check, config, locate, open};
use tandem_plugin_api::descriptor::*;
use tandem_tests::golden;

fn option(name: &str, ty: OptionType, default: OptionValue) -> OptionSpec {
    OptionSpec { name: name.into(), about: format!("the option {name}"), ty, default }
}

fn plugin(name: &str, kind: PluginKind, options: Vec<OptionSpec>) -> Descriptor {
    Descriptor {
        name: name.into(),
        kind,
        version: "1.0.0".into(),
        about: "made up".into(),
        details: String::new(),
        options,
        needs: Vec::new(),
        gives: Vec::new(),
        capabilities: Vec::new(),
        api: API_VERSION,
    }
}

/// Plugins of several kinds, with options of every type.
fn made_up_plugins() -> Vec<Descriptor> {
    let blocks = OptionType::Choice(vec!["loop-heads".into(), "functions".into(), "single".into()]);
    let mut needy = plugin("needy", PluginKind::Analysis, vec![]);
    needy.needs.push(ArtifactKind::Precision);
    vec![
        plugin("location", PluginKind::Analysis, vec![]),
        plugin(
            "predicate",
            PluginKind::Analysis,
            vec![
                option("blocks", blocks, OptionValue::Text("loop-heads".into())),
                option("bound", OptionType::Integer { min: 1, max: i64::MAX }, OptionValue::Integer(10)),
                option("width", OptionType::Integer { min: 1, max: 64 }, OptionValue::Integer(32)),
                option("lazy", OptionType::Bool, OptionValue::Bool(true)),
                option("factor", OptionType::Float, OptionValue::Float(1.5)),
                option("label", OptionType::Text, OptionValue::Text("none".into())),
                option("timeout", OptionType::Duration, OptionValue::Duration(Duration::from_secs(5))),
                option("track", OptionType::TextList, OptionValue::TextList(vec![])),
            ],
        ),
        plugin("bmc", PluginKind::Engine, vec![]),
        plugin("product", PluginKind::Reducer, vec![]),
        plugin(
            "fold-loop-bound",
            PluginKind::Reducer,
            vec![option("bound", OptionType::Integer { min: 1, max: 9 }, OptionValue::Integer(3))],
        ),
        needy,
    ]
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("configs")
}

fn messages(path: &Path) -> Result<config::Config, String> {
    let plugins = made_up_plugins();
    let available = Available { plugins: plugins.iter().collect(), help_if_missing: "build the plugins".into() };
    let located = locate(&path.display().to_string()).map_err(|error| vec![error]);
    located.and_then(open).and_then(|document| check(&document, &available)).map_err(|problems| {
        let folder = format!("{}/", folder().display());
        problems.iter().map(|problem| format!("{problem}\n").replace(&folder, "")).collect()
    })
}

#[test]
fn every_mistake_is_reported_with_its_place() {
    let mut files: Vec<PathBuf> = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    assert!(files.len() >= 10, "configurations are missing from {}", folder().display());
    let mut failures = Vec::new();
    for file in files {
        let actual = messages(&file).map_or_else(|problems| problems, |config| format!("{config:#?}\n"));
        let actual = actual.replace(&format!("{}/", folder().display()), "");
        failures.extend(golden::compare(&file.with_extension("expected"), &actual).err());
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn other_files_are_recognised() {
    let dir = tempfile::tempdir().unwrap();
    let message = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        fs::write(&path, bytes).unwrap();
        messages(&path).unwrap_err()
    };
    assert!(message("a.c", b"int main(void) { return 0; }").contains("is a C file, not a configuration"));
    assert!(message("a.yml", b"format_version: '2.0'").contains("is a task definition, not a configuration"));
    assert!(message("a.conf", b"int main(void) { return 0; }").contains("this looks like C"));
    assert!(message("b.conf", b"format_version: '2.0'\n").contains("looks like a task definition"));
    assert!(message("a.toml", b"about = \"\xff\"").contains("is not UTF-8"));
    assert!(message("b.toml", &vec![b'#'; 2 << 20]).contains("larger than 1 MB"));
    assert!(message("c.toml", b"").contains("no actor is defined"));
    assert!(messages(dir.path()).unwrap_err().contains("is a directory, not a configuration"));
    assert!(messages(&dir.path().join("missing.toml")).unwrap_err().contains("cannot be read"));
}

#[test]
fn deep_nesting_is_an_error_and_no_crash() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("deep.toml");
    for (open, close) in [("[", "]"), ("{a=", "}")] {
        fs::write(&path, format!("a = {}1{}\n", open.repeat(100_000), close.repeat(100_000))).unwrap();
        let problems = messages(&path).unwrap_err();
        assert!(problems.contains("not TOML"), "{}", &problems[..problems.len().min(500)]);
        assert!(problems.len() < 10_000, "{} bytes of messages", problems.len());
    }
    fs::write(&path, format!("{}b = 1\n", "a.".repeat(100_000))).unwrap();
    assert!(messages(&path).is_err());
}
