//! Verifies every program of `tests/programs/*/` and compares with the verdict that its task definition expects.
//!
//! Beside `x.c` lie `x.yml` (an SV-COMP task with the expected verdict) and a configuration: `x.toml`, or `config.toml` for
//! the whole folder. A wrong verdict always fails. The first line of the C file may claim more:
//! `// claim: solved` (UNKNOWN fails too), or `// claim: unknown TEXT` (must be UNKNOWN, with TEXT in the reason).

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use tandem_tests::command::{root, tandem};

struct Case {
    task: PathBuf,
    config: String,
    expected: bool,
    claim: Claim,
}

enum Claim {
    /// Not wrong.
    Sound,
    Solved,
    Unknown(String),
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| path.extension().is_some_and(|found| found == extension));
    found.sort();
    found
}

/// Those whose programs have a task and a configuration; the programs in the others are executed (`conformance`,
/// `constructs`).
fn folders() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        fs::read_dir(root().join("tests/programs")).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| path.is_dir() && !path.ends_with("c") && !path.ends_with("self-checking"));
    found.sort();
    found
}

fn expected_verdict(task: &Path) -> bool {
    let text = fs::read_to_string(task).unwrap();
    let verdict = text.lines().find_map(|line| line.trim().strip_prefix("expected_verdict:"));
    match verdict.map(str::trim) {
        Some("true") => true,
        Some("false") => false,
        _ => panic!("{}: no expected_verdict", task.display()),
    }
}

fn claim(program: &Path) -> Claim {
    let text = fs::read_to_string(program).unwrap();
    match text.lines().next().and_then(|line| line.strip_prefix("// claim: ")) {
        None => Claim::Sound,
        Some("solved") => Claim::Solved,
        Some(other) => match other.strip_prefix("unknown ") {
            Some(reason) => Claim::Unknown(reason.to_string()),
            None => panic!("{}: unknown claim `{other}`", program.display()),
        },
    }
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for folder in folders() {
        for program in files(&folder, "c") {
            let task = program.with_extension("yml");
            assert!(task.is_file(), "{} has no task definition beside it", program.display());
            let own = program.with_extension("toml");
            let config = if own.is_file() { own } else { folder.join("config.toml") };
            assert!(config.is_file(), "{} has no configuration beside it", program.display());
            let expected = expected_verdict(&task);
            cases.push(Case { task, config: config.display().to_string(), expected, claim: claim(&program) });
        }
    }
    cases
}

/// What is wrong with the outcome of a case, if anything.
fn judge(case: &Case) -> Option<String> {
    // If only soundness is claimed, an early end is enough: some configurations work as long as they may.
    let limit = if matches!(case.claim, Claim::Sound) { "500ms" } else { "60s" };
    let ran = tandem(["verify", "--limit", limit, "-c", &case.config, &case.task.display().to_string()]);
    let verdict = ran.stdout.trim().strip_prefix("Verdict: ").unwrap_or_default();
    let right = if case.expected { "TRUE" } else { "FALSE" };
    // The text after the verdict (a reason, or whose claim it is) is for people.
    let word = verdict.split(' ').next().unwrap_or_default();
    let status = match word {
        "TRUE" => 0,
        "FALSE" => 10,
        "UNKNOWN" => 20,
        _ => return Some(format!("{}: no verdict: {ran:?}", case.task.display())),
    };
    let complain = |what: &str| Some(format!("{} with {}: {what}: {verdict}", case.task.display(), case.config));
    if ran.code() != Some(status) {
        return complain(&format!("exit status {:?}", ran.code()));
    }
    let unknown = word == "UNKNOWN";
    match &case.claim {
        _ if !unknown && word != right => complain("WRONG VERDICT"),
        Claim::Solved if unknown => complain("claimed to be solved"),
        Claim::Unknown(reason) if !unknown || !verdict.contains(reason.as_str()) => {
            complain(&format!("expected UNKNOWN because of `{reason}`"))
        }
        _ => None,
    }
}

/// Judges all cases on as many threads as there are cores.
fn judge_all(cases: &[Case]) {
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Some(failure) = judge(case) {
                        failures.lock().unwrap().push(failure);
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().unwrap();
    failures.sort();
    assert!(failures.is_empty(), "{} of {} cases fail:\n{}", failures.len(), cases.len(), failures.join("\n"));
}

#[test]
fn every_program_gets_its_verdict() {
    let cases = cases();
    assert!(cases.len() >= 20, "only {} programs were found", cases.len());
    judge_all(&cases);
}

#[test]
fn no_configuration_gives_a_wrong_verdict() {
    let examples = files(&root().join("examples"), "yml");
    let mut all = Vec::new();
    for (number, config) in files(&root().join("configs"), "toml").into_iter().enumerate() {
        // Half of the programs, so that this takes minutes. Compositions consist of parts that the others test, and get
        // a sixth.
        let step = if fs::read_to_string(&config).unwrap().contains("[run]") { 6 } else { 2 };
        let config = config.display().to_string();
        let tasks = cases().into_iter().map(|case| case.task).chain(examples.iter().cloned());
        for task in tasks.skip(number % step).step_by(step) {
            let expected = expected_verdict(&task);
            all.push(Case { task, config: config.clone(), expected, claim: Claim::Sound });
        }
    }
    judge_all(&all);
}
