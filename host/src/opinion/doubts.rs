//! Finds our runs that gcc's build need not repeat: those through inline assembly, and those that depend on uninitialised memory.

use crate::exec::{Executable, Runner};
use crate::replay;
use tandem_plugin_api::program::{EdgeId, Op};
use tandem_plugin_api::service::execution::{Execution, ExecutionOptions, Exit};
use tandem_plugin_api::task::Task;

/// The number of runs with different junk in uninitialised memory.
const JUNK_RUNS: usize = 4;

/// The line of inline assembly that the run goes through and that writes something, if there is one.
pub fn line_of_assembly(task: &Task, inputs: &[u64]) -> Option<u32> {
    let program = &task.program;
    let writes = |edge: &EdgeId| matches!(program.edge(*edge).op, Op::Havoc { .. });
    let targets: Vec<EdgeId> = (0..program.edges.len()).map(EdgeId::new).filter(writes).collect();
    if targets.is_empty() {
        return None;
    }
    let options = ExecutionOptions { targets, ..ExecutionOptions::default() };
    let mut runner = Runner::new(Executable::compile(program.clone(), &options).ok()?).ok()?;
    match runner.run(inputs, &replay::LIMITS) {
        Exit::Target(edge) => Some(program.edge(edge).span.line),
        _ => None,
    }
}

/// Whether our own run goes another way if uninitialised variables have other values.
pub fn depends_on_junk(task: &Task, inputs: &[u64]) -> bool {
    let options = ExecutionOptions { targets: task.targets.clone(), junk: true, ..ExecutionOptions::default() };
    let Ok(executable) = Executable::compile(task.program.clone(), &options) else { return false };
    let Ok(mut runner) = Runner::new(executable) else { return false };
    (0..JUNK_RUNS).any(|_| !matches!(runner.run(inputs, &replay::LIMITS), Exit::Target(_) | Exit::Cancelled(_)))
}
