//! A plugin whose descriptor breaks the rules: no proper name, a default that does not fit.

use tandem_plugin_api::prelude::*;

struct Sloppy;

impl Plugin for Sloppy {
    type Kind = kind::Engine;

    fn descriptor() -> Descriptor {
        Descriptor::of::<Self>("Sloppy Plugin", "1.0.0", "Breaks the rules.")
    }

    fn new(_: &Setup) -> Result<Self> {
        Ok(Sloppy)
    }
}

impl Engine for Sloppy {
    fn run(&mut self, _: &Task, _: &Inputs, _: &Host) -> Result<Outcome> {
        Ok(Outcome::unknown("nothing was done"))
    }
}

tandem_plugin_api::export_plugin!(Sloppy);
