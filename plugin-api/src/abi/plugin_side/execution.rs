//! The host's execution as seen from inside a plugin library: an [`Execution`] whose calls cross the boundary.

use super::super::contract::ExecutionBox;
use super::super::execution::{borrow_comparisons, borrow_consumed};
use crate::service::execution::{ComparedValues, ConsumedInput, Execution, Exit, RunLimits};

struct Remote {
    port: ExecutionBox,
}

pub fn connect(port: ExecutionBox) -> Box<dyn Execution> {
    Box::new(Remote { port })
}

impl Execution for Remote {
    fn run(&mut self, inputs: &[u64], limits: &RunLimits) -> Exit {
        self.port.run(inputs.into(), limits.into()).into()
    }

    fn consumed(&self) -> &[ConsumedInput] {
        borrow_consumed(self.port.consumed().as_slice())
    }

    fn coverage(&self) -> &[u8] {
        self.port.coverage().as_slice()
    }

    fn decisions(&self) -> &[u8] {
        self.port.decisions().as_slice()
    }

    fn comparisons(&self) -> &[ComparedValues] {
        borrow_comparisons(self.port.comparisons().as_slice())
    }

    fn steps(&self) -> u64 {
        self.port.steps()
    }
}
