//! A splitter that panics in the method that its option names.

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
    type Kind = kind::Splitter;

    fn descriptor() -> Descriptor {
        Descriptor::of::<Self>("panic-splitter", "1.2.3", "Panics where it is told to.").option(
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

impl Splitter for Panics {
    fn split(&mut self, _: &Task, _: &Inputs, _: u32, _: &Host) -> Result<Vec<Bound>> {
        self.enter("split");
        Ok(Vec::new())
    }
}

impl Drop for Panics {
    fn drop(&mut self) {
        self.enter("drop");
    }
}

tandem_plugin_api::export_plugin!(Panics);
