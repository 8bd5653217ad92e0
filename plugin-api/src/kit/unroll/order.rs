//! An order of a function's locations in which loops are nested: every edge goes forward, or back to the head of a loop that
//! it is in (a weak topological order, Bourdoncle 1993, found by decomposing strongly connected components).

use crate::program::{FunctionId, LocationId, Program};
use rustc_hash::FxHashMap;

/// Where a location stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The heads of the loops around it, outermost first; a head's own loop is the last of its list.
    pub heads: Vec<LocationId>,
    /// Its position among its siblings at each level: in the function, in the outermost loop, …
    pub positions: Vec<u32>,
}

/// The places of all locations of a function that its entry reaches.
#[derive(Clone, Debug, Default)]
pub struct Order {
    places: FxHashMap<LocationId, Place>,
}

impl Order {
    pub fn of(program: &Program, function: FunctionId) -> Order {
        let mut order = Order::default();
        let locations = program.reverse_postorder(function);
        let number: FxHashMap<LocationId, usize> = locations.iter().enumerate().map(|(i, &l)| (l, i)).collect();
        let successors: Vec<Vec<usize>> = locations
            .iter()
            .map(|&at| program.local_successors(at).filter_map(|(_, to)| number.get(&to).copied()).collect())
            .collect();
        let graph = Graph { locations, successors };
        let all: Vec<usize> = (0..graph.locations.len()).collect();
        // Parts that remain to be ordered, with the loops around them.
        let mut work = vec![Part { nodes: all, without: None, heads: Vec::new(), positions: Vec::new(), first: 0 }];
        while let Some(part) = work.pop() {
            graph.order_part(part, &mut order, &mut work);
        }
        order
    }

    pub fn place(&self, location: LocationId) -> Option<&Place> {
        self.places.get(&location)
    }

    /// Whether a location is the head of a loop.
    pub fn is_head(&self, location: LocationId) -> bool {
        self.places.get(&location).is_some_and(|place| place.heads.last() == Some(&location))
    }
}

struct Graph {
    locations: Vec<LocationId>,
    successors: Vec<Vec<usize>>,
}

/// Nodes of one level.
struct Part {
    /// In reverse postorder.
    nodes: Vec<usize>,
    /// The head of the loop that the part is: edges to it are left out.
    without: Option<usize>,
    heads: Vec<LocationId>,
    positions: Vec<u32>,
    first: u32,
}

impl Graph {
    fn order_part(&self, part: Part, order: &mut Order, work: &mut Vec<Part>) {
        let inside: FxHashMap<usize, ()> = part.nodes.iter().map(|&n| (n, ())).collect();
        let mut components = self.components(&part.nodes, &|n| inside.contains_key(&n) && Some(n) != part.without);
        components.reverse();
        for (position, component) in components.into_iter().enumerate() {
            let mut positions = part.positions.clone();
            positions.push(part.first + position as u32);
            let head = component.iter().copied().min().unwrap_or_default();
            let location = self.locations[head];
            let cyclic = component.len() > 1 || self.successors[head].contains(&head);
            let mut heads = part.heads.clone();
            if !cyclic {
                order.places.insert(location, Place { heads, positions });
                continue;
            }
            heads.push(location);
            let mut own = positions.clone();
            own.push(0);
            order.places.insert(location, Place { heads: heads.clone(), positions: own });
            let mut nodes: Vec<usize> = component.into_iter().filter(|&n| n != head).collect();
            nodes.sort_unstable();
            work.push(Part { nodes, without: Some(head), heads, positions, first: 1 });
        }
    }

    /// Strongly connected components, last ones first (Tarjan's algorithm with an explicit stack).
    fn components(&self, nodes: &[usize], inside: &dyn Fn(usize) -> bool) -> Vec<Vec<usize>> {
        let mut index: FxHashMap<usize, usize> = FxHashMap::default();
        let mut low: FxHashMap<usize, usize> = FxHashMap::default();
        let mut open: Vec<usize> = Vec::new();
        let mut is_open: FxHashMap<usize, bool> = FxHashMap::default();
        let mut found = Vec::new();
        for &root in nodes.iter().filter(|&&n| inside(n)) {
            if index.contains_key(&root) {
                continue;
            }
            let mut calls = vec![(root, 0usize)];
            while let Some(&mut (node, ref mut next)) = calls.last_mut() {
                if *next == 0 {
                    let number = index.len();
                    index.insert(node, number);
                    low.insert(node, number);
                    open.push(node);
                    is_open.insert(node, true);
                }
                let successor = self.successors[node].get(*next).copied();
                *next += 1;
                match successor {
                    Some(to) if !inside(to) => {}
                    Some(to) if !index.contains_key(&to) => calls.push((to, 0)),
                    Some(to) => {
                        if is_open.get(&to) == Some(&true) {
                            let lowest = low[&node].min(index[&to]);
                            low.insert(node, lowest);
                        }
                    }
                    None => {
                        calls.pop();
                        if let Some(&(parent, _)) = calls.last() {
                            let lowest = low[&parent].min(low[&node]);
                            low.insert(parent, lowest);
                        }
                        if low[&node] == index[&node] {
                            let mut component = Vec::new();
                            while let Some(member) = open.pop() {
                                is_open.insert(member, false);
                                component.push(member);
                                if member == node {
                                    break;
                                }
                            }
                            found.push(component);
                        }
                    }
                }
            }
        }
        found
    }
}
