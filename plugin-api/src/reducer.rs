//! The trait of reducers: they make the residual program, which has the paths that a GIA does not cover.

use crate::artifact::Gia;
use crate::error::{PluginError, Result};
use crate::program::{EdgeId, Program};
use crate::service::Host;
use crate::task::Task;
use serde::{Deserialize, Serialize};

/// Makes residual programs (the X-reducer of the GIA paper, REDUCER of conditional model checking).
///
/// ```
/// use tandem_plugin_api::prelude::*;
///
/// /// Keeps everything: always correct, never helpful.
/// struct Identity;
///
/// impl Plugin for Identity {
///     type Kind = kind::Reducer;
///     fn descriptor() -> Descriptor {
///         Descriptor::of::<Self>("identity", "1.0.0", "Keeps the whole program.").gives(&[ArtifactKind::Program])
///     }
///     fn new(_: &Setup) -> Result<Self> {
///         Ok(Identity)
///     }
/// }
///
/// impl Reducer for Identity {
///     fn reduce(&mut self, task: &Task, _known: &Gia, _done: Covered, _host: &Host) -> Result<Residual> {
///         Ok(Residual::same(&task.program))
///     }
/// }
///
/// let task = tandem_plugin_api::kit::testing::two_inputs();
/// let mut reducer = tandem_plugin_api::kit::testing::worker::<Identity>(&task, &[])?;
/// let residual = reducer.reduce(&Gia::nothing_known(), Covered::Ut, &Host::silent())?;
/// assert_eq!(residual.program.edges.len(), task.program().edges.len());
/// # Ok::<(), PluginError>(())
/// ```
pub trait Reducer: Send + 'static {
    /// A program that has at least all paths of the task's program that `known` does not cover as `done`, and no
    /// paths that the task's program does not have (Theorem 1).
    fn reduce(&mut self, task: &Task, known: &Gia, done: Covered, host: &Host) -> Result<Residual>;
}

/// The X of the X-reducer: which paths are covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Covered {
    /// Those that are known not to reach a target.
    Ut,
    /// Those that are known to reach a target.
    Rt,
}

/// A residual program with the way back to the original.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Residual {
    pub program: Program,
    /// For each edge of the residual program, the edge of the original that it came from; none for edges that the
    /// reducer added.
    pub origin: Vec<Option<EdgeId>>,
}

impl Residual {
    /// The program itself.
    pub fn same(program: &Program) -> Self {
        Residual { program: program.clone(), origin: program.edge_ids().map(Some).collect() }
    }

    /// Whether the residual program is well-formed, and its edges lead back into `original`.
    pub fn check(&self, original: &Program) -> Result<()> {
        if let Some(problem) = self.program.problems().into_iter().next() {
            return Err(PluginError::new(format!("the residual program is not well-formed: {problem}")));
        }
        if self.origin.len() != self.program.edges.len() {
            return Err(PluginError::new(format!(
                "the residual program has {} edges, but origins of {}",
                self.program.edges.len(),
                self.origin.len()
            )));
        }
        match self.origin.iter().flatten().find(|edge| edge.index() >= original.edges.len()) {
            Some(edge) => Err(PluginError::new(format!("the residual program names {edge}, which the original lacks"))),
            None => Ok(()),
        }
    }
}
