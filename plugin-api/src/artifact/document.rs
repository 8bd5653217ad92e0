//! A small reader of JSON documents whose error messages say where a mistake is. It checks names and types of fields,
//! and refuses unknown and repeated fields.

use super::ArtifactError;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// A JSON value that keeps the order of its fields.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    pub(super) fn parse(text: &str) -> Result<Json, ArtifactError> {
        serde_json::from_str(text).map_err(|error| {
            let (line, column) = (error.line() as u32, error.column() as u32);
            let message = error.to_string();
            // The position is reported on its own.
            let message = message.split(" at line ").next().unwrap_or_default().to_owned();
            let help = if error.is_data() { "keep one of them" } else { "the document must be JSON" };
            ArtifactError::new("", message).at(line, column).help(help)
        })
    }

    fn kind(&self) -> &'static str {
        match self {
            Json::Null => "null",
            Json::Bool(_) => "a truth value",
            Json::Number(_) => "a number",
            Json::Text(_) => "a text",
            Json::List(_) => "a list",
            Json::Object(_) => "an object",
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Json::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Json, E> {
        Ok(Json::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Json, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Json::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Json, A::Error> {
        let mut fields: Vec<(String, Json)> = Vec::new();
        while let Some(field) = access.next_entry()? {
            fields.push(field);
        }
        let mut names: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(A::Error::custom(format!("the field `{}` is there twice", twice[0])));
        }
        Ok(Json::Object(fields))
    }
}

/// A part of a document that knows where it stands.
#[derive(Clone, Debug)]
pub(super) struct Part<'a> {
    value: &'a Json,
    pub path: String,
}

impl<'a> Part<'a> {
    pub(super) fn whole(value: &'a Json) -> Self {
        Part { value, path: String::new() }
    }

    pub(super) fn error(&self, message: impl Into<String>) -> ArtifactError {
        ArtifactError::new(self.path.clone(), message)
    }

    fn mismatch(&self, expected: &str) -> ArtifactError {
        self.error(format!("{} stands here, but {expected} is expected", self.value.kind()))
    }

    pub(super) fn text(&self) -> Result<&'a str, ArtifactError> {
        match self.value {
            Json::Text(text) => Ok(text),
            _ => Err(self.mismatch("a text")),
        }
    }

    pub(super) fn number(&self) -> Result<f64, ArtifactError> {
        match self.value {
            Json::Number(number) => Ok(*number),
            _ => Err(self.mismatch("a number")),
        }
    }

    pub(super) fn as_text(&self) -> Option<&'a str> {
        self.text().ok()
    }

    /// `expected` says what else may stand here, for the message.
    pub(super) fn list_or(&self, expected: &str) -> Result<Vec<Part<'a>>, ArtifactError> {
        let Json::List(items) = self.value else { return Err(self.mismatch(expected)) };
        let part = |(index, value)| Part { value, path: format!("{}[{index}]", self.path) };
        Ok(items.iter().enumerate().map(part).collect())
    }

    pub(super) fn list(&self) -> Result<Vec<Part<'a>>, ArtifactError> {
        self.list_or("a list")
    }

    /// The fields of an object, which may have no others than `allowed`.
    pub(super) fn fields(&self, allowed: &[&str]) -> Result<Fields<'a>, ArtifactError> {
        let fields = self.any_fields()?;
        for (name, _) in fields.list {
            if !allowed.contains(&name.as_str()) {
                let error = self.error(format!("unknown field `{name}`"));
                return Err(match nearest(name, allowed.iter().copied()) {
                    Some(near) => error.help(format!("did you mean `{near}`?")),
                    None => error.help(format!("remove it; known fields are {}", allowed.join(", "))),
                });
            }
        }
        Ok(fields)
    }

    /// The fields of an object, not checked for unknown ones.
    pub(super) fn any_fields(&self) -> Result<Fields<'a>, ArtifactError> {
        match self.value {
            Json::Object(list) => Ok(Fields { list, path: self.path.clone() }),
            _ => Err(self.mismatch("an object")),
        }
    }
}

/// The fields of one object.
#[derive(Clone, Debug)]
pub(super) struct Fields<'a> {
    list: &'a [(String, Json)],
    path: String,
}

impl<'a> Fields<'a> {
    pub(super) fn optional(&self, name: &str) -> Option<Part<'a>> {
        let (_, value) = self.list.iter().find(|(known, _)| known == name)?;
        let path = if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) };
        Some(Part { value, path })
    }

    pub(super) fn required(&self, name: &str) -> Result<Part<'a>, ArtifactError> {
        self.optional(name).ok_or_else(|| {
            ArtifactError::new(self.path.clone(), format!("the field `{name}` is missing")).help("add it")
        })
    }
}

/// The candidate that a misspelt word most likely means; the first of several that are equally near.
/// None for a word that is too long to be a misspelling.
pub(super) fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    const LONGEST: usize = 200;
    let limit = if word.len() <= LONGEST { (word.len() / 3).max(2) } else { return None };
    candidates
        .filter(|candidate| candidate.len().abs_diff(word.len()) <= limit)
        .map(|candidate| (strsim::osa_distance(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}
