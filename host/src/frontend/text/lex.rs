//! The tokens of C text, as far as the rewriting distinguishes them. Blanks comments and directives in place, so that
//! only tokens and white space remain.

use super::keyword::{self, Keyword};
use super::map::Marker;
use super::pack;
use crate::diagnostic::Diagnostic;
use crate::frontend::known::{is_harmless_pragma, is_linkage_pragma};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Name,
    /// A name with bytes that lang-c does not take in names: `$`, UTF-8, `\u00e9`.
    OddName,
    Keyword(Keyword),
    Number,
    String,
    Char,
    Punct(Punct),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Punct {
    /// `(`, `[` or `{`.
    Open(u8),
    /// `)`, `]` or `}`.
    Close(u8),
    Semicolon,
    Comma,
    Colon,
    Question,
    Assign,
    AndAnd,
    Star,
    /// `++` or `--`.
    Step,
    Other,
}

#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: Kind,
    pub start: u32,
    pub end: u32,
}

/// The text in force of a `#pragma pack` from this offset on.
#[derive(Clone, Copy, Debug)]
pub struct Packing {
    pub from: u32,
    /// `None`: natural alignment.
    pub bytes: Option<u32>,
}

pub struct Lexed {
    /// The text with comments, markers and pragmas blanked, newlines kept.
    pub text: Vec<u8>,
    pub tokens: Vec<Token>,
    pub markers: Vec<Marker>,
    pub packings: Vec<Packing>,
    /// Pragmas that are not known to be without meaning, with their offsets.
    pub unknown: Vec<(String, u32)>,
    /// Pragmas about what names are linked to.
    pub linkage: Vec<String>,
    /// Offset of the first directive that only a preprocessor can follow, and its name.
    pub directive: Option<(u32, String)>,
}

struct Lexer<'a> {
    text: Vec<u8>,
    at: usize,
    /// Only blanks so far on this line.
    line_start: bool,
    out: Lexed,
    packing: pack::State,
    /// Turns an offset into "where" for messages.
    place: &'a dyn Fn(Diagnostic, usize) -> Diagnostic,
}

/// Splits `text` (without line splices) into tokens. `place` adds file, line and column for an offset to a message.
pub fn lex(text: Vec<u8>, place: &dyn Fn(Diagnostic, usize) -> Diagnostic) -> Result<Lexed, Diagnostic> {
    let out = Lexed {
        text: Vec::new(),
        tokens: Vec::with_capacity(text.len() / 3),
        markers: Vec::new(),
        packings: Vec::new(),
        unknown: Vec::new(),
        linkage: Vec::new(),
        directive: None,
    };
    let mut lexer = Lexer { text, at: 0, line_start: true, out, packing: pack::State::default(), place };
    if lexer.text.starts_with(b"\xef\xbb\xbf") {
        lexer.blank(0, 3);
        lexer.at = 3;
    }
    lexer.run()?;
    let Lexer { text, mut out, .. } = lexer;
    out.text = text;
    Ok(out)
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn blank(&mut self, start: usize, end: usize) {
        for byte in &mut self.text[start..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }

    fn push(&mut self, kind: Kind, start: usize) {
        self.out.tokens.push(Token { kind, start: start as u32, end: self.at as u32 });
        self.line_start = false;
    }

    fn run(&mut self) -> Result<(), Diagnostic> {
        while self.at < self.text.len() {
            let start = self.at;
            match self.text[start] {
                b'\n' => {
                    self.at += 1;
                    self.line_start = true;
                }
                b' ' | b'\t' => self.at += 1,
                b'\r' | 0x0b | 0x0c => {
                    self.text[start] = b' ';
                    self.at += 1;
                }
                b'/' if self.peek(1) == b'*' => self.block_comment()?,
                b'/' if self.peek(1) == b'/' => {
                    let end = self.line_end();
                    self.blank(start, end);
                    self.at = end;
                }
                b'#' if self.line_start => self.directive()?,
                b'%' if self.line_start && self.peek(1) == b':' => {
                    self.out.directive.get_or_insert((start as u32, "%:".to_owned()));
                    let end = self.line_end();
                    self.blank(start, end);
                    self.at = end;
                }
                b'"' => self.quoted(start, b'"')?,
                b'\'' => self.quoted(start, b'\'')?,
                b'0'..=b'9' => self.number(),
                b'.' if self.peek(1).is_ascii_digit() => self.number(),
                byte if is_name_byte(byte) => self.name()?,
                b'\\' if matches!(self.peek(1), b'u' | b'U') => self.name()?,
                byte => self.punct(byte)?,
            }
        }
        Ok(())
    }

    fn line_end(&self) -> usize {
        let rest = &self.text[self.at..];
        self.at + rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len())
    }

    fn block_comment(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let Some(length) = find(&self.text[start + 2..], b"*/") else {
            return Err((self.place)(Diagnostic::new("this comment is never closed").help("add `*/`"), start));
        };
        let end = start + 2 + length + 2;
        self.blank(start, end);
        self.at = end;
        Ok(())
    }

    /// A string or character literal whose opening quote is at `self.at`; `start` is where its prefix (`L`) begins.
    fn quoted(&mut self, start: usize, quote: u8) -> Result<(), Diagnostic> {
        self.at += 1;
        loop {
            match self.text.get(self.at) {
                Some(&byte) if byte == quote => break,
                Some(b'\\') if self.at + 1 < self.text.len() && self.peek(1) != b'\n' => self.at += 2,
                None | Some(b'\n') => {
                    let what = if quote == b'"' { "string" } else { "character" };
                    let message = format!("this {what} literal is not closed on its line");
                    return Err((self.place)(
                        Diagnostic::new(message).help(format!("add the closing {}", quote as char)),
                        start,
                    ));
                }
                Some(_) => self.at += 1,
            }
        }
        self.at += 1;
        self.push(if quote == b'"' { Kind::String } else { Kind::Char }, start);
        Ok(())
    }

    /// A preprocessing number: a sequence of characters by C's rules, whether or not it is a number in the end.
    fn number(&mut self) {
        let start = self.at;
        while self.at < self.text.len() {
            let exponent_sign =
                matches!(self.peek(0), b'+' | b'-') && matches!(self.text[self.at - 1], b'e' | b'E' | b'p' | b'P');
            if !(self.peek(0).is_ascii_alphanumeric() || matches!(self.peek(0), b'.' | b'_') || exponent_sign) {
                break;
            }
            // `0xe+1` is an addition for lang-c and for people, whatever the standard says.
            let digits = &self.text[start..self.at];
            let hexadecimal = digits.starts_with(b"0x") || digits.starts_with(b"0X");
            if exponent_sign && hexadecimal && !matches!(digits.last(), Some(b'p' | b'P')) {
                break;
            }
            self.at += 1;
        }
        self.push(Kind::Number, start);
    }

    fn name(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let mut odd = false;
        loop {
            match self.peek(0) {
                b'\\' if matches!(self.peek(1), b'u' | b'U') => self.at += 2,
                byte if self.at < self.text.len() && is_name_byte(byte) => {
                    odd |= byte == b'$' || byte >= 0x80;
                    self.at += 1;
                    continue;
                }
                _ => break,
            }
            odd = true;
        }
        let word = &self.text[start..self.at];
        let quote = self.peek(0);
        if matches!(quote, b'"' | b'\'') && matches!(word, b"L" | b"u" | b"U" | b"u8") {
            return self.quoted(start, quote);
        }
        let kind = match keyword::lookup(word) {
            _ if odd => Kind::OddName,
            Some(keyword) => Kind::Keyword(keyword),
            None => Kind::Name,
        };
        self.push(kind, start);
        Ok(())
    }

    fn punct(&mut self, byte: u8) -> Result<(), Diagnostic> {
        let start = self.at;
        let next = self.peek(1);
        let (kind, length) = match byte {
            // Other spellings of brackets.
            b'<' if next == b':' => (Punct::Open(b'['), 2),
            b'<' if next == b'%' => (Punct::Open(b'{'), 2),
            b':' if next == b'>' => (Punct::Close(b']'), 2),
            b'%' if next == b'>' => (Punct::Close(b'}'), 2),
            b'(' | b'[' | b'{' => (Punct::Open(byte), 1),
            b')' | b']' | b'}' => (Punct::Close(byte), 1),
            b';' => (Punct::Semicolon, 1),
            b',' => (Punct::Comma, 1),
            b':' => (Punct::Colon, 1),
            b'?' => (Punct::Question, 1),
            b'=' if next != b'=' => (Punct::Assign, 1),
            b'&' if next == b'&' => (Punct::AndAnd, 2),
            b'+' | b'-' if next == byte => (Punct::Step, 2),
            b'*' if next != b'=' => (Punct::Star, 1),
            b'.' if next == b'.' && self.peek(2) == b'.' => (Punct::Other, 3),
            b'<' | b'>' if next == byte => (Punct::Other, if self.peek(2) == b'=' { 3 } else { 2 }),
            b'-' if next == b'>' => (Punct::Other, 2),
            b'|' if next == b'|' => (Punct::Other, 2),
            b'=' | b'!' | b'<' | b'>' | b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^' if next == b'=' => {
                (Punct::Other, 2)
            }
            b'!' | b'<' | b'>' | b'+' | b'-' | b'/' | b'%' | b'&' | b'|' | b'^' | b'~' | b'.' => (Punct::Other, 1),
            _ => return Err(self.stray(byte)),
        };
        self.at += length;
        self.push(Kind::Punct(kind), start);
        Ok(())
    }

    fn stray(&self, byte: u8) -> Diagnostic {
        let what = if byte.is_ascii_graphic() { format!("'{}'", byte as char) } else { format!("byte 0x{byte:02x}") };
        (self.place)(
            Diagnostic::new(format!("unexpected {what}")).help("this character has no meaning here in C"),
            self.at,
        )
    }

    fn directive(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let mut end = self.line_end();
        // A comment that opens on the directive's line may run on.
        while let Some((comment, is_block)) = find_comment(&self.text[start..end]) {
            if is_block {
                self.at = start + comment;
                self.block_comment()?;
                self.at = start;
                end = self.line_end();
            } else {
                self.blank(start + comment, end);
            }
        }
        let line = String::from_utf8_lossy(&self.text[start + 1..end]).into_owned();
        let rest = line.trim_start();
        let word_length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (word, arguments) = rest.split_at(word_length);
        match word {
            "" | "ident" | "sccs" => {}
            "pragma" => self.pragma(arguments.trim(), end),
            // A word that is not a number may be a macro.
            "line" if arguments.trim_start().starts_with(|c: char| c.is_ascii_digit()) => {
                self.marker(arguments, end)?
            }
            number if number.bytes().all(|b| b.is_ascii_digit()) => self.marker(rest, end)?,
            other => {
                if self.out.directive.is_none() {
                    self.out.directive = Some((start as u32, other.to_owned()));
                }
            }
        }
        self.blank(start, end);
        self.at = end;
        Ok(())
    }

    /// A line marker whose directive ends at `end`.
    fn marker(&mut self, text: &str, end: usize) -> Result<(), Diagnostic> {
        let text = text.trim();
        let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let Ok(line) = text[..digits].parse::<u32>() else {
            return Err((self.place)(
                Diagnostic::new("a line marker needs a line number").help("write `#line 12 \"file.c\"`"),
                self.at,
            ));
        };
        let file = text[digits..].trim_start().strip_prefix('"').map(unquote);
        self.out.markers.push(Marker { end: end as u32, line, file });
        Ok(())
    }

    fn pragma(&mut self, arguments: &str, end: usize) {
        let Some(list) = arguments.strip_prefix("pack").map(str::trim).filter(|list| list.starts_with('(')) else {
            if is_linkage_pragma(arguments) {
                self.out.linkage.push(arguments.to_owned());
            } else if !is_harmless_pragma(arguments) {
                self.out.unknown.push((format!("#pragma {arguments}"), self.at as u32));
            }
            return;
        };
        match self.packing.follow(list) {
            Some(bytes) => self.out.packings.push(Packing { from: end as u32, bytes }),
            None => self.out.unknown.push((format!("#pragma {arguments}"), self.at as u32)),
        }
    }
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}

/// Where a comment opens in a directive's line, outside of its strings, and whether it is one of `/* */`.
fn find_comment(line: &[u8]) -> Option<(usize, bool)> {
    let mut in_string = false;
    let mut at = 0;
    while at < line.len() {
        match line[at] {
            b'\\' if in_string => at += 1,
            b'"' => in_string = !in_string,
            b'/' if !in_string && line.get(at + 1) == Some(&b'*') => return Some((at, true)),
            b'/' if !in_string && line.get(at + 1) == Some(&b'/') => return Some((at, false)),
            _ => {}
        }
        at += 1;
    }
    None
}

/// The file name of a line marker, from just after its opening quote.
fn unquote(text: &str) -> String {
    let mut name = Vec::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => break,
            '\\' => match characters.next() {
                // gcc writes bytes beyond ASCII as three octal digits.
                Some(first @ '0'..='7') => {
                    let digits: String = std::iter::once(first).chain(characters.by_ref().take(2)).collect();
                    name.push(u8::from_str_radix(&digits, 8).unwrap_or(b'?'));
                }
                other => name.extend(other.map(|character| character.to_string()).unwrap_or_default().bytes()),
            },
            other => name.extend(other.to_string().bytes()),
        }
    }
    String::from_utf8_lossy(&name).into_owned()
}
