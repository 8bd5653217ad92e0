//! What actors exchange: the GIA and the views of it that carry one kind of information each.
//! All of it is plain data: cheap to clone, ordered deterministically, and serializable in binary and as JSON.

pub mod condition;
mod document;
pub mod error;
pub mod gia;
pub mod gia_json;
pub mod invariant;
pub mod outcome;
pub mod precision;
pub mod range;
pub mod soundness;
pub mod tests;
pub mod value;

pub use condition::Condition;
pub use error::ArtifactError;
pub use gia::{
    Acceptance, AcceptanceSet, EdgeSet, Gia, GiaBuilder, GiaError, Inconsistent, State, StateId, Transition,
};
pub use gia_json::GiaDocument;
pub use invariant::{Invariant, InvariantKind, Invariants};
pub use outcome::{Outcome, Verdict};
pub use precision::{Precision, PrecisionEntry, PrecisionItem, PrecisionScope};
pub use range::{Bound, Decisions, PathRange};
pub use soundness::{Convention, Soundness};
pub use tests::{TestCase, TestInput, TestSuite};
pub use value::{InputValue, ValueError, ValueType};

#[cfg(test)]
mod property_tests;
#[cfg(test)]
pub(crate) mod test_support;
