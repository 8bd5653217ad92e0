//! The reducer that merges states of the product everywhere but at loop heads.

use tandem_plugin_api::kit::residual::{Bounds, Folding, Reduction, reduce};
use tandem_plugin_api::prelude::*;

struct FoldExceptLoops {
    how: Reduction,
}

impl Plugin for FoldExceptLoops {
    type Kind = kind::Reducer;

    fn descriptor() -> Descriptor {
        let descriptor = Descriptor::of::<Self>(
            "fold-except-loops",
            "1.0.0",
            "The product of program and automaton, folded between loop heads.",
        )
        .details("For automata that distinguish iterations of loops, but hardly anything inside of an iteration.")
        .gives(&[ArtifactKind::Program]);
        Bounds::describe(descriptor, 8, Some(3))
    }

    fn new(setup: &Setup) -> Result<Self> {
        let bounds = Bounds::given(&setup.options)?;
        let folding = Folding::ExceptLoopHeads;
        Ok(FoldExceptLoops { how: Reduction { folding, bounds, branches: false } })
    }
}

impl Reducer for FoldExceptLoops {
    fn reduce(&mut self, task: &Task, known: &Gia, done: Covered, host: &Host) -> Result<Residual> {
        reduce(task, known, done, &self.how, host)
    }
}

tandem_plugin_api::export_plugin!(FoldExceptLoops);
