//! Runs the built `tandem` binary as a user would, with a limit after which a hanging run is killed.

pub use crate::test_plugins::build_dir;
use std::ffi::OsStr;
use std::io::{self, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Far above what any test needs, so that only a run that hangs is killed.
const KILL_AFTER: Duration = Duration::from_secs(120);

/// What a run printed, and how it ended.
#[derive(Debug)]
pub struct Ran {
    pub status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    /// The exit status; `None` if a signal ended the run.
    pub fn code(&self) -> Option<i32> {
        self.status.code()
    }
}

/// The root of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// The built `tandem`; the tests do not build it, since `cargo test` builds no binaries of other packages.
pub fn binary() -> PathBuf {
    let binary = build_dir().join("tandem");
    assert!(
        binary.is_file(),
        "{} is missing: run ./test.sh, or `cargo build --release --workspace` before `cargo test --release`",
        binary.display()
    );
    binary
}

/// Runs `tandem` with these arguments in the workspace's root.
pub fn tandem<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Ran {
    let mut command = Command::new(binary());
    command.args(arguments).current_dir(root()).env_remove("TANDEM_PLUGIN_PATH");
    run(&mut command)
}

/// A program that was just copied is busy as long as a process that another test has forked meanwhile holds the copy open.
fn started(command: &mut Command) -> io::Result<Child> {
    let deadline = Instant::now() + Duration::from_secs(5);
    loop {
        match command.spawn() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy && Instant::now() < deadline => {
                thread::sleep(Duration::from_millis(5));
            }
            result => return result,
        }
    }
}

/// Runs any command without input; panics where it cannot be started or hangs.
pub fn run(command: &mut Command) -> Ran {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = started(command).unwrap_or_else(|error| panic!("{command:?} cannot be started: {error}"));
    let stdout = read_on_thread(child.stdout.take());
    let stderr = read_on_thread(child.stderr.take());
    let started = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if started.elapsed() < KILL_AFTER => thread::sleep(Duration::from_millis(5)),
            Ok(None) => {
                let _ = child.kill();
                panic!("{command:?} was still running after {KILL_AFTER:?}");
            }
            Err(error) => panic!("{command:?} cannot be waited for: {error}"),
        }
    };
    let text =
        |reader: thread::JoinHandle<Vec<u8>>| String::from_utf8_lossy(&reader.join().unwrap_or_default()).into_owned();
    Ran { status, stdout: text(stdout), stderr: text(stderr) }
}

/// How a run under a limit ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    Status(i32),
    Signal(i32),
    /// It was still running at the limit, and was killed.
    Late,
}

impl Ended {
    pub fn is_success(self) -> bool {
        self == Ended::Status(0)
    }
}

/// What a run under a limit wrote, and how it ended.
#[derive(Debug)]
pub struct Limited {
    pub ended: Ended,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// Runs any command without input for at most `limit`.
pub fn run_within(command: &mut Command, limit: Duration) -> Result<Limited, String> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = started(command)
        .map_err(|error| format!("{} cannot be run: {error}", command.get_program().to_string_lossy()))?;
    let stdout = read_on_thread(child.stdout.take());
    let stderr = read_on_thread(child.stderr.take());
    let deadline = Instant::now() + limit;
    let ended = loop {
        match child.try_wait() {
            Ok(Some(status)) => {
                break status.code().map_or(Ended::Signal(status.signal().unwrap_or(0)), Ended::Status);
            }
            Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
            Ok(None) => {
                let _ = child.kill();
                let _ = child.wait();
                break Ended::Late;
            }
            Err(error) => return Err(format!("a process cannot be waited for: {error}")),
        }
    };
    let bytes = |reader: thread::JoinHandle<Vec<u8>>| reader.join().unwrap_or_default();
    Ok(Limited { ended, stdout: bytes(stdout), stderr: bytes(stderr) })
}

fn read_on_thread(stream: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            let _ = stream.read_to_end(&mut bytes);
        }
        bytes
    })
}
