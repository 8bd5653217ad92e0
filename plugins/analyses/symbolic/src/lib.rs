//! Symbolic execution as a configurable program analysis: every path on its own, with exact values and an exact condition.
//! Nothing is merged; a solver says which branches are open, and gives the inputs that lead to a target.

mod experience;
mod path;

use experience::Experience;
use path::Path;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell, RefMut};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tandem_plugin_api::kit::unroll::Order;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::service::formulas::{Formula, Formulas, Satisfiability, StateExpression, SymbolicState};

/// When the solver is asked whether a path is open.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Check {
    /// Where experience says that paths are closed.
    Adaptive,
    Branches,
    LoopHeads,
    Targets,
}

const CHECKS: [(&str, Check); 4] = [
    ("adaptive", Check::Adaptive),
    ("branches", Check::Branches),
    ("loop-heads", Check::LoopHeads),
    ("targets", Check::Targets),
];

struct Symbolic {
    task: Arc<Task>,
    check: Check,
    check_every: u32,
    /// 0 means no bound.
    max_iterations: u32,
    solver_time: Duration,
    host: Host,
    /// Set by [`Analysis::start`].
    formulas: RefCell<Option<Formulas>>,
    /// By loop head: the heads of the loops around it and itself.
    heads: RefCell<Heads>,
    experience: RefCell<Experience>,
    dangers: RefCell<FxHashSet<Formula>>,
    /// Loops of which iterations were left out.
    cut: RefCell<BTreeSet<LocationId>>,
    counts: Counts,
}

#[derive(Default)]
struct Heads {
    known: FxHashSet<FunctionId>,
    around: FxHashMap<LocationId, Arc<[LocationId]>>,
}

#[derive(Default)]
struct Counts {
    steps: Cell<u64>,
    /// Branches that simplification did not decide.
    branches: Cell<u64>,
    closed: Cell<u64>,
    undecided: Cell<u64>,
}

fn count(counter: &Cell<u64>) {
    counter.set(counter.get() + 1);
}

impl Plugin for Symbolic {
    type Kind = kind::Analysis;

    fn descriptor() -> Descriptor {
        let choices = CHECKS.iter().map(|(name, _)| name.to_string()).collect();
        Descriptor::of::<Self>(
            "symbolic",
            env!("CARGO_PKG_VERSION"),
            "Symbolic execution: follows every path on its own, with exact conditions over the inputs.",
        )
        .details(
            "Finds errors that need exact inputs, at any depth that the search order gets to, and proves programs that have \
             a moderate number of paths. Paths are never merged. Branches that constants decide cost nothing; at others a \
             solver is asked, as often as the options say. Whatever the formulas do not describe, such as accesses outside \
             of an object, must be unreachable for a proof to count. Which path goes on next is the actor's `order`.",
        )
        .option(
            "check",
            "Where the solver is asked whether a path is open, beside targets: `adaptive` learns which branches close paths.",
            OptionType::Choice(choices),
            OptionValue::Text("adaptive".into()),
        )
        .option(
            "check-every",
            "Ask only after so many branches of a path that constants did not decide.",
            OptionType::Integer { min: 1, max: 1_000_000 },
            OptionValue::Integer(1),
        )
        .option(
            "max-iterations",
            "How often a loop is followed where constants do not decide it; 0 for no bound. More iterations are left out, \
             and the verdict is not TRUE then.",
            OptionType::Integer { min: 0, max: 1 << 31 },
            OptionValue::Integer(0),
        )
        .option(
            "solver-time",
            "After this time a question counts as undecided: the path is followed, and there is no proof if its end depends on the question.",
            OptionType::Duration,
            OptionValue::Duration(Duration::from_secs(10)),
        )
        .gives(&[ArtifactKind::Tests, ArtifactKind::Gia])
    }

    fn new(setup: &Setup) -> Result<Self> {
        let number = |name: &str| Ok::<u32, PluginError>(u32::try_from(setup.options.integer(name)?).unwrap_or(0));
        let check = setup.options.text("check")?;
        let check = CHECKS.iter().find(|(name, _)| *name == check).map_or(Check::Branches, |(_, check)| *check);
        Ok(Symbolic {
            task: setup.task.clone(),
            check,
            check_every: number("check-every")?,
            max_iterations: number("max-iterations")?,
            solver_time: setup.options.duration("solver-time")?,
            host: setup.host.clone(),
            formulas: RefCell::default(),
            heads: RefCell::default(),
            experience: RefCell::default(),
            dangers: RefCell::default(),
            cut: RefCell::default(),
            counts: Counts::default(),
        })
    }
}

impl Symbolic {
    fn formulas(&self) -> Result<RefMut<'_, Formulas>> {
        RefMut::filter_map(self.formulas.borrow_mut(), Option::as_mut)
            .map_err(|_| PluginError::bad_input("the analysis was not started"))
    }

    fn note_danger(&self, state: &SymbolicState) {
        if state.danger() != Formula::FALSE {
            self.dangers.borrow_mut().insert(state.danger());
        }
    }

    /// The loops around a loop head, its own last; `None` for other places.
    fn around(&self, location: LocationId) -> Option<Arc<[LocationId]>> {
        let program = &self.task.program;
        let function = program.location(location).function;
        let mut heads = self.heads.borrow_mut();
        if heads.known.insert(function) {
            let order = Order::of(program, function);
            for head in program.reverse_postorder(function).into_iter().filter(|head| order.is_head(*head)) {
                if let Some(place) = order.place(head) {
                    heads.around.insert(head, place.heads.as_slice().into());
                }
            }
        }
        heads.around.get(&location).cloned()
    }

    /// The path's condition after an edge that restricted it, and whether that edge is one side of a branch.
    fn conditions_after(&self, path: &Path, next: &SymbolicState, edge: EdgeId) -> Result<path::Conditions> {
        if next.guard() == path.symbolic.guard() {
            return Ok(path.conditions.clone());
        }
        let Op::Assume { condition, holds } = self.task.program.edge(edge).op else {
            return Ok(path.conditions.replaced(next.guard(), Some(edge)));
        };
        let mut formulas = self.formulas()?;
        let mut truth = formulas.condition(&path.symbolic, StateExpression::Own(condition))?;
        if !holds {
            truth = formulas.not(truth)?;
        }
        Ok(path.conditions.and(truth, Some(edge)))
    }

    /// Whether it is time to ask the solver about a path that has just passed a branch or come to a loop head.
    fn is_due(&self, next: &Path, at_head: bool) -> bool {
        let place = match self.check {
            Check::Adaptive => next.doubt >= 1.0,
            Check::Branches => true,
            Check::LoopHeads => at_head,
            Check::Targets => false,
        };
        place && next.unchecked >= self.check_every
    }

    fn ask(&self, path: &Path) -> Result<Satisfiability> {
        self.formulas()?.check(&path.conditions.list(), Some(self.solver_time))
    }

    /// Whether the path may be open.
    fn may_be_open(&self, path: &mut Path) -> Result<bool> {
        match self.ask(path)? {
            Satisfiability::Unsatisfiable(core) => {
                count(&self.counts.closed);
                self.experience.borrow_mut().closed(&path.conditions, &core);
                return Ok(false);
            }
            Satisfiability::Satisfiable => {
                self.experience.borrow_mut().open(&path.conditions, path.unchecked);
                (path.unchecked, path.doubt) = (0, 0.0);
            }
            Satisfiability::Unknown(_) => {
                count(&self.counts.undecided);
                path.doubt = 0.0;
            }
        }
        Ok(true)
    }

    /// Whether the path goes on after so many iterations of a loop.
    fn is_within(&self, head: LocationId, iterations: u32) -> bool {
        if self.max_iterations == 0 || iterations < self.max_iterations {
            return true;
        }
        if self.cut.borrow_mut().insert(head) {
            let line =
                self.task.program.location(head).leaving.first().map(|edge| self.task.program.edge(*edge).span.line);
            let line = line.map_or(String::new(), |line| format!(" (line {line})"));
            self.host.unsound(&format!("a loop is followed for {} iterations only{line}", self.max_iterations));
        }
        false
    }

    /// Whether this is one of two edges of which a condition chooses one.
    fn is_side(&self, edge: EdgeId) -> bool {
        let program = &self.task.program;
        let Op::Assume { condition, holds } = program.edge(edge).op else { return false };
        let leaving = &program.location(program.edge(edge).from).leaving;
        let is_opposite = |other: &EdgeId| match program.edge(*other).op {
            Op::Assume { condition: theirs, holds: they } => theirs == condition && they != holds,
            _ => false,
        };
        leaving.len() == 2 && leaving.iter().any(is_opposite)
    }

    /// All dangers of states must be impossible for a proof.
    fn check_dangers(&self) -> Result<()> {
        let mut dangers: Vec<Formula> = self.dangers.borrow().iter().copied().collect();
        dangers.sort_unstable();
        for danger in dangers {
            let answer = self.formulas()?.check(&[danger], Some(self.solver_time))?;
            if !matches!(answer, Satisfiability::Unsatisfiable(_)) {
                self.host.unsound(&self.describe_danger()?);
                return Ok(());
            }
        }
        Ok(())
    }

    /// The first hazard that can happen.
    fn describe_danger(&self) -> Result<String> {
        let mut formulas = self.formulas()?;
        let mut asked = FxHashSet::default();
        for hazard in formulas.hazards()? {
            if !asked.insert(hazard.condition) {
                continue;
            }
            self.host.check()?;
            let answer = formulas.check(&[hazard.condition], Some(self.solver_time))?;
            if !matches!(answer, Satisfiability::Unsatisfiable(_)) {
                let line = self.task.program.edge(hazard.edge).span.line;
                return Ok(format!("{} on line {line}", hazard.what));
            }
        }
        Ok("something happens that the formulas do not describe".into())
    }
}

impl Analysis for Symbolic {
    type State = Path;
    type Precision = ();
    const CAPABILITIES: Capabilities<Self> = Capabilities::none().answers().indexes().concludes();

    fn start(&mut self, _inputs: &Inputs, host: &Host) -> Result<()> {
        self.host = host.clone();
        let formulas = self.formulas.get_mut();
        if formulas.is_none() {
            *formulas = Some(host.formulas()?);
        }
        Ok(())
    }

    fn initial(&self) -> Result<Path> {
        let symbolic = self.formulas()?.initial()?;
        self.note_danger(&symbolic);
        Ok(Path::start(symbolic))
    }

    fn successors(&self, path: &Path, edge: EdgeId, _: &()) -> Result<Successors<Path>> {
        count(&self.counts.steps);
        if self.task.is_target(edge) && self.task.property != Property::CoverBranches {
            // The effect of the call does not matter any more.
            return Ok(Successors::Unchanged);
        }
        let symbolic = self.formulas()?.post(&path.symbolic, edge)?;
        self.note_danger(&symbolic);
        if symbolic.danger() != Formula::FALSE {
            path.in_danger.store(true, Ordering::Relaxed);
        }
        if symbolic.guard() == Formula::FALSE {
            path.other_side_closed.store(true, Ordering::Relaxed);
            return Ok(Successors::None);
        }
        let restricted = symbolic.guard() != path.symbolic.guard();
        let program = &self.task.program;
        let (mut rounds, callers) = match program.edge(edge).op {
            Op::Call(_) => (path::Rounds::default(), path.callers.push(&path.rounds)),
            Op::Resume(_) => path.callers.pop(),
            _ => (path.rounds.clone(), path.callers.clone()),
        };
        let to = program.edge(edge).to;
        let around = self.around(to);
        if let Some(around) = &around {
            let (after, iterations) = rounds.at_head(around, symbolic.guard());
            if !self.is_within(to, iterations) {
                return Ok(Successors::None);
            }
            rounds = after;
        }
        let conditions = self.conditions_after(path, &symbolic, edge)?;
        let unchecked = path.unchecked + u32::from(restricted);
        let (other_side_closed, in_danger) = (AtomicBool::new(false), AtomicBool::new(false));
        let doubt = path.doubt;
        let mut next = Path { symbolic, conditions, unchecked, doubt, other_side_closed, in_danger, rounds, callers };
        if restricted {
            count(&self.counts.branches);
            // A little more than the exact value, so that a sum of halves reaches one.
            next.doubt += self.experience.borrow().doubt(edge) + 0.001;
            let is_side = self.is_side(edge);
            if is_side && path.unchecked == 0 && path.other_side_closed.load(Ordering::Relaxed) {
                (next.unchecked, next.doubt) = (0, 0.0);
                return Ok(Successors::One(next));
            }
        }
        if next.unchecked > 0
            && (restricted || around.is_some())
            && self.is_due(&next, around.is_some())
            && !self.may_be_open(&mut next)?
        {
            path.other_side_closed.store(true, Ordering::Relaxed);
            return Ok(Successors::None);
        }
        Ok(Successors::One(next))
    }

    fn less_or_equal(&self, smaller: &Path, greater: &Path) -> Result<bool> {
        Ok(std::ptr::eq(smaller, greater))
    }

    fn describe(&self, path: &Path) -> Result<String> {
        Ok(format!("{} conditions", path.conditions.list().len()))
    }
}

impl Answers for Symbolic {
    fn answer(&self, path: &Path, query: &Query) -> Result<Answer> {
        if *query != Query::Feasibility {
            return Ok(Answer::NoInformation);
        }
        Ok(Answer::Feasibility(match self.ask(path)? {
            Satisfiability::Unsatisfiable(_) => Feasibility::Infeasible,
            Satisfiability::Unknown(reason) => Feasibility::Undecided(reason),
            Satisfiability::Satisfiable => {
                let inputs = self.formulas()?.inputs(&path.symbolic)?;
                Feasibility::Inputs(inputs.iter().map(|input| input.bits).collect())
            }
        }))
    }
}

impl Indexes for Symbolic {
    fn keeps_apart(&self) -> bool {
        true
    }
}

impl Concludes for Symbolic {
    fn is_unproven(&self, path: &Path) -> Result<bool> {
        Ok(path.in_danger.load(Ordering::Relaxed) || path.symbolic.danger() != Formula::FALSE)
    }

    fn finish(&self, complete: bool) -> Result<Vec<(String, String)>> {
        if complete {
            self.check_dangers()?;
        }
        let counts = &self.counts;
        let line = |name: &str, counter: &Cell<u64>| (name.to_string(), counter.get().to_string());
        let mut lines = vec![
            line("symbolic steps", &counts.steps),
            line("branches not decided by constants", &counts.branches),
            line("branches closed by the solver", &counts.closed),
            line("branches that the solver did not decide", &counts.undecided),
        ];
        let mut formulas = self.formulas()?;
        for convention in formulas.conventions()? {
            self.host.convention(convention);
        }
        lines.extend(formulas.statistics()?);
        Ok(lines)
    }
}

tandem_plugin_api::export_plugin!(Symbolic);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn describes_itself_without_mistakes() {
        assert_eq!(Symbolic::descriptor().problems(), Vec::<String>::new());
    }
}
