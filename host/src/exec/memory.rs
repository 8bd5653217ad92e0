//! The sandbox: a reserved range of host memory that is all a tested program can address. A program's address is an
//! offset into it. Pages become accessible when they are first touched, and only these are reset between runs.

#![allow(unsafe_code)]

use super::ExecError;
use std::ptr;

/// Addresses are offsets below this; behind it lies a guard for accesses that straddle the end.
pub const RESERVED: usize = 1 << 32;
const GUARD: usize = 1 << 16;
/// What becomes accessible at once. Resetting one costs a fraction of a microsecond.
const CHUNK: usize = 16 << 10;

/// Functions have addresses in a range that cannot be read: a pointer to one can only be compared and called.
pub const FUNCTIONS: u32 = 0x0001_0000;
pub const FUNCTION_SIZE: u32 = 16;
pub const GLOBALS: u32 = 0x0804_8000;
pub const HEAP: u32 = 0x2000_0000;
pub const HEAP_END: u32 = 0xA000_0000;
pub const STACK_TOP: u32 = 0xBFFF_F000;
/// As large as a usual stack limit.
pub const STACK_SIZE: u32 = 8 << 20;

/// More than this is given back to the system after a run rather than cleared.
const KEPT: usize = 32 << 20;

/// The memory of one runner.
pub struct Memory {
    base: *mut u8,
    /// Initial contents from [`GLOBALS`] on.
    image: Vec<u8>,
    globals_end: u32,
    /// End of the part of the heap that was allocated so far.
    pub heap_top: u32,
    /// Chunks that are accessible, in order of first touch.
    touched: Vec<u32>,
    /// The same as a set, a bit for each chunk.
    accessible: Vec<u64>,
}

// SAFETY: the reservation belongs to this value alone, and raw pointers into it are used only through it.
unsafe impl Send for Memory {}

impl Memory {
    pub fn new(image: Vec<u8>) -> Result<Self, ExecError> {
        let globals_end = u32::try_from(image.len())
            .ok()
            .and_then(|length| GLOBALS.checked_add(length))
            .filter(|&end| end <= HEAP)
            .ok_or_else(|| ExecError::new("the global variables need more memory than the sandbox has"))?;
        // SAFETY: a fresh anonymous reservation without access rights; nothing else is touched.
        let base = unsafe {
            libc::mmap(
                ptr::null_mut(),
                RESERVED + GUARD,
                libc::PROT_NONE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if base == libc::MAP_FAILED {
            return Err(ExecError::new("no address space for the sandbox (4 GiB are reserved, not used)"));
        }
        Ok(Memory {
            base: base.cast(),
            image,
            globals_end,
            heap_top: HEAP,
            touched: Vec::new(),
            accessible: vec![0; RESERVED / CHUNK / 64],
        })
    }

    pub fn base(&self) -> *mut u8 {
        self.base
    }

    /// Brings the memory back to its initial state; the cost is that of the chunks touched.
    pub fn reset(&mut self) {
        self.heap_top = HEAP;
        if self.touched.len() * CHUNK > KEPT {
            self.release();
        }
        for i in 0..self.touched.len() {
            self.initialize(self.touched[i]);
        }
    }

    fn release(&mut self) {
        // SAFETY: the range is this value's own reservation; its contents are dropped on purpose.
        unsafe {
            libc::madvise(self.base.cast(), RESERVED, libc::MADV_DONTNEED);
            libc::mprotect(self.base.cast(), RESERVED, libc::PROT_NONE);
        }
        self.touched.clear();
        self.accessible.fill(0);
    }

    /// Initial contents of an accessible chunk.
    fn initialize(&mut self, chunk: u32) {
        let start = chunk as usize * CHUNK;
        // SAFETY: the chunk lies inside the reservation and is accessible.
        let bytes = unsafe { std::slice::from_raw_parts_mut(self.base.add(start), CHUNK) };
        bytes.fill(0);
        let (from, to) = (start.max(GLOBALS as usize), (start + CHUNK).min(self.globals_end as usize));
        if from < to {
            bytes[from - start..to - start]
                .copy_from_slice(&self.image[from - GLOBALS as usize..to - GLOBALS as usize]);
        }
    }

    fn is_accessible(&self, chunk: u32) -> bool {
        self.accessible[chunk as usize / 64] >> (chunk % 64) & 1 != 0
    }

    /// Whether the program owns this address: a global, allocated heap, or stack.
    fn owns(&self, address: u32) -> bool {
        (GLOBALS..self.globals_end).contains(&address)
            || (HEAP..self.heap_top).contains(&address)
            || (STACK_TOP - STACK_SIZE..STACK_TOP).contains(&address)
    }

    /// Makes the chunk of an address accessible, if the program owns any of the page the address is on. Called from
    /// the signal handler, when the address was touched first: it must not block (`touched` has room reserved).
    pub fn touch(&mut self, address: u32) -> bool {
        let page = address & !0xfff;
        let owned = self.owns(address) || self.owns(page) || self.owns(page | 0xfff);
        let chunk = address / CHUNK as u32;
        if !owned || self.is_accessible(chunk) {
            return false;
        }
        let start = chunk as usize * CHUNK;
        // SAFETY: the chunk lies inside the reservation.
        let failed =
            unsafe { libc::mprotect(self.base.add(start).cast(), CHUNK, libc::PROT_READ | libc::PROT_WRITE) != 0 };
        if failed {
            return false;
        }
        self.touched.push(chunk);
        self.accessible[chunk as usize / 64] |= 1 << (chunk % 64);
        self.initialize(chunk);
        true
    }

    /// Makes a range accessible. False if the program does not own all of it.
    fn ensure(&mut self, address: u32, length: u32) -> bool {
        let Some(last) = address.checked_add(length.saturating_sub(1)) else { return false };
        if length == 0 {
            return true;
        }
        let first_chunk = address / CHUNK as u32;
        (first_chunk..=last / CHUNK as u32).all(|chunk| {
            let at = (chunk * CHUNK as u32).max(address);
            let end = (chunk * CHUNK as u32 + (CHUNK as u32 - 1)).min(last);
            self.owns(at) && self.owns(end) && (self.is_accessible(chunk) || self.touch(at))
        })
    }

    /// Bytes that the program owns; `None` where it does not own all of them.
    pub fn bytes(&mut self, address: u32, length: u32) -> Option<&[u8]> {
        self.bytes_mut(address, length).map(|bytes| &*bytes)
    }

    pub fn bytes_mut(&mut self, address: u32, length: u32) -> Option<&mut [u8]> {
        if !self.ensure(address, length) {
            return None;
        }
        // SAFETY: `ensure` made the whole range accessible, and it lies inside the reservation.
        Some(unsafe { std::slice::from_raw_parts_mut(self.base.add(address as usize), length as usize) })
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: the reservation was made in `new` and is not used after this.
        unsafe { libc::munmap(self.base.cast(), RESERVED + GUARD) };
    }
}
