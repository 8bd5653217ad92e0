//! The strongest postcondition of each operation of the program.

use super::Encoder;
use crate::smt::state::{HazardKind, Input, State};
use crate::smt::term::{FALSE, TRUE, Term};
use tandem_plugin_api::program::*;

impl Encoder {
    /// The state after an edge. Its guard is false where no path passes.
    pub fn post(&mut self, state: &State, edge: EdgeId) -> State {
        let mut next = state.clone();
        self.edge = edge;
        let program = self.program.clone();
        match program.edge(edge).op {
            Op::Skip => {}
            Op::Assume { condition, holds } => self.pass(&mut next, condition, holds),
            Op::Assign { target, value } => self.assign(&mut next, target, value),
            Op::Declare(variable) => self.set_unknown(&mut next, variable),
            Op::Input { function, target } => self.input(&mut next, function, target),
            Op::Havoc { target } => self.havoc(&mut next, target),
            Op::Call(site) => self.call(&mut next, site),
            Op::Resume(site) => self.resume(&mut next, site),
            Op::External(site) => self.external(&mut next, site),
            Op::Return(value) => self.return_value(&mut next, edge, value),
            Op::Unsupported(_) => {
                self.hazard(&mut next, TRUE, HazardKind::Unsupported);
                next.guard = FALSE;
            }
        }
        next
    }

    /// The condition of an assume edge in a state, without passing the edge.
    pub fn condition_of(&mut self, state: &State, expr: ExprId) -> Term {
        let mut scratch = state.clone();
        self.condition(&mut scratch, expr)
    }

    /// The value of a scalar expression in a state.
    pub fn value_of(&mut self, state: &State, expr: ExprId) -> Term {
        let mut scratch = state.clone();
        self.value(&mut scratch, expr)
    }

    /// Like [`Encoder::value_of`], but the state keeps the values that were read of unknown memory, so that reading
    /// them again gives the same.
    pub fn settled_value(&mut self, state: &mut State, expr: ExprId) -> Term {
        let guard = state.guard;
        let value = self.value(state, expr);
        state.guard = guard;
        value
    }

    /// Likewise, for a condition.
    pub fn settled_condition(&mut self, state: &mut State, expr: ExprId) -> Term {
        let guard = state.guard;
        let truth = self.condition(state, expr);
        state.guard = guard;
        truth
    }

    fn pass(&mut self, state: &mut State, condition: ExprId, holds: bool) {
        let truth = self.condition(state, condition);
        let passes = if holds { truth } else { self.terms.not(truth) };
        state.assume(&mut self.terms, passes);
    }

    fn input(&mut self, state: &mut State, function: FunctionId, target: Option<ExprId>) {
        let program = self.program.clone();
        let Type::Function { result, .. } = *program.types.get(program.function(function).ty) else { return };
        if !program.types.is_scalar(result) {
            self.hazard(state, TRUE, HazardKind::Unsupported);
            return;
        }
        let value = self.given(result, "input");
        let order = self.inputs;
        self.inputs += 1;
        state.inputs.push(Input { order, guard: state.guard, function, edge: self.edge, value });
        if let Some(target) = target {
            let from = result;
            let to = program.exprs.ty(target);
            let value = self.convert(value, from, to);
            self.write_place(state, target, value);
        }
    }

    /// Gives the target an unknown value, which no test chooses.
    pub(super) fn havoc(&mut self, state: &mut State, target: ExprId) {
        let ty = self.program.exprs.ty(target);
        if self.program.types.is_scalar(ty) {
            let value = self.unknown(ty, "any");
            self.write_place(state, target, value);
        } else {
            let place = self.address(state, target);
            self.fill(state, place, ty, true);
        }
    }

    fn return_value(&mut self, state: &mut State, edge: EdgeId, value: Option<ExprId>) {
        let program = self.program.clone();
        let function = program.function(program.function_of_edge(edge));
        let (Some(result), Some(value)) = (function.result, value) else { return };
        if self.is_register(result) {
            let value = self.value(state, value);
            state.values.insert(result, value);
        } else if let Some(&object) = state.places.get(&result) {
            let to = self.object(object).base;
            let ty = program.variable(result).ty;
            if program.types.is_scalar(ty) {
                let value = self.value(state, value);
                self.store(state, to, ty, value);
            } else {
                let from = self.address(state, value);
                self.copy(state, to, from, ty);
            }
        }
    }
}
