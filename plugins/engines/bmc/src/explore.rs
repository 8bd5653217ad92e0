//! One unrolling up to a bound: symbolic states pushed along all edges and joined where paths meet.

use std::sync::Arc;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::service::formulas::{Formula, Formulas, SymbolicState};
use tandem_plugin_api::unroll::{Agenda, Frame, Move, Unrolling, Visit};

/// What an unrolling found.
#[derive(Default)]
pub struct Exploration {
    /// States in which a target edge is about to be taken.
    pub errors: Vec<(EdgeId, SymbolicState)>,
    /// When paths go on beyond the bound.
    pub cuts: Vec<Formula>,
    /// When something happens that the formulas do not describe.
    pub dangers: Vec<Formula>,
    pub steps: u64,
}

/// How often a loop went around in a way that constants did not decide.
#[derive(Clone, Copy, Debug)]
pub struct Rounds {
    counted: u32,
    /// The guard when the head was reached last.
    guard: Formula,
}

impl Default for Rounds {
    fn default() -> Self {
        Rounds { counted: 0, guard: Formula::TRUE }
    }
}

/// Calls deeper than this are cut off, even where constants decide them.
const MAX_DEPTH: u32 = 3000;

pub struct Explorer<'a> {
    task: &'a Task,
    host: &'a Host,
    formulas: &'a mut Formulas,
    bound: u32,
    unrolling: Unrolling,
    agenda: Agenda<Rounds, SymbolicState>,
    found: Exploration,
}

impl<'a> Explorer<'a> {
    pub fn new(task: &'a Task, host: &'a Host, formulas: &'a mut Formulas, bound: u32) -> Self {
        let unrolling = Unrolling::new(Arc::clone(&task.program));
        let (agenda, found) = (Agenda::default(), Exploration::default());
        Explorer { task, host, formulas, bound, unrolling, agenda, found }
    }

    pub fn run(mut self) -> Result<Exploration> {
        let Some(start) = self.unrolling.start() else { return Ok(self.found) };
        let state = self.formulas.initial()?;
        self.found.dangers.push(state.danger());
        self.add(start, state);
        while let Some((visit, states)) = self.agenda.next() {
            self.host.check()?;
            let state = self.formulas.join(&states)?;
            drop(states);
            for edge in self.unrolling.edges(&visit) {
                self.edge(&visit, &state, edge)?;
            }
        }
        Ok(self.found)
    }

    fn add(&mut self, visit: Visit<Rounds>, state: SymbolicState) {
        self.agenda.add(visit, state, |kept, new| kept.counted = kept.counted.max(new.counted));
    }

    fn edge(&mut self, visit: &Visit<Rounds>, state: &SymbolicState, edge: EdgeId) -> Result<()> {
        self.found.steps += 1;
        if self.task.is_target(edge) {
            self.found.errors.push((edge, state.clone()));
            return Ok(());
        }
        let next = self.formulas.post(state, edge)?;
        if next.danger() != Formula::FALSE {
            self.found.dangers.push(next.danger());
        }
        if next.guard() == Formula::FALSE {
            return Ok(());
        }
        let Some((mut to, movement)) = self.unrolling.step(visit, edge) else { return Ok(()) };
        let mut within = true;
        if let (Move::Again | Move::Enter, Some((_, rounds))) = (movement, to.loops.last_mut()) {
            if movement == Move::Again && rounds.guard != next.guard() {
                rounds.counted += 1;
            }
            rounds.guard = next.guard();
            within = rounds.counted < self.bound;
        }
        if let Op::Call(_) = self.task.program.edge(edge).op {
            within &= self.depth_is_within(to.frame.as_ref());
        }
        if within {
            self.add(to, next);
        } else {
            self.found.cuts.push(next.guard());
        }
        Ok(())
    }

    /// Whether the innermost call is not too deep in calls of the same function.
    fn depth_is_within(&self, frame: Option<&Arc<Frame<Rounds>>>) -> bool {
        let Some(innermost) = frame else { return true };
        if innermost.depth > MAX_DEPTH {
            return false;
        }
        let mut same = 0;
        let mut at = innermost.from.frame.as_ref();
        while let Some(frame) = at {
            same += u32::from(frame.callee == innermost.callee);
            at = frame.from.frame.as_ref();
        }
        same <= self.bound
    }
}
