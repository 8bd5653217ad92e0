//! Benches of native execution: compiling, long runs, and short runs with what a fuzzer needs.
//! `cargo bench -p tandem-tests`; the table against gcc and AFL++ is the command `execution_speed`.

#![allow(clippy::expect_used, reason = "a bench fails by panicking")]

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use tandem::exec::Executable;
use tandem_plugin_api::program::DataModel;
use tandem_plugin_api::service::execution::{Execution, RunLimits};
use tandem_tests::speed::{UNLIMITED, fuzzing_options, plain_options, programs, runner};

/// From a program to machine code, with edges counted.
fn compile(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("compile");
    for program in programs() {
        let loaded = program.load(DataModel::Lp64).expect("it is read");
        let options = fuzzing_options(&loaded);
        group.throughput(Throughput::Elements(program.lines() as u64)).sample_size(20);
        group.bench_function(program.name, |bencher| {
            let compile = |loaded| Executable::compile(loaded, &options).expect("it compiles");
            bencher.iter_batched(|| loaded.clone(), compile, BatchSize::SmallInput);
        });
    }
}

/// A twentieth of the long run.
fn long_run(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("long run");
    for program in programs() {
        let loaded = program.load(DataModel::Lp64).expect("it is read");
        let mut runner = runner(&loaded, &plain_options(&loaded)).expect("it runs");
        let inputs = program.inputs(program.rounds / 20);
        group.throughput(Throughput::Elements(program.rounds / 20)).sample_size(20);
        group.bench_function(program.name, |bencher| bencher.iter(|| black_box(runner.run(&inputs, &UNLIMITED))));
    }
}

/// A short run, memory reset and edges counted.
fn short_run(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("short run");
    let limits = RunLimits::default();
    for program in programs() {
        let loaded = program.load(DataModel::Lp64).expect("it is read");
        let mut runner = runner(&loaded, &fuzzing_options(&loaded)).expect("it runs");
        let inputs = program.short_run();
        group.throughput(Throughput::Elements(1));
        group.bench_function(program.name, |bencher| bencher.iter(|| black_box(runner.run(&inputs, &limits))));
    }
}

criterion_group!(benches, compile, long_run, short_run);
criterion_main!(benches);
