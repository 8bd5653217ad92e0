//! Expressions and type names of GNU C that lang-c does not take.

use super::super::keyword::Keyword;
use super::super::lex::{Kind, Punct};
use super::{AUTO_TYPE, ENUM_TYPE_ATTRIBUTE, Frame, INT128, LABEL_ADDRESS, Rewriter, UINT128};
use crate::diagnostic::Diagnostic;

impl Rewriter<'_> {
    pub(super) fn keyword(&mut self, index: usize, keyword: Keyword) -> Result<usize, Diagnostic> {
        match keyword {
            // `__extension__` only silences warnings.
            Keyword::ThreadLocal | Keyword::Extension => self.blank(index, index + 1),
            Keyword::Float128 => self.replace(index, "_Float128"),
            Keyword::Int128 | Keyword::Uint128 => self.int128(index, keyword == Keyword::Uint128),
            Keyword::AutoType => {
                self.uses_auto_type = true;
                self.replace(index, AUTO_TYPE);
            }
            // Not the attribute of this name.
            Keyword::Qualifier if self.word(index) == b"__const__" && !self.is_list_item(index) => {
                self.replace(index, "__const");
            }
            // lang-c takes the other two spellings for the name of a function inside parentheses.
            Keyword::Typeof if self.word(index) != b"__typeof" => self.replace(index, "__typeof"),
            Keyword::Alignof => self.alignof(index),
            Keyword::Alignas if self.frame() == Frame::Record => self.alignas(index),
            Keyword::TypesCompatible => self.types_compatible(index),
            Keyword::StaticAssert => self.static_assert(index),
            // Operators that lang-c knows, in combinations that C does not have.
            Keyword::RealPart => self.replace(index, " *&!"),
            Keyword::ImaginaryPart => self.replace(index, " *&~"),
            Keyword::Complex => self.uses_complex = true,
            Keyword::ConvertVector => self.convert_vector(index),
            Keyword::Pragma if self.is_punct(index + 1, Punct::Open(b'(')) => return self.pragma(index),
            Keyword::Attribute => self.attribute(index),
            Keyword::Goto => self.goto(index),
            Keyword::Asm => return Ok(self.asm(index)),
            Keyword::Record | Keyword::Enum => return Ok(self.body_of(index, keyword)),
            Keyword::Prefix => self.fresh = true,
            _ => {}
        }
        Ok(index + 1)
    }

    /// Whether the token stands alone between parentheses or commas.
    fn is_list_item(&self, index: usize) -> bool {
        let before = index.checked_sub(1).and_then(|before| self.kind(before));
        matches!(before, Some(Kind::Punct(Punct::Open(b'(') | Punct::Comma)))
            && matches!(self.kind(index + 1), Some(Kind::Punct(Punct::Close(b')') | Punct::Comma)))
    }

    /// At `struct`, `union` or `enum`: remembers where its body opens, and moves its attributes behind the body.
    fn body_of(&mut self, index: usize, keyword: Keyword) -> usize {
        let name = self.skip_attributes(index + 1);
        let brace = if self.is_name(name) { name + 1 } else { name };
        match self.is_keyword(index + 1, Keyword::Attribute) {
            true => self.blank(index + 1, name),
            false => self.drop_attributes(index + 1, name),
        }
        let brace = if keyword == Keyword::Enum { self.fixed_type(index, brace) } else { brace };
        if self.is_punct(brace, Punct::Open(b'{')) {
            let frame = if keyword == Keyword::Record { Frame::Record } else { Frame::Enumerators };
            self.body_ahead = Some((brace, frame));
            if name > index + 1 && self.is_keyword(index + 1, Keyword::Attribute) {
                let attributes = self.text_of(index + 1, name);
                self.insert_after(self.partner(brace), format!(" {attributes}"));
            }
        }
        name
    }

    /// `enum e : type { … }`: the type becomes an attribute. Gives the token after the type.
    fn fixed_type(&mut self, keyword: usize, colon: usize) -> usize {
        let is_specifier = |index: usize| match self.kind(index) {
            Some(Kind::Keyword(keyword)) => keyword.begins_type(),
            Some(Kind::Name) => self.typedefs.contains(self.word(index)),
            _ => false,
        };
        // `enum e : 3;` is a bit-field.
        if !self.is_punct(colon, Punct::Colon) || !is_specifier(colon + 1) {
            return colon;
        }
        let mut end = colon + 1;
        while is_specifier(end) {
            end += 1;
        }
        let attribute =
            format!(" __attribute__(({ENUM_TYPE_ATTRIBUTE}(({})0)))", self.text_of(colon + 1, end).trim_end());
        let last = if self.is_punct(end, Punct::Open(b'{')) { self.partner(end) } else { colon - 1 };
        self.blank(colon, end);
        if last > keyword {
            self.insert_after(last, attribute);
        }
        end
    }

    /// `__int128` with its sign, which may stand before or after it.
    fn int128(&mut self, index: usize, mut unsigned: bool) {
        self.uses_int128 = true;
        let is_specifier = |kind: Option<Kind>| match kind {
            Some(Kind::Keyword(keyword)) => {
                matches!(keyword, Keyword::Unsigned | Keyword::Signed) || keyword.is_other_specifier()
            }
            _ => false,
        };
        let mut first = index;
        while first > 0 && is_specifier(self.kind(first - 1)) {
            first -= 1;
        }
        let mut last = index;
        while is_specifier(self.kind(last + 1)) {
            last += 1;
        }
        for other in first..=last {
            match self.kind(other) {
                Some(Kind::Keyword(Keyword::Unsigned)) => unsigned = true,
                Some(Kind::Keyword(Keyword::Signed)) => {}
                _ => continue,
            }
            self.blank(other, other + 1);
        }
        self.replace(index, if unsigned { UINT128 } else { INT128 });
    }

    /// `__alignof__(e)` becomes `__alignof__(__typeof(e)[])`, so that the operand may be a type or an expression; the
    /// brackets distinguish it from a `typeof` of the program.
    fn alignof(&mut self, index: usize) {
        if self.is_punct(index + 1, Punct::Open(b'(')) {
            let begins_type = matches!(self.kind(index + 2), Some(Kind::Keyword(keyword)) if keyword.begins_type());
            if !begins_type {
                self.insert_after(index + 1, "__typeof(");
                self.insert_before(self.partner(index + 1), ")[]");
            }
        } else if self.is_name(index + 1) {
            let mut last = index + 1;
            loop {
                let next = last + 1;
                if matches!(self.kind(next), Some(Kind::Punct(Punct::Open(b'[' | b'(')))) {
                    last = self.partner(next);
                } else if self.kind(next) == Some(Kind::Punct(Punct::Other))
                    && matches!(self.word(next), b"." | b"->")
                    && self.is_name(next + 1)
                {
                    last = next + 1;
                } else {
                    break;
                }
            }
            self.insert_before(index + 1, "(__typeof(");
            self.insert_after(last, ")[])");
        }
    }

    /// `_Alignas` of a member becomes an attribute.
    fn alignas(&mut self, index: usize) {
        if !self.is_punct(index + 1, Punct::Open(b'(')) {
            return;
        }
        let is_type = match self.kind(index + 2) {
            Some(Kind::Keyword(keyword)) => keyword.begins_type(),
            Some(Kind::Name) => self.typedefs.contains(self.word(index + 2)),
            _ => false,
        };
        self.replace(index, if is_type { "__attribute__((__aligned__(_Alignof" } else { "__attribute__((__aligned__" });
        self.insert_after(self.partner(index + 1), if is_type { ")))" } else { "))" });
    }

    /// `__builtin_types_compatible_p(A, B)`: the types go behind `sizeof`, so that it is a plain call.
    fn types_compatible(&mut self, index: usize) {
        let open = index + 1;
        if !self.is_punct(open, Punct::Open(b'(')) {
            return;
        }
        let Some(comma) = self.find(open + 1, Punct::Comma) else { return };
        let close = self.partner(open);
        for (first, end) in [(open + 1, comma), (comma + 1, close)] {
            self.insert_before(first, "sizeof(");
            self.insert_before(end, ")");
        }
    }

    /// `__builtin_convertvector(v, T)`: the type becomes a null pointer to it, so that it is a plain call.
    fn convert_vector(&mut self, index: usize) {
        let open = index + 1;
        if !self.is_punct(open, Punct::Open(b'(')) {
            return;
        }
        if let Some(comma) = self.find(open + 1, Punct::Comma) {
            self.insert_before(comma + 1, "(__typeof__(");
            self.insert_before(self.partner(open), ")*)0");
        }
    }

    /// `_Static_assert(e)` needs its message.
    fn static_assert(&mut self, index: usize) {
        let open = index + 1;
        if self.is_punct(open, Punct::Open(b'(')) && self.find(open + 1, Punct::Comma).is_none() {
            self.insert_before(self.partner(open), ", \"\"");
        }
    }

    /// `&&label`, distinguished from the operator by the token before it.
    pub(super) fn and_and(&mut self, index: usize) -> usize {
        if self.is_name(index + 1) && !self.ends_operand(index) && self.is_label(self.word(index + 1)) {
            // `return&&label` has no blank.
            let after_keyword =
                matches!(index.checked_sub(1).and_then(|before| self.kind(before)), Some(Kind::Keyword(_)));
            self.replace(index, format!("{}{LABEL_ADDRESS}(", if after_keyword { " " } else { "" }));
            self.name_label(index + 1);
            self.insert_after(index + 1, ")");
        }
        index + 1
    }

    /// Whether the tokens before `index` end an operand, so that a binary operator may follow.
    fn ends_operand(&self, index: usize) -> bool {
        let Some(before) = index.checked_sub(1) else { return false };
        match self.tokens[before].kind {
            Kind::Name | Kind::OddName | Kind::Number | Kind::String | Kind::Char => true,
            Kind::Punct(Punct::Close(b')')) => !self.is_cast(self.partner(before), before),
            Kind::Punct(Punct::Close(_) | Punct::Step) => true,
            _ => false,
        }
    }

    /// Whether there seems to be a label of this name. A variable may hide a type, as in `(T) && x`.
    fn is_label(&self, name: &[u8]) -> bool {
        let labels =
            (0..self.tokens.len()).filter(|&index| self.is_name(index) && self.is_punct(index + 1, Punct::Colon));
        labels.into_iter().any(|index| self.word(index) == name)
    }

    /// Whether the parentheses hold a type name rather than an expression.
    fn is_cast(&self, open: usize, close: usize) -> bool {
        let before = open.checked_sub(1).and_then(|before| self.kind(before));
        if matches!(before, Some(Kind::Name | Kind::OddName | Kind::Keyword(Keyword::Operand | Keyword::Alignof))) {
            return false;
        }
        match self.kind(open + 1) {
            Some(Kind::Keyword(keyword)) => keyword.begins_type(),
            Some(Kind::Name) => {
                let only_stars = (open + 2..close).all(|index| self.is_punct(index, Punct::Star));
                only_stars && self.typedefs.contains(self.word(open + 1))
            }
            _ => false,
        }
    }
}
