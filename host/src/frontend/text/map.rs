//! Maps positions of the text that lang-c sees to the text that the user wrote. Look-ups are binary searches, since the
//! front end asks once per node.

use tandem_plugin_api::program::{FileId, SourceFile, Span};

/// A `# 12 "file.c"` or `#line` marker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    /// Where its own line ends, in the text without line splices.
    pub end: u32,
    /// The number it gives to the next line.
    pub line: u32,
    pub file: Option<String>,
}

/// The origin of a stretch of text: offset `to` and, when verbatim, byte for byte the text behind it.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    from: u32,
    to: u32,
    verbatim: bool,
}

/// A map of offsets of an edited text to those of the text before.
#[derive(Clone, Debug, Default)]
pub struct Offsets {
    stretches: Vec<Stretch>,
}

impl Offsets {
    /// From `from` on (to the next stretch), the text is what stood at `to`.
    pub fn verbatim(&mut self, from: usize, to: usize) {
        self.push(Stretch { from: from as u32, to: to as u32, verbatim: true });
    }

    /// From `from` on (to the next stretch), the text stands in for what was at `to`.
    pub fn replaced(&mut self, from: usize, to: usize) {
        self.push(Stretch { from: from as u32, to: to as u32, verbatim: false });
    }

    fn push(&mut self, stretch: Stretch) {
        if self.stretches.last().is_some_and(|last| last.from == stretch.from) {
            self.stretches.pop();
        }
        self.stretches.push(stretch);
    }

    pub fn back(&self, offset: usize) -> usize {
        let after = self.stretches.partition_point(|stretch| stretch.from as usize <= offset);
        match after.checked_sub(1).map(|index| self.stretches[index]) {
            None => offset,
            Some(Stretch { to, verbatim: false, .. }) => to as usize,
            Some(Stretch { from, to, verbatim: true }) => to as usize + (offset - from as usize),
        }
    }
}

/// The name of the file from which the lines from `from_line` on come.
#[derive(Clone, Copy, Debug)]
struct Region {
    from_line: u32,
    file: FileId,
    line: u32,
    /// The line of the read file that all of these stem from, where it is not the same line: an `#include`.
    included_at: Option<u32>,
}

#[derive(Clone, Debug)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    regions: Vec<Region>,
    line_starts: Vec<u32>,
    /// For the removal of line splices.
    splices: Offsets,
    /// For the rewriting for lang-c.
    edits: Offsets,
    /// The text comes from a preprocessor that we ran: its own line numbers mean nothing to the user.
    preprocessed: bool,
}

/// A position in the user's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub file: FileId,
    pub line: u32,
    pub column: u32,
    pub physical_line: u32,
}

impl SourceMap {
    /// A map for `text` as read from the file `name`, without edits so far.
    pub fn new(text: &[u8], name: &str, preprocessed: bool) -> Self {
        let newlines = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(at, _)| at as u32 + 1)).collect();
        SourceMap {
            files: vec![SourceFile { name: name.to_owned() }],
            regions: vec![Region { from_line: 1, file: FileId(0), line: 1, included_at: None }],
            line_starts,
            splices: Offsets::default(),
            edits: Offsets::default(),
            preprocessed,
        }
    }

    pub fn set_splices(&mut self, splices: Offsets) {
        self.splices = splices;
    }

    pub fn set_edits(&mut self, edits: Offsets) {
        self.edits = edits;
    }

    /// Takes over the line markers, in the order of the text.
    pub fn set_markers(&mut self, markers: &[Marker]) {
        let mut included_at = None;
        for marker in markers {
            let before = self.regions[self.regions.len() - 1];
            let file = match &marker.file {
                Some(name) => self.file_named(name),
                None => before.file,
            };
            let from_line = self.physical_line(self.splices.back(marker.end as usize) as u32) + 1;
            if self.preprocessed {
                let last_line = before.line + from_line.saturating_sub(2).saturating_sub(before.from_line);
                match (before.file == FileId(0), file == FileId(0)) {
                    (_, true) => included_at = None,
                    (true, false) => included_at = Some(last_line.max(1)),
                    (false, false) => {}
                }
            }
            self.regions.push(Region { from_line, file, line: marker.line, included_at });
        }
    }

    fn file_named(&mut self, name: &str) -> FileId {
        let known = self.files.iter().position(|file| file.name == name);
        FileId::new(known.unwrap_or_else(|| {
            self.files.push(SourceFile { name: name.to_owned() });
            self.files.len() - 1
        }))
    }

    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    pub fn file_name(&self, file: FileId) -> &str {
        self.files.get(file.index()).map_or("", |file| &file.name)
    }

    /// The line of an offset of the text as it was read, counted from 1.
    fn physical_line(&self, offset: u32) -> u32 {
        self.line_starts.partition_point(|&start| start <= offset).max(1) as u32
    }

    /// The user's position of an offset of the lang-c text.
    pub fn position(&self, offset: usize) -> Position {
        self.position_before_edits(self.edits.back(offset))
    }

    /// The user's position of an offset of the text without line splices.
    pub fn position_before_edits(&self, offset: usize) -> Position {
        let offset = self.splices.back(offset) as u32;
        let physical = self.physical_line(offset);
        let column = offset - self.line_starts[physical as usize - 1] + 1;
        let after = self.regions.partition_point(|region| region.from_line <= physical).max(1);
        let region = self.regions[after - 1];
        let line = region.line + (physical - region.from_line);
        let physical_line = match region.included_at {
            Some(line) => line,
            None if self.preprocessed => line,
            None => physical,
        };
        Position { file: region.file, line, column, physical_line }
    }

    /// The user's range for the bytes `start..end` of the lang-c text. The end column is the one after the last byte.
    pub fn span(&self, start: usize, end: usize) -> Span {
        let first = self.position(start);
        let last = self.position(end.max(start));
        let backwards = last.file != first.file || (last.line, last.column) < (first.line, first.column);
        let last = if backwards { first } else { last };
        Span {
            file: first.file,
            line: first.line,
            column: first.column,
            end_line: last.line,
            end_column: last.column,
            physical_line: first.physical_line,
        }
    }
}
