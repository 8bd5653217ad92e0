//! The state that native code works on, at fixed offsets, and what it records during a run.
#![allow(unsafe_code)]

use super::code::CodeMap;
use super::memory::Memory;
use super::trap::Fault;
use tandem_plugin_api::program::{DataModel, EdgeId};
use tandem_plugin_api::service::StopSignal;
use tandem_plugin_api::service::execution::{ComparedValues, ConsumedInput, Exit, WhenInputsEnd};

/// How a run ended, as noted by native code and library functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Ending {
    Returned = 0,
    Exited,
    Aborted,
    Target,
    AssumptionViolated,
    InputsEnded,
    StepLimit,
    StackOverflow,
    OutOfMemory,
    MemoryFault,
    DivisionError,
    Unsupported,
    Cancelled,
}

/// The first parameter of compiled code, which knows the order of the fields up to `comparisons_end`.
#[repr(C)]
pub struct Context {
    /// Where [`enter`](super::trap::run) saved the host's stack pointer; must be first.
    pub host_stack: u64,
    pub memory_base: *mut u8,
    /// Steps left in this slice; if below zero, the host decides whether the run goes on.
    pub fuel: i64,
    /// The program's stack pointer, an address in the sandbox.
    pub stack_pointer: u64,
    pub stack_limit: u64,
    pub ending: u32,
    pub edge: u32,
    pub status: i32,
    /// The junk that locals hold where their lifetime begins, if the run asks for it: four times the same byte.
    pub junk: u32,
    /// A result too wide for a register.
    pub wide: [u64; 2],
    pub coverage: *mut u8,
    pub decisions_next: *mut u8,
    pub decisions_end: *mut u8,
    pub comparisons_next: *mut ComparedValues,
    pub comparisons_end: *mut ComparedValues,
    /// The part that only the host uses.
    pub host: HostPart,
}

/// Offsets of [`Context`]'s fields.
pub mod offset {
    use super::Context;
    use std::mem::offset_of;

    pub const MEMORY_BASE: i32 = offset_of!(Context, memory_base) as i32;
    pub const FUEL: i32 = offset_of!(Context, fuel) as i32;
    pub const STACK_POINTER: i32 = offset_of!(Context, stack_pointer) as i32;
    pub const STACK_LIMIT: i32 = offset_of!(Context, stack_limit) as i32;
    pub const ENDING: i32 = offset_of!(Context, ending) as i32;
    pub const EDGE: i32 = offset_of!(Context, edge) as i32;
    pub const STATUS: i32 = offset_of!(Context, status) as i32;
    pub const JUNK: i32 = offset_of!(Context, junk) as i32;
    pub const WIDE: i32 = offset_of!(Context, wide) as i32;
    pub const COVERAGE: i32 = offset_of!(Context, coverage) as i32;
    pub const DECISIONS_NEXT: i32 = offset_of!(Context, decisions_next) as i32;
    pub const DECISIONS_END: i32 = offset_of!(Context, decisions_end) as i32;
    pub const COMPARISONS_NEXT: i32 = offset_of!(Context, comparisons_next) as i32;
    pub const COMPARISONS_END: i32 = offset_of!(Context, comparisons_end) as i32;
}

/// The part of the context that compiled code does not use.
pub struct HostPart {
    pub memory: Memory,
    pub code: CodeMap,
    pub native_stack: std::ops::Range<usize>,
    /// By function number: what a call of a function without a body does.
    pub externals: Vec<super::translate::External>,
    pub model: DataModel,
    pub library: super::library::State,
    pub inputs: Vec<u64>,
    pub next_input: usize,
    pub when_inputs_end: WhenInputsEnd,
    pub random: u64,
    pub consumed: Vec<ConsumedInput>,
    /// Steps left beyond the current slice.
    pub steps_left: u64,
    pub stop: StopSignal,
    /// The tracer of a run that is followed step by step.
    pub tracer: Option<super::trace::Tracer>,
    /// Set where a signal ended the run, with the place in the code.
    pub fault: Option<(Fault, usize)>,
}

impl Context {
    pub fn owns_code(&self, at: usize) -> bool {
        self.host.code.contains(at)
    }

    /// The host address of a fault as an address of the program.
    pub fn touch(&mut self, address: usize) -> bool {
        let offset = address.wrapping_sub(self.memory_base as usize);
        match u32::try_from(offset) {
            Ok(address) => self.host.memory.touch(address),
            Err(_) => false,
        }
    }

    pub fn is_native_stack(&self, address: usize) -> bool {
        self.host.native_stack.contains(&address)
    }

    pub fn note_fault(&mut self, fault: Fault, at: usize) {
        self.host.fault = Some((fault, at));
    }

    pub fn end(&mut self, ending: Ending, edge: EdgeId) {
        self.ending = ending as u32;
        self.edge = edge.0;
    }

    /// How the run ended, once it has.
    pub fn exit(&self) -> Exit {
        if let Some((fault, at)) = self.host.fault {
            let edge = self.host.code.edge_at(at);
            return match fault {
                Fault::Memory => Exit::MemoryFault(edge),
                Fault::Stack => Exit::StackOverflow(edge),
                Fault::Division => Exit::DivisionError(edge),
                Fault::Trap => Exit::Unsupported(edge),
            };
        }
        let edge = EdgeId(self.edge);
        const ENDINGS: [Ending; 13] = [
            Ending::Returned,
            Ending::Exited,
            Ending::Aborted,
            Ending::Target,
            Ending::AssumptionViolated,
            Ending::InputsEnded,
            Ending::StepLimit,
            Ending::StackOverflow,
            Ending::OutOfMemory,
            Ending::MemoryFault,
            Ending::DivisionError,
            Ending::Unsupported,
            Ending::Cancelled,
        ];
        match ENDINGS.get(self.ending as usize).copied().unwrap_or(Ending::Unsupported) {
            Ending::Returned => Exit::Returned(self.status),
            Ending::Exited => Exit::Exited(self.status),
            Ending::Aborted => Exit::Aborted(edge),
            Ending::Target => Exit::Target(edge),
            Ending::AssumptionViolated => Exit::AssumptionViolated(edge),
            Ending::InputsEnded => Exit::InputsEnded(edge),
            Ending::StepLimit => Exit::StepLimit(edge),
            Ending::StackOverflow => Exit::StackOverflow(edge),
            Ending::OutOfMemory => Exit::OutOfMemory(edge),
            Ending::MemoryFault => Exit::MemoryFault(edge),
            Ending::DivisionError => Exit::DivisionError(edge),
            Ending::Unsupported => Exit::Unsupported(edge),
            Ending::Cancelled => Exit::Cancelled(edge),
        }
    }
}
