//! The shell around an author's engine, splitter, reducer or adapter: decodes the request, calls the trait's method.

use super::super::codec;
use super::super::contract::{HostBox, WorkerBox, WorkerPort, WorkerPort_TO};
use super::super::guard::{self, Guard};
use super::super::message::{WorkerReply, WorkerRequest};
use super::super::wire::{Bytes, Reply};
use super::{ExportedKind, NewInstance, host};
use crate::adapter::Adapter;
use crate::engine::Engine;
use crate::error::{PluginError, Result};
use crate::plugin::{Plugin, kind};
use crate::reducer::Reducer;
use crate::service::Host;
use crate::splitter::Splitter;
use crate::task::Task;
use abi_stable::sabi_trait::TD_Opaque;
use abi_stable::std_types::RSlice;
use std::mem::ManuallyDrop;
use std::sync::Arc;

/// Calls the method that a request asks for.
type Serve<P> = fn(&mut P, &Task, WorkerRequest, &Host) -> Result<WorkerReply>;

struct Shell<P> {
    inner: ManuallyDrop<P>,
    serve: Serve<P>,
    task: Arc<Task>,
    id: u64,
    guard: Guard,
}

fn shell<P: Plugin>(new: NewInstance<P>, serve: Serve<P>) -> WorkerBox {
    let shell =
        Shell { inner: ManuallyDrop::new(new.plugin), serve, task: new.task, id: new.id, guard: Guard::new(new.id) };
    WorkerPort_TO::from_value(shell, TD_Opaque)
}

impl<P> Drop for Shell<P> {
    fn drop(&mut self) {
        // SAFETY: dropped once, here, and not used afterwards.
        guard::drop_guarded(self.id, "drop of the plugin", || unsafe { ManuallyDrop::drop(&mut self.inner) });
    }
}

impl<P: Plugin> WorkerPort for Shell<P> {
    fn call(&mut self, request: RSlice<'_, u8>, port: HostBox) -> Reply<Bytes> {
        let request: WorkerRequest = match codec::decode(request.as_slice(), "a request") {
            Ok(request) => request,
            Err(error) => return Reply::RErr(error.into()),
        };
        let (inner, serve, task) = (&mut self.inner, self.serve, &self.task);
        self.guard.call(request.method(), || {
            let reply = serve(inner, task, request, &host::connect(port))?;
            Ok(codec::encode(&reply)?.into())
        })
    }

    fn health(&self) -> Reply<()> {
        self.guard.call("health", || Ok(()))
    }
}

fn cannot<T>(request: &WorkerRequest, kind: &str) -> Result<T> {
    Err(PluginError::protocol(format!("`{}` was asked of a plugin of kind {kind}", request.method())))
}

impl<P: Plugin<Kind = kind::Engine> + Engine> ExportedKind<P> for kind::Engine {
    fn worker(new: NewInstance<P>) -> Result<WorkerBox> {
        Ok(shell(new, |engine, task, request, host| match request {
            WorkerRequest::Run(inputs) => Ok(WorkerReply::Outcome(Box::new(engine.run(task, &inputs, host)?))),
            other => cannot(&other, "engine"),
        }))
    }
}

impl<P: Plugin<Kind = kind::Splitter> + Splitter> ExportedKind<P> for kind::Splitter {
    fn worker(new: NewInstance<P>) -> Result<WorkerBox> {
        Ok(shell(new, |splitter, task, request, host| match request {
            WorkerRequest::Split { inputs, parts } => {
                Ok(WorkerReply::Bounds(splitter.split(task, &inputs, parts, host)?))
            }
            other => cannot(&other, "splitter"),
        }))
    }
}

impl<P: Plugin<Kind = kind::Reducer> + Reducer> ExportedKind<P> for kind::Reducer {
    fn worker(new: NewInstance<P>) -> Result<WorkerBox> {
        Ok(shell(new, |reducer, task, request, host| match request {
            WorkerRequest::Reduce { known, done } => {
                Ok(WorkerReply::Residual(Box::new(reducer.reduce(task, &known, done, host)?)))
            }
            other => cannot(&other, "reducer"),
        }))
    }
}

impl<P: Plugin<Kind = kind::Adapter> + Adapter> ExportedKind<P> for kind::Adapter {
    fn worker(new: NewInstance<P>) -> Result<WorkerBox> {
        Ok(shell(new, |adapter, task, request, host| match request {
            WorkerRequest::Prepare(inputs) => Ok(WorkerReply::Invocation(adapter.prepare(task, &inputs, host)?)),
            WorkerRequest::Interpret(run) => Ok(WorkerReply::Outcome(Box::new(adapter.interpret(task, &run, host)?))),
            other => cannot(&other, "adapter"),
        }))
    }
}
