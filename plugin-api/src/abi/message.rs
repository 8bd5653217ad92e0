//! The messages whose bytes cross the boundary. Variants and fields are only ever added at the end of an enum, and a
//! change of a struct is a new major API version.

use crate::adapter::{Invocation, ToolFile, ToolRun};
use crate::artifact::{Bound, Gia, Outcome};
use crate::options::Options;
use crate::reducer::{Covered, Residual};
use crate::service::{Artifact, Note, Progress, Scope};
use crate::task::{Inputs, Property};
use serde::{Deserialize, Serialize};

/// The data from which an instance is made.
#[derive(Serialize, Deserialize)]
pub struct Creation {
    /// Unique in the host's process.
    pub instance: u64,
    /// Unique in the host's process; libraries cache the decoded program under it.
    pub program: u64,
    pub property: Property,
    pub options: Options,
}

/// A plugin's request to its host. The type of the answer stands beside each.
#[derive(Serialize, Deserialize)]
pub enum HostRequest {
    /// `Budget`
    Budget,
    /// `()`
    Progress(Progress),
    /// `Vec<Artifact>`
    Incoming { seen: usize },
    /// `()`
    Publish(Artifact),
    /// `()`
    Note(Note),
    /// `ParsedExpression`
    ParseExpression { text: String, scope: Scope },
    /// `Option<String>`
    Source,
    /// `ToolClaims`
    ReadClaims { given: Option<String>, file: ToolFile },
}

/// The host's request to an engine, splitter, reducer or adapter.
#[derive(Serialize, Deserialize)]
pub enum WorkerRequest {
    Run(Inputs),
    Split { inputs: Inputs, parts: u32 },
    Reduce { known: Gia, done: Covered },
    Prepare(Inputs),
    Interpret(ToolRun),
}

impl WorkerRequest {
    /// The trait method that answers it.
    pub fn method(&self) -> &'static str {
        match self {
            WorkerRequest::Run(_) => "run",
            WorkerRequest::Split { .. } => "split",
            WorkerRequest::Reduce { .. } => "reduce",
            WorkerRequest::Prepare(_) => "prepare",
            WorkerRequest::Interpret(_) => "interpret",
        }
    }
}

#[derive(Serialize, Deserialize)]
pub enum WorkerReply {
    Outcome(Box<Outcome>),
    Bounds(Vec<Bound>),
    Residual(Box<Residual>),
    Invocation(Invocation),
}
