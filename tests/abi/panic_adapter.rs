//! An adapter that panics in the method that its option names.

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
    type Kind = kind::Adapter;

    fn descriptor() -> Descriptor {
        Descriptor::of::<Self>("panic-adapter", "1.2.3", "Panics where it is told to.").option(
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

impl Adapter for Panics {
    fn prepare(&mut self, _: &Task, _: &Inputs, _: &Host) -> Result<Invocation> {
        self.enter("prepare");
        Ok(Invocation::new("true"))
    }

    fn interpret(&mut self, _: &Task, _: &ToolRun, _: &Host) -> Result<Outcome> {
        self.enter("interpret");
        Ok(Outcome::unknown("nothing was done"))
    }
}

impl Drop for Panics {
    fn drop(&mut self) {
        self.enter("drop");
    }
}

tandem_plugin_api::export_plugin!(Panics);
