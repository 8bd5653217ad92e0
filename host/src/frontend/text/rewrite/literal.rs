//! Names and literals with bytes beyond ASCII, in a spelling that any C parser takes.

/// A literal with the same bytes in octal escapes, if it needs any.
///
/// Narrow literals keep their byte values, whatever encoding the file has. Wide ones keep their characters: bytes that
/// are not UTF-8 are read as Latin-1.
pub fn ascii(literal: &[u8]) -> Option<String> {
    if literal.is_ascii() {
        return None;
    }
    if matches!(literal[0], b'L' | b'u' | b'U') && !literal.starts_with(b"u8") {
        let text = std::str::from_utf8(literal).map(str::to_owned);
        return Some(text.unwrap_or_else(|_| literal.iter().map(|&byte| char::from(byte)).collect()));
    }
    let mut text = String::with_capacity(literal.len() * 2);
    for &byte in literal {
        if byte.is_ascii() {
            text.push(char::from(byte));
        } else {
            text += &format!("\\{byte:03o}");
        }
    }
    Some(text)
}

/// A name in letters, digits and `_` that stands for one with other characters.
pub fn plain_name(name: &[u8]) -> String {
    let mut plain = String::with_capacity(name.len() + 8);
    for character in String::from_utf8_lossy(name).chars() {
        match character {
            '$' => plain += "_dollar_",
            '\\' => plain.push('_'),
            _ if character.is_ascii() => plain.push(character),
            _ => plain += &format!("_u{:04x}", u32::from(character)),
        }
    }
    plain
}
