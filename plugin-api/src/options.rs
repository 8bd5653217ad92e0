//! A plugin's options as they reach it: checked against its descriptor, with defaults filled in.

use crate::descriptor::{OptionSpec, OptionType, OptionValue};
use crate::error::{PluginError, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// The values of all options that a plugin declares.
///
/// ```
/// use tandem_plugin_api::prelude::*;
///
/// let declared = [OptionSpec {
///     name: "depth".into(),
///     about: "how deep to look".into(),
///     ty: OptionType::Integer { min: 1, max: 9 },
///     default: OptionValue::Integer(4),
/// }];
/// let options = Options::fill(&declared, []).unwrap();
/// assert_eq!(options.integer("depth")?, 4);
/// assert!(Options::fill(&declared, [("depth".to_string(), OptionValue::Integer(10))]).is_err());
/// # Ok::<(), PluginError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Options {
    values: BTreeMap<String, OptionValue>,
}

/// The mistake in one given option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionProblem {
    pub option: String,
    /// A lower-case fragment without a final full stop.
    pub message: String,
}

impl Options {
    /// The given values, and the defaults for all other options. All mistakes are reported at once.
    pub fn fill(
        declared: &[OptionSpec],
        given: impl IntoIterator<Item = (String, OptionValue)>,
    ) -> std::result::Result<Self, Vec<OptionProblem>> {
        let mut values: BTreeMap<_, _> =
            declared.iter().map(|spec| (spec.name.clone(), spec.default.clone())).collect();
        let mut problems = Vec::new();
        for (option, value) in given {
            let checked = match declared.iter().find(|spec| spec.name == option) {
                Some(spec) => spec.ty.check(&value),
                None => Err("the plugin has no such option".to_string()),
            };
            match checked {
                Ok(()) => {
                    values.insert(option, value);
                }
                Err(message) => problems.push(OptionProblem { option, message }),
            }
        }
        if problems.is_empty() { Ok(Options { values }) } else { Err(problems) }
    }

    pub fn get(&self, name: &str) -> Option<&OptionValue> {
        self.values.get(name)
    }

    pub fn bool(&self, name: &str) -> Result<bool> {
        match self.declared(name)? {
            OptionValue::Bool(value) => Ok(*value),
            other => Err(mismatch(name, "a Boolean", other)),
        }
    }

    pub fn integer(&self, name: &str) -> Result<i64> {
        match self.declared(name)? {
            OptionValue::Integer(value) => Ok(*value),
            other => Err(mismatch(name, "an integer", other)),
        }
    }

    pub fn float(&self, name: &str) -> Result<f64> {
        match self.declared(name)? {
            OptionValue::Float(value) => Ok(*value),
            other => Err(mismatch(name, "a floating-point number", other)),
        }
    }

    /// A text, or the chosen word of a choice.
    pub fn text(&self, name: &str) -> Result<&str> {
        match self.declared(name)? {
            OptionValue::Text(value) => Ok(value),
            other => Err(mismatch(name, "a text", other)),
        }
    }

    pub fn duration(&self, name: &str) -> Result<Duration> {
        match self.declared(name)? {
            OptionValue::Duration(value) => Ok(*value),
            other => Err(mismatch(name, "a duration", other)),
        }
    }

    pub fn text_list(&self, name: &str) -> Result<&[String]> {
        match self.declared(name)? {
            OptionValue::TextList(value) => Ok(value),
            other => Err(mismatch(name, "a list of texts", other)),
        }
    }

    fn declared(&self, name: &str) -> Result<&OptionValue> {
        self.values
            .get(name)
            .ok_or_else(|| PluginError::new(format!("the plugin reads option `{name}`, which it does not declare")))
    }
}

fn mismatch(name: &str, wanted: &str, found: &OptionValue) -> PluginError {
    PluginError::new(format!("the plugin reads option `{name}` as {wanted}, but it is declared as {}", found.kind()))
}

impl OptionType {
    /// Whether the value is one of this type; else says what is expected.
    pub fn check(&self, value: &OptionValue) -> std::result::Result<(), String> {
        match (self, value) {
            (OptionType::Bool, OptionValue::Bool(_))
            | (OptionType::Float, OptionValue::Float(_))
            | (OptionType::Text, OptionValue::Text(_))
            | (OptionType::Duration, OptionValue::Duration(_))
            | (OptionType::TextList, OptionValue::TextList(_)) => Ok(()),
            (OptionType::Integer { min, max }, OptionValue::Integer(value)) if (min..=max).contains(&value) => Ok(()),
            (OptionType::Choice(words), OptionValue::Text(word)) if words.contains(word) => Ok(()),
            _ => Err(format!("expected {self}, found {value}")),
        }
    }
}

impl fmt::Display for OptionType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionType::Bool => f.write_str("true or false"),
            OptionType::Integer { min: i64::MIN, max: i64::MAX } => f.write_str("an integer"),
            OptionType::Integer { min, max: i64::MAX } => write!(f, "an integer of at least {min}"),
            OptionType::Integer { min, max } => write!(f, "an integer from {min} to {max}"),
            OptionType::Float => f.write_str("a floating-point number"),
            OptionType::Text => f.write_str("a text"),
            OptionType::Choice(words) => write!(f, "one of {}", words.join(", ")),
            OptionType::Duration => f.write_str("a duration such as \"20s\""),
            OptionType::TextList => f.write_str("a list of texts"),
        }
    }
}

impl OptionValue {
    fn kind(&self) -> &'static str {
        match self {
            OptionValue::Bool(_) => "a Boolean",
            OptionValue::Integer(_) => "an integer",
            OptionValue::Float(_) => "a floating-point number",
            OptionValue::Text(_) => "a text",
            OptionValue::Duration(_) => "a duration",
            OptionValue::TextList(_) => "a list of texts",
        }
    }
}

/// As a configuration file writes it.
impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValue::Bool(value) => write!(f, "{value}"),
            OptionValue::Integer(value) => write!(f, "{value}"),
            OptionValue::Float(value) => write!(f, "{value:?}"),
            OptionValue::Text(value) => write!(f, "{value:?}"),
            OptionValue::Duration(value) if value.subsec_millis() != 0 => write!(f, "\"{}ms\"", value.as_millis()),
            OptionValue::Duration(value) => write!(f, "\"{}s\"", value.as_secs()),
            OptionValue::TextList(values) => write!(f, "{values:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(name: &str, ty: OptionType, default: OptionValue) -> OptionSpec {
        OptionSpec { name: name.into(), about: String::new(), ty, default }
    }

    fn declared() -> Vec<OptionSpec> {
        let orders = OptionType::Choice(vec!["bfs".into(), "dfs".into()]);
        vec![
            spec("deep", OptionType::Bool, OptionValue::Bool(false)),
            spec("order", orders, OptionValue::Text("bfs".into())),
            spec("limit", OptionType::Duration, OptionValue::Duration(Duration::from_secs(20))),
        ]
    }

    #[test]
    fn defaults_are_filled_in() {
        let options = Options::fill(&declared(), [("deep".to_string(), OptionValue::Bool(true))]).unwrap();
        assert!(options.bool("deep").unwrap());
        assert_eq!(options.text("order").unwrap(), "bfs");
        assert_eq!(options.duration("limit").unwrap(), Duration::from_secs(20));
    }

    #[test]
    fn all_mistakes_are_reported() {
        let given = [
            ("deep".to_string(), OptionValue::Integer(1)),
            ("order".to_string(), OptionValue::Text("random".into())),
            ("colour".to_string(), OptionValue::Bool(true)),
        ];
        let problems = Options::fill(&declared(), given).unwrap_err();
        assert_eq!(problems.len(), 3);
        assert_eq!(problems[1].message, "expected one of bfs, dfs, found \"random\"");
    }

    #[test]
    fn reading_what_is_not_declared_is_the_plugins_error() {
        let options = Options::fill(&declared(), []).unwrap();
        assert!(options.bool("colour").unwrap_err().message.contains("does not declare"));
        assert!(options.integer("deep").unwrap_err().message.contains("a Boolean"));
    }
}
