//! Decides about targets: an analysis that knows a way to one gives inputs, and these are executed. Only a target that
//! an execution reaches is an error; an infeasible target is dropped, and the exploration goes on.

use super::algorithm::{End, Exploration, Flow};
use super::arg::{Node, NodeId, Openness};
use super::calls::StackId;
use super::cegar::Judgement;
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

/// Longer runs are not useful as tests.
const LIMITS: RunLimits = RunLimits { steps: 100_000_000, when_inputs_end: WhenInputsEnd::Zero };

/// How many ways to a goal are tried if no execution takes them.
const TRIES: u32 = 50;

/// Tests that were executed.
#[derive(Default)]
pub(super) struct Tests {
    execution: Option<Box<dyn Execution>>,
    /// Why programs cannot be executed.
    failure: Option<PluginError>,
    pub found: TestSuite,
    /// By edge, for tasks that ask for tests: goals that a test covers.
    covered: Vec<bool>,
    pub infeasible: u64,
}

/// The result of an execution.
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
        let program = Arc::clone(&self.task.program);
        let at = place(&program, edge);
        let claim = match self.product.feasibility(&parts)? {
            Some(Feasibility::Infeasible) => {
                self.tests.infeasible += 1;
                return Ok(Flow::GoOn);
            }
            // Each state stands for one path: no other way to the target has been left out.
            Some(Feasibility::Undecided(why)) if self.apart => match self.host.stopped() {
                Some(reason) => Judgement::Stopped(reason),
                None => {
                    let why = format!("whether the target at {at} can be reached is not decided: {why}").into();
                    Judgement::Open { why, hurried: false }
                }
            },
            Some(Feasibility::Inputs(inputs)) => Judgement::Inputs(inputs),
            _ => self.judge(parent, edge)?,
        };
        let mut too_short = false;
        let (end, why): (_, Arc<str>) = match claim {
            Judgement::Refined => return Ok(Flow::Again),
            Judgement::Stopped(reason) => return Ok(Flow::End(End::Stopped(reason))),
            Judgement::Open { why, hurried } => {
                too_short = hurried;
                (Flow::GoOn, why)
            }
            Judgement::Inputs(inputs) => match (self.execute(&inputs), self.host.stopped()) {
                (Shown::Reached, _) => (Flow::End(End::TargetReached), format!("the target edge at {at}").into()),
                (Shown::NotReached(_), Some(reason)) => return Ok(Flow::End(End::Stopped(reason))),
                (Shown::NotReached(instead), None) => {
                    let why = format!("inputs were found for the target at {at}, but when executed, {instead}");
                    (Flow::GoOn, why.into())
                }
            },
        };
        let target = Node::new(program.edge(edge).to, stack, parts, precisions, Openness::Target);
        let node = self.arg.add(Node { target: Some(why.to_string()), ..target });
        self.arg.link(parent, edge, node);
        self.note_target(edge, node);
        if matches!(end, Flow::GoOn) {
            self.host.debug(&why);
            self.open.push((node, why));
            self.hurried.extend(too_short.then_some(node));
        }
        Ok(end)
    }

    /// A goal of a task that asks for tests. Edges after it may be goals, too, so the exploration goes on as for a
    /// plain edge.
    fn arrive_at_goal(
        &mut self,
        parent: NodeId,
        edge: EdgeId,
        stack: StackId,
        parts: Parts,
        precisions: Precisions,
    ) -> Result<Flow> {
        if !self.is_covered(edge) {
            let claim = match self.product.feasibility(&parts)? {
                Some(Feasibility::Infeasible) => {
                    self.tests.infeasible += 1;
                    return Ok(Flow::GoOn);
                }
                Some(Feasibility::Inputs(inputs)) => Some(Judgement::Inputs(inputs)),
                Some(Feasibility::Undecided(_)) if self.apart => self.host.stopped().map(Judgement::Stopped),
                _ if self.cegar.in_vain.get(&edge).is_some_and(|&times| times >= TRIES) => None,
                _ => Some(self.judge(parent, edge)?),
            };
            match claim {
                Some(Judgement::Refined) => return Ok(Flow::Again),
                Some(Judgement::Stopped(reason)) => return Ok(Flow::End(End::Stopped(reason))),
                Some(Judgement::Inputs(inputs)) => {
                    let shown = self.execute(&inputs);
                    if let (Shown::NotReached(_), Some(reason)) = (shown, self.host.stopped()) {
                        return Ok(Flow::End(End::Stopped(reason)));
                    }
                }
                _ => {}
            }
            if !self.is_covered(edge) {
                *self.cegar.in_vain.entry(edge).or_default() += 1;
            }
        }
        let (node, _) = self.place(parent, edge, stack, parts, precisions)?;
        self.note_target(edge, node);
        let all_covered = self.goals_covered() == self.task.targets.len();
        Ok(if all_covered { Flow::End(End::TargetReached) } else { Flow::GoOn })
    }

    pub(super) fn is_covered(&self, goal: EdgeId) -> bool {
        self.tests.covered.get(goal.index()).copied().unwrap_or(false)
    }

    fn note_target(&mut self, edge: EdgeId, node: NodeId) {
        if !self.targets.iter().any(|(known, _)| *known == edge) {
            self.targets.push((edge, node));
        }
    }

    /// How many goals are covered by tests.
    pub(super) fn goals_covered(&self) -> usize {
        self.task.targets.iter().filter(|goal| self.is_covered(**goal)).count()
    }

    /// Runs inputs, and keeps the inputs that were read as a test if it shows anything new.
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
            return Shown::NotReached(exit.explained(&program));
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
