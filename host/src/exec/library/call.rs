//! How models read their arguments, give results, and work on the memory of the program.

use super::{Call, Stop};
use tandem_plugin_api::program::DataModel;

/// An address as the program has it: in LP64 it may be beyond the sandbox.
pub type Address = u64;

/// Memory is owned in pages: what is on the page of an owned address can be accessed, as on the real machine.
const PAGE: u64 = 4096;

/// Results, extended as their C type says.
pub fn int(value: i32) -> u64 {
    i64::from(value) as u64
}

pub fn float(value: f32) -> u64 {
    u64::from(value.to_bits())
}

pub fn double(value: f64) -> u64 {
    value.to_bits()
}

impl Call<'_> {
    /// A `long` result: 32 bits wide in ILP32.
    pub fn long_result(&self, value: i64) -> u64 {
        match self.model {
            DataModel::Ilp32 => i64::from(value as i32) as u64,
            DataModel::Lp64 => value as u64,
        }
    }

    /// A `size_t`, `unsigned long` or pointer result.
    pub fn size_result(&self, value: u64) -> u64 {
        match self.model {
            DataModel::Ilp32 => u64::from(value as u32),
            DataModel::Lp64 => value,
        }
    }

    /// A raw argument. A program may call a function that it did not declare with too few.
    pub fn argument(&self, index: usize) -> Result<u64, Stop> {
        self.arguments.get(index).copied().ok_or(Stop::Unsupported)
    }

    pub fn int(&self, index: usize) -> Result<i32, Stop> {
        Ok(self.argument(index)? as i32)
    }

    pub fn long(&self, index: usize) -> Result<i64, Stop> {
        Ok(self.long_result(self.argument(index)? as i64) as i64)
    }

    /// A `size_t`, an `unsigned long` or a pointer.
    pub fn size(&self, index: usize) -> Result<u64, Stop> {
        Ok(self.size_result(self.argument(index)?))
    }

    pub fn pointer(&self, index: usize) -> Result<Address, Stop> {
        self.size(index)
    }

    pub fn float(&self, index: usize) -> Result<f32, Stop> {
        Ok(f32::from_bits(self.argument(index)? as u32))
    }

    pub fn double(&self, index: usize) -> Result<f64, Stop> {
        Ok(f64::from_bits(self.argument(index)?))
    }

    /// Memory that the program may access; else the run ends with a fault.
    pub fn bytes(&mut self, address: Address, length: u64) -> Result<&[u8], Stop> {
        if length == 0 {
            return Ok(&[]);
        }
        let range = narrow(address).zip(narrow(length));
        range.and_then(|(address, length)| self.memory.bytes(address, length)).ok_or(Stop::MemoryFault)
    }

    pub fn bytes_mut(&mut self, address: Address, length: u64) -> Result<&mut [u8], Stop> {
        if length == 0 {
            return Ok(&mut []);
        }
        let range = narrow(address).zip(narrow(length));
        range.and_then(|(address, length)| self.memory.bytes_mut(address, length)).ok_or(Stop::MemoryFault)
    }

    /// Two ranges at once, to compare them.
    pub fn two(&mut self, a: Address, b: Address, length: u64) -> Result<(&[u8], &[u8]), Stop> {
        if length == 0 {
            return Ok((&[], &[]));
        }
        let range = narrow(a).zip(narrow(b)).zip(narrow(length));
        range.and_then(|((a, b), length)| self.memory.two(a, b, length)).ok_or(Stop::MemoryFault)
    }

    /// Copies as if through a buffer: the ranges may overlap.
    pub fn copy(&mut self, to: Address, from: Address, length: u64) -> Result<(), Stop> {
        if length == 0 {
            return Ok(());
        }
        let range = narrow(to).zip(narrow(from)).zip(narrow(length));
        let done = range.is_some_and(|((to, from), length)| self.memory.copy(to, from, length));
        if done { Ok(()) } else { Err(Stop::MemoryFault) }
    }

    pub fn fill(&mut self, address: Address, byte: u8, length: u64) -> Result<(), Stop> {
        if byte == 0 && length > PAGE {
            let range = narrow(address).zip(narrow(length));
            let done = range.is_some_and(|(address, length)| self.memory.zero(address, length));
            return if done { Ok(()) } else { Err(Stop::MemoryFault) };
        }
        self.bytes_mut(address, length)?.fill(byte);
        Ok(())
    }

    pub fn write(&mut self, address: Address, bytes: &[u8]) -> Result<(), Stop> {
        self.bytes_mut(address, bytes.len() as u64)?.copy_from_slice(bytes);
        Ok(())
    }

    /// Writes a pointer or a `long`, as wide as the data model says.
    pub fn write_word(&mut self, address: Address, value: u64) -> Result<(), Stop> {
        self.write(address, &value.to_le_bytes()[..self.model.word() as usize])
    }

    pub fn read_word(&mut self, address: Address) -> Result<u64, Stop> {
        let width = self.model.word() as usize;
        let mut bytes = [0; 8];
        bytes[..width].copy_from_slice(self.bytes(address, width as u64)?);
        Ok(u64::from_le_bytes(bytes))
    }

    /// The offset of the first of at most `limit` bytes that is wanted. Bytes behind it are not read.
    pub fn find(
        &mut self,
        address: Address,
        limit: u64,
        wanted: impl Fn(u8) -> bool + Copy,
    ) -> Result<Option<u64>, Stop> {
        let mut offset = 0;
        while offset < limit {
            let at = address.wrapping_add(offset);
            let length = (PAGE - at % PAGE).min(limit - offset);
            if let Some(found) = self.bytes(at, length)?.iter().position(|&byte| wanted(byte)) {
                return Ok(Some(offset + found as u64));
            }
            offset += length;
        }
        Ok(None)
    }

    /// The length of a string that ends within `limit` bytes, else `limit`.
    pub fn length_within(&mut self, address: Address, limit: u64) -> Result<u64, Stop> {
        Ok(self.find(address, limit, |byte| byte == 0)?.unwrap_or(limit))
    }

    pub fn length(&mut self, address: Address) -> Result<u64, Stop> {
        self.length_within(address, u64::MAX)
    }

    /// A string, without the null at its end.
    pub fn string(&mut self, address: Address) -> Result<&[u8], Stop> {
        let length = self.length(address)?;
        self.bytes(address, length)
    }

    /// The difference of the first bytes, as `key` sees them, that differ before both strings end. Looks at at most
    /// `limit` bytes, and at no page behind the one that decides.
    pub fn compare_strings(
        &mut self,
        a: Address,
        b: Address,
        limit: u64,
        key: impl Fn(u8) -> u8 + Copy,
    ) -> Result<i32, Stop> {
        let mut offset = 0;
        while offset < limit {
            let (at_a, at_b) = (a.wrapping_add(offset), b.wrapping_add(offset));
            let length = (PAGE - at_a % PAGE).min(PAGE - at_b % PAGE).min(limit - offset);
            let (x, y) = self.two(at_a, at_b, length)?;
            for (&x, &y) in x.iter().zip(y) {
                let difference = i32::from(key(x)) - i32::from(key(y));
                if difference != 0 || x == 0 {
                    return Ok(difference);
                }
            }
            offset += length;
        }
        Ok(0)
    }
}

fn narrow(value: u64) -> Option<u32> {
    u32::try_from(value).ok()
}
