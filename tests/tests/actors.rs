//! Actors on the command line: engines run, limits stop them, and a failure inside a plugin costs its verdict, never
//! the run.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use tandem_tests::command::{Ran, tandem};
use tandem_tests::test_plugins::copy;

/// Verifies an example with plugins of `tests/abi` and this configuration.
fn verify(config: &str, more: &[&str]) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    for plugin in ["talker", "panic_analysis", "panic_engine"] {
        copy(plugin, folder.path());
    }
    let file = folder.path().join("config.toml");
    fs::write(&file, config).unwrap();
    let (file, plugins) = (file.display().to_string(), folder.path().display().to_string());
    let arguments = ["verify", "-c", &file, "--plugin-dir", &plugins, "examples/traffic-light.yml"];
    tandem(arguments.iter().chain(more))
}

#[test]
fn an_engine_runs_and_talks() {
    let ran = verify("[actor.a]\nengine = 'talker'\n", &["-v"]);
    assert_eq!((ran.stdout.as_str(), ran.code()), ("Verdict: UNKNOWN (only talked)\n", Some(20)), "{ran:?}");
    assert!(ran.stderr.contains("a: examples/traffic-light.c has 1 targets"), "{ran:?}");
    assert!(ran.stderr.contains("note: by convention: function without a body: talk"), "{ran:?}");
}

#[test]
fn limits_stop_an_engine() {
    let forever = "[actor.a]\nengine = 'talker'\ntalker.forever = true\n";
    let ran = verify(forever, &["--limit", "200ms"]);
    assert_eq!(ran.code(), Some(20), "{ran:?}");
    assert!(ran.stdout.starts_with("Verdict: UNKNOWN (time limit"), "{ran:?}");
    let ran = verify(&format!("{forever}limit = '100ms'\n"), &[]);
    assert!(ran.stdout.starts_with("Verdict: UNKNOWN (time limit of actor `a`"), "{ran:?}");
}

#[test]
fn a_panic_in_a_plugin_is_an_unknown() {
    for method in ["new", "start", "initial", "successors", "stop"] {
        let config = format!("[actor.a]\nanalyses = ['panic-analysis']\npanic-analysis.method = '{method}'\n");
        let ran = verify(&config, &[]);
        assert_eq!(ran.code(), Some(20), "{method}: {ran:?}");
        assert!(ran.stdout.starts_with("Verdict: UNKNOWN (actor `a`: analysis `panic-analysis`"), "{method}: {ran:?}");
        assert_eq!(ran.stdout.lines().count(), 1, "{method}: {ran:?}");
        assert!(!ran.stderr.contains("RUST_BACKTRACE"), "{method}: {ran:?}");
    }
    let ran = verify("[actor.a]\nengine = 'panic-engine'\npanic-engine.method = 'run'\n", &[]);
    assert!(ran.stdout.starts_with("Verdict: UNKNOWN (actor `a`: engine `panic-engine`"), "{ran:?}");
}
