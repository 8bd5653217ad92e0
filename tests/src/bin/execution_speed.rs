//! Measures native execution on nine programs: compile time, long runs against `gcc -O1`, and short runs against AFL++ in
//! persistent mode. Prints one table; exit status 1 where a promise is not kept.
#![allow(clippy::print_stdout, reason = "a command prints its result")]

use clap::Parser;
use rustix::time::{ClockId, clock_gettime};
use std::hint::black_box;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tandem::exec::{Executable, Runner};
use tandem_plugin_api::program::DataModel;
use tandem_plugin_api::service::execution::{Execution, Exit, HIT_COUNT_CLASSES, RunLimits};
use tandem_tests::conclude;
use tandem_tests::speed::gcc::GccBuild;
use tandem_tests::speed::{
    SHORT_ROUNDS, SpeedProgram, UNLIMITED, afl, fuzzing_options, plain_options, programs, runner,
};
use tandem_tests::table;

/// The fuzzers run in turns; the best of each counts, since other load on the machine only ever slows down.
const CAMPAIGNS: usize = 2;

/// A long run takes at most this many times as long as gcc's build.
const PROMISED_RUN: f64 = 2.5;
/// At least this many times AFL++'s executions.
const PROMISED_EXECUTIONS: f64 = 20.0;
/// At most this many milliseconds for 1,000 lines.
const PROMISED_COMPILE: f64 = 100.0;

const HEAD: &str = "\
(a) long runs, CPU time: one run to the end of its loops; tandem's time divided by that of gcc -O1 for the same data model.
    `counting` is the same (LP64) with the counters of edges that a fuzzer needs and gcc's build has not.
(b) short runs a second, wall time, LP64, in turns, the better of two: AFL++ in persistent mode with test cases in shared
    memory (execs_per_sec of its campaign) against tandem with edges counted, memory reset for every run and the counters
    looked through after it; its inputs are the test cases that AFL++ kept, each time with one value changed. A machine
    with other work to do makes the ratio smaller: AFL++'s two processes get twice the time of tandem's one.
(c) compile time, wall time, LP64 with edges counted: `read` is text to program, `native` is program to machine code.
";

/// Measures native execution: compile time, long runs against `gcc -O1`, and short runs against AFL++.
#[derive(Parser)]
struct Settings {
    /// Only programs whose name contains this
    #[arg(long = "program", value_name = "PATTERN", default_value = "")]
    pattern: String,
    /// How long each fuzzer runs on each program, twice
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    seconds: u32,
    /// How often each time is taken; the shortest counts
    #[arg(long, value_name = "N", default_value = "7")]
    rounds: NonZeroUsize,
}

fn main() -> ExitCode {
    conclude(run(&Settings::parse()))
}

fn run(settings: &Settings) -> Result<bool, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("a temporary folder: {error}"))?;
    let has_afl = afl::is_installed();
    if !has_afl {
        println!("AFL++ is not installed (Debian: afl++), so (b) is left out.");
    }
    let mut rows = Vec::new();
    let mut worst = Figures { long: 0.0, short: f64::INFINITY, compile: 0.0 };
    for program in programs().iter().filter(|p| p.name.contains(&settings.pattern)) {
        eprintln!("measuring {}", program.name);
        let mut row = vec![program.name.to_string(), program.size.into(), program.lines().to_string()];
        worst.compile = worst.compile.max(compile_cells(program, settings, &mut row)?);
        worst.long = worst.long.max(long_cells(program, settings, folder.path(), &mut row)?);
        if has_afl {
            worst.short = worst.short.min(short_cells(program, settings, folder.path(), &mut row)?);
        }
        rows.push(row);
    }
    let header = [
        "program",
        "size",
        "lines",
        "read ms",
        "native ms",
        "(c) ms/1000",
        "gcc ms",
        "(a) LP64",
        "(a) ILP32",
        "counting",
        "AFL++ /s",
        "tandem /s",
        "(b) ratio",
    ];
    println!("{HEAD}\n{}", table::render(&header, &rows));
    println!("load of the machine: {}", load());
    Ok(worst.report(has_afl))
}

fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().take(3).collect::<Vec<_>>().join(" ")
}

/// The worst of each kind.
struct Figures {
    long: f64,
    short: f64,
    compile: f64,
}

impl Figures {
    fn report(&self, has_afl: bool) -> bool {
        println!("(a) at most {:.2} times gcc -O1, promised {PROMISED_RUN}", self.long);
        if has_afl {
            println!("(b) at least {:.1} times AFL++, promised {PROMISED_EXECUTIONS}", self.short);
        }
        println!("(c) at most {:.1} ms for 1,000 lines, promised {PROMISED_COMPILE}", self.compile);
        self.long <= PROMISED_RUN && (!has_afl || self.short >= PROMISED_EXECUTIONS) && self.compile <= PROMISED_COMPILE
    }
}

/// The shortest time: other load on the machine only ever adds.
fn shortest(rounds: usize, mut seconds: impl FnMut() -> Result<f64, String>) -> Result<f64, String> {
    (0..rounds).try_fold(f64::INFINITY, |best, _| Ok(best.min(seconds()?)))
}

/// (c): milliseconds for 1,000 lines.
fn compile_cells(program: &SpeedProgram, settings: &Settings, row: &mut Vec<String>) -> Result<f64, String> {
    let read = shortest(settings.rounds.get(), || {
        let start = Instant::now();
        black_box(program.load(DataModel::Lp64)?);
        Ok(start.elapsed().as_secs_f64() * 1e3)
    })?;
    let loaded = program.load(DataModel::Lp64)?;
    let options = fuzzing_options(&loaded);
    let native = shortest(settings.rounds.get(), || {
        let start = Instant::now();
        black_box(Executable::compile(loaded.clone(), &options).map_err(|error| error.to_string())?);
        Ok(start.elapsed().as_secs_f64() * 1e3)
    })?;
    let figure = (read + native) * 1e3 / program.lines() as f64;
    row.extend([read, native, figure].map(|value| format!("{value:.1}")));
    Ok(figure)
}

/// CPU seconds of this thread.
fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// One run to its end, with its CPU time.
fn long_run(runner: &mut Runner, program: &SpeedProgram, expected: i32) -> Result<f64, String> {
    let start = cpu_seconds();
    let exit = runner.run(&program.long_run(), &UNLIMITED);
    let seconds = cpu_seconds() - start;
    match exit {
        Exit::Returned(result) if result == expected => Ok(seconds),
        other => Err(format!("{}: {other}, but gcc's build returned {expected}", program.name)),
    }
}

/// (a): the larger ratio of the two data models. Both sides are measured in turns.
fn long_cells(
    program: &SpeedProgram,
    settings: &Settings,
    folder: &Path,
    row: &mut Vec<String>,
) -> Result<f64, String> {
    let (mut worst, mut counting) = (0.0f64, 0.0);
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let build = GccBuild::new(program, model, folder)?;
        let loaded = program.load(model)?;
        let mut plain = runner(&loaded, &plain_options(&loaded))?;
        let mut counted = runner(&loaded, &fuzzing_options(&loaded))?;
        let mut best = [f64::INFINITY; 3];
        for _ in 0..settings.rounds.get() {
            let gcc = build.run(&program.long_run())?;
            let ours = [&mut plain, &mut counted].map(|runner| long_run(runner, program, gcc.result));
            let [plain, counted] = ours;
            for (best, seconds) in best.iter_mut().zip([gcc.seconds, plain?, counted?]) {
                *best = best.min(seconds);
            }
        }
        let ratio = best[1] / best[0];
        worst = worst.max(ratio);
        if model == DataModel::Lp64 {
            row.push(format!("{:.1}", best[0] * 1e3));
            counting = best[2] / best[0];
        }
        row.push(format!("{ratio:.2}"));
    }
    row.push(format!("{counting:.2}"));
    Ok(worst)
}

/// (b): tandem's executions per second divided by AFL++'s.
fn short_cells(
    program: &SpeedProgram,
    settings: &Settings,
    folder: &Path,
    row: &mut Vec<String>,
) -> Result<f64, String> {
    let loaded = program.load(DataModel::Lp64)?;
    let mut runner = runner(&loaded, &fuzzing_options(&loaded))?;
    let (mut theirs, mut ours) = (0.0f64, 0.0f64);
    for _ in 0..CAMPAIGNS {
        let campaign = afl::fuzz(program, settings.seconds, folder)?;
        theirs = theirs.max(campaign.executions_per_second);
        let duration = Duration::from_secs(settings.seconds.into());
        ours = ours.max(executions_per_second(&mut runner, campaign.corpus, duration));
    }
    let ratio = ours / theirs;
    row.extend([format!("{theirs:.0}"), format!("{ours:.0}"), format!("{ratio:.1}")]);
    Ok(ratio)
}

fn executions_per_second(runner: &mut Runner, mut corpus: Vec<Vec<u64>>, duration: Duration) -> f64 {
    let (mut random, mut executions) = (1u64, 0u64);
    let mut seen = vec![0u8; runner.coverage().len()];
    let limits = RunLimits::default();
    let start = Instant::now();
    while start.elapsed() < duration && !corpus.is_empty() {
        // The clock is read only now and then.
        for _ in 0..=1000 / corpus.len() {
            for inputs in &mut corpus {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                change(inputs, random);
                black_box(runner.run(inputs, &limits));
                black_box(look(runner.coverage(), &mut seen));
                executions += 1;
            }
        }
    }
    executions as f64 / start.elapsed().as_secs_f64()
}

/// Another value at some place, and few rounds.
fn change(inputs: &mut [u64], random: u64) {
    let at = (random >> 33) as usize % inputs.len().max(1);
    if let Some(value) = inputs.get_mut(at) {
        *value = random >> 20 & 0xFFFF_FFFF;
    }
    if let Some(rounds) = inputs.first_mut() {
        *rounds &= SHORT_ROUNDS - 1;
    }
}

/// Whether a run counted an edge as often as never before, as a fuzzer asks after each run.
#[inline(never)]
fn look(counts: &[u8], seen: &mut [u8]) -> bool {
    let (lines, rest) = counts.as_chunks::<64>();
    let (seen_lines, seen_rest) = seen.as_chunks_mut::<64>();
    let mut new = 0;
    for (line, seen_line) in lines.iter().zip(seen_lines) {
        // Most edges of a large program are not taken: many of them at once.
        if line.iter().fold(0, |all, count| all | count) == 0 {
            continue;
        }
        for (word, seen) in line.as_chunks::<8>().0.iter().zip(seen_line.as_chunks_mut::<8>().0) {
            if u64::from_ne_bytes(*word) == 0 {
                continue;
            }
            let classes = u64::from_ne_bytes(word.map(|count| HIT_COUNT_CLASSES[count as usize]));
            let before = u64::from_ne_bytes(*seen);
            new |= classes & !before;
            *seen = (classes | before).to_ne_bytes();
        }
    }
    for (&count, seen) in rest.iter().zip(seen_rest) {
        let class = HIT_COUNT_CLASSES[count as usize];
        new |= u64::from(class & !*seen);
        *seen |= class;
    }
    new != 0
}
