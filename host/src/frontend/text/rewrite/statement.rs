//! Statements of GNU C that lang-c does not take: labels in odd places, computed and assembler gotos.

use super::super::keyword::Keyword;
use super::super::lex::{Kind, Punct};
use super::{ASM_GOTO_CLOBBER, COMPUTED_GOTO, Frame, LOCAL_LABEL, Rewriter};
use crate::diagnostic::Diagnostic;
use crate::frontend::known::{is_harmless_pragma, is_linkage_pragma};

impl Rewriter<'_> {
    /// Looks at the first token of a statement or declaration; returns the next token to look at if it handled it.
    pub(super) fn begin_statement(&mut self, index: usize) -> Result<usize, Diagnostic> {
        let frame = self.frame();
        match self.tokens[index].kind {
            Kind::Keyword(Keyword::Asm) if frame == Frame::File => return Ok(self.toplevel_asm(index)),
            Kind::Keyword(Keyword::Pragma) if self.is_punct(index + 1, Punct::Open(b'(')) => {
                self.fresh = true;
                return self.pragma(index);
            }
            Kind::Keyword(Keyword::LocalLabel) => {
                let end = self.find(index, Punct::Semicolon).map_or(index + 1, |semicolon| semicolon + 1);
                self.declare_labels(index + 1, end);
                self.blank(index, end);
                self.fresh = true;
                return Ok(end);
            }
            Kind::Keyword(Keyword::Attribute) if frame == Frame::Block => {
                let next = self.skip_attributes(index);
                if !self.begins_declaration(next) {
                    self.drop_attributes(index, next);
                    self.fresh = true;
                    return Ok(next);
                }
            }
            Kind::Keyword(Keyword::Case) => {
                if let Some(colon) = self.case_colon(index + 1) {
                    self.label_colons.push(colon);
                }
                return Ok(index);
            }
            Kind::Keyword(Keyword::Default) if self.is_punct(index + 1, Punct::Colon) => {
                self.label_colons.push(index + 1);
                return Ok(index);
            }
            Kind::Name | Kind::OddName if frame == Frame::Block && self.is_punct(index + 1, Punct::Colon) => {
                self.label_colons.push(index + 1);
                self.name_label(index);
                return Ok(index);
            }
            _ => {}
        }
        if frame != Frame::Record {
            self.begin_declaration(index);
        }
        Ok(index)
    }

    /// `__label__ a, b;`: until the block ends, these names are labels of their own.
    fn declare_labels(&mut self, first: usize, end: usize) {
        for index in first..end {
            if !self.is_name(index) {
                continue;
            }
            self.named_labels += 1;
            let name = String::from_utf8_lossy(self.word(index)).replace(|c: char| !c.is_ascii_alphanumeric(), "_");
            let name = format!("{LOCAL_LABEL}{}_{name}", self.named_labels);
            self.local_labels.push((self.frames.len(), self.word(index), name));
        }
    }

    /// The name that a label has instead of the one in the text.
    pub(super) fn local_label(&self, index: usize) -> Option<&str> {
        let word = self.word(index);
        self.local_labels.iter().rev().find(|(_, name, _)| *name == word).map(|(.., name)| name.as_str())
    }

    /// At a label's name.
    pub(super) fn name_label(&mut self, index: usize) {
        if let Some(name) = self.local_label(index).map(str::to_owned) {
            self.replace(index, name);
        }
    }

    /// Drops `_Pragma("…")`.
    pub(super) fn pragma(&mut self, index: usize) -> Result<usize, Diagnostic> {
        let end = self.partner(index + 1) + 1;
        if self.kind(index + 2) == Some(Kind::String) && self.word(index + 2).starts_with(b"\"pack") {
            return self.unsupported(index, "_Pragma(\"pack…\") is", "write it as a line `#pragma pack(…)`");
        }
        let text = String::from_utf8_lossy(self.word(index + 2)).replace("\\\"", "\"");
        if is_linkage_pragma(text.trim_matches('"')) {
            self.linkage.push(text.trim_matches('"').to_owned());
        } else if !is_harmless_pragma(text.trim_matches('"')) {
            self.unknown.push((format!("_Pragma({text})"), self.tokens[index].start));
        }
        self.blank(index, end);
        Ok(end)
    }

    /// The colon that ends a `case` label: not one of a `?:` in its expression.
    fn case_colon(&self, mut index: usize) -> Option<usize> {
        let mut questions = 0;
        loop {
            match self.kind(index)? {
                Kind::Punct(Punct::Question) => questions += 1,
                Kind::Punct(Punct::Colon) if questions == 0 => return Some(index),
                Kind::Punct(Punct::Colon) => questions -= 1,
                Kind::Punct(Punct::Semicolon | Punct::Close(_)) => return None,
                _ => {}
            }
            index = self.after(index);
        }
    }

    /// After a label: drops its attributes, and gives it a statement to stand before if none follows.
    pub(super) fn after_label(&mut self, colon: usize) -> usize {
        let next = self.skip_attributes(colon + 1);
        self.drop_attributes(colon + 1, next);
        let statement_missing = match self.kind(next) {
            Some(Kind::Punct(Punct::Close(_))) | None => true,
            _ => self.begins_declaration(next),
        };
        if statement_missing {
            self.insert_after(colon, " ;");
        }
        self.fresh = true;
        next
    }

    /// `goto label;` and `goto *e;`
    pub(super) fn goto(&mut self, index: usize) {
        if !self.is_punct(index + 1, Punct::Star) {
            if self.is_name(index + 1) {
                self.name_label(index + 1);
            }
            return;
        }
        if let Some(semicolon) = self.find(index + 2, Punct::Semicolon) {
            self.replace(index, format!("{COMPUTED_GOTO}("));
            self.blank(index + 1, index + 2);
            self.insert_before(semicolon, ")");
        }
    }

    fn toplevel_asm(&mut self, index: usize) -> usize {
        let Some(semicolon) = self.find(index, Punct::Semicolon) else { return index };
        self.blank(index, semicolon + 1);
        self.has_toplevel_asm = true;
        self.fresh = true;
        semicolon + 1
    }

    /// An assembler statement: drops `inline` and `goto`, and turns the labels of an `asm goto` into clobbers.
    ///
    /// An assembler label of a declaration moves before the attributes, as lang-c wants it.
    pub(super) fn asm(&mut self, index: usize) -> usize {
        let mut open = index + 1;
        let attributes = self.attributes_before(index);
        if attributes < index && self.is_punct(open, Punct::Open(b'(')) {
            let end = self.partner(open) + 1;
            self.insert_before(attributes, format!("{} ", self.text_of(index, end)));
            self.blank(index, end);
            return end;
        }
        let mut jumps = false;
        let mut volatile = false;
        loop {
            match self.kind(open) {
                Some(Kind::Keyword(Keyword::Goto)) => jumps = true,
                Some(Kind::Keyword(Keyword::Inline)) => {}
                Some(Kind::Keyword(Keyword::Qualifier)) if volatile => {}
                Some(Kind::Keyword(Keyword::Qualifier)) => {
                    volatile = true;
                    open += 1;
                    continue;
                }
                _ => break,
            }
            self.blank(open, open + 1);
            open += 1;
        }
        if jumps && self.is_punct(open, Punct::Open(b'(')) {
            self.asm_labels(open);
        }
        open
    }

    fn asm_labels(&mut self, open: usize) {
        let mut colons = Vec::new();
        let mut index = open + 1;
        while let Some(colon) = self.find(index, Punct::Colon) {
            colons.push(colon);
            index = colon + 1;
        }
        let &[_, _, clobbers, labels] = colons.as_slice() else { return };
        let close = self.partner(open);
        let has_clobbers = labels > clobbers + 1;
        let mut separator = if has_clobbers { ", " } else { " " };
        let mut text = String::new();
        for label in (labels + 1..close).filter(|&index| self.is_name(index)) {
            let own = || String::from_utf8_lossy(self.word(label)).into_owned();
            let name = self.local_label(label).map_or_else(own, str::to_owned);
            text += &format!("{separator}\"{ASM_GOTO_CLOBBER}{name}\"");
            separator = ", ";
        }
        self.blank(labels + 1, close);
        self.replace(labels, text);
    }
}
