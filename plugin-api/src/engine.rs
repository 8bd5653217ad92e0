//! The trait of engines: whole procedures such as bounded model checking, k-induction, a fuzzer or a Horn-clause solver.

use crate::artifact::Outcome;
use crate::error::Result;
use crate::service::Host;
use crate::task::{Inputs, Task};

/// A procedure that takes a task and a GIA, and gives a verdict and a GIA (Def. 5 of the GIA paper).
///
/// The instance lives as long as its actor: what it keeps in `self` is there in the next round of a cycle.
///
/// ```
/// use tandem_plugin_api::prelude::*;
///
/// /// Answers TRUE where the graph has no way to a target.
/// struct GraphSearch;
///
/// impl Plugin for GraphSearch {
///     type Kind = kind::Engine;
///     fn descriptor() -> Descriptor {
///         Descriptor::of::<Self>("graph-search", "1.0.0", "Looks for a way to the error in the graph.")
///             .gives(&[ArtifactKind::Gia])
///     }
///     fn new(_: &Setup) -> Result<Self> {
///         Ok(GraphSearch)
///     }
/// }
///
/// impl Engine for GraphSearch {
///     fn run(&mut self, task: &Task, _inputs: &Inputs, host: &Host) -> Result<Outcome> {
///         let reached = task.program.reachable_locations();
///         for &target in &task.targets {
///             host.check()?; // ends with an error if time is up or the run was cancelled
///             if reached[task.program.edge(target).from.index()] {
///                 return Ok(Outcome::unknown(format!("the graph has a way to {target}")));
///             }
///         }
///         let mut outcome = Outcome::new(Verdict::True);
///         outcome.gia = Some(Gia::all_ut());
///         Ok(outcome)
///     }
/// }
///
/// let task = tandem_plugin_api::kit::testing::two_inputs();
/// let mut engine = tandem_plugin_api::kit::testing::worker::<GraphSearch>(&task, &[])?;
/// let outcome = engine.run(&Inputs::default(), &Host::silent())?;
/// assert!(outcome.verdict.is_unknown());
/// # Ok::<(), PluginError>(())
/// ```
pub trait Engine: Send + 'static {
    /// Works until there is a result, or until the host asks to stop: poll [`Host::stopped`] often, and then return
    /// what was found so far (verdict UNKNOWN), or [`Host::check`]'s error if there is nothing.
    ///
    /// While running, look at [`Host::incoming`] for invariants or tests that others found, and
    /// [`publish`](Host::publish) what others can use at once.
    fn run(&mut self, task: &Task, inputs: &Inputs, host: &Host) -> Result<Outcome>;
}
