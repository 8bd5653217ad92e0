//! The version of an installed tool, and whether it is new enough.

use crate::command::Command;
use crate::patterns;
use regex::Regex;
use tandem_plugin_api::prelude::*;

const ANY_VERSION: &str = r"(\d+(?:\.\d+)*)";

pub struct Version {
    pub command: Command,
    tool: String,
    pattern: Regex,
    minimum: Option<String>,
}

impl Version {
    /// `None` where no version is required.
    pub fn of(options: &Options, tool: &str) -> Result<Option<Self>> {
        let minimum = Some(options.text("minimum-version")?.trim().to_string()).filter(|text| !text.is_empty());
        let Some(command) = Command::parse("version-command", options.text_list("version-command")?)? else {
            return match minimum {
                Some(_) => {
                    Err(PluginError::bad_input("the option `minimum-version` needs a `version-command` beside it"))
                }
                None => Ok(None),
            };
        };
        if let Some(minimum) = minimum.as_deref().filter(|text| numbers(text).is_empty()) {
            return Err(PluginError::bad_input(format!("the option `minimum-version`: `{minimum}` is not a version")));
        }
        let pattern = Some(options.text("version-pattern")?).filter(|text| !text.is_empty()).unwrap_or(ANY_VERSION);
        let pattern = patterns::regex("version-pattern", pattern)?;
        if pattern.captures_len() < 2 {
            return Err(PluginError::bad_input("the option `version-pattern` needs a group in parentheses"));
        }
        Ok(Some(Version { command, tool: tool.to_string(), pattern, minimum }))
    }

    /// Refuses a tool that prints no version, or one that is too old.
    pub fn check(&self, output: &[u8], help: &str) -> Result<()> {
        let Version { command, tool, pattern, minimum } = self;
        let text = String::from_utf8_lossy(output);
        let Some(found) = pattern.captures(&text).and_then(|found| found.get(1)) else {
            let program = command.program();
            return Err(PluginError::unavailable(format!("`{program}` prints no version: is it {tool}?{help}")));
        };
        let found = found.as_str();
        match minimum {
            Some(minimum) if numbers(found) < numbers(minimum) => {
                Err(PluginError::unavailable(format!("{tool} {found} is too old: {minimum} or newer is needed{help}")))
            }
            _ => Ok(()),
        }
    }
}

/// The numbers of a version, without zeros at its end: 4.0 is no less than 4.
fn numbers(text: &str) -> Vec<u64> {
    let parts = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    let mut numbers: Vec<u64> = parts.map(|part| part.parse().unwrap_or(u64::MAX)).collect();
    while numbers.last() == Some(&0) && numbers.len() > 1 {
        numbers.pop();
    }
    numbers
}
