//! One interface to both mechanisms that follow a tree of processes, and the search for processes that an earlier run
//! left over.

use super::cgroup::{self, Group};
use super::tree::Tree;
use super::{Job, Measure, Mechanism, open, scan, stop};
use rustix::process::{Pid, getpid};
use std::fs::File;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The variable in the environment of every process that is run here; its value is the name of the run,
/// after those of the runs that it is in.
pub const MARK: &str = "TANDEM_RUN";

/// The resources that a tree of processes has used up to now, and uses now.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sample {
    pub cpu: Duration,
    pub memory: Option<u64>,
    pub peak_memory: Option<u64>,
    pub processes: Option<u64>,
    /// The kernel has ended a process since the limit was hit.
    pub out_of_memory: bool,
    /// The kernel has refused to start one.
    pub out_of_processes: bool,
}

/// One tree of processes. [`open`](super::open) has a handle to it as well: when this process ends early, the tree is
/// ended first.
pub struct Tracker(Arc<Mutex<Followed>>);

/// How the tree is followed.
pub enum Followed {
    Group(Group),
    Tree(Tree),
}

impl Tracker {
    pub fn new(job: &Job) -> Tracker {
        let group = match job.measure {
            Measure::Best => Group::new(&job.name, &job.limits),
            Measure::Proc => None,
        };
        let tracker = Tracker::of(group.map_or_else(|| Followed::Tree(Tree::new(&mark(&job.name))), Followed::Group));
        open::add_tracker(&tracker.0);
        tracker
    }

    fn of(followed: Followed) -> Tracker {
        Tracker(Arc::new(Mutex::new(followed)))
    }

    pub fn again(followed: Arc<Mutex<Followed>>) -> Tracker {
        Tracker(followed)
    }

    fn lock(&self) -> MutexGuard<'_, Followed> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn mechanism(&self) -> Mechanism {
        match &*self.lock() {
            Followed::Group(group) => group.mechanism(),
            Followed::Tree(_) => Mechanism::Proc,
        }
    }

    /// Files to which a new process writes `0` to be followed from its first moment on.
    pub fn entrances(&self) -> std::io::Result<Vec<File>> {
        match &*self.lock() {
            Followed::Group(group) => group.entrances(),
            Followed::Tree(_) => Ok(Vec::new()),
        }
    }

    pub fn started(&self, root: Pid) {
        if let Followed::Tree(tree) = &mut *self.lock() {
            tree.started(root);
        }
    }

    pub fn sample(&self) -> Sample {
        match &mut *self.lock() {
            Followed::Group(group) => group.sample(),
            Followed::Tree(tree) => tree.sample(),
        }
    }

    /// Processes of the tree that still run.
    pub fn alive(&self) -> Vec<Pid> {
        match &mut *self.lock() {
            Followed::Group(group) => group.alive(),
            Followed::Tree(tree) => tree.alive(),
        }
    }

    /// Keeps the processes from doing anything until [`Tracker::thaw`]; `false` where this mechanism cannot.
    pub fn freeze(&self) -> bool {
        match &*self.lock() {
            Followed::Group(group) => group.freeze(),
            Followed::Tree(_) => false,
        }
    }

    pub fn thaw(&self) {
        if let Followed::Group(group) = &*self.lock() {
            group.thaw();
        }
    }

    /// Removes the cgroup or other traces of the run.
    pub fn close(self) {
        if let Followed::Group(group) = &*self.lock() {
            group.remove();
        }
    }
}

/// The value of the variable for a run with this name; a run inside of a run has the names of both.
pub fn mark(name: &str) -> String {
    match std::env::var(MARK) {
        Ok(outer) if !outer.is_empty() => format!("{outer}/{name}"),
        _ => name.to_string(),
    }
}

/// Ends all processes of runs whose name begins so, and removes what was made for these runs: cleans up after a process
/// that was killed. Returns how many processes were found.
pub fn sweep(beginning: &str) -> usize {
    let mut found = 0;
    for group in cgroup::existing(beginning) {
        let tracker = Tracker::of(Followed::Group(group));
        found += tracker.alive().len();
        stop::kill_all(&tracker);
        tracker.close();
    }
    let own = getpid();
    let others = scan::all().into_iter().filter(|seen| !seen.zombie && seen.id() != Some(own));
    for seen in others {
        let Some(marks) = scan::variable(seen.pid, MARK) else { continue };
        if !marks.split('/').any(|name| name.starts_with(beginning)) {
            continue;
        }
        let mut tree = Tree::new(&marks);
        if let Some(pid) = seen.id() {
            tree.started(pid);
        }
        let tracker = Tracker::of(Followed::Tree(tree));
        found += tracker.alive().len();
        stop::kill_all(&tracker);
    }
    found
}
