//! A deterministic allocator for the program's heap. Its tables lie outside the sandbox, so that a program that writes
//! out of bounds cannot confuse it.
//!
//! Blocks of similar size form a class; the last one freed is the first one reused, as glibc's thread cache does it.
//! Between two blocks lie at least 8 bytes, as many as glibc's header has. Recycled memory keeps its old contents.

use crate::exec::memory::{HEAP, HEAP_END, HEAP_FIRST};

/// Unused bytes behind each block.
const GAP: u64 = 8;
const GRAIN: u64 = 16;
/// Up to here each multiple of the grain is a class; beyond, each doubling has [`STEPS`] classes.
const SMALL: u64 = 1024;
const STEPS: u64 = 8;
const CLASSES: usize = (SMALL / GRAIN + (32 - SMALL.ilog2()) as u64 * STEPS) as usize;
/// More blocks than any program that ends soon has; a program that allocates without end stops here.
const MOST_BLOCKS: usize = 8 << 20;
/// The program's heap grows in such steps, as glibc pads it.
const PAD: u32 = 128 << 10;
/// Ends a list of free blocks.
const NONE: u32 = u32::MAX;
/// Stands for a block in use.
const USED: u32 = u32::MAX - 1;

#[derive(Clone, Copy, Debug)]
struct Block {
    start: u32,
    /// Bytes to the start of the next block.
    span: u32,
    /// The size that the program asked for.
    size: u32,
    /// The next free block of the class, or [`NONE`]; or [`USED`].
    next: u32,
}

/// All blocks of a run.
#[derive(Clone, Debug)]
pub struct Heap {
    /// Sorted; they cover the heap up to `top` without holes.
    blocks: Vec<Block>,
    /// The first free block of each class. Its span is at least that of the class.
    free: [u32; CLASSES],
    top: u32,
    owned_end: u32,
    /// Bytes freed since free neighbours were last joined.
    freed: u64,
}

impl Default for Heap {
    fn default() -> Self {
        Heap {
            blocks: Vec::new(),
            free: [NONE; CLASSES],
            top: HEAP + GRAIN as u32,
            owned_end: HEAP + HEAP_FIRST,
            freed: 0,
        }
    }
}

impl Heap {
    /// As before the first allocation.
    pub fn reset(&mut self) {
        if self.blocks.is_empty() {
            return;
        }
        let mut blocks = std::mem::take(&mut self.blocks);
        blocks.clear();
        *self = Heap { blocks, ..Heap::default() };
    }

    /// The end of the heap that the program may access.
    pub fn owned_end(&self) -> u32 {
        self.owned_end
    }

    /// The address of a new block; `None` if the heap is exhausted. `align` is a power of two.
    pub fn allocate(&mut self, size: u32, align: u32) -> Option<u32> {
        let span = span_for(size)?;
        let class = class_within(span);
        let index = match self.take_free(class, align) {
            Some(index) => index,
            None => match self.extend(span, align) {
                Some(index) => index,
                None => self.scrape(span, align)?,
            },
        };
        let block = &mut self.blocks[index];
        block.size = size;
        block.next = USED;
        Some(block.start)
    }

    /// Ends the life of a block; false if none in use begins at the address.
    pub fn free(&mut self, address: u32) -> bool {
        let Some(index) = self.used_block(address) else { return false };
        self.freed += u64::from(self.blocks[index].span);
        self.put_free(index);
        true
    }

    /// The size that the program asked for at this address; `None` if no block in use begins there.
    pub fn size(&self, address: u32) -> Option<u32> {
        self.used_block(address).map(|index| self.blocks[index].size)
    }

    /// Gives a block another size at its place, if there is room.
    pub fn resize(&mut self, address: u32, size: u32) -> bool {
        let Some((index, span)) = self.used_block(address).zip(span_for(size)) else { return false };
        let is_last = index + 1 == self.blocks.len();
        let block = &mut self.blocks[index];
        if span > block.span {
            let end = u64::from(block.start) + u64::from(span);
            if !is_last || end > u64::from(HEAP_END) {
                return false;
            }
            block.span = span;
            block.size = size;
            self.grow_to(end as u32);
            return true;
        }
        block.size = size;
        true
    }

    fn used_block(&self, address: u32) -> Option<usize> {
        let index = self.blocks.binary_search_by_key(&address, |block| block.start).ok()?;
        (self.blocks[index].next == USED).then_some(index)
    }

    fn take_free(&mut self, class: usize, align: u32) -> Option<usize> {
        let index = self.free[class];
        let block = self.blocks.get(index as usize).filter(|block| block.start % align == 0)?;
        self.free[class] = block.next;
        Some(index as usize)
    }

    fn put_free(&mut self, index: usize) {
        let class = class_within(self.blocks[index].span);
        self.blocks[index].next = self.free[class];
        self.free[class] = index as u32;
    }

    /// A block at the end of the heap.
    fn extend(&mut self, span: u32, align: u32) -> Option<usize> {
        let start = u64::from(self.top).next_multiple_of(u64::from(align));
        let end = start + u64::from(span);
        if end > u64::from(HEAP_END) || self.blocks.len() + 2 > MOST_BLOCKS {
            return None;
        }
        let skipped = start as u32 - self.top;
        if skipped > 0 {
            self.blocks.push(Block { start: self.top, span: skipped, size: 0, next: NONE });
            self.put_free(self.blocks.len() - 1);
        }
        self.blocks.push(Block { start: start as u32, span, size: 0, next: USED });
        self.grow_to(end as u32);
        Some(self.blocks.len() - 1)
    }

    fn grow_to(&mut self, top: u32) {
        self.top = top;
        if top > self.owned_end {
            self.owned_end = top.saturating_add(PAD).next_multiple_of(4096).min(HEAP_END);
        }
    }

    /// When the end of the heap is reached: joins free neighbours if enough was freed, then takes any block that is
    /// large enough.
    fn scrape(&mut self, span: u32, align: u32) -> Option<usize> {
        let class = class_within(span);
        if let Some(index) = (class..CLASSES).find_map(|class| self.take_free(class, align)) {
            return Some(index);
        }
        if self.freed < u64::from(HEAP_END - HEAP) / STEPS {
            return None;
        }
        self.join();
        self.extend(span, align).or_else(|| (class..CLASSES).find_map(|class| self.take_free(class, align)))
    }

    fn join(&mut self) {
        self.freed = 0;
        self.free = [NONE; CLASSES];
        self.blocks.dedup_by(|block, before| {
            let joins = block.next != USED && before.next != USED;
            if joins {
                before.span += block.span;
            }
            joins
        });
        while let Some(last) = self.blocks.pop_if(|block| block.next != USED) {
            self.top = last.start;
        }
        for index in (0..self.blocks.len()).rev() {
            if self.blocks[index].next != USED {
                self.put_free(index);
            }
        }
    }
}

/// The distance to the next block: the size and the gap, rounded up to the span of a class.
fn span_for(size: u32) -> Option<u32> {
    let needed = (u64::from(size) + GAP).next_multiple_of(GRAIN).max(2 * GRAIN);
    let span = if needed <= SMALL { needed } else { needed.next_multiple_of((1 << needed.ilog2()) / STEPS) };
    u32::try_from(span).ok()
}

/// The largest class whose span is within `span`.
fn class_within(span: u32) -> usize {
    let span = u64::from(span);
    let class = if span <= SMALL {
        span / GRAIN
    } else {
        let doubling = u64::from(span.ilog2() - SMALL.ilog2());
        SMALL / GRAIN + doubling * STEPS + span / ((1 << span.ilog2()) / STEPS) - STEPS
    };
    class as usize
}
