//! Runs of the program, counted. Work is measured in steps rather than in time, so that no decision of a campaign
//! depends on the machine.

use tandem_plugin_api::prelude::*;
use tandem_plugin_api::service::execution::{Execution, ExecutionOptions, Exit, RunLimits};

/// The cost of a run beside its steps, in steps.
const OVERHEAD: u64 = 150;

/// Runs with different junk before a result counts as independent of it.
const KINDS_OF_JUNK: u32 = 4;

/// After this many steps of such runs no further one is made, since a very long run could not be repeated in time.
const JUNK_STEPS: u64 = 100_000_000;

pub struct Runs {
    host: Host,
    targets: Vec<EdgeId>,
    plain: Box<dyn Execution>,
    /// Also records comparisons. Compiled when it is first needed.
    traced: Option<Box<dyn Execution>>,
    /// Puts junk where values are indeterminate.
    junk: Option<Box<dyn Execution>>,
    overhead: u64,
    executions: u64,
    work: u64,
}

impl Runs {
    /// Runs end at one of `targets`.
    pub fn new(host: &Host, program: &Program, targets: Vec<EdgeId>) -> Result<Self> {
        let options = ExecutionOptions { targets: targets.clone(), coverage: true, ..ExecutionOptions::default() };
        let plain = host.execution(&options)?;
        // Looking at the counters of all edges is part of the cost.
        let overhead = OVERHEAD + program.edges.len() as u64 / 16;
        Ok(Runs { host: host.clone(), targets, plain, traced: None, junk: None, overhead, executions: 0, work: 0 })
    }

    pub fn run(&mut self, values: &[u64], limits: &RunLimits) -> Exit {
        let exit = self.plain.run(values, limits);
        self.count(values.len(), self.plain.steps());
        exit
    }

    /// The records of the last [`run`](Self::run).
    pub fn record(&self) -> &dyn Execution {
        &*self.plain
    }

    /// Runs with comparisons recorded.
    pub fn run_traced(&mut self, values: &[u64], limits: &RunLimits) -> Result<Exit> {
        if self.traced.is_none() {
            let options = ExecutionOptions {
                targets: self.targets.clone(),
                coverage: true,
                comparisons: true,
                ..ExecutionOptions::default()
            };
            self.traced = Some(self.host.execution(&options)?);
        }
        let Some(traced) = &mut self.traced else { return Err(PluginError::new("no traced execution")) };
        let exit = traced.run(values, limits);
        let steps = traced.steps();
        self.count(values.len(), steps);
        Ok(exit)
    }

    /// The records of the last [`run_traced`](Self::run_traced).
    pub fn trace(&self) -> &dyn Execution {
        self.traced.as_deref().unwrap_or(&*self.plain)
    }

    /// Whether the inputs reach a target whatever uninitialised variables hold. Such a run can be repeated elsewhere.
    pub fn reaches_with_junk(&mut self, values: &[u64], limits: &RunLimits) -> Result<bool> {
        if self.junk.is_none() {
            let options = ExecutionOptions { targets: self.targets.clone(), junk: true, ..ExecutionOptions::default() };
            self.junk = Some(self.host.execution(&options)?);
        }
        let Some(junk) = &mut self.junk else { return Ok(false) };
        let (mut reaches, mut steps) = (true, 0);
        for _ in 0..KINDS_OF_JUNK {
            reaches &= matches!(junk.run(values, limits), Exit::Target(_));
            steps += junk.steps();
            if !reaches || steps >= JUNK_STEPS {
                break;
            }
        }
        self.count(values.len(), steps);
        Ok(reaches)
    }

    fn count(&mut self, values: usize, steps: u64) {
        self.executions += 1;
        self.work += self.overhead + values as u64 + steps;
    }

    /// Counts work other than a run.
    pub fn spend(&mut self, steps: u64) {
        self.work += steps;
    }

    pub fn executions(&self) -> u64 {
        self.executions
    }

    /// Steps of all runs, overhead included.
    pub fn work(&self) -> u64 {
        self.work
    }
}
