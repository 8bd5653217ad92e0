//! Changes to a text, collected in any order and applied at once.
//! Blanking keeps offsets; insertions and replacements are recorded in the offset map.

use super::map::Offsets;
use std::borrow::Cow;

struct Edit {
    start: u32,
    end: u32,
    text: Cow<'static, str>,
}

#[derive(Default)]
pub struct Edits {
    edits: Vec<Edit>,
    blanks: Vec<(u32, u32)>,
}

impl Edits {
    pub fn insert(&mut self, at: u32, text: impl Into<Cow<'static, str>>) {
        self.replace(at, at, text);
    }

    pub fn replace(&mut self, start: u32, end: u32, text: impl Into<Cow<'static, str>>) {
        self.edits.push(Edit { start, end, text: text.into() });
    }

    /// Turns everything but newlines into spaces.
    pub fn blank(&mut self, start: u32, end: u32) {
        self.blanks.push((start, end));
    }

    /// The edited text, and the map from it to the text before. Edits inside blanked stretches are dropped.
    pub fn apply(mut self, mut text: Vec<u8>, prelude: &str) -> (Vec<u8>, Offsets) {
        self.blanks.sort_unstable();
        let blanks = &self.blanks;
        self.edits.retain(|edit| {
            let before = blanks.partition_point(|&(start, _)| start <= edit.start);
            before == 0 || blanks[before - 1].1 < edit.end || (edit.start, edit.end) == (edit.end, blanks[before - 1].1)
        });
        for &(start, end) in blanks {
            for byte in &mut text[start as usize..end as usize] {
                if *byte != b'\n' {
                    *byte = b' ';
                }
            }
        }
        self.edits.sort_by_key(|edit| edit.start);
        let mut offsets = Offsets::default();
        if self.edits.is_empty() && prelude.is_empty() {
            return (text, offsets);
        }
        let mut out = Vec::with_capacity(text.len() + text.len() / 16 + prelude.len());
        out.extend_from_slice(prelude.as_bytes());
        offsets.replaced(0, 0);
        let mut copied = 0;
        for edit in &self.edits {
            let (start, end) = (edit.start as usize, edit.end as usize);
            if start < copied {
                continue;
            }
            offsets.verbatim(out.len(), copied);
            out.extend_from_slice(&text[copied..start]);
            offsets.replaced(out.len(), start);
            out.extend_from_slice(edit.text.as_bytes());
            copied = end;
        }
        offsets.verbatim(out.len(), copied);
        out.extend_from_slice(&text[copied..]);
        (out, offsets)
    }
}
