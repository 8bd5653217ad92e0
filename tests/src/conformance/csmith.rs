//! Random programs by Csmith (Yang et al., PLDI 2011), in kinds that take turns.

use crate::command::run_within;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tandem_plugin_api::program::DataModel;

const TIME: Duration = Duration::from_secs(60);

/// The options of each kind of program.
const KINDS: [&[&str]; 5] = [
    &[],
    &["--float"],
    &["--no-pointers", "--bitfields", "--packed-struct"],
    &["--float", "--no-bitfields", "--no-packed-struct", "--int8", "--uint8"],
    &["--no-volatiles", "--no-unions", "--max-struct-fields", "20"],
];

/// Writes a program, preprocessed for the data model, into a directory; returns its path.
pub fn generate(seed: u64, model: DataModel, directory: &Path) -> Result<PathBuf, String> {
    let source = directory.join(format!("{seed}.c"));
    let kind = KINDS[(seed % KINDS.len() as u64) as usize];
    let mut csmith = Command::new("csmith");
    // It writes `platform.info` where it runs.
    csmith.current_dir(directory);
    csmith.args(kind).args(["--max-funcs", "5", "--seed", &seed.to_string(), "-o"]).arg(&source);
    let ran = run_within(&mut csmith, TIME)
        .map_err(|error| format!("{error}; install csmith (Debian: apt install csmith libcsmith-dev)"))?;
    if !ran.ended.is_success() || !source.is_file() {
        return Err(format!("csmith --seed {seed} failed: {}", String::from_utf8_lossy(&ran.stderr).trim()));
    }
    let preprocessed = directory.join(format!("{seed}-{}.c", model.name()));
    let mut gcc = Command::new("gcc");
    gcc.arg(if model == DataModel::Ilp32 { "-m32" } else { "-m64" });
    gcc.args(["-E", "-w", "-I/usr/include/csmith", "-o"]).arg(&preprocessed).arg(&source);
    let ran = run_within(&mut gcc, TIME)?;
    if !ran.ended.is_success() {
        return Err(format!("gcc -E failed: {}", String::from_utf8_lossy(&ran.stderr).trim()));
    }
    Ok(preprocessed)
}
