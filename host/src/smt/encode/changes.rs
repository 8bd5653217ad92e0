//! The changes that edges may make, read off their operations: for states that stand for any number of iterations of a
//! loop.

use super::Encoder;
use crate::smt::state::State;
use crate::smt::term::{Sort, Term};
use tandem_plugin_api::library::{Memory, may_touch_memory, memory_of_call};
use tandem_plugin_api::program::*;

/// See the module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Variables that are written by name.
    pub variables: Vec<VarId>,
    /// Something is written through a pointer.
    pub pointees: bool,
    /// Memory may be given back.
    pub frees: bool,
}

impl Changes {
    pub fn of(program: &Program, edges: &[EdgeId]) -> Changes {
        let mut changes = Changes::default();
        for &edge in edges {
            match &program.edge(edge).op {
                Op::Assign { target, .. } | Op::Havoc { target } => changes.place(program, *target),
                Op::Input { target, .. } => target.iter().for_each(|&target| changes.place(program, target)),
                Op::Declare(variable) => changes.variables.push(*variable),
                Op::Resume(site) => changes.result(program, *site),
                Op::External(site) => changes.external(program, *site),
                Op::Return(_) => {
                    let function = program.function(program.function_of_edge(edge));
                    changes.variables.extend(function.result);
                }
                Op::Call(site) => {
                    if let Callee::Function(callee) = program.call_site(*site).callee {
                        changes.variables.extend(&program.function(callee).parameters);
                    }
                }
                Op::Skip | Op::Assume { .. } | Op::Unsupported(_) => {}
            }
        }
        changes.variables.sort_unstable();
        changes.variables.dedup();
        changes
    }

    /// A place that is written: the variable that it is part of, or something behind a pointer.
    fn place(&mut self, program: &Program, place: ExprId) {
        match program.exprs.kind(place) {
            ExprKind::Var(id) => self.variables.push(id),
            ExprKind::Field { base, .. } | ExprKind::Index { base, .. } => self.place(program, base),
            _ => self.pointees = true,
        }
    }

    fn result(&mut self, program: &Program, site: CallSiteId) {
        if let Some(place) = program.call_site(site).result {
            self.place(program, place);
        }
    }

    fn external(&mut self, program: &Program, site: CallSiteId) {
        self.result(program, site);
        let call = program.call_site(site);
        let memory = memory_of_call(program, call);
        let keeps = matches!(memory, Memory::Untouched | Memory::Allocates { .. } | Memory::Frees);
        self.pointees |= !keeps || may_touch_memory(program, call);
        self.frees |= matches!(memory, Memory::Frees | Memory::Reallocates { .. } | Memory::Anything);
    }
}

impl Encoder {
    /// Gives everything that may have changed an unknown value.
    pub fn forget(&mut self, state: &mut State, changes: &Changes) {
        for &variable in &changes.variables {
            if state.values.contains_key(&variable) || state.places.contains_key(&variable) {
                self.set_unknown(state, variable);
            }
        }
        if changes.pointees {
            // A pointer reaches all variables except those whose address is never taken.
            let safe: Vec<_> = state
                .places
                .iter()
                .filter(|(id, _)| !self.program.variable(**id).address_taken)
                .map(|(_, object)| *object)
                .collect();
            let objects: Vec<_> = state.memory.keys().copied().filter(|object| !safe.contains(object)).collect();
            for object in objects {
                if let Some(contents) = state.memory.get_mut(&object) {
                    contents.forget();
                }
            }
        }
        if changes.frees {
            let named: Vec<_> = state.places.values().copied().collect();
            let blocks: Vec<_> = state.memory.keys().copied().filter(|object| !named.contains(object)).collect();
            for block in blocks {
                let gone: Term = self.terms.symbol(Sort::Bool, "freed");
                self.terms.end_lifetime(self.object(block).base);
                if let Some(contents) = state.memory.get_mut(&block) {
                    contents.dead = self.terms.or(contents.dead, gone);
                }
            }
        }
    }
}
