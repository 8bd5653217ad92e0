//! Turns a panic anywhere into one line for the user instead of a backtrace.

use std::panic::{self, PanicHookInfo, UnwindSafe};
use std::sync::{Mutex, PoisonError};

/// The last panic: its message, and where it happened.
static LAST: Mutex<Option<String>> = Mutex::new(None);

/// Runs `work`; a panic in it, or passed on from a thread that it joined, comes back as a message.
pub fn catch<T>(work: impl FnOnce() -> T + UnwindSafe) -> Result<T, String> {
    panic::set_hook(Box::new(remember));
    panic::catch_unwind(work).map_err(|_| {
        let last = LAST.lock().unwrap_or_else(PoisonError::into_inner).take();
        last.unwrap_or_else(|| "panic without a message".to_string())
    })
}

/// Only remembers the panic: one that some layer catches and turns into a proper message is not shown.
fn remember(info: &PanicHookInfo<'_>) {
    let payload = info.payload();
    let text = payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
    let message = text.unwrap_or("panic without a message");
    let place = info.location().map_or(String::new(), |at| format!(" at {}:{}", at.file(), at.line()));
    let line = format!("{}{place}", message.replace('\n', " "));
    *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some(line);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_come_back_as_one_line_from_any_thread() {
        assert_eq!(catch(|| 5), Ok(5));
        let message = catch(|| panic!("two\nlines")).unwrap_err();
        assert!(message.starts_with("two lines at host/src/cli/panics.rs:"), "{message}");
        let joined = || match std::thread::spawn(|| panic!("number {}", 7)).join() {
            Ok(()) => {}
            Err(panic) => panic::resume_unwind(panic),
        };
        assert!(catch(joined).unwrap_err().starts_with("number 7 at "));
        // The other tests of this process need the usual messages.
        drop(panic::take_hook());
    }
}
