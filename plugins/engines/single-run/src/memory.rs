//! Memory as objects of bytes, each of which is known, indeterminate, or a part of a value that has no bytes. An
//! address is an object and an offset, never a number, so that no result can depend on where an object lies.

use crate::value::{Address, Checked, Shape, Value, refuse};
use rustc_hash::FxHashMap;
use tandem_plugin_api::program::constant::wrap;

/// The mark beside each byte; marks from [`PART`] on say how far the byte is inside a value that has no bytes.
const INDETERMINATE: u8 = 0;
const KNOWN: u8 = 1;
const PART: u8 = 2;

/// The most bytes of all objects together, and of one.
const MOST_BYTES: u64 = 1 << 28;

/// The kind of an object, as far as it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Variable,
    /// A string literal: the compiler may put literals with equal ends into one place, and writes to it are refused.
    Literal,
    /// A literal that stands at several places of the program, which may be one object or several.
    Literals,
    /// Its definition is elsewhere: its address may be null.
    Elsewhere,
    Heap,
}

struct Object {
    generation: u32,
    is_alive: bool,
    kind: Kind,
    bytes: Vec<u8>,
    marks: Vec<u8>,
    /// Values that have no bytes, by where they begin.
    whole: FxHashMap<usize, (Shape, Value)>,
}

#[derive(Default)]
pub struct Memory {
    objects: Vec<Object>,
    free: Vec<u32>,
    bytes: u64,
}

impl Memory {
    /// A new object: zero, or indeterminate.
    pub fn allocate(&mut self, size: u64, kind: Kind, is_zero: bool) -> Checked<Address> {
        if size > MOST_BYTES || self.bytes + size > MOST_BYTES {
            return refuse("it needs too much memory");
        }
        self.bytes += size;
        let mark = if is_zero { KNOWN } else { INDETERMINATE };
        let (bytes, marks) = (vec![0; size as usize], vec![mark; size as usize]);
        let whole = FxHashMap::default();
        let Some(slot) = self.free.pop() else {
            self.objects.push(Object { generation: 0, is_alive: true, kind, bytes, marks, whole });
            return Ok(Address { object: self.objects.len() as u32 - 1, generation: 0, offset: 0 });
        };
        let object = &mut self.objects[slot as usize];
        let generation = object.generation + 1;
        *object = Object { generation, is_alive: true, kind, bytes, marks, whole };
        Ok(Address { object: slot, generation, offset: 0 })
    }

    /// The object's life ends. Its place is used again under another number.
    pub fn release(&mut self, at: Address) -> Checked<()> {
        self.alive(at)?;
        let object = &mut self.objects[at.object as usize];
        self.bytes -= object.bytes.len() as u64;
        (object.is_alive, object.bytes, object.marks) = (false, Vec::new(), Vec::new());
        object.whole = FxHashMap::default();
        if object.generation < u32::MAX {
            self.free.push(at.object);
        }
        Ok(())
    }

    /// `free`: the beginning of a block of the heap.
    pub fn free(&mut self, at: Address) -> Checked<()> {
        if self.alive(at)?.kind != Kind::Heap || at.offset != 0 {
            return refuse("it frees something that is not a block of the heap");
        }
        self.release(at)
    }

    fn alive(&self, at: Address) -> Checked<&Object> {
        let object = self.objects.get(at.object as usize);
        match object.filter(|object| object.is_alive && object.generation == at.generation) {
            Some(object) => Ok(object),
            None => refuse("it uses the address of an object that is gone"),
        }
    }

    /// Where an access is in its object.
    fn start(object: &Object, at: Address, size: usize) -> Checked<usize> {
        match usize::try_from(at.offset) {
            Ok(start) if start.checked_add(size).is_some_and(|end| end <= object.bytes.len()) => Ok(start),
            _ => refuse("it accesses memory outside of an object"),
        }
    }

    /// The address this many bytes further; not beyond the end of the object.
    pub fn moved(&self, at: Address, bytes: i128) -> Checked<Address> {
        let length = self.alive(at)?.bytes.len() as i128;
        match i128::from(at.offset).checked_add(bytes) {
            Some(offset) if (0..=length).contains(&offset) => Ok(Address { offset: offset as i64, ..at }),
            _ => refuse("it computes an address outside of an object"),
        }
    }

    /// Whether both are the same; `None` where C leaves that open.
    pub fn same(&self, one: Address, other: Address) -> Checked<Option<bool>> {
        let (left, right) = (self.alive(one)?, self.alive(other)?);
        if one.object == other.object {
            return Ok((left.kind != Kind::Literals).then_some(one.offset == other.offset));
        }
        // The address behind an object may be that of another, and the compiler may let literals share their memory.
        let inside = |object: &Object, at: Address| (0..object.bytes.len() as i64).contains(&at.offset);
        let are_clear = |object: &Object| matches!(object.kind, Kind::Variable | Kind::Heap);
        let is_apart = inside(left, one) && inside(right, other) && (are_clear(left) || are_clear(right));
        Ok(is_apart.then_some(false))
    }

    /// Whether it is certainly no null pointer.
    pub fn is_not_null(&self, at: Address) -> Checked<bool> {
        Ok(self.alive(at)?.kind != Kind::Elsewhere)
    }

    /// Makes an object a literal; its bytes stay as they are.
    pub fn make_literal(&mut self, at: Address, kind: Kind) {
        self.objects.get_mut(at.object as usize).into_iter().for_each(|object| object.kind = kind);
    }

    /// Whether all bytes of an object are known.
    pub fn is_known(&self, at: Address) -> bool {
        self.alive(at).is_ok_and(|object| object.marks.iter().all(|&mark| mark == KNOWN))
    }

    /// A byte that is known.
    pub fn byte(&self, at: Address) -> Checked<u8> {
        match self.load(at, Shape::Int { size: 1, bits: 8, signed: false })? {
            Value::Int(value) => Ok(value as u8),
            _ => refuse("it reads the bytes of an address or of a NaN"),
        }
    }

    pub fn load(&self, at: Address, shape: Shape) -> Checked<Value> {
        let object = self.alive(at)?;
        let size = shape.size();
        let start = Self::start(object, at, size)?;
        let held = shape.held();
        let marks = &object.marks[start..start + held];
        if marks.iter().all(|&mark| mark == KNOWN) {
            let mut raw = [0; 16];
            raw[..held.min(16)].copy_from_slice(&object.bytes[start..start + held.min(16)]);
            return shape.value(u128::from_le_bytes(raw));
        }
        let is_whole = marks.iter().zip(PART..).all(|(&mark, part)| mark == part);
        match object.whole.get(&start) {
            Some((stored, value)) if is_whole && *stored == shape => Ok(*value),
            _ if marks.contains(&INDETERMINATE) => refuse("it reads uninitialised memory"),
            _ => refuse("it reads the bytes of an address or of a NaN"),
        }
    }

    pub fn store(&mut self, at: Address, shape: Shape, value: Value) -> Checked<()> {
        let size = shape.size();
        let bits = shape.bits(value);
        let (object, start) = self.writable(at, size)?;
        let held = shape.held();
        object.marks[start + held..start + size].fill(INDETERMINATE);
        let marks = &mut object.marks[start..start + held];
        match bits {
            Some(bits) => {
                marks.fill(KNOWN);
                let raw: [u8; 16] = bits.to_le_bytes();
                object.bytes[start..start + held].copy_from_slice(&raw[..held]);
            }
            None => {
                marks.iter_mut().zip(PART..).for_each(|(mark, part)| *mark = part);
                object.whole.insert(start, (shape, value));
            }
        }
        Ok(())
    }

    /// Makes these bytes unknown.
    pub fn forget(&mut self, at: Address, size: usize) -> Checked<()> {
        let (object, start) = self.writable(at, size)?;
        object.marks[start..start + size].fill(INDETERMINATE);
        Ok(())
    }

    pub fn fill(&mut self, at: Address, size: usize, byte: u8) -> Checked<()> {
        let (object, start) = self.writable(at, size)?;
        object.marks[start..start + size].fill(KNOWN);
        object.bytes[start..start + size].fill(byte);
        Ok(())
    }

    fn writable(&mut self, at: Address, size: usize) -> Checked<(&mut Object, usize)> {
        let object = self.alive(at)?;
        if matches!(object.kind, Kind::Literal | Kind::Literals) {
            return refuse("it writes to a string literal");
        }
        let start = Self::start(object, at, size)?;
        Ok((&mut self.objects[at.object as usize], start))
    }

    /// Copies bytes as they are, indeterminate ones included; part of an address cannot be copied.
    pub fn copy(&mut self, to: Address, from: Address, size: usize, may_overlap: bool) -> Checked<()> {
        let source = self.alive(from)?;
        let start = Self::start(source, from, size)?;
        let distance = to.offset.abs_diff(from.offset);
        if !may_overlap && to.object == from.object && distance != 0 && distance < size as u64 {
            return refuse("it copies between objects that overlap");
        }
        let bytes = source.bytes[start..start + size].to_vec();
        let mut marks = source.marks[start..start + size].to_vec();
        let inside = |(at, (shape, _)): &(&usize, &(Shape, Value))| {
            (start..start + size).contains(at) && **at + shape.size() <= start + size
        };
        let whole: Vec<(usize, (Shape, Value))> =
            source.whole.iter().filter(inside).map(|(at, value)| (at - start, *value)).collect();
        let is_part = |mark: &u8| *mark >= PART;
        if marks.iter().any(is_part) {
            let mut is_kept = vec![false; size];
            for (at, (shape, _)) in &whole {
                let part = &marks[*at..at + shape.size()];
                if part.iter().zip(PART..).all(|(&mark, part)| mark == part) {
                    is_kept[*at..at + shape.size()].fill(true);
                }
            }
            let lost = marks.iter_mut().zip(&is_kept).filter(|(mark, kept)| is_part(mark) && !**kept);
            lost.for_each(|(mark, _)| *mark = INDETERMINATE);
        }
        let (target, start) = self.writable(to, size)?;
        target.bytes[start..start + size].copy_from_slice(&bytes);
        target.marks[start..start + size].copy_from_slice(&marks);
        target.whole.extend(whole.into_iter().map(|(at, value)| (start + at, value)));
        Ok(())
    }

    /// A number of some bits in these bytes, the lowest at bit `start`.
    pub fn load_bits(&self, at: Address, bits: Bits) -> Checked<Value> {
        let raw = self.raw_bits(at, bits)?;
        Ok(Value::Int(wrap((raw >> bits.start) as i128, bits.width, bits.signed)))
    }

    pub fn store_bits(&mut self, at: Address, bits: Bits, value: i128) -> Checked<()> {
        let raw = self.raw_bits(at, bits)?;
        let mask = (u128::MAX >> (128 - bits.width)) << bits.start;
        let merged = raw & !mask | ((value as u128) << bits.start) & mask;
        let size = bits.bytes();
        let (object, start) = self.writable(at, size)?;
        object.bytes[start..start + size].copy_from_slice(&merged.to_le_bytes()[..size]);
        Ok(())
    }

    fn raw_bits(&self, at: Address, bits: Bits) -> Checked<u128> {
        let object = self.alive(at)?;
        let size = bits.bytes();
        let start = Self::start(object, at, size)?;
        if object.marks[start..start + size].iter().any(|&mark| mark != KNOWN) {
            return refuse("it uses a bit-field beside uninitialised ones");
        }
        let mut raw = [0; 16];
        raw[..size].copy_from_slice(&object.bytes[start..start + size]);
        Ok(u128::from_le_bytes(raw))
    }
}

/// Where a bit-field is, from the byte at its offset on; at most 16 bytes.
#[derive(Clone, Copy, Debug)]
pub struct Bits {
    pub start: u32,
    pub width: u32,
    pub signed: bool,
}

impl Bits {
    fn bytes(self) -> usize {
        (self.start + self.width).div_ceil(8) as usize
    }
}
