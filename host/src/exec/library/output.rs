//! Output: nothing leaves the process (a run keeps what it prints to standard output where asked to), but arguments are read as the real functions read them, results are theirs, and
//! text that goes to a buffer of the program goes there.

use super::call::int;
use super::format::{Purpose, format, format_list};
use super::model::Model;
use super::{Call, Stop};

pub const MODELS: &[Model] = &[
    Model::new("printf", |call| print_out(call, 0)).for_effect(|call| skip_out(call, 0)),
    Model::new("__printf_chk", |call| print_out(call, 1)).for_effect(|call| skip_out(call, 1)),
    Model::new("fprintf", |call| print_stream(call, 1)).for_effect(|call| skip_stream(call, 1)),
    Model::new("__fprintf_chk", |call| print_stream(call, 2)).for_effect(|call| skip_stream(call, 2)),
    Model::new("dprintf", |call| print(call, 1)).for_effect(|call| skip(call, 1)),
    Model::new("sprintf", |call| print_to(call, 1, None)),
    Model::new("__sprintf_chk", |call| print_to(call, 3, Some(2))),
    Model::new("snprintf", |call| print_within(call, 2)),
    Model::new("__snprintf_chk", |call| print_within(call, 4)),
    Model::new("vprintf", |call| print_list_out(call, 0)),
    Model::new("__vprintf_chk", |call| print_list_out(call, 1)),
    Model::new("vfprintf", |call| print_list_stream(call, 1)).for_effect(|call| skip_list_stream(call, 1)),
    Model::new("__vfprintf_chk", |call| print_list_stream(call, 2)),
    Model::new("vdprintf", |call| print_list(call, 1)),
    Model::new("vsprintf", |call| {
        let text = format_list(call, 1, Purpose::Text)?;
        put_text(call, text, None)
    }),
    Model::new("__vsprintf_chk", |call| {
        let text = format_list(call, 3, Purpose::Text)?;
        put_text(call, text, Some(2))
    }),
    Model::new("vsnprintf", |call| {
        let text = format_list(call, 2, Purpose::Text)?;
        put_text_within(call, &text)
    }),
    Model::new("__vsnprintf_chk", |call| {
        let text = format_list(call, 4, Purpose::Text)?;
        put_text_within(call, &text)
    }),
    Model::new("puts", puts),
    Model::new("fputs", fputs).also(&["fputs_unlocked"]),
    Model::new("putchar", put_out).also(&["putchar_unlocked"]),
    Model::new("fputc", put_stream).also(&["putc", "_IO_putc", "fputc_unlocked"]),
    Model::new("fwrite", fwrite),
    Model::new("fflush", |_| Ok(int(0))),
    Model::new("perror", perror),
    Model::new("setbuf", |_| Ok(0)),
    Model::new("setvbuf", |_| Ok(int(0))),
];

/// Prints the format at an argument's index to standard output.
fn print_out(call: &mut Call<'_>, index: usize) -> Result<u64, Stop> {
    let text = format(call, index, Purpose::Text)?;
    call.state.print(&text);
    Ok(int(text.len() as i32))
}

fn skip_out(call: &mut Call<'_>, index: usize) -> Result<u64, Stop> {
    if call.state.keeps_output() { print_out(call, index) } else { skip(call, index) }
}

/// Prints to the stream that is the first argument.
fn print_stream(call: &mut Call<'_>, index: usize) -> Result<u64, Stop> {
    if call.state.keeps(call.pointer(0)?) { print_out(call, index) } else { print(call, index) }
}

fn skip_stream(call: &mut Call<'_>, index: usize) -> Result<u64, Stop> {
    if call.state.keeps(call.pointer(0)?) { print_out(call, index) } else { skip(call, index) }
}

/// Prints the format at an argument's index to nowhere.
fn print(call: &mut Call<'_>, index: usize) -> Result<u64, Stop> {
    Ok(int(format(call, index, Purpose::Text)?.len() as i32))
}

/// The same with the values in a `va_list` behind the format.
fn print_list(call: &mut Call<'_>, index: usize) -> Result<u64, Stop> {
    Ok(int(format_list(call, index, Purpose::Text)?.len() as i32))
}

fn skip_list(call: &mut Call<'_>, index: usize) -> Result<u64, Stop> {
    format_list(call, index, Purpose::Effect)?;
    Ok(int(0))
}

/// To the stream that is the first argument.
fn print_list_stream(call: &mut Call<'_>, index: usize) -> Result<u64, Stop> {
    if call.state.keeps(call.pointer(0)?) { print_list_out(call, index) } else { print_list(call, index) }
}

fn skip_list_stream(call: &mut Call<'_>, index: usize) -> Result<u64, Stop> {
    if call.state.keeps(call.pointer(0)?) { print_list_out(call, index) } else { skip_list(call, index) }
}

fn print_list_out(call: &mut Call<'_>, index: usize) -> Result<u64, Stop> {
    let text = format_list(call, index, Purpose::Text)?;
    call.state.print(&text);
    Ok(int(text.len() as i32))
}

fn skip(call: &mut Call<'_>, index: usize) -> Result<u64, Stop> {
    format(call, index, Purpose::Effect)?;
    Ok(int(0))
}

/// Into a buffer that is large enough; the argument at `room`, if any, says how large it is.
fn print_to(call: &mut Call<'_>, index: usize, room: Option<usize>) -> Result<u64, Stop> {
    let text = format(call, index, Purpose::Text)?;
    put_text(call, text, room)
}

fn put_text(call: &mut Call<'_>, mut text: Vec<u8>, room: Option<usize>) -> Result<u64, Stop> {
    if let Some(room) = room
        && text.len() as u64 >= call.size(room)?
    {
        return Err(Stop::Abort);
    }
    text.push(0);
    call.write(call.pointer(0)?, &text)?;
    Ok(int(text.len() as i32 - 1))
}

/// Into a buffer of the size that the second argument says.
fn print_within(call: &mut Call<'_>, index: usize) -> Result<u64, Stop> {
    let text = format(call, index, Purpose::Text)?;
    put_text_within(call, &text)
}

fn put_text_within(call: &mut Call<'_>, text: &[u8]) -> Result<u64, Stop> {
    let (to, room) = (call.pointer(0)?, call.size(1)?);
    if room > 0 {
        let kept = (text.len() as u64).min(room - 1);
        call.write(to, &text[..kept as usize])?;
        call.write(to + kept, &[0])?;
    }
    Ok(int(text.len() as i32))
}

fn puts(call: &mut Call<'_>) -> Result<u64, Stop> {
    let text = call.pointer(0)?;
    let length = call.length(text)?;
    if call.state.keeps_output() {
        let line = call.string(text)?.to_vec();
        call.state.print(&line);
        call.state.print(b"\n");
    }
    Ok(int(i32::try_from(length + 1).unwrap_or(i32::MAX)))
}

fn fputs(call: &mut Call<'_>) -> Result<u64, Stop> {
    let text = call.pointer(0)?;
    call.length(text)?;
    if call.state.keeps(call.pointer(1)?) {
        let text = call.string(text)?.to_vec();
        call.state.print(&text);
    }
    Ok(int(1))
}

fn put_out(call: &mut Call<'_>) -> Result<u64, Stop> {
    let byte = call.int(0)? as u8;
    call.state.print(&[byte]);
    put(call)
}

fn put_stream(call: &mut Call<'_>) -> Result<u64, Stop> {
    if call.state.keeps(call.pointer(1)?) { put_out(call) } else { put(call) }
}

fn put(call: &mut Call<'_>) -> Result<u64, Stop> {
    Ok(int((call.int(0)? as u8).into()))
}

fn fwrite(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (from, size, count) = (call.pointer(0)?, call.size(1)?, call.size(2)?);
    let length = size.checked_mul(count).ok_or(Stop::Unsupported)?;
    let bytes = call.bytes(from, length)?.to_vec();
    if call.state.keeps(call.pointer(3)?) {
        call.state.print(&bytes);
    }
    Ok(if length == 0 { 0 } else { count })
}

fn perror(call: &mut Call<'_>) -> Result<u64, Stop> {
    let text = call.pointer(0)?;
    if text != 0 {
        call.length(text)?;
    }
    Ok(0)
}
