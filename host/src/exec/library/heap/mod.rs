//! The heap: `malloc` and its relatives.
//!
//! A request that cannot succeed on the real machine gives null. One that could, but does not fit the sandbox, ends the
//! run as out of memory, since the result of the real library is not known. Freeing a pointer that is not an allocated
//! block aborts.

pub mod allocator;

use super::call::{Address, int};
use super::model::Model;
use super::{Call, Stop};
use tandem_plugin_api::program::DataModel;

pub const MODELS: &[Model] = &[
    Model::new("malloc", malloc),
    Model::new("calloc", calloc),
    Model::new("realloc", realloc),
    Model::new("reallocarray", reallocarray),
    Model::new("free", free).also(&["cfree"]),
    Model::new("memalign", memalign).also(&["aligned_alloc"]),
    Model::new("valloc", valloc),
    Model::new("posix_memalign", posix_memalign),
    Model::new("strdup", strdup).also(&["__strdup"]),
    Model::new("strndup", strndup).also(&["__strndup"]),
];

/// The alignment that `malloc` guarantees.
const ALIGN: u32 = 16;
const PAGE: u32 = 4096;
const ENOMEM: i32 = 12;
const EINVAL: i32 = 22;

impl Call<'_> {
    /// A block, or null for a size that no machine has.
    fn allocate(&mut self, size: u64, align: u32) -> Result<Address, Stop> {
        // glibc refuses what a pointer difference cannot express, and no more than 47 bits of address can be mapped.
        let most = match self.model {
            DataModel::Ilp32 => i32::MAX as u64,
            DataModel::Lp64 => 1 << 47,
        };
        if size > most {
            self.set_errno(ENOMEM)?;
            return Ok(0);
        }
        let size = u32::try_from(size).map_err(|_| Stop::OutOfMemory)?;
        let address = self.state.heap.allocate(size, align).ok_or(Stop::OutOfMemory)?;
        self.memory.heap_top = self.state.heap.owned_end();
        Ok(address.into())
    }

    fn allocate_cleared(&mut self, size: u64) -> Result<Address, Stop> {
        let address = self.allocate(size, ALIGN)?;
        if address != 0 {
            self.fill(address, 0, size)?;
        }
        Ok(address)
    }

    fn reallocate(&mut self, address: Address, size: u64) -> Result<Address, Stop> {
        if address == 0 {
            return self.allocate(size, ALIGN);
        }
        let block = u32::try_from(address).map_err(|_| Stop::Abort)?;
        let old_size = self.state.heap.size(block).ok_or(Stop::Abort)?;
        if size == 0 {
            self.state.heap.free(block);
            return Ok(0);
        }
        if u32::try_from(size).is_ok_and(|size| self.state.heap.resize(block, size)) {
            self.memory.heap_top = self.state.heap.owned_end();
            return Ok(address);
        }
        let new = self.allocate(size, ALIGN)?;
        if new != 0 {
            self.copy(new, address, u64::from(old_size).min(size))?;
            self.state.heap.free(block);
        }
        Ok(new)
    }

    fn duplicate(&mut self, text: Address, length: u64) -> Result<Address, Stop> {
        let new = self.allocate(length + 1, ALIGN)?;
        if new != 0 {
            self.copy(new, text, length)?;
            self.write(new + length, &[0])?;
        }
        Ok(new)
    }

    /// `count * size`, or a size that cannot be allocated.
    fn product(&self, count: u64, size: u64) -> u64 {
        count.saturating_mul(size)
    }
}

fn malloc(call: &mut Call<'_>) -> Result<u64, Stop> {
    let size = call.size(0)?;
    call.allocate(size, ALIGN)
}

fn calloc(call: &mut Call<'_>) -> Result<u64, Stop> {
    let size = call.product(call.size(0)?, call.size(1)?);
    call.allocate_cleared(size)
}

fn realloc(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (block, size) = (call.pointer(0)?, call.size(1)?);
    call.reallocate(block, size)
}

fn reallocarray(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (block, size) = (call.pointer(0)?, call.product(call.size(1)?, call.size(2)?));
    if size > call.size_result(u64::MAX) {
        call.set_errno(ENOMEM)?;
        return Ok(0);
    }
    call.reallocate(block, size)
}

fn free(call: &mut Call<'_>) -> Result<u64, Stop> {
    match call.pointer(0)? {
        0 => Ok(0),
        address if u32::try_from(address).is_ok_and(|address| call.state.heap.free(address)) => Ok(0),
        _ => Err(Stop::Abort),
    }
}

fn memalign(call: &mut Call<'_>) -> Result<u64, Stop> {
    // glibc rounds the alignment up to a power of two.
    let align = call.size(0)?.max(ALIGN.into()).checked_next_power_of_two();
    let align = align.and_then(|align| u32::try_from(align).ok()).ok_or(Stop::Unsupported)?;
    let size = call.size(1)?;
    call.allocate(size, align)
}

fn valloc(call: &mut Call<'_>) -> Result<u64, Stop> {
    let size = call.size(0)?;
    call.allocate(size, PAGE)
}

fn posix_memalign(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (place, align, size) = (call.pointer(0)?, call.size(1)?, call.size(2)?);
    if !align.is_power_of_two() || align % call.model.word() != 0 {
        return Ok(int(EINVAL));
    }
    let align = u32::try_from(align).map_err(|_| Stop::Unsupported)?;
    let block = call.allocate(size, align.max(ALIGN))?;
    if block == 0 {
        return Ok(int(ENOMEM));
    }
    call.write_word(place, block)?;
    Ok(int(0))
}

fn strdup(call: &mut Call<'_>) -> Result<u64, Stop> {
    let text = call.pointer(0)?;
    let length = call.length(text)?;
    call.duplicate(text, length)
}

fn strndup(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (text, limit) = (call.pointer(0)?, call.size(1)?);
    let length = call.length_within(text, limit)?;
    call.duplicate(text, length)
}
