//! What becomes of targets: an analysis that knows a way to one gives inputs, and these are executed. Only what an execution
//! reaches is an error; what none can reach is passed over, and the exploration goes on.

use super::algorithm::{End, Exploration, Flow};
use super::arg::{Node, NodeId, Openness};
use super::calls::StackId;
use super::library_functions::place;
use super::product::{ComponentError, Parts, Precisions};
use crate::replay::Replayer;
use std::sync::Arc;
use tandem_plugin_api::artifact::{TestCase, TestSuite};
use tandem_plugin_api::error::PluginError;
use tandem_plugin_api::program::EdgeId;
use tandem_plugin_api::query::Feasibility;
use tandem_plugin_api::service::Artifact;
use tandem_plugin_api::service::execution::{Execution, ExecutionOptions, Exit, RunLimits, WhenInputsEnd};

type Result<T> = std::result::Result<T, ComponentError>;

/// Longer runs are no tests that anybody can use.
const LIMITS: RunLimits = RunLimits { steps: 100_000_000, when_inputs_end: WhenInputsEnd::Zero };

/// Tests that were executed.
#[derive(Default)]
pub(super) struct Tests {
    execution: Option<Box<dyn Execution>>,
    /// Why nothing can be executed.
    failure: Option<PluginError>,
    pub found: TestSuite,
    /// By edge, for questions for tests: goals that a test covers.
    covered: Vec<bool>,
    /// Targets with inputs that did not reach them, or of which it is not known whether there are any.
    pub open: Vec<String>,
    pub infeasible: u64,
}

/// What an execution showed.
enum Shown {
    Reached,
    NotReached(String),
}

impl Exploration {
    /// A state behind a target edge.
    pub(super) fn arrive_at_target(
        &mut self,
        parent: NodeId,
        edge: EdgeId,
        stack: StackId,
        parts: Parts,
        precisions: Precisions,
    ) -> Result<Flow> {
        if self.task.property.is_coverage() {
            return self.arrive_at_goal(parent, edge, stack, parts, precisions);
        }
        let claim = self.product.feasibility(&parts)?;
        if claim == Some(Feasibility::Infeasible) {
            self.tests.infeasible += 1;
            return Ok(Flow::GoOn);
        }
        let program = Arc::clone(&self.task.program);
        let target = Node {
            target: Some(format!("the target edge at {}", place(&program, edge))),
            ..Node::new(program.edge(edge).to, stack, parts, precisions, Openness::Target)
        };
        let node = self.arg.add(target);
        self.arg.link(parent, edge, node);
        self.note_target(edge, node);
        match claim {
            Some(Feasibility::Inputs(inputs)) => match self.execute(&inputs) {
                Shown::Reached => Ok(Flow::End(End::TargetReached)),
                Shown::NotReached(instead) => {
                    let at = place(&program, edge);
                    self.leave_open(format!("inputs were found for the target at {at}, but when executed, {instead}"));
                    Ok(Flow::GoOn)
                }
            },
            Some(Feasibility::Undecided(why)) => {
                let at = place(&program, edge);
                self.leave_open(format!("whether the target at {at} can be reached is not decided: {why}"));
                Ok(Flow::GoOn)
            }
            _ => Ok(Flow::End(End::TargetReached)),
        }
    }

    /// There may be many, and a few say what is to be said.
    fn leave_open(&mut self, what: String) {
        if self.tests.open.len() < 8 && !self.tests.open.contains(&what) {
            self.host.debug(&what);
            self.tests.open.push(what);
        }
    }

    /// A goal of a question for tests. What comes after it may cover others: goes on as if it were a plain edge.
    fn arrive_at_goal(
        &mut self,
        parent: NodeId,
        edge: EdgeId,
        stack: StackId,
        parts: Parts,
        precisions: Precisions,
    ) -> Result<Flow> {
        let at = self.task.program.edge(edge).to;
        if !self.tests.covered.get(edge.index()).copied().unwrap_or(false) {
            match self.product.feasibility(&parts)? {
                Some(Feasibility::Infeasible) => {
                    self.tests.infeasible += 1;
                    return Ok(Flow::GoOn);
                }
                Some(Feasibility::Inputs(inputs)) => {
                    self.execute(&inputs);
                }
                _ => {}
            }
        }
        let candidates = self.candidates(at, stack);
        self.merge_into(parent, edge, &candidates, &parts, &precisions)?;
        let node = match self.find_coverer(&candidates, &parts, &precisions)? {
            Some(coverer) => self.cover(parent, edge, coverer, stack, parts, precisions),
            None => {
                let node = self.add_node(at, stack, parts, precisions)?;
                self.arg.link(parent, edge, node);
                node
            }
        };
        self.note_target(edge, node);
        let all_covered = self.goals_covered() == self.task.targets.len();
        Ok(if all_covered { Flow::End(End::TargetReached) } else { Flow::GoOn })
    }

    fn note_target(&mut self, edge: EdgeId, node: NodeId) {
        if !self.targets.iter().any(|(known, _)| *known == edge) {
            self.targets.push((edge, node));
        }
    }

    /// How many goals of a question for tests are covered by tests.
    pub(super) fn goals_covered(&self) -> usize {
        let is_covered = |goal: &&EdgeId| self.tests.covered.get(goal.index()).copied().unwrap_or(false);
        self.task.targets.iter().filter(is_covered).count()
    }

    /// Runs inputs, and keeps what was read as a test if it shows anything new.
    fn execute(&mut self, inputs: &[u64]) -> Shown {
        let program = Arc::clone(&self.task.program);
        let coverage = self.task.property.is_coverage();
        if self.tests.execution.is_none() && self.tests.failure.is_none() {
            let targets = if coverage { Vec::new() } else { self.task.targets.clone() };
            let options = ExecutionOptions { targets, coverage, ..ExecutionOptions::default() };
            match self.host.execution(&options) {
                Ok(execution) => self.tests.execution = Some(execution),
                Err(error) => self.tests.failure = Some(error),
            }
        }
        let Some(execution) = &mut self.tests.execution else {
            let why = self.tests.failure.as_ref().map_or(String::new(), PluginError::to_string);
            return Shown::NotReached(format!("nothing can be executed: {why}"));
        };
        let exit = execution.run(inputs, &LIMITS);
        let mut is_new = matches!(exit, Exit::Target(_));
        if coverage {
            let taken = execution.coverage();
            self.tests.covered.resize(program.edges.len(), false);
            for goal in &self.task.targets {
                if taken.get(goal.index()).is_some_and(|&count| count > 0) {
                    is_new |= !std::mem::replace(&mut self.tests.covered[goal.index()], true);
                }
            }
        }
        if !is_new {
            return Shown::NotReached(exit.to_string());
        }
        let recorded = Replayer::new(&program).recorded(execution.consumed());
        let test = TestCase { covers_error: !coverage, ..recorded };
        if coverage {
            // The time may end before this run does.
            let published = self.host.publish(&Artifact::Tests(TestSuite { tests: vec![test.clone()] }));
            if let Err(error) = published {
                self.host.debug(&format!("a test was not passed on: {error}"));
            }
        }
        self.tests.found.tests.push(test);
        Shown::Reached
    }
}
