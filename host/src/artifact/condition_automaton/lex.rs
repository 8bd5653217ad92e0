//! Words and symbols of automata texts, each with its place; follows `#include`.

use super::MAX_BYTES;
use crate::artifact::input;
use crate::diagnostic::Diagnostic;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Word(String),
    /// `"…"`, without quotes and escapes.
    Text(String),
    /// `{…}`, without braces.
    Curly(String),
    /// `[…]`, without brackets.
    Square(String),
    Symbol(&'static str),
    End,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub file: Arc<str>,
    pub line: u32,
    pub column: u32,
}

impl Place {
    pub fn problem(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(message).in_file(&*self.file).at(self.line, self.column)
    }
}

const SYMBOLS: [&str; 14] = ["->", "==", "!=", "&&", "||", ":", ";", "=", "!", "(", ")", ",", "+", "-"];

/// Deeper nesting of includes is refused as a mistake.
const DEEPEST_INCLUDE: usize = 32;

/// The tokens of a file and of those that it includes; the last is the end.
pub(super) fn read(path: &Path) -> Result<Vec<(Token, Place)>, Diagnostic> {
    let mut tokens = Vec::new();
    include(path, &mut Vec::new(), &mut tokens)?;
    let place = tokens.last().map_or_else(
        || Place { file: path.display().to_string().into(), line: 1, column: 1 },
        |(_, place)| place.clone(),
    );
    tokens.push((Token::End, place));
    Ok(tokens)
}

/// The tokens of a text without includes.
pub(super) fn tokens(text: &str, file: &str) -> Result<Vec<(Token, Place)>, Diagnostic> {
    let mut lexer = Lexer::new(text, file);
    let mut tokens = Vec::new();
    while let Some(item) = lexer.next()? {
        match item {
            Item::Token(token, place) => tokens.push((token, place)),
            Item::Include(_, place) => {
                return Err(place.problem("`#include` cannot be followed here").help("put the text into one file"));
            }
        }
    }
    tokens.push((Token::End, lexer.place()));
    Ok(tokens)
}

fn include(path: &Path, open: &mut Vec<PathBuf>, tokens: &mut Vec<(Token, Place)>) -> Result<(), Diagnostic> {
    let file = path.display().to_string();
    let text = read_text(path, &file)?;
    let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    if open.contains(&real) || open.len() > DEEPEST_INCLUDE {
        let chain: Vec<String> = open.iter().chain([&real]).map(|file| file.display().to_string()).collect();
        let message = format!("files include each other in a circle: {}", chain.join(" -> "));
        return Err(Diagnostic::new(message).in_file(file).help("remove one of the `#include` lines"));
    }
    open.push(real);
    let mut lexer = Lexer::new(&text, &file);
    while let Some(item) = lexer.next()? {
        match item {
            Item::Token(token, place) => tokens.push((token, place)),
            Item::Include(name, place) => {
                let included = path.parent().unwrap_or(Path::new("")).join(&name);
                if !included.is_file() {
                    let message = format!("the included file `{name}` is not there");
                    return Err(place.problem(message).help("paths are relative to the file that includes"));
                }
                include(&included, open, tokens)?;
            }
        }
    }
    open.pop();
    Ok(())
}

fn read_text(path: &Path, file: &str) -> Result<String, Diagnostic> {
    let unreadable = |what: String| {
        Diagnostic::new(format!("the automaton cannot be read: {what}")).in_file(file).help("check the path")
    };
    input::text(path, MAX_BYTES).map_err(unreadable)
}

enum Item {
    Token(Token, Place),
    Include(String, Place),
}

struct Lexer<'t> {
    rest: &'t str,
    file: Arc<str>,
    line: u32,
    column: u32,
}

impl<'t> Lexer<'t> {
    fn new(text: &'t str, file: &str) -> Self {
        Lexer { rest: text.strip_prefix('\u{feff}').unwrap_or(text), file: file.into(), line: 1, column: 1 }
    }

    fn place(&self) -> Place {
        Place { file: self.file.clone(), line: self.line, column: self.column }
    }

    fn take(&mut self) -> Option<char> {
        let next = self.rest.chars().next()?;
        self.rest = &self.rest[next.len_utf8()..];
        if next == '\n' {
            (self.line, self.column) = (self.line + 1, 1);
        } else {
            self.column += 1;
        }
        Some(next)
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'t str {
        let whole = self.rest;
        while self.rest.chars().next().is_some_and(&wanted) {
            self.take();
        }
        &whole[..whole.len() - self.rest.len()]
    }

    fn skip_blanks(&mut self) -> Result<(), Diagnostic> {
        loop {
            self.take_while(char::is_whitespace);
            if self.rest.starts_with("//") {
                self.take_while(|c| c != '\n');
            } else if self.rest.starts_with("/*") {
                let place = self.place();
                match self.rest.find("*/") {
                    Some(end) => {
                        let until = self.rest.len() - end - 2;
                        while self.rest.len() > until {
                            self.take();
                        }
                    }
                    None => return Err(place.problem("this comment has no end").help("add `*/`")),
                }
            } else {
                return Ok(());
            }
        }
    }

    fn next(&mut self) -> Result<Option<Item>, Diagnostic> {
        self.skip_blanks()?;
        let place = self.place();
        let Some(first) = self.rest.chars().next() else { return Ok(None) };
        let token = match first {
            '"' => Token::Text(self.quoted(&place)?),
            '{' => Token::Curly(self.curly(&place)?),
            '[' => Token::Square(self.square(&place)?),
            '#' => return self.include(place).map(Some),
            c if is_word(c) => Token::Word(self.take_while(is_word).to_string()),
            c => {
                let Some(symbol) = SYMBOLS.into_iter().find(|symbol| self.rest.starts_with(symbol)) else {
                    let help = "an automaton is made of words, symbols, \"texts\", {expressions} and [patterns]";
                    return Err(place.problem(format!("`{}` has no meaning here", c.escape_default())).help(help));
                };
                for _ in symbol.chars() {
                    self.take();
                }
                Token::Symbol(symbol)
            }
        };
        Ok(Some(Item::Token(token, place)))
    }

    fn include(&mut self, place: Place) -> Result<Item, Diagnostic> {
        let line = self.take_while(|c| c != '\n').trim();
        let name = line.strip_prefix("#include").map(|name| name.trim().trim_matches('"').to_string());
        match name.filter(|name| !name.is_empty()) {
            Some(name) => Ok(Item::Include(name, place)),
            None => Err(place.problem("expected `#include FILE`").help("no other directives are known")),
        }
    }

    fn quoted(&mut self, place: &Place) -> Result<String, Diagnostic> {
        self.take();
        let mut text = String::new();
        loop {
            match self.take() {
                Some('"') => return Ok(text),
                Some('\\') => match self.take() {
                    Some('n') => text.push('\n'),
                    Some('r') => text.push('\r'),
                    Some('t') => text.push('\t'),
                    Some(c @ ('"' | '\\')) => text.push(c),
                    Some(c) => text.extend(['\\', c]),
                    None => return Err(unclosed(place, "text", "\"")),
                },
                None | Some('\n') => return Err(unclosed(place, "text", "\"")),
                Some(c) => text.push(c),
            }
        }
    }

    fn curly(&mut self, place: &Place) -> Result<String, Diagnostic> {
        self.take();
        let text = self.take_while(|c| !matches!(c, '{' | '}' | '\n')).to_string();
        match self.take() {
            Some('}') => Ok(text),
            Some('{') => {
                Err(place.problem("an expression in braces holds another brace").help("write it without `{` and `}`"))
            }
            _ => Err(unclosed(place, "expression", "}")),
        }
    }

    /// Brackets in a pattern nest: `[x = [0-9]+;]`.
    fn square(&mut self, place: &Place) -> Result<String, Diagnostic> {
        self.take();
        let (mut text, mut depth) = (String::new(), 0);
        loop {
            match self.take() {
                Some(']') if depth == 0 => return Ok(text),
                None | Some('\n') => return Err(unclosed(place, "pattern", "]")),
                Some('\\') => {
                    text.push('\\');
                    text.extend(self.take().filter(|c| *c != '\n'));
                }
                Some(c) => {
                    depth += i32::from(c == '[') - i32::from(c == ']');
                    text.push(c);
                }
            }
        }
    }
}

fn unclosed(place: &Place, what: &str, end: &str) -> Diagnostic {
    place.problem(format!("this {what} has no end")).help(format!("close it with `{end}` on the same line"))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}
