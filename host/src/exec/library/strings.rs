//! Functions on strings that end with a null byte.

use super::call::{Address, int};
use super::memory_functions::find_part;
use super::model::Model;
use super::{Call, Stop};

pub const MODELS: &[Model] = &[
    Model::new("strlen", strlen),
    Model::new("strnlen", strnlen),
    Model::new("strcpy", strcpy),
    Model::new("stpcpy", stpcpy).also(&["__stpcpy"]),
    Model::new("strncpy", strncpy),
    Model::new("strcat", strcat),
    Model::new("strncat", strncat),
    Model::new("__strcpy_chk", strcpy_checked),
    Model::new("__strncpy_chk", strncpy_checked),
    Model::new("__strcat_chk", strcat_checked),
    // In the C locale, collation is comparison.
    Model::new("strcmp", strcmp).also(&["strcoll"]),
    Model::new("strncmp", strncmp),
    Model::new("strcasecmp", strcasecmp),
    Model::new("strncasecmp", strncasecmp),
    Model::new("strchr", strchr).also(&["index"]),
    Model::new("strchrnul", strchrnul),
    Model::new("strrchr", strrchr).also(&["rindex"]),
    Model::new("strstr", strstr),
    Model::new("strspn", strspn),
    Model::new("strcspn", strcspn),
    Model::new("strpbrk", strpbrk),
    Model::new("strtok", strtok),
    Model::new("strtok_r", strtok_r).also(&["__strtok_r"]),
    Model::new("strsep", strsep),
];

fn strlen(call: &mut Call<'_>) -> Result<u64, Stop> {
    let text = call.pointer(0)?;
    call.length(text)
}

fn strnlen(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (text, limit) = (call.pointer(0)?, call.size(1)?);
    call.length_within(text, limit)
}

fn strcpy(call: &mut Call<'_>) -> Result<u64, Stop> {
    stpcpy(call)?;
    call.pointer(0)
}

/// The result is the end of the copy.
fn stpcpy(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (to, from) = (call.pointer(0)?, call.pointer(1)?);
    let length = call.length(from)?;
    call.copy(to, from, length + 1)?;
    Ok(to + length)
}

fn strncpy(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (to, from, limit) = (call.pointer(0)?, call.pointer(1)?, call.size(2)?);
    let length = call.length_within(from, limit)?;
    call.copy(to, from, length)?;
    call.fill(to.wrapping_add(length), 0, limit - length)?;
    Ok(to)
}

fn strcat(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (to, from) = (call.pointer(0)?, call.pointer(1)?);
    append(call, to, from, u64::MAX)
}

fn strncat(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (to, from, limit) = (call.pointer(0)?, call.pointer(1)?, call.size(2)?);
    append(call, to, from, limit)
}

fn append(call: &mut Call<'_>, to: Address, from: Address, limit: u64) -> Result<u64, Stop> {
    let end = to + call.length(to)?;
    let length = call.length_within(from, limit)?;
    call.copy(end, from, length)?;
    call.write(end + length, &[0])?;
    Ok(to)
}

fn strcpy_checked(call: &mut Call<'_>) -> Result<u64, Stop> {
    let from = call.pointer(1)?;
    if call.length(from)? >= call.size(2)? {
        return Err(Stop::Abort);
    }
    strcpy(call)
}

fn strncpy_checked(call: &mut Call<'_>) -> Result<u64, Stop> {
    if call.size(2)? > call.size(3)? {
        return Err(Stop::Abort);
    }
    strncpy(call)
}

fn strcat_checked(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (to, from) = (call.pointer(0)?, call.pointer(1)?);
    if call.length(to)? + call.length(from)? >= call.size(2)? {
        return Err(Stop::Abort);
    }
    strcat(call)
}

fn compare(call: &mut Call<'_>, limit: u64, key: impl Fn(u8) -> u8 + Copy) -> Result<u64, Stop> {
    let (a, b) = (call.pointer(0)?, call.pointer(1)?);
    call.compare_strings(a, b, limit, key).map(int)
}

fn strcmp(call: &mut Call<'_>) -> Result<u64, Stop> {
    compare(call, u64::MAX, |byte| byte)
}

fn strncmp(call: &mut Call<'_>) -> Result<u64, Stop> {
    compare(call, call.size(2)?, |byte| byte)
}

fn strcasecmp(call: &mut Call<'_>) -> Result<u64, Stop> {
    compare(call, u64::MAX, |byte| byte.to_ascii_lowercase())
}

fn strncasecmp(call: &mut Call<'_>) -> Result<u64, Stop> {
    compare(call, call.size(2)?, |byte| byte.to_ascii_lowercase())
}

fn strchr(call: &mut Call<'_>) -> Result<u64, Stop> {
    let at = strchrnul(call)?;
    let found = call.bytes(at, 1)?[0] == call.int(1)? as u8;
    Ok(if found { at } else { 0 })
}

fn strchrnul(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (text, wanted) = (call.pointer(0)?, call.int(1)? as u8);
    let offset = call.find(text, u64::MAX, |byte| byte == wanted || byte == 0)?;
    Ok(text + offset.unwrap_or(0))
}

fn strrchr(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (text, wanted) = (call.pointer(0)?, call.int(1)? as u8);
    let length = call.length(text)?;
    let found = call.bytes(text, length + 1)?.iter().rposition(|&byte| byte == wanted);
    Ok(found.map_or(0, |offset| text + offset as u64))
}

fn strstr(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (text, part) = (call.pointer(0)?, call.pointer(1)?);
    let part = call.string(part)?.to_vec();
    let found = find_part(call.string(text)?, &part);
    Ok(found.map_or(0, |offset| text + offset as u64))
}

/// The offset of the first byte of the string at `text` that is in the set or not, or of its end.
fn span(call: &mut Call<'_>, text: Address, set: Address, stop_at: bool) -> Result<u64, Stop> {
    let mut members = [false; 256];
    for &byte in call.string(set)? {
        members[usize::from(byte)] = true;
    }
    let members = &members;
    let end = call.find(text, u64::MAX, |byte| byte == 0 || members[usize::from(byte)] == stop_at)?;
    Ok(end.unwrap_or(0))
}

fn strspn(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (text, set) = (call.pointer(0)?, call.pointer(1)?);
    span(call, text, set, false)
}

fn strcspn(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (text, set) = (call.pointer(0)?, call.pointer(1)?);
    span(call, text, set, true)
}

fn strpbrk(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (text, set) = (call.pointer(0)?, call.pointer(1)?);
    let at = text + span(call, text, set, true)?;
    Ok(if call.bytes(at, 1)?[0] == 0 { 0 } else { at })
}

/// The token at or after `text`, or null if there is no further one, and where to go on. As in glibc, once the end of
/// the string is reached it stays the place to go on.
fn token(call: &mut Call<'_>, text: Address, set: Address) -> Result<(Address, Address), Stop> {
    let start = text + span(call, text, set, false)?;
    if call.bytes(start, 1)?[0] == 0 {
        return Ok((0, start));
    }
    let end = start + span(call, start, set, true)?;
    if call.bytes(end, 1)?[0] == 0 {
        return Ok((start, end));
    }
    call.write(end, &[0])?;
    Ok((start, end + 1))
}

fn strtok(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (text, set) = (call.pointer(0)?, call.pointer(1)?);
    let text = if text == 0 { call.state.token } else { text };
    let (found, next) = token(call, text, set)?;
    call.state.token = next;
    Ok(found)
}

fn strtok_r(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (text, set, place) = (call.pointer(0)?, call.pointer(1)?, call.pointer(2)?);
    let text = if text == 0 { call.read_word(place)? } else { text };
    let (found, next) = token(call, text, set)?;
    call.write_word(place, next)?;
    Ok(found)
}

fn strsep(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (place, set) = (call.pointer(0)?, call.pointer(1)?);
    let text = call.read_word(place)?;
    if text == 0 {
        return Ok(0);
    }
    let end = text + span(call, text, set, true)?;
    let next = if call.bytes(end, 1)?[0] == 0 { 0 } else { end + 1 };
    if next != 0 {
        call.write(end, &[0])?;
    }
    call.write_word(place, next)?;
    Ok(text)
}
