//! Solves branches at the frontier without a solver. The operands of the branch's comparison are known at run time: an
//! input that equals one of them is replaced by the other (RedQueen: Aschermann et al., NDSS 2019), and where an input
//! only influences the distance between them, the distance is brought to zero, by a straight line if it is linear and
//! step by step if not (Eclipser: Choi et al., ICSE 2019; VeriFuzz: Basak Chowdhury et al., TACAS 2019).

use crate::campaign::Campaign;
use crate::frontier::Wanted;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::service::execution::{ComparedValues, RunLimits, WhenInputsEnd};

/// Traced runs for one branch and one entry.
const MAX_TRACED: u64 = 160;
/// Positions whose influence is measured.
const MAX_POSITIONS: usize = 48;
/// Positions that are replaced because they equal an operand.
const MAX_MATCHES: usize = 16;
/// Comparisons of one trace from which values are learned.
const MAX_LEARNED_FROM: usize = 2048;

/// The operands of the branch in one of its executions in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Operands {
    /// Which execution of the branch, counted from 0.
    turn: usize,
    bits: u32,
    left: u64,
    right: u64,
}

impl Operands {
    /// The signed distance. Both are extended alike, so that it is right for all but the widest unsigned values.
    fn distance(self) -> i64 {
        self.left.wrapping_sub(self.right) as i64
    }
}

/// An attempt to take one side of a branch, starting from the vector of one entry.
struct Problem {
    wanted: Wanted,
    values: Vec<u64>,
    limit: u64,
    /// Traced runs that are left.
    budget: u64,
}

impl Campaign<'_> {
    /// Tries the next branch of the frontier.
    pub fn solve_next(&mut self) -> Result<()> {
        let before = self.runs.work();
        let Some(wanted) = self.frontier.next() else { return Ok(()) };
        let attempts = self.frontier.attempts(wanted.branch);
        let examples = self.knowledge.corpus.examples(wanted.twin);
        // The cheapest first, then whichever.
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
        let mut problem = Problem { wanted, values, limit, budget: MAX_TRACED };
        let turns = self.trace(&mut problem)?;
        self.learn();
        if turns.is_empty() {
            // The condition is no comparison of integers, or came too late to be recorded.
            self.frontier.discourage(wanted.branch);
            self.try_values(&problem);
            return Ok(());
        }
        for operands in interesting(&turns) {
            if self.match_operands(&problem, operands) || self.stop_solving() {
                return Ok(());
            }
        }
        for operands in interesting(&turns).into_iter().take(2) {
            if self.descend(&mut problem, operands)? || self.stop_solving() {
                return Ok(());
            }
        }
        Ok(())
    }

    fn stop_solving(&self) -> bool {
        self.goals.done() || self.host.stopped().is_some()
    }

    fn reached(&self, wanted: Wanted) -> bool {
        self.knowledge.map.is_covered(wanted.edge)
    }

    /// Runs the problem's vector with comparisons recorded; what the wanted branch compared in each of its turns.
    fn trace(&mut self, problem: &mut Problem) -> Result<Vec<Operands>> {
        problem.budget = problem.budget.saturating_sub(1);
        let limits = RunLimits { steps: problem.limit, when_inputs_end: WhenInputsEnd::Zero };
        let exit = self.runs.run_traced(&problem.values, &limits)?;
        self.judge(exit, problem.limit, WhenInputsEnd::Zero, true);
        let branch = Some(problem.wanted.branch);
        let own =
            self.runs.trace().comparisons().iter().filter(|compared| self.frontier.branch_of(compared.edge) == branch);
        Ok(own.enumerate().map(|(turn, compared)| operands(turn, compared)).collect())
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
                // Zero equals too much to tell anything.
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

    /// Replaces inputs that equal one operand, or differ from it by little, by what makes both equal or just unequal.
    fn match_operands(&mut self, problem: &Problem, operands: Operands) -> bool {
        for (at, wanted_value) in self.matches(problem, operands) {
            let Some(&function) = self.function_at(problem, at).as_ref() else { continue };
            let shape = self.knowledge.shapes.of(function);
            for near in [0, 1, -1i64] {
                let mut values = problem.values.clone();
                values[at] = wanted_value.wrapping_add(near as u64) & shape.mask();
                self.attempt(&values, problem.limit, WhenInputsEnd::Zero);
                if self.reached(problem.wanted) {
                    return true;
                }
            }
        }
        false
    }

    /// The function that read a position in the last traced run.
    fn function_at(&self, problem: &Problem, at: usize) -> Option<FunctionId> {
        debug_assert!(at < problem.values.len());
        self.runs.trace().consumed().get(at).map(|input| input.function)
    }

    /// Positions and values that would make the operands equal: exact matches first, then those off by a constant.
    fn matches(&self, problem: &Problem, operands: Operands) -> Vec<(usize, u64)> {
        let consumed = self.runs.trace().consumed();
        let mask = u64::MAX >> (64 - operands.bits.clamp(1, 64));
        let (mut exact, mut near) = (Vec::new(), Vec::new());
        // The last inputs before the branch are the likeliest to decide it.
        for (at, input) in consumed.iter().enumerate().take(problem.values.len()).rev() {
            let value = self.knowledge.shapes.of(input.function).extended(input.bits);
            for (this, other) in [(operands.left, operands.right), (operands.right, operands.left)] {
                let off = value.wrapping_sub(this);
                if off & mask == 0 {
                    exact.push((at, other));
                } else if (off as i64).unsigned_abs() <= 64 {
                    near.push((at, other.wrapping_add(off)));
                }
            }
            if exact.len() >= MAX_MATCHES {
                break;
            }
        }
        let room = MAX_MATCHES.saturating_sub(exact.len());
        exact.extend(near.into_iter().take(room));
        exact
    }

    /// Changes one input after the other so that the distance between the operands shrinks.
    fn descend(&mut self, problem: &mut Problem, start: Operands) -> Result<bool> {
        let mut best = start;
        let length = problem.values.len();
        for at in (0..length).rev().take(MAX_POSITIONS) {
            if problem.budget == 0 || self.stop_solving() {
                break;
            }
            let Some(function) = self.function_at(problem, at) else { continue };
            if self.knowledge.shapes.of(function).is_float() {
                continue;
            }
            let mask = self.knowledge.shapes.of(function).mask();
            let Some(changed) = self.probe(problem, at, problem.values[at].wrapping_add(1) & mask, best.turn)? else {
                continue;
            };
            if self.reached(problem.wanted) {
                return Ok(true);
            }
            if changed.distance() == best.distance() {
                continue;
            }
            let slope = changed.distance().wrapping_sub(best.distance());
            if self.jump(problem, at, &mut best, slope, mask)? || self.climb(problem, at, &mut best, slope, mask)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The operands if the input at this position were `value`; none where the branch is not reached that often then.
    fn probe(&mut self, problem: &mut Problem, at: usize, value: u64, turn: usize) -> Result<Option<Operands>> {
        let old = std::mem::replace(&mut problem.values[at], value);
        let turns = self.trace(problem);
        problem.values[at] = old;
        Ok(turns?.get(turn).copied())
    }

    /// The straight line through two points hits zero here, if the distance is linear in the input.
    fn jump(&mut self, problem: &mut Problem, at: usize, best: &mut Operands, slope: i64, mask: u64) -> Result<bool> {
        let steps = best.distance().wrapping_neg().checked_div(slope).unwrap_or(0);
        let goal = problem.values[at].wrapping_add(steps as u64);
        for near in [0, 1, -1, 2, -2i64] {
            let value = goal.wrapping_add(near as u64) & mask;
            let found = self.probe(problem, at, value, best.turn)?;
            if self.reached(problem.wanted) {
                return Ok(true);
            }
            if let Some(found) = found
                && found.distance().unsigned_abs() < best.distance().unsigned_abs()
            {
                problem.values[at] = value;
                *best = found;
                if found.distance() == 0 {
                    continue;
                }
            }
        }
        Ok(false)
    }

    /// Goes on in the direction that shrinks the distance, in steps that double while that helps.
    fn climb(&mut self, problem: &mut Problem, at: usize, best: &mut Operands, slope: i64, mask: u64) -> Result<bool> {
        let mut step: u64 = 1;
        let mut up = (slope < 0) == (best.distance() > 0);
        let mut turned = false;
        while problem.budget > 0 && !self.stop_solving() {
            let old = problem.values[at];
            let value = if up { old.wrapping_add(step) } else { old.wrapping_sub(step) } & mask;
            let found = self.probe(problem, at, value, best.turn)?;
            if self.reached(problem.wanted) {
                return Ok(true);
            }
            match found {
                Some(found) if found.distance().unsigned_abs() < best.distance().unsigned_abs() => {
                    problem.values[at] = value;
                    *best = found;
                    step = step.saturating_mul(2);
                }
                _ if step > 1 => step /= 4,
                _ if turned => return Ok(false),
                _ => {
                    turned = true;
                    up = !up;
                }
            }
            step = step.max(1);
        }
        Ok(false)
    }

    /// Where the condition tells nothing: other values for each input, one at a time.
    fn try_values(&mut self, problem: &Problem) {
        let consumed: Vec<FunctionId> = self.runs.trace().consumed().iter().map(|input| input.function).collect();
        let positions = problem.values.len().min(consumed.len());
        for at in (0..positions).rev().take(MAX_POSITIONS) {
            let shape = self.knowledge.shapes.of(consumed[at]);
            let mut values = problem.values.clone();
            let random = &mut self.knowledge.random;
            let drawn = self.knowledge.dictionary.draw(consumed[at], shape, random);
            let choices = [
                Some(crate::values::boundary(shape, random)),
                Some(crate::values::nudged(shape, values[at], random)),
                drawn,
                Some(shape.of_integer(i128::from(values[at] == 0))),
            ];
            for value in choices.into_iter().flatten() {
                values[at] = value;
                self.attempt(&values, problem.limit, WhenInputsEnd::Zero);
                if self.reached(problem.wanted) || self.stop_solving() {
                    return;
                }
            }
        }
    }
}

fn operands(turn: usize, compared: &ComparedValues) -> Operands {
    Operands { turn, bits: compared.bits, left: compared.left, right: compared.right }
}

/// The turns of a branch that promise most: the one with the smallest distance, the last, and the first.
fn interesting(turns: &[Operands]) -> Vec<Operands> {
    let nearest = turns.iter().min_by_key(|operands| operands.distance().unsigned_abs());
    let mut chosen: Vec<Operands> = Vec::new();
    for operands in [nearest, turns.last(), turns.first()].into_iter().flatten() {
        if !chosen.iter().any(|known| (known.left, known.right) == (operands.left, operands.right)) {
            chosen.push(*operands);
        }
    }
    chosen
}
