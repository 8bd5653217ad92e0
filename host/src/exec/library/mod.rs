//! Models of the C library functions that programs of this kind use, for execution. What is known of a function without
//! executing it stands in `tandem_plugin_api::library`.
//!
//! Results are those of glibc on x86. Where C leaves a choice, it is made as glibc makes it (what `isalpha` returns, the
//! sequence of `rand`, where `malloc` puts a block of the size that was freed last).

mod bits;
mod call;
mod classify;
mod control;
mod convert;
mod ctype;
mod format;
mod heap;
mod libm;
mod math;
mod memory_functions;
mod model;
mod output;
mod outside;
mod random;
mod state;
mod strings;
#[cfg(test)]
mod tests;

pub use state::State;

use super::memory::Memory;
use model::Model;
use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::LazyLock;
use tandem_plugin_api::library::LibraryFunction;
use tandem_plugin_api::program::DataModel;

/// How a library call ends the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    Exit(i32),
    Abort,
    OutOfMemory,
    MemoryFault,
    /// Not modelled for these arguments.
    Unsupported,
}

/// The arguments of a model, and the state of the run.
pub struct Call<'a> {
    pub memory: &'a mut Memory,
    pub state: &'a mut State,
    pub model: DataModel,
    /// Integers and pointers sign- or zero-extended as their type says, floats as bits (`float` in the low half).
    pub arguments: &'a [u64],
}

/// A library function that has a model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Function {
    index: u16,
    /// The result of the call is not used.
    for_effect: bool,
}

/// All groups.
const GROUPS: [&[Model]; 15] = [
    control::MODELS,
    heap::MODELS,
    memory_functions::MODELS,
    strings::MODELS,
    ctype::MODELS,
    convert::MODELS,
    random::MODELS,
    output::MODELS,
    bits::MODELS,
    classify::MODELS,
    classify::TESTS,
    math::MODELS,
    libm::MODELS,
    libm::OLD_MODELS,
    outside::MODELS,
];

/// A name that can be executed.
struct Executable {
    known: &'static LibraryFunction,
    model: &'static Model,
}

/// The list of names, in order.
static EXECUTABLE: LazyLock<Vec<Executable>> = LazyLock::new(|| {
    let names = GROUPS.into_iter().flatten().flat_map(|model| model.names().map(move |name| (name, model)));
    // The tests see to it that each name is in the table.
    names.filter_map(|(name, model)| Some(Executable { known: LibraryFunction::named(name)?, model })).collect()
});

static BY_NAME: LazyLock<FxHashMap<&'static str, u16>> = LazyLock::new(|| {
    EXECUTABLE.iter().enumerate().map(|(index, executable)| (executable.known.name(), index as u16)).collect()
});

impl Function {
    /// The model of a function by the name the program calls it.
    pub fn named(name: &str) -> Option<Function> {
        let index = *BY_NAME.get(LibraryFunction::named(name)?.name())?;
        Some(Function { index, for_effect: false })
    }

    /// All of them.
    pub fn all() -> impl Iterator<Item = Function> {
        (0..EXECUTABLE.len() as u16).map(|index| Function { index, for_effect: false })
    }

    /// The same function where its result is not used: some are then cheaper, and supported for more arguments.
    pub fn without_result(self) -> Function {
        Function { for_effect: true, ..self }
    }

    /// What is known of it without executing it.
    pub fn known(self) -> &'static LibraryFunction {
        EXECUTABLE[usize::from(self.index)].known
    }

    /// Executes it. The result is in the low bits, like the arguments.
    pub fn call(self, call: &mut Call<'_>) -> Result<u64, Stop> {
        let model = EXECUTABLE[usize::from(self.index)].model;
        match model.run_for_effect {
            Some(run) if self.for_effect => run(call),
            _ => (model.run)(call),
        }
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.known().name())
    }
}
