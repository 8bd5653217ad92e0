//! Calls of defined functions: parameters, results, and the variables of functions that call themselves.

use super::Encoder;
use crate::smt::state::{Frame, HazardKind, State};
use crate::smt::term::{TRUE, Term};
use std::sync::Arc;
use tandem_plugin_api::program::*;

/// An argument: a scalar, or the place of an aggregate.
enum Argument {
    Scalar(Term),
    Aggregate(Term),
}

impl Encoder {
    pub(super) fn call(&mut self, state: &mut State, site: CallSiteId) {
        let program = self.program.clone();
        let call = program.call_site(site);
        let Callee::Function(callee) = call.callee else {
            self.hazard(state, TRUE, HazardKind::Unsupported);
            return;
        };
        let function = program.function(callee);
        let arguments: Vec<Argument> = call
            .arguments
            .iter()
            .map(|&argument| {
                if program.types.is_scalar(program.exprs.ty(argument)) {
                    Argument::Scalar(self.value(state, argument))
                } else {
                    Argument::Aggregate(self.address(state, argument))
                }
            })
            .collect();
        self.push_frame(state, site, callee);
        self.enter(state, callee);
        for (i, &parameter) in function.parameters.iter().enumerate() {
            let ty = program.variable(parameter).ty;
            match arguments.get(i) {
                Some(Argument::Scalar(value)) if program.types.is_scalar(ty) => {
                    let from = program.exprs.ty(call.arguments[i]);
                    let value = self.convert(*value, from, ty);
                    self.set_variable(state, parameter, value);
                }
                Some(Argument::Aggregate(from)) => {
                    if let Some(&object) = state.places.get(&parameter) {
                        let to = self.object(object).base;
                        self.copy(state, to, *from, ty);
                    }
                }
                // Fewer arguments than parameters: the rest is indeterminate.
                _ => self.set_unknown(state, parameter),
            }
        }
    }

    fn set_variable(&mut self, state: &mut State, id: VarId, value: Term) {
        if self.is_register(id) {
            state.values.insert(id, value);
        } else if let Some(&object) = state.places.get(&id) {
            let base = self.object(object).base;
            let ty = self.program.variable(id).ty;
            self.store(state, base, ty, value);
        }
    }

    fn push_frame(&mut self, state: &mut State, site: CallSiteId, callee: FunctionId) {
        let program = self.program.clone();
        let function = program.function(callee);
        let (mut values, mut places) = (Vec::new(), Vec::new());
        for &id in function.parameters.iter().chain(&function.locals).chain(&function.result) {
            if self.is_register(id) {
                values.push((id, state.values.remove(&id)));
            } else {
                places.push((id, state.places.remove(&id)));
            }
        }
        let depth = state.depth() + 1;
        state.frames = Some(Arc::new(Frame { site, callee, caller: state.frames.clone(), depth, values, places }));
    }

    pub(super) fn resume(&mut self, state: &mut State, site: CallSiteId) {
        let program = self.program.clone();
        let Some(frame) = state.frames.clone().filter(|frame| frame.site == site) else {
            // Another call is on top of the stack: this edge is not passable.
            state.guard = crate::smt::term::FALSE;
            return;
        };
        let callee = program.function(frame.callee);
        let result_place = program.call_site(site).result;
        let mut scalar = None;
        let mut aggregate = None;
        if let (Some(result), Some(_)) = (callee.result, result_place) {
            let ty = program.variable(result).ty;
            if self.is_register(result) {
                scalar = Some(state.values.get(&result).copied().unwrap_or_else(|| self.unknown(ty, "indeterminate")));
            } else if let Some(&object) = state.places.get(&result) {
                let base = self.object(object).base;
                if program.types.is_scalar(ty) {
                    scalar = Some(self.load(state, base, ty));
                } else {
                    aggregate = Some((base, ty));
                }
            }
        }
        let dying: Vec<_> = frame.places.iter().filter_map(|(id, _)| state.places.get(id).copied()).collect();
        for (id, value) in &frame.values {
            match value {
                Some(value) => state.values.insert(*id, *value),
                None => state.values.remove(id),
            };
        }
        for (id, place) in &frame.places {
            match place {
                Some(place) => state.places.insert(*id, *place),
                None => state.places.remove(id),
            };
        }
        state.frames = frame.caller.clone();
        match (result_place, scalar, aggregate) {
            (Some(place), Some(value), _) => self.write_place(state, place, value),
            (Some(place), None, Some((from, ty))) => {
                let to = self.address(state, place);
                self.copy(state, to, from, ty);
            }
            _ => {}
        }
        for object in dying {
            self.terms.end_lifetime(self.object(object).base);
            state.memory.remove(&object);
        }
    }
}
