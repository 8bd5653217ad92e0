//! Chooses which entry is mutated next, and how often: rare edges, short vectors and quick runs first, and entries that
//! were mutated often less (AFLFast: Böhme et al., Coverage-based Greybox Fuzzing as Markov Chain, CCS 2016).

use crate::corpus::{Corpus, Entry};
use crate::coverage::Novelty;
use crate::random::Random;

/// Runs for an average entry.
const ENERGY: u64 = 96;
/// Entries that may be picked before scores are computed anew.
const STALE_AFTER: u32 = 48;
const FREQUENCIES: usize = 1 << 16;

pub struct Schedule {
    /// Sums of the scores up to each entry.
    sums: Vec<u64>,
    picks: u32,
    /// How often runs took each path, by hash.
    frequency: Vec<u32>,
    runs: u64,
    /// Entries that were never picked, oldest first.
    fresh: usize,
}

impl Schedule {
    pub fn new() -> Self {
        Schedule { sums: Vec::new(), picks: 0, frequency: vec![0; FREQUENCIES], runs: 0, fresh: 0 }
    }

    /// Notes a run that took a path. Returns whether it is the first one, as far as is known.
    pub fn note(&mut self, path: u64) -> bool {
        let slot = &mut self.frequency[path as usize % FREQUENCIES];
        *slot = slot.saturating_add(1);
        self.runs += 1;
        *slot == 1
    }

    /// The entry to mutate next.
    pub fn pick(&mut self, corpus: &Corpus, random: &mut Random) -> Option<usize> {
        // New entries lead on most often.
        while self.fresh < corpus.len() {
            self.fresh += 1;
            if corpus.get(self.fresh - 1).is_some_and(|entry| entry.picked == 0) {
                return Some(self.fresh - 1);
            }
        }
        if self.sums.len() != corpus.len() || self.picks >= STALE_AFTER {
            self.score(corpus);
        }
        self.picks += 1;
        let total = *self.sums.last()?;
        let at = random.below(usize::try_from(total).unwrap_or(usize::MAX)) as u64;
        Some(self.sums.partition_point(|&sum| sum <= at))
    }

    fn score(&mut self, corpus: &Corpus) {
        self.picks = 0;
        self.sums.clear();
        let count = corpus.len().max(1) as u64;
        let cost = corpus.entries().iter().map(Entry::cost).sum::<u64>() / count + 1;
        let mut sum = 0;
        for entry in corpus.entries() {
            sum += score(entry, corpus.rarity(entry), cost);
            self.sums.push(sum);
        }
    }

    /// How often the entry is mutated now.
    pub fn energy(&self, entry: &Entry, average_cost: u64) -> u64 {
        let often = u64::from(self.frequency[entry.path as usize % FREQUENCIES]);
        let mut energy = ENERGY << entry.picked.min(4);
        // A path that many runs take needs no more runs.
        if often * 64 > self.runs {
            energy /= 4;
        }
        if entry.cost() > 4 * average_cost {
            energy /= (entry.cost() / (4 * average_cost).max(1) + 1).min(16);
        }
        energy.clamp(8, 1024)
    }
}

fn score(entry: &Entry, rarity: u32, average_cost: u64) -> u64 {
    let mut score = 64u64;
    if rarity <= 2 {
        score *= 6;
    } else if rarity <= 8 {
        score *= 3;
    }
    if entry.novelty == Novelty::Edges {
        score *= 2;
    }
    let cost = entry.cost();
    if cost * 2 < average_cost {
        score = score * 3 / 2;
    } else if cost > average_cost * 4 {
        score /= 3;
    }
    score = score * (2 + u64::from(entry.found.min(8))) / 2;
    (score / (1 + u64::from(entry.picked) / 4)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_plugin_api::prelude::*;
    use tandem_plugin_api::service::execution::Exit;

    fn corpus() -> Corpus {
        let mut corpus = Corpus::new(4);
        for at in 0..4u32 {
            corpus.add(Entry {
                values: vec![0; 4],
                functions: vec![FunctionId(0); 4],
                exit: Exit::Returned(0),
                steps: 10,
                limit: 100,
                edges: if at == 3 { vec![EdgeId(0), EdgeId(3)] } else { vec![EdgeId(0)] },
                path: at.into(),
                novelty: Novelty::Counts,
                picked: 0,
                found: 0,
            });
        }
        for _ in 0..9 {
            let mut copy = corpus.entries()[0].edges.clone();
            copy.truncate(1);
            let entry = Entry { edges: copy, values: vec![0; 4], functions: vec![], ..plain() };
            corpus.add(entry);
        }
        corpus
    }

    fn plain() -> Entry {
        Entry {
            values: Vec::new(),
            functions: Vec::new(),
            exit: Exit::Returned(0),
            steps: 10,
            limit: 100,
            edges: Vec::new(),
            path: 9,
            novelty: Novelty::Counts,
            picked: 0,
            found: 0,
        }
    }

    #[test]
    fn each_entry_is_picked_once_and_then_rare_edges_lead() {
        let corpus = corpus();
        let (mut schedule, mut random) = (Schedule::new(), Random::new(1));
        let first: Vec<_> = (0..corpus.len()).filter_map(|_| schedule.pick(&corpus, &mut random)).collect();
        assert_eq!(first, (0..corpus.len()).collect::<Vec<_>>());
        let mut picks = vec![0; corpus.len()];
        for _ in 0..3000 {
            picks[schedule.pick(&corpus, &mut random).unwrap()] += 1;
        }
        let best = picks.iter().enumerate().max_by_key(|(_, picks)| **picks).map(|(at, _)| at);
        assert_eq!(best, Some(3), "{picks:?}");
        assert!(picks.iter().all(|&picks| picks > 0));
    }

    #[test]
    fn frequent_paths_and_expensive_entries_get_less_energy() {
        let mut schedule = Schedule::new();
        for at in 0..1000 {
            schedule.note(if at % 2 == 0 { 1 } else { 1000 + at });
        }
        let (common, rare) = (Entry { path: 1, ..plain() }, Entry { path: 2, ..plain() });
        assert!(schedule.energy(&common, 10) < schedule.energy(&rare, 10));
        let slow = Entry { path: 2, steps: 1000, ..plain() };
        assert!(schedule.energy(&slow, 10) < schedule.energy(&rare, 10));
    }
}
