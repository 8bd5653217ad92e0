//! An opened plugin library. Libraries stay loaded until the process ends, since their states may live that long.

use super::super::codec;
use super::super::contract::PluginModuleRef;
use super::super::message::Creation;
use super::super::plugin_side::{ExportedKind, root_module};
use super::analysis::AnalysisInstance;
use super::services::port;
use super::task::{SharedTask, fresh_id};
use super::worker::WorkerInstance;
use crate::descriptor::Descriptor;
use crate::error::{PluginError, Result};
use crate::options::Options;
use crate::plugin::Plugin;
use crate::service::Host;
use abi_stable::StableAbi;
use abi_stable::abi_stability::abi_checking::{CheckingGlobals, check_layout_compatibility_with_globals};
use abi_stable::library::{LibraryError, lib_header_from_path};
use abi_stable::type_layout::TypeLayout;
use std::path::Path;
use thiserror::Error;

/// Why a file that looked like a plugin could not be opened.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OpenError {
    #[error("the dynamic linker refuses it: {0}")]
    Linker(String),
    #[error("it exports no plugin module")]
    NoModule,
    #[error("it was built with another version of abi_stable")]
    AbiStable,
    #[error("its types have another layout: {0}")]
    Layout(String),
    #[error("it failed to initialise: {0}")]
    Initialisation(String),
}

/// A plugin library.
#[derive(Clone, Copy)]
pub struct Library {
    module: PluginModuleRef,
}

impl Library {
    /// Loads a library. Its constructors run before anything can be checked, so check the file first.
    ///
    /// Not by `RootModule::load_from_file`: that one remembers the first library that was loaded, and returns it for
    /// every other file.
    pub fn open(path: &Path) -> std::result::Result<Self, OpenError> {
        let header = lib_header_from_path(path).map_err(summary)?;
        let module = match header.init_root_module::<PluginModuleRef>() {
            Err(LibraryError::AbiInstability(_)) if is_older(header.layout()) => {
                // SAFETY: the check the other way round has passed, see there.
                unsafe { header.init_root_module_with_unchecked_layout::<PluginModuleRef>() }
            }
            other => other,
        };
        Ok(Library { module: module.map_err(summary)? })
    }

    /// A plugin that is part of this executable, for tests. Goes through the same boundary.
    pub fn of<P: Plugin>() -> Self
    where
        P::Kind: ExportedKind<P>,
    {
        Library { module: root_module::<P>() }
    }

    pub fn descriptor(&self) -> Result<Descriptor> {
        let bytes = self.module.describe()().into_result().map_err(PluginError::from)?;
        codec::decode(&bytes, "a descriptor")
    }

    /// Makes an instance of an analysis plugin.
    pub fn analysis(&self, task: &SharedTask, options: &Options, host: &Host) -> Result<AnalysisInstance> {
        let creation = creation(task, options)?;
        let made = self.module.analysis()(creation.as_slice().into(), port(host, task.shared_program()));
        let made = made.into_result().map_err(PluginError::from)?;
        Ok(AnalysisInstance::new(made, task.shared_program().clone()))
    }

    /// Makes an instance of an engine, splitter, reducer or adapter plugin.
    pub fn worker(&self, task: &SharedTask, options: &Options, host: &Host) -> Result<WorkerInstance> {
        let creation = creation(task, options)?;
        let made = self.module.worker()(creation.as_slice().into(), port(host, task.shared_program()));
        let made = made.into_result().map_err(PluginError::from)?;
        Ok(WorkerInstance::new(made, task.shared_program().clone()))
    }
}

/// Whether a library was built for an earlier minor version of the contract, which had fewer methods.
///
/// abi_stable takes the library for the side that implements everything, which may have more methods than the host knows,
/// but not fewer. Here it is the host that grows: what an earlier library expects must be what this host has, and may be
/// less. Methods that the library does not have are not reached, since objects know which fields they were made with.
/// The check remembers nothing: libraries do not meet each other, only the host.
fn is_older(layout: Option<&'static TypeLayout>) -> bool {
    let ours = <PluginModuleRef as StableAbi>::LAYOUT;
    layout.is_some_and(|theirs| check_layout_compatibility_with_globals(theirs, ours, &CheckingGlobals::new()).is_ok())
}

fn creation(task: &SharedTask, options: &Options) -> Result<Vec<u8>> {
    codec::encode(&Creation {
        instance: fresh_id(),
        program: task.shared_program().id(),
        property: task.task().property.clone(),
        options: options.clone(),
    })
}

fn summary(error: LibraryError) -> OpenError {
    match error {
        LibraryError::OpenError { err, .. } => OpenError::Linker(one_line(&err.to_string())),
        LibraryError::GetSymbolError { .. } => OpenError::NoModule,
        LibraryError::InvalidAbiHeader(_) | LibraryError::InvalidCAbi { .. } => OpenError::AbiStable,
        LibraryError::AbiInstability(report) => OpenError::Layout(layout_summary(&report.to_string())),
        LibraryError::IncompatibleVersionNumber { expected_version, actual_version, .. } => {
            OpenError::Layout(format!("expected version {expected_version}, found {actual_version}"))
        }
        other => OpenError::Initialisation(one_line(&other.to_string())),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// abi_stable reports hundreds of lines; the actual difference stands at the end.
fn layout_summary(report: &str) -> String {
    let tail: Vec<&str> = report.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let start = tail.iter().rposition(|line| line.starts_with("Error:") || line.starts_with("error:")).unwrap_or(0);
    let text = one_line(&tail[start..].join(" ").replacen("Error:", "", 1));
    let text = text.replace(" Expected: ", ", expected ").replace(" Found: ", ", found ");
    match text.char_indices().nth(200) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
