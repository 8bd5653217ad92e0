//! The results of the campaign, as an outcome: verdict, tests, GIA and statistics.

use crate::campaign::{Campaign, Ending};
use crate::minimise::Test;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::service::execution::Exit;
use tandem_plugin_api::service::recorded::{self, TestedRun};

impl Campaign<'_> {
    pub fn outcome(&mut self, ending: Ending) -> Result<Outcome> {
        let elapsed = self.reporter.elapsed();
        let tests = self.tests();
        let program = &self.task.program;
        let mut outcome = Outcome::new(self.verdict(ending));
        let remaining: Vec<EdgeId> = self.goals.remaining().collect();
        let runs: Vec<TestedRun> = tests.iter().map(|test| test.run.clone()).collect();
        outcome.gia = Some(recorded::tested(program, &runs, &remaining)?);
        let case = |test: &Test| {
            let recorded = recorded::test_case(program, &test.run.inputs);
            TestCase { covers_error: test.reaches_target, ..recorded }
        };
        outcome.tests = Some(TestSuite { tests: tests.iter().map(case).collect() });
        let executions = self.runs.executions();
        let knowledge = &*self.knowledge;
        outcome.statistic("executions", executions);
        outcome.statistic("executions per second", (executions as f64 / elapsed.as_secs_f64()).round());
        outcome.statistic("steps", self.runs.work());
        outcome.statistic("corpus", knowledge.corpus.len());
        outcome.statistic("edges covered", format!("{} of {}", knowledge.map.covered(), program.edges.len()));
        outcome.statistic("goals covered", format!("{} of {}", self.goals.covered_count(), self.goals.total()));
        outcome.statistic("tests", tests.len());
        outcome.statistic("values learned", knowledge.dictionary.learned_count());
        let share = |part: u64| format!("{} %", part * 100 / self.runs.work().max(1));
        outcome.statistic("work on the frontier", share(self.shares.solving));
        outcome.statistic("work on long runs", share(self.shares.long));
        Ok(outcome)
    }

    fn verdict(&self, ending: Ending) -> Verdict {
        let covered = self.goals.covered_count();
        match self.task.property.is_coverage() {
            false if covered > 0 => Verdict::False,
            true if self.goals.done() => Verdict::True,
            _ => Verdict::unknown(self.reason(ending)),
        }
    }

    /// Why goals are left, and which branch stood in the way.
    fn reason(&self, ending: Ending) -> String {
        let (covered, total) = (self.goals.covered_count(), self.goals.total());
        if !self.fragile.is_empty() && covered == 0 {
            let when = "only with the values that uninitialised variables happen to have";
            return format!("executions reached the error, but {when}: no test shows it everywhere");
        }
        let found = match self.task.property {
            Property::CoverBranches => format!("{covered} of {total} branches covered"),
            _ if total == 0 => "nothing is left to look for".to_string(),
            _ => "no execution reached the error".to_string(),
        };
        let runs = self.runs.executions();
        match ending {
            Ending::NoInputs => {
                let exit = self.knowledge.corpus.entries().last().map(|entry| entry.exit);
                let how = exit.map_or(String::new(), |exit| format!(": {}", exit.explained(&self.task.program)));
                format!("{found}; the program reads no inputs, and its only run ends without it{how}")
            }
            Ending::Done => found,
            Ending::Stopped | Ending::Executions => format!("{found} in {runs} executions{}", self.obstacle()),
        }
    }

    /// The branch nearest to a goal of which only one side was ever taken.
    fn obstacle(&self) -> String {
        let program = &self.task.program;
        let entries = self.knowledge.corpus.entries();
        if !entries.is_empty() && entries.iter().all(|entry| matches!(entry.exit, Exit::StepLimit(_))) {
            return "; all of them were too long to finish".to_string();
        }
        match self.frontier.nearest() {
            Some(wanted) => {
                let edge = program.edge(wanted.edge);
                let open = self.frontier.open().len();
                let text = program.edge_text(wanted.edge);
                let branches = if open == 1 { "branch was" } else { "branches were" };
                format!("; {open} {branches} never taken, the nearest {text} in line {}", edge.span.line)
            }
            None => "; every branch on the way was taken, but not in the right order".to_string(),
        }
    }
}
