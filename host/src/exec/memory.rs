//! The sandbox: a reserved range of host memory that is all a tested program can address. A program's address is an
//! offset into it. Pages become accessible when they are first touched, and only these are reset between runs.

#![allow(unsafe_code)]

use super::ExecError;
use std::ptr;

/// Addresses are offsets below this; behind it lies a guard for accesses that straddle the end.
pub const RESERVED: usize = 1 << 32;
const GUARD: usize = 1 << 16;
/// Also reserved before and behind the sandbox: nothing is mapped where an index of 32 bits leads from inside the
/// sandbox.
pub const FAR_GUARD: usize = 1 << 37;
/// The unit that is reset, a page of the machine. Clearing one costs some dozen nanoseconds.
pub const CHUNK: usize = 4 << 10;
/// Heap becomes accessible by so many chunks: a fault costs more than clearing them.
const HEAP_CHUNKS: u32 = 4;

/// The whole reservation.
const WHOLE: usize = FAR_GUARD + RESERVED + GUARD + FAR_GUARD;

/// Functions have addresses in a range that cannot be read: a pointer to one can only be compared and called.
pub const FUNCTIONS: u32 = 0x0001_0000;
pub const FUNCTION_SIZE: u32 = 16;
pub const GLOBALS: u32 = 0x0804_8000;
pub const HEAP: u32 = 0x2000_0000;
pub const HEAP_END: u32 = 0xA000_0000;
pub const STACK_TOP: u32 = 0xBFFF_F000;
/// As large as a usual stack limit.
pub const STACK_SIZE: u32 = 8 << 20;

/// The program owns this much of the heap before it allocates anything (a C library asks for heap in such steps, too).
pub const HEAP_FIRST: u32 = 256 << 10;

/// More memory than this is given back to the system after a run rather than cleared.
const KEPT: usize = 32 << 20;

/// The memory of one runner.
pub struct Memory {
    base: *mut u8,
    /// Initial contents from [`GLOBALS`] on.
    image: Vec<u8>,
    globals_end: u32,
    /// From here to the end of the globals nothing can be written; the start of a chunk.
    literals: u32,
    /// End of the part of the heap that the program owns. It only grows during a run.
    pub heap_top: u32,
    /// Chunks that are accessible, in order of first touch.
    touched: Vec<u32>,
    /// The same as a set, a bit for each chunk.
    accessible: Vec<u64>,
}

// SAFETY: the reservation belongs to this value alone, and raw pointers into it are used only through it.
unsafe impl Send for Memory {}

impl Memory {
    /// `literals`: the address from which on globals cannot be written.
    pub fn new(image: Vec<u8>, literals: u32) -> Result<Self, ExecError> {
        let globals_end = u32::try_from(image.len())
            .ok()
            .and_then(|length| GLOBALS.checked_add(length))
            .filter(|&end| end <= HEAP)
            .ok_or_else(|| ExecError::new("the global variables need more memory than the sandbox has"))?;
        // SAFETY: a fresh anonymous reservation without access rights; nothing else is touched.
        let start = unsafe {
            libc::mmap(
                ptr::null_mut(),
                WHOLE,
                libc::PROT_NONE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if start == libc::MAP_FAILED {
            return Err(ExecError::new("no address space for the sandbox (260 GiB are reserved, not used)"));
        }
        Ok(Memory {
            base: start.cast::<u8>().wrapping_add(FAR_GUARD),
            image,
            globals_end,
            literals,
            heap_top: HEAP + HEAP_FIRST,
            // Room for all, since the signal handler must not allocate.
            touched: Vec::with_capacity(RESERVED / CHUNK),
            accessible: vec![0; RESERVED / CHUNK / 64],
        })
    }

    pub fn base(&self) -> *mut u8 {
        self.base
    }

    /// Brings the memory back to its initial state; the cost is that of the chunks touched.
    pub fn reset(&mut self) {
        self.heap_top = HEAP + HEAP_FIRST;
        if self.touched.len() * CHUNK > KEPT {
            self.release();
        } else {
            self.revoke_heap();
        }
        for i in 0..self.touched.len() {
            if !self.is_read_only(self.touched[i]) {
                self.initialize(self.touched[i]);
            }
        }
    }

    /// Whether a chunk holds string literals.
    fn is_read_only(&self, chunk: u32) -> bool {
        (self.literals..self.globals_end).contains(&(chunk * CHUNK as u32))
    }

    /// Takes back the heap, which the program gets by allocation only. Otherwise, whether a wild pointer finds it
    /// accessible would depend on an earlier run.
    fn revoke_heap(&mut self) {
        let granted = (HEAP + HEAP_FIRST) / CHUNK as u32..HEAP_END / CHUNK as u32;
        let Some(last) = self.touched.iter().filter(|chunk| granted.contains(chunk)).max().copied() else { return };
        let start = granted.start as usize * CHUNK;
        let length = (last - granted.start + 1) as usize * CHUNK;
        // SAFETY: the range lies inside this value's own reservation; its contents are dropped on purpose.
        unsafe {
            libc::madvise(self.base.add(start).cast(), length, libc::MADV_DONTNEED);
            libc::mprotect(self.base.add(start).cast(), length, libc::PROT_NONE);
        }
        let accessible = &mut self.accessible;
        self.touched.retain(|&chunk| {
            let kept = !granted.contains(&chunk);
            if !kept {
                accessible[chunk as usize / 64] &= !(1 << (chunk % 64));
            }
            kept
        });
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

    /// Whether the program owns any of a chunk: globals, heap that it asked for, or stack. Ownership is by whole chunks,
    /// so that it does not depend on what was touched before; real memory is owned by whole pages, too.
    fn owns(&self, chunk: u32) -> bool {
        let overlaps =
            |start: u32, end: u32| start < end && (start / CHUNK as u32..=(end - 1) / CHUNK as u32).contains(&chunk);
        overlaps(GLOBALS, self.globals_end)
            || overlaps(HEAP, self.heap_top)
            || overlaps(STACK_TOP - STACK_SIZE, STACK_TOP)
    }

    /// Makes the chunk of an address accessible, if it is the program's and was not yet. Called from the signal handler,
    /// when the address was touched first: it must not block (`touched` has room reserved).
    pub fn touch(&mut self, address: u32) -> bool {
        let chunk = address / CHUNK as u32;
        if self.is_accessible(chunk) || !self.owns(chunk) {
            return false;
        }
        let chunks = self.opened_with(chunk);
        let (start, length) = (chunks.start as usize * CHUNK, chunks.len() * CHUNK);
        // SAFETY: the chunks lie inside the reservation.
        let failed =
            unsafe { libc::mprotect(self.base.add(start).cast(), length, libc::PROT_READ | libc::PROT_WRITE) != 0 };
        if failed {
            return false;
        }
        for chunk in chunks {
            self.touched.push(chunk);
            self.accessible[chunk as usize / 64] |= 1 << (chunk % 64);
            self.initialize(chunk);
        }
        // SAFETY: as above.
        !self.is_read_only(chunk)
            || unsafe { libc::mprotect(self.base.add(start).cast(), length, libc::PROT_READ) == 0 }
    }

    /// The chunks that become accessible with a chunk: all that the program owns of a larger piece of heap. If a
    /// neighbour is accessible already it is the chunk alone, since the neighbour would be cleared.
    fn opened_with(&self, chunk: u32) -> std::ops::Range<u32> {
        let first = chunk - chunk % HEAP_CHUNKS;
        let piece = first..first + HEAP_CHUNKS;
        let heap = HEAP / CHUNK as u32..HEAP_END / CHUNK as u32;
        let is_free = |chunk: u32| heap.contains(&chunk) && self.owns(chunk) && !self.is_accessible(chunk);
        if piece.clone().all(is_free) { piece } else { chunk..chunk + 1 }
    }

    /// The chunks that a range lies on; `None` if it wraps around.
    fn chunks(address: u32, length: u32) -> Option<std::ops::Range<u32>> {
        let last = address.checked_add(length.saturating_sub(1))?;
        let first = address / CHUNK as u32;
        Some(if length == 0 { first..first } else { first..last / CHUNK as u32 + 1 })
    }

    /// Makes a range accessible. False if the program does not own all of it.
    fn ensure(&mut self, address: u32, length: u32) -> bool {
        Self::chunks(address, length)
            .is_some_and(|mut chunks| chunks.all(|chunk| self.is_accessible(chunk) || self.touch(chunk * CHUNK as u32)))
    }

    fn ensure_writable(&mut self, address: u32, length: u32) -> bool {
        self.ensure(address, length)
            && Self::chunks(address, length).is_some_and(|mut chunks| !chunks.any(|chunk| self.is_read_only(chunk)))
    }

    /// Bytes that the program owns; `None` where it does not own all of them.
    pub fn bytes(&mut self, address: u32, length: u32) -> Option<&[u8]> {
        if !self.ensure(address, length) {
            return None;
        }
        // SAFETY: `ensure` made the whole range accessible, and it lies inside the reservation.
        Some(unsafe { std::slice::from_raw_parts(self.base.add(address as usize), length as usize) })
    }

    /// Bytes that the program may write.
    pub fn bytes_mut(&mut self, address: u32, length: u32) -> Option<&mut [u8]> {
        if !self.ensure_writable(address, length) {
            return None;
        }
        // SAFETY: `ensure` made the whole range accessible, and it lies inside the reservation.
        Some(unsafe { std::slice::from_raw_parts_mut(self.base.add(address as usize), length as usize) })
    }

    /// Two ranges of one length, which may overlap.
    pub fn two(&mut self, a: u32, b: u32, length: u32) -> Option<(&[u8], &[u8])> {
        if !self.ensure(a, length) || !self.ensure(b, length) {
            return None;
        }
        // SAFETY: `ensure` made both ranges accessible, and they lie inside the reservation; nothing writes to them as
        // long as the two shared slices keep this value borrowed.
        Some(unsafe {
            (
                std::slice::from_raw_parts(self.base.add(a as usize), length as usize),
                std::slice::from_raw_parts(self.base.add(b as usize), length as usize),
            )
        })
    }

    /// Copies as if through a buffer: the ranges may overlap. False if the program does not own all of them.
    pub fn copy(&mut self, to: u32, from: u32, length: u32) -> bool {
        if !self.ensure_writable(to, length) || !self.ensure(from, length) {
            return false;
        }
        // SAFETY: `ensure` made both ranges accessible, and they lie inside the reservation.
        unsafe { ptr::copy(self.base.add(from as usize), self.base.add(to as usize), length as usize) };
        true
    }

    /// Writes zeros. Chunks of heap and stack that were never touched are zero already and stay untouched. False if the
    /// program does not own all of the range.
    pub fn zero(&mut self, address: u32, length: u32) -> bool {
        let Some(mut chunks) = Self::chunks(address, length) else { return false };
        let end = address as usize + length as usize;
        chunks.all(|chunk| {
            let start = chunk as usize * CHUNK;
            let is_global = start < self.globals_end as usize;
            if !self.is_accessible(chunk) && !is_global {
                return self.owns(chunk);
            }
            let from = start.max(address as usize);
            let length = (start + CHUNK).min(end) - from;
            self.bytes_mut(from as u32, length as u32).map(|bytes| bytes.fill(0)).is_some()
        })
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: the reservation was made in `new` and is not used after this.
        unsafe { libc::munmap(self.base.wrapping_sub(FAR_GUARD).cast(), WHOLE) };
    }
}
