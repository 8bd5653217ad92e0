//! `sequence`: one step after the other. Each starts with what those before it found, and the first answer ends the sequence.

use crate::compose::findings::Findings;
use crate::compose::knowledge::Knowledge;
use crate::compose::part::{Keyword, Part, Step, StepOrder};
use crate::compose::run::Composition;
use crate::compose::turn::Turn;
use crate::verdict::decides;
use std::sync::Arc;
use tandem_plugin_api::artifact::Outcome;

pub const KEYWORD: Keyword = Keyword {
    key: "sequence",
    others: &[],
    read: |reader, entry, _| reader.steps(entry).map(|steps| Arc::new(Sequence { steps }) as _),
};

#[derive(Debug)]
struct Sequence {
    steps: Vec<Step>,
}

impl Part for Sequence {
    fn steps(&self) -> Vec<&Step> {
        self.steps.iter().collect()
    }

    fn order(&self) -> StepOrder {
        StepOrder::OneAfterTheOther
    }

    fn run(&self, composition: &Arc<Composition>, known: &Knowledge, turn: &Turn) -> Outcome {
        let mut findings = Findings::new(composition, known);
        for (at, step) in self.steps.iter().enumerate() {
            let outcome = step.run(composition, findings.known(), turn);
            let ends = decides(&outcome) || turn.stop.reason().is_some();
            findings.add(step.name(), outcome);
            if ends {
                break;
            }
            if let (Some(recorder), Some(next)) = (&composition.recorder, self.steps.get(at + 1)) {
                recorder.handed_on(&step.name(), &next.name(), &findings.known().inputs, composition.residual);
            }
        }
        findings.into_outcome()
    }
}
