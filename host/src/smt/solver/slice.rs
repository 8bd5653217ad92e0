//! Parts of a conjunction that share no symbol can be decided one by one.

use crate::smt::term::{Node, Symbol, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Larger terms are assumed to mention all symbols: finding out costs more than it saves.
const MAX_SIZE: usize = 4000;

/// Symbols of terms, found once each.
#[derive(Default)]
pub struct Symbols {
    known: FxHashMap<Term, Option<Arc<[Symbol]>>>,
}

impl Symbols {
    /// Symbols of a term; `None` for large ones.
    fn of(&mut self, terms: &Terms, root: Term) -> Option<Arc<[Symbol]>> {
        self.known.entry(root).or_insert_with(|| find(terms, root)).clone()
    }

    /// The conjuncts in groups that share no symbols, in order of their first. `None` if that would take too long.
    pub fn components(&mut self, terms: &Terms, conjuncts: &[Term]) -> Option<Vec<Vec<Term>>> {
        let mut group_of: FxHashMap<Symbol, usize> = FxHashMap::default();
        let mut parent: Vec<usize> = Vec::new();
        let mut first_group = Vec::with_capacity(conjuncts.len());
        for &conjunct in conjuncts {
            let symbols = self.of(terms, conjunct)?;
            let own = parent.len();
            parent.push(own);
            for &symbol in symbols.iter() {
                let other = *group_of.entry(symbol).or_insert(own);
                let (a, b) = (root(&mut parent, own), root(&mut parent, other));
                parent[a.max(b)] = a.min(b);
            }
            first_group.push(own);
        }
        let mut place: FxHashMap<usize, usize> = FxHashMap::default();
        let mut components: Vec<Vec<Term>> = Vec::new();
        for (&conjunct, group) in conjuncts.iter().zip(first_group) {
            let group = root(&mut parent, group);
            let at = *place.entry(group).or_insert(components.len());
            if at == components.len() {
                components.push(Vec::new());
            }
            components[at].push(conjunct);
        }
        Some(components)
    }

    /// All symbols of small terms.
    pub fn of_all(&mut self, terms: &Terms, roots: &[Term]) -> Option<Vec<Symbol>> {
        let mut all = Vec::new();
        for &root in roots {
            all.extend(self.of(terms, root)?.iter());
        }
        Some(all)
    }
}

fn root(parent: &mut [usize], mut at: usize) -> usize {
    while parent[at] != at {
        parent[at] = parent[parent[at]];
        at = parent[at];
    }
    at
}

fn find(terms: &Terms, root: Term) -> Option<Arc<[Symbol]>> {
    let (mut open, mut seen, mut symbols) = (vec![root], FxHashSet::default(), Vec::new());
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        if seen.len() > MAX_SIZE {
            return None;
        }
        match terms.node(term) {
            Node::Symbol(symbol) => symbols.push(symbol),
            _ => open.extend(terms.operands(term)),
        }
    }
    Some(symbols.into())
}
