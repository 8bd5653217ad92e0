//! Files that a command is asked to write: what cannot be written is told before the work, and what the command reads is never
//! overwritten.

use crate::diagnostic::Diagnostic;
use std::fs::{self, OpenOptions};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Refuses an output that is the same file as an input, under whatever name.
pub fn apart(outputs: &[&Path], inputs: &[&Path]) -> Result<(), Diagnostic> {
    // A file that is not there yet is nobody's input; neither is a device, which keeps nothing.
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

/// Says what keeps a file from being written, as far as that can be seen beforehand.
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
        // To open a pipe would wait for its reader.
        Ok(_) => Ok(()),
        Err(_) => OpenOptions::new().write(true).create_new(true).open(path).and_then(|_| fs::remove_file(path)),
    };
    opened.map_err(|error| problem(&error.to_string()))
}
