//! The trait of configurable program analyses (CPA; Beyer, Henzinger, Théoduloz, CAV 2007 and ASE 2008).
//! The host runs them in a product; location and call stack are always part of it, and the ARG is the host's.

use crate::artifact;
use crate::error::Result;
use crate::program::{EdgeId, LocationId};
use crate::query::{Answer, Peers, Query};
use crate::service::Host;
use crate::task::Inputs;

/// An abstract domain with its transfer relation and, if wanted, the other operators of a CPA+.
///
/// Three methods are enough: [`initial`](Analysis::initial), [`successors`](Analysis::successors) and
/// [`less_or_equal`](Analysis::less_or_equal). All others have sound defaults (merge-sep, stop-sep, a precision that
/// never changes). States are immutable and carry neither location nor call stack: the host compares and merges only
/// states that agree on these.
///
/// An instance is made for one task by [`Plugin::new`](crate::Plugin::new), lives as long as the actor, and is called
/// from one thread at a time; caches may therefore sit in a `RefCell`.
///
/// ```
/// use tandem_plugin_api::prelude::*;
/// use std::sync::Arc;
///
/// /// Counts the inputs read so far, up to `max`, which stands for "that many or more".
/// struct InputCount { program: Arc<Program>, max: u32 }
///
/// impl Plugin for InputCount {
///     type Kind = kind::Analysis;
///     fn descriptor() -> Descriptor {
///         Descriptor::of::<Self>("input-count", "1.0.0", "Counts the inputs that were read.")
///             .option("max", "where counting ends", OptionType::Integer { min: 1, max: 1000 }, OptionValue::Integer(3))
///     }
///     fn new(setup: &Setup) -> Result<Self> {
///         Ok(InputCount { program: setup.task.program.clone(), max: setup.options.integer("max")? as u32 })
///     }
/// }
///
/// impl Analysis for InputCount {
///     type State = u32;
///     type Precision = ();
///     fn initial(&self) -> Result<u32> {
///         Ok(0)
///     }
///     fn successors(&self, count: &u32, edge: EdgeId, _: &()) -> Result<Successors<u32>> {
///         Ok(match self.program.edge(edge).op {
///             Op::Input { .. } if *count < self.max => Successors::One(count + 1),
///             _ => Successors::Unchanged,
///         })
///     }
///     fn less_or_equal(&self, smaller: &u32, greater: &u32) -> Result<bool> {
///         Ok(smaller == greater)
///     }
/// }
///
/// // In a plugin's library: tandem_plugin_api::export_plugin!(InputCount);
/// // In a unit test, the same through the whole plugin boundary:
/// use tandem_plugin_api::testing;
/// let task = testing::two_inputs();
/// let analysis = testing::analysis::<InputCount>(&task, &[("max", OptionValue::Integer(1))])?;
/// let states = testing::states_along(&analysis, &task.program().edge_ids().collect::<Vec<_>>())?;
/// assert_eq!(states.len(), 4); // before, between and after three edges
/// # Ok::<(), PluginError>(())
/// ```
pub trait Analysis: Send + Sized + 'static {
    /// An element of the abstract domain.
    type State: Send + Sync + 'static;
    /// The items to track; `()` for analyses that always track the same.
    type Precision: Default + Send + Sync + 'static;

    /// Called before each run with what this run may use: a GIA, a range, invariants, limits. Keep a clone of `host`
    /// to poll for cancellation in long computations, and to note unsound steps.
    fn start(&mut self, _inputs: &Inputs, _host: &Host) -> Result<()> {
        Ok(())
    }

    /// The state at the entry of `main`, before any global variable is initialised by the program's own code.
    fn initial(&self) -> Result<Self::State>;

    /// The transfer relation: all abstract states after the edge. It must over-approximate what the edge does, or tell
    /// the host by [`Host::unsound`]. The host sees to it that calls return to where they came from.
    fn successors(
        &self,
        state: &Self::State,
        edge: EdgeId,
        precision: &Self::Precision,
    ) -> Result<Successors<Self::State>>;

    /// The partial order of the domain: whether `greater` stands for all concrete states that `smaller` stands for.
    fn less_or_equal(&self, smaller: &Self::State, greater: &Self::State) -> Result<bool>;

    /// An upper bound of two states. An analysis that implements it gets merge-join.
    fn join(&self, _new: &Self::State, _reached: &Self::State) -> Result<Option<Self::State>> {
        Ok(None)
    }

    /// The merge operator: a state that replaces `reached` and stands for at least all that `reached` stands for;
    /// `None` keeps both apart (merge-sep). In a product, states are merged only if every component agrees.
    fn merge(
        &self,
        new: &Self::State,
        reached: &Self::State,
        _precision: &Self::Precision,
    ) -> Result<Option<Self::State>> {
        self.join(new, reached)
    }

    /// The stop operator for one reached state: whether `state` needs no exploration since `reached` gets one.
    fn stop(&self, state: &Self::State, reached: &Self::State, _precision: &Self::Precision) -> Result<bool> {
        self.less_or_equal(state, reached)
    }

    /// Precision adjustment: widens the state to what the precision tracks, or changes the precision.
    fn adjust(
        &self,
        _state: &Self::State,
        _at: LocationId,
        _precision: &Self::Precision,
    ) -> Result<Adjusted<Self::State, Self::Precision>> {
        Ok(Adjusted::default())
    }

    /// Strengthens a successor with what the other components of the product know after the same edge.
    /// [`Successors::None`] says that no concrete state fits them all.
    fn strengthen(
        &self,
        _state: &Self::State,
        _edge: EdgeId,
        _precision: &Self::Precision,
        _peers: &Peers<'_>,
    ) -> Result<Successors<Self::State>> {
        Ok(Successors::Unchanged)
    }

    /// Answers the question of another component.
    fn answer(&self, _state: &Self::State, _query: &Query) -> Result<Answer> {
        Ok(Answer::NoInformation)
    }

    /// A precision that excludes an infeasible path (given from the program's entry on); `None` if this analysis
    /// cannot exclude it. The host asks this of every path to a target before it asks a solver, so that the path may well
    /// be feasible: the answer is `None` then. `precision` is what all refinements so far have led to; the new one must
    /// track all that it tracks.
    fn refine(&self, _path: &[EdgeId], _precision: &Self::Precision) -> Result<Option<Refinement<Self::Precision>>> {
        Ok(None)
    }

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

    /// A C expression over the variables seen at `at` that holds in all concrete states of `state`.
    /// `None` means `true`.
    fn invariant(&self, _state: &Self::State, _at: LocationId) -> Result<Option<String>> {
        Ok(None)
    }

    /// For observers: why this state is a target, beside the target edges that the host knows itself.
    fn target(&self, _state: &Self::State, _at: LocationId) -> Result<Option<String>> {
        Ok(None)
    }

    /// One line for graphs and reports.
    fn describe(&self, _state: &Self::State) -> Result<String> {
        Ok(String::new())
    }

    /// Whether the analysis stays sound when calls may return to any place that called the function. Where all
    /// analyses of a product say so, the host drops the call stack, which makes the state space much smaller.
    fn ignores_call_stack(&self) -> bool {
        false
    }

    /// Whether no state is ever merged with another or covers another, as in symbolic execution. The host then compares
    /// no states in the whole product, and gives back the states whose successors are known. Since 1.2.
    fn keeps_apart(&self) -> bool {
        false
    }

    /// Whether [`merge`](Analysis::merge) ever returns a state. If no analysis of a product merges, the host does not
    /// call it.
    /// Since 1.2.
    fn merges(&self) -> bool {
        true
    }

    /// A number that is the same for all states that may cover each other or be merged: the host compares only states with
    /// equal numbers. `None` for states that must be compared with all others. Since 1.2.
    fn partition(&self, _state: &Self::State) -> Result<Option<u64>> {
        Ok(None)
    }

    /// For an index of states, where [`stop`](Analysis::stop) looks for values that agree. `None` for states that must be
    /// compared one by one. Used only where no analysis of the product merges. Since 1.2.
    fn cover_key(&self, _state: &Self::State) -> Result<Option<CoverKey>> {
        Ok(None)
    }

    /// The [`CoverKey::values`] that a state must have to cover `state` if it knows values of the same things as
    /// `like`; `None` if no such state can cover it. Since 1.2.
    fn cover_key_like(&self, _state: &Self::State, _like: &Self::State) -> Result<Option<u64>> {
        Ok(None)
    }

    /// Whether a check about this state or its leaving edges is put off until [`finish`](Analysis::finish), such as a
    /// check of hazards that were noted for it. If an exploration ends early, paths through the state then count as not
    /// explored: they are no condition for others. Since 1.2.
    fn is_unproven(&self, _state: &Self::State) -> Result<bool> {
        Ok(false)
    }

    /// The exploration ended: the last moment to note what a proof rests on, such as the results of checks that were
    /// put off. With `complete`, nothing is left to explore, and the answer will be TRUE unless an unsound step is
    /// noted or a target was reached. Returns names and values for reports. Since 1.2.
    fn finish(&self, _complete: bool) -> Result<Vec<(String, String)>> {
        Ok(Vec::new())
    }
}

/// The abstract states after an edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Successors<S> {
    /// No concrete state can pass the edge.
    None,
    /// The state before the edge. Return this rather than a copy: the host then sees that nothing changed.
    Unchanged,
    One(S),
    Many(Vec<S>),
}

impl<S> From<Option<S>> for Successors<S> {
    fn from(state: Option<S>) -> Self {
        state.map_or(Successors::None, Successors::One)
    }
}

impl<S> From<Vec<S>> for Successors<S> {
    fn from(states: Vec<S>) -> Self {
        Successors::Many(states)
    }
}

/// The result of precision adjustment; a part that is `None` stays as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adjusted<S, P> {
    /// Must stand for at least all that the state before stood for.
    pub state: Option<S>,
    pub precision: Option<P>,
    /// Ends the exploration after this state, which is kept on the list of open ones.
    pub stop_here: bool,
}

impl<S, P> Default for Adjusted<S, P> {
    fn default() -> Self {
        Adjusted { state: None, precision: None, stop_here: false }
    }
}

/// The common part of a state and those that it covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CoverKey {
    /// Has only bits that the keys of covered states have, too.
    pub bits: u64,
    /// A hash of the things whose values the state knows.
    pub shape: u64,
    /// A hash of these values.
    pub values: u64,
}

/// How an infeasible path is excluded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refinement<P> {
    /// The old precision and what must be tracked in addition.
    pub precision: P,
    /// States after the first `from` edges of the path can stay; those after must be computed anew (lazy abstraction).
    pub from: usize,
}
