//! What runs inside a plugin library: it turns calls across the boundary into calls of the author's traits.
//! Every call goes through a guard (`super::guard`), so that no panic leaves the library.

mod analysis;
mod execution;
mod formulas;
mod host;
mod programs;
mod worker;

use super::contract::{AnalysisBox, HostBox, PluginModule, PluginModuleRef, WorkerBox};
use super::message::Creation;
use super::wire::{Bytes, Reply};
use super::{codec, guard};
use crate::analysis::{Analysis, Capability};
use crate::descriptor::Descriptor;
use crate::error::{PluginError, Result};
use crate::plugin::{Plugin, Setup, kind};
use crate::task::Task;
use abi_stable::library::{self, LibHeader, RootModuleResult};
use abi_stable::prefix_type::PrefixTypeTrait;
use abi_stable::std_types::RSlice;
use std::sync::Arc;

/// What the exported root module's loader returns.
pub type RootResult = RootModuleResult;

/// The static behind [`ROOT_SYMBOL`](super::ROOT_SYMBOL): abi_stable's header and nothing else.
#[repr(transparent)]
pub struct RootHeader(LibHeader);

impl RootHeader {
    pub const fn new(load: extern "C" fn() -> RootResult) -> Self {
        // SAFETY: `load_library` is the only public way to a `RootResult`, and it returns a `PluginModuleRef`.
        RootHeader(unsafe { LibHeader::from_constructor::<PluginModuleRef>(load, library::CheckTypeLayout::Yes) })
    }
}

/// Called by abi_stable when a library has passed the layout check.
pub fn load_library<P: Plugin>() -> RootResult
where
    P::Kind: ExportedKind<P>,
{
    guard::install_panic_hook();
    library::__call_root_module_loader(root_module::<P>)
}

/// The root module of a plugin, whether it is in a library or in this executable.
pub(crate) fn root_module<P: Plugin>() -> PluginModuleRef
where
    P::Kind: ExportedKind<P>,
{
    PluginModule { describe: describe::<P>, analysis: analysis::<P>, worker: worker::<P> }.leak_into_prefix()
}

/// Ties a kind's marker type to its trait: `kind::Engine` exports whatever implements `Engine`.
#[diagnostic::on_unimplemented(
    message = "`{P}` does not implement the trait of its plugin kind",
    note = "implement `Analysis`, `Engine`, `Splitter`, `Reducer` or `Adapter`, as its `Plugin::Kind` says"
)]
pub trait ExportedKind<P: Plugin>: kind::Kind {
    #[doc(hidden)]
    fn analysis(_new: NewInstance<P>) -> Result<AnalysisBox> {
        Err(PluginError::protocol(format!("the plugin is of kind {}", Self::KIND)))
    }

    #[doc(hidden)]
    fn capabilities() -> Vec<Capability> {
        Vec::new()
    }

    #[doc(hidden)]
    fn worker(_new: NewInstance<P>) -> Result<WorkerBox> {
        Err(PluginError::protocol(format!("the plugin is of kind {}", Self::KIND)))
    }
}

impl<P: Plugin<Kind = kind::Analysis> + Analysis> ExportedKind<P> for kind::Analysis {
    fn analysis(new: NewInstance<P>) -> Result<AnalysisBox> {
        Ok(analysis::shell(new))
    }

    fn capabilities() -> Vec<Capability> {
        P::CAPABILITIES.list()
    }
}

/// An instance that was just made, with what its shell needs.
pub struct NewInstance<P> {
    plugin: P,
    id: u64,
    task: Arc<Task>,
}

fn create<P: Plugin>(creation: &[u8], port: HostBox) -> Result<NewInstance<P>> {
    let creation: Creation = codec::decode(creation, "what an instance is made from")?;
    let program = programs::decoded(creation.program, &port)?;
    let task = Arc::new(Task::new(program, creation.property));
    let setup = Setup { task: Arc::clone(&task), options: creation.options, host: host::connect(port) };
    Ok(NewInstance { plugin: P::new(&setup)?, id: creation.instance, task })
}

extern "C" fn describe<P: Plugin>() -> Reply<Bytes>
where
    P::Kind: ExportedKind<P>,
{
    guard::reply("descriptor", || Ok(codec::encode(&descriptor::<P>()?)?.into()))
}

/// What the plugin says of itself, with the capabilities that it has. One that lists others is refused.
fn descriptor<P: Plugin>() -> Result<Descriptor>
where
    P::Kind: ExportedKind<P>,
{
    let (mut descriptor, capabilities) = (P::descriptor(), P::Kind::capabilities());
    if let Some(lacking) = descriptor.capabilities.iter().find(|listed| !capabilities.contains(listed)) {
        return Err(PluginError::bad_input(format!(
            "its descriptor lists the capability `{lacking}`, which it lacks; an analysis has those of its `CAPABILITIES`, and other \
             plugins have none"
        )));
    }
    descriptor.capabilities = capabilities;
    Ok(descriptor)
}

extern "C" fn analysis<P: Plugin>(creation: RSlice<'_, u8>, host: HostBox) -> Reply<AnalysisBox>
where
    P::Kind: ExportedKind<P>,
{
    guard::reply("new", || P::Kind::analysis(create::<P>(creation.as_slice(), host)?))
}

extern "C" fn worker<P: Plugin>(creation: RSlice<'_, u8>, host: HostBox) -> Reply<WorkerBox>
where
    P::Kind: ExportedKind<P>,
{
    guard::reply("new", || P::Kind::worker(create::<P>(creation.as_slice(), host)?))
}
