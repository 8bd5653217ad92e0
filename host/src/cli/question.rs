//! The question about a program: which program, which property, which data model, from the command line and a task
//! definition.

use crate::artifact::{property, task_definition};
use crate::compose::library::kind_by_extension;
use crate::diagnostic::Diagnostic;
use clap::ValueEnum;
use std::path::{Path, PathBuf};
use tandem_plugin_api::program::{DataModel, Program};
use tandem_plugin_api::task::Property;

/// A data model as users write it.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum DataModelName {
    /// int, long and pointers of 32 bits
    #[value(name = "ILP32")]
    Ilp32,
    /// int of 32 bits, long and pointers of 64 bits
    #[value(name = "LP64")]
    Lp64,
}

impl From<DataModelName> for DataModel {
    fn from(name: DataModelName) -> DataModel {
        match name {
            DataModelName::Ilp32 => DataModel::Ilp32,
            DataModelName::Lp64 => DataModel::Lp64,
        }
    }
}

/// The purpose of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A verdict: CHECK properties.
    Verdict,
    /// A test suite: COVER properties.
    Tests,
    /// Measuring a test suite for any property.
    Measuring,
}

impl Purpose {
    /// The problem with a property of the other kind, and the remedy.
    fn objection(self, property: &Property) -> Option<(&'static str, &'static str)> {
        match self {
            Purpose::Verdict if property.is_coverage() => {
                Some(("this is a property for test generation", "`tandem verify` takes CHECK properties"))
            }
            Purpose::Tests if !property.is_coverage() => {
                Some(("this is a property to verify", "`tandem test` takes COVER properties"))
            }
            _ => None,
        }
    }
}

/// The question; the property is chosen from the program if none is given.
#[derive(Debug)]
pub struct Question {
    pub program: PathBuf,
    pub property: Option<Property>,
    /// The data model, if one is given.
    pub data_model: Option<DataModel>,
}

impl Question {
    /// The data model, or that of SV-COMP.
    pub fn data_model_or_usual(&self) -> DataModel {
        self.data_model.unwrap_or(DataModel::Ilp32)
    }
}

/// Puts together the input of `file` (a program or a task) and of the command line; the command line has priority.
pub fn read(
    file: &Path,
    property_file: Option<&Path>,
    data_model: Option<DataModelName>,
    purpose: Purpose,
) -> Result<Question, Diagnostic> {
    let property = property_file.map(|path| read_property(path, purpose)).transpose()?;
    let data_model = data_model.map(DataModel::from);
    if !is_task(file) {
        refuse_other_kinds(file)?;
        return Ok(Question { program: file.to_path_buf(), property, data_model });
    }
    let task = task_definition::read(file)?;
    let [program] = task.input_files.as_slice() else {
        return Err(Diagnostic::new(format!("the task has {} input files", task.input_files.len()))
            .in_file(file.display().to_string())
            .help("only programs of one file can be read: merge them first"));
    };
    let property = match property {
        Some(property) => Some(property),
        None => property_of_task(file, &task.properties, purpose)?,
    };
    Ok(Question { program: program.clone(), property, data_model: data_model.or(task.data_model) })
}

/// Refuses a file of another kind in place of a C program, if its name shows the kind.
pub fn refuse_other_kinds(file: &Path) -> Result<(), Diagnostic> {
    let extension = file.extension().unwrap_or_default().to_string_lossy();
    let (kind, help) = match (&*extension, kind_by_extension(&extension)) {
        ("toml", _) => ("a configuration", "give it with -c, and a C file or a task definition as the file to verify"),
        ("prp", Some(kind)) => (kind, "give it with -p, and a C file or a task definition as the file to verify"),
        ("yml" | "yaml", Some(kind)) => (kind, "name the C file that it is about"),
        ("so", Some(kind)) => (kind, "name the directory of plugins with --plugin-dir"),
        _ => return Ok(()),
    };
    Err(Diagnostic::new(format!("this is {kind}, not a C file")).in_file(file.display().to_string()).help(help))
}

/// The property for a program if none is given, and a note for the user about the choice; `None` if the program has
/// nothing to check.
pub fn default_property(program: &Program, purpose: Purpose) -> Option<(Property, String)> {
    if purpose != Purpose::Verdict {
        return Some((Property::CoverBranches, "no coverage property was given: covering branches".to_string()));
    }
    let property = Property::usual(program).or_else(|| decided_property(program))?;
    let why = format!("no property was given: checking that {} never called", listed(property.functions()));
    Some((property, why))
}

/// A program that declares an error function is to be asked about it, even where constants decide that no run calls it.
fn decided_property(program: &Program) -> Option<Property> {
    let declared =
        ["reach_error", "__VERIFIER_error"].into_iter().find(|name| program.function_named(name).is_some())?;
    Some(Property::UnreachableCall { function: declared.to_string() })
}

/// The warning for a property that names only functions that the program does not have.
pub fn missing_functions(property: &Property, program: &Program) -> Option<String> {
    let names = property.functions();
    let is_there = |name: &String| program.function_named(name).is_some();
    if names.is_empty() || names.iter().any(is_there) {
        return None;
    }
    Some(format!("the program has no function {}, which the property names", names.join(", ")))
}

/// The reason for UNKNOWN for a program without a [`default_property`].
pub const NOTHING_TO_CHECK: &str = "nothing to check: no property was given, and the program declares neither reach_error nor __VERIFIER_error and has no assert that can fail";

/// The property of such a program where an answer needs one all the same.
pub fn trivial_property() -> Property {
    Property::UnreachableCall { function: "reach_error".to_string() }
}

/// `a is`, `a and b are`, `a, b and c are`.
fn listed(names: &[String]) -> String {
    match names {
        [] => "nothing is".to_string(),
        [one] => format!("{one} is"),
        [most @ .., last] => format!("{} and {last} are", most.join(", ")),
    }
}

/// Whether the file is a task definition, by its name.
pub fn is_task(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "yml" || extension == "yaml") && !file.is_dir()
}

fn read_property(path: &Path, purpose: Purpose) -> Result<Property, Diagnostic> {
    let read = property::read(path)?;
    let refuse = |message: &str, help: &str| {
        Err(Diagnostic::new(message).in_file(path.display().to_string()).help(help.to_string()))
    };
    if read.entry != "main" {
        return refuse(&format!("the program starts in `{}`", read.entry), "only `init(main())` is supported");
    }
    match purpose.objection(&read.property) {
        Some((message, help)) => refuse(message, help),
        None => Ok(read.property),
    }
}

/// The first property of the task that serves the purpose. If a verdict is wanted and there is no such property, the
/// first one's problem is reported; for tests, a task need not name a property.
fn property_of_task(
    file: &Path,
    properties: &[task_definition::TaskProperty],
    purpose: Purpose,
) -> Result<Option<Property>, Diagnostic> {
    let mut first_problem = None;
    for property in properties {
        match read_property(&property.file, purpose) {
            Ok(property) => return Ok(Some(property)),
            Err(problem) => first_problem = first_problem.or(Some(problem)),
        }
    }
    match first_problem {
        Some(_) if purpose != Purpose::Verdict => Ok(None),
        None => Ok(None),
        Some(problem) if properties.len() == 1 => Err(problem),
        Some(problem) => Err(Diagnostic::new(format!(
            "none of the task's {} properties can be verified; the first: {}",
            properties.len(),
            problem.message
        ))
        .in_file(file.display().to_string())
        .help("name a property with -p")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_property_about_a_function_that_is_not_there_is_noted() {
        let program =
            crate::frontend::load_text("void stop(void); int main(void) { stop(); }", "x.c", DataModel::Lp64).unwrap();
        let about = |function: &str| Property::UnreachableCall { function: function.to_string() };
        assert_eq!(missing_functions(&about("stop"), &program), None);
        let note = missing_functions(&about("reach_error"), &program).unwrap();
        assert_eq!(note, "the program has no function reach_error, which the property names");
    }

    #[test]
    fn the_command_line_wins_over_the_task() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            fs::write(folder.path().join(name), text).unwrap();
            folder.path().join(name)
        };
        let new = write("new.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
        write("old.prp", "CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )\n");
        write("overflow.prp", "CHECK( init(main()), LTL(G ! overflow) )\n");
        write("x.c", "");
        let task = write(
            "x.yml",
            "format_version: '2.0'\ninput_files: 'x.c'\nproperties:\n  - property_file: overflow.prp\n  \
             - property_file: old.prp\noptions:\n  language: C\n  data_model: LP64\n",
        );
        let function = |question: &Question| match &question.property {
            Some(Property::UnreachableCall { function }) => function.clone(),
            other => panic!("{other:?}"),
        };
        let question = read(&task, None, None, Purpose::Verdict).unwrap();
        assert_eq!((function(&question).as_str(), question.data_model), ("__VERIFIER_error", Some(DataModel::Lp64)));
        assert!(question.program.ends_with("x.c"));
        let question = read(&task, Some(&new), Some(DataModelName::Ilp32), Purpose::Verdict).unwrap();
        assert_eq!((function(&question).as_str(), question.data_model), ("reach_error", Some(DataModel::Ilp32)));
        let question = read(&folder.path().join("x.c"), None, None, Purpose::Verdict).unwrap();
        assert!(question.property.is_none());
        assert_eq!((question.data_model, question.data_model_or_usual()), (None, DataModel::Ilp32));
        // For a task without a coverage property, branches are covered.
        assert!(read(&task, None, None, Purpose::Tests).unwrap().property.is_none());
        let cover = write("cover.prp", "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )\n");
        let asked = |purpose| read(&task, Some(&cover), None, purpose);
        assert_eq!(asked(Purpose::Tests).unwrap().property, Some(Property::CoverBranches));
        assert!(asked(Purpose::Verdict).unwrap_err().message.contains("test generation"));
        assert!(read(&task, Some(&new), None, Purpose::Tests).unwrap_err().message.contains("to verify"));
        assert!(read(&task, Some(&new), None, Purpose::Measuring).unwrap().property.is_some());
    }
}
