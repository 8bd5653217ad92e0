//! Asks a solver only if the answer is not known: by the shape of a query, by earlier answers, models and unsatisfiable
//! cores (as KLEE does: Cadar, Dunbar, Engler, OSDI 2008). Parts of a query that are independent and have a model are
//! left out.

use super::slice::Symbols;
use super::{Answer, Limits, Solver, Statistics};
use crate::smt::term::{Assignment, FALSE, Node, TRUE, Term, Terms, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// How many models and cores are tried.
const MODELS: usize = 6;
const CORES: usize = 100;
/// Remembered values and answers are dropped beyond this number.
const MAX_VALUES: usize = 300_000;
const MAX_ANSWERS: usize = 10_000;

/// A solver, and the results of earlier queries.
pub struct Queries {
    solver: Box<dyn Solver>,
    /// Asserted conjuncts by level.
    levels: Vec<Vec<Term>>,
    /// By everything that was asserted or assumed, in order.
    answers: FxHashMap<Box<[Term]>, Known>,
    models: VecDeque<Model>,
    /// Sets of conjuncts that have no model, in order of their terms.
    cores: VecDeque<Box<[Term]>>,
    symbols: Symbols,
    statistics: Statistics,
}

#[derive(Clone)]
enum Known {
    Sat(Assignment),
    /// With the assumptions that contradict what is asserted.
    Unsat(Vec<Term>),
}

struct Model {
    assignment: Assignment,
    values: FxHashMap<Term, Option<Value>>,
}

impl Model {
    fn satisfies(&mut self, terms: &Terms, conjuncts: &[Term]) -> bool {
        if self.values.len() > MAX_VALUES {
            self.values = FxHashMap::default();
        }
        let true_value = Some(Value::Bool(true));
        conjuncts.iter().all(|&term| terms.evaluate(term, &self.assignment, &mut self.values) == true_value)
    }
}

/// One query in pieces.
struct Query {
    /// Asserted conjuncts and those of the assumptions, in order, without repetitions.
    conjuncts: Vec<Term>,
    /// The assumption that each of their conjuncts comes from; conjuncts that were asserted are not in the map.
    origin: FxHashMap<Term, usize>,
    asserted: FxHashSet<Term>,
}

impl Queries {
    pub fn new(solver: Box<dyn Solver>) -> Self {
        Queries {
            solver,
            levels: vec![Vec::new()],
            answers: FxHashMap::default(),
            models: VecDeque::new(),
            cores: VecDeque::new(),
            symbols: Symbols::default(),
            statistics: Statistics::default(),
        }
    }

    fn query(&self, terms: &Terms, assumptions: &[Term]) -> Query {
        let asserted: FxHashSet<Term> = self.levels.iter().flatten().copied().collect();
        let mut origin = FxHashMap::default();
        let mut seen = FxHashSet::default();
        for (index, &assumption) in assumptions.iter().enumerate() {
            conjuncts(terms, assumption, &mut seen, &mut |term| {
                if !asserted.contains(&term) {
                    origin.insert(term, index);
                }
            });
        }
        let mut all: Vec<Term> = asserted.iter().chain(origin.keys()).copied().collect();
        all.sort_unstable();
        Query { conjuncts: all, origin, asserted }
    }

    /// Decides by shape: a false conjunct, two opposite ones, or no conjunct at all.
    fn by_constant(terms: &Terms, query: &Query) -> Option<Answer> {
        let unsat = |involved: &[Term]| Some(Answer::Unsat { core: query.core(involved) });
        if query.conjuncts.iter().all(|&term| term == TRUE) {
            return Some(Answer::Sat(Assignment { otherwise_zero: true, ..Assignment::default() }));
        }
        for &term in &query.conjuncts {
            if term == FALSE {
                return unsat(&[term]);
            }
            if let Node::Not(opposite) = terms.node(term)
                && query.contains(opposite)
            {
                return unsat(&[term, opposite]);
            }
        }
        None
    }

    fn by_core(&self, query: &Query) -> Option<Answer> {
        let core = self.cores.iter().find(|core| core.iter().all(|&term| query.contains(term)))?;
        Some(Answer::Unsat { core: query.core(core) })
    }

    /// A model for all these, from earlier ones. The one that is found moves to the front.
    fn known_model(&mut self, terms: &Terms, conjuncts: &[Term]) -> Option<&Assignment> {
        let at = (0..self.models.len()).find(|&at| self.models[at].satisfies(terms, conjuncts))?;
        let model = self.models.remove(at)?;
        self.models.push_front(model);
        self.models.front().map(|model| &model.assignment)
    }

    /// The part of the query that must be asked, and values for the rest.
    fn slice(&mut self, terms: &Terms, query: &Query) -> Option<(FxHashSet<Term>, Assignment)> {
        let components = self.symbols.components(terms, &query.conjuncts)?;
        if components.len() < 2 {
            return None;
        }
        let mut open = FxHashSet::default();
        let mut values = Assignment { otherwise_zero: true, ..Assignment::default() };
        for component in &components {
            let symbols = self.symbols.of_all(terms, component)?;
            match self.known_model(terms, component) {
                Some(model) => {
                    let known = symbols.iter().filter_map(|symbol| Some((*symbol, model.values.get(symbol)?.clone())));
                    values.values.extend(known);
                }
                None => open.extend(component.iter().copied()),
            }
        }
        Some((open, values))
    }

    fn ask(&mut self, terms: &Terms, assumptions: &[Term], query: &Query, limits: &Limits) -> Answer {
        let sliced = self.slice(terms, query).filter(|(open, _)| open.len() < query.conjuncts.len());
        let Some((open, values)) = sliced else {
            return self.solver.check(terms, assumptions, limits);
        };
        if open.is_empty() {
            self.statistics.by_model += 1;
            return Answer::Sat(values);
        }
        // Whole assumptions are asked, so that the solver sees the same ones again; asserted conjuncts cannot be left
        // out.
        let mut kept: Vec<usize> =
            query.origin.iter().filter(|(term, _)| open.contains(term)).map(|(_, &at)| at).collect();
        kept.sort_unstable();
        kept.dedup();
        self.statistics.sliced += u64::from(kept.len() < assumptions.len());
        let left: Vec<Term> = kept.iter().map(|&at| assumptions[at]).collect();
        match self.solver.check(terms, &left, limits) {
            Answer::Sat(mut model) => {
                // Symbols of conjuncts that have a model already are in no other conjunct.
                model.values.extend(values.values);
                Answer::Sat(model)
            }
            Answer::Unsat { core } => Answer::Unsat { core: core.into_iter().map(|at| kept[at]).collect() },
            unknown => unknown,
        }
    }

    fn remember(&mut self, terms: &Terms, key: Box<[Term]>, assumptions: &[Term], answer: &Answer) {
        if self.answers.len() >= MAX_ANSWERS {
            self.answers.clear();
        }
        match answer {
            Answer::Sat(model) => {
                self.models.push_front(Model { assignment: model.clone(), values: FxHashMap::default() });
                self.models.truncate(MODELS);
                self.answers.insert(key, Known::Sat(model.clone()));
            }
            Answer::Unsat { core } => {
                let core: Vec<Term> = core.iter().map(|&at| assumptions[at]).collect();
                let (mut found, mut seen) = (self.levels.concat(), FxHashSet::default());
                for &assumption in &core {
                    conjuncts(terms, assumption, &mut seen, &mut |term| found.push(term));
                }
                found.sort_unstable();
                found.dedup();
                self.cores.push_front(found.into());
                self.cores.truncate(CORES);
                self.answers.insert(key, Known::Unsat(core));
            }
            // With more time the answer may differ.
            Answer::Unknown(_) => {}
        }
    }

    fn by_cache_of(&self, key: &[Term], assumptions: &[Term]) -> Option<Answer> {
        Some(match self.answers.get(key)? {
            Known::Sat(model) => Answer::Sat(model.clone()),
            Known::Unsat(core) => {
                let index = |term: &Term| assumptions.iter().position(|assumption| assumption == term);
                let mut core: Vec<usize> = core.iter().filter_map(index).collect();
                core.sort_unstable();
                Answer::Unsat { core }
            }
        })
    }

    fn answer(&mut self, terms: &Terms, assumptions: &[Term], limits: &Limits) -> Answer {
        let mut key: Vec<Term> = assumptions.to_vec();
        key.sort_unstable();
        key.dedup();
        // Asserted terms in front, apart from the assumptions: cores name the latter only.
        let mut asserted = self.levels.concat();
        asserted.sort_unstable();
        asserted.dedup();
        asserted.push(TRUE);
        asserted.append(&mut key);
        let key = asserted.into_boxed_slice();
        if let Some(answer) = self.by_cache_of(&key, assumptions) {
            self.statistics.by_cache += 1;
            return answer;
        }
        let query = self.query(terms, assumptions);
        if let Some(answer) = Self::by_constant(terms, &query) {
            self.statistics.by_constant += 1;
            return answer;
        }
        if let Some(answer) = self.by_core(&query) {
            self.statistics.by_core += 1;
            return answer;
        }
        if let Some(model) = self.known_model(terms, &query.conjuncts).cloned() {
            self.statistics.by_model += 1;
            return Answer::Sat(model);
        }
        let answer = self.ask(terms, assumptions, &query, limits);
        self.remember(terms, key, assumptions, &answer);
        answer
    }
}

impl Query {
    fn contains(&self, term: Term) -> bool {
        term == TRUE || self.asserted.contains(&term) || self.origin.contains_key(&term)
    }

    /// The assumptions that these conjuncts come from.
    fn core(&self, conjuncts: &[Term]) -> Vec<usize> {
        let mut core: Vec<usize> = conjuncts.iter().filter_map(|term| self.origin.get(term)).copied().collect();
        core.sort_unstable();
        core.dedup();
        core
    }
}

/// The conjuncts of a conjunction, except for those that were seen.
fn conjuncts(terms: &Terms, root: Term, seen: &mut FxHashSet<Term>, found: &mut dyn FnMut(Term)) {
    let mut open = vec![root];
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        match terms.node(term) {
            Node::And(a, b) => open.extend([b, a]),
            _ => found(term),
        }
    }
}

impl Solver for Queries {
    fn push(&mut self) {
        self.levels.push(Vec::new());
        self.solver.push();
    }

    fn pop(&mut self, levels: u32) {
        let left = self.levels.len().saturating_sub(levels as usize).max(1);
        self.levels.truncate(left);
        self.solver.pop(levels);
    }

    fn assert(&mut self, terms: &Terms, condition: Term) {
        if let Some(level) = self.levels.last_mut() {
            conjuncts(terms, condition, &mut FxHashSet::default(), &mut |term| level.push(term));
        }
        self.solver.assert(terms, condition);
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term], limits: &Limits) -> Answer {
        self.statistics.queries += 1;
        let answer = self.answer(terms, assumptions, limits);
        if cfg!(any(debug_assertions, test))
            && let Answer::Sat(model) = &answer
        {
            let all = self.levels.iter().flatten().chain(assumptions).copied();
            let refuted = super::refuted_by_evaluation(terms, model, all);
            assert_eq!(refuted, None, "the model that was put together does not satisfy the query: {model:?}");
        }
        answer
    }

    fn statistics(&self) -> Statistics {
        self.statistics.plus(self.solver.statistics())
    }
}
