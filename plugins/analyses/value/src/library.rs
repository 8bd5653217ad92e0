//! What functions without a body do to memory, as far as the domain tells it apart.

use tandem_plugin_api::library::{LibraryFunction, Life, Memory, memory_of_call};
use tandem_plugin_api::program::{CallSite, Callee, Program};

/// The effect of a call on memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// No memory of the program changes.
    None,
    /// Only the targets of its pointer arguments may change.
    WritesTargets,
    /// The result is a new block.
    Allocates,
    /// The block that its argument points to is gone, and pointers to it are invalid.
    Frees,
    /// Everything that its pointer arguments lead to may change.
    Unknown,
}

/// What a program calls by a pointer, or a function that is not of the C library, may be one that changes whatever it gets.
pub fn effect(program: &Program, call: &CallSite) -> Effect {
    let is_known = match call.callee {
        Callee::Function(callee) => LibraryFunction::named(&program.function(callee).name).is_some(),
        Callee::Pointer(_) => false,
    };
    match memory_of_call(program, call) {
        Memory::Untouched if is_known => Effect::None,
        Memory::Bytes { .. } | Memory::Fill { .. } | Memory::Object(_) | Memory::Targets => Effect::WritesTargets,
        Memory::Allocates { life: Life::Heap | Life::Frame, .. } => Effect::Allocates,
        Memory::Frees => Effect::Frees,
        _ => Effect::Unknown,
    }
}
