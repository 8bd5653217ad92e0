//! Compiled programs that actors share: compiling takes long, so the same program is compiled once for the same options.

use crate::exec::{Executable, Runner};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tandem_plugin_api::error::{PluginError, Result};
use tandem_plugin_api::program::Program;
use tandem_plugin_api::service::StopSignal;
use tandem_plugin_api::service::execution::{Execution, ExecutionOptions};

/// The result of compiling; an error is remembered as well.
type Compiled = OnceLock<std::result::Result<Arc<Executable>, String>>;

/// The executables of one program.
pub struct Executions {
    program: Arc<Program>,
    /// Few options are in use at a time, so that a list does.
    compiled: Mutex<Vec<(ExecutionOptions, Arc<Compiled>)>>,
}

impl Executions {
    pub fn of(program: &Arc<Program>) -> Arc<Self> {
        Arc::new(Executions { program: program.clone(), compiled: Mutex::default() })
    }

    pub fn program(&self) -> Arc<Program> {
        self.program.clone()
    }

    /// A new execution, whose runs end when the signal is given.
    pub fn start(&self, options: &ExecutionOptions, stop: StopSignal) -> Result<Box<dyn Execution>> {
        let executable = self.executable(options)?;
        let runner = Runner::with_stop_signal(executable, stop).map_err(|error| cannot(&error.message))?;
        Ok(Box::new(runner))
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
