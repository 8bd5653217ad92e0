//! Reads typed values out of a document and collects every mistake on the way, instead of stopping at the first:
//! unknown keys with the nearest known one, wrong types, values out of range.

use super::document::{Entry, Node, Place, Sources, Table, Value};
use super::units::{parse_duration, parse_size};
use crate::diagnostic::{Diagnostic, did_you_mean};
use std::ops::RangeInclusive;
use std::time::Duration;
use tandem_plugin_api::descriptor::{OptionType, OptionValue};

/// Where mistakes are collected.
pub struct Problems<'s> {
    sources: &'s Sources,
    found: Vec<(Place, Diagnostic)>,
}

impl<'s> Problems<'s> {
    pub fn new(sources: &'s Sources) -> Self {
        Problems { sources, found: Vec::new() }
    }

    pub fn report(&mut self, place: Place, message: impl AsRef<str>) {
        self.found.push((place, self.sources.diagnostic(place, message.as_ref())));
    }

    pub fn report_with_help(&mut self, place: Place, message: impl AsRef<str>, help: impl Into<String>) {
        self.found.push((place, self.sources.diagnostic(place, message.as_ref()).help(help)));
    }

    /// Reports a name that is not in `known`; offers the nearest one, and lists `known`.
    pub fn report_unknown(&mut self, place: Place, message: impl AsRef<str>, name: &str, known: &[&str]) {
        let listed = match known {
            [] => "nothing can stand here".to_string(),
            _ => format!("known: {}", known.join(", ")),
        };
        let help = match did_you_mean(name, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`? ({listed})"),
            None => listed,
        };
        self.report_with_help(place, message, help);
    }

    /// All mistakes, in the order of the text.
    pub fn into_diagnostics(mut self) -> Vec<Diagnostic> {
        self.found.sort_by_key(|(place, _)| *place);
        self.found.into_iter().map(|(_, diagnostic)| diagnostic).collect()
    }

    fn wrong_type(&mut self, node: &Node, key: &str, expected: &str) {
        self.report(node.place, format!("`{key}` must be {expected}, not {}", node.value.describe()));
    }
}

/// One table, from which keys are taken one by one; [`Fields::finish`] reports the keys that were not taken.
pub struct Fields<'t> {
    /// For messages: `actor `x``.
    owner: String,
    entries: Vec<&'t Entry>,
    known: Vec<&'static str>,
}

impl<'t> Fields<'t> {
    pub fn new(owner: impl Into<String>, table: &'t Table) -> Self {
        Fields { owner: owner.into(), entries: table.entries.iter().collect(), known: Vec::new() }
    }

    /// Takes a key, whatever its value is.
    pub fn take(&mut self, key: &'static str) -> Option<&'t Entry> {
        self.known.push(key);
        let at = self.entries.iter().position(|entry| entry.key == key)?;
        Some(self.entries.remove(at))
    }

    /// Takes a key that is not offered where keys are listed.
    pub fn take_unlisted(&mut self, key: &str) -> Option<&'t Entry> {
        let at = self.entries.iter().position(|entry| entry.key == key)?;
        Some(self.entries.remove(at))
    }

    pub fn text(&mut self, problems: &mut Problems<'_>, key: &'static str) -> Option<(&'t str, Place)> {
        let node = &self.take(key)?.node;
        read_text(problems, key, node).map(|text| (text, node.place))
    }

    pub fn text_list(&mut self, problems: &mut Problems<'_>, key: &'static str) -> Option<Vec<(&'t str, Place)>> {
        read_text_list(problems, key, &self.take(key)?.node)
    }

    pub fn duration(&mut self, problems: &mut Problems<'_>, key: &'static str) -> Option<Duration> {
        read_duration(problems, key, &self.take(key)?.node)
    }

    pub fn size(&mut self, problems: &mut Problems<'_>, key: &'static str) -> Option<u64> {
        let node = &self.take(key)?.node;
        let Value::Text(text) = &node.value else {
            problems.wrong_type(node, key, "a size such as \"2G\"");
            return None;
        };
        parse_size(text).map_err(|error| problems.report(node.place, format!("`{key}`: {error}"))).ok()
    }

    pub fn integer(
        &mut self,
        problems: &mut Problems<'_>,
        key: &'static str,
        range: RangeInclusive<i64>,
    ) -> Option<i64> {
        let ty = OptionType::Integer { min: *range.start(), max: *range.end() };
        match read_option(problems, key, &self.take(key)?.node, &ty)? {
            OptionValue::Integer(number) => Some(number),
            _ => None,
        }
    }

    pub fn bool(&mut self, problems: &mut Problems<'_>, key: &'static str) -> Option<bool> {
        match read_option(problems, key, &self.take(key)?.node, &OptionType::Bool)? {
            OptionValue::Bool(value) => Some(value),
            _ => None,
        }
    }

    pub fn table(&mut self, problems: &mut Problems<'_>, key: &'static str) -> Option<&'t Table> {
        read_table(problems, key, &self.take(key)?.node)
    }

    /// One of `words`.
    pub fn choice(&mut self, problems: &mut Problems<'_>, key: &'static str, words: &[&str]) -> Option<&'t str> {
        read_choice(problems, key, &self.take(key)?.node, words)
    }

    /// Takes all keys that were not taken by name.
    pub fn take_rest(&mut self) -> Vec<&'t Entry> {
        std::mem::take(&mut self.entries)
    }

    /// Reports one key as unknown; `more` are further keys that are allowed here.
    pub fn report_unknown(&self, problems: &mut Problems<'_>, entry: &Entry, more: &[&str]) {
        let known: Vec<&str> = self.known.iter().copied().chain(more.iter().copied()).collect();
        let message = format!("unknown key `{}` in {}", entry.key, self.owner);
        problems.report_unknown(entry.key_place, message, &entry.key, &known);
    }

    /// Reports the keys that were not taken.
    pub fn finish(mut self, problems: &mut Problems<'_>) {
        for entry in self.take_rest() {
            self.report_unknown(problems, entry, &[]);
        }
    }
}

pub fn read_text<'t>(problems: &mut Problems<'_>, key: &str, node: &'t Node) -> Option<&'t str> {
    match &node.value {
        Value::Text(text) => Some(text),
        _ => {
            problems.wrong_type(node, key, "a text in quotes");
            None
        }
    }
}

pub fn read_table<'t>(problems: &mut Problems<'_>, key: &str, node: &'t Node) -> Option<&'t Table> {
    match &node.value {
        Value::Table(table) => Some(table),
        _ => {
            problems.wrong_type(node, key, "a table");
            None
        }
    }
}

pub fn read_text_list<'t>(problems: &mut Problems<'_>, key: &str, node: &'t Node) -> Option<Vec<(&'t str, Place)>> {
    let Value::List(elements) = &node.value else {
        problems.wrong_type(node, key, "a list of texts");
        return None;
    };
    let texts = elements.iter().filter_map(|element| match &element.value {
        Value::Text(text) => Some((text.as_str(), element.place)),
        other => {
            let message = format!("`{key}` must be a list of texts; {} is not a text", other.describe());
            problems.report(element.place, message);
            None
        }
    });
    Some(texts.collect())
}

fn read_duration(problems: &mut Problems<'_>, key: &str, node: &Node) -> Option<Duration> {
    match &node.value {
        Value::Text(text) => match parse_duration(text) {
            Ok(duration) => return Some(duration),
            Err(error) => problems.report(node.place, format!("`{key}`: {error}")),
        },
        Value::Integer(number) => {
            let message = format!("`{key}` must be a duration, not {}", node.value.describe());
            problems.report_with_help(node.place, message, format!("write \"{number}s\" for seconds"));
        }
        _ => problems.wrong_type(node, key, "a duration such as \"20s\""),
    }
    None
}

fn read_choice<'t>(problems: &mut Problems<'_>, key: &str, node: &'t Node, words: &[&str]) -> Option<&'t str> {
    let text = read_text(problems, key, node)?;
    if !words.contains(&text) {
        problems.report_unknown(node.place, format!("`{key}` has no value \"{text}\""), text, words);
        return None;
    }
    Some(text)
}

/// The value of a plugin's option, by the type that the plugin declares.
pub fn read_option(problems: &mut Problems<'_>, key: &str, node: &Node, ty: &OptionType) -> Option<OptionValue> {
    let value = match (ty, &node.value) {
        (OptionType::Choice(words), _) => {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            return read_choice(problems, key, node, &words).map(|word| OptionValue::Text(word.to_string()));
        }
        (OptionType::Duration, _) => return read_duration(problems, key, node).map(OptionValue::Duration),
        // One text is a list of one.
        (OptionType::TextList, Value::Text(text)) => return Some(OptionValue::TextList(vec![text.clone()])),
        (OptionType::TextList, _) => {
            let texts = read_text_list(problems, key, node)?;
            return Some(OptionValue::TextList(texts.into_iter().map(|(text, _)| text.to_string()).collect()));
        }
        (OptionType::Float, Value::Integer(number)) => Some(OptionValue::Float(*number as f64)),
        (_, Value::Float(number)) => number.is_finite().then_some(OptionValue::Float(*number)),
        (_, Value::Integer(number)) => Some(OptionValue::Integer(*number)),
        (_, Value::Bool(value)) => Some(OptionValue::Bool(*value)),
        (_, Value::Text(text)) => Some(OptionValue::Text(text.clone())),
        (_, Value::Date | Value::List(_) | Value::Table(_)) => None,
    };
    let value = value.filter(|value| ty.check(value).is_ok());
    if value.is_none() {
        problems.wrong_type(node, key, &ty.to_string());
    }
    value
}
