//! The state that the library keeps between the calls of a run.

use super::heap::allocator::Heap;
use super::random::Generator;
use super::{Call, Stop, libm};

/// Output beyond this is dropped.
const MOST_OUTPUT: usize = 1 << 20;

/// State of the library during a run: the heap and what functions keep between calls.
#[derive(Clone, Debug, Default)]
pub struct State {
    pub(super) heap: Heap,
    /// Where `strtok` goes on.
    pub(super) token: u64,
    pub(super) random: Generator,
    errno: Errno,
    /// Addresses of the tables behind `<ctype.h>`'s macros, once the program asked for them.
    pub(super) ctype_tables: [Option<u32>; 3],
    /// The rounding direction as `<fenv.h>` numbers it.
    rounding: i32,
    /// The text that the program printed to standard output, if it is kept.
    output: Option<Vec<u8>>,
    /// The stream that is standard output, where that is kept.
    standard_output: Option<u32>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Errno {
    /// The value before the program asked for its address.
    value: i32,
    address: Option<u32>,
}

impl State {
    /// Restores the state before the first call.
    pub fn reset(&mut self) {
        self.leave();
        self.heap.reset();
        self.token = 0;
        self.random.reset();
        self.errno = Errno::default();
        self.ctype_tables = [None; 3];
        if let Some(output) = &mut self.output {
            output.clear();
        }
    }

    /// From now on, the standard output of runs is kept; `stream` is the value of `stdout`, if the program has it.
    pub fn keep_output(&mut self, stream: Option<u32>) {
        self.output = Some(Vec::new());
        self.standard_output = stream;
    }

    /// The output of the last run; empty unless it is kept.
    pub fn output(&self) -> &[u8] {
        self.output.as_deref().unwrap_or_default()
    }

    pub(super) fn keeps_output(&self) -> bool {
        self.output.is_some()
    }

    /// Whether the output to a stream is kept.
    pub(super) fn keeps(&self, stream: u64) -> bool {
        self.keeps_output() && self.standard_output.is_some_and(|kept| u64::from(kept) == stream)
    }

    pub(super) fn print(&mut self, text: &[u8]) {
        if let Some(output) = &mut self.output {
            let room = MOST_OUTPUT.saturating_sub(output.len());
            output.extend_from_slice(&text[..text.len().min(room)]);
        }
    }

    /// To be called on the thread of a run when the run has ended: undoes the program's settings of the processor (the
    /// rounding direction of floats).
    pub fn leave(&mut self) {
        if self.rounding != 0 {
            self.rounding = 0;
            libm::set_host_rounding(0);
        }
    }

    pub(super) fn rounding(&self) -> i32 {
        self.rounding
    }

    /// Native code and the mathematical functions of the host obey the processor's setting.
    pub(super) fn set_rounding(&mut self, direction: i32) {
        self.rounding = direction;
        libm::set_host_rounding(direction);
    }
}

impl Call<'_> {
    pub(super) fn set_errno(&mut self, value: i32) -> Result<(), Stop> {
        match self.state.errno.address {
            Some(address) => self.write(address.into(), &value.to_le_bytes()),
            None => {
                self.state.errno.value = value;
                Ok(())
            }
        }
    }

    /// The address of `errno`, which gets a place when it is first asked for.
    pub(super) fn errno_cell(&mut self) -> Result<u64, Stop> {
        let address = match self.state.errno.address {
            Some(address) => address,
            None => {
                let address = self.hidden_block(4)?;
                let value = self.state.errno.value;
                self.write(address.into(), &value.to_le_bytes())?;
                self.state.errno.address = Some(address);
                address
            }
        };
        Ok(address.into())
    }

    /// Memory for the library's own variables that the program can see.
    pub(super) fn hidden_block(&mut self, size: u32) -> Result<u32, Stop> {
        let address = self.state.heap.allocate(size, 16).ok_or(Stop::OutOfMemory)?;
        self.memory.heap_top = self.state.heap.owned_end();
        Ok(address)
    }
}
