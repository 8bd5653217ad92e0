//! The trait of configurable program analyses (CPA; Beyer, Henzinger, Théoduloz, CAV 2007 and ASE 2008).
//! The host runs them in a product; location and call stack are always part of it, and the ARG is the host's.

mod capabilities;

pub use capabilities::{Answers, Capabilities, Capability, Concludes, Explains, Indexes, Observes, Refines};
pub(crate) use capabilities::{ConcludesCalls, IndexesCalls, RefinesCalls};

use crate::error::Result;
use crate::program::{EdgeId, LocationId};
use crate::query::Peers;
use crate::service::Host;
use crate::task::Inputs;

/// An abstract domain with its transfer relation and, if wanted, the other operators of a CPA+.
///
/// Three methods are enough: [`initial`](Analysis::initial), [`successors`](Analysis::successors) and
/// [`less_or_equal`](Analysis::less_or_equal). All others have sound defaults (merge-sep, stop-sep, a precision that
/// never changes). What only some analyses can do is a trait of its own, which an analysis implements and lists in
/// [`CAPABILITIES`](Analysis::CAPABILITIES): [`Refines`], [`Explains`], [`Answers`], [`Indexes`], [`Observes`],
/// [`Concludes`]. States are immutable and carry neither location nor call stack: the host compares and merges only
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
///     const CAPABILITIES: Capabilities<Self> = Capabilities::none().indexes();
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
/// /// A capability: states with different counts need not be compared.
/// impl Indexes for InputCount {
///     fn partition(&self, count: &u32) -> Result<Option<u64>> {
///         Ok(Some(u64::from(*count)))
///     }
/// }
///
/// // In a plugin's library: tandem_plugin_api::export_plugin!(InputCount);
/// // In a unit test, the same through the whole plugin boundary:
/// use tandem_plugin_api::kit::testing;
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

    /// The optional traits that it implements, see [`Capabilities`]. The host calls no method of a trait that is not listed.
    const CAPABILITIES: Capabilities<Self> = Capabilities::none();

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

    /// One line for graphs and reports.
    fn describe(&self, _state: &Self::State) -> Result<String> {
        Ok(String::new())
    }

    /// Whether the analysis stays sound when calls may return to any place that called the function. Where all
    /// analyses of a product say so, the host drops the call stack, which makes the state space much smaller.
    fn ignores_call_stack(&self) -> bool {
        false
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
