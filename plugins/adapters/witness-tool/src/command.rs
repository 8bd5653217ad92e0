//! Command lines without a shell: lists of words, or one text that is split at blanks, with placeholders in them.

use tandem_plugin_api::prelude::*;

/// A program and its arguments, with placeholders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    program: String,
    arguments: Vec<String>,
}

impl Command {
    /// The value of an option; `None` where it is not set.
    pub fn parse(option: &str, given: &[String]) -> Result<Option<Self>> {
        let words = match given {
            [line] => split(line).map_err(|why| PluginError::bad_input(format!("the option `{option}`: {why}")))?,
            words => words.to_vec(),
        };
        let mut words = words.into_iter();
        Ok(words.next().map(|program| Command { program, arguments: words.collect() }))
    }

    pub fn program(&self) -> &str {
        &self.program
    }

    pub fn filled(&self, fill: impl Fn(&str) -> Result<String>) -> Result<(String, Vec<String>)> {
        let arguments = self.arguments.iter().map(|argument| fill(argument)).collect::<Result<_>>()?;
        Ok((fill(&self.program)?, arguments))
    }
}

/// The words of a line. Single and double quotes keep blanks; nothing else has a meaning.
fn split(line: &str) -> std::result::Result<Vec<String>, String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match quote {
            Some(mark) if c == mark => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    match quote {
        Some(mark) => Err(format!("a {mark} is not closed in `{line}`")),
        None => Ok(words),
    }
}

/// Replaces each `${name}`; a name without a value is an error.
pub fn fill(text: &str, value: impl Fn(&str) -> Option<String>) -> Result<String> {
    let (mut filled, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once("${") {
        let (name, behind) = after
            .split_once('}')
            .ok_or_else(|| PluginError::bad_input(format!("`${{` without `}}` in the option text `{text}`")))?;
        filled.push_str(before);
        filled.push_str(&value(name).ok_or_else(|| {
            let why = if name == "witness" { "no option `witness` names one" } else { "there is no such placeholder" };
            PluginError::bad_input(format!("`${{{name}}}` in `{text}` has no value: {why}"))
        })?);
        rest = behind;
    }
    Ok(filled + rest)
}

/// `NAME=value` texts.
pub fn environment(texts: &[String]) -> Result<Vec<(String, String)>> {
    let pair = |text: &String| match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_string(), value.to_string())),
        _ => Err(PluginError::bad_input(format!("the option `environment`: `{text}` is not of the form NAME=value"))),
    };
    texts.iter().map(pair).collect()
}
