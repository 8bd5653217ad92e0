//! Functions of the C library that a run may call: those whose effects are simple and the same everywhere.

use crate::machine::State;
use crate::memory::Kind;
use crate::value::{Address, Checked, Refusal, Value, refuse};
use tandem_plugin_api::artifact::Convention;
use tandem_plugin_api::library::LibraryFunction;
use tandem_plugin_api::program::TypeId;

/// The effect of a call on the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    GoesOn,
    Ends,
}

type Returned = (Effect, Option<Value>);

/// What a function does here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Model {
    /// It ends the run. (What stands behind `exit` is refused where it is registered.)
    Ends,
    Allocates,
    AllocatesZero,
    AllocatesInFrame,
    Frees,
    Fills,
    Copies,
    /// The blocks may overlap.
    Moves,
    Measures,
    /// The result is the first argument.
    First,
    PrintsFormat,
    PrintsText,
    /// Where its result is unused, what it prints does not matter.
    Prints,
}

const MODELS: &[(Model, &[&str])] = &[
    (Model::Ends, &["abort", "exit", "_exit", "_Exit", "__assert_fail", "__builtin_trap"]),
    (Model::Allocates, &["malloc"]),
    (Model::AllocatesZero, &["calloc"]),
    (Model::AllocatesInFrame, &["alloca"]),
    (Model::Frees, &["free"]),
    (Model::Fills, &["memset"]),
    (Model::Copies, &["memcpy"]),
    (Model::Moves, &["memmove"]),
    (Model::Measures, &["strlen"]),
    (Model::First, &["__builtin_expect"]),
    (Model::PrintsFormat, &["printf"]),
    (Model::PrintsText, &["puts"]),
    (Model::Prints, &["putchar", "fflush"]),
];

/// Calls a function. A result of `None` is indeterminate.
pub fn call(state: &mut State<'_>, name: &str, given: &[(Value, TypeId)], wants_result: bool) -> Checked<Returned> {
    let refusal = Refusal { why: "it calls a function that only has a body elsewhere", name: Some(name.into()) };
    let known = LibraryFunction::named(name).map(LibraryFunction::name);
    let model = MODELS.iter().find(|(_, names)| known.is_some_and(|known| names.contains(&known)));
    let Some((model, _)) = model else { return Err(refusal) };
    let value = |at: usize| given.get(at).map(|(value, _)| *value);
    match (model, value(0), value(1), value(2)) {
        (Model::Ends, ..) => Ok((Effect::Ends, None)),
        (Model::Allocates, Some(Value::Int(size)), None, _) => allocated(state, size, false),
        (Model::AllocatesZero, Some(Value::Int(count)), Some(Value::Int(size)), None) => {
            allocated(state, count.saturating_mul(size), true)
        }
        (Model::AllocatesInFrame, Some(Value::Int(size)), None, _) => {
            let block = state.block_of_frame(length(size)?)?;
            Ok((Effect::GoesOn, Some(Value::Address(block))))
        }
        (Model::Frees, Some(Value::Int(0)), None, _) => Ok((Effect::GoesOn, None)),
        (Model::Frees, Some(Value::Address(at)), None, _) => {
            state.memory.free(at)?;
            Ok((Effect::GoesOn, None))
        }
        (Model::Fills, Some(Value::Address(to)), Some(Value::Int(byte)), Some(Value::Int(size))) => {
            state.memory.fill(to, length(size)? as usize, byte as u8)?;
            Ok((Effect::GoesOn, value(0)))
        }
        (
            Model::Copies | Model::Moves,
            Some(Value::Address(to)),
            Some(Value::Address(from)),
            Some(Value::Int(size)),
        ) => {
            state.memory.copy(to, from, length(size)? as usize, *model == Model::Moves)?;
            Ok((Effect::GoesOn, value(0)))
        }
        (Model::Measures, Some(Value::Address(at)), None, _) => {
            Ok((Effect::GoesOn, Some(Value::Int(text_length(state, at)?))))
        }
        (Model::First, Some(value), Some(_), None) => Ok((Effect::GoesOn, Some(value))),
        (Model::PrintsFormat, Some(Value::Address(format)), ..) if !wants_result => printed(state, format, &given[1..]),
        (Model::PrintsText, Some(Value::Address(at)), None, _) if !wants_result => {
            text_length(state, at)?;
            Ok((Effect::GoesOn, None))
        }
        (Model::Prints, ..) if !wants_result => Ok((Effect::GoesOn, None)),
        _ => Err(refusal),
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
    if !state.conventions.contains(&Convention::Allocation) {
        state.conventions.push(Convention::Allocation);
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use tandem_plugin_api::library::Models;

    #[test]
    fn the_table_claims_what_is_implemented() {
        let implemented: BTreeSet<&str> = MODELS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let claimed = LibraryFunction::all().filter(|function| function.has(Models::SINGLE_RUN));
        assert_eq!(implemented, claimed.map(LibraryFunction::name).collect());
    }
}
