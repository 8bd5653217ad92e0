//! Interpolants for an infeasible way through the program, made of given predicates: at every cut point, facts that follow
//! from the way before it and that exclude the rest of the way. Every step is checked by the solver.
//!
//! Z3 has no interpolation; but which of a pool of predicates hold at each cut point is decided by the solver, and unsatisfiable
//! cores show which of them matter (as in lazy abstraction with predicates: Henzinger, Jhala, Majumdar, McMillan, POPL 2004).
//! Interpolants made of the program's own comparisons generalise to other iterations, which those of provers often do not.

use crate::error::Result;
use crate::kit::unroll::Unrolling;
use crate::program::{BinaryOp, EdgeId, ExprId, ExprKind, FunctionId, IntKind, LocationId, Program, VarId};
use crate::service::formulas::{
    Effects, Expressions, Formula, Formulas, Satisfiability, StateExpression, SymbolicState,
};
use std::collections::BTreeMap;
use std::sync::Arc;
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
    /// The changes that are possible when the end of this block is passed again and again.
    fn effects(&mut self, formulas: &mut Formulas, block: usize) -> Result<Effects>;
}

/// A path, cut after some of its edges.
pub struct Path<'p> {
    edges: &'p [EdgeId],
    /// Where blocks end: after how many edges, in order.
    ends: Vec<usize>,
    program: Arc<Program>,
    unrolling: Unrolling,
    effects: BTreeMap<LocationId, Effects>,
}

impl<'p> Path<'p> {
    /// `cuts` says after how many edges the cut points are.
    pub fn new(program: &Arc<Program>, edges: &'p [EdgeId], cuts: &[usize]) -> Self {
        let mut ends: Vec<usize> = cuts.iter().copied().filter(|cut| (1..edges.len()).contains(cut)).collect();
        ends.sort_unstable();
        ends.dedup();
        ends.push(edges.len());
        let (program, unrolling) = (Arc::clone(program), Unrolling::new(Arc::clone(program)));
        Path { edges, ends, program, unrolling, effects: BTreeMap::new() }
    }

    fn location(&self, block: usize) -> LocationId {
        let end = self.ends.get(block).copied().unwrap_or(self.edges.len());
        end.checked_sub(1).map_or(LocationId(0), |last| self.program.edge(self.edges[last]).to)
    }
}

impl Way for Path<'_> {
    fn blocks(&self) -> usize {
        self.ends.len()
    }

    fn follow(&mut self, formulas: &mut Formulas, block: usize, from: &SymbolicState) -> Result<SymbolicState> {
        let start = block.checked_sub(1).map_or(0, |before| self.ends[before]);
        let mut state = from.clone();
        for &edge in &self.edges[start..self.ends[block]] {
            state = formulas.post(&state, edge)?;
        }
        Ok(state)
    }

    fn function(&self, block: usize) -> FunctionId {
        self.program.location(self.location(block)).function
    }

    /// At the head of a loop, the changes of the loop; elsewhere, those of the program.
    fn effects(&mut self, formulas: &mut Formulas, block: usize) -> Result<Effects> {
        let at = self.location(block);
        if let Some(known) = self.effects.get(&at) {
            return Ok(*known);
        }
        let is_head = self.unrolling.order(self.program.location(at).function).is_head(at);
        let edges = if is_head { self.unrolling.loop_edges(at) } else { self.program.edge_ids().collect() };
        let effects = formulas.effects(&edges)?;
        self.effects.insert(at, effects);
        Ok(effects)
    }
}

/// A predicate, and whether it is true.
pub type Literal = (ExprId, bool);

/// The literals to track to exclude a way: by block, the literals at its end, for all blocks but the last one. `true`
/// and `false` are empty lists; they come before the first and behind the last list that is not empty.
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

/// A literal that holds at a cut point.
#[derive(Clone, Copy)]
struct Fact {
    literal: Literal,
    /// The fact as a condition on the values at the start of the block in which it is used.
    formula: Formula,
    /// The cut point at which it was found: it may use only values that have not changed since then.
    origin: usize,
}

/// The facts of a block.
struct Facts {
    start: SymbolicState,
    end: SymbolicState,
    list: Vec<Fact>,
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

    /// The conditions at a cut point under which the rest of the way is taken: new predicates if those at hand do not
    /// suffice. Only the last `depth` cut points are used.
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

    /// Equalities with the constants that variables have at the cut points: the last resort, since they do not
    /// generalise to other iterations.
    pub fn values(
        &mut self,
        way: &mut dyn Way,
        initial: &SymbolicState,
        variables: &dyn Fn(usize) -> Vec<VarId>,
    ) -> Result<Vec<Vec<ExprId>>> {
        let mut state = initial.clone();
        let mut found = Vec::new();
        let int = self.expressions.types.int(IntKind::Int);
        for block in 0..way.blocks().saturating_sub(1) {
            state = way.follow(self.formulas, block, &state)?;
            let mut list = Vec::new();
            for id in variables(block) {
                let ty = self.program.variable(id).ty;
                let place = self.expressions.exprs.intern(ExprKind::Var(id), ty);
                self.formulas.extend(self.program, self.expressions)?;
                if let Some(value) = self.formulas.constant(&state, place)? {
                    let constant = self.expressions.exprs.intern(ExprKind::Int(value), ty);
                    let kind = ExprKind::Binary { op: BinaryOp::Eq, lhs: place, rhs: constant };
                    list.push(self.expressions.exprs.intern(kind, int));
                }
            }
            found.push(list);
        }
        self.formulas.extend(self.program, self.expressions)?;
        Ok(found)
    }

    /// Which predicates hold at each cut point.
    fn collect(&mut self, way: &mut dyn Way, initial: &SymbolicState, pool: &[Vec<ExprId>]) -> Result<Trail> {
        let mut trail = Trail { facts: Vec::new(), excluded: false };
        let mut start = initial.clone();
        let mut known: Vec<Fact> = Vec::new();
        for block in 0..way.blocks() {
            let end = way.follow(self.formulas, block, &start)?;
            let mut given = vec![end.guard()];
            given.extend(known.iter().map(|fact| fact.formula));
            trail.facts.push(Facts { start, end: end.clone(), list: known.clone() });
            if matches!(self.formulas.check(&given, Some(self.time))?, Satisfiability::Unsatisfiable(_)) {
                trail.excluded = true;
                return Ok(trail);
            }
            if block + 1 == way.blocks() {
                break;
            }
            let effects = way.effects(self.formulas, block)?;
            (start, _) = self.formulas.generalize(&end, effects)?;
            known = self.still_known(&end, &start, effects, known)?;
            let candidates = both_signs(pool.get(block).map_or(&[][..], |list| list));
            let mut asked = Vec::with_capacity(candidates.len());
            for literal in &candidates {
                asked.push(self.at(&end, *literal)?);
            }
            for at in self.formulas.implied(&given, &asked, Some(self.time))? {
                let literal = candidates[at as usize];
                let formula = self.at(&start, literal)?;
                if formula != Formula::TRUE && !known.iter().any(|fact| fact.formula == formula) {
                    known.push(Fact { literal, formula, origin: block + 1 });
                }
            }
        }
        Ok(trail)
    }

    /// Those facts that use only values that stay when the next cut point is passed again and again.
    fn still_known(
        &mut self,
        end: &SymbolicState,
        start: &SymbolicState,
        effects: Effects,
        known: Vec<Fact>,
    ) -> Result<Vec<Fact>> {
        let mut stays = Vec::new();
        for fact in known {
            let with = self.formulas.restrict(end, fact.formula)?;
            let (general, _) = self.formulas.generalize(&with, effects)?;
            if general.guard() != start.guard() {
                stays.push(fact);
            }
        }
        Ok(stays)
    }

    fn at(&mut self, state: &SymbolicState, (predicate, holds): Literal) -> Result<Formula> {
        let truth = self.formulas.condition(state, StateExpression::Own(predicate))?;
        if holds { Ok(truth) } else { self.formulas.not(truth) }
    }

    /// Works backwards: the facts that the last block needs at its start, the facts that these need before, and so on.
    fn needed(&mut self, blocks: usize, trail: &Trail) -> Result<Option<Interpolants>> {
        // By cut point; the first is the program's start, where no facts are needed.
        let mut wanted: Vec<Vec<Literal>> = vec![Vec::new(); blocks.max(trail.facts.len()) + 1];
        for block in (0..trail.facts.len()).rev() {
            let is_last = block + 1 == trail.facts.len();
            let facts = &trail.facts[block];
            let mut goal = vec![facts.end.guard()];
            if !is_last {
                if wanted[block + 1].is_empty() {
                    continue;
                }
                let mut list = Vec::new();
                for literal in wanted[block + 1].clone() {
                    list.push(self.at(&facts.end, literal)?);
                }
                let all = self.formulas.and(&list)?;
                goal.push(self.formulas.not(all)?);
            }
            let Some(core) = self.core(&goal, &facts.list)? else { return Ok(None) };
            for fact in core {
                if !wanted[fact.origin].contains(&fact.literal) {
                    wanted[fact.origin].push(fact.literal);
                }
            }
        }
        let at = wanted.into_iter().skip(1).take(blocks.saturating_sub(1)).collect();
        Ok(Some(Interpolants { at }))
    }

    /// A small part of the facts that contradicts the goal; facts that come first are preferred.
    fn core(&mut self, goal: &[Formula], facts: &[Fact]) -> Result<Option<Vec<Fact>>> {
        let mut kept: Vec<Fact> = facts.to_vec();
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
        Ok(Some(kept))
    }

    /// The places of those facts that the contradiction needs, in order.
    fn contradicts(&mut self, goal: &[Formula], facts: &[Fact]) -> Result<Option<Vec<usize>>> {
        let mut asked = goal.to_vec();
        asked.extend(facts.iter().map(|fact| fact.formula));
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

fn both_signs(predicates: &[ExprId]) -> Vec<Literal> {
    predicates.iter().flat_map(|&predicate| [(predicate, true), (predicate, false)]).collect()
}
