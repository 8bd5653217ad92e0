//! Abstract states: the knowledge at the last abstraction point, and the exact formula of the block since then. The
//! history of a block's formula is kept as a recipe, so that the same way can be followed without abstraction.

use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex};
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::service::formulas::{Formula, Formulas, SymbolicState};

/// The state of the analysis.
pub struct State {
    pub symbolic: SymbolicState,
    pub block: Arc<Block>,
    pub recipe: Arc<Recipe>,
    /// Behaviour on edges that leave this state that the formulas do not describe.
    pub dangers: Arc<Mutex<Vec<Formula>>>,
}

impl State {
    pub fn new(symbolic: SymbolicState, block: Arc<Block>, recipe: Arc<Recipe>) -> State {
        State { symbolic, block, recipe, dangers: Arc::default() }
    }

    /// Whether this is an abstraction point.
    pub fn is_start(&self) -> bool {
        self.recipe.is_start()
    }

    /// All ways from the program's entry that this state was computed from.
    pub fn history(&self) -> History {
        let mut blocks = vec![(Arc::clone(&self.block), Arc::clone(&self.recipe))];
        let mut at = &self.block;
        while let Some((block, recipe)) = &at.parent {
            blocks.push((Arc::clone(block), Arc::clone(recipe)));
            at = block;
        }
        blocks.reverse();
        History { blocks }
    }
}

/// A block's start with what is known there.
pub struct Block {
    /// Unique in a run.
    pub number: u64,
    pub location: LocationId,
    /// The block before, and how this one's start is reached from there; `None` at the program's entry.
    pub parent: Option<(Arc<Block>, Arc<Recipe>)>,
    /// Of the formulas: only states of one context can stand for each other.
    pub context: u32,
    pub known: Known,
}

impl Block {
    /// One of a history that was made of a path, without an abstract state.
    pub fn of_path(location: LocationId) -> Arc<Block> {
        Arc::new(Block { number: u64::MAX, location, parent: None, context: 0, known: Known::default() })
    }
}

/// A set of states, by predicates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// True of all of them.
    pub facts: Vec<(ExprId, bool)>,
    /// Predicates that are not among the facts, and the combinations of truth values that they have; `None` if that is
    /// not known.
    pub open: Vec<ExprId>,
    pub cubes: Option<Vec<Vec<bool>>>,
}

/// Link by link: recursion would need a stack as deep as there are blocks.
impl Drop for Block {
    fn drop(&mut self) {
        let mut parent = self.parent.take();
        while let Some(mut block) = parent.and_then(|(block, _)| Arc::into_inner(block)) {
            parent = block.parent.take();
        }
    }
}

/// How a formula was made from that of the block's start: unchanged, an edge behind one recipe, or a join of two.
pub struct Recipe {
    before: [Option<Arc<Recipe>>; 2],
    edge: EdgeId,
}

impl Drop for Recipe {
    fn drop(&mut self) {
        let mut rest: Vec<Arc<Recipe>> = self.before.iter_mut().filter_map(Option::take).collect();
        while let Some(recipe) = rest.pop() {
            if let Some(mut recipe) = Arc::into_inner(recipe) {
                rest.extend(recipe.before.iter_mut().filter_map(Option::take));
            }
        }
    }
}

/// How many steps a comparison of recipes may take.
const LOOK_BACK: u32 = 300;

impl Recipe {
    pub fn start() -> Arc<Recipe> {
        Arc::new(Recipe { before: [None, None], edge: EdgeId(0) })
    }

    pub fn post(before: &Arc<Recipe>, edge: EdgeId) -> Arc<Recipe> {
        Arc::new(Recipe { before: [Some(Arc::clone(before)), None], edge })
    }

    pub fn join(a: &Arc<Recipe>, b: &Arc<Recipe>) -> Arc<Recipe> {
        Arc::new(Recipe { before: [Some(Arc::clone(a)), Some(Arc::clone(b))], edge: EdgeId(0) })
    }

    pub fn is_start(&self) -> bool {
        self.before[0].is_none()
    }

    /// How often ways meet in it.
    #[cfg(test)]
    pub fn joins(&self) -> usize {
        let own = usize::from(self.before[1].is_some());
        own + self.before.iter().flatten().map(|before| before.joins()).sum::<usize>()
    }

    /// Whether this stands for everything that `other` stands for: it is the same again after more ways were joined
    /// into it, or into a state before it. If the comparison takes too long, the answer is no.
    pub fn extends(self: &Arc<Recipe>, other: &Arc<Recipe>) -> bool {
        let mut work = vec![(self, other)];
        for _ in 0..LOOK_BACK {
            let Some((mine, theirs)) = work.pop() else { return false };
            if Arc::ptr_eq(mine, theirs) {
                return true;
            }
            match (&mine.before, &theirs.before) {
                ([Some(a), Some(b)], _) => work.extend([(b, theirs), (a, theirs)]),
                ([Some(mine_before), None], [Some(theirs_before), None]) if mine.edge == theirs.edge => {
                    work.push((mine_before, theirs_before));
                }
                _ => {}
            }
        }
        false
    }

    /// Makes the formula from another start.
    pub fn replay(
        self: &Arc<Recipe>,
        formulas: &mut Formulas,
        host: &Host,
        from: &SymbolicState,
    ) -> Result<SymbolicState> {
        let mut made: FxHashMap<*const Recipe, SymbolicState> = FxHashMap::default();
        let mut work = vec![Arc::clone(self)];
        while let Some(recipe) = work.last().cloned() {
            let key = Arc::as_ptr(&recipe);
            if made.contains_key(&key) {
                work.pop();
                continue;
            }
            let missing: Vec<Arc<Recipe>> =
                recipe.before.iter().flatten().filter(|part| !made.contains_key(&Arc::as_ptr(part))).cloned().collect();
            if !missing.is_empty() {
                work.extend(missing);
                continue;
            }
            host.check()?;
            let part = |at: usize| recipe.before[at].as_ref().and_then(|part| made.get(&Arc::as_ptr(part)));
            let state = match (part(0), part(1)) {
                (Some(a), Some(b)) if a.guard() == Formula::FALSE => b.clone(),
                (Some(a), Some(b)) if b.guard() == Formula::FALSE => a.clone(),
                (Some(a), Some(b)) => formulas.join(&[a.clone(), b.clone()])?,
                (Some(a), None) if a.guard() == Formula::FALSE => a.clone(),
                (Some(a), None) => formulas.post(a, recipe.edge)?,
                _ => from.clone(),
            };
            made.insert(key, state);
            work.pop();
        }
        Ok(made.remove(&Arc::as_ptr(self)).unwrap_or_else(|| from.clone()))
    }
}

/// Blocks from the program's entry on, each with the way from its start to the next.
pub struct History {
    pub blocks: Vec<(Arc<Block>, Arc<Recipe>)>,
}

impl History {
    /// A single path, cut where `is_cut` says so.
    pub fn of_path(program: &Program, path: &[EdgeId], is_cut: &dyn Fn(LocationId) -> bool) -> History {
        let mut blocks = Vec::new();
        let mut current = Block::of_path(program.entry().unwrap_or(LocationId(0)));
        let mut recipe = Recipe::start();
        for &edge in path {
            recipe = Recipe::post(&recipe, edge);
            let to = program.edge(edge).to;
            if is_cut(to) {
                blocks.push((current, recipe));
                (current, recipe) = (Block::of_path(to), Recipe::start());
            }
        }
        blocks.push((current, recipe));
        History { blocks }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_recipes_are_dropped_without_recursion() {
        let start = Recipe::start();
        let mut recipe = Arc::clone(&start);
        for number in 0..1_000_000 {
            recipe = Recipe::post(&recipe, EdgeId(number));
        }
        let longer = Recipe::post(&recipe, EdgeId(7));
        drop(recipe);
        assert!(!longer.is_start() && start.is_start());
    }

    #[test]
    fn joins_extend_what_they_join() {
        let start = Recipe::start();
        let (a, b) = (Recipe::post(&start, EdgeId(1)), Recipe::post(&start, EdgeId(2)));
        let after = Recipe::post(&a, EdgeId(3));
        let both = Recipe::join(&a, &b);
        assert!(Recipe::post(&both, EdgeId(3)).extends(&after));
        assert!(!Recipe::post(&b, EdgeId(3)).extends(&after) && !after.extends(&Recipe::post(&both, EdgeId(3))));
    }
}
