//! `race`: all steps at once; the first answer ends the others. What one publishes, the others get while they run.

use super::at_once::{self, Until};
use crate::compose::knowledge::Knowledge;
use crate::compose::part::{Keyword, Part, Step, StepOrder};
use crate::compose::run::Composition;
use crate::compose::turn::Turn;
use std::sync::Arc;
use tandem_plugin_api::artifact::Outcome;

pub const KEYWORD: Keyword = Keyword {
    key: "race",
    others: &[],
    read: |reader, entry, _| reader.steps(entry).map(|steps| Arc::new(Race { steps }) as _),
};

#[derive(Debug)]
struct Race {
    steps: Vec<Step>,
}

impl Part for Race {
    fn steps(&self) -> Vec<&Step> {
        self.steps.iter().collect()
    }

    fn order(&self) -> StepOrder {
        StepOrder::AtOnce
    }

    fn run(&self, composition: &Arc<Composition>, known: &Knowledge, turn: &Turn) -> Outcome {
        at_once::run(composition, &self.steps, known, turn, Until::FirstAnswer)
    }
}
