//! One file per part of a composition, with everything of it: its keys, their check, and how it runs.

pub mod actor;
mod at_once;
pub mod cycle;
pub mod parallel;
pub mod race;
pub mod reduce;
pub mod sequence;
