//! A program that is talked to while it runs, through pipes. Limits hold for its whole tree of processes, and the whole
//! tree is ended at last.

use super::run::{LONGEST_LOOK, SHORTEST_LOOK, ends_within, exceeded, spawn};
use super::tracker::Tracker;
use super::{Ended, Job, Limits, Stopped, stop};
use rustix::process::Pid;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

/// Ends the tree of processes when it is dropped.
pub struct Connected {
    child: Child,
    tracker: Option<Tracker>,
    limits: Limits,
    begun: Instant,
    next_look: Instant,
    look: Duration,
}

/// The ends of the pipes.
pub struct Pipes {
    pub input: ChildStdin,
    pub output: ChildStdout,
    pub errors: ChildStderr,
}

impl Connected {
    /// The files and the cap on output that the job names are not used.
    pub fn start(job: &Job) -> io::Result<(Connected, Pipes)> {
        let tracker = Tracker::new(job);
        let mut child = match spawn(job, &tracker, Stdio::piped()) {
            Ok(child) => child,
            Err(error) => {
                tracker.close();
                return Err(error);
            }
        };
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let begun = Instant::now();
        let (limits, look) = (job.limits, SHORTEST_LOOK);
        let connected = Connected { child, tracker: Some(tracker), limits, begun, next_look: begun + look, look };
        match pipes {
            (Some(input), Some(output), Some(errors)) => Ok((connected, Pipes { input, output, errors })),
            _ => Err(io::Error::other("a pipe is missing")),
        }
    }

    /// Which limit is hit, if any. Cheap when called often: it looks from time to time only.
    pub fn over_limit(&mut self) -> Option<Stopped> {
        if Instant::now() < self.next_look {
            return None;
        }
        self.look = (self.look * 2).min(LONGEST_LOOK);
        self.next_look = Instant::now() + self.look;
        self.over_limit_now()
    }

    /// The same, at any cost.
    pub fn over_limit_now(&mut self) -> Option<Stopped> {
        let tracker = self.tracker.as_ref()?;
        exceeded(&tracker.sample(), &self.limits, self.begun)
    }

    /// Whether the program itself has ended, or does so within this time. It can still be measured.
    pub fn ends_within(&self, time: Duration) -> bool {
        ends_within(Pid::from_child(&self.child), None, Duration::ZERO) || {
            let deadline = Instant::now() + time;
            loop {
                let left = deadline.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    return false;
                }
                if ends_within(Pid::from_child(&self.child), None, left.min(Duration::from_millis(1))) {
                    return true;
                }
            }
        }
    }

    /// Ends whatever is left of it, and returns how the program itself ended: by itself, or by this call.
    pub fn end(mut self) -> Option<Ended> {
        self.clear();
        let status = self.child.try_wait().ok()??;
        Some(status.code().map_or_else(|| Ended::Signalled(status.signal().unwrap_or(0)), Ended::Exited))
    }

    fn clear(&mut self) {
        if let Some(tracker) = self.tracker.take() {
            let left = stop::kill_all(&tracker);
            tracker.close();
            if left == 0 {
                // The process has ended, so that this does not wait; its status is read later.
                let _ = self.child.wait();
            }
        }
    }
}

impl Drop for Connected {
    fn drop(&mut self) {
        self.clear();
    }
}
