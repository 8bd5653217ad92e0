//! Finds the targets of a pointer by the shape of its term: the address of an object plus an offset, or a choice of
//! such.

use crate::smt::state::ObjectId;
use crate::smt::term::{FALSE, Node, TRUE, Term, Terms, WordOp};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// One possibility.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The condition under which it is this one; at most one of the conditions holds.
    pub guard: Term,
    pub object: ObjectId,
    /// In bytes, as wide as a pointer.
    pub offset: Term,
}

/// All possibilities, and the condition under which the pointer has none of these targets.
#[derive(Clone, Debug)]
pub struct Targets {
    pub list: Arc<[Target]>,
    pub rest: Term,
}

/// If there are more, the target is unknown.
const MOST: usize = 64;

impl Targets {
    fn none() -> Self {
        Targets { list: Arc::new([]), rest: TRUE }
    }
}

/// The possibilities for `pointer`. `known` keeps results: terms never change.
pub fn resolve(
    terms: &mut Terms,
    by_base: &FxHashMap<Term, ObjectId>,
    known: &mut FxHashMap<Term, Targets>,
    pointer: Term,
) -> Targets {
    let mut stack = vec![pointer];
    while let Some(&term) = stack.last() {
        if known.contains_key(&term) {
            stack.pop();
            continue;
        }
        let operands = match terms.node(term) {
            Node::Word(WordOp::Add, a, b) => [Some(a), Some(b)],
            Node::Ite(_, a, b) => [Some(a), Some(b)],
            _ => [None, None],
        };
        if let Some(missing) = operands.into_iter().flatten().find(|operand| !known.contains_key(operand)) {
            stack.push(missing);
            continue;
        }
        let result = combine(terms, by_base, known, term);
        known.insert(term, result);
        stack.pop();
    }
    known.get(&pointer).cloned().unwrap_or_else(Targets::none)
}

fn combine(
    terms: &mut Terms,
    by_base: &FxHashMap<Term, ObjectId>,
    known: &FxHashMap<Term, Targets>,
    term: Term,
) -> Targets {
    match terms.node(term) {
        Node::Symbol(_) => match by_base.get(&term) {
            Some(&object) => {
                let offset = terms.bits(terms.width(term), 0);
                Targets { list: Arc::new([Target { guard: TRUE, object, offset }]), rest: FALSE }
            }
            None => Targets::none(),
        },
        Node::Word(WordOp::Add, a, b) => {
            let (left, right) = (&known[&a], &known[&b]);
            match (left.list.is_empty(), right.list.is_empty()) {
                (false, true) => shifted(terms, left, b),
                (true, false) => shifted(terms, right, a),
                _ => Targets::none(),
            }
        }
        Node::Ite(condition, a, b) => either(terms, condition, &known[&a], &known[&b]),
        _ => Targets::none(),
    }
}

fn shifted(terms: &mut Terms, targets: &Targets, by: Term) -> Targets {
    let list = targets.list.iter().map(|t| Target { offset: terms.add(t.offset, by), ..*t }).collect();
    Targets { list, rest: targets.rest }
}

fn either(terms: &mut Terms, condition: Term, a: &Targets, b: &Targets) -> Targets {
    let not = terms.not(condition);
    let mut list: Vec<Target> = Vec::with_capacity(a.list.len() + b.list.len());
    for target in a.list.iter() {
        let guard = terms.and(condition, target.guard);
        list.push(Target { guard, ..*target });
    }
    for target in b.list.iter() {
        let guard = terms.and(not, target.guard);
        match list.iter_mut().find(|known| known.object == target.object) {
            Some(known) => {
                known.guard = terms.or(known.guard, guard);
                known.offset = terms.ite(condition, known.offset, target.offset);
            }
            None => list.push(Target { guard, ..*target }),
        }
    }
    list.retain(|target| target.guard != FALSE);
    if list.len() > MOST {
        return Targets::none();
    }
    let rest = terms.ite(condition, a.rest, b.rest);
    Targets { list: list.into(), rest }
}
