//! Runs one job: starts the program, watches its tree of processes, ends it where a limit is hit, and waits for all of it.

#![allow(unsafe_code)]

use super::capture::Capture;
use super::tracker::{MARK, Sample, Tracker, mark};
use super::{Cancel, Ended, Finished, Job, Limits, Stopped, cores, open, stop};
use crate::diagnostic::Diagnostic;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, WaitId, WaitIdOptions, getpid, getppid, nice, pidfd_open,
    set_parent_process_death_signal, setrlimit, waitid,
};
use rustix::thread::sched_setaffinity;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How often limits are checked: often for programs that end at once, less often after that.
pub(super) const SHORTEST_LOOK: Duration = Duration::from_millis(5);
pub(super) const LONGEST_LOOK: Duration = Duration::from_millis(50);
/// Of 19 steps down in priority: other programs go first, and an idle core is used fully.
const POLITE: i32 = 5;
/// At most this part of a core goes into checking limits.
const SHARE: u32 = 20;

/// Runs the job to its end. An error means that it could not be started or followed; a failure of the program is not an
/// error.
pub fn run(job: &Job, cancel: &Cancel) -> Result<Finished, Diagnostic> {
    let failed = |what: &str, error: &dyn std::fmt::Display| {
        Diagnostic::new(format!("{what}: {error}")).in_file(job.program.display().to_string())
    };
    let tracker = Tracker::new(job);
    let mut child = match input(job).and_then(|input| spawn(job, &tracker, input)) {
        Ok(child) => child,
        Err(error) => {
            tracker.close();
            return Err(failed("the program cannot be started", &error).help("check that it is there and executable"));
        }
    };
    let begun = Instant::now();
    let captured = capture(&mut child, job);
    let stopped = match &captured {
        Ok(_) => watch(&child, &tracker, &job.limits, begun, cancel),
        Err(_) => Some(Stopped::Cancelled),
    };
    if matches!(stopped, Some(Stopped::Wall | Stopped::Cpu | Stopped::Cancelled)) {
        stop::ask_all(&tracker, job.limits.grace);
    }
    let wall = begun.elapsed();
    // The measurements must be read before the last process is gone.
    let at_end = tracker.sample();
    let running = tracker.alive().len();
    let survivors = stop::kill_all(&tracker);
    let last = tracker.sample();
    let mechanism = tracker.mechanism();
    // The number of the process must be used before another process can have it.
    tracker.close();
    let status = child.wait().map_err(|error| failed("the program's end cannot be seen", &error))?;
    let (stdout, stderr) = captured.map_err(|error| failed("the output cannot be written", &error))?;
    // A process that survives may hold the pipes open for ever.
    let truncated = survivors == 0
        && finish(stdout).and_then(|one| Ok(finish(stderr)? || one)).map_err(|error| failed("the output", &error))?;
    let over = last.out_of_memory || at_end.out_of_memory;
    Ok(Finished {
        ended: status.code().map_or_else(|| Ended::Signalled(status.signal().unwrap_or(0)), Ended::Exited),
        stopped: stopped.or(over.then_some(Stopped::Memory)),
        wall,
        cpu: last.cpu.max(at_end.cpu),
        peak_memory: last.peak_memory.max(at_end.peak_memory),
        mechanism,
        left_behind: if stopped.is_none() { running } else { 0 },
        survivors,
        truncated,
    })
}

fn finish(capture: Capture) -> io::Result<bool> {
    capture.finish()
}

fn capture(child: &mut Child, job: &Job) -> io::Result<(Capture, Capture)> {
    let missing = || io::Error::other("a pipe is missing");
    let stdout = Capture::start(child.stdout.take().ok_or_else(missing)?, &job.stdout, job.output_cap)?;
    let stderr = Capture::start(child.stderr.take().ok_or_else(missing)?, &job.stderr, job.output_cap)?;
    Ok((stdout, stderr))
}

fn input(job: &Job) -> io::Result<Stdio> {
    Ok(match &job.stdin {
        Some(path) => Stdio::from(std::fs::File::open(path)?),
        None => Stdio::null(),
    })
}

/// From now on, this thread runs at low priority.
pub fn give_way() {
    // If the system does not allow that, the priority stays.
    let _ = nice(POLITE);
}

/// Starts it and has it followed, unless this process is about to end.
pub(super) fn spawn(job: &Job, tracker: &Tracker, input: Stdio) -> io::Result<Child> {
    let _not_ending = open::starts()?;
    let mut command = Command::new(&job.program);
    if job.only_environment {
        command.env_clear();
    }
    command.args(&job.arguments).envs(job.environment.iter().cloned()).env(MARK, mark(&job.name));
    command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Some(directory) = &job.directory {
        command.current_dir(directory);
    }
    // An interrupt from the keyboard is for this process, which then ends its runs in order.
    command.process_group(0);
    let entrances = tracker.entrances()?;
    let (cores, parent) = (cores::as_set(&job.cores), getpid());
    let (pinned, address_space, polite) = (!job.cores.is_empty(), job.address_space, job.polite);
    let enter = move || {
        for entrance in &entrances {
            rustix::io::write(entrance, b"0")?;
        }
        if pinned {
            sched_setaffinity(None, &cores)?;
        }
        if polite {
            nice(POLITE)?;
        }
        if let Some(most) = address_space {
            setrlimit(Resource::As, Rlimit { current: Some(most), maximum: Some(most) })?;
        }
        // If this process is killed, so is its child, unless that has happened already.
        set_parent_process_death_signal(Some(Signal::KILL))?;
        if getppid() != Some(parent) {
            return Err(io::Error::from_raw_os_error(rustix::io::Errno::SRCH.raw_os_error()));
        }
        Ok(())
    };
    // SAFETY: between fork and exec the closure makes system calls only; it neither allocates nor takes a lock.
    unsafe { command.pre_exec(enter) };
    let child = command.spawn()?;
    tracker.started(Pid::from_child(&child));
    Ok(child)
}

/// Waits until the program ends (`None`) or a limit is hit.
fn watch(child: &Child, tracker: &Tracker, limits: &Limits, begun: Instant, cancel: &Cancel) -> Option<Stopped> {
    let pid = Pid::from_child(child);
    let descriptor = pidfd_open(pid, PidfdFlags::empty()).ok();
    let mut look = SHORTEST_LOOK;
    loop {
        let left = limits.wall.map(|wall| wall.saturating_sub(begun.elapsed()));
        if ends_within(pid, descriptor.as_ref(), left.map_or(look, |left| left.min(look))) {
            return None;
        }
        if cancel.is_cancelled() {
            return Some(Stopped::Cancelled);
        }
        let before = Instant::now();
        let hit = exceeded(&tracker.sample(), limits, begun);
        if hit.is_some() {
            return hit;
        }
        look = (look * 2).min(LONGEST_LOOK).max(before.elapsed() * SHARE);
    }
}

/// Waits for the end of the program for some time; it stays a zombie, so that it can be measured.
pub(super) fn ends_within(pid: Pid, descriptor: Option<&OwnedFd>, time: Duration) -> bool {
    match (descriptor, Timespec::try_from(time)) {
        (Some(descriptor), Ok(time)) => {
            // A signal that arrives meanwhile shortens the wait, and does no harm.
            let _ = poll(&mut [PollFd::new(descriptor, PollFlags::IN)], Some(&time));
        }
        _ => std::thread::sleep(time),
    }
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::Pid(pid), options), Ok(None))
}

pub(super) fn exceeded(sample: &Sample, limits: &Limits, begun: Instant) -> Option<Stopped> {
    let over = |used: Option<u64>, limit: Option<u64>| used.zip(limit).is_some_and(|(used, limit)| used > limit);
    if sample.out_of_memory || over(sample.memory, limits.memory) {
        Some(Stopped::Memory)
    } else if sample.out_of_processes || over(sample.processes, limits.processes) {
        Some(Stopped::Processes)
    } else if limits.cpu.is_some_and(|limit| sample.cpu >= limit) {
        Some(Stopped::Cpu)
    } else if limits.wall.is_some_and(|limit| begun.elapsed() >= limit) {
        Some(Stopped::Wall)
    } else {
        None
    }
}
