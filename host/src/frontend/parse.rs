//! Runs lang-c on prepared text, and turns its complaints into messages in the user's terms.
//! lang-c and everything that walks its trees recurses: call them inside [`with_large_stack`].

use super::text::SourceText;
use crate::diagnostic::Diagnostic;
use lang_c::ast::TranslationUnit;
use lang_c::driver::{self, Config, Flavor, SyntaxError};
use std::collections::HashSet;
use std::sync::Mutex;

/// Reserved, not committed: only the pages that recursion touches cost memory.
const STACK_BYTES: usize = 4 << 30;
/// Below this, a machine that refuses to reserve more is in no state to verify anything.
const SMALLEST_STACK_BYTES: usize = 8 << 20;

/// Parses prepared text.
pub fn parse(source: &SourceText) -> Result<TranslationUnit, Diagnostic> {
    let config = Config { cpp_command: String::new(), cpp_options: Vec::new(), flavor: Flavor::GnuC11 };
    match driver::parse_preprocessed(&config, source.text.clone()) {
        Ok(parsed) => Ok(parsed.unit),
        Err(error) => Err(describe(source, &error)),
    }
}

/// Does `work` on a thread of its own whose stack is as large as the machine allows.
pub fn with_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let waiting = Mutex::new(Some(work));
    let run = || waiting.lock().ok().and_then(|mut slot| slot.take()).map(|work| work());
    let result = std::thread::scope(|scope| {
        let mut size = STACK_BYTES;
        while size >= SMALLEST_STACK_BYTES {
            if let Ok(thread) = std::thread::Builder::new().stack_size(size).spawn_scoped(scope, &run) {
                return thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            }
            size /= 2;
        }
        run()
    });
    match result {
        Some(value) => value,
        None => unreachable!("the work is taken once, by the thread that started or by this one"),
    }
}

fn describe(source: &SourceText, error: &SyntaxError) -> Diagnostic {
    let position = source.map.position(error.offset);
    let found = found_at(&source.text, error.offset);
    let message = match summary(&error.expected) {
        Some(expected) => format!("expected {expected}, found {found}"),
        None => format!("unexpected {found}"),
    };
    Diagnostic::new(message)
        .in_file(source.map.file_name(position.file))
        .at(position.line, position.column)
        .help("correct the C text; `gcc -fsyntax-only` may say more")
}

/// The token at an offset, for people.
fn found_at(text: &str, offset: usize) -> String {
    let rest = text.get(offset..).unwrap_or("").trim_start();
    let Some(first) = rest.chars().next() else { return "the end of the file".to_owned() };
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let length =
        if is_word(first) { rest.find(|c| !is_word(c)).unwrap_or(rest.len()).min(40) } else { first.len_utf8() };
    format!("'{}'", &rest[..length])
}

/// What could have stood there, if it can be said in a few words.
fn summary(expected: &HashSet<&'static str>) -> Option<String> {
    let has = |token: &str| expected.contains(token);
    let mut words: Vec<String> = Vec::new();
    if has(";") {
        words.push("';'".into());
    }
    for closer in [")", "]", "}", ",", "(", ":", "="] {
        if has(closer) && words.len() < 3 {
            words.push(format!("'{closer}'"));
        }
    }
    if words.is_empty() && expected.len() <= 4 {
        words = expected.iter().map(|token| format!("'{token}'")).collect();
        words.sort();
    }
    match words.as_slice() {
        [] => None,
        [only] => Some(only.clone()),
        [first @ .., last] => Some(format!("{} or {last}", first.join(", "))),
    }
}
