//! A session's answers about predicates: which ones a condition implies, in which combinations they can be true, and
//! how conditions read as C.

use super::session::Session;
use super::term::{FALSE, Node, Sort, Term, Value};
use super::to_c::ToC;
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::Duration;
use tandem_plugin_api::error::{PluginError, Result};
use tandem_plugin_api::program::{ExprId, FunctionId};
use tandem_plugin_api::service::ParsedExpression;
use tandem_plugin_api::service::formulas::{Formula, Satisfiability};

impl Session {
    /// Those of the candidates, by their places, that are true wherever all of `given` are. A model in which some are false
    /// rules these out at once, so that there are few questions where most candidates are wrong.
    pub(super) fn implied(
        &mut self,
        given: &[Formula],
        candidates: &[Formula],
        time: Option<Duration>,
    ) -> Result<Vec<u32>> {
        let terms: Vec<Term> = candidates.iter().map(|&f| self.term(f)).collect::<Result<_>>()?;
        // A candidate that is false for all values is implied only if `given` cannot be satisfied at all.
        let mut alive: Vec<usize> = (0..terms.len()).filter(|&at| terms[at] != FALSE).collect();
        // Any model of `given` rules out most candidates.
        if alive.len() > 1 && self.check(given, time)? == Satisfiability::Satisfiable {
            alive = self.true_in_model(&terms, alive);
        }
        while !alive.is_empty() {
            let all = self.encoder.terms.all(alive.iter().map(|&at| terms[at]));
            let some_false = Formula(self.encoder.terms.not(all).0);
            let mut asked = given.to_vec();
            asked.push(some_false);
            let before = alive.len();
            match self.check(&asked, time)? {
                Satisfiability::Unsatisfiable(_) => break,
                Satisfiability::Satisfiable => alive = self.true_in_model(&terms, alive),
                Satisfiability::Unknown(_) => {}
            }
            if alive.len() == before {
                return self.implied_one_by_one(given, &terms, alive, time.map(|time| time / 4));
            }
        }
        Ok(alive.into_iter().map(|at| at as u32).collect())
    }

    fn implied_one_by_one(
        &mut self,
        given: &[Formula],
        terms: &[Term],
        alive: Vec<usize>,
        time: Option<Duration>,
    ) -> Result<Vec<u32>> {
        let mut implied = Vec::new();
        for at in alive {
            let mut asked = given.to_vec();
            asked.push(Formula(self.encoder.terms.not(terms[at]).0));
            if matches!(self.check(&asked, time)?, Satisfiability::Unsatisfiable(_)) {
                implied.push(at as u32);
            }
        }
        Ok(implied)
    }

    /// Those of the terms that are true in the last model.
    fn true_in_model(&self, terms: &[Term], mut places: Vec<usize>) -> Vec<usize> {
        let truths = self.truths_in_model(places.iter().map(|&at| terms[at]));
        let mut truths = truths.into_iter();
        places.retain(|_| truths.next().flatten() == Some(true));
        places
    }

    fn truths_in_model(&self, terms: impl Iterator<Item = Term>) -> Vec<Option<bool>> {
        let mut known = FxHashMap::default();
        let truth = |term| match self.encoder.terms.evaluate(term, self.model.as_ref()?, &mut known) {
            Some(Value::Bool(value)) => Some(value),
            _ => None,
        };
        terms.map(truth).collect()
    }

    /// The combinations of truth values that predicates can have where all of `given` are true; `None` if there are more than
    /// `limit`, or if it is not decided.
    pub(super) fn cubes(
        &mut self,
        given: &[Formula],
        predicates: &[Formula],
        limit: u32,
        time: Option<Duration>,
    ) -> Result<Option<Vec<Vec<bool>>>> {
        let terms: Vec<Term> = predicates.iter().map(|&f| self.term(f)).collect::<Result<_>>()?;
        let mut asked = given.to_vec();
        let mut cubes: Vec<Vec<bool>> = Vec::new();
        loop {
            match self.check(&asked, time)? {
                Satisfiability::Unsatisfiable(_) => return Ok(Some(cubes)),
                Satisfiability::Satisfiable if cubes.len() < limit as usize => {}
                _ => return Ok(None),
            }
            let truths = self.truths_in_model(terms.iter().copied());
            let Some(cube) = truths.into_iter().collect::<Option<Vec<bool>>>() else {
                return Ok(None);
            };
            let literals: Vec<Term> = terms
                .iter()
                .zip(&cube)
                .map(|(&term, &holds)| if holds { term } else { self.encoder.terms.not(term) })
                .collect();
            let all = self.encoder.terms.all(literals);
            asked.push(Formula(self.encoder.terms.not(all).0));
            // If a truth value is not in the model, the same combination would come again and again.
            if cubes.contains(&cube) {
                return Ok(None);
            }
            cubes.push(cube);
        }
    }

    /// Conditions over the values of a state as C over the variables that a function sees, where that can be said.
    pub(super) fn expressed(
        &mut self,
        id: u32,
        conditions: &[Formula],
        function: FunctionId,
    ) -> Result<Vec<Option<ParsedExpression>>> {
        let terms: Vec<Term> = conditions.iter().map(|&f| self.term(f)).collect::<Result<_>>()?;
        if function.index() >= self.encoder.program.functions.len() {
            return Err(PluginError::bad_input("the program has no such function"));
        }
        let mut state = self.get(id)?.clone();
        let mut writer = ToC::new(&mut self.encoder, &mut state, function);
        let written: Vec<_> = terms.into_iter().map(|term| writer.condition(term)).collect();
        self.put(id, state);
        let program = &self.encoder.program;
        Ok(written.into_iter().map(|expr| expr.map(|expr| self.added.export(program, expr))).collect())
    }

    /// An integer expression's value, where it is a constant.
    pub(super) fn constant(&mut self, id: u32, expr: ExprId) -> Result<Option<i128>> {
        let expr = self.added.own(expr)?;
        let program = self.encoder.program.clone();
        let ty = program.exprs.ty(expr);
        if !program.types.is_integer(ty) {
            return Ok(None);
        }
        let state = self.get(id)?.clone();
        let value = self.encoder.value_of(&state, expr);
        Ok(self.encoder.terms.as_signed(value).map(|value| program.types.wrap(ty, value)))
    }

    /// The conditions that others consist of: comparisons and symbols, without connectives.
    pub(super) fn atoms(&mut self, conditions: &[Formula]) -> Result<Vec<Formula>> {
        let mut work: Vec<Term> = conditions.iter().map(|&f| self.term(f)).collect::<Result<_>>()?;
        work.reverse();
        let mut seen = FxHashSet::default();
        let mut atoms = Vec::new();
        while let Some(term) = work.pop() {
            if !seen.insert(term) {
                continue;
            }
            let of_truths = |a: Term| self.encoder.terms.sort(a) == Sort::Bool;
            match self.encoder.terms.node(term) {
                Node::Not(a) => work.push(a),
                Node::And(a, b) | Node::Or(a, b) => work.extend([b, a]),
                Node::Ite(c, a, b) if of_truths(a) => work.extend([b, a, c]),
                Node::Eq(a, b) if of_truths(a) => work.extend([b, a]),
                Node::Bool(_) => {}
                _ => atoms.push(Formula(term.0)),
            }
        }
        Ok(atoms)
    }
}

#[cfg(test)]
mod tests;
