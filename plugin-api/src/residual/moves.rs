//! How an automaton moves along the edges of a program, for one set of its states or for a family of them: several sets of which
//! one is the real one, since the ways to a location were merged.

use super::follower::{Follower, Next, SetId};
use crate::artifact::Condition;
use crate::program::{EdgeId, ExprId, LocationId, Op, Program};
use crate::service::formulas::Expressions;
use crate::service::{Host, Scope};
use rustc_hash::FxHashMap;

/// At most this many conditions are branched on behind one edge: each doubles what follows.
const MOST_CONDITIONS: usize = 2;

/// Several sets of which one is the real one. A path is covered only if it is whatever the set is.
pub type Family = Vec<SetId>;

pub struct Moves<'a> {
    pub program: &'a Program,
    pub follower: Follower,
    /// The program's expressions, and those of conditions that are branched on.
    pub expressions: Expressions,
    /// Conditions are branched on in the residual program; otherwise, runs that need one are left out.
    branches: bool,
    parsed: FxHashMap<(Condition, LocationId), Option<ExprId>>,
    host: &'a Host,
}

impl<'a> Moves<'a> {
    pub fn new(program: &'a Program, follower: Follower, branches: bool, host: &'a Host) -> Self {
        let expressions = Expressions::of(program);
        Moves { program, follower, expressions, branches, parsed: FxHashMap::default(), host }
    }

    /// All sets that may come after the edge; none where the path is covered in any case.
    pub fn alternatives(&mut self, set: SetId, edge: EdgeId) -> Vec<SetId> {
        let conditions: Vec<Condition> = self.conditions(&[set], edge).into_iter().map(|(given, _)| given).collect();
        let mut all = Vec::new();
        for chosen in 0..1u32 << conditions.len() {
            let given: Vec<Condition> =
                (0..conditions.len()).filter(|at| chosen >> at & 1 == 1).map(|at| conditions[at].clone()).collect();
            if let Next::At(next) = self.follower.next_given(set, edge, &given)
                && !all.contains(&next)
            {
                all.push(next);
            }
        }
        all
    }

    /// Behind an edge where these conditions hold, and no others are known to; empty if all is covered.
    pub fn family_after(&mut self, family: &[SetId], edge: EdgeId, given: &[Condition]) -> Family {
        let mut next = Vec::new();
        for &set in family {
            let moved = match given {
                [] => self.follower.next(set, edge),
                given => self.follower.next_given(set, edge, given),
            };
            if let Next::At(at) = moved {
                next.push(at);
            }
        }
        self.simplified(next)
    }

    /// Sorted, without duplicates. Where no run is left in one case, nothing that follows is covered in all cases, so that this
    /// one stands for all; not so where candidates are asked for, which the others may be.
    pub fn simplified(&self, mut family: Family) -> Family {
        let anything = self.follower.anything();
        if family.contains(&anything) {
            return vec![anything];
        }
        family.sort_unstable();
        family.dedup();
        family
    }

    /// What is to be branched on behind an edge, with the expressions to do so.
    pub fn conditions(&mut self, family: &[SetId], edge: EdgeId) -> Vec<(Condition, ExprId)> {
        // A call leads into a clone of the callee, which is shared.
        if !self.branches || matches!(self.program.edge(edge).op, Op::Call(_)) {
            return Vec::new();
        }
        let mut all: Vec<Condition> = Vec::new();
        for &set in family.iter() {
            for condition in self.follower.conditions(set, edge) {
                if !all.contains(&condition) {
                    all.push(condition);
                }
            }
        }
        let at = self.program.edge(edge).to;
        let usable = all.into_iter().filter_map(|condition| self.expression(&condition, at).map(|e| (condition, e)));
        usable.take(MOST_CONDITIONS).collect()
    }

    /// The condition as an expression that is harmless to evaluate at the location.
    fn expression(&mut self, condition: &Condition, at: LocationId) -> Option<ExprId> {
        let key = (condition.clone(), at);
        if let Some(&known) = self.parsed.get(&key) {
            return known;
        }
        let function = &self.program.function(self.program.location(at).function).name;
        let in_scope = condition.scope().is_none_or(|scope| scope == function);
        let parsed = in_scope.then(|| self.host.parse_expression(condition.text(), Scope::Location(at)).ok()).flatten();
        let expression = parsed.and_then(|parsed| self.expressions.add(self.program, &parsed).ok());
        let expression = expression.filter(|&root| self.expressions.exprs.is_harmless(root));
        self.parsed.insert(key, expression);
        expression
    }
}
