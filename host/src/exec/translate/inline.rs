//! Small functions, and those that are called at one place only, become part of their callers: a call costs more than
//! most of them do.

use super::function::Translator;
use super::{Shared, calls};
use crate::exec::image::Layout;
use cranelift_codegen::ir;
use rustc_hash::{FxHashMap, FxHashSet};
use tandem_plugin_api::program::*;

/// Edges of a function that is always inlined, with those of what is inlined into it.
const SMALL: usize = 20;
/// Edges of a function that is inlined where it is called at one place only.
const CALLED_ONCE: usize = 400;

/// How functions are called.
pub(in crate::exec) struct Inlining {
    /// By function: whether it is part of its callers, and not compiled by itself.
    pub inlined: Vec<bool>,
    /// By function: whether it may call itself, directly or through others. In each cycle of calls, one function is
    /// marked.
    recursive: Vec<bool>,
    /// By function: whether it calls functions that are not inlined. A call of a function without such calls is short
    /// unless it loops.
    pub calls: Vec<bool>,
}

impl Inlining {
    pub fn new(program: &Program, layout: &Layout, moves_stack: &[bool]) -> Self {
        let count = program.functions.len();
        let (mut callees, mut edges, mut sites) = (vec![Vec::new(); count], vec![0; count], vec![0; count]);
        for edge in program.edge_ids() {
            let function = program.function_of_edge(edge).index();
            edges[function] += 1;
            if let Op::Call(_) = program.edge(edge).op
                && let Some(callee) = program.called_function(edge)
            {
                callees[function].push(callee.index());
                sites[callee.index()] += 1;
            }
        }
        let mut inlining =
            Inlining { inlined: vec![false; count], recursive: vec![false; count], calls: vec![false; count] };
        for function in inlining.callees_first(&callees, program.main.index()) {
            inlining.calls[function] =
                callees[function].iter().any(|&callee| !inlining.inlined[callee] || inlining.calls[callee]);
            let inside = callees[function].iter().filter(|&&callee| inlining.inlined[callee]);
            edges[function] += inside.map(|&callee| edges[callee]).sum::<usize>();
            let most = if sites[function] == 1 { CALLED_ONCE } else { SMALL };
            inlining.inlined[function] = edges[function] <= most
                && !layout.traced
                && function != program.main.index()
                && !inlining.recursive[function]
                && layout.frames[function].size == 0
                && !moves_stack[function]
                && passes_scalars(program, FunctionId::new(function));
        }
        inlining
    }

    /// Lists the functions that one reaches, each after all that it calls; in a cycle of calls, one is marked as
    /// recursive.
    fn callees_first(&mut self, callees: &[Vec<usize>], from: usize) -> Vec<usize> {
        let (mut done, mut entered) = (Vec::new(), vec![false; callees.len()]);
        let mut on_path = vec![false; callees.len()];
        let mut path = vec![(from, 0)];
        (entered[from], on_path[from]) = (true, true);
        while let Some((function, next)) = path.last_mut() {
            let function = *function;
            let Some(&callee) = callees[function].get(*next) else {
                on_path[function] = false;
                done.push(function);
                path.pop();
                continue;
            };
            *next += 1;
            self.recursive[callee] |= on_path[callee];
            if !entered[callee] {
                (entered[callee], on_path[callee]) = (true, true);
                path.push((callee, 0));
            }
        }
        done
    }
}

fn passes_scalars(program: &Program, id: FunctionId) -> bool {
    let function = program.function(id);
    let is_scalar = |&id: &VarId| program.types.is_scalar(program.variable(id).ty);
    function.parameters.iter().chain(&function.result).all(is_scalar) && !calls::is_alloca(&function.name)
}

/// The state of the function being translated, kept while another one is inlined.
pub(super) struct Caller {
    function: FunctionId,
    edge: EdgeId,
    blocks: FxHashMap<LocationId, ir::Block>,
    pending: Vec<LocationId>,
    loop_heads: FxHashSet<LocationId>,
    counted: FxHashSet<EdgeId>,
    frame: Option<(ir::Value, ir::Value)>,
    caller_stack: Option<ir::Value>,
    result_address: Option<ir::Value>,
    return_to: Option<ir::Block>,
}

impl Translator<'_, '_> {
    /// Translates the body of a function in place of its call; returns its result.
    pub fn inline(&mut self, callee: FunctionId, arguments: &[ir::Value]) -> Option<ir::Value> {
        let function = self.program.function(callee);
        let after = self.builder.create_block();
        self.spend_unchecked();
        let caller = self.step_into(callee, after);
        self.define_registers(callee);
        for (&id, &argument) in function.parameters.iter().zip(arguments) {
            if let Some(register) = self.register(id) {
                self.builder.def_var(register, argument);
            }
        }
        self.locations();
        self.step_out(caller);
        self.builder.switch_to_block(after);
        let register = function.result.and_then(|result| self.register(result));
        register.map(|register| self.builder.use_var(register))
    }

    fn step_into(&mut self, callee: FunctionId, after: ir::Block) -> Caller {
        Caller {
            function: std::mem::replace(&mut self.function, callee),
            edge: self.edge,
            blocks: std::mem::take(&mut self.blocks),
            pending: std::mem::take(&mut self.pending),
            loop_heads: std::mem::replace(&mut self.loop_heads, self.program.loop_heads(callee).into_iter().collect()),
            counted: std::mem::take(&mut self.counting.done),
            frame: self.frame.take(),
            caller_stack: self.caller_stack.take(),
            result_address: self.result_address.take(),
            return_to: self.return_to.replace(after),
        }
    }

    fn step_out(&mut self, caller: Caller) {
        self.function = caller.function;
        self.blocks = caller.blocks;
        self.pending = caller.pending;
        self.loop_heads = caller.loop_heads;
        self.counting.done = caller.counted;
        self.frame = caller.frame;
        self.caller_stack = caller.caller_stack;
        self.result_address = caller.result_address;
        self.return_to = caller.return_to;
        self.begin(caller.edge);
    }
}

/// Whether calls of a function are replaced by its body.
pub(super) fn is_inlined(shared: &Shared<'_>, id: FunctionId) -> bool {
    shared.inlining.inlined[id.index()]
}
