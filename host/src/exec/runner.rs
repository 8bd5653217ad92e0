//! Compiled programs and their runs.
#![allow(unsafe_code)]

use super::ExecError;
use super::context::{Context, HostPart};
use super::image::Layout;
use super::library;
use super::memory::{Memory, STACK_SIZE, STACK_TOP};
use super::runtime::SLICE;
use super::trace::{Kept, Trace, Tracer, Watch};
use super::translate::{Compiled, compile};
use super::trap;
use std::ptr;
use std::sync::Arc;
use tandem_plugin_api::program::{EdgeId, Program, Storage, VarId};
use tandem_plugin_api::service::StopSignal;
use tandem_plugin_api::service::execution::{
    ComparedValues, ConsumedInput, Execution, ExecutionOptions, Exit, MAX_RECORDED, RunLimits, WhenInputsEnd,
};

/// The stack that compiled code runs on; deep recursion ends at its guard.
const NATIVE_STACK: usize = 64 << 20;
const NATIVE_GUARD: usize = 64 << 10;

/// The junk in indeterminate locals, in turn: as integers large, negative, small and -1; as pointers never valid.
const JUNK: [u8; 4] = [0x5A, 0xA5, 0x01, 0xFF];

/// A program as native code; shared by any number of runners.
pub struct Executable {
    program: Arc<Program>,
    options: ExecutionOptions,
    compiled: Compiled,
    image: Vec<u8>,
    /// Where the string literals begin.
    literals: u32,
    /// By variable: the address of a global.
    addresses: Vec<Option<u32>>,
    /// What is watched, if the code was compiled to be followed step by step.
    watch: Option<Arc<Watch>>,
}

// SAFETY: the code and its tables are only read once they are finished.
unsafe impl Send for Executable {}
// SAFETY: as above.
unsafe impl Sync for Executable {}

impl Executable {
    pub fn compile(program: Arc<Program>, options: &ExecutionOptions) -> Result<Arc<Self>, ExecError> {
        Self::make(program, options, false)
    }

    /// The same for [`Runner::trace`]: all variables are in memory, and code reports each edge.
    pub fn compile_traced(program: Arc<Program>, options: &ExecutionOptions) -> Result<Arc<Self>, ExecError> {
        Self::make(program, options, true)
    }

    fn make(program: Arc<Program>, options: &ExecutionOptions, traced: bool) -> Result<Arc<Self>, ExecError> {
        let layout = Layout::new(&program, traced)?;
        let compiled = compile(&program, &layout, options)?;
        let watch = traced.then(|| Arc::new(Watch::new(&program, &layout)));
        let Layout { image, literals, addresses, .. } = layout;
        Ok(Arc::new(Executable { program, options: options.clone(), compiled, image, literals, addresses, watch }))
    }

    /// What is watched, if the code was compiled to be traced.
    pub fn watch(&self) -> Option<&Arc<Watch>> {
        self.watch.as_ref()
    }

    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The address of a global variable.
    pub fn address(&self, variable: VarId) -> Option<u32> {
        self.addresses.get(variable.index()).copied().flatten()
    }
}

impl Drop for Executable {
    fn drop(&mut self) {
        if let Some(module) = self.compiled.module.take() {
            // SAFETY: runners keep the executable alive, so no code of it runs any more.
            unsafe { module.free_memory() };
        }
    }
}

/// Memory and records of one thread's runs.
pub struct Runner {
    executable: Arc<Executable>,
    context: Box<Context>,
    coverage: Vec<u8>,
    decisions: Vec<u8>,
    comparisons: Vec<ComparedValues>,
    /// Lengths of the records after the last run.
    recorded: (usize, usize),
    steps: u64,
    /// The number of runs so far.
    runs: usize,
    stack: NativeStack,
}

// SAFETY: the context points into the runner's own buffers and memory, which move with it on the heap.
unsafe impl Send for Runner {}

impl Runner {
    pub fn new(executable: Arc<Executable>) -> Result<Self, ExecError> {
        Self::with_stop_signal(executable, StopSignal::new())
    }

    /// A runner whose runs end when the signal says so.
    pub fn with_stop_signal(executable: Arc<Executable>, stop: StopSignal) -> Result<Self, ExecError> {
        let memory = Memory::new(executable.image.clone(), executable.literals)?;
        let stack = NativeStack::new()?;
        let options = &executable.options;
        let length = |wanted: bool, length: usize| if wanted { length } else { 0 };
        let nothing = ComparedValues { edge: EdgeId(0), bits: 0, left: 0, right: 0 };
        let coverage = vec![0; length(options.coverage, executable.program.edges.len())];
        let decisions = vec![0; length(options.decisions, MAX_RECORDED)];
        let comparisons = vec![nothing; length(options.comparisons, 1 << 14)];
        let host = HostPart {
            native_stack: stack.range(),
            code: executable.compiled.code.clone(),
            externals: executable.compiled.externals.clone(),
            model: executable.program.types.model,
            library: library::State::default(),
            inputs: Vec::new(),
            next_input: 0,
            when_inputs_end: WhenInputsEnd::Stop,
            random: 0,
            consumed: Vec::new(),
            steps_left: 0,
            stop,
            fault: None,
            tracer: None,
            memory,
        };
        let context = Box::new(Context {
            host_stack: 0,
            memory_base: host.memory.base(),
            fuel: 0,
            stack_pointer: STACK_TOP.into(),
            stack_limit: u64::from(STACK_TOP - STACK_SIZE),
            ending: 0,
            edge: 0,
            status: 0,
            junk: 0,
            wide: [0; 2],
            coverage: ptr::null_mut(),
            decisions_next: ptr::null_mut(),
            decisions_end: ptr::null_mut(),
            comparisons_next: ptr::null_mut(),
            comparisons_end: ptr::null_mut(),
            host,
        });
        Ok(Runner { executable, context, coverage, decisions, comparisons, recorded: (0, 0), steps: 0, runs: 0, stack })
    }

    pub fn executable(&self) -> &Arc<Executable> {
        &self.executable
    }

    /// From now on, [`Runner::output`] has what a run prints to standard output.
    pub fn keep_output(&mut self) {
        let program = &self.executable.program;
        let named = program.variables.iter().position(|v| v.storage == Storage::Extern && v.name == "stdout");
        let stream = named.and_then(|id| self.executable.addresses[id]);
        self.context.host.library.keep_output(stream);
    }

    /// The standard output of the last run.
    pub fn output(&self) -> &[u8] {
        self.context.host.library.output()
    }

    /// The memory of the program after the last run; `None` where the program does not own it.
    pub fn memory(&mut self, address: u32, length: u32) -> Option<&[u8]> {
        self.context.host.memory.bytes(address, length)
    }

    /// Runs the program and keeps steps of the run. The trace is empty unless the program was compiled for tracing.
    pub fn trace(&mut self, inputs: &[u64], limits: &RunLimits, kept: Kept) -> (Exit, Trace) {
        let watch = self.executable.watch.clone();
        self.context.host.tracer = watch.map(|watch| Tracer::new(watch, kept));
        let exit = self.run(inputs, limits);
        let trace = self.context.host.tracer.take().map(Tracer::finish).unwrap_or_default();
        (exit, trace)
    }

    fn prepare(&mut self, inputs: &[u64], limits: &RunLimits) {
        self.coverage.fill(0);
        let context = &mut *self.context;
        let slice = limits.steps.min(SLICE);
        context.fuel = slice as i64;
        context.stack_pointer = STACK_TOP.into();
        context.status = 0;
        context.junk = u32::from_le_bytes([JUNK[self.runs % JUNK.len()]; 4]);
        self.runs += 1;
        context.coverage = self.coverage.as_mut_ptr();
        let decisions = self.decisions.as_mut_ptr_range();
        (context.decisions_next, context.decisions_end) = (decisions.start, decisions.end);
        let comparisons = self.comparisons.as_mut_ptr_range();
        (context.comparisons_next, context.comparisons_end) = (comparisons.start, comparisons.end);
        let host = &mut context.host;
        host.memory.reset();
        host.library.reset();
        host.inputs.clear();
        host.inputs.extend_from_slice(inputs);
        host.next_input = 0;
        host.when_inputs_end = limits.when_inputs_end;
        host.random = match limits.when_inputs_end {
            WhenInputsEnd::Random(seed) => seed,
            _ => 0,
        };
        host.consumed.clear();
        host.steps_left = limits.steps - slice;
        host.fault = None;
    }
}

impl Execution for Runner {
    fn run(&mut self, inputs: &[u64], limits: &RunLimits) -> Exit {
        self.prepare(inputs, limits);
        let entry = self.executable.compiled.entry as *const u8;
        // SAFETY: the code was made for this context, whose pointers are into buffers that live as long as `self`; the
        // stack is this runner's own.
        unsafe { trap::run(&mut *self.context, entry, self.stack.top()) };
        self.context.host.library.leave();
        let context = &*self.context;
        // SAFETY: both pointers are into the same buffer, and code only moves the first one forward to the end.
        self.recorded = unsafe {
            let decisions = context.decisions_next.offset_from(self.decisions.as_ptr());
            let comparisons = context.comparisons_next.offset_from(self.comparisons.as_ptr());
            (decisions as usize, comparisons as usize)
        };
        let left = context.host.steps_left + context.fuel.max(0) as u64;
        self.steps = limits.steps.saturating_sub(left);
        let exit = context.exit();
        if !self.coverage.is_empty() {
            self.executable.compiled.derived.complete(&mut self.coverage, exit);
        }
        exit
    }

    fn consumed(&self) -> &[ConsumedInput] {
        &self.context.host.consumed
    }

    fn coverage(&self) -> &[u8] {
        &self.coverage
    }

    fn decisions(&self) -> &[u8] {
        &self.decisions[..self.recorded.0]
    }

    fn comparisons(&self) -> &[ComparedValues] {
        &self.comparisons[..self.recorded.1]
    }

    fn steps(&self) -> u64 {
        self.steps
    }
}

/// Memory for a stack, with a guard below it.
struct NativeStack {
    base: *mut u8,
}

impl NativeStack {
    fn new() -> Result<Self, ExecError> {
        // SAFETY: a fresh anonymous mapping.
        let base = unsafe {
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
            let base = libc::mmap(ptr::null_mut(), NATIVE_STACK, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0);
            if base == libc::MAP_FAILED {
                return Err(ExecError::new("no memory for the stack of the program"));
            }
            libc::mprotect(base, NATIVE_GUARD, libc::PROT_NONE);
            base.cast::<u8>()
        };
        Ok(NativeStack { base })
    }

    fn top(&self) -> *mut u8 {
        self.base.wrapping_add(NATIVE_STACK)
    }

    /// The guard and everything above it.
    fn range(&self) -> std::ops::Range<usize> {
        let start = self.base as usize;
        start..start + NATIVE_STACK
    }
}

impl Drop for NativeStack {
    fn drop(&mut self) {
        // SAFETY: the mapping was made in `new` and nothing runs on it any more.
        unsafe { libc::munmap(self.base.cast(), NATIVE_STACK) };
    }
}
