//! A persistent map from small numbers to values: a radix tree whose unchanged parts are shared. Equal parts of two
//! maps are found by comparing pointers, so that the cost of joins and comparisons depends on the size of the
//! difference.

use std::sync::Arc;

const LEAF: u32 = 8;
const WIDTH: u32 = 16;

#[derive(Debug)]
enum Node<V> {
    Leaf(Values<V>),
    Inner([Option<Arc<Node<V>>>; WIDTH as usize]),
}

type Link<V> = Option<Arc<Node<V>>>;
type Values<V> = [Option<V>; LEAF as usize];
type Links<V> = [Link<V>; WIDTH as usize];
/// A node that may be used again, with its parts.
type Known<'a, P, V> = (&'a P, &'a Arc<Node<V>>);

/// A map from keys below a limit that is fixed when the first map is made.
#[derive(Debug)]
pub struct Tree<V> {
    root: Link<V>,
    /// How many keys the root stands for.
    span: u32,
}

impl<V> Clone for Tree<V> {
    fn clone(&self) -> Self {
        Tree { root: self.root.clone(), span: self.span }
    }
}

impl<V: Clone + PartialEq> Tree<V> {
    /// An empty map for keys below `keys`.
    pub fn new(keys: u32) -> Self {
        let mut span = LEAF;
        while span < keys {
            span = span.saturating_mul(WIDTH);
        }
        Tree { root: None, span }
    }

    pub fn same(&self, other: &Self) -> bool {
        same(&self.root, &other.root)
    }

    pub fn get(&self, key: u32) -> Option<&V> {
        let mut node = self.root.as_ref()?;
        let mut span = self.span;
        loop {
            match &**node {
                Node::Leaf(values) => return values[(key % LEAF) as usize].as_ref(),
                Node::Inner(links) => {
                    span /= WIDTH;
                    node = links[(key / span % WIDTH) as usize].as_ref()?;
                }
            }
        }
    }

    pub fn set(&mut self, key: u32, value: Option<V>) {
        if self.get(key) != value.as_ref() {
            self.root = set(self.root.take(), self.span, key, value);
        }
    }

    /// Removes the keys of a range.
    pub fn remove_range(&mut self, range: std::ops::Range<u32>) {
        if !range.is_empty() {
            self.root = without(&self.root, self.span, 0, &range);
        }
    }

    /// Keeps the entries for which a test is true.
    pub fn retain(&mut self, mut test: impl FnMut(u32, &V) -> bool) {
        self.root = retain(&self.root, self.span, 0, &mut test);
    }

    /// All values whose keys are in a range, in order.
    pub fn for_each(&self, range: &std::ops::Range<u32>, visit: &mut dyn FnMut(u32, &V)) {
        for_each(&self.root, self.span, 0, range, visit);
    }

    /// The keys of both maps, with the results of `both` on their values. Equal parts stay.
    pub fn intersection(&self, other: &Self, both: &mut dyn FnMut(u32, &V, &V) -> Option<V>) -> Self {
        Tree { root: intersection(&self.root, &other.root, self.span, 0, both), span: self.span }
    }

    /// The keys of either map; where both have one, the result of `both` on the values. `None` if `both` returns it
    /// once.
    pub fn union(&self, other: &Self, both: &mut dyn FnMut(u32, &V, &V) -> Option<V>) -> Option<Self> {
        let root = union(&self.root, &other.root, self.span, 0, both)?;
        Some(Tree { root, span: self.span })
    }

    /// Whether each value of `other` has one here, for which the test holds.
    pub fn covers(&self, other: &Self, test: &mut dyn FnMut(u32, &V, &V) -> bool) -> bool {
        covers(&self.root, &other.root, self.span, 0, test)
    }
}

fn same<V>(a: &Link<V>, b: &Link<V>) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        _ => false,
    }
}

fn set<V: Clone>(link: Link<V>, span: u32, key: u32, value: Option<V>) -> Link<V> {
    let mut node = match link {
        Some(node) => node,
        None if span == LEAF => Arc::new(Node::Leaf(Default::default())),
        None => Arc::new(Node::Inner(Default::default())),
    };
    let is_empty = match Arc::make_mut(&mut node) {
        Node::Leaf(values) => {
            values[(key % LEAF) as usize] = value;
            values.iter().all(Option::is_none)
        }
        Node::Inner(links) => {
            let slot = &mut links[(key / (span / WIDTH) % WIDTH) as usize];
            *slot = set(slot.take(), span / WIDTH, key, value);
            links.iter().all(Option::is_none)
        }
    };
    (!is_empty).then_some(node)
}

impl<V: Clone> Clone for Node<V> {
    fn clone(&self) -> Self {
        match self {
            Node::Leaf(values) => Node::Leaf(values.clone()),
            Node::Inner(links) => Node::Inner(links.clone()),
        }
    }
}

fn without<V: Clone + PartialEq>(link: &Link<V>, span: u32, first: u32, range: &std::ops::Range<u32>) -> Link<V> {
    let node = link.as_ref()?;
    if first >= range.end || first + (span - 1) < range.start {
        return link.clone();
    }
    if range.start <= first && first + (span - 1) < range.end {
        return None;
    }
    match &**node {
        Node::Leaf(values) => {
            let kept = |i: usize| values[i].as_ref().filter(|_| !range.contains(&(first + i as u32))).cloned();
            leaf(std::array::from_fn(kept), &[(values, node)])
        }
        Node::Inner(links) => {
            let part = span / WIDTH;
            inner(std::array::from_fn(|i| without(&links[i], part, first + part * i as u32, range)), &[(links, node)])
        }
    }
}

fn retain<V: Clone + PartialEq>(
    link: &Link<V>,
    span: u32,
    first: u32,
    test: &mut dyn FnMut(u32, &V) -> bool,
) -> Link<V> {
    let node = link.as_ref()?;
    match &**node {
        Node::Leaf(values) => {
            let kept = std::array::from_fn(|i| values[i].as_ref().filter(|v| test(first + i as u32, v)).cloned());
            leaf(kept, &[(values, node)])
        }
        Node::Inner(links) => {
            let part = span / WIDTH;
            let kept = std::array::from_fn(|i| retain(&links[i], part, first + part * i as u32, test));
            inner(kept, &[(links, node)])
        }
    }
}

/// A node with these links; one of the given ones if it has the same.
fn inner<V>(links: Links<V>, known: &[Known<'_, Links<V>, V>]) -> Link<V> {
    if links.iter().all(Option::is_none) {
        return None;
    }
    for (theirs, node) in known {
        if links.iter().zip(theirs.iter()).all(|(a, b)| same(a, b)) {
            return Some(Arc::clone(node));
        }
    }
    Some(Arc::new(Node::Inner(links)))
}

fn leaf<V: PartialEq>(values: Values<V>, known: &[Known<'_, Values<V>, V>]) -> Link<V> {
    if values.iter().all(Option::is_none) {
        return None;
    }
    for (theirs, node) in known {
        if values == **theirs {
            return Some(Arc::clone(node));
        }
    }
    Some(Arc::new(Node::Leaf(values)))
}

fn for_each<V>(link: &Link<V>, span: u32, first: u32, range: &std::ops::Range<u32>, visit: &mut dyn FnMut(u32, &V)) {
    let Some(node) = link else { return };
    if first >= range.end || first + (span - 1) < range.start {
        return;
    }
    match &**node {
        Node::Leaf(values) => {
            for (key, value) in (first..).zip(values) {
                if let (Some(value), true) = (value, range.contains(&key)) {
                    visit(key, value);
                }
            }
        }
        Node::Inner(links) => {
            let part = span / WIDTH;
            for (i, link) in links.iter().enumerate() {
                for_each(link, part, first + part * i as u32, range, visit);
            }
        }
    }
}

fn intersection<V: Clone + PartialEq>(
    a: &Link<V>,
    b: &Link<V>,
    span: u32,
    first: u32,
    both: &mut dyn FnMut(u32, &V, &V) -> Option<V>,
) -> Link<V> {
    let (Some(x), Some(y)) = (a, b) else { return None };
    if Arc::ptr_eq(x, y) {
        return a.clone();
    }
    match (&**x, &**y) {
        (Node::Leaf(ours), Node::Leaf(theirs)) => {
            let values = std::array::from_fn(|i| match (&ours[i], &theirs[i]) {
                (Some(p), Some(q)) if p == q => Some(p.clone()),
                (Some(p), Some(q)) => both(first + i as u32, p, q),
                _ => None,
            });
            leaf(values, &[(ours, x), (theirs, y)])
        }
        (Node::Inner(ours), Node::Inner(theirs)) => {
            let part = span / WIDTH;
            let links =
                std::array::from_fn(|i| intersection(&ours[i], &theirs[i], part, first + part * i as u32, both));
            inner(links, &[(ours, x), (theirs, y)])
        }
        // Maps of one analysis have one shape.
        _ => None,
    }
}

fn union<V: Clone + PartialEq>(
    a: &Link<V>,
    b: &Link<V>,
    span: u32,
    first: u32,
    both: &mut dyn FnMut(u32, &V, &V) -> Option<V>,
) -> Option<Link<V>> {
    let (x, y) = match (a, b) {
        (Some(x), Some(y)) if !Arc::ptr_eq(x, y) => (x, y),
        (None, other) | (other, _) => return Some(other.clone()),
    };
    match (&**x, &**y) {
        (Node::Leaf(ours), Node::Leaf(theirs)) => {
            let mut values: Values<V> = Default::default();
            for (i, value) in values.iter_mut().enumerate() {
                *value = match (&ours[i], &theirs[i]) {
                    (Some(p), Some(q)) if p != q => Some(both(first + i as u32, p, q)?),
                    (Some(p), _) => Some(p.clone()),
                    (None, other) => other.clone(),
                };
            }
            Some(leaf(values, &[(ours, x), (theirs, y)]))
        }
        (Node::Inner(ours), Node::Inner(theirs)) => {
            let part = span / WIDTH;
            let mut links: Links<V> = Default::default();
            for (i, link) in links.iter_mut().enumerate() {
                *link = union(&ours[i], &theirs[i], part, first + part * i as u32, both)?;
            }
            Some(inner(links, &[(ours, x), (theirs, y)]))
        }
        _ => Some(a.clone()),
    }
}

fn covers<V: PartialEq>(
    a: &Link<V>,
    b: &Link<V>,
    span: u32,
    first: u32,
    test: &mut dyn FnMut(u32, &V, &V) -> bool,
) -> bool {
    let (x, y) = match (a, b) {
        (_, None) => return true,
        (None, Some(_)) => return false,
        (Some(x), Some(y)) => (x, y),
    };
    if Arc::ptr_eq(x, y) {
        return true;
    }
    match (&**x, &**y) {
        (Node::Leaf(ours), Node::Leaf(theirs)) => {
            (first..).zip(ours.iter().zip(theirs)).all(|(key, pair)| match pair {
                (_, None) => true,
                (None, Some(_)) => false,
                (Some(p), Some(q)) => p == q || test(key, p, q),
            })
        }
        (Node::Inner(ours), Node::Inner(theirs)) => {
            let part = span / WIDTH;
            (0..WIDTH).all(|i| covers(&ours[i as usize], &theirs[i as usize], part, first + part * i, test))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn tree_of(map: &BTreeMap<u32, i32>) -> Tree<i32> {
        let mut tree = Tree::new(1000);
        map.iter().for_each(|(&key, &value)| tree.set(key, Some(value)));
        tree
    }

    fn map_of(tree: &Tree<i32>) -> BTreeMap<u32, i32> {
        let mut map = BTreeMap::new();
        tree.for_each(&(0..u32::MAX), &mut |key, value| {
            map.insert(key, *value);
        });
        map
    }

    fn maps() -> impl Strategy<Value = BTreeMap<u32, i32>> {
        prop::collection::btree_map(0u32..1000, 0i32..4, 0..60)
    }

    proptest! {
        #[test]
        fn works_as_a_map(a in maps(), b in maps(), range in (0u32..1000, 0u32..300)) {
            let (x, y) = (tree_of(&a), tree_of(&b));
            prop_assert_eq!(map_of(&x), a.clone());
            let joined = x.intersection(&y, &mut |_, p, q| (p + q != 3).then_some(p + q));
            let expected: BTreeMap<u32, i32> = a.iter().filter_map(|(key, p)| {
                let q = b.get(key)?;
                if p == q { Some((*key, *p)) } else { (p + q != 3).then_some((*key, p + q)) }
            }).collect();
            prop_assert_eq!(map_of(&joined), expected);
            let met = x.union(&y, &mut |_, p, q| Some(*p.max(q)));
            let mut expected = a.clone();
            b.iter().for_each(|(key, q)| { expected.entry(*key).and_modify(|p| *p = (*p).max(*q)).or_insert(*q); });
            prop_assert_eq!(met.as_ref().map(map_of), Some(expected));
            prop_assert!(met.is_some_and(|met| met.covers(&x, &mut |_, p, q| p >= q)));
            prop_assert_eq!(x.covers(&y, &mut |_, p, q| p >= q), b.iter().all(|(key, q)| a.get(key).is_some_and(|p| p >= q)));
            let mut rest = x.clone();
            rest.remove_range(range.0..range.0 + range.1);
            let expected: BTreeMap<u32, i32> =
                a.iter().filter(|(key, _)| !(range.0..range.0 + range.1).contains(key)).map(|(k, v)| (*k, *v)).collect();
            prop_assert_eq!(map_of(&rest), expected);
            let mut again = x.clone();
            a.keys().for_each(|key| again.set(*key, None));
            prop_assert!(again.same(&Tree::new(1000)));
        }
    }

    #[test]
    fn what_does_not_change_is_shared() {
        let map: BTreeMap<u32, i32> = (0..1000).map(|key| (key, 1)).collect();
        let tree = tree_of(&map);
        let mut other = tree.clone();
        other.set(500, Some(1));
        assert!(other.same(&tree));
        other.set(500, Some(2));
        assert!(!other.same(&tree));
        assert!(tree.intersection(&other, &mut |_, p, q| Some(*p.max(q))).same(&other));
        assert!(tree.union(&other, &mut |_, p, q| Some(*p.min(q))).is_some_and(|met| met.same(&tree)));
        other.remove_range(2000..3000);
        other.retain(|_, _| true);
        assert!(tree.intersection(&other, &mut |_, p, _| Some(*p)).same(&tree));
    }
}
