//! An analysis that does what its option says: everything that can go wrong.

mod faults;

use tandem_plugin_api::prelude::*;

struct Faulty {
    fault: String,
    host: Host,
}

impl Plugin for Faulty {
    type Kind = kind::Analysis;

    fn descriptor() -> Descriptor {
        faults::with_option(Descriptor::of::<Self>("fault-analysis", "1.0.0", "Fails as it is told to."))
    }

    fn new(setup: &Setup) -> Result<Self> {
        Ok(Faulty { fault: faults::chosen(setup)?, host: setup.host.clone() })
    }
}

impl Analysis for Faulty {
    type State = ();
    type Precision = ();

    fn initial(&self) -> Result<()> {
        Ok(())
    }

    fn successors(&self, _: &(), _: EdgeId, _: &()) -> Result<Successors<()>> {
        faults::commit(&self.fault, &self.host);
        Ok(Successors::One(()))
    }

    fn less_or_equal(&self, _: &(), _: &()) -> Result<bool> {
        Ok(true)
    }
}

tandem_plugin_api::export_plugin!(Faulty);
