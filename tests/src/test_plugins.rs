//! Plugin libraries for tests: those of `tests/abi` (examples of this package, so that `cargo test` builds them), and
//! libraries that gcc makes on the spot.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The directory `target/<profile>` that the running test was built in.
pub fn build_dir() -> PathBuf {
    let executable = env::current_exe().expect("a test has a path");
    let deps = executable.parent().expect("an executable is in a directory");
    deps.parent().expect("deps is in the profile's directory").to_path_buf()
}

/// The library of `tests/abi/<name>.rs`.
pub fn library(name: &str) -> PathBuf {
    static BUILT: OnceLock<()> = OnceLock::new();
    let file = build_dir().join("examples").join(format!("lib{name}.so"));
    if !file.exists() {
        // `cargo test --test abi` leaves examples out.
        BUILT.get_or_init(build_examples);
    }
    assert!(file.exists(), "{} was not built", file.display());
    file
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
