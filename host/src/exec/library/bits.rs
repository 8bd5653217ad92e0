//! gcc's builtins on the bits of integers.

use super::call::int;
use super::model::{Effects, Model};
use super::{Call, Stop};

const PURE: Effects = Effects::PURE;

pub const MODELS: &[Model] = &[
    Model::new("unsigned short __builtin_bswap16(unsigned short)", PURE, |call| {
        Ok((call.argument(0)? as u16).swap_bytes().into())
    }),
    Model::new("unsigned __builtin_bswap32(unsigned)", PURE, |call| Ok((call.argument(0)? as u32).swap_bytes().into())),
    Model::new("unsigned long long __builtin_bswap64(unsigned long long)", PURE, |call| {
        Ok(call.argument(0)?.swap_bytes())
    }),
    Model::new("int __builtin_popcount(unsigned)", PURE, |call| count_ones(call, Width::Int)).between(0, 32),
    Model::new("int __builtin_popcountl(unsigned long)", PURE, |call| count_ones(call, Width::Long)).between(0, 64),
    Model::new("int __builtin_popcountll(unsigned long long)", PURE, |call| count_ones(call, Width::LongLong))
        .between(0, 64),
    Model::new("int __builtin_parity(unsigned)", PURE, |call| parity(call, Width::Int)).between(0, 1),
    Model::new("int __builtin_parityl(unsigned long)", PURE, |call| parity(call, Width::Long)).between(0, 1),
    Model::new("int __builtin_parityll(unsigned long long)", PURE, |call| parity(call, Width::LongLong)).between(0, 1),
    Model::new("int __builtin_clz(unsigned)", PURE, |call| leading_zeros(call, Width::Int)).between(0, 31),
    Model::new("int __builtin_clzl(unsigned long)", PURE, |call| leading_zeros(call, Width::Long)).between(0, 63),
    Model::new("int __builtin_clzll(unsigned long long)", PURE, |call| leading_zeros(call, Width::LongLong))
        .between(0, 63),
    Model::new("int __builtin_ctz(unsigned)", PURE, |call| trailing_zeros(call, Width::Int)).between(0, 31),
    Model::new("int __builtin_ctzl(unsigned long)", PURE, |call| trailing_zeros(call, Width::Long)).between(0, 63),
    Model::new("int __builtin_ctzll(unsigned long long)", PURE, |call| trailing_zeros(call, Width::LongLong))
        .between(0, 63),
    Model::new("int __builtin_clrsb(int)", PURE, |call| sign_copies(call, Width::Int)).between(0, 31),
    Model::new("int __builtin_clrsbl(long)", PURE, |call| sign_copies(call, Width::Long)).between(0, 63),
    Model::new("int __builtin_clrsbll(long long)", PURE, |call| sign_copies(call, Width::LongLong)).between(0, 63),
    // These are functions of the C library, too.
    Model::new("int ffs(int)", PURE, |call| first_set(call, Width::Int)).between(0, 32),
    Model::new("int ffsl(long)", PURE, |call| first_set(call, Width::Long)).between(0, 64),
    Model::new("int ffsll(long long)", PURE, |call| first_set(call, Width::LongLong)).between(0, 64),
];

#[derive(Clone, Copy)]
enum Width {
    Int,
    Long,
    LongLong,
}

/// The argument without the bits above its width, and the width in bits.
fn operand(call: &Call<'_>, width: Width) -> Result<(u64, u32), Stop> {
    let bits = match width {
        Width::Int => 32,
        Width::Long => call.model.word() as u32 * 8,
        Width::LongLong => 64,
    };
    Ok((call.argument(0)? & u64::MAX >> (64 - bits), bits))
}

fn count_ones(call: &mut Call<'_>, width: Width) -> Result<u64, Stop> {
    Ok(operand(call, width)?.0.count_ones().into())
}

fn parity(call: &mut Call<'_>, width: Width) -> Result<u64, Stop> {
    Ok(u64::from(operand(call, width)?.0.count_ones() % 2))
}

/// The result for zero is undefined, and gcc's differs by processor.
fn leading_zeros(call: &mut Call<'_>, width: Width) -> Result<u64, Stop> {
    match operand(call, width)? {
        (0, _) => Err(Stop::Unsupported),
        (value, bits) => Ok(u64::from(value.leading_zeros() - (64 - bits))),
    }
}

fn trailing_zeros(call: &mut Call<'_>, width: Width) -> Result<u64, Stop> {
    match operand(call, width)? {
        (0, _) => Err(Stop::Unsupported),
        (value, _) => Ok(value.trailing_zeros().into()),
    }
}

/// Bits after the sign bit that equal it.
fn sign_copies(call: &mut Call<'_>, width: Width) -> Result<u64, Stop> {
    let (value, bits) = operand(call, width)?;
    let value = (value << (64 - bits)) as i64;
    let differing = (value ^ (value >> 63)) as u64;
    Ok(u64::from(differing.leading_zeros().min(bits) - 1))
}

/// One more than the index of the lowest bit that is set; 0 if no bit is set.
fn first_set(call: &mut Call<'_>, width: Width) -> Result<u64, Stop> {
    match operand(call, width)?.0 {
        0 => Ok(int(0)),
        value => Ok(u64::from(value.trailing_zeros() + 1)),
    }
}
