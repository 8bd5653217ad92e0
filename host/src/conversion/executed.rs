//! Executes tests to learn which paths they take, which goals they cover, and whether they reach the error.

use super::Content;
use crate::artifact::test_suite;
use crate::coverage::measuring_limits;
use crate::diagnostic::Diagnostic;
use crate::exec::{Executable, Runner};
use crate::replay::{Confirmed, LIMITS, Replayer, confirm, describe};
use crate::services::Log;
use std::collections::BTreeSet;
use std::path::Path;
use tandem_plugin_api::artifact::{TestCase, TestSuite};
use tandem_plugin_api::program::EdgeId;
use tandem_plugin_api::service::LogLevel;
use tandem_plugin_api::service::execution::{Execution, ExecutionOptions, Exit};
use tandem_plugin_api::service::recorded::{TestedRun, tested};
use tandem_plugin_api::task::{Property, Task};

/// In a test with more inputs, all goals are noted as covered after all of them.
const MOST_INPUTS: usize = 2_000;

/// Executes the tests of a suite; goals that they cover are rt, all other goals are candidates.
pub fn content(log: &dyn Log, task: &Task, path: &Path) -> Result<Content, Diagnostic> {
    let suite = test_suite::read(path)?;
    for problem in &suite.problems {
        log.log(LogLevel::Warning, &format!("not used: {problem}"));
    }
    if let Some(metadata) = &suite.metadata {
        let given = metadata.program_hash.trim().to_ascii_lowercase();
        if given.len() == 64 && !task.program.source_sha256.is_empty() && given != task.program.source_sha256 {
            log.log(
                LogLevel::Warning,
                &format!(
                    "the suite was made for another program: its metadata has the hash {given}, this program {}",
                    task.program.source_sha256
                ),
            );
        }
    }
    let mut runner = runner(task)?;
    let replayer = Replayer::new(&task.program);
    let (mut runs, mut recorded, mut covered) = (Vec::new(), TestSuite::new(), BTreeSet::new());
    for named in &suite.tests {
        let result = replayer.run(&mut runner, &named.test, &measuring_limits());
        if let Some(problem) = &result.problem {
            log.log(LogLevel::Warning, &format!("{}: {problem}", named.name));
        }
        log.log(LogLevel::Debug, &format!("{}: {}", named.name, describe(&task.program, &result)));
        let run = tested_run(task, &mut runner, result.exit);
        covered.extend(run.goals.iter().map(|(edge, _)| *edge));
        let covers_error = matches!(result.exit, Exit::Target(_));
        recorded.tests.push(TestCase { covers_error, ..replayer.recorded(&run.inputs) });
        runs.push(run);
    }
    let remaining: Vec<EdgeId> = task.targets.iter().copied().filter(|edge| !covered.contains(edge)).collect();
    let gia = tested(&task.program, &runs, &remaining)
        .map_err(|error| Diagnostic::new(format!("the tests cannot be written as a GIA: {error}")))?;
    Ok(Content { tests: Some(recorded), ..Content::of(gia) })
}

/// A test that reaches the error when executed.
pub fn confirmed(task: &Task, tests: &TestSuite) -> Result<Confirmed, Diagnostic> {
    if task.property == Property::CoverBranches {
        let problem = Diagnostic::new("a violation witness needs a property that names an error function");
        return Err(problem.help("give one with -p"));
    }
    let mut runner = runner(task)?;
    confirm(&task.program, &mut runner, tests, &LIMITS).map_err(|why| {
        Diagnostic::new(format!("there is no violation to witness: {why}"))
            .help("convert a test suite, or a GIA with rt paths, of which one test reaches the error")
    })
}

fn runner(task: &Task) -> Result<Runner, Diagnostic> {
    let ends = if task.property == Property::CoverBranches { Vec::new() } else { task.targets.clone() };
    let options = ExecutionOptions { targets: ends, coverage: true, ..ExecutionOptions::default() };
    let failed = |what: String| {
        Diagnostic::new(format!("the program cannot be executed: {what}")).in_file(task.program.name.clone())
    };
    let executable = Executable::compile(task.program.clone(), &options).map_err(|error| failed(error.to_string()))?;
    Runner::new(executable).map_err(|error| failed(error.to_string()))
}

/// The goals that the last run of the execution covered, each with the number of inputs before it.
fn tested_run(task: &Task, execution: &mut Runner, exit: Exit) -> TestedRun {
    let inputs = execution.consumed().to_vec();
    let edges = taken(execution);
    if let Exit::Target(target) = exit {
        return TestedRun { goals: vec![(target, inputs.len())], inputs, edges };
    }
    if task.property != Property::CoverBranches {
        return TestedRun { goals: Vec::new(), inputs, edges };
    }
    let goals_among =
        |edges: &[EdgeId]| -> BTreeSet<EdgeId> { edges.iter().copied().filter(|edge| task.is_target(*edge)).collect() };
    let mut goals: Vec<(EdgeId, usize)> = Vec::new();
    let mut open = goals_among(&edges);
    if inputs.len() <= MOST_INPUTS {
        // The run covers what comes before the request for the next input, at which it ends.
        let bits: Vec<u64> = inputs.iter().map(|input| input.bits).collect();
        for before in 0..inputs.len() {
            if open.is_empty() {
                break;
            }
            execution.run(&bits[..before], &measuring_limits());
            for edge in goals_among(&taken(execution)) {
                if open.remove(&edge) {
                    goals.push((edge, before));
                }
            }
        }
    }
    goals.extend(open.into_iter().map(|edge| (edge, inputs.len())));
    TestedRun { inputs, goals, edges }
}

fn taken(execution: &Runner) -> Vec<EdgeId> {
    let counted = execution.coverage().iter().enumerate().filter(|(_, count)| **count > 0);
    counted.map(|(edge, _)| EdgeId::new(edge)).collect()
}
