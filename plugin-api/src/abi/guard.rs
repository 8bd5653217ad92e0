//! Keeps panics inside the plugin library: no unwinding may cross the boundary, since it would end the process.
//! A panic becomes an error of the instance that panicked, and that instance is not called again.

use super::wire::{Fault, Reply};
use crate::error::{ErrorKind, PluginError, Result};
use abi_stable::std_types::RResult;
use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

thread_local! {
    /// Where the last panic of this thread happened; written by the hook, read by the code that catches the panic.
    /// Calls that
    /// do not panic never touch it, since thread-local access costs more than the call itself.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Panics in destructors, which have no caller that gets the error. The next call of the instance reports them.
static LATE_COUNT: AtomicUsize = AtomicUsize::new(0);
static LATE: Mutex<Vec<(u64, String)>> = Mutex::new(Vec::new());

/// Replaces this library's panic hook, which would print to the user's terminal, by one that notes the place.
/// Only libraries do this: a library has a standard library of its own, so the host's hook stays as it is.
pub fn install_panic_hook() {
    static ONCE: OnceLock<()> = OnceLock::new();
    ONCE.get_or_init(|| {
        std::panic::set_hook(Box::new(|info| {
            let place = info.location().map(|at| format!("{}:{}", at.file(), at.line()));
            PLACE.with(|cell| *cell.borrow_mut() = place);
        }));
    });
}

/// Runs `body`; a panic becomes an error that names `method`.
pub fn catch<T>(method: &str, body: impl FnOnce() -> Result<T>) -> Result<T> {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(result) => result,
        Err(payload) => Err(PluginError::of(ErrorKind::Panicked, describe(method, payload))),
    }
}

/// The same for functions that the other side calls.
pub fn reply<T>(method: &str, body: impl FnOnce() -> Result<T>) -> Reply<T> {
    match catch(method, body) {
        Ok(value) => RResult::ROk(value),
        Err(error) => RResult::RErr(Fault::from(error)),
    }
}

/// Runs a destructor for a value of an instance. It has no caller to which an error could be returned, so the error is
/// kept for later.
pub fn drop_guarded(owner: u64, what: &str, body: impl FnOnce()) {
    let outcome = catch(what, || {
        body();
        Ok(())
    });
    if let Err(error) = outcome {
        LATE.lock().unwrap_or_else(PoisonError::into_inner).push((owner, error.message));
        LATE_COUNT.fetch_add(1, Ordering::Release);
    }
}

fn describe(method: &str, payload: Box<dyn Any + Send>) -> String {
    let message = match payload.downcast_ref::<&str>() {
        Some(text) => (*text).to_string(),
        None => payload.downcast_ref::<String>().cloned().unwrap_or_else(|| "(no message)".to_string()),
    };
    // A payload whose own destructor panics must not take the process down.
    if let Err(second) = catch_unwind(AssertUnwindSafe(move || drop(payload))) {
        std::mem::forget(second);
    }
    match PLACE.with(|cell| cell.borrow_mut().take()) {
        Some(place) => format!("`{method}` panicked at {place}: {message}"),
        None => format!("`{method}` panicked: {message}"),
    }
}

/// Stands before every method of one instance.
pub struct Guard {
    owner: u64,
    broken: OnceLock<String>,
}

impl Guard {
    pub fn new(owner: u64) -> Self {
        Guard { owner, broken: OnceLock::new() }
    }

    /// Calls into the plugin author's code.
    pub fn call<T>(&self, method: &str, body: impl FnOnce() -> Result<T>) -> Reply<T> {
        match self.admit().and_then(|()| catch(method, body)) {
            Ok(value) => RResult::ROk(value),
            Err(error) => {
                if error.kind == ErrorKind::Panicked {
                    self.broken.get_or_init(|| error.message.clone());
                }
                RResult::RErr(Fault::from(error))
            }
        }
    }

    /// An error if a method or a destructor of this instance panicked before.
    #[inline]
    pub fn admit(&self) -> Result<()> {
        if LATE_COUNT.load(Ordering::Acquire) != 0 {
            self.collect_late_panics();
        }
        match self.broken.get() {
            None => Ok(()),
            Some(message) => refuse(message),
        }
    }

    #[cold]
    fn collect_late_panics(&self) {
        let mut late = LATE.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(at) = late.iter().position(|(owner, _)| *owner == self.owner) {
            let (_, message) = late.remove(at);
            LATE_COUNT.fetch_sub(1, Ordering::Release);
            self.broken.get_or_init(|| message);
        }
    }
}

#[cold]
fn refuse(message: &str) -> Result<()> {
    Err(PluginError::of(ErrorKind::Panicked, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_and_breaks_the_instance() {
        let guard = Guard::new(u64::MAX - 10);
        assert_eq!(guard.call("fine", || Ok(1)).into_result().ok(), Some(1));
        let fault = guard.call::<()>("bad", || panic!("boom {}", 1)).into_result().unwrap_err();
        assert_eq!(PluginError::from(fault).kind, ErrorKind::Panicked);
        let again = guard.call("fine", || Ok(1)).into_result().unwrap_err();
        assert!(PluginError::from(again).message.contains("boom 1"));
    }

    #[test]
    fn a_plain_error_does_not_break_the_instance() {
        let guard = Guard::new(u64::MAX - 11);
        assert!(guard.call::<()>("no", || Err("not today".into())).is_err());
        assert!(guard.call("yes", || Ok(())).is_ok());
    }

    #[test]
    fn a_panic_in_a_destructor_is_reported_by_the_next_call() {
        let guard = Guard::new(u64::MAX - 12);
        drop_guarded(u64::MAX - 12, "drop", || panic!("late"));
        assert!(Guard::new(u64::MAX - 13).admit().is_ok());
        assert!(guard.admit().unwrap_err().message.contains("late"));
    }

    #[test]
    fn a_payload_that_panics_when_dropped_is_survived() {
        struct Bomb;
        impl Drop for Bomb {
            fn drop(&mut self) {
                panic!("second");
            }
        }
        let error = catch::<()>("bomb", || std::panic::panic_any(Bomb)).unwrap_err();
        assert!(error.message.contains("no message"));
    }
}
