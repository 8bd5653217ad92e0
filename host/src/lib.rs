//! The tandem host. The modules are listed in the order in which data flows through them.

pub mod artifact;
pub mod compose;
pub mod diagnostic;
pub mod frontend;
