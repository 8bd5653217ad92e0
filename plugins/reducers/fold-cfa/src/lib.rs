//! The reducer that merges all states of the product with the same location: the program without the edges that are
//! covered on all ways to them.

use tandem_plugin_api::kit::residual::{Bounds, Folding, Reduction, reduce};
use tandem_plugin_api::prelude::*;

struct FoldCfa {
    how: Reduction,
}

impl Plugin for FoldCfa {
    type Kind = kind::Reducer;

    fn descriptor() -> Descriptor {
        let descriptor = Descriptor::of::<Self>(
            "fold-cfa",
            "1.0.0",
            "The program without the edges that are covered on every way to them.",
        )
        .details("Never larger than the original. Keeps an edge if the automaton covers only some of the ways to it.")
        .gives(&[ArtifactKind::Program]);
        Bounds::describe(descriptor, 8, None)
    }

    fn new(setup: &Setup) -> Result<Self> {
        let bounds = Bounds::given(&setup.options)?;
        let folding = Folding::Everywhere;
        Ok(FoldCfa { how: Reduction { folding, bounds, branches: false } })
    }
}

impl Reducer for FoldCfa {
    fn reduce(&mut self, task: &Task, known: &Gia, done: Covered, host: &Host) -> Result<Residual> {
        reduce(task, known, done, &self.how, host)
    }
}

tandem_plugin_api::export_plugin!(FoldCfa);
