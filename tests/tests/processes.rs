//! Programs that misbehave (memory hogs, fork bombs, daemons, processes that ignore SIGTERM), run under limits: they
//! are stopped, measured and reported, and no process is left over. With a cgroup where one can be made, and through
//! `/proc` always.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use tandem::process::{self, Cancel, Ended, Finished, Job, Limits, Measure, Mechanism, Stopped};
use tandem_tests::command::root;

/// The compiled program. Its name is unique, so that its processes can be found.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let path = std::env::temp_dir().join(format!("misbehave-{}", std::process::id()));
        let source = root().join("tests/misbehaving/misbehave.c");
        assert!(Command::new("gcc").args(["-O1", "-o"]).arg(&path).arg(source).status().unwrap().success());
        path
    })
}

/// Command lines of processes of the program that still run.
fn running(marker: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        if line.contains(&*program().file_name().unwrap().to_string_lossy()) && line.contains(marker) {
            found.push(line);
        }
    }
    found
}

/// Both mechanisms where there are both.
fn mechanisms() -> Vec<Measure> {
    let folder = tempfile::tempdir().unwrap();
    let mut job = Job::new("true", folder.path().join("out"), folder.path().join("err"));
    job.name = format!("probe-{}", std::process::id());
    match process::run(&job, &Cancel::default()).unwrap().mechanism {
        Mechanism::Proc => {
            eprintln!("no cgroup can be made here: only /proc is tested");
            vec![Measure::Proc]
        }
        _ => vec![Measure::Best, Measure::Proc],
    }
}

fn run(arguments: [&str; 2], limits: Limits, measure: Measure) -> Finished {
    static NUMBER: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let folder = tempfile::tempdir().unwrap();
    let mut job = Job::new(program(), folder.path().join("out"), folder.path().join("err"));
    job.arguments = arguments.iter().map(Into::into).collect();
    job.limits = limits;
    job.measure = measure;
    job.name = format!("test-{}-{number}", std::process::id());
    let begun = Instant::now();
    let finished = process::run(&job, &Cancel::default()).unwrap();
    assert!(begun.elapsed() < Duration::from_secs(20), "{arguments:?} took {:?}", begun.elapsed());
    assert_eq!(finished.survivors, 0, "{arguments:?}");
    finished
}

const SHORT: Duration = Duration::from_millis(700);

#[test]
fn memory_hogs() {
    for measure in mechanisms() {
        for (what, number) in [("hog", "1900"), ("children", "101")] {
            let limits = Limits { memory: Some(200 << 20), wall: Some(Duration::from_secs(15)), ..Limits::default() };
            let finished = run([what, number], limits, measure);
            assert_eq!(finished.stopped, Some(Stopped::Memory), "{what} {finished:?}");
            let peak = finished.peak_memory.unwrap() >> 20;
            assert!((150..1500).contains(&peak), "{what}: {peak} MB, {finished:?}");
        }
    }
    assert_eq!(running("hog"), Vec::<String>::new());
}

#[test]
fn fork_bombs() {
    for measure in mechanisms() {
        let wall = Some(Duration::from_secs(15));
        // Two to the power of eight: the bomb is bounded even where the limit does not work.
        let limited = run(["bomb", "7"], Limits { processes: Some(60), wall, ..Limits::default() }, measure);
        assert_eq!(limited.stopped, Some(Stopped::Processes), "{limited:?}");
        let unlimited = run(["bomb", "7"], Limits { wall: Some(SHORT), ..Limits::default() }, measure);
        assert_eq!(unlimited.stopped, Some(Stopped::Wall), "{unlimited:?}");
    }
    assert_eq!(running("bomb"), Vec::<String>::new());
}

#[test]
fn those_that_ignore_signals() {
    for measure in mechanisms() {
        let limits = Limits { wall: Some(SHORT), grace: Duration::from_millis(200), ..Limits::default() };
        let finished = run(["stubborn", "1"], limits, measure);
        assert_eq!((finished.stopped, finished.ended), (Some(Stopped::Wall), Ended::Signalled(9)));
        assert!(finished.wall >= SHORT && finished.wall < SHORT + Duration::from_secs(3), "{:?}", finished.wall);
        let polite = run(["sleep", "1"], Limits { wall: Some(SHORT), ..Limits::default() }, measure);
        assert_eq!((polite.stopped, polite.ended), (Some(Stopped::Wall), Ended::Signalled(15)));
    }
    assert_eq!(running("stubborn 1"), Vec::<String>::new());
}

#[test]
fn daemons_are_found_and_measured() {
    for measure in mechanisms() {
        let finished = run(["daemon", ""], Limits::default(), measure);
        assert_eq!((finished.ended, finished.stopped, finished.left_behind), (Ended::Exited(7), None, 1));
        let limits = Limits { cpu: Some(SHORT), wall: Some(Duration::from_secs(15)), ..Limits::default() };
        let finished = run(["spinning-daemon", ""], limits, measure);
        assert_eq!(finished.stopped, Some(Stopped::Cpu), "{finished:?}");
    }
    assert_eq!(running("stubborn 100"), Vec::<String>::new());
    assert_eq!(running("spin"), Vec::<String>::new());
}

#[test]
fn time_of_children_counts_and_output_is_capped() {
    for measure in mechanisms() {
        let finished = run(["work", ""], Limits::default(), measure);
        assert_eq!(finished.ended, Ended::Exited(3));
        // On a machine with other work the child gets less than the second that it runs for.
        let cpu = finished.cpu.as_secs_f64();
        assert!((0.05..1.5).contains(&cpu), "{finished:?}");
        assert!(finished.wall >= Duration::from_secs(2));
    }
    let folder = tempfile::tempdir().unwrap();
    let mut job = Job::new(program(), folder.path().join("out"), folder.path().join("err"));
    job.arguments = vec!["talk".into(), "100000".into()];
    (job.output_cap, job.name) = (10_000, format!("talk-{}", std::process::id()));
    let finished = process::run(&job, &Cancel::default()).unwrap();
    assert!(finished.truncated && finished.ended == Ended::Exited(0));
    assert_eq!(fs::metadata(job.stdout).unwrap().len(), 10_000);
    let missing = Job::new("/no/such/tool", folder.path().join("out"), folder.path().join("err"));
    assert!(process::run(&missing, &Cancel::default()).unwrap_err().message.contains("cannot be started"));
}

#[test]
fn what_a_killed_process_left_is_swept() {
    let mark = format!("sweep-{}-", std::process::id());
    let mut command = Command::new(program());
    let mut child = command.args(["stubborn", "77"]).env("TANDEM_RUN", format!("{mark}5")).spawn().unwrap();
    let mut other = Command::new(program()).args(["stubborn", "78"]).env("TANDEM_RUN", "another").spawn().unwrap();
    while running("stubborn 7").len() < 2 {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(process::sweep(&mark), 1);
    child.wait().unwrap();
    assert_eq!(running("stubborn 77"), Vec::<String>::new());
    assert_eq!(running("stubborn 78").len(), 1);
    other.kill().unwrap();
    other.wait().unwrap();
}
