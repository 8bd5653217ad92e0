//! Constrained Horn clauses, solved by Z3's Spacer (Komuravelli, Gurfinkel, Chaki 2014): the caller's side. Waiting
//! ends when the time is over, even if Z3 does not react.
//!
//! Spacer runs in a process of its own where the executable can be started again for that ([`process`]), else in a thread.

mod clauses;
mod process;
mod read;

#[cfg(test)]
mod tests;

pub use process::serve_if_asked;

use super::solver::Limits;
use crate::process::own_executable;
use ::z3::Context;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};
use tandem_plugin_api::error::{PluginError, Result};
use tandem_plugin_api::service::horn::{HornAnswer, HornProblem};

/// How often a waiting thread checks whether to stop.
const POLL: Duration = Duration::from_millis(5);
/// How long an interrupted query may take to end before its thread is left alone.
const GRACE: Duration = Duration::from_millis(300);
/// Z3 recurses on deep terms. Only what is used is ever backed by memory.
const STACK: usize = 512 << 20;

/// Solves a problem within the limits. An error means that the caller's clauses are malformed.
pub fn solve(problem: HornProblem, limits: &Limits) -> Result<HornAnswer> {
    if let Some(mistake) = problem.mistake() {
        return Err(PluginError::bad_input(mistake));
    }
    if let Some(executable) = own_executable() {
        return Ok(process::solve(executable, &problem, limits));
    }
    let (answer, answers) = channel();
    let (interrupts, interrupted) = channel();
    let time = limits.time;
    let ended = Arc::new(AtomicBool::new(false));
    let over = Ended(ended.clone());
    let work = move || {
        let over = over;
        run(&problem, time, &answer, interrupted);
        drop(over);
    };
    if let Err(error) = thread::Builder::new().name("spacer".to_string()).stack_size(STACK).spawn(work) {
        return Ok(HornAnswer::Unknown(format!("no thread for the solver: {error}")));
    }
    let _waiting = Waiting { interrupts: Some(interrupts), ended };
    Ok(wait(&answers, limits))
}

/// Interrupts the solver when the caller no longer waits for it.
struct Waiting {
    interrupts: Option<Sender<()>>,
    ended: Arc<AtomicBool>,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.interrupts = None;
        // Z3 should not run while the process unloads its library.
        let deadline = Instant::now() + GRACE;
        while !self.ended.load(Ordering::Acquire) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Notes that the thread is over, however it ends.
struct Ended(Arc<AtomicBool>);

impl Drop for Ended {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

fn wait(answers: &Receiver<HornAnswer>, limits: &Limits) -> HornAnswer {
    let deadline = limits.time.map(|time| Instant::now() + time);
    loop {
        match answers.recv_timeout(POLL) {
            Ok(answer) => return answer,
            Err(RecvTimeoutError::Disconnected) => return HornAnswer::Unknown("the solver's thread has ended".into()),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if limits.is_stopped() {
            return HornAnswer::Unknown("stopped".into());
        }
        if deadline.is_some_and(|deadline| Instant::now() > deadline) {
            return HornAnswer::Unknown("out of time".into());
        }
    }
}

/// The solver's thread: one context, one query.
fn run(problem: &HornProblem, time: Option<Duration>, answer: &Sender<HornAnswer>, interrupted: Receiver<()>) {
    let context = Context::thread_local();
    thread::scope(|scope| {
        let handle = context.handle();
        let done = Arc::new(AtomicBool::new(false));
        let query_over = Ended(done.clone());
        // Nothing is ever sent: the channel closes when the caller no longer waits. An interrupt between two steps of a
        // query is lost, so interrupts are repeated.
        let watch = move || {
            while matches!(interrupted.recv_timeout(POLL), Err(RecvTimeoutError::Timeout)) {
                if done.load(Ordering::Acquire) {
                    return;
                }
            }
            while !done.load(Ordering::Acquire) {
                handle.interrupt();
                thread::sleep(Duration::from_millis(2));
            }
        };
        scope.spawn(watch);
        // The caller may no longer wait.
        let _ = answer.send(clauses::query(problem, time));
        drop(query_over);
    });
}
