//! Output: nothing leaves the process (a run keeps what it prints to standard output where asked to), but arguments are read as the real functions read them, results are theirs, and
//! text that goes to a buffer of the program goes there.

use super::call::int;
use super::format::{Purpose, format, format_list};
use super::model::{Effects, Model};
use super::{Call, Stop};

const PRINTS: Effects = Effects::PRINTS.and(Effects::READS);
const WRITES: Effects = Effects::READS.and(Effects::WRITES);
const FLUSHES: Effects = Effects::PRINTS;

pub const MODELS: &[Model] = &[
    Model::new("int printf(const char *format, ...)", PRINTS, |call| print_out(call, 0))
        .for_effect(|call| skip_out(call, 0)),
    Model::new("int __printf_chk(int, const char *format, ...)", PRINTS, |call| print_out(call, 1))
        .for_effect(|call| skip_out(call, 1)),
    Model::new("int fprintf(void *stream, const char *format, ...)", PRINTS, |call| print_stream(call, 1))
        .for_effect(|call| skip_stream(call, 1)),
    Model::new("int __fprintf_chk(void *stream, int, const char *format, ...)", PRINTS, |call| print_stream(call, 2))
        .for_effect(|call| skip_stream(call, 2)),
    Model::new("int dprintf(int, const char *format, ...)", PRINTS, |call| print(call, 1))
        .for_effect(|call| skip(call, 1)),
    Model::new("int sprintf(char *to, const char *format, ...)", WRITES, |call| print_to(call, 1, None)),
    Model::new("int __sprintf_chk(char *to, int, size_t, const char *format, ...)", WRITES, |call| {
        print_to(call, 3, Some(2))
    })
    .also(&["__builtin___sprintf_chk"]),
    Model::new("int snprintf(char *to, size_t, const char *format, ...)", WRITES, |call| print_within(call, 2)),
    Model::new("int __snprintf_chk(char *to, size_t, int, size_t, const char *format, ...)", WRITES, |call| {
        print_within(call, 4)
    })
    .also(&["__builtin___snprintf_chk"]),
    Model::new("int vprintf(const char *format, void *list)", PRINTS, |call| print_list_out(call, 0)),
    Model::new("int __vprintf_chk(int, const char *format, void *list)", PRINTS, |call| print_list_out(call, 1)),
    Model::new("int vfprintf(void *stream, const char *format, void *list)", PRINTS, |call| print_list_stream(call, 1))
        .for_effect(|call| skip_list_stream(call, 1)),
    Model::new("int __vfprintf_chk(void *stream, int, const char *format, void *list)", PRINTS, |call| {
        print_list_stream(call, 2)
    }),
    Model::new("int vdprintf(int, const char *format, void *list)", PRINTS, |call| print_list(call, 1)),
    Model::new("int vsprintf(char *to, const char *format, void *list)", WRITES, |call| {
        let text = format_list(call, 1, Purpose::Text)?;
        put_text(call, text, None)
    }),
    Model::new("int __vsprintf_chk(char *to, int, size_t, const char *format, void *list)", WRITES, |call| {
        let text = format_list(call, 3, Purpose::Text)?;
        put_text(call, text, Some(2))
    }),
    Model::new("int vsnprintf(char *to, size_t, const char *format, void *list)", WRITES, |call| {
        let text = format_list(call, 2, Purpose::Text)?;
        put_text_within(call, &text)
    }),
    Model::new("int __vsnprintf_chk(char *to, size_t, int, size_t, const char *format, void *list)", WRITES, |call| {
        let text = format_list(call, 4, Purpose::Text)?;
        put_text_within(call, &text)
    }),
    Model::new("int puts(const char *text)", PRINTS, puts),
    Model::new("int fputs(const char *text, void *stream)", PRINTS, fputs).also(&["fputs_unlocked"]),
    Model::new("int putchar(int)", FLUSHES, put_out).also(&["putchar_unlocked"]).between(-1, 255),
    Model::new("int fputc(int, void *stream)", FLUSHES, put_stream)
        .also(&["putc", "_IO_putc", "fputc_unlocked"])
        .between(-1, 255),
    Model::new("size_t fwrite(const void *from, size_t, size_t, void *stream)", PRINTS, fwrite),
    Model::new("int fflush(void *stream)", FLUSHES, |_| Ok(int(0))).between(-1, 0),
    Model::new("void perror(const char *text)", PRINTS, perror),
    Model::new("void setbuf(void *stream, char *buffer)", FLUSHES, |_| Ok(0)),
    Model::new("int setvbuf(void *stream, char *buffer, int, size_t)", FLUSHES, |_| Ok(int(0))),
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
