//! Solves branches at the frontier without a solver. The operands of the branch's comparison are known at run time: an
//! input that equals one of them is replaced by the other (RedQueen: Aschermann et al., NDSS 2019). If the run then
//! leaves its path before it comes to the branch, the path is repaired in the same way, with other inputs. Where an
//! input only influences the distance between the operands, the distance is brought to zero: by a straight line if it
//! is linear, otherwise step by step (Eclipser: Choi et al., ICSE 2019; VeriFuzz: Basak Chowdhury et al., TACAS 2019).

use crate::campaign::Campaign;
use crate::frontier::Wanted;
use crate::path::{Path, Step};
use crate::values::{self, Shape};
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::service::execution::{RunLimits, WhenInputsEnd};

/// Traced runs for one branch and one entry.
const MAX_TRACED: u64 = 400;
/// Positions whose influence is measured.
const MAX_POSITIONS: usize = 48;
/// Changes that are tried to turn one branch, or to bring a run back to its path.
const MAX_CHANGES: usize = 24;
const MAX_REPAIR_CHANGES: usize = 6;
/// Branches of one run that are brought back to its path.
const MAX_REPAIRS: usize = 40;
/// Branches before the wanted one that are turned where its own condition shows no input to change.
const NEIGHBOURS: usize = 12;
/// Comparisons of one trace from which values are learned.
const MAX_LEARNED_FROM: usize = 2048;

/// An attempt to take one side of a branch, starting from the vector of one entry.
struct Problem {
    wanted: Wanted,
    values: Vec<u64>,
    limit: u64,
    /// Traced runs that are left.
    budget: u64,
    /// The run of `values`.
    path: Path,
}

/// One input gets another value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    pub at: usize,
    pub value: u64,
}

impl Campaign<'_> {
    /// Tries the next branch of the frontier.
    pub fn solve_next(&mut self) -> Result<()> {
        let before = self.runs.work();
        let Some(wanted) = self.frontier.next() else { return Ok(()) };
        let attempts = self.frontier.attempts(wanted.branch);
        let examples = self.knowledge.corpus.examples(wanted.twin);
        // The cheapest entry first, then any other.
        let cost = |at: &u32| self.knowledge.corpus.get(*at as usize).map_or(u64::MAX, |entry| entry.cost());
        let chosen = match attempts {
            0 | 1 => examples.iter().copied().min_by_key(cost),
            _ => self.knowledge.random.pick(examples).copied(),
        };
        if let Some(index) = chosen {
            self.solve(wanted, index as usize)?;
        }
        self.shares.solving += self.runs.work() - before;
        Ok(())
    }

    fn solve(&mut self, wanted: Wanted, index: usize) -> Result<()> {
        let limit = self.limit_for(index);
        let Some(entry) = self.knowledge.corpus.get(index) else { return Ok(()) };
        let mut values = entry.values.clone();
        // Inputs beyond the vector were zero: they may be changed as well.
        values.resize(values.len().max(entry.consumed().min(values.len() + MAX_POSITIONS)), 0);
        let mut problem = Problem { wanted, values, limit, budget: MAX_TRACED, path: Path::default() };
        problem.path = self.trace(&mut problem, None)?;
        self.learn();
        if self.frontier.twin_is_dead_end(wanted) {
            self.walk(problem.values.clone(), limit)?;
            if self.given_up(&problem) {
                return Ok(());
            }
        }
        let turns = match self.frontier.wanted_truth(wanted) {
            Some(truth) => problem.path.turns(wanted.branch, !truth),
            None => Vec::new(),
        };
        if turns.is_empty() {
            // The condition does not compare integers, or came too late to be recorded.
            self.frontier.discourage(wanted.branch);
            self.try_values(&problem);
            return Ok(());
        }
        for &turn in &turns {
            if self.turn(&mut problem, turn)? {
                return Ok(());
            }
        }
        for &turn in turns.iter().take(2) {
            if self.descend(&mut problem, turn)? {
                return Ok(());
            }
        }
        self.turn_neighbours(&mut problem, turns[0])
    }

    /// Whether the work on this problem ends: it is solved, or the campaign is over, or it was too much work.
    fn given_up(&self, problem: &Problem) -> bool {
        problem.budget == 0 || self.reached(problem.wanted) || self.goals.done() || self.host.stopped().is_some()
    }

    fn reached(&self, wanted: Wanted) -> bool {
        self.knowledge.map.is_covered(wanted.edge)
    }

    /// Runs the problem's vector, or another one, with comparisons recorded.
    fn trace(&mut self, problem: &mut Problem, other: Option<&[u64]>) -> Result<Path> {
        problem.budget = problem.budget.saturating_sub(1);
        self.trace_values(other.unwrap_or(&problem.values), problem.limit)
    }

    /// Runs a vector with comparisons recorded.
    pub fn trace_values(&mut self, values: &[u64], limit: u64) -> Result<Path> {
        let limits = RunLimits { steps: limit, when_inputs_end: WhenInputsEnd::Zero };
        let exit = self.runs.run_traced(values, &limits)?;
        self.judge(exit, limit, WhenInputsEnd::Zero, true);
        Ok(Path::of(self.runs.trace(), &self.frontier))
    }

    /// Learns constants that inputs were compared with from the last trace: the operand beside one that equals an input.
    fn learn(&mut self) {
        let trace = self.runs.trace();
        let knowledge = &mut *self.knowledge;
        let inputs = trace.consumed();
        let recent = &inputs[..inputs.len().min(64)];
        for compared in trace.comparisons().iter().take(MAX_LEARNED_FROM) {
            if compared.left == compared.right {
                continue;
            }
            for input in recent {
                let shape = knowledge.shapes.of(input.function);
                let value = shape.extended(input.bits);
                // Zero equals too many values to show a relation.
                if value == 0 || shape.is_float() {
                    continue;
                }
                let other = if value == compared.left {
                    compared.right
                } else if value == compared.right {
                    compared.left
                } else {
                    continue;
                };
                knowledge.dictionary.learn(input.function, other & shape.mask());
            }
        }
    }

    /// Tries to make the run go the other way at one of its steps, and to keep it on its path until there.
    fn turn(&mut self, problem: &mut Problem, turn: usize) -> Result<bool> {
        let Some(&step) = problem.path.steps.get(turn) else { return Ok(false) };
        let path = problem.path.clone();
        for change in self.changes(&path, step, !step.holds, &[], MAX_CHANGES) {
            let mut values = problem.values.clone();
            let Some(place) = values.get_mut(change.at) else { continue };
            *place = change.value;
            let changed = self.trace(problem, Some(&values))?;
            if !self.given_up(problem) && path.divergence(&changed, turn).is_some() {
                self.repair(problem, &path, turn, values, change.at, changed)?;
            }
            if self.given_up(problem) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Brings a run that left its path before the step `turn` back to it, with inputs that were not changed yet.
    fn repair(
        &mut self,
        problem: &mut Problem,
        way: &Path,
        turn: usize,
        mut values: Vec<u64>,
        changed: usize,
        mut path: Path,
    ) -> Result<()> {
        let mut frozen = vec![changed];
        for _ in 0..MAX_REPAIRS {
            let Some(at) = way.divergence(&path, turn) else { return Ok(()) };
            let Some(&step) = path.steps.get(at).filter(|step| step.branch == way.steps[at].branch) else {
                return Ok(());
            };
            // The change that leads furthest is best. A change that breaks an earlier step is accepted, too: in a chain
            // of constraints one repair demands the next, and each of them takes one more input.
            let mut best: Option<(usize, Change, Path)> = None;
            for change in self.changes(&path, step, !step.holds, &frozen, MAX_REPAIR_CHANGES) {
                let Some(place) = values.get_mut(change.at) else { continue };
                let old = std::mem::replace(place, change.value);
                let next = self.trace(problem, Some(&values))?;
                values[change.at] = old;
                if self.given_up(problem) {
                    return Ok(());
                }
                let until = way.divergence(&next, turn).unwrap_or(turn);
                if until != at && best.as_ref().is_none_or(|(known, ..)| until > *known) {
                    best = Some((until, change, next));
                    if until > at {
                        break;
                    }
                }
            }
            let Some((_, change, next)) = best else { return Ok(()) };
            values[change.at] = change.value;
            frozen.push(change.at);
            path = next;
        }
        Ok(())
    }

    /// Changes of single inputs that probably make a step's condition hold, or not hold: of inputs that equal an operand,
    /// or differ from it by little. Inputs that the text passes on to an operand come first, and later ones before
    /// earlier ones, since the last inputs are the likeliest to decide it.
    pub fn changes(&mut self, path: &Path, step: Step, truth: bool, frozen: &[usize], most: usize) -> Vec<Change> {
        let Some(relation) = self.frontier.relation(step.branch) else { return Vec::new() };
        let mask = u64::MAX >> (64 - step.bits.clamp(1, 64));
        // In order of likelihood: known to flow to the operand or not, equal or only near.
        let mut ranks: [Vec<Change>; 4] = Default::default();
        for (at, input) in path.inputs.iter().enumerate().rev() {
            let shape = self.knowledge.shapes.of(input.function);
            if frozen.contains(&at) || shape.is_float() {
                continue;
            }
            let value = shape.extended(input.bits);
            for (side, this, other) in [(0, step.left, step.right), (1, step.right, step.left)] {
                let offset = value.wrapping_sub(this);
                let near = offset & mask != 0;
                if near && (offset as i64).unsigned_abs() > 64 {
                    continue;
                }
                let flows = self.frontier.flows_to(step.branch, side, input.edge);
                let rank = &mut ranks[usize::from(near) + 2 * usize::from(!flows)];
                if rank.len() >= 4 * most {
                    continue;
                }
                let fits = |operand: u64| {
                    let (left, right) = if side == 0 { (operand, other) } else { (other, operand) };
                    relation.holds(left, right) == truth
                };
                let offset = if near { offset } else { 0 };
                self.choices(shape, other, offset, &fits, |value| rank.push(Change { at, value }));
            }
        }
        // If too many inputs are alike, the others are tried next time.
        for rank in ranks.iter_mut().filter(|rank| rank.len() > most) {
            let start = self.knowledge.random.below(rank.len());
            rank.rotate_left(start);
        }
        ranks.into_iter().flatten().take(most).collect()
    }

    /// Values of an input for which its operand fits: the other operand and its neighbours, and values further away in
    /// case these do not fit or break other branches.
    fn choices(
        &mut self,
        shape: Shape,
        other: u64,
        offset: u64,
        fits: &dyn Fn(u64) -> bool,
        mut take: impl FnMut(u64),
    ) {
        let random = &mut self.knowledge.random;
        let far = random.between(2, 100) as u64;
        let candidates = [
            other,
            other.wrapping_add(1),
            other.wrapping_sub(1),
            other.wrapping_add(far),
            other.wrapping_sub(far),
            shape.extended(values::arbitrary(shape, random)).wrapping_sub(offset),
        ];
        let mut taken = 0;
        for operand in candidates {
            let value = operand.wrapping_add(offset) & shape.mask();
            // The input's value after conversion to its own type must still fit.
            if taken < 3 && fits(shape.extended(value).wrapping_sub(offset)) {
                take(value);
                taken += 1;
            }
        }
    }

    /// Turns branches shortly before the wanted one: they often compute the value that it tests.
    fn turn_neighbours(&mut self, problem: &mut Problem, turn: usize) -> Result<()> {
        for before in (turn.saturating_sub(NEIGHBOURS)..turn).rev() {
            if self.turn(problem, before)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Changes one input after the other so that the distance between the operands shrinks.
    fn descend(&mut self, problem: &mut Problem, turn: usize) -> Result<bool> {
        let Some(&start) = problem.path.steps.get(turn) else { return Ok(false) };
        let (mut best, inputs) = (start, problem.path.inputs.clone());
        for at in (0..problem.values.len().min(inputs.len())).rev().take(MAX_POSITIONS) {
            let shape = self.knowledge.shapes.of(inputs[at].function);
            if shape.is_float() {
                continue;
            }
            let changed = self.probe(problem, at, problem.values[at].wrapping_add(1) & shape.mask(), turn)?;
            if self.given_up(problem) {
                return Ok(true);
            }
            let Some(changed) = changed.filter(|changed| changed.distance() != best.distance()) else { continue };
            let slope = changed.distance().wrapping_sub(best.distance());
            self.jump(problem, at, &mut best, slope, turn, shape.mask())?;
            self.climb(problem, at, &mut best, slope, turn, shape.mask())?;
            if self.given_up(problem) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The step at the same place of the path if the input at this position were `value`; `None` where the run does not
    /// come to the wanted branch there.
    fn probe(&mut self, problem: &mut Problem, at: usize, value: u64, turn: usize) -> Result<Option<Step>> {
        let old = std::mem::replace(&mut problem.values[at], value);
        let path = self.trace(problem, None);
        problem.values[at] = old;
        Ok(path?.steps.get(turn).copied().filter(|step| step.branch == problem.wanted.branch))
    }

    /// The straight line through two points hits zero here, if the distance is linear in the input.
    fn jump(
        &mut self,
        problem: &mut Problem,
        at: usize,
        best: &mut Step,
        slope: i64,
        turn: usize,
        mask: u64,
    ) -> Result<()> {
        let steps = best.distance().wrapping_neg().checked_div(slope).unwrap_or(0);
        let goal = problem.values[at].wrapping_add(steps as u64);
        for near in [0, 1, -1, 2, -2i64] {
            let value = goal.wrapping_add(near as u64) & mask;
            let found = self.probe(problem, at, value, turn)?;
            if self.given_up(problem) {
                return Ok(());
            }
            if let Some(found) = found.filter(|found| nearer(found, best)) {
                problem.values[at] = value;
                *best = found;
            }
        }
        Ok(())
    }

    /// Goes on in the direction that shrinks the distance, in steps that double while that helps.
    fn climb(
        &mut self,
        problem: &mut Problem,
        at: usize,
        best: &mut Step,
        slope: i64,
        turn: usize,
        mask: u64,
    ) -> Result<()> {
        let mut step: u64 = 1;
        let mut up = (slope < 0) == (best.distance() > 0);
        let mut turned = false;
        while !self.given_up(problem) {
            let old = problem.values[at];
            let value = if up { old.wrapping_add(step) } else { old.wrapping_sub(step) } & mask;
            match self.probe(problem, at, value, turn)? {
                Some(found) if nearer(&found, best) => {
                    problem.values[at] = value;
                    *best = found;
                    step = step.saturating_mul(2);
                }
                _ if step > 1 => step = (step / 4).max(1),
                _ if turned => return Ok(()),
                _ => {
                    turned = true;
                    up = !up;
                }
            }
        }
        Ok(())
    }

    /// For a condition that shows no input to change: tries other values for each input, one at a time.
    fn try_values(&mut self, problem: &Problem) {
        let positions = problem.values.len().min(problem.path.inputs.len());
        for at in (0..positions).rev().take(MAX_POSITIONS) {
            let function = problem.path.inputs[at].function;
            let shape = self.knowledge.shapes.of(function);
            let mut values = problem.values.clone();
            let random = &mut self.knowledge.random;
            let drawn = self.knowledge.dictionary.draw(function, shape, random);
            let choices = [
                Some(values::boundary(shape, random)),
                Some(values::nudged(shape, values[at], random)),
                drawn,
                Some(shape.of_integer(i128::from(values[at] == 0))),
            ];
            for value in choices.into_iter().flatten() {
                values[at] = value;
                self.attempt(&values, problem.limit, WhenInputsEnd::Zero);
                if self.given_up(problem) {
                    return;
                }
            }
        }
    }
}

fn nearer(found: &Step, best: &Step) -> bool {
    found.distance().unsigned_abs() < best.distance().unsigned_abs()
}
