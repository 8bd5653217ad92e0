//! The coverage of runs so far: for each edge, which classes of hit counts were seen. A run that shows a new class is
//! worth keeping. The classes are those of AFL (technical whitepaper, 2016): 1, 2, 3, 4-7, 8-15, 16-31, 32-127, 128 and
//! more.

use tandem_plugin_api::prelude::*;
use tandem_plugin_api::service::execution::HIT_COUNT_CLASSES;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Novelty {
    Nothing,
    /// A known edge, with a new class of hit counts.
    Counts,
    /// An edge for the first time.
    Edges,
}

/// The coverage of one run.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    pub novelty: Novelty,
    /// A hash that is equal for runs that take the same edges about as often.
    pub path: u64,
}

impl Look {
    /// Takes the counts of eight edges into account.
    #[inline(always)]
    fn take(&mut self, at: usize, counts: &[u8; 8], seen: &[u8; 8]) {
        let classes = counts.map(|count| HIT_COUNT_CLASSES[count as usize]);
        let word = u64::from_le_bytes(classes);
        // A sum of products: the processor can compute many products at a time, which it cannot for a chain of them.
        let key = (at as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        self.path = self.path.wrapping_add((word ^ word >> 29).wrapping_mul(key));
        if word & !u64::from_le_bytes(*seen) != 0 {
            let edge_is_new = classes.iter().zip(seen).any(|(&class, &seen)| class != 0 && seen == 0);
            self.novelty = self.novelty.max(if edge_is_new { Novelty::Edges } else { Novelty::Counts });
        }
    }
}

pub struct CoverageMap {
    /// Classes of hit counts by edge.
    seen: Vec<u8>,
    covered: usize,
}

impl CoverageMap {
    pub fn new(edges: usize) -> Self {
        CoverageMap { seen: vec![0; edges], covered: 0 }
    }

    pub fn covered(&self) -> usize {
        self.covered
    }

    pub fn is_covered(&self, edge: EdgeId) -> bool {
        self.seen.get(edge.index()).is_some_and(|&seen| seen != 0)
    }

    /// Finds what is new in the counts of a run. Runs of large programs spend much of their time here, so eight edges
    /// are compared as one word and eight words as one line; most lines are zero.
    pub fn look(&self, counts: &[u8]) -> Look {
        let mut look = Look { novelty: Novelty::Nothing, path: 0 };
        let ((lines, counts_rest), (seen_lines, seen_rest)) = (counts.as_chunks::<64>(), self.seen.as_chunks::<64>());
        for (line, (counts, seen)) in lines.iter().zip(seen_lines).enumerate() {
            if counts.iter().fold(0, |all, count| all | count) != 0 {
                look.take_words(line * 8, counts, seen);
            }
        }
        look.take_words(lines.len() * 8, counts_rest, seen_rest);
        look
    }

    /// Takes a run's counts over, and returns the edges that are covered for the first time.
    pub fn absorb(&mut self, counts: &[u8]) -> Vec<EdgeId> {
        let mut new = Vec::new();
        for (at, (&count, seen)) in counts.iter().zip(&mut self.seen).enumerate() {
            if count != 0 {
                if *seen == 0 {
                    new.push(EdgeId::new(at));
                }
                *seen |= HIT_COUNT_CLASSES[count as usize];
            }
        }
        self.covered += new.len();
        new
    }
}

impl Look {
    /// Words from `first` on; the last one may be incomplete.
    fn take_words(&mut self, first: usize, counts: &[u8], seen: &[u8]) {
        for (at, (counts, seen)) in counts.chunks(8).zip(seen.chunks(8)).enumerate() {
            let counts = eight(counts);
            if u64::from_ne_bytes(counts) != 0 {
                self.take(first + at, &counts, &eight(seen));
            }
        }
    }
}

/// The first eight bytes, with zeros where there are fewer.
fn eight(bytes: &[u8]) -> [u8; 8] {
    std::array::from_fn(|at| bytes.get(at).copied().unwrap_or(0))
}

/// The edges that a run took.
pub fn taken(counts: &[u8]) -> Vec<EdgeId> {
    let all = counts.iter().enumerate().filter(|&(_, &count)| count != 0);
    all.map(|(at, _)| EdgeId::new(at)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_edges_and_new_classes_are_told_apart() {
        let mut map = CoverageMap::new(19);
        let mut counts = vec![0; 19];
        counts[3] = 1;
        counts[18] = 2;
        assert_eq!(map.look(&counts).novelty, Novelty::Edges);
        assert_eq!(map.absorb(&counts), [EdgeId(3), EdgeId(18)]);
        assert_eq!(map.look(&counts).novelty, Novelty::Nothing);
        counts[18] = 4;
        assert_eq!(map.look(&counts).novelty, Novelty::Counts);
        assert_eq!(map.absorb(&counts), []);
        counts[18] = 7;
        assert_eq!(map.look(&counts).novelty, Novelty::Nothing);
        counts[0] = 255;
        assert_eq!(map.look(&counts).novelty, Novelty::Edges);
        assert_eq!(map.covered(), 2);
        assert!(map.is_covered(EdgeId(3)) && !map.is_covered(EdgeId(0)) && !map.is_covered(EdgeId(99)));
    }

    #[test]
    fn paths_differ_by_edges_and_classes_only() {
        let map = CoverageMap::new(16);
        let path = |at: usize, count: u8| {
            let mut counts = vec![0; 16];
            counts[at] = count;
            map.look(&counts).path
        };
        assert_eq!(path(2, 8), path(2, 15));
        assert_ne!(path(2, 8), path(2, 16));
        assert_ne!(path(2, 8), path(10, 8));
    }
}
