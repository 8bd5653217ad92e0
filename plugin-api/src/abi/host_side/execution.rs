//! An execution of the host as an object that plugin libraries can call. A panic of the host must not unwind into the
//! plugin: it ends the run as something that cannot be executed, and that execution runs nothing any more.

use super::super::contract::{ExecutionBox, ExecutionPort, ExecutionPort_TO};
use super::super::execution::{ComparedWire, ConsumedWire, ExitWire, LimitsWire, lend_comparisons, lend_consumed};
use super::super::guard;
use crate::program::EdgeId;
use crate::service::execution::{Execution, Exit};
use crate::service::{Host, LogLevel};
use abi_stable::sabi_trait::TD_Opaque;
use abi_stable::std_types::RSlice;

struct Port {
    /// `None` once it panicked, since its state cannot be trusted any more.
    execution: Option<Box<dyn Execution>>,
    host: Host,
}

pub fn port(execution: Box<dyn Execution>, host: Host) -> ExecutionBox {
    ExecutionPort_TO::from_value(Port { execution: Some(execution), host }, TD_Opaque)
}

const BROKEN: Exit = Exit::Unsupported(EdgeId(0));

impl Port {
    #[cold]
    fn give_up(&mut self, message: &str) {
        // Dropping it may panic once more, so it is leaked.
        std::mem::forget(self.execution.take());
        let _ = guard::catch("log", || {
            self.host.log(LogLevel::Error, &format!("the execution failed and is given up: {message}"));
            Ok(())
        });
    }

    /// Reads a record. These are plain accessors; one that panics leaves the record empty.
    fn record<'a, T>(&'a self, read: impl FnOnce(&'a dyn Execution) -> &'a [T]) -> &'a [T] {
        let Some(execution) = &self.execution else { return &[] };
        guard::catch("record of a run", || Ok(read(&**execution))).unwrap_or(&[])
    }
}

impl ExecutionPort for Port {
    fn run(&mut self, inputs: RSlice<'_, u64>, limits: LimitsWire) -> ExitWire {
        let Some(execution) = &mut self.execution else { return BROKEN.into() };
        match guard::catch("run", || Ok(execution.run(inputs.as_slice(), &limits.into()))) {
            Ok(exit) => exit.into(),
            Err(error) => {
                self.give_up(&error.message);
                BROKEN.into()
            }
        }
    }

    fn consumed(&self) -> RSlice<'_, ConsumedWire> {
        lend_consumed(self.record(|execution| execution.consumed())).into()
    }

    fn coverage(&self) -> RSlice<'_, u8> {
        self.record(|execution| execution.coverage()).into()
    }

    fn decisions(&self) -> RSlice<'_, u8> {
        self.record(|execution| execution.decisions()).into()
    }

    fn comparisons(&self) -> RSlice<'_, ComparedWire> {
        lend_comparisons(self.record(|execution| execution.comparisons())).into()
    }

    fn steps(&self) -> u64 {
        let Some(execution) = &self.execution else { return 0 };
        guard::catch("steps", || Ok(execution.steps())).unwrap_or(0)
    }
}

impl Drop for Port {
    fn drop(&mut self) {
        if let Some(execution) = self.execution.take() {
            let _ = guard::catch("drop of an execution", || {
                drop(execution);
                Ok(())
            });
        }
    }
}
