//! Ctrl-C, SIGTERM and SIGHUP. A command that listens gets the first signal, and ends in order. Otherwise the first
//! signal ends the process with everything that was started, as the second signal always does.

use crate::process::{self, Cancel};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::{flag, low_level};
use std::fs;
use std::io::Read;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

/// Whether the command ends in order by itself.
static LISTENING: AtomicBool = AtomicBool::new(false);
/// A signal is about to end the process.
static ENDING: AtomicBool = AtomicBool::new(false);

fn flag_of_all() -> &'static Arc<AtomicBool> {
    static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    FLAG.get_or_init(Arc::default)
}

/// To be called once, before anything is started. If it fails, signals have their default effect.
pub fn install() {
    let Ok((mut received, written)) = UnixStream::pair() else { return };
    let last = Arc::new(AtomicUsize::new(0));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        // A signal that is ignored, as SIGHUP under nohup, stays ignored.
        if is_ignored(signal) {
            continue;
        }
        let _ = flag::register_usize(signal, last.clone(), usize::try_from(signal).unwrap_or(0));
        let _ = written.try_clone().and_then(|end| low_level::pipe::register(signal, end));
    }
    let wait = move || {
        let mut one = [0];
        while received.read_exact(&mut one).is_ok() {
            let first = !flag_of_all().swap(true, Ordering::SeqCst);
            if !(first && LISTENING.load(Ordering::SeqCst)) {
                ENDING.store(true, Ordering::SeqCst);
                process::end_all();
                let signal = i32::try_from(last.load(Ordering::SeqCst)).unwrap_or(SIGTERM);
                let _ = low_level::emulate_default_handler(signal);
                process::leave(128 + signal);
            }
        }
    };
    let _ = thread::Builder::new().name("signals".into()).spawn(wait);
}

/// Does not return if a signal is about to end the process: the exit status is then that of the signal, even if all
/// work has ended.
pub fn give_way() {
    while ENDING.load(Ordering::SeqCst) {
        thread::park();
    }
}

/// Set by the first signal from now on; the caller then ends in order.
pub fn listen() -> Cancel {
    LISTENING.store(true, Ordering::SeqCst);
    Cancel::from_flag(flag_of_all().clone())
}

fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
