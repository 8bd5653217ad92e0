//! Runs gcc's preprocessor, without a shell, on a file that has directives.

use crate::diagnostic::Diagnostic;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Stdio};
use tandem_plugin_api::program::DataModel;

pub fn run(path: &Path, model: DataModel) -> Result<Vec<u8>, Diagnostic> {
    let name = path.display().to_string();
    // A name like `-o.c` must not become an option.
    let mut file = OsString::new();
    if path.to_string_lossy().starts_with('-') {
        file.push("./");
    }
    file.push(path);
    let width = match model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    };
    let output = Command::new("gcc")
        .args(["-E", width, "-std=gnu11", "-x", "c"])
        .arg(file)
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| not_started(&error, &name))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(failed(&String::from_utf8_lossy(&output.stderr), &name, model))
}

fn not_started(error: &std::io::Error, name: &str) -> Diagnostic {
    let message = match error.kind() {
        ErrorKind::NotFound => "the file needs the C preprocessor, but gcc is not installed".to_owned(),
        _ => format!("the file needs the C preprocessor, but gcc cannot be started: {error}"),
    };
    Diagnostic::new(message).in_file(name).help("install gcc, or preprocess the file elsewhere (`gcc -E`)")
}

fn failed(errors: &str, name: &str, model: DataModel) -> Diagnostic {
    let line = errors.lines().find(|line| line.contains("error:")).or(errors.lines().next()).unwrap_or("no message");
    let (place, message) = line.split_once("error:").unwrap_or(("", line));
    let mut problem = Diagnostic::new(format!("gcc -E failed: {}", message.trim())).in_file(name);
    let mut parts = place.trim_end_matches([' ', ':']).rsplitn(3, ':');
    if let (Some(column), Some(row), Some(file)) = (parts.next(), parts.next(), parts.next())
        && let (Ok(column), Ok(row)) = (column.parse(), row.parse())
    {
        problem = problem.in_file(file).at(row, column);
    }
    let headers_missing = errors.contains("stubs-32.h") || errors.contains("bits/");
    problem.help(match model {
        DataModel::Ilp32 if headers_missing => {
            "install the 32-bit C library headers (Debian: gcc-multilib), or use --data-model LP64"
        }
        _ => "correct the directive, or preprocess the file yourself (`gcc -E file.c > file.i`)",
    })
}
