//! Numbers from text, and absolute values.

use super::call::{Address, double, float, int};
use super::ctype::is_space;
use super::model::Model;
use super::{Call, Stop, libm};
use tandem_plugin_api::program::DataModel;

pub const MODELS: &[Model] = &[
    Model::new("abs", |call| Ok(int(call.int(0)?.wrapping_abs()))),
    Model::new("labs", |call| Ok(call.long_result(call.long(0)?.wrapping_abs()))),
    Model::new("llabs", |call| Ok((call.argument(0)? as i64).wrapping_abs() as u64)).also(&["imaxabs"]),
    Model::new("atoi", atoi),
    Model::new("atol", atol),
    Model::new("atoll", atoll),
    Model::new("atof", atof),
    Model::new("strtol", strtol),
    Model::new("strtoul", strtoul),
    Model::new("strtoll", strtoll).also(&["strtoq", "strtoimax"]),
    Model::new("strtoull", strtoull).also(&["strtouq", "strtoumax"]),
    Model::new("strtod", strtod),
    Model::new("strtof", strtof),
];

const EINVAL: i32 = 22;
const ERANGE: i32 = 34;

/// A number as text gives it, before it is fitted to a type.
struct Parsed {
    negative: bool,
    /// Saturated.
    magnitude: u128,
    /// Bytes read; 0 if there is no number.
    length: usize,
}

/// As `strtol` reads: white space, a sign, `0x` or `0` where the base allows it, digits.
fn parse(text: &[u8], base: u32) -> Parsed {
    let mut at = text.iter().take_while(|&&byte| is_space(byte)).count();
    let negative = text.get(at) == Some(&b'-');
    if matches!(text.get(at), Some(b'-' | b'+')) {
        at += 1;
    }
    let digit = |at: usize, base: u32| text.get(at).and_then(|&byte| char::from(byte).to_digit(base));
    let has_prefix =
        text.get(at) == Some(&b'0') && matches!(text.get(at + 1), Some(b'x' | b'X')) && digit(at + 2, 16).is_some();
    let base = match base {
        0 if has_prefix => 16,
        0 if text.get(at) == Some(&b'0') => 8,
        0 => 10,
        base => base,
    };
    if base == 16 && has_prefix {
        at += 2;
    }
    let (first, mut magnitude) = (at, 0u128);
    while let Some(value) = digit(at, base) {
        magnitude = magnitude.saturating_mul(base.into()).saturating_add(value.into());
        at += 1;
    }
    Parsed { negative, magnitude, length: if at == first { 0 } else { at } }
}

/// The number at the first argument; writes where it ends to the place that the second points to.
fn parse_argument(call: &mut Call<'_>, end: Option<Address>, base: i32) -> Result<Parsed, Stop> {
    let text = call.pointer(0)?;
    let parsed = parse(call.string(text)?, base as u32);
    if let Some(place) = end.filter(|&place| place != 0) {
        call.write_word(place, text + parsed.length as u64)?;
    }
    Ok(parsed)
}

/// The value in a signed type of so many bits, and whether it is out of range.
fn fit_signed(parsed: &Parsed, bits: u32) -> (i64, bool) {
    let most = (1u128 << (bits - 1)) - u128::from(!parsed.negative);
    let magnitude = parsed.magnitude.min(most) as u64;
    let value = if parsed.negative { magnitude.wrapping_neg() } else { magnitude };
    (value as i64, parsed.magnitude > most)
}

/// A negative number counts from the end of the unsigned type; one out of range, with any sign, is the largest.
fn fit_unsigned(parsed: &Parsed, bits: u32) -> (u64, bool) {
    let most = u64::MAX >> (64 - bits);
    match u64::try_from(parsed.magnitude) {
        Ok(magnitude) if magnitude <= most => {
            (if parsed.negative { magnitude.wrapping_neg() & most } else { magnitude }, false)
        }
        _ => (most, true),
    }
}

fn parse_integer(call: &mut Call<'_>, bits: u32, signed: bool) -> Result<u64, Stop> {
    let (end, base) = (call.pointer(1)?, call.int(2)?);
    if base != 0 && !(2..=36).contains(&base) {
        call.set_errno(EINVAL)?;
        return Ok(0);
    }
    let parsed = parse_argument(call, Some(end), base)?;
    let (value, out_of_range) = if signed {
        let (value, out_of_range) = fit_signed(&parsed, bits);
        (value as u64, out_of_range)
    } else {
        fit_unsigned(&parsed, bits)
    };
    if out_of_range {
        call.set_errno(ERANGE)?;
    }
    Ok(value)
}

fn long_bits(call: &Call<'_>) -> u32 {
    match call.model {
        DataModel::Ilp32 => 32,
        DataModel::Lp64 => 64,
    }
}

fn strtol(call: &mut Call<'_>) -> Result<u64, Stop> {
    parse_integer(call, long_bits(call), true)
}

fn strtoul(call: &mut Call<'_>) -> Result<u64, Stop> {
    parse_integer(call, long_bits(call), false)
}

fn strtoll(call: &mut Call<'_>) -> Result<u64, Stop> {
    parse_integer(call, 64, true)
}

fn strtoull(call: &mut Call<'_>) -> Result<u64, Stop> {
    parse_integer(call, 64, false)
}

fn atol(call: &mut Call<'_>) -> Result<u64, Stop> {
    let parsed = parse_argument(call, None, 10)?;
    let (value, out_of_range) = fit_signed(&parsed, long_bits(call));
    if out_of_range {
        call.set_errno(ERANGE)?;
    }
    Ok(value as u64)
}

fn atoll(call: &mut Call<'_>) -> Result<u64, Stop> {
    Ok(fit_signed(&parse_argument(call, None, 10)?, 64).0 as u64)
}

/// glibc casts what `strtol` gives.
fn atoi(call: &mut Call<'_>) -> Result<u64, Stop> {
    Ok(int(atol(call)? as i32))
}

fn atof(call: &mut Call<'_>) -> Result<u64, Stop> {
    let text = call.pointer(0)?;
    Ok(double(libm::parse_double(call.string(text)?).0))
}

fn strtod(call: &mut Call<'_>) -> Result<u64, Stop> {
    parse_float(call, libm::parse_double).map(double)
}

fn strtof(call: &mut Call<'_>) -> Result<u64, Stop> {
    parse_float(call, libm::parse_float).map(float)
}

fn parse_float<F>(call: &mut Call<'_>, parse: fn(&[u8]) -> (F, usize)) -> Result<F, Stop> {
    let (text, end) = (call.pointer(0)?, call.pointer(1)?);
    let string = call.string(text)?.to_vec();
    let (value, length) = call.noting_errno(|| parse(&string))?;
    if end != 0 {
        call.write_word(end, text + length as u64)?;
    }
    Ok(value)
}
