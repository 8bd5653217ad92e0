//! Benches of cooperation: passing a GIA from one actor to the next, combining two, and reducing a program by one.
//! `cargo bench -p tandem-tests --bench gia`

#![allow(clippy::expect_used, reason = "a bench fails by panicking")]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use tandem_plugin_api::abi::SharedTask;
use tandem_plugin_api::artifact::{Acceptance, Condition, Gia, GiaBuilder, Outcome};
use tandem_plugin_api::kit::residual::{Bounds, Folding, Reduction, reduce};
use tandem_plugin_api::kit::testing::{self, ProgramBuilder};
use tandem_plugin_api::prelude::*;

const SIZES: [usize; 3] = [1_000, 10_000, 100_000];

/// A ladder of branches, each of which may leave; and automata that follow it rung by rung.
fn ladder(rungs: usize) -> SharedTask {
    let mut builder = ProgramBuilder::new("ladder.c");
    let main = builder.function("main");
    let error = builder.declare("reach_error");
    let x = builder.local(main, "x");
    let place = builder.variable(x);
    let (mut at, exit) = builder.body(main);
    for rung in 0..rungs {
        let (next, side) = (builder.location(main), builder.location(main));
        let value = builder.int(rung as i128);
        let condition = builder.binary(tandem_plugin_api::program::BinaryOp::Eq, place, value);
        builder.branch(at, condition, side, next);
        builder.call(side, exit, error, &[]);
        at = next;
    }
    builder.edge(at, exit, Op::Skip);
    testing::task(builder.finish(main))
}

/// Follows the ladder; every rung whose number has this remainder modulo 3 is proven.
fn automaton(task: &SharedTask, remainder: usize) -> Gia {
    let program = task.program();
    let mut builder = GiaBuilder::new();
    let proven = builder.sink("proven", Acceptance::Ut);
    let first = builder.state("0", Acceptance::None);
    let mut state = first;
    let mut at = program.entry().expect("there is a main");
    let mut rung = 0;
    while let [side, next] = program.location(at).leaving[..] {
        let after = builder.state(format!("{}", rung + 1), Acceptance::None);
        if rung % 3 == remainder {
            builder.transition(state, side, Condition::always(), proven);
        }
        builder.transition(state, next, Condition::always(), after);
        (state, at, rung) = (after, program.edge(next).to, rung + 1);
    }
    builder.build(first).expect("it is well-formed")
}

/// Returns its input unchanged, so that only the way there and back is measured.
struct Echo;

impl Plugin for Echo {
    type Kind = kind::Engine;

    fn descriptor() -> Descriptor {
        Descriptor::of::<Self>("echo", "1.0.0", "Gives back the GIA that it gets.")
    }

    fn new(_: &Setup) -> Result<Self> {
        Ok(Echo)
    }
}

impl Engine for Echo {
    fn run(&mut self, _: &Task, inputs: &Inputs, _: &Host) -> Result<Outcome> {
        let mut outcome = Outcome::unknown("nothing was done");
        outcome.gia = Some(inputs.gia.clone());
        Ok(outcome)
    }
}

fn exchange(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("exchange, there and back");
    for size in SIZES {
        let task = ladder(size);
        let inputs = Inputs { gia: automaton(&task, 0), ..Inputs::default() };
        let mut echo = testing::worker::<Echo>(&task, &[]).expect("it starts");
        group.throughput(Throughput::Elements(size as u64)).sample_size(20);
        group.bench_function(BenchmarkId::from_parameter(size), |bencher| {
            bencher.iter(|| black_box(echo.run(&inputs, &Host::silent()).expect("it answers")));
        });
    }
}

fn combine(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("combine");
    for size in SIZES {
        let task = ladder(size);
        let (first, second) = (automaton(&task, 0), automaton(&task, 1));
        group.throughput(Throughput::Elements(size as u64)).sample_size(10);
        group.bench_function(BenchmarkId::from_parameter(size), |bencher| {
            bencher.iter(|| black_box(first.combine(&second).expect("they agree")));
        });
    }
}

fn reduction(criterion: &mut Criterion) {
    let foldings = [
        ("product", Folding::Nothing),
        ("fold-cfa", Folding::Everywhere),
        ("fold-loop", Folding::LoopHeads),
        ("fold-loop-bound", Folding::Iterations(3)),
        ("fold-except-loops", Folding::ExceptLoopHeads),
    ];
    for (name, folding) in foldings {
        let mut group = criterion.benchmark_group(format!("reduce, {name}"));
        for size in SIZES {
            let task = ladder(size);
            let known = automaton(&task, 0);
            let how = Reduction {
                folding,
                bounds: Bounds { locations: usize::MAX, clones: 8, growth: None },
                branches: true,
            };
            group.throughput(Throughput::Elements(size as u64)).sample_size(10);
            group.bench_function(BenchmarkId::from_parameter(size), |bencher| {
                bencher.iter(|| {
                    let residual = reduce(task.task(), &known, Covered::Ut, &how, &Host::silent());
                    black_box(residual.expect("it is finite"))
                });
            });
        }
    }
}

criterion_group!(benches, exchange, combine, reduction);
criterion_main!(benches);
