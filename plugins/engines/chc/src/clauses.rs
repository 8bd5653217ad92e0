//! The program as Horn clauses. There is a relation for each loop's head in each chain of calls that leads to it, over
//! the cells that matter there; a rule for all ways from one head to another without a head between them; and rules for
//! ways to an error. Calls are followed into the callee, except calls of recursive functions, which may do anything.

use crate::cells::{Cells, root};
use crate::terms::{Bounds, Terms};
use crate::translate::{Arithmetic, Translator, Values};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use tandem_plugin_api::kit::unroll::{Agenda, Candidates, Frame, Key, Move, Unrolling, Visit};
use tandem_plugin_api::library::ends_program;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::{CallSiteId, ExprKind, LocationId, Storage};
use tandem_plugin_api::service::formulas::Expressions;
use tandem_plugin_api::service::horn::{HornAtom, HornProblem, HornRule, HornTerm};

/// Programs with more steps, terms or arguments of a relation are not translated.
const MOST_STEPS: usize = 60_000;
const MOST_TERMS: usize = 400_000;
const MOST_ARGUMENTS: usize = 200;

/// What is known on some paths to a place.
#[derive(Clone)]
struct State {
    values: Values,
    /// Conditions that were met on the way, first ones first.
    guard: Vec<HornTerm>,
}

/// A loop's head in one chain of calls.
pub struct Head {
    pub location: LocationId,
    pub cells: Vec<ExprId>,
    visit: Visit<()>,
}

/// The clauses, and what their relations stand for.
pub struct Clauses {
    pub problem: HornProblem,
    pub heads: Vec<Head>,
    /// Whether the clauses leave out something that the program may do: then a reachable error in the clauses means
    /// little.
    pub approximate: bool,
}

/// See the module.
pub struct Builder<'a> {
    task: &'a Task,
    host: &'a Host,
    pool: &'a Expressions,
    cells: &'a Cells,
    /// Conditions that hold at the heads of loops; clauses may rely on them.
    known: &'a Candidates,
    arithmetic: Arithmetic,
    terms: Terms,
    unrolling: Unrolling,
    heads: Vec<Head>,
    numbers: BTreeMap<Key, u32>,
    waiting: VecDeque<u32>,
    rules: Vec<HornRule>,
    /// The conditions under which the last translated operations overflow.
    overflows: Vec<HornTerm>,
    /// The conditions under which something overflows on the ways that are explored.
    failures: Vec<HornTerm>,
    steps: usize,
    approximate: bool,
}

impl<'a> Builder<'a> {
    pub fn new(
        task: &'a Task,
        host: &'a Host,
        pool: &'a Expressions,
        cells: &'a Cells,
        known: &'a Candidates,
        arithmetic: Arithmetic,
    ) -> Self {
        Builder {
            task,
            host,
            pool,
            cells,
            known,
            arithmetic,
            terms: Terms::new(),
            unrolling: Unrolling::new(Arc::clone(&task.program)),
            heads: Vec::new(),
            numbers: BTreeMap::new(),
            waiting: VecDeque::new(),
            rules: Vec::new(),
            overflows: Vec::new(),
            failures: Vec::new(),
            steps: 0,
            approximate: false,
        }
    }

    /// The clauses, or the reason why they cannot be built.
    pub fn build(mut self) -> Result<std::result::Result<Clauses, String>> {
        let Some(start) = self.unrolling.start::<()>() else { return Ok(Err("the program has no body".into())) };
        let state = self.initial();
        let entry_is_head = self.unrolling.order(self.task.program.main).is_head(start.location);
        if entry_is_head {
            self.enter_head(&[], &start, state);
        } else if let Err(reason) = self.explore(&[], start, state)? {
            return Ok(Err(reason));
        }
        while let Some(number) = self.waiting.pop_front() {
            let (visit, state, body) = self.state_at_head(number);
            if let Err(reason) = self.explore(&[body], visit, state)? {
                return Ok(Err(reason));
            }
        }
        let relations = self.heads.iter().map(|head| head.cells.len() as u32).collect();
        let problem = HornProblem { relations, nodes: self.terms.nodes, rules: self.rules };
        Ok(Ok(Clauses { problem, heads: self.heads, approximate: self.approximate }))
    }

    fn with<T>(&mut self, unknown: &mut BTreeMap<ExprId, HornTerm>, work: impl FnOnce(&mut Translator<'_>) -> T) -> T {
        let (cells, pool) = (self.cells, self.pool);
        let is_followed = |cell: ExprId| cells.all.contains(&cell) && cells.is_relevant(pool, cell);
        let mut translator = Translator {
            pool,
            terms: &mut self.terms,
            arithmetic: self.arithmetic,
            is_followed: &is_followed,
            overflows: &mut self.overflows,
            unknown,
        };
        work(&mut translator)
    }

    fn is_followed(&self, cell: ExprId) -> bool {
        self.cells.all.contains(&cell) && self.cells.is_relevant(self.pool, cell)
    }

    fn is_global(&self, cell: ExprId) -> bool {
        root(self.pool, cell).is_some_and(|id| !self.task.program.variable(id).is_local())
    }

    /// Globals are zero or have their initial values.
    fn initial(&mut self) -> State {
        let mut values = Values::new();
        let zero = self.terms.integer(0);
        let program = &self.task.program;
        for &cell in self.cells.all.iter().filter(|&&cell| self.is_followed(cell) && self.is_global(cell)) {
            let is_extern = root(self.pool, cell).is_some_and(|id| program.variable(id).storage == Storage::Extern);
            if !is_extern {
                values.insert(cell, zero);
            }
        }
        for variable in &program.variables {
            for initial in &variable.initializer {
                if values.contains_key(&initial.place) {
                    let mut nothing = Values::new();
                    let value = self.with(&mut BTreeMap::new(), |t| t.value(&mut nothing, initial.value));
                    values.insert(initial.place, value);
                }
            }
        }
        State { values, guard: Vec::new() }
    }

    /// The cells that matter at a loop's head: of all open calls, and globals.
    fn cells_at(&self, visit: &Visit<()>) -> Vec<ExprId> {
        let program = &self.task.program;
        let mut frames = vec![(program.location(visit.location).function, visit.location)];
        let mut frame = visit.frame.as_ref();
        while let Some(open) = frame {
            if let Some(back) = program.return_location(open.site) {
                frames.push((program.location(back).function, back));
            }
            frame = open.from.frame.as_ref();
        }
        let matters = |cell: ExprId| {
            let Some(id) = root(self.pool, cell) else { return false };
            let variable = program.variable(id);
            if !variable.is_local() {
                return true;
            }
            frames.iter().any(|(function, at)| variable.function == Some(*function) && self.cells.is_live(*at, id))
        };
        self.cells.all.iter().copied().filter(|&cell| self.is_followed(cell) && matters(cell)).collect()
    }

    /// A fresh state at a head, of which only the head's relation is known.
    fn state_at_head(&mut self, number: u32) -> (Visit<()>, State, HornAtom) {
        let head = &self.heads[number as usize];
        let (visit, cells, location) = (head.visit.clone(), head.cells.clone(), head.location);
        let mut state = State { values: Values::new(), guard: Vec::new() };
        let mut arguments = Vec::new();
        for cell in cells {
            let ty = self.pool.exprs.ty(cell);
            let range = self.with(&mut BTreeMap::new(), |t| t.range(ty));
            let bounds = match self.arithmetic {
                Arithmetic::Wrapped | Arithmetic::Checked => range,
                // Nothing overflows, so that unsigned values are not negative.
                Arithmetic::Ideal if range.low == 0 => Bounds { low: 0, ..Bounds::ANY },
                Arithmetic::Ideal => Bounds::ANY,
            };
            let value = self.terms.unknown(bounds);
            state.values.insert(cell, value);
            arguments.push(value);
        }
        for &known in self.known.get(&location).into_iter().flatten() {
            let condition = self.with(&mut BTreeMap::new(), |t| t.condition(&mut state.values, known));
            // No computation of it overflows on a way that matters.
            self.overflows.clear();
            if !self.terms.is_true(condition) {
                state.guard.push(condition);
            }
        }
        (visit, state, HornAtom { relation: number, arguments })
    }

    /// All ways from a place to the next heads and errors.
    fn explore(
        &mut self,
        body: &[HornAtom],
        start: Visit<()>,
        state: State,
    ) -> Result<std::result::Result<(), String>> {
        let mut agenda: Agenda<(), State> = Agenda::default();
        agenda.add(start, state, |(), ()| {});
        while let Some((visit, states)) = agenda.take() {
            self.host.check()?;
            let mut state = self.join(states);
            let mut unknown = BTreeMap::new();
            for edge in self.unrolling.edges(&visit) {
                self.steps += 1;
                if self.steps > MOST_STEPS || self.terms.nodes.len() > MOST_TERMS {
                    return Ok(Err("the program is too large for clauses".into()));
                }
                if self.task.is_target(edge) {
                    self.rule(body, &state.guard.clone(), None);
                    continue;
                }
                let step = if self.is_recursive_call(&visit, edge) {
                    self.skip_call(&visit, &state, edge)
                } else {
                    let next = self.post(&mut state, edge, &mut unknown);
                    next.and_then(|next| self.unrolling.step(&visit, edge).map(|(to, movement)| (to, next, movement)))
                };
                let Some((to, next, movement)) = step else { continue };
                match movement {
                    Move::On => agenda.add(to, next, |(), ()| {}),
                    Move::Enter | Move::Again => self.enter_head(body, &to, next),
                }
                if self.heads.last().is_some_and(|head| head.cells.len() > MOST_ARGUMENTS) {
                    return Ok(Err("a loop has too many variables for clauses".into()));
                }
            }
        }
        let failures = std::mem::take(&mut self.failures);
        let any = self.terms.or(&failures);
        self.rule(body, &[any], None);
        Ok(Ok(()))
    }

    /// Makes overflows of the expressions that were just translated errors, and assumes that they do not happen from
    /// here on.
    fn settle_overflows(&mut self, state: &mut State) {
        for overflow in std::mem::take(&mut self.overflows) {
            let guard = self.terms.and(&state.guard);
            let failure = self.terms.and(&[guard, overflow]);
            self.failures.push(failure);
            let fits = self.terms.not(overflow);
            if !state.guard.contains(&fits) {
                state.guard.push(fits);
            }
        }
    }

    fn join(&mut self, mut states: Vec<State>) -> State {
        if states.len() == 1
            && let Some(only) = states.pop()
        {
            return only;
        }
        let shared = (0..)
            .take_while(|&at| {
                let first = states.first().and_then(|state| state.guard.get(at));
                first.is_some() && states.iter().all(|state| state.guard.get(at) == first)
            })
            .count();
        let mut guard = states.first().map(|state| state.guard[..shared].to_vec()).unwrap_or_default();
        let own: Vec<HornTerm> = states.iter().map(|state| self.terms.and(&state.guard[shared..])).collect();
        let any = self.terms.or(&own);
        if !self.terms.is_true(any) {
            guard.push(any);
        }
        // A cell that is missing in one of them has any value.
        let mut values = Values::new();
        if let Some((last, others)) = states.split_last() {
            for (&cell, &value) in &last.values {
                if !others.iter().all(|state| state.values.contains_key(&cell)) {
                    continue;
                }
                let mut joined = value;
                for (state, condition) in others.iter().zip(&own).rev() {
                    joined = self.terms.choose(*condition, state.values[&cell], joined);
                }
                values.insert(cell, joined);
            }
        }
        State { values, guard }
    }

    fn rule(&mut self, body: &[HornAtom], guard: &[HornTerm], head: Option<HornAtom>) {
        let condition = self.terms.and(guard);
        if self.terms.is_false(condition) {
            return;
        }
        let mut roots = vec![condition];
        roots.extend(body.iter().chain(&head).flat_map(|atom| atom.arguments.iter().copied()));
        let mut all = self.terms.facts(&roots);
        all.push(condition);
        let constraint = self.terms.and(&all);
        if !self.terms.is_false(constraint) {
            self.rules.push(HornRule { body: body.to_vec(), constraint, head });
        }
    }

    fn enter_head(&mut self, body: &[HornAtom], visit: &Visit<()>, mut state: State) {
        // All iterations of a loop, and of the loops around it, share one relation.
        let mut visit = visit.clone();
        if let (Some((iteration, ())), Some(place)) = (visit.loops.last_mut(), visit.key.len().checked_sub(2)) {
            visit.key[place] -= *iteration;
            *iteration = 0;
        }
        let number = match self.numbers.get(&visit.key) {
            Some(&known) => known,
            None => {
                let number = self.heads.len() as u32;
                let cells = self.cells_at(&visit);
                self.numbers.insert(visit.key.clone(), number);
                self.heads.push(Head { location: visit.location, cells, visit });
                self.waiting.push_back(number);
                number
            }
        };
        let cells = self.heads[number as usize].cells.clone();
        let values = &mut state.values;
        let arguments =
            self.with(&mut BTreeMap::new(), |t| cells.into_iter().map(|cell| t.read(values, cell)).collect());
        self.rule(body, &state.guard, Some(HornAtom { relation: number, arguments }));
    }

    fn is_recursive_call(&self, visit: &Visit<()>, edge: EdgeId) -> bool {
        let program = &self.task.program;
        if !matches!(program.edge(edge).op, Op::Call(_)) {
            return false;
        }
        let callee = program.location(program.edge(edge).to).function;
        let mut frame: Option<&Arc<Frame<()>>> = visit.frame.as_ref();
        let mut open = vec![program.main];
        while let Some(known) = frame {
            open.push(known.callee);
            frame = known.from.frame.as_ref();
        }
        open.contains(&callee)
    }

    /// Goes on behind a call as if it could have done anything.
    fn skip_call(&mut self, visit: &Visit<()>, state: &State, edge: EdgeId) -> Option<(Visit<()>, State, Move)> {
        self.approximate = true;
        let program = self.task.program.clone();
        let Op::Call(site) = program.edge(edge).op else { return None };
        let resume = program.call_site(site).resume?;
        let mut next = state.clone();
        next.values.retain(|&cell, _| !self.is_global(cell));
        self.forget(&mut next, program.call_site(site).result);
        // The edge into the call, and the edge back.
        let (inside, _) = self.unrolling.step(visit, edge)?;
        let (to, movement) = self.unrolling.step(&inside, resume)?;
        Some((to, next, movement))
    }

    /// A place gets any value.
    fn forget(&self, state: &mut State, place: Option<ExprId>) {
        let Some(id) = place.and_then(|place| root(self.pool, place)) else { return };
        let whole = place.filter(|place| self.cells.all.contains(place));
        match whole {
            Some(cell) => {
                state.values.remove(&cell);
            }
            None => state.values.retain(|&cell, _| root(self.pool, cell) != Some(id)),
        }
    }

    /// The strongest postcondition, as far as cells show it. `None` if there is no way on.
    fn post(&mut self, state: &mut State, edge: EdgeId, unknown: &mut BTreeMap<ExprId, HornTerm>) -> Option<State> {
        let program = self.task.program.clone();
        match &program.edge(edge).op {
            Op::Skip => Some(state.clone()),
            Op::Assume { condition, holds } => {
                let met = self.with(unknown, |t| t.condition(&mut state.values, *condition));
                self.settle_overflows(state);
                let met = if *holds { met } else { self.terms.not(met) };
                let mut next = state.clone();
                if !self.terms.is_true(met) {
                    next.guard.push(met);
                }
                (!self.terms.is_false(met)).then_some(next)
            }
            Op::Assign { target, value } => Some(self.assign(state, *target, *value, unknown)),
            Op::Declare(id) => {
                let mut next = state.clone();
                next.values.retain(|&cell, _| root(self.pool, cell) != Some(*id));
                Some(next)
            }
            Op::Input { target, .. } => {
                let mut next = state.clone();
                self.forget(&mut next, *target);
                Some(next)
            }
            Op::Havoc { target } => {
                let mut next = state.clone();
                self.forget(&mut next, Some(*target));
                Some(next)
            }
            Op::Call(site) => Some(self.call(state, *site, program.location(program.edge(edge).to).function, unknown)),
            Op::Resume(site) => Some(self.resume(state, *site, program.function_of_edge(edge))),
            Op::External(site) => {
                let name = program.called_function(edge).map(|callee| program.function(callee).name.as_str());
                if name.is_some_and(ends_program) {
                    return None;
                }
                let mut next = state.clone();
                self.forget(&mut next, program.call_site(*site).result);
                Some(next)
            }
            Op::Return(value) => {
                let result = program.function(program.function_of_edge(edge)).result;
                let mut next = state.clone();
                if let (Some(value), Some(result)) = (value, result) {
                    self.set_variable(state, &mut next, result, *value, unknown);
                }
                Some(next)
            }
            Op::Unsupported(_) => {
                self.approximate = true;
                None
            }
        }
    }

    fn assign(
        &mut self,
        state: &mut State,
        target: ExprId,
        value: ExprId,
        unknown: &mut BTreeMap<ExprId, HornTerm>,
    ) -> State {
        if !self.is_followed(target) {
            let mut next = state.clone();
            self.forget(&mut next, Some(target));
            if self.pool.exprs.kind(value) == ExprKind::Zeroed
                && let ExprKind::Var(id) = self.pool.exprs.kind(target)
            {
                let zero = self.terms.integer(0);
                for &cell in self.cells.all.iter().filter(|&&cell| root(self.pool, cell) == Some(id)) {
                    next.values.insert(cell, zero);
                }
            }
            return next;
        }
        let value = self.with(unknown, |t| t.value(&mut state.values, value));
        self.settle_overflows(state);
        let mut next = state.clone();
        next.values.insert(target, value);
        next
    }

    /// Reads in one state and writes to another.
    fn set_variable(
        &mut self,
        state: &mut State,
        next: &mut State,
        variable: VarId,
        value: ExprId,
        unknown: &mut BTreeMap<ExprId, HornTerm>,
    ) {
        let Some(cell) = self.variable_cell(variable) else { return };
        let ty = self.pool.exprs.ty(cell);
        let value = self.with(unknown, |t| {
            let value = t.value(&mut state.values, value);
            t.cast(value, ty)
        });
        self.settle_overflows(next);
        next.values.insert(cell, value);
    }

    fn variable_cell(&self, variable: VarId) -> Option<ExprId> {
        let is_it = |&&cell: &&ExprId| self.pool.exprs.kind(cell) == ExprKind::Var(variable);
        self.cells.all.iter().find(is_it).copied().filter(|&cell| self.is_followed(cell))
    }

    fn call(
        &mut self,
        state: &mut State,
        site: CallSiteId,
        callee: FunctionId,
        unknown: &mut BTreeMap<ExprId, HornTerm>,
    ) -> State {
        let program = self.task.program.clone();
        let function = program.function(callee);
        let arguments = program.call_site(site).arguments.clone();
        let mut next = state.clone();
        self.drop_frame(&mut next, callee);
        for (&parameter, &argument) in function.parameters.iter().zip(&arguments) {
            self.set_variable(state, &mut next, parameter, argument, unknown);
        }
        next
    }

    fn drop_frame(&self, state: &mut State, function: FunctionId) {
        let program = &self.task.program;
        state.values.retain(|&cell, _| {
            let id = root(self.pool, cell);
            id.is_none_or(|id| {
                let variable = program.variable(id);
                !(variable.is_local() && variable.function == Some(function))
            })
        });
    }

    fn resume(&mut self, state: &mut State, site: CallSiteId, callee: FunctionId) -> State {
        let program = self.task.program.clone();
        let result = program.function(callee).result.and_then(|result| self.variable_cell(result));
        let value = result.map(|cell| self.with(&mut BTreeMap::new(), |t| t.read(&mut state.values, cell)));
        let mut next = state.clone();
        self.drop_frame(&mut next, callee);
        if let Some(place) = program.call_site(site).result {
            self.forget(&mut next, Some(place));
            if self.is_followed(place)
                && let Some(value) = value
            {
                next.values.insert(place, value);
            }
        }
        next
    }
}
