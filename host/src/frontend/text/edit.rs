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
        let blanks = merged(self.blanks);
        self.edits.retain(|edit| !is_inside(edit, &blanks));
        for &(start, end) in &blanks {
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

/// Disjoint stretches in order that cover the same text.
fn merged(mut blanks: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    blanks.sort_unstable();
    let mut merged: Vec<(u32, u32)> = Vec::with_capacity(blanks.len());
    for (start, end) in blanks {
        match merged.last_mut() {
            Some(last) if start < last.1 => last.1 = last.1.max(end),
            _ => merged.push((start, end)),
        }
    }
    merged
}

/// Whether an edit falls into a blanked stretch. Insertions at its very start or end stand.
fn is_inside(edit: &Edit, blanks: &[(u32, u32)]) -> bool {
    let before = blanks.partition_point(|&(start, _)| start <= edit.start);
    let Some(&(start, end)) = before.checked_sub(1).and_then(|last| blanks.get(last)) else { return false };
    if edit.start == edit.end { start < edit.start && edit.end < end } else { edit.end <= end }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_and_blanks_do_not_disturb_each_other() {
        let mut edits = Edits::default();
        edits.insert(5, "<5>");
        edits.insert(2, "<2>");
        edits.insert(2, "<2b>");
        edits.blank(2, 4);
        edits.blank(3, 5);
        edits.insert(3, "lost");
        edits.replace(4, 5, "lost");
        edits.replace(7, 9, "X");
        edits.insert(10, "<end>");
        let (text, offsets) = edits.apply(b"0123\n56789".to_vec(), "pre ");
        assert_eq!(String::from_utf8(text).unwrap(), "pre 01<2><2b>  \n<5>56X9<end>");
        for (from, to) in [
            (0, 0),
            (3, 0),
            (4, 0),
            (5, 1),
            (6, 2),
            (12, 2),
            (13, 2),
            (15, 4),
            (16, 5),
            (19, 5),
            (20, 6),
            (21, 7),
            (22, 9),
        ] {
            assert_eq!(offsets.back(from), to, "offset {from}");
        }
    }

    #[test]
    fn nothing_to_do_is_the_identity() {
        let (text, offsets) = Edits::default().apply(b"int x;".to_vec(), "");
        assert_eq!((text.as_slice(), offsets.back(4)), (b"int x;".as_slice(), 4));
    }
}
