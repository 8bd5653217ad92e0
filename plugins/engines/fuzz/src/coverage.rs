//! What runs covered so far: for each edge, which classes of hit counts were seen. A run that shows a new class is worth
//! keeping. The classes are those of AFL (technical whitepaper, 2016): 1, 2, 3, 4-7, 8-15, 16-31, 32-127, 128 and more.

use tandem_plugin_api::prelude::*;

const CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut count = 1;
    while count < 256 {
        class[count] = match count {
            1 => 1,
            2 => 2,
            3 => 4,
            4..=7 => 8,
            8..=15 => 16,
            16..=31 => 32,
            32..=127 => 64,
            _ => 128,
        };
        count += 1;
    }
    class
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Novelty {
    Nothing,
    /// A known edge as often as never before.
    Counts,
    /// An edge for the first time.
    Edges,
}

/// What one run showed.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    pub novelty: Novelty,
    /// The same for runs that take the same edges about as often.
    pub path: u64,
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

    /// What is new in the counts of a run.
    pub fn look(&self, counts: &[u8]) -> Look {
        let mut look = Look { novelty: Novelty::Nothing, path: 0 };
        let chunks = counts.chunks_exact(8).zip(self.seen.chunks_exact(8));
        for (at, (counts, seen)) in chunks.enumerate() {
            // Most edges of a large program are not taken: eight of them at once.
            if counts != [0; 8] {
                look_at(at * 8, counts, seen, &mut look);
            }
        }
        let rest = counts.len() / 8 * 8;
        look_at(rest, &counts[rest..], self.seen.get(rest..).unwrap_or(&[]), &mut look);
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
                *seen |= CLASS[count as usize];
            }
        }
        self.covered += new.len();
        new
    }
}

fn look_at(start: usize, counts: &[u8], seen: &[u8], look: &mut Look) {
    for (offset, (&count, &seen)) in counts.iter().zip(seen).enumerate() {
        if count == 0 {
            continue;
        }
        let class = CLASS[count as usize];
        if seen & class == 0 {
            look.novelty = look.novelty.max(if seen == 0 { Novelty::Edges } else { Novelty::Counts });
        }
        let word = ((start + offset) as u64) << 8 | u64::from(class);
        look.path = (look.path.rotate_left(5) ^ word).wrapping_mul(0x517C_C1B7_2722_0A95);
    }
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
