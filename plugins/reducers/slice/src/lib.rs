//! A slicing reducer: after folding, drops the paths on which no target is left, and the branches and assignments on
//! which no target depends.

mod contract;
mod control;
mod cut;
mod relevance;
mod ways;

use tandem_plugin_api::kit::residual::{Bounds, Folding, Reduction, reduce};
use tandem_plugin_api::prelude::*;

struct Slice {
    assignments: bool,
    branches: bool,
}

impl Plugin for Slice {
    type Kind = kind::Reducer;

    fn descriptor() -> Descriptor {
        let yes = OptionValue::Bool(true);
        Descriptor::of::<Self>("slice", "1.0.0", "Drops what cannot influence a target that is left.")
            .details(
                "Folds as fold-cfa does, and ends every way on which no target can be reached any more. Branches on which neither a target \
                 nor an input nor a use of memory depends are not taken, and values on which nothing depends are not computed: an execution \
                 reaches the targets that it reaches in the original, but may lack branches on its way, and some variables differ. A loop \
                 on which nothing depends is assumed to end.",
            )
            .gives(&[ArtifactKind::Program])
            .option("assignments", "whether assignments on which nothing depends are dropped", OptionType::Bool, yes.clone())
            .option("branches", "whether branches on which nothing depends are dropped", OptionType::Bool, yes)
    }

    fn new(setup: &Setup) -> Result<Self> {
        let given = |name: &str| setup.options.bool(name);
        Ok(Slice { assignments: given("assignments")?, branches: given("branches")? })
    }
}

impl Reducer for Slice {
    fn reduce(&mut self, task: &Task, known: &Gia, done: Covered, host: &Host) -> Result<Residual> {
        let bounds = Bounds { locations: usize::MAX, clones: 1, growth: None };
        let how = Reduction { folding: Folding::Everywhere, bounds, branches: false };
        let mut residual = reduce(task, known, done, &how, host)?;
        let targets = task.property.targets(&residual.program);
        ways::end_where_no_target_is_left(&mut residual, &targets);
        cut::take_out(&mut residual, &targets, self.branches, self.assignments);
        contract::take_out_empty_edges(&mut residual);
        Ok(residual)
    }
}

tandem_plugin_api::export_plugin!(Slice);
