//! The result of one run: the output of the child process, the time and memory that it took, and whether the answer is
//! right.

use super::definition::RunLimits;
use super::tasks::Task;
use crate::process::{Ended, Finished, Mechanism, Stopped};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// The answer of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Answer {
    True,
    False,
    Unknown,
    /// A limit was hit.
    Timeout,
    #[serde(rename = "OUT OF MEMORY")]
    OutOfMemory,
    Error,
}

/// Whether the answer is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rating {
    Correct,
    Wrong,
    Unknown,
    Error,
    /// An answer, without an expected one to compare it with.
    Unrated,
}

impl Answer {
    pub fn word(self) -> &'static str {
        match self {
            Answer::True => "TRUE",
            Answer::False => "FALSE",
            Answer::Unknown => "UNKNOWN",
            Answer::Timeout => "TIMEOUT",
            Answer::OutOfMemory => "OUT OF MEMORY",
            Answer::Error => "ERROR",
        }
    }

    fn verdict(self) -> Option<bool> {
        match self {
            Answer::True => Some(true),
            Answer::False => Some(false),
            _ => None,
        }
    }

    pub fn rate(self, expected: Option<bool>) -> Rating {
        match (self.verdict(), expected) {
            (Some(answer), Some(expected)) if answer == expected => Rating::Correct,
            (Some(_), Some(_)) => Rating::Wrong,
            (Some(_), None) => Rating::Unrated,
            (None, _) if self == Answer::Error => Rating::Error,
            (None, _) => Rating::Unknown,
        }
    }

    /// Points, as BenchExec and SV-COMP give them.
    pub fn score(self, expected: Option<bool>) -> i64 {
        match (self.rate(expected), self) {
            (Rating::Correct, Answer::True) => 2,
            (Rating::Correct, _) => 1,
            (Rating::Wrong, Answer::True) => -32,
            (Rating::Wrong, _) => -16,
            _ => 0,
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl Rating {
    pub fn word(self) -> &'static str {
        match self {
            Rating::Correct => "correct",
            Rating::Wrong => "wrong",
            Rating::Unknown => "unknown",
            Rating::Error => "error",
            Rating::Unrated => "unrated",
        }
    }
}

/// One line of the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunResult {
    /// Of everything that decides what the run does.
    pub key: String,
    pub config: String,
    pub task: String,
    pub expected: Option<bool>,
    pub answer: Answer,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    pub rating: Rating,
    pub score: i64,
    pub wall_seconds: f64,
    pub cpu_seconds: f64,
    pub memory_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Stopped>,
    pub ended: Option<Ended>,
    /// The mechanism that measured time and memory.
    pub measured_by: Option<Mechanism>,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_behind: usize,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub survivors: usize,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cores: Vec<usize>,
    /// Where the run's files are, seen from the experiment's folder.
    pub folder: String,
    /// Whether there is a report in it.
    #[serde(default)]
    pub report: bool,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl RunResult {
    pub fn new(key: &str, config: &str, task: &Task, said: (Answer, String)) -> RunResult {
        let (answer, reason) = said;
        RunResult {
            key: key.to_string(),
            config: config.to_string(),
            task: task.name.clone(),
            expected: task.expected,
            answer,
            reason,
            rating: answer.rate(task.expected),
            score: answer.score(task.expected),
            wall_seconds: 0.0,
            cpu_seconds: 0.0,
            memory_bytes: None,
            stopped: None,
            ended: None,
            measured_by: None,
            left_behind: 0,
            survivors: 0,
            cores: Vec::new(),
            folder: String::new(),
            report: false,
        }
    }

    pub fn took(mut self, finished: &Finished) -> RunResult {
        let rounded = |seconds: f64| (seconds * 1000.0).round() / 1000.0;
        self.wall_seconds = rounded(finished.wall.as_secs_f64());
        self.cpu_seconds = rounded(finished.cpu.as_secs_f64());
        self.memory_bytes = finished.peak_memory;
        self.stopped = finished.stopped;
        self.ended = Some(finished.ended);
        self.measured_by = Some(finished.mechanism);
        self.left_behind = finished.left_behind;
        self.survivors = finished.survivors;
        self
    }

    pub fn solved(&self) -> bool {
        self.rating == Rating::Correct
    }
}

/// The answer of a run, by the limit that it hit, the document that it printed, and how it ended.
pub fn answer(finished: &Finished, limits: &RunLimits, stdout: &str, stderr: &str) -> (Answer, String) {
    let stopped = |answer: Answer, what: &str| (answer, what.to_string());
    match finished.stopped {
        Some(Stopped::Wall) => return stopped(Answer::Timeout, "wall time"),
        Some(Stopped::Cpu) => return stopped(Answer::Timeout, "CPU time"),
        Some(Stopped::Memory) => return stopped(Answer::OutOfMemory, "memory of all processes"),
        Some(Stopped::Processes) => return stopped(Answer::Error, "too many processes"),
        Some(Stopped::Cancelled) => return stopped(Answer::Error, "interrupted"),
        None => {}
    }
    let document: Value = serde_json::from_str(stdout).unwrap_or(Value::Null);
    let text = |key: &str| document.get(key).and_then(Value::as_str).unwrap_or_default();
    let reason = text("reason").to_string();
    let late = finished.wall > limits.wall || limits.cpu.is_some_and(|cpu| finished.cpu > cpu);
    match (text("verdict"), finished.ended) {
        ("TRUE", Ended::Exited(0)) | ("FALSE", Ended::Exited(10)) if late => {
            (Answer::Timeout, format!("answered {} after the limit", text("verdict")))
        }
        ("TRUE", Ended::Exited(0)) => (Answer::True, reason),
        ("FALSE", Ended::Exited(10)) => (Answer::False, reason),
        ("UNKNOWN", Ended::Exited(20)) if reason == "time limit" => (Answer::Timeout, "wall time".to_string()),
        ("UNKNOWN", Ended::Exited(20)) if reason == "memory limit" => (Answer::OutOfMemory, reason),
        ("UNKNOWN", Ended::Exited(20)) => (Answer::Unknown, reason),
        (_, ended) => (Answer::Error, trouble(&document, stderr, ended)),
    }
}

/// The first error that the run reported, or the last line that it printed.
fn trouble(document: &Value, stderr: &str, ended: Ended) -> String {
    let first = document.pointer("/errors/0/message").and_then(Value::as_str);
    let first = first.or_else(|| stderr.lines().map(str::trim).find(|line| line.contains("error:")));
    let last = stderr.lines().rev().map(str::trim).find(|line| !line.is_empty());
    let end = match ended {
        Ended::Exited(code) => format!("exit status {code}"),
        Ended::Signalled(signal) => format!("signal {signal}"),
    };
    match first.or(last) {
        Some(text) => format!("{end}: {}", text.chars().take(300).collect::<String>()),
        None => end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn finished(ended: Ended, stopped: Option<Stopped>, seconds: u64) -> Finished {
        Finished {
            ended,
            stopped,
            wall: Duration::from_secs(seconds),
            cpu: Duration::from_secs(seconds),
            peak_memory: None,
            mechanism: Mechanism::Proc,
            left_behind: 0,
            survivors: 0,
            truncated: false,
        }
    }

    #[test]
    fn answers_need_the_document_and_the_exit_status() {
        let wall = Duration::from_secs(10);
        let limits = RunLimits { wall, cpu: None, memory: None, processes: 9, cores: 1 };
        let ask = |code, seconds, stdout: &str| {
            answer(&finished(Ended::Exited(code), None, seconds), &limits, stdout, "warning: x\nlast\n")
        };
        assert_eq!(ask(0, 1, "{\"verdict\": \"TRUE\"}").0, Answer::True);
        assert_eq!(ask(10, 1, "{\"verdict\": \"FALSE\"}").0, Answer::False);
        assert_eq!(ask(0, 11, "{\"verdict\": \"TRUE\"}").0, Answer::Timeout);
        assert_eq!(ask(10, 1, "{\"verdict\": \"TRUE\"}"), (Answer::Error, "exit status 10: last".to_string()));
        assert_eq!(ask(0, 1, "{\"verdict\": \"TR").0, Answer::Error);
        let unknown = |reason: &str| ask(20, 1, &format!("{{\"verdict\": \"UNKNOWN\", \"reason\": \"{reason}\"}}"));
        assert_eq!(unknown("time limit").0, Answer::Timeout);
        assert_eq!(unknown("memory limit").0, Answer::OutOfMemory);
        assert_eq!(unknown("bound 5"), (Answer::Unknown, "bound 5".to_string()));
        let errors = ask(2, 1, "{\"errors\": [{\"message\": \"no such file\"}]}");
        assert_eq!(errors, (Answer::Error, "exit status 2: no such file".to_string()));
        let crashed = finished(Ended::Exited(2), None, 1);
        let said = answer(&crashed, &limits, "", "note: x\na.c:1:2: error: why\n  help: what to do\n");
        assert_eq!(said, (Answer::Error, "exit status 2: a.c:1:2: error: why".to_string()));
        let stopped = finished(Ended::Signalled(9), Some(Stopped::Memory), 1);
        assert_eq!(answer(&stopped, &limits, "{\"verdict\": \"TRUE\"}", "").0, Answer::OutOfMemory);
    }

    #[test]
    fn scores_are_those_of_benchexec() {
        let scores = |answer: Answer| [Some(true), Some(false), None].map(|expected| answer.score(expected));
        assert_eq!(scores(Answer::True), [2, -32, 0]);
        assert_eq!(scores(Answer::False), [-16, 1, 0]);
        for other in [Answer::Unknown, Answer::Timeout, Answer::OutOfMemory, Answer::Error] {
            assert_eq!(scores(other), [0, 0, 0]);
        }
        assert_eq!(Answer::Timeout.rate(Some(true)), Rating::Unknown);
        assert_eq!(Answer::Error.rate(None), Rating::Error);
        assert_eq!(Answer::True.rate(None), Rating::Unrated);
    }
}
