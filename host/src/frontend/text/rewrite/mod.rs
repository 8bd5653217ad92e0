//! One walk over the tokens that finds constructs which lang-c does not accept, and notes the edits that replace them.
//! It keeps just enough context (kind of the enclosing braces, whether a statement begins) to distinguish labels from
//! `?:`.

mod declaration;
mod expression;
mod hidden;
mod literal;
mod statement;
#[cfg(test)]
mod tests;

use super::edit::Edits;
use super::keyword::Keyword;
use super::lex::{Kind, Lexed, Packing, Punct, Token};
use crate::diagnostic::Diagnostic;
use crate::frontend::known::is_harmless_attribute;
use rustc_hash::FxHashSet;

/// Stands for the value of the condition in `a ?: b`, which reaches lang-c as `a ? __tandem_elvis : b`.
pub const ELVIS: &str = "__tandem_elvis";
/// Stands in an initialiser without items, `{}`, which lang-c does not take.
pub const EMPTY: &str = "__tandem_empty";
/// `&&label` reaches lang-c as a call of this with the label's name as its argument.
pub const LABEL_ADDRESS: &str = "__tandem_label_address";
/// A label that `__label__` makes local to a block begins with this and a number, then has its own name.
pub const LOCAL_LABEL: &str = "__tandem_label_";
/// `goto *e;` reaches lang-c as a call of this.
pub const COMPUTED_GOTO: &str = "__tandem_goto";
/// The type names for 128-bit integers; a declaration of theirs is put before the text that needs it.
pub const INT128: &str = "__tandem_int128";
pub const UINT128: &str = "__tandem_uint128";
/// Stands for `__auto_type`; likewise declared where needed.
pub const AUTO_TYPE: &str = "__tandem_auto_type";
/// Each label of an `asm goto` reaches lang-c as a clobber `"tandem:goto label"`.
pub const ASM_GOTO_CLOBBER: &str = "tandem:goto ";
/// A function inside a function reaches lang-c as its declaration with this attribute, followed by its body as a block.
pub const NESTED_ATTRIBUTE: &str = "__tandem_nested__";
/// `enum e : type` reaches lang-c as `enum e` with this attribute, whose argument has the type.
pub const ENUM_TYPE_ATTRIBUTE: &str = "__tandem_enum__";
/// `#pragma pack(n)` reaches lang-c as this attribute of each struct.
pub const PACK_ATTRIBUTE: &str = "__tandem_pack__";

pub struct Rewritten {
    pub edits: Edits,
    /// Declarations to put before the text.
    pub prelude: String,
    pub has_toplevel_asm: bool,
    /// Parts that were blanked and may have a meaning, with their offsets.
    pub unknown: Vec<(String, u32)>,
    /// Pragmas about what names are linked to.
    pub linkage: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Frame {
    File,
    Block,
    Record,
    Enumerators,
    Initializer,
    /// Parentheses or square brackets.
    Group,
    /// The parentheses of a `for`.
    ForHead,
}

/// The string literals that stand beside each other up to a token, and whether one of them is wide.
struct Strings {
    end: usize,
    wide: bool,
}

struct Rewriter<'a> {
    text: &'a [u8],
    tokens: &'a [Token],
    partner: &'a [u32],
    packings: &'a [Packing],
    place: &'a dyn Fn(Diagnostic, usize) -> Diagnostic,
    edits: Edits,
    frames: Vec<Frame>,
    /// A statement or a declaration begins at the next token.
    fresh: bool,
    /// The brace that opens the body of the struct, union or enum just named.
    body_ahead: Option<(usize, Frame)>,
    /// Colons that end labels, the next one last.
    label_colons: Vec<usize>,
    /// Labels that `__label__` makes local to a block, with the depth of the block and the name they get.
    local_labels: Vec<(usize, &'a [u8], String)>,
    /// How many labels were given a name so far.
    named_labels: usize,
    /// Names that some `typedef` so far gives to a type, in whatever scope.
    typedefs: FxHashSet<&'a [u8]>,
    uses_int128: bool,
    uses_auto_type: bool,
    uses_complex: bool,
    strings: Strings,
    has_toplevel_asm: bool,
    unknown: Vec<(String, u32)>,
    linkage: Vec<String>,
}

pub fn rewrite(
    lexed: &Lexed,
    partner: &[u32],
    place: &dyn Fn(Diagnostic, usize) -> Diagnostic,
) -> Result<Rewritten, Diagnostic> {
    let mut rewriter = Rewriter {
        text: &lexed.text,
        tokens: &lexed.tokens,
        partner,
        packings: &lexed.packings,
        place,
        edits: Edits::default(),
        frames: vec![Frame::File],
        fresh: true,
        body_ahead: None,
        label_colons: Vec::new(),
        local_labels: Vec::new(),
        named_labels: 0,
        typedefs: FxHashSet::default(),
        uses_int128: false,
        uses_auto_type: false,
        uses_complex: false,
        strings: Strings { end: 0, wide: false },
        has_toplevel_asm: false,
        unknown: Vec::new(),
        linkage: Vec::new(),
    };
    rewriter.walk()?;
    let mut prelude = String::new();
    if rewriter.uses_int128 {
        prelude += &format!("typedef int {INT128} __attribute__((__mode__(__TI__)));");
        prelude += &format!("typedef unsigned int {UINT128} __attribute__((__mode__(__TI__)));");
    }
    if rewriter.uses_auto_type {
        prelude += &format!("typedef int {AUTO_TYPE};");
    }
    if rewriter.uses_complex {
        prelude += &crate::frontend::complex_helpers::text();
    }
    Ok(Rewritten {
        edits: rewriter.edits,
        prelude,
        has_toplevel_asm: rewriter.has_toplevel_asm,
        unknown: rewriter.unknown,
        linkage: rewriter.linkage,
    })
}

impl<'a> Rewriter<'a> {
    fn walk(&mut self) -> Result<(), Diagnostic> {
        let mut index = 0;
        while index < self.tokens.len() {
            if std::mem::take(&mut self.fresh) {
                let next = self.begin_statement(index)?;
                if next != index {
                    index = next;
                    continue;
                }
            }
            index = self.token(index)?;
        }
        Ok(())
    }

    fn kind(&self, index: usize) -> Option<Kind> {
        self.tokens.get(index).map(|token| token.kind)
    }

    fn is_punct(&self, index: usize, punct: Punct) -> bool {
        self.kind(index) == Some(Kind::Punct(punct))
    }

    fn is_keyword(&self, index: usize, keyword: Keyword) -> bool {
        self.kind(index) == Some(Kind::Keyword(keyword))
    }

    fn is_name(&self, index: usize) -> bool {
        matches!(self.kind(index), Some(Kind::Name | Kind::OddName))
    }

    fn word(&self, index: usize) -> &'a [u8] {
        let token = &self.tokens[index];
        &self.text[token.start as usize..token.end as usize]
    }

    /// The bracket that pairs with the one at `index`.
    fn partner(&self, index: usize) -> usize {
        self.partner[index] as usize
    }

    /// The next token of the same nesting depth.
    fn after(&self, index: usize) -> usize {
        match self.kind(index) {
            Some(Kind::Punct(Punct::Open(_))) => self.partner(index) + 1,
            _ => index + 1,
        }
    }

    /// The first `punct` from `index` on at this nesting depth, before the enclosing bracket closes.
    fn find(&self, mut index: usize, punct: Punct) -> Option<usize> {
        while let Some(kind) = self.kind(index) {
            match kind {
                Kind::Punct(found) if found == punct => return Some(index),
                Kind::Punct(Punct::Close(_)) => return None,
                _ => index = self.after(index),
            }
        }
        None
    }

    /// Past any `__attribute__((…))` and `[[…]]` at `index`.
    fn skip_attributes(&self, mut index: usize) -> usize {
        loop {
            if self.is_keyword(index, Keyword::Attribute) && self.is_punct(index + 1, Punct::Open(b'(')) {
                index = self.partner(index + 1) + 1;
            } else if self.is_bracket_attribute(index) {
                index = self.partner(index) + 1;
            } else {
                return index;
            }
        }
    }

    /// Blanks the attributes `first..end`, and notes those that are not known to be without meaning.
    fn drop_attributes(&mut self, first: usize, end: usize) {
        for index in first..end {
            let is_list = self.is_punct(index, Punct::Open(b'(')) || self.is_punct(index, Punct::Open(b'['));
            if !is_list || !self.opens_attributes(index) {
                continue;
            }
            let mut at = index + 1;
            while at < self.partner(index) {
                let is_last = !self.is_punct(at + 1, Punct::Colon);
                let is_word = self.is_name(at) || matches!(self.kind(at), Some(Kind::Keyword(_)));
                if is_word && is_last {
                    let name = String::from_utf8_lossy(self.word(at)).into_owned();
                    let plain = name.strip_prefix("__").and_then(|n| n.strip_suffix("__")).unwrap_or(&name);
                    if !is_harmless_attribute(plain) {
                        self.unknown.push((format!("attribute `{plain}` at this place"), self.tokens[at].start));
                    }
                }
                at = self.after(at);
            }
        }
        self.blank(first, end);
    }

    /// Whether the bracket at `index` is the inner one of `((…))` after `__attribute__`, or of `[[…]]`.
    fn opens_attributes(&self, index: usize) -> bool {
        let Some(outer) = index.checked_sub(1) else { return false };
        match self.kind(index) {
            Some(Kind::Punct(Punct::Open(b'['))) => self.is_bracket_attribute(outer),
            _ => self.is_punct(outer, Punct::Open(b'(')) && outer > 0 && self.is_keyword(outer - 1, Keyword::Attribute),
        }
    }

    fn is_bracket_attribute(&self, index: usize) -> bool {
        self.is_punct(index, Punct::Open(b'[')) && self.is_punct(index + 1, Punct::Open(b'['))
    }

    /// The tokens `first..end` on one line, with brackets close together.
    fn text_of(&self, first: usize, end: usize) -> String {
        let mut text = String::new();
        for index in first..end {
            let kinds = (self.kind(index), self.kind(index + 1));
            text += &String::from_utf8_lossy(self.word(index));
            let close_together = matches!(
                kinds,
                (Some(Kind::Punct(Punct::Open(_))), Some(Kind::Punct(Punct::Open(_))))
                    | (Some(Kind::Punct(Punct::Close(_))), Some(Kind::Punct(Punct::Close(_))))
            );
            if !close_together {
                text.push(' ');
            }
        }
        text
    }

    /// The start of the `__attribute__((…))`s that end just before `index`; `index` if there are none.
    fn attributes_before(&self, mut index: usize) -> usize {
        while index > 2 && self.is_punct(index - 1, Punct::Close(b')')) {
            let open = self.partner(index - 1);
            if open == 0 || !self.is_keyword(open - 1, Keyword::Attribute) {
                break;
            }
            index = open - 1;
        }
        index
    }

    /// Blanks the tokens `first..end`.
    fn blank(&mut self, first: usize, end: usize) {
        if first < end {
            self.edits.blank(self.tokens[first].start, self.tokens[end - 1].end);
        }
    }

    fn replace(&mut self, index: usize, text: impl Into<std::borrow::Cow<'static, str>>) {
        self.edits.replace(self.tokens[index].start, self.tokens[index].end, text);
    }

    fn insert_before(&mut self, index: usize, text: impl Into<std::borrow::Cow<'static, str>>) {
        self.edits.insert(self.tokens[index].start, text);
    }

    fn insert_after(&mut self, index: usize, text: impl Into<std::borrow::Cow<'static, str>>) {
        self.edits.insert(self.tokens[index].end, text);
    }

    fn unsupported<T>(&self, index: usize, what: &str, help: &str) -> Result<T, Diagnostic> {
        let problem = Diagnostic::new(format!("{what} not supported")).help(help);
        Err((self.place)(problem, self.tokens[index].start as usize))
    }

    fn frame(&self) -> Frame {
        self.frames.last().copied().unwrap_or(Frame::File)
    }

    /// Handles one token and returns the next one to look at.
    fn token(&mut self, index: usize) -> Result<usize, Diagnostic> {
        match self.tokens[index].kind {
            Kind::Keyword(keyword) => return self.keyword(index, keyword),
            Kind::OddName => match literal::plain_name(self.word(index)) {
                Ok(name) => self.replace(index, name),
                Err(stray) => {
                    let problem = Diagnostic::new(format!("unexpected character {stray}"));
                    let help = "use ASCII characters outside of strings and comments";
                    return Err((self.place)(problem.help(help), self.tokens[index].start as usize));
                }
            },
            kind @ (Kind::String | Kind::Char) => {
                let wide =
                    if kind == Kind::String { self.is_wide_string(index) } else { literal::is_wide(self.word(index)) };
                if let Some(text) = literal::plain(self.word(index), wide) {
                    self.replace(index, text);
                }
            }
            Kind::Number => {
                self.uses_complex |= literal::is_imaginary(self.word(index));
                if let Some(suffix) = literal::float_suffix(self.word(index)) {
                    let end = self.tokens[index].end;
                    self.edits.replace(end - 1, end, suffix);
                }
            }
            Kind::Punct(punct) => return self.punct(index, punct),
            Kind::Name => {}
        }
        self.check_separated(index)?;
        Ok(index + 1)
    }

    /// Whether a string literal or one that stands beside it is wide: they become one.
    fn is_wide_string(&mut self, index: usize) -> bool {
        if index >= self.strings.end {
            let is_string = |at: &usize| self.kind(*at) == Some(Kind::String);
            let first = index - (0..index).rev().take_while(is_string).count();
            let end = index + (index..self.tokens.len()).take_while(is_string).count();
            let wide = (first..end).any(|at| literal::is_wide(self.word(at)));
            self.strings = Strings { end, wide };
        }
        self.strings.wide
    }

    /// Finds a missing `;` between declarations. lang-c would go on to look for an old-style function definition and
    /// complain at its end.
    fn check_separated(&self, index: usize) -> Result<(), Diagnostic> {
        let Some(Kind::Keyword(keyword)) = self.kind(index + 1) else { return Ok(()) };
        if !keyword.is_type_specifier() || !matches!(self.frame(), Frame::File | Frame::Block | Frame::Record) {
            return Ok(());
        }
        let found = String::from_utf8_lossy(self.word(index + 1));
        let problem = Diagnostic::new(format!("expected ';', found '{found}'"));
        let help = "end the declaration before it with ';'";
        Err((self.place)(problem.help(help), self.tokens[index + 1].start as usize))
    }

    fn punct(&mut self, index: usize, punct: Punct) -> Result<usize, Diagnostic> {
        if let Punct::Open(byte) | Punct::Close(byte) = punct
            && self.word(index) != [byte]
        {
            // lang-c does not take `<:` and its like.
            self.replace(index, char::from(byte).to_string());
        }
        match punct {
            Punct::Open(b'[') if self.is_bracket_attribute(index) => {
                let end = self.partner(index) + 1;
                self.drop_attributes(index, end);
                return Ok(end);
            }
            Punct::Open(byte) => self.open(index, byte)?,
            Punct::Close(byte) => {
                self.close(index);
                if byte == b']' {
                    self.check_separated(index)?;
                }
            }
            Punct::Semicolon => {
                self.fresh = matches!(self.frame(), Frame::File | Frame::Block | Frame::Record);
            }
            Punct::Question if self.is_punct(index + 1, Punct::Colon) => self.insert_after(index, format!(" {ELVIS} ")),
            Punct::AndAnd => return Ok(self.and_and(index)),
            Punct::Colon if self.label_colons.last() == Some(&index) => {
                self.label_colons.pop();
                return Ok(self.after_label(index));
            }
            _ => {}
        }
        Ok(index + 1)
    }

    fn open(&mut self, index: usize, byte: u8) -> Result<(), Diagnostic> {
        let frame = match byte {
            b'{' => self.brace_frame(index)?,
            b'(' if index > 0 && self.is_keyword(index - 1, Keyword::For) => Frame::ForHead,
            _ => Frame::Group,
        };
        if frame == Frame::Initializer && self.is_punct(index + 1, Punct::Close(b'}')) {
            self.insert_after(index, EMPTY);
        }
        if frame == Frame::Block && self.frame() == Frame::File {
            self.unwrap_hidden_types(index);
        }
        self.frames.push(frame);
        self.fresh = matches!(frame, Frame::Block | Frame::Record | Frame::ForHead);
        Ok(())
    }

    fn close(&mut self, index: usize) {
        let closed = self.frames.pop();
        let depth = self.frames.len();
        self.local_labels.retain(|(block, ..)| *block <= depth);
        match closed {
            Some(Frame::Block) => self.fresh = matches!(self.frame(), Frame::Block | Frame::File),
            Some(Frame::ForHead) => self.fresh = true,
            Some(Frame::Group) => {
                let opener = self.partner(index);
                let head = opener.checked_sub(1).and_then(|head| self.kind(head));
                self.fresh = match head {
                    Some(Kind::Keyword(Keyword::Control)) => true,
                    // The parameter declarations of an old-style definition.
                    Some(Kind::Name | Kind::OddName) => {
                        self.frame() == Frame::File && self.begins_declaration(index + 1)
                    }
                    _ => false,
                };
            }
            Some(Frame::Record) => self.pack(index),
            _ => {}
        }
    }

    /// At file scope: whether the parentheses that close at `close` hold the type of a compound literal.
    fn is_compound_literal(&self, close: usize) -> bool {
        let is_group = self.is_punct(close, Punct::Close(b')'));
        let head = self.partner(close).checked_sub(1).and_then(|head| self.kind(head));
        let is_operator = match head {
            Some(Kind::Punct(punct)) => !matches!(punct, Punct::Close(_)),
            Some(Kind::Keyword(keyword)) => keyword == Keyword::Operand,
            _ => false,
        };
        is_group && is_operator
    }

    /// The contents of the brace at `index`, by the tokens before it.
    fn brace_frame(&mut self, index: usize) -> Result<Frame, Diagnostic> {
        if let Some((_, frame)) = self.body_ahead.take_if(|(brace, _)| *brace == index) {
            return Ok(frame);
        }
        let outer = self.frame();
        let Some(before) = index.checked_sub(1) else { return Ok(Frame::Block) };
        if outer == Frame::File {
            // A form that clang accepts and gcc does not: `void f(void) __attribute__((cold)) {`.
            self.drop_attributes(self.attributes_before(index), index);
        }
        let frame = match self.tokens[before].kind {
            Kind::Punct(Punct::Assign) => Frame::Initializer,
            Kind::Punct(Punct::Open(b'(')) => Frame::Block,
            _ if outer == Frame::Initializer => Frame::Initializer,
            _ if outer == Frame::File && !self.is_compound_literal(before) => Frame::Block,
            Kind::Punct(Punct::Close(b')')) => {
                let opener = self.partner(before);
                let head = opener.checked_sub(1).and_then(|head| self.kind(head));
                match head {
                    Some(Kind::Keyword(Keyword::Control | Keyword::For)) => Frame::Block,
                    Some(Kind::Name | Kind::OddName) if outer == Frame::Block => {
                        if self.has_type_before(opener - 1) {
                            self.insert_after(before, format!(" __attribute__(({NESTED_ATTRIBUTE}));"));
                        }
                        Frame::Block
                    }
                    Some(Kind::Keyword(Keyword::Operand)) => {
                        // lang-c takes the type for the operand of `sizeof`.
                        self.insert_before(opener, "(");
                        self.insert_after(self.partner(index), ")");
                        Frame::Initializer
                    }
                    _ => Frame::Initializer,
                }
            }
            _ => Frame::Block,
        };
        Ok(frame)
    }

    /// Whether something stands before the name in its statement, as the type does in a function definition.
    fn has_type_before(&self, name: usize) -> bool {
        if self.attributes_before(name) < name {
            return true;
        }
        match name.checked_sub(1).and_then(|before| self.kind(before)) {
            // `struct { … } f(void) {` is left to lang-c.
            Some(Kind::Punct(punct)) => punct == Punct::Star,
            other => other.is_some(),
        }
    }
}
