//! The program edges that a transition of a GIA matches: all of them, or a set. Most sets have one edge, which costs no memory of its own:
//! automata of many thousand transitions are passed on between actors all the time.

use crate::program::EdgeId;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// The program edges that a transition matches: all of them (`*`), or a set.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct EdgeSet(Edges);

/// A set of one edge is always `One`, so that equal sets are equal values.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Edges {
    Any,
    One(EdgeId),
    /// In ascending order, without duplicates.
    Several(Arc<[EdgeId]>),
}

impl EdgeSet {
    /// `*`: every edge of every program.
    pub const fn any() -> Self {
        EdgeSet(Edges::Any)
    }

    pub const fn one(edge: EdgeId) -> Self {
        EdgeSet(Edges::One(edge))
    }

    pub fn of(edges: impl IntoIterator<Item = EdgeId>) -> Self {
        let mut edges: Vec<EdgeId> = edges.into_iter().collect();
        edges.sort_unstable();
        edges.dedup();
        match edges[..] {
            [edge] => Self::one(edge),
            _ => EdgeSet(Edges::Several(edges.into())),
        }
    }

    pub fn is_any(&self) -> bool {
        self.0 == Edges::Any
    }

    /// The edges in ascending order; none for `*`.
    pub fn edges(&self) -> Option<&[EdgeId]> {
        match &self.0 {
            Edges::Any => None,
            Edges::One(edge) => Some(std::slice::from_ref(edge)),
            Edges::Several(edges) => Some(edges),
        }
    }

    pub fn contains(&self, edge: EdgeId) -> bool {
        match self.edges() {
            None => true,
            Some(edges) if edges.len() <= 8 => edges.contains(&edge),
            Some(edges) => edges.binary_search(&edge).is_ok(),
        }
    }
}

impl From<Option<Vec<EdgeId>>> for EdgeSet {
    fn from(edges: Option<Vec<EdgeId>>) -> Self {
        edges.map_or(Self::any(), Self::of)
    }
}

impl From<EdgeId> for EdgeSet {
    fn from(edge: EdgeId) -> Self {
        EdgeSet::one(edge)
    }
}

/// `*` first, then by the edges: the order in which files list transitions.
impl Ord for EdgeSet {
    fn cmp(&self, other: &Self) -> Ordering {
        self.edges().cmp(&other.edges())
    }
}

impl PartialOrd for EdgeSet {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for EdgeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("EdgeSet").field(&self.edges()).finish()
    }
}

impl Serialize for EdgeSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.edges().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for EdgeSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let list: Option<List> = Option::deserialize(deserializer)?;
        Ok(list.map_or(Self::any(), |List(edges)| edges))
    }
}

/// A set that is not `*`, on its way in.
struct List(EdgeSet);

impl<'de> Deserialize<'de> for List {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ListVisitor)
    }
}

struct ListVisitor;

impl<'de> Visitor<'de> for ListVisitor {
    type Value = List;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of edges")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<List, A::Error> {
        let Some(first) = list.next_element()? else { return Ok(List(EdgeSet::of([]))) };
        let Some(second) = list.next_element()? else { return Ok(List(EdgeSet::one(first))) };
        let mut edges = vec![first, second];
        while let Some(edge) = list.next_element()? {
            edges.push(edge);
        }
        Ok(List(EdgeSet::of(edges)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(numbers: &[usize]) -> EdgeSet {
        EdgeSet::of(numbers.iter().map(|&number| EdgeId::new(number)))
    }

    #[test]
    fn equal_sets_are_equal_values() {
        assert_eq!(edges(&[7]), EdgeSet::one(EdgeId::new(7)));
        assert_eq!(edges(&[7, 7]), EdgeSet::one(EdgeId::new(7)));
        assert_eq!(edges(&[3, 1, 3]), edges(&[1, 3]));
        assert_ne!(edges(&[]), EdgeSet::any());
    }

    #[test]
    fn survives_transfer() {
        for set in [EdgeSet::any(), edges(&[]), edges(&[5]), edges(&[9, 2, 4])] {
            let bytes = postcard::to_stdvec(&set).unwrap();
            assert_eq!(postcard::from_bytes::<EdgeSet>(&bytes).unwrap(), set);
            assert_eq!(bytes, postcard::to_stdvec(&set.edges().map(<[EdgeId]>::to_vec)).unwrap());
            let json = serde_json::to_string(&set).unwrap();
            assert_eq!(serde_json::from_str::<EdgeSet>(&json).unwrap(), set);
        }
    }

    #[test]
    fn unsorted_lists_from_outside_are_put_in_order() {
        let set: EdgeSet = serde_json::from_str("[4, 1, 4]").unwrap();
        assert_eq!(set, edges(&[1, 4]));
        assert!(set.contains(EdgeId::new(4)) && !set.contains(EdgeId::new(2)));
    }
}
