//! This executable, for code that starts it again to do work in a process of its own.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

static EXECUTABLE: OnceLock<PathBuf> = OnceLock::new();

/// To be called first in the `main` of an executable that can be started again.
pub fn can_be_started_again() {
    if let Ok(path) = std::env::current_exe() {
        // No other code sets it.
        let _ = EXECUTABLE.set(path);
    }
}

/// The executable, if it can be started again: that of a test cannot.
pub fn own_executable() -> Option<&'static Path> {
    EXECUTABLE.get().map(PathBuf::as_path)
}

/// Whether this process was started with this argument and no other.
pub fn is_asked(word: &str) -> bool {
    let mut arguments = std::env::args_os().skip(1);
    arguments.next().is_some_and(|first| first == word) && arguments.next().is_none()
}

/// Ends this process at once, with the output so far. No destructors run: those of libraries would run while other
/// threads still work with these, which corrupts memory.
pub fn leave(status: i32) -> ! {
    // If the reader is gone, the rest is not needed.
    let _ = std::io::stdout().flush();
    let _ = std::io::stderr().flush();
    signal_hook::low_level::exit(status)
}
