//! The cores that this process may use, and their distribution over runs that go side by side.

use rustix::thread::{CpuSet, sched_getaffinity};

/// The cores that this process may use.
pub fn available() -> Vec<usize> {
    match sched_getaffinity(None) {
        Ok(set) => (0..CpuSet::MAX_CPU).filter(|core| set.is_set(*core)).collect(),
        Err(_) => (0..std::thread::available_parallelism().map_or(1, usize::from)).collect(),
    }
}

/// Disjoint sets of cores, `each` in size, for `jobs` runs; `None` if there are not enough.
pub fn distribute(cores: &[usize], jobs: usize, each: usize) -> Option<Vec<Vec<usize>>> {
    if each == 0 {
        return Some(vec![Vec::new(); jobs]);
    }
    let sets: Vec<Vec<usize>> = cores.chunks_exact(each).take(jobs).map(<[usize]>::to_vec).collect();
    (sets.len() == jobs).then_some(sets)
}

/// The set in the system's form.
pub(super) fn as_set(cores: &[usize]) -> CpuSet {
    let mut set = CpuSet::new();
    cores.iter().filter(|core| **core < CpuSet::MAX_CPU).for_each(|core| set.set(*core));
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_disjoint_or_refused() {
        assert!(!available().is_empty());
        assert_eq!(distribute(&[0, 2, 3, 5, 7], 2, 2), Some(vec![vec![0, 2], vec![3, 5]]));
        assert_eq!(distribute(&[0, 2, 3, 5, 7], 3, 2), None);
        assert_eq!(distribute(&[0], 3, 0), Some(vec![vec![]; 3]));
    }
}
