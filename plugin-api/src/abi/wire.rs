//! The plain data of the boundary: errors, byte strings, and the results of hot calls.
//! Everything else crosses as bytes, see [`codec`](super::codec).

use super::handle::Handle;
use crate::error::{ErrorKind, PluginError};
use abi_stable::StableAbi;
use abi_stable::std_types::{RBox, ROption, RResult, RString, RVec};

pub type Bytes = RVec<u8>;

pub type Reply<T> = RResult<T, Fault>;

/// A [`PluginError`] on its way. Boxed, so that the reply of a hot call stays a few words wide.
#[repr(transparent)]
#[derive(StableAbi)]
pub struct Fault(RBox<FaultBody>);

#[repr(C)]
#[derive(StableAbi)]
pub struct FaultBody {
    /// [`ErrorKind`] as a number, so that a newer side may add kinds.
    code: u32,
    message: RString,
}

impl From<PluginError> for Fault {
    fn from(error: PluginError) -> Self {
        Fault(RBox::new(FaultBody { code: error.kind.code(), message: error.message.into() }))
    }
}

impl From<Fault> for PluginError {
    fn from(fault: Fault) -> Self {
        let body = RBox::into_inner(fault.0);
        PluginError::of(ErrorKind::from_code(body.code), body.message.into_string())
    }
}

/// Abstract successors of a state. Most states have one, which needs no allocation of a list.
#[repr(u8)]
#[derive(StableAbi)]
pub enum Next {
    /// The edge cannot be passed.
    None,
    /// The state itself.
    Unchanged,
    One(Handle),
    Many(RBox<RVec<Handle>>),
}

/// The answer of precision adjustment; `RNone` leaves things as they are.
#[repr(C)]
#[derive(StableAbi)]
pub struct AdjustedWire {
    pub state: ROption<Handle>,
    pub precision: ROption<Handle>,
    pub stop_here: bool,
}

#[repr(C)]
#[derive(StableAbi)]
pub struct RefinementWire {
    pub precision: Handle,
    /// Index of the first edge of the path after which states must be computed anew.
    pub from: u32,
}
