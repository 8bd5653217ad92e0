//! Bounded model checking: unrolls the program deeper and deeper, and asks a solver whether an error is reached.
//! An unrolling that is complete is a proof; an error becomes a test that is executed.

mod explore;

use explore::{Exploration, Explorer};
use std::collections::BTreeSet;
use tandem_plugin_api::artifact::{InputValue, TestInput, ValueType};
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::Type;
use tandem_plugin_api::service::execution::{ExecutionOptions, Exit, RunLimits, WhenInputsEnd};
use tandem_plugin_api::service::formulas::{Formula, Formulas, Satisfiability, SymbolicState};

struct Bmc {
    first_bound: u32,
    last_bound: u32,
}

impl Plugin for Bmc {
    type Kind = kind::Engine;

    fn descriptor() -> Descriptor {
        Descriptor::of::<Self>(
            "bmc",
            env!("CARGO_PKG_VERSION"),
            "Bounded model checking: unrolls the program deeper and deeper and asks a solver for a way to the error.",
        )
        .details(
            "Follows all paths at once: where they meet, their values are joined. Loops and recursion are unrolled up to a \
             bound that doubles; iterations that constants decide do not count against it. Finds errors that lie at \
             moderate depth but need exact values, and proves programs whose loops all end within the bound. Whatever the \
             formulas do not describe, such as accesses outside of an object, must be unreachable for a proof to count.",
        )
        .option(
            "first-bound",
            "How often loops are unrolled at first.",
            OptionType::Integer { min: 1, max: 1 << 20 },
            OptionValue::Integer(1),
        )
        .option(
            "last-bound",
            "The bound doubles up to this.",
            OptionType::Integer { min: 1, max: 1 << 20 },
            OptionValue::Integer(1 << 20),
        )
        .gives(&[ArtifactKind::Tests, ArtifactKind::Gia])
    }

    fn new(setup: &Setup) -> Result<Self> {
        let bound = |name: &str| Ok::<u32, PluginError>(u32::try_from(setup.options.integer(name)?).unwrap_or(1));
        Ok(Bmc { first_bound: bound("first-bound")?, last_bound: bound("last-bound")? })
    }
}

impl Engine for Bmc {
    fn run(&mut self, task: &Task, _inputs: &Inputs, host: &Host) -> Result<Outcome> {
        let mut search = Search { task, host, formulas: host.formulas()?, unconfirmed: BTreeSet::new() };
        let mut bound = self.first_bound;
        let mut outcome = loop {
            let outcome = match search.bound(bound) {
                Ok(outcome) => outcome,
                Err(error) if error.kind == ErrorKind::Stopped => {
                    Some(Outcome::unknown(format!("{error} while unrolling {bound} times")))
                }
                Err(error) => return Err(error),
            };
            match outcome {
                Some(outcome) => break outcome,
                None if bound >= self.last_bound => {
                    break Outcome::unknown(format!("no error within {bound} loop iterations; a proof needs more"));
                }
                None => bound = bound.saturating_mul(2).min(self.last_bound),
            }
        };
        outcome.statistic("bound", bound);
        if let Ok(statistics) = search.formulas.statistics() {
            outcome.statistics.extend(statistics);
        }
        for convention in search.formulas.conventions().unwrap_or_default() {
            outcome.soundness.convention(convention);
        }
        Ok(outcome)
    }
}

/// The state of a run.
struct Search<'a> {
    task: &'a Task,
    host: &'a Host,
    formulas: Formulas,
    /// Errors whose tests did not reach them when they were executed.
    unconfirmed: BTreeSet<EdgeId>,
}

impl Search<'_> {
    /// One unrolling; `None` if nothing is decided.
    fn bound(&mut self, bound: u32) -> Result<Option<Outcome>> {
        self.host.progress(&Progress {
            phase: "unrolling".into(),
            done: bound.into(),
            total: None,
            unit: "iterations".into(),
        });
        let exploration = Explorer::new(self.task, self.host, &mut self.formulas, bound).run()?;
        if let Some(outcome) = self.errors(&exploration)? {
            return Ok(Some(outcome));
        }
        self.proof(&exploration)
    }

    fn check(&mut self, formulas: &[Formula]) -> Result<Satisfiability> {
        self.host.check()?;
        let answer = self.formulas.check(formulas, None)?;
        self.host.check()?;
        Ok(answer)
    }

    /// Looks for an error whose test reaches it.
    fn errors(&mut self, exploration: &Exploration) -> Result<Option<Outcome>> {
        let guards: Vec<Formula> = exploration.errors.iter().map(|(_, state)| state.guard()).collect();
        let any = self.formulas.or(&guards)?;
        match self.check(&[any])? {
            Satisfiability::Unsatisfiable(_) => return Ok(None),
            Satisfiability::Unknown(reason) => {
                return Ok(Some(Outcome::unknown(format!(
                    "the solver did not decide whether an error is reached: {reason}"
                ))));
            }
            Satisfiability::Satisfiable => {}
        }
        for (edge, state) in &exploration.errors {
            if let Satisfiability::Satisfiable = self.check(&[state.guard()])?
                && let Some(outcome) = self.test(*edge, state)?
            {
                return Ok(Some(outcome));
            }
        }
        Ok(None)
    }

    /// Executes the inputs of the solver's model.
    fn test(&mut self, edge: EdgeId, state: &SymbolicState) -> Result<Option<Outcome>> {
        let inputs = self.formulas.inputs(state)?;
        let options = ExecutionOptions { targets: self.task.targets.clone(), ..ExecutionOptions::default() };
        let mut execution = self.host.execution(&options)?;
        let bits: Vec<u64> = inputs.iter().map(|input| input.bits).collect();
        let limits = RunLimits { steps: 1_000_000_000, when_inputs_end: WhenInputsEnd::Zero };
        let exit = execution.run(&bits, &limits);
        if !matches!(exit, Exit::Target(_)) {
            self.host.debug(&format!("a model's inputs do not reach {edge}: {exit}"));
            self.unconfirmed.insert(edge);
            return Ok(None);
        }
        let program = &self.task.program;
        let inputs = execution.consumed().iter().map(|input| {
            let Type::Function { result, .. } = *program.types.get(program.function(input.function).ty) else {
                return TestInput { value: InputValue::Any, type_name: None, variable: None };
            };
            let value = ValueType::of(&program.types, result)
                .map_or(InputValue::Any, |ty| InputValue::from_bits(ty, input.bits.into()));
            TestInput { value, type_name: None, variable: None }
        });
        let test = TestCase { inputs: inputs.collect(), covers_error: true };
        let mut outcome = Outcome::new(Verdict::False);
        outcome.tests = Some(TestSuite { tests: vec![test] });
        Ok(Some(outcome))
    }

    /// Whether the unrolling was complete and nothing happened that the formulas do not describe.
    fn proof(&mut self, exploration: &Exploration) -> Result<Option<Outcome>> {
        let deeper = self.formulas.or(&exploration.cuts)?;
        match self.check(&[deeper])? {
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
        let danger = self.formulas.or(&exploration.dangers)?;
        match self.check(&[danger])? {
            Satisfiability::Unsatisfiable(_) => {
                let mut outcome = Outcome::new(Verdict::True);
                outcome.gia = Some(Gia::all_ut());
                Ok(Some(outcome))
            }
            _ => Ok(Some(Outcome::unknown(self.describe_danger()?))),
        }
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

tandem_plugin_api::export_plugin!(Bmc);
