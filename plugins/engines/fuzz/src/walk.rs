//! Walks through assumptions: where a run takes a branch behind which no goal lies any more, all comparisons of inputs
//! on its path are solved together with the negation of the last, and the walk goes on with the solution. A sequence of
//! assumptions may bind dozens of inputs at once, so that changing single inputs does not help.

use crate::campaign::Campaign;
use crate::path::{Path, Step};
use crate::random::Random;
use crate::system::{Constraint, Operand, System};
use crate::values::{Shape, Shapes};
use rustc_hash::{FxHashMap, FxHashSet};
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::service::execution::ConsumedInput;

/// The most runs of one walk, and the most of its runs without any progress.
const MAX_RUNS: usize = 240;
const PATIENCE: usize = 24;
/// Choices before a gate that may be turned in its place.
const MAX_BACK: usize = 8;
/// Longer paths and larger systems are not tried: they take too much work.
const MAX_STEPS: usize = 20_000;
const MAX_CONSTRAINTS: usize = 400;
/// Inputs whose comparisons are looked at.
const MAX_INPUTS: usize = 512;
/// How far an operand may be from an input that the text passes on to it: `x + 3`.
const MAX_OFFSET: u128 = 64;

/// How often the rest of a vector is moved to where it is read, and by how much at most.
const MAX_MOVES: usize = 4;
const MAX_SHIFT: usize = 16;
/// Inputs that must be read alike after a shift.
const ALIKE: usize = 3;

/// Inputs that another run reads in addition, or does not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shift {
    Insert { at: usize, count: usize },
    Remove { at: usize, count: usize },
}

/// How the inputs after the first difference between two runs must be moved so that the same code reads them again.
fn shift(before: &[ConsumedInput], after: &[ConsumedInput]) -> Option<Shift> {
    let at = before.iter().zip(after).position(|(one, other)| one.edge != other.edge)?;
    let alike = |one: &[ConsumedInput], other: &[ConsumedInput]| {
        let compared = one.len().min(other.len()).min(ALIKE);
        compared > 0 && one[..compared].iter().zip(other).all(|(one, other)| one.edge == other.edge)
    };
    (1..=MAX_SHIFT).find_map(|count| {
        if after.get(at + count..).is_some_and(|later| alike(&before[at..], later)) {
            Some(Shift::Insert { at, count })
        } else if before.get(at + count..).is_some_and(|later| alike(&after[at..], later)) {
            Some(Shift::Remove { at, count })
        } else {
            None
        }
    })
}

/// Gates after a choice that may depend on it.
const GUARDED: usize = 3;
/// The cost of looking at a constraint, in steps.
const COST_OF_SOLVING: u64 = 2;

/// The role of a comparison on the way to a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The other side leads to no goal.
    Gate,
    /// A gate shortly after the choice with this number; another choice may avoid the gate.
    Guarded(usize),
    /// Both sides lead on.
    Choice(usize),
}

/// The inputs that were compared on a path, as variables of a system.
#[derive(Default)]
struct Variables {
    positions: Vec<usize>,
    known: FxHashMap<usize, usize>,
}

impl Variables {
    fn of(&mut self, position: usize) -> usize {
        *self.known.entry(position).or_insert_with(|| {
            self.positions.push(position);
            self.positions.len() - 1
        })
    }
}

/// Drops constraints that no chain of common variables connects with the first: they hold now, and no change affects
/// them.
fn keep_connected(first: Constraint, others: &mut Vec<(Constraint, Kind)>, variables: usize) {
    let of = |constraint: &Constraint| [constraint.left.variable, constraint.right.variable].into_iter().flatten();
    let mut reached = vec![false; variables];
    of(&first).for_each(|variable| reached[variable] = true);
    let mut changed = true;
    while changed {
        changed = false;
        for (constraint, _) in others.iter() {
            if of(constraint).any(|variable| reached[variable]) {
                for variable in of(constraint) {
                    changed |= !std::mem::replace(&mut reached[variable], true);
                }
            }
        }
    }
    others.retain(|(constraint, _)| of(constraint).any(|variable| reached[variable]));
}

/// Adds constraints that do not contradict the rest: gates first, then choices in any order, each with the gates that
/// depend on it.
fn add_all(system: &mut System, constraints: &[(Constraint, Kind)], random: &mut Random) {
    let (mut choices, mut guarded) = (Vec::new(), FxHashMap::<usize, Vec<Constraint>>::default());
    for &(constraint, kind) in constraints {
        match kind {
            Kind::Choice(number) => choices.push((constraint, number)),
            Kind::Guarded(choice) if constraints.iter().any(|(_, kind)| *kind == Kind::Choice(choice)) => {
                guarded.entry(choice).or_default().push(constraint);
            }
            _ => {
                system.add(constraint);
            }
        }
    }
    while !choices.is_empty() {
        let (choice, number) = choices.swap_remove(random.below(choices.len()));
        if system.add(choice) {
            for &gate in guarded.get(&number).into_iter().flatten() {
                system.add(gate);
            }
        }
    }
}

impl Campaign<'_> {
    /// Repairs the vector at the branch where its run loses all goals, repeatedly.
    pub fn walk(&mut self, mut values: Vec<u64>, limit: u64) -> Result<()> {
        let mut path = self.trace_values(&values, limit)?;
        let mut best = (0, values.clone(), path.clone());
        let mut patience = PATIENCE;
        for _ in 0..MAX_RUNS {
            let Some(end) = self.point_of_no_return(&path) else { return Ok(()) };
            let passed = self.gates_before(&path, end);
            if passed > best.0 {
                best = (passed, values.clone(), path.clone());
                patience = PATIENCE;
            } else if patience == 0 || self.goals.done() || self.host.stopped().is_some() {
                return Ok(());
            } else {
                patience -= 1;
                if passed < best.0 && self.knowledge.random.one_in(4) {
                    (values, path) = (best.1.clone(), best.2.clone());
                }
            }
            let Some(turn) = self.where_to_turn(&path, patience < PATIENCE / 2) else { return Ok(()) };
            let repaired = self.repaired(&values, &path, turn).or_else(|| match self.knowledge.random.one_in(2) {
                true => self.changed_somehow(&values, &path, turn),
                false => self.repaired_before(&values, &path, turn),
            });
            let Some(repaired) = repaired else { continue };
            (values, path) = self.follow(repaired, &path, limit)?;
        }
        Ok(())
    }

    /// The step to turn next: the one at which all goals are lost or, if that does not help, a choice before it.
    fn where_to_turn(&mut self, path: &Path, stuck: bool) -> Option<usize> {
        let end = self.point_of_no_return(path)?;
        if !stuck || self.knowledge.random.one_in(2) {
            return Some(end);
        }
        let back = self.knowledge.random.short(64);
        (0..end).rev().filter(|&at| !self.is_gate(&path.steps[at])).take(back).last().or(Some(end))
    }

    /// Runs repaired values. If the run reads more or fewer inputs in between than the one before, those that come after
    /// are moved, so that each is read where it was.
    fn follow(&mut self, mut values: Vec<u64>, before: &Path, limit: u64) -> Result<(Vec<u64>, Path)> {
        let mut path = self.trace_values(&values, limit)?;
        for _ in 0..MAX_MOVES {
            let Some(shift) = shift(&before.inputs, &path.inputs) else { break };
            match shift {
                Shift::Insert { at, count } if at < values.len() => {
                    values.splice(at..at, std::iter::repeat_n(0, count));
                }
                Shift::Remove { at, count } if at + count <= values.len() => {
                    values.drain(at..at + count);
                }
                _ => break,
            }
            path = self.trace_values(&values, limit)?;
        }
        Ok((values, path))
    }

    /// The first step after which no goal can be reached, although it could before.
    fn point_of_no_return(&self, path: &Path) -> Option<usize> {
        let steps = &path.steps[..path.steps.len().min(MAX_STEPS)];
        steps.iter().position(|step| self.frontier.is_dead_end(step.branch, step.holds))
    }

    fn is_gate(&self, step: &Step) -> bool {
        self.frontier.is_dead_end(step.branch, !step.holds)
    }

    fn gates_before(&self, path: &Path, end: usize) -> usize {
        path.steps[..end].iter().filter(|step| self.is_gate(step)).count()
    }

    /// Values with which the run should go on at the step `end`, and until there pass all gates that it passed.
    fn repaired(&mut self, values: &[u64], path: &Path, end: usize) -> Option<Vec<u64>> {
        let inputs = &path.inputs[..path.inputs.len().min(MAX_INPUTS)];
        let mut variables = Variables::default();
        let mut ordered = self.constraints(path, inputs, end, &mut variables);
        let shapes: Vec<Shape> =
            variables.positions.iter().map(|&at| self.knowledge.shapes.of(inputs[at].function)).collect();
        let mut system = System::new(shapes.iter().map(|shape| shape.range()).collect());
        let (last, _) = ordered.pop()?;
        keep_connected(last, &mut ordered, variables.positions.len());
        if !system.add(last.negated()) {
            return None;
        }
        add_all(&mut system, &ordered, &mut self.knowledge.random);
        let now: Vec<i128> =
            variables.positions.iter().zip(&shapes).map(|(&at, shape)| shape.number(inputs[at].bits)).collect();
        let solution = system.solve(&now, &mut self.knowledge.random);
        self.runs.spend(COST_OF_SOLVING * (system.effort() + path.steps.len() as u64));
        let solution = solution?;
        let mut repaired = values.to_vec();
        for ((&at, &shape), &number) in variables.positions.iter().zip(&shapes).zip(&solution) {
            if at >= repaired.len() {
                repaired.resize(at + 1, 0);
            }
            repaired[at] = shape.of_integer(number);
        }
        (repaired != values).then_some(repaired)
    }

    /// The same for the last choice before the step that depends on inputs. Conditions are often computed by branches,
    /// `ok = a < b && c < d`, and only then tested.
    fn repaired_before(&mut self, values: &[u64], path: &Path, end: usize) -> Option<Vec<u64>> {
        let choices = (0..end).rev().filter(|&at| !self.is_gate(&path.steps[at]));
        let last: Vec<usize> = choices.take(MAX_BACK).collect();
        last.into_iter().find_map(|at| self.repaired(values, path, at))
    }

    /// The comparisons of inputs up to and including the step `end`.
    fn constraints(
        &mut self,
        path: &Path,
        inputs: &[ConsumedInput],
        end: usize,
        variables: &mut Variables,
    ) -> Vec<(Constraint, Kind)> {
        let mut positions: FxHashMap<EdgeId, Vec<usize>> = FxHashMap::default();
        for (at, input) in inputs.iter().enumerate() {
            positions.entry(input.edge).or_default().push(at);
        }
        let (mut found, mut known) = (Vec::new(), FxHashSet::default());
        let (mut choice, mut since_choice) = (0, GUARDED);
        for (at, step) in path.steps[..=end].iter().enumerate() {
            let Some(relation) = self.frontier.relation(step.branch) else { continue };
            let kind = match self.is_gate(step) {
                true if since_choice < GUARDED => Kind::Guarded(choice),
                true => Kind::Gate,
                false => Kind::Choice(at),
            };
            (choice, since_choice) = if let Kind::Choice(at) = kind { (at, 0) } else { (choice, since_choice + 1) };
            let number = |bits: u64| if relation.is_signed() { i128::from(bits as i64) } else { i128::from(bits) };
            let left = self.link(step.branch, 0, number(step.left), inputs, &positions, variables);
            let right = self.link(step.branch, 1, number(step.right), inputs, &positions, variables);
            let holding = Constraint { left, op: relation.op(), right };
            let constraint = if step.holds { holding } else { holding.negated() };
            let telling = left.variable.or(right.variable).is_some();
            let new = telling && found.len() < MAX_CONSTRAINTS && known.insert((step.branch, step.holds, left, right));
            if new || at == end {
                found.push((constraint, kind));
            }
        }
        found
    }

    /// An operand as an input plus a number, if the text passes that input on to it and the values agree. If several
    /// inputs fit, the result is one of them or `None`.
    fn link(
        &mut self,
        branch: usize,
        side: usize,
        operand: i128,
        inputs: &[ConsumedInput],
        positions: &FxHashMap<EdgeId, Vec<usize>>,
        variables: &mut Variables,
    ) -> Operand {
        let lists = self.frontier.inputs(branch, side);
        let chosen = lists.iter().find_map(|edges| {
            let candidates = edges.iter().filter_map(|edge| positions.get(edge)).flatten().copied();
            Self::linked(&self.knowledge.shapes, &mut self.knowledge.random, operand, inputs, candidates)
        });
        match chosen {
            Some(at) => {
                let value = self.knowledge.shapes.of(inputs[at].function).number(inputs[at].bits);
                Operand { variable: Some(variables.of(at)), offset: operand - value }
            }
            None => Operand { variable: None, offset: operand },
        }
    }

    /// The position among the candidates whose value the operand has.
    fn linked(
        shapes: &Shapes,
        random: &mut Random,
        operand: i128,
        inputs: &[ConsumedInput],
        candidates: impl Iterator<Item = usize>,
    ) -> Option<usize> {
        let (mut equal, mut near) = (Vec::new(), Vec::new());
        for at in candidates {
            let shape = shapes.of(inputs[at].function);
            let offset = operand - shape.number(inputs[at].bits);
            if offset == 0 && !shape.is_float() {
                equal.push(at);
            } else if offset.unsigned_abs() <= MAX_OFFSET && !shape.is_float() {
                near.push(at);
            }
        }
        match (equal.as_slice(), near.as_slice()) {
            (&[only], _) | ([], &[only]) => Some(only),
            ([], _) => None,
            (several, _) => random.pick(several).copied().filter(|_| !random.one_in(3)),
        }
    }

    /// Any single change that is likely to turn the step.
    fn changed_somehow(&mut self, values: &[u64], path: &Path, end: usize) -> Option<Vec<u64>> {
        let step = *path.steps.get(end)?;
        let changes = self.changes(path, step, !step.holds, &[], 24);
        let change = *self.knowledge.random.pick(&changes)?;
        let mut changed = values.to_vec();
        if change.at >= changed.len() {
            changed.resize(change.at + 1, 0);
        }
        changed[change.at] = change.value;
        Some(changed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_by(edges: &[u32]) -> Vec<ConsumedInput> {
        let input = |&edge: &u32| ConsumedInput { function: FunctionId(0), edge: EdgeId(edge), bits: 0 };
        edges.iter().map(input).collect()
    }

    #[test]
    fn inputs_that_come_in_between_are_found() {
        let before = read_by(&[1, 2, 3, 4, 5, 6]);
        assert_eq!(shift(&before, &before), None);
        assert_eq!(shift(&before, &read_by(&[1, 2])), None, "shorter, but alike");
        assert_eq!(shift(&before, &read_by(&[1, 2, 9, 9, 3, 4, 5, 6])), Some(Shift::Insert { at: 2, count: 2 }));
        assert_eq!(shift(&before, &read_by(&[1, 4, 5, 6])), Some(Shift::Remove { at: 1, count: 2 }));
        assert_eq!(shift(&before, &read_by(&[1, 7, 8, 7, 8])), None, "nothing alike");
    }

    #[test]
    fn only_what_is_connected_with_the_change_stays() {
        let operand = |variable: Option<usize>| Operand { variable, offset: 0 };
        let less = |left, right| Constraint {
            left: operand(left),
            op: tandem_plugin_api::program::BinaryOp::Lt,
            right: operand(right),
        };
        let first = less(Some(0), None);
        let mut others = vec![
            (less(Some(2), Some(3)), Kind::Gate),
            (less(Some(4), None), Kind::Gate),
            (less(Some(1), Some(2)), Kind::Gate),
            (less(Some(0), Some(1)), Kind::Gate),
        ];
        keep_connected(first, &mut others, 5);
        assert_eq!(others.len(), 3, "{others:?}");
        assert!(others.iter().all(|(constraint, _)| constraint.left.variable != Some(4)));
    }

    #[test]
    fn what_a_choice_guards_goes_with_it() {
        let number = |offset| Operand { variable: None, offset };
        let x = Operand { variable: Some(0), offset: 0 };
        let less = |left, right| Constraint { left, op: tandem_plugin_api::program::BinaryOp::Lt, right };
        let mut system = System::new(vec![(0, 100)]);
        assert!(system.add(less(number(50), x)));
        let others = [(less(x, number(40)), Kind::Choice(1)), (less(number(90), x), Kind::Guarded(1))];
        add_all(&mut system, &others, &mut Random::new(1));
        assert_eq!(system.clone().solve(&[60], &mut Random::new(1)), Some(vec![60]));
        add_all(&mut system, &others[1..], &mut Random::new(1));
        assert_eq!(
            system.solve(&[60], &mut Random::new(1)),
            Some(vec![91]),
            "a gate of its own if the choice is unknown"
        );
    }
}
