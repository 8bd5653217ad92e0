//! An engine that claims what its options say: a verdict, and tests with these inputs. It may publish them and then hang.

use tandem_plugin_api::artifact::InputValue;
use tandem_plugin_api::prelude::*;

struct Claimant {
    verdict: String,
    tests: Vec<String>,
    covers_error: bool,
    hangs: bool,
}

impl Plugin for Claimant {
    type Kind = kind::Engine;

    fn descriptor() -> Descriptor {
        let verdicts = ["TRUE", "FALSE", "UNKNOWN"].map(String::from).to_vec();
        Descriptor::of::<Self>("claimant", "1.0.0", "Claims what it is told to claim.")
            .option("verdict", "its verdict", OptionType::Choice(verdicts), OptionValue::Text("UNKNOWN".into()))
            .option("tests", "inputs of each test", OptionType::TextList, OptionValue::TextList(Vec::new()))
            .option("covers-error", "whether the tests claim it", OptionType::Bool, OptionValue::Bool(false))
            .option("hangs", "publish the tests and never end", OptionType::Bool, OptionValue::Bool(false))
            .gives(&[ArtifactKind::Tests])
    }

    fn new(setup: &Setup) -> Result<Self> {
        Ok(Claimant {
            verdict: setup.options.text("verdict")?.to_string(),
            tests: setup.options.text_list("tests")?.to_vec(),
            covers_error: setup.options.bool("covers-error")?,
            hangs: setup.options.bool("hangs")?,
        })
    }
}

impl Engine for Claimant {
    fn run(&mut self, _: &Task, _: &Inputs, host: &Host) -> Result<Outcome> {
        let test = |inputs: &String| {
            let values = inputs.split(' ').map(|value| InputValue::Text(value.into()));
            TestCase { covers_error: self.covers_error, ..TestCase::of(values) }
        };
        let tests = TestSuite { tests: self.tests.iter().map(test).collect() };
        if self.hangs {
            host.publish(&Artifact::Tests(tests.clone()))?;
            loop {
                std::thread::sleep(std::time::Duration::from_secs(1));
            }
        }
        let mut outcome = Outcome::new(match self.verdict.as_str() {
            "TRUE" => Verdict::True,
            "FALSE" => Verdict::False,
            _ => Verdict::unknown("no claim"),
        });
        outcome.tests = Some(tests);
        Ok(outcome)
    }
}

tandem_plugin_api::export_plugin!(Claimant);
