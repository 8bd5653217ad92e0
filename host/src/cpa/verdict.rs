//! The outcome of an exploration, and why it is open. `crate::verdict` decides the verdict by this.

use super::exploration::{End, Exploration};
use crate::verdict::{Explored, of_exploration};
use tandem_plugin_api::artifact::{Gia, Outcome};

impl Exploration {
    /// The outcome after [`run`](Exploration::run) ended so. Notes of the plugins are not part of it: the caller, who
    /// made their host, adds these.
    pub fn outcome(&self, end: &End) -> Outcome {
        let verdict = of_exploration(&Explored {
            property: &self.reach.task.property,
            executed: !self.judge.tests.tests.is_empty(),
            open: self.open_reason(end),
            rests_on: &self.soundness(),
        });
        let mut outcome = Outcome::new(verdict);
        outcome.gia = if outcome.verdict.is_true() { Some(Gia::all_ut()) } else { self.gia() };
        outcome.precision = self.exported.clone();
        outcome.invariants = self.loop_invariants(end).ok().filter(|list| !list.is_empty());
        outcome.soundness = self.soundness();
        if !self.judge.tests.tests.is_empty() {
            outcome.tests = Some(self.judge.tests.clone());
        }
        outcome.statistic("abstract states", self.arg().len());
        outcome.statistic("states expanded", self.reach.counts.expanded);
        outcome.statistic("states merged", self.reach.counts.merged);
        outcome.statistic("states covered", self.reach.counts.covered);
        outcome.statistic("targets reached", self.reach.targets.len());
        outcome.statistic("infeasible ways to targets", self.judge.infeasible);
        outcome.statistic("refinements", self.refiner.refinements);
        outcome.statistic("refinements from the start", self.refiner.restarts);
        outcome.statistic("paths decided by the solver", self.judge.checked());
        outcome.statistics.extend(self.statistics.iter().cloned());
        outcome
    }

    /// Why not every path is known not to reach a target; none if every path is.
    fn open_reason(&self, end: &End) -> Option<String> {
        if self.reach.task.program.entry().is_none() {
            let main = &self.reach.task.program.function(self.reach.task.program.main).name;
            return Some(format!("the program has no body for `{main}`"));
        }
        self.target_reason().or_else(|| match end {
            End::Stopped(reason) => Some(format!("{reason}, with {} states to explore", self.waiting())),
            End::AnalysisBroke => Some("an analysis ended the exploration early".to_string()),
            End::TargetReached | End::Complete => None,
        })
    }

    /// Which targets are reached in the abstraction; `None` if no target is.
    fn target_reason(&self) -> Option<String> {
        if self.reach.task.property.is_coverage() {
            let goals = &self.reach.goals;
            // Others may have covered goals that this exploration has not reached.
            let (covered, reached) = (goals.covered(), self.reach.targets.iter());
            let open = reached.filter(|(goal, _)| !goals.is_covered(*goal)).count();
            let all = self.reach.task.targets.len();
            let tests = match self.judge.tests.tests.len() {
                0 => "no tests were made".to_string(),
                tests => format!("{tests} tests cover {covered}"),
            };
            return (open > 0).then(|| format!("{} of {all} goals may be reachable, and {tests}", open + covered));
        }
        if let Some((_, reason)) = self.open.all.first() {
            return Some(reason.to_string());
        }
        let (_, node) = self.arg().nodes().find(|(_, node)| node.target.is_some())?;
        let why = node.target.as_deref().unwrap_or_default();
        Some(format!("an analysis found a target ({why}), and whether it is feasible is not checked"))
    }
}
