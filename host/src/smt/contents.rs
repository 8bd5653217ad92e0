//! The contents of an object of the program's memory: cells at known offsets above arrays that are indexed by offset,
//! above zeros or unknown bytes. Cells keep terms as they were written, so that scalars are read back without cutting
//! and joining.

use super::term::{Sort, Term, Terms, format_bits};
use imbl::OrdMap;
use imbl::ordmap::DiffItem;
use tandem_plugin_api::program::FloatKind;

/// A scalar at a known place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Bytes.
    pub size: u32,
    pub value: Term,
}

/// All accesses of one size whose offsets are `residue` modulo `modulus`; the array is indexed by byte offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    pub modulus: u64,
    pub residue: u64,
    pub size: u32,
    pub array: Term,
}

impl Class {
    fn holds(&self, offset: u64, size: u32) -> bool {
        size == self.size && offset % self.modulus == self.residue
    }

    /// How far into an element a byte is; `None` if it is in no element.
    fn offset_in_element(&self, at: u64) -> Option<u64> {
        let into = (at % self.modulus + self.modulus - self.residue) % self.modulus;
        (into < u64::from(self.size) && into <= at).then_some(into)
    }

    /// Whether some element overlaps the bytes from `offset` on.
    fn touches(&self, offset: u64, size: u32) -> bool {
        let start = (offset % self.modulus + self.modulus - self.residue) % self.modulus;
        start < u64::from(self.size) || start + u64::from(size) > self.modulus
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Background {
    Zero,
    Unknown,
}

/// The bytes of an object in one state.
#[derive(Clone, Debug)]
pub struct Contents {
    cells: OrdMap<u64, Cell>,
    classes: Vec<Class>,
    background: Background,
    /// Whether the object's lifetime is over.
    pub dead: Term,
}

/// The possible places of an access at an offset that is not known.
#[derive(Clone, Copy, Debug)]
pub struct Stride {
    pub modulus: u64,
    pub residue: u64,
}

/// Cheap where both share their cells.
impl PartialEq for Contents {
    fn eq(&self, other: &Contents) -> bool {
        self.background == other.background
            && self.dead == other.dead
            && self.classes == other.classes
            && (self.cells.ptr_eq(&other.cells) || self.cells == other.cells)
    }
}

impl Contents {
    pub fn new(background: Background) -> Self {
        Contents { cells: OrdMap::new(), classes: Vec::new(), background, dead: super::term::FALSE }
    }

    /// Makes all bytes unknown.
    pub fn forget(&mut self) {
        self.cells = OrdMap::new();
        self.classes.clear();
        self.background = Background::Unknown;
    }

    /// All that is known of the bytes.
    pub fn terms(&self) -> impl Iterator<Item = Term> {
        let cells = self.cells.values().map(|cell| cell.value);
        cells.chain(self.classes.iter().map(|class| class.array)).chain([self.dead])
    }

    /// The term at exactly this place, in the sort in which it was written.
    pub fn exact(&self, offset: u64, size: u32) -> Option<Term> {
        self.cells.get(&offset).filter(|cell| cell.size == size).map(|cell| cell.value)
    }

    /// The bytes from `offset` on as one word, the first byte lowest.
    pub fn read(&mut self, terms: &mut Terms, offset: u64, size: u32) -> Term {
        if let Some(value) = self.exact(offset, size) {
            return as_word(terms, value, size);
        }
        let end = offset + u64::from(size);
        let mut at = offset;
        let mut word: Option<Term> = None;
        while at < end {
            let (part, length) = self.piece(terms, at, end);
            word = Some(match word {
                None => part,
                Some(lower) => terms.concat(part, lower),
            });
            at += length;
        }
        word.unwrap_or(super::term::FALSE)
    }

    /// The part of a cell that begins at `at`, or the bytes between cells there; with its length in bytes.
    fn piece(&mut self, terms: &mut Terms, at: u64, end: u64) -> (Term, u64) {
        if let Some((&start, &cell)) = self.cells.range(..=at).next_back()
            && start + u64::from(cell.size) > at
        {
            let stop = (start + u64::from(cell.size)).min(end);
            let word = as_word(terms, cell.value, cell.size);
            let (low, high) = ((at - start) as u32 * 8, (stop - start) as u32 * 8 - 1);
            return (terms.extract(high, low, word), stop - at);
        }
        let next = self.cells.range(at..end).next().map_or(end, |(&start, _)| start);
        self.between_cells(terms, at, next)
    }

    /// Bytes that no cell covers; at most up to `end`.
    fn between_cells(&mut self, terms: &mut Terms, at: u64, end: u64) -> (Term, u64) {
        let class = self.classes.iter().copied().find_map(|class| Some((class, class.offset_in_element(at)?)));
        if let Some((class, into)) = class {
            let start = at - into;
            let stop = (start + u64::from(class.size)).min(end);
            let Sort::Array { index, .. } = terms.sort(class.array) else { return (class.array, end - at) };
            let index = terms.bits(index, start.into());
            let element = terms.select(class.array, index);
            let (low, high) = (into as u32 * 8, (stop - start) as u32 * 8 - 1);
            return (terms.extract(high, low, element), stop - at);
        }
        // In pieces of machine words, up to where a class begins.
        let room = (end - at).min(8 - at % 8);
        let length = (1..=room)
            .take_while(|&n| self.classes.iter().all(|class| class.offset_in_element(at + n - 1).is_none()))
            .count();
        let length = if length == 3 || length > 4 && length < 8 { 1 } else { length.max(1) } as u64;
        let bits = length as u32 * 8;
        let value = match self.background {
            Background::Zero => terms.bits(bits, 0),
            Background::Unknown => {
                let unknown = terms.symbol(Sort::Bits(bits), "unknown");
                self.cells.insert(at, Cell { size: length as u32, value: unknown });
                unknown
            }
        };
        (value, length)
    }

    pub fn write(&mut self, terms: &mut Terms, offset: u64, size: u32, value: Term) {
        let end = offset + u64::from(size);
        if self.exact(offset, size).is_none() {
            self.clear(terms, offset, end);
        }
        self.cells.insert(offset, Cell { size, value });
    }

    /// Removes cells from a range; parts outside of it stay.
    fn clear(&mut self, terms: &mut Terms, offset: u64, end: u64) {
        let from = offset.saturating_sub(16);
        let hit: Vec<(u64, Cell)> = self
            .cells
            .range(from..end)
            .filter(|(start, cell)| **start + u64::from(cell.size) > offset)
            .map(|(start, cell)| (*start, *cell))
            .collect();
        for (start, cell) in hit {
            self.cells.remove(&start);
            let stop = start + u64::from(cell.size);
            let word = as_word(terms, cell.value, cell.size);
            if start < offset {
                let size = (offset - start) as u32;
                let value = terms.extract(size * 8 - 1, 0, word);
                self.cells.insert(start, Cell { size, value });
            }
            if stop > end {
                let size = (stop - end) as u32;
                let value = terms.extract(cell.size * 8 - 1, (end - start) as u32 * 8, word);
                self.cells.insert(end, Cell { size, value });
            }
        }
    }

    /// The array for accesses of this kind, with all cells of the kind written into it. `None` where it cannot be
    /// combined with other accesses of the object.
    fn class(&mut self, terms: &mut Terms, stride: Stride, size: u32, index: u32) -> Option<usize> {
        let known = self
            .classes
            .iter()
            .position(|class| stride.modulus.is_multiple_of(class.modulus) && class.holds(stride.residue, size));
        let at = match known {
            Some(at) => at,
            None => {
                let new = Class { modulus: stride.modulus, residue: stride.residue, size, array: Term(0) };
                let fits = u64::from(size) <= new.modulus && !self.classes.iter().any(|class| overlap(class, &new));
                if !fits {
                    return None;
                }
                let array = self.background_array(terms, size, index);
                self.classes.push(Class { array, ..new });
                self.classes.len() - 1
            }
        };
        let class = self.classes[at];
        let touching: Vec<(u64, Cell)> = self
            .cells
            .iter()
            .filter(|(offset, cell)| class.touches(**offset, cell.size))
            .map(|(offset, cell)| (*offset, *cell))
            .collect();
        if touching.iter().any(|(offset, cell)| !class.holds(*offset, cell.size)) {
            return None;
        }
        for (offset, cell) in touching {
            let position = terms.bits(index, offset.into());
            let value = as_word(terms, cell.value, cell.size);
            self.classes[at].array = terms.store(self.classes[at].array, position, value);
            self.cells.remove(&offset);
        }
        Some(at)
    }

    fn background_array(&self, terms: &mut Terms, size: u32, index: u32) -> Term {
        match self.background {
            Background::Zero => {
                let zero = terms.bits(size * 8, 0);
                terms.uniform(index, zero)
            }
            Background::Unknown => terms.symbol(Sort::Array { index, element: size * 8 }, "unknown"),
        }
    }

    /// Reads at an offset that is not constant; an unknown value where the accesses of the object cannot be combined.
    pub fn select(&mut self, terms: &mut Terms, offset: Term, stride: Stride, size: u32) -> Term {
        let index = terms.width(offset);
        match self.class(terms, stride, size, index) {
            Some(at) => terms.select(self.classes[at].array, offset),
            None => terms.symbol(Sort::Bits(size * 8), "unknown"),
        }
    }

    /// Writes at an offset that is not constant.
    pub fn store(&mut self, terms: &mut Terms, offset: Term, stride: Stride, size: u32, value: Term) {
        let index = terms.width(offset);
        match self.class(terms, stride, size, index) {
            Some(at) => self.classes[at].array = terms.store(self.classes[at].array, offset, value),
            None => self.forget(),
        }
    }

    /// The contents where two ways meet: `self` if `condition` holds, else `other`.
    pub fn join(&self, other: &Contents, terms: &mut Terms, condition: Term) -> Contents {
        let (mut left, mut right) = (self.clone(), other.clone());
        let mut joined = self.clone();
        joined.dead = terms.ite(condition, self.dead, other.dead);
        if self.background != other.background {
            joined.background = Background::Unknown;
        }
        left.adopt_classes(&other.classes, terms);
        right.adopt_classes(&self.classes, terms);
        joined.classes = left.classes.clone();
        for class in &mut joined.classes {
            let same = |c: &&Class| (c.modulus, c.residue, c.size) == (class.modulus, class.residue, class.size);
            match right.classes.iter().find(same) {
                Some(theirs) => class.array = terms.ite(condition, class.array, theirs.array),
                None => {
                    // The accesses cannot be combined.
                    joined.forget();
                    return joined;
                }
            }
        }
        if right.classes.len() != joined.classes.len() {
            joined.forget();
            return joined;
        }
        let different: Vec<(u64, u32)> = self
            .cells
            .diff(&other.cells)
            .flat_map(|item| match item {
                DiffItem::Add(at, cell) | DiffItem::Remove(at, cell) => [Some((*at, cell.size)), None],
                DiffItem::Update { old: (at, old), new: (_, new) } => [Some((*at, old.size)), Some((*at, new.size))],
            })
            .flatten()
            .collect();
        for (offset, size) in different {
            let value = join_cell(terms, condition, &mut left, &mut right, offset, size);
            joined.write(terms, offset, size, value);
        }
        joined
    }

    /// Adds those classes of another state of the same object that are missing here.
    fn adopt_classes(&mut self, classes: &[Class], terms: &mut Terms) {
        for class in classes {
            let known = self
                .classes
                .iter()
                .any(|c| (c.modulus, c.residue, c.size) == (class.modulus, class.residue, class.size));
            if known || self.classes.iter().any(|own| overlap(own, class)) {
                continue;
            }
            if let Sort::Array { index, .. } = terms.sort(class.array) {
                let array = self.background_array(terms, class.size, index);
                self.classes.push(Class { array, ..*class });
            }
        }
        self.classes.sort_by_key(|class| (class.modulus, class.residue, class.size));
    }

    /// Cells in a range, for copies.
    pub fn cell_count(&self) -> usize {
        self.cells.len()
    }
}

fn join_cell(
    terms: &mut Terms,
    condition: Term,
    left: &mut Contents,
    right: &mut Contents,
    offset: u64,
    size: u32,
) -> Term {
    if let (Some(a), Some(b)) = (left.exact(offset, size), right.exact(offset, size))
        && terms.sort(a) == terms.sort(b)
    {
        return terms.ite(condition, a, b);
    }
    let (a, b) = (left.read(terms, offset, size), right.read(terms, offset, size));
    terms.ite(condition, a, b)
}

/// Whether elements of two different classes may share bytes.
fn overlap(a: &Class, b: &Class) -> bool {
    let common = gcd(a.modulus, b.modulus);
    let distance = (b.residue % common + common - a.residue % common) % common;
    distance < u64::from(a.size) || distance + u64::from(b.size) > common
}

pub fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A scalar as a word of `size` bytes.
pub fn as_word(terms: &mut Terms, value: Term, size: u32) -> Term {
    match terms.sort(value) {
        Sort::Float(_) => {
            let bits = terms.float_to_bits(value);
            // A long double has fewer bits than its memory; the rest keeps its old value, or an unknown one.
            match (size * 8).checked_sub(terms.width(bits)) {
                None | Some(0) => bits,
                Some(rest) => {
                    let padding = terms.symbol(Sort::Bits(rest), "padding");
                    terms.concat(padding, bits)
                }
            }
        }
        _ => value,
    }
}

/// A word of `size` bytes as a float.
pub fn as_float(terms: &mut Terms, kind: FloatKind, word: Term) -> Term {
    let width = format_bits(kind);
    let bits = if terms.width(word) > width { terms.extract(width - 1, 0, word) } else { word };
    terms.float_from_bits(kind, bits)
}
