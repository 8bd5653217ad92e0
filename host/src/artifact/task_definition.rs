//! Task definitions (`.yml`, format versions 1.0, 2.0 and 2.1): input files, properties, data model.
//! Format: <https://gitlab.com/sosy-lab/benchmarking/task-definition-format>; its reader is BenchExec's `model.py`.

use super::input;
use crate::diagnostic::Diagnostic;
use saphyr::{LoadableYamlNode, MarkedYaml, Scalar, YamlData};
use std::path::{Path, PathBuf};
use tandem_plugin_api::program::DataModel;

/// Real ones have ten lines.
const MAX_BYTES: u64 = 256 << 10;
const VERSIONS: [&str; 3] = ["1.0", "2.0", "2.1"];
const KEYS: [&str; 6] =
    ["format_version", "input_files", "required_files", "properties", "options", "additional_information"];
const PROPERTY_KEYS: [&str; 3] = ["property_file", "expected_verdict", "subproperty"];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskDefinition {
    /// In the order of the file; those of one pattern by name.
    pub input_files: Vec<PathBuf>,
    pub properties: Vec<TaskProperty>,
    /// Only from version 2.0 on.
    pub data_model: Option<DataModel>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskProperty {
    pub file: PathBuf,
    /// The expected verdict; `None` for coverage properties.
    pub expected: Option<bool>,
}

type Node<'a> = MarkedYaml<'a>;

/// Reads a task definition. Its paths are relative to it; the result's are relative to the working directory.
pub fn read(path: &Path) -> Result<TaskDefinition, Diagnostic> {
    let file = path.display().to_string();
    let unreadable = |what: String| {
        Diagnostic::new(format!("the task definition cannot be read: {what}")).in_file(&file).help("check the path")
    };
    let text = input::text(path, MAX_BYTES).map_err(unreadable)?;
    parse(&text, &file, path.parent().unwrap_or(Path::new("")))
}

/// Reads the text of a task definition named `file` whose paths are relative to `folder`.
pub fn parse(text: &str, file: &str, folder: &Path) -> Result<TaskDefinition, Diagnostic> {
    Reader { file, folder }.task(text)
}

struct Reader<'a> {
    file: &'a str,
    folder: &'a Path,
}

impl Reader<'_> {
    fn task(&self, text: &str) -> Result<TaskDefinition, Diagnostic> {
        self.check_nesting(text)?;
        let documents = MarkedYaml::load_from_str(text).map_err(|error| {
            let place = error.marker();
            Diagnostic::new(format!("this is not YAML: {}", error.info()))
                .in_file(self.file)
                .at(place.line() as u32, place.col() as u32 + 1)
                .help("check indentation, quotes and brackets")
        })?;
        let [root] = documents.as_slice() else {
            let what = if documents.is_empty() { "the file is empty" } else { "the file holds several YAML documents" };
            return Err(Diagnostic::new(what).in_file(self.file).help("a task definition is one YAML document"));
        };
        let entries = self.mapping(root, "a task definition")?;
        let version = self.version(&entries, root)?;
        for (key, name, _) in &entries {
            if !KEYS.contains(name) {
                let help = format!("known keys are {}", KEYS.join(", "));
                return Err(self.at(key, format!("unknown key '{name}'")).help(help));
            }
            if *name == "additional_information" && version != "2.1" {
                let message = format!("'additional_information' is not part of format version {version}");
                return Err(self.at(key, message).help("set format_version to '2.1', or remove the key"));
            }
        }
        let value = |name: &str| entries.iter().find(|(_, key, _)| *key == name).map(|(_, _, value)| *value);
        let inputs = value("input_files")
            .ok_or_else(|| self.at(root, "the key 'input_files' is missing").help("add `input_files: 'program.c'`"))?;
        Ok(TaskDefinition {
            input_files: self.input_files(inputs)?,
            properties: value("properties").map_or(Ok(Vec::new()), |list| self.properties(list))?,
            data_model: value("options").map_or(Ok(None), |options| self.data_model(options))?,
        })
    }

    fn at(&self, node: &Node, message: impl Into<String>) -> Diagnostic {
        let start = node.span.start;
        Diagnostic::new(message).in_file(self.file).at(start.line() as u32, start.col() as u32 + 1)
    }

    /// The YAML library recurses when it drops a document.
    fn check_nesting(&self, text: &str) -> Result<(), Diagnostic> {
        let opened = text.bytes().filter(|byte| matches!(byte, b'[' | b'{')).count();
        let indented = text.lines().map(|line| line.len() - line.trim_start_matches([' ', '-', '?', ':']).len()).max();
        if opened > 2_000 || indented.unwrap_or(0) > 2_000 {
            return Err(Diagnostic::new("the file is nested too deeply")
                .in_file(self.file)
                .help("is this a task definition?"));
        }
        Ok(())
    }

    /// The entries of a mapping with string keys, in order: key, its text, value.
    fn mapping<'n>(
        &self,
        node: &'n Node,
        what: &str,
    ) -> Result<Vec<(&'n Node<'n>, &'n str, &'n Node<'n>)>, Diagnostic> {
        let YamlData::Mapping(mapping) = &node.data else {
            return Err(self
                .at(node, format!("expected {what}, that is, lines `key: value`"))
                .help("see the format's documentation"));
        };
        let entries = mapping.iter().map(|(key, value)| match key.data.as_str() {
            Some(name) => Ok((key, name, value)),
            None => Err(self.at(key, "expected a name as key").help("write `key: value`")),
        });
        entries.collect()
    }

    fn string<'n>(&self, node: &'n Node, what: &str) -> Result<&'n str, Diagnostic> {
        let text = node.data.as_str().filter(|text| !text.is_empty());
        text.ok_or_else(|| self.at(node, format!("expected {what}")).help("write it as a string in quotes"))
    }

    fn version(&self, entries: &[(&Node, &str, &Node)], root: &Node) -> Result<&'static str, Diagnostic> {
        let help = format!("supported are {}", VERSIONS.map(|version| format!("'{version}'")).join(", "));
        let Some((_, _, node)) = entries.iter().find(|(_, name, _)| *name == "format_version") else {
            return Err(self.at(root, "the key 'format_version' is missing").help(help));
        };
        let text = match &node.data {
            YamlData::Value(Scalar::String(text)) => text.to_string(),
            // An unquoted version is a number.
            YamlData::Value(Scalar::FloatingPoint(number)) => format!("{:?}", number.into_inner()),
            YamlData::Value(Scalar::Integer(number)) => number.to_string(),
            _ => String::new(),
        };
        let known = VERSIONS.into_iter().find(|version| *version == text);
        known.ok_or_else(|| self.at(node, format!("format version '{text}' is not supported")).help(help))
    }

    fn input_files(&self, node: &Node) -> Result<Vec<PathBuf>, Diagnostic> {
        let mut files = Vec::new();
        match &node.data {
            YamlData::Sequence(patterns) => {
                for pattern in patterns {
                    files.extend(self.matches(pattern)?);
                }
            }
            _ => files.extend(self.matches(node)?),
        }
        if files.is_empty() {
            return Err(self.at(node, "the list of input files is empty").help("add `input_files: 'program.c'`"));
        }
        Ok(files)
    }

    /// The files that a pattern stands for, at least one.
    fn matches(&self, node: &Node) -> Result<Vec<PathBuf>, Diagnostic> {
        let pattern = self.string(node, "the name of a file")?;
        // A file may have brackets in its name.
        let exact = self.folder.join(pattern);
        if exact.exists() {
            return Ok(vec![exact]);
        }
        let missing = || {
            let message = format!("no file matches '{pattern}'");
            self.at(node, message).help(format!("paths are relative to '{}'", self.folder.join(".").display()))
        };
        if !pattern.contains(['*', '?', '[']) {
            return Err(missing());
        }
        let folder = glob::Pattern::escape(&self.folder.to_string_lossy());
        let absolute = Path::new(&folder).join(pattern);
        let paths = glob::glob(&absolute.to_string_lossy()).map_err(|error| {
            self.at(node, format!("'{pattern}' is not a file pattern: {error}")).help("use *, ? and [a-z] only")
        })?;
        let mut files: Vec<PathBuf> = paths.filter_map(Result::ok).collect();
        files.sort();
        if files.is_empty() { Err(missing()) } else { Ok(files) }
    }

    fn properties(&self, node: &Node) -> Result<Vec<TaskProperty>, Diagnostic> {
        if node.data.is_null() {
            return Ok(Vec::new());
        }
        let YamlData::Sequence(list) = &node.data else {
            return Err(self
                .at(node, "expected a list of properties")
                .help("write `- property_file: unreach-call.prp`"));
        };
        list.iter().map(|entry| self.property(entry)).collect()
    }

    fn property(&self, node: &Node) -> Result<TaskProperty, Diagnostic> {
        let mut file = None;
        let mut expected = None;
        for (key, name, value) in self.mapping(node, "a property")? {
            match name {
                "property_file" => file = Some(self.folder.join(self.string(value, "the name of a property file")?)),
                "expected_verdict" => {
                    let verdict = value.data.as_bool();
                    expected = Some(verdict.ok_or_else(|| {
                        self.at(value, "expected true or false").help("leave the key out if the verdict is not known")
                    })?);
                }
                _ if PROPERTY_KEYS.contains(&name) => {}
                _ => {
                    let help = format!("known keys are {}", PROPERTY_KEYS.join(", "));
                    return Err(self.at(key, format!("unknown key '{name}'")).help(help));
                }
            }
        }
        let file = file.ok_or_else(|| {
            self.at(node, "the key 'property_file' is missing").help("write `- property_file: unreach-call.prp`")
        })?;
        Ok(TaskProperty { file, expected })
    }

    fn data_model(&self, options: &Node) -> Result<Option<DataModel>, Diagnostic> {
        if options.data.is_null() {
            return Ok(None);
        }
        let mut model = None;
        for (_, name, value) in self.mapping(options, "the options of the task")? {
            match name {
                "language" if value.data.as_str() != Some("C") => {
                    return Err(self
                        .at(value, "the task is not in C")
                        .help("only tasks with `language: C` are supported"));
                }
                "data_model" => {
                    model = Some(match value.data.as_str() {
                        Some("ILP32") => DataModel::Ilp32,
                        Some("LP64") => DataModel::Lp64,
                        _ => {
                            return Err(self.at(value, "expected a data model").help("it is ILP32 or LP64"));
                        }
                    });
                }
                _ => {}
            }
        }
        Ok(model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with the files that the tests name.
    fn folder() -> tempfile::TempDir {
        let folder = tempfile::Builder::new().prefix("task[1]").tempdir().unwrap();
        for name in ["a.c", "b2.c", "b1.c", "odd[x].c"] {
            std::fs::write(folder.path().join(name), "int x;").unwrap();
        }
        std::fs::create_dir(folder.path().join("sub")).unwrap();
        std::fs::write(folder.path().join("sub/c.c"), "int x;").unwrap();
        folder
    }

    fn names(task: &TaskDefinition, folder: &Path) -> Vec<String> {
        let name = |file: &PathBuf| file.strip_prefix(folder).unwrap().display().to_string();
        task.input_files.iter().map(name).collect()
    }

    #[test]
    fn every_version_and_spelling() {
        let folder = folder();
        let root = folder.path();
        for version in ["'1.0'", "1.0", "\"2.0\"", "2.0", "'2.1'", "2.1"] {
            let text = format!("format_version: {version}\ninput_files: 'a.c'\n");
            let task = parse(&text, "t.yml", root).unwrap();
            assert_eq!(names(&task, root), ["a.c"], "{version}");
            assert_eq!((task.properties.len(), task.data_model), (0, None));
        }
        let text = "# a task\nformat_version: '2.1'\ninput_files:\n  - a.c\n  - 'b?.c'\n  - sub/*.c\nrequired_files: [x.h]\n\
            properties:\n  - property_file: ../p/unreach-call.prp\n    expected_verdict: false\n    subproperty: x\n  \
            - property_file: /abs/cover.prp\noptions:\n  language: C\n  data_model: LP64\n  other: [1, {a: b}]\n\
            additional_information:\n  origin: {by: us}\n";
        let task = parse(text, "t.yml", root).unwrap();
        assert_eq!(names(&task, root), ["a.c", "b1.c", "b2.c", "sub/c.c"]);
        assert_eq!(task.data_model, Some(DataModel::Lp64));
        assert_eq!(
            task.properties,
            [
                TaskProperty { file: root.join("../p/unreach-call.prp"), expected: Some(false) },
                TaskProperty { file: "/abs/cover.prp".into(), expected: None },
            ]
        );
    }

    #[test]
    fn a_name_with_brackets_is_a_name_first() {
        let folder = folder();
        let text = "format_version: '2.0'\ninput_files: ['odd[x].c', '[ab].c']\n";
        let task = parse(text, "t.yml", folder.path()).unwrap();
        assert_eq!(names(&task, folder.path()), ["odd[x].c", "a.c"]);
    }

    #[test]
    fn mistakes_are_placed() {
        let folder = folder();
        let head = "format_version: '2.0'\ninput_files: a.c\n";
        for (text, line, column, part) in [
            ("input_files: a.c\n".to_owned(), 1, 1, "'format_version' is missing"),
            ("format_version: '3.0'\ninput_files: a.c\n".to_owned(), 1, 17, "'3.0' is not supported"),
            ("format_version: 2\ninput_files: a.c\n".to_owned(), 1, 17, "'2' is not supported"),
            ("format_version: '2.0'\n".to_owned(), 1, 1, "'input_files' is missing"),
            ("format_version: '2.0'\ninput_files: [a.c, z.c]\n".to_owned(), 2, 20, "no file matches 'z.c'"),
            ("format_version: '2.0'\ninput_files: 'z*.c'\n".to_owned(), 2, 14, "no file matches 'z*.c'"),
            ("format_version: '2.0'\ninput_files: []\n".to_owned(), 2, 14, "empty"),
            ("format_version: '2.0'\ninput_files: {a: b}\n".to_owned(), 2, 14, "expected the name of a file"),
            (format!("{head}propertys: []\n"), 3, 1, "unknown key 'propertys'"),
            (format!("{head}additional_information: x\n"), 3, 1, "not part of format version 2.0"),
            (format!("{head}properties: x\n"), 3, 13, "expected a list"),
            (format!("{head}properties:\n  - expected_verdict: true\n"), 4, 5, "'property_file' is missing"),
            (format!("{head}properties:\n  - property_file: p\n    expected_verdict: maybe\n"), 5, 23, "true or false"),
            (format!("{head}properties:\n  - property_file: p\n    verdict: true\n"), 5, 5, "unknown key 'verdict'"),
            (format!("{head}options:\n  data_model: LP128\n"), 4, 15, "expected a data model"),
            (format!("{head}options:\n  language: Java\n"), 4, 13, "not in C"),
            (format!("{head}options: [1\n"), 4, 1, "not YAML"),
            ("[1, 2]\n".to_owned(), 1, 1, "expected a task definition"),
        ] {
            let problem = parse(&text, "t.yml", folder.path()).unwrap_err();
            assert!(problem.message.contains(part), "{text}: {problem}");
            assert_eq!((problem.line, problem.column), (Some(line), Some(column)), "{text}: {problem}");
            assert!(problem.help.is_some() && problem.file.as_deref() == Some("t.yml"));
        }
        for text in ["", "# nothing\n", "a: 1\n---\nb: 2\n", &"[".repeat(100_000), &"- ".repeat(100_000)] {
            assert!(parse(text, "t.yml", folder.path()).is_err());
        }
        assert!(read(Path::new("/no/such/task.yml")).unwrap_err().message.contains("cannot be read"));
    }
}
