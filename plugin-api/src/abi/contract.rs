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
    #[sabi(last_prefix_field)]
    fn request(&self, request: RSlice<'_, u8>) -> Reply<Bytes>;
    /// Native code of the program for encoded [`ExecutionOptions`](crate::service::execution::ExecutionOptions).
    /// Since 1.1; the stamp keeps plugins that use it away from older hosts.
    fn execution(&self, options: RSlice<'_, u8>) -> Reply<ExecutionBox>;
    /// Formulas over the program. Since 1.2.
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
    fn ignores_call_stack(&self) -> Reply<bool>;
    fn start(&mut self, inputs: RSlice<'_, u8>, host: HostBox) -> Reply<()>;
    fn initial(&self) -> Reply<Handle>;
    fn initial_precision(&self) -> Reply<Handle>;
    fn successors(&self, state: &Handle, edge: u32, precision: &Handle) -> Reply<Next>;
    fn less_or_equal(&self, smaller: &Handle, greater: &Handle) -> Reply<bool>;
    fn merge(&self, new: &Handle, reached: &Handle, precision: &Handle) -> Reply<ROption<Handle>>;
    fn stop(&self, state: &Handle, reached: &Handle, precision: &Handle) -> Reply<bool>;
    fn adjust(&self, state: &Handle, at: u32, precision: &Handle) -> Reply<AdjustedWire>;
    fn strengthen(&self, state: &Handle, edge: u32, precision: &Handle, peers: PeersRef<'_>) -> Reply<Next>;
    fn answer(&self, state: &Handle, query: RSlice<'_, u8>) -> Reply<Bytes>;
    fn refine(&self, path: RSlice<'_, u32>, precision: &Handle) -> Reply<ROption<RefinementWire>>;
    fn import_precision(&self, base: &Handle, given: RSlice<'_, u8>) -> Reply<ROption<Handle>>;
    fn export_precision(&self, precision: &Handle) -> Reply<Bytes>;
    fn invariant(&self, state: &Handle, at: u32) -> Reply<ROption<RString>>;
    fn target(&self, state: &Handle, at: u32) -> Reply<ROption<RString>>;
    fn describe(&self, state: &Handle) -> Reply<RString>;
    /// An error if a value of this instance panicked where no caller could get the error.
    #[sabi(last_prefix_field)]
    fn health(&self) -> Reply<()>;
    /// Since 1.2, as the next ones; for earlier libraries, the default here is the answer.
    fn keeps_apart(&self) -> Reply<bool> {
        Reply::ROk(false)
    }
    /// An encoded list of names and values.
    fn finish(&self, _complete: bool) -> Reply<ROption<Bytes>> {
        Reply::ROk(ROption::RNone)
    }
    fn merges(&self) -> Reply<bool> {
        Reply::ROk(true)
    }
    fn partition(&self, _state: &Handle) -> Reply<ROption<u64>> {
        Reply::ROk(ROption::RNone)
    }
    fn cover_key(&self, _state: &Handle) -> Reply<ROption<Tuple3<u64, u64, u64>>> {
        Reply::ROk(ROption::RNone)
    }
    fn cover_key_like(&self, _state: &Handle, _like: &Handle) -> Reply<ROption<u64>> {
        Reply::ROk(ROption::RNone)
    }
    fn is_unproven(&self, _state: &Handle) -> Reply<bool> {
        Reply::ROk(false)
    }
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
    const VERSION_STRINGS: VersionStrings = VersionStrings::new("1.0.0");
}

#[cfg(test)]
mod tests {
    use super::*;
    use abi_stable::abi_stability::abi_checking::check_layout_compatibility;

    /// The host as version 1.0 had it.
    mod earlier {
        use super::*;

        #[sabi_trait]
        #[sabi(no_trait_impl)]
        pub trait HostPort: Send + Sync {
            fn log(&self, level: u8, message: RStr<'_>);
            fn stop_signal(&self) -> StopSignal;
            fn program(&self) -> Reply<Bytes>;
            #[sabi(last_prefix_field)]
            fn request(&self, request: RSlice<'_, u8>) -> Reply<Bytes>;
        }

        pub type HostBox = HostPort_TO<'static, RArc<()>>;
    }

    #[test]
    fn this_host_has_all_that_earlier_libraries_expect() {
        let (then, now) = (<earlier::HostBox as StableAbi>::LAYOUT, <HostBox as StableAbi>::LAYOUT);
        let check = |expects, has| check_layout_compatibility(expects, has).map_err(|error| error.to_string());
        check(then, now).unwrap();
        assert!(check(now, then).is_err(), "a host of 1.0 must refuse libraries that need more");
    }
}
