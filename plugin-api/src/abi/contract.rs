//! The boundary itself: the root module of a plugin library and the objects that pass through it.
//! Everything here is append-only within a major API version: new methods come last, below `last_prefix_field`.
//! How a host loads libraries of earlier minor versions, see `host_side::library`.

// abi_stable's macros expand to code that breaks lints; no line of it is hand-written.
#![allow(clippy::all, non_camel_case_types, non_local_definitions)]

use super::execution::{ComparedWire, ConsumedWire, ExitWire, LimitsWire};
use super::handle::Handle;
use super::stop::StopSignal;
use super::wire::{AdjustedWire, Bytes, Next, RefinementWire, Reply};
use abi_stable::library::RootModule;
use abi_stable::sabi_types::{RRef, VersionStrings};
use abi_stable::std_types::{RArc, RBox, ROption, RSlice, RStr, RString, Tuple3};
use abi_stable::{StableAbi, sabi_trait};

/// The host, as it is passed to a plugin.
#[sabi_trait]
#[sabi(no_trait_impl)]
pub trait HostPort: Send + Sync {
    fn log(&self, level: u8, message: RStr<'_>);
    fn stop_signal(&self) -> StopSignal;
    /// The encoded program; asked for only by libraries that have not decoded it yet.
    fn program(&self) -> Reply<Bytes>;
    /// A [`HostRequest`](super::message::HostRequest); the answer's type depends on it.
    fn request(&self, request: RSlice<'_, u8>) -> Reply<Bytes>;
    /// Native code of the program for encoded [`ExecutionOptions`](crate::service::execution::ExecutionOptions).
    fn execution(&self, options: RSlice<'_, u8>) -> Reply<ExecutionBox>;
    /// Formulas over the program. The stamp keeps plugins that use what a later minor version adds away from this host.
    #[sabi(last_prefix_field)]
    fn formulas(&self) -> Reply<FormulasBox>;
}

pub type HostBox = HostPort_TO<'static, RArc<()>>;

/// A program ready to run. Nothing is encoded or copied: the records of a run are lent until the next run.
#[sabi_trait]
#[sabi(no_trait_impl)]
pub trait ExecutionPort: Send {
    fn run(&mut self, inputs: RSlice<'_, u64>, limits: LimitsWire) -> ExitWire;
    fn consumed(&self) -> RSlice<'_, ConsumedWire>;
    fn coverage(&self) -> RSlice<'_, u8>;
    fn decisions(&self) -> RSlice<'_, u8>;
    fn comparisons(&self) -> RSlice<'_, ComparedWire>;
    #[sabi(last_prefix_field)]
    fn steps(&self) -> u64;
}

pub type ExecutionBox = ExecutionPort_TO<'static, RBox<()>>;

/// Formulas and a solver. Requests and answers are encoded: they are small, and what they ask for costs more.
#[sabi_trait]
#[sabi(no_trait_impl)]
pub trait FormulasPort: Send {
    #[sabi(last_prefix_field)]
    fn ask(&mut self, request: RSlice<'_, u8>) -> Reply<Bytes>;
}

pub type FormulasBox = FormulasPort_TO<'static, RBox<()>>;

/// The other components of a product, as they are passed to the one that is strengthened.
#[sabi_trait]
#[sabi(no_trait_impl)]
pub trait PeersPort {
    #[sabi(last_prefix_field)]
    fn ask(&self, query: RSlice<'_, u8>) -> Reply<Bytes>;
}

pub type PeersRef<'a> = PeersPort_TO<'a, RRef<'a, ()>>;

/// An analysis. Hot methods pass handles and edge numbers only.
#[sabi_trait]
#[sabi(no_trait_impl)]
pub trait AnalysisPort: Send {
    /// The bits of its capabilities. Methods of others are not called.
    fn capabilities(&self) -> u32;
    fn ignores_call_stack(&self) -> Reply<bool>;
    fn start(&mut self, inputs: RSlice<'_, u8>, host: HostBox) -> Reply<()>;
    fn initial(&self) -> Reply<Handle>;
    fn successors(&self, state: &Handle, edge: u32, precision: &Handle) -> Reply<Next>;
    fn less_or_equal(&self, smaller: &Handle, greater: &Handle) -> Reply<bool>;
    fn merge(&self, new: &Handle, reached: &Handle, precision: &Handle) -> Reply<ROption<Handle>>;
    fn stop(&self, state: &Handle, reached: &Handle, precision: &Handle) -> Reply<bool>;
    fn adjust(&self, state: &Handle, at: u32, precision: &Handle) -> Reply<AdjustedWire>;
    fn strengthen(&self, state: &Handle, edge: u32, precision: &Handle, peers: PeersRef<'_>) -> Reply<Next>;
    fn describe(&self, state: &Handle) -> Reply<RString>;
    /// The default where the analysis does not refine.
    fn initial_precision(&self) -> Reply<Handle>;
    // Answers
    fn answer(&self, state: &Handle, query: RSlice<'_, u8>) -> Reply<Bytes>;
    // Refines
    fn refine(&self, path: RSlice<'_, u32>, precision: &Handle) -> Reply<ROption<RefinementWire>>;
    fn import_precision(&self, base: &Handle, given: RSlice<'_, u8>) -> Reply<ROption<Handle>>;
    fn export_precision(&self, precision: &Handle) -> Reply<Bytes>;
    // Explains
    fn invariant(&self, state: &Handle, at: u32) -> Reply<ROption<RString>>;
    // Indexes
    fn keeps_apart(&self) -> Reply<bool>;
    fn merges(&self) -> Reply<bool>;
    fn partition(&self, state: &Handle) -> Reply<ROption<u64>>;
    fn cover_key(&self, state: &Handle) -> Reply<ROption<Tuple3<u64, u64, u64>>>;
    fn cover_key_like(&self, state: &Handle, like: &Handle) -> Reply<ROption<u64>>;
    // Observes
    fn target(&self, state: &Handle, at: u32) -> Reply<ROption<RString>>;
    // Concludes
    fn is_unproven(&self, state: &Handle) -> Reply<bool>;
    /// An encoded list of names and values.
    fn finish(&self, complete: bool) -> Reply<Bytes>;
    /// An error if a value of this instance panicked where no caller could get the error.
    #[sabi(last_prefix_field)]
    fn health(&self) -> Reply<()>;
}

pub type AnalysisBox = AnalysisPort_TO<'static, RBox<()>>;

/// An engine, splitter, reducer or adapter: all calls are cold, so one method with messages serves them all.
#[sabi_trait]
#[sabi(no_trait_impl)]
pub trait WorkerPort: Send {
    /// A [`WorkerRequest`](super::message::WorkerRequest), answered by a
    /// [`WorkerReply`](super::message::WorkerReply).
    fn call(&mut self, request: RSlice<'_, u8>, host: HostBox) -> Reply<Bytes>;
    #[sabi(last_prefix_field)]
    fn health(&self) -> Reply<()>;
}

pub type WorkerBox = WorkerPort_TO<'static, RBox<()>>;

/// The exports of a plugin library.
#[repr(C)]
#[derive(StableAbi)]
#[sabi(kind(Prefix(prefix_ref = PluginModuleRef)))]
#[sabi(missing_field(panic))]
pub struct PluginModule {
    /// The encoded descriptor.
    pub describe: extern "C" fn() -> Reply<Bytes>,
    /// Makes an instance of an analysis from an encoded [`Creation`](super::message::Creation).
    pub analysis: extern "C" fn(creation: RSlice<'_, u8>, host: HostBox) -> Reply<AnalysisBox>,
    /// The same for the other kinds.
    #[sabi(last_prefix_field)]
    pub worker: extern "C" fn(creation: RSlice<'_, u8>, host: HostBox) -> Reply<WorkerBox>,
}

impl RootModule for PluginModuleRef {
    abi_stable::declare_root_module_statics! {PluginModuleRef}
    const BASE_NAME: &'static str = "tandem_plugin";
    const NAME: &'static str = "tandem_plugin";
    /// The API's major version. Minor versions are compared by the stamp, see [`Stamp`](super::Stamp).
    const VERSION_STRINGS: VersionStrings = VersionStrings::new("2.0.0");
}

#[cfg(test)]
mod tests {
    use super::*;
    use abi_stable::abi_stability::abi_checking::check_layout_compatibility;

    /// The host as a later minor version would have it, which can do more.
    mod later {
        use super::*;

        #[sabi_trait]
        #[sabi(no_trait_impl)]
        pub trait HostPort: Send + Sync {
            fn log(&self, level: u8, message: RStr<'_>);
            fn stop_signal(&self) -> StopSignal;
            fn program(&self) -> Reply<Bytes>;
            fn request(&self, request: RSlice<'_, u8>) -> Reply<Bytes>;
            fn execution(&self, options: RSlice<'_, u8>) -> Reply<ExecutionBox>;
            #[sabi(last_prefix_field)]
            fn formulas(&self) -> Reply<FormulasBox>;
            fn more(&self) -> Reply<Bytes>;
        }

        pub type HostBox = HostPort_TO<'static, RArc<()>>;
    }

    #[test]
    fn later_hosts_have_all_that_libraries_of_today_expect() {
        let (now, later) = (<HostBox as StableAbi>::LAYOUT, <later::HostBox as StableAbi>::LAYOUT);
        let check = |expects, has| check_layout_compatibility(expects, has).map_err(|error| error.to_string());
        check(now, later).unwrap();
        assert!(check(later, now).is_err(), "a host that can do less must refuse libraries that need more");
    }
}
