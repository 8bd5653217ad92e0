//! The stable boundary between host and plugin libraries. All uses of abi_stable are in this module, so that it can be
//! replaced. Cold data crosses as bytes (`codec`), hot calls pass edge numbers and opaque handles (`handle`).

#![allow(unsafe_code)]

pub(crate) mod codec;
pub(crate) mod contract;
mod execution;
pub(crate) mod guard;
pub(crate) mod handle;
pub mod host_side;
pub(crate) mod message;
pub mod plugin_side;
mod stamp;
mod stop;
pub(crate) mod wire;
#[cfg(test)]
mod wire_format;

pub use host_side::{
    AbstractPrecision, AbstractState, AnalysisInstance, Library, OpenError, SharedProgram, SharedTask, WorkerInstance,
};
pub use plugin_side::{ExportedKind, RootHeader, RootResult, load_library};
pub use stamp::{STAMP, STAMP_SYMBOL, Stamp, StampProblem};
pub use stop::StopSignal;

/// The name under which abi_stable looks for a library's root module; the export macro needs it as a literal.
pub const ROOT_SYMBOL: &str = "_1as_0lib_1header_0root_bmodule_bloader";

#[cfg(test)]
mod tests {
    #[test]
    fn the_root_symbol_is_the_one_that_abi_stable_looks_for() {
        assert_eq!(super::ROOT_SYMBOL, abi_stable::library::ROOT_MODULE_LOADER_NAME);
    }
}
