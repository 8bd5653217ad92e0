//! Experiments that are killed and resumed, for a test and for a command.

use crate::command::{binary, root};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// An experiment whose runs are short and end by themselves, so that limits have no part in the answers.
pub fn write_experiment(folder: &Path, tasks: usize) -> Result<PathBuf, String> {
    let programs = root().join("tests/programs/interval");
    let mut files: Vec<PathBuf> = fs::read_dir(&programs)
        .map_err(|error| format!("{}: {error}", programs.display()))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "yml"))
        .collect();
    files.sort();
    files.truncate(tasks);
    if files.len() < tasks {
        return Err(format!("{} has {} tasks only", programs.display(), files.len()));
    }
    let list: Vec<String> = files.iter().map(|file| format!("{:?}", file.display().to_string())).collect();
    let text = format!(
        "about = \"Killed and resumed\"\nconfig = [\"interval\", \"location\", \"value\"]\n[limits]\nwall = \"60s\"\n\
         memory = \"2G\"\n[tasks]\ninclude = [{}]\n",
        list.join(", ")
    );
    let path = folder.join("killed.toml");
    fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path)
}

/// Starts the experiment in a process group of its own.
pub fn start(experiment: &Path, output: &Path) -> Result<Child, String> {
    let mut command = Command::new(binary());
    command.arg("experiment").arg(experiment).arg("-o").arg(output).args(["--jobs", "2"]);
    command.current_dir(root()).env_remove("TANDEM_PLUGIN_PATH").process_group(0);
    command.env("EXPERIMENT_TEST", output);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map_err(|error| format!("the experiment cannot be started: {error}"))
}

/// Runs it to its end.
pub fn finish(experiment: &Path, output: &Path) -> Result<(), String> {
    let status = start(experiment, output)?.wait().map_err(|error| error.to_string())?;
    if status.success() { Ok(()) } else { Err(format!("the experiment ended with {status}")) }
}

/// Starts it, and kills it after some time: the process alone, or its whole process group. Returns how many runs are recorded.
pub fn start_and_kill(experiment: &Path, output: &Path, after: Duration, group: bool) -> Result<usize, String> {
    let mut child = start(experiment, output)?;
    std::thread::sleep(after);
    let pid = rustix::process::Pid::from_child(&child);
    let killed = match group {
        true => rustix::process::kill_process_group(pid, rustix::process::Signal::KILL),
        false => rustix::process::kill_process(pid, rustix::process::Signal::KILL),
    };
    killed.map_err(|error| format!("it cannot be killed: {error}"))?;
    let status = child.wait().map_err(|error| error.to_string())?;
    if status.success() {
        return Err("the experiment ended before it was killed".to_string());
    }
    let log = fs::read_to_string(output.join("results.jsonl")).unwrap_or_default();
    Ok(log.matches('\n').count())
}

/// The data that must be the same however often an experiment was killed: configuration and task of every run, and its
/// answer.
pub fn table(output: &Path) -> Result<BTreeMap<(String, String), String>, String> {
    let path = output.join("results.json");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let document: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let mut table = BTreeMap::new();
    for run in document["runs"].as_array().into_iter().flatten() {
        let word = |key: &str| run[key].as_str().unwrap_or_default().to_string();
        let rest = ["expected", "answer", "reason", "rating", "score"].map(|key| run[key].to_string()).join(" ");
        if table.insert((word("config"), word("task")), rest).is_some() {
            return Err(format!("{}: two rows for {} on {}", path.display(), word("config"), word("task")));
        }
    }
    Ok(table)
}

/// Runs that are recorded more than once.
pub fn run_twice(output: &Path) -> Result<Vec<String>, String> {
    let path = output.join("results.jsonl");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut seen = BTreeMap::new();
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).map_err(|error| format!("{}: {error}", path.display()))?;
        *seen.entry(line["key"].as_str().unwrap_or_default().to_string()).or_insert(0) += 1;
    }
    Ok(seen.into_iter().filter(|(_, count)| *count > 1).map(|(key, _)| key).collect())
}

/// The state of a process, for the message.
fn state(process: &Path) -> String {
    let status = fs::read_to_string(process.join("status")).unwrap_or_default();
    let wanted = ["State:", "PPid:", "Threads:", "SigPnd:", "ShdPnd:"];
    let lines = status.lines().filter(|line| wanted.iter().any(|name| line.starts_with(name)));
    let waits = fs::read_to_string(process.join("wchan")).unwrap_or_default();
    format!("({}, waits in {waits})", lines.collect::<Vec<_>>().join(", ").replace('\t', " "))
}

/// Processes that were started by the experiment in this folder, directly or not, and still run some seconds later.
pub fn left_over(output: &Path) -> Vec<String> {
    let deadline = Instant::now() + Duration::from_secs(5);
    loop {
        let mut found = Vec::new();
        for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            let line = String::from_utf8_lossy(&line).replace('\0', " ");
            let marked = fs::read(entry.path().join("environ")).unwrap_or_default();
            let ours = String::from_utf8_lossy(&marked).contains(&format!("EXPERIMENT_TEST={}", output.display()));
            if ours {
                found.push(format!("{line}{}", state(&entry.path())));
            }
        }
        if found.is_empty() || Instant::now() > deadline {
            return found;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
