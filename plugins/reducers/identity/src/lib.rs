//! The reducer IDENTITY of the ICSE paper: keeps the whole program, whatever is known. A baseline for the other
//! reducers.

use tandem_plugin_api::prelude::*;

struct Identity;

impl Plugin for Identity {
    type Kind = kind::Reducer;

    fn descriptor() -> Descriptor {
        Descriptor::of::<Self>("identity", "1.0.0", "Keeps the whole program, whatever is known.")
            .details("For comparison: a conditional verifier with this reducer is the verifier alone.")
            .gives(&[ArtifactKind::Program])
    }

    fn new(_: &Setup) -> Result<Self> {
        Ok(Identity)
    }
}

impl Reducer for Identity {
    fn reduce(&mut self, task: &Task, _known: &Gia, _done: Covered, _host: &Host) -> Result<Residual> {
        Ok(Residual::same(&task.program))
    }
}

tandem_plugin_api::export_plugin!(Identity);
