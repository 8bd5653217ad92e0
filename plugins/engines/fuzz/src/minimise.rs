//! Shortens the results: a vector so that it still reaches the error, a suite so that it still covers all goals.

use crate::campaign::{Campaign, Found};
use crate::coverage;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::service::execution::{ConsumedInput, Exit, RunLimits, WhenInputsEnd};
use tandem_plugin_api::service::recorded::TestedRun;

/// The most runs for one vector, and the most steps of all of them together.
const MAX_RUNS: u64 = 3000;
const MAX_WORK: u64 = 60_000_000;

/// A test of the result.
#[derive(Clone, Debug)]
pub struct Test {
    pub run: TestedRun,
    pub reaches_target: bool,
}

impl Campaign<'_> {
    /// The tests to return: few and short ones that cover all goals that were covered.
    pub fn tests(&mut self) -> Vec<Test> {
        let found = std::mem::take(&mut self.found);
        if !self.settings.minimise || self.host.stopped().is_some() {
            return found.iter().map(|found| self.as_it_is(found)).collect();
        }
        if self.goals.ending().is_empty() {
            return self.smallest_suite(&found);
        }
        found.iter().map(|found| self.shortest(found)).collect()
    }

    fn as_it_is(&self, found: &Found) -> Test {
        let goals = found.goals.iter().map(|&goal| (goal, found.inputs.len())).collect();
        let run = TestedRun { inputs: found.inputs.clone(), goals, edges: Vec::new() };
        Test { run, reaches_target: !self.goals.ending().is_empty() }
    }

    /// Runs exactly these inputs.
    fn replay(&mut self, inputs: &[ConsumedInput], steps: u64) -> Exit {
        let values: Vec<u64> = inputs.iter().map(|input| input.bits).collect();
        let limits = RunLimits { steps: self.replay_limit(steps), when_inputs_end: WhenInputsEnd::Stop };
        self.runs.run(&values, &limits)
    }

    /// Leaves out parts of the vector, large ones first, and sets values to zero, as long as a target is still reached.
    fn shortest(&mut self, found: &Found) -> Test {
        let mut budget = Budget { runs: MAX_RUNS, work_limit: self.runs.work() + MAX_WORK };
        let mut best = found.inputs.clone();
        let mut size = best.len();
        while size > 0 && self.may_go_on(&budget) {
            let mut end = best.len();
            while end > 0 && self.may_go_on(&budget) {
                let start = end.saturating_sub(size);
                let mut shorter = best.clone();
                shorter.drain(start..end.min(best.len()));
                self.keep_if_reached(&shorter, found.steps, &mut best, &mut budget);
                end = start.min(best.len());
            }
            size /= 2;
        }
        let mut at = 0;
        while at < best.len() && self.may_go_on(&budget) {
            if best[at].bits != 0 {
                let mut simpler = best.clone();
                simpler[at].bits = 0;
                self.keep_if_reached(&simpler, found.steps, &mut best, &mut budget);
            }
            at += 1;
        }
        let exit = self.replay(&best, found.steps);
        let edges = coverage::taken(self.runs.record().coverage());
        match exit {
            Exit::Target(goal) => {
                let run = TestedRun { goals: vec![(goal, best.len())], inputs: best, edges };
                Test { run, reaches_target: true }
            }
            // The run was stopped in between. The vector as it was found reached the error.
            _ => self.as_it_is(found),
        }
    }

    /// Whether these inputs reach a target, whatever uninitialised variables hold.
    fn is_alarm(&mut self, inputs: &[ConsumedInput], steps: u64) -> bool {
        if !matches!(self.replay(inputs, steps), Exit::Target(_)) {
            return false;
        }
        let values: Vec<u64> = inputs.iter().map(|input| input.bits).collect();
        let limits = RunLimits { steps: self.replay_limit(steps), when_inputs_end: WhenInputsEnd::Stop };
        self.runs.reaches_with_junk(&values, &limits).unwrap_or(false)
    }

    fn replay_limit(&self, steps: u64) -> u64 {
        steps.saturating_mul(2).max(self.settings.steps)
    }

    fn may_go_on(&self, budget: &Budget) -> bool {
        budget.runs > 0 && self.runs.work() < budget.work_limit && self.host.stopped().is_none()
    }

    fn keep_if_reached(
        &mut self,
        candidate: &[ConsumedInput],
        steps: u64,
        best: &mut Vec<ConsumedInput>,
        budget: &mut Budget,
    ) {
        budget.runs -= 1;
        if self.is_alarm(candidate, steps) {
            let inputs = self.runs.record().consumed();
            if (inputs.len(), zeros(best)) < (best.len(), zeros(inputs)) {
                *best = inputs.to_vec();
            }
        }
    }

    /// The tests that together cover everything, by the greedy algorithm for set cover, each cut after its last goal.
    fn smallest_suite(&mut self, found: &[Found]) -> Vec<Test> {
        let mut candidates: Vec<(usize, Vec<EdgeId>)> = Vec::new();
        for (at, test) in found.iter().enumerate() {
            self.replay(&test.inputs, test.steps);
            let goals = self.last_goals();
            candidates.push((at, goals));
        }
        let mut open: std::collections::BTreeSet<EdgeId> = found.iter().flat_map(|test| test.goals.clone()).collect();
        let mut tests = Vec::new();
        while !open.is_empty() {
            let gain = |goals: &[EdgeId]| goals.iter().filter(|goal| open.contains(goal)).count();
            let best = candidates
                .iter()
                .max_by_key(|(at, goals)| (gain(goals), std::cmp::Reverse((found[*at].inputs.len(), *at))));
            let Some((at, goals)) = best else { break };
            let new: Vec<EdgeId> = goals.iter().copied().filter(|goal| open.contains(goal)).collect();
            if new.is_empty() {
                // This happens only if the host was stopped in between: the remaining goals were covered when they were
                // found.
                tests.extend(
                    found
                        .iter()
                        .filter(|test| test.goals.iter().any(|goal| open.contains(goal)))
                        .map(|test| self.as_it_is(test)),
                );
                break;
            }
            new.iter().for_each(|goal| {
                open.remove(goal);
            });
            let test = self.cut(&found[*at], &new);
            tests.push(test);
        }
        tests
    }

    fn last_goals(&self) -> Vec<EdgeId> {
        coverage::taken(self.runs.record().coverage()).into_iter().filter(|&edge| self.goals.is_goal(edge)).collect()
    }

    /// The shortest beginning of a test that still covers these goals.
    fn cut(&mut self, found: &Found, goals: &[EdgeId]) -> Test {
        let lengths: Vec<(EdgeId, usize)> = goals.iter().map(|&goal| (goal, self.inputs_before(found, goal))).collect();
        let longest = lengths.iter().map(|&(_, length)| length).max().unwrap_or(0);
        let mut inputs = found.inputs.clone();
        inputs.truncate(longest);
        self.replay(&inputs, found.steps);
        let edges = coverage::taken(self.runs.record().coverage());
        Test { run: TestedRun { inputs, goals: lengths, edges }, reaches_target: false }
    }

    /// How many inputs a test reads before it first covers the goal.
    fn inputs_before(&mut self, found: &Found, goal: EdgeId) -> usize {
        let (mut low, mut high) = (0, found.inputs.len());
        while low < high {
            if self.host.stopped().is_some() {
                return high;
            }
            let middle = (low + high) / 2;
            self.replay(&found.inputs[..middle], found.steps);
            if self.runs.record().coverage().get(goal.index()).is_some_and(|&count| count > 0) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        high
    }
}

struct Budget {
    runs: u64,
    work_limit: u64,
}

fn zeros(inputs: &[ConsumedInput]) -> usize {
    inputs.iter().filter(|input| input.bits == 0).count()
}
