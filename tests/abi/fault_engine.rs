//! An engine that does what its option says: everything that can go wrong.

mod faults;

use tandem_plugin_api::prelude::*;

struct Faulty(String);

impl Plugin for Faulty {
    type Kind = kind::Engine;

    fn descriptor() -> Descriptor {
        faults::with_option(Descriptor::of::<Self>("fault-engine", "1.0.0", "Fails as it is told to."))
    }

    fn new(setup: &Setup) -> Result<Self> {
        faults::chosen(setup).map(Faulty)
    }
}

impl Engine for Faulty {
    fn run(&mut self, _: &Task, inputs: &Inputs, host: &Host) -> Result<Outcome> {
        faults::commit(&self.0, host);
        // Gives back what it got, so that the way there and back can be measured.
        let mut outcome = Outcome::unknown("nothing was done");
        outcome.gia = Some(inputs.gia.clone());
        Ok(outcome)
    }
}

tandem_plugin_api::export_plugin!(Faulty);
