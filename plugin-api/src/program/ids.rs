//! Typed indices into the arenas of a [`Program`](super::Program).
//! They are plain numbers, so they cross the plugin boundary at no cost.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[repr(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// The id of the `index`-th element of an arena.
            pub fn new(index: usize) -> Self {
                debug_assert!(index <= u32::MAX as usize);
                Self(index as u32)
            }

            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(self, f)
            }
        }
    )*};
}

ids! {
    /// A source file named by the program's spans.
    FileId = "file";
    TypeId = "t";
    /// A struct or a union.
    CompositeId = "c";
    ExprId = "e";
    VarId = "v";
    FunctionId = "f";
    /// A program location (a node of the control-flow automaton).
    LocationId = "L";
    /// An edge of the control-flow automaton. Paths are sequences of these.
    EdgeId = "E";
    CallSiteId = "call";
    /// A decision of the source (`if`, `while`, `switch`, `&&`, …).
    DecisionId = "D";
    LoopId = "loop";
    UnsupportedId = "unsupported";
}
