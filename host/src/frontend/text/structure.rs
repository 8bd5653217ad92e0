//! Which bracket closes which, and how deep they nest.
//! Checked before parsing: lang-c's message for a missing brace is far from the place, and its time grows with depth.

use super::lex::{Kind, Lexed, Punct, Token};
use crate::diagnostic::Diagnostic;

/// Deepest nesting of parentheses and brackets; deeper ones take lang-c minutes.
pub const MAX_PARENTHESES: usize = 1_000;
/// Deepest nesting of braces.
pub const MAX_BRACES: usize = 10_000;

/// For each bracket token, the index of the one it pairs with; for others, its own index.
pub fn pair_brackets(
    lexed: &Lexed,
    place: &dyn Fn(Diagnostic, usize) -> Diagnostic,
    line_of: &dyn Fn(usize) -> u32,
) -> Result<Vec<u32>, Diagnostic> {
    let mut partner: Vec<u32> = (0..lexed.tokens.len() as u32).collect();
    let mut open: Vec<(u8, u32)> = Vec::new();
    let (mut braces, mut parentheses) = (0, 0);
    for (index, token) in lexed.tokens.iter().enumerate() {
        match token.kind {
            Kind::Punct(Punct::Open(byte)) => {
                open.push((byte, index as u32));
                let depth = if byte == b'{' { &mut braces } else { &mut parentheses };
                *depth += 1;
                if braces > MAX_BRACES || parentheses > MAX_PARENTHESES {
                    return Err(place(too_deep(byte), token.start as usize));
                }
            }
            Kind::Punct(Punct::Close(byte)) => {
                let Some((opening, opener)) = open.pop() else {
                    let message = format!("this '{}' closes nothing", byte as char);
                    return Err(place(
                        Diagnostic::new(message).help("remove it, or add the bracket it should close"),
                        token.start as usize,
                    ));
                };
                if closing(opening) != byte {
                    let line = line_of(lexed.tokens[opener as usize].start as usize);
                    let message = format!(
                        "found '{}' where the '{}' of line {line} needs its '{}'",
                        byte as char,
                        opening as char,
                        closing(opening) as char
                    );
                    return Err(place(
                        Diagnostic::new(message).help("check the brackets between the two places"),
                        token.start as usize,
                    ));
                }
                let depth = if opening == b'{' { &mut braces } else { &mut parentheses };
                *depth -= 1;
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

fn unclosed(opening: u8, token: &Token, place: &dyn Fn(Diagnostic, usize) -> Diagnostic) -> Diagnostic {
    let message = format!("this '{}' is never closed", opening as char);
    place(
        Diagnostic::new(message).help(format!("add the missing '{}'", closing(opening) as char)),
        token.start as usize,
    )
}

fn too_deep(byte: u8) -> Diagnostic {
    let (what, limit) =
        if byte == b'{' { ("blocks", MAX_BRACES) } else { ("parentheses or brackets", MAX_PARENTHESES) };
    Diagnostic::new(format!("{what} are nested more than {limit} deep"))
        .help("split the expression or the function into smaller ones")
}
