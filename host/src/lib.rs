//! The tandem host. The modules are listed in the order in which data flows through them.

pub mod artifact;
pub mod cpa;
pub mod diagnostic;
pub mod frontend;
pub mod plugins;
