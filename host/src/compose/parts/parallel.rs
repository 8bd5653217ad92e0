//! `parallel`: all steps at once, each to its own end.

use super::at_once::{self, Until};
use crate::compose::knowledge::Knowledge;
use crate::compose::part::{Keyword, Part, Step, StepOrder};
use crate::compose::run::Composition;
use crate::compose::turn::Turn;
use std::sync::Arc;
use tandem_plugin_api::artifact::Outcome;

pub const KEYWORD: Keyword = Keyword {
    key: "parallel",
    others: &[],
    read: |reader, entry, _| reader.steps(entry).map(|steps| Arc::new(Parallel { steps }) as _),
};

#[derive(Debug)]
struct Parallel {
    steps: Vec<Step>,
}

impl Part for Parallel {
    fn steps(&self) -> Vec<&Step> {
        self.steps.iter().collect()
    }

    fn order(&self) -> StepOrder {
        StepOrder::AtOnce
    }

    fn run(&self, composition: &Arc<Composition>, known: &Knowledge, turn: &Turn) -> Outcome {
        at_once::run(composition, &self.steps, known, turn, Until::AllEnd)
    }
}
