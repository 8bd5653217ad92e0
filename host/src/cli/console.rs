//! The two output streams: results on standard output, everything else on standard error, where a terminal also shows
//! what runs and since when. A reader that goes away (a closed pipe) is not an error.

use crate::diagnostic::Diagnostic;
use crate::services::Log;
use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tandem_plugin_api::service::LogLevel;

/// How often the progress line is renewed.
const TICK: Duration = Duration::from_millis(200);

/// Columns that every terminal has.
const NARROW_TERMINAL: usize = 79;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loudness {
    /// Errors only.
    Quiet,
    Normal,
    /// Also statistics and what was chosen by default.
    Verbose,
}

/// Cheap to clone; all clones share one progress line.
#[derive(Clone)]
pub struct Console {
    loudness: Loudness,
    progress: Arc<Mutex<Progress>>,
}

#[derive(Default)]
struct Progress {
    /// What runs now, and since when.
    stage: Option<(String, Instant)>,
    /// How far the stage is.
    detail: String,
    /// Whether the line is on the screen now.
    shown: bool,
}

impl Log for Console {
    fn log(&self, level: LogLevel, message: &str) {
        match level {
            LogLevel::Error | LogLevel::Warning => self.warning(message),
            LogLevel::Info | LogLevel::Debug => self.detail(message),
        }
    }
}

impl Console {
    pub fn new(loudness: Loudness) -> Self {
        let console = Console { loudness, progress: Arc::default() };
        if loudness > Loudness::Quiet && io::stderr().is_terminal() {
            console.clone().tick_forever();
        }
        console
    }

    /// Results. The only thing that goes to standard output.
    pub fn result(&self, text: &str) -> Result<(), Diagnostic> {
        self.progress().clear();
        let mut out = io::stdout().lock();
        let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        match written {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(Diagnostic::new(format!("standard output cannot be written: {error}")))
            }
            _ => Ok(()),
        }
    }

    pub fn error(&self, diagnostic: &Diagnostic) {
        self.say(&diagnostic.to_string());
    }

    /// A note about the result for the user.
    pub fn note(&self, text: &str) {
        if self.loudness >= Loudness::Normal {
            self.say(&format!("note: {text}"));
        }
    }

    /// One line of a log, such as the end of one run of many.
    pub fn line(&self, text: &str) {
        if self.loudness >= Loudness::Normal {
            self.say(text);
        }
    }

    pub fn warning(&self, text: &str) {
        if self.loudness >= Loudness::Normal {
            self.say(&format!("warning: {text}"));
        }
    }

    /// For `--verbose`.
    pub fn detail(&self, text: &str) {
        if self.loudness >= Loudness::Verbose {
            self.say(text);
        }
    }

    /// Something else runs from now on; shown on a terminal.
    pub fn stage(&self, what: impl Into<String>) {
        let mut progress = self.progress();
        progress.stage = Some((what.into(), Instant::now()));
        progress.detail.clear();
    }

    /// How far the stage is; shown on a terminal.
    pub fn progress_detail(&self, detail: &str) {
        let mut progress = self.progress();
        progress.detail.clear();
        progress.detail.push_str(detail);
    }

    /// Nothing runs any more.
    pub fn stage_done(&self) {
        let mut progress = self.progress();
        progress.stage = None;
        progress.clear();
    }

    fn say(&self, text: &str) {
        self.progress().clear();
        // If standard error is closed, the message is lost.
        let _ = writeln!(io::stderr(), "{text}");
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tick_forever(self) {
        let work = move || {
            loop {
                thread::sleep(TICK);
                self.progress().show();
            }
        };
        // Without the thread there is only no progress line.
        let _ = thread::Builder::new().name("progress".into()).spawn(work);
    }
}

impl Progress {
    fn show(&mut self) {
        let Some((what, since)) = &self.stage else { return };
        let seconds = since.elapsed().as_secs();
        let separator = if self.detail.is_empty() { "" } else { ", " };
        let line = format!("{what} ({seconds} s{separator}{})", self.detail);
        // A line that wraps could not be cleared.
        let line: String = line.chars().take(NARROW_TERMINAL).collect();
        let _ = write!(io::stderr(), "\r\x1b[K{line}");
        let _ = io::stderr().flush();
        self.shown = true;
    }

    fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(io::stderr(), "\r\x1b[K");
            let _ = io::stderr().flush();
        }
    }
}
