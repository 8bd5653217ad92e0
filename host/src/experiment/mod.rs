//! Experiments: configurations × tasks, each run a process of its own under limits. Finished runs stand in a log, from
//! which an interrupted experiment goes on, and from which all tables and pages are made.

pub mod benchexec;
pub mod compare;
pub mod definition;
pub mod execute;
pub mod folder;
pub mod page;
pub mod plan;
pub mod result;
pub mod table;
pub mod tasks;

pub use definition::{Definition, EXAMPLE};
pub use execute::{Events, Executor};
pub use folder::Folder;
pub use plan::{Plan, PlannedRun};
pub use result::{Answer, Rating, RunResult};
pub use table::Results;
