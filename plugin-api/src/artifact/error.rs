//! The message about a bad artifact: where in the document the mistake is, what it is, and what to do about it.

use super::gia::{GiaError, GiaPart};
use thiserror::Error;

/// A message about a document. Turns into the host's diagnostic by adding the name of the file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{message}{}", self.place(), self.help.as_ref().map_or(String::new(), |help| format!("; {help}")))]
pub struct ArtifactError {
    /// Which part of the document, such as `transitions[3].edges[0]`; empty for the whole of it.
    pub path: String,
    /// Line and column, counted from 1, where the document's syntax is broken.
    pub position: Option<(u32, u32)>,
    /// A lower-case fragment without a final full stop.
    pub message: String,
    /// What the user can do about it.
    pub help: Option<String>,
}

impl ArtifactError {
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        ArtifactError { path: path.into(), position: None, message: message.into(), help: None }
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub fn at(mut self, line: u32, column: u32) -> Self {
        self.position = Some((line, column));
        self
    }

    fn place(&self) -> String {
        match self.position {
            Some((line, column)) => format!("line {line}, column {column}: "),
            None if self.path.is_empty() => String::new(),
            None => format!("at {}: ", self.path),
        }
    }
}

impl From<GiaError> for ArtifactError {
    fn from(error: GiaError) -> Self {
        let path = match error.part() {
            GiaPart::Whole => String::new(),
            GiaPart::State(index) => format!("states[{index}]"),
            GiaPart::Transition(index) => format!("transitions[{index}]"),
        };
        let text = error.to_string();
        match text.rsplit_once("; ") {
            Some((message, remedy)) => ArtifactError::new(path, message).help(remedy),
            None => ArtifactError::new(path, text),
        }
    }
}
