//! Runs gcc's preprocessor, without a shell, on a file that has directives.

use super::MAX_BYTES;
use crate::diagnostic::Diagnostic;
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use tandem_plugin_api::program::DataModel;

/// What gcc may say before we stop listening.
const MAX_ERROR_BYTES: u64 = 64 << 10;

/// The preprocessed text of a file, for a data model.
pub fn run(path: &Path, model: DataModel) -> Result<Vec<u8>, Diagnostic> {
    let file = &path.display().to_string();
    let width = match model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    };
    let mut gcc = Command::new("gcc")
        .args(["-E", width, "-std=gnu11", "-w", "-fmax-errors=1", "-x", "c"])
        // A relative path that begins with `-` must not be taken for an option.
        .arg(if path.is_relative() { Path::new(".").join(path) } else { path.to_path_buf() })
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| not_started(&error, file))?;
    let mut text = Vec::new();
    let mut errors = Vec::new();
    // Errors are few (-fmax-errors), so that gcc never waits for us to read them while we read the text.
    let mut outcome = Ok(0);
    if let Some(out) = gcc.stdout.take() {
        outcome = out.take(MAX_BYTES + 1).read_to_end(&mut text);
    }
    if let Some(err) = gcc.stderr.take() {
        outcome = outcome.and(err.take(MAX_ERROR_BYTES).read_to_end(&mut errors));
    }
    let status = outcome.and_then(|_| gcc.wait()).map_err(|error| not_started(&error, file))?;
    // With more text than the limit, gcc dies of the closed pipe; the caller says so.
    if status.success() || text.len() as u64 > MAX_BYTES {
        return Ok(text);
    }
    Err(failed(&String::from_utf8_lossy(&errors), file, model))
}

fn not_started(error: &std::io::Error, file: &str) -> Diagnostic {
    let message = match error.kind() {
        ErrorKind::NotFound => "the file needs the C preprocessor, but gcc is not installed".to_owned(),
        _ => format!("the file needs the C preprocessor, but gcc cannot be run: {error}"),
    };
    Diagnostic::new(message).in_file(file).help("install gcc, or preprocess the file elsewhere (`gcc -E`)")
}

/// gcc's first error, at the place that it names.
fn failed(errors: &str, file: &str, model: DataModel) -> Diagnostic {
    let line = errors.lines().find(|line| line.contains("error:")).or(errors.lines().next()).unwrap_or("no message");
    let (place, message) = line.split_once("error:").unwrap_or(("", line));
    let mut problem = Diagnostic::new(format!("gcc -E failed: {}", message.trim())).in_file(file);
    let mut parts = place.trim_end_matches("fatal ").trim_end_matches([' ', ':']).rsplitn(3, ':');
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
