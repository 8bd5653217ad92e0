//! Ends whole trees of processes: politely first where there is time, and then for good, until none is left.

use super::tracker::Tracker;
use rustix::process::{Pid, Signal, kill_process};
use std::collections::BTreeSet;
use std::thread;
use std::time::{Duration, Instant};

/// A process that hangs in the kernel cannot be ended; nobody waits for it longer than this.
const PATIENCE: Duration = Duration::from_secs(10);
/// Rounds in which processes are stopped that were started since the round before.
const ROUNDS: usize = 50;

/// Asks all processes to end, and waits for that for some time.
pub fn ask_all(tracker: &Tracker, grace: Duration) {
    let deadline = Instant::now() + grace;
    signal(&tracker.alive(), Signal::TERM);
    while Instant::now() < deadline && !tracker.alive().is_empty() {
        thread::sleep(Duration::from_millis(10));
    }
}

/// Ends all processes and whatever they start meanwhile; the number of those that are left, usually none.
pub fn kill_all(tracker: &Tracker) -> usize {
    let deadline = Instant::now() + PATIENCE;
    let mut pause = Duration::from_millis(1);
    loop {
        let alive = tracker.alive();
        if alive.is_empty() {
            return 0;
        }
        if Instant::now() > deadline {
            return alive.len();
        }
        // Whoever forks faster than it is found must stand still first.
        if !tracker.freeze() {
            stop_all(tracker);
        }
        signal(&tracker.alive(), Signal::KILL);
        tracker.thaw();
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
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

/// One that has ended meanwhile needs no signal any more.
fn signal(processes: &[Pid], signal: Signal) {
    for pid in processes {
        let _ = kill_process(*pid, signal);
    }
}
