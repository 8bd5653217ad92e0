//! Turns a panic anywhere into one line for the user instead of a backtrace.

use std::panic::{self, PanicHookInfo, UnwindSafe};
use std::sync::{Mutex, PoisonError};

/// The last panic: what it said, and where.
static LAST: Mutex<Option<String>> = Mutex::new(None);

/// Runs `work`; a panic in it, or passed on from a thread that it joined, comes back as a message.
pub fn catch<T>(work: impl FnOnce() -> T + UnwindSafe) -> Result<T, String> {
    panic::set_hook(Box::new(remember));
    panic::catch_unwind(work).map_err(|_| {
        let last = LAST.lock().unwrap_or_else(PoisonError::into_inner).take();
        last.unwrap_or_else(|| "panic without a message".to_string())
    })
}

/// Only remembers: a panic that some layer catches and turns into a proper message is not shown.
fn remember(info: &PanicHookInfo<'_>) {
    let message = info.payload_as_str().unwrap_or("panic without a message");
    let place = info.location().map_or(String::new(), |at| format!(" at {}:{}", at.file(), at.line()));
    let line = format!("{}{place}", message.replace('\n', " "));
    *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some(line);
}
