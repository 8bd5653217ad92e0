//! Turns lang-c's complaints ("expected one of 38 tokens") into messages in the user's terms.

use super::text::{SourceText, is_keyword, is_storage_or_qualifier};
use crate::diagnostic::Diagnostic;
use lang_c::driver::SyntaxError;
use std::collections::HashSet;

pub fn describe(source: &SourceText, error: &SyntaxError) -> Diagnostic {
    let text = source.text.as_str();
    let (offset, message, help) = explain(text, error.offset.min(text.len()), &error.expected);
    let position = source.map.position(offset);
    Diagnostic::new(message)
        .in_file(source.map.file_name(position.file))
        .at(position.line, position.column)
        .help(help.unwrap_or_else(|| "correct the C text; `gcc -fsyntax-only` may say more".to_owned()))
}

/// Where the mistake is, what it is, and perhaps what to do.
fn explain(text: &str, offset: usize, expected: &HashSet<&'static str>) -> (usize, String, Option<String>) {
    let has = |token: &str| expected.contains(token);
    if !has("}")
        && let Some((start, name)) = unknown_type(text, offset)
    {
        let help = format!("declare '{name}' with a typedef, or include the header that does");
        return (start, format!("unknown type name '{name}'"), Some(help));
    }
    let before = previous_token(text, offset).filter(|(start, token)| start + token.len() == offset);
    if let Some((start, word)) = before.filter(|(_, token)| token.starts_with(is_word)) {
        let rest = &text[offset..];
        let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        if length > 0 && word.starts_with(|c: char| c.is_ascii_digit()) {
            return (start, format!("'{}' is not a number", &text[start..offset + length]), None);
        }
        // lang-c read a reserved word where a name could have stood.
        if has("identifier") && !has("~") {
            return (start, format!("unexpected '{word}'"), None);
        }
    }
    let found = found_at(text, offset);
    (offset, format!("expected {}, found {found}", summary(expected)), None)
}

/// The expected tokens, in a few words.
fn summary(expected: &HashSet<&'static str>) -> String {
    let has = |token: &str| expected.contains(token);
    let known: [(bool, &str); 10] = [
        (has("#") && has("<typedef_name>"), "a declaration"),
        (has(";") && has("{"), "';' or '{'"),
        (has(";") && !has("~"), "';'"),
        (has("~") && has(")"), "an expression or ')'"),
        (has("~"), "an expression"),
        (has(")") && has(","), "')' or ','"),
        (has("}") && has(","), "',' or '}'"),
        (has("]"), "']'"),
        (has("<typedef_name>"), "a type name"),
        (has("[_a-zA-Z]"), "a name"),
    ];
    if let Some((_, words)) = known.iter().find(|(applies, _)| *applies) {
        return (*words).to_owned();
    }
    let mut tokens: Vec<String> = expected
        .iter()
        .filter(|token| !token.starts_with('[') && !token.is_empty())
        .map(|t| format!("'{t}'"))
        .collect();
    tokens.sort();
    tokens.truncate(4);
    match tokens.as_slice() {
        [] => "something else".to_owned(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// The token at an offset, for people.
fn found_at(text: &str, offset: usize) -> String {
    let rest = text[offset..].trim_start();
    let Some(first) = rest.chars().next() else { return "the end of the file".to_owned() };
    let length = match is_word(first) {
        true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()).min(40),
        false => first.len_utf8(),
    };
    format!("'{}'", &rest[..length])
}

fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && !is_keyword(token)
}

/// The token that ends before `offset`: a word or a single character.
fn previous_token(text: &str, offset: usize) -> Option<(usize, &str)> {
    let before = text[..offset].trim_end();
    let last = before.chars().next_back()?;
    let start = match is_word(last) {
        true => {
            before.rfind(|c| !is_word(c)).map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8))
        }
        false => before.len() - last.len_utf8(),
    };
    Some((start, &before[start..]))
}

/// A name before `offset` that can only be meant as a type: `foo x`, `foo *x =`, `(foo)x`, `(foo *)x`, and at file
/// scope `foo` at the offset itself.
fn unknown_type(text: &str, offset: usize) -> Option<(usize, &str)> {
    let found = text[offset..].trim_start();
    let found_name = found.starts_with(is_word);
    let at_start = |start: usize| {
        previous_token(text, start)
            .is_none_or(|(_, token)| matches!(token, ";" | "{" | "}" | "(" | ",") || is_storage_or_qualifier(token))
    };
    let here = &found[..found.find(|c| !is_word(c)).unwrap_or(found.len())];
    let after = found[here.len()..].trim_start();
    if is_name(here) && (after.starts_with('*') || after.starts_with(is_word)) && at_start(offset) {
        return Some((offset, here));
    }
    let mut token = previous_token(text, offset)?;
    let closes_cast = token.1 == ")" && found_name;
    if closes_cast {
        token = previous_token(text, token.0)?;
    }
    let declares = !closes_cast && is_name(token.1) && found.starts_with(['=', ';', ',', '[']);
    let mut stars = false;
    if declares {
        token = previous_token(text, token.0)?;
    }
    while token.1 == "*" {
        stars = true;
        token = previous_token(text, token.0)?;
    }
    let plausible = if declares { stars } else { found_name || closes_cast || (stars && found.starts_with(')')) };
    let opened = previous_token(text, token.0);
    let starts = if closes_cast { opened.is_some_and(|(_, token)| token == "(") } else { at_start(token.0) };
    (plausible && starts && is_name(token.1)).then_some(token)
}

#[cfg(test)]
mod tests {
    use crate::frontend::parse::parse;
    use crate::frontend::text::prepare;

    #[test]
    fn messages_name_the_mistake_and_its_place() {
        for (text, column, message) in [
            ("int main() { int x = 1 return x; }", 24, "expected ';', found 'return'"),
            ("int main() { return 1 }", 23, "expected ';', found '}'"),
            ("int main() { return f(1 2); }", 25, "expected ')' or ',', found '2'"),
            ("int main() { if x > 1 return 2; }", 17, "expected '(', found 'x'"),
            ("int main() { int x = ; }", 22, "expected an expression, found ';'"),
            ("int main() { int for; }", 18, "unexpected 'for'"),
            ("int main() { else x = 1; }", 14, "unexpected 'else'"),
            ("int main(int argc char **argv) { }", 19, "expected ')' or ',', found 'char'"),
            ("enum { A B };", 10, "expected ',' or '}', found 'B'"),
            ("int x = 08abc;", 9, "'08abc' is not a number"),
            ("foo x;", 1, "unknown type name 'foo'"),
            ("extern foo *f(void);", 8, "unknown type name 'foo'"),
            ("int main() { foo x; }", 14, "unknown type name 'foo'"),
            ("int main() { foo *x = 0; }", 14, "unknown type name 'foo'"),
            ("int f(const foo x) { }", 13, "unknown type name 'foo'"),
            ("int f(int x) { return (foo)x; }", 24, "unknown type name 'foo'"),
            ("int f(int x) { return (foo *)x; }", 24, "unknown type name 'foo'"),
            ("MODULE_LICENSE(\"GPL\");", 1, "expected a declaration, found 'MODULE_LICENSE'"),
            ("{ \"json\": 1 }", 1, "expected a declaration, found '{'"),
            ("int main() { do { } while (1) return 0; }", 31, "expected ';', found 'return'"),
            ("int main(void)", 15, "expected ';' or '{', found the end of the file"),
        ] {
            let source = prepare(text, "t.c").unwrap();
            let problem = parse(&source).map(drop).unwrap_err();
            assert_eq!((problem.message.as_str(), problem.column), (message, Some(column)), "{text}");
            assert!(problem.file.as_deref() == Some("t.c") && problem.line == Some(1) && problem.help.is_some());
        }
    }

    #[test]
    fn places_follow_line_markers() {
        let source = prepare("int a;\n# 30 \"inner.h\"\nint b = 1\n  f;\n", "t.c").unwrap();
        let problem = parse(&source).map(drop).unwrap_err().to_string();
        assert!(problem.starts_with("inner.h:31:3: error: expected ';'"), "{problem}");
    }
}
