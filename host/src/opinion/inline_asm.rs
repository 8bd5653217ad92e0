//! Takes inline assembly out of a C text: outputs become zero, as our execution and the harnesses do for
//! undetermined values. Kernel code would otherwise run privileged instructions.

/// The text without inline assembly in function bodies; `None` if there was none.
pub fn without_inline_asm(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let (mut at, mut copied, mut depth, mut found) = (0, 0, 0usize, false);
    while at < bytes.len() {
        match bytes[at] {
            b'"' | b'\'' => at = after_quoted(bytes, at),
            b'/' if bytes[at..].starts_with(b"/*") => {
                at = text[at + 2..].find("*/").map_or(bytes.len(), |end| at + 2 + end + 2);
            }
            b'/' if bytes[at..].starts_with(b"//") => {
                at = text[at..].find('\n').map_or(bytes.len(), |end| at + end);
            }
            b'{' => {
                depth += 1;
                at += 1;
            }
            b'}' => {
                depth = depth.saturating_sub(1);
                at += 1;
            }
            c if is_name(c) => {
                let end = end_of_name(bytes, at);
                let is_asm = matches!(&text[at..end], "asm" | "__asm__" | "__asm");
                match if is_asm && depth > 0 { statement(text, end) } else { None } {
                    Some((replacement, after)) => {
                        out.push_str(&text[copied..at]);
                        out.push_str(&replacement);
                        (at, copied, found) = (after, after, true);
                    }
                    None => at = end,
                }
            }
            _ => at += 1,
        }
    }
    out.push_str(&text[copied..]);
    found.then_some(out)
}

fn is_name(c: u8) -> bool {
    c == b'_' || c.is_ascii_alphanumeric()
}

fn end_of_name(bytes: &[u8], start: usize) -> usize {
    start + bytes[start..].iter().take_while(|&&c| is_name(c)).count()
}

/// Just after a string or character constant.
fn after_quoted(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != bytes[start] {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

/// The replacement of an assembly statement whose keyword ends at `at`, and where the text goes on after its `)`.
fn statement(text: &str, mut at: usize) -> Option<(String, usize)> {
    let bytes = text.as_bytes();
    loop {
        at += bytes[at..].iter().take_while(|c| c.is_ascii_whitespace()).count();
        let end = end_of_name(bytes, at);
        if end == at {
            break;
        }
        if !matches!(&text[at..end], "volatile" | "__volatile__" | "__volatile" | "inline" | "goto") {
            return None;
        }
        at = end;
    }
    if bytes.get(at) != Some(&b'(') {
        return None;
    }
    let close = matching_parenthesis(bytes, at)?;
    let outputs = parts(text, at + 1, close, b':').nth(1).map_or((0, 0), |range| range);
    let mut replacement = String::from("do { ");
    for (start, end) in parts(text, outputs.0, outputs.1, b',') {
        let Some(place) = operand(text, start, end) else { continue };
        replacement.push_str(&format!("__builtin_memset(&({place}), 0, sizeof({place})); "));
    }
    replacement.push_str("} while (0)");
    Some((replacement, close + 1))
}

fn matching_parenthesis(bytes: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = open;
    while at < bytes.len() {
        match bytes[at] {
            b'"' | b'\'' => {
                at = after_quoted(bytes, at);
                continue;
            }
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// The ranges between separators outside of parentheses and strings.
fn parts(text: &str, start: usize, end: usize, separator: u8) -> impl Iterator<Item = (usize, usize)> {
    let bytes = text.as_bytes();
    let mut list = Vec::new();
    let (mut at, mut from) = (start, start);
    while at < end {
        match bytes[at] {
            b'"' | b'\'' => {
                at = after_quoted(bytes, at);
                continue;
            }
            b'(' => match matching_parenthesis(bytes, at) {
                Some(close) => at = close,
                None => break,
            },
            c if c == separator => {
                list.push((from, at));
                from = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    list.push((from, end));
    list.into_iter()
}

/// The place in `"=r" (place)`.
fn operand(text: &str, start: usize, end: usize) -> Option<&str> {
    let bytes = text.as_bytes();
    let mut at = start;
    while at < end {
        match bytes[at] {
            b'"' => at = after_quoted(bytes, at),
            b'(' => return Some(&text[at + 1..matching_parenthesis(bytes, at)?]),
            _ => at += 1,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::without_inline_asm;

    #[test]
    fn outputs_become_zero_and_labels_of_symbols_stay() {
        let text = "int f(void) __asm__(\"\" \"g\");\nvoid h(void) { __asm__ volatile (\"mov (%1), %0 :,\": \"=r\" (x[1]), \
                    [o] \"+m\" (*(p)) : \"i\" (1) : \"memory\"); asm(\"nop\"); }";
        let expected = "int f(void) __asm__(\"\" \"g\");\nvoid h(void) { do { __builtin_memset(&(x[1]), 0, sizeof(x[1])); \
                        __builtin_memset(&(*(p)), 0, sizeof(*(p))); } while (0); do { } while (0); }";
        assert_eq!(without_inline_asm(text).as_deref(), Some(expected));
        assert_eq!(without_inline_asm("void f(void) { int basm; s.x = \"asm(\"; /* asm() */ }"), None);
    }
}
