//! Follows a tree of processes through `/proc`, where no cgroup can be made. Orphans become children of this process
//! (as a subreaper), so that daemons stay in sight; a variable in their environment, or their session, shows to which
//! tree they belong.

use super::open;
use super::scan::{self, Seen};
use super::tracker::{MARK, Sample};
use rustix::param::{clock_ticks_per_second, page_size};
use rustix::process::{Pid, WaitOptions, getpid, set_child_subreaper, waitpid};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The number of trees. Orphans become children of this process only while there is a tree: those of others would stay
/// zombies.
static TREES: Mutex<i64> = Mutex::new(0);

fn count(change: i64) {
    let mut trees = TREES.lock().unwrap_or_else(PoisonError::into_inner);
    *trees += change;
    // If this fails, orphans are still found by their environment.
    let _ = set_child_subreaper((*trees > 0).then(getpid));
}

impl Drop for Tree {
    fn drop(&mut self) {
        count(-1);
    }
}

pub struct Tree {
    /// The value of the variable that every process of the tree is started with.
    name: String,
    /// The program itself, as soon as it runs. The code that started it waits for it.
    root: Option<i32>,
    /// Number and start of every process that was seen in the tree.
    known: BTreeMap<i32, u64>,
    sessions: BTreeSet<i32>,
    /// Of orphans that have ended only: the time of other processes is in the account of their parents.
    ticks_of_ended: u64,
    most_ticks: u64,
    most_memory: u64,
}

impl Tree {
    pub fn new(name: &str) -> Tree {
        count(1);
        Tree {
            name: name.to_string(),
            root: None,
            known: BTreeMap::new(),
            sessions: BTreeSet::new(),
            ticks_of_ended: 0,
            most_ticks: 0,
            most_memory: 0,
        }
    }

    pub fn started(&mut self, root: Pid) {
        self.root = Some(root.as_raw_nonzero().get());
    }

    /// All processes of the tree that are there now, zombies too.
    fn members(&mut self) -> Vec<Seen> {
        let own = getpid().as_raw_nonzero().get();
        let mut rest = scan::all();
        let mut members: Vec<Seen> = Vec::new();
        // Parents may stand behind their children in the list, so this is repeated until nothing new is found.
        loop {
            let inside: BTreeSet<i32> = members.iter().map(|seen| seen.pid).collect();
            let (new, others): (Vec<Seen>, Vec<Seen>) = rest.into_iter().partition(|seen| {
                Some(seen.pid) == self.root
                    || self.known.get(&seen.pid) == Some(&seen.started)
                    || inside.contains(&seen.parent)
                    || (seen.parent == own && self.is_ours(seen))
            });
            rest = others;
            if new.is_empty() {
                break;
            }
            for seen in &new {
                self.known.insert(seen.pid, seen.started);
                // Only a session whose leader is in the tree counts: this process's own session belongs to no tree.
                if self.known.contains_key(&seen.session) {
                    self.sessions.insert(seen.session);
                }
            }
            members.extend(new);
        }
        members
    }

    /// Whether an orphan that came to this process is of this tree.
    fn is_ours(&self, seen: &Seen) -> bool {
        let inside =
            |mark: &str| mark.strip_prefix(&*self.name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        self.sessions.contains(&seen.session) || scan::variable(seen.pid, MARK).is_some_and(|mark| inside(&mark))
    }

    pub fn sample(&mut self) -> Sample {
        let members = self.members();
        let ticks = self.ticks_of_ended + members.iter().map(|seen| seen.ticks).sum::<u64>();
        self.most_ticks = self.most_ticks.max(ticks);
        self.reap(&members);
        let alive: Vec<&Seen> = members.iter().filter(|seen| !seen.zombie).collect();
        let resident = |seen: &Seen| seen.pages * page_size() as u64;
        let memory = match alive.as_slice() {
            [one] => resident(one),
            many => many.iter().map(|seen| scan::proportional_memory(seen.pid).unwrap_or(resident(seen))).sum(),
        };
        self.most_memory = self.most_memory.max(memory);
        Sample {
            cpu: Duration::from_secs_f64(self.most_ticks as f64 / clock_ticks_per_second().max(1) as f64),
            memory: Some(memory),
            peak_memory: Some(self.most_memory),
            processes: Some(alive.len() as u64),
            out_of_memory: false,
            out_of_processes: false,
        }
    }

    /// Takes orphans that have ended off the system's list; no other code does.
    fn reap(&mut self, members: &[Seen]) {
        let own = getpid().as_raw_nonzero().get();
        for seen in members.iter().filter(|seen| seen.zombie && seen.parent == own && Some(seen.pid) != self.root) {
            if let Ok(Some(_)) = waitpid(seen.id(), WaitOptions::NOHANG) {
                self.known.remove(&seen.pid);
                self.ticks_of_ended += seen.ticks;
            }
        }
    }

    /// The processes that still run.
    pub fn alive(&mut self) -> Vec<Pid> {
        let members = self.members();
        self.reap(&members);
        members.iter().filter(|seen| !seen.zombie).filter_map(Seen::id).collect()
    }
}
/// All processes that this one has started, and their descendants.
pub(super) fn descendants() -> Vec<Seen> {
    let mut inside = BTreeSet::from([getpid().as_raw_nonzero().get()]);
    let mut rest = scan::all();
    let mut members: Vec<Seen> = Vec::new();
    loop {
        let (new, others): (Vec<Seen>, Vec<Seen>) = rest.into_iter().partition(|seen| inside.contains(&seen.parent));
        if new.is_empty() {
            break;
        }
        inside.extend(new.iter().map(|seen| seen.pid));
        members.extend(new);
        rest = others;
    }
    members
}

/// The memory of all descendants of this process now. If no process was started, nothing is searched. Shared memory
/// counts for each process, unless the sum is more than `limit`: then it is measured exactly, which takes longer.
pub fn memory_of_descendants(limit: u64) -> u64 {
    if !open::has_trackers() {
        return 0;
    }
    let members = descendants();
    let resident = |seen: &Seen| seen.pages * page_size() as u64;
    match members.iter().map(resident).sum::<u64>() {
        little if little <= limit => little,
        _ => members.iter().map(|seen| scan::proportional_memory(seen.pid).unwrap_or(resident(seen))).sum(),
    }
}
