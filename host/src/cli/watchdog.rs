//! Enforces `--limit` and `--memory` on the process and the processes that it starts, and ends it when it is
//! interrupted, whatever it does at that moment.
//!
//! Memory is measured, not capped: under a cap (`RLIMIT_AS`) a failed allocation would abort the process before it
//! could say why, and reserved but unused address space would count.

use super::interrupts;
use crate::diagnostic::Diagnostic;
use crate::process::{self, Cancel};
use std::fs;
use std::thread;
use std::time::{Duration, Instant};
use tandem_plugin_api::service::StopReason;

/// How long cooperative cancellation may take after the time limit.
const GRACE: Duration = Duration::from_millis(500);
/// The pause between two checks; a process fills at most some 100 MB in that time.
const LOOK: Duration = Duration::from_millis(20);
/// Finding other processes and their memory takes longer, so it is done in one of this many checks.
const LOOKS_FOR_OTHERS: u32 = 10;

#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    pub time: Option<Duration>,
    pub memory: Option<u64>,
    /// How long before the end of the time cancellation begins, for what must be done after it.
    pub reserve: Duration,
}

impl Limits {
    /// When work must end by itself.
    pub fn deadline(&self, started: Instant) -> Option<Instant> {
        self.time.and_then(|limit| started.checked_add(limit.saturating_sub(self.reserve)))
    }
}

/// The event that ends the process, as the reason of an UNKNOWN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exceeded {
    Time,
    Memory,
    /// By Ctrl-C, SIGTERM or SIGHUP.
    Interrupt,
}

impl Exceeded {
    pub fn reason(self) -> &'static str {
        match self {
            Exceeded::Time => "time limit",
            Exceeded::Memory => "memory limit",
            Exceeded::Interrupt => "interrupted",
        }
    }

    /// The stop reason for actors.
    pub fn stop_reason(self) -> StopReason {
        match self {
            Exceeded::Time => StopReason::OutOfTime,
            Exceeded::Memory => StopReason::OutOfMemory,
            Exceeded::Interrupt => StopReason::Cancelled,
        }
    }
}

/// Starts watching. At the time limit (or as much earlier as the reserve says) and when interrupted, `cancel` is called, and a little
/// after that, or at once when memory runs out, `expire`, which is expected to end the process.
pub fn watch(
    limits: Limits,
    started: Instant,
    cancel: impl FnOnce(Exceeded) + Send + 'static,
    expire: impl FnOnce(Exceeded) + Send + 'static,
) -> Result<(), Diagnostic> {
    if limits.memory.is_some() && resident_memory().is_none() {
        return Err(Diagnostic::new("--memory does not work here: /proc/self/status cannot be read")
            .help("leave --memory out and limit the memory from outside"));
    }
    let interrupted = interrupts::listen();
    let work = move || {
        let first = wait(limits.deadline(started), limits.memory, Some(&interrupted)).unwrap_or(Exceeded::Time);
        if first == Exceeded::Memory {
            return expire(first);
        }
        cancel(first);
        let end = match first {
            Exceeded::Interrupt => Some(Instant::now() + GRACE),
            _ => limits.time.map(|limit| started + limit + GRACE),
        };
        expire(wait(end, limits.memory, None).unwrap_or(first));
    };
    match thread::Builder::new().name("watchdog".into()).spawn(work) {
        Ok(_) => Ok(()),
        Err(error) => Err(Diagnostic::new(format!("the limits cannot be watched: {error}"))),
    }
}

/// Waits for the deadline (`None`); returns early when memory runs out or the user interrupts.
fn wait(deadline: Option<Instant>, memory: Option<u64>, interrupted: Option<&Cancel>) -> Option<Exceeded> {
    for look in 1u32.. {
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        if left == Some(Duration::ZERO) {
            return None;
        }
        if memory.is_some_and(|limit| memory_in_use(limit, look % LOOKS_FOR_OTHERS == 0) > limit) {
            return Some(Exceeded::Memory);
        }
        if interrupted.is_some_and(Cancel::is_cancelled) {
            return Some(Exceeded::Interrupt);
        }
        thread::sleep(left.unwrap_or(LOOK).min(LOOK));
    }
    None
}

/// The memory of this process and, if `with_others`, of the processes that it has started.
fn memory_in_use(limit: u64, with_others: bool) -> u64 {
    let own = resident_memory().unwrap_or(0);
    own + if with_others { process::memory_of_descendants(limit.saturating_sub(own)) } else { 0 }
}

fn resident_memory() -> Option<u64> {
    process_status("VmRSS:")
}

/// The most memory that was in use at any time, if the system reports it.
pub fn peak_memory() -> Option<u64> {
    process_status("VmHWM:")
}

fn process_status(field: &str) -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    /// The actions of the watchdog, in order: `None` for a cancellation.
    fn events(limits: Limits) -> Vec<Option<Exceeded>> {
        let (events, received) = mpsc::channel();
        let cancelled = events.clone();
        let cancel = move |_| cancelled.send(None).unwrap();
        watch(limits, Instant::now(), cancel, move |exceeded| events.send(Some(exceeded)).unwrap()).unwrap();
        received.iter().collect()
    }

    #[test]
    fn time_is_cancelled_before_it_expires() {
        let limits = Limits { time: Some(Duration::from_millis(1)), ..Limits::default() };
        assert_eq!(events(limits), [None, Some(Exceeded::Time)]);
    }

    #[test]
    fn a_reserve_moves_the_cancellation_only() {
        let time = Some(Duration::from_millis(300));
        let limits = Limits { time, reserve: Duration::from_millis(299), ..Limits::default() };
        let started = Instant::now();
        assert_eq!(limits.deadline(started), Some(started + Duration::from_millis(1)));
        assert_eq!(events(limits), [None, Some(Exceeded::Time)]);
        assert!(started.elapsed() >= Duration::from_millis(300) + GRACE);
        let all = Limits { reserve: Duration::from_secs(9), ..limits };
        assert_eq!(all.deadline(started), Some(started));
    }

    #[test]
    fn memory_expires_at_once() {
        assert_eq!(events(Limits { memory: Some(1), ..Limits::default() }), [Some(Exceeded::Memory)]);
    }

    #[test]
    fn peak_is_at_least_what_is_used() {
        assert!(peak_memory() >= resident_memory());
        assert!(resident_memory().unwrap() > 100_000);
    }
}
