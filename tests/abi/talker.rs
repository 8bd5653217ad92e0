//! An engine that uses every service of the host, and runs until it is told to stop if its option says so.

use std::time::Instant;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::service::Scope;
use tandem_plugin_api::service::execution::{ExecutionOptions, RunLimits, WhenInputsEnd};

struct Talker {
    forever: bool,
    executions: i64,
    runs: u32,
}

impl Plugin for Talker {
    type Kind = kind::Engine;

    fn descriptor() -> Descriptor {
        Descriptor::of::<Self>("talker", "0.9.0", "Uses every service of the host.")
            .option("forever", "run until stopped", OptionType::Bool, OptionValue::Bool(false))
            .option(
                "executions",
                "how often to run the program",
                OptionType::Integer { min: 1, max: i64::MAX },
                OptionValue::Integer(2),
            )
            .gives(&[ArtifactKind::Tests])
    }

    fn new(setup: &Setup) -> Result<Self> {
        setup.host.debug("talker is made");
        let options = &setup.options;
        Ok(Talker { forever: options.bool("forever")?, executions: options.integer("executions")?, runs: 0 })
    }
}

impl Engine for Talker {
    fn run(&mut self, task: &Task, inputs: &Inputs, host: &Host) -> Result<Outcome> {
        self.runs += 1;
        host.info(&format!("{} has {} targets", task.program.name, task.targets.len()));
        host.progress(&Progress { phase: "talking".into(), done: 1, total: Some(2), unit: "words".into() });
        host.unsound("talks too much");
        host.convention("function without a body: talk");
        for artifact in host.incoming()? {
            host.publish(&artifact)?;
        }
        for again in host.incoming()? {
            host.warn(&format!("seen twice: {again:?}"));
            host.publish(&again)?;
        }
        if self.forever {
            loop {
                host.check()?;
                std::thread::yield_now();
            }
        }
        let mut outcome = Outcome::unknown("only talked");
        outcome.gia = Some(inputs.gia.clone());
        outcome.statistic("run", self.runs);
        outcome.statistic("seed", inputs.seed);
        outcome.statistic("budget", format!("{:?}", host.budget()));
        let parsed = host.parse_expression("x > 0", Scope::Global);
        outcome.statistic("parser", parsed.map_or_else(|e| format!("{:?}", e.kind), |e| e.root.to_string()));
        self.execute(task, host, &mut outcome);
        Ok(outcome)
    }
}

impl Talker {
    fn execute(&self, task: &Task, host: &Host, outcome: &mut Outcome) {
        let options = ExecutionOptions { targets: task.targets.clone(), coverage: true, ..ExecutionOptions::default() };
        let mut execution = match host.execution(&options) {
            Ok(execution) => execution,
            Err(error) => return outcome.statistic("execution", format!("{:?}", error.kind)),
        };
        let foreign = ExecutionOptions { targets: vec![EdgeId(u32::MAX)], ..options };
        outcome.statistic("foreign target", host.execution(&foreign).err().map_or_else(String::new, |e| e.message));
        let limits = RunLimits { steps: 100, when_inputs_end: WhenInputsEnd::Random(7) };
        let started = Instant::now();
        let mut covered = 0;
        for _ in 1..self.executions {
            execution.run(&[1, u64::MAX], &limits);
            covered += execution.coverage().len() + execution.consumed().len();
        }
        let nanoseconds = started.elapsed().as_nanos() / (self.executions as u128).max(1);
        let exit = execution.run(&[1, u64::MAX], &limits);
        outcome.statistic("execution", format!("{exit:?}"));
        outcome.statistic("nanoseconds", nanoseconds);
        outcome.statistic("covered", covered);
        outcome.statistic("consumed", format!("{:?}", execution.consumed()));
        outcome.statistic("coverage", format!("{:?}", execution.coverage()));
        outcome.statistic("decisions", format!("{:?}", execution.decisions()));
        outcome.statistic("comparisons", format!("{:?}", execution.comparisons()));
        outcome.statistic("steps", execution.steps());
    }
}

tandem_plugin_api::export_plugin!(Talker);
