//! Precision files: the items that analyses track, found by the refinements of one run and used by the next one. A JSON
//! document whose items name a variable or a C expression each, and where it matters.

use super::input;
use crate::diagnostic::Diagnostic;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;
use tandem_plugin_api::artifact::{Condition, Precision, PrecisionEntry, PrecisionItem, PrecisionScope};

const FORMAT: &str = "tandem precision 1";
const HELP: &str = "give the precision.json that `tandem verify -o DIR` writes";
/// Room for thousands of items.
const MAX_BYTES: u64 = 64 << 20;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    format: String,
    items: Vec<Item>,
}

/// One of `variable` and `predicate`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Item {
    #[serde(rename = "where")]
    place: Place,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    variable: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    predicate: Option<String>,
    /// The function whose names the predicate uses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scope: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Place {
    Everywhere,
    Function(String),
    Location(String),
}

pub fn write(path: &Path, precision: &Precision) -> Result<(), Diagnostic> {
    let problem =
        |what: String| Diagnostic::new(format!("cannot be written: {what}")).in_file(path.display().to_string());
    let document = Document { format: FORMAT.into(), items: precision.iter().map(written).collect() };
    let text = serde_json::to_string_pretty(&document).map_err(|error| problem(error.to_string()))?;
    fs::write(path, text + "\n").map_err(|error| problem(error.to_string()))
}

fn written(entry: &PrecisionEntry) -> Item {
    let place = match &entry.scope {
        PrecisionScope::Global => Place::Everywhere,
        PrecisionScope::Function(name) => Place::Function(name.to_string()),
        PrecisionScope::Location(name) => Place::Location(name.to_string()),
    };
    match &entry.item {
        PrecisionItem::Variable(name) => Item { place, variable: Some(name.to_string()), predicate: None, scope: None },
        PrecisionItem::Predicate(predicate) => Item {
            place,
            variable: None,
            predicate: Some(predicate.text().to_string()),
            scope: predicate.scope().map(str::to_string),
        },
    }
}

pub fn read(path: &Path) -> Result<Precision, Diagnostic> {
    let file = path.display().to_string();
    let unreadable = |what: String| {
        Diagnostic::new(format!("the precision cannot be read: {what}")).in_file(&file).help("check the path")
    };
    parse(&input::text(path, MAX_BYTES).map_err(unreadable)?, &file)
}

fn parse(text: &str, file: &str) -> Result<Precision, Diagnostic> {
    let document: Document = serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        // The position is reported separately.
        let message = message.split(" at line ").next().unwrap_or_default();
        let (line, column) = (error.line() as u32, error.column() as u32);
        Diagnostic::new(format!("this is not a precision: {message}")).in_file(file).at(line, column).help(HELP)
    })?;
    if document.format != FORMAT {
        let message = format!("the format is `{}`, not `{FORMAT}`", document.format);
        return Err(Diagnostic::new(message).in_file(file).help(HELP));
    }
    let mut precision = Precision::empty();
    for (at, item) in document.items.into_iter().enumerate() {
        let (scope, item) = understood(item).map_err(|what| {
            Diagnostic::new(format!("item {} of the precision {what}", at + 1)).in_file(file).help(HELP)
        })?;
        precision.insert(scope, item);
    }
    Ok(precision)
}

fn understood(item: Item) -> Result<(PrecisionScope, PrecisionItem), &'static str> {
    let scope = match item.place {
        Place::Everywhere => PrecisionScope::Global,
        Place::Function(name) => PrecisionScope::Function(name.into()),
        Place::Location(name) => PrecisionScope::Location(name.into()),
    };
    let content = match (item.variable, item.predicate, item.scope) {
        (Some(name), None, None) => PrecisionItem::Variable(name.into()),
        (None, Some(text), scope) => PrecisionItem::Predicate(Condition::new(scope, text)),
        (Some(_), None, Some(_)) => return Err("is a variable, which has no scope"),
        (Some(_), Some(_), _) => return Err("has both a variable and a predicate"),
        (None, None, _) => return Err("has neither a variable nor a predicate"),
    };
    Ok((scope, content))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Precision {
        let mut precision = Precision::empty();
        precision.insert(PrecisionScope::Global, PrecisionItem::Variable("x".into()));
        let predicate = PrecisionItem::Predicate(Condition::in_function("main", "y < 3"));
        precision.insert(PrecisionScope::Function("main".into()), predicate.clone());
        precision.insert(PrecisionScope::Location("main:entry".into()), predicate);
        precision.insert(PrecisionScope::Global, PrecisionItem::Predicate(Condition::global("x == 1")));
        precision
    }

    #[test]
    fn what_is_written_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("precision.json");
        write(&path, &sample()).unwrap();
        assert_eq!(read(&path).unwrap(), sample());
    }

    #[test]
    fn mistakes_are_told() {
        let said = |text: &str| parse(text, "p.json").unwrap_err().to_string();
        assert!(said("{").starts_with("p.json:1:1: error: this is not a precision: EOF"), "{}", said("{"));
        assert!(said("[1]").contains("this is not a precision"));
        let items = |item: &str| said(&format!("{{\"format\": \"{FORMAT}\", \"items\": [{item}]}}"));
        assert!(said("{\"format\": \"x\", \"items\": []}").contains("the format is `x`"));
        assert!(items("{\"where\": \"everywhere\"}").contains("item 1 of the precision has neither"));
        assert!(items("{\"where\": \"nowhere\", \"variable\": \"x\"}").contains("unknown variant `nowhere`"));
        let both = "{\"where\": \"everywhere\", \"variable\": \"x\", \"predicate\": \"x\"}";
        assert!(items(both).contains("has both"));
        let missing = read(Path::new("no-such-file.json")).unwrap_err();
        assert!(missing.message.contains("No such file"), "{missing}");
    }
}
