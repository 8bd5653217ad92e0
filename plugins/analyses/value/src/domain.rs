//! The abstract domain: a map from memory cells to the values that they have for certain. Cells that are not in the map may
//! have any value.

use imbl::OrdMap;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};
use tandem_plugin_api::analysis::CoverKey;
use tandem_plugin_api::program::{EdgeId, FunctionId, TypeId, VarId};

/// The bytes of the largest scalar.
const LARGEST: u32 = 16;

/// Something that has an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Object {
    /// A variable; of a function that may call itself, the variable of the call at this depth.
    Variable(VarId, u32),
    /// Allocated on this edge. The number separates the blocks that the state knows of.
    Block(EdgeId, u32),
    Function(FunctionId),
}

/// A scalar in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    pub object: Object,
    /// In bytes.
    pub offset: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// Of an integer or pointer, within the range of its type.
    Int(i128),
    /// Bits in the format of its type.
    Float(u128),
    /// An address, also where it is kept in an integer that is as wide.
    Pointer { object: Object, offset: i64 },
}

/// The contents of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    pub value: Value,
    /// That it was written as.
    pub ty: TypeId,
    /// Of the type, in bytes.
    pub size: u32,
}

/// Immutable once it is shared; cloning is cheap.
#[derive(Clone, Debug, Default)]
pub struct State {
    cells: OrdMap<Cell, Entry>,
    /// Of all entries, independent of their order.
    hash: u64,
    /// Of all cells.
    shape: u64,
    /// How many calls are under way.
    pub depth: u32,
    /// An edge over which something is written after this state at a place that is not known exactly.
    pub wild: OnceLock<Arc<EdgeId>>,
    /// At the entry of `main`: has the initial values of all globals, even of those that are not tracked.
    pub fresh: bool,
}

fn mix(cell: &Cell, entry: &Entry) -> u64 {
    let mut hasher = FxHasher::default();
    (cell, entry).hash(&mut hasher);
    spread(hasher.finish())
}

fn mix_cell(cell: &Cell) -> u64 {
    let mut hasher = FxHasher::default();
    cell.hash(&mut hasher);
    spread(hasher.finish())
}

/// Sums of hashes need all of their bits (SplitMix64), and the hash of zeros must not be zero: the first variable would be
/// in no sum.
fn spread(bits: u64) -> u64 {
    let mut bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

impl State {
    pub fn get(&self, cell: &Cell) -> Option<&Entry> {
        self.cells.get(cell)
    }

    pub fn len(&self) -> usize {
        self.cells.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Cell, &Entry)> {
        self.cells.iter()
    }

    pub fn remove(&mut self, cell: &Cell) {
        if let Some(entry) = self.cells.remove(cell) {
            self.hash ^= mix(cell, &entry);
            self.shape ^= mix_cell(cell);
        }
    }

    pub fn key(&self) -> CoverKey {
        let bits = self.cells.keys().fold(0, |bits, cell| bits | 1 << (mix_cell(cell) % 64));
        CoverKey { bits, shape: self.shape ^ u64::from(self.fresh), values: self.hash }
    }

    /// [`CoverKey::values`] of a state that knows what `like` knows and covers this one.
    pub fn key_like(&self, like: &State) -> Option<u64> {
        if like.cells.len() > self.cells.len() || like.fresh != self.fresh {
            return None;
        }
        let mut hash = 0;
        for cell in like.cells.keys() {
            hash ^= mix(cell, self.cells.get(cell)?);
        }
        Some(hash)
    }

    /// Sets a cell of which nothing is known, nor of any that overlaps it.
    pub fn insert(&mut self, cell: Cell, entry: Entry) {
        self.hash ^= mix(&cell, &entry);
        match self.cells.insert(cell, entry) {
            Some(before) => self.hash ^= mix(&cell, &before),
            None => self.shape ^= mix_cell(&cell),
        }
    }

    /// Cells of an object that overlap these bytes.
    pub fn overlapping(&self, object: Object, start: u64, size: u64) -> Vec<Cell> {
        if self.cells.is_empty() {
            return Vec::new();
        }
        let first = u32::try_from(start.saturating_sub(LARGEST.into())).unwrap_or(u32::MAX);
        let end = u32::try_from(start.saturating_add(size)).unwrap_or(u32::MAX);
        let range = Cell { object, offset: first }..Cell { object, offset: end };
        let hits = self.cells.range(range).filter(|(cell, entry)| u64::from(cell.offset + entry.size) > start);
        hits.map(|(cell, _)| *cell).collect()
    }

    pub fn forget_bytes(&mut self, object: Object, start: u64, size: u64) {
        for cell in self.overlapping(object, start, size) {
            self.remove(&cell);
        }
    }

    pub fn forget_object(&mut self, object: Object) {
        self.forget_bytes(object, 0, u32::MAX.into());
    }

    /// Keeps the entries for which the condition is true.
    pub fn retain(&mut self, mut keep: impl FnMut(&Cell, &Entry) -> bool) {
        let gone: Vec<Cell> =
            self.cells.iter().filter(|(cell, entry)| !keep(cell, entry)).map(|(cell, _)| *cell).collect();
        for cell in gone {
            self.remove(&cell);
        }
    }

    /// Whether this stands for all that `other` stands for: it knows nothing that the other does not know.
    pub fn covers(&self, other: &State) -> bool {
        if self.cells.len() > other.cells.len() || self.fresh != other.fresh {
            return false;
        }
        if self.cells.len() == other.cells.len() {
            return self.hash == other.hash && (self.cells.ptr_eq(&other.cells) || self.cells == other.cells);
        }
        self.cells.iter().all(|(cell, entry)| other.cells.get(cell) == Some(entry))
    }

    pub fn same_values(&self, other: &State) -> bool {
        self.depth == other.depth
            && self.fresh == other.fresh
            && self.hash == other.hash
            && (self.cells.ptr_eq(&other.cells) || self.cells == other.cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(variable: u32, offset: u32) -> Cell {
        Cell { object: Object::Variable(VarId(variable), 0), offset }
    }

    fn entry(value: i128, size: u32) -> Entry {
        Entry { value: Value::Int(value), ty: TypeId(0), size }
    }

    #[test]
    fn fewer_values_cover_more() {
        let (mut one, mut two) = (State::default(), State::default());
        one.insert(cell(0, 0), entry(5, 4));
        two.insert(cell(1, 0), entry(6, 4));
        assert!(!one.covers(&two) && !two.covers(&one));
        assert!(State::default().covers(&one) && !one.covers(&State::default()));
        two.insert(cell(0, 0), entry(5, 4));
        assert!(one.covers(&two) && !two.covers(&one));
        two.remove(&cell(1, 0));
        assert!(two.same_values(&one) && two.covers(&one) && one.covers(&two));
        two.insert(cell(0, 0), entry(7, 4));
        assert!(!two.covers(&one));
        assert_ne!(one.key_like(&two), Some(two.key().values));
        two.insert(cell(0, 0), entry(5, 4));
        assert_eq!(two.key(), one.key());
        assert_ne!(one.key().shape, State::default().key().shape, "the first variable counts");
        two.insert(cell(1, 0), entry(6, 4));
        assert_eq!((two.key_like(&one), one.key_like(&two)), (Some(one.key().values), None));
        two.remove(&cell(1, 0));
        assert!(two.covers(&one), "the hash forgets what is overwritten");
    }

    #[test]
    fn writes_reach_all_that_overlaps() {
        let mut state = State::default();
        for offset in [0, 4, 8, 16] {
            state.insert(cell(3, offset), entry(1, if offset == 16 { 16 } else { 4 }));
        }
        state.insert(cell(4, 0), entry(1, 4));
        assert_eq!(state.overlapping(cell(3, 0).object, 6, 3), [cell(3, 4), cell(3, 8)]);
        assert_eq!(state.overlapping(cell(3, 0).object, 31, 1), [cell(3, 16)]);
        assert_eq!(state.overlapping(cell(3, 0).object, 12, 4), []);
        state.forget_object(cell(3, 0).object);
        assert_eq!(state.len(), 1);
    }
}
