//! A slicing reducer: after folding, drops the ways on which no target is left, and assignments that influence neither a branch nor a
//! call nor memory.

mod contract;
mod data;
mod ways;

use tandem_plugin_api::prelude::*;
use tandem_plugin_api::residual::{Bounds, Folding, Reduction, reduce};

struct Slice {
    assignments: bool,
}

impl Plugin for Slice {
    type Kind = kind::Reducer;

    fn descriptor() -> Descriptor {
        let about = "whether assignments that influence nothing are dropped";
        Descriptor::of::<Self>("slice", "1.0.0", "Drops what cannot influence a target that is left.")
            .details(
                "Folds as fold-cfa does, and ends every way on which no target can be reached any more. The values of variables that \
                 nothing depends on are not computed: an execution takes the same way as in the original, but some variables differ.",
            )
            .gives(&[ArtifactKind::Program])
            .option("assignments", about, OptionType::Bool, OptionValue::Bool(true))
    }

    fn new(setup: &Setup) -> Result<Self> {
        Ok(Slice { assignments: setup.options.bool("assignments")? })
    }
}

impl Reducer for Slice {
    fn reduce(&mut self, task: &Task, known: &Gia, done: Covered, host: &Host) -> Result<Residual> {
        let bounds = Bounds { locations: usize::MAX, clones: 1 };
        let how = Reduction { folding: Folding::Everywhere, bounds, branches: false };
        let mut residual = reduce(task, known, done, &how, host)?;
        let targets = task.property.targets(&residual.program);
        ways::end_where_no_target_is_left(&mut residual, &targets);
        if self.assignments {
            data::drop_idle_assignments(&mut residual.program);
        }
        contract::take_out_empty_edges(&mut residual);
        Ok(residual)
    }
}

tandem_plugin_api::export_plugin!(Slice);
