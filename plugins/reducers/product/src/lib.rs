//! REDUCER of the ICSE paper (Alg. 1), extended to state invariants (X-REDUCER, Alg. 3 of the GIA paper): the product of
//! program and automaton.

use tandem_plugin_api::kit::residual::{Bounds, Folding, Reduction, reduce};
use tandem_plugin_api::prelude::*;

struct Product {
    how: Reduction,
}

impl Plugin for Product {
    type Kind = kind::Reducer;

    fn descriptor() -> Descriptor {
        let descriptor = Descriptor::of::<Self>("product", "1.0.0", "The product of program and automaton: exact, and at times large.")
            .details("Removes exactly the paths that the automaton covers; conditions and invariants become branches. Unfolds what the automaton unfolds: the residual program may be many times larger than the original.")
            .gives(&[ArtifactKind::Program]);
        Bounds::describe(descriptor, 1_000_000, Some(0))
    }

    fn new(setup: &Setup) -> Result<Self> {
        let bounds = Bounds::given(&setup.options)?;
        let folding = Folding::Nothing;
        Ok(Product { how: Reduction { folding, bounds, branches: true } })
    }
}

impl Reducer for Product {
    fn reduce(&mut self, task: &Task, known: &Gia, done: Covered, host: &Host) -> Result<Residual> {
        reduce(task, known, done, &self.how, host)
    }
}

tandem_plugin_api::export_plugin!(Product);
