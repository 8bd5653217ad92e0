//! An instance of an engine, splitter, reducer or adapter, as the host calls it. Its results are checked as far as the
//! host relies on them: a plugin's bug must not become the host's panic.

use super::super::codec;
use super::super::contract::WorkerBox;
use super::super::message::{WorkerReply, WorkerRequest};
use super::services::{check_gia, port};
use super::task::SharedProgram;
use crate::adapter::{Invocation, ToolRun};
use crate::artifact::{Bound, Gia, Outcome};
use crate::error::{PluginError, Result};
use crate::reducer::{Covered, Residual};
use crate::service::Host;
use crate::task::Inputs;
use std::sync::Arc;

/// A loaded engine, splitter, reducer or adapter at work on one task. A request that its kind does not serve is an
/// error of kind [`Protocol`](crate::error::ErrorKind::Protocol).
pub struct WorkerInstance {
    port: WorkerBox,
    program: Arc<SharedProgram>,
}

impl WorkerInstance {
    pub(super) fn new(port: WorkerBox, program: Arc<SharedProgram>) -> Self {
        WorkerInstance { port, program }
    }

    /// See [`Engine::run`](crate::Engine::run).
    pub fn run(&mut self, inputs: &Inputs, host: &Host) -> Result<Outcome> {
        self.outcome(WorkerRequest::Run(inputs.clone()), host)
    }

    /// See [`Splitter::split`](crate::Splitter::split).
    pub fn split(&mut self, inputs: &Inputs, parts: u32, host: &Host) -> Result<Vec<Bound>> {
        match self.call(WorkerRequest::Split { inputs: inputs.clone(), parts }, host)? {
            WorkerReply::Bounds(bounds) => Ok(bounds),
            _ => Err(unexpected()),
        }
    }

    /// See [`Reducer::reduce`](crate::Reducer::reduce).
    pub fn reduce(&mut self, known: &Gia, done: Covered, host: &Host) -> Result<Residual> {
        match self.call(WorkerRequest::Reduce { known: known.clone(), done }, host)? {
            WorkerReply::Residual(residual) => {
                residual.check(self.program.program())?;
                Ok(*residual)
            }
            _ => Err(unexpected()),
        }
    }

    /// See [`Adapter::prepare`](crate::Adapter::prepare).
    pub fn prepare(&mut self, inputs: &Inputs, host: &Host) -> Result<Invocation> {
        match self.call(WorkerRequest::Prepare(inputs.clone()), host)? {
            WorkerReply::Invocation(invocation) => Ok(invocation),
            _ => Err(unexpected()),
        }
    }

    /// See [`Adapter::interpret`](crate::Adapter::interpret).
    pub fn interpret(&mut self, run: &ToolRun, host: &Host) -> Result<Outcome> {
        self.outcome(WorkerRequest::Interpret(run.clone()), host)
    }

    /// An error if a destructor of this instance panicked since the last call.
    pub fn health(&self) -> Result<()> {
        self.port.health().into_result().map_err(PluginError::from)
    }

    fn outcome(&mut self, request: WorkerRequest, host: &Host) -> Result<Outcome> {
        match self.call(request, host)? {
            WorkerReply::Outcome(outcome) => {
                if let Some(gia) = &outcome.gia {
                    check_gia(gia, self.program.program())?;
                }
                Ok(*outcome)
            }
            _ => Err(unexpected()),
        }
    }

    fn call(&mut self, request: WorkerRequest, host: &Host) -> Result<WorkerReply> {
        let bytes = codec::encode(&request)?;
        let reply = self.port.call(bytes.as_slice().into(), port(host, &self.program));
        codec::decode(&reply.into_result().map_err(PluginError::from)?, "a reply")
    }
}

fn unexpected() -> PluginError {
    PluginError::protocol("the plugin answered a question that was not asked")
}
