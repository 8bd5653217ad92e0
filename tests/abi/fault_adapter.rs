//! An adapter that does what its option says: everything that can go wrong.

mod faults;

use tandem_plugin_api::prelude::*;

struct Faulty(String);

impl Plugin for Faulty {
    type Kind = kind::Adapter;

    fn descriptor() -> Descriptor {
        faults::with_option(Descriptor::of::<Self>("fault-adapter", "1.0.0", "Fails as it is told to."))
    }

    fn new(setup: &Setup) -> Result<Self> {
        faults::chosen(setup).map(Faulty)
    }
}

impl Adapter for Faulty {
    fn prepare(&mut self, _: &Task, _: &Inputs, _: &Host) -> Result<Invocation> {
        Ok(Invocation::new("true"))
    }

    fn interpret(&mut self, _: &Task, _: &ToolRun, host: &Host) -> Result<Outcome> {
        faults::commit(&self.0, host);
        Ok(Outcome::unknown("nothing was done"))
    }
}

tandem_plugin_api::export_plugin!(Faulty);
