//! Measures the CPA algorithm with the value analysis on a state machine of four sizes, and on a task of SV-COMP: states a
//! second, the share of time at the plugin boundary, bytes a state. Exit status 1 where a promise is not kept.
#![allow(clippy::print_stdout, reason = "a command prints its result")]

use clap::Parser;
use rustix::time::{ClockId, clock_gettime};
use std::hint::black_box;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;
use tandem::cpa::{End, Exploration};
use tandem::plugins::PluginSearch;
use tandem_plugin_api::abi::SharedTask;
use tandem_plugin_api::descriptor::PluginKind;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::DataModel;
use tandem_tests::conclude;
use tandem_tests::exploring::{self, Product, word};
use tandem_tests::speed::eca;
use tandem_tests::{table, tasks};

const HEAD: &str = "\
CPU time of the thread that explores, without reading the program. `crossings` are calls of the plugin, counted by the host;
their share of the time is their number times the cost of a call that does nothing, measured in the same run: the mean of the
seven kinds of calls that an exploration makes, each about once for a state. `host` is what the graph and its index take, by
the sizes of their parts; `all` is what the process grew by, the plugin's states included.
";

/// Of the time.
const PROMISED_SHARE: f64 = 0.10;
/// Bytes of the host for a state.
const PROMISED_BYTES: f64 = 1024.0;
/// The ratio of the most expensive state to the cheapest: caches get too small, but nothing else may grow.
const PROMISED_GROWTH: f64 = 2.0;

/// Measures the CPA algorithm with the value analysis.
#[derive(Parser)]
struct Settings {
    /// How often each time is taken; the shortest counts
    #[arg(long, value_name = "N", default_value = "3")]
    rounds: NonZeroUsize,
    /// Sizes of the state machine
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_values_t = [5, 15, 50, 150])]
    levels: Vec<u64>,
}

fn main() -> ExitCode {
    conclude(run(&Settings::parse()))
}

/// The measurements of one program.
struct Figures {
    nodes: usize,
    seconds: f64,
    crossings: u64,
    host: usize,
    all: usize,
    verdict: &'static str,
}

impl Figures {
    fn nanoseconds(&self) -> f64 {
        self.seconds * 1e9 / self.nodes as f64
    }

    fn share(&self, crossing: f64) -> f64 {
        self.crossings as f64 * crossing / (self.seconds * 1e9)
    }

    fn row(&self, name: String, crossing: f64) -> Vec<String> {
        let each = |bytes: usize| format!("{:.0}", bytes as f64 / self.nodes as f64);
        vec![
            name,
            self.verdict.into(),
            self.nodes.to_string(),
            format!("{:.3}", self.seconds),
            format!("{:.0}", self.nodes as f64 / self.seconds),
            format!("{:.0}", self.nanoseconds()),
            format!("{:.1}", self.crossings as f64 / self.nodes as f64),
            format!("{:.1} %", self.share(crossing) * 100.0),
            each(self.host),
            each(self.all),
        ]
    }
}

fn run(settings: &Settings) -> std::result::Result<bool, String> {
    let plugins = std::env::current_exe().map_err(|error| error.to_string())?;
    let plugins = plugins.parent().unwrap_or(Path::new("."));
    let (crossing, dearest) = crossing_cost(plugins)?;
    let product = Product::of("value", plugins)?;
    // No memory is freed before the end, so that no size gets the memory of the one before.
    let mut kept = Vec::new();
    let (mut rows, mut sizes, mut worst_share, mut worst_bytes) = (Vec::new(), Vec::new(), 0.0f64, 0.0f64);
    let mut measured = |name: String, task: &SharedTask| {
        eprintln!("measuring {name}");
        let figures = measure(&product, task, settings.rounds.get(), &mut kept)?;
        worst_share = worst_share.max(figures.share(crossing));
        worst_bytes = worst_bytes.max(figures.host as f64 / figures.nodes as f64);
        rows.push(figures.row(name, crossing));
        Ok::<_, String>(figures.nanoseconds())
    };
    for &levels in &settings.levels {
        let program = tandem::frontend::load_text(&eca::machine(levels), "machine.c", DataModel::Ilp32);
        let task = exploring::task_of(program.map_err(|error| error.to_string())?);
        sizes.push(measured(format!("machine, {levels} levels"), &task)?);
    }
    match tasks::benchmark_tasks() {
        Err(_) => eprintln!("no task of SV-COMP is measured, since ../shared is not there"),
        Ok(all) => {
            for task in all.iter().filter(|task| task.category == "ReachSafety-ECA").step_by(3).take(4) {
                measured(task.name.clone(), &exploring::load(&task.source, task.model)?)?;
            }
        }
    }
    let header = ["program", "verdict", "states", "s", "states/s", "ns/state", "crossings", "share", "host B", "all B"];
    println!("{HEAD}\n{}", table::render(&header, &rows));
    let growth = sizes.iter().copied().fold(0.0, f64::max) / sizes.iter().copied().fold(f64::INFINITY, f64::min);
    println!("a crossing that does nothing: {crossing:.1} ns, the dearest kind {dearest:.1} ns");
    println!(
        "at most {:.1} % of the time at the boundary, promised {:.0} %",
        worst_share * 100.0,
        PROMISED_SHARE * 100.0
    );
    println!("at most {worst_bytes:.0} bytes of the host for a state, promised {PROMISED_BYTES:.0}");
    println!("a state of the dearest size costs {growth:.2} times one of the cheapest, promised {PROMISED_GROWTH}");
    Ok(worst_share <= PROMISED_SHARE && worst_bytes <= PROMISED_BYTES && growth <= PROMISED_GROWTH)
}

/// CPU seconds of this thread.
fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Bytes of this process that are in memory.
fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.split_whitespace().next().and_then(|cell| cell.parse::<usize>().ok()).unwrap_or(0) * 1024
}

fn measure(
    product: &Product,
    task: &SharedTask,
    rounds: usize,
    kept: &mut Vec<Exploration>,
) -> std::result::Result<Figures, String> {
    let mut best = f64::INFINITY;
    let mut figures = None;
    for _ in 0..rounds {
        let before = resident();
        let mut run = product.explore(task, None)?;
        let start = cpu_seconds();
        let end = run.go_on(&Inputs::default(), u64::MAX, None)?;
        best = best.min(cpu_seconds() - start);
        if figures.is_none() {
            let exploration = &run.exploration;
            figures = Some(Figures {
                nodes: exploration.arg().len(),
                seconds: best,
                crossings: exploration.product().crossings(),
                host: exploration.bytes(),
                all: resident().saturating_sub(before),
                verdict: word(&run.outcome(&end)),
            });
            if end != End::Complete && !matches!(end, End::TargetReached) {
                return Err(format!("the exploration ended early: {end:?}"));
            }
            kept.push(run.exploration);
        }
    }
    figures.map(|figures| Figures { seconds: best, ..figures }).ok_or_else(|| "no round".into())
}

/// Nanoseconds of a call that does nothing: the mean of the kinds that an exploration makes, and the slowest.
fn crossing_cost(plugins: &Path) -> std::result::Result<(f64, f64), String> {
    let registry = PluginSearch::only(&[plugins.to_path_buf()]).discover();
    let plugin = registry.get(PluginKind::Analysis, "location").map_err(|error| error.to_string())?;
    let task = tandem_plugin_api::kit::testing::two_inputs();
    let options = plugin.options([]).unwrap_or_default();
    let empty = plugin.analysis(&task, &options, &Host::silent()).map_err(|error| error.to_string())?;
    let costs = || {
        let (state, precision) = (empty.initial()?, empty.initial_precision()?);
        let at = LocationId(0);
        let nothing = |_: &Query| Ok(Answer::NoInformation);
        Ok([
            nanoseconds(|| empty.cover_key(black_box(&state)).map(|_| ()))?,
            nanoseconds(|| empty.strengthen(black_box(&state), EdgeId(0), &precision, &nothing).map(|_| ()))?,
            nanoseconds(|| empty.successors(black_box(&state), EdgeId(0), &precision).map(|_| ()))?,
            nanoseconds(|| empty.stop(black_box(&state), &state, &precision).map(|_| ()))?,
            nanoseconds(|| empty.adjust(black_box(&state), at, &precision).map(|_| ()))?,
            nanoseconds(|| empty.partition(black_box(&state)).map(|_| ()))?,
            nanoseconds(|| empty.target(black_box(&state), at).map(|_| ()))?,
        ])
    };
    let costs = costs().map_err(|error: PluginError| error.to_string())?;
    Ok((costs.iter().sum::<f64>() / costs.len() as f64, costs.into_iter().fold(0.0, f64::max)))
}

fn nanoseconds(mut call: impl FnMut() -> Result<()>) -> Result<f64> {
    const CALLS: u32 = 300_000;
    let mut best = f64::INFINITY;
    for _ in 0..7 {
        let start = cpu_seconds();
        for _ in 0..CALLS {
            call()?;
        }
        best = best.min((cpu_seconds() - start) * 1e9 / f64::from(CALLS));
    }
    Ok(best)
}
