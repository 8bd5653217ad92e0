//! An engine that claims what its options say: a verdict, tests with these inputs, invariants at all places of main. It may
//! publish them and then hang.

use tandem_plugin_api::artifact::{Condition, InputValue, Invariant, InvariantKind, Invariants};
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::{EdgeNames, LocationNames};

struct Claimant {
    verdict: String,
    tests: Vec<String>,
    invariants: Vec<String>,
    covers_error: bool,
    hangs: bool,
    runs: u32,
}

impl Plugin for Claimant {
    type Kind = kind::Engine;

    fn descriptor() -> Descriptor {
        let verdicts = ["TRUE", "FALSE", "UNKNOWN"].map(String::from).to_vec();
        Descriptor::of::<Self>("claimant", "1.0.0", "Claims what it is told to claim.")
            .option("verdict", "its verdict", OptionType::Choice(verdicts), OptionValue::Text("UNKNOWN".into()))
            .option("tests", "inputs of each test", OptionType::TextList, OptionValue::TextList(Vec::new()))
            .option("invariants", "C expressions over main", OptionType::TextList, OptionValue::TextList(Vec::new()))
            .option("covers-error", "whether the tests claim it", OptionType::Bool, OptionValue::Bool(false))
            .option("hangs", "publish the tests and never end", OptionType::Bool, OptionValue::Bool(false))
            .gives(&[ArtifactKind::Tests])
    }

    fn new(setup: &Setup) -> Result<Self> {
        Ok(Claimant {
            verdict: setup.options.text("verdict")?.to_string(),
            tests: setup.options.text_list("tests")?.to_vec(),
            invariants: setup.options.text_list("invariants")?.to_vec(),
            covers_error: setup.options.bool("covers-error")?,
            hangs: setup.options.bool("hangs")?,
            runs: 0,
        })
    }
}

impl Engine for Claimant {
    fn run(&mut self, task: &Task, _: &Inputs, host: &Host) -> Result<Outcome> {
        let test = |inputs: &String| {
            let values = inputs.split(' ').map(|value| InputValue::Text(value.into()));
            TestCase { covers_error: self.covers_error, ..TestCase::of(values) }
        };
        let tests = TestSuite { tests: self.tests.iter().map(test).collect() };
        let invariants = self.claims(&task.program);
        if self.hangs {
            host.publish(&Artifact::Tests(tests.clone()))?;
            host.publish(&Artifact::Invariants(invariants))?;
            loop {
                std::thread::sleep(std::time::Duration::from_secs(1));
            }
        }
        self.runs += 1;
        let mut outcome = self.outcome(tests);
        outcome.statistic("runs of this instance", self.runs);
        outcome.invariants = Some(invariants);
        Ok(outcome)
    }
}

impl Claimant {
    /// Invariants as its option says, marked as checked or not.
    fn claims(&self, program: &Program) -> Invariants {
        let names = LocationNames::new(program, &EdgeNames::new(program));
        let main = program.function_named("main");
        let places = (0..program.locations.len()).map(LocationId::new);
        let places = places.filter(|&place| Some(program.location(place).function) == main);
        let claim = |place: LocationId, text: &String| Invariant {
            location: names.name(place).clone(),
            kind: InvariantKind::Location,
            expression: Condition::in_function("main", text.as_str()),
            origin: "claimant".into(),
            checked: true,
        };
        places.flat_map(|place| self.invariants.iter().map(move |text| claim(place, text))).collect()
    }

    fn outcome(&self, tests: TestSuite) -> Outcome {
        let mut outcome = Outcome::new(match self.verdict.as_str() {
            "TRUE" => Verdict::True,
            "FALSE" => Verdict::False,
            _ => Verdict::unknown("no claim"),
        });
        outcome.tests = Some(tests);
        outcome
    }
}

tandem_plugin_api::export_plugin!(Claimant);
