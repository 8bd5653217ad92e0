//! Which bracket closes which.
//! Checked before parsing, since lang-c's message for a missing brace is far from the place.

use super::lex::{Kind, Lexed, Punct, Token};
use crate::diagnostic::Diagnostic;

/// For each bracket token, the index of the one it pairs with; for others, its own index.
pub fn pair_brackets(
    lexed: &Lexed,
    place: &dyn Fn(Diagnostic, usize) -> Diagnostic,
    line_of: &dyn Fn(usize) -> u32,
) -> Result<Vec<u32>, Diagnostic> {
    let mut partner: Vec<u32> = (0..lexed.tokens.len() as u32).collect();
    let mut open: Vec<(u8, u32)> = Vec::new();
    for (index, token) in lexed.tokens.iter().enumerate() {
        match token.kind {
            Kind::Punct(Punct::Open(byte)) => open.push((byte, index as u32)),
            Kind::Punct(Punct::Close(byte)) => {
                let Some((opening, opener)) = open.pop() else {
                    return Err(place(closes_nothing(byte), token.start as usize));
                };
                if closing(opening) != byte {
                    let line = line_of(lexed.tokens[opener as usize].start as usize);
                    return Err(place(mismatch(opening, line, byte), token.start as usize));
                }
                partner[index] = opener;
                partner[opener as usize] = index as u32;
            }
            _ => {}
        }
    }
    match open.pop() {
        None => Ok(partner),
        Some((opening, opener)) => Err(unclosed(opening, &lexed.tokens[opener as usize], place)),
    }
}

fn closing(opening: u8) -> u8 {
    match opening {
        b'(' => b')',
        b'[' => b']',
        _ => b'}',
    }
}

fn closes_nothing(byte: u8) -> Diagnostic {
    Diagnostic::new(format!("this '{}' closes nothing", byte as char))
        .help("remove it, or add the bracket that it should close")
}

fn mismatch(opening: u8, line: u32, byte: u8) -> Diagnostic {
    let (open, close, found) = (opening as char, closing(opening) as char, byte as char);
    Diagnostic::new(format!("expected '{close}' for the '{open}' of line {line}, found '{found}'"))
        .help("check the brackets between the two places")
}

fn unclosed(opening: u8, token: &Token, place: &dyn Fn(Diagnostic, usize) -> Diagnostic) -> Diagnostic {
    let problem = Diagnostic::new(format!("this '{}' is never closed", opening as char))
        .help(format!("add the missing '{}'", closing(opening) as char));
    place(problem, token.start as usize)
}
