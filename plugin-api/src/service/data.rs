//! The data that plugins and host services exchange.

use crate::artifact::{Convention, Gia, Invariants, PathRange, Precision, TestSuite};
use crate::program::{Expr, ExprId, FunctionId, LocationId, Type};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum LogLevel {
    Error,
    Warning,
    Info,
    Debug,
}

impl LogLevel {
    pub(crate) fn code(self) -> u8 {
        self as u8
    }

    pub(crate) fn from_code(code: u8) -> Self {
        match code {
            0 => LogLevel::Error,
            1 => LogLevel::Warning,
            2 => LogLevel::Info,
            _ => LogLevel::Debug,
        }
    }
}

/// Why a run must end before it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StopReason {
    /// The user or another actor ended it.
    Cancelled,
    OutOfTime,
    OutOfMemory,
}

impl StopReason {
    pub(crate) fn code(self) -> u32 {
        match self {
            StopReason::Cancelled => 1,
            StopReason::OutOfTime => 2,
            StopReason::OutOfMemory => 3,
        }
    }

    /// Zero means "go on"; reasons that a newer host adds count as cancellation.
    pub(crate) fn from_code(code: u32) -> Option<Self> {
        match code {
            0 => None,
            2 => Some(StopReason::OutOfTime),
            3 => Some(StopReason::OutOfMemory),
            _ => Some(StopReason::Cancelled),
        }
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StopReason::Cancelled => "cancelled",
            StopReason::OutOfTime => "out of time",
            StopReason::OutOfMemory => "out of memory",
        })
    }
}

/// The resources that are left for a run; `None` means no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    pub time: Option<Duration>,
    /// Bytes.
    pub memory: Option<u64>,
}

/// The progress of some work.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// The work that is being done, such as `unrolling`.
    pub phase: String,
    pub done: u64,
    /// The amount at which the work ends, if that is known.
    pub total: Option<u64>,
    /// The unit of the numbers: `states`, `goals`, `bound k`.
    pub unit: String,
}

/// The data that passes between actors while they run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Artifact {
    Gia(Gia),
    Precision(Precision),
    Tests(TestSuite),
    Invariants(Invariants),
    Range(PathRange),
}

/// Something that the soundness of a result rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Note {
    Unsound(String),
    Convention(Convention),
}

/// The names that an expression may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scope {
    Global,
    /// Parameters and locals of a function; ambiguous names are an error.
    Function(FunctionId),
    /// What the text may name at this place.
    Location(LocationId),
}

/// An expression beyond the program's own. Ids below the lengths of the program's arenas mean the program's types and
/// expressions; higher ones continue in these lists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParsedExpression {
    pub types: Vec<Type>,
    pub nodes: Vec<Expr>,
    pub root: ExprId,
}
