//! The folder of an experiment: a lock, so that only one runs in it, and a log with one line per finished run. A line
//! is on disk before the next run starts on that core. However the experiment ends, at most the last line is torn, and
//! that run is made again.

use super::result::RunResult;
use crate::diagnostic::Diagnostic;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

pub const LOG: &str = "results.jsonl";
const LOCK: &str = "lock";
const RUNS: &str = "runs";

pub struct Folder {
    pub path: PathBuf,
    log: Mutex<File>,
    /// Released by the system, however this process ends.
    _lock: File,
}

/// The runs that an earlier start of the experiment has finished, by key. Of runs with the same key the first counts.
pub type Done = BTreeMap<String, RunResult>;

impl Folder {
    /// Takes the folder, and makes it where it is missing. `fresh` removes what an experiment wrote there before.
    pub fn open(path: &Path, fresh: bool) -> Result<(Folder, Done), Diagnostic> {
        fs::create_dir_all(path).map_err(|error| problem(path, "the folder cannot be made", &error))?;
        let lock = take_lock(path)?;
        if fresh {
            clear(path)?;
        }
        let log = path.join(LOG);
        let mut file = OpenOptions::new()
            .create(true)
            .read(true)
            .append(true)
            .open(&log)
            .map_err(|error| problem(&log, "the log cannot be opened", &error))?;
        let (done, whole) = read_log(&log)?;
        // A torn line would swallow the next one.
        file.set_len(whole).and_then(|()| file.seek(SeekFrom::End(0))).map_err(|e| problem(&log, "the log", &e))?;
        Ok((Folder { path: path.to_path_buf(), log: Mutex::new(file), _lock: lock }, done))
    }

    /// Appends a line, and returns when it is on disk.
    pub fn record(&self, result: &RunResult) -> Result<(), Diagnostic> {
        let failed =
            |error: &dyn std::fmt::Display| problem(&self.path.join(LOG), "the result cannot be recorded", error);
        let mut line = serde_json::to_string(result).map_err(|error| failed(&error))?;
        line.push('\n');
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        log.write_all(line.as_bytes()).and_then(|()| log.sync_data()).map_err(|error| failed(&error))
    }

    /// The name of the processes of this experiment's runs.
    pub fn id(&self) -> String {
        let path = self.path.canonicalize().unwrap_or_else(|_| self.path.clone());
        let hash = format!("{:x}", Sha256::digest(path.as_os_str().as_encoded_bytes()));
        format!("{}-", hash.get(..12).unwrap_or_default())
    }

    /// Writes a file as a whole: readers see the old one or the new one.
    pub fn write(&self, name: &str, text: &str) -> Result<PathBuf, Diagnostic> {
        let (path, new) = (self.path.join(name), self.path.join(format!("{name}.new")));
        fs::write(&new, text)
            .and_then(|()| fs::rename(&new, &path))
            .map_err(|error| problem(&path, "cannot be written", &error))?;
        Ok(path)
    }
}

fn problem(path: &Path, what: &str, error: &dyn std::fmt::Display) -> Diagnostic {
    Diagnostic::new(format!("{what}: {error}"))
        .in_file(path.display().to_string())
        .help("check the rights and the space on the disk, or name another folder with -o")
}

fn take_lock(path: &Path) -> Result<File, Diagnostic> {
    let name = path.join(LOCK);
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&name);
    let file = file.map_err(|error| problem(&name, "the lock cannot be made", &error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => Err(Diagnostic::new("an experiment is running in this folder already")
            .in_file(path.display().to_string())
            .help("wait for it, or name another folder with -o")),
        Err(fs::TryLockError::Error(error)) => Err(problem(&name, "the lock cannot be taken", &error)),
    }
}

/// Removes the files that experiments write, and no others.
fn clear(path: &Path) -> Result<(), Diagnostic> {
    let failed = |error: std::io::Error| problem(path, "the earlier experiment cannot be removed", &error);
    let runs = path.join(RUNS);
    if runs.is_dir() {
        fs::remove_dir_all(&runs).map_err(failed)?;
    }
    for name in [LOG, "results.json", "results.csv", "index.html"] {
        match fs::remove_file(path.join(name)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(failed(error)),
            _ => {}
        }
    }
    Ok(())
}

/// The results in the log, and the length of its whole lines.
fn read_log(path: &Path) -> Result<(Done, u64), Diagnostic> {
    let bytes = fs::read(path).map_err(|error| problem(path, "the log cannot be read", &error))?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
    let mut done = Done::new();
    for (number, line) in bytes.get(..whole).unwrap_or_default().split(|byte| *byte == b'\n').enumerate() {
        if line.is_empty() {
            continue;
        }
        let result: RunResult = serde_json::from_slice(line).map_err(|error| {
            Diagnostic::new(format!("this line is not a result: {error}"))
                .in_file(path.display().to_string())
                .at(u32::try_from(number + 1).unwrap_or(u32::MAX), 1)
                .help("remove the line to run that run again, or begin anew with --fresh")
        })?;
        done.entry(result.key.clone()).or_insert(result);
    }
    Ok((done, whole as u64))
}

#[cfg(test)]
mod tests {
    use super::super::result::Answer;
    use super::super::tasks::Task;
    use super::*;

    fn result(key: &str) -> RunResult {
        let (name, file, hash) = ("t".to_string(), "t".into(), String::new());
        let task = Task { name, file, property: None, expected: Some(true), hash };
        RunResult::new(key, "c", &task, (Answer::True, String::new()))
    }

    #[test]
    fn a_torn_line_is_dropped_and_nothing_else() {
        let place = tempfile::tempdir().unwrap();
        let (folder, done) = Folder::open(place.path(), false).unwrap();
        assert!(done.is_empty());
        folder.record(&result("1")).unwrap();
        folder.record(&result("2")).unwrap();
        assert!(Folder::open(place.path(), false).err().unwrap().message.contains("running in this folder"));
        drop(folder);
        let log = place.path().join(LOG);
        let text = fs::read_to_string(&log).unwrap();
        for cut in 1..text.len() / 2 {
            fs::write(&log, &text[..text.len() - cut]).unwrap();
            let (folder, done) = Folder::open(place.path(), false).unwrap();
            assert_eq!(done.keys().collect::<Vec<_>>(), ["1"], "{cut}");
            folder.record(&result("2")).unwrap();
            assert_eq!(fs::read_to_string(&log).unwrap(), text);
        }
        fs::write(&log, format!("{text}garbage\n{text}")).unwrap();
        let problem = Folder::open(place.path(), false).err().unwrap();
        assert_eq!(problem.line, Some(3));
        let (_, done) = Folder::open(place.path(), true).unwrap();
        assert!(done.is_empty());
    }
}
