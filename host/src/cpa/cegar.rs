//! Counterexample-guided abstraction refinement (Clarke et al., CAV 2000) as a loop around reachability, as CPAchecker has it: each way to
//! a target that the exploration finds is judged, or excluded by a refinement, and the exploration goes on.

use super::exploration::{End, Exploration};
use super::judge::Judgement;
use super::library_functions::place;
use super::product::ComponentError;
use super::reachability::Pause;
use super::target::{Arrival, Way};
use std::sync::Arc;

type Result<T> = std::result::Result<T, ComponentError>;

/// What becomes of a way to a target.
enum Decision {
    /// The abstraction was refined: the way is gone, and nodes with it.
    Refined,
    Judged(Judgement),
    /// No component and no solver was asked.
    NotJudged,
}

impl Exploration {
    /// Explores until there is an answer, or a reason to stop.
    pub(super) fn search(&mut self) -> Result<End> {
        loop {
            let arrival = match self.reach.explore()? {
                Pause::AtTarget(arrival) => arrival,
                Pause::End(end) => return Ok(end),
            };
            let end = match self.reach.task.property.is_coverage() {
                true => self.arrive_at_goal(arrival),
                false => self.arrive_at_target(arrival),
            };
            match end {
                Ok(None) => {}
                Ok(Some(end @ End::Stopped(_))) => {
                    self.reach.rewind();
                    return Ok(end);
                }
                Ok(Some(end)) => {
                    self.reach.suspend();
                    return Ok(end);
                }
                Err(failed) => {
                    self.reach.rewind();
                    return Err(failed);
                }
            }
        }
    }

    /// A target of a question for a proof: the exploration ends there if it is confirmed.
    fn arrive_at_target(&mut self, arrival: Arrival) -> Result<Option<End>> {
        let at = place(&self.reach.task.program, arrival.edge);
        let (why, hurried, end): (Arc<str>, _, _) = match self.decide(&arrival, true)? {
            Decision::Refined | Decision::Judged(Judgement::Infeasible) => return Ok(None),
            Decision::Judged(Judgement::Stopped(reason)) => return Ok(Some(End::Stopped(reason))),
            Decision::Judged(Judgement::Reached) => {
                self.reach.end_at(arrival, &format!("the target edge at {at}"));
                return Ok(Some(End::TargetReached));
            }
            Decision::Judged(Judgement::Open { why, hurried }) => (why, hurried, None),
            Decision::NotJudged => {
                let program = &self.reach.task.program;
                let callee = program.called_function(arrival.edge).map_or("the target", |f| &program.function(f).name);
                let why = format!(
                    "a path leads to {callee} at {at}, and with refinement = \"none\" it is left to others whether an \
                     execution takes it"
                );
                (why.into(), false, Some(End::TargetReached))
            }
        };
        let node = self.reach.end_at(arrival, &why);
        self.reach.host.debug(&why);
        self.open.all.push((node, why));
        self.open.hurried.extend(hurried.then_some(node));
        Ok(end)
    }

    /// A goal of a task that asks for tests. Edges after it may be goals, too, so the exploration goes on as for a
    /// plain edge.
    fn arrive_at_goal(&mut self, arrival: Arrival) -> Result<Option<End>> {
        let goal = arrival.edge;
        // Ways to it that were no use may be refined no more, or goals be looked at for ever.
        let with_solver = !self.judge.is_tired_of(goal);
        match self.decide(&arrival, with_solver)? {
            Decision::Refined | Decision::Judged(Judgement::Infeasible) => return Ok(None),
            Decision::Judged(Judgement::Stopped(reason)) => return Ok(Some(End::Stopped(reason))),
            Decision::Judged(_) | Decision::NotJudged => {}
        }
        if !self.reach.goals.is_covered(goal) {
            self.judge.note_in_vain(goal);
        }
        self.reach.go_through(arrival)?;
        Ok(None)
    }

    /// Asks the components that know the state, then those that can exclude the path, then the solver.
    fn decide(&mut self, arrival: &Arrival, with_solver: bool) -> Result<Decision> {
        if !self.refiner.is_wanted() {
            return Ok(Decision::NotJudged);
        }
        if let Some(known) = self.judge.ask_components(&self.reach, arrival)? {
            return Ok(Decision::Judged(known));
        }
        if !with_solver {
            return Ok(Decision::NotJudged);
        }
        let way = Way::of(&self.reach.arg, arrival);
        if let Some(known) = self.judge.last_word(&way) {
            return Ok(Decision::Judged(known));
        }
        if let Some(removed) = self.refiner.refine(&mut self.reach, &way)? {
            self.open.forget(&removed);
            return Ok(Decision::Refined);
        }
        Ok(Decision::Judged(self.judge.ask_solver(&self.reach, &way)))
    }
}
