//! Printed programs behave as the originals: our own programs, and a sample of the benchmark tasks.
//! In full: `cargo run --release -p tandem-tests --bin differential`.

use std::time::{Duration, Instant};
use tandem_plugin_api::kit::testing::skip;
use tandem_plugin_api::program::{DataModel, Op, Program};
use tandem_tests::differential::{Settings, Toolchain, Verdict, check, check_program, summary};
use tandem_tests::tasks::{Task, benchmark_tasks, in_parallel, own_programs};

const MODELS: [DataModel; 2] = [DataModel::Ilp32, DataModel::Lp64];

/// The sample ends here, whatever the machine: the suite must stay within two minutes.
const LONGEST_SAMPLE: Duration = Duration::from_secs(70);

fn toolchain() -> Option<Toolchain> {
    match Toolchain::new(&MODELS) {
        Ok(toolchain) => Some(toolchain),
        Err(reason) => {
            skip(&reason.to_string());
            None
        }
    }
}

fn assert_same(tasks: &[Task], settings: &Settings) {
    let Some(toolchain) = toolchain() else { return };
    let start = Instant::now();
    let outcomes =
        in_parallel(tasks, 2, |task| (start.elapsed() < LONGEST_SAMPLE).then(|| check(task, &toolchain, settings)));
    let outcomes: Vec<_> = outcomes.into_iter().flatten().collect();
    let report = summary(&outcomes);
    eprintln!("{}\n{} of {} tasks compared in time", report.text, outcomes.len(), tasks.len());
    assert_eq!(report.failures, 0, "{}", report.text);
}

#[test]
fn own_programs_mean_the_same_when_printed() {
    let tasks = own_programs().expect("tests/programs is part of the project");
    assert!(tasks.len() >= 40);
    assert_same(&tasks, &Settings::default());
}

#[test]
fn a_sample_of_benchmark_tasks_means_the_same_when_printed() {
    match benchmark_tasks() {
        // Prime to the sizes of the categories, so that each is met.
        Ok(tasks) => {
            let sample: Vec<Task> = tasks.into_iter().step_by(17).collect();
            assert_same(&sample, &Settings { vectors: 20, milliseconds: 50, ..Settings::default() });
        }
        Err(reason) => eprintln!("skipped: {reason}"),
    }
}

/// Exchanges the two sides of the `n`-th branch.
fn with_exchanged_branch(mut program: Program, n: usize) -> Option<Program> {
    let branching = program.locations.iter().filter(|location| {
        location.leaving.len() == 2
            && location.leaving.iter().all(|&edge| matches!(program.edge(edge).op, Op::Assume { .. }))
    });
    let edges = branching.map(|location| location.leaving.clone()).nth(n)?;
    for edge in edges {
        if let Op::Assume { holds, .. } = &mut program.edges[edge.index()].op {
            *holds = !*holds;
        }
    }
    Some(program)
}

#[test]
fn a_program_that_means_something_else_is_noticed() {
    let Some(toolchain) = toolchain() else { return };
    let tasks = own_programs().expect("tests/programs is part of the project");
    let task = tasks.iter().find(|task| task.name.contains("loops.c")).expect("loops.c is there");
    let program = tandem::frontend::load(&task.source, task.model).expect("loops.c is read");
    for n in 0..4 {
        let changed = with_exchanged_branch(program.clone(), n).expect("loops.c has branches");
        let outcome = check_program(task, changed, &toolchain, &Settings::default());
        assert!(matches!(outcome.verdict, Verdict::Different { .. }), "branch {n}: {:?}", outcome.verdict);
    }
}
