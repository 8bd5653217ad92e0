//! The session that a plugin uses: states by number, formulas by number, and one solver behind them.

use super::added::Added;
use super::encode::{Changes, Encoder};
use super::generalize::Contexts;
use super::solver::{Answer, Limits, Queries, Solver};
use super::state::State;
use super::term::{Assignment, Node, Term, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tandem_plugin_api::artifact::Convention;
use tandem_plugin_api::error::{PluginError, Result};
use tandem_plugin_api::program::{EdgeId, Program};
use tandem_plugin_api::service::StopSignal;
use tandem_plugin_api::service::formulas::*;

/// Formulas over one program.
pub struct Session {
    pub(super) encoder: Encoder,
    pub(super) added: Added,
    contexts: Contexts,
    solver: Queries,
    stop: StopSignal,
    states: Vec<Option<State>>,
    free: Vec<u32>,
    effects: Vec<Changes>,
    /// By term: whether an address of an object occurs in it.
    mentions_address: Vec<bool>,
    pub(super) model: Option<Assignment>,
    encoding: Duration,
}

impl Session {
    pub fn new(program: Arc<Program>, solver: Queries, stop: StopSignal) -> Self {
        Session {
            added: Added::new(program.clone()),
            encoder: Encoder::new(program),
            contexts: Contexts::default(),
            solver,
            stop,
            states: Vec::new(),
            free: Vec::new(),
            effects: Vec::new(),
            mentions_address: Vec::new(),
            model: None,
            encoding: Duration::ZERO,
        }
    }

    pub(super) fn get(&self, id: u32) -> Result<&State> {
        let state = self.states.get(id as usize).and_then(Option::as_ref);
        state.ok_or_else(|| PluginError::bad_input(format!("there is no symbolic state {id}")))
    }

    pub(super) fn term(&self, formula: Formula) -> Result<Term> {
        let known = (formula.0 as usize) < self.encoder.terms.len();
        if !known || self.encoder.terms.sort(Term(formula.0)) != super::term::Sort::Bool {
            return Err(PluginError::bad_input(format!("there is no formula {}", formula.0)));
        }
        Ok(Term(formula.0))
    }

    /// Replaces a state by one that means the same.
    pub(super) fn put(&mut self, id: u32, state: State) {
        if let Some(place) = self.states.get_mut(id as usize) {
            *place = Some(state);
        }
    }

    /// Gives a state a number. `first` is the first hazard that was met on the way to it.
    fn keep(&mut self, state: State, first: usize) -> FormulaReply {
        let guard = Formula(state.guard.0);
        let new = self.encoder.hazards.get(first..).unwrap_or_default();
        let all: Vec<Term> = new.iter().map(|hazard| hazard.condition).collect();
        let unknown: Vec<Term> =
            new.iter().filter(|hazard| !hazard.kind.is_undefined_behaviour()).map(|hazard| hazard.condition).collect();
        let danger = Formula(self.encoder.terms.any(all).0);
        let ignorance = Formula(self.encoder.terms.any(unknown).0);
        let id = match self.free.pop() {
            Some(id) => {
                self.states[id as usize] = Some(state);
                id
            }
            None => {
                self.states.push(Some(state));
                self.states.len() as u32 - 1
            }
        };
        FormulaReply::State(id, guard, danger, ignorance)
    }

    fn join(&mut self, ids: &[u32]) -> Result<State> {
        let mut states = ids.iter();
        let first = states.next().ok_or_else(|| PluginError::bad_input("a join of no states"))?;
        let mut joined = self.get(*first)?.clone();
        for &id in states {
            let other = self.states.get(id as usize).and_then(Option::as_ref);
            let other = other.ok_or_else(|| PluginError::bad_input(format!("there is no symbolic state {id}")))?;
            joined = joined.join(other, &mut self.encoder.terms);
        }
        Ok(joined)
    }

    fn effects(&mut self, edges: &[EdgeId]) -> Result<Effects> {
        let count = self.encoder.program.edges.len();
        if let Some(edge) = edges.iter().find(|edge| edge.index() >= count) {
            return Err(PluginError::bad_input(format!("the program has no edge {edge}")));
        }
        self.effects.push(Changes::of(&self.encoder.program, edges));
        Ok(Effects(self.effects.len() as u32 - 1))
    }

    fn forget(&mut self, id: u32, what: Effects) -> Result<State> {
        let mut state = self.get(id)?.clone();
        let changes = self.effects.get(what.0 as usize);
        let changes = changes.ok_or_else(|| PluginError::bad_input(format!("there are no effects {}", what.0)))?;
        self.encoder.forget(&mut state, changes);
        Ok(state)
    }

    fn generalize(&mut self, id: u32, what: Effects) -> Result<FormulaReply> {
        let state = self.get(id)?.clone();
        let changes = self.effects.get(what.0 as usize);
        let changes = changes.ok_or_else(|| PluginError::bad_input(format!("there are no effects {}", what.0)))?;
        let (general, context) = self.contexts.generalize(&mut self.encoder, &state, what.0, changes);
        match self.keep(general, usize::MAX) {
            FormulaReply::State(id, guard, ..) => Ok(FormulaReply::General(id, guard, context)),
            other => Ok(other),
        }
    }

    fn condition(&mut self, id: u32, expression: StateExpression) -> Result<Term> {
        let mut state = self.get(id)?.clone();
        let program = &mut self.encoder.program;
        let expr = match expression {
            StateExpression::Own(expr) => self.added.own(expr)?,
            StateExpression::Parsed(parsed) => self.added.parsed(program, parsed)?,
            StateExpression::Text(text, at) => self.added.text(program, text, at)?,
        };
        if !self.encoder.program.types.is_scalar(self.encoder.program.exprs.ty(expr)) {
            return Err(PluginError::bad_input("a condition must be a number or a pointer"));
        }
        let truth = self.encoder.settled_condition(&mut state, expr);
        self.put(id, state);
        Ok(truth)
    }

    fn hazards(&self) -> Vec<Hazard> {
        let list = self.encoder.hazards.iter().map(|hazard| Hazard {
            condition: Formula(hazard.condition.0),
            edge: hazard.edge,
            what: hazard.kind.describe().to_string(),
        });
        list.collect()
    }

    pub(super) fn check(&mut self, formulas: &[Formula], time: Option<Duration>) -> Result<Satisfiability> {
        let mut assumptions: Vec<Term> = formulas.iter().map(|&f| self.term(f)).collect::<Result<_>>()?;
        let facts = self.facts(&assumptions);
        let asked = assumptions.len();
        assumptions.extend(facts);
        let limits = Limits { time, stop: Some(self.stop.clone()) };
        Ok(match self.solver.check(&self.encoder.terms, &assumptions, &limits) {
            Answer::Sat(mut model) => {
                model.otherwise_zero = true;
                self.model = Some(model);
                Satisfiability::Satisfiable
            }
            Answer::Unsat { core } => {
                Satisfiability::Unsatisfiable(core.into_iter().filter(|&i| i < asked).map(|i| i as u32).collect())
            }
            Answer::Unknown(reason) => Satisfiability::Unknown(reason),
        })
    }

    /// Facts about the addresses that occur in a query.
    fn facts(&mut self, assumptions: &[Term]) -> Vec<Term> {
        for index in self.mentions_address.len()..self.encoder.terms.len() {
            let term = Term(index as u32);
            let mentions = self.encoder.is_base(term)
                || self.encoder.terms.operands(term).any(|operand| self.mentions_address[operand.index()]);
            self.mentions_address.push(mentions);
        }
        let mut seen = FxHashSet::default();
        let mut work: Vec<Term> =
            assumptions.iter().copied().filter(|term| self.mentions_address[term.index()]).collect();
        let mut bases = Vec::new();
        while let Some(term) = work.pop() {
            if !seen.insert(term) {
                continue;
            }
            if self.encoder.is_base(term) {
                bases.push(term);
            }
            work.extend(self.encoder.terms.operands(term).filter(|operand| self.mentions_address[operand.index()]));
        }
        bases.sort_unstable();
        self.encoder.address_facts(&bases)
    }

    /// The inputs on the one path that the last model takes to a state.
    fn inputs(&mut self, id: u32) -> Result<Vec<ModelInput>> {
        let Some(model) = self.model.clone() else {
            return Err(PluginError::bad_input("inputs can be had only after a check that was satisfiable"));
        };
        let mut list = self.get(id)?.inputs.entries();
        list.sort_by_key(|input| input.order);
        let terms = &self.encoder.terms;
        let mut known = FxHashMap::default();
        let mut inputs = Vec::new();
        for input in list {
            if terms.evaluate(input.guard, &model, &mut known) == Some(Value::Bool(false)) {
                continue;
            }
            let bits = match terms.node(input.value) {
                // As the solver chose them, also where they are a NaN.
                Node::FloatFromBits(_, bits) => terms.evaluate(bits, &model, &mut known),
                _ => terms.evaluate(input.value, &model, &mut known),
            };
            let bits = bits.and_then(|value| value.as_bits()).unwrap_or(0) as u64;
            inputs.push(ModelInput { function: input.function, edge: input.edge, bits });
        }
        Ok(inputs)
    }

    fn statistics(&self) -> Vec<(String, String)> {
        let mut list = vec![
            ("formula terms".to_string(), self.encoder.terms.len().to_string()),
            ("formula construction".to_string(), format!("{:.3} s", self.encoding.as_secs_f64())),
        ];
        list.extend(self.solver.statistics().lines());
        list
    }

    fn answer(&mut self, request: FormulaRequest) -> Result<FormulaReply> {
        let formula = |term: Term| FormulaReply::Formula(Formula(term.0));
        Ok(match request {
            FormulaRequest::Initial => {
                let state = self.encoder.initial();
                self.keep(state, 0)
            }
            FormulaRequest::Post(id, edge) => {
                if edge.index() >= self.encoder.program.edges.len() {
                    return Err(PluginError::bad_input(format!("the program has no edge {edge}")));
                }
                let state = self.get(id)?.clone();
                let first = self.encoder.hazards.len();
                let next = self.encoder.post(&state, edge);
                self.keep(next, first)
            }
            FormulaRequest::Join(ids) => {
                let state = self.join(&ids)?;
                self.keep(state, usize::MAX)
            }
            FormulaRequest::Restrict(id, condition) => {
                let condition = self.term(condition)?;
                let mut state = self.get(id)?.clone();
                state.assume(&mut self.encoder.terms, condition);
                self.keep(state, usize::MAX)
            }
            FormulaRequest::Effects(edges) => FormulaReply::Effects(self.effects(&edges)?),
            FormulaRequest::Forget(id, what) => {
                let state = self.forget(id, what)?;
                self.keep(state, usize::MAX)
            }
            FormulaRequest::Release(ids) => {
                for id in ids {
                    if self.states.get_mut(id as usize).and_then(Option::take).is_some() {
                        self.free.push(id);
                    }
                }
                FormulaReply::Done
            }
            FormulaRequest::Extend(types, nodes) => {
                self.added.extend(&mut self.encoder.program, types, nodes)?;
                FormulaReply::Done
            }
            FormulaRequest::Condition(id, expression) => formula(self.condition(id, expression)?),
            FormulaRequest::Hazards => FormulaReply::Hazards(self.hazards()),
            FormulaRequest::Not(f) => {
                let term = self.term(f)?;
                formula(self.encoder.terms.not(term))
            }
            FormulaRequest::And(list) => {
                let list: Vec<Term> = list.into_iter().map(|f| self.term(f)).collect::<Result<_>>()?;
                formula(self.encoder.terms.all(list))
            }
            FormulaRequest::Or(list) => {
                let list: Vec<Term> = list.into_iter().map(|f| self.term(f)).collect::<Result<_>>()?;
                formula(self.encoder.terms.any(list))
            }
            FormulaRequest::Check(formulas, time) => FormulaReply::Satisfiability(self.check(&formulas, time)?),
            FormulaRequest::Inputs(id) => FormulaReply::Inputs(self.inputs(id)?),
            FormulaRequest::Conventions => {
                let mut used: Vec<Convention> = self.encoder.conventions.iter().cloned().collect();
                used.sort();
                FormulaReply::Conventions(used)
            }
            FormulaRequest::Statistics => FormulaReply::Statistics(self.statistics()),
            FormulaRequest::Horn(problem, time) => {
                let limits = Limits { time, stop: Some(self.stop.clone()) };
                FormulaReply::Horn(super::horn::solve(problem, &limits)?)
            }
            FormulaRequest::Generalize(id, what) => self.generalize(id, what)?,
            FormulaRequest::Implied(given, candidates, time) => {
                FormulaReply::Implied(self.implied(&given, &candidates, time)?)
            }
            FormulaRequest::Cubes(given, predicates, limit, time) => {
                FormulaReply::Cubes(self.cubes(&given, &predicates, limit, time)?)
            }
            FormulaRequest::Express(id, conditions, function) => {
                FormulaReply::Expressions(self.expressed(id, &conditions, function)?)
            }
            FormulaRequest::Constant(id, expr) => FormulaReply::Constant(self.constant(id, expr)?),
            FormulaRequest::Atoms(conditions) => FormulaReply::Formulas(self.atoms(&conditions)?),
        })
    }
}

impl FormulaService for Session {
    fn ask(&mut self, request: FormulaRequest) -> Result<FormulaReply> {
        use FormulaRequest::{Check, Cubes, Horn, Implied};
        let solving = matches!(request, Check(..) | Implied(..) | Cubes(..) | Horn(..));
        let started = Instant::now();
        let reply = self.answer(request);
        if !solving {
            self.encoding += started.elapsed();
        }
        reply
    }
}
