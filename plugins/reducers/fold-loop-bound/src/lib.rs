//! The reducer that merges states of the product at loop heads, iteration by iteration: up to a bound, iterations are
//! kept apart.

use tandem_plugin_api::kit::residual::{Bounds, Folding, Reduction, reduce};
use tandem_plugin_api::prelude::*;

struct FoldLoopBound {
    how: Reduction,
}

impl Plugin for FoldLoopBound {
    type Kind = kind::Reducer;

    fn descriptor() -> Descriptor {
        let descriptor = Descriptor::of::<Self>(
            "fold-loop-bound",
            "1.0.0",
            "The product of program and automaton, with loops that stay loops after some iterations.",
        )
        .details("For automata that know the first iterations of a loop.")
        .gives(&[ArtifactKind::Program])
        .option(
            "bound",
            "how many iterations are kept apart",
            OptionType::Integer { min: 1, max: 1000 },
            OptionValue::Integer(3),
        );
        Bounds::describe(descriptor, 8, Some(3))
    }

    fn new(setup: &Setup) -> Result<Self> {
        let bounds = Bounds::given(&setup.options)?;
        let bound = setup.options.integer("bound")?;
        let folding = Folding::Iterations(u32::try_from(bound).unwrap_or(u32::MAX));
        Ok(FoldLoopBound { how: Reduction { folding, bounds, branches: false } })
    }
}

impl Reducer for FoldLoopBound {
    fn reduce(&mut self, task: &Task, known: &Gia, done: Covered, host: &Host) -> Result<Residual> {
        reduce(task, known, done, &self.how, host)
    }
}

tandem_plugin_api::export_plugin!(FoldLoopBound);
