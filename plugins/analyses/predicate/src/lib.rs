//! Predicate abstraction with adjustable-block encoding (Beyer, Keremoglu, Wendler, FMCAD 2010) and lazy refinement:
//! everything is exact between loop heads; at loop heads, values that the loop changes are known by predicates only.

mod abstraction;
mod around;
mod block;
mod places;
mod pool;
mod precision;
mod refinement;

use abstraction::Effort;
use block::{Block, History, Known, Recipe, State};
use places::Places;
use precision::{Precision, Region, SCOPINGS, Scoping};
use rustc_hash::FxHashSet;
use std::cell::{Cell, RefCell, RefMut};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tandem_plugin_api::artifact::{self, Condition, PrecisionItem, PrecisionScope};
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::{EdgeNames, LocationNames, print_c};
use tandem_plugin_api::service::formulas::{Expressions, Formula, Formulas, Satisfiability, SymbolicState};

struct Predicate {
    task: Arc<Task>,
    scoping: Scoping,
    effort: Effort,
    /// The time limit of an important question: whether a way is feasible.
    solver_time: Duration,
    host: Host,
    /// Set by [`Analysis::start`].
    tools: RefCell<Option<Tools>>,
    places: RefCell<Places>,
    /// The dangers of all states that are alive: behaviour on leaving edges that formulas do not describe.
    dangers: RefCell<Vec<Weak<Mutex<Vec<Formula>>>>>,
    counts: Counts,
}

/// Formulas, and the expressions that they know beyond the program's own.
struct Tools {
    formulas: Formulas,
    expressions: Expressions,
    initial: Option<SymbolicState>,
}

#[derive(Default)]
struct Counts {
    blocks: Cell<u64>,
    abstractions: Cell<u64>,
    refinements: Cell<u64>,
    predicates: Cell<u64>,
    given_up: Cell<u64>,
}

fn count(counter: &Cell<u64>) {
    counter.set(counter.get() + 1);
}

impl Plugin for Predicate {
    type Kind = kind::Analysis;

    fn descriptor() -> Descriptor {
        let choices = |list: &[&str]| OptionType::Choice(list.iter().map(|name| name.to_string()).collect());
        Descriptor::of::<Self>(
            "predicate",
            env!("CARGO_PKG_VERSION"),
            "Predicate abstraction: exact between loop heads, and predicates at loop heads, found by refinement.",
        )
        .details(
            "Proves programs whose loops have invariants that are Boolean combinations of predicates. The ways from one loop \
             head to the next are one formula. Predicates come from infeasible ways to the error: first those that the program \
             itself compares are tried, then those that follow from the conditions ahead. What a loop does not change stays \
             exact. Memory that a loop changes through pointers is unknown in it.",
        )
        .option(
            "blocks",
            "Where the exact formula ends and predicates take over: at loop heads, or at function calls and returns as well.",
            choices(&["loop-heads", "functions"]),
            OptionValue::Text("loop-heads".into()),
        )
        .option(
            "scope",
            "Where a predicate is tracked that refinement found for one place: there, in the whole function, or everywhere.",
            choices(&SCOPINGS.map(|(name, _)| name)),
            OptionValue::Text("location".into()),
        )
        .option(
            "most-combinations",
            "The most combinations of predicates that are kept; if there are more, only single predicates are known.",
            OptionType::Integer { min: 1, max: 1_000_000 },
            OptionValue::Integer(32),
        )
        .option(
            "abstraction-time",
            "After this time a question about predicates counts as undecided: the predicate is not known there.",
            OptionType::Duration,
            OptionValue::Duration(Duration::from_millis(1000)),
        )
        .option(
            "solver-time",
            "After this time a question whether a way is feasible counts as undecided.",
            OptionType::Duration,
            OptionValue::Duration(Duration::from_secs(10)),
        )
        .gives(&[ArtifactKind::Precision, ArtifactKind::Invariants, ArtifactKind::Gia])
    }

    fn new(setup: &Setup) -> Result<Self> {
        let scope = setup.options.text("scope")?;
        let cubes = u32::try_from(setup.options.integer("most-combinations")?).unwrap_or(1);
        let with_functions = setup.options.text("blocks")? == "functions";
        Ok(Predicate {
            task: setup.task.clone(),
            scoping: SCOPINGS.iter().find(|(name, _)| *name == scope).map_or(Scoping::Location, |(_, s)| *s),
            effort: Effort { most_cubes: cubes, time: setup.options.duration("abstraction-time")? },
            solver_time: setup.options.duration("solver-time")?,
            host: setup.host.clone(),
            tools: RefCell::default(),
            places: RefCell::new(Places::new(setup.task.program.clone(), with_functions)),
            dangers: RefCell::default(),
            counts: Counts::default(),
        })
    }
}

impl Predicate {
    fn tools(&self) -> Result<RefMut<'_, Tools>> {
        RefMut::filter_map(self.tools.borrow_mut(), Option::as_mut)
            .map_err(|_| PluginError::bad_input("the analysis was not started"))
    }

    fn is_abstraction_point(&self, location: LocationId) -> bool {
        self.places.borrow_mut().is_abstraction_point(location)
    }

    fn block(
        &self,
        location: LocationId,
        parent: Option<(Arc<Block>, Arc<Recipe>)>,
        context: u32,
        known: Known,
    ) -> Arc<Block> {
        let number = self.counts.blocks.get();
        count(&self.counts.blocks);
        Arc::new(Block { number, location, parent, context, known })
    }

    fn exact_start(&self) -> Result<SymbolicState> {
        let mut tools = self.tools()?;
        if let Some(initial) = &tools.initial {
            return Ok(initial.clone());
        }
        let initial = tools.formulas.initial()?;
        tools.initial = Some(initial.clone());
        Ok(initial)
    }

    fn note_danger(&self, state: &State, danger: Formula) {
        if danger == Formula::FALSE {
            return;
        }
        let mut list = state.dangers.lock().unwrap_or_else(PoisonError::into_inner);
        if list.is_empty() {
            self.dangers.borrow_mut().push(Arc::downgrade(&state.dangers));
        }
        if !list.contains(&danger) {
            list.push(danger);
        }
    }

    fn is_empty(&self, state: &SymbolicState) -> Result<bool> {
        if state.guard() == Formula::FALSE {
            return Ok(true);
        }
        let answer = self.tools()?.formulas.check(&[state.guard()], Some(self.solver_time))?;
        Ok(matches!(answer, Satisfiability::Unsatisfiable(_)))
    }

    /// The state at the start of a new block.
    fn abstracted(&self, state: &State, at: LocationId, precision: &Precision) -> Result<State> {
        count(&self.counts.abstractions);
        let predicates = precision.at(&self.task.program, at);
        let mut tools = self.tools()?;
        let formulas = &mut tools.formulas;
        let effects = self.places.borrow_mut().effects(formulas, at)?;
        let known = abstraction::compute(formulas, &state.symbolic, &predicates, self.effort)?;
        let (general, context) = formulas.generalize(&state.symbolic, effects)?;
        let condition = abstraction::condition(formulas, &general, &known)?;
        let symbolic = formulas.restrict(&general, condition)?;
        let parent = Some((Arc::clone(&state.block), Arc::clone(&state.recipe)));
        Ok(State::new(symbolic, self.block(at, parent, context, known), Recipe::start()))
    }

    /// The state after a history, without abstraction.
    fn exact_end(&self, history: &History) -> Result<SymbolicState> {
        let mut state = self.exact_start()?;
        let mut tools = self.tools()?;
        for (_, recipe) in &history.blocks {
            state = recipe.replay(&mut tools.formulas, &self.host, &state)?;
            if state.guard() == Formula::FALSE {
                break;
            }
        }
        Ok(state)
    }

    /// Whether an execution takes one of the ways that a state stands for, as far as it was not covered.
    fn feasibility(&self, state: &State) -> Result<Answer> {
        let end = self.exact_end(&state.history())?;
        if end.guard() == Formula::FALSE {
            return Ok(Answer::NoInformation);
        }
        let mut tools = self.tools()?;
        Ok(match tools.formulas.check(&[end.guard()], Some(self.solver_time))? {
            Satisfiability::Satisfiable => {
                let inputs = tools.formulas.inputs(&end)?;
                Answer::Feasibility(Feasibility::Inputs(inputs.iter().map(|input| input.bits).collect()))
            }
            // No answer: a finer precision may exclude it.
            Satisfiability::Unsatisfiable(_) => Answer::NoInformation,
            Satisfiability::Unknown(reason) => Answer::Feasibility(Feasibility::Undecided(reason)),
        })
    }

    /// Whether no execution takes any of these ways.
    fn is_infeasible(&self, history: &History) -> Result<bool> {
        let end = self.exact_end(history)?;
        self.is_empty(&end)
    }

    /// All dangers of states that are part of the proof must be impossible.
    fn check_dangers(&self) -> Result<()> {
        let mut all: FxHashSet<Formula> = FxHashSet::default();
        for list in self.dangers.borrow().iter().filter_map(Weak::upgrade) {
            all.extend(list.lock().unwrap_or_else(PoisonError::into_inner).iter());
        }
        let mut all: Vec<Formula> = all.into_iter().collect();
        all.sort_unstable();
        let mut tools = self.tools()?;
        for danger in all {
            let answer = tools.formulas.check(&[danger], Some(self.solver_time))?;
            if !matches!(answer, Satisfiability::Unsatisfiable(_)) {
                self.host.unsound(&describe_danger(&mut tools.formulas, &self.task.program, danger)?);
                return Ok(());
            }
        }
        Ok(())
    }

    /// The program with all known expressions.
    fn extended_program(&self) -> Result<Program> {
        Ok(self.tools()?.expressions.with(&self.task.program))
    }
}

fn describe_danger(formulas: &mut Formulas, program: &Program, danger: Formula) -> Result<String> {
    let hazards = formulas.hazards()?;
    for hazard in hazards.iter().rev() {
        let line = program.edge(hazard.edge).span.line;
        if hazard.condition == danger {
            return Ok(format!("{} on line {line}", hazard.what));
        }
    }
    Ok("something may happen that the formulas do not describe".into())
}

impl Analysis for Predicate {
    type State = State;
    type Precision = Precision;
    const CAPABILITIES: Capabilities<Self> = Capabilities::none().answers().refines().explains().indexes().concludes();

    fn start(&mut self, _inputs: &Inputs, host: &Host) -> Result<()> {
        self.host = host.clone();
        let tools = self.tools.get_mut();
        if tools.is_none() {
            let expressions = Expressions::of(&self.task.program);
            *tools = Some(Tools { formulas: host.formulas()?, expressions, initial: None });
        }
        Ok(())
    }

    fn initial(&self) -> Result<State> {
        let symbolic = self.exact_start()?;
        let entry = self.task.program.entry().unwrap_or(LocationId(0));
        let state = State::new(symbolic, self.block(entry, None, u32::MAX, Known::default()), Recipe::start());
        self.note_danger(&state, state.symbolic.danger());
        Ok(state)
    }

    fn successors(&self, state: &State, edge: EdgeId, _: &Precision) -> Result<Successors<State>> {
        if self.task.is_target(edge) && self.task.property != Property::CoverBranches {
            // The effect of the call does not matter any more.
            return Ok(if self.is_empty(&state.symbolic)? { Successors::None } else { Successors::Unchanged });
        }
        let next = self.tools()?.formulas.post(&state.symbolic, edge)?;
        self.note_danger(state, next.danger());
        let matters = self.task.is_target(edge) || self.is_abstraction_point(self.task.program.edge(edge).to);
        if next.guard() == Formula::FALSE || matters && self.is_empty(&next)? {
            return Ok(Successors::None);
        }
        let recipe = Recipe::post(&state.recipe, edge);
        Ok(Successors::One(State::new(next, Arc::clone(&state.block), recipe)))
    }

    fn adjust(&self, state: &State, at: LocationId, precision: &Precision) -> Result<Adjusted<State, Precision>> {
        let mut adjusted = Adjusted::default();
        if !state.is_start() && self.is_abstraction_point(at) {
            adjusted.state = Some(self.abstracted(state, at, precision)?);
        }
        Ok(adjusted)
    }

    fn less_or_equal(&self, smaller: &State, greater: &State) -> Result<bool> {
        if !smaller.is_start() || !greater.is_start() {
            return Ok(Arc::ptr_eq(&smaller.block, &greater.block) && greater.recipe.extends(&smaller.recipe));
        }
        if smaller.block.context != greater.block.context {
            return Ok(false);
        }
        let (mine, theirs) = (smaller.symbolic.guard(), greater.symbolic.guard());
        if mine == theirs || theirs == Formula::TRUE {
            return Ok(true);
        }
        let mut tools = self.tools()?;
        let outside = tools.formulas.not(theirs)?;
        let answer = tools.formulas.check(&[mine, outside], Some(self.solver_time))?;
        Ok(matches!(answer, Satisfiability::Unsatisfiable(_)))
    }

    fn merge(&self, new: &State, reached: &State, _: &Precision) -> Result<Option<State>> {
        if new.is_start() || reached.is_start() || !Arc::ptr_eq(&new.block, &reached.block) {
            return Ok(None);
        }
        if new.recipe.extends(&reached.recipe) {
            return Ok(Some(State::new(new.symbolic.clone(), Arc::clone(&new.block), Arc::clone(&new.recipe))));
        }
        let joined = self.tools()?.formulas.join(&[reached.symbolic.clone(), new.symbolic.clone()])?;
        Ok(Some(State::new(joined, Arc::clone(&new.block), Recipe::join(&reached.recipe, &new.recipe))))
    }

    fn describe(&self, state: &State) -> Result<String> {
        let known = &state.block.known;
        Ok(match state.is_start() {
            true => format!("{} facts, {} open predicates", known.facts.len(), known.open.len()),
            false => String::new(),
        })
    }
}

impl Answers for Predicate {
    fn answer(&self, state: &State, query: &Query) -> Result<Answer> {
        match query {
            Query::Feasibility => self.feasibility(state),
            _ => Ok(Answer::NoInformation),
        }
    }
}

impl Refines for Predicate {
    fn refine(&self, path: &[EdgeId], precision: &Precision) -> Result<Option<Refinement<Precision>>> {
        self.refined(path, precision)
    }

    fn initial_precision(&self) -> Result<Precision> {
        let mut precision = Precision::default();
        let Ok(mut tools) = self.tools() else { return Ok(precision) };
        let Tools { formulas, expressions, .. } = &mut *tools;
        for (location, predicates) in self.places.borrow_mut().bounds_of_indices(expressions) {
            for predicate in predicates {
                precision.add(Region::Location(location), predicate);
            }
        }
        formulas.extend(&self.task.program, expressions)?;
        Ok(precision)
    }

    fn import_precision(&self, base: &Precision, given: &artifact::Precision) -> Result<Option<Precision>> {
        let program = &self.task.program;
        let locations = LocationNames::new(program, &EdgeNames::new(program));
        let mut precision = base.clone();
        let mut any = false;
        for entry in given.iter() {
            let PrecisionItem::Predicate(predicate) = &entry.item else { continue };
            let region = match &entry.scope {
                PrecisionScope::Global => Some(Region::Everywhere),
                PrecisionScope::Function(name) => program.function_named(name).map(Region::Function),
                PrecisionScope::Location(name) => locations.location(name).map(Region::Location),
            };
            let scope = match (predicate.scope().and_then(|name| program.function_named(name)), region) {
                (_, Some(Region::Location(location))) => Scope::Location(location),
                (Some(function), _) => Scope::Function(function),
                (None, _) => Scope::Global,
            };
            // Items about names that this program does not have cannot be used here.
            let (Some(region), Ok(parsed)) = (region, self.host.parse_expression(predicate.text(), scope)) else {
                continue;
            };
            let mut tools = self.tools()?;
            let predicate = tools.expressions.add(program, &parsed)?;
            any |= precision.add(region, predicate);
        }
        let mut tools = self.tools()?;
        let Tools { formulas, expressions, .. } = &mut *tools;
        formulas.extend(program, expressions)?;
        Ok(any.then_some(precision))
    }

    fn export_precision(&self, precision: &Precision) -> Result<artifact::Precision> {
        let program = self.extended_program()?;
        let locations = LocationNames::new(&program, &EdgeNames::new(&program));
        let mut exported = artifact::Precision::empty();
        for (region, predicate) in precision.iter() {
            let function = match region {
                Region::Everywhere => None,
                Region::Function(function) => Some(function),
                Region::Location(location) => Some(program.location(location).function),
            };
            let Some(text) = print_c::readable(&program, predicate, function) else { continue };
            let condition = match function {
                Some(function) => Condition::in_function(program.function(function).name.clone(), text),
                None => Condition::global(text),
            };
            let scope = match region {
                Region::Everywhere => PrecisionScope::Global,
                Region::Function(function) => PrecisionScope::Function(program.function(function).name.as_str().into()),
                Region::Location(location) => PrecisionScope::Location(locations.name(location).clone()),
            };
            exported.insert(scope, PrecisionItem::Predicate(condition));
        }
        Ok(exported)
    }
}

impl Explains for Predicate {
    fn invariant(&self, state: &State, at: LocationId) -> Result<Option<String>> {
        if !state.is_start() || state.block.location != at || state.block.known == Known::default() {
            return Ok(None);
        }
        let program = self.extended_program()?;
        let function = program.location(at).function;
        Ok(abstraction::as_c(&state.block.known, &|predicate| print_c::readable(&program, predicate, Some(function))))
    }
}

impl Indexes for Predicate {
    fn partition(&self, state: &State) -> Result<Option<u64>> {
        Ok(Some(match state.is_start() {
            true => u64::from(state.block.context) << 1 | 1,
            false => state.block.number << 1,
        }))
    }
}

impl Concludes for Predicate {
    fn is_unproven(&self, state: &State) -> Result<bool> {
        Ok(!state.dangers.lock().unwrap_or_else(PoisonError::into_inner).is_empty())
    }

    fn finish(&self, complete: bool) -> Result<Vec<(String, String)>> {
        if complete {
            self.check_dangers()?;
        }
        let counts = &self.counts;
        let line = |name: &str, counter: &Cell<u64>| (name.to_string(), counter.get().to_string());
        let mut lines = vec![
            line("abstractions", &counts.abstractions),
            line("predicate refinements", &counts.refinements),
            line("predicates found", &counts.predicates),
            line("infeasible ways that no predicate excludes", &counts.given_up),
        ];
        let mut tools = self.tools()?;
        for convention in tools.formulas.conventions()? {
            self.host.convention(convention);
        }
        lines.extend(tools.formulas.statistics()?);
        Ok(lines)
    }
}

tandem_plugin_api::export_plugin!(Predicate);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn describes_itself_without_mistakes() {
        assert_eq!(Predicate::descriptor().problems(), Vec::<String>::new());
    }
}
