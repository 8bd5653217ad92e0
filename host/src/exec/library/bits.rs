//! gcc's builtins on the bits of integers.

use super::call::int;
use super::model::Model;
use super::{Call, Stop};

pub const MODELS: &[Model] = &[
    Model::new("__builtin_bswap16", |call| Ok((call.argument(0)? as u16).swap_bytes().into())),
    Model::new("__builtin_bswap32", |call| Ok((call.argument(0)? as u32).swap_bytes().into())),
    Model::new("__builtin_bswap64", |call| Ok(call.argument(0)?.swap_bytes())),
    Model::new("__builtin_popcount", |call| count_ones(call, Width::Int)),
    Model::new("__builtin_popcountl", |call| count_ones(call, Width::Long)),
    Model::new("__builtin_popcountll", |call| count_ones(call, Width::LongLong)),
    Model::new("__builtin_parity", |call| parity(call, Width::Int)),
    Model::new("__builtin_parityl", |call| parity(call, Width::Long)),
    Model::new("__builtin_parityll", |call| parity(call, Width::LongLong)),
    Model::new("__builtin_clz", |call| leading_zeros(call, Width::Int)),
    Model::new("__builtin_clzl", |call| leading_zeros(call, Width::Long)),
    Model::new("__builtin_clzll", |call| leading_zeros(call, Width::LongLong)),
    Model::new("__builtin_ctz", |call| trailing_zeros(call, Width::Int)),
    Model::new("__builtin_ctzl", |call| trailing_zeros(call, Width::Long)),
    Model::new("__builtin_ctzll", |call| trailing_zeros(call, Width::LongLong)),
    Model::new("__builtin_clrsb", |call| sign_copies(call, Width::Int)),
    Model::new("__builtin_clrsbl", |call| sign_copies(call, Width::Long)),
    Model::new("__builtin_clrsbll", |call| sign_copies(call, Width::LongLong)),
    // These are functions of the C library, too.
    Model::new("ffs", |call| first_set(call, Width::Int)),
    Model::new("ffsl", |call| first_set(call, Width::Long)),
    Model::new("ffsll", |call| first_set(call, Width::LongLong)),
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
