//! How an automaton moves along the edges of a program, for one set of its states or for a family: where ways to a
//! location were merged, the run is in one of several sets, and it is not known in which.

use super::follower::{Follower, Next, SetId};
use crate::artifact::Condition;
use crate::program::{EdgeId, ExprId, LocationId, Op, Program};
use crate::service::formulas::Expressions;
use crate::service::{Host, Scope};
use rustc_hash::FxHashMap;

/// At most this many conditions become branches behind one edge: each doubles the code that follows.
const MOST_CONDITIONS: usize = 2;

/// Several sets, of which the run is in one. A path is covered only if it is covered for each of the sets.
pub type Family = Vec<SetId>;

pub struct Moves<'a> {
    pub program: &'a Program,
    pub follower: Follower,
    /// The program's expressions, and those of conditions that become branches.
    pub expressions: Expressions,
    /// Whether conditions become branches of the residual program; if not, runs that need a condition are left out.
    branches: bool,
    parsed: FxHashMap<(Condition, LocationId), Option<ExprId>>,
    host: &'a Host,
}

impl<'a> Moves<'a> {
    pub fn new(program: &'a Program, follower: Follower, branches: bool, host: &'a Host) -> Self {
        let expressions = Expressions::of(program);
        Moves { program, follower, expressions, branches, parsed: FxHashMap::default(), host }
    }

    /// All sets that may come after the edge; empty where the path is covered in any case.
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

    /// The family behind an edge where these conditions hold and no others are known to hold; empty if every set is
    /// covered.
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

    /// Sorts the family and removes duplicates. If one of the sets has no run left, no path that follows is covered for
    /// all sets, so that this set stands for the whole family. Where there are candidates this is not so: the other
    /// sets may lead to one.
    pub fn simplified(&self, mut family: Family) -> Family {
        let anything = self.follower.anything();
        if family.contains(&anything) {
            return vec![anything];
        }
        family.sort_unstable();
        family.dedup();
        family
    }

    /// The conditions that become branches behind an edge, with expressions for them.
    pub fn conditions(&mut self, family: &[SetId], edge: EdgeId) -> Vec<(Condition, ExprId)> {
        // A call leads into a clone of the callee, which several calls share.
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
