//! The fuzzer: executes the program with vectors of typed inputs, keeps those that show something new, and mutates them.
//! An alarm of the fuzzer is a test that was executed.

mod campaign;
mod corpus;
mod coverage;
mod dictionary;
mod flow;
mod frontier;
mod goals;
mod minimise;
mod mutate;
mod outcome;
mod path;
mod progress;
mod random;
mod runs;
mod schedule;
mod settings;
mod solve;
mod system;
#[cfg(test)]
mod tests;
mod values;
mod walk;

use campaign::{Campaign, Knowledge};
use settings::Settings;
use tandem_plugin_api::artifact::ValueType;
use tandem_plugin_api::prelude::*;

struct Fuzz {
    settings: Settings,
    /// Corpus and coverage of earlier rounds.
    knowledge: Option<Knowledge>,
}

impl Plugin for Fuzz {
    type Kind = kind::Engine;

    fn descriptor() -> Descriptor {
        let descriptor = Descriptor::of::<Self>(
            "fuzz",
            env!("CARGO_PKG_VERSION"),
            "Coverage-guided fuzzing over vectors of typed inputs, with values harvested from comparisons.",
        )
        .details(
            "Executes the program as native code, some hundred thousand times in a second, with vectors of inputs: typed \
             values, one for each call of an input function. Vectors that take new edges, or known ones more often, are \
             kept and mutated. Constants of the program serve as a dictionary. Branches of which only one side was taken \
             are worked on with the values that the program compares: an input is replaced by what it is compared with, \
             or changed step by step so that the difference shrinks. Where assumptions bind many inputs at once, all their \
             comparisons are solved together. Finds errors that need few constraints at a time, \
             long sequences of inputs, or many loop iterations; never proves anything. Takes a GIA, whose open goals it \
             looks for, and tests, which are its seeds; gives tests and a GIA with covered goals as rt paths. The same \
             seed gives the same result unless time runs out.",
        );
        Settings::declare(descriptor).gives(&[ArtifactKind::Tests, ArtifactKind::Gia])
    }

    fn new(setup: &Setup) -> Result<Self> {
        Ok(Fuzz { settings: Settings::read(&setup.options)?, knowledge: None })
    }
}

impl Engine for Fuzz {
    fn run(&mut self, task: &Task, inputs: &Inputs, host: &Host) -> Result<Outcome> {
        let seed = if self.settings.seed == 0 { inputs.seed } else { self.settings.seed };
        let settings = &self.settings;
        let knowledge = self.knowledge.get_or_insert_with(|| Knowledge::new(&task.program, settings, seed));
        let mut campaign = Campaign::new(task, inputs, host, settings, knowledge)?;
        let ending = campaign.run(&seeds(inputs))?;
        campaign.outcome(ending)
    }
}

/// The tests of others as vectors. Inputs that a test leaves open are zero.
fn seeds(inputs: &Inputs) -> Vec<Vec<u64>> {
    let tests = inputs.tests.iter().flat_map(|suite| &suite.tests);
    // A file's text does not have the type; a wide integer is right for all types but floats.
    let any = ValueType::Int { width: 64, signed: true };
    let bits = |value: &tandem_plugin_api::artifact::InputValue| {
        let typed = if value.bits().is_some() { Ok(value.clone()) } else { value.typed(any) };
        typed.ok().and_then(|value| value.bits()).map_or(0, |bits| bits as u64)
    };
    tests.map(|test| test.values().map(bits).collect()).collect()
}

tandem_plugin_api::export_plugin!(Fuzz);
