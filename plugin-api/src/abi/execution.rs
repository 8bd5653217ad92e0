//! Runs of the program at the boundary: small values by register, records of a run as borrowed slices. A fuzzer makes
//! millions of these calls, so nothing is encoded here, and the records are never copied.

use crate::program::{EdgeId, FunctionId};
use crate::service::execution::{ComparedValues, ConsumedInput, Exit, RunLimits, WhenInputsEnd};
use abi_stable::StableAbi;
use std::mem::{align_of, offset_of, size_of};

/// An [`Exit`]: what it is, and where or with which status.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, StableAbi)]
pub struct ExitWire {
    code: u32,
    detail: u32,
}

impl From<Exit> for ExitWire {
    fn from(exit: Exit) -> Self {
        let (code, detail) = match exit {
            Exit::Returned(status) => (0, status as u32),
            Exit::Exited(status) => (1, status as u32),
            Exit::Aborted(edge) => (2, edge.0),
            Exit::Target(edge) => (3, edge.0),
            Exit::AssumptionViolated(edge) => (4, edge.0),
            Exit::InputsEnded(edge) => (5, edge.0),
            Exit::StepLimit(edge) => (6, edge.0),
            Exit::StackOverflow(edge) => (7, edge.0),
            Exit::OutOfMemory(edge) => (8, edge.0),
            Exit::MemoryFault(edge) => (9, edge.0),
            Exit::DivisionError(edge) => (10, edge.0),
            Exit::Unsupported(edge) => (11, edge.0),
            Exit::Cancelled(edge) => (12, edge.0),
        };
        ExitWire { code, detail }
    }
}

impl From<ExitWire> for Exit {
    /// An ending that a newer host adds counts as unsupported here.
    fn from(wire: ExitWire) -> Self {
        let edge = EdgeId(wire.detail);
        match wire.code {
            0 => Exit::Returned(wire.detail as i32),
            1 => Exit::Exited(wire.detail as i32),
            2 => Exit::Aborted(edge),
            3 => Exit::Target(edge),
            4 => Exit::AssumptionViolated(edge),
            5 => Exit::InputsEnded(edge),
            6 => Exit::StepLimit(edge),
            7 => Exit::StackOverflow(edge),
            8 => Exit::OutOfMemory(edge),
            9 => Exit::MemoryFault(edge),
            10 => Exit::DivisionError(edge),
            12 => Exit::Cancelled(edge),
            _ => Exit::Unsupported(edge),
        }
    }
}

/// [`RunLimits`].
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, StableAbi)]
pub struct LimitsWire {
    steps: u64,
    seed: u64,
    /// 0 stop, 1 zero, 2 random from `seed`.
    when_inputs_end: u32,
}

impl From<&RunLimits> for LimitsWire {
    fn from(limits: &RunLimits) -> Self {
        let (when_inputs_end, seed) = match limits.when_inputs_end {
            WhenInputsEnd::Stop => (0, 0),
            WhenInputsEnd::Zero => (1, 0),
            WhenInputsEnd::Random(seed) => (2, seed),
        };
        LimitsWire { steps: limits.steps, seed, when_inputs_end }
    }
}

impl From<LimitsWire> for RunLimits {
    fn from(wire: LimitsWire) -> Self {
        let when_inputs_end = match wire.when_inputs_end {
            1 => WhenInputsEnd::Zero,
            2 => WhenInputsEnd::Random(wire.seed),
            _ => WhenInputsEnd::Stop,
        };
        RunLimits { steps: wire.steps, when_inputs_end }
    }
}

/// [`ConsumedInput`] with a layout that abi_stable can check.
#[repr(C)]
#[derive(Clone, Copy, StableAbi)]
pub struct ConsumedWire {
    function: u32,
    edge: u32,
    bits: u64,
}

/// [`ComparedValues`] with a layout that abi_stable can check.
#[repr(C)]
#[derive(Clone, Copy, StableAbi)]
pub struct ComparedWire {
    edge: u32,
    bits: u32,
    left: u64,
    right: u64,
}

/// Compiles only if two types have the same size, alignment and places of their fields.
macro_rules! same_layout {
    ($rust:ty, $wire:ty: $($field:ident)*) => {
        const _: () = {
            assert!(size_of::<$rust>() == size_of::<$wire>() && align_of::<$rust>() == align_of::<$wire>());
            $(assert!(offset_of!($rust, $field) == offset_of!($wire, $field));)*
        };
    };
}

same_layout!(ConsumedInput, ConsumedWire: function edge bits);
same_layout!(ComparedValues, ComparedWire: edge bits left right);
const _: () = assert!(size_of::<FunctionId>() == 4 && size_of::<EdgeId>() == 4);

/// A slice of one type seen as a slice of another one with the same layout.
macro_rules! views {
    ($($name:ident: $from:ty => $to:ty;)*) => {$(
        pub fn $name(slice: &[$from]) -> &[$to] {
            // SAFETY: both are `repr(C)` with the same fields of plain numbers (ids are transparent), which
            // `same_layout!` checks; every bit pattern is a value of either.
            unsafe { std::slice::from_raw_parts(slice.as_ptr().cast::<$to>(), slice.len()) }
        }
    )*};
}

views! {
    lend_consumed: ConsumedInput => ConsumedWire;
    borrow_consumed: ConsumedWire => ConsumedInput;
    lend_comparisons: ComparedValues => ComparedWire;
    borrow_comparisons: ComparedWire => ComparedValues;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exits_come_back() {
        let edge = EdgeId(77);
        let all = [
            Exit::Returned(-1),
            Exit::Exited(i32::MIN),
            Exit::Aborted(edge),
            Exit::Target(edge),
            Exit::AssumptionViolated(edge),
            Exit::InputsEnded(edge),
            Exit::StepLimit(edge),
            Exit::StackOverflow(edge),
            Exit::OutOfMemory(edge),
            Exit::MemoryFault(edge),
            Exit::DivisionError(edge),
            Exit::Unsupported(edge),
            Exit::Cancelled(edge),
        ];
        for exit in all {
            assert_eq!(Exit::from(ExitWire::from(exit)), exit);
        }
        assert_eq!(Exit::from(ExitWire { code: 99, detail: 5 }), Exit::Unsupported(EdgeId(5)));
    }

    #[test]
    fn limits_come_back() {
        for when_inputs_end in [WhenInputsEnd::Stop, WhenInputsEnd::Zero, WhenInputsEnd::Random(u64::MAX)] {
            let limits = RunLimits { steps: 1 << 40, when_inputs_end };
            assert_eq!(RunLimits::from(LimitsWire::from(&limits)), limits);
        }
    }

    #[test]
    fn records_are_seen_without_a_copy() {
        let consumed = [ConsumedInput { function: FunctionId(3), edge: EdgeId(9), bits: u64::MAX }; 2];
        let there = borrow_consumed(lend_consumed(&consumed));
        assert_eq!((there, there.as_ptr()), (&consumed[..], consumed.as_ptr()));
        let compared = [ComparedValues { edge: EdgeId(1), bits: 8, left: 2, right: 3 }];
        assert_eq!(borrow_comparisons(lend_comparisons(&compared)), compared);
    }
}
