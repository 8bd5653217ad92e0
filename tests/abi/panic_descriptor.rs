//! A plugin that panics while it describes itself.

use tandem_plugin_api::prelude::*;

struct Speechless;

impl Plugin for Speechless {
    type Kind = kind::Engine;

    fn descriptor() -> Descriptor {
        panic!("lost for words")
    }

    fn new(_: &Setup) -> Result<Self> {
        Ok(Speechless)
    }
}

impl Engine for Speechless {
    fn run(&mut self, _: &Task, _: &Inputs, _: &Host) -> Result<Outcome> {
        Ok(Outcome::unknown("nothing was done"))
    }
}

tandem_plugin_api::export_plugin!(Speechless);
