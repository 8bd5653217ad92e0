//! The one shape of a message about bad input: where, what is wrong, what to do.
//! Every layer returns these; only the command line prints them.

use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub file: Option<String>,
    pub line: Option<u32>,
    pub column: Option<u32>,
    /// What is wrong: a lower-case fragment without a final full stop.
    pub message: String,
    /// What the user can do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    pub fn new(message: impl Into<String>) -> Self {
        Diagnostic { file: None, line: None, column: None, message: message.into(), help: None }
    }

    pub fn in_file(mut self, file: impl Into<String>) -> Self {
        self.file = Some(file.into());
        self
    }

    pub fn at(mut self, line: u32, column: u32) -> Self {
        self.line = Some(line);
        self.column = Some(column);
        self
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}:")?;
            if let Some(line) = self.line {
                write!(f, "{line}:")?;
                if let Some(column) = self.column {
                    write!(f, "{column}:")?;
                }
            }
            write!(f, " ")?;
        }
        write!(f, "error: {}", self.message)?;
        if let Some(help) = &self.help {
            write!(f, "\n  help: {help}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostic {}

/// The candidate that is spelled most like `name`, if one is near enough to be what the user meant.
pub fn did_you_mean<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let name = name.to_lowercase();
    let near = |candidate: &str| strsim::damerau_levenshtein(&name, &candidate.to_lowercase());
    let (distance, best) = candidates.into_iter().map(|candidate| (near(candidate), candidate)).min_by_key(|c| c.0)?;
    let allowed = (name.chars().count().max(best.chars().count()) / 3).max(1);
    (distance <= allowed).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_offered_and_far_ones_not() {
        let known = ["analyses", "engine", "limit", "order"];
        assert_eq!(did_you_mean("anlyses", known), Some("analyses"));
        assert_eq!(did_you_mean("Limit", known), Some("limit"));
        assert_eq!(did_you_mean("ordre", known), Some("order"));
        assert_eq!(did_you_mean("xyz", known), None);
        assert_eq!(did_you_mean("x", []), None);
    }
}
