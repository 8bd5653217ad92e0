//! Reads `/proc`: whose child a process is, what it has used, what stands in its environment.

use rustix::process::Pid;
use std::fs;

/// One process at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    pub pid: i32,
    pub parent: i32,
    pub session: i32,
    /// When it was started. Together with the number this identifies a process for good, since numbers are used again.
    pub started: u64,
    pub zombie: bool,
    /// Time on cores, of itself and of the children that it has waited for, in ticks.
    pub ticks: u64,
    /// Resident memory in pages.
    pub pages: u64,
}

impl Seen {
    pub fn id(&self) -> Option<Pid> {
        Pid::from_raw(self.pid)
    }
}

/// All processes that can be seen now.
pub fn all() -> Vec<Seen> {
    let numbers = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = numbers.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter_map(one).collect()
}

pub fn one(pid: i32) -> Option<Seen> {
    parse(pid, &fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// The name stands in parentheses, and may itself hold any of these characters.
fn parse(pid: i32, text: &str) -> Option<Seen> {
    let fields: Vec<&str> = text.get(text.rfind(')')? + 1..)?.split_whitespace().collect();
    // Numbered from 1 in proc(5), where the state is the third.
    let field = |number: usize| fields.get(number - 3).copied();
    let value = |number: usize| field(number)?.parse::<u64>().ok();
    Some(Seen {
        pid,
        parent: field(4)?.parse().ok()?,
        session: field(6)?.parse().ok()?,
        started: value(22)?,
        zombie: matches!(field(3)?, "Z" | "X"),
        ticks: value(14)? + value(15)? + value(16)? + value(17)?,
        pages: value(24)?,
    })
}

/// The memory of a process in bytes; of a shared page, each process counts its part.
pub fn proportional_memory(pid: i32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

/// The value of a variable in the environment that a process was started with.
pub fn variable(pid: i32, name: &str) -> Option<String> {
    let bytes = fs::read(format!("/proc/{pid}/environ")).ok()?;
    let values =
        bytes.split(|byte| *byte == 0).filter_map(|entry| entry.strip_prefix(name.as_bytes())?.strip_prefix(b"="));
    values.map(|value| String::from_utf8_lossy(value).into_owned()).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_hold_parentheses() {
        let text = "7 (a) Z (b) S 3 7 5 0 -1 4194560 1 2 3 4 10 20 30 40 20 0 1 0 999 1000 55 18446744073709551615";
        let seen = parse(7, text).unwrap();
        assert_eq!((seen.parent, seen.session, seen.started, seen.ticks, seen.pages), (3, 5, 999, 100, 55));
        assert!(!seen.zombie);
        assert!(parse(7, "7 (a").is_none() && parse(7, "7 (a) S 1").is_none());
    }

    #[test]
    fn this_process_is_among_all() {
        let own = std::process::id() as i32;
        let seen = all().into_iter().find(|seen| seen.pid == own).unwrap();
        assert!(seen.pages > 10 && !seen.zombie);
        assert!(proportional_memory(own).unwrap() > 10_000);
        assert!(variable(own, "PATH").is_some() && variable(own, "PAT").is_none());
    }
}
