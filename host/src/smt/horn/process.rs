//! Spacer in a process of its own, which is this executable started again. The process can be ended at any moment, and
//! errors of Z3 and its output on interrupts stay in it.

use super::{POLL, STACK, clauses, wait};
use crate::process::{is_asked, leave};
use crate::smt::solver::Limits;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;
use tandem_plugin_api::service::horn::{HornAnswer, HornProblem};

/// The one argument that makes this executable solve clauses. It is not for users, hence in no help text.
const ASKED: &str = "--solve-horn-clauses";
/// Megabytes that Z3 may use there.
const MEMORY: &str = "3000";

/// Solves clauses if the process was started for that.
pub fn serve_if_asked() {
    if is_asked(ASKED) {
        serve()
    }
}

/// A problem with its time limit in milliseconds.
type Question = (HornProblem, Option<u64>);

/// Reads a question, answers it, and ends early when the other side is gone.
fn serve() -> ! {
    let work = || -> Option<()> {
        let mut input = std::io::stdin();
        let mut length = [0; 8];
        input.read_exact(&mut length).ok()?;
        let mut bytes = Vec::new();
        input.by_ref().take(u64::from_le_bytes(length)).read_to_end(&mut bytes).ok()?;
        let (problem, time): Question = serde_json::from_slice(&bytes).ok()?;
        thread::spawn(move || {
            let _ = std::io::copy(&mut input, &mut std::io::sink());
            leave(1);
        });
        if problem.mistake().is_some() {
            return None;
        }
        ::z3::set_global_param("memory_max_size", MEMORY);
        let answer = clauses::query(&problem, time.map(Duration::from_millis));
        let bytes = serde_json::to_vec(&answer).ok()?;
        std::io::stdout().write_all(&bytes).ok()
    };
    let worker = thread::Builder::new().stack_size(STACK).spawn(work);
    match worker.map(thread::JoinHandle::join) {
        // The process exits without freeing Z3's memory.
        Ok(Ok(Some(()))) => leave(0),
        _ => leave(1),
    }
}

/// Ends the process when the caller no longer waits for it.
struct Ending(Child);

impl Drop for Ending {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub fn solve(executable: &Path, problem: &HornProblem, limits: &Limits) -> HornAnswer {
    let unknown = |what: &str| HornAnswer::Unknown(what.to_string());
    let time = limits.time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
    let Ok(bytes) = serde_json::to_vec(&(problem, time)) else { return unknown("the clauses could not be written") };
    let child =
        Command::new(executable).arg(ASKED).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut child = match child {
        Ok(child) => Ending(child),
        Err(error) => return HornAnswer::Unknown(format!("no process for the solver: {error}")),
    };
    let (Some(mut input), Some(mut output)) = (child.0.stdin.take(), child.0.stdout.take()) else {
        return unknown("no process for the solver");
    };
    let (answer, answers) = channel();
    let exchange = move || {
        let sent = input.write_all(&(bytes.len() as u64).to_le_bytes()).and_then(|()| input.write_all(&bytes));
        let mut reply = Vec::new();
        if sent.is_ok() && output.read_to_end(&mut reply).is_ok() {
            let read = serde_json::from_slice(&reply);
            // The caller may no longer wait.
            let _ =
                answer.send(read.unwrap_or_else(|_| HornAnswer::Unknown("the solver ended without an answer".into())));
        }
        drop(input);
    };
    let exchange = thread::spawn(exchange);
    let result = wait(&answers, limits);
    drop(child);
    // Its pipes are closed now.
    while !exchange.is_finished() {
        thread::sleep(POLL);
    }
    result
}
