//! Plugins of third parties: a directory of their own, with nothing but a dependency on `plugin-api`, built by cargo.
//! Also against copies of `plugin-api` that were changed, as those of other versions are.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tandem::plugins::{LoadedPlugin, PluginSearch, RefusalKind, Registry, check_file};
use tandem_plugin_api::descriptor::PluginKind;
use tandem_plugin_api::kit::testing;
use tandem_plugin_api::prelude::*;
use tandem_tests::test_plugins::build_dir;

const SOURCE: &str = r#"//! Built out of tree.
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

/// Kept between runs, since building the dependencies takes a while.
fn output() -> PathBuf {
    build_dir().parent().unwrap().join("out-of-tree")
}

/// Cargo rebuilds files with a new time, so equal content is left alone.
fn write(file: &Path, content: &str) {
    if fs::read_to_string(file).ok().as_deref() != Some(content) {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }
}

/// The plugin's crate, in a workspace of its own unless `manifest_end` says otherwise.
fn write_plugin(directory: &Path, package: &str, api: &Path, manifest_end: &str) {
    let manifest = format!(
        "[package]\nname = \"{package}\"\nversion = \"3.1.4\"\nedition = \"2024\"\n\n[lib]\ncrate-type = [\"cdylib\"]\n\n\
         [dependencies]\ntandem-plugin-api = {{ path = {api:?} }}\n{manifest_end}"
    );
    write(&directory.join("Cargo.toml"), &manifest);
    write(&directory.join("src/lib.rs"), SOURCE);
}

/// In the development profile: plugin and host need not agree on that.
fn build(directory: &Path, package: &str) -> PathBuf {
    // The same versions as here, so that nothing needs to be downloaded.
    let lock = fs::read_to_string(workspace().join("Cargo.lock")).unwrap();
    if !directory.join("Cargo.lock").exists() {
        write(&directory.join("Cargo.lock"), &lock);
    }
    let built = Command::new(env!("CARGO"))
        .args(["build", "--offline", "--quiet", "--config", "profile.dev.debug=false", "--package", package])
        .arg("--target-dir")
        .arg(output())
        .current_dir(directory)
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    output().join("debug").join(format!("lib{package}.so"))
}

/// A plugin built against a copy of `plugin-api` in which one file was changed.
fn build_against_changed_api(package: &str, file: &str, from: &str, to: &str) -> PathBuf {
    let directory = output().join(format!("{package}-sources"));
    let root = fs::read_to_string(workspace().join("Cargo.toml")).unwrap();
    let members = root.lines().find(|line| line.starts_with("members")).unwrap();
    // Cargo distinguishes members of different workspaces by their relative paths only, and they share a target
    // directory.
    let copy = format!("{package}-api");
    write(&directory.join("Cargo.toml"), &root.replace(members, &format!("members = [{copy:?}, {package:?}]")));
    let api = workspace().join("plugin-api");
    write(&directory.join(&copy).join("Cargo.toml"), &fs::read_to_string(api.join("Cargo.toml")).unwrap());
    let mut open = vec![PathBuf::from("src")];
    let mut changed = false;
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(api.join(&folder)).unwrap() {
            let relative = folder.join(entry.unwrap().file_name());
            if api.join(&relative).is_dir() {
                open.push(relative);
                continue;
            }
            let mut text = fs::read_to_string(api.join(&relative)).unwrap();
            if relative == Path::new(file) {
                changed = text.contains(from);
                text = text.replace(from, to);
            }
            write(&directory.join(&copy).join(&relative), &text);
        }
    }
    assert!(changed, "{file} does not contain {from:?}");
    write_plugin(&directory.join(package), package, &directory.join(&copy), "");
    build(&directory, package)
}

fn guess_with(plugin: &LoadedPlugin) -> Outcome {
    let task = testing::two_inputs();
    let mut engine = plugin.worker(&task, &plugin.options([]).unwrap(), &Host::silent()).unwrap();
    let outcome = engine.run(&Inputs::default(), &Host::silent()).unwrap();
    engine.health().unwrap();
    outcome
}

/// A registry of one file.
fn registry_of(file: &Path) -> (tempfile::TempDir, Registry) {
    let directory = tempfile::tempdir().unwrap();
    fs::copy(file, directory.path().join(file.file_name().unwrap())).unwrap();
    let registry = PluginSearch::only(&[directory.path().to_path_buf()]).discover();
    (directory, registry)
}

#[test]
fn a_plugin_out_of_tree_is_listed_and_runs() {
    let sources = output().join("guess-sources");
    write_plugin(&sources, "guess", &workspace().join("plugin-api"), "\n[workspace]\n");
    let (_directory, registry) = registry_of(&build(&sources, "guess"));
    assert!(registry.refused().is_empty(), "{:?}", registry.refused());
    let guess = registry.get(PluginKind::Engine, "guess").unwrap();
    assert_eq!(guess.descriptor.version, "3.1.4");
    assert_eq!(guess_with(guess).verdict, Verdict::unknown("guessed at 3 edges"));
}

/// The same version number, but two fields of a type that crosses the boundary changed places.
#[test]
fn a_plugin_with_another_layout_is_refused() {
    let fields = ("    code: u32,\n    message: RString,\n", "    message: RString,\n    code: u32,\n");
    let file = build_against_changed_api("reordered", "src/abi/wire.rs", fields.0, fields.1);
    let refusal = check_file(&file).unwrap_err();
    assert_eq!(refusal.kind, RefusalKind::OtherLayout, "{refusal}");
    assert!(refusal.cause.len() < 300 && !refusal.cause.contains('\n'), "{refusal}");
    assert!(refusal.remedy.contains("rebuild"), "{refusal}");
}

/// Methods may be added at the end, as a minor version does.
#[test]
fn a_plugin_whose_contract_only_added_something_still_works() {
    let end = "    #[sabi(last_prefix_field)]\n    fn health(&self) -> Reply<()>;\n}\n\npub type WorkerBox";
    let longer = "    #[sabi(last_prefix_field)]\n    fn health(&self) -> Reply<()>;\n    fn more(&self) -> Reply<()> {\n        \
                  Reply::ROk(())\n    }\n}\n\npub type WorkerBox";
    let file = build_against_changed_api("extended", "src/abi/contract.rs", end, longer);
    let (_directory, registry) = registry_of(&file);
    assert!(registry.refused().is_empty(), "{:?}", registry.refused());
    assert_eq!(guess_with(&registry.plugins()[0]).verdict, Verdict::unknown("guessed at 3 edges"));
}
