//! Describes how the process of an isolated plugin failed.

use crate::process::{Ended, Stopped};

/// The process ended without an answer. `told` is the end of its standard error.
pub fn ended(how: Option<Ended>, told: &str) -> String {
    let how = match how {
        Some(Ended::Exited(status)) => format!("its process ended with status {status} and without a result"),
        Some(Ended::Signalled(signal)) => format!("its process was ended by signal {signal}{}", meaning(signal)),
        None => "its process cannot be ended".to_string(),
    };
    match last_line(told) {
        Some(line) => format!("{how}: {line}"),
        None => how,
    }
}

pub fn over_limit(limit: Stopped, memory: Option<u64>) -> String {
    match limit {
        Stopped::Memory => {
            let most = memory.map_or(String::new(), |bytes| format!(" of {}", size(bytes)));
            format!("its process used more memory than its limit{most}, and was ended")
        }
        Stopped::Processes => "it started too many processes, all of which were ended".to_string(),
        Stopped::Wall | Stopped::Cpu | Stopped::Cancelled => "its process took too long, and was ended".to_string(),
    }
}

fn size(bytes: u64) -> String {
    match bytes {
        0..0x400 => format!("{bytes} bytes"),
        0x400..0x10_0000 => format!("{} KB", bytes >> 10),
        _ => format!("{} MB", bytes >> 20),
    }
}

fn meaning(signal: i32) -> &'static str {
    match signal {
        4 => " (illegal instruction)",
        6 => " (abort)",
        7 => " (bus error)",
        8 => " (arithmetic error)",
        9 => " (kill; perhaps since memory ran out)",
        11 => " (segmentation fault)",
        15 => " (termination)",
        _ => "",
    }
}

/// The last line that is not empty.
fn last_line(told: &str) -> Option<String> {
    let line = told.lines().map(str::trim).rfind(|line| line.chars().any(char::is_alphanumeric))?;
    let line: String = line.chars().filter(|c| !c.is_control()).take(200).collect();
    Some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_say_what_happened() {
        assert_eq!(ended(Some(Ended::Signalled(11)), ""), "its process was ended by signal 11 (segmentation fault)");
        let told = "thread 'main' has overflowed its stack\n\n";
        assert!(ended(Some(Ended::Signalled(6)), told).ends_with("(abort): thread 'main' has overflowed its stack"));
        assert!(ended(Some(Ended::Exited(0)), "\u{1b}[31m\n").ends_with("without a result: [31m"));
        assert!(over_limit(Stopped::Memory, Some(1 << 30)).contains("1024 MB"));
    }
}
