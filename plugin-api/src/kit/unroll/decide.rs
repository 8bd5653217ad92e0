//! Decides what an unrolling shows: an error with a test that was executed, a proof, or the reason why there is no
//! proof.

use super::explore::Exploration;
use crate::artifact::{Gia, Outcome, TestCase, TestSuite, Verdict};
use crate::error::Result;
use crate::program::EdgeId;
use crate::service::execution::{ExecutionOptions, Exit, RunLimits, WhenInputsEnd};
use crate::service::formulas::{Formula, Formulas, Satisfiability, SymbolicState};
use crate::service::recorded::test_case;
use crate::service::{Host, Progress};
use crate::task::Task;
use std::collections::BTreeSet;
use std::time::Duration;

/// At most this many errors are asked about one by one.
const FEW: usize = 8;

/// A run of an engine that asks a solver about unrollings.
pub struct Search<'a> {
    pub task: &'a Task,
    pub host: &'a Host,
    pub formulas: Formulas,
    /// How long one query about errors or cut-off paths may take.
    pub patience: Option<Duration>,
    /// Errors whose tests did not reach them when they were executed.
    unconfirmed: BTreeSet<EdgeId>,
}

impl<'a> Search<'a> {
    pub fn new(task: &'a Task, host: &'a Host) -> Result<Self> {
        Ok(Search { task, host, formulas: host.formulas()?, patience: None, unconfirmed: BTreeSet::new() })
    }

    pub fn progress(&self, phase: &str, bound: u32) {
        let progress = Progress { phase: phase.into(), done: bound.into(), total: None, unit: "iterations".into() };
        self.host.progress(&progress);
    }

    fn check(&mut self, formulas: &[Formula]) -> Result<Satisfiability> {
        self.check_within(formulas, None)
    }

    fn check_within(&mut self, formulas: &[Formula], time: Option<Duration>) -> Result<Satisfiability> {
        self.host.check()?;
        let answer = self.formulas.check(formulas, time)?;
        self.host.check()?;
        Ok(answer)
    }

    /// Looks for an error whose test reaches it. `None` if there is none.
    pub fn errors(&mut self, exploration: &Exploration) -> Result<Option<Outcome>> {
        let guards: Vec<Formula> = exploration.errors.iter().map(|(_, state)| state.guard()).collect();
        let any = self.formulas.or(&guards)?;
        match self.check_within(&[any], self.patience)? {
            Satisfiability::Unsatisfiable(_) => return Ok(None),
            Satisfiability::Unknown(reason) => {
                return Ok(Some(Outcome::unknown(format!(
                    "the solver did not decide whether an error is reached: {reason}"
                ))));
            }
            Satisfiability::Satisfiable => {}
        }
        for (edge, state) in &exploration.errors {
            match self.check(&[state.guard()])? {
                Satisfiability::Unsatisfiable(_) => {}
                Satisfiability::Satisfiable => {
                    if let Some(outcome) = self.test(*edge, state)? {
                        return Ok(Some(outcome));
                    }
                }
                // The errors were satisfiable together: a proof must not ignore this error because the query about it
                // alone was undecided.
                Satisfiability::Unknown(_) => {
                    self.unconfirmed.insert(*edge);
                }
            }
        }
        Ok(None)
    }

    /// Executes the inputs of the solver's model.
    fn test(&mut self, edge: EdgeId, state: &SymbolicState) -> Result<Option<Outcome>> {
        let inputs = self.formulas.inputs(state)?;
        // The same options as the host has when it confirms a violation: the program is compiled once.
        let targets = self.task.targets.clone();
        let options = ExecutionOptions { targets, coverage: true, ..ExecutionOptions::default() };
        let mut execution = self.host.execution(&options)?;
        let bits: Vec<u64> = inputs.iter().map(|input| input.bits).collect();
        let limits = RunLimits { steps: 1_000_000_000, when_inputs_end: WhenInputsEnd::Zero };
        let exit = execution.run(&bits, &limits);
        if !matches!(exit, Exit::Target(_)) {
            self.host.debug(&format!("a model's inputs do not reach {edge}: {exit}"));
            self.unconfirmed.insert(edge);
            return Ok(None);
        }
        let recorded = test_case(&self.task.program, execution.consumed());
        let test = TestCase { covers_error: true, ..recorded };
        let mut outcome = Outcome::new(Verdict::False);
        outcome.tests = Some(TestSuite { tests: vec![test] });
        Ok(Some(outcome))
    }

    /// TRUE if the unrolling was complete and nothing happened that the formulas do not describe. `None` if paths go on.
    pub fn completeness(&mut self, exploration: &Exploration) -> Result<Option<Outcome>> {
        let deeper = self.formulas.or(&exploration.cuts)?;
        match self.check_within(&[deeper], self.patience)? {
            Satisfiability::Satisfiable => return Ok(None),
            Satisfiability::Unknown(reason) => {
                let reason = format!("the solver did not decide whether loops go on: {reason}");
                return Ok(Some(Outcome::unknown(reason)));
            }
            Satisfiability::Unsatisfiable(_) => {}
        }
        if let Some(edge) = self.unconfirmed.first() {
            let line = self.task.program.edge(*edge).span.line;
            return Ok(Some(Outcome::unknown(format!(
                "a model reaches the error on line {line}, but executing its inputs does not"
            ))));
        }
        match self.danger(exploration)? {
            None => Ok(Some(proven(exploration))),
            Some(reason) => Ok(Some(Outcome::unknown(reason))),
        }
    }

    /// Why a proof does not count, if so: something can happen that the formulas do not describe.
    fn danger(&mut self, exploration: &Exploration) -> Result<Option<String>> {
        let danger = self.formulas.or(&exploration.dangers)?;
        match self.check(&[danger])? {
            Satisfiability::Unsatisfiable(_) => Ok(None),
            _ => Ok(Some(self.describe_danger()?)),
        }
    }

    /// TRUE if no error of an unrolling with induction can be reached. `Err` in the result says what stands against it.
    pub fn induction(&mut self, exploration: &Exploration) -> Result<std::result::Result<Outcome, String>> {
        if !self.unconfirmed.is_empty() {
            return Ok(Err("an error that may be reached was not confirmed by execution".into()));
        }
        let errors: Vec<Formula> = exploration.errors.iter().map(|(_, state)| state.guard()).collect();
        // For a few errors, one query each is easier for the solver.
        let errors = if errors.len() <= FEW { errors } else { vec![self.formulas.or(&errors)?] };
        for error in errors {
            if !matches!(self.check_within(&[error], self.patience)?, Satisfiability::Unsatisfiable(_)) {
                return Ok(Err("the induction step does not hold".into()));
            }
        }
        let deeper = self.formulas.or(&exploration.cuts)?;
        if !matches!(self.check(&[deeper])?, Satisfiability::Unsatisfiable(_)) {
            return Ok(Err("recursion goes on".into()));
        }
        Ok(match self.danger(exploration)? {
            None => Ok(proven(exploration)),
            Some(reason) => Err(reason),
        })
    }

    /// The first hazard that can happen.
    fn describe_danger(&mut self) -> Result<String> {
        for hazard in self.formulas.hazards()? {
            if !matches!(self.check(&[hazard.condition])?, Satisfiability::Unsatisfiable(_)) {
                let line = self.task.program.edge(hazard.edge).span.line;
                return Ok(format!("{} on line {line}", hazard.what));
            }
        }
        Ok("something happens that the formulas do not describe".into())
    }
}

fn proven(exploration: &Exploration) -> Outcome {
    let mut outcome = Outcome::new(Verdict::True);
    outcome.gia = Some(Gia::all_ut());
    outcome.passed = Some(exploration.passed.clone());
    outcome
}

/// The outcome with statistics of the formulas and the conventions that they rest on.
pub fn report(mut outcome: Outcome, search: &mut Search<'_>, bound: u32) -> Result<Outcome> {
    outcome.statistic("bound", bound);
    if let Ok(statistics) = search.formulas.statistics() {
        outcome.statistics.extend(statistics);
    }
    for convention in search.formulas.conventions().unwrap_or_default() {
        outcome.soundness.convention(convention);
    }
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::testing;
    use crate::service::formulas::{FormulaReply, FormulaRequest, FormulaService};
    use crate::service::{LogLevel, Note, Services, StopSignal};
    use std::sync::Arc;

    const ERROR: Formula = Formula(7);
    const TOGETHER: Formula = Formula(8);

    /// Decides that one of several errors can be reached, but not which.
    struct Undecided;

    impl FormulaService for Undecided {
        fn ask(&mut self, request: FormulaRequest) -> Result<FormulaReply> {
            Ok(match request {
                FormulaRequest::Initial => FormulaReply::State(0, ERROR, Formula::FALSE, Formula::FALSE),
                FormulaRequest::Or(list) if list.is_empty() => FormulaReply::Formula(Formula::FALSE),
                FormulaRequest::Or(_) => FormulaReply::Formula(TOGETHER),
                FormulaRequest::Check(list, _) => FormulaReply::Satisfiability(match list[..] {
                    [TOGETHER] => Satisfiability::Satisfiable,
                    [ERROR] => Satisfiability::Unknown("hard".into()),
                    _ => Satisfiability::Unsatisfiable(vec![0]),
                }),
                _ => FormulaReply::Done,
            })
        }
    }

    struct WithSolver;

    impl Services for WithSolver {
        fn log(&self, _: LogLevel, _: &str) {}
        fn stop_signal(&self) -> StopSignal {
            StopSignal::new()
        }
        fn note(&self, _: &Note) {}
        fn formulas(&self) -> Result<Box<dyn FormulaService>> {
            Ok(Box::new(Undecided))
        }
    }

    #[test]
    fn an_error_that_is_decided_only_together_with_others_is_no_proof() {
        let (task, host) = (testing::two_inputs(), Host::new(Arc::new(WithSolver)));
        let mut search = Search::new(task.task(), &host).unwrap();
        let state = search.formulas.initial().unwrap();
        let exploration =
            Exploration { errors: vec![(EdgeId(0), state.clone()), (EdgeId(1), state)], ..Exploration::default() };
        assert_eq!(search.errors(&exploration).unwrap(), None);
        let complete = search.completeness(&exploration).unwrap();
        assert!(complete.is_some_and(|outcome| outcome.verdict.is_unknown()));
        assert!(search.induction(&exploration).unwrap().is_err());
    }
}
