//! Whether a plugin file can be trusted: its code runs with the user's rights as soon as it is loaded, so neither the
//! file nor its directory may be writable by others.

use super::{Refusal, RefusalKind};
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

const STICKY: u32 = 0o1000;
const GROUP_WRITES: u32 = 0o020;
const OTHERS_WRITE: u32 = 0o002;

/// The real path of a trustworthy regular file. Follows symbolic links; their targets, and the directory that holds the
/// link, must be trustworthy as well.
pub fn check_file(file: &Path) -> Result<PathBuf, Refusal> {
    let link = fs::symlink_metadata(file).map_err(|error| unreadable(file, &error))?;
    let real = fs::canonicalize(file).map_err(|error| unreadable(file, &error))?;
    if link.is_symlink() {
        // The user who may write this directory decides where the link leads.
        check_directory(parent(file)).map_err(|refusal| about(file, refusal))?;
    }
    let metadata = fs::metadata(&real).map_err(|error| unreadable(file, &error))?;
    if !metadata.is_file() {
        let what = if metadata.is_dir() { "it is a directory" } else { "it is not a regular file" };
        let remedy = "name the plugin's .so file";
        return Err(Refusal::new(file, RefusalKind::Unreadable, what, remedy));
    }
    check_owner(&real, "the file", &metadata).map_err(|refusal| about(file, refusal))?;
    check_mode(&real, "the file", &metadata).map_err(|refusal| about(file, refusal))?;
    check_directory(parent(&real)).map_err(|refusal| about(file, refusal))?;
    Ok(real)
}

/// A directory in which plugins may lie. Even with the sticky bit, others may not add files to it; above it, others
/// may not replace directories.
pub fn check_directory(directory: &Path) -> Result<(), Refusal> {
    let real = fs::canonicalize(directory).map_err(|error| unreadable(directory, &error))?;
    let metadata = fs::metadata(&real).map_err(|error| unreadable(directory, &error))?;
    check_owner(&real, "the directory", &metadata)?;
    check_mode(&real, "the directory", &metadata)?;
    for above in real.ancestors().skip(1) {
        let metadata = fs::metadata(above).map_err(|error| unreadable(directory, &error))?;
        if metadata.permissions().mode() & STICKY == 0 {
            check_mode(above, "the directory", &metadata)?;
        }
    }
    Ok(())
}

/// The refusal of a directory or link target, as one of the file that was named.
fn about(file: &Path, refusal: Refusal) -> Refusal {
    Refusal { file: file.to_path_buf(), ..refusal }
}

fn parent(file: &Path) -> &Path {
    match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

fn unreadable(file: &Path, error: &io::Error) -> Refusal {
    let remedy = match error.kind() {
        io::ErrorKind::NotFound => "check the path",
        _ => "make the file readable for you",
    };
    Refusal::new(file, RefusalKind::Unreadable, format!("it cannot be read: {error}"), remedy)
}

fn check_owner(path: &Path, what: &str, metadata: &Metadata) -> Result<(), Refusal> {
    let user = rustix::process::geteuid().as_raw();
    if metadata.uid() == 0 || metadata.uid() == user {
        return Ok(());
    }
    Err(Refusal::new(
        path,
        RefusalKind::Untrusted,
        format!("{what} {} belongs to another user (id {})", path.display(), metadata.uid()),
        "copy the plugin to a directory of your own",
    ))
}

fn check_mode(path: &Path, what: &str, metadata: &Metadata) -> Result<(), Refusal> {
    let mode = metadata.permissions().mode();
    let who = if mode & OTHERS_WRITE != 0 {
        "everybody"
    } else if mode & GROUP_WRITES != 0 && !is_private_group(metadata.gid(), metadata.uid()) {
        "its group"
    } else {
        return Ok(());
    };
    Err(Refusal::new(
        path,
        RefusalKind::Untrusted,
        format!("{what} {} may be written by {who}", path.display()),
        format!("chmod go-w {}", shell_word(path)),
    ))
}

/// Whether a group has no member but the owner, as many systems make one for each user (with umask 002, everything
/// that a user builds is writable for such a group).
fn is_private_group(group: u32, owner: u32) -> bool {
    let read = |file| fs::read_to_string(file).unwrap_or_default();
    private_group(&read("/etc/passwd"), &read("/etc/group"), group, owner)
}

fn private_group(passwd: &str, groups: &str, group: u32, owner: u32) -> bool {
    let field = |line: &str, index: usize| line.split(':').nth(index).map(str::to_string);
    let number = |line: &str, index: usize| field(line, index).and_then(|text| text.parse::<u32>().ok());
    let Some(owner_name) = passwd.lines().find(|line| number(line, 2) == Some(owner)).and_then(|l| field(l, 0)) else {
        return false;
    };
    let Some(entry) = groups.lines().find(|line| number(line, 2) == Some(group)) else { return false };
    let members = field(entry, 3).unwrap_or_default();
    let only_owner = members.split(',').all(|member| member.is_empty() || member == owner_name);
    let primary_of_others = passwd.lines().any(|line| number(line, 3) == Some(group) && number(line, 2) != Some(owner));
    field(entry, 0) == Some(owner_name) && only_owner && !primary_of_others
}

/// The path as a user can paste it into a shell.
fn shell_word(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PASSWD: &str =
        "root:x:0:0:root:/root:/bin/sh\nann:x:1000:1000::/home/ann:/bin/sh\nbob:x:1001:100::/:/bin/sh\n";
    const GROUPS: &str = "root:x:0:\nann:x:1000:\nusers:x:100:ann\nwork:x:200:\nopen:x:1002:ann,bob\n";

    #[test]
    fn a_group_of_ones_own_is_nobody_else() {
        assert!(private_group(PASSWD, GROUPS, 1000, 1000));
        assert!(private_group(PASSWD, GROUPS, 0, 0));
        assert!(!private_group(PASSWD, GROUPS, 100, 1000), "bob's primary group");
        assert!(!private_group(PASSWD, GROUPS, 1002, 1000), "bob is a member");
        assert!(!private_group(PASSWD, GROUPS, 200, 1000), "not named after its owner: may get members");
        assert!(!private_group(PASSWD, GROUPS, 4711, 1000), "unknown here");
        assert!(!private_group("", "", 1000, 1000));
    }

    #[test]
    fn remedies_can_be_pasted() {
        assert_eq!(shell_word(Path::new("/a/b-1.so")), "/a/b-1.so");
        assert_eq!(shell_word(Path::new("/a b/c'd")), "'/a b/c'\\''d'");
    }
}
