//! Finds the tool's verdict in its output: the last line that fits a pattern of a verdict.

use regex::{Regex, RegexBuilder};
use tandem_plugin_api::prelude::*;

/// Longer lines are cut in messages.
const MOST_TOLD: usize = 200;

/// A plain text, or a regular expression between slashes.
enum Pattern {
    Text(String),
    Regex(Regex),
}

impl Pattern {
    fn parse(option: &str, text: &str) -> Result<Self> {
        let inner = text.strip_prefix('/').and_then(|text| text.strip_suffix('/')).filter(|text| !text.is_empty());
        match inner {
            Some(inner) => regex(option, inner).map(Pattern::Regex),
            None if text.is_empty() => {
                Err(PluginError::bad_input(format!("the option `{option}` has an empty pattern")))
            }
            None => Ok(Pattern::Text(text.to_string())),
        }
    }

    fn fits(&self, line: &str) -> bool {
        match self {
            Pattern::Text(text) => line.contains(text.as_str()),
            Pattern::Regex(regex) => regex.is_match(line),
        }
    }
}

pub fn regex(option: &str, text: &str) -> Result<Regex> {
    let built = RegexBuilder::new(text).size_limit(1 << 20).build();
    built.map_err(|error| {
        let why = error.to_string();
        let why = why.lines().last().unwrap_or_default().trim_start_matches("error: ");
        PluginError::bad_input(format!("the option `{option}`: `{text}` is not a regular expression: {why}"))
    })
}

/// The tool's verdict, with the line that says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    True(String),
    False(String),
    Unknown(String),
    /// The last line that fits a pattern fits patterns of different verdicts.
    Both(String),
    Nothing,
}

pub struct Patterns {
    /// For TRUE, FALSE and UNKNOWN.
    all: [Vec<Pattern>; 3],
}

impl Patterns {
    pub fn of(options: &Options) -> Result<Self> {
        let read = |option: &str| -> Result<Vec<Pattern>> {
            options.text_list(option)?.iter().map(|text| Pattern::parse(option, text)).collect()
        };
        Ok(Patterns { all: [read("true-pattern")?, read("false-pattern")?, read("unknown-pattern")?] })
    }

    /// Standard error comes after standard output.
    pub fn read(&self, output: &[u8], errors: &[u8]) -> Said {
        let fits = |line: &str| self.all.each_ref().map(|patterns| patterns.iter().any(|pattern| pattern.fits(line)));
        let mut said = Said::Nothing;
        for line in lines(output).chain(lines(errors)) {
            said = match fits(line) {
                [false, false, false] => continue,
                [true, false, false] => Said::True(short(line)),
                [false, true, false] => Said::False(short(line)),
                [false, false, true] => Said::Unknown(short(line)),
                _ => Said::Both(short(line)),
            };
        }
        said
    }
}

/// The lines of a text; a line that is not UTF-8 fits no pattern.
pub fn lines(bytes: &[u8]) -> impl DoubleEndedIterator<Item = &str> {
    bytes.split(|byte| *byte == b'\n').filter_map(|line| std::str::from_utf8(line).ok()).map(|line| line.trim_end())
}

/// A line as messages show it: without control characters, and not too long.
pub fn short(line: &str) -> String {
    let clean: String = line.trim().chars().filter(|c| !c.is_control()).take(MOST_TOLD + 1).collect();
    match clean.char_indices().nth(MOST_TOLD) {
        Some((end, _)) => format!("`{}…`", &clean[..end]),
        None => format!("`{clean}`"),
    }
}
