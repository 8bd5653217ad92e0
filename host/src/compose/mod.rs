//! Compositions: a TOML file becomes a checked configuration, the configuration a tree of actors, and the actors a verdict.
//! Knows nothing of the command line.

mod actor;
pub mod check;
mod check_run;
mod combine;
pub mod config;
mod confirm;
pub(crate) mod document;
mod exchange;
mod executions;
pub mod isolated;
pub mod library;
mod parallel;
pub mod recorder;
mod reduced;
mod run;
pub(crate) mod schema;
mod sequence;
mod services;
mod tool;
mod tool_files;
pub mod units;

pub use check::{Available, check};
pub use config::Config;
pub use library::{default_config, locate, open};
pub use recorder::Recorder;
pub use run::{Surroundings, run};
pub use services::{Events, Timer};
