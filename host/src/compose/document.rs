//! TOML text as a tree in which every key and every value knows where it stands, and the merging of files that extend
//! one another. `check` decides which keys make sense.

use crate::diagnostic::Diagnostic;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A byte offset in one of the files of a [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub file: usize,
    offset: usize,
}

/// The texts that a configuration was read from: the file itself first, then what it extends.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceText>,
}

#[derive(Clone, Debug)]
struct SourceText {
    name: String,
    text: String,
}

#[derive(Clone, Debug)]
pub struct Node {
    pub place: Place,
    pub value: Value,
}

#[derive(Clone, Debug)]
pub enum Value {
    Text(String),
    Integer(i64),
    Float(f64),
    Bool(bool),
    /// Nothing in a configuration is a date; kept to name it in messages.
    Date,
    List(Vec<Node>),
    Table(Table),
}

impl Value {
    /// For messages: what was found where something else was expected.
    pub fn describe(&self) -> String {
        match self {
            Value::Text(text) => format!("the text {text:?}"),
            Value::Integer(number) => format!("the integer {number}"),
            Value::Float(number) => format!("the number {number:?}"),
            Value::Bool(value) => format!("`{value}`"),
            Value::Date => "a date".to_string(),
            Value::List(_) => "a list".to_string(),
            Value::Table(_) => "a table".to_string(),
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Table {
    pub entries: Vec<Entry>,
}

#[derive(Clone, Debug)]
pub struct Entry {
    pub key: String,
    pub key_place: Place,
    pub node: Node,
}

impl Table {
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// Adds what `base` has and `self` has not. Tables are merged entry by entry, except those that `whole` names:
    /// they are taken from one side or the other.
    pub fn inherit(&mut self, base: Table, whole: &[&str]) {
        for entry in base.entries {
            match self.entries.iter_mut().find(|own| own.key == entry.key) {
                None => self.entries.push(entry),
                Some(own) if whole.contains(&own.key.as_str()) => {}
                Some(own) => {
                    if let (Value::Table(own), Value::Table(base)) = (&mut own.node.value, entry.node.value) {
                        own.inherit(base, &[]);
                    }
                }
            }
        }
    }
}

impl Sources {
    /// Parses one more file. Syntax errors are all reported at once; the table then holds what could be understood.
    pub fn add(&mut self, name: &str, text: &str) -> (Table, Vec<Diagnostic>) {
        let file = self.files.len();
        self.files.push(SourceText { name: name.to_string(), text: text.to_string() });
        let (table, errors) = DeTable::parse_recoverable(text);
        let mut problems = Vec::new();
        for error in errors {
            let span = error.span().unwrap_or(0..0);
            let mut message = format!("not TOML: {}", error.message());
            if let ("duplicate key", Some(key)) = (error.message(), text.get(span.clone())) {
                message.push_str(&format!(" `{key}`"));
            }
            problems.push(self.diagnostic(Place { file, offset: span.start }, &message));
        }
        let table = convert_table(file, table.into_inner(), &mut |place, message| {
            problems.push(self.diagnostic(place, message));
        });
        (table, problems)
    }

    /// An error at a place, with its file, line and column.
    pub fn diagnostic(&self, place: Place, message: &str) -> Diagnostic {
        let source = &self.files[place.file];
        let (line, column) = line_and_column(&source.text, place.offset);
        Diagnostic::new(message).in_file(source.name.clone()).at(line, column)
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|file| file.name.as_str())
    }

    /// All texts, the file itself first.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|source| source.text.as_str())
    }

    /// The start of the first file: for what is missing as a whole.
    pub fn start(&self) -> Place {
        Place { file: 0, offset: 0 }
    }
}

/// Both count from 1; columns count characters.
fn line_and_column(text: &str, offset: usize) -> (u32, u32) {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.matches('\n').count() + 1;
    let column = before[line_start..].chars().count() + 1;
    (line as u32, column as u32)
}

type Report<'r> = dyn FnMut(Place, &str) + 'r;

fn convert_table(file: usize, table: DeTable<'_>, report: &mut Report<'_>) -> Table {
    let entries = table
        .into_iter()
        .map(|(key, value)| Entry {
            key_place: Place { file, offset: key.span().start },
            key: key.into_inner().into_owned(),
            node: convert_value(file, value, report),
        })
        .collect();
    Table { entries }
}

fn convert_value(file: usize, value: Spanned<DeValue<'_>>, report: &mut Report<'_>) -> Node {
    let place = Place { file, offset: value.span().start };
    let value = match value.into_inner() {
        DeValue::String(text) => Value::Text(text.into_owned()),
        DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => Value::Integer(number),
            Err(_) => {
                report(place, &format!("the integer {number} does not fit into 64 bits"));
                Value::Integer(0)
            }
        },
        DeValue::Float(number) => Value::Float(number.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(value) => Value::Bool(value),
        DeValue::Datetime(_) => Value::Date,
        DeValue::Array(elements) => {
            Value::List(elements.into_iter().map(|element| convert_value(file, element, report)).collect())
        }
        DeValue::Table(table) => Value::Table(convert_table(file, table, report)),
    };
    Node { place, value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> (Sources, Table, Vec<String>) {
        let mut sources = Sources::default();
        let (table, problems) = sources.add("x.toml", text);
        let problems = problems.iter().map(ToString::to_string).collect();
        (sources, table, problems)
    }

    #[test]
    fn keys_and_values_know_their_places() {
        let (sources, table, problems) = parse("about = 'ä' # ä\n[actor.one]\nplugin.option = 5\n");
        assert!(problems.is_empty(), "{problems:?}");
        let Value::Table(actors) = &table.get("actor").unwrap().node.value else { panic!() };
        let Value::Table(one) = &actors.get("one").unwrap().node.value else { panic!() };
        let plugin = one.get("plugin").unwrap();
        let Value::Table(options) = &plugin.node.value else { panic!() };
        let option = options.get("option").unwrap();
        let at = |place| {
            let diagnostic = sources.diagnostic(place, "");
            (diagnostic.line.unwrap(), diagnostic.column.unwrap())
        };
        assert_eq!(at(actors.get("one").unwrap().key_place), (2, 8));
        assert_eq!(at(plugin.key_place), (3, 1));
        assert_eq!(at(option.key_place), (3, 8));
        assert_eq!(at(option.node.place), (3, 17));
    }

    #[test]
    fn all_syntax_errors_are_reported() {
        let (_, _, problems) = parse("a = \nb = 1\nb = 2\n[c\n");
        assert!(problems.len() >= 3, "{problems:?}");
        assert!(problems.iter().any(|p| p.starts_with("x.toml:3:1: error: not TOML: duplicate key")), "{problems:?}");
    }

    #[test]
    fn large_integers_are_an_error() {
        let (_, _, problems) = parse("a = 99999999999999999999\n");
        assert_eq!(problems, ["x.toml:1:5: error: the integer 99999999999999999999 does not fit into 64 bits"]);
    }

    #[test]
    fn inheritance_merges_tables_but_not_lists() {
        let (_, mut table, _) = parse("l = [1]\n[actor.a]\nlimit = '1s'\n[run]\nactor = 'a'\n");
        let (_, base, _) = parse("l = [1, 2]\nm = 3\n[actor.a]\nlimit = '2s'\norder = 'dfs'\n[run]\ncycle = []\n");
        table.inherit(base, &["run"]);
        let Value::List(list) = &table.get("l").unwrap().node.value else { panic!() };
        assert_eq!(list.len(), 1);
        assert!(table.get("m").is_some());
        let Value::Table(actors) = &table.get("actor").unwrap().node.value else { panic!() };
        let Value::Table(a) = &actors.get("a").unwrap().node.value else { panic!() };
        assert!(matches!(&a.get("limit").unwrap().node.value, Value::Text(t) if t == "1s"));
        assert!(a.get("order").is_some());
        let Value::Table(run) = &table.get("run").unwrap().node.value else { panic!() };
        assert!(run.get("cycle").is_none());
    }
}
