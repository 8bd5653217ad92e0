//! Files that are not good plugins: each is refused with its cause and a remedy, and nothing else happens.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use tandem::plugins::{PluginSearch, RefusalKind, check_file};
use tandem_plugin_api::abi::STAMP_SYMBOL;
use tandem_plugin_api::descriptor::API_VERSION;
use tandem_tests::test_plugins::{compile_c, copy, library};
use tempfile::TempDir;

/// A directory that only its owner may write, as plugins need it.
fn directory() -> TempDir {
    tempfile::tempdir().unwrap()
}

#[track_caller]
fn assert_refused(file: &Path, kind: RefusalKind, cause: &str) {
    let refusal = check_file(file).expect_err("refused");
    assert_eq!(refusal.kind, kind, "{refusal}");
    assert_eq!(refusal.file, file);
    assert!(refusal.cause.contains(cause), "{refusal}");
    assert!(!refusal.remedy.is_empty() && !refusal.cause.contains('\n'), "{refusal}");
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

#[test]
fn good_plugins_are_accepted() {
    let descriptor = check_file(&library("talker")).unwrap();
    assert_eq!((descriptor.name.as_str(), descriptor.version.as_str()), ("talker", "0.9.0"));
}

#[test]
fn files_that_are_no_libraries() {
    let dir = directory();
    let write = |name: &str, bytes: &[u8]| {
        let file = dir.path().join(name);
        fs::write(&file, bytes).unwrap();
        file
    };
    assert_refused(&write("empty.so", b""), RefusalKind::Truncated, "empty");
    assert_refused(&write("text.so", b"hello, I am a plugin\n"), RefusalKind::NotALibrary, "not an ELF file");
    assert_refused(&write("zero.so", &[0; 10_000]), RefusalKind::NotALibrary, "not an ELF file");
    let own = std::env::current_exe().unwrap();
    let object = dir.path().join("object.so");
    compile_c("int x;", &object, &["-c"]);
    assert_refused(&object, RefusalKind::NotALibrary, "not a shared library");
    assert!(check_file(&own).is_err(), "an executable is no plugin");
    assert_refused(dir.path(), RefusalKind::Unreadable, "a directory");
    assert_refused(&dir.path().join("missing.so"), RefusalKind::Unreadable, "No such file");
}

/// Cut off anywhere, a plugin is refused before the dynamic linker gets to see it.
#[test]
fn truncated_plugins() {
    let dir = directory();
    let whole = fs::read(library("talker")).unwrap();
    let file = dir.path().join("cut.so");
    let mut lengths: Vec<usize> = (1..16).map(|part| whole.len() * part / 16).collect();
    lengths.extend([3, 10, 63, 64, 100, 4096, whole.len() - 1]);
    for length in lengths {
        fs::write(&file, &whole[..length]).unwrap();
        assert_refused(&file, RefusalKind::Truncated, "truncated");
    }
}

#[test]
fn libraries_for_other_machines() {
    let dir = directory();
    let mut bytes = fs::read(library("talker")).unwrap();
    let file = dir.path().join("other.so");
    bytes[18] = 0xb7; // e_machine: aarch64
    fs::write(&file, &bytes).unwrap();
    assert_refused(&file, RefusalKind::OtherMachine, "another kind of machine");
    bytes[4] = 1; // ELFCLASS32
    fs::write(&file, &bytes).unwrap();
    assert_refused(&file, RefusalKind::OtherMachine, "64-bit");
    bytes[4] = 2;
    bytes[5] = 2; // big-endian
    fs::write(&file, &bytes).unwrap();
    assert_refused(&file, RefusalKind::OtherMachine, "machine");
}

#[test]
fn libraries_that_are_no_plugins() {
    let dir = directory();
    let file = dir.path().join("plain.so");
    compile_c("int f(void) { return 1; }", &file, &[]);
    assert_refused(&file, RefusalKind::NotAPlugin, STAMP_SYMBOL);
    // The symbol is only used, not defined.
    compile_c(&format!("extern char {STAMP_SYMBOL}[16]; char *f(void) {{ return {STAMP_SYMBOL}; }}"), &file, &[]);
    assert_refused(&file, RefusalKind::NotAPlugin, STAMP_SYMBOL);
    // It is there, but without content in the file, or with another one.
    compile_c(&format!("char {STAMP_SYMBOL}[16];"), &file, &[]);
    assert_refused(&file, RefusalKind::NotAPlugin, STAMP_SYMBOL);
    compile_c(&format!("const char {STAMP_SYMBOL}[16] = \"something else\";"), &file, &[]);
    assert_refused(&file, RefusalKind::NotAPlugin, "no plugin stamp");
}

/// A stamp written in C, with any other mistakes.
fn stamped(rest: &str) -> String {
    format!("const char {STAMP_SYMBOL}[16] = \"tandemplugin\\2\\0\\0\";\n{rest}")
}

#[test]
fn stamped_libraries_without_a_good_module() {
    let dir = directory();
    let file = |name: &str| dir.path().join(name);
    compile_c(&stamped(""), &file("bare.so"), &[]);
    assert_refused(&file("bare.so"), RefusalKind::NotAPlugin, "no plugin module");
    compile_c(&stamped("char _1as_0lib_1header_0root_bmodule_bloader[4096];"), &file("fake.so"), &[]);
    assert_refused(&file("fake.so"), RefusalKind::OtherLayout, "abi_stable");
    compile_c(&stamped("extern int nowhere; int *f(void) { return &nowhere; }"), &file("unresolved.so"), &[]);
    assert_refused(&file("unresolved.so"), RefusalKind::Broken, "nowhere");
}

#[test]
fn other_api_versions() {
    let dir = directory();
    let mut bytes = fs::read(library("talker")).unwrap();
    let magic = b"tandemplugin";
    let stamps: Vec<usize> =
        bytes.windows(16).enumerate().filter(|(_, w)| w.starts_with(magic)).map(|(at, _)| at).collect();
    let next = u8::try_from(API_VERSION.minor + 1).unwrap();
    let others =
        [(1, 3, "rebuild"), (1, 3, "CHANGELOG.md"), (3, 0, "rebuild"), (0, 9, "rebuild"), (2, next, "newer tandem")];
    for (major, minor, remedy) in others {
        for &at in &stamps {
            bytes[at + 12..at + 16].copy_from_slice(&[major, 0, minor, 0]);
        }
        let file = dir.path().join("version.so");
        fs::write(&file, &bytes).unwrap();
        assert_refused(&file, RefusalKind::OtherApiVersion, &format!("plugin API {major}.{minor}"));
        assert!(check_file(&file).unwrap_err().remedy.contains(remedy));
    }
}

#[test]
fn another_layout() {
    let dir = directory();
    let file = copy("other_layout", dir.path());
    assert_refused(&file, RefusalKind::OtherLayout, "another layout");
    let refusal = check_file(&file).unwrap_err();
    assert!(refusal.cause.len() < 300, "one line, not a report: {refusal}");
}

#[test]
fn plugins_that_cannot_describe_themselves() {
    let dir = directory();
    assert_refused(&copy("panic_descriptor", dir.path()), RefusalKind::Broken, "lost for words");
    assert_refused(&copy("bad_descriptor", dir.path()), RefusalKind::Broken, "Sloppy Plugin");
    let lacking = "its descriptor lists the capability `refines`, which it lacks";
    assert_refused(&copy("false_capability", dir.path()), RefusalKind::Broken, lacking);
}

#[test]
fn files_that_others_may_write() {
    let dir = directory();
    let file = copy("talker", dir.path());
    for mode in [0o666, 0o757, 0o646] {
        set_mode(&file, mode);
        assert_refused(&file, RefusalKind::Untrusted, "everybody");
        assert!(check_file(&file).unwrap_err().remedy.starts_with("chmod go-w"));
    }
    set_mode(&file, 0o600);
    assert!(check_file(&file).is_ok());
}

#[test]
fn directories_that_others_may_write() {
    let dir = directory();
    let file = copy("talker", dir.path());
    for mode in [0o777, 0o1777] {
        set_mode(dir.path(), mode);
        assert_refused(&file, RefusalKind::Untrusted, "may be written by everybody");
    }
    set_mode(dir.path(), 0o755);
    assert!(check_file(&file).is_ok());
    // Above, the sticky bit helps: other users cannot replace files that are not theirs.
    let inner = dir.path().join("inner");
    fs::create_dir(&inner).unwrap();
    let file = copy("talker", &inner);
    set_mode(dir.path(), 0o1777);
    assert!(check_file(&file).is_ok());
    set_mode(dir.path(), 0o777);
    assert_refused(&file, RefusalKind::Untrusted, "may be written by everybody");
    set_mode(dir.path(), 0o700);
}

#[test]
fn files_of_other_users() {
    let dir = directory();
    let file = copy("talker", dir.path());
    // Only root may give files away, so that for other users there is nothing to test.
    if std::os::unix::fs::chown(&file, Some(54321), None).is_ok() {
        assert_refused(&file, RefusalKind::Untrusted, "another user (id 54321)");
    }
}

#[test]
fn links_are_followed_to_what_they_mean() {
    let (good, open) = (directory(), directory());
    set_mode(open.path(), 0o777);
    let trusted = copy("talker", good.path());
    let exposed = copy("talker", open.path());

    let link = good.path().join("link.so");
    symlink(&trusted, &link).unwrap();
    assert!(check_file(&link).is_ok());

    let to_exposed = good.path().join("to_exposed.so");
    symlink(&exposed, &to_exposed).unwrap();
    assert_refused(&to_exposed, RefusalKind::Untrusted, "everybody");

    let in_open_directory = open.path().join("link.so");
    symlink(&trusted, &in_open_directory).unwrap();
    assert_refused(&in_open_directory, RefusalKind::Untrusted, "everybody");

    let (dangling, endless) = (good.path().join("dangling.so"), good.path().join("endless.so"));
    symlink(good.path().join("missing"), &dangling).unwrap();
    symlink(&endless, &endless).unwrap();
    assert_refused(&dangling, RefusalKind::Unreadable, "No such file");
    assert_refused(&endless, RefusalKind::Unreadable, "it cannot be read");

    let to_directory = good.path().join("dir.so");
    symlink(open.path(), &to_directory).unwrap();
    assert_refused(&to_directory, RefusalKind::Unreadable, "a directory");
}

/// Opening a pipe for reading would wait for ever for a writer.
#[test]
fn pipes_and_devices() {
    let dir = directory();
    let pipe = dir.path().join("pipe.so");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert_refused(&pipe, RefusalKind::Unreadable, "not a regular file");
    assert_refused(Path::new("/dev/zero"), RefusalKind::Unreadable, "not a regular file");
}

#[test]
fn what_is_refused_does_no_harm_to_the_rest() {
    let (first, second, open) = (directory(), directory(), directory());
    copy("talker", first.path());
    copy("panic_engine", first.path());
    fs::write(first.path().join("broken.so"), "not a library").unwrap();
    fs::write(first.path().join("readme.txt"), "not even a candidate").unwrap();
    // The same name again, in another file.
    fs::copy(library("talker"), second.path().join("libimpostor.so")).unwrap();
    copy("panic_reducer", second.path());
    copy("panic_splitter", open.path());
    copy("panic_adapter", open.path());
    set_mode(open.path(), 0o777);
    let missing = second.path().join("nowhere");

    let directories: Vec<PathBuf> =
        vec![first.path().into(), second.path().into(), open.path().into(), missing.clone(), first.path().into()];
    let registry = PluginSearch::only(&directories).discover();
    let names: Vec<&str> = registry.plugins().iter().map(|plugin| plugin.descriptor.name.as_str()).collect();
    assert_eq!(names, ["panic-engine", "talker", "panic-reducer"], "in search order, by file name");
    let refused: Vec<_> = registry.refused().iter().map(|refusal| (refusal.kind, refusal.file.clone())).collect();
    assert_eq!(
        refused,
        [
            (RefusalKind::NotALibrary, first.path().join("broken.so")),
            (RefusalKind::NameTaken, second.path().join("libimpostor.so")),
            (RefusalKind::Untrusted, fs::canonicalize(open.path()).unwrap()),
            (RefusalKind::Unreadable, missing),
        ]
    );
    assert!(registry.refused()[1].cause.contains("libtalker.so"), "{}", registry.refused()[1]);
}
