//! Mutations of vectors of typed inputs: values change by what their type and the program suggest, and the sequence
//! grows, shrinks and repeats, since many programs read one input in each round of a loop.

use crate::corpus::Entry;
use crate::dictionary::Dictionary;
use crate::random::Random;
use crate::values::{self, Shape, Shapes};
use tandem_plugin_api::prelude::*;

/// The data that mutations need.
pub struct Mutator<'a> {
    pub shapes: &'a Shapes,
    pub dictionary: &'a Dictionary,
    pub random: &'a mut Random,
    /// Vectors do not grow beyond this.
    pub max_length: usize,
}

/// A vector under mutation with the functions that probably read its values.
struct Draft<'d> {
    values: &'d mut Vec<u64>,
    functions: &'d [FunctionId],
}

impl Draft<'_> {
    /// The function that read this position in the parent's run. Beyond its end, and after insertions, a guess: programs
    /// mostly read the same functions in each round.
    fn function(&self, at: usize) -> Option<FunctionId> {
        match self.functions {
            [] => None,
            known => Some(known[if at < known.len() { at } else { known.len() - 1 - at % known.len().min(4) }]),
        }
    }
}

impl Mutator<'_> {
    /// Changes a copy of the entry's vector in several ways at once. `other` is one to take parts from.
    pub fn havoc(&mut self, values: &mut Vec<u64>, entry: &Entry, other: &Entry) {
        let mut draft = Draft { values, functions: &entry.functions };
        for _ in 0..self.random.short(8) {
            match self.random.below(16) {
                0..=6 => self.change_value(&mut draft),
                7 => self.change_some(&mut draft),
                8 => self.remove(&mut draft),
                9 => self.insert(&mut draft),
                10 => self.duplicate(&mut draft),
                11 => self.truncate(&mut draft),
                12 | 13 => self.extend(&mut draft),
                14 if self.random.one_in(2) => self.swap(&mut draft),
                14 => self.change_equal(&mut draft),
                _ => self.splice(&mut draft, &other.values),
            }
        }
        draft.values.truncate(self.max_length);
    }

    /// A value for an input of which nothing is known but the function.
    pub fn fresh(&mut self, function: Option<FunctionId>) -> u64 {
        let Some(function) = function else {
            return values::arbitrary(Shape::Int { width: 64, signed: true }, self.random);
        };
        let shape = self.shapes.of(function);
        if !self.random.one_in(3)
            && let Some(value) = self.dictionary.draw(function, shape, self.random)
        {
            return value;
        }
        values::arbitrary(shape, self.random)
    }

    fn changed(&mut self, function: Option<FunctionId>, value: u64) -> u64 {
        let shape = function.map_or(Shape::Int { width: 64, signed: true }, |function| self.shapes.of(function));
        match self.random.below(8) {
            0..=2 => self.fresh(function),
            3 => values::boundary(shape, self.random),
            4 => values::arbitrary(shape, self.random),
            _ => values::nudged(shape, value, self.random),
        }
    }

    fn change_value(&mut self, draft: &mut Draft<'_>) {
        if draft.values.is_empty() {
            return self.extend(draft);
        }
        let at = self.random.below(draft.values.len());
        draft.values[at] = match self.random.below(8) {
            0 => draft.values[self.random.below(draft.values.len())],
            _ => self.changed(draft.function(at), draft.values[at]),
        };
    }

    /// Values that are equal may have to stay so: a value changes wherever it stands, or at one more place.
    fn change_equal(&mut self, draft: &mut Draft<'_>) {
        if draft.values.is_empty() {
            return;
        }
        let at = self.random.below(draft.values.len());
        let old = draft.values[at];
        let new = self.changed(draft.function(at), old);
        let others: Vec<usize> =
            (0..draft.values.len()).filter(|&other| other != at && draft.values[other] == old).collect();
        draft.values[at] = new;
        if self.random.one_in(2) {
            others.iter().for_each(|&other| draft.values[other] = new);
        } else if let Some(&nearest) = others.iter().min_by_key(|&&other| other.abs_diff(at)) {
            draft.values[nearest] = new;
        }
    }

    /// All values of a block anew, or all to the same one.
    fn change_some(&mut self, draft: &mut Draft<'_>) {
        let Some((start, end)) = self.block(draft.values.len()) else { return };
        let same = self.random.one_in(2).then(|| self.fresh(draft.function(start)));
        for at in start..end {
            draft.values[at] = match same {
                Some(value) => value,
                None => self.fresh(draft.function(at)),
            };
        }
    }

    fn remove(&mut self, draft: &mut Draft<'_>) {
        if let Some((start, end)) = self.block(draft.values.len()) {
            draft.values.drain(start..end);
        }
    }

    fn insert(&mut self, draft: &mut Draft<'_>) {
        let at = self.random.between(0, draft.values.len());
        let length = self.random.short(8);
        let new: Vec<u64> = (0..length).map(|offset| self.fresh(draft.function(at + offset))).collect();
        draft.values.splice(at..at, new);
    }

    fn duplicate(&mut self, draft: &mut Draft<'_>) {
        if let Some((start, end)) = self.block(draft.values.len()) {
            let copy = draft.values[start..end].to_vec();
            let at = if self.random.one_in(2) { end } else { self.random.between(0, draft.values.len()) };
            draft.values.splice(at..at, copy);
        }
    }

    fn truncate(&mut self, draft: &mut Draft<'_>) {
        let length = draft.values.len();
        // Rather the end than the beginning: what leads to a deep state stands at the beginning.
        let cut =
            if self.random.one_in(4) { self.random.between(0, length) } else { self.random.short(16).min(length) };
        draft.values.truncate(length - cut.min(length));
    }

    fn extend(&mut self, draft: &mut Draft<'_>) {
        for _ in 0..self.random.short(16) {
            let value = self.fresh(draft.function(draft.values.len()));
            draft.values.push(value);
        }
    }

    fn swap(&mut self, draft: &mut Draft<'_>) {
        if draft.values.len() > 1 {
            let (one, other) = (self.random.below(draft.values.len()), self.random.below(draft.values.len()));
            draft.values.swap(one, other);
        }
    }

    /// The beginning of this vector and the end of another one.
    fn splice(&mut self, draft: &mut Draft<'_>, other: &[u64]) {
        let keep = self.random.between(0, draft.values.len());
        let from = if self.random.one_in(2) { keep.min(other.len()) } else { self.random.between(0, other.len()) };
        draft.values.truncate(keep);
        draft.values.extend_from_slice(&other[from..]);
    }

    /// A part of a vector; short most of the time.
    fn block(&mut self, length: usize) -> Option<(usize, usize)> {
        if length == 0 {
            return None;
        }
        let size =
            if self.random.one_in(4) { self.random.between(1, length) } else { self.random.short(16).min(length) };
        let start = self.random.between(0, length - size);
        Some((start, start + size))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::Novelty;
    use tandem_plugin_api::kit::testing;
    use tandem_plugin_api::service::execution::Exit;

    fn entry(values: &[u64]) -> Entry {
        Entry {
            values: values.to_vec(),
            functions: vec![FunctionId(1); values.len()],
            exit: Exit::Returned(0),
            steps: 0,
            limit: 0,
            edges: Vec::new(),
            path: 0,
            novelty: Novelty::Edges,
            picked: 0,
            found: 0,
        }
    }

    #[test]
    fn vectors_change_in_value_and_length_and_stay_in_bounds() {
        let task = testing::two_inputs();
        let shapes = Shapes::new(task.program());
        let dictionary = Dictionary::new(task.program(), &shapes);
        let mut lengths = std::collections::BTreeSet::new();
        let mut single_changes = 0;
        let mut random = Random::new(7);
        let (parent, other) = (entry(&[1, 2, 3, 4, 5, 6]), entry(&[9; 40]));
        for _ in 0..4000 {
            let mut mutator = Mutator { shapes: &shapes, dictionary: &dictionary, random: &mut random, max_length: 20 };
            let mut values = parent.values.clone();
            mutator.havoc(&mut values, &parent, &other);
            lengths.insert(values.len());
            let differences = values.iter().zip(&parent.values).filter(|(a, b)| a != b).count();
            single_changes += usize::from(values.len() == 6 && differences == 1);
        }
        assert!(lengths.contains(&0) && lengths.contains(&20) && !lengths.contains(&21), "{lengths:?}");
        assert!(single_changes > 400, "{single_changes}");
    }

    #[test]
    fn mutations_repeat_with_the_seed_and_survive_empty_vectors() {
        let task = testing::two_inputs();
        let shapes = Shapes::new(task.program());
        let dictionary = Dictionary::empty();
        let run = |seed| {
            let mut random = Random::new(seed);
            let parent = entry(&[]);
            let mut all = Vec::new();
            for _ in 0..200 {
                let mut mutator =
                    Mutator { shapes: &shapes, dictionary: &dictionary, random: &mut random, max_length: 50 };
                let mut values = Vec::new();
                mutator.havoc(&mut values, &parent, &parent);
                all.push(values);
            }
            all
        };
        assert_eq!(run(5), run(5));
        assert_ne!(run(5), run(6));
    }
}
