//! Library functions that gcc knows without a declaration: a program that calls `alloca` or `strlen` without a header gets their
//! real types, not those of a function that returns `int`.

use super::Lowerer;
use tandem_plugin_api::library::{Gcc, LibraryFunction};
use tandem_plugin_api::program::*;

/// What gcc knows of the function of the C library that has this name.
pub(super) fn known_to_gcc(name: &str) -> Gcc {
    LibraryFunction::named(name).filter(|known| known.name() == name).map(LibraryFunction::gcc).unwrap_or_default()
}

impl Lowerer<'_> {
    /// The type of the builtin `__builtin_…`; `name` is without the prefix.
    pub fn builtin_signature(&mut self, name: &str) -> Option<TypeId> {
        let known = LibraryFunction::named(&format!("__builtin_{name}")).filter(|known| known.gcc().builtin)?;
        known.prototype().intern(&mut self.types)
    }

    /// The type that gcc gives a function of its library that is not declared; `None` if gcc does not know it.
    pub fn known_signature(&mut self, name: &str) -> Option<TypeId> {
        let known = LibraryFunction::named(name).filter(|known| known.name() == name && known.gcc().implicit)?;
        known.prototype().intern(&mut self.types)
    }
}
