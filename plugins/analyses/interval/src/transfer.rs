//! The effect of an edge on an abstract state: assignments, inputs, calls and returns.

use crate::layout::bits_of;
use crate::machine::Machine;
use crate::places::{Access, Places};
use crate::pointers::{Base, Offsets};
use crate::value::{Cells, Known, Value};
use tandem_plugin_api::program::{CallSiteId, Edge, ExprId, ExprKind, FunctionId, Op, TypeId, VarId};

impl Machine {
    /// The state behind an edge; `None` if no execution passes it. For the entering and leaving of calls, see
    /// [`enter`](Self::enter) and [`resume`](Self::resume).
    pub fn transfer(&self, state: &Cells, edge: &Edge) -> Option<Cells> {
        let program = &self.program;
        let mut after = state.clone();
        match &edge.op {
            Op::Skip => {}
            Op::Assume { condition, holds } => return self.assume(state, *condition, *holds),
            Op::Assign { target, value } => self.assign(state, &mut after, *target, *value),
            Op::Declare(variable) => after.remove_range(self.layout.of_variable(*variable)),
            Op::Input { target: Some(target), .. } => self.receive(state, &mut after, *target),
            Op::Havoc { target } => self.forget_place(state, &mut after, *target),
            Op::Input { target: None, .. } => {}
            Op::Return(value) => {
                let result = program.function(program.location(edge.from).function).result;
                if let (Some(result), Some(value)) = (result, value) {
                    self.assign_variable(state, &mut after, result, *value);
                }
            }
            Op::External(site) => return self.external(state, *site),
            Op::Call(site) => return Some(self.enter(state, *site, false)),
            Op::Resume(site) => return Some(self.resume(state, *site, None)),
            Op::Unsupported(_) => return Some(self.layout.tree()),
        }
        Some(after)
    }

    /// `target = value`, both seen in the state before.
    pub fn assign(&self, before: &Cells, after: &mut Cells, target: ExprId, value: ExprId) {
        let Some(access) = self.access(target) else { return self.write_anywhere(after) };
        let places = self.places(before, target);
        self.assign_places(before, after, &places, access, value);
    }

    fn assign_variable(&self, before: &Cells, after: &mut Cells, variable: VarId, value: ExprId) {
        match self.whole(self.program.variable(variable).ty) {
            Some(access) => self.assign_places(before, after, &Places::variable(variable), access, value),
            None => after.remove_range(self.layout.of_variable(variable)),
        }
    }

    /// How all of a variable of this type is accessed.
    pub fn whole(&self, ty: TypeId) -> Option<Access> {
        let width = bits_of(&self.program.types, ty)?;
        Some(Access { width, kind: self.kind(ty), is_bit_field: false })
    }

    fn assign_places(&self, before: &Cells, after: &mut Cells, places: &Places, access: Access, value: ExprId) {
        if self.program.types.is_aggregate(self.ty(value)) {
            return self.copy(before, after, places, access.width, value);
        }
        // A value of another kind than the place's was passed by a call without a prototype.
        let fits = access.is_bit_field || self.kind(self.ty(value)) == access.kind;
        let known = if fits { self.evaluate(before, value) } else { Known::Nothing };
        self.write(after, places, access, &known);
    }

    /// A place gets an input.
    fn receive(&self, before: &Cells, after: &mut Cells, target: ExprId) {
        self.set_place(before, after, target, &self.given(self.ty(target)));
    }

    /// A place gets any value.
    pub fn forget_place(&self, before: &Cells, after: &mut Cells, target: ExprId) {
        self.set_place(before, after, target, &self.anything(self.ty(target)));
    }

    fn set_place(&self, before: &Cells, after: &mut Cells, target: ExprId, value: &Known) {
        match self.access(target) {
            Some(access) => self.write(after, &self.places(before, target), access, value),
            None => self.write_anywhere(after),
        }
    }

    /// Structs, unions and arrays: cell by cell if both sides are known, else the written cells are forgotten.
    fn copy(&self, before: &Cells, after: &mut Cells, places: &Places, width: i64, value: ExprId) {
        if self.program.exprs.kind(value) == ExprKind::Zeroed {
            return self.fill_with_zero(after, places, width);
        }
        let source = self.places(before, value);
        let source = match &source.list[..] {
            [one] if !source.elsewhere && one.offsets.is_point() => match one.base {
                Base::Variable(variable) => Some((variable, one.offsets.lo)),
                _ => None,
            },
            _ => None,
        };
        self.overwrite(after, places, width, &|cell, at| {
            let (variable, from) = source?;
            let wanted = self.layout.cell(cell);
            let start = wanted.start - at + from;
            let cell = self.layout.of_variable(variable).find(|&number| {
                let cell = self.layout.cell(number);
                let same_place = cell.start == start && cell.width == wanted.width && cell.kind == wanted.kind;
                same_place && cell.count == wanted.count && cell.stride == wanted.stride
            })?;
            before.get(cell).cloned()
        });
    }

    pub fn fill_with_zero(&self, after: &mut Cells, places: &Places, width: i64) {
        self.overwrite(after, places, width, &|cell, _| Some(self.zero(cell)));
    }

    /// Writes many cells at once. `content` gives the new value of a cell in the written part of a variable, whose
    /// start is given too; cells that the ends of the part cut, or that may be elsewhere, are forgotten.
    fn overwrite(&self, after: &mut Cells, places: &Places, width: i64, content: &dyn Fn(u32, i64) -> Option<Value>) {
        let strong = self.is_definite(places);
        self.write_each(after, places, width, &mut |state, variable, at| {
            self.forget_or_set(state, variable, at, width, &|cell| {
                if strong && at.is_point() { content(cell, at.lo) } else { None }
            });
        });
    }

    fn forget_or_set(
        &self,
        state: &mut Cells,
        variable: VarId,
        at: Offsets,
        width: i64,
        content: &dyn Fn(u32) -> Option<Value>,
    ) {
        for number in self.layout.of_variable(variable) {
            let cell = self.layout.cell(number);
            if at.first_from(cell.start - width + 1).is_none_or(|first| first >= cell.end()) {
                continue;
            }
            let covered = at.is_point() && at.lo <= cell.start && cell.end() <= at.lo + width;
            let new = if covered { content(number) } else { None };
            state.set(number, new.and_then(|new| self.layout.normal(number, new)));
        }
    }

    /// Enters a function. With `alone`, the caller's variables that the callee cannot reach are left out.
    pub fn enter(&self, state: &Cells, site: CallSiteId, alone: bool) -> Cells {
        let program = &self.program;
        let call = program.call_site(site);
        let edge = program.edge(call.call);
        let (caller, callee) = (program.location(edge.from).function, program.location(edge.to).function);
        let mut after = state.clone();
        self.forget_frame(&mut after, callee);
        if alone {
            after.remove_range(self.layout.frames[caller.index()].private.clone());
        }
        for (&parameter, &argument) in program.function(callee).parameters.iter().zip(&call.arguments) {
            self.assign_variable(state, &mut after, parameter, argument);
        }
        after
    }

    /// Returns from a function, to a caller whose own variables are those of `caller_state`, or in `exit` if there is
    /// none.
    pub fn resume(&self, exit: &Cells, site: CallSiteId, caller_state: Option<&Cells>) -> Cells {
        let program = &self.program;
        let call = program.call_site(site);
        let edge = program.edge(call.call);
        let (caller, callee) = (program.location(edge.from).function, program.location(edge.to).function);
        let mut after = exit.clone();
        self.forget_frame(&mut after, callee);
        let private = self.layout.frames[caller.index()].private.clone();
        if let Some(caller_state) = caller_state {
            after.remove_range(private.clone());
            caller_state.for_each(&private, &mut |cell, value| after.set(cell, Some(value.clone())));
        } else if self.recursive[caller.index()] {
            // The values there may be those of another call of the same function.
            after.remove_range(private);
        }
        if let Some(place) = call.result {
            self.take_result(exit, &mut after, place, program.function(callee).result);
        }
        self.forget_dangling(&mut after, callee);
        after
    }

    fn take_result(&self, exit: &Cells, after: &mut Cells, place: ExprId, result: Option<VarId>) {
        let (Some(result), Some(access)) = (result, self.access(place)) else {
            let before = after.clone();
            return self.forget_place(&before, after, place);
        };
        let places = self.places(after, place);
        let ty = self.program.variable(result).ty;
        if self.program.types.is_aggregate(ty) {
            return self.overwrite(after, &places, access.width, &|cell, at| {
                let wanted = self.layout.cell(cell);
                let same = self.layout.of_variable(result).find(|&number| {
                    let cell = self.layout.cell(number);
                    let same_place = cell.start == wanted.start - at && cell.width == wanted.width;
                    same_place && cell.kind == wanted.kind && cell.count == wanted.count && cell.stride == wanted.stride
                })?;
                exit.get(same).cloned()
            });
        }
        let known = match self.layout.of_variable(result).next().and_then(|cell| exit.get(cell)) {
            _ if !access.is_bit_field && self.kind(ty) != access.kind => Known::Nothing,
            Some(Value::Int(interval)) => Known::Int(*interval),
            Some(Value::Pointer(pointer)) => Known::Pointer(pointer.clone()),
            None => self.anything(ty),
        };
        self.write(after, &places, access, &known);
    }

    fn forget_frame(&self, state: &mut Cells, function: FunctionId) {
        let frame = &self.layout.frames[function.index()];
        state.remove_range(frame.private.clone());
        state.remove_range(frame.addressed.clone());
    }

    /// Pointers into a frame that is gone point to unknown places.
    fn forget_dangling(&self, state: &mut Cells, callee: FunctionId) {
        if !self.layout.frames[callee.index()].has_addressed && !self.allocates_in_frame[callee.index()] {
            return;
        }
        let program = &self.program;
        let is_gone = |base: Base| match base {
            Base::Variable(variable) => {
                let variable = program.variable(variable);
                variable.is_local() && variable.function == Some(callee)
            }
            Base::Block(site) => {
                self.is_alloca(site) && program.function_of_edge(program.call_site(site).call) == callee
            }
            _ => false,
        };
        state.retain(|_, value| match value {
            Value::Pointer(pointer) => !pointer.targets().iter().any(|target| is_gone(target.base)),
            Value::Int(_) => true,
        });
    }
}
