//! Runs lang-c on prepared text.
//! lang-c and everything that walks its trees recurses: call them inside [`with_large_stack`].

use super::syntax_error;
use super::text::SourceText;
use crate::diagnostic::Diagnostic;
use lang_c::ast::TranslationUnit;
use lang_c::driver::{self, Config, Flavor};
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
        Err(error) => Err(syntax_error::describe(source, &error)),
    }
}

/// Does `work` on a thread of its own whose stack is as large as the machine allows. What `work` returns should be
/// small: a syntax tree must be dropped inside, since dropping it recurses too.
pub fn with_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let waiting = Mutex::new(Some(work));
    let run = || waiting.lock().ok().and_then(|mut slot| slot.take()).map(|work| work());
    let result = std::thread::scope(|scope| {
        let mut size = STACK_BYTES;
        while size >= SMALLEST_STACK_BYTES {
            if let Ok(thread) = std::thread::Builder::new().stack_size(size).spawn_scoped(scope, run) {
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
