//! Runs gcc's preprocessor, without a shell, on a file that has directives or names a macro that gcc predefines.

use super::MAX_BYTES;
use crate::diagnostic::Diagnostic;
use crate::process::{self, Connected, Ended, Job, Measure};
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::time::Duration;
use tandem_plugin_api::program::DataModel;

/// The most error output of gcc that is read.
const MAX_ERROR_BYTES: u64 = 64 << 10;
/// The memory limit of gcc, for files such as `/dev/zero`.
const MAX_MEMORY: u64 = 1 << 30;

/// How the names of gcc's predefined macros end. Headers and programs write names of their own like these, too: then
/// the preprocessor runs without need, and changes nothing.
const PREDEFINED_ENDS: &[&str] = &[
    "_TYPE__",
    "_MAX__",
    "_MIN__",
    "_WIDTH__",
    "_DIG__",
    "_EXP__",
    "_BIT__",
    "_EPSILON__",
    "_NAN__",
    "_INFINITY__",
    "_DENORM__",
    "_ENDIAN__",
    "_VERSION__",
    "_ORDER__",
    "_RADIX__",
    "_METHOD__",
    "_ALIGNMENT__",
    "_INLINE__",
    "_C",
    "_LOCK_FREE",
];
const PREDEFINED: &[&str] = &[
    "__LINE__",
    "__FILE__",
    "__DATE__",
    "__TIME__",
    "__TIMESTAMP__",
    "__COUNTER__",
    "__INCLUDE_LEVEL__",
    "__FILE_NAME__",
    "__BASE_FILE__",
    "__STDC__",
    "__STDC_HOSTED__",
    "__GNUC__",
    "__GNUC_MINOR__",
    "__LP64__",
    "_LP64",
    "_ILP32",
    "__ILP32__",
    "__OPTIMIZE__",
    "__NO_INLINE__",
    "__CHAR_UNSIGNED__",
    "__ELF__",
    "__linux__",
    "__unix__",
    "__gnu_linux__",
    "__x86_64__",
    "__i386__",
    "__amd64__",
    "__x86_64",
    "__i386",
    "__linux",
    "__unix",
];

/// Whether the preprocessor gives this word a meaning without any directive.
pub fn is_predefined(word: &[u8]) -> bool {
    let Some(rest) = word.strip_prefix(b"_") else { return false };
    let of_family = |word: &&[u8]| word.iter().all(|byte| !byte.is_ascii_lowercase());
    PREDEFINED.iter().any(|known| known.as_bytes() == word)
        || rest.starts_with(b"_SIZEOF_")
        || rest.starts_with(b"_ATOMIC_")
        || rest.starts_with(b"_")
            && of_family(&rest)
            && PREDEFINED_ENDS.iter().any(|end| word.ends_with(end.as_bytes()))
}

/// The preprocessed text of a file, for a data model.
pub fn run(path: &Path, model: DataModel) -> Result<Vec<u8>, Diagnostic> {
    let file = &path.display().to_string();
    // The same options as for the second opinion: macros define how floats are computed.
    let flags: &[&str] = match model {
        DataModel::Ilp32 => &["-m32", "-msse2", "-mfpmath=sse"],
        DataModel::Lp64 => &["-m64"],
    };
    let mut job = Job::new("gcc", "", "");
    job.arguments = flags.iter().map(Into::into).collect();
    job.arguments.extend(["-E", "-std=gnu17", "-w", "-fmax-errors=1", "-x", "c"].map(Into::into));
    // A relative path that begins with `-` must not be taken for an option.
    job.arguments.push(if path.is_relative() { Path::new(".").join(path) } else { path.to_path_buf() }.into());
    job.environment = vec![("LC_ALL".into(), "C".into())];
    job.name = process::fresh_name("gcc");
    // gcc ends by itself, and the system limits its memory, so that it needs no supervision.
    (job.measure, job.address_space) = (Measure::Proc, Some(MAX_MEMORY));
    let (gcc, pipes) = Connected::start(&job).map_err(|error| not_started(&error, file))?;
    let mut text = Vec::new();
    let mut errors = Vec::new();
    drop(pipes.input);
    // Errors are few (-fmax-errors), so that gcc never waits for us to read them while we read the text.
    let read = pipes.output.take(MAX_BYTES + 1).read_to_end(&mut text);
    let read = read.and(pipes.errors.take(MAX_ERROR_BYTES).read_to_end(&mut errors));
    read.map_err(|error| not_started(&error, file))?;
    while text.len() as u64 <= MAX_BYTES && !gcc.ends_within(Duration::from_secs(1)) {}
    let success = gcc.end() == Some(Ended::Exited(0));
    // With more text than the limit, gcc dies of the closed pipe; the caller says so.
    if success || text.len() as u64 > MAX_BYTES {
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
