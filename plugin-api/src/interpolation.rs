//! Interpolants for an infeasible way through the program, made of given predicates: at every cut point, facts that follow
//! from the way before it and that exclude the rest of the way. Every step is checked by the solver.
//!
//! Z3 has no interpolation; but which of a pool of predicates hold at each cut point is decided by the solver, and unsatisfiable
//! cores show which of them matter (as in lazy abstraction with predicates: Henzinger, Jhala, Majumdar, McMillan, POPL 2004).
//! Interpolants made of the program's own comparisons generalise to other iterations, which those of provers often do not.

use crate::error::Result;
use crate::program::{ExprId, FunctionId, Program};
use crate::service::formulas::{
    Effects, Expressions, Formula, Formulas, Satisfiability, StateExpression, SymbolicState,
};
use std::time::Duration;

/// A way that is cut into blocks: block `i` leads from cut point `i` to cut point `i + 1`, where cut point 0 is the start. The
/// last block leads to what should be excluded.
pub trait Way {
    /// How many blocks there are.
    fn blocks(&self) -> usize;
    /// The state after a block, from a state before it.
    fn follow(&mut self, formulas: &mut Formulas, block: usize, from: &SymbolicState) -> Result<SymbolicState>;
    /// The function at the end of a block, whose names predicates may use.
    fn function(&self, block: usize) -> FunctionId;
    /// What may change when the end of this block is passed again and again.
    fn effects(&mut self, formulas: &mut Formulas, block: usize) -> Result<Effects>;
}

/// A predicate, and whether it is true.
pub type Literal = (ExprId, bool);

/// What to track to exclude a way: by block, the literals at its end; for all blocks but the last one. `true` and `false` are
/// empty lists, before the first and behind the last that are not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interpolants {
    pub at: Vec<Vec<Literal>>,
}

/// Searches for interpolants among predicates.
pub struct Interpolation<'a> {
    pub program: &'a Program,
    pub formulas: &'a mut Formulas,
    pub expressions: &'a mut Expressions,
    /// For each question to the solver.
    pub time: Duration,
}

/// What is known at the start of a block.
struct Facts {
    start: SymbolicState,
    end: SymbolicState,
    /// With their formulas at the start.
    literals: Vec<(Literal, Formula)>,
}

/// The way as far as facts were collected.
struct Trail {
    facts: Vec<Facts>,
    /// Whether the last of them excludes the way.
    excluded: bool,
}

impl Interpolation<'_> {
    /// Interpolants made of these predicates, listed by block; `None` if they do not suffice.
    pub fn among(
        &mut self,
        way: &mut dyn Way,
        initial: &SymbolicState,
        pool: &[Vec<ExprId>],
    ) -> Result<Option<Interpolants>> {
        let trail = self.collect(way, initial, pool)?;
        if !trail.excluded {
            return Ok(None);
        }
        self.needed(way.blocks(), &trail)
    }

    /// The conditions at a cut point under which the rest of the way is taken: new predicates where those at hand do not suffice.
    /// Only the last `depth` cut points are looked at.
    pub fn conditions_ahead(
        &mut self,
        way: &mut dyn Way,
        initial: &SymbolicState,
        pool: &[Vec<ExprId>],
        depth: usize,
    ) -> Result<Vec<Vec<ExprId>>> {
        let trail = self.collect(way, initial, pool)?;
        let blocks = way.blocks();
        let mut found = vec![Vec::new(); blocks];
        let last = trail.facts.len();
        for from in (1..last).rev().take(depth) {
            let mut state = trail.facts[from].start.clone();
            let mut conditions = Vec::new();
            for block in from..last {
                state = way.follow(self.formulas, block, &state)?;
                conditions.push(state.guard());
            }
            let atoms = self.formulas.atoms(&conditions)?;
            let function = way.function(from - 1);
            let list = self.formulas.express(&trail.facts[from].start, &atoms, function)?;
            for parsed in list.iter().flatten() {
                found[from - 1].push(self.expressions.add(self.program, parsed)?);
            }
        }
        self.formulas.extend(self.program, self.expressions)?;
        Ok(found)
    }

    /// Which predicates hold at each cut point.
    fn collect(&mut self, way: &mut dyn Way, initial: &SymbolicState, pool: &[Vec<ExprId>]) -> Result<Trail> {
        let mut trail = Trail { facts: Vec::new(), excluded: false };
        let mut start = initial.clone();
        let mut literals: Vec<(Literal, Formula)> = Vec::new();
        for block in 0..way.blocks() {
            let end = way.follow(self.formulas, block, &start)?;
            let given = with(&end, &literals);
            trail.facts.push(Facts { start: start.clone(), end: end.clone(), literals: literals.clone() });
            if matches!(self.formulas.check(&given, Some(self.time))?, Satisfiability::Unsatisfiable(_)) {
                trail.excluded = true;
                return Ok(trail);
            }
            if block + 1 == way.blocks() {
                break;
            }
            let effects = way.effects(self.formulas, block)?;
            (start, _) = self.formulas.generalize(&end, effects)?;
            let candidates = self.both_signs(pool.get(block).map_or(&[][..], |list| list));
            let mut asked = Vec::with_capacity(candidates.len());
            for literal in &candidates {
                asked.push(self.at(&end, *literal)?);
            }
            let implied = self.formulas.implied(&given, &asked, Some(self.time))?;
            literals = Vec::new();
            for at in implied {
                let literal = candidates[at as usize];
                let formula = self.at(&start, literal)?;
                if formula != Formula::TRUE {
                    literals.push((literal, formula));
                }
            }
        }
        Ok(trail)
    }

    fn both_signs(&self, predicates: &[ExprId]) -> Vec<Literal> {
        predicates.iter().flat_map(|&predicate| [(predicate, true), (predicate, false)]).collect()
    }

    fn at(&mut self, state: &SymbolicState, (predicate, holds): Literal) -> Result<Formula> {
        let truth = self.formulas.condition(state, StateExpression::Own(predicate))?;
        if holds { Ok(truth) } else { self.formulas.not(truth) }
    }

    /// Backwards: what the last block needs at its start, what that needs before, and so on.
    fn needed(&mut self, blocks: usize, trail: &Trail) -> Result<Option<Interpolants>> {
        let mut at = vec![Vec::new(); blocks.saturating_sub(1)];
        let mut wanted: Option<Vec<Literal>> = None;
        for block in (0..trail.facts.len()).rev() {
            let facts = &trail.facts[block];
            let mut goal = vec![facts.end.guard()];
            if let Some(literals) = &wanted {
                let mut list = Vec::new();
                for literal in literals {
                    list.push(self.at(&facts.end, *literal)?);
                }
                let all = self.formulas.and(&list)?;
                goal.push(self.formulas.not(all)?);
            }
            let Some(core) = self.core(&goal, &facts.literals)? else { return Ok(None) };
            if core.is_empty() || block == 0 {
                return Ok(Some(Interpolants { at }));
            }
            at[block - 1] = core.clone();
            wanted = Some(core);
        }
        Ok(Some(Interpolants { at }))
    }

    /// A small part of the facts that contradicts the goal; those that come first are kept first.
    fn core(&mut self, goal: &[Formula], facts: &[(Literal, Formula)]) -> Result<Option<Vec<Literal>>> {
        let mut kept: Vec<&(Literal, Formula)> = facts.iter().collect();
        let Some(first) = self.contradicts(goal, &kept)? else { return Ok(None) };
        kept = first.into_iter().map(|at| kept[at]).collect();
        let mut at = kept.len();
        while at > 0 {
            at -= 1;
            let mut fewer = kept.clone();
            fewer.remove(at);
            if let Some(core) = self.contradicts(goal, &fewer)? {
                kept = core.into_iter().map(|place| fewer[place]).collect();
                at = at.min(kept.len());
            }
        }
        Ok(Some(kept.into_iter().map(|(literal, _)| *literal).collect()))
    }

    /// The places of those facts that the contradiction needs, in order.
    fn contradicts(&mut self, goal: &[Formula], facts: &[&(Literal, Formula)]) -> Result<Option<Vec<usize>>> {
        let mut asked = goal.to_vec();
        asked.extend(facts.iter().map(|(_, formula)| *formula));
        Ok(match self.formulas.check(&asked, Some(self.time))? {
            Satisfiability::Unsatisfiable(core) => {
                let mut places: Vec<usize> =
                    core.into_iter().filter_map(|at| (at as usize).checked_sub(goal.len())).collect();
                places.sort_unstable();
                Some(places)
            }
            _ => None,
        })
    }
}

fn with(state: &SymbolicState, literals: &[(Literal, Formula)]) -> Vec<Formula> {
    let mut list = vec![state.guard()];
    list.extend(literals.iter().map(|(_, formula)| *formula));
    list
}
