//! Judges ways to targets, apart from the exploration that finds them and the refinement that excludes them: an analysis or a solver
//! that knows a way gives inputs, and these are executed. Only what an execution reaches is an error.

use super::library_functions::place;
use super::path::Paths;
use super::product::ComponentError;
use super::reachability::Reachability;
use super::target::{Arrival, Way};
use crate::replay::Replayer;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use tandem_plugin_api::artifact::{TestCase, TestSuite};
use tandem_plugin_api::error::{ErrorKind, PluginError};
use tandem_plugin_api::program::EdgeId;
use tandem_plugin_api::query::Feasibility;
use tandem_plugin_api::service::execution::{Execution, ExecutionOptions, Exit, RunLimits, WhenInputsEnd};
use tandem_plugin_api::service::{Artifact, StopReason};
use tandem_plugin_api::task::Property;

type Result<T> = std::result::Result<T, ComponentError>;

/// Longer runs are not useful as tests.
const LIMITS: RunLimits = RunLimits { steps: 100_000_000, when_inputs_end: WhenInputsEnd::Zero };

/// How many ways to a goal are tried if no execution takes them.
const TRIES: u32 = 50;

/// What is known of a way to a target.
pub(super) enum Judgement {
    /// No execution takes any of the ways that the state stands for.
    Infeasible,
    /// An execution reached the target; in questions for tests, it covered a goal.
    Reached,
    Open {
        why: Arc<str>,
        /// There was less time for it than intended.
        hurried: bool,
    },
    Stopped(StopReason),
}

impl Judgement {
    fn open(why: String) -> Self {
        Judgement::Open { why: why.into(), hurried: false }
    }
}

/// Decides about ways to targets, and keeps what was found.
#[derive(Default)]
pub(super) struct Judge {
    paths: Paths,
    execution: Option<Box<dyn Execution>>,
    /// Why programs cannot be executed.
    failure: Option<PluginError>,
    /// Tests that were executed and showed something new.
    pub tests: TestSuite,
    pub infeasible: u64,
    /// By path: nothing can be done about it, for this reason.
    given_up: FxHashMap<u64, Arc<str>>,
    /// For tasks that ask for tests: how often a goal was tried without success.
    in_vain: FxHashMap<EdgeId, u32>,
}

impl Judge {
    /// How many paths the solver decided.
    pub fn checked(&self) -> u64 {
        self.paths.checked
    }

    /// Whether so many ways to a goal were no use that no solver is asked about another one.
    pub fn is_tired_of(&self, goal: EdgeId) -> bool {
        self.in_vain.get(&goal).is_some_and(|&times| times >= TRIES)
    }

    pub fn note_in_vain(&mut self, goal: EdgeId) {
        *self.in_vain.entry(goal).or_default() += 1;
    }

    /// What was said of a path that nothing can be done about.
    pub fn last_word(&self, way: &Way) -> Option<Judgement> {
        self.given_up.get(&way.id).map(|why| Judgement::Open { why: Arc::clone(why), hurried: false })
    }

    /// What the components know of an arrival; none if they cannot tell.
    pub fn ask_components(&mut self, reach: &Reachability, arrival: &Arrival) -> Result<Option<Judgement>> {
        let at = place(&reach.task.program, arrival.edge);
        Ok(match reach.product.feasibility(&arrival.parts)? {
            Some(Feasibility::Infeasible) => {
                self.infeasible += 1;
                Some(Judgement::Infeasible)
            }
            // Each state stands for one path: no other way to the target has been left out.
            Some(Feasibility::Undecided(why)) if reach.apart => Some(match reach.host.stopped() {
                Some(reason) => Judgement::Stopped(reason),
                None => Judgement::open(format!("whether the target at {at} can be reached is not decided: {why}")),
            }),
            Some(Feasibility::Inputs(inputs)) => Some(self.try_inputs(reach, &inputs, &at)),
            _ => None,
        })
    }

    /// What the solver says of one path.
    pub fn ask_solver(&mut self, reach: &Reachability, way: &Way) -> Judgement {
        if let Some(reason) = reach.host.stopped() {
            return Judgement::Stopped(reason);
        }
        let Some((&edge, before)) = way.path.split_last() else { return Judgement::open("there is no path".into()) };
        let program = &reach.task.program;
        // The effect of a call that must not happen does not matter; a branch must be taken.
        let taken = if reach.task.property == Property::CoverBranches { &way.path } else { before };
        let found = match self.paths.feasibility(&reach.host, program, taken) {
            Ok(found) => found,
            Err(error) if error.kind == ErrorKind::Stopped => None,
            Err(error) => Some(Feasibility::Undecided(error.to_string())),
        };
        if let Some(reason) = reach.host.stopped() {
            return Judgement::Stopped(reason);
        }
        let callee = program.called_function(edge).map_or("the target", |f| &program.function(f).name);
        let at = place(program, edge);
        let mut hurried = false;
        let why = match found {
            Some(Feasibility::Inputs(inputs)) => return self.try_inputs(reach, &inputs, &at),
            Some(Feasibility::Infeasible) => {
                self.infeasible += 1;
                format!("no analysis could exclude that {callee} at {at} is reached, and no execution took it yet")
            }
            Some(Feasibility::Undecided(why)) => {
                // If states are kept apart, those before the target were given back.
                hurried = self.paths.hurried && !reach.apart;
                format!("a path leads to {callee} at {at}, and whether an execution takes it is not decided: {why}")
            }
            None => format!("a path leads to {callee} at {at}, and whether it is feasible is not checked"),
        };
        let why: Arc<str> = why.into();
        if !hurried {
            self.given_up.insert(way.id, Arc::clone(&why));
        }
        Judgement::Open { why, hurried }
    }

    /// Runs inputs that should lead to the target at `at`, and keeps what was read as a test if it shows anything new.
    fn try_inputs(&mut self, reach: &Reachability, inputs: &[u64], at: &str) -> Judgement {
        match (self.execute(reach, inputs), reach.host.stopped()) {
            (Ok(()), _) => Judgement::Reached,
            (Err(_), Some(reason)) => Judgement::Stopped(reason),
            (Err(instead), None) => {
                Judgement::open(format!("inputs were found for the target at {at}, but when executed, {instead}"))
            }
        }
    }

    /// An error says what the run did instead of showing anything new.
    fn execute(&mut self, reach: &Reachability, inputs: &[u64]) -> std::result::Result<(), String> {
        let program = &reach.task.program;
        let is_coverage = reach.task.property.is_coverage();
        if self.execution.is_none() && self.failure.is_none() {
            let targets = if is_coverage { Vec::new() } else { reach.task.targets.clone() };
            // Edges are counted for a proof, too: a run to the error goes along with the verdict, and is told by its edges.
            match reach.host.execution(&ExecutionOptions { targets, coverage: true, ..ExecutionOptions::default() }) {
                Ok(execution) => self.execution = Some(execution),
                Err(error) => self.failure = Some(error),
            }
        }
        let Some(execution) = &mut self.execution else {
            let why = self.failure.as_ref().map_or(String::new(), PluginError::to_string);
            return Err(format!("nothing can be executed: {why}"));
        };
        let exit = execution.run(inputs, &LIMITS);
        let mut is_new = matches!(exit, Exit::Target(_));
        if is_coverage {
            let taken = execution.coverage().iter().enumerate().filter(|(_, count)| **count > 0);
            for (edge, _) in taken {
                is_new |= reach.goals.cover(EdgeId::new(edge));
            }
        }
        if !is_new {
            return Err(exit.explained(program));
        }
        let recorded = Replayer::new(program).recorded(execution.consumed());
        let test = TestCase { covers_error: !is_coverage, ..recorded };
        if is_coverage {
            // The time may end before this run does.
            let published = reach.host.publish(&Artifact::Tests(TestSuite { tests: vec![test.clone()] }));
            if let Err(error) = published {
                reach.host.debug(&format!("a test was not passed on: {error}"));
            }
        }
        self.tests.tests.push(test);
        Ok(())
    }
}
