//! Symbolic states pushed along all edges of the unrolled program and joined where paths meet: up to a bound, or with loops
//! replaced by what an induction needs.

use super::{Agenda, Frame, Unrolling, Visit};
use crate::error::Result;
use crate::program::{EdgeId, ExprId, LocationId, Op};
use crate::service::Host;
use crate::service::formulas::{Effects, Formula, Formulas, StateExpression, SymbolicState};
use crate::task::Task;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The treatment of loops that constants do not decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loops {
    /// This many iterations; paths that go on are cut off.
    Bounded(u32),
    /// k-induction: the first k iterations as they are, and k iterations from any state that the loop may be in, in which
    /// nothing goes wrong, followed by one in which nothing may. All ways out of the loop go on from these.
    Induction(u32),
}

/// The result of an unrolling.
#[derive(Default)]
pub struct Exploration {
    /// States in which a target edge is about to be taken.
    pub errors: Vec<(EdgeId, SymbolicState)>,
    /// The conditions under which paths go on beyond a bound.
    pub cuts: Vec<Formula>,
    /// The conditions under which something happens that the formulas do not describe.
    pub dangers: Vec<Formula>,
    /// The conditions under which a candidate for an invariant does not hold where it must: the loop's head, the
    /// candidate, the condition.
    pub objections: Vec<(LocationId, ExprId, Formula)>,
    /// The edges that leave a visited place; a place is visited if the condition of some path to it is not FALSE. Targets are left out.
    pub passed: BTreeSet<EdgeId>,
    pub steps: u64,
}

/// Conditions that may hold whenever the head of a loop is reached.
pub type Candidates = FxHashMap<LocationId, Vec<ExprId>>;

/// Where a loop is in its unrolling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum Phase {
    /// All iterations so far were decided by constants, or are within the bound.
    #[default]
    Plain,
    /// This many more iterations as they are.
    Exact(u32),
    /// This many more iterations in which nothing goes wrong.
    Assumed(u32),
    /// The iteration in which nothing may go wrong.
    Checked,
}

/// The state of a loop's unrolling that is kept with each visit.
#[derive(Clone, Copy, Debug)]
pub struct Rounds {
    phase: Phase,
    /// How often the loop went around in a way that constants did not decide.
    counted: u32,
    /// The guard when the head was visited last.
    guard: Formula,
}

impl Default for Rounds {
    fn default() -> Self {
        Rounds { phase: Phase::Plain, counted: 0, guard: Formula::TRUE }
    }
}

/// Calls deeper than this are cut off, even where constants decide them.
const MAX_DEPTH: u32 = 3000;
/// A loop may have any number of iterations that constants decide. They are cheap, so this many are allowed for each of
/// the others.
const PLAIN: u32 = 200;

/// At most this many paths to one visit are kept apart.
const MOST_APART: usize = 8;

/// See the module.
pub struct Explorer<'a> {
    task: &'a Task,
    host: &'a Host,
    formulas: &'a mut Formulas,
    loops: Loops,
    unrolling: Unrolling,
    agenda: Agenda<Rounds, SymbolicState>,
    /// By loop head: what the loop may change.
    effects: FxHashMap<LocationId, Effects>,
    /// Assumed where an induction starts from any state. Where a candidate does not hold, [`Exploration::objections`]
    /// gets an entry.
    candidates: Option<&'a Candidates>,
    /// Whether an induction begins with the first visit of a loop's head.
    at_once: bool,
    /// Whether paths stay apart where they meet, as long as they are few.
    apart: bool,
    found: Exploration,
}

impl<'a> Explorer<'a> {
    pub fn new(task: &'a Task, host: &'a Host, formulas: &'a mut Formulas, loops: Loops) -> Self {
        Explorer {
            task,
            host,
            formulas,
            loops,
            unrolling: Unrolling::new(Arc::clone(&task.program)),
            agenda: Agenda::default(),
            effects: FxHashMap::default(),
            candidates: None,
            at_once: false,
            apart: false,
            found: Exploration::default(),
        }
    }

    /// Lets an induction use these candidates.
    pub fn with(self, candidates: &'a Candidates) -> Self {
        Explorer { candidates: Some(candidates), ..self }
    }

    /// Begins inductions with the first visit of a loop's head, even where constants decide that the loop goes on: candidates
    /// without objections then hold at every visit.
    pub fn at_once(self) -> Self {
        Explorer { at_once: true, ..self }
    }

    /// Keeps paths apart where they meet, as long as they are few. This gives more and simpler formulas: along one path
    /// the solver can simplify a sum at once, while it searches long if every number in the sum depends on the path.
    pub fn apart(self) -> Self {
        Explorer { apart: true, ..self }
    }

    pub fn run(mut self) -> Result<Exploration> {
        let Some(start) = self.unrolling.start() else { return Ok(self.found) };
        let state = self.formulas.initial()?;
        self.found.dangers.push(state.danger());
        self.add(start, state);
        while let Some((visit, states)) = self.agenda.take() {
            self.host.check()?;
            let order = self.unrolling.order(self.task.program.location(visit.location).function);
            if order.is_head(visit.location) {
                self.head(visit, states)?;
            } else if self.apart && states.len() <= MOST_APART {
                for state in states {
                    self.leave(&visit, &state)?;
                }
            } else {
                let state = self.formulas.join(&states)?;
                drop(states);
                self.leave(&visit, &state)?;
            }
        }
        Ok(self.found)
    }

    fn add(&mut self, visit: Visit<Rounds>, state: SymbolicState) {
        self.agenda.add(visit, state, |kept, new| kept.counted = kept.counted.max(new.counted));
    }

    /// All edges out of a visit.
    fn leave(&mut self, visit: &Visit<Rounds>, state: &SymbolicState) -> Result<()> {
        for edge in self.unrolling.edges(visit) {
            self.edge(visit, state, edge)?;
        }
        Ok(())
    }

    /// A visit of a loop's head: decides whether and how the loop goes on.
    fn head(&mut self, mut visit: Visit<Rounds>, states: Vec<SymbolicState>) -> Result<()> {
        let state = self.formulas.join(&states)?;
        let entering = if self.apart && states.len() <= MOST_APART { states } else { vec![state.clone()] };
        if visit.loops.last().is_some_and(|(_, rounds)| rounds.phase != Phase::Plain) {
            self.object(&visit, &entering)?;
        }
        let Some((iteration, rounds)) = visit.loops.last_mut() else { return self.leave(&visit, &state) };
        let decided = *iteration == 0 || rounds.guard == state.guard();
        rounds.counted += u32::from(!decided);
        rounds.guard = state.guard();
        let (iteration, rounds) = (*iteration, *rounds);
        match (self.loops, rounds.phase) {
            (Loops::Bounded(bound), _) => {
                if rounds.counted >= bound || iteration >= bound.saturating_mul(PLAIN) {
                    self.found.cuts.push(state.guard());
                    return Ok(());
                }
                self.leave(&visit, &state)
            }
            (Loops::Induction(k), Phase::Plain)
                if decided && !self.at_once && iteration < (k + 1).saturating_mul(PLAIN) =>
            {
                self.leave(&visit, &state)
            }
            (Loops::Induction(k), Phase::Plain) => {
                self.object(&visit, &entering)?;
                self.begin_induction(visit, state, k)
            }
            (_, Phase::Exact(left)) => self.go_on(visit, state, left, Phase::Exact, None),
            (_, Phase::Assumed(left)) => self.go_on(visit, state, left, Phase::Assumed, Some(Phase::Checked)),
            // By induction, the next iteration is like this one.
            (_, Phase::Checked) => Ok(()),
        }
    }

    /// One iteration less is left in this phase; at the last one the next phase begins, or the loop ends.
    fn go_on(
        &mut self,
        mut visit: Visit<Rounds>,
        state: SymbolicState,
        left: u32,
        phase: fn(u32) -> Phase,
        then: Option<Phase>,
    ) -> Result<()> {
        let next = match left {
            0 | 1 => then,
            _ => Some(phase(left - 1)),
        };
        let (Some(next), Some((_, rounds))) = (next, visit.loops.last_mut()) else { return Ok(()) };
        rounds.phase = next;
        let state = if then.is_some() { self.suppose(&visit, state)? } else { state };
        self.leave(&visit, &state)
    }

    /// Candidates must hold in states at the loop's head, unless nothing goes wrong by assumption.
    fn object(&mut self, visit: &Visit<Rounds>, states: &[SymbolicState]) -> Result<()> {
        let Some(list) = self.candidates.and_then(|candidates| candidates.get(&visit.location)) else { return Ok(()) };
        // The iteration that ends here may be an assumed one; so may be an iteration of a loop around.
        let ends_assumed = matches!(visit.loops.last(), Some((_, rounds)) if matches!(rounds.phase, Phase::Assumed(_)));
        let mut outer = visit.clone();
        outer.loops.pop();
        if ends_assumed || is_assumed(&outer) {
            return Ok(());
        }
        for (&candidate, state) in list.iter().flat_map(|candidate| states.iter().map(move |state| (candidate, state)))
        {
            let holds = self.formulas.condition(state, StateExpression::Own(candidate))?;
            let fails = self.formulas.not(holds)?;
            let objection = self.formulas.and(&[state.guard(), fails])?;
            if objection != Formula::FALSE {
                self.found.objections.push((visit.location, candidate, objection));
            }
        }
        Ok(())
    }

    /// Only the paths on which all candidates for the loop hold.
    fn suppose(&mut self, visit: &Visit<Rounds>, mut state: SymbolicState) -> Result<SymbolicState> {
        let list = self.candidates.and_then(|candidates| candidates.get(&visit.location));
        for &candidate in list.into_iter().flatten() {
            let holds = self.formulas.condition(&state, StateExpression::Own(candidate))?;
            state = self.formulas.restrict(&state, holds)?;
        }
        Ok(state)
    }

    /// From here on, constants do not decide how often the loop goes around.
    fn begin_induction(&mut self, visit: Visit<Rounds>, state: SymbolicState, k: u32) -> Result<()> {
        let effects = self.effects_of(visit.location)?;
        let any = self.formulas.forget(&state, effects)?;
        let any = self.suppose(&visit, any)?;
        // The iterations from any state come behind the exact ones.
        let mut later = visit.clone();
        let shift = k + 1;
        if let (Some((iteration, rounds)), Some(place)) = (later.loops.last_mut(), iteration_in(&visit)) {
            *iteration += shift;
            later.key[place] += shift;
            rounds.phase = if k == 0 { Phase::Checked } else { Phase::Assumed(k) };
            rounds.guard = any.guard();
        }
        if k > 0 {
            let mut exact = visit;
            if let Some((_, rounds)) = exact.loops.last_mut() {
                rounds.phase = Phase::Exact(k);
            }
            self.leave(&exact, &state)?;
        }
        self.leave(&later, &any)
    }

    fn edge(&mut self, visit: &Visit<Rounds>, state: &SymbolicState, edge: EdgeId) -> Result<()> {
        self.found.steps += 1;
        let assumed = is_assumed(visit);
        if self.task.is_target(edge) {
            if !assumed {
                self.found.errors.push((edge, state.clone()));
            }
            return Ok(());
        }
        self.found.passed.insert(edge);
        let mut next = self.formulas.post(state, edge)?;
        if next.danger() != Formula::FALSE {
            if assumed {
                // By induction, earlier iterations did nothing undefined. They may have done things that the formulas
                // do not describe.
                self.found.dangers.push(next.ignorance());
                let safe = self.formulas.not(next.danger())?;
                next = self.formulas.restrict(&next, safe)?;
            } else {
                self.found.dangers.push(next.danger());
            }
        }
        if next.guard() == Formula::FALSE {
            return Ok(());
        }
        let Some((to, _)) = self.unrolling.step(visit, edge) else { return Ok(()) };
        // Ways out of a loop are followed from its exact and its checked iterations.
        let kept = self.unrolling.loops_kept(visit, edge);
        let left = visit.loops.get(kept..).unwrap_or_default();
        if left.iter().any(|(_, rounds)| matches!(rounds.phase, Phase::Assumed(_))) {
            return Ok(());
        }
        if matches!(self.task.program.edge(edge).op, Op::Call(_)) && !self.depth_is_within(to.frame.as_ref()) {
            self.found.cuts.push(next.guard());
            return Ok(());
        }
        self.add(to, next);
        Ok(())
    }

    /// Whether the innermost call is not too deep in calls of the same function.
    fn depth_is_within(&self, frame: Option<&Arc<Frame<Rounds>>>) -> bool {
        let Some(innermost) = frame else { return true };
        if innermost.depth > MAX_DEPTH {
            return false;
        }
        let bound = match self.loops {
            Loops::Bounded(bound) => bound,
            Loops::Induction(k) => k + 1,
        };
        let mut same = 0;
        let mut at = innermost.from.frame.as_ref();
        while let Some(frame) = at {
            same += u32::from(frame.callee == innermost.callee);
            at = frame.from.frame.as_ref();
        }
        same <= bound
    }

    /// The changes that the loop with this head may make.
    fn effects_of(&mut self, head: LocationId) -> Result<Effects> {
        if let Some(&known) = self.effects.get(&head) {
            return Ok(known);
        }
        let edges = self.unrolling.loop_edges(head);
        let effects = self.formulas.effects(&edges)?;
        self.effects.insert(head, effects);
        Ok(effects)
    }
}

/// Whether a visit is in an iteration, of any loop around it, in which nothing goes wrong by assumption.
fn is_assumed(visit: &Visit<Rounds>) -> bool {
    let here = visit.loops.iter().any(|(_, rounds)| matches!(rounds.phase, Phase::Assumed(_)));
    here || visit.frame.as_ref().is_some_and(|frame| is_assumed(&frame.from))
}

/// Where the key of a head's visit has the iteration of its loop: before its own position, which is the last.
fn iteration_in(visit: &Visit<Rounds>) -> Option<usize> {
    visit.key.len().checked_sub(2)
}
