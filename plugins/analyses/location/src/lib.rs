//! The location analysis.
