//! Declarations: which names are types, where an `int` is left out, how structs are packed.

use super::super::keyword::Keyword;
use super::super::lex::{Kind, Punct};
use super::{Frame, PACK_ATTRIBUTE, Rewriter};
use crate::frontend::known::is_harmless_attribute;

impl Rewriter<'_> {
    /// Whether a declaration (rather than a statement) begins at `index`.
    pub(super) fn begins_declaration(&self, index: usize) -> bool {
        match self.kind(index) {
            Some(Kind::Keyword(Keyword::Extension | Keyword::Attribute)) => {
                let next = match self.is_keyword(index, Keyword::Attribute) {
                    true => self.skip_attributes(index),
                    false => index + 1,
                };
                next > index && self.begins_declaration(next)
            }
            Some(Kind::Keyword(Keyword::StaticAssert)) => true,
            Some(Kind::Keyword(keyword)) => keyword.begins_type(),
            Some(Kind::Name) => {
                self.typedefs.contains(self.word(index))
                    && (self.is_name(index + 1)
                        || self.is_punct(index + 1, Punct::Star)
                        || self.is_keyword(index + 1, Keyword::Qualifier))
            }
            _ => false,
        }
    }

    /// At the start of a possible declaration: learns type names and inserts a missing `int`.
    pub(super) fn begin_declaration(&mut self, first: usize) {
        let mut index = first;
        let mut is_typedef = false;
        loop {
            match self.kind(index) {
                Some(Kind::Keyword(Keyword::Qualifier | Keyword::Alignas))
                    if self.is_punct(index + 1, Punct::Open(b'(')) =>
                {
                    // `_Atomic(T)` is a type.
                    if self.is_keyword(index, Keyword::Qualifier) {
                        break;
                    }
                    index = self.partner(index + 1) + 1;
                }
                Some(Kind::Keyword(Keyword::Extension)) => index += 1,
                Some(Kind::Keyword(keyword)) if keyword.is_other_specifier() => {
                    is_typedef |= keyword == Keyword::Typedef;
                    index += 1;
                }
                _ => match self.skip_attributes(index) {
                    next if next > index => index = next,
                    _ => break,
                },
            }
        }
        if self.misses_int(first, index) {
            self.insert_before(index, "int ");
        }
        let mut scan = index;
        while !is_typedef && matches!(self.kind(scan), Some(Kind::Keyword(keyword)) if keyword.begins_type()) {
            is_typedef = self.is_keyword(scan, Keyword::Typedef);
            scan += 1;
        }
        if is_typedef {
            self.learn_typedefs(index);
        }
    }

    /// Whether the specifiers `first..index` are followed by a declarator, without a type between them.
    fn misses_int(&self, first: usize, index: usize) -> bool {
        let at_file_scope = self.frame() == Frame::File;
        if !at_file_scope && index == first {
            return false;
        }
        if self.is_punct(index, Punct::Star) {
            return true;
        }
        if !self.is_name(index) || self.typedefs.contains(self.word(index)) {
            return false;
        }
        match self.kind(index + 1) {
            Some(Kind::Punct(Punct::Semicolon | Punct::Comma | Punct::Assign)) => true,
            Some(Kind::Punct(Punct::Open(b'['))) => !self.is_bracket_attribute(index + 1),
            Some(Kind::Punct(Punct::Open(b'('))) => {
                // Not an unexpanded macro such as `MODULE_LICENSE("GPL")`.
                !matches!(self.kind(index + 2), Some(Kind::String | Kind::Number))
            }
            _ => false,
        }
    }

    /// Notes the names that the `typedef` declares whose declarators come after `index`.
    fn learn_typedefs(&mut self, mut index: usize) {
        while let Some(kind) = self.kind(index) {
            match kind {
                Kind::Punct(Punct::Semicolon | Punct::Close(_)) => return,
                Kind::Punct(Punct::Open(b'(')) => {
                    let inner = (index + 1..self.partner(index)).find(|&inner| self.is_name(inner));
                    let is_declarator = matches!(self.kind(index + 1), Some(Kind::Punct(Punct::Star | Punct::Open(_))));
                    if let Some(inner) = inner.filter(|_| is_declarator) {
                        self.typedefs.insert(self.word(inner));
                    }
                }
                Kind::Name | Kind::OddName => {
                    let ends = matches!(
                        self.kind(index + 1),
                        Some(Kind::Punct(Punct::Semicolon | Punct::Comma | Punct::Open(_)))
                            | Some(Kind::Keyword(Keyword::Attribute))
                    );
                    if ends && !self.is_punct(index + 1, Punct::Open(b'{')) {
                        self.typedefs.insert(self.word(index));
                    }
                }
                _ => {}
            }
            index = self.after(index);
        }
    }

    /// Whether all attributes in the parentheses that open at `inner` may be left out.
    fn has_only_harmless(&self, inner: usize) -> bool {
        let mut at = inner + 1;
        let mut harmless = true;
        while at < self.partner(inner) {
            let name = String::from_utf8_lossy(self.word(at));
            let plain = name.strip_prefix("__").and_then(|n| n.strip_suffix("__")).unwrap_or(&name);
            let is_argument = matches!(self.kind(at), Some(Kind::Punct(_)));
            harmless &= is_argument || is_harmless_attribute(plain);
            at = self.after(at);
        }
        harmless
    }

    /// lang-c wants `((` and `))` without blanks, and no empty attributes between commas.
    pub(super) fn attribute(&mut self, index: usize) {
        let (outer, inner) = (index + 1, index + 2);
        if !self.is_punct(outer, Punct::Open(b'(')) || !self.is_punct(inner, Punct::Open(b'(')) {
            return;
        }
        let (inner_close, outer_close) = (self.partner(inner), self.partner(outer));
        if index > 0 && self.is_punct(index - 1, Punct::Open(b'(')) && self.has_only_harmless(inner) {
            // lang-c takes no attributes in the names of types.
            return self.blank(index, outer_close + 1);
        }
        if self.tokens[outer].end != self.tokens[inner].start {
            self.blank(outer, outer + 1);
            self.replace(inner, "((");
        }
        if self.tokens[inner_close].end != self.tokens[outer_close].start {
            self.replace(inner_close, "))");
            self.blank(outer_close, outer_close + 1);
        }
        let mut at = inner + 1;
        let mut empty = true;
        while at < inner_close {
            let is_comma = self.is_punct(at, Punct::Comma);
            if is_comma && (empty || at + 1 == inner_close) {
                self.blank(at, at + 1);
            }
            empty = is_comma;
            at = self.after(at);
        }
    }

    /// Adds the `#pragma pack` that was in force where a struct ends.
    pub(super) fn pack(&mut self, close: usize) {
        let end = self.tokens[close].start;
        let before = self.packings.partition_point(|packing| packing.from <= end);
        match before.checked_sub(1).and_then(|last| self.packings[last].bytes) {
            None => {}
            Some(bytes) => self.insert_after(close, format!(" __attribute__(({PACK_ATTRIBUTE}({bytes})))")),
        }
    }
}
