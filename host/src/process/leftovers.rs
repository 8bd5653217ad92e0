//! Removes temporary directories of runs that were killed: nothing else removes them, and each killed run would leave
//! some more. The user of a directory holds a lock on it, which ends with the process.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Once;
use std::time::Duration;

/// The prefix of all temporary directories of this program.
const BEGINNING: &str = "tandem-";
/// A younger directory may not be locked yet.
const YOUNG: Duration = Duration::from_secs(60);

/// Locks a directory as long as what is returned lives.
pub fn lock(directory: &Path) -> Option<File> {
    let opened = File::open(directory).ok()?;
    opened.try_lock().ok()?;
    Some(opened)
}

/// Removes what other processes have left over in the directory for temporary files, once in the life of this process.
pub fn sweep_once() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| sweep(&std::env::temp_dir(), YOUNG));
}

fn sweep(directory: &Path, young: Duration) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let is_ours = entry.file_name().to_string_lossy().starts_with(BEGINNING);
        // Metadata of the entry itself: a link is not a temporary directory of a run.
        let Ok(metadata) = entry.metadata() else { continue };
        let age = metadata.modified().ok().and_then(|time| time.elapsed().ok()).unwrap_or_default();
        if !is_ours || !metadata.is_dir() || age < young {
            continue;
        }
        if let Some(_held) = lock(&entry.path()) {
            // A directory that cannot be removed belongs to another user, or is removed another time.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_holds_is_removed() {
        let place = tempfile::tempdir().unwrap();
        let make = |name: &str| {
            let path = place.path().join(name);
            fs::create_dir(&path).unwrap();
            path
        };
        let (left, held, other) = (make("tandem-actor-1"), make("tandem-actor-2"), make("somebody-1"));
        fs::write(left.join("file"), "x").unwrap();
        std::os::unix::fs::symlink(&other, place.path().join("tandem-link")).unwrap();
        let lock = lock(&held);
        sweep(place.path(), Duration::from_secs(60));
        assert!(left.exists(), "it is too young");
        sweep(place.path(), Duration::ZERO);
        assert!(!left.exists() && held.exists() && other.exists() && place.path().join("tandem-link").exists());
        drop(lock);
        sweep(place.path(), Duration::ZERO);
        assert!(!held.exists());
    }
}
