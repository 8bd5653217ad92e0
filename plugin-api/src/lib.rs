//! The contract between the tandem host and its plugins: everything a plugin author needs, nothing else.
//!
//! A plugin is a type that implements [`Plugin`] and the trait of its kind ([`Analysis`], [`Engine`], [`Splitter`],
//! [`Reducer`] or [`Adapter`]), in a crate of type `cdylib` that ends with [`export_plugin!`]. Each trait's
//! documentation has a complete example. Everything at the top level is the contract; [`kit`] is what authors may use besides, such as
//! [`kit::testing`], which lets unit tests run a plugin through the whole boundary.

pub mod abi;
pub mod adapter;
pub mod analysis;
pub mod artifact;
pub mod descriptor;
pub mod engine;
pub mod error;
pub mod export;
pub mod kit;
pub mod library;
pub mod options;
pub mod plugin;
pub mod program;
pub mod query;
pub mod reducer;
pub mod service;
pub mod splitter;
pub mod task;

pub use adapter::Adapter;
pub use analysis::Analysis;
pub use engine::Engine;
pub use plugin::Plugin;
pub use reducer::Reducer;
pub use splitter::Splitter;

/// What most plugins need.
pub mod prelude {
    pub use crate::adapter::{Adapter, Invocation, ToolExit, ToolFile, ToolRun};
    pub use crate::analysis::{Adjusted, Analysis, CoverKey, Refinement, Successors};
    pub use crate::analysis::{Answers, Capabilities, Capability, Concludes, Explains, Indexes, Observes, Refines};
    pub use crate::artifact::{
        Bound, Convention, Decisions, Gia, Invariants, Outcome, PathRange, TestCase, TestSuite, Verdict,
    };
    pub use crate::descriptor::{ArtifactKind, Descriptor, OptionSpec, OptionType, OptionValue, PluginKind};
    pub use crate::engine::Engine;
    pub use crate::error::{ErrorKind, PluginError, Result};
    pub use crate::options::Options;
    pub use crate::plugin::{Plugin, Setup, kind};
    pub use crate::program::{EdgeId, ExprId, FunctionId, LocationId, Op, Program, VarId};
    pub use crate::query::{Answer, Feasibility, Peers, Query};
    pub use crate::reducer::{Covered, Reducer, Residual};
    pub use crate::service::{Artifact, Host, LogLevel, Progress, Scope, StopReason};
    pub use crate::splitter::Splitter;
    pub use crate::task::{Inputs, Property, Task};
}
