//! The reducer that merges states of the product at loop heads: loops stay loops, and states between loop heads are
//! kept apart.

use tandem_plugin_api::kit::residual::{Bounds, Folding, Reduction, reduce};
use tandem_plugin_api::prelude::*;

struct FoldLoop {
    how: Reduction,
}

impl Plugin for FoldLoop {
    type Kind = kind::Reducer;

    fn descriptor() -> Descriptor {
        let descriptor = Descriptor::of::<Self>("fold-loop", "1.0.0", "The product of program and automaton, with loops that stay loops.")
            .details("Larger than fold-cfa where branches outside of loops lead to different states, and far smaller than the product where the automaton unrolls loops.")
            .gives(&[ArtifactKind::Program]);
        Bounds::describe(descriptor, 8, Some(3))
    }

    fn new(setup: &Setup) -> Result<Self> {
        let bounds = Bounds::given(&setup.options)?;
        let folding = Folding::LoopHeads;
        Ok(FoldLoop { how: Reduction { folding, bounds, branches: false } })
    }
}

impl Reducer for FoldLoop {
    fn reduce(&mut self, task: &Task, known: &Gia, done: Covered, host: &Host) -> Result<Residual> {
        reduce(task, known, done, &self.how, host)
    }
}

tandem_plugin_api::export_plugin!(FoldLoop);
