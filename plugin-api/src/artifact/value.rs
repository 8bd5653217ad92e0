//! Values of test inputs: bit-exact integers of every width and floats of every format, with their text form.

use crate::program::FloatKind;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use thiserror::Error;

/// The type of an input, as far as its value needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ValueType {
    /// 1 to 128 bits; 1 bit is `_Bool`. Pointers are unsigned.
    Int {
        width: u32,
        signed: bool,
    },
    Float(FloatKind),
}

/// The value of one input.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum InputValue {
    /// The low `width` bits of `bits`; the others are zero.
    Int { width: u32, signed: bool, bits: u128 },
    /// The bits of the type's own format; the others are zero.
    Float { kind: FloatKind, bits: u128 },
    /// As a file gave it: the input function that reads it decides on the type, see [`InputValue::typed`].
    Text(Arc<str>),
    /// The test says nothing about this input (an underspecified test).
    Any,
}

/// Why a text is no value of a type.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{text}` is not a value of type {ty}; {help}")]
pub struct ValueError {
    pub text: String,
    pub ty: String,
    pub help: &'static str,
}
