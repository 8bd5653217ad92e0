//! Bit-precise C as formulas, as the host offers it: symbolic states that follow the program's edges, joins, and a
//! solver. A formula is a number that is valid in one [`Formulas`] only; equal formulas have equal numbers.

use crate::artifact::Convention;
use crate::error::{PluginError, Result};
use crate::program::{EdgeId, Expr, ExprId, Exprs, FunctionId, LocationId, Program, Type, TypeId, Types};
use crate::service::ParsedExpression;
use crate::service::horn::{HornAnswer, HornProblem};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A condition over inputs and unknowns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Formula(pub u32);

impl Formula {
    pub const TRUE: Formula = Formula(0);
    pub const FALSE: Formula = Formula(1);
}

/// Whether a conjunction can be true.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Satisfiability {
    Satisfiable,
    /// These of the formulas, by their place in the list that was asked, cannot be true together.
    Unsatisfiable(Vec<u32>),
    /// The solver gave up, for this reason.
    Unknown(String),
}

/// Something that the formulas do not describe. A proof counts only if none of these conditions can be true.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hazard {
    pub condition: Formula,
    pub edge: EdgeId,
    pub what: String,
}

/// The changes that a set of edges may make, by a number of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Effects(pub u32);

/// An input of a model, in the order in which the program reads them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelInput {
    pub function: FunctionId,
    pub edge: EdgeId,
    /// In the low bits, in the format of the function's result type.
    pub bits: u64,
}

/// An expression to be read in a state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StateExpression {
    /// Of the program's own.
    Own(ExprId),
    Parsed(ParsedExpression),
    /// C text, with the names that are visible at a place.
    Text(String, LocationId),
}

/// A request to the host; [`Formulas`] has a method for each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FormulaRequest {
    Initial,
    Post(u32, EdgeId),
    Join(Vec<u32>),
    Restrict(u32, Formula),
    Effects(Vec<EdgeId>),
    Forget(u32, Effects),
    Release(Vec<u32>),
    Extend(Vec<Type>, Vec<Expr>),
    Condition(u32, StateExpression),
    Hazards,
    Not(Formula),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Check(Vec<Formula>, Option<Duration>),
    Inputs(u32),
    Conventions,
    Statistics,
    Horn(HornProblem, Option<Duration>),
    Generalize(u32, Effects),
    Implied(Vec<Formula>, Vec<Formula>, Option<Duration>),
    Cubes(Vec<Formula>, Vec<Formula>, u32, Option<Duration>),
    Express(u32, Vec<Formula>, FunctionId),
    Atoms(Vec<Formula>),
    Constant(u32, ExprId),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FormulaReply {
    Done,
    /// A state, its guard, the condition under which something happens on the way to it that the formulas do not
    /// describe, and the part of that condition that is not undefined behaviour.
    State(u32, Formula, Formula, Formula),
    Formula(Formula),
    Effects(Effects),
    Hazards(Vec<Hazard>),
    Satisfiability(Satisfiability),
    Inputs(Vec<ModelInput>),
    Conventions(Vec<Convention>),
    Statistics(Vec<(String, String)>),
    Horn(HornAnswer),
    /// A state, its guard, and the number of its context.
    General(u32, Formula, u32),
    Implied(Vec<u32>),
    Cubes(Option<Vec<Vec<bool>>>),
    Expressions(Vec<Option<ParsedExpression>>),
    Formulas(Vec<Formula>),
    Constant(Option<i128>),
}

/// The host's side of [`Formulas`].
pub trait FormulaService: Send {
    fn ask(&mut self, request: FormulaRequest) -> Result<FormulaReply>;
}

/// Formulas over one program, with a solver. One for each thread; nothing is shared between two of them.
pub struct Formulas {
    service: Box<dyn FormulaService>,
    /// States without any handle left, to be given back with the next request.
    released: Arc<Mutex<Vec<u32>>>,
    /// How many types and expressions the host knows, where they are more than the program's.
    extended: Option<(usize, usize)>,
}

/// Expressions over a program's variables that the program itself need not have.
#[derive(Clone)]
pub struct Expressions {
    pub types: Types,
    pub exprs: Exprs,
}

impl Expressions {
    pub fn of(program: &Program) -> Self {
        Expressions { types: program.types.clone(), exprs: program.exprs.clone() }
    }

    /// Takes over an expression that continues the program's own arenas.
    pub fn add(&mut self, program: &Program, parsed: &ParsedExpression) -> Result<ExprId> {
        let strange = || PluginError::bad_input("an expression that does not continue the program's own");
        let mut types: Vec<TypeId> = Vec::new();
        let known_type = |types: &[TypeId], id: TypeId| match id.index().checked_sub(program.types.len()) {
            None => Some(id),
            Some(at) => types.get(at).copied(),
        };
        for ty in &parsed.types {
            let renamed = ty.map(&mut |id| known_type(&types, id)).ok_or_else(strange)?;
            types.push(self.types.intern(renamed));
        }
        let mut exprs: Vec<ExprId> = Vec::new();
        let known = |exprs: &[ExprId], id: ExprId| match id.index().checked_sub(program.exprs.len()) {
            None => Some(id),
            Some(at) => exprs.get(at).copied(),
        };
        for node in &parsed.nodes {
            let kind = node.kind.map(&mut |id| known(&exprs, id)).ok_or_else(strange)?;
            let ty = known_type(&types, node.ty).ok_or_else(strange)?;
            exprs.push(self.exprs.intern(kind, ty));
        }
        known(&exprs, parsed.root).ok_or_else(strange)
    }

    /// The program with these expressions in place of its own, for printing.
    pub fn with(&self, program: &Program) -> Program {
        Program { types: self.types.clone(), exprs: self.exprs.clone(), ..program.clone() }
    }
}

/// The values on a set of paths to one place of the program. Cheap to clone; given back when the last clone is dropped.
#[derive(Clone)]
pub struct SymbolicState {
    held: Arc<Held>,
    guard: Formula,
    danger: Formula,
    ignorance: Formula,
}

struct Held {
    id: u32,
    released: Arc<Mutex<Vec<u32>>>,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.released.lock().unwrap_or_else(PoisonError::into_inner).push(self.id);
    }
}

impl SymbolicState {
    /// The paths of the state. [`Formula::FALSE`] means that simplification showed that there are no such paths.
    pub fn guard(&self) -> Formula {
        self.guard
    }

    /// The condition under which something happened on the last edge to this state that the formulas do not describe. A
    /// proof counts only if no danger of any state that was made for it can be true.
    pub fn danger(&self) -> Formula {
        self.danger
    }

    /// The part of [`SymbolicState::danger`] that may be true of executions that do nothing undefined: the formulas
    /// describe too little. Never assume that it is false; the rest of the danger is undefined behaviour of the
    /// program.
    pub fn ignorance(&self) -> Formula {
        self.ignorance
    }

    fn id(&self) -> u32 {
        self.held.id
    }
}

macro_rules! expect {
    ($reply:expr, $pattern:pat => $value:expr) => {
        match $reply {
            $pattern => Ok($value),
            other => Err(PluginError::protocol(format!("an unexpected answer of the host: {other:?}"))),
        }
    };
}

impl Formulas {
    pub fn new(service: Box<dyn FormulaService>) -> Self {
        Formulas { service, released: Arc::default(), extended: None }
    }

    pub(crate) fn into_service(self) -> Box<dyn FormulaService> {
        self.service
    }

    fn ask(&mut self, request: FormulaRequest) -> Result<FormulaReply> {
        let released = std::mem::take(&mut *self.released.lock().unwrap_or_else(PoisonError::into_inner));
        if !released.is_empty() {
            self.service.ask(FormulaRequest::Release(released))?;
        }
        self.service.ask(request)
    }

    fn state(&mut self, request: FormulaRequest) -> Result<SymbolicState> {
        let reply = self.ask(request)?;
        let (id, guard, danger, ignorance) =
            expect!(reply, FormulaReply::State(id, guard, danger, ignorance) => (id, guard, danger, ignorance))?;
        Ok(SymbolicState { held: Arc::new(Held { id, released: self.released.clone() }), guard, danger, ignorance })
    }

    /// The state at the entry of `main`.
    pub fn initial(&mut self) -> Result<SymbolicState> {
        self.state(FormulaRequest::Initial)
    }

    /// The strongest postcondition of an edge.
    pub fn post(&mut self, state: &SymbolicState, edge: EdgeId) -> Result<SymbolicState> {
        self.state(FormulaRequest::Post(state.id(), edge))
    }

    /// The paths of all states. The states must be at one place with the same calls open, and share no path.
    pub fn join(&mut self, states: &[SymbolicState]) -> Result<SymbolicState> {
        match states {
            [state] => Ok(state.clone()),
            _ => self.state(FormulaRequest::Join(states.iter().map(SymbolicState::id).collect())),
        }
    }

    /// Only the paths on which `condition` holds.
    pub fn restrict(&mut self, state: &SymbolicState, condition: Formula) -> Result<SymbolicState> {
        self.state(FormulaRequest::Restrict(state.id(), condition))
    }

    /// The changes that these edges may make: for a loop, those of its edges and of the functions that it calls.
    pub fn effects(&mut self, edges: &[EdgeId]) -> Result<Effects> {
        expect!(self.ask(FormulaRequest::Effects(edges.to_vec()))?, FormulaReply::Effects(effects) => effects)
    }

    /// Gives everything that these effects may change an unknown value.
    pub fn forget(&mut self, state: &SymbolicState, what: Effects) -> Result<SymbolicState> {
        self.state(FormulaRequest::Forget(state.id(), what))
    }

    /// Makes expressions known that the program does not have: those of `more` beyond the program's own. From then on
    /// [`StateExpression::Own`] understands their ids. May be called again with what was added since.
    pub fn extend(&mut self, program: &Program, more: &Expressions) -> Result<()> {
        let (known_types, known) = self.extended.unwrap_or((program.types.len(), program.exprs.len()));
        let types = (known_types..more.types.len()).map(|id| more.types.get(crate::program::TypeId::new(id)).clone());
        let nodes = (known..more.exprs.len()).map(|id| more.exprs.get(ExprId::new(id)));
        let request = FormulaRequest::Extend(types.collect(), nodes.collect());
        self.extended = Some((more.types.len(), more.exprs.len()));
        expect!(self.ask(request)?, FormulaReply::Done => ())
    }

    fn formula(&mut self, request: FormulaRequest) -> Result<Formula> {
        expect!(self.ask(request)?, FormulaReply::Formula(formula) => formula)
    }

    /// The condition that an expression is not zero in a state.
    pub fn condition(&mut self, state: &SymbolicState, expression: StateExpression) -> Result<Formula> {
        self.formula(FormulaRequest::Condition(state.id(), expression))
    }

    pub fn not(&mut self, formula: Formula) -> Result<Formula> {
        self.formula(FormulaRequest::Not(formula))
    }

    pub fn and(&mut self, formulas: &[Formula]) -> Result<Formula> {
        self.formula(FormulaRequest::And(formulas.to_vec()))
    }

    pub fn or(&mut self, formulas: &[Formula]) -> Result<Formula> {
        self.formula(FormulaRequest::Or(formulas.to_vec()))
    }

    /// The hazards of which the dangers of all states since the last initial one consist.
    pub fn hazards(&mut self) -> Result<Vec<Hazard>> {
        expect!(self.ask(FormulaRequest::Hazards)?, FormulaReply::Hazards(list) => list)
    }

    /// Whether all of these can be true together.
    pub fn check(&mut self, formulas: &[Formula], time: Option<Duration>) -> Result<Satisfiability> {
        let request = FormulaRequest::Check(formulas.to_vec(), time);
        expect!(self.ask(request)?, FormulaReply::Satisfiability(answer) => answer)
    }

    /// The inputs that lead to a state, by the model of the last satisfiable check.
    pub fn inputs(&mut self, state: &SymbolicState) -> Result<Vec<ModelInput>> {
        expect!(self.ask(FormulaRequest::Inputs(state.id()))?, FormulaReply::Inputs(inputs) => inputs)
    }

    /// Conventions of the field that were used so far.
    pub fn conventions(&mut self) -> Result<Vec<Convention>> {
        expect!(self.ask(FormulaRequest::Conventions)?, FormulaReply::Conventions(list) => list)
    }

    /// Like [`Formulas::forget`], for states that are compared: all states that agree on the values that the effects do
    /// not change get the same values for the rest, and the same context, whose number is returned. Of two states with
    /// one context, one stands for the other if its guard follows from the other's. The state's guard keeps only the
    /// parts about unchanged values, and its inputs are forgotten.
    pub fn generalize(&mut self, state: &SymbolicState, what: Effects) -> Result<(SymbolicState, u32)> {
        let reply = self.ask(FormulaRequest::Generalize(state.id(), what))?;
        let (id, guard, context) = expect!(reply, FormulaReply::General(id, guard, context) => (id, guard, context))?;
        let held = Arc::new(Held { id, released: self.released.clone() });
        let (danger, ignorance) = (Formula::FALSE, Formula::FALSE);
        Ok((SymbolicState { held, guard, danger, ignorance }, context))
    }

    /// The places of those candidates that are true wherever all of `given` are. Candidates that the solver does not
    /// decide in time are left out.
    pub fn implied(&mut self, given: &[Formula], candidates: &[Formula], time: Option<Duration>) -> Result<Vec<u32>> {
        let request = FormulaRequest::Implied(given.to_vec(), candidates.to_vec(), time);
        expect!(self.ask(request)?, FormulaReply::Implied(list) => list)
    }

    /// All combinations of truth values that the predicates can have where all of `given` are true. `None` if there are
    /// more than `limit`, or if the solver does not decide it in time.
    pub fn cubes(
        &mut self,
        given: &[Formula],
        predicates: &[Formula],
        limit: u32,
        time: Option<Duration>,
    ) -> Result<Option<Vec<Vec<bool>>>> {
        let request = FormulaRequest::Cubes(given.to_vec(), predicates.to_vec(), limit, time);
        expect!(self.ask(request)?, FormulaReply::Cubes(cubes) => cubes)
    }

    /// Conditions over the values of a state as expressions over the variables that a function sees; `None` for a
    /// condition that has no such expression.
    pub fn express(
        &mut self,
        state: &SymbolicState,
        conditions: &[Formula],
        function: FunctionId,
    ) -> Result<Vec<Option<ParsedExpression>>> {
        let request = FormulaRequest::Express(state.id(), conditions.to_vec(), function);
        expect!(self.ask(request)?, FormulaReply::Expressions(list) => list)
    }

    /// The value of an integer expression (of the program's own, or made known by [`Formulas::extend`]) where it is the same
    /// whatever the inputs are, as far as simplification shows.
    pub fn constant(&mut self, state: &SymbolicState, expression: ExprId) -> Result<Option<i128>> {
        let request = FormulaRequest::Constant(state.id(), expression);
        expect!(self.ask(request)?, FormulaReply::Constant(value) => value)
    }

    /// The comparisons that conditions consist of.
    pub fn atoms(&mut self, conditions: &[Formula]) -> Result<Vec<Formula>> {
        expect!(self.ask(FormulaRequest::Atoms(conditions.to_vec()))?, FormulaReply::Formulas(list) => list)
    }

    /// Number and time of queries, and how they were answered.
    pub fn statistics(&mut self) -> Result<Vec<(String, String)>> {
        expect!(self.ask(FormulaRequest::Statistics)?, FormulaReply::Statistics(list) => list)
    }

    /// Solves Horn clauses, which may be unrelated to this program.
    pub fn horn(&mut self, problem: HornProblem, time: Option<Duration>) -> Result<HornAnswer> {
        expect!(self.ask(FormulaRequest::Horn(problem, time))?, FormulaReply::Horn(answer) => answer)
    }
}
