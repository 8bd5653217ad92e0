//! Functions of the C library that a run may call: those whose effects are simple and the same everywhere.

use crate::machine::State;
use crate::memory::Kind;
use crate::value::{Address, Checked, Refusal, Value, refuse};
use tandem_plugin_api::program::TypeId;

/// The effect of a call on the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    GoesOn,
    Ends,
}

type Returned = (Effect, Option<Value>);

/// Functions that end the run. (What stands behind `exit` is refused where it is registered.)
const ENDS: &[&str] =
    &["abort", "exit", "_exit", "_Exit", "__assert_fail", "__builtin_trap", "__builtin_abort", "__builtin_exit"];

/// Functions that print. The output does not matter, provided that the result of the call is not used.
const PRINTS: &[&str] = &["putchar", "fflush"];

/// Calls a function. A result of `None` is indeterminate.
pub fn call(state: &mut State<'_>, name: &str, given: &[(Value, TypeId)], wants_result: bool) -> Checked<Returned> {
    if ENDS.contains(&name) {
        return Ok((Effect::Ends, None));
    }
    let value = |at: usize| given.get(at).map(|(value, _)| *value);
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    match (plain, value(0), value(1), value(2)) {
        ("malloc", Some(Value::Int(size)), None, _) => allocated(state, size, false),
        ("calloc", Some(Value::Int(count)), Some(Value::Int(size)), None) => {
            allocated(state, count.saturating_mul(size), true)
        }
        ("alloca", Some(Value::Int(size)), None, _) => {
            let block = state.block_of_frame(length(size)?)?;
            Ok((Effect::GoesOn, Some(Value::Address(block))))
        }
        ("free", Some(Value::Int(0)), None, _) => Ok((Effect::GoesOn, None)),
        ("free", Some(Value::Address(at)), None, _) => {
            state.memory.free(at)?;
            Ok((Effect::GoesOn, None))
        }
        ("memset", Some(Value::Address(to)), Some(Value::Int(byte)), Some(Value::Int(size))) => {
            state.memory.fill(to, length(size)? as usize, byte as u8)?;
            Ok((Effect::GoesOn, value(0)))
        }
        ("memcpy" | "memmove", Some(Value::Address(to)), Some(Value::Address(from)), Some(Value::Int(size))) => {
            state.memory.copy(to, from, length(size)? as usize, plain == "memmove")?;
            Ok((Effect::GoesOn, value(0)))
        }
        ("strlen", Some(Value::Address(at)), None, _) => {
            Ok((Effect::GoesOn, Some(Value::Int(text_length(state, at)?))))
        }
        ("expect", Some(value), Some(_), None) => Ok((Effect::GoesOn, Some(value))),
        ("printf", Some(Value::Address(format)), ..) if !wants_result => printed(state, format, &given[1..]),
        ("puts", Some(Value::Address(at)), None, _) if !wants_result => {
            text_length(state, at)?;
            Ok((Effect::GoesOn, None))
        }
        _ if PRINTS.contains(&plain) && !wants_result => Ok((Effect::GoesOn, None)),
        _ => Err(Refusal { why: "it calls a function that only has a body elsewhere", name: Some(name.into()) }),
    }
}

fn length(size: i128) -> Checked<u64> {
    match u64::try_from(size) {
        Ok(size) => Ok(size),
        Err(_) => refuse("it needs too much memory"),
    }
}

fn allocated(state: &mut State<'_>, size: i128, is_zero: bool) -> Checked<Returned> {
    if size == 0 {
        return refuse("it allocates zero bytes, whose address may be null or not");
    }
    let block = state.memory.allocate(length(size)?, Kind::Heap, is_zero)?;
    if !state.conventions.contains(&"malloc never fails") {
        state.conventions.push("malloc never fails");
    }
    Ok((Effect::GoesOn, Some(Value::Address(block))))
}

/// The length up to the terminating zero, which must be there.
fn text_length(state: &State<'_>, at: Address) -> Checked<i128> {
    let mut length = 0;
    while state.memory.byte(state.memory.moved(at, length)?)? != 0 {
        length += 1;
    }
    Ok(length)
}

/// Formats that print numbers and characters only: an argument for each, already evaluated.
fn printed(state: &State<'_>, format: Address, given: &[(Value, TypeId)]) -> Checked<Returned> {
    let mut conversions = 0;
    let mut at = 0;
    let mut byte = || -> Checked<u8> {
        at += 1;
        state.memory.byte(state.memory.moved(format, at - 1)?)
    };
    loop {
        match byte()? {
            0 => break,
            b'%' => {
                let mut conversion = byte()?;
                while b"0123456789+-# .hlzjt".contains(&conversion) {
                    conversion = byte()?;
                }
                match conversion {
                    b'%' => {}
                    b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c' | b'f' | b'e' | b'g' => conversions += 1,
                    _ => return refuse("it prints something that is not a number"),
                }
            }
            _ => {}
        }
    }
    if conversions > given.len() {
        return refuse("its format needs more arguments than it has");
    }
    Ok((Effect::GoesOn, None))
}
