//! Refuses text on which lang-c would take minutes, gigabytes, or more stack than there is.
//! The estimates are linear in the text; the constants are measured (see `MAX_COPIES` and `MAX_DEPTH`).

use super::keyword::Keyword;
use super::lex::{Kind, Lexed, Punct};
use crate::diagnostic::Diagnostic;

/// lang-c remembers each parenthesised expression by a copy, so that nesting costs the square of its depth. One token
/// copied costs up to 0.3 µs and 90 bytes, which makes this limit about 8 s and 2 GB. 2,000 nested calls cost 10 million.
const MAX_COPIES: u64 = 25_000_000;

/// How deep syntax trees may get: lang-c needs up to 5.4 kB of stack a level, and code that walks the tree about as
/// much. An else-if counts two, any other token of an expression one.
const MAX_DEPTH: u32 = 100_000;

/// Each open block is one more scope to look a name up in, which costs lang-c a sixteenth of a copied token.
const SCOPES_PER_COPY: u64 = 16;

/// The text between a bracket and its partner, so far.
#[derive(Default)]
struct Level {
    brace: bool,
    opener: usize,
    /// Tokens since the last `;`, `,` or brace: an upper bound for the depth of the expression.
    expression: u32,
    /// Statements that the current one is part of: `if` in `else` in `if` …
    statements: u32,
}

pub fn check(lexed: &Lexed, place: &dyn Fn(Diagnostic, usize) -> Diagnostic) -> Result<(), Diagnostic> {
    let mut levels = vec![Level { brace: true, ..Level::default() }];
    let (mut depth, mut copies, mut blocks) = (0u32, 0u64, 0u64);

    for (index, token) in lexed.tokens.iter().enumerate() {
        let next = lexed.tokens.get(index + 1).map(|token| token.kind);
        let Some(level) = levels.last_mut() else { return Ok(()) };
        let mut ends_statement = false;
        match token.kind {
            Kind::Punct(Punct::Open(byte)) => {
                depth += 1;
                blocks += u64::from(byte == b'{');
                levels.push(Level { brace: byte == b'{', opener: index, ..Level::default() });
            }
            Kind::Punct(Punct::Close(byte)) => {
                depth -= level.expression + level.statements + 1;
                if byte == b'}' {
                    blocks -= 1;
                    ends_statement = true;
                } else {
                    copies += (index - level.opener) as u64;
                }
                levels.pop();
                if byte != b'}'
                    && let Some(outer) = levels.last_mut()
                {
                    outer.expression += 1;
                    depth += 1;
                }
            }
            Kind::Punct(Punct::Semicolon) => ends_statement = level.brace,
            Kind::Punct(Punct::Comma) => depth -= std::mem::take(&mut level.expression),
            Kind::Keyword(Keyword::Control | Keyword::For | Keyword::Prefix | Keyword::Case | Keyword::Default) => {
                level.statements += 1;
                depth += 1;
            }
            Kind::Name | Kind::OddName if next == Some(Kind::Punct(Punct::Colon)) => {
                level.statements += 1;
                depth += 1;
            }
            kind => {
                level.expression += 1;
                depth += 1;
                copies += if kind == Kind::Name { blocks / SCOPES_PER_COPY } else { 0 };
            }
        }
        if ends_statement && let Some(level) = levels.last_mut() {
            depth -= std::mem::take(&mut level.expression);
            if next != Some(Kind::Keyword(Keyword::Prefix)) {
                depth -= std::mem::take(&mut level.statements);
            }
        }
        if depth > MAX_DEPTH || copies > MAX_COPIES {
            return Err(place(too_deep(depth > MAX_DEPTH), token.start as usize));
        }
    }
    Ok(())
}

fn too_deep(long: bool) -> Diagnostic {
    if long {
        Diagnostic::new(format!("an expression or a chain of statements is too long (limit: {MAX_DEPTH} tokens)"))
            .help("split it into several statements or functions")
    } else {
        Diagnostic::new("the parentheses and blocks up to here are nested too deeply")
            .help("split the expressions into smaller ones")
    }
}
