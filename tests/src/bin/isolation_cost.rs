//! The cost of a process of its own for an actor, compared with a thread, in one run: starting it, and passing a GIA of
//! 10,000 states there and back.
//! `cargo build --release --workspace --examples`, then `cargo run --release -p tandem-tests --bin isolation_cost`
#![allow(clippy::print_stdout, reason = "a command prints its result")]

use clap::Parser;
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tandem::compose::config::{Actor, ActorKind, Isolation, PluginUse};
use tandem::compose::isolated::{Answer, Work, call_by};
use tandem::plugins::{PluginSearch, Registry};
use tandem_plugin_api::abi::SharedTask;
use tandem_plugin_api::artifact::{Acceptance, Condition, Gia, GiaBuilder};
use tandem_plugin_api::kit::testing;
use tandem_plugin_api::prelude::*;
use tandem_tests::command::binary;
use tandem_tests::conclude;
use tandem_tests::test_plugins::build_dir;

const ENGINE: &str = "fault-engine";

/// The cost of a process of its own for an actor, compared with a thread: starting it, and passing a GIA of 10,000
/// states there and back.
#[derive(Parser)]
struct Settings {
    /// How often each is measured; the median counts
    #[arg(long, value_name = "N", default_value = "40")]
    runs: NonZeroUsize,
}

fn main() -> ExitCode {
    conclude(measure(Settings::parse().runs.get()).map(|()| true))
}

fn measure(runs: usize) -> std::result::Result<(), String> {
    let registry = PluginSearch::only(&[build_dir().join("examples")]).discover();
    let task = testing::two_inputs();
    let (small, large) = (Gia::nothing_known(), chain(&task, 10_000)?);
    let thread = |gia: &Gia| median(runs, || in_thread(&registry, &task, gia));
    let process = |gia: &Gia| median(runs, || in_process(&registry, &task, gia));
    let (empty_thread, empty_process) = (thread(&small)?, process(&small)?);
    let (full_thread, full_process) = (thread(&large)?, process(&large)?);
    let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
    println!("median of {runs} runs, in ms       thread   process");
    println!("instance, run, end              {:8.2} {:9.2}", milliseconds(empty_thread), milliseconds(empty_process));
    println!("with a GIA of 10,000 states     {:8.2} {:9.2}", milliseconds(full_thread), milliseconds(full_process));
    println!("start of a process              {:18.2}", milliseconds(empty_process.saturating_sub(empty_thread)));
    let exchange = [full_thread.saturating_sub(empty_thread), full_process.saturating_sub(empty_process)];
    println!("the GIA there and back          {:8.2} {:9.2}", milliseconds(exchange[0]), milliseconds(exchange[1]));
    Ok(())
}

fn median(
    runs: usize,
    mut work: impl FnMut() -> std::result::Result<(), String>,
) -> std::result::Result<Duration, String> {
    let mut times = Vec::new();
    for _ in 0..runs {
        let begun = Instant::now();
        work()?;
        times.push(begun.elapsed());
    }
    times.sort_unstable();
    times.get(runs / 2).copied().ok_or_else(|| "nothing was measured".to_string())
}

/// An automaton that counts edges.
fn chain(task: &SharedTask, length: usize) -> std::result::Result<Gia, String> {
    let mut builder = GiaBuilder::new();
    let first = builder.state("0", Acceptance::None);
    let mut at = first;
    let edges = task.program().edges.len();
    for number in 1..length {
        let next = builder.state(number.to_string(), Acceptance::None);
        builder.transition(at, EdgeId::new(number % edges), Condition::always(), next);
        at = next;
    }
    builder.build(first).map_err(|error| error.to_string())
}

fn in_thread(registry: &Registry, task: &SharedTask, gia: &Gia) -> std::result::Result<(), String> {
    let plugin = registry.get(PluginKind::Engine, ENGINE).map_err(|error| error.to_string())?;
    let inputs = Inputs { gia: gia.clone(), ..Inputs::default() };
    let work = || -> Result<Outcome> {
        let options = plugin.options([]).unwrap_or_default();
        plugin.worker(task, &options, &Host::silent())?.run(&inputs, &Host::silent())
    };
    let outcome = std::thread::scope(|scope| scope.spawn(work).join());
    match outcome {
        Ok(Ok(outcome)) if outcome.gia.as_ref() == Some(gia) => Ok(()),
        _ => Err("the thread did not give the GIA back".to_string()),
    }
}

fn in_process(registry: &Registry, task: &SharedTask, gia: &Gia) -> std::result::Result<(), String> {
    let plugin = registry.get(PluginKind::Engine, ENGINE).map_err(|error| error.to_string())?;
    let options = plugin.options([]).unwrap_or_default();
    let kind = ActorKind::Engine(PluginUse { plugin: ENGINE.to_string(), options });
    let actor = Actor { name: "echo".to_string(), kind, limit: None, isolation: Isolation::Thread };
    let inputs = Box::new(Inputs { gia: gia.clone(), ..Inputs::default() });
    let answer = call_by(&binary(), registry, task, Work::Actor { actor, inputs }, None, &Host::silent())?;
    match answer {
        Answer::Outcome(outcome, _) if outcome.gia.as_ref() == Some(gia) => Ok(()),
        _ => Err("the process did not give the GIA back".to_string()),
    }
}
