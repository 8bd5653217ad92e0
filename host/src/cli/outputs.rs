//! Files that a command is asked to write: a file that cannot be written is reported before the work, and the command's
//! input files are never overwritten.

use crate::diagnostic::Diagnostic;
use std::fs::{self, OpenOptions};
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

/// Refuses an output that is the same file as an input, under whatever name.
pub fn apart(outputs: &[&Path], inputs: &[&Path]) -> Result<(), Diagnostic> {
    // A file that does not exist yet cannot be an input; a device keeps nothing, so that it may be both.
    let identity = |path: &&Path| {
        let file = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        Some((file.dev(), file.ino()))
    };
    let read: Vec<_> = inputs.iter().filter_map(identity).collect();
    match outputs.iter().find(|output| identity(output).is_some_and(|file| read.contains(&file))) {
        None => Ok(()),
        Some(output) => Err(Diagnostic::new("this file is read by the command, and would be overwritten")
            .in_file(output.display().to_string())
            .help("name another file to write to")),
    }
}

/// Refuses two outputs that are the same file: the second would replace the first.
pub fn distinct(outputs: &[&Path]) -> Result<(), Diagnostic> {
    let mut seen = Vec::new();
    for output in outputs {
        let Some(place) = place(output) else { continue };
        if seen.contains(&place) {
            return Err(Diagnostic::new("two outputs of the command are this file")
                .in_file(output.display().to_string())
                .help("name another file for one of them"));
        }
        seen.push(place);
    }
    Ok(())
}

/// Identifies a file: a link is the file that it leads to, and a file that does not exist yet is identified by its
/// directory. Devices may be used for several outputs.
fn place(path: &Path) -> Option<PathBuf> {
    match fs::metadata(path) {
        Ok(there) if there.is_file() => Some(PathBuf::from(format!("{}:{}", there.dev(), there.ino()))),
        Ok(_) => None,
        Err(_) => Some(future_place(path)),
    }
}

/// Where a file will be. The existing part of the path has its real name already, and `..` of a directory that is yet
/// to be made leads back to the one before.
fn future_place(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let mut place = PathBuf::new();
    for component in absolute.components() {
        match component {
            Component::ParentDir => drop(place.pop()),
            other => place.push(other),
        }
        place = fs::canonicalize(&place).unwrap_or(place);
    }
    place
}

/// Refuses symbolic links in an output directory, since files written through them would be outside of it.
pub fn inside(directory: &Path, names: &[&str]) -> Result<(), Diagnostic> {
    let is_link = |path: &PathBuf| fs::symlink_metadata(path).is_ok_and(|there| there.is_symlink());
    match names.iter().map(|name| directory.join(name)).find(is_link) {
        None => Ok(()),
        Some(link) => Err(Diagnostic::new("this is a symbolic link, and would lead out of the output directory")
            .in_file(link.display().to_string())
            .help("remove it, or name another directory with -o")),
    }
}

/// The reason why a file cannot be written, as far as that can be seen beforehand.
pub fn writable(path: &Path) -> Result<(), Diagnostic> {
    let problem = |what: &str| {
        Diagnostic::new(format!("cannot be written: {what}"))
            .in_file(path.display().to_string())
            .help("check the path and the permissions")
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Err(problem("there is no such directory"));
    }
    let opened = match fs::metadata(path) {
        Ok(there) if there.is_dir() => return Err(problem("this is a directory")),
        Ok(there) if there.is_file() => OpenOptions::new().append(true).open(path).map(drop),
        // Opening a pipe would wait for its reader.
        Ok(_) => Ok(()),
        Err(_) => OpenOptions::new().write(true).create_new(true).open(path).and_then(|_| fs::remove_file(path)),
    };
    opened.map_err(|error| problem(&error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_told_apart_under_all_of_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("there"), "").unwrap();
        fs::hard_link(path("there"), path("same")).unwrap();
        let refused = |one: &Path, other: &Path| distinct(&[one, other]).is_err();
        assert!(refused(&path("there"), &path("same")));
        assert!(refused(&path("new"), &path("./new")));
        assert!(refused(&path("later/new"), &path("later/../later/new")));
        assert!(!refused(&path("new"), &path("other")) && !refused(&path("new"), &path("there")));
        assert!(!refused(Path::new("/dev/null"), Path::new("/dev/null")));
    }

    #[test]
    fn links_in_an_output_directory_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/nowhere", folder.path().join("result.json")).unwrap();
        assert!(inside(folder.path(), &["gia.json"]).is_ok());
        let refused = inside(folder.path(), &["gia.json", "result.json"]).unwrap_err();
        assert!(refused.message.contains("symbolic link"), "{}", refused.message);
    }
}
