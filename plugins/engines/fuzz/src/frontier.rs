//! The frontier: branches of which one side was covered, and the other side, behind which an open goal lies, was not.

use crate::coverage::CoverageMap;
use crate::flow::Flow;
use crate::path::Relation;
use tandem_plugin_api::prelude::*;

/// How much nearer a goal a branch must be to be preferred over one that was tried once less.
const PATIENCE: u32 = 12;

/// A branching location.
struct Branch {
    sides: [EdgeId; 2],
    /// By side: branches between it and the nearest goal.
    distance: [Option<u32>; 2],
    attempts: u32,
    /// How the condition compares integers, if it does.
    relation: Option<Relation>,
    /// Whether the condition holds on the first side.
    first_holds: bool,
    /// By operand: input edges whose values the text passes on to it.
    inputs: [Vec<EdgeId>; 2],
    /// Those inputs whose values it holds without a write to an unknown place.
    likely: [Vec<EdgeId>; 2],
}

/// One side of a branch that is to be covered; the other side is covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    pub branch: usize,
    pub edge: EdgeId,
    pub twin: EdgeId,
}

pub struct Frontier {
    branches: Vec<Branch>,
    /// By edge: its branch.
    branch_of: Vec<Option<u32>>,
    open: Vec<Wanted>,
}

impl Frontier {
    /// `distances` comes from [`goals::distances`](crate::goals::distances).
    pub fn new(program: &Program, distances: &[Option<u32>]) -> Self {
        let flow = Flow::of(program);
        let mut branches = Vec::new();
        let mut branch_of = vec![None; program.edges.len()];
        for location in &program.locations {
            let &[one, other] = location.leaving.as_slice() else { continue };
            let Op::Assume { condition, holds: first_holds } = program.edge(one).op else { continue };
            if !matches!(program.edge(other).op, Op::Assume { .. }) {
                continue;
            }
            let relation = Relation::of(program, condition);
            let inputs = flow.inputs_of_operands(program, condition);
            let likely = flow.likely_inputs_of_operands(program, condition);
            for side in [one, other] {
                branch_of[side.index()] = Some(branches.len() as u32);
            }
            let distance = [one, other].map(|side| distances[program.edge(side).to.index()]);
            let sides = [one, other];
            branches.push(Branch { sides, distance, attempts: 0, relation, first_holds, inputs, likely });
        }
        Frontier { branches, branch_of, open: Vec::new() }
    }

    /// The branch that an edge is a side of.
    pub fn branch_of(&self, edge: EdgeId) -> Option<usize> {
        self.branch_of.get(edge.index()).copied().flatten().map(|branch| branch as usize)
    }

    /// How a branch's condition compares integers, if it does.
    pub fn relation(&self, branch: usize) -> Option<Relation> {
        self.branches.get(branch)?.relation
    }

    /// Whether the text passes values of this input on to an operand (0 is the left one) of the branch's condition.
    pub fn flows_to(&self, branch: usize, operand: usize, input: EdgeId) -> bool {
        self.branches.get(branch).is_some_and(|branch| branch.inputs[operand].binary_search(&input).is_ok())
    }

    /// Inputs whose values the text passes on to an operand (0 is the left one) of the branch's condition, the likeliest
    /// in a list of their own before all of them.
    pub fn inputs(&self, branch: usize, operand: usize) -> [&[EdgeId]; 2] {
        self.branches.get(branch).map_or([&[], &[]], |branch| [&branch.likely[operand], &branch.inputs[operand]])
    }

    /// Whether no goal lies behind the branch once its condition was `holds`, although one lies behind the other side.
    pub fn is_dead_end(&self, branch: usize, holds: bool) -> bool {
        self.branches.get(branch).is_some_and(|branch| {
            let side = usize::from(branch.first_holds != holds);
            branch.distance[side].is_none() && branch.distance[1 - side].is_some()
        })
    }

    /// Whether the side that is covered leads to no goal.
    pub fn twin_is_dead_end(&self, wanted: Wanted) -> bool {
        self.wanted_truth(wanted).is_some_and(|truth| self.is_dead_end(wanted.branch, !truth))
    }

    /// Whether the condition holds on the wanted side.
    pub fn wanted_truth(&self, wanted: Wanted) -> Option<bool> {
        let branch = self.branches.get(wanted.branch)?;
        Some((branch.sides[0] == wanted.edge) == branch.first_holds)
    }

    /// Finds the frontier anew. Edges with `is_goal` are wanted even if nothing lies behind them.
    pub fn refresh(&mut self, map: &CoverageMap, is_goal: impl Fn(EdgeId) -> bool) {
        self.open.clear();
        for (branch, Branch { sides, distance, .. }) in self.branches.iter().enumerate() {
            let covered = sides.map(|side| map.is_covered(side));
            let (wanted, twin) = match covered {
                [true, false] => (1, 0),
                [false, true] => (0, 1),
                _ => continue,
            };
            if distance[wanted].is_some() || is_goal(sides[wanted]) {
                self.open.push(Wanted { branch, edge: sides[wanted], twin: sides[twin] });
            }
        }
    }

    pub fn open(&self) -> &[Wanted] {
        &self.open
    }

    /// The next branch to try: one near a goal that was not tried too often. Counts as tried.
    pub fn next(&mut self) -> Option<Wanted> {
        let urgency = |wanted: &Wanted| {
            let branch = &self.branches[wanted.branch];
            let side = usize::from(branch.sides[1] == wanted.edge);
            let distance = branch.distance[side].unwrap_or(0).min(1000);
            (branch.attempts.saturating_mul(PATIENCE).saturating_add(distance), wanted.branch)
        };
        let next = *self.open.iter().min_by_key(|wanted| urgency(wanted))?;
        self.branches[next.branch].attempts += 1;
        Some(next)
    }

    /// The branch with the fewest branches before a goal.
    pub fn nearest(&self) -> Option<Wanted> {
        let distance = |wanted: &&Wanted| {
            let branch = &self.branches[wanted.branch];
            branch.distance[usize::from(branch.sides[1] == wanted.edge)].unwrap_or(0)
        };
        self.open.iter().min_by_key(distance).copied()
    }

    /// How often the branch was tried.
    pub fn attempts(&self, branch: usize) -> u32 {
        self.branches.get(branch).map_or(0, |branch| branch.attempts)
    }

    /// Puts a branch back in the line, with low priority.
    pub fn discourage(&mut self, branch: usize) {
        if let Some(branch) = self.branches.get_mut(branch) {
            branch.attempts += 3;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::goals::distances;
    use tandem_plugin_api::kit::testing::{self, ProgramBuilder};
    use tandem_plugin_api::program::BinaryOp;

    #[test]
    fn only_sides_before_goals_are_wanted_and_all_get_their_turn() {
        // if (x < 1) { if (x < 2) { if (x < 3) reach_error(); } }
        let mut builder = ProgramBuilder::new("nested.c");
        let main = builder.function("main");
        let error = builder.declare("reach_error");
        let x = builder.global("x");
        let place = builder.variable(x);
        let (start, end) = builder.body(main);
        let mut at = start;
        for bound in 1..=3 {
            let bound = builder.int(bound);
            let less = builder.binary(BinaryOp::Lt, place, bound);
            let next = builder.location(main);
            builder.branch(at, less, next, end);
            at = next;
        }
        builder.call(at, end, error, &[]);
        let task = testing::task(builder.finish(main));
        let distances = distances(task.program(), task.task().targets.iter().copied());
        let mut frontier = Frontier::new(task.program(), &distances);
        let mut map = CoverageMap::new(task.program().edges.len());
        let mut counts = vec![0; task.program().edges.len()];
        counts[1] = 1;
        map.absorb(&counts);
        frontier.refresh(&map, |_| false);
        assert_eq!(frontier.open(), [Wanted { branch: 0, edge: EdgeId(0), twin: EdgeId(1) }]);
        counts[0] = 1;
        counts[3] = 1;
        map.absorb(&counts);
        frontier.refresh(&map, |_| false);
        assert_eq!(frontier.next().map(|wanted| wanted.edge), Some(EdgeId(2)));
        assert_eq!(frontier.attempts(1), 1);
        // The other side of a branch from which no goal is reachable is of no interest, unless it is one.
        counts[3] = 0;
        counts[2] = 1;
        let mut other = CoverageMap::new(counts.len());
        other.absorb(&counts);
        frontier.refresh(&other, |_| false);
        assert_eq!(frontier.open(), []);
        frontier.refresh(&other, |edge| edge == EdgeId(3));
        assert_eq!(frontier.open().len(), 1);
        assert_eq!(frontier.branch_of(EdgeId(5)), Some(2));
        assert_eq!(frontier.branch_of(EdgeId(6)), None);
    }
}
