//! The path of a traced run, as far as comparisons of integers decide it: which way each branch went, and with which
//! operands.

use crate::frontier::Frontier;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::{BinaryOp, ExprKind, UnaryOp};
use tandem_plugin_api::service::execution::{ComparedValues, ConsumedInput, Execution};

/// Inputs of a trace that are kept.
const MAX_INPUTS: usize = 4096;

/// How a branch is decided: its condition holds if the operands are related like this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relation {
    op: BinaryOp,
    signed: bool,
}

impl Relation {
    /// The relation behind a condition, if it is one of integers. The same cases as in the host's record.
    pub fn of(program: &Program, condition: ExprId) -> Option<Relation> {
        let (op, left) = match program.exprs.kind(condition) {
            ExprKind::Binary { op, lhs, .. } if op.is_comparison() => (op, lhs),
            ExprKind::Unary { op: UnaryOp::LogicalNot, operand } => (BinaryOp::Eq, operand),
            _ => (BinaryOp::Ne, condition),
        };
        let (_, signed) = program.types.word_shape(program.exprs.ty(left))?;
        Some(Relation { op, signed })
    }

    pub fn op(self) -> BinaryOp {
        self.op
    }

    pub fn is_signed(self) -> bool {
        self.signed
    }

    pub fn holds(self, left: u64, right: u64) -> bool {
        let order = if self.signed { (left as i64).cmp(&(right as i64)) } else { left.cmp(&right) };
        match self.op {
            BinaryOp::Eq => order.is_eq(),
            BinaryOp::Ne => order.is_ne(),
            BinaryOp::Lt => order.is_lt(),
            BinaryOp::Le => order.is_le(),
            BinaryOp::Gt => order.is_gt(),
            _ => order.is_ge(),
        }
    }
}

/// One branch on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub branch: usize,
    /// Whether the branch's condition held.
    pub holds: bool,
    pub bits: u32,
    pub left: u64,
    pub right: u64,
}

impl Step {
    /// The signed distance of the operands. Both are extended alike, so that it is right for all but the widest
    /// unsigned values.
    pub fn distance(&self) -> i64 {
        self.left.wrapping_sub(self.right) as i64
    }
}

/// A traced run.
#[derive(Clone, Debug, Default)]
pub struct Path {
    pub steps: Vec<Step>,
    /// The inputs that the run read.
    pub inputs: Vec<ConsumedInput>,
}

impl Path {
    pub fn of(trace: &dyn Execution, frontier: &Frontier) -> Self {
        let steps = trace.comparisons().iter().filter_map(|compared| step(compared, frontier)).collect();
        let inputs = trace.consumed();
        Path { steps, inputs: inputs[..inputs.len().min(MAX_INPUTS)].to_vec() }
    }

    /// The first step before `end` at which another run went another way.
    pub fn divergence(&self, other: &Path, end: usize) -> Option<usize> {
        let same = |at: usize| match (self.steps.get(at), other.steps.get(at)) {
            (Some(one), Some(two)) => (one.branch, one.holds) == (two.branch, two.holds),
            _ => false,
        };
        (0..end.min(self.steps.len())).find(|&at| !same(at))
    }

    /// The steps of a branch that are most promising to turn: the one with the smallest distance, the last, and the
    /// first.
    pub fn turns(&self, branch: usize, holds: bool) -> Vec<usize> {
        let own =
            || (0..self.steps.len()).filter(|&at| self.steps[at].branch == branch && self.steps[at].holds == holds);
        let nearest = own().min_by_key(|&at| self.steps[at].distance().unsigned_abs());
        let mut chosen: Vec<usize> = Vec::new();
        for at in [nearest, own().next_back(), own().next()].into_iter().flatten() {
            let operands = |at: usize| (self.steps[at].left, self.steps[at].right);
            if !chosen.iter().any(|&known| operands(known) == operands(at)) {
                chosen.push(at);
            }
        }
        chosen
    }
}

fn step(compared: &ComparedValues, frontier: &Frontier) -> Option<Step> {
    let branch = frontier.branch_of(compared.edge)?;
    let relation = frontier.relation(branch)?;
    let &ComparedValues { bits, left, right, .. } = compared;
    Some(Step { branch, holds: relation.holds(left, right), bits, left, right })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(branch: usize, holds: bool, left: u64, right: u64) -> Step {
        Step { branch, holds, bits: 32, left, right }
    }

    fn path(steps: &[Step]) -> Path {
        Path { steps: steps.to_vec(), inputs: Vec::new() }
    }

    #[test]
    fn relations_mind_the_sign() {
        let (minus_one, one) = (u64::MAX, 1);
        assert!(Relation { op: BinaryOp::Lt, signed: true }.holds(minus_one, one));
        assert!(!Relation { op: BinaryOp::Lt, signed: false }.holds(minus_one, one));
        assert!(Relation { op: BinaryOp::Ge, signed: false }.holds(minus_one, one));
        assert!(Relation { op: BinaryOp::Ne, signed: true }.holds(1, 0));
    }

    #[test]
    fn paths_diverge_where_a_branch_goes_another_way() {
        let one = path(&[step(0, true, 5, 5), step(1, false, 1, 2), step(0, false, 5, 6)]);
        let two = path(&[step(0, true, 7, 7), step(1, true, 2, 2)]);
        assert_eq!(one.divergence(&two, 3), Some(1));
        assert_eq!(one.divergence(&two, 1), None);
        assert_eq!(one.divergence(&one.clone(), 3), None);
        assert_eq!(one.divergence(&path(&[step(0, true, 1, 1)]), 3), Some(1));
    }

    #[test]
    fn turns_are_the_nearest_the_last_and_the_first() {
        let all = path(&[
            step(3, false, 9, 0),
            step(3, false, 2, 0),
            step(2, false, 1, 0),
            step(3, false, 7, 0),
            step(3, true, 0, 0),
        ]);
        assert_eq!(all.turns(3, false), [1, 3, 0]);
        assert_eq!(all.turns(5, false), Vec::<usize>::new());
    }
}
