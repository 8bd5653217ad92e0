//! How often branches close a path, learned from the solver's answers. A query costs as much as a thousand steps or more, so
//! that it pays to ask late where most paths stay open, and at once where they do not.

use crate::path::Conditions;
use rustc_hash::FxHashMap;
use tandem_plugin_api::program::EdgeId;

#[derive(Default)]
pub struct Experience {
    by_edge: FxHashMap<EdgeId, Record>,
}

#[derive(Clone, Copy, Default)]
struct Record {
    open: u32,
    closed: u32,
}

impl Experience {
    /// How likely passing an edge closes a path (Laplace's rule of succession).
    pub fn doubt(&self, edge: EdgeId) -> f32 {
        let Record { open, closed } = self.by_edge.get(&edge).copied().unwrap_or_default();
        (closed + 1) as f32 / (open + closed + 2) as f32
    }

    /// Notes that a path was open, also after each of its last conditions.
    pub fn open(&mut self, conditions: &Conditions, unchecked: u32) {
        for edge in conditions.last_edges(unchecked) {
            self.by_edge.entry(edge).or_default().open += 1;
        }
    }

    /// Notes that a path was closed: by the last condition of those that exclude each other.
    pub fn closed(&mut self, conditions: &Conditions, core: &[u32]) {
        if let Some(edge) = core.iter().max().and_then(|&last| conditions.edge_of(last)) {
            self.by_edge.entry(edge).or_default().closed += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_plugin_api::service::formulas::Formula;

    #[test]
    fn doubt_follows_the_answers() {
        let mut experience = Experience::default();
        let (first, second) = (EdgeId(1), EdgeId(2));
        assert_eq!(experience.doubt(first), 0.5);
        let both = Conditions::default().and(Formula(5), Some(first)).and(Formula(6), Some(second));
        for _ in 0..8 {
            experience.open(&both, 1);
            experience.closed(&both, &[0]);
        }
        assert!(experience.doubt(first) > 0.85 && experience.doubt(second) < 0.15);
    }
}
