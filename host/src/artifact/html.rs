//! The shared parts of HTML pages: escaping, data for scripts, colours. No input text is ever used as markup or code.

use serde::Serialize;
use sha2::{Digest, Sha256};

/// Colours for light and dark, which follow the reader's mode.
pub const COLOURS: &str = include_str!("colours.css");

/// Text as HTML shows it; characters that browsers would drop or interpret are replaced.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\t' => escaped.push('\t'),
            control if control.is_control() => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}

/// Data for a `<script type="application/json">`: no text in it ends the element or begins a comment.
pub fn json_for_script(data: &impl Serialize) -> Result<String, serde_json::Error> {
    let text = serde_json::to_string(data)?;
    Ok(text.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026"))
}

/// A policy by which a page runs this script and no other, has this style, and loads nothing.
pub fn policy(script: &str, style: &str) -> String {
    let hash = |text: &str| format!("'sha256-{}'", base64(&Sha256::digest(text.as_bytes())));
    format!(
        "default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'",
        hash(script),
        hash(style)
    )
}

/// RFC 4648, section 4.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().enumerate().fold(0u32, |word, (at, byte)| word | u32::from(*byte) << (16 - 8 * at));
        for digit in 0..4 {
            let value = word >> (18 - 6 * digit) & 63;
            text.push(if digit > chunk.len() { '=' } else { char::from(DIGITS[value as usize]) });
        }
    }
    text
}

/// The first characters of a text, with an ellipsis if it is longer.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_script_element() {
        let json = json_for_script(&["</script><script>alert(1)</script>", "<!--", "a & b"]).unwrap();
        assert!(!json.contains('<') && !json.contains('>') && !json.contains('&'), "{json}");
        let back: Vec<String> = serde_json::from_str(&json).unwrap();
        assert_eq!(back[0], "</script><script>alert(1)</script>");
    }

    #[test]
    fn hashes_are_those_of_the_standard() {
        // The first from RFC 4648, section 10.
        for (text, expected) in [("foobar", "Zm9vYmFy"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="), ("", "")] {
            assert_eq!(base64(text.as_bytes()), expected);
        }
        let policy = policy("", "");
        assert!(policy.contains("script-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"), "{policy}");
    }

    #[test]
    fn long_texts_are_cut_at_characters() {
        assert_eq!((shortened("äöü", 2), shortened("äöü", 3)), ("äö…".into(), "äöü".into()));
    }
}
