//! Places as addresses in the sandbox, and loads and stores there.

use super::function::{Translator, sandboxed, trusted};
use super::pointer_type;
use crate::exec::context::Ending;
use crate::exec::image::bit_field;
use crate::exec::memory::{FAR_GUARD, RESERVED};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, InstBuilder, types};
use tandem_plugin_api::program::*;

/// Aggregates up to this size are copied by loads and stores in place.
const INLINE_COPY: u64 = 128;
/// Offsets below this may be added after the check that an address is in the sandbox, since the guard behind the
/// sandbox is larger.
const SAFE_OFFSET: i64 = 1 << 15;

/// The address of a place, as far as it is known.
#[derive(Clone, Copy)]
pub(super) enum Address {
    Constant(i64),
    /// Bytes from the start of the function's frame.
    Frame(i64),
    /// A value of pointer type plus a constant.
    Dynamic {
        pointer: ir::Value,
        offset: i64,
    },
    /// An element of an array at a known place, in 64 bits: an index of at most 32 bits does not lead beyond the guards
    /// around the sandbox, so that no check is needed.
    Element {
        array: Array,
        /// Bytes from the array's start.
        distance: ir::Value,
        /// No distance is larger than this.
        reach: u64,
        offset: i64,
    },
}

/// Where an array begins.
#[derive(Clone, Copy)]
pub(super) enum Array {
    /// At a global address, which is in the offset.
    Global,
    Frame,
}

impl Address {
    pub fn dynamic(pointer: ir::Value) -> Self {
        Address::Dynamic { pointer, offset: 0 }
    }

    fn plus(self, more: i64) -> Self {
        match self {
            Address::Constant(at) => Address::Constant(at.wrapping_add(more)),
            Address::Frame(at) => Address::Frame(at.wrapping_add(more)),
            Address::Dynamic { pointer, offset } => Address::Dynamic { pointer, offset: offset.wrapping_add(more) },
            Address::Element { array, distance, reach, offset } => {
                Address::Element { array, distance, reach, offset: offset.wrapping_add(more) }
            }
        }
    }
}

impl Translator<'_, '_> {
    pub fn variable_address(&mut self, id: VarId) -> Address {
        if let Some(address) = self.shared.layout.address(id) {
            return Address::Constant(address.into());
        }
        let offset = self.shared.layout.frames[self.function.index()].offsets.get(&id);
        Address::Frame(offset.copied().unwrap_or(0).into())
    }

    /// The address of a place that is in memory.
    pub fn address(&mut self, place: ExprId) -> Address {
        let program = self.program;
        match program.exprs.kind(place) {
            ExprKind::Var(id) => self.variable_address(id),
            ExprKind::Deref(pointer) => match program.exprs.as_int(pointer) {
                Some(constant) => Address::Constant(constant as i64),
                None => Address::dynamic(self.value(pointer)),
            },
            ExprKind::Field { base, field } => {
                let base_address = self.address(base);
                base_address.plus(self.field_offset(base, field))
            }
            ExprKind::Index { base, index } => {
                let base_address = self.address(base);
                let size = program.types.size_of(program.exprs.ty(place)).unwrap_or(1) as i64;
                self.indexed(base_address, index, size)
            }
            // This is called for places only, but a value of struct type is a place, too.
            _ => Address::Constant(0),
        }
    }

    fn field_offset(&self, base: ExprId, field: u32) -> i64 {
        match self.program.types.get(self.program.exprs.ty(base)) {
            Type::Composite(id) => {
                let fields = &self.program.types.composite(*id).fields;
                fields.get(field as usize).map_or(0, |f| f.offset as i64)
            }
            _ => 0,
        }
    }

    /// `base + index * size`
    pub fn indexed(&mut self, base: Address, index: ExprId, size: i64) -> Address {
        if let Some(index) = self.program.exprs.as_int(index) {
            return base.plus((index as i64).wrapping_mul(size));
        }
        let added_reach = self.largest(index).saturating_mul(size.unsigned_abs());
        let index = self.pointer_sized(index);
        let scaled = match size {
            1 => index,
            size => {
                let ty = pointer_type(self.program.types.model);
                let size = self.builder.ins().iconst(ty, size);
                self.builder.ins().imul(index, size)
            }
        };
        if let Some(element) = self.element(base, scaled, added_reach) {
            return element;
        }
        // Keep the constant part apart where that is free.
        let (start, offset) = match base {
            Address::Dynamic { pointer, offset } => (pointer, offset),
            other => (self.pointer(other), 0),
        };
        Address::Dynamic { pointer: self.builder.ins().iadd(start, scaled), offset }
    }

    /// No value of this expression, or its negative, is larger when it is extended to 64 bits.
    fn largest(&self, mut index: ExprId) -> u64 {
        // A conversion to 64 bits keeps the value.
        if let ExprKind::Cast(inner) = self.program.exprs.kind(index)
            && self.program.types.is_integer(self.program.exprs.ty(inner))
            && self.bits(index) == 64
        {
            index = inner;
        }
        let sign = u32::from(self.is_signed(self.program.exprs.ty(index)));
        1u64.checked_shl(self.bits(index) - sign).filter(|_| self.bits(index) < 64).unwrap_or(u64::MAX)
    }

    fn bits(&self, expr: ExprId) -> u32 {
        self.program.types.word_shape(self.program.exprs.ty(expr)).map_or(64, |(bits, _)| bits.max(1))
    }

    /// An element that needs no check.
    fn element(&mut self, base: Address, scaled: ir::Value, added: u64) -> Option<Address> {
        if self.program.types.model == DataModel::Ilp32 {
            return None;
        }
        let (array, before, reach, offset) = match base {
            Address::Constant(at) => (Array::Global, None, 0, at),
            Address::Frame(at) if self.frame.is_some() => (Array::Frame, None, 0, at),
            Address::Element { array, distance, reach, offset } => (array, Some(distance), reach, offset),
            _ => return None,
        };
        let reach = added.saturating_add(reach);
        if reach > FAR_GUARD as u64 / 2 || i32::try_from(offset).is_err() {
            return None;
        }
        let distance = match before {
            Some(before) => self.builder.ins().iadd(before, scaled),
            None => scaled,
        };
        Some(Address::Element { array, distance, reach, offset })
    }

    /// An address as a value of pointer type.
    pub fn pointer(&mut self, address: Address) -> ir::Value {
        let ty = pointer_type(self.program.types.model);
        match address {
            Address::Constant(at) if ty == types::I32 => self.builder.ins().iconst(ty, i64::from(at as i32)),
            Address::Constant(at) => self.builder.ins().iconst(ty, at),
            Address::Frame(offset) => match self.frame {
                Some((_, start)) => self.builder.ins().iadd_imm_s(start, offset),
                None => self.builder.ins().iconst(ty, 0),
            },
            Address::Element { array, distance, offset, .. } => {
                let start = match array {
                    Array::Global => Address::Constant(offset),
                    Array::Frame => Address::Frame(offset),
                };
                let start = self.pointer(start);
                self.builder.ins().iadd(start, distance)
            }
            Address::Dynamic { pointer, offset: 0 } => pointer,
            Address::Dynamic { pointer, offset } => self.builder.ins().iadd_imm_s(pointer, offset),
        }
    }

    /// Where the host finds an address: a host pointer and an offset.
    fn host(&mut self, address: Address) -> (ir::Value, i32) {
        match address {
            Address::Frame(offset) => match (self.frame, i32::try_from(offset)) {
                (Some((host, _)), Ok(offset)) => (host, offset),
                _ => self.host_dynamic(address),
            },
            Address::Constant(at) => match i32::try_from(at) {
                Ok(at) if at >= 0 => (self.memory_base, at),
                _ => self.host_dynamic(address),
            },
            Address::Dynamic { pointer, offset } if (0..SAFE_OFFSET).contains(&offset) => {
                (self.host_pointer(pointer), offset as i32)
            }
            Address::Dynamic { .. } => self.host_dynamic(address),
            Address::Element { array, distance, offset, .. } => {
                let start = match (array, self.frame) {
                    (Array::Frame, Some((host, _))) => host,
                    _ => self.memory_base,
                };
                match i32::try_from(offset) {
                    Ok(offset) => (self.builder.ins().iadd(start, distance), offset),
                    Err(_) => self.host_dynamic(address),
                }
            }
        }
    }

    fn host_dynamic(&mut self, address: Address) -> (ir::Value, i32) {
        let pointer = self.pointer(address);
        (self.host_pointer(pointer), 0)
    }

    /// An address of the program as one of the host. It cannot lie outside the sandbox: 32 bits never do, and larger ones
    /// become one in the guard behind it, where the access faults. That has no effect, so that it is done once for each
    /// pointer and outside of loops.
    fn host_pointer(&mut self, pointer: ir::Value) -> ir::Value {
        let inside = if self.builder.func.dfg.value_type(pointer) == types::I32 {
            self.builder.ins().uextend(types::I64, pointer)
        } else {
            let end = self.builder.ins().iconst(types::I64, RESERVED as i64);
            self.builder.ins().umin(pointer, end)
        };
        self.builder.ins().iadd(self.memory_base, inside)
    }

    pub fn load_scalar(&mut self, address: Address, ty: TypeId) -> ir::Value {
        let machine = super::machine_type(self.program, ty);
        let (host, offset) = self.host(address);
        if machine == types::I128 && self.program.types.size_of(ty) == Some(12) {
            // The 80-bit format of i386 has 12 bytes of storage.
            let low = self.builder.ins().load(types::I64, sandboxed(), host, offset);
            let high = self.builder.ins().load(types::I32, sandboxed(), host, offset + 8);
            let high = self.builder.ins().uextend(types::I64, high);
            return self.builder.ins().iconcat(low, high);
        }
        self.builder.ins().load(machine, sandboxed(), host, offset)
    }

    pub fn store_scalar(&mut self, address: Address, value: ir::Value, ty: TypeId) {
        let (host, offset) = self.host(address);
        // A long double has 10 bytes; the rest of its memory stays as it is.
        if *self.program.types.get(ty) == Type::Float(FloatKind::LongDouble) {
            let (low, high) = self.builder.ins().isplit(value);
            let high = self.builder.ins().ireduce(types::I16, high);
            self.builder.ins().store(sandboxed(), low, host, offset);
            self.builder.ins().store(sandboxed(), high, host, offset + 8);
            return;
        }
        self.builder.ins().store(sandboxed(), value, host, offset);
    }

    /// A type that holds the bytes of a bit-field, and how many these are.
    fn bit_container(bits: BitField) -> (types::Type, u64) {
        let bytes = (bits.start + bits.width).div_ceil(8);
        let container = match bytes {
            0..=1 => types::I8,
            2 => types::I16,
            3..=4 => types::I32,
            5..=8 => types::I64,
            _ => types::I128,
        };
        (container, bytes.into())
    }

    /// The loads and stores for a bit-field: all of the container where that lies inside of the struct, else just the
    /// bytes of the field, since what lies behind the struct may not be there.
    fn bit_pieces(&self, place: ExprId, container: types::Type, bytes: u64) -> Vec<(types::Type, i32)> {
        let whole = u64::from(container.bytes());
        let is_inside = match self.program.exprs.kind(place) {
            ExprKind::Field { base, field } => {
                let size = self.program.types.size_of(self.program.exprs.ty(base)).unwrap_or(0);
                container != types::I128 && self.field_offset(base, field) as u64 + whole <= size
            }
            _ => false,
        };
        if is_inside { vec![(container, 0)] } else { pieces(bytes).collect() }
    }

    fn load_pieces(
        &mut self,
        host: ir::Value,
        offset: i32,
        list: &[(types::Type, i32)],
        into: types::Type,
    ) -> ir::Value {
        let mut whole = None;
        for &(ty, at) in list {
            let piece = self.builder.ins().load(ty, sandboxed(), host, offset + at);
            let piece = self.resize(piece, into, false);
            whole = Some(match whole {
                None => piece,
                Some(lower) => {
                    let by = self.builder.ins().iconst(types::I32, i64::from(at) * 8);
                    let upper = self.builder.ins().ishl(piece, by);
                    self.builder.ins().bor(lower, upper)
                }
            });
        }
        whole.unwrap_or_else(|| self.zero(into))
    }

    fn store_pieces(&mut self, host: ir::Value, offset: i32, list: &[(types::Type, i32)], whole: ir::Value) {
        for &(ty, at) in list {
            let by = self.builder.ins().iconst(types::I32, i64::from(at) * 8);
            let piece = if at == 0 { whole } else { self.builder.ins().ushr(whole, by) };
            let piece = self.resize(piece, ty, false);
            self.builder.ins().store(sandboxed(), piece, host, offset + at);
        }
    }

    /// Reads a bit-field as a value of its declared type.
    pub fn load_bits(&mut self, place: ExprId, bits: BitField) -> ir::Value {
        let ty = self.program.exprs.ty(place);
        let machine = super::machine_type(self.program, ty);
        let signed = self.program.types.word_shape(ty).is_some_and(|(_, signed)| signed);
        let (container, bytes) = Self::bit_container(bits);
        let list = self.bit_pieces(place, container, bytes);
        let address = self.address(place);
        let (host, offset) = self.host(address);
        let raw = self.load_pieces(host, offset, &list, container);
        // Push the field to the top, then down with its sign.
        let up = i64::from(container.bits() - bits.start - bits.width);
        let down = i64::from(container.bits() - bits.width);
        let up = self.builder.ins().iconst(types::I32, up);
        let down = self.builder.ins().iconst(types::I32, down);
        let top = self.builder.ins().ishl(raw, up);
        let value = if signed { self.builder.ins().sshr(top, down) } else { self.builder.ins().ushr(top, down) };
        self.resize(value, machine, signed)
    }

    pub fn store_bits(&mut self, place: ExprId, bits: BitField, value: ir::Value) {
        let (container, bytes) = Self::bit_container(bits);
        let list = self.bit_pieces(place, container, bytes);
        let address = self.address(place);
        let (host, offset) = self.host(address);
        let raw = self.load_pieces(host, offset, &list, container);
        let value = self.resize(value, container, false);
        let mask = self.bit_mask(container, bits);
        let shift = self.builder.ins().iconst(types::I32, i64::from(bits.start));
        let placed = self.builder.ins().ishl(value, shift);
        let placed = self.builder.ins().band(placed, mask);
        let others = self.builder.ins().bnot(mask);
        let kept = self.builder.ins().band(raw, others);
        let merged = self.builder.ins().bor(kept, placed);
        self.store_pieces(host, offset, &list, merged);
    }

    /// Ones where a bit-field is in its container.
    fn bit_mask(&mut self, container: types::Type, bits: BitField) -> ir::Value {
        let ones = u128::MAX >> (128 - bits.width.clamp(1, 128)) << bits.start;
        if container != types::I128 {
            return self.builder.ins().iconst(container, sign_cut(ones as u64, container));
        }
        let low = self.builder.ins().iconst(types::I64, ones as u64 as i64);
        let high = self.builder.ins().iconst(types::I64, (ones >> 64) as u64 as i64);
        self.builder.ins().iconcat(low, high)
    }

    /// Ends the run in the middle of an expression; the code that follows is never reached.
    pub fn end_in_passing(&mut self, ending: Ending) {
        self.end(ending);
        let unreachable = self.builder.create_block();
        self.builder.switch_to_block(unreachable);
    }

    pub fn copy(&mut self, to: Address, from: Address, size: u64) {
        if size > INLINE_COPY {
            let edge = self.builder.ins().iconst(types::I32, i64::from(self.edge.0));
            let (to, from) = (self.pointer(to), self.pointer(from));
            let (to, from) = (self.resize(to, types::I64, false), self.resize(from, types::I64, false));
            let length = self.builder.ins().iconst(types::I64, size as i64);
            let copy = self.import(self.shared.imports.copy);
            self.save_fuel();
            self.builder.ins().call(copy, &[self.context, edge, to, from, length]);
            return;
        }
        let (source, from) = self.host(from);
        let (target, to) = self.host(to);
        // All is read before anything is written: the two may be the same.
        let pieces: Vec<_> =
            pieces(size).map(|(ty, at)| (self.builder.ins().load(ty, sandboxed(), source, from + at), at)).collect();
        for (value, at) in pieces {
            self.builder.ins().store(sandboxed(), value, target, to + at);
        }
    }

    pub fn clear(&mut self, address: Address, size: u64) {
        if size > INLINE_COPY {
            let zero = self.builder.ins().iconst(types::I32, 0);
            return self.fill(address, size, zero);
        }
        let (target, to) = self.host(address);
        for (ty, at) in pieces(size) {
            let zero = self.builder.ins().iconst(ty, 0);
            self.builder.ins().store(sandboxed(), zero, target, to + at);
        }
    }

    /// Sets all bytes to the low byte of a value.
    pub fn fill(&mut self, address: Address, size: u64, byte: ir::Value) {
        let edge = self.builder.ins().iconst(types::I32, i64::from(self.edge.0));
        let at = self.pointer(address);
        let at = self.resize(at, types::I64, false);
        let length = self.builder.ins().iconst(types::I64, size as i64);
        let fill = self.import(self.shared.imports.fill);
        self.save_fuel();
        self.builder.ins().call(fill, &[self.context, edge, at, length, byte]);
    }

    pub fn is_zero(&mut self, value: ir::Value) -> ir::Value {
        let ty = self.builder.func.dfg.value_type(value);
        let zero = self.builder.ins().iconst(ty, 0);
        self.builder.ins().icmp(IntCC::Equal, value, zero)
    }

    /// Where the bit-field of a place is, if it is one.
    pub fn bits_of(&self, place: ExprId) -> Option<BitField> {
        bit_field(self.program, place)
    }

    /// A result too wide for a register, which a host function left in the context.
    pub fn wide_result(&mut self) -> ir::Value {
        let at = crate::exec::context::offset::WIDE;
        let low = self.builder.ins().load(types::I64, trusted(), self.context, at);
        let high = self.builder.ins().load(types::I64, trusted(), self.context, at + 8);
        self.builder.ins().iconcat(low, high)
    }
}

/// An immediate for a narrow type must be its sign-extended value.
pub(super) fn sign_cut(value: u64, ty: types::Type) -> i64 {
    let shift = 64 - ty.bits().min(64);
    ((value << shift) as i64) >> shift
}

/// The loads that cover a number of bytes: type and offset.
fn pieces(size: u64) -> impl Iterator<Item = (types::Type, i32)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let ty = match size - at {
            0 => return None,
            8.. => types::I64,
            4..8 => types::I32,
            2..4 => types::I16,
            _ => types::I8,
        };
        let here = at as i32;
        at += u64::from(ty.bytes());
        Some((ty, here))
    })
}
