//! `<ctype.h>` in the C locale, with glibc's result values, and the tables that its macros read.

use super::call::int;
use super::model::Model;
use super::{Call, Stop};

pub const MODELS: &[Model] = &[
    Model::new("isupper", |call| class(call, UPPER)),
    Model::new("islower", |call| class(call, LOWER)),
    Model::new("isalpha", |call| class(call, ALPHA)),
    Model::new("isalnum", |call| class(call, ALNUM)),
    Model::new("isxdigit", |call| class(call, HEX)),
    Model::new("isspace", |call| class(call, SPACE)),
    Model::new("isprint", |call| class(call, PRINT)),
    Model::new("isgraph", |call| class(call, GRAPH)),
    Model::new("isblank", |call| class(call, BLANK)),
    Model::new("iscntrl", |call| class(call, CONTROL)),
    Model::new("ispunct", |call| class(call, PUNCTUATION)),
    // gcc replaces these by arithmetic on any value.
    Model::new("isdigit", isdigit),
    Model::new("isascii", isascii),
    Model::new("toascii", toascii),
    Model::new("toupper", |call| convert(call, upper)).also(&["_toupper"]),
    Model::new("tolower", |call| convert(call, lower)).also(&["_tolower"]),
    Model::new("__ctype_b_loc", classes_location),
    Model::new("__ctype_toupper_loc", |call| conversion_location(call, 1, upper)),
    Model::new("__ctype_tolower_loc", |call| conversion_location(call, 2, lower)),
];

// The bits of the classes in a table entry (glibc's `_ISbit` on a little-endian machine).
const UPPER: u16 = 0x100;
const LOWER: u16 = 0x200;
const ALPHA: u16 = 0x400;
const DIGIT: u16 = 0x800;
const HEX: u16 = 0x1000;
const SPACE: u16 = 0x2000;
const PRINT: u16 = 0x4000;
const GRAPH: u16 = 0x8000;
const BLANK: u16 = 1;
const CONTROL: u16 = 2;
const PUNCTUATION: u16 = 4;
const ALNUM: u16 = 8;

/// The characters that the tables know: those of `char`, signed or not, and the end of file.
const KNOWN: std::ops::Range<i32> = -128..256;

/// Isspace in the C locale. Rust's ASCII white space lacks the vertical tab.
pub fn is_space(byte: u8) -> bool {
    byte == b' ' || (9..=13).contains(&byte)
}

fn classes(c: i32) -> u16 {
    let Some(byte) = u8::try_from(c).ok().filter(u8::is_ascii) else { return 0 };
    let members = [
        (byte.is_ascii_uppercase(), UPPER),
        (byte.is_ascii_lowercase(), LOWER),
        (byte.is_ascii_alphabetic(), ALPHA),
        (byte.is_ascii_digit(), DIGIT),
        (byte.is_ascii_hexdigit(), HEX),
        (is_space(byte), SPACE),
        ((b' '..=b'~').contains(&byte), PRINT),
        (byte.is_ascii_graphic(), GRAPH),
        (byte == b' ' || byte == b'\t', BLANK),
        (byte.is_ascii_control(), CONTROL),
        (byte.is_ascii_punctuation(), PUNCTUATION),
        (byte.is_ascii_alphanumeric(), ALNUM),
    ];
    members.iter().filter(|(member, _)| *member).map(|(_, bit)| bit).sum()
}

fn class(call: &mut Call<'_>, bit: u16) -> Result<u64, Stop> {
    let c = call.int(0)?;
    // Outside of the table, glibc reads the memory beside it.
    if !KNOWN.contains(&c) {
        return Err(Stop::Unsupported);
    }
    Ok(int((classes(c) & bit).into()))
}

fn isdigit(call: &mut Call<'_>) -> Result<u64, Stop> {
    Ok(int((0x30..=0x39).contains(&call.int(0)?).into()))
}

fn isascii(call: &mut Call<'_>) -> Result<u64, Stop> {
    Ok(int((0..128).contains(&call.int(0)?).into()))
}

fn toascii(call: &mut Call<'_>) -> Result<u64, Stop> {
    Ok(int(call.int(0)? & 0x7f))
}

fn convert(call: &mut Call<'_>, with: fn(i32) -> i32) -> Result<u64, Stop> {
    Ok(int(with(call.int(0)?)))
}

/// The tables give a negative `char` as the unsigned one, but the end of file as it is.
fn from_table(c: i32, ascii: fn(&u8) -> u8) -> i32 {
    match c {
        0..=127 => ascii(&(c as u8)).into(),
        -128..=-2 => c + 256,
        _ => c,
    }
}

fn upper(c: i32) -> i32 {
    from_table(c, u8::to_ascii_uppercase)
}

fn lower(c: i32) -> i32 {
    from_table(c, u8::to_ascii_lowercase)
}

fn classes_location(call: &mut Call<'_>) -> Result<u64, Stop> {
    location(call, 0, || KNOWN.flat_map(|c| classes(c).to_le_bytes()).collect())
}

fn conversion_location(call: &mut Call<'_>, which: usize, with: fn(i32) -> i32) -> Result<u64, Stop> {
    location(call, which, || KNOWN.flat_map(|c| with(c).to_le_bytes()).collect())
}

/// A pointer to the entry for 0 of a table, in memory that the program can read.
fn location(call: &mut Call<'_>, which: usize, table: impl FnOnce() -> Vec<u8>) -> Result<u64, Stop> {
    if let Some(address) = call.state.ctype_tables[which] {
        return Ok(address.into());
    }
    let table = table();
    const POINTER: u32 = 16;
    let cell = call.hidden_block(POINTER + table.len() as u32)?;
    let start = u64::from(cell + POINTER);
    call.write(start, &table)?;
    call.write_word(cell.into(), start + table.len() as u64 / 3)?;
    call.state.ctype_tables[which] = Some(cell);
    Ok(cell.into())
}
