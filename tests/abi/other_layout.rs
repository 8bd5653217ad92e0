//! A library with a valid stamp whose root module has another layout, as a plugin of a changed contract would have.

#![allow(unsafe_code, reason = "does by hand what the export macro does")]

use abi_stable::StableAbi;
use abi_stable::library::{CheckTypeLayout, LibHeader, RootModule, RootModuleResult};
use abi_stable::prefix_type::PrefixTypeTrait;
use abi_stable::sabi_types::VersionStrings;
use tandem_plugin_api::abi::{STAMP, Stamp};

#[repr(C)]
#[derive(StableAbi)]
#[sabi(kind(Prefix(prefix_ref = PluginModuleRef)))]
pub struct PluginModule {
    pub describe: extern "C" fn() -> u32,
    #[sabi(last_prefix_field)]
    pub analysis: extern "C" fn(u64) -> u64,
}

impl RootModule for PluginModuleRef {
    abi_stable::declare_root_module_statics! {PluginModuleRef}
    const BASE_NAME: &'static str = "tandem_plugin";
    const NAME: &'static str = "tandem_plugin";
    const VERSION_STRINGS: VersionStrings = VersionStrings::new("1.0.0");
}

extern "C" fn describe() -> u32 {
    0
}

extern "C" fn analysis(number: u64) -> u64 {
    number
}

fn module() -> PluginModuleRef {
    PluginModule { describe, analysis }.leak_into_prefix()
}

extern "C" fn load() -> RootModuleResult {
    abi_stable::library::__call_root_module_loader(module)
}

#[used]
#[unsafe(export_name = "TANDEM_PLUGIN_STAMP")]
static STAMP_BYTES: Stamp = STAMP;

#[used]
#[unsafe(export_name = "_1as_0lib_1header_0root_bmodule_bloader")]
// SAFETY: `load` returns a module of the type that is named here.
static ROOT: LibHeader = unsafe { LibHeader::from_constructor::<PluginModuleRef>(load, CheckTypeLayout::Yes) };
