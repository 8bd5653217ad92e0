//! Witnesses in the YAML format, versions 2.0 and 2.1: invariant sets and violation sequences, read and written.

use super::{
    Action, Constraint, Entry, EntryContent, InvariantType, Metadata, Position, Segment, Waypoint, WaypointType,
    Witness, WitnessInvariant,
};
use crate::diagnostic::{Diagnostic, did_you_mean};
use saphyr::{LoadableYamlNode, MarkedYaml, Scalar, YamlData};
use std::fmt::Write;
use tandem_plugin_api::program::DataModel;

type Node<'a> = MarkedYaml<'a>;

const INVARIANT_TYPES: [(&str, InvariantType); 5] = [
    ("loop_invariant", InvariantType::Loop),
    ("location_invariant", InvariantType::Location),
    ("loop_transition_invariant", InvariantType::LoopTransition),
    ("location_transition_invariant", InvariantType::LocationTransition),
    ("function_contract", InvariantType::FunctionContract),
];
const WAYPOINT_TYPES: [(&str, WaypointType); 5] = [
    ("assumption", WaypointType::Assumption),
    ("branching", WaypointType::Branching),
    ("function_enter", WaypointType::FunctionEnter),
    ("function_return", WaypointType::FunctionReturn),
    ("target", WaypointType::Target),
];
const ACTIONS: [(&str, Action); 3] = [("follow", Action::Follow), ("avoid", Action::Avoid), ("cycle", Action::Cycle)];

/// Reads the text of a witness; `file` is its name, for messages.
pub fn parse(text: &str, file: &str) -> Result<Witness, Diagnostic> {
    Reader { file }.witness(text)
}

struct Reader<'a> {
    file: &'a str,
}

impl Reader<'_> {
    fn witness(&self, text: &str) -> Result<Witness, Diagnostic> {
        self.check_nesting(text)?;
        let documents = MarkedYaml::load_from_str(text).map_err(|error| {
            let place = error.marker();
            Diagnostic::new(format!("this is not YAML: {}", error.info()))
                .in_file(self.file)
                .at(place.line() as u32, place.col() as u32 + 1)
                .help("is the file cut off? check indentation, quotes and brackets")
        })?;
        let [root] = documents.as_slice() else {
            let what = if documents.is_empty() { "the file is empty" } else { "the file holds several YAML documents" };
            return Err(Diagnostic::new(what).in_file(self.file).help("a witness is one list of entries"));
        };
        let entries = self.list(root, "a list of entries")?;
        let entries = entries.iter().map(|entry| self.entry(entry)).collect::<Result<Vec<_>, _>>()?;
        if !entries.iter().any(|entry| !matches!(entry.content, EntryContent::Other(_))) {
            let message = "the file holds neither an `invariant_set` nor a `violation_sequence`";
            return Err(self.at(root, message).help("only these say what can be used"));
        }
        Ok(Witness { entries })
    }

    /// The YAML library recurses when it drops a document.
    fn check_nesting(&self, text: &str) -> Result<(), Diagnostic> {
        let deepest = |line: &str| {
            let indented = line.len() - line.trim_start_matches([' ', '-', '?', ':']).len();
            indented.max(line.bytes().filter(|byte| matches!(byte, b'[' | b'{')).count())
        };
        if text.lines().map(deepest).max().unwrap_or(0) > 2_000 || text.bytes().filter(|b| *b == b'{').count() > 100_000
        {
            return Err(Diagnostic::new("the file is nested too deeply").in_file(self.file).help("is this a witness?"));
        }
        Ok(())
    }

    fn at(&self, node: &Node, message: impl Into<String>) -> Diagnostic {
        let start = node.span.start;
        Diagnostic::new(message).in_file(self.file).at(start.line() as u32, start.col() as u32 + 1)
    }

    fn list<'n>(&self, node: &'n Node, what: &str) -> Result<&'n [Node<'n>], Diagnostic> {
        match &node.data {
            YamlData::Sequence(list) => Ok(list),
            _ => Err(self.at(node, format!("expected {what}")).help("write it as lines that begin with `-`")),
        }
    }

    /// The value of a key in a mapping.
    fn get<'n>(&self, node: &'n Node, key: &str) -> Result<Option<&'n Node<'n>>, Diagnostic> {
        let YamlData::Mapping(mapping) = &node.data else {
            let problem = self.at(node, format!("expected lines `key: value`, with `{key}` among them"));
            return Err(problem.help("see the format's documentation"));
        };
        Ok(mapping.iter().find(|(name, _)| name.data.as_str() == Some(key)).map(|(_, value)| value))
    }

    fn required<'n>(&self, node: &'n Node, key: &str) -> Result<&'n Node<'n>, Diagnostic> {
        let missing = || self.at(node, format!("the key `{key}` is missing")).help("add it: the format requires it");
        self.get(node, key)?.ok_or_else(missing)
    }

    /// Scalars are texts, whatever YAML takes them for.
    fn text(&self, node: &Node) -> Result<String, Diagnostic> {
        match &node.data {
            YamlData::Value(Scalar::String(text)) => Ok(text.to_string()),
            YamlData::Value(Scalar::Integer(number)) => Ok(number.to_string()),
            YamlData::Value(Scalar::FloatingPoint(number)) => Ok(format!("{:?}", number.into_inner())),
            YamlData::Value(Scalar::Boolean(value)) => Ok(value.to_string()),
            _ => Err(self.at(node, "expected a text").help("write it in quotes")),
        }
    }

    fn required_text(&self, node: &Node, key: &str) -> Result<String, Diagnostic> {
        self.text(self.required(node, key)?)
    }

    fn optional_text(&self, node: &Node, key: &str) -> Result<Option<String>, Diagnostic> {
        self.get(node, key)?.map(|value| self.text(value)).transpose()
    }

    fn one_of<T: Copy>(&self, node: &Node, key: &str, known: &[(&str, T)]) -> Result<T, Diagnostic> {
        let value = self.required(node, key)?;
        let text = self.text(value)?;
        if let Some((_, found)) = known.iter().find(|(name, _)| *name == text) {
            return Ok(*found);
        }
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        let near = did_you_mean(&text, names.iter().copied());
        let help = near.map_or(format!("known are {}", names.join(", ")), |near| format!("did you mean `{near}`?"));
        Err(self.at(value, format!("`{text}` is not a known {key}")).help(help))
    }

    fn entry(&self, node: &Node) -> Result<Entry, Diagnostic> {
        let content = self.get(node, "content")?;
        let kind = self.required_text(node, "entry_type")?;
        let content = match kind.as_str() {
            "invariant_set" => {
                let list = self.list(content.ok_or_else(|| self.no_content(node))?, "a list of invariants")?;
                EntryContent::Invariants(list.iter().map(|item| self.invariant(item)).collect::<Result<_, _>>()?)
            }
            "violation_sequence" => {
                let list = self.list(content.ok_or_else(|| self.no_content(node))?, "a list of segments")?;
                EntryContent::Violation(self.segments(list)?)
            }
            _ => EntryContent::Other(kind),
        };
        Ok(Entry { metadata: self.metadata(self.required(node, "metadata")?)?, content })
    }

    fn no_content(&self, node: &Node) -> Diagnostic {
        self.at(node, "the key `content` is missing").help("add it: the format requires it")
    }

    fn metadata(&self, node: &Node) -> Result<Metadata, Diagnostic> {
        let version = self.required(node, "format_version")?;
        let format_version = self.text(version)?;
        if !["2.0", "2.1"].contains(&format_version.as_str()) {
            let message = format!("version {format_version} of the format is not known");
            return Err(self.at(version, message).help("versions 2.0 and 2.1 are"));
        }
        let mut metadata = Metadata {
            format_version,
            uuid: self.optional_text(node, "uuid")?.unwrap_or_default(),
            creation_time: self.optional_text(node, "creation_time")?.unwrap_or_default(),
            ..Metadata::default()
        };
        if let Some(producer) = self.get(node, "producer")? {
            metadata.producer = self.optional_text(producer, "name")?.unwrap_or_default();
            metadata.producer_version = self.optional_text(producer, "version")?.unwrap_or_default();
        }
        if let Some(task) = self.get(node, "task")? {
            self.task(task, &mut metadata)?;
        }
        Ok(metadata)
    }

    fn task(&self, task: &Node, metadata: &mut Metadata) -> Result<(), Diagnostic> {
        if let Some(files) = self.get(task, "input_files")? {
            let files = self.list(files, "a list of files")?;
            metadata.input_files = files.iter().map(|file| self.text(file)).collect::<Result<_, _>>()?;
        }
        if let Some(hashes) = self.get(task, "input_file_hashes")? {
            let YamlData::Mapping(mapping) = &hashes.data else {
                return Err(self.at(hashes, "expected lines `file: hash`").help("see the format's documentation"));
            };
            for (file, hash) in mapping {
                metadata.input_file_hashes.push((self.text(file)?, self.text(hash)?));
            }
        }
        metadata.specification = self.optional_text(task, "specification")?.unwrap_or_default().trim().to_string();
        metadata.language = self.optional_text(task, "language")?.unwrap_or_default();
        metadata.data_model = match self.optional_text(task, "data_model")?.as_deref() {
            Some("ILP32") => Some(DataModel::Ilp32),
            Some("LP64") => Some(DataModel::Lp64),
            _ => None,
        };
        Ok(())
    }

    fn position(&self, node: &Node) -> Result<Position, Diagnostic> {
        let number = |key: &str| -> Result<Option<u32>, Diagnostic> {
            let Some(value) = self.get(node, key)? else { return Ok(None) };
            let read = self.text(value)?.parse::<u32>().ok().filter(|number| *number > 0);
            let wrong =
                || self.at(value, format!("`{key}` is not a number from 1 on")).help("lines and columns count from 1");
            read.map(Some).ok_or_else(wrong)
        };
        let line = number("line")?.ok_or_else(|| self.at(node, "the key `line` is missing").help("add it"))?;
        Ok(Position {
            file: self.optional_text(node, "file_name")?.unwrap_or_default(),
            line,
            column: number("column")?,
            function: self.optional_text(node, "function")?,
        })
    }

    fn invariant(&self, node: &Node) -> Result<WitnessInvariant, Diagnostic> {
        let node = self.required(node, "invariant")?;
        let kind = self.one_of(node, "type", &INVARIANT_TYPES)?;
        let contract = kind == InvariantType::FunctionContract;
        Ok(WitnessInvariant {
            kind,
            position: self.position(self.required(node, "location")?)?,
            value: if contract { String::new() } else { self.required_text(node, "value")? },
            format: self.optional_text(node, "format")?.unwrap_or_else(|| "c_expression".into()),
            requires: self.optional_text(node, "requires")?,
            ensures: self.optional_text(node, "ensures")?,
        })
    }

    fn segments(&self, list: &[Node<'_>]) -> Result<Vec<Segment>, Diagnostic> {
        let mut segments = Vec::new();
        for node in list {
            let waypoints = self.list(self.required(node, "segment")?, "a list of waypoints")?;
            let read = waypoints.iter().map(|waypoint| self.waypoint(waypoint)).collect::<Result<Vec<_>, _>>()?;
            let follows = read.iter().filter(|waypoint| waypoint.action != Action::Avoid).count();
            if follows != 1 || read.last().is_none_or(|last| last.action == Action::Avoid) {
                let message = format!("a segment has {follows} waypoints to follow; it needs one, at its end");
                return Err(self.at(node, message).help("put waypoints with `action: avoid` before it"));
            }
            segments.push(Segment { waypoints: read });
        }
        let Some(last) = segments.last() else {
            return Err(Diagnostic::new("the violation has no segments")
                .in_file(self.file)
                .help("add at least the target"));
        };
        let ends = |segment: &Segment| segment.waypoints.iter().any(|w| w.kind == WaypointType::Target);
        let cycles = last.waypoints.iter().any(|w| w.action == Action::Cycle);
        if segments.iter().filter(|segment| ends(segment)).count() != usize::from(!cycles) || !(ends(last) || cycles) {
            let problem = Diagnostic::new("a violation needs one target, in its last segment").in_file(self.file);
            return Err(problem.help("see the format's documentation"));
        }
        Ok(segments)
    }

    fn waypoint(&self, node: &Node) -> Result<Waypoint, Diagnostic> {
        let node = self.required(node, "waypoint")?;
        let constraint = self.get(node, "constraint")?.map(|constraint| {
            let (value, format) = (self.required_text(constraint, "value")?, self.optional_text(constraint, "format")?);
            Ok::<_, Diagnostic>(Constraint { value, format })
        });
        Ok(Waypoint {
            kind: self.one_of(node, "type", &WAYPOINT_TYPES)?,
            action: self.one_of(node, "action", &ACTIONS)?,
            constraint: constraint.transpose()?,
            position: self.position(self.required(node, "location")?)?,
            callee: None,
        })
    }
}

/// A text in double quotes; those of JSON mean the same in YAML.
fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

fn name_of<T: PartialEq + Copy>(known: &[(&'static str, T)], wanted: T) -> &'static str {
    known.iter().find(|(_, value)| *value == wanted).map_or("", |(name, _)| name)
}

fn head(entry_type: &str, metadata: &Metadata) -> String {
    let m = metadata;
    let mut text = format!(
        "- entry_type: {}\n  metadata:\n    format_version: {}\n    uuid: {}\n    creation_time: {}\n    producer:\n      \
         name: {}\n      version: {}\n    task:\n      input_files:\n",
        quoted(entry_type),
        quoted(&m.format_version),
        quoted(&m.uuid),
        quoted(&m.creation_time),
        quoted(&m.producer),
        quoted(&m.producer_version)
    );
    for file in &m.input_files {
        let _ = writeln!(text, "        - {}", quoted(file));
    }
    text.push_str("      input_file_hashes:\n");
    for (file, hash) in &m.input_file_hashes {
        let _ = writeln!(text, "        {}: {}", quoted(file), quoted(hash));
    }
    let model = m.data_model.map_or("ILP32", DataModel::name);
    let _ = write!(
        text,
        "      specification: {}\n      data_model: {}\n      language: {}\n",
        quoted(&m.specification),
        quoted(model),
        quoted(&m.language)
    );
    text
}

fn location(position: &Position, indent: &str, text: &mut String) {
    let _ = write!(
        text,
        "{indent}location:\n{indent}  file_name: {}\n{indent}  line: {}\n",
        quoted(&position.file),
        position.line
    );
    if let Some(column) = position.column {
        let _ = writeln!(text, "{indent}  column: {column}");
    }
    if let Some(function) = &position.function {
        let _ = writeln!(text, "{indent}  function: {}", quoted(function));
    }
}

/// The text of a correctness witness.
pub fn write_invariants(invariants: &[WitnessInvariant], metadata: &Metadata) -> String {
    let mut text = head("invariant_set", metadata);
    text.push_str(if invariants.is_empty() { "  content: []\n" } else { "  content:\n" });
    for invariant in invariants {
        let kind = name_of(&INVARIANT_TYPES, invariant.kind);
        let _ = write!(text, "    - invariant:\n        type: {}\n", quoted(kind));
        location(&invariant.position, "        ", &mut text);
        for (key, value) in [("requires", &invariant.requires), ("ensures", &invariant.ensures)] {
            if let Some(value) = value {
                let _ = writeln!(text, "        {key}: {}", quoted(value));
            }
        }
        if invariant.kind != InvariantType::FunctionContract {
            let _ = writeln!(text, "        value: {}", quoted(&invariant.value));
        }
        let _ = writeln!(text, "        format: {}", quoted(&invariant.format));
    }
    text
}

/// The text of a violation witness.
pub fn write_violation(segments: &[Segment], metadata: &Metadata) -> String {
    let mut text = head("violation_sequence", metadata);
    text.push_str("  content:\n");
    for segment in segments {
        text.push_str("    - segment:\n");
        for waypoint in &segment.waypoints {
            let (kind, action) = (name_of(&WAYPOINT_TYPES, waypoint.kind), name_of(&ACTIONS, waypoint.action));
            let _ = write!(
                text,
                "        - waypoint:\n            type: {}\n            action: {}\n",
                quoted(kind),
                quoted(action)
            );
            if let Some(Constraint { value, format }) = &waypoint.constraint {
                let _ = write!(text, "            constraint:\n              value: {}\n", quoted(value));
                if let Some(format) = format {
                    let _ = writeln!(text, "              format: {}", quoted(format));
                }
            }
            location(&waypoint.position, "            ", &mut text);
        }
    }
    text
}
