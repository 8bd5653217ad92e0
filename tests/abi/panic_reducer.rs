//! A reducer that panics in the method that its option names.

use tandem_plugin_api::prelude::*;

struct Panics {
    method: String,
}

impl Panics {
    fn enter(&self, method: &str) {
        assert_ne!(self.method, method, "boom in {method}");
    }
}

impl Plugin for Panics {
    type Kind = kind::Reducer;

    fn descriptor() -> Descriptor {
        Descriptor::of::<Self>("panic-reducer", "1.2.3", "Panics where it is told to.").option(
            "method",
            "the method that panics",
            OptionType::Text,
            OptionValue::Text("none".into()),
        )
    }

    fn new(setup: &Setup) -> Result<Self> {
        let panics = Panics { method: setup.options.text("method")?.to_string() };
        panics.enter("new");
        Ok(panics)
    }
}

impl Reducer for Panics {
    fn reduce(&mut self, task: &Task, _: &Gia, _: Covered, _: &Host) -> Result<Residual> {
        self.enter("reduce");
        let mut residual = Residual::same(&task.program);
        if self.method == "broken_result" {
            residual.program.edges[0].to = LocationId(u32::MAX);
        }
        Ok(residual)
    }
}

impl Drop for Panics {
    fn drop(&mut self) {
        self.enter("drop");
    }
}

tandem_plugin_api::export_plugin!(Panics);
