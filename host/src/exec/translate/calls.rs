//! Calls: of compiled functions, of library models, and of the input functions.

use super::address::Address;
use super::function::Translator;
use super::{inline, machine_type, pointer_type};
use crate::exec::context::{Ending, offset};
use crate::exec::library;
use cranelift_codegen::ir::{self, InstBuilder, StackSlotData, StackSlotKind, types};
use tandem_plugin_api::library::{Effects, LibraryFunction, is_library_name, may_touch_memory};
use tandem_plugin_api::program::*;

/// Memory of the caller's frame, freed when it returns.
pub(super) fn is_alloca(name: &str) -> bool {
    matches!(name, "alloca" | "__builtin_alloca")
}

impl Translator<'_, '_> {
    /// A call of a compiled function; its result goes where the call site says.
    pub fn call(&mut self, site: CallSiteId) {
        let program = self.program;
        let site = program.call_site(site);
        let Callee::Function(id) = site.callee else { return self.end_in_passing(Ending::Unsupported) };
        if inline::is_inlined(self.shared, id) {
            return self.inline_call(id, site);
        }
        let Some(func) = self.shared.functions[id.index()] else {
            return self.end_in_passing(Ending::Unsupported);
        };
        let callee = program.function(id);
        let result_type = callee.result.map(|result| program.variable(result).ty);
        let by_address = result_type.is_some_and(|ty| !program.types.is_scalar(ty));
        let mut arguments = vec![self.context];
        let mut returned = None;
        if let (true, Some(ty)) = (by_address, result_type) {
            let (room, stack) = self.result_room(program.types.size_of(ty).unwrap_or(0));
            arguments.push(room);
            returned = Some((Address::dynamic(room), ty, stack));
        }
        arguments.extend(self.arguments(id, site));
        let reference = self.import(func);
        self.save_fuel();
        let call = self.builder.ins().call(reference, &arguments);
        self.load_fuel();
        let value = self.builder.inst_results(call).first().copied();
        let result = returned.as_ref().map(|(from, ty, _)| (*from, *ty));
        match (site.result, result, value) {
            (Some(place), Some((from, ty)), _) => {
                let to = self.address(place);
                self.copy(to, from, program.types.size_of(ty).unwrap_or(0));
            }
            (Some(place), None, Some(value)) => self.store(place, value),
            _ => {}
        }
        // In a loop, the memory of results would use up the stack.
        if let Some((_, _, stack)) = returned {
            self.builder.ins().store(super::function::trusted(), stack, self.context, offset::STACK_POINTER);
        }
    }

    fn inline_call(&mut self, id: FunctionId, site: &CallSite) {
        let arguments = self.arguments(id, site);
        let value = self.inline(id, &arguments);
        if let (Some(place), Some(value)) = (site.result, value) {
            self.store(place, value);
        }
    }

    /// One for each parameter.
    fn arguments(&mut self, id: FunctionId, site: &CallSite) -> Vec<ir::Value> {
        let program = self.program;
        let parameters = program.function(id).parameters.iter().enumerate();
        let value = |(i, &parameter): (usize, &VarId)| match site.arguments.get(i) {
            Some(&argument) => self.argument(argument),
            // Fewer arguments than parameters: the rest is indeterminate.
            None => self.zero(machine_type(program, program.variable(parameter).ty)),
        };
        parameters.map(value).collect()
    }

    /// Memory for an aggregate result, below the caller's frame; the callee's frame comes below that. Also the stack pointer before.
    fn result_room(&mut self, size: u64) -> (ir::Value, ir::Value) {
        let stack =
            self.builder.ins().load(types::I64, super::function::trusted(), self.context, offset::STACK_POINTER);
        let room = self.builder.ins().iadd_imm_s(stack, -(size.next_multiple_of(16) as i64));
        self.move_stack(room);
        let pointer = pointer_type(self.program.types.model);
        (self.resize(room, pointer, false), stack)
    }

    /// Scalars as they are, aggregates by address.
    fn argument(&mut self, argument: ExprId) -> ir::Value {
        if self.program.types.is_scalar(self.program.exprs.ty(argument)) {
            return self.value(argument);
        }
        let place = self.address(argument);
        self.pointer(place)
    }

    /// A call of a function without a body.
    pub fn external(&mut self, site: CallSiteId) {
        let program = self.program;
        let site = program.call_site(site);
        let Callee::Function(id) = site.callee else {
            // The pointer is the address of no function of the program.
            return self.end_in_passing(Ending::MemoryFault);
        };
        let name = program.function(id).name.as_str();
        match name {
            _ if is_alloca(name) => return self.alloca(site),
            "__builtin_stack_save" => return self.stack_save(site),
            "__builtin_stack_restore" => return self.stack_restore(site),
            _ => {}
        }
        let arguments: Vec<ir::Value> = site.arguments.iter().map(|&argument| self.long_argument(argument)).collect();
        let Some(model) = library::Function::named(name) else {
            if !may_be_passed_over(program, site, name) {
                return self.end_in_passing(Ending::Unsupported);
            }
            if let Some(place) = site.result {
                self.assign_zero(place);
            }
            return;
        };
        let types: Vec<TypeId> = site.arguments.iter().map(|&argument| program.exprs.ty(argument)).collect();
        let result_type = site.result.map(|place| program.exprs.ty(place));
        if !model.known().prototype().fits(&program.types, &types, result_type) {
            return self.end_in_passing(Ending::Unsupported);
        }
        let size = (arguments.len().max(1) * 8) as u32;
        let slot = self.builder.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, size, 3));
        let list = self.builder.ins().stack_addr(types::I64, slot, 0);
        for (i, value) in arguments.iter().enumerate() {
            self.builder.ins().store(super::function::trusted(), *value, list, (i * 8) as i32);
        }
        let for_effect = u32::from(site.result.is_none()) << 31;
        let function = self.builder.ins().iconst(types::I32, i64::from((id.0 | for_effect) as i32));
        let edge = self.builder.ins().iconst(types::I32, i64::from(self.edge.0));
        let count = self.builder.ins().iconst(types::I32, arguments.len() as i64);
        let host = self.import(self.shared.imports.library);
        self.save_fuel();
        let call = self.builder.ins().call(host, &[self.context, function, edge, list, count]);
        let result = self.builder.inst_results(call)[0];
        if let Some(place) = site.result {
            self.store_long(place, result);
        }
    }

    /// An argument in 64 bits: integers extended as their type says, floats as their bits.
    fn long_argument(&mut self, argument: ExprId) -> ir::Value {
        let signed = self.is_signed(self.program.exprs.ty(argument));
        let value = self.argument(argument);
        match self.builder.func.dfg.value_type(value) {
            types::F32 => {
                let bits = self.builder.ins().bitcast(types::I32, ir::MemFlagsData::new(), value);
                self.builder.ins().uextend(types::I64, bits)
            }
            types::F64 => self.builder.ins().bitcast(types::I64, ir::MemFlagsData::new(), value),
            _ => self.resize(value, types::I64, signed),
        }
    }

    /// Stores 64 bits that the host returned into a scalar place.
    fn store_long(&mut self, place: ExprId, value: ir::Value) {
        let ty = self.program.exprs.ty(place);
        let value = match machine_type(self.program, ty) {
            types::F32 => {
                let bits = self.builder.ins().ireduce(types::I32, value);
                self.builder.ins().bitcast(types::F32, ir::MemFlagsData::new(), bits)
            }
            types::F64 => self.builder.ins().bitcast(types::F64, ir::MemFlagsData::new(), value),
            machine => self.resize(value, machine, self.is_signed(ty)),
        };
        self.store(place, value);
    }

    fn alloca(&mut self, site: &CallSite) {
        let Some(&size) = site.arguments.first() else { return self.end_in_passing(Ending::Unsupported) };
        let size = self.long(size);
        let stack =
            self.builder.ins().load(types::I64, super::function::trusted(), self.context, offset::STACK_POINTER);
        // A size that large would wrap the stack pointer around.
        let most = self.builder.ins().iconst(types::I64, 1 << 31);
        let huge = self.builder.ins().icmp(ir::condcodes::IntCC::UnsignedGreaterThan, size, most);
        self.end_if(huge, Ending::StackOverflow);
        let lower = self.builder.ins().isub(stack, size);
        let aligned = self.builder.ins().iconst(types::I64, -16);
        let lower = self.builder.ins().band(lower, aligned);
        self.move_stack(lower);
        if let Some(place) = site.result {
            let pointer = pointer_type(self.program.types.model);
            let address = self.resize(lower, pointer, false);
            self.store(place, address);
        }
    }

    /// The stack pointer, for [`Self::stack_restore`].
    fn stack_save(&mut self, site: &CallSite) {
        let stack =
            self.builder.ins().load(types::I64, super::function::trusted(), self.context, offset::STACK_POINTER);
        if let Some(place) = site.result {
            let pointer = pointer_type(self.program.types.model);
            let address = self.resize(stack, pointer, false);
            self.store(place, address);
        }
    }

    /// Gives back what was allocated in the frame since.
    fn stack_restore(&mut self, site: &CallSite) {
        let Some(&saved) = site.arguments.first() else { return self.end_in_passing(Ending::Unsupported) };
        let saved = self.long(saved);
        self.move_stack(saved);
    }

    pub fn input(&mut self, function: FunctionId, target: Option<ExprId>) {
        let Type::Function { result, .. } = *self.program.types.get(self.program.function(function).ty) else {
            return self.end_in_passing(Ending::Unsupported);
        };
        let machine = machine_type(self.program, result);
        let bits = if *self.program.types.get(result) == Type::Int(IntKind::Bool) { 1 } else { machine.bits().min(64) };
        let id = self.builder.ins().iconst(types::I32, i64::from(function.0));
        let bits = self.builder.ins().iconst(types::I32, i64::from(bits));
        let edge = self.builder.ins().iconst(types::I32, i64::from(self.edge.0));
        let host = self.import(self.shared.imports.input);
        self.save_fuel();
        let call = self.builder.ins().call(host, &[self.context, id, bits, edge]);
        let value = self.builder.inst_results(call)[0];
        if let Some(target) = target {
            self.store_long(target, value);
        }
    }
}

/// Whether a run may go on behind a call of a function that has no model: by convention, one that the program does not share
/// with the C library returns zero and does nothing. Of the library's, one that works on the outside only does nothing that the
/// program could see but in its result; one of which no more than its name is known may write where it gets an address.
fn may_be_passed_over(program: &Program, site: &CallSite, name: &str) -> bool {
    let observed = site.result.is_some();
    let is_harmless = match LibraryFunction::named(name) {
        Some(known) => !observed && known.has_effect(Effects::OUTSIDE),
        None => !observed || !is_library_name(name.strip_prefix("__builtin_").unwrap_or(name)),
    };
    is_harmless && !may_touch_memory(program, site)
}
