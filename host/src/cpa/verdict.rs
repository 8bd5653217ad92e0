//! The verdict of an exploration: TRUE only if everything was explored, no target was reached, and no step was unsound.

use super::algorithm::{End, Exploration};
use super::arg::NodeId;
use tandem_plugin_api::artifact::{Gia, Outcome, Verdict};
use tandem_plugin_api::program::EdgeId;

impl Exploration {
    /// The outcome after [`run`](Exploration::run) ended so. Notes of the plugins are not part of it: the caller, who
    /// made their host, adds these.
    pub fn outcome(&self, end: &End) -> Outcome {
        let verdict = self.verdict(end);
        let mut outcome = Outcome::new(verdict);
        outcome.gia = if outcome.verdict == Verdict::True { Some(Gia::all_ut()) } else { self.gia() };
        outcome.precision = self.exported.clone();
        outcome.invariants = self.loop_invariants(end).ok().filter(|list| !list.is_empty());
        outcome.soundness = self.soundness();
        if !self.tests.found.tests.is_empty() {
            outcome.tests = Some(self.tests.found.clone());
        }
        outcome.statistic("abstract states", self.arg().len());
        outcome.statistic("states expanded", self.counts.expanded);
        outcome.statistic("states merged", self.counts.merged);
        outcome.statistic("states covered", self.counts.covered);
        outcome.statistic("targets reached", self.targets.len());
        outcome.statistic("infeasible ways to targets", self.tests.infeasible);
        outcome.statistic("refinements", self.cegar.refinements);
        outcome.statistic("refinements from the start", self.cegar.restarts);
        outcome.statistic("paths decided by the solver", self.cegar.checked());
        outcome.statistics.extend(self.statistics.iter().cloned());
        outcome
    }

    fn verdict(&self, end: &End) -> Verdict {
        if self.task.program.entry().is_none() {
            let main = &self.task.program.function(self.task.program.main).name;
            return Verdict::unknown(format!("the program has no body for `{main}`"));
        }
        if !self.task.property.is_coverage() && !self.tests.found.tests.is_empty() {
            return Verdict::False;
        }
        if let Some(reason) = self.target_reason() {
            return Verdict::unknown(reason);
        }
        match end {
            End::Stopped(reason) => Verdict::unknown(format!("{reason}, with {} states to explore", self.waiting())),
            End::AnalysisBroke => Verdict::unknown("an analysis ended the exploration early"),
            End::TargetReached | End::Complete => match self.soundness().objection(false) {
                Some(objection) => Verdict::unknown(objection),
                None => Verdict::True,
            },
        }
    }

    /// Which targets are reached in the abstraction; `None` if no target is.
    fn target_reason(&self) -> Option<String> {
        if self.task.property.is_coverage() {
            let (reached, all) = (self.targets.len(), self.task.targets.len());
            let tests = match self.tests.found.tests.len() {
                0 => "no tests were made".to_string(),
                tests => format!("{tests} tests cover {}", self.goals_covered()),
            };
            let open = reached > self.goals_covered();
            return open.then(|| format!("{reached} of {all} goals may be reachable, and {tests}"));
        }
        if let Some((_, reason)) = self.open.first() {
            return Some(reason.to_string());
        }
        let (_, node) = self.arg().nodes().find(|(_, node)| node.target.is_some())?;
        let why = node.target.as_deref().unwrap_or_default();
        Some(format!("an analysis found a target ({why}), and whether it is feasible is not checked"))
    }

    /// The first target that was reached: its edge, and the node behind it.
    pub fn first_target(&self) -> Option<(EdgeId, NodeId)> {
        self.targets.first().copied()
    }
}
