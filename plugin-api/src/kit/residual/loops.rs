//! Which locations belong to which loops of a function.

use crate::program::{FunctionId, LocationId, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// The loops of a program: heads, and what lies inside.
#[derive(Default)]
pub struct Loops {
    inside: FxHashMap<LocationId, FxHashSet<LocationId>>,
}

impl Loops {
    pub fn of(program: &Program) -> Self {
        let mut inside = FxHashMap::default();
        for index in 0..program.functions.len() {
            let function = FunctionId::new(index);
            let heads = program.loop_heads(function);
            if heads.is_empty() {
                continue;
            }
            let mut before: FxHashMap<LocationId, Vec<LocationId>> = FxHashMap::default();
            for at in program.reverse_postorder(function) {
                for (_, to) in program.local_successors(at) {
                    before.entry(to).or_default().push(at);
                }
            }
            for head in heads {
                inside.insert(head, natural_loop(program, head, &before));
            }
        }
        Loops { inside }
    }

    pub fn is_head(&self, at: LocationId) -> bool {
        self.inside.contains_key(&at)
    }

    /// Whether the loop of `head` contains the location.
    pub fn contains(&self, head: LocationId, at: LocationId) -> bool {
        self.inside.get(&head).is_some_and(|inside| inside.contains(&at))
    }
}

/// The locations that the head reaches and that reach it.
fn natural_loop(
    program: &Program,
    head: LocationId,
    before: &FxHashMap<LocationId, Vec<LocationId>>,
) -> FxHashSet<LocationId> {
    let mut reached = FxHashSet::default();
    let mut work = vec![head];
    while let Some(at) = work.pop() {
        if reached.insert(at) {
            work.extend(program.local_successors(at).map(|(_, to)| to));
        }
    }
    let mut inside = FxHashSet::from_iter([head]);
    let mut work = before.get(&head).cloned().unwrap_or_default();
    while let Some(at) = work.pop() {
        if reached.contains(&at) && inside.insert(at) {
            work.extend(before.get(&at).into_iter().flatten());
        }
    }
    inside
}
