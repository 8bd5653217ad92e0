//! The kit for authors: what many plugins are built of, and how they are tested. The contract needs none of it, and nothing in here crosses
//! the boundary.

pub mod interpolation;
pub mod residual;
pub mod testing;
pub mod unroll;
