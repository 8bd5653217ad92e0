//! Finds the tasks of an experiment: patterns, sets (`.set`) and task definitions become files with a property and the
//! expected verdict.

use super::definition::Selection;
use crate::artifact::{input, property, task_definition};
use crate::diagnostic::Diagnostic;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// Larger programs and sets are not read.
const LARGEST_FILE: u64 = 64 << 20;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The name in tables: its path, without parts that lead out of the experiment's folder.
    pub name: String,
    pub file: PathBuf,
    /// `None` where the program decides, as with C files.
    pub property: Option<PathBuf>,
    pub expected: Option<bool>,
    /// Of the contents of all files.
    pub hash: String,
}

/// The tasks, in the order of their names, and how many were left out since they do not have the property.
pub struct Found {
    pub tasks: Vec<Task>,
    pub without_property: usize,
}

pub fn find(selection: &Selection) -> Result<Found, Vec<Diagnostic>> {
    let mut files: BTreeMap<String, PathBuf> = BTreeMap::new();
    let mut problems = Vec::new();
    for pattern in &selection.include {
        match expand(&selection.folder, pattern) {
            Ok(found) => found.into_iter().map(short).for_each(|file| {
                let name = plain_name(&file, &selection.folder);
                // Two files that look the same from here keep their paths.
                let taken = files.get(&name).is_some_and(|other| *other != file);
                files.insert(if taken { file.display().to_string() } else { name }, file);
            }),
            Err(problem) => problems.push(problem),
        }
    }
    let excluded = selection.exclude.iter().filter_map(|pattern| match glob::Pattern::new(pattern) {
        Ok(pattern) => Some(pattern),
        Err(error) => {
            problems.push(bad_pattern(pattern, &error));
            None
        }
    });
    let excluded: Vec<glob::Pattern> = excluded.collect();
    files.retain(|name, file| {
        let base = file.file_name().unwrap_or_default().to_string_lossy();
        !excluded.iter().any(|pattern| pattern.matches(name) || pattern.matches(&base))
    });
    let mut found = Found { tasks: Vec::new(), without_property: 0 };
    for (name, file) in files.into_iter().step_by(selection.every.max(1)) {
        match task(name, file, selection) {
            Ok(Some(task)) => found.tasks.push(task),
            Ok(None) => found.without_property += 1,
            Err(problem) => problems.push(problem),
        }
    }
    if found.tasks.is_empty() && problems.is_empty() {
        let help = "check `include`, `exclude` and `property` in `[tasks]`, or name tasks with --tasks";
        problems.push(Diagnostic::new("the experiment has no tasks").help(help));
    }
    if problems.is_empty() { Ok(found) } else { Err(problems) }
}

fn bad_pattern(pattern: &str, error: &dyn std::fmt::Display) -> Diagnostic {
    Diagnostic::new(format!("`{pattern}` is not a file pattern: {error}")).help("use *, **, ? and [a-z]")
}

/// The files that a pattern stands for; sets are replaced by what they list.
fn expand(folder: &Path, pattern: &str) -> Result<Vec<PathBuf>, Diagnostic> {
    let mut files = Vec::new();
    for file in matches(folder, pattern)? {
        if file.extension().is_some_and(|extension| extension == "set") {
            let text = input::text(&file, LARGEST_FILE).map_err(|error| {
                Diagnostic::new(format!("the set cannot be read: {error}")).in_file(file.display().to_string())
            })?;
            let inside = file.parent().unwrap_or(Path::new(""));
            for (number, line) in text.lines().enumerate() {
                let line = line.trim();
                if line.is_empty() || line.starts_with('#') {
                    continue;
                }
                let listed = matches(inside, line).map_err(|problem| {
                    problem.in_file(file.display().to_string()).at(u32::try_from(number + 1).unwrap_or(u32::MAX), 1)
                })?;
                files.extend(listed);
            }
        } else {
            files.push(file);
        }
    }
    Ok(files)
}

fn matches(folder: &Path, pattern: &str) -> Result<Vec<PathBuf>, Diagnostic> {
    // A file may have brackets in its name.
    let exact = folder.join(pattern);
    if exact.is_file() {
        return Ok(vec![exact]);
    }
    let base = PathBuf::from(glob::Pattern::escape(&folder.to_string_lossy()));
    let paths = glob::glob(&base.join(pattern).to_string_lossy()).map_err(|error| bad_pattern(pattern, &error))?;
    let files: Vec<PathBuf> = paths.filter_map(Result::ok).filter(|path| path.is_file()).collect();
    if files.is_empty() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let help = format!("patterns are relative to `{}`", folder.display());
        return Err(Diagnostic::new(format!("no task matches `{pattern}`")).help(help));
    }
    Ok(files)
}

/// The same path without `x/..` in it, unless a link makes another file of that.
fn short(file: PathBuf) -> PathBuf {
    let mut parts = PathBuf::new();
    for component in file.components() {
        match (component, parts.components().next_back()) {
            (Component::ParentDir, Some(Component::Normal(_))) => {
                parts.pop();
            }
            _ => parts.push(component),
        }
    }
    let same = parts.canonicalize().ok().zip(file.canonicalize().ok()).is_some_and(|(one, other)| one == other);
    if same { parts } else { file }
}

/// The path seen from the experiment's folder, without `..` at its beginning.
fn plain_name(file: &Path, folder: &Path) -> String {
    let folder = short(folder.to_path_buf());
    let common = file.components().zip(folder.components()).take_while(|(one, other)| one == other).count();
    let mut parts: Vec<&std::ffi::OsStr> = Vec::new();
    for component in file.components().skip(common) {
        match component {
            Component::Normal(part) => parts.push(part),
            Component::ParentDir => {
                parts.pop();
            }
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    parts.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}

fn task(name: String, file: PathBuf, selection: &Selection) -> Result<Option<Task>, Diagnostic> {
    let extension = file.extension().unwrap_or_default().to_string_lossy().into_owned();
    if !["yml", "yaml", "c", "i"].contains(&&*extension) {
        let help = "tasks are `.yml`, `.c`, `.i` and `.set` files";
        return Err(Diagnostic::new("this is not a task").in_file(file.display().to_string()).help(help));
    }
    let mut hash = Sha256::new();
    let mut add = |path: &Path| {
        let bytes = input::bytes(path, LARGEST_FILE)
            .map_err(|error| Diagnostic::new(format!("cannot be read: {error}")).in_file(path.display().to_string()))?;
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
        Ok::<(), Diagnostic>(())
    };
    add(&file)?;
    let is_definition = extension.starts_with('y');
    let (property, expected) = if is_definition {
        let definition = task_definition::read(&file)?;
        definition.input_files.iter().try_for_each(|input| add(input))?;
        match choose(&definition.properties, selection) {
            Choice::Property(file, expected) => (Some(file), expected),
            Choice::Program => (None, None),
            Choice::LeaveOut => return Ok(None),
        }
    } else {
        (selection.property.as_ref().filter(|wanted| is_file(wanted)).map(|wanted| selection.folder.join(wanted)), None)
    };
    if let Some(property) = &property {
        add(property)?;
    }
    let hash = format!("{:x}", hash.finalize());
    Ok(Some(Task { name, file, property, expected, hash }))
}

enum Choice {
    Property(PathBuf, Option<bool>),
    /// The task names no property.
    Program,
    LeaveOut,
}

fn is_file(property: &str) -> bool {
    property.ends_with(".prp")
}

/// The property that is asked for, or the first that can be verified.
fn choose(properties: &[task_definition::TaskProperty], selection: &Selection) -> Choice {
    let found = match &selection.property {
        Some(wanted) => {
            let wanted = Path::new(wanted).file_stem().unwrap_or_default();
            properties.iter().find(|property| property.file.file_stem() == Some(wanted))
        }
        None if properties.is_empty() => return Choice::Program,
        None => {
            let verifiable = |file: &Path| property::read(file).is_ok_and(|read| !read.property.is_coverage());
            properties.iter().find(|property| verifiable(&property.file)).or(properties.first())
        }
    };
    found.map_or(Choice::LeaveOut, |property| Choice::Property(property.file.clone(), property.expected))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("p/unreach-call.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
        write("p/cover.prp", "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )\n");
        for name in ["a", "b", "c", "d", "e"] {
            write(&format!("t/{name}.c"), "int main(void) { return 0; }\n");
            let rest =
                if name == "e" { "" } else { "  - property_file: ../p/unreach-call.prp\n    expected_verdict: true\n" };
            let text = format!(
                "format_version: '2.0'\ninput_files: '{name}.c'\nproperties:\n  - property_file: ../p/cover.prp\n{rest}"
            );
            write(&format!("t/{name}.yml"), &text);
        }
        write("x/all.set", "# two\n../t/[ab].yml\n\n../t/d.yml\n");
        folder
    }

    fn names(folder: &Path, include: &[&str], change: impl FnOnce(&mut Selection)) -> Vec<String> {
        let include = include.iter().map(|pattern| pattern.to_string()).collect();
        let mut selection = Selection { folder: folder.to_path_buf(), include, every: 1, ..Selection::default() };
        change(&mut selection);
        match find(&selection) {
            Ok(found) => found.tasks.into_iter().map(|task| task.name).collect(),
            Err(problems) => problems.into_iter().map(|problem| problem.message).collect(),
        }
    }

    #[test]
    fn patterns_sets_and_choices() {
        let folder = folder();
        let root = folder.path();
        let property = |selection: &mut Selection| selection.property = Some("unreach-call".into());
        assert_eq!(names(root, &["t/*.yml"], property), ["t/a.yml", "t/b.yml", "t/c.yml", "t/d.yml"]);
        assert_eq!(names(root, &["x/all.set", "t/a.yml"], |_| ()), ["t/a.yml", "t/b.yml", "t/d.yml"]);
        assert_eq!(names(&root.join("x"), &["../t/*.c"], |s| s.every = 2), ["t/a.c", "t/c.c", "t/e.c"]);
        assert_eq!(names(root, &["t/*.c"], |s| s.exclude = vec!["[b-d].c".into()]), ["t/a.c", "t/e.c"]);
        assert_eq!(names(root, &["t/z*"], |_| ()), ["no task matches `t/z*`"]);
        assert_eq!(names(root, &["p/*"], |_| ()), ["this is not a task", "this is not a task"]);
        assert_eq!(names(root, &[], |_| ()), ["the experiment has no tasks"]);
    }

    #[test]
    fn what_is_expected_comes_from_the_property_that_is_checked() {
        let folder = folder();
        let include = vec!["t/a.yml".to_string()];
        let selection = Selection { folder: folder.path().into(), include, every: 1, ..Selection::default() };
        let before = find(&selection).unwrap().tasks.remove(0);
        assert_eq!(before.expected, Some(true));
        assert!(before.property.as_ref().unwrap().ends_with("unreach-call.prp"));
        fs::write(folder.path().join("t/a.c"), "int main(void) { return 1; }\n").unwrap();
        assert_ne!(find(&selection).unwrap().tasks.remove(0).hash, before.hash);
    }
}
