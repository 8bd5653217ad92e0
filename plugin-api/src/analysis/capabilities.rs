//! What an analysis can do beyond the operators that every analysis has: each capability is a trait of its own. What an analysis does
//! not list in [`Analysis::CAPABILITIES`] is never asked across the boundary, so that it costs nothing.

use super::{Analysis, CoverKey, Refinement};
use crate::artifact;
use crate::error::Result;
use crate::program::{EdgeId, LocationId};
use crate::query::{Answer, Query};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The capabilities by name, as descriptors list them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Capability {
    /// [`Answers`]
    Answers,
    /// [`Refines`]
    Refines,
    /// [`Explains`]
    Explains,
    /// [`Indexes`]
    Indexes,
    /// [`Observes`]
    Observes,
    /// [`Concludes`]
    Concludes,
}

impl Capability {
    pub const ALL: [Capability; 6] = [
        Capability::Answers,
        Capability::Refines,
        Capability::Explains,
        Capability::Indexes,
        Capability::Observes,
        Capability::Concludes,
    ];

    /// The same as the name of the method of [`Capabilities`] that lists it.
    pub fn name(self) -> &'static str {
        match self {
            Capability::Answers => "answers",
            Capability::Refines => "refines",
            Capability::Explains => "explains",
            Capability::Indexes => "indexes",
            Capability::Observes => "observes",
            Capability::Concludes => "concludes",
        }
    }

    /// Its place in the bits that cross the boundary.
    pub(crate) fn bit(self) -> u32 {
        1 << self as u32
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Answers questions about a state: those of other components of the product, and the host's.
pub trait Answers: Analysis {
    /// What is known; [`Answer::NoInformation`] to all questions that it does not know.
    fn answer(&self, state: &Self::State, query: &Query) -> Result<Answer>;
}

/// Excludes infeasible paths by finer precisions, and exchanges precisions with others.
pub trait Refines: Analysis {
    /// A precision that excludes an infeasible path (given from the program's entry on); `None` if this analysis
    /// cannot exclude it. The host asks this of every path to a target before it asks a solver, so that the path may well
    /// be feasible: the answer is `None` then. `precision` is what all refinements so far have led to; the new one must
    /// track all that it tracks. Nothing may be needed but the path: another actor may have found it.
    fn refine(&self, path: &[EdgeId], precision: &Self::Precision) -> Result<Option<Refinement<Self::Precision>>>;

    fn initial_precision(&self) -> Result<Self::Precision> {
        Ok(Self::Precision::default())
    }

    /// `base` with all that this analysis can use of a precision that another actor or an earlier run found.
    /// `None` if there is nothing in it for this analysis.
    fn import_precision(
        &self,
        _base: &Self::Precision,
        _given: &artifact::Precision,
    ) -> Result<Option<Self::Precision>> {
        Ok(None)
    }

    /// The precision in the form that other analyses can read.
    fn export_precision(&self, _precision: &Self::Precision) -> Result<artifact::Precision> {
        Ok(artifact::Precision::default())
    }
}

/// Says in C what its states mean: for witnesses, for other actors, and for the check of its soundness.
pub trait Explains: Analysis {
    /// A C expression over the variables seen at `at` that holds in all concrete states of `state`.
    /// `None` means `true`.
    fn invariant(&self, state: &Self::State, at: LocationId) -> Result<Option<String>>;
}

/// Hints by which the host finds states to merge with or to cover others sooner. The default of each gives no hint.
pub trait Indexes: Analysis {
    /// Whether no state is ever merged with another or covers another, as in symbolic execution. The host then compares
    /// none in the whole product, and gives back the states whose successors are known.
    fn keeps_apart(&self) -> bool {
        false
    }

    /// Whether [`merge`](Analysis::merge) ever returns a state. If no analysis of a product merges, the host does not
    /// call it.
    fn merges(&self) -> bool {
        true
    }

    /// A number that is the same for all states that may cover each other or be merged: the host compares only states with
    /// equal numbers. `None` for states that must be compared with all others.
    fn partition(&self, _state: &Self::State) -> Result<Option<u64>> {
        Ok(None)
    }

    /// For an index of states, where [`stop`](Analysis::stop) looks for values that agree. `None` for states that must be
    /// compared one by one. Used only where no analysis of the product merges.
    fn cover_key(&self, _state: &Self::State) -> Result<Option<CoverKey>> {
        Ok(None)
    }

    /// The [`CoverKey::values`] that a state must have to cover `state` if it knows values of what `like` does; `None` if none
    /// such can cover it.
    fn cover_key_like(&self, _state: &Self::State, _like: &Self::State) -> Result<Option<u64>> {
        Ok(None)
    }
}

/// Looks for states of its own, beside the target edges that the host knows itself.
pub trait Observes: Analysis {
    /// Why this state is one that was asked for.
    fn target(&self, state: &Self::State, at: LocationId) -> Result<Option<String>>;
}

/// Has a last word when an exploration ends: checks that were put off, and numbers for reports.
pub trait Concludes: Analysis {
    /// The exploration ended: the last moment to note what a proof rests on, such as checks that were put off. With
    /// `complete`, nothing is left to explore, and the answer will be TRUE unless something is noted or a target was
    /// reached. Returns names and values for reports.
    fn finish(&self, complete: bool) -> Result<Vec<(String, String)>>;

    /// Whether something about this state or the edges that leave it is still to be checked in [`finish`](Concludes::finish), such as
    /// hazards that were noted for it. Where an exploration ends early, paths through it then count as not explored: they are no
    /// condition for others.
    fn is_unproven(&self, _state: &Self::State) -> Result<bool> {
        Ok(false)
    }
}

/// The capabilities of an analysis, for [`Analysis::CAPABILITIES`]: `Capabilities::none().explains().refines()`.
///
/// Only what is implemented can be listed:
///
/// ```compile_fail,E0277
/// use tandem_plugin_api::prelude::*;
/// struct Liar;
/// impl Analysis for Liar {
///     type State = ();
///     type Precision = ();
///     const CAPABILITIES: Capabilities<Self> = Capabilities::none().explains();
///     fn initial(&self) -> Result<()> {
///         Ok(())
///     }
///     fn successors(&self, _: &(), _: EdgeId, _: &()) -> Result<Successors<()>> {
///         Ok(Successors::Unchanged)
///     }
///     fn less_or_equal(&self, _: &(), _: &()) -> Result<bool> {
///         Ok(true)
///     }
/// }
/// ```
pub struct Capabilities<A: Analysis> {
    pub(crate) answers: Option<AnswersCalls<A>>,
    pub(crate) refines: Option<RefinesCalls<A>>,
    pub(crate) explains: Option<ExplainsCalls<A>>,
    pub(crate) indexes: Option<IndexesCalls<A>>,
    pub(crate) observes: Option<ObservesCalls<A>>,
    pub(crate) concludes: Option<ConcludesCalls<A>>,
}

pub(crate) struct AnswersCalls<A: Analysis> {
    pub answer: fn(&A, &A::State, &Query) -> Result<Answer>,
}

type RefineCall<A, P> = fn(&A, &[EdgeId], &P) -> Result<Option<Refinement<P>>>;
type ImportCall<A, P> = fn(&A, &P, &artifact::Precision) -> Result<Option<P>>;
type KeyCall<A, S> = fn(&A, &S, &S) -> Result<Option<u64>>;
/// Names and values for reports.
type Remarks = Vec<(String, String)>;

pub(crate) struct RefinesCalls<A: Analysis> {
    pub refine: RefineCall<A, A::Precision>,
    pub initial_precision: fn(&A) -> Result<A::Precision>,
    pub import_precision: ImportCall<A, A::Precision>,
    pub export_precision: fn(&A, &A::Precision) -> Result<artifact::Precision>,
}

pub(crate) struct ExplainsCalls<A: Analysis> {
    pub invariant: fn(&A, &A::State, LocationId) -> Result<Option<String>>,
}

pub(crate) struct IndexesCalls<A: Analysis> {
    pub keeps_apart: fn(&A) -> bool,
    pub merges: fn(&A) -> bool,
    pub partition: fn(&A, &A::State) -> Result<Option<u64>>,
    pub cover_key: fn(&A, &A::State) -> Result<Option<CoverKey>>,
    pub cover_key_like: KeyCall<A, A::State>,
}

pub(crate) struct ObservesCalls<A: Analysis> {
    pub target: fn(&A, &A::State, LocationId) -> Result<Option<String>>,
}

pub(crate) struct ConcludesCalls<A: Analysis> {
    pub finish: fn(&A, bool) -> Result<Remarks>,
    pub is_unproven: fn(&A, &A::State) -> Result<bool>,
}

impl<A: Analysis> Capabilities<A> {
    pub const fn none() -> Self {
        Capabilities { answers: None, refines: None, explains: None, indexes: None, observes: None, concludes: None }
    }

    pub const fn answers(mut self) -> Self
    where
        A: Answers,
    {
        self.answers = Some(AnswersCalls { answer: <A as Answers>::answer });
        self
    }

    pub const fn refines(mut self) -> Self
    where
        A: Refines,
    {
        self.refines = Some(RefinesCalls {
            refine: <A as Refines>::refine,
            initial_precision: <A as Refines>::initial_precision,
            import_precision: <A as Refines>::import_precision,
            export_precision: <A as Refines>::export_precision,
        });
        self
    }

    pub const fn explains(mut self) -> Self
    where
        A: Explains,
    {
        self.explains = Some(ExplainsCalls { invariant: <A as Explains>::invariant });
        self
    }

    pub const fn indexes(mut self) -> Self
    where
        A: Indexes,
    {
        self.indexes = Some(IndexesCalls {
            keeps_apart: <A as Indexes>::keeps_apart,
            merges: <A as Indexes>::merges,
            partition: <A as Indexes>::partition,
            cover_key: <A as Indexes>::cover_key,
            cover_key_like: <A as Indexes>::cover_key_like,
        });
        self
    }

    pub const fn observes(mut self) -> Self
    where
        A: Observes,
    {
        self.observes = Some(ObservesCalls { target: <A as Observes>::target });
        self
    }

    pub const fn concludes(mut self) -> Self
    where
        A: Concludes,
    {
        self.concludes =
            Some(ConcludesCalls { finish: <A as Concludes>::finish, is_unproven: <A as Concludes>::is_unproven });
        self
    }

    /// The names of those that are listed.
    pub fn list(&self) -> Vec<Capability> {
        let has = |capability: &Capability| match capability {
            Capability::Answers => self.answers.is_some(),
            Capability::Refines => self.refines.is_some(),
            Capability::Explains => self.explains.is_some(),
            Capability::Indexes => self.indexes.is_some(),
            Capability::Observes => self.observes.is_some(),
            Capability::Concludes => self.concludes.is_some(),
        };
        Capability::ALL.into_iter().filter(has).collect()
    }
}
