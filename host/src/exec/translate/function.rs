//! One function: blocks for its locations, its prologue and epilogue, and the operations on its edges.

use super::address::Address;
use super::instrument::Counting;
use super::{Shared, machine_type, pointer_type};
use crate::exec::context::{Ending, offset};
use crate::exec::image::{Frame, STACK_ALIGN};
use crate::exec::trace;
use cranelift_codegen::ir::{self, InstBuilder, MemFlagsData, SourceLoc, TrapCode, types};
use cranelift_frontend::{FunctionBuilder, Variable as Register};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Module};
use rustc_hash::{FxHashMap, FxHashSet};
use tandem_plugin_api::program::*;

/// The state of one function's translation.
pub(super) struct Translator<'s, 'f> {
    pub shared: &'s Shared<'s>,
    pub program: &'s Program,
    pub builder: FunctionBuilder<'f>,
    pub module: &'s mut JITModule,
    pub function: FunctionId,
    pub context: ir::Value,
    pub memory_base: ir::Value,
    /// Where the counters of edges are.
    pub counters: Option<ir::Value>,
    /// Steps left. They are in the context whenever other code needs them.
    fuel: Register,
    registers: FxHashMap<VarId, Register>,
    pub blocks: FxHashMap<LocationId, ir::Block>,
    pub pending: Vec<LocationId>,
    pub loop_heads: FxHashSet<LocationId>,
    /// Host address and program address of the frame.
    pub frame: Option<(ir::Value, ir::Value)>,
    /// The program's stack pointer when the function was entered.
    pub caller_stack: Option<ir::Value>,
    /// Where an aggregate result goes.
    pub result_address: Option<ir::Value>,
    /// Where an inlined function goes on when it returns.
    pub return_to: Option<ir::Block>,
    /// The edge being translated.
    pub edge: EdgeId,
    pub counting: Counting,
    is_repeating: bool,
    imported: FxHashMap<FuncId, ir::FuncRef>,
}

/// Memory of the host that is always there.
pub(super) fn trusted() -> MemFlagsData {
    MemFlagsData::trusted()
}

/// Memory of the sandbox, where an access may fault.
pub(super) fn sandboxed() -> MemFlagsData {
    MemFlagsData::new()
}

pub(super) fn translate(
    mut builder: FunctionBuilder<'_>,
    module: &mut JITModule,
    shared: &Shared<'_>,
    function: FunctionId,
) -> Counting {
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    let context = builder.block_params(entry)[0];
    let memory_base = builder.ins().load(types::I64, trusted(), context, offset::MEMORY_BASE);
    let counters =
        shared.options.coverage.then(|| builder.ins().load(types::I64, trusted(), context, offset::COVERAGE));
    let fuel = builder.declare_var(types::I64);
    let left = builder.ins().load(types::I64, trusted(), context, offset::FUEL);
    builder.def_var(fuel, left);
    let program = shared.program;
    let config = module.target_config();
    let mut translator = Translator {
        shared,
        program,
        builder,
        module,
        function,
        context,
        memory_base,
        counters,
        fuel,
        registers: FxHashMap::default(),
        blocks: FxHashMap::default(),
        pending: Vec::new(),
        loop_heads: program.loop_heads(function).into_iter().collect(),
        frame: None,
        caller_stack: None,
        result_address: None,
        return_to: None,
        edge: EdgeId(0),
        counting: Counting::default(),
        is_repeating: false,
        imported: FxHashMap::default(),
    };
    translator.body(entry);
    translator.builder.seal_all_blocks();
    let Translator { builder, counting, .. } = translator;
    builder.finalize(config);
    counting
}

/// `start`: `main` gets `argc` 1 and zeros, and its result becomes the exit status.
pub(super) fn translate_start(mut builder: FunctionBuilder<'_>, module: &mut JITModule, shared: &Shared<'_>) {
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    let context = builder.block_params(entry)[0];
    let program = shared.program;
    let main = program.function(program.main);
    let config = module.target_config();
    if let Some(func) = shared.functions[program.main.index()] {
        let callee = module.declare_func_in_func(func, builder.func);
        let mut arguments = vec![context];
        for (i, &parameter) in main.parameters.iter().enumerate() {
            let ty = machine_type(program, program.variable(parameter).ty);
            arguments.push(match ty {
                types::F32 => builder.ins().f32const(0.0),
                types::F64 => builder.ins().f64const(0.0),
                types::I128 => {
                    let zero = builder.ins().iconst(types::I64, 0);
                    builder.ins().uextend(types::I128, zero)
                }
                ty => builder.ins().iconst(ty, i64::from(i == 0)),
            });
        }
        let call = builder.ins().call(callee, &arguments);
        if let Some(&result) = builder.inst_results(call).first() {
            let ty = builder.func.dfg.value_type(result);
            let status = match ty.bits() {
                _ if !ty.is_int() => builder.ins().iconst(types::I32, 0),
                32 => result,
                bits if bits < 32 => builder.ins().sextend(types::I32, result),
                _ => builder.ins().ireduce(types::I32, result),
            };
            builder.ins().store(trusted(), status, context, offset::STATUS);
        }
    }
    let returned = builder.ins().iconst(types::I32, Ending::Returned as i64);
    builder.ins().store(trusted(), returned, context, offset::ENDING);
    builder.ins().return_(&[]);
    builder.seal_all_blocks();
    builder.finalize(config);
}

impl Translator<'_, '_> {
    fn body(&mut self, entry: ir::Block) {
        let Some(body) = self.program.function(self.function).body else { return };
        self.edge = self.program.location(body.entry).leaving.first().copied().unwrap_or(EdgeId(0));
        self.builder.set_srcloc(SourceLoc::new(self.edge.0));
        // The caller checks how many steps are left, and so do loops.
        if self.shared.inlining.calls[self.function.index()] {
            self.spend_fuel()
        } else {
            self.spend_unchecked()
        }
        self.prologue(entry);
        if let &[first] = self.program.location(body.entry).leaving.as_slice() {
            self.counting.first = Some(first);
        }
        self.locations();
    }

    /// The code from the function's entry on.
    pub fn locations(&mut self) {
        let Some(body) = self.program.function(self.function).body else { return };
        self.go_to(body.entry);
        while let Some(location) = self.pending.pop() {
            let block = self.blocks[&location];
            self.builder.switch_to_block(block);
            if self.loop_heads.contains(&location) {
                self.edge = self.program.location(location).leaving.first().copied().unwrap_or(self.edge);
                self.builder.set_srcloc(SourceLoc::new(self.edge.0));
                self.spend_fuel();
            }
            self.chain(location);
        }
    }

    fn prologue(&mut self, entry: ir::Block) {
        let function = self.program.function(self.function);
        let arguments: Vec<ir::Value> = self.builder.block_params(entry)[1..].to_vec();
        let mut arguments = arguments.into_iter();
        self.allocate_frame();
        if function.result.is_some_and(|result| !self.program.types.is_scalar(self.program.variable(result).ty)) {
            self.result_address = arguments.next();
        }
        self.define_registers(self.function);
        if self.shared.layout.traced {
            for id in trace::begins_as_zero(self.program, self.function) {
                let place = self.variable_address(id);
                self.clear(place, self.program.types.size_of(self.program.variable(id).ty).unwrap_or(0));
            }
        }
        for &id in &function.parameters {
            let Some(value) = arguments.next() else { break };
            let variable = self.program.variable(id);
            if let Some(&register) = self.registers.get(&id) {
                self.builder.def_var(register, value);
            } else if self.program.types.is_scalar(variable.ty) {
                let place = self.variable_address(id);
                self.store_scalar(place, value, variable.ty);
            } else {
                let (to, from) = (self.variable_address(id), Address::dynamic(value));
                self.copy(to, from, self.program.types.size_of(variable.ty).unwrap_or(0));
            }
        }
    }

    /// Locals in registers begin as zero.
    pub fn define_registers(&mut self, function: FunctionId) {
        let function = self.program.function(function);
        for &id in function.parameters.iter().chain(&function.locals).chain(&function.result) {
            let variable = self.program.variable(id);
            if self.shared.layout.in_register(self.program, variable) {
                let ty = machine_type(self.program, variable.ty);
                let register = match self.registers.get(&id) {
                    Some(&register) => register,
                    None => self.builder.declare_var(ty),
                };
                self.registers.insert(id, register);
                if variable.storage != Storage::Parameter {
                    let zero = self.zero(ty);
                    self.builder.def_var(register, zero);
                }
            }
        }
    }

    /// Room for the variables in memory; recursion that needs too much ends here.
    fn allocate_frame(&mut self) {
        let &Frame { size, align, .. } = &self.shared.layout.frames[self.function.index()];
        if size == 0 && !self.moves_stack() {
            return;
        }
        let caller = self.builder.ins().load(types::I64, trusted(), self.context, offset::STACK_POINTER);
        self.caller_stack = Some(caller);
        let mut own = self.builder.ins().iadd_imm_s(caller, -i64::from(size));
        if align > STACK_ALIGN {
            let aligned = self.builder.ins().iconst(types::I64, (align as i64).wrapping_neg());
            own = self.builder.ins().band(own, aligned);
        }
        self.move_stack(own);
        let host = self.builder.ins().iadd(self.memory_base, own);
        let pointer = pointer_type(self.program.types.model);
        let address = if pointer == types::I32 { self.builder.ins().ireduce(types::I32, own) } else { own };
        self.frame = Some((host, address));
    }

    /// Sets the program's stack pointer (64 bits), which must stay above the limit.
    pub fn move_stack(&mut self, to: ir::Value) {
        let limit = self.builder.ins().load(types::I64, trusted(), self.context, offset::STACK_LIMIT);
        let low = self.builder.ins().icmp(ir::condcodes::IntCC::SignedLessThan, to, limit);
        self.end_if(low, Ending::StackOverflow);
        self.builder.ins().store(trusted(), to, self.context, offset::STACK_POINTER);
    }

    /// Aggregate results, variable-length arrays and alloca move the stack pointer while the function runs.
    fn moves_stack(&self) -> bool {
        self.shared.moves_stack[self.function.index()]
    }

    pub fn zero(&mut self, ty: types::Type) -> ir::Value {
        match ty {
            types::F32 => self.builder.ins().f32const(0.0),
            types::F64 => self.builder.ins().f64const(0.0),
            types::I128 => {
                let zero = self.builder.ins().iconst(types::I64, 0);
                self.builder.ins().uextend(types::I128, zero)
            }
            ty => self.builder.ins().iconst(ty, 0),
        }
    }

    pub fn register(&self, id: VarId) -> Option<Register> {
        self.registers.get(&id).copied()
    }

    pub fn import(&mut self, func: FuncId) -> ir::FuncRef {
        if let Some(&reference) = self.imported.get(&func) {
            return reference;
        }
        let reference = self.module.declare_func_in_func(func, self.builder.func);
        self.imported.insert(func, reference);
        reference
    }

    /// The block of a location, to be filled later.
    pub fn block(&mut self, location: LocationId) -> ir::Block {
        if let Some(&block) = self.blocks.get(&location) {
            return block;
        }
        let block = self.builder.create_block();
        self.blocks.insert(location, block);
        self.pending.push(location);
        block
    }

    /// Whether each decision must be recorded, or counted, where it is made.
    pub fn records_decisions(&self) -> bool {
        self.shared.options.decisions || self.shared.options.comparisons || self.shared.layout.traced
    }

    /// Goes back to the head of a loop by deciding here whether to go on: one jump for each time round, not two.
    fn repeat(&mut self, head: LocationId) -> bool {
        let &[a, b] = self.program.location(head).leaving.as_slice() else { return false };
        if self.is_repeating || self.records_decisions() || self.decision(a, b).is_none() || self.begins_switch(head) {
            return false;
        }
        self.is_repeating = true;
        self.begin(a);
        self.spend_fuel();
        self.branch(a, b);
        self.is_repeating = false;
        true
    }

    pub fn go_to(&mut self, location: LocationId) {
        if self.is_loop_head(location) && self.has_block(location) && self.repeat(location) {
            return;
        }
        let block = self.block(location);
        self.builder.ins().jump(block, &[]);
    }

    pub fn is_loop_head(&self, location: LocationId) -> bool {
        self.loop_heads.contains(&location)
    }

    pub fn has_block(&self, location: LocationId) -> bool {
        self.blocks.contains_key(&location)
    }

    /// Translates from a location on, as long as there is one way and no other edge enters it.
    fn chain(&mut self, mut location: LocationId) {
        while let Some(next) = self.location(location) {
            let joins = self.program.location(next).entering.len() != 1 || self.loop_heads.contains(&next);
            if joins || self.blocks.contains_key(&next) {
                self.go_to(next);
                return;
            }
            location = next;
        }
    }

    /// The edges that leave a location; gives back the only successor, if there is just one.
    fn location(&mut self, location: LocationId) -> Option<LocationId> {
        let program = self.program;
        if program.function(self.function).body.is_some_and(|body| body.exit == location) {
            self.epilogue();
            return None;
        }
        match program.location(location).leaving.as_slice() {
            [] => {
                // After a call that does not return, or where an assumption failed.
                self.end(Ending::AssumptionViolated);
                None
            }
            &[edge] => self.edge(edge),
            &[a, b] => {
                if !self.switch(location) {
                    self.branch(a, b);
                }
                None
            }
            _ => {
                self.end(Ending::Unsupported);
                None
            }
        }
    }

    fn epilogue(&mut self) {
        if let Some(after) = self.return_to {
            self.builder.ins().jump(after, &[]);
            return;
        }
        self.save_fuel();
        self.trace_return();
        if let Some(caller) = self.caller_stack {
            self.builder.ins().store(trusted(), caller, self.context, offset::STACK_POINTER);
        }
        let Some(result) = self.program.function(self.function).result else {
            self.builder.ins().return_(&[]);
            return;
        };
        let ty = self.program.variable(result).ty;
        if self.program.types.is_scalar(ty) {
            let value = match self.register(result) {
                Some(register) => self.builder.use_var(register),
                None => {
                    let place = self.variable_address(result);
                    self.load_scalar(place, ty)
                }
            };
            self.builder.ins().return_(&[value]);
        } else {
            if let Some(address) = self.result_address {
                let from = self.variable_address(result);
                self.copy(Address::dynamic(address), from, self.program.types.size_of(ty).unwrap_or(0));
            }
            self.builder.ins().return_(&[]);
        }
    }

    /// The condition that two assume edges decide, and the edges where it holds and where not.
    pub fn decision(&self, a: EdgeId, b: EdgeId) -> Option<(ExprId, EdgeId, EdgeId)> {
        match (&self.program.edge(a).op, &self.program.edge(b).op) {
            (Op::Assume { condition, holds }, Op::Assume { condition: other, holds: opposite })
                if condition == other && holds != opposite =>
            {
                Some(if *holds { (*condition, a, b) } else { (*condition, b, a) })
            }
            _ => None,
        }
    }

    /// Two assume edges on one condition.
    fn branch(&mut self, a: EdgeId, b: EdgeId) {
        let Some((condition, yes, no)) = self.decision(a, b) else {
            self.end(Ending::Unsupported);
            return;
        };
        self.begin(a);
        if self.select(condition, yes, no) {
            return;
        }
        self.record_comparison(condition);
        let truth = self.condition(condition);
        self.record_decision(truth);
        let (then, otherwise) = (self.edge_block(yes), self.edge_block(no));
        self.builder.ins().brif(truth, then, &[], otherwise, &[]);
        self.fill_edge_block(yes, then);
        self.fill_edge_block(no, otherwise);
    }

    /// The code of a block of an edge's own.
    pub fn fill_edge_block(&mut self, edge: EdgeId, block: ir::Block) {
        if self.is_instrumented(edge) {
            self.builder.switch_to_block(block);
            self.begin(edge);
            self.trace(edge);
            if !self.end_at_target(edge) {
                self.count(edge);
                let to = self.program.edge(edge).to;
                self.go_to(to);
            }
        }
    }

    /// Where a branch goes: to the location itself, or to a block of its own that counts first.
    pub fn edge_block(&mut self, edge: EdgeId) -> ir::Block {
        if self.is_instrumented(edge) {
            return self.builder.create_block();
        }
        let to = self.program.edge(edge).to;
        self.block(to)
    }

    /// From here on, code belongs to this edge.
    pub fn begin(&mut self, edge: EdgeId) {
        self.edge = edge;
        self.builder.set_srcloc(SourceLoc::new(edge.0));
    }

    /// An edge that is the only one to leave its location.
    fn edge(&mut self, id: EdgeId) -> Option<LocationId> {
        self.begin(id);
        self.trace(id);
        if self.end_at_target(id) {
            return None;
        }
        self.count_straight(id);
        let program = self.program;
        let edge = program.edge(id);
        match &edge.op {
            Op::Skip | Op::Resume(_) => {}
            Op::Declare(variable) => self.declare(*variable),
            Op::Assume { condition, holds } => {
                let truth = self.condition(*condition);
                let wrong = if *holds { self.is_zero(truth) } else { truth };
                self.end_if(wrong, Ending::AssumptionViolated);
            }
            Op::Assign { target, value } => self.assign(*target, *value),
            Op::Input { function, target } => self.input(*function, *target),
            // Any value is allowed; zero is used.
            Op::Havoc { target } => self.assign_zero(*target),
            Op::Call(site) => {
                self.call(*site);
                return program.return_location(*site);
            }
            Op::External(site) => self.external(*site),
            Op::Return(value) => {
                if let (Some(value), Some(result)) = (value, program.function(self.function).result) {
                    self.assign_variable(result, *value);
                }
            }
            Op::Unsupported(_) => {
                self.end(Ending::Unsupported);
                return None;
            }
        }
        Some(edge.to)
    }

    /// Ends the run here; nothing follows in this block.
    pub fn end(&mut self, ending: Ending) {
        self.save_fuel();
        let kind = self.builder.ins().iconst(types::I32, ending as i64);
        self.builder.ins().store(trusted(), kind, self.context, offset::ENDING);
        let edge = self.builder.ins().iconst(types::I32, i64::from(self.edge.0));
        self.builder.ins().store(trusted(), edge, self.context, offset::EDGE);
        let escape = self.import(self.shared.imports.escape);
        self.builder.ins().call(escape, &[self.context]);
        self.builder.ins().trap(TrapCode::unwrap_user(1));
    }

    /// Ends the run if a condition is true, out of the way of the code that goes on.
    pub fn end_if(&mut self, condition: ir::Value, ending: Ending) {
        let (cold, go_on) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(cold);
        self.builder.ins().brif(condition, cold, &[], go_on, &[]);
        self.builder.seal_block(cold);
        self.builder.seal_block(go_on);
        self.builder.switch_to_block(cold);
        self.end(ending);
        self.builder.switch_to_block(go_on);
    }

    /// Stores the number of steps left in the context: before other code spends steps, and where the run may end. After
    /// a fault, the steps since then are not counted.
    pub fn save_fuel(&mut self) {
        let left = self.builder.use_var(self.fuel);
        self.builder.ins().store(trusted(), left, self.context, offset::FUEL);
    }

    /// Loads the number of steps left after other code spent some.
    pub fn load_fuel(&mut self) {
        let left = self.builder.ins().load(types::I64, trusted(), self.context, offset::FUEL);
        self.builder.def_var(self.fuel, left);
    }

    /// Counts one step without a check, where the next check is near.
    pub fn spend_unchecked(&mut self) {
        let fuel = self.builder.use_var(self.fuel);
        let less = self.builder.ins().iadd_imm_s(fuel, -1);
        self.builder.def_var(self.fuel, less);
    }

    /// One step; when the slice is used up, the host decides whether the run goes on.
    fn spend_fuel(&mut self) {
        let fuel = self.builder.use_var(self.fuel);
        let less = self.builder.ins().iadd_imm_s(fuel, -1);
        self.builder.def_var(self.fuel, less);
        let zero = self.builder.ins().iconst(types::I64, 0);
        let empty = self.builder.ins().icmp(ir::condcodes::IntCC::SignedLessThan, less, zero);
        let (cold, go_on) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(cold);
        self.builder.ins().brif(empty, cold, &[], go_on, &[]);
        self.builder.seal_block(cold);
        self.builder.switch_to_block(cold);
        self.save_fuel();
        let refuel = self.import(self.shared.imports.refuel);
        let edge = self.builder.ins().iconst(types::I32, i64::from(self.edge.0));
        self.builder.ins().call(refuel, &[self.context, edge]);
        self.load_fuel();
        self.builder.ins().jump(go_on, &[]);
        self.builder.seal_block(go_on);
        self.builder.switch_to_block(go_on);
    }
}
