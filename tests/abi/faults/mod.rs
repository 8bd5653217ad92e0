//! All kinds of faults of a plugin, by name. Included by a plugin of every kind.

#![allow(unsafe_code, reason = "some of it cannot be done safely")]

use std::fs::{self, OpenOptions};
use std::hint::black_box;
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;
use tandem_plugin_api::prelude::*;

/// The option that names the fault.
pub fn with_option(descriptor: Descriptor) -> Descriptor {
    descriptor.option("fault", "what goes wrong", OptionType::Text, OptionValue::Text("none".into()))
}

pub fn chosen(setup: &Setup) -> Result<String> {
    setup.options.text("fault").map(str::to_string)
}

/// Commits the fault. Returns only for `none`.
pub fn commit(fault: &str, host: &Host) {
    match fault {
        "panic" => panic!("panicked on purpose"),
        "abort" => std::process::abort(),
        "segmentation-fault" => {
            // SAFETY: this is unsafe on purpose.
            unsafe { std::ptr::null_mut::<u32>().write_volatile(1) }
        }
        "stack-overflow" => _ = black_box(deep(0)),
        "endless-loop" => endless(),
        "endless-allocation" => {
            let mut all: Vec<Vec<u8>> = Vec::new();
            loop {
                all.push(vec![1; 16 << 20]);
                black_box(&all);
            }
        }
        "exit" => std::process::exit(0),
        "closed-pipe" => {
            close_pipes();
            endless();
        }
        "garbage" => {
            for pipe in pipes().into_iter().filter(is_written) {
                if let Ok(mut pipe) = OpenOptions::new().write(true).open(format!("/proc/self/fd/{pipe}")) {
                    let _ = pipe.write_all(b"Greetings! This is no message, but it is long enough for one.");
                }
            }
            endless();
        }
        "fork-bomb" => {
            let mut children = Vec::new();
            for _ in 0..2000 {
                children.extend(sleeper("sleep 60").spawn());
            }
            endless();
        }
        "ignored-signal" => {
            let _ = sleeper("trap '' TERM; while :; do sleep 1; done").spawn();
            endless();
        }
        "slow-output" => loop {
            host.warn("still at it");
            thread::sleep(Duration::from_millis(100));
        },
        _ => {}
    }
}

#[allow(unconditional_recursion, reason = "that is the point")]
fn deep(depth: u64) -> u64 {
    let room = black_box([depth; 64]);
    deep(depth + 1) + room[7]
}

fn endless() -> ! {
    loop {
        thread::sleep(Duration::from_millis(10));
    }
}

fn sleeper(script: &str) -> Command {
    let mut command = Command::new("setsid");
    command.args(["sh", "-c", script]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// The pipes of this process, except for the standard ones.
fn pipes() -> Vec<i32> {
    let entries = fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
    let is_pipe = |number: &i32| {
        fs::read_link(format!("/proc/self/fd/{number}")).is_ok_and(|to| to.to_string_lossy().starts_with("pipe:"))
    };
    entries
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|number| *number > 2)
        .filter(is_pipe)
        .collect()
}

/// Whether it is the end for writing, by the last digit of its flags.
fn is_written(pipe: &i32) -> bool {
    let text = fs::read_to_string(format!("/proc/self/fdinfo/{pipe}")).unwrap_or_default();
    text.lines().any(|line| line.starts_with("flags:") && line.ends_with('1'))
}

fn close_pipes() {
    use std::os::fd::{FromRawFd, OwnedFd};
    for pipe in pipes() {
        // SAFETY: the memory belongs to others, and this fault damages it on purpose.
        drop(unsafe { OwnedFd::from_raw_fd(pipe) });
    }
}
