//! The runs of an experiment: every configuration on every task, each with a key of everything that decides the run. A
//! run whose key stands in the log already is done; with another program, configuration or limit it is another run.

use super::definition::{ConfigUse, Definition, RunLimits};
use super::tasks::Task;
use crate::compose::units::{show_duration, show_size};
use crate::process::Limits;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

/// The page about a run, in the folder of what it wrote.
pub const REPORT: &str = "report.html";
/// Between the limit that a run is given and the time at which it is killed: time to write its results.
const AFTER_LIMIT: Duration = Duration::from_millis(1500);
/// How much earlier than the limit a run of tandem ends by itself.
const RESERVE: Duration = Duration::from_secs(1);

pub struct Plan {
    pub definition: Definition,
    pub tasks: Vec<Task>,
    /// Task by task, so that configurations can be compared while the experiment runs.
    pub runs: Vec<PlannedRun>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedRun {
    pub key: String,
    /// Indices into the definition's configurations and the plan's tasks.
    pub config: usize,
    pub task: usize,
    /// Below the experiment's folder.
    pub folder: String,
}

/// How limits stand in results.
#[derive(Clone, Debug, Serialize)]
pub struct ShownLimits {
    pub wall: String,
    pub cpu: Option<String>,
    pub memory: Option<String>,
    pub processes: u64,
    pub cores: usize,
}

impl Plan {
    pub fn new(definition: Definition, tasks: Vec<Task>) -> Plan {
        let mut runs = Vec::new();
        let mut folders = BTreeSet::new();
        for (at, task) in tasks.iter().enumerate() {
            for (config, used) in definition.configs.iter().enumerate() {
                let key = key(&definition.limits, used, task);
                let mut folder = format!("runs/{}/{}", file_name(&used.label), file_name(&task.name));
                if !folders.insert(folder.clone()) {
                    folder.push('-');
                    folder.push_str(key.get(..8).unwrap_or_default());
                }
                runs.push(PlannedRun { key, config, task: at, folder });
            }
        }
        Plan { definition, tasks, runs }
    }

    pub fn config(&self, run: &PlannedRun) -> Option<&ConfigUse> {
        self.definition.configs.get(run.config)
    }

    pub fn task(&self, run: &PlannedRun) -> Option<&Task> {
        self.tasks.get(run.task)
    }
}

impl RunLimits {
    pub fn shown(&self) -> ShownLimits {
        ShownLimits {
            wall: show_duration(self.wall),
            cpu: self.cpu.map(show_duration),
            memory: self.memory.map(show_size),
            processes: self.processes,
            cores: self.cores,
        }
    }

    /// The limits on the tree of processes.
    pub fn of_processes(&self) -> Limits {
        Limits {
            wall: Some(self.wall + AFTER_LIMIT),
            cpu: self.cpu,
            memory: self.memory,
            processes: Some(self.processes),
            ..Limits::default()
        }
    }
}

/// The arguments of `tandem` for a run; `output` is where its artifacts go.
pub fn arguments(limits: &RunLimits, config: &ConfigUse, task: &Task, report: bool, output: &Path) -> Vec<OsString> {
    let mut arguments: Vec<OsString> =
        vec!["verify".into(), "--json".into(), "-c".into(), config.config.clone().into()];
    let given =
        |option: &str| config.options.iter().any(|found| found == option || found.starts_with(&format!("{option}=")));
    if !given("--limit") {
        // An answer that comes with the limit takes some time to arrive, and must do so in time.
        let own = limits.wall.saturating_sub((limits.wall / 5).min(RESERVE));
        arguments.extend(["--limit".into(), show_duration(own).into()]);
    }
    if let Some(bytes) = limits.memory.filter(|_| !given("--memory")) {
        arguments.extend(["--memory".into(), bytes.to_string().into()]);
    }
    if let Some(property) = &task.property {
        arguments.extend(["-p".into(), property.into()]);
    }
    if report {
        let mut page = OsString::from("--report=");
        page.push(output.join(REPORT));
        arguments.extend([page, "-o".into(), output.into()]);
    }
    arguments.extend(config.options.iter().map(OsString::from));
    // A name that begins with a hyphen must not be read as an option.
    arguments.extend(["--".into(), task.file.clone().into()]);
    arguments
}

fn key(limits: &RunLimits, config: &ConfigUse, task: &Task) -> String {
    let mut hash = Sha256::new();
    let mut add = |text: &str| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    };
    // Pinning changes times a little, but no answer, so that an experiment may go on with other jobs.
    add(&format!("{:?} {:?} {:?} {}", limits.wall, limits.cpu, limits.memory, limits.processes));
    [&config.label, &config.config, &task.name, &task.hash].into_iter().for_each(|text| add(text));
    add(&format!("{:?}", config.options));
    config.texts.iter().for_each(|text| add(text));
    format!("{:x}", hash.finalize()).chars().take(32).collect()
}

/// A text as part of a path: nothing that leads elsewhere, nothing that is too long, and readable.
fn file_name(text: &str) -> String {
    let plain: String =
        text.chars().map(|c| if c.is_ascii_alphanumeric() || "-_.,+=".contains(c) { c } else { '_' }).collect();
    let plain = plain.trim_start_matches('.').to_string();
    match plain.len() {
        0 => "_".to_string(),
        1..=120 => plain,
        long => plain.get(long - 120..).unwrap_or_default().trim_start_matches('.').to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(label: &str) -> ConfigUse {
        ConfigUse { label: label.into(), config: "value".into(), options: vec![], texts: vec!["text".into()] }
    }

    fn task(name: &str) -> Task {
        Task { name: name.into(), file: name.into(), property: None, expected: None, hash: "1".into() }
    }

    fn limits() -> RunLimits {
        RunLimits { wall: Duration::from_secs(9), cpu: None, memory: Some(1 << 30), processes: 9, cores: 1 }
    }

    #[test]
    fn what_changes_a_run_changes_its_key() {
        let first = key(&limits(), &config("a"), &task("t"));
        assert_eq!(first, key(&RunLimits { cores: 2, ..limits() }, &config("a"), &task("t")));
        let others = [
            key(&RunLimits { cpu: Some(Duration::from_secs(1)), ..limits() }, &config("a"), &task("t")),
            key(&limits(), &config("b"), &task("t")),
            key(&limits(), &ConfigUse { options: vec!["--strict".into()], ..config("a") }, &task("t")),
            key(&limits(), &ConfigUse { texts: vec!["other".into()], ..config("a") }, &task("t")),
            key(&limits(), &config("a"), &Task { hash: "2".into(), ..task("t") }),
        ];
        assert!(others.iter().all(|other| *other != first));
    }

    #[test]
    fn folders_stay_below_the_experiment_and_are_unique() {
        assert_eq!(file_name("../../etc/passwd"), "_.._etc_passwd");
        assert_eq!(file_name(".."), "_");
        assert_eq!(file_name(&"x".repeat(500)).len(), 120);
        let configs = vec![config("a/b"), config("a b")];
        let definition = Definition {
            name: String::new(),
            about: String::new(),
            limits: limits(),
            report: false,
            tasks: super::super::definition::Selection::default(),
            configs,
        };
        let plan = Plan::new(definition, vec![task("x/y.c"), task("x_y.c")]);
        let folders: BTreeSet<&str> = plan.runs.iter().map(|run| run.folder.as_str()).collect();
        assert_eq!(folders.len(), 4);
    }

    #[test]
    fn reports_go_to_the_folder_of_the_run() {
        let words = arguments(&limits(), &config("a"), &task("x.c"), true, Path::new("out"));
        let at = words.iter().position(|word| word == "--report=out/report.html").unwrap();
        assert_eq!(words[at + 1..at + 3], ["-o", "out"]);
    }

    #[test]
    fn a_run_ends_by_itself_before_its_limit() {
        for (wall, told) in [(9, "8s"), (3, "2400ms"), (900, "899s")] {
            let limits = RunLimits { wall: Duration::from_secs(wall), ..limits() };
            let words = arguments(&limits, &config("a"), &task("x.c"), false, Path::new("out"));
            assert!(words.windows(2).any(|pair| pair[0] == "--limit" && pair[1] == told), "{words:?}");
        }
    }

    #[test]
    fn options_win_over_limits() {
        let options = vec!["--memory=5M".to_string(), "--limit".to_string(), "1s".to_string()];
        let used = ConfigUse { options, ..config("a") };
        let words = arguments(&limits(), &used, &task("-x.c"), false, Path::new("out"));
        let words: Vec<&str> = words.iter().map(|word| word.to_str().unwrap()).collect();
        assert_eq!(words, ["verify", "--json", "-c", "value", "--memory=5M", "--limit", "1s", "--", "-x.c"]);
    }
}
