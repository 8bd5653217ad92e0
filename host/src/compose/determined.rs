//! Finds the tests whose runs depend on nothing that C leaves open: an engine follows the runs and checks this.

use crate::opinion::Determined;
use crate::plugins::Registry;
use std::sync::Arc;
use tandem_plugin_api::abi::SharedTask;
use tandem_plugin_api::artifact::{Outcome, TestSuite};
use tandem_plugin_api::descriptor::{OptionValue, PluginKind};
use tandem_plugin_api::error::Result;
use tandem_plugin_api::service::Host;
use tandem_plugin_api::task::Inputs;

/// The engine that knows whether something in a run is left open.
const FOLLOWER: &str = "single-run";

/// Whether nothing in the runs of tests is left open; without the engine that knows, no runs are compared.
pub fn determined(registry: &Arc<Registry>, task: &SharedTask) -> Option<Determined> {
    let (registry, task) = (registry.clone(), task.clone());
    registry.get(PluginKind::Engine, FOLLOWER).ok()?;
    Some(Arc::new(move |suite: TestSuite| {
        let follow = || -> Option<Result<Outcome>> {
            let plugin = registry.get(PluginKind::Engine, FOLLOWER).ok()?;
            let options = plugin.options([("follow-tests".to_string(), OptionValue::Bool(true))]).ok()?;
            let inputs = Inputs { tests: Some(suite), ..Inputs::default() };
            let worker = plugin.worker(&task, &options, &Host::silent());
            Some(worker.and_then(|mut worker| worker.run(&inputs, &Host::silent())))
        };
        follow().and_then(Result::ok).and_then(|outcome| outcome.tests).unwrap_or_default()
    }))
}
