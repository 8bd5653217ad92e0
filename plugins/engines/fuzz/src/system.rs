//! Systems of comparisons between inputs and constants, `x + a < y + b`, solved by propagation of bounds. For such
//! differences bounds are exact: each value that is left for one variable is part of a solution.

use crate::random::Random;
use std::collections::VecDeque;
use tandem_plugin_api::program::BinaryOp;

/// Constraints looked at in one propagation before the system counts as contradictory: bounds that push each other up step
/// by step may go on for long.
const MAX_EFFORT: u64 = 20_000;

/// A variable plus a number, or only a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operand {
    pub variable: Option<usize>,
    pub offset: i128,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constraint {
    pub left: Operand,
    pub op: BinaryOp,
    pub right: Operand,
}

impl Constraint {
    /// The negated comparison.
    pub fn negated(mut self) -> Self {
        self.op = match self.op {
            BinaryOp::Eq => BinaryOp::Ne,
            BinaryOp::Ne => BinaryOp::Eq,
            BinaryOp::Lt => BinaryOp::Ge,
            BinaryOp::Le => BinaryOp::Gt,
            BinaryOp::Gt => BinaryOp::Le,
            _ => BinaryOp::Lt,
        };
        self
    }
}

/// Bounds of variables under the constraints that were added.
#[derive(Clone, Debug)]
pub struct System {
    bounds: Vec<(i128, i128)>,
    constraints: Vec<Constraint>,
    /// By variable: the constraints in which it occurs.
    occurrences: Vec<Vec<usize>>,
    /// Constraints looked at so far.
    effort: u64,
}

impl System {
    pub fn new(bounds: Vec<(i128, i128)>) -> Self {
        let occurrences = vec![Vec::new(); bounds.len()];
        System { bounds, constraints: Vec::new(), occurrences, effort: 0 }
    }

    /// How many constraints were looked at so far: the measure of the work on a system.
    pub fn effort(&self) -> u64 {
        self.effort
    }

    /// Adds a constraint. If it contradicts the others, nothing is added and the result is false.
    pub fn add(&mut self, constraint: Constraint) -> bool {
        let before = self.bounds.clone();
        let variables = [constraint.left.variable, constraint.right.variable];
        let at = self.constraints.len();
        self.constraints.push(constraint);
        variables.into_iter().flatten().for_each(|variable| self.occurrences[variable].push(at));
        if self.propagate(VecDeque::from([at])) {
            return true;
        }
        self.constraints.pop();
        variables.into_iter().flatten().for_each(|variable| {
            self.occurrences[variable].pop();
        });
        self.bounds = before;
        false
    }

    /// Values for all variables, near to those that are wanted. `None` where inequations exclude all values.
    pub fn solve(&mut self, wanted: &[i128], random: &mut Random) -> Option<Vec<i128>> {
        let mut order: Vec<usize> = (0..self.bounds.len()).collect();
        for at in (1..order.len()).rev() {
            order.swap(at, random.below(at + 1));
        }
        for variable in order {
            let (low, high) = self.bounds[variable];
            let near = wanted.get(variable).copied().unwrap_or(0).clamp(low, high);
            let far = low + random.below(usize::try_from(high - low + 1).unwrap_or(usize::MAX)) as i128;
            let choices = [near, near + 1, near - 1, low, high, far];
            let before = self.bounds.clone();
            let fits = choices.into_iter().filter(|choice| (low..=high).contains(choice)).any(|choice| {
                self.bounds.clone_from(&before);
                self.bounds[variable] = (choice, choice);
                self.propagate(self.occurrences[variable].iter().copied().collect())
            });
            if !fits {
                return None;
            }
        }
        Some(self.bounds.iter().map(|&(low, _)| low).collect())
    }

    /// Narrows all bounds by these constraints and by what follows from them; false if a variable has no value left.
    fn propagate(&mut self, mut open: VecDeque<usize>) -> bool {
        let last = self.effort + MAX_EFFORT;
        let mut is_open = vec![false; self.constraints.len()];
        open.iter().for_each(|&at| is_open[at] = true);
        while let Some(at) = open.pop_front() {
            self.effort += 1;
            is_open[at] = false;
            let constraint = self.constraints[at];
            match self.narrow(constraint) {
                Some(false) => continue,
                Some(true) if self.effort < last => {}
                _ => return false,
            }
            for variable in [constraint.left.variable, constraint.right.variable].into_iter().flatten() {
                for &other in &self.occurrences[variable] {
                    if !std::mem::replace(&mut is_open[other], true) {
                        open.push_back(other);
                    }
                }
            }
        }
        true
    }

    /// Narrows the bounds of one constraint's variables. Returns whether they changed, or `None` if no values fit.
    fn narrow(&mut self, Constraint { left, op, right }: Constraint) -> Option<bool> {
        match op {
            BinaryOp::Lt => self.at_most(left, right, -1),
            BinaryOp::Le => self.at_most(left, right, 0),
            BinaryOp::Gt => self.at_most(right, left, -1),
            BinaryOp::Ge => self.at_most(right, left, 0),
            BinaryOp::Eq => Some(self.at_most(left, right, 0)? | self.at_most(right, left, 0)?),
            _ => Some(self.differs(left, right)? | self.differs(right, left)?),
        }
    }

    fn range(&self, operand: Operand) -> (i128, i128) {
        let (low, high) = operand.variable.map_or((0, 0), |variable| self.bounds[variable]);
        (low + operand.offset, high + operand.offset)
    }

    /// left <= right + slack
    fn at_most(&mut self, left: Operand, right: Operand, slack: i128) -> Option<bool> {
        if left.variable.is_some() && left.variable == right.variable {
            return (left.offset <= right.offset + slack).then_some(false);
        }
        let ((low, high), (other_low, other_high)) = (self.range(left), self.range(right));
        if low > other_high + slack {
            return None;
        }
        let mut changed = false;
        if let Some(variable) = left.variable.filter(|_| high > other_high + slack) {
            self.bounds[variable].1 = other_high + slack - left.offset;
            changed = true;
        }
        if let Some(variable) = right.variable.filter(|_| other_low < low - slack) {
            self.bounds[variable].0 = low - slack - right.offset;
            changed = true;
        }
        Some(changed)
    }

    /// If `fixed` has only one value left, takes it away from the ends of the other one's range.
    fn differs(&mut self, fixed: Operand, other: Operand) -> Option<bool> {
        if fixed.variable == other.variable {
            return (fixed.offset != other.offset).then_some(false);
        }
        let (value, high) = self.range(fixed);
        if value != high {
            return Some(false);
        }
        let (low, high) = self.range(other);
        if low == value && high == value {
            return None;
        }
        let Some(variable) = other.variable else { return Some(false) };
        let bounds = &mut self.bounds[variable];
        if low == value {
            bounds.0 += 1;
        } else if high == value {
            bounds.1 -= 1;
        }
        Some(low == value || high == value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(variable: usize) -> Operand {
        Operand { variable: Some(variable), offset: 0 }
    }

    fn number(offset: i128) -> Operand {
        Operand { variable: None, offset }
    }

    fn constraint(left: Operand, op: BinaryOp, right: Operand) -> Constraint {
        Constraint { left, op, right }
    }

    #[test]
    fn a_tight_chain_has_its_only_solution() {
        let mut system = System::new(vec![(0, 255); 25]);
        for at in 0..24 {
            assert!(system.add(constraint(variable(at), BinaryOp::Lt, variable(at + 1))));
        }
        assert!(system.add(constraint(variable(24), BinaryOp::Le, number(24))));
        assert!(!system.add(constraint(variable(3), BinaryOp::Ge, number(4))), "contradicts the rest");
        let values = system.solve(&[7; 25], &mut Random::new(1)).unwrap();
        assert_eq!(values, (0..25).collect::<Vec<i128>>());
    }

    #[test]
    fn values_stay_near_those_that_are_wanted() {
        let mut system = System::new(vec![(-100, 100); 3]);
        assert!(system.add(constraint(variable(0), BinaryOp::Eq, Operand { variable: Some(1), offset: 5 })));
        assert!(system.add(constraint(variable(2), BinaryOp::Ne, number(9))));
        let values = system.solve(&[40, 35, 9], &mut Random::new(3)).unwrap();
        assert_eq!((values[0], values[1]), (40, 35));
        assert!(values[2] == 8 || values[2] == 10, "{values:?}");
    }

    #[test]
    fn contradictions_are_found() {
        let mut system = System::new(vec![(0, 1); 2]);
        assert!(system.add(constraint(variable(0), BinaryOp::Gt, number(0))));
        assert!(system.add(constraint(variable(0), BinaryOp::Ne, variable(1))));
        assert!(!system.add(constraint(variable(1), BinaryOp::Ne, number(0))));
        assert!(!system.add(constraint(variable(0), BinaryOp::Lt, variable(0))));
        assert_eq!(system.solve(&[0, 0], &mut Random::new(1)), Some(vec![1, 0]));
    }

    #[test]
    fn solutions_of_random_systems_fulfil_them() {
        let mut random = Random::new(11);
        let ops = [BinaryOp::Lt, BinaryOp::Le, BinaryOp::Gt, BinaryOp::Ge, BinaryOp::Eq, BinaryOp::Ne];
        let mut solved = 0;
        for _ in 0..300 {
            let mut system = System::new(vec![(-8, 8); 6]);
            for _ in 0..12 {
                let operand = |random: &mut Random| Operand {
                    variable: (!random.one_in(4)).then(|| random.below(6)),
                    offset: random.below(7) as i128 - 3,
                };
                let (left, right) = (operand(&mut random), operand(&mut random));
                let one = constraint(left, *random.pick(&ops).unwrap(), right);
                system.add(if random.one_in(2) { one } else { one.negated() });
            }
            let constraints = system.constraints.clone();
            let Some(values) = system.solve(&[0; 6], &mut random) else { continue };
            solved += 1;
            let value = |operand: Operand| operand.variable.map_or(0, |at| values[at]) + operand.offset;
            for Constraint { left, op, right } in constraints {
                let (left, right) = (value(left), value(right));
                let holds = match op {
                    BinaryOp::Lt => left < right,
                    BinaryOp::Le => left <= right,
                    BinaryOp::Gt => left > right,
                    BinaryOp::Ge => left >= right,
                    BinaryOp::Eq => left == right,
                    _ => left != right,
                };
                assert!(holds, "{left} {op:?} {right}");
            }
        }
        assert!(solved > 200, "{solved}");
    }
}
