//! The folder that merges states of the product everywhere but at loop heads: between two loop heads, ways are not told apart.

use tandem_plugin_api::prelude::*;
use tandem_plugin_api::residual::{Bounds, Folding, Reduction, reduce};

struct FoldExceptLoops {
    how: Reduction,
}

impl Plugin for FoldExceptLoops {
    type Kind = kind::Reducer;

    fn descriptor() -> Descriptor {
        let (most, clones) =
            (OptionType::Integer { min: 1, max: 100_000_000 }, OptionType::Integer { min: 1, max: 1_000_000 });
        Descriptor::of::<Self>(
            "fold-except-loops",
            "1.0.0",
            "The product of program and automaton, folded between loop heads.",
        )
        .details("For automata that tell iterations apart, and little inside of one.")
        .gives(&[ArtifactKind::Program])
        .option("max-locations", "a larger residual program is refused", most, OptionValue::Integer(200_000))
        .option(
            "max-clones",
            "a function gets this many clones, and one more for all other calls",
            clones,
            OptionValue::Integer(8),
        )
    }

    fn new(setup: &Setup) -> Result<Self> {
        let locations = setup.options.integer("max-locations")? as usize;
        let clones = setup.options.integer("max-clones")? as usize;
        let folding = Folding::ExceptLoopHeads;
        Ok(FoldExceptLoops { how: Reduction { folding, bounds: Bounds { locations, clones }, branches: false } })
    }
}

impl Reducer for FoldExceptLoops {
    fn reduce(&mut self, task: &Task, known: &Gia, done: Covered, host: &Host) -> Result<Residual> {
        reduce(task, known, done, &self.how, host)
    }
}

tandem_plugin_api::export_plugin!(FoldExceptLoops);
