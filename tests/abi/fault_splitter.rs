//! A splitter that does what its option says: everything that can go wrong.

mod faults;

use tandem_plugin_api::prelude::*;

struct Faulty(String);

impl Plugin for Faulty {
    type Kind = kind::Splitter;

    fn descriptor() -> Descriptor {
        faults::with_option(Descriptor::of::<Self>("fault-splitter", "1.0.0", "Fails as it is told to."))
    }

    fn new(setup: &Setup) -> Result<Self> {
        faults::chosen(setup).map(Faulty)
    }
}

impl Splitter for Faulty {
    fn split(&mut self, _: &Task, _: &Inputs, _: u32, host: &Host) -> Result<Vec<Bound>> {
        faults::commit(&self.0, host);
        Ok(Vec::new())
    }
}

tandem_plugin_api::export_plugin!(Faulty);
