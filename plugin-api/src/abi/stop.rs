//! The signal that ends a run: one atomic number that host and plugin share.

use crate::service::StopReason;
use abi_stable::StableAbi;
use abi_stable::std_types::RArc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Tells a run to end. Clones share the signal.
#[repr(transparent)]
#[derive(Clone, StableAbi)]
pub struct StopSignal(RArc<AtomicU32>);

impl StopSignal {
    pub fn new() -> Self {
        StopSignal(RArc::new(AtomicU32::new(0)))
    }

    /// Asks to end. The first reason stays.
    pub fn stop(&self, reason: StopReason) {
        // A lost race means that the run was stopped already.
        let _ = self.0.compare_exchange(0, reason.code(), Ordering::Release, Ordering::Relaxed);
    }

    /// Takes the signal back, so that work with this signal can go on: a host that was stopped may be used for another
    /// run.
    pub fn renew(&self) {
        self.0.store(0, Ordering::Release);
    }

    /// Whether both are the same signal.
    pub fn same(&self, other: &StopSignal) -> bool {
        std::ptr::eq(&*self.0, &*other.0)
    }

    pub fn reason(&self) -> Option<StopReason> {
        StopReason::from_code(self.0.load(Ordering::Relaxed))
    }
}

impl Default for StopSignal {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reason_stays() {
        let signal = StopSignal::new();
        let copy = signal.clone();
        assert_eq!(copy.reason(), None);
        signal.stop(StopReason::OutOfTime);
        copy.stop(StopReason::Cancelled);
        assert_eq!(signal.reason(), Some(StopReason::OutOfTime));
        signal.renew();
        assert_eq!(copy.reason(), None);
        assert!(signal.same(&copy) && !signal.same(&StopSignal::new()));
    }
}
