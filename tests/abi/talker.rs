//! An engine that uses every service of the host, and runs until it is told to stop if its option says so.

use tandem_plugin_api::prelude::*;
use tandem_plugin_api::service::Scope;

struct Talker {
    forever: bool,
    runs: u32,
}

impl Plugin for Talker {
    type Kind = kind::Engine;

    fn descriptor() -> Descriptor {
        Descriptor::of::<Self>("talker", "0.9.0", "Uses every service of the host.")
            .option("forever", "run until stopped", OptionType::Bool, OptionValue::Bool(false))
            .gives(&[ArtifactKind::Tests])
    }

    fn new(setup: &Setup) -> Result<Self> {
        setup.host.debug("talker is made");
        Ok(Talker { forever: setup.options.bool("forever")?, runs: 0 })
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
        Ok(outcome)
    }
}

tandem_plugin_api::export_plugin!(Talker);
