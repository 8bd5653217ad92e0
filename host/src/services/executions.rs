//! Compiled programs that actors share: compiling takes long, so the same program is compiled once for the same options. Runs that
//! reached a target are remembered: a target that was executed once is not executed again to confirm it or to write a witness.

use super::Execute;
use crate::exec::{Executable, Runner};
use crate::replay::{Confirmed, reaching};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tandem_plugin_api::artifact::TestSuite;
use tandem_plugin_api::error::{PluginError, Result};
use tandem_plugin_api::program::Program;
use tandem_plugin_api::service::StopSignal;
use tandem_plugin_api::service::execution::{
    ComparedValues, ConsumedInput, Execution, ExecutionOptions, Exit, RunLimits,
};
use tandem_plugin_api::task::Task;

/// So many runs are remembered, and none that read more inputs: those are executed again.
const MOST_RUNS: usize = 16;
const MOST_INPUTS: usize = 100_000;

/// The result of compiling; an error is remembered as well.
type Compiled = OnceLock<std::result::Result<Arc<Executable>, String>>;

/// The executables of one program.
pub struct Executions {
    program: Arc<Program>,
    /// Few options are in use at a time, so that a list does.
    compiled: Mutex<Vec<(ExecutionOptions, Arc<Compiled>)>>,
    /// Runs that reached a target.
    reached: Mutex<Vec<Confirmed>>,
}

impl Executions {
    pub fn of(program: &Arc<Program>) -> Arc<Self> {
        Arc::new(Executions { program: program.clone(), compiled: Mutex::default(), reached: Mutex::default() })
    }

    pub fn program(&self) -> Arc<Program> {
        self.program.clone()
    }

    /// A run that reached a target of this task with the inputs of one of these tests.
    pub fn reached(&self, task: &Task, tests: &TestSuite) -> Option<Confirmed> {
        let reached = self.reached.lock().unwrap_or_else(PoisonError::into_inner);
        let is_claimed = |run: &&Confirmed| {
            task.is_target(run.target) && tests.tests.iter().any(|test| test.values().eq(run.test.values()))
        };
        reached.iter().find(is_claimed).cloned()
    }

    fn remember(&self, runner: &Runner, exit: Exit) {
        let Exit::Target(target) = exit else { return };
        let mut reached = self.reached.lock().unwrap_or_else(PoisonError::into_inner);
        if reached.len() < MOST_RUNS && runner.consumed().len() <= MOST_INPUTS {
            reached.push(reaching(&self.program, runner, target));
        }
    }

    fn executable(&self, options: &ExecutionOptions) -> Result<Arc<Executable>> {
        let slot = self.slot(options);
        // A request for the same options waits here meanwhile; requests for other options do not.
        let compiled =
            slot.get_or_init(|| Executable::compile(self.program.clone(), options).map_err(|error| error.message));
        compiled.clone().map_err(|message| cannot(&message))
    }

    fn slot(&self, options: &ExecutionOptions) -> Arc<Compiled> {
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, slot)) = compiled.iter().find(|(known, _)| known == options) {
            return slot.clone();
        }
        let slot = Arc::new(Compiled::new());
        compiled.push((options.clone(), slot.clone()));
        slot
    }
}

impl Execute for Arc<Executions> {
    fn start(&self, options: &ExecutionOptions, stop: StopSignal) -> Result<Box<dyn Execution>> {
        let executable = self.executable(options)?;
        let runner = Runner::with_stop_signal(executable, stop).map_err(|error| cannot(&error.message))?;
        // What uninitialised memory holds by chance is no part of a test, and a GIA is made of the edges that were counted.
        Ok(match options.coverage && !options.junk && !options.targets.is_empty() {
            true => Box::new(Remembered { runner, executions: Arc::clone(self) }),
            false => Box::new(runner),
        })
    }
}

/// An execution whose runs to a target are remembered.
struct Remembered {
    runner: Runner,
    executions: Arc<Executions>,
}

impl Execution for Remembered {
    fn run(&mut self, inputs: &[u64], limits: &RunLimits) -> Exit {
        let exit = self.runner.run(inputs, limits);
        self.executions.remember(&self.runner, exit);
        exit
    }

    fn consumed(&self) -> &[ConsumedInput] {
        self.runner.consumed()
    }

    fn coverage(&self) -> &[u8] {
        self.runner.coverage()
    }

    fn decisions(&self) -> &[u8] {
        self.runner.decisions()
    }

    fn comparisons(&self) -> &[ComparedValues] {
        self.runner.comparisons()
    }

    fn steps(&self) -> u64 {
        self.runner.steps()
    }
}

fn cannot(why: &str) -> PluginError {
    PluginError::unsupported(format!("the program cannot be executed: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::load_text;
    use tandem_plugin_api::program::DataModel;
    use tandem_plugin_api::service::StopReason;
    use tandem_plugin_api::service::execution::{Exit, RunLimits};

    fn executions(text: &str) -> Arc<Executions> {
        Executions::of(&Arc::new(load_text(text, "p.c", DataModel::Lp64).unwrap()))
    }

    #[test]
    fn the_same_options_share_their_code() {
        let executions = executions("int main(void) { return 5; }");
        let (plain, counted) =
            (ExecutionOptions::default(), ExecutionOptions { coverage: true, ..ExecutionOptions::default() });
        let first = executions.executable(&plain).unwrap();
        assert!(Arc::ptr_eq(&first, &executions.executable(&plain).unwrap()));
        assert!(!Arc::ptr_eq(&first, &executions.executable(&counted).unwrap()));
        let mut both = [plain, counted].map(|options| executions.start(&options, StopSignal::new()).unwrap());
        for execution in &mut both {
            assert_eq!(execution.run(&[], &RunLimits::default()), Exit::Returned(5));
        }
    }

    #[test]
    fn a_run_ends_when_the_actor_is_stopped() {
        let executions = executions("int main(void) { for (;;); }");
        let stop = StopSignal::new();
        let mut execution = executions.start(&ExecutionOptions::default(), stop.clone()).unwrap();
        stop.stop(StopReason::OutOfTime);
        let limits = RunLimits { steps: u64::MAX, ..RunLimits::default() };
        assert!(matches!(execution.run(&[], &limits), Exit::Cancelled(_)));
    }
}
