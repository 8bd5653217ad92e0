//! The goals of a question for tests, and which of them are covered. They can be shared: a goal that another actor covers meanwhile is
//! passed over from then on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tandem_plugin_api::program::EdgeId;
use tandem_plugin_api::task::Task;

/// Which goals of a task are covered; a question for a proof has none.
#[derive(Debug, Default)]
pub struct Goals {
    /// Ascending.
    wanted: Vec<EdgeId>,
    /// In the order of `wanted`.
    covered: Vec<AtomicBool>,
    open: AtomicUsize,
}

impl Goals {
    pub fn of(task: &Task) -> Arc<Self> {
        let wanted = if task.property.is_coverage() { task.targets.clone() } else { Vec::new() };
        let covered = wanted.iter().map(|_| AtomicBool::new(false)).collect();
        Arc::new(Goals { open: AtomicUsize::new(wanted.len()), covered, wanted })
    }

    /// Notes that an execution takes this edge; whether it is a goal that was open.
    pub fn cover(&self, edge: EdgeId) -> bool {
        let Ok(at) = self.wanted.binary_search(&edge) else { return false };
        let is_new = !self.covered[at].swap(true, Ordering::Relaxed);
        if is_new {
            self.open.fetch_sub(1, Ordering::Relaxed);
        }
        is_new
    }

    pub fn is_covered(&self, edge: EdgeId) -> bool {
        self.wanted.binary_search(&edge).is_ok_and(|at| self.covered[at].load(Ordering::Relaxed))
    }

    /// How many are covered.
    pub fn covered(&self) -> usize {
        self.wanted.len() - self.open.load(Ordering::Relaxed)
    }

    /// Whether there were goals, and none of them is open.
    pub fn are_all_covered(&self) -> bool {
        !self.wanted.is_empty() && self.open.load(Ordering::Relaxed) == 0
    }
}
