//! Where plugins are searched, in which order, and which files of a directory count.

use super::registry::Registry;
use super::{Refusal, RefusalKind, load, trust};
use std::collections::BTreeSet;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Who named a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// `--plugin-dir`
    CommandLine,
    /// `TANDEM_PLUGIN_PATH`
    Environment,
    /// The directory of the executable, or `plugins` in it.
    BesideExecutable,
    /// `$XDG_DATA_HOME/tandem/plugins`
    UserData,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchDir {
    pub path: PathBuf,
    pub origin: Origin,
}

/// The search path: plugins in earlier directories come first where names clash.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PluginSearch {
    pub dirs: Vec<SearchDir>,
}

impl PluginSearch {
    /// The directories of `--plugin-dir`, then those that the environment and the installation name.
    pub fn new(command_line: &[PathBuf]) -> Self {
        let mut search = PluginSearch::only(command_line);
        if let Some(list) = env::var_os("TANDEM_PLUGIN_PATH") {
            search.add(Origin::Environment, env::split_paths(&list).filter(|path| !path.as_os_str().is_empty()));
        }
        if let Some(directory) = env::current_exe().ok().as_deref().and_then(Path::parent) {
            search.add(Origin::BesideExecutable, [directory.to_path_buf(), directory.join("plugins")]);
        }
        search.add(Origin::UserData, user_data_dir().map(|data| data.join("tandem").join("plugins")));
        search
    }

    /// These directories and no others.
    pub fn only(directories: &[PathBuf]) -> Self {
        let mut search = PluginSearch::default();
        search.add(Origin::CommandLine, directories.iter().cloned());
        search
    }

    fn add(&mut self, origin: Origin, paths: impl IntoIterator<Item = PathBuf>) {
        self.dirs.extend(paths.into_iter().map(|path| SearchDir { path, origin }));
    }

    /// Loads all plugins of all directories.
    pub fn discover(&self) -> Registry {
        let mut registry = Registry::new(self.clone());
        let mut seen = BTreeSet::new();
        for directory in &self.dirs {
            let files = match directory.candidates() {
                Ok(files) => files,
                Err(refusal) => {
                    registry.refuse(refusal);
                    continue;
                }
            };
            for file in files {
                // The same file by another way is neither a second plugin nor a mistake.
                if seen.insert(fs::canonicalize(&file).unwrap_or_else(|_| file.clone())) {
                    registry.add(load::load_plugin(&file));
                }
            }
        }
        registry
    }
}

fn user_data_dir() -> Option<PathBuf> {
    let absolute = |path: PathBuf| path.is_absolute().then_some(path);
    env::var_os("XDG_DATA_HOME")
        .map(PathBuf::from)
        .and_then(absolute)
        .or_else(|| env::var_os("HOME").map(PathBuf::from).and_then(absolute).map(|home| home.join(".local/share")))
}

impl SearchDir {
    /// A directory that the user did not name need not exist.
    fn may_be_absent(&self) -> bool {
        matches!(self.origin, Origin::BesideExecutable | Origin::UserData)
    }

    /// The files to try, in alphabetical order; an error if nothing in this directory can be trusted or read.
    fn candidates(&self) -> Result<Vec<PathBuf>, Refusal> {
        let entries = match fs::read_dir(&self.path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound && self.may_be_absent() => return Ok(Vec::new()),
            // The directory of another user, after `su`: it was not asked for, either.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied && self.origin == Origin::UserData => {
                return Ok(Vec::new());
            }
            Err(error) => {
                let remedy = match self.origin {
                    Origin::CommandLine => "correct --plugin-dir",
                    Origin::Environment => "correct TANDEM_PLUGIN_PATH",
                    _ => "make it a directory that you may read",
                };
                let cause = format!("the plugin directory cannot be read: {error}");
                return Err(Refusal::new(&self.path, RefusalKind::Unreadable, cause, remedy));
            }
        };
        let mut files = Vec::new();
        for entry in entries {
            let unreadable = |error: io::Error| {
                let cause = format!("the plugin directory cannot be read: {error}");
                Refusal::new(&self.path, RefusalKind::Unreadable, cause, "check the disk")
            };
            let path = entry.map_err(unreadable)?.path();
            if self.is_candidate(&path) {
                files.push(path);
            }
        }
        files.sort();
        if !files.is_empty() {
            // One message for the directory rather than one for each file in it.
            trust::check_directory(&self.path)?;
        }
        Ok(files)
    }

    /// Beside the executable there may be other libraries, so that only files of our name count there.
    fn is_candidate(&self, path: &Path) -> bool {
        let named_like_ours =
            || path.file_name().and_then(OsStr::to_str).is_some_and(|name| name.starts_with("libtandem_"));
        path.extension() == Some(OsStr::new("so")) && (self.origin != Origin::BesideExecutable || named_like_ours())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_comes_first() {
        let search = PluginSearch::new(&[PathBuf::from("/a"), PathBuf::from("/b")]);
        assert_eq!(search.dirs[0], SearchDir { path: "/a".into(), origin: Origin::CommandLine });
        assert_eq!(search.dirs[1], SearchDir { path: "/b".into(), origin: Origin::CommandLine });
        assert!(search.dirs.iter().any(|dir| dir.origin == Origin::BesideExecutable));
    }

    #[test]
    fn only_our_files_count_beside_the_executable() {
        let beside = SearchDir { path: "/x".into(), origin: Origin::BesideExecutable };
        let named = SearchDir { path: "/x".into(), origin: Origin::CommandLine };
        for (file, expected) in [("libtandem_a.so", true), ("libother.so", false), ("libtandem_a.rlib", false)] {
            assert_eq!(beside.is_candidate(Path::new(file)), expected, "{file}");
        }
        assert!(named.is_candidate(Path::new("/x/libother.so")));
        assert!(!named.is_candidate(Path::new("/x/readme.txt")));
    }

    #[test]
    fn a_missing_directory_matters_only_if_somebody_named_it() {
        let named = SearchDir { path: "/does/not/exist".into(), origin: Origin::CommandLine };
        assert_eq!(named.candidates().unwrap_err().kind, RefusalKind::Unreadable);
        let beside = SearchDir { path: "/does/not/exist".into(), origin: Origin::BesideExecutable };
        assert_eq!(beside.candidates().unwrap(), Vec::<PathBuf>::new());
    }
}
