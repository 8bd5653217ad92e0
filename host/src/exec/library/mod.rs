//! Models of the C library functions that programs of this kind use: one home for their meaning.
//! Execution calls them by [`Function`]; later, formulas use the same list.

use super::memory::Memory;
use tandem_plugin_api::program::DataModel;

/// State of the library during a run: the heap and what functions keep between calls.
#[derive(Clone, Debug, Default)]
pub struct State {}

impl State {
    /// As before the first call.
    pub fn reset(&mut self) {}
}

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

/// What a model works with.
pub struct Call<'a> {
    pub memory: &'a mut Memory,
    pub state: &'a mut State,
    pub model: DataModel,
    /// Integers and pointers sign- or zero-extended as their type says, floats as bits (`float` in the low half).
    pub arguments: &'a [u64],
}

/// A library function that has a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    Abort,
}

impl Function {
    /// The model of a function by the name the program calls it.
    pub fn named(name: &str) -> Option<Function> {
        match name {
            "abort" | "__builtin_abort" | "__builtin_trap" | "__builtin_unreachable" => Some(Function::Abort),
            _ => None,
        }
    }

    /// Executes it. The result is in the low bits, like the arguments.
    pub fn call(self, call: &mut Call<'_>) -> Result<u64, Stop> {
        let _ = (&call.memory, &call.state, call.model, call.arguments);
        match self {
            Function::Abort => Err(Stop::Abort),
        }
    }
}
