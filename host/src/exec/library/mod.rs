//! Models of the C library functions that programs of this kind use: one home for their meaning.
//! Execution calls them by [`Function`]; formulas use the same list through [`Function::describe`].
//!
//! Results are those of glibc on x86. Where C leaves a choice, it is made as glibc makes it (what `isalpha` returns,
//! the sequence of `rand`, where `malloc` puts a block of the size that was freed last). A function that has effects
//! but no model, such as `longjmp`, is listed too, so that it does not pass for a function without effects: executing
//! it is [`Stop::Unsupported`].

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
mod unmodelled;

pub use format::has_count;
pub use model::{Class, Effects, Prototype};
pub use state::State;
pub use unmodelled::{is_unmodelled, may_touch_memory};

use super::memory::Memory;
use model::Model;
use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::LazyLock;
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

/// The description of a function for formulas, without its execution.
#[derive(Clone, Debug)]
pub struct Description {
    pub prototype: Prototype,
    pub effects: Effects,
    /// Bounds of an integer result, where they are narrower than its type.
    pub range: Option<(i64, i64)>,
    model: &'static Model,
}

/// All groups.
const GROUPS: [&[Model]; 16] = [
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
    outside::UNMODELLED,
];

/// The list of functions, and their names.
struct Library {
    functions: Vec<Description>,
    names: FxHashMap<&'static str, u16>,
}

static LIBRARY: LazyLock<Library> = LazyLock::new(|| {
    let mut library = Library { functions: Vec::new(), names: FxHashMap::default() };
    for model in GROUPS.into_iter().flatten() {
        // A prototype that does not parse is a mistake in a table; the tests look for one.
        let Some(prototype) = Prototype::parse(model.prototype) else { continue };
        let Ok(index) = u16::try_from(library.functions.len()) else { break };
        for &name in model.aliases.iter().chain([&prototype.name]) {
            library.names.insert(name, index);
        }
        library.functions.push(Description { prototype, effects: model.effects, range: model.range, model });
    }
    library
});

impl Function {
    /// The model of a function by the name the program calls it.
    pub fn named(name: &str) -> Option<Function> {
        let names = &LIBRARY.names;
        let index = names.get(name).or_else(|| names.get(name.strip_prefix("__builtin_")?))?;
        Some(Function { index: *index, for_effect: false })
    }

    /// All of them.
    pub fn all() -> impl Iterator<Item = Function> {
        (0..LIBRARY.functions.len() as u16).map(|index| Function { index, for_effect: false })
    }

    /// The same function where its result is not used: some are then cheaper, and supported for more arguments.
    pub fn without_result(self) -> Function {
        Function { for_effect: true, ..self }
    }

    pub fn describe(self) -> &'static Description {
        &LIBRARY.functions[usize::from(self.index)]
    }

    pub fn name(self) -> &'static str {
        self.describe().prototype.name
    }

    /// Executes it. The result is in the low bits, like the arguments.
    pub fn call(self, call: &mut Call<'_>) -> Result<u64, Stop> {
        let model = self.describe().model;
        match model.run_for_effect {
            Some(run) if self.for_effect => run(call),
            _ => (model.run)(call),
        }
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.prototype)
    }
}
