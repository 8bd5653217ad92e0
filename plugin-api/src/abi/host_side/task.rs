//! Programs and tasks that many actors share. The program is encoded once, and only if some library asks for it.

use super::super::codec;
use crate::error::{PluginError, Result};
use crate::program::Program;
use crate::task::{Property, Task};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// A number that nothing else in this process has.
pub(super) fn fresh_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// A program with a number under which plugin libraries know it.
pub struct SharedProgram {
    id: u64,
    program: Arc<Program>,
    bytes: OnceLock<Vec<u8>>,
}

impl SharedProgram {
    pub fn new(program: Arc<Program>) -> Arc<Self> {
        Arc::new(SharedProgram { id: fresh_id(), program, bytes: OnceLock::new() })
    }

    /// A program that came as bytes, from a process that may be faulty.
    pub fn decode(bytes: &[u8]) -> Result<Arc<Self>> {
        let program: Program = codec::decode(bytes, "a program")?;
        match program.problems().into_iter().next() {
            Some(problem) => Err(PluginError::protocol(format!("the program is not well-formed: {problem}"))),
            None => Ok(Self::new(Arc::new(program))),
        }
    }

    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    pub(super) fn id(&self) -> u64 {
        self.id
    }

    /// The program as it crosses boundaries.
    pub fn bytes(&self) -> Result<&[u8]> {
        if let Some(bytes) = self.bytes.get() {
            return Ok(bytes);
        }
        let encoded = codec::encode(&*self.program)?;
        Ok(self.bytes.get_or_init(|| encoded))
    }
}

/// A task that instances are made for.
#[derive(Clone)]
pub struct SharedTask {
    program: Arc<SharedProgram>,
    task: Arc<Task>,
}

impl SharedTask {
    pub fn new(program: &Arc<SharedProgram>, property: Property) -> Self {
        let task = Arc::new(Task::new(Arc::clone(program.program()), property));
        SharedTask { program: Arc::clone(program), task }
    }

    pub fn task(&self) -> &Arc<Task> {
        &self.task
    }

    pub fn program(&self) -> &Arc<Program> {
        self.program.program()
    }

    pub fn shared_program(&self) -> &Arc<SharedProgram> {
        &self.program
    }
}
