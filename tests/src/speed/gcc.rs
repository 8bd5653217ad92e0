//! gcc's builds of the tested programs, which measure their own CPU time.

use super::SpeedProgram;
use std::path::{Path, PathBuf};
use std::process::Command;
use tandem_plugin_api::program::DataModel;

const DRIVER: &str = include_str!("driver.c");

/// Runs a tool; its error output if it failed.
pub(super) fn tool(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("cannot start {name}: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(format!("{name} failed: {}", String::from_utf8_lossy(&output.stderr)))
}

pub(super) fn write(folder: &Path, name: &str, text: &str) -> Result<PathBuf, String> {
    let path = folder.join(name);
    std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path)
}

/// `gcc -O1` of a program.
pub struct GccBuild {
    binary: PathBuf,
}

/// What a run returned, and how many CPU seconds it took.
#[derive(Clone, Copy, Debug)]
pub struct Timed {
    pub result: i32,
    pub seconds: f64,
}

impl GccBuild {
    pub fn new(program: &SpeedProgram, model: DataModel, folder: &Path) -> Result<Self, String> {
        let word = if model == DataModel::Ilp32 { "-m32" } else { "-m64" };
        let source = write(folder, &format!("{}.c", program.name), &program.text)?;
        let driver = write(folder, "driver.c", DRIVER)?;
        let object = folder.join(format!("{}{word}.o", program.name));
        let binary = folder.join(format!("{}{word}", program.name));
        let compile = |extra: &[&str]| {
            let mut command = Command::new("gcc");
            command.args([word, "-std=gnu11", "-O1", "-w"]).args(extra);
            command
        };
        tool(compile(&["-Dmain=tested_main", "-c", "-o"]).arg(&object).arg(&source))?;
        tool(compile(&["-o"]).arg(&binary).args([&object, &driver]))?;
        Ok(GccBuild { binary })
    }

    pub fn run(&self, inputs: &[u64]) -> Result<Timed, String> {
        let text = tool(Command::new(&self.binary).args(inputs.iter().map(u64::to_string)))?;
        let mut numbers = text.split_whitespace();
        let result = numbers.next().and_then(|n| n.parse().ok());
        let nanoseconds = numbers.next().and_then(|n| n.parse::<f64>().ok());
        let unread = || format!("{} printed `{text}`", self.binary.display());
        let (result, nanoseconds) = result.zip(nanoseconds).ok_or_else(unread)?;
        Ok(Timed { result, seconds: nanoseconds / 1e9 })
    }
}
