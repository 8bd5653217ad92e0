//! A reducer that does what its option says: everything that can go wrong.

mod faults;

use tandem_plugin_api::prelude::*;

struct Faulty(String);

impl Plugin for Faulty {
    type Kind = kind::Reducer;

    fn descriptor() -> Descriptor {
        faults::with_option(Descriptor::of::<Self>("fault-reducer", "1.0.0", "Fails as it is told to."))
    }

    fn new(setup: &Setup) -> Result<Self> {
        faults::chosen(setup).map(Faulty)
    }
}

impl Reducer for Faulty {
    fn reduce(&mut self, task: &Task, _: &Gia, _: Covered, host: &Host) -> Result<Residual> {
        faults::commit(&self.0, host);
        Ok(Residual::same(&task.program))
    }
}

tandem_plugin_api::export_plugin!(Faulty);
