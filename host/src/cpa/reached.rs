//! The nodes that may cover new states, by the parts that must be equal for that: place, call stack, partition. If an
//! analysis gives keys, a bucket is searched by them, and not node by node.

use super::arg::{Arg, Node, NodeId};
use super::calls::StackId;
use super::product::{ComponentError, Parts, Product};
use rustc_hash::{FxHashMap, FxHashSet};
use tandem_plugin_api::abi::AbstractState;
use tandem_plugin_api::analysis::CoverKey;
use tandem_plugin_api::program::LocationId;

type Result<T> = std::result::Result<T, ComponentError>;

/// The parts that must be equal.
pub(super) type Key = (LocationId, StackId, u64);

#[derive(Default)]
pub(super) struct Reached {
    buckets: FxHashMap<Key, Bucket>,
    /// The component whose keys are used.
    pub indexer: Option<usize>,
}

#[derive(Default)]
struct Bucket {
    /// All nodes, if there are no keys.
    nodes: Vec<NodeId>,
    groups: Vec<Group>,
}

/// Nodes that know values of the same things.
struct Group {
    bits: u64,
    shape: u64,
    like: AbstractState,
    by_values: FxHashMap<u64, Vec<NodeId>>,
}

impl Reached {
    pub fn clear(&mut self) {
        self.buckets.clear();
    }

    /// Bytes that the tables take.
    pub fn bytes(&self) -> usize {
        // Besides its entries, a table has a byte for each slot, and a slot in eight is free.
        fn table(capacity: usize, entry: usize) -> usize {
            (capacity * 8 / 7).next_power_of_two() * (entry + 1)
        }
        let list = |nodes: &Vec<NodeId>| nodes.capacity() * size_of::<NodeId>();
        let group = |group: &Group| {
            size_of::<Group>()
                + table(group.by_values.capacity(), size_of::<(u64, Vec<NodeId>)>())
                + group.by_values.values().map(list).sum::<usize>()
        };
        let bucket = |bucket: &Bucket| list(&bucket.nodes) + bucket.groups.iter().map(group).sum::<usize>();
        table(self.buckets.capacity(), size_of::<(Key, Bucket)>()) + self.buckets.values().map(bucket).sum::<usize>()
    }

    /// The key by which a state is found in its bucket.
    pub fn cover_key(&self, parts: &Parts, product: &Product) -> Result<CoverKey> {
        match self.indexer {
            Some(indexer) => Ok(product.cover_key(indexer, &parts[indexer])?.unwrap_or_default()),
            None => Ok(CoverKey::default()),
        }
    }

    /// All nodes that may be merged with or cover a state. All others are known not to cover it.
    pub fn candidates(&self, key: Key, own: CoverKey, parts: &Parts, product: &Product) -> Result<Vec<NodeId>> {
        let Some(bucket) = self.buckets.get(&key) else { return Ok(Vec::new()) };
        let Some(indexer) = self.indexer else { return Ok(bucket.nodes.clone()) };
        let mut found = Vec::new();
        for group in bucket.groups.iter().filter(|group| group.bits & !own.bits == 0) {
            let values = match own.shape == group.shape {
                true => Some(own.values),
                false => product.cover_key_like(indexer, &parts[indexer], &group.like)?,
            };
            if let Some(nodes) = values.and_then(|values| group.by_values.get(&values)) {
                found.extend(nodes);
            }
        }
        Ok(found)
    }

    /// The first of the nodes in a bucket that passes the test, in the order of [`Reached::candidates`].
    pub fn find(
        &self,
        key: Key,
        own: CoverKey,
        parts: &Parts,
        product: &Product,
        test: impl Fn(NodeId) -> Result<bool>,
    ) -> Result<Option<NodeId>> {
        let pick = |nodes: &[NodeId]| {
            for &id in nodes {
                if test(id)? {
                    return Ok(Some(id));
                }
            }
            Ok(None)
        };
        match (self.indexer, self.buckets.get(&key)) {
            (_, None) => Ok(None),
            (None, Some(bucket)) => pick(&bucket.nodes),
            (Some(_), Some(_)) => pick(&self.candidates(key, own, parts, product)?),
        }
    }

    pub fn insert(&mut self, id: NodeId, key: Key, own: CoverKey, parts: &Parts) {
        let bucket = self.buckets.entry(key).or_default();
        let Some(indexer) = self.indexer else {
            bucket.nodes.push(id);
            return;
        };
        let CoverKey { bits, shape, values } = own;
        let position = bucket.groups.iter().position(|group| group.shape == shape).unwrap_or_else(|| {
            bucket.groups.push(Group { bits, shape, like: parts[indexer].clone(), by_values: FxHashMap::default() });
            bucket.groups.len() - 1
        });
        bucket.groups[position].by_values.entry(values).or_default().push(id);
    }

    /// Takes nodes out, which are given in ascending order.
    pub fn remove(&mut self, nodes: &[NodeId], arg: &Arg) {
        let is_gone = |id: &NodeId| nodes.binary_search(id).is_ok();
        let key = |node: &Node| (node.location, node.stack, node.partition);
        if self.indexer.is_none() {
            let touched: FxHashSet<Key> = nodes.iter().map(|id| key(arg.node(*id))).collect();
            for key in touched {
                if let Some(bucket) = self.buckets.get_mut(&key) {
                    bucket.nodes.retain(|id| !is_gone(id));
                }
            }
            return;
        }
        for node in nodes.iter().map(|id| arg.node(*id)) {
            let Some(bucket) = self.buckets.get_mut(&key(node)) else { continue };
            let CoverKey { shape, values, .. } = node.cover_key;
            for group in bucket.groups.iter_mut().filter(|group| group.shape == shape) {
                if let Some(list) = group.by_values.get_mut(&values) {
                    list.retain(|id| !is_gone(id));
                    if list.is_empty() {
                        group.by_values.remove(&values);
                    }
                }
            }
            bucket.groups.retain(|group| !group.by_values.is_empty());
        }
    }
}
