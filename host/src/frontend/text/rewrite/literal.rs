//! Names and literals in a spelling that lang-c takes: plain ASCII, with the escapes of standard C.

/// The literal with the same value in simple escapes, if it needs any change.
///
/// Narrow literals keep their byte values, whatever encoding the file has: other bytes become octal escapes. Wide ones
/// keep their characters: bytes that are not UTF-8 are read as Latin-1, and `\u00e9` becomes the character itself.
pub fn plain(literal: &[u8], wide: bool) -> Option<String> {
    if literal.is_ascii() && !has_odd_escape(literal) {
        return None;
    }
    let text = match std::str::from_utf8(literal) {
        Ok(text) if wide => text.to_owned(),
        _ => literal.iter().map(|&byte| char::from(byte)).collect(),
    };
    let mut plain = String::with_capacity(text.len() * 2);
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        if character != '\\' {
            push(&mut plain, character, wide);
            continue;
        }
        match rest.next() {
            Some('e' | 'E') => plain += "\\033",
            Some(kind @ ('u' | 'U')) => {
                let digits = if kind == 'u' { 4 } else { 8 };
                let number: String = rest.by_ref().take(digits).collect();
                let code = u32::from_str_radix(&number, 16).ok().and_then(char::from_u32);
                let character = code.unwrap_or(char::REPLACEMENT_CHARACTER);
                match wide {
                    true => push(&mut plain, character, true),
                    false => character.to_string().bytes().for_each(|byte| push(&mut plain, char::from(byte), false)),
                }
            }
            Some(known) if is_standard_escape(known) => plain.extend(['\\', known]),
            // gcc warns of an unknown escape and takes the character.
            Some(other) => push(&mut plain, other, wide),
            None => plain.push('\\'),
        }
    }
    Some(plain)
}

/// Whether a literal has the prefix of a wide one.
pub fn is_wide(literal: &[u8]) -> bool {
    matches!(literal[0], b'L' | b'u' | b'U') && !literal.starts_with(b"u8")
}

/// Appends a character of a literal; in narrow ones it stands for one byte.
fn push(plain: &mut String, character: char, wide: bool) {
    if character.is_ascii() || wide {
        plain.push(character);
    } else {
        *plain += &format!("\\{:03o}", u32::from(character));
    }
}

fn is_standard_escape(character: char) -> bool {
    matches!(character, '\'' | '"' | '?' | '\\' | 'a' | 'b' | 'f' | 'n' | 'r' | 't' | 'v' | 'x' | '0'..='7')
}

fn has_odd_escape(literal: &[u8]) -> bool {
    let mut at = 0;
    while at < literal.len() {
        if literal[at] == b'\\' {
            if literal.get(at + 1).is_some_and(|&byte| !is_standard_escape(char::from(byte))) {
                return true;
            }
            at += 1;
        }
        at += 1;
    }
    false
}

/// lang-c's suffix for the GNU suffix at the end of a floating constant: `1.0q` is `1.0f128`, `1.0w` is `1.0f64x`.
pub fn float_suffix(number: &[u8]) -> Option<&'static str> {
    let is_float = number.contains(&b'.') || number.contains(&b'e') || number.contains(&b'E') || number.contains(&b'p');
    match number.last() {
        Some(b'q' | b'Q') if is_float => Some("f128"),
        Some(b'w' | b'W') if is_float => Some("f64x"),
        _ => None,
    }
}

/// `2.0i`, `3fi`, `1iL` and the like: a number whose suffix makes it imaginary.
pub fn is_imaginary(number: &[u8]) -> bool {
    let digits = number.iter().rposition(|&byte| byte.is_ascii_digit() || byte == b'.').map_or(0, |last| last + 1);
    number[digits..].iter().any(|byte| matches!(byte, b'i' | b'I' | b'j' | b'J'))
}

/// The character that `u00e9` or `U000000e9` behind a backslash means.
fn universal(rest: &mut std::str::Chars<'_>) -> Option<char> {
    let digits = match rest.next()? {
        'u' => 4,
        'U' => 8,
        _ => return None,
    };
    let number: String = rest.by_ref().take(digits).collect();
    char::from_u32(u32::from_str_radix(&number, 16).ok()?)
}

/// A name in letters, digits and `_` that stands for one with other characters; or the character that no name has.
pub fn plain_name(name: &[u8]) -> Result<String, String> {
    let mut plain = String::with_capacity(name.len() + 8);
    let text = String::from_utf8_lossy(name);
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        let character = if character == '\\' { universal(&mut rest).ok_or("'\\'")? } else { character };
        match character {
            '$' => plain += "_tandem_dollar_",
            _ if character.is_ascii() => plain.push(character),
            _ if character.is_alphanumeric() => plain += &format!("_tandem_u{:04x}", u32::from(character)),
            char::REPLACEMENT_CHARACTER => return Err("that is not UTF-8".to_owned()),
            _ => return Err(format!("'{character}'")),
        }
    }
    Ok(plain)
}
