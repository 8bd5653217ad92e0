//! Plugins in processes of their own: their failures cost their own result only, and their results are those of a
//! thread.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};
use tandem::compose::config::{Actor, ActorKind, Isolation, PluginUse};
use tandem::compose::isolated::{Answer, Work, call_by};
use tandem::cpa::Settings;
use tandem::plugins::{PluginSearch, Registry};
use tandem_plugin_api::abi::SharedTask;
use tandem_plugin_api::artifact::Gia;
use tandem_plugin_api::kit::testing;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::service::{Note, Services, StopSignal};
use tandem_tests::command::{binary, root, tandem};
use tandem_tests::tasks::in_parallel;
use tandem_tests::test_plugins::{build_dir, library};

const KINDS: [&str; 5] = ["analysis", "engine", "splitter", "reducer", "adapter"];

/// Each fault, with the message about it.
const FAULTS: [(&str, &str); 12] = [
    ("panic", "panicked on purpose"),
    ("abort", "signal 6 (abort)"),
    ("segmentation-fault", "signal 11 (segmentation fault)"),
    ("stack-overflow", "stack overflow"),
    ("endless-loop", "did not stop when it was asked to"),
    ("endless-allocation", "used more memory than its limit of 300 MB"),
    ("exit", "ended with status 0 and without a result"),
    ("closed-pipe", "its process"),
    ("garbage", "sent bytes that are not a message"),
    ("fork-bomb", "started too many processes"),
    ("ignored-signal", "did not stop when it was asked to"),
    ("slow-output", "did not stop when it was asked to"),
];

fn registry() -> Registry {
    library("fault_engine");
    PluginSearch::only(&[build_dir().join("examples")]).discover()
}

fn work(kind: &str, plugin: PluginUse) -> Work {
    let inputs = Box::<Inputs>::default();
    let actor = |kind| Actor { name: "faulty".into(), kind, limit: None, isolation: Isolation::Thread };
    match kind {
        "analysis" => {
            let kind = ActorKind::Product { analyses: vec![plugin], settings: Settings::default() };
            Work::Actor { actor: actor(kind), inputs }
        }
        "engine" => Work::Actor { actor: actor(ActorKind::Engine(plugin)), inputs },
        "adapter" => Work::Actor { actor: actor(ActorKind::Adapter(plugin)), inputs },
        "reducer" => Work::Reduce { reducer: plugin, known: Gia::nothing_known() },
        _ => Work::Split { splitter: plugin, inputs, parts: 2 },
    }
}

/// A host that is stopped after some time.
struct Impatient(StopSignal);

impl Services for Impatient {
    fn log(&self, _: LogLevel, _: &str) {}

    fn stop_signal(&self) -> StopSignal {
        self.0.clone()
    }

    fn note(&self, _: &Note) {}
}

fn run(
    registry: &Registry,
    task: &SharedTask,
    kind: &str,
    fault: &str,
    patience: Duration,
) -> std::result::Result<Answer, String> {
    let name = format!("fault-{kind}");
    let plugin = registry.named(&name).unwrap();
    let options = plugin.options([("fault".to_string(), OptionValue::Text(fault.to_string()))]).unwrap();
    let stop = StopSignal::new();
    let later = stop.clone();
    thread::spawn(move || {
        thread::sleep(patience);
        later.stop(StopReason::OutOfTime);
    });
    let host = Host::new(Arc::new(Impatient(stop)));
    let work = work(kind, PluginUse { plugin: name, options });
    call_by(&binary(), registry, task, work, Some(300 << 20), &host)
}

/// Processes that were started for isolated plugins of this process.
fn left_over() -> Vec<String> {
    let mark = format!("TANDEM_RUN={}-actor", std::process::id());
    let processes = fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| {
        let environment = fs::read(entry.path().join("environ")).ok()?;
        let marked = String::from_utf8_lossy(&environment).contains(&mark);
        marked.then(|| fs::read_to_string(entry.path().join("cmdline")).unwrap_or_default())
    });
    processes.filter(|command| !command.is_empty()).collect()
}

#[test]
fn whatever_a_plugin_does_costs_its_own_result_only() {
    let (registry, task) = (registry(), testing::two_inputs());
    let cases: Vec<_> = KINDS.iter().flat_map(|kind| FAULTS.map(|(fault, told)| (*kind, fault, told))).collect();
    in_parallel(&cases, 4, |&(kind, fault, told)| {
        let endless = told.contains("did not stop");
        let patience = Duration::from_millis(if endless { 300 } else { 20_000 });
        let begun = Instant::now();
        let failed = run(&registry, &task, kind, fault, patience).err();
        let failed = failed.unwrap_or_else(|| panic!("{kind}, {fault}: answered"));
        assert!(failed.contains(told), "{kind}, {fault}: {failed}");
        assert!(begun.elapsed() < Duration::from_secs(20), "{kind}, {fault} took {:?}", begun.elapsed());
    });
    assert_eq!(left_over(), Vec::<String>::new());
}

#[test]
fn plugins_without_faults_answer_from_their_processes() {
    let (registry, task) = (registry(), testing::two_inputs());
    for kind in KINDS {
        let answer = run(&registry, &task, kind, "none", Duration::from_secs(30));
        let answer = answer.unwrap_or_else(|why| panic!("{kind}: {why}"));
        let fits = match kind {
            "reducer" => matches!(&answer, Answer::Residual(residual) if residual.check(task.program()).is_ok()),
            "splitter" => matches!(&answer, Answer::Bounds(bounds) if bounds.is_empty()),
            _ => matches!(&answer, Answer::Outcome(..)),
        };
        assert!(fits, "{kind} answered something else");
    }
}

fn config(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// An engine that crashes beside one that answers, and on its own.
#[test]
fn the_others_results_are_kept_and_the_verdict_says_who_failed() {
    let folder = tempfile::tempdir().unwrap();
    library("fault_engine");
    let plugins = folder.path().join("plugins");
    fs::create_dir(&plugins).unwrap();
    fs::copy(library("fault_engine"), plugins.join("libfault_engine.so")).unwrap();
    let faulty = "[actor.faulty]\nengine = \"fault-engine\"\nfault-engine.fault = \"segmentation-fault\"\nisolation = \"process\"\n";
    let run = |config: &str| {
        let program = root().join("examples/overdraft.c").display().to_string();
        tandem(["--plugin-dir", &plugins.display().to_string(), "verify", "--limit", "20s", "-c", config, &program])
    };
    let text =
        format!("about = \"x\"\n{faulty}[actor.bmc]\nengine = \"bmc\"\n[run]\nparallel = [\"faulty\", \"bmc\"]\n");
    let both = run(&config(folder.path(), "both.toml", &text));
    assert!(both.stdout.starts_with("Verdict: FALSE"), "{}{}", both.stdout, both.stderr);
    assert!(both.stderr.contains("faulty") && both.stderr.contains("signal 11"), "{}", both.stderr);
    let alone =
        run(&config(folder.path(), "alone.toml", &format!("about = \"x\"\n{faulty}[run]\nactor = \"faulty\"\n")));
    let expected = "Verdict: UNKNOWN (actor `faulty`: its process was ended by signal 11 (segmentation fault))";
    assert!(alone.stdout.starts_with(expected), "{}", alone.stdout);
}

#[test]
fn a_process_finds_what_a_thread_finds() {
    let folder = tempfile::tempdir().unwrap();
    let actors =
        ["analyses = [\"value\"]", "analyses = [\"predicate\"]", "engine = \"k-induction\"", "engine = \"chc\""];
    let programs = ["examples/countdown.c", "examples/overdraft.c"];
    for (number, actor) in actors.iter().enumerate() {
        let file = |isolation: &str| {
            let text =
                format!("about = \"x\"\n[actor.a]\n{actor}\nisolation = \"{isolation}\"\n[run]\nactor = \"a\"\n");
            config(folder.path(), &format!("{number}-{isolation}.toml"), &text)
        };
        let (thread, process) = (file("thread"), file("process"));
        for program in programs {
            let program = root().join(program).display().to_string();
            let answer = |config: &str| tandem(["verify", "--limit", "30s", "-c", config, &program]).stdout;
            assert_eq!(answer(&thread), answer(&process), "{actor} on {program}");
        }
    }
}
