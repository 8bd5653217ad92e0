//! Compositions: a TOML file becomes a checked configuration, the configuration a tree of actors, and the actors a verdict.
//! Knows nothing of the command line.

pub mod check;
mod check_run;
pub mod config;
mod confirm;
mod determined;
pub(crate) mod document;
mod exchange;
mod findings;
pub mod isolated;
mod knowledge;
pub mod library;
mod live_actor;
pub(crate) mod parameters;
mod part;
mod parts;
pub mod recorder;
mod run;
pub(crate) mod schema;
mod services;
mod stop;
mod tool;
mod tool_files;
mod turn;
pub mod units;

pub use check::{Available, check};
pub use config::Config;
pub use determined::determined;
pub use library::{default_config, locate, open};
pub use recorder::Recorder;
pub use run::{Surroundings, run};
pub use services::Events;
pub use stop::{Alarm, Stop};
