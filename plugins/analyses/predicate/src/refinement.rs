//! Predicates that exclude an infeasible way. Those that the program itself suggests are tried first, since they hold for other
//! iterations, too; then conditions that the rest of the way needs, which get longer with every block they look ahead.

use crate::around::Around;
use crate::block::History;
use crate::places::Places;
use crate::precision::{Precision, Region, Scoping};
use crate::{Predicate, Tools, count};
use std::cell::RefCell;
use tandem_plugin_api::kit::interpolation::{Interpolants, Interpolation, Way};
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::service::formulas::{Effects, Formulas, SymbolicState};

/// The steps of the search, in order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Predicates of the pool that solvers decide easily.
    Easy,
    /// All of the pool.
    All,
    /// Also conditions that the rest of the way needs, this many blocks ahead.
    Ahead(usize),
    /// Also the constants that variables have on the way.
    Values,
}

const STEPS: [Step; 6] = [Step::Easy, Step::Ahead(1), Step::All, Step::Ahead(3), Step::Values, Step::Ahead(8)];

impl Step {
    fn with_hard(self) -> bool {
        !matches!(self, Step::Easy | Step::Ahead(1))
    }
}

/// An infeasible history as interpolation sees it.
struct HistoryWay<'a> {
    program: &'a Program,
    host: &'a Host,
    places: &'a RefCell<Places>,
    history: &'a History,
}

impl HistoryWay<'_> {
    /// Where a block ends and the next one begins.
    fn end(&self, block: usize) -> LocationId {
        self.history.blocks.get(block + 1).map_or(LocationId(0), |(next, _)| next.location)
    }
}

impl Way for HistoryWay<'_> {
    fn blocks(&self) -> usize {
        self.history.blocks.len()
    }

    fn follow(&mut self, formulas: &mut Formulas, block: usize, from: &SymbolicState) -> Result<SymbolicState> {
        self.history.blocks[block].1.replay(formulas, self.host, from)
    }

    fn function(&self, block: usize) -> FunctionId {
        self.program.location(self.end(block)).function
    }

    fn effects(&mut self, formulas: &mut Formulas, block: usize) -> Result<Effects> {
        self.places.borrow_mut().effects(formulas, self.end(block))
    }
}

impl Predicate {
    pub(crate) fn refined(&self, path: &[EdgeId], precision: &Precision) -> Result<Option<Refinement<Precision>>> {
        let Some(history) = self.infeasible_history(path)? else { return Ok(None) };
        let cuts = self.cuts(path);
        count(&self.counts.refinements);
        let Some(interpolants) = self.interpolants(&history, precision)? else {
            count(&self.counts.given_up);
            return Ok(None);
        };
        let mut refined = precision.clone();
        let mut from = None;
        for (block, literals) in interpolants.at.iter().enumerate() {
            let location = history.blocks[block + 1].0.location;
            let region = match self.scoping {
                Scoping::Location => Region::Location(location),
                Scoping::Function => Region::Function(self.task.program.location(location).function),
                Scoping::Global => Region::Everywhere,
            };
            for (predicate, _) in literals {
                let new = refined.add(region, *predicate);
                if new {
                    count(&self.counts.predicates);
                }
                from = from.or(cuts.get(block).copied());
            }
        }
        Ok(Some(Refinement { precision: refined, from: from.unwrap_or(0) }))
    }

    /// By abstraction point on a path: after how many edges the last state before it is.
    fn cuts(&self, path: &[EdgeId]) -> Vec<usize> {
        let program = &self.task.program;
        (0..path.len()).filter(|at| self.is_abstraction_point(program.edge(path[*at]).to)).collect()
    }

    /// All ways around the path if none of them is feasible, so that one refinement excludes them together; else the path alone. None
    /// if that is feasible, too, or not decided.
    fn infeasible_history(&self, path: &[EdgeId]) -> Result<Option<History>> {
        let taken = match path.split_last() {
            // What a call that must not happen would do does not matter; a branch must be taken.
            Some((last, before)) if self.task.is_target(*last) && self.task.property != Property::CoverBranches => {
                before
            }
            _ => path,
        };
        let around = Around { task: &self.task, host: &self.host, is_cut: &|at| self.is_abstraction_point(at) };
        if let Some(history) = around.history(taken)?
            && self.is_infeasible(&history)?
        {
            return Ok(Some(history));
        }
        let alone = History::of_path(&self.task.program, taken, &|location| self.is_abstraction_point(location));
        Ok(if self.is_infeasible(&alone)? { Some(alone) } else { None })
    }

    fn interpolants(&self, history: &History, precision: &Precision) -> Result<Option<Interpolants>> {
        let initial = self.exact_start()?;
        let program = &self.task.program;
        let mut way = HistoryWay { program, host: &self.host, places: &self.places, history };
        let mut tools = self.tools()?;
        let Tools { formulas, expressions, .. } = &mut *tools;
        for (block, _) in &history.blocks[1..] {
            self.places.borrow_mut().fill_pool(expressions, block.location);
        }
        formulas.extend(program, expressions)?;
        let mut search = Interpolation { program, formulas, expressions, time: self.effort.time / 4 };
        for step in STEPS {
            self.host.check()?;
            let pool = self.pool(history, precision, step.with_hard());
            if let Step::Ahead(depth) = step {
                let more = search.conditions_ahead(&mut way, &initial, &pool, depth)?;
                for (block, predicates) in more.iter().enumerate().take(history.blocks.len() - 1) {
                    self.places.borrow_mut().add_to_pool(history.blocks[block + 1].0.location, predicates);
                }
            }
            let mut pool = self.pool(history, precision, step.with_hard());
            if step == Step::Values {
                let variables = |block: usize| self.places.borrow_mut().changed(history.blocks[block + 1].0.location);
                let values = search.values(&mut way, &initial, &variables)?;
                pool.iter_mut().zip(values).for_each(|(list, values)| list.extend(values));
            }
            if let Some(found) = search.among(&mut way, &initial, &pool)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// By block: the predicates that may be tracked at its end, and those that are already.
    fn pool(&self, history: &History, precision: &Precision, with_hard: bool) -> Vec<Vec<ExprId>> {
        let places = self.places.borrow();
        let mut list = Vec::new();
        for (block, _) in &history.blocks[1..] {
            let mut predicates = precision.at(&self.task.program, block.location);
            for predicate in places.pool(block.location, with_hard) {
                if !predicates.contains(&predicate) {
                    predicates.push(predicate);
                }
            }
            list.push(predicates);
        }
        list
    }
}
