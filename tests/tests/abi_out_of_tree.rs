//! A plugin of a third party: a directory of its own, with nothing but a dependency on `plugin-api`, built by cargo.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tandem::plugins::PluginSearch;
use tandem_plugin_api::descriptor::PluginKind;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::testing;
use tandem_tests::test_plugins::build_dir;

const SOURCE: &str = r#"
use tandem_plugin_api::prelude::*;

struct Guess;

impl Plugin for Guess {
    type Kind = kind::Engine;
    fn descriptor() -> Descriptor {
        Descriptor::of::<Self>("guess", env!("CARGO_PKG_VERSION"), "Guesses, and knows it.")
    }
    fn new(_: &Setup) -> Result<Self> {
        Ok(Guess)
    }
}

impl Engine for Guess {
    fn run(&mut self, task: &Task, _: &Inputs, _: &Host) -> Result<Outcome> {
        Ok(Outcome::unknown(format!("guessed at {} edges", task.program.edges.len())))
    }
}

tandem_plugin_api::export_plugin!(Guess);
"#;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

fn write_crate(directory: &Path) {
    let api = workspace().join("plugin-api");
    // The empty workspace table makes cargo look no further up.
    let manifest = format!(
        "[package]\nname = \"guess\"\nversion = \"3.1.4\"\nedition = \"2024\"\n\n[lib]\ncrate-type = [\"cdylib\"]\n\n\
         [dependencies]\ntandem-plugin-api = {{ path = {api:?} }}\n\n[workspace]\n\n[profile.dev]\ndebug = false\n"
    );
    fs::create_dir(directory.join("src")).unwrap();
    fs::write(directory.join("Cargo.toml"), manifest).unwrap();
    fs::write(directory.join("src/lib.rs"), SOURCE).unwrap();
    // The same versions as here, so that nothing needs to be downloaded.
    fs::copy(workspace().join("Cargo.lock"), directory.join("Cargo.lock")).unwrap();
}

#[test]
fn a_plugin_out_of_tree_is_listed_and_runs() {
    let directory = tempfile::tempdir().unwrap();
    write_crate(directory.path());
    // Kept between runs, since building the dependencies takes a while; in the development profile, since the plugin
    // and the host need not agree on that.
    let target = build_dir().parent().unwrap().join("out-of-tree");
    let built = Command::new(env!("CARGO"))
        .args(["build", "--offline", "--quiet", "--target-dir"])
        .arg(&target)
        .current_dir(directory.path())
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));

    let registry = PluginSearch::only(&[target.join("debug")]).discover();
    assert!(registry.refused().is_empty(), "{:?}", registry.refused());
    let guess = registry.get(PluginKind::Engine, "guess").unwrap();
    assert_eq!(guess.descriptor.version, "3.1.4");
    let task = testing::two_inputs();
    let mut engine = guess.worker(&task, &guess.options([]).unwrap(), &Host::silent()).unwrap();
    let outcome = engine.run(&Inputs::default(), &Host::silent()).unwrap();
    assert_eq!(outcome.verdict, Verdict::unknown("guessed at 3 edges"));
}
