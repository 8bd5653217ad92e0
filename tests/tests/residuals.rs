//! Residual programs of every reducer, executed beside the original, and compiled by gcc. A smaller count than the command
//! `residual_table` has.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;
use tandem::frontend::load_text;
use tandem_plugin_api::abi::{SharedProgram, SharedTask};
use tandem_plugin_api::artifact::Gia;
use tandem_plugin_api::program::{DataModel, Program};
use tandem_plugin_api::task::Property;

use tandem::plugins::PluginSearch;
use tandem::soundness::programs::{errors, memory};
use tandem_tests::residuals::{Comparer, REDUCERS, random, reduce, unread};
use tandem_tests::tasks::{in_parallel, own_programs};
use tandem_tests::test_plugins::build_dir;

fn task(program: Program) -> SharedTask {
    let property = Property::UnreachableCall { function: "reach_error".into() };
    SharedTask::new(&SharedProgram::new(Arc::new(program)), property)
}

/// All reducers on one program with one condition; how many runs were shortened, by reducer.
fn check(name: &str, task: &SharedTask, known: &Gia, gcc: bool) -> Vec<usize> {
    let registry = PluginSearch::only(&[build_dir()]).discover();
    let mut comparer = Comparer::new(task, known, 20_000).unwrap();
    let mut shortened = Vec::new();
    for reducer in REDUCERS {
        let residual = reduce(&registry, reducer, task, known).unwrap_or_else(|why| panic!("{name}, {reducer}: {why}"));
        let found = comparer.compare(&residual, reducer == "slice", 12).unwrap();
        assert!(found.violations.is_empty(), "{name}, {reducer}: {:?}", found.violations);
        if ["fold-cfa", "identity"].contains(&reducer) {
            let bound = task.program().size() + 2 * task.program().functions.len();
            assert!(residual.program.size() <= bound, "{name}, {reducer}: larger than the original");
        }
        if gcc {
            assert_eq!(unread(&residual.program, false), Vec::<String>::new(), "{name}, {reducer}");
        }
        shortened.push(found.shortened);
    }
    shortened
}

#[test]
fn residual_programs_follow_what_is_not_covered() {
    let seeds: Vec<u64> = (0..60).collect();
    let shortened = in_parallel(&seeds, 2, |&seed| {
        let model = if seed.is_multiple_of(2) { DataModel::Lp64 } else { DataModel::Ilp32 };
        let program = load_text(&memory::program(seed), "random.c", model).unwrap();
        let task = task(program);
        let known = random::condition(task.program(), seed).unwrap();
        check(&format!("seed {seed}"), &task, &known, seed < 20)
    });
    let sum = |at: usize| shortened.iter().map(|list| list[at]).sum::<usize>();
    assert_eq!(sum(0), 0, "IDENTITY shortens no run");
    assert!(sum(1) > 50, "REDUCER shortened only {} runs", sum(1));
}

#[test]
fn our_own_programs_have_residual_ones() {
    let tasks = own_programs().unwrap();
    let checked = in_parallel(&tasks, 2, |own| {
        let text = std::fs::read_to_string(&own.source).unwrap();
        // Programs with directives need the preprocessor, and programs with unsupported code cannot be executed.
        let Ok(program) = load_text(&text, "test.c", own.model) else { return false };
        let task = task(program);
        let Ok(known) = random::condition(task.program(), 7) else { return false };
        check(&own.name, &task, &known, true);
        true
    });
    let count = checked.into_iter().filter(|done| *done).count();
    assert!(count > 30, "only {count} programs");
}

/// Random programs with errors: a slice reaches them with the inputs with which the original does, and no others.
#[test]
fn slices_reach_the_same_targets() {
    let seeds: Vec<u64> = (0..50).collect();
    let shortened = in_parallel(&seeds, 2, |&seed| {
        let task = task(load_text(&errors::program(seed), "random.c", DataModel::Lp64).unwrap());
        let registry = PluginSearch::only(&[build_dir()]).discover();
        let residual = reduce(&registry, "slice", &task, &Gia::silent()).unwrap();
        let found = Comparer::new(&task, &Gia::silent(), 20_000).unwrap().compare(&residual, true, 12).unwrap();
        assert!(found.violations.is_empty(), "seed {seed}: {:?}", found.violations);
        found.shortened
    });
    assert!(shortened.iter().sum::<usize>() > 20, "slices lack next to nothing: {shortened:?}");
}

#[test]
fn a_slice_lacks_what_no_target_depends_on() {
    let text = "
        extern int __VERIFIER_nondet_int(void);
        void reach_error(void) {}
        int twice(int x) { return 2 * x; }
        int main(void) {
            int n = __VERIFIER_nondet_int(), sum = 0, i = 0;
            while (i < n) { if (i > 3) sum += twice(i); else sum--; i++; }
            if (n > 5) sum = 0;
            if (n == 7) reach_error();
            return sum;
        }";
    let task = task(load_text(text, "idle.c", DataModel::Lp64).unwrap());
    let registry = PluginSearch::only(&[build_dir()]).discover();
    let residual = reduce(&registry, "slice", &task, &Gia::silent()).unwrap();
    let reached = residual.program.reachable_locations();
    let branches: Vec<_> = (0..reached.len())
        .filter(|&at| reached[at] && residual.program.locations[at].leaving.len() > 1)
        .map(|at| residual.program.edge(residual.program.locations[at].leaving[0]).span.line)
        .collect();
    assert_eq!(branches, [9], "only the last branch decides whether the error is reached");
    assert!(2 * residual.program.size() < task.program().size());
}
