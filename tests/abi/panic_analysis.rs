//! An analysis that panics in the method that its option names.

use tandem_plugin_api::artifact;
use tandem_plugin_api::prelude::*;

struct Panics {
    method: String,
}

const METHODS: [&str; 23] = [
    "none",
    "new",
    "start",
    "initial",
    "initial_precision",
    "successors",
    "less_or_equal",
    "join",
    "merge",
    "stop",
    "adjust",
    "strengthen",
    "answer",
    "refine",
    "import_precision",
    "export_precision",
    "invariant",
    "target",
    "describe",
    "ignores_call_stack",
    "drop_state",
    "drop_precision",
    "drop_analysis",
];

impl Panics {
    fn enter(&self, method: &str) {
        assert_ne!(self.method, method, "boom in {method}");
    }
}

struct Fragile {
    breaks: bool,
}

impl Drop for Fragile {
    fn drop(&mut self) {
        assert!(!self.breaks, "boom in a destructor");
    }
}

#[derive(Default)]
struct Tracked {
    _fragile: Option<Fragile>,
}

impl Plugin for Panics {
    type Kind = kind::Analysis;

    fn descriptor() -> Descriptor {
        let methods = METHODS.iter().map(|name| name.to_string()).collect();
        Descriptor::of::<Self>("panic-analysis", "1.2.3", "Panics where it is told to.").option(
            "method",
            "the method that panics",
            OptionType::Choice(methods),
            OptionValue::Text("none".into()),
        )
    }

    fn new(setup: &Setup) -> Result<Self> {
        let panics = Panics { method: setup.options.text("method")?.to_string() };
        panics.enter("new");
        Ok(panics)
    }
}

impl Analysis for Panics {
    type State = Fragile;
    type Precision = Tracked;
    const CAPABILITIES: Capabilities<Self> = Capabilities::none().answers().refines().explains().observes();

    fn start(&mut self, _: &Inputs, _: &Host) -> Result<()> {
        self.enter("start");
        Ok(())
    }

    fn initial(&self) -> Result<Fragile> {
        self.enter("initial");
        Ok(Fragile { breaks: self.method == "drop_state" })
    }

    fn successors(&self, _: &Fragile, _: EdgeId, _: &Tracked) -> Result<Successors<Fragile>> {
        self.enter("successors");
        Ok(Successors::One(Fragile { breaks: false }))
    }

    fn less_or_equal(&self, _: &Fragile, _: &Fragile) -> Result<bool> {
        self.enter("less_or_equal");
        Ok(true)
    }

    fn join(&self, _: &Fragile, _: &Fragile) -> Result<Option<Fragile>> {
        self.enter("join");
        Ok(None)
    }

    fn merge(&self, new: &Fragile, reached: &Fragile, _: &Tracked) -> Result<Option<Fragile>> {
        self.enter("merge");
        self.join(new, reached)
    }

    fn stop(&self, state: &Fragile, reached: &Fragile, _: &Tracked) -> Result<bool> {
        self.enter("stop");
        self.less_or_equal(state, reached)
    }

    fn adjust(&self, _: &Fragile, _: LocationId, _: &Tracked) -> Result<Adjusted<Fragile, Tracked>> {
        self.enter("adjust");
        Ok(Adjusted::default())
    }

    fn strengthen(&self, _: &Fragile, _: EdgeId, _: &Tracked, _: &Peers<'_>) -> Result<Successors<Fragile>> {
        self.enter("strengthen");
        Ok(Successors::Unchanged)
    }

    fn describe(&self, _: &Fragile) -> Result<String> {
        self.enter("describe");
        Ok(String::new())
    }

    fn ignores_call_stack(&self) -> bool {
        self.enter("ignores_call_stack");
        true
    }
}

impl Answers for Panics {
    fn answer(&self, _: &Fragile, _: &Query) -> Result<Answer> {
        self.enter("answer");
        Ok(Answer::NoInformation)
    }
}

impl Refines for Panics {
    fn initial_precision(&self) -> Result<Tracked> {
        self.enter("initial_precision");
        Ok(Tracked { _fragile: Some(Fragile { breaks: self.method == "drop_precision" }) })
    }

    fn refine(&self, _: &[EdgeId], _: &Tracked) -> Result<Option<Refinement<Tracked>>> {
        self.enter("refine");
        Ok(None)
    }

    fn import_precision(&self, _: &Tracked, _: &artifact::Precision) -> Result<Option<Tracked>> {
        self.enter("import_precision");
        Ok(None)
    }

    fn export_precision(&self, _: &Tracked) -> Result<artifact::Precision> {
        self.enter("export_precision");
        Ok(artifact::Precision::default())
    }
}

impl Explains for Panics {
    fn invariant(&self, _: &Fragile, _: LocationId) -> Result<Option<String>> {
        self.enter("invariant");
        Ok(None)
    }
}

impl Observes for Panics {
    fn target(&self, _: &Fragile, _: LocationId) -> Result<Option<String>> {
        self.enter("target");
        Ok(None)
    }
}

impl Drop for Panics {
    fn drop(&mut self) {
        self.enter("drop_analysis");
    }
}

tandem_plugin_api::export_plugin!(Panics);
