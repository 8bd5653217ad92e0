//! gcc's side: an instrumented build of the original file, fed with the tests' values, and what gcov counted.

use crate::differential::run_tool;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tandem_plugin_api::program::{DataModel, FloatKind, FunctionId, Op, Program, Type};

/// gcov's counts for a line of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    pub executions: u64,
    /// How often each way out of a jump was taken.
    pub branches: Vec<u64>,
}

pub struct Build {
    binary: PathBuf,
    folder: PathBuf,
}

const HARNESS: &str = r#"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
extern void __gcov_dump(void);
static FILE *inputs; static char text[512];
static void end(int status) { __gcov_dump(); _exit(status); }
static const char *next(void) {
  if (!inputs) inputs = fopen(getenv("HARNESS_INPUTS"), "r");
  if (!inputs) _exit(98);
  if (!fgets(text, sizeof text, inputs)) end(97);
  return text;
}
static long long next_int(void) {
  const char *s = next();
  return *s == '-' ? strtoll(s, 0, 10) : (long long)strtoull(s, 0, 10);
}
static void on_signal(int signal) { end(128 + signal); }
__attribute__((constructor)) static void start(void) {
  int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM};
  for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], on_signal);
  alarm(20);
}
/* gcov's own exit handler does not run then. */
void abort(void) { end(134); __builtin_unreachable(); }
void __assert_fail(const char *a, const char *b, unsigned c, const char *d) { end(134); __builtin_unreachable(); }
#define WEAK __attribute__((weak))
WEAK void __VERIFIER_error(void) { end(107); }
WEAK void reach_error(void) { end(107); }
WEAK void __VERIFIER_assume(int holds) { if (!holds) end(0); }
"#;

impl Build {
    /// Compiles and links; an error if the program needs functions without a definition.
    pub fn new(program: &Program, source: &str, model: DataModel, folder: &Path) -> Result<Self, String> {
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            std::fs::write(&path, text).map(|()| path).map_err(|error| error.to_string())
        };
        let program_file = write("program.c", &without_line_markers(source))?;
        let harness_file = write("harness.c", &format!("{HARNESS}{}", input_functions(program)))?;
        let word = match model {
            DataModel::Ilp32 => vec!["-m32", "-msse2", "-mfpmath=sse"],
            DataModel::Lp64 => vec!["-m64"],
        };
        let program_flags = [
            "--coverage",
            "-O0",
            "-w",
            "-std=gnu11",
            "-fwrapv",
            "-fno-strict-aliasing",
            "-fcommon",
            "-fgnu89-inline",
            "-ftrivial-auto-var-init=zero",
            "-fno-builtin",
            "-c",
            "-o",
            "program.o",
        ];
        let gcc = || {
            let mut gcc = Command::new("gcc");
            gcc.args(&word).current_dir(folder);
            gcc
        };
        run_tool(gcc().args(program_flags).arg(&program_file))?;
        run_tool(gcc().args(["-O1", "-w", "-fno-builtin", "-c", "-o", "harness.o"]).arg(&harness_file))?;
        run_tool(gcc().args(["--coverage", "program.o", "harness.o", "-lm", "-o", "program"]))?;
        Ok(Build { binary: folder.join("program"), folder: folder.to_path_buf() })
    }

    /// Runs all tests and returns gcov's counts by line.
    pub fn run(&self, tests: &[Vec<String>]) -> Result<BTreeMap<u32, Line>, String> {
        for (at, values) in tests.iter().enumerate() {
            let inputs = self.folder.join("inputs.txt");
            let text: String = values.iter().map(|value| format!("{value}\n")).collect();
            std::fs::write(&inputs, text).map_err(|error| error.to_string())?;
            let mut command = Command::new(&self.binary);
            command.current_dir(&self.folder).env("HARNESS_INPUTS", &inputs);
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            let status = command.status().map_err(|error| error.to_string())?;
            if let Some(signal @ (139 | 135 | 136 | 132 | 142)) = status.code() {
                return Err(format!("test {} ends with signal {} in gcc's build", at + 1, signal - 128));
            }
        }
        let mut gcov = Command::new("gcov");
        gcov.args(["--json-format", "--stdout", "--branch-probabilities", "program.gcda"]).current_dir(&self.folder);
        let output = run_tool(&mut gcov)?;
        parse(&String::from_utf8_lossy(&output.stdout))
    }
}

/// Removes line markers, so that lines keep their numbers and gcov reports one file.
fn without_line_markers(source: &str) -> String {
    let is_marker = |line: &str| {
        let line = line.trim_start();
        line.strip_prefix('#').is_some_and(|rest| {
            rest.trim_start().trim_start_matches("line").trim_start().starts_with(|c: char| c.is_ascii_digit())
        })
    };
    source.lines().map(|line| if is_marker(line) { "\n".to_string() } else { format!("{line}\n") }).collect()
}

/// Definitions of the input functions that the program calls.
fn input_functions(program: &Program) -> String {
    let inputs = program.edges.iter().filter_map(|edge| match edge.op {
        Op::Input { function, .. } => Some(function),
        _ => None,
    });
    let mut text = String::new();
    for function in inputs.collect::<BTreeSet<FunctionId>>() {
        let function = program.function(function);
        let Type::Function { result, .. } = *program.types.get(function.ty) else { continue };
        let value = match program.types.get(result) {
            Type::Float(FloatKind::Float) => "strtof(next(), 0)",
            Type::Float(FloatKind::Double) => "strtod(next(), 0)",
            Type::Float(_) => "strtold(next(), 0)",
            Type::Pointer(_) => "(void *)(unsigned long)next_int()",
            _ => "next_int()",
        };
        let ty = if program.types.is_pointer(result) { "void *".into() } else { program.type_to_c(result) };
        let _ = writeln!(text, "{ty} {}(void) {{ return {value}; }}", function.name);
    }
    text
}

#[derive(Deserialize)]
struct Document {
    files: Vec<File>,
}

#[derive(Deserialize)]
struct File {
    lines: Vec<JsonLine>,
}

#[derive(Deserialize)]
struct JsonLine {
    line_number: u32,
    count: u64,
    #[serde(default)]
    branches: Vec<JsonBranch>,
}

#[derive(Deserialize)]
struct JsonBranch {
    count: u64,
}

fn parse(json: &str) -> Result<BTreeMap<u32, Line>, String> {
    let document: Document = serde_json::from_str(json).map_err(|error| format!("gcov's output: {error}"))?;
    let mut lines: BTreeMap<u32, Line> = BTreeMap::new();
    for line in document.files.into_iter().flat_map(|file| file.lines) {
        let of_line = lines.entry(line.line_number).or_default();
        of_line.executions += line.count;
        of_line.branches.extend(line.branches.iter().map(|branch| branch.count));
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_vanish_and_lines_stay() {
        let text = "# 1 \"a.c\"\nint x;\n#line 7\n  # 3\n#pragma x\n";
        assert_eq!(without_line_markers(text), "\nint x;\n\n\n#pragma x\n");
    }

    #[test]
    fn counts_of_a_line_add_up() {
        let json = r#"{"files": [{"lines": [
            {"line_number": 3, "count": 2, "branches": [{"count": 1, "fallthrough": true}, {"count": 0}]},
            {"line_number": 3, "count": 1}, {"line_number": 4, "count": 0, "branches": []}]}]}"#;
        let lines = parse(json).unwrap();
        assert_eq!(lines[&3], Line { executions: 3, branches: vec![1, 0] });
        assert_eq!(lines[&4], Line::default());
        assert!(parse("no gcov").is_err());
    }
}
