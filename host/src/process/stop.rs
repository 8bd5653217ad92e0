//! Ends whole trees of processes: with SIGTERM first if there is time, then with SIGKILL, until no process is left.

use super::Mechanism;
use super::scan::Seen;
use super::tracker::Tracker;
use super::tree;
use rustix::process::{Pid, Signal, kill_process};
use std::collections::BTreeSet;
use std::thread;
use std::time::{Duration, Instant};

/// A process that hangs in the kernel cannot be ended; this is the longest wait for it.
const PATIENCE: Duration = Duration::from_secs(10);
/// Rounds in which processes are stopped that were started since the round before.
const ROUNDS: usize = 50;
/// Rounds in which processes of a group are ended without being stopped first: most have ended by then.
const PLAIN_ROUNDS: u32 = 4;

/// Asks all processes to end, and waits for that for some time.
pub fn ask_all(tracker: &Tracker, grace: Duration) {
    let deadline = Instant::now() + grace;
    signal(&tracker.alive(), Signal::TERM);
    while Instant::now() < deadline && !tracker.alive().is_empty() {
        thread::sleep(Duration::from_millis(10));
    }
}

/// Ends all processes and those that they start meanwhile. Returns the number of those that are left, usually 0.
pub fn kill_all(tracker: &Tracker) -> usize {
    let deadline = Instant::now() + PATIENCE;
    let mut pause = Duration::from_millis(1);
    // A frozen group would outlive this process if that were killed just now, so groups are frozen only if plain
    // signals are not enough.
    let mut plain_rounds = if tracker.mechanism() == Mechanism::Proc { 0 } else { PLAIN_ROUNDS };
    loop {
        let alive = tracker.alive();
        if alive.is_empty() {
            return 0;
        }
        if Instant::now() > deadline {
            return alive.len();
        }
        // A process that forks faster than it is found must be stopped first.
        if plain_rounds > 0 {
            plain_rounds -= 1;
        } else if !tracker.freeze() {
            stop_all(tracker);
        }
        signal(&tracker.alive(), Signal::KILL);
        tracker.thaw();
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

/// Sends SIGKILL to all processes that this process has started: one search for all of them, since there may be
/// hundreds.
pub fn kill_descendants() {
    let processes: Vec<Pid> = tree::descendants().iter().filter_map(Seen::id).collect();
    signal(&processes, Signal::KILL);
}

/// Stops all processes, round by round, until a round finds no new one.
fn stop_all(tracker: &Tracker) {
    let mut stopped = BTreeSet::new();
    for _ in 0..ROUNDS {
        let new: Vec<Pid> =
            tracker.alive().into_iter().filter(|pid| stopped.insert(pid.as_raw_nonzero().get())).collect();
        if new.is_empty() {
            break;
        }
        signal(&new, Signal::STOP);
    }
}

/// A process that has ended meanwhile needs no signal any more.
fn signal(processes: &[Pid], signal: Signal) {
    for pid in processes {
        let _ = kill_process(*pid, signal);
    }
}
