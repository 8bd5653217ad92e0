//! What must not outlive this process: trees of processes and temporary directories, each as long as its owner has it.
//! Code that ends the process early, because of a limit or a signal, calls [`end_all`] first.

use super::leftovers;
use super::stop;
use super::tracker::{Followed, Tracker};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, Weak};
use std::thread;
use std::time::Duration;

/// Another process may still write to a directory that is removed, or remove it too; removal is tried this often.
const TRIES: u32 = 100;
const PAUSE: Duration = Duration::from_millis(5);

/// Everything that is open; trackers that are gone are dropped from time to time.
struct Open {
    /// Nothing more is started.
    ending: bool,
    trackers: Vec<Weak<Mutex<Followed>>>,
    /// Each is listed as long as there may be a part of it on the disk.
    directories: BTreeSet<PathBuf>,
}

static OPEN: RwLock<Open> = RwLock::new(Open { ending: false, trackers: Vec::new(), directories: BTreeSet::new() });

fn change<T>(work: impl FnOnce(&mut Open) -> T) -> T {
    work(&mut OPEN.write().unwrap_or_else(PoisonError::into_inner))
}

/// A temporary directory, removed when it is dropped, or with this process.
pub struct Scratch {
    path: PathBuf,
    /// Shows other processes that it is in use.
    _lock: Option<File>,
}

impl Scratch {
    /// Makes a directory whose name begins so; an error if the process is about to end and would leave it over.
    pub fn new(beginning: &str) -> io::Result<Scratch> {
        leftovers::sweep_once();
        change(|open| {
            may_start(open)?;
            let path = tempfile::Builder::new().prefix(beginning).tempdir()?.keep();
            open.directories.insert(path.clone());
            Ok(Scratch { _lock: leftovers::lock(&path), path })
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // It stays listed until it is gone: the process may be about to end while this takes its time.
        remove(&self.path);
        change(|open| open.directories.remove(&self.path));
    }
}

/// A directory that cannot be removed stays, since the error cannot be reported any more.
fn remove(directory: &Path) {
    for _ in 0..TRIES {
        match fs::remove_dir_all(directory) {
            Ok(()) => return,
            Err(error) if error.kind() == io::ErrorKind::NotFound && !directory.exists() => return,
            Err(_) => thread::sleep(PAUSE),
        }
    }
}

pub(super) fn add_tracker(followed: &Arc<Mutex<Followed>>) {
    change(|open| {
        open.trackers.retain(|known| known.strong_count() > 0);
        open.trackers.push(Arc::downgrade(followed));
    });
}

fn may_start(open: &Open) -> io::Result<()> {
    if open.ending { Err(io::Error::other("this process is about to end")) } else { Ok(()) }
}

/// To be held while a process is started; an error if the process is about to end and would leave it over.
pub(super) fn starts() -> io::Result<RwLockReadGuard<'static, impl Sized>> {
    let open = OPEN.read().unwrap_or_else(PoisonError::into_inner);
    may_start(&open).map(|()| open)
}

/// Whether this process may have others running.
pub(super) fn has_trackers() -> bool {
    !OPEN.read().unwrap_or_else(PoisonError::into_inner).trackers.is_empty()
}

/// Ends all processes that were started here, removes all temporary directories, and lets nothing new begin.
pub fn end_all() {
    // A second caller waits for the first, since both are about to end this process.
    static ONCE: Mutex<()> = Mutex::new(());
    let _first = ONCE.lock().unwrap_or_else(PoisonError::into_inner);
    let (trackers, directories) = change(|open| {
        open.ending = true;
        (std::mem::take(&mut open.trackers), open.directories.clone())
    });
    if trackers.len() > 1 {
        stop::kill_descendants();
    }
    for followed in trackers.iter().filter_map(Weak::upgrade) {
        let tracker = Tracker::again(followed);
        stop::kill_all(&tracker);
        tracker.close();
    }
    directories.iter().for_each(|directory| remove(directory));
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn is_known(path: &Path) -> bool {
        OPEN.read().unwrap().directories.contains(path)
    }

    #[test]
    fn a_directory_is_known_until_it_is_gone() {
        let scratch = Scratch::new("tandem-test-").unwrap();
        let path = scratch.path().to_path_buf();
        (0..5000).for_each(|number| fs::write(path.join(number.to_string()), "").unwrap());
        let owner = thread::spawn(move || drop(scratch));
        // The process may be ended at any time.
        while is_known(&path) {
            thread::yield_now();
        }
        assert!(!path.exists());
        owner.join().unwrap();
    }

    #[test]
    fn a_directory_is_removed_while_others_do_the_same_or_write() {
        let scratch = Scratch::new("tandem-test-").unwrap();
        let path = scratch.path().to_path_buf();
        (0..5000).for_each(|number| fs::write(path.join(number.to_string()), "").unwrap());
        let there = path.clone();
        let writer = thread::spawn(move || {
            (0..5000).for_each(|number| _ = fs::write(there.join(format!("more-{number}")), ""));
        });
        let owner = thread::spawn(move || drop(scratch));
        remove(&path);
        assert!(!path.exists());
        owner.join().unwrap();
        writer.join().unwrap();
    }
}
