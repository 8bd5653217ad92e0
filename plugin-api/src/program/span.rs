//! Where something stands in the user's source text.

use super::ids::FileId;
use serde::{Deserialize, Serialize};

/// A range of source text. Lines and columns count from 1, columns in bytes.
///
/// `line` follows `# line` markers, so it is the line of the file that the user wrote; `physical_line` is the line of
/// the text that was read, which witnesses for preprocessed (`.i`) files refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    pub file: FileId,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
    pub physical_line: u32,
}

impl Span {
    /// For parts of the program that no text stands for.
    pub const NOWHERE: Span =
        Span { file: FileId(0), line: 0, column: 0, end_line: 0, end_column: 0, physical_line: 0 };

    pub fn is_somewhere(self) -> bool {
        self.line != 0
    }
}

/// A source file that spans refer to, by the name its line markers or the command line gave it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    pub name: String,
}
