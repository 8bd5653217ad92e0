//! Reads the files of a tool: witnesses and tests are read against the text that the tool got, and translated to the
//! program. Inputs are executed on that text; whether they reach the error in the program itself, an execution of the
//! program must show.

use crate::artifact::test_suite::parse_test;
use crate::artifact::witness::Document;
use crate::diagnostic::Diagnostic;
use crate::frontend::{self, parse_expression};
use crate::replay::Replayer;
use crate::replay::guided::{self, GuidedInput};
use sha2::{Digest, Sha256};
use std::path::Path;
use std::sync::Arc;
use tandem_plugin_api::adapter::{ToolClaims, ToolFile};
use tandem_plugin_api::artifact::{Invariant, Invariants, TestCase};
use tandem_plugin_api::error::{PluginError, Result};
use tandem_plugin_api::program::{EdgeNames, LocationNames, Program};
use tandem_plugin_api::service::execution::Execution;
use tandem_plugin_api::service::{Scope, StopSignal};
use tandem_plugin_api::task::Task;

/// The text of the program's file, if the program has no parts beyond it. This is checked by reading the text again:
/// the program may have checks inserted, or the file may have changed.
pub fn source(program: &Program) -> Option<String> {
    if program.source_sha256.is_empty() {
        return None;
    }
    let text = std::fs::read_to_string(&program.name).ok()?;
    let needs_preprocessor = text.lines().any(|line| {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        directive.is_some_and(|word| ["include", "define", "if", "undef"].iter().any(|known| word.starts_with(known)))
    });
    if needs_preprocessor || hash(&text) != program.source_sha256 {
        return None;
    }
    let again = frontend::load(Path::new(&program.name), program.types.model).ok()?;
    let bytes = |program: &Program| postcard::to_stdvec(program).ok();
    (bytes(&again)? == bytes(program)?).then_some(text)
}

/// The claims of a witness or test about the program. `given` is what the tool got, if it is not the program's own
/// text.
pub fn read(task: &Task, given: Option<&str>, file: &ToolFile, stop: &StopSignal) -> Result<ToolClaims> {
    let name = &file.path;
    let text = std::str::from_utf8(&file.content)
        .map_err(|_| PluginError::bad_input(format!("{name}: is not text, and so neither a witness nor a test")))?;
    if text.trim_start_matches('\u{feff}').trim_start().starts_with('<') && text.contains("<testcase") {
        return test(task, &parse_test(text, name).map_err(bad)?, stop);
    }
    let document = Document::parse(text, name).map_err(bad)?;
    let got = match given {
        None => Got { program: Arc::clone(&task.program), sha256: task.program.source_sha256.clone(), own: true },
        Some(text) => Got::of(text, &task.program)?,
    };
    if let Some(objection) = document.objection(&got.program.name, &got.sha256) {
        return Err(PluginError::bad_input(format!("{name}: {objection}")));
    }
    if document.is_violation() { got.violation(&document, task, stop) } else { got.correctness(&document, name) }
}

/// A test as the program reads it: its texts get the types of the functions that return them.
fn test(task: &Task, test: &TestCase, stop: &StopSignal) -> Result<ToolClaims> {
    let mut claims = ToolClaims { violation: true, ..ToolClaims::default() };
    let Some(mut runner) = guided::runner(&task.program, &task.targets, stop) else {
        return Err(PluginError::unsupported("the program cannot be executed"));
    };
    let replayer = Replayer::new(&task.program);
    let run = replayer.run(&mut runner, test, &guided::LIMITS);
    claims.notes.extend(run.problem.map(|problem| problem.to_string()));
    claims.tests.push(replayer.recorded(runner.consumed()));
    Ok(claims)
}

fn bad(problem: Diagnostic) -> PluginError {
    PluginError::bad_input(problem.to_string().lines().collect::<Vec<_>>().join(" "))
}

fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The program as the tool got it.
struct Got {
    program: Arc<Program>,
    sha256: String,
    /// Whether it is the task's own program.
    own: bool,
}

impl Got {
    fn of(text: &str, program: &Program) -> Result<Self> {
        let read = frontend::load_text(text, &program.name, program.types.model);
        let read = read.map_err(|problem| {
            PluginError::unsupported(format!("the program that the tool got cannot be read again: {problem}"))
        })?;
        Ok(Got { program: Arc::new(read), sha256: hash(text), own: false })
    }

    /// A test of the named inputs. Both programs read the same inputs in the same order, wherever the calls stand.
    fn violation(&self, document: &Document, task: &Task, stop: &StopSignal) -> Result<ToolClaims> {
        let named: Vec<GuidedInput> = document.inputs(&self.program).into_iter().map(GuidedInput::from).collect();
        let targets = task.property.targets(&self.program);
        let mut claims = ToolClaims { violation: true, ..ToolClaims::default() };
        let misplaced = named.iter().filter(|input| input.edges.is_empty()).count();
        if misplaced > 0 {
            claims.notes.push(format!("{misplaced} of the inputs that it names are at places that read none"));
        }
        match guided::run(&self.program, &targets, &named, stop) {
            Some((exit, test)) => {
                let exit = exit.explained(&self.program);
                claims.notes.push(format!("a run with the {} inputs that it names: {exit}", named.len()));
                claims.tests.push(test);
            }
            None => claims.notes.push("the program cannot be executed".into()),
        }
        Ok(claims)
    }

    fn correctness(&self, document: &Document, name: &str) -> Result<ToolClaims> {
        let mut read = document.invariants(&self.program);
        if !self.own {
            let count = read.result.len();
            if count > 0 {
                read.notes.push(format!(
                    "its {count} invariants are about the program as it was printed for the tool, and are not used"
                ));
            }
            return Ok(ToolClaims { notes: read.notes, ..ToolClaims::default() });
        }
        let names = LocationNames::new(&self.program, &EdgeNames::new(&self.program));
        let mut kept = Invariants::new();
        for invariant in read.result.iter() {
            match readable(&self.program, &names, invariant) {
                Ok(()) => kept.insert(invariant.clone()),
                Err(why) => read.notes.push(format!("`{}` cannot be read: {why}", invariant.expression.text())),
            }
        }
        match read.notes.first() {
            // If all of it is about places and names that are not there, it was made for another program.
            Some(first) if kept.is_empty() => {
                Err(PluginError::bad_input(format!("{name}: the witness does not fit the program: {first}")))
            }
            _ => Ok(ToolClaims { invariants: kept, notes: read.notes, ..ToolClaims::default() }),
        }
    }
}

fn readable(program: &Program, names: &LocationNames, invariant: &Invariant) -> std::result::Result<(), String> {
    let at = names.location(&invariant.location).ok_or("its place is unknown")?;
    let read = parse_expression(program, invariant.expression.text(), Scope::Location(at));
    read.map(drop).map_err(|error| error.message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_plugin_api::program::DataModel;
    use tandem_plugin_api::task::Property;

    const LOOP: &str = "extern int __VERIFIER_nondet_int(void);\nvoid reach_error();\nint main(void) {\n  int i = 0;\n  \
                        while (i < 10)\n    i++;\n  if (i != 10)\n    reach_error();\n  return 0;\n}\n";

    fn written(text: &str) -> (tempfile::TempDir, std::path::PathBuf, Program) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("program.c");
        std::fs::write(&path, text).unwrap();
        let program = frontend::load(&path, DataModel::Ilp32).unwrap();
        (directory, path, program)
    }

    #[test]
    fn a_text_stands_for_its_own_program_only() {
        let (_directory, path, program) = written(LOOP);
        assert_eq!(source(&program).as_deref(), Some(LOOP));
        // A program with a check inserted keeps the name and the hash of its file.
        let mut other = program.clone();
        let head = other.loops[0].head;
        other.insert_call(head, "reach_error", Vec::new());
        assert_eq!(source(&other), None);
        std::fs::write(&path, LOOP.replace("10)\n    i", "11)\n    i")).unwrap();
        assert_eq!(source(&program), None, "the file has changed");
        let (_directory, _, program) = written(&format!("#define X 1\n{LOOP}"));
        assert_eq!(source(&program), None, "it needs a preprocessor");
    }

    fn claims(program: Program, given: Option<&str>, witness: &str) -> Result<ToolClaims> {
        let task = Task::new(Arc::new(program), Property::UnreachableCall { function: "reach_error".into() });
        let file = ToolFile { path: "witness.yml".into(), content: witness.as_bytes().to_vec() };
        read(&task, given, &file, &StopSignal::new())
    }

    fn witness(line: u32, value: &str, hash: &str) -> String {
        format!(
            "- entry_type: invariant_set\n  metadata:\n    format_version: '2.0'\n    task:\n      input_file_hashes: \
             {{ program.c: '{hash}' }}\n  content:\n    - invariant:\n        type: loop_invariant\n        location: \
             {{ file_name: program.c, line: {line}, function: main }}\n        value: '{value}'\n        format: c_expression\n"
        )
    }

    #[test]
    fn invariants_are_taken_where_they_fit() {
        let read = |line, value, hash: &str| claims(written(LOOP).2, None, &witness(line, value, hash));
        assert_eq!(read(5, "i <= 10", &hash(LOOP)).unwrap().invariants.len(), 1);
        assert!(read(4, "i <= 10", &hash(LOOP)).unwrap_err().message.contains("does not fit the program"));
        assert!(read(5, "j <= 10", &hash(LOOP)).unwrap_err().message.contains("`j <= 10` cannot be read"));
        assert!(read(5, "i <= 10", &hash("")).unwrap_err().message.contains("about another program"));
        // No invariants are taken over from a printed program, since its loops are elsewhere.
        let printed = format!("\n{LOOP}");
        let taken = claims(written(LOOP).2, Some(&printed), &witness(6, "i <= 10", &hash(&printed))).unwrap();
        assert!(taken.invariants.is_empty() && taken.notes[0].contains("not used"), "{taken:?}");
        assert!(claims(written(LOOP).2, None, "nonsense: [").is_err());
    }
}
