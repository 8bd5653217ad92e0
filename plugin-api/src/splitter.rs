//! The trait of splitters: they cut the paths of a program into ranges (ranged program analysis).

use crate::artifact::Bound;
use crate::error::Result;
use crate::service::Host;
use crate::task::{Inputs, Task};

/// Finds paths that cut a range of paths into smaller ranges.
///
/// ```
/// use tandem_plugin_api::prelude::*;
///
/// /// Cuts where the first branch is taken for the `n`-th time.
/// struct FirstBranch;
///
/// impl Plugin for FirstBranch {
///     type Kind = kind::Splitter;
///     fn descriptor() -> Descriptor {
///         Descriptor::of::<Self>("first-branch", "1.0.0", "Cuts at the first branch.").gives(&[ArtifactKind::Ranges])
///     }
///     fn new(_: &Setup) -> Result<Self> {
///         Ok(FirstBranch)
///     }
/// }
///
/// impl Splitter for FirstBranch {
///     fn split(&mut self, _task: &Task, _inputs: &Inputs, parts: u32, _host: &Host) -> Result<Vec<Bound>> {
///         let taken = |times| Bound::Decisions(Decisions(vec![true; times as usize]));
///         Ok((1..parts).map(taken).collect())
///     }
/// }
///
/// let task = tandem_plugin_api::kit::testing::two_inputs();
/// let mut splitter = tandem_plugin_api::kit::testing::worker::<FirstBranch>(&task, &[])?;
/// assert_eq!(splitter.split(&Inputs::default(), 3, &Host::silent())?.len(), 2);
/// # Ok::<(), PluginError>(())
/// ```
pub trait Splitter: Send + 'static {
    /// Up to `parts - 1` bounds inside `inputs.range`, in ascending order of their paths. The host makes the ranges
    /// between them. Fewer bounds, or none, say that the range cannot be cut any further.
    fn split(&mut self, task: &Task, inputs: &Inputs, parts: u32, host: &Host) -> Result<Vec<Bound>>;
}
