//! Shows the user how far the campaign is, and decides when it must end to leave time for the results.

use crate::goals::Goals;
use crate::runs::Runs;
use std::cell::Cell;
use std::time::{Duration, Instant};
use tandem_plugin_api::prelude::*;

const INTERVAL: Duration = Duration::from_millis(250);
/// Reads the clock once in this many calls: a run may be shorter than reading the clock.
const CALLS: u32 = 64;

pub struct Reporter {
    host: Host,
    started: Instant,
    /// When the campaign ends by itself: shortening tests needs executions, which are not possible after the time
    /// limit.
    deadline: Option<Instant>,
    last: Instant,
    calls: Cell<u32>,
    late: Cell<bool>,
}

impl Reporter {
    pub fn new(host: &Host) -> Self {
        let started = Instant::now();
        let deadline = host.budget().time.and_then(|time| {
            let reserve = (time / 20).clamp(Duration::from_millis(50), Duration::from_secs(2));
            started.checked_add(time.saturating_sub(reserve))
        });
        Reporter { host: host.clone(), started, deadline, last: started, calls: Cell::new(0), late: Cell::new(false) }
    }

    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    pub fn time_is_up(&self) -> bool {
        self.calls.set(self.calls.get().wrapping_add(1));
        if self.calls.get().is_multiple_of(CALLS) && !self.late.get() {
            self.late.set(self.deadline.is_some_and(|deadline| Instant::now() >= deadline));
        }
        self.late.get()
    }

    pub fn tick(&mut self, goals: &Goals, runs: &Runs) {
        if self.last.elapsed() < INTERVAL {
            return;
        }
        self.last = Instant::now();
        let rate = runs.executions() as f64 / self.elapsed().as_secs_f64();
        let progress = Progress {
            phase: format!("{} executions, {rate:.0} in a second", runs.executions()),
            done: goals.covered_count() as u64,
            total: Some(goals.total() as u64),
            unit: "goals".to_string(),
        };
        self.host.progress(&progress);
    }
}
