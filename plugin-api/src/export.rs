//! The one macro that turns a type into a plugin library.

/// Makes this crate a plugin library for the given type, which must implement [`Plugin`](crate::Plugin) and the trait
/// of its kind. Once per crate; the crate's type is `cdylib`.
///
/// ```
/// use tandem_plugin_api::prelude::*;
///
/// struct Location;
///
/// impl Plugin for Location {
///     type Kind = kind::Analysis;
///     fn descriptor() -> Descriptor {
///         Descriptor::of::<Self>("my-location", env!("CARGO_PKG_VERSION"), "Tracks nothing but the location.")
///     }
///     fn new(_: &Setup) -> Result<Self> {
///         Ok(Location)
///     }
/// }
///
/// impl Analysis for Location {
///     type State = ();
///     type Precision = ();
///     fn initial(&self) -> Result<()> {
///         Ok(())
///     }
///     fn successors(&self, _: &(), _: EdgeId, _: &()) -> Result<Successors<()>> {
///         Ok(Successors::Unchanged)
///     }
///     fn less_or_equal(&self, _: &(), _: &()) -> Result<bool> {
///         Ok(true)
///     }
/// }
///
/// tandem_plugin_api::export_plugin!(Location);
/// # fn main() {}
/// ```
///
/// The macro exports two symbols: the stamp, which holds the API version and is read without loading the file, and the
/// root module. A plugin must be built with `panic = "unwind"` (the default), since a panic in it is caught.
#[macro_export]
macro_rules! export_plugin {
    ($plugin:ty) => {
        #[cfg(panic = "abort")]
        compile_error!("a tandem plugin must be built with panic = \"unwind\": a panic would end the host");

        #[allow(unsafe_code)]
        const _: () = {
            extern "C" fn load() -> $crate::abi::RootResult {
                $crate::abi::load_library::<$plugin>()
            }

            #[used]
            #[unsafe(export_name = "TANDEM_PLUGIN_STAMP")]
            static STAMP: $crate::abi::Stamp = $crate::abi::STAMP;

            #[used]
            #[unsafe(export_name = "_1as_0lib_1header_0root_bmodule_bloader")]
            static ROOT: $crate::abi::RootHeader = $crate::abi::RootHeader::new(load);
        };
    };
}
