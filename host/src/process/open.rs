//! What must not outlive this process: trees of processes and temporary directories, each as long as its owner has it. Whoever ends
//! the process early, because of a limit or a signal, calls [`end_all`] first.

use super::stop;
use super::tracker::{Followed, Tracker};
use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, Weak};
use tempfile::TempDir;

/// All that is open; what is gone already is dropped from time to time.
struct Open {
    /// Nothing more is started.
    ending: bool,
    trackers: Vec<Weak<Mutex<Followed>>>,
    directories: Vec<Weak<TempDir>>,
}

static OPEN: RwLock<Open> = RwLock::new(Open { ending: false, trackers: Vec::new(), directories: Vec::new() });

fn change<T>(work: impl FnOnce(&mut Open) -> T) -> T {
    work(&mut OPEN.write().unwrap_or_else(PoisonError::into_inner))
}

/// A temporary directory, removed when it is dropped, or with this process.
pub struct Scratch(Arc<TempDir>);

impl Scratch {
    /// One whose name begins so.
    pub fn new(beginning: &str) -> io::Result<Scratch> {
        let directory = Arc::new(tempfile::Builder::new().prefix(beginning).tempdir()?);
        change(|open| {
            open.directories.retain(|known| known.strong_count() > 0);
            open.directories.push(Arc::downgrade(&directory));
        });
        Ok(Scratch(directory))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

pub(super) fn add_tracker(followed: &Arc<Mutex<Followed>>) {
    change(|open| {
        open.trackers.retain(|known| known.strong_count() > 0);
        open.trackers.push(Arc::downgrade(followed));
    });
}

/// To be held while a process is started; an error where it would be left over.
pub(super) fn starts() -> io::Result<RwLockReadGuard<'static, impl Sized>> {
    let open = OPEN.read().unwrap_or_else(PoisonError::into_inner);
    if open.ending { Err(io::Error::other("this process is about to end")) } else { Ok(open) }
}

/// Ends all processes that were started here, removes all temporary directories, and lets nothing new begin.
pub fn end_all() {
    // Who comes second waits for the first, since both mean to end this process.
    static ONCE: Mutex<()> = Mutex::new(());
    let _first = ONCE.lock().unwrap_or_else(PoisonError::into_inner);
    let (trackers, directories) = change(|open| {
        open.ending = true;
        (std::mem::take(&mut open.trackers), std::mem::take(&mut open.directories))
    });
    for followed in trackers.iter().filter_map(Weak::upgrade) {
        let tracker = Tracker::again(followed);
        stop::kill_all(&tracker);
        tracker.close();
    }
    for directory in directories.iter().filter_map(Weak::upgrade) {
        // What cannot be removed stays; nobody is left to be told.
        let _ = fs::remove_dir_all(directory.path());
    }
}
