//! An analysis that explains its states, and whose descriptor claims that it refines, too.

use tandem_plugin_api::prelude::*;

struct Boaster;

impl Plugin for Boaster {
    type Kind = kind::Analysis;

    fn descriptor() -> Descriptor {
        let mut descriptor = Descriptor::of::<Self>("boaster", "1.0.0", "Claims to refine.");
        descriptor.capabilities = vec![Capability::Explains, Capability::Refines];
        descriptor
    }

    fn new(_: &Setup) -> Result<Self> {
        Ok(Boaster)
    }
}

impl Analysis for Boaster {
    type State = ();
    type Precision = ();
    const CAPABILITIES: Capabilities<Self> = Capabilities::none().explains();

    fn initial(&self) -> Result<()> {
        Ok(())
    }

    fn successors(&self, _: &(), _: EdgeId, _: &()) -> Result<Successors<()>> {
        Ok(Successors::Unchanged)
    }

    fn less_or_equal(&self, _: &(), _: &()) -> Result<bool> {
        Ok(true)
    }
}

impl Explains for Boaster {
    fn invariant(&self, _: &(), _: LocationId) -> Result<Option<String>> {
        Ok(None)
    }
}

tandem_plugin_api::export_plugin!(Boaster);
