//! Runs external programs under limits on time, memory and number of processes, which hold for the whole tree of
//! processes. Whatever a program does (fork, daemonise, ignore signals), it is measured and stopped, and no process of
//! it is left over.

mod capture;
mod cgroup;
mod connected;
pub mod cores;
mod leftovers;
mod open;
mod own;
mod run;
mod scan;
mod stop;
mod tracker;
mod tree;

pub use connected::{Connected, Pipes};
pub use open::{Scratch, end_all};
pub use own::{can_be_started_again, is_asked, leave, own_executable};
pub use run::{give_way, run};
pub use tracker::sweep;
pub use tree::memory_of_descendants;

use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// What to run, where its output goes, and what it may use.
#[derive(Clone, Debug)]
pub struct Job {
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
    /// Added to the environment of this process, or in place of it.
    pub environment: Vec<(OsString, OsString)>,
    pub only_environment: bool,
    /// What it reads; nothing where there is no file.
    pub stdin: Option<PathBuf>,
    pub directory: Option<PathBuf>,
    /// Files that get what it writes, each up to `output_cap` bytes; the rest is read and dropped.
    pub stdout: PathBuf,
    pub stderr: PathBuf,
    pub output_cap: u64,
    pub limits: Limits,
    /// The most memory that each of its processes may reserve, whatever else is limited.
    pub address_space: Option<u64>,
    /// The cores that it may run on; empty means all.
    pub cores: Vec<usize>,
    /// It runs at low priority.
    pub polite: bool,
    /// A name for this run, of letters, digits and `-`; [`sweep`] finds what is left of a run by the beginning of its name.
    pub name: String,
    pub measure: Measure,
}

impl Job {
    pub fn new(program: impl Into<PathBuf>, stdout: impl Into<PathBuf>, stderr: impl Into<PathBuf>) -> Job {
        Job {
            program: program.into(),
            arguments: Vec::new(),
            environment: Vec::new(),
            only_environment: false,
            stdin: None,
            directory: None,
            stdout: stdout.into(),
            stderr: stderr.into(),
            output_cap: 8 << 20,
            limits: Limits::default(),
            address_space: None,
            cores: Vec::new(),
            polite: false,
            name: fresh_name("run"),
            measure: Measure::Best,
        }
    }
}

/// A name for a job that no other job of this process has.
pub fn fresh_name(what: &str) -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("{}-{what}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Half of the memory of this machine: the limit where no limit is given, so that one program does not take the machine
/// down.
pub fn half_of_all_memory() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let total =
        text.lines().find_map(|line| line.strip_prefix("MemTotal:")?.split_whitespace().next()?.parse::<u64>().ok());
    total.map_or(4 << 30, |kilobytes| kilobytes * 512)
}

/// Limits on a tree of processes; `None` means no limit.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub wall: Option<Duration>,
    pub cpu: Option<Duration>,
    pub memory: Option<u64>,
    /// Processes at a time; where a cgroup counts, threads count too.
    pub processes: Option<u64>,
    /// Between SIGTERM and SIGKILL.
    pub grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { wall: None, cpu: None, memory: None, processes: None, grace: Duration::from_millis(500) }
    }
}

/// Which mechanism follows the processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Measure {
    /// A cgroup if one can be made, else `/proc`.
    #[default]
    Best,
    /// `/proc`, even where a cgroup could be made.
    Proc,
}

/// Which mechanism followed the processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mechanism {
    #[serde(rename = "cgroup v1")]
    CgroupV1,
    #[serde(rename = "cgroup v2")]
    CgroupV2,
    #[serde(rename = "/proc")]
    Proc,
}

/// Why a tree of processes was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stopped {
    Wall,
    Cpu,
    Memory,
    Processes,
    /// The [`Cancel`] was set.
    Cancelled,
}

/// How the program itself ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    Exited(i32),
    Signalled(i32),
}

/// The resources that a run took, and how it ended.
#[derive(Clone, Debug)]
pub struct Finished {
    pub ended: Ended,
    pub stopped: Option<Stopped>,
    pub wall: Duration,
    pub cpu: Duration,
    /// The most memory of all processes together, if the system reports it.
    pub peak_memory: Option<u64>,
    pub mechanism: Mechanism,
    /// Processes that the program left behind when it ended by itself, and that were ended after it.
    pub left_behind: usize,
    /// Processes that could not be ended, which happens to those that hang in the kernel only.
    pub survivors: usize,
    /// Whether output was dropped.
    pub truncated: bool,
}

/// Set from another thread to end a run early. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// One that is set whenever `flag` is, for example by a signal.
    pub fn from_flag(flag: Arc<AtomicBool>) -> Cancel {
        Cancel(flag)
    }

    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
