//! The vectors that are worth mutating: each showed something new when it was found.

use crate::coverage::Novelty;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::service::execution::Exit;

/// Vectors are cut to this length; later inputs are random.
pub const MAX_KEPT: usize = 1 << 17;
/// Values of all entries together. Beyond this, only short vectors are kept.
const MAX_TOTAL: usize = 1 << 23;
/// Entries known for each edge.
const EXAMPLES: usize = 8;

/// So many finished runs must be known before a usual length is derived from them, and the lowest limit of steps that
/// is derived.
const ENOUGH_FINISHED: usize = 8;
const MIN_LIMIT: u64 = 1000;

/// A vector with what its run showed.
pub struct Entry {
    pub values: Vec<u64>,
    /// Which input function read each value, those beyond `values` included.
    pub functions: Vec<FunctionId>,
    pub exit: Exit,
    pub steps: u64,
    /// The step limit under which it ran.
    pub limit: u64,
    pub edges: Vec<EdgeId>,
    pub path: u64,
    pub novelty: Novelty,
    /// How often it was mutated, and how many entries came of that.
    pub picked: u32,
    pub found: u32,
}

impl Entry {
    /// How many inputs its run read.
    pub fn consumed(&self) -> usize {
        self.functions.len()
    }

    /// Whether the run reads inputs for as long as there are any.
    pub fn is_endless(&self) -> bool {
        matches!(self.exit, Exit::InputsEnded(_) | Exit::StepLimit(_))
    }

    /// Whether the run came to an end of its own.
    pub fn is_finished(&self) -> bool {
        !self.is_endless()
    }

    pub fn cost(&self) -> u64 {
        self.steps + 8 * self.values.len() as u64
    }
}

#[derive(Default)]
pub struct Corpus {
    entries: Vec<Entry>,
    /// By edge: how many entries take it, and some of them.
    holders: Vec<u32>,
    examples: Vec<Vec<u32>>,
    total: usize,
    /// Entries whose runs came to an end of their own, and the steps of the longest of them.
    finished: usize,
    longest: u64,
}

impl Corpus {
    pub fn new(edges: usize) -> Self {
        Corpus { holders: vec![0; edges], examples: vec![Vec::new(); edges], ..Corpus::default() }
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub fn get(&self, index: usize) -> Option<&Entry> {
        self.entries.get(index)
    }

    pub fn get_mut(&mut self, index: usize) -> Option<&mut Entry> {
        self.entries.get_mut(index)
    }

    /// Whether there is room for a vector of this length.
    pub fn has_room(&self, length: usize) -> bool {
        self.total + length <= MAX_TOTAL || length <= 64
    }

    pub fn add(&mut self, entry: Entry) -> usize {
        let index = self.entries.len();
        self.total += entry.values.len();
        if entry.is_finished() {
            self.finished += 1;
            self.longest = self.longest.max(entry.steps);
        }
        for edge in &entry.edges {
            if let Some(count) = self.holders.get_mut(edge.index()) {
                *count += 1;
            }
            if let Some(examples) = self.examples.get_mut(edge.index()) {
                examples.push(index as u32);
                if examples.len() > EXAMPLES {
                    forget_one(examples, &self.entries);
                }
            }
        }
        self.entries.push(entry);
        index
    }

    /// Steps after which a run is probably caught in a loop, at most `most`: several times the steps of the longest run
    /// that finished. Many programs use an endless loop for executions that are of no interest.
    pub fn usual_limit(&self, most: u64) -> u64 {
        if self.finished < ENOUGH_FINISHED { most } else { self.longest.saturating_mul(8).max(MIN_LIMIT).min(most) }
    }

    /// Some entries that take the edge, with the newest last.
    pub fn examples(&self, edge: EdgeId) -> &[u32] {
        self.examples.get(edge.index()).map_or(&[], Vec::as_slice)
    }

    /// How many entries take the rarest edge of this one.
    pub fn rarity(&self, entry: &Entry) -> u32 {
        entry.edges.iter().filter_map(|edge| self.holders.get(edge.index())).copied().min().unwrap_or(1).max(1)
    }
}

/// Drops the most expensive of the older examples; the newest stays, since its entry is not added yet.
fn forget_one(examples: &mut Vec<u32>, entries: &[Entry]) {
    let cost = |index: u32| entries.get(index as usize).map_or(0, Entry::cost);
    let older = examples.len() - 1;
    if let Some(at) = (0..older).max_by_key(|&at| cost(examples[at])) {
        examples.remove(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(values: usize, edges: &[u32]) -> Entry {
        Entry {
            values: vec![0; values],
            functions: vec![FunctionId(0); values],
            exit: Exit::Returned(0),
            steps: 0,
            limit: 10,
            edges: edges.iter().copied().map(EdgeId).collect(),
            path: 0,
            novelty: Novelty::Edges,
            picked: 0,
            found: 0,
        }
    }

    #[test]
    fn cheap_and_new_examples_stay() {
        let mut corpus = Corpus::new(2);
        for values in (1..=20).rev() {
            corpus.add(entry(values, &[0]));
        }
        corpus.add(entry(500, &[0, 1]));
        let lengths: Vec<_> =
            corpus.examples(EdgeId(0)).iter().map(|&at| corpus.entries()[at as usize].values.len()).collect();
        assert_eq!(lengths, [7, 6, 5, 4, 3, 2, 1, 500]);
        assert_eq!(corpus.rarity(&corpus.entries()[20]), 1);
        assert_eq!(corpus.rarity(&corpus.entries()[0]), 21);
        assert!(corpus.examples(EdgeId(7)).is_empty());
    }

    #[test]
    fn the_limit_of_steps_follows_runs_that_end() {
        let mut corpus = Corpus::new(1);
        let run = |steps: u64, exit: Exit| Entry { steps, exit, ..entry(1, &[0]) };
        for _ in 0..ENOUGH_FINISHED {
            assert_eq!(corpus.usual_limit(20_000), 20_000, "too few runs to tell");
            corpus.add(run(20_000, Exit::StepLimit(EdgeId(0))));
            corpus.add(run(20_000, Exit::InputsEnded(EdgeId(0))));
            corpus.add(run(10, Exit::Returned(0)));
        }
        assert_eq!(corpus.usual_limit(20_000), MIN_LIMIT);
        corpus.add(run(300, Exit::Aborted(EdgeId(0))));
        assert_eq!(corpus.usual_limit(20_000), 2400);
        corpus.add(run(1_000_000, Exit::Returned(0)));
        assert_eq!(corpus.usual_limit(20_000), 20_000);
    }

    #[test]
    fn long_vectors_are_refused_when_memory_is_used_up() {
        let mut corpus = Corpus::new(1);
        assert!(corpus.has_room(MAX_KEPT));
        corpus.total = MAX_TOTAL;
        assert!(!corpus.has_room(1000) && corpus.has_room(10));
    }
}
