//! Parameters that have the name of a type. lang-c knows that they hide it everywhere but in `(name)`, which it takes
//! for a cast or for the type of a `sizeof`; so these parentheses are blanked inside the function.

use super::super::keyword::Keyword;
use super::super::lex::{Kind, Punct};
use super::Rewriter;

impl<'a> Rewriter<'a> {
    /// At the brace that opens the body of a function.
    pub(super) fn unwrap_hidden_types(&mut self, brace: usize) {
        let hidden = self.hidden_types(brace);
        let end = self.partner(brace);
        if hidden.is_empty() || (brace..end).any(|index| self.is_keyword(index, Keyword::Typedef)) {
            return;
        }
        for open in brace + 1..end {
            let is_wrapped = self.is_punct(open, Punct::Open(b'('))
                && self.is_name(open + 1)
                && self.is_punct(open + 2, Punct::Close(b')'));
            if is_wrapped && hidden.contains(&self.word(open + 1)) && self.begins_operand(open) {
                self.blank(open, open + 1);
                self.blank(open + 2, open + 3);
            }
        }
    }

    /// Whether what opens at `index` is an operand, not the arguments of a call or the head of a statement.
    fn begins_operand(&self, index: usize) -> bool {
        match self.kind(index - 1) {
            Some(Kind::Punct(punct)) => !matches!(punct, Punct::Close(_) | Punct::Semicolon | Punct::Open(b'{')),
            Some(Kind::Keyword(_)) => matches!(self.word(index - 1), b"sizeof" | b"return" | b"case"),
            _ => false,
        }
    }

    /// The names of parameters that are names of types, too.
    fn hidden_types(&self, brace: usize) -> Vec<&'a [u8]> {
        let mut hidden = Vec::new();
        let Some(close) = brace.checked_sub(1).filter(|&close| self.is_punct(close, Punct::Close(b')'))) else {
            return hidden;
        };
        let mut first = self.partner(close) + 1;
        let mut index = first;
        while index <= close {
            if index == close || self.is_punct(index, Punct::Comma) {
                hidden.extend(self.parameter_name(first, index).filter(|name| self.typedefs.contains(name)));
                first = index + 1;
                index += 1;
            } else {
                index = self.after(index);
            }
        }
        hidden
    }

    /// The name that the tokens of one parameter declare: the first name after the type.
    fn parameter_name(&self, first: usize, end: usize) -> Option<&'a [u8]> {
        let mut has_type = false;
        let mut index = first;
        while index < end {
            match self.kind(index)? {
                Kind::Keyword(Keyword::Record | Keyword::Enum) => {
                    has_type = true;
                    index += usize::from(self.is_name(index + 1));
                }
                Kind::Keyword(keyword) => has_type |= keyword.is_type_specifier(),
                Kind::Name if has_type => return Some(self.word(index)),
                Kind::Name => has_type = true,
                // `(*name)`
                Kind::Punct(Punct::Open(b'(')) => {
                    let name = (index + 1..self.partner(index)).find(|&inner| self.is_name(inner));
                    return name.map(|name| self.word(name));
                }
                _ => {}
            }
            index = self.after(index);
        }
        None
    }
}
