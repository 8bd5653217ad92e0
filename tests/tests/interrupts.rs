//! Runs that end early, by a signal or a limit: they report it, keep their results, and leave neither processes nor
//! directories behind.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tandem::experiment::Folder;
use tandem_tests::command::{binary, tandem};

/// A solver needs long for it: 2^62 - 57 is prime.
const HARD: &str = "\
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}
int main(void) {
  unsigned long long x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
  if (x > 1 && y > 1 && x * y == 4611686018427387847ULL)
    reach_error();
  return 0;
}
";

/// A tool whose files take some time to be removed.
const MANY_FILES: &str = "seq 20000 | xargs touch; SLEEP wait";

/// A folder with a program and a tool that has a child which outlives it unless it is ended.
struct Place {
    folder: tempfile::TempDir,
    /// How long the child sleeps, by which it is recognised: no number is the beginning of another.
    sleep: String,
}

impl Place {
    fn new(number: u32, program: &str) -> Place {
        let folder = tempfile::tempdir().unwrap();
        let sleep = format!("{}.{number:02}", 100_000 + std::process::id());
        fs::write(folder.path().join("program.c"), program).unwrap();
        fs::create_dir(folder.path().join("tmp")).unwrap();
        Place { folder, sleep }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A configuration with the tool, which runs this script; `SLEEP` starts the child.
    fn tool(&self, script: &str, more: &str) {
        let script = script.replace("SLEEP", &format!("setsid sleep {} &", self.sleep));
        let text = format!(
            "about = \"a test\"\n[actor.tool]\nadapter = \"witness-tool\"\nwitness-tool.name = \"Sleeper\"\n\
             witness-tool.command = [\"sh\", \"-c\", \"{script}\"]\nwitness-tool.true-pattern = \"never\"\n{more}\
             [run]\nactor = \"tool\"\n"
        );
        fs::write(self.path("tool.toml"), text).unwrap();
    }

    fn start(&self, arguments: &[&str]) -> Child {
        // Processes that are started in the background have signals ignored, which tandem respects.
        let mut command = Command::new("env");
        command.arg("--default-signal=INT,TERM,HUP").arg(binary());
        command.args(arguments).arg("program.c").current_dir(self.folder.path()).env("TMPDIR", self.path("tmp"));
        command.env_remove("TANDEM_PLUGIN_PATH");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// Waits until the tool's child runs.
    fn wait_for_sleeper(&self) {
        let begun = Instant::now();
        while running(&self.sleep).is_empty() {
            assert!(begun.elapsed() < Duration::from_secs(20), "the tool does not start");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[track_caller]
    fn nothing_is_left(&self) {
        assert_eq!(running(&self.sleep), Vec::<String>::new());
        let left: Vec<_> = fs::read_dir(self.path("tmp")).unwrap().flatten().map(|entry| entry.path()).collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

/// Command lines that have this text.
fn running(text: &str) -> Vec<String> {
    let lines =
        fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    lines.filter(|line| (line.starts_with("sleep ") || line.contains("cc1")) && line.contains(text)).collect()
}

/// Sends the signal, and waits for the end, which must come soon.
#[track_caller]
fn end_by(child: Child, signal: Signal) -> (Option<i32>, String) {
    kill_process(Pid::from_child(&child), signal).unwrap();
    end_of(child)
}

/// Waits for the end, which must come soon.
#[track_caller]
fn end_of(child: Child) -> (Option<i32>, String) {
    let begun = Instant::now();
    let ended = child.wait_with_output().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(5), "it took {:?}", begun.elapsed());
    let text = [ended.stdout, ended.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (ended.status.code(), text)
}

#[test]
fn a_signal_ends_a_run_with_all_that_it_started() {
    for (number, signal) in [(1, Signal::INT), (2, Signal::TERM), (3, Signal::HUP)] {
        for isolation in ["", "isolation = \"process\"\n"] {
            let place = Place::new(number, HARD);
            place.tool("SLEEP wait", isolation);
            let child = place.start(&["verify", "-c", "tool.toml"]);
            place.wait_for_sleeper();
            let (code, said) = end_by(child, signal);
            assert_eq!(code, Some(20), "{said}");
            assert!(said.contains("Verdict: UNKNOWN (interrupted)"), "{said}");
            place.nothing_is_left();
        }
    }
}

/// The second signal waits for nothing, whatever is under way: a tool that is asked to end, or the removal of its
/// files.
#[test]
fn a_second_signal_ends_it_at_once() {
    let scripts = [(1, "trap '' TERM; SLEEP wait", 30), (2, MANY_FILES, 60), (3, MANY_FILES, 80), (4, MANY_FILES, 100)];
    for (number, script, milliseconds) in scripts {
        let place = Place::new(10 + number, HARD);
        place.tool(script, "");
        let child = place.start(&["verify", "-c", "tool.toml"]);
        place.wait_for_sleeper();
        kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        std::thread::sleep(Duration::from_millis(milliseconds));
        let (code, said) = end_by(child, Signal::INT);
        // A fast machine may have ended it in order by then.
        assert!(code.is_none() || script == MANY_FILES, "{said}");
        place.nothing_is_left();
    }
}

#[test]
fn solvers_do_not_swallow_the_signal() {
    for config in ["k-induction", "predicate"] {
        let place = Place::new(5, HARD);
        let child = place.start(&["verify", "-c", config, "--limit", "30s"]);
        std::thread::sleep(Duration::from_millis(700));
        let (_, said) = end_by(child, Signal::INT);
        assert!(said.contains("Verdict: UNKNOWN (interrupted)"), "{config}: {said}");
    }
}

#[test]
fn tests_that_were_found_are_kept() {
    let place = Place::new(6, HARD);
    let child = place.start(&["test", "-c", "fuzz", "-o", "out"]);
    std::thread::sleep(Duration::from_millis(1500));
    let (_, said) = end_by(child, Signal::INT);
    let suite = fs::read_dir(place.path("out/test-suite")).unwrap().flatten();
    let tests = suite.filter(|entry| entry.file_name() != "metadata.xml").count();
    assert!(tests > 0, "{said}");
}

#[test]
fn the_preprocessor_ends_with_the_limit() {
    let place = Place::new(7, "#include \"endless\"\nint main(void) { return 0; }\n");
    let fifo = place.path("endless");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let child = place.start(&["verify", "--limit", "1s"]);
    let (code, said) = end_of(child);
    assert_eq!(code, Some(20), "{said}");
    assert!(said.contains("time limit"), "{said}");
    assert_eq!(running("program.c"), Vec::<String>::new());
    let zero = Place::new(8, "#include \"/dev/zero\"\nint main(void) { return 0; }\n");
    let (code, said) = end_of(zero.start(&["verify", "--limit", "20s"]));
    assert_eq!(code, Some(2), "{said}");
}

#[test]
fn a_run_of_an_experiment_leaves_nothing_at_its_limit() {
    let place = Place::new(9, HARD);
    place.tool("SLEEP while :; do :; done", "");
    let program = place.path("program.c");
    let text = format!(
        "config = [{:?}]\n[limits]\nwall = '30s'\ncpu = '1s'\ncores = 0\n[tasks]\ninclude = [{program:?}]\n",
        place.path("tool.toml")
    );
    fs::write(place.path("experiment.toml"), text).unwrap();
    for _ in 0..2 {
        let output = place.path("out");
        let experiment = place.path("experiment.toml");
        let ran = tandem([Path::new("experiment"), "--fresh".as_ref(), &experiment, "-o".as_ref(), &output]);
        assert_eq!(ran.code(), Some(0), "{}", ran.stderr);
        let results = fs::read_to_string(output.join("results.csv")).unwrap();
        assert!(results.contains("TIMEOUT"), "{results}");
        // Time that the run before took is not counted.
        let taken = fs::read_to_string(output.join("results.jsonl")).unwrap();
        let line: serde_json::Value = serde_json::from_str(taken.trim()).unwrap();
        assert!(line["wall_seconds"].as_f64().unwrap() > 0.5 && line["cpu_seconds"].as_f64().unwrap() < 2.5, "{line}");
        place.nothing_is_left();
        let folder = output.join(line["folder"].as_str().unwrap());
        assert!(folder.join("log.txt").is_file() && !folder.join("tmp").exists());
    }
    let id = Folder::open(&place.path("out"), false).unwrap().0.id();
    assert_eq!(groups(Path::new("/sys/fs/cgroup"), &format!("tandem-{id}")), 0);
}

/// How many folders below have a name that begins so.
fn groups(folder: &Path, beginning: &str) -> usize {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let named = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with(beginning);
    folders.map(|entry| usize::from(named(&entry)) + groups(&entry.path(), beginning)).sum()
}
