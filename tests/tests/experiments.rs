//! `tandem experiment` as users see it: killed and resumed, wrong input, results for other programs, BenchExec.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde_json::Value;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tandem_plugin_api::kit::testing::skip;
use tandem_tests::command::{binary, root, run, tandem};
use tandem_tests::experiments::{finish, left_over, run_twice, start_and_kill, table, write_experiment};

#[test]
fn an_experiment_that_is_killed_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = write_experiment(folder.path(), 6).unwrap();
    let (calm, killed) = (folder.path().join("calm"), folder.path().join("killed"));
    finish(&experiment, &calm).unwrap();
    let expected = table(&calm).unwrap();
    assert_eq!(expected.len(), 18);
    for (milliseconds, group) in [(250, false), (300, true)] {
        // A fast machine ends it in time, which is not a failure.
        if let Ok(recorded) = start_and_kill(&experiment, &killed, Duration::from_millis(milliseconds), group) {
            eprintln!("killed after {recorded} runs");
        }
        assert_eq!(left_over(&killed), Vec::<String>::new());
    }
    // The line that a kill in the middle of writing leaves.
    let log = killed.join("results.jsonl");
    let mut text = fs::read_to_string(&log).unwrap_or_default();
    text.push_str("{\"key\":\"torn");
    fs::write(&log, text).unwrap();
    finish(&experiment, &killed).unwrap();
    assert_eq!(table(&killed).unwrap(), expected);
    assert_eq!(run_twice(&killed).unwrap(), Vec::<String>::new());
    // Once more: nothing is left to do.
    let before = fs::read_to_string(&log).unwrap();
    let ran = tandem([Path::new("experiment"), &experiment, Path::new("-o"), &killed]);
    assert!(ran.stderr.contains("18 of 18 runs are finished already"), "{}", ran.stderr);
    assert_eq!(fs::read_to_string(&log).unwrap(), before);
}

#[test]
fn a_device_is_no_experiment() {
    let ran = tandem(["experiment", "/dev/zero"]);
    assert_eq!(ran.code(), Some(2), "{ran:?}");
    assert!(ran.stderr.contains("it is a device"), "{ran:?}");
}

/// The folder of an experiment, and the command's messages about it.
fn said(experiment: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    fs::write(&file, experiment).unwrap();
    let output = folder.path().join("out");
    let mut words = vec!["experiment".as_ref(), file.as_os_str(), "-o".as_ref(), output.as_os_str()];
    words.extend(arguments.iter().map(OsStr::new));
    let ran = tandem(words);
    (ran.code(), ran.stderr)
}

#[test]
fn mistakes_are_told_before_anything_runs() {
    let example = format!("include = [{:?}]", root().join("examples/countdown.yml"));
    let right = format!("config = ['value']\n[limits]\nwall = '9s'\n[tasks]\n{example}\n");
    for (text, arguments, part) in [
        (right.replace("'value'", "'valeu'"), &[][..], "mine.toml:1:11: error: there is no configuration `valeu`"),
        (right.replace("countdown", "no-such"), &[], "no task matches"),
        (
            right.replace("'value'", "{config = 'value', options = ['--sterict']}"),
            &[],
            "the options of `value` are wrong",
        ),
        (right.replace("wall", "wal"), &[], "did you mean `wall`?"),
        (right.clone(), &["--jobs", "5000"], "5000 runs at a time on 1 cores each need 5000 cores"),
        (right.clone(), &["--tasks", "nowhere/*.yml"], "no task matches `nowhere/*.yml`"),
        ("config = ".to_string(), &[], "not TOML"),
    ] {
        let (code, stderr) = said(&text, arguments);
        assert_eq!(code, Some(2), "{text} {stderr}");
        assert!(stderr.contains(part), "{text}: {stderr}");
    }
    let ran = tandem(["experiment", "no-such-experiment"]);
    assert_eq!(ran.code(), Some(2));
    assert!(ran.stderr.contains("--example"), "{}", ran.stderr);
    let ran = tandem(["experiment", "--compare", "examples", "examples"]);
    assert!(ran.stderr.contains("results cannot be read"), "{}", ran.stderr);
}

#[test]
fn experiments_of_the_repository_are_right() {
    let folder = tempfile::tempdir().unwrap();
    let mut count = 0;
    for entry in fs::read_dir(root().join("configs/experiments")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let xml = folder.path().join("x.xml");
            let ran = tandem([OsStr::new("experiment"), path.as_os_str(), "--to-benchexec".as_ref(), xml.as_os_str()]);
            assert_eq!(ran.code(), Some(0), "{}: {}", path.display(), ran.stderr);
            let text = fs::read_to_string(xml).unwrap();
            assert!(text.matches("<include>").count() > 50 && text.contains("<rundefinition name=\""), "{text}");
            count += 1;
        }
    }
    assert!(count >= 3);
}

/// Runs an experiment of one configuration on the examples.
fn results_of(folder: &Path, name: &str, config: &str, answers: &[&str]) -> Value {
    let file = folder.join(format!("{name}.toml"));
    let include = format!("{:?}", root().join("examples/*.yml"));
    let limits = "[limits]\nwall = '20s'\nmemory = '2G'\ncores = 0\n";
    fs::write(&file, format!("config = [{config}]\n{limits}[tasks]\ninclude = [{include}]\n")).unwrap();
    let output = folder.join(name);
    let ran = tandem([OsStr::new("experiment"), file.as_os_str(), "-o".as_ref(), output.as_os_str()]);
    assert_eq!(ran.code(), Some(0), "{}", ran.stderr);
    let document: Value = serde_json::from_str(&fs::read_to_string(output.join("results.json")).unwrap()).unwrap();
    let found: Vec<&str> =
        document["runs"].as_array().unwrap().iter().map(|run| run["answer"].as_str().unwrap()).collect();
    assert_eq!(found, answers, "{document:#}");
    document
}

#[test]
fn results_can_be_read_and_compared() {
    let folder = tempfile::tempdir().unwrap();
    let odd = "{config = 'value', label = 'a, \"b\"'}";
    let old = results_of(folder.path(), "old", odd, &["UNKNOWN", "UNKNOWN", "TRUE"]);
    let new = results_of(folder.path(), "new", "'predicate'", &["TRUE", "FALSE", "TRUE"]);
    assert_eq!((&old["summary"][0]["score"], &new["summary"][0]["score"]), (&2.into(), &5.into()));
    for run in new["runs"].as_array().unwrap() {
        assert!(run["cpu_seconds"].as_f64().unwrap() > 0.0 && run["memory_bytes"].as_u64().unwrap() > 1 << 20, "{run}");
        let place = folder.path().join("new").join(run["folder"].as_str().unwrap());
        assert!(place.join("result.json").is_file() && place.join("log.txt").is_file());
    }
    let csv = fs::read_to_string(folder.path().join("old/results.csv")).unwrap();
    assert_eq!(csv.lines().count(), 4);
    assert!(csv.lines().skip(1).all(|line| line.starts_with("\"a, \"\"b\"\"\",")), "{csv}");
    let (one, two, page) = (folder.path().join("old"), folder.path().join("new"), folder.path().join("changes.html"));
    let compare = ["experiment", "--compare"].map(OsStr::new);
    let ran = tandem([&compare[..], &[one.as_os_str(), two.as_os_str(), "-o".as_ref(), page.as_os_str()]].concat());
    assert_eq!(ran.code(), Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("overdraft.yml: UNKNOWN → FALSE"), "{}", ran.stdout);
    assert!(fs::read_to_string(page).unwrap().contains("predicate (new)"));
}

/// Python with BenchExec: of the virtual environment that ./test.sh makes, or of the system.
fn python() -> Option<PathBuf> {
    let ours = root().join("target/benchexec/bin/python3");
    [ours, PathBuf::from("python3")].into_iter().find(|python| {
        let tried = Command::new(python).args(["-c", "import benchexec.test_tool_info"]).output();
        tried.is_ok_and(|output| output.status.success())
    })
}

#[test]
fn benchexec_runs_the_same_experiment() {
    let Some(python) = python() else {
        return skip("BenchExec is not installed (pip install benchexec)");
    };
    let folder = tempfile::tempdir().unwrap();
    let start = |module: &str, arguments: &[&OsStr]| {
        let mut command = Command::new(&python);
        command.args(["-m", module]).args(arguments).current_dir(root());
        run(command.env("PYTHONPATH", root().join("contrib/benchexec")).env("PYTHONDONTWRITEBYTECODE", "1"))
    };
    let tools = binary().parent().unwrap().to_path_buf();
    let tool =
        ["tandem_tools.tandem".as_ref(), "--tool-directory".as_ref(), tools.as_os_str(), "--no-container".as_ref()];
    let checked = start("benchexec.test_tool_info", &tool);
    assert_eq!(checked.code(), Some(0), "{} {}", checked.stdout, checked.stderr);
    let shown = format!("{}{}", checked.stdout, checked.stderr);
    assert!(shown.contains("Name of tool: “Tandem”"), "{shown}");
    let file = folder.path().join("e.toml");
    let include = format!("{:?}", root().join("examples/*.yml"));
    let text = format!("config = ['predicate']\n[limits]\nwall = '60s'\ncores = 0\n[tasks]\ninclude = [{include}]\n");
    fs::write(&file, text).unwrap();
    let xml = folder.path().join("e.xml");
    let wrote = tandem([OsStr::new("experiment"), file.as_os_str(), "--to-benchexec".as_ref(), xml.as_os_str()]);
    assert_eq!(wrote.code(), Some(0), "{}", wrote.stderr);
    let results = format!("{}/", folder.path().join("results").display());
    let place = ["--tool-directory".as_ref(), tools.as_os_str(), "-o".as_ref(), results.as_ref(), xml.as_os_str()];
    let ran = start("benchexec.benchexec", &[&["--no-container".as_ref()], &place[..]].concat());
    for part in ["false(unreach-call)", "correct true:        2", "correct false:       1"] {
        assert!(ran.stdout.contains(part), "{part}: {} {}", ran.stdout, ran.stderr);
    }
}
