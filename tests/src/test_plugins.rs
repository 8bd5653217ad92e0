//! Plugin libraries for tests: those of `tests/abi` (examples of this package, so that `cargo test` builds them), and
//! libraries that gcc makes on the spot.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::SystemTime;

/// The directory `target/<profile>` that the running test was built in.
pub fn build_dir() -> PathBuf {
    let executable = env::current_exe().expect("a test has a path");
    let folder = executable.parent().expect("an executable is in a directory");
    // Tests are in a folder of their own; commands are where `tandem` is.
    match folder.ends_with("deps") {
        true => folder.parent().expect("deps is in the profile's directory").to_path_buf(),
        false => folder.to_path_buf(),
    }
}

/// The library of `tests/abi/<name>.rs`.
pub fn library(name: &str) -> PathBuf {
    static BUILT: OnceLock<()> = OnceLock::new();
    let file = build_dir().join("examples").join(format!("lib{name}.so"));
    let built = fs::metadata(&file).and_then(|metadata| metadata.modified()).ok();
    if built < newest_source() {
        // `cargo test --test …` does not build examples.
        BUILT.get_or_init(build_examples);
    }
    assert!(file.exists(), "{} was not built", file.display());
    file
}

/// When the newest file that all test plugins depend on was changed.
fn newest_source() -> Option<SystemTime> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut newest = None;
    let mut directories = vec![tests.join("abi"), tests.join("../plugin-api/src")];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).expect("a source directory").flatten() {
            match entry.metadata() {
                Ok(metadata) if metadata.is_dir() => directories.push(entry.path()),
                Ok(metadata) => newest = newest.max(metadata.modified().ok()),
                Err(_) => {}
            }
        }
    }
    newest
}

fn build_examples() {
    let profile = build_dir().file_name().and_then(|name| name.to_str().map(str::to_string)).unwrap_or_default();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--package", "tandem-tests", "--examples"]).current_dir(env!("CARGO_MANIFEST_DIR"));
    if profile != "debug" {
        cargo.args(["--profile", &profile]);
    }
    assert!(cargo.status().expect("cargo runs").success(), "the test plugins could not be built");
}

/// A copy of a test plugin, in a directory that a test may spoil.
pub fn copy(name: &str, directory: &Path) -> PathBuf {
    let to = directory.join(format!("lib{name}.so"));
    fs::copy(library(name), &to).expect("a copy");
    to
}

/// A shared library of a piece of C, made by gcc.
pub fn compile_c(text: &str, to: &Path, options: &[&str]) {
    let source = to.with_extension("c");
    fs::write(&source, text).expect("a source file");
    let done = Command::new("gcc").args(["-shared", "-fPIC", "-o"]).arg(to).args(options).arg(&source).output();
    let done = done.expect("gcc runs");
    assert!(done.status.success(), "gcc: {}", String::from_utf8_lossy(&done.stderr));
}
