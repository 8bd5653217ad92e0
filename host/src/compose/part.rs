//! The parts that compositions are made of, and the one table of them: a new combinator is a file in `parts/` and a line here.

use super::check::CheckedActors;
use super::check_run::StepReader;
use super::document::Entry;
use super::knowledge::Knowledge;
use super::parts::{actor, cycle, parallel, race, reduce, sequence};
use super::run::Composition;
use super::schema::{Fields, Problems};
use super::turn::Turn;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tandem_plugin_api::artifact::Outcome;

/// How a table of a configuration says which part it is.
pub struct Keyword {
    /// `sequence` in `sequence = ["a", "b"]`.
    pub key: &'static str,
    /// Keys that may stand beside it, and beside no other keyword. ([`StepReader`] reads `limit` and `share`, which each part may have.)
    pub others: &'static [&'static str],
    /// Reads the value of the key, and the keys beside it. Mistakes are reported to the reader.
    pub read: fn(&mut StepReader<'_, '_>, &Entry, &mut Fields<'_>) -> Option<Arc<dyn Part>>,
}

/// All of them, in the order in which messages name them.
pub const KEYWORDS: [&Keyword; 6] =
    [&actor::KEYWORD, &sequence::KEYWORD, &cycle::KEYWORD, &race::KEYWORD, &parallel::KEYWORD, &reduce::KEYWORD];

/// A checked part of a composition: an actor, or a combinator with its steps.
pub trait Part: fmt::Debug + Send + Sync {
    /// The parts in it, in the order of the text.
    fn steps(&self) -> Vec<&Step>;

    /// The names of all actors in it, in the order of the text.
    fn actors(&self) -> Vec<&str> {
        self.steps().into_iter().flat_map(|step| step.part.actors()).collect()
    }

    /// The order in which its steps run.
    fn order(&self) -> StepOrder;

    /// Reports what only the whole configuration shows to be wrong with it.
    fn check(&self, _actors: &CheckedActors<'_>, _problems: &mut Problems<'_>) {}

    /// Whether it can leave out paths that a GIA covers.
    fn follows_conditions(&self, actors: &CheckedActors<'_>) -> bool {
        self.steps().into_iter().any(|step| step.part.follows_conditions(actors))
    }

    /// Runs it once. Failures of actors are results without a verdict.
    fn run(&self, composition: &Arc<Composition>, known: &Knowledge, turn: &Turn) -> Outcome;
}

/// In which order the steps of a part run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepOrder {
    /// Each gets what those before it found.
    OneAfterTheOther,
    /// Each gets what the others publish while they run.
    AtOnce,
}

/// A part, and what it may use of the time.
#[derive(Clone, Debug)]
pub struct Step {
    pub part: Arc<dyn Part>,
    pub limit: Option<Duration>,
    /// In percent of the time that is left when the step starts.
    pub share: Option<u32>,
}

impl Step {
    pub fn without_limits(part: Arc<dyn Part>) -> Self {
        Step { part, limit: None, share: None }
    }

    /// The names of its actors, for messages.
    pub fn name(&self) -> String {
        self.part.actors().join("+")
    }

    /// Runs the part within the limits.
    pub fn run(&self, composition: &Arc<Composition>, known: &Knowledge, turn: &Turn) -> Outcome {
        match self.turn(turn) {
            Ok(own) => self.part.run(composition, known, &own),
            Err(why) => Outcome::unknown(why),
        }
    }

    /// Of the time of a combinator, what the step may use if it starts now. The error says why a limit could not be kept.
    pub fn turn(&self, whole: &Turn) -> Result<Turn, String> {
        self.time(whole.left()).map_or_else(|| Ok(whole.clone()), |limit| whole.within(limit))
    }

    /// The time that the step may use, of the time that is left when it starts; `None` means all of it.
    fn time(&self, left: Option<Duration>) -> Option<Duration> {
        let share = self.share.zip(left).map(|(percent, left)| left * percent / 100);
        [share, self.limit].into_iter().flatten().min()
    }
}
