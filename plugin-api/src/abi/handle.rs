//! A counted pointer to a value that a plugin owns: one word wide, cloned by the host without a call into the plugin.
//! The value's type is known only to the library that made it; everyone else may clone, compare and drop the handle.

use super::guard;
use crate::error::{PluginError, Result};
use abi_stable::StableAbi;
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering, fence};

/// The header before every value that handles point to. Part of the ABI.
#[repr(C)]
#[derive(StableAbi)]
pub struct Header {
    count: AtomicUsize,
    /// The plugin instance that made the value, numbered by the host.
    owner: u64,
    role: u32,
    /// Drops the value and frees the memory; called once, when the last handle is dropped.
    release: extern "C" fn(*const ()),
}

/// The use of a value. One instance has one type per role.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Role {
    State = 1,
    Precision = 2,
}

#[repr(C)]
struct Cell<T> {
    header: Header,
    value: T,
}

/// A shared reference to a plugin's value.
#[repr(transparent)]
#[derive(StableAbi)]
pub struct Handle(NonNull<Header>);

// SAFETY: only `Mint::wrap` makes handles, and it demands that the value is `Send + Sync`; the count is atomic.
unsafe impl Send for Handle {}
// SAFETY: as above.
unsafe impl Sync for Handle {}

impl Handle {
    fn header(&self) -> &Header {
        // SAFETY: the cell lives until its count is zero, and this handle is part of the count.
        unsafe { self.0.as_ref() }
    }

    /// Whether both point to the same value in memory.
    pub fn same(&self, other: &Handle) -> bool {
        self.0 == other.0
    }
}

impl Clone for Handle {
    fn clone(&self) -> Self {
        let before = self.header().count.fetch_add(1, Ordering::Relaxed);
        if before > usize::MAX / 2 {
            // As in `Arc`: a count that wraps would free a value in use.
            std::process::abort();
        }
        Handle(self.0)
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        if self.header().count.fetch_sub(1, Ordering::Release) == 1 {
            fence(Ordering::Acquire);
            let release = self.header().release;
            release(self.0.as_ptr().cast_const().cast());
        }
    }
}

extern "C" fn release<T>(cell: *const ()) {
    // SAFETY: `Mint::wrap` stored this function in a `Box<Cell<T>>`, and the count says that there is no other handle.
    let cell = unsafe { Box::from_raw(cell.cast::<Cell<T>>().cast_mut()) };
    let owner = cell.header.owner;
    guard::drop_guarded(owner, "drop of a value", move || drop(cell));
}

/// Makes and opens the handles of one instance for one role, whose type is `T`.
pub struct Mint<T> {
    owner: u64,
    role: Role,
    value: PhantomData<fn() -> T>,
}

impl<T: Send + Sync + 'static> Mint<T> {
    /// # Safety
    /// No other mint of this process may have the same owner and role with another type.
    pub unsafe fn new(owner: u64, role: Role) -> Self {
        Mint { owner, role, value: PhantomData }
    }

    pub fn wrap(&self, value: T) -> Handle {
        let header =
            Header { count: AtomicUsize::new(1), owner: self.owner, role: self.role as u32, release: release::<T> };
        let cell = Box::leak(Box::new(Cell { header, value }));
        Handle(NonNull::from(cell).cast())
    }

    pub fn open<'a>(&self, handle: &'a Handle) -> Result<&'a T> {
        let header = handle.header();
        if header.owner != self.owner || header.role != self.role as u32 {
            return Err(PluginError::protocol("a state or precision of another plugin instance was passed"));
        }
        // SAFETY: owner and role are those of this mint, so `wrap` of a mint with the same `T` made the cell.
        Ok(unsafe { &handle.0.cast::<Cell<T>>().as_ref().value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn mint<T: Send + Sync + 'static>(owner: u64, role: Role) -> Mint<T> {
        // SAFETY: each test uses an owner of its own.
        unsafe { Mint::new(owner, role) }
    }

    #[test]
    fn the_last_handle_drops_the_value() {
        let mint = mint::<Arc<u32>>(u64::MAX - 1, Role::State);
        let value = Arc::new(7);
        let first = mint.wrap(Arc::clone(&value));
        let second = first.clone();
        assert!(first.same(&second));
        assert_eq!(**mint.open(&first).unwrap(), 7);
        drop(first);
        assert_eq!(Arc::strong_count(&value), 2);
        drop(second);
        assert_eq!(Arc::strong_count(&value), 1);
    }

    #[test]
    fn handles_of_other_owners_and_roles_are_refused() {
        let states = mint::<u32>(u64::MAX - 2, Role::State);
        let precisions = mint::<String>(u64::MAX - 2, Role::Precision);
        let others = mint::<u32>(u64::MAX - 3, Role::State);
        assert!(states.open(&precisions.wrap("p".into())).is_err());
        assert!(states.open(&others.wrap(1)).is_err());
        assert_eq!(states.open(&states.wrap(5)).unwrap(), &5);
    }

    #[test]
    fn handles_may_be_dropped_on_other_threads() {
        let mint = mint::<Vec<u8>>(u64::MAX - 4, Role::State);
        let handle = mint.wrap(vec![1; 1000]);
        let threads: Vec<_> = (0..4)
            .map(|_| {
                let copy = handle.clone();
                std::thread::spawn(move || drop(copy.clone()))
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        assert_eq!(mint.open(&handle).unwrap().len(), 1000);
    }
}
