//! Loads one plugin file: first checks whether it can be trusted, then its bytes, and only then loads the library
//! itself.

use super::{Refusal, RefusalKind, inspect, trust};
use std::path::{Path, PathBuf};
use tandem_plugin_api::abi::{AnalysisInstance, Library, OpenError, SharedTask, WorkerInstance};
use tandem_plugin_api::descriptor::{Descriptor, OptionValue};
use tandem_plugin_api::error::Result as PluginResult;
use tandem_plugin_api::options::{OptionProblem, Options};
use tandem_plugin_api::service::Host;

/// A plugin that is ready for use.
#[derive(Clone)]
pub struct LoadedPlugin {
    pub descriptor: Descriptor,
    /// The file as it was found.
    pub file: PathBuf,
    library: Library,
}

impl LoadedPlugin {
    /// A plugin of this executable, for tests.
    pub fn built_in(library: Library) -> PluginResult<Self> {
        Ok(LoadedPlugin { descriptor: library.descriptor()?, file: PathBuf::new(), library })
    }

    /// The plugin's options with defaults filled in, or all mistakes in the given ones.
    pub fn options(
        &self,
        given: impl IntoIterator<Item = (String, OptionValue)>,
    ) -> Result<Options, Vec<OptionProblem>> {
        Options::fill(&self.descriptor.options, given)
    }

    /// An instance of an analysis.
    pub fn analysis(&self, task: &SharedTask, options: &Options, host: &Host) -> PluginResult<AnalysisInstance> {
        self.library.analysis(task, options, host)
    }

    /// An instance of an engine, splitter, reducer or adapter.
    pub fn worker(&self, task: &SharedTask, options: &Options, host: &Host) -> PluginResult<WorkerInstance> {
        self.library.worker(task, options, host)
    }
}

/// Whether a file would be accepted as a plugin, whatever else is installed.
pub fn check_file(file: &Path) -> Result<Descriptor, Refusal> {
    load_plugin(file).map(|plugin| plugin.descriptor)
}

pub fn load_plugin(file: &Path) -> Result<LoadedPlugin, Refusal> {
    let real = trust::check_file(file)?;
    inspect::inspect(&real).map_err(|refusal| Refusal { file: file.to_path_buf(), ..refusal })?;
    let library = Library::open(&real).map_err(|error| refuse_open(file, &error))?;
    let descriptor = library.descriptor().map_err(|error| {
        let cause = format!("it fails to describe itself: {error}");
        Refusal::new(file, RefusalKind::Broken, cause, "tell the plugin's author")
    })?;
    if let Some(problem) = descriptor.problems().first() {
        let cause = format!("its descriptor is wrong: {problem}");
        return Err(Refusal::new(file, RefusalKind::Broken, cause, "tell the plugin's author"));
    }
    Ok(LoadedPlugin { descriptor, file: file.to_path_buf(), library })
}

fn refuse_open(file: &Path, error: &OpenError) -> Refusal {
    const REBUILD: &str = "rebuild the plugin against this tandem's tandem-plugin-api";
    let (kind, remedy) = match error {
        OpenError::Linker(_) => (RefusalKind::Broken, "rebuild the plugin on this machine, or install what it needs"),
        OpenError::NoModule => (RefusalKind::NotAPlugin, "end the plugin with `export_plugin!`"),
        OpenError::AbiStable | OpenError::Layout(_) => (RefusalKind::OtherLayout, REBUILD),
        OpenError::Initialisation(_) => (RefusalKind::Broken, "tell the plugin's author"),
    };
    Refusal::new(file, kind, error.to_string(), remedy)
}
