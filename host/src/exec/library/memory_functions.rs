//! Functions on memory whose length is given: copying, filling, comparing, searching.

use super::call::int;
use super::model::Model;
use super::{Call, Stop};

pub const MODELS: &[Model] = &[
    // Overlapping ranges are undefined for `memcpy`; glibc's copies small ones as `memmove` does.
    Model::new("memcpy", memmove).also(&["memmove"]),
    Model::new("__memcpy_chk", memmove_checked).also(&["__memmove_chk"]),
    Model::new("mempcpy", mempcpy).also(&["__mempcpy"]),
    Model::new("bcopy", bcopy),
    Model::new("memccpy", memccpy),
    Model::new("memset", memset),
    Model::new("__memset_chk", memset_checked),
    Model::new("bzero", bzero).also(&["__bzero", "explicit_bzero"]),
    Model::new("memcmp", memcmp).also(&["bcmp"]),
    Model::new("memchr", memchr),
    Model::new("memrchr", memrchr),
    Model::new("rawmemchr", rawmemchr),
    Model::new("memmem", memmem),
];

fn memmove(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (to, from, length) = (call.pointer(0)?, call.pointer(1)?, call.size(2)?);
    call.copy(to, from, length)?;
    Ok(to)
}

/// glibc's checked forms end the program where the target is known to be too small.
fn check_room(call: &Call<'_>, needed: u64, room: usize) -> Result<(), Stop> {
    if needed > call.size(room)? { Err(Stop::Abort) } else { Ok(()) }
}

fn memmove_checked(call: &mut Call<'_>) -> Result<u64, Stop> {
    check_room(call, call.size(2)?, 3)?;
    memmove(call)
}

fn mempcpy(call: &mut Call<'_>) -> Result<u64, Stop> {
    let end = memmove(call)?.wrapping_add(call.size(2)?);
    Ok(call.size_result(end))
}

fn bcopy(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (from, to, length) = (call.pointer(0)?, call.pointer(1)?, call.size(2)?);
    call.copy(to, from, length)?;
    Ok(0)
}

fn memccpy(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (to, from, last, length) = (call.pointer(0)?, call.pointer(1)?, call.int(2)? as u8, call.size(3)?);
    match call.find(from, length, |byte| byte == last)? {
        Some(offset) => {
            call.copy(to, from, offset + 1)?;
            Ok(to + offset + 1)
        }
        None => {
            call.copy(to, from, length)?;
            Ok(0)
        }
    }
}

fn memset(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (to, byte, length) = (call.pointer(0)?, call.int(1)? as u8, call.size(2)?);
    call.fill(to, byte, length)?;
    Ok(to)
}

fn memset_checked(call: &mut Call<'_>) -> Result<u64, Stop> {
    check_room(call, call.size(2)?, 3)?;
    memset(call)
}

fn bzero(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (to, length) = (call.pointer(0)?, call.size(1)?);
    call.fill(to, 0, length)?;
    Ok(0)
}

fn memcmp(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (a, b, length) = (call.pointer(0)?, call.pointer(1)?, call.size(2)?);
    let (a, b) = call.two(a, b, length)?;
    let differing = a.iter().zip(b).find(|(x, y)| x != y);
    Ok(int(differing.map_or(0, |(&x, &y)| i32::from(x) - i32::from(y))))
}

fn memchr(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (start, wanted, length) = (call.pointer(0)?, call.int(1)? as u8, call.size(2)?);
    Ok(call.find(start, length, |byte| byte == wanted)?.map_or(0, |offset| start + offset))
}

fn memrchr(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (start, wanted, length) = (call.pointer(0)?, call.int(1)? as u8, call.size(2)?);
    let found = call.bytes(start, length)?.iter().rposition(|&byte| byte == wanted);
    Ok(found.map_or(0, |offset| start + offset as u64))
}

fn rawmemchr(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (start, wanted) = (call.pointer(0)?, call.int(1)? as u8);
    Ok(call.find(start, u64::MAX, |byte| byte == wanted)?.map_or(0, |offset| start + offset))
}

fn memmem(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (start, length) = (call.pointer(0)?, call.size(1)?);
    let (part, part_length) = (call.pointer(2)?, call.size(3)?);
    let part = call.bytes(part, part_length)?.to_vec();
    let found = find_part(call.bytes(start, length)?, &part);
    Ok(found.map_or(0, |offset| start + offset as u64))
}

/// Where `part` first occurs.
pub fn find_part(whole: &[u8], part: &[u8]) -> Option<usize> {
    if part.is_empty() { Some(0) } else { whole.windows(part.len()).position(|window| window == part) }
}
