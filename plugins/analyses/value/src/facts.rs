//! Facts that are fixed for a program: which functions may call themselves, which variables die where, which count
//! loops.

use crate::domain::Object;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::{BinaryOp, Callee, ExprKind};

/// How much it costs to track a variable (Beyer, Löwe, Wendler: Refinement Selection, SPIN 2015).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Gets few values.
    Flag,
    Other,
    /// Gets a new value in each iteration of a loop.
    Counter,
}

pub struct Facts {
    pub program: Arc<Program>,
    /// Whether each `_Bool` is 0 or 1.
    pub has_exact_truth: bool,
    /// By function: whether it may be called while it runs.
    recursive: Vec<bool>,
    /// By function: whether pointers may lead into its frame.
    exposed: Vec<bool>,
    /// By edge: variables whose values do not matter behind it.
    dying: Vec<Box<[VarId]>>,
    kinds: Vec<Kind>,
}

impl Facts {
    pub fn of(program: &Arc<Program>) -> Self {
        let exposed = program.functions.iter().map(|function| {
            let mut own = function.parameters.iter().chain(&function.locals);
            own.any(|variable| program.variable(*variable).address_taken)
        });
        Facts {
            program: Arc::clone(program),
            has_exact_truth: program.has_exact_truth(),
            recursive: recursive_functions(program),
            exposed: exposed.collect(),
            dying: Liveness::new(program).dying(),
            kinds: kinds(program),
        }
    }

    pub fn kind(&self, variable: VarId) -> Kind {
        self.kinds[variable.index()]
    }

    /// The object of a variable that is named while this many calls are under way.
    pub fn object(&self, variable: VarId, depth: u32) -> Object {
        let info = self.program.variable(variable);
        let recursive = info.is_local() && info.function.is_some_and(|function| self.recursive[function.index()]);
        Object::Variable(variable, if recursive { depth } else { 0 })
    }

    pub fn is_exposed(&self, function: FunctionId) -> bool {
        self.exposed[function.index()]
    }

    pub fn dying(&self, edge: EdgeId) -> &[VarId] {
        &self.dying[edge.index()]
    }

    /// Whether a pointer of unknown value may point there.
    pub fn is_addressable(&self, object: Object) -> bool {
        match object {
            Object::Variable(variable, _) => self.program.variable(variable).address_taken,
            Object::Block(..) => true,
            Object::Function(_) => false,
        }
    }
}

/// Functions on a cycle of the call graph.
fn recursive_functions(program: &Program) -> Vec<bool> {
    let mut callees: Vec<Vec<usize>> = vec![Vec::new(); program.functions.len()];
    for edge in program.edge_ids() {
        if matches!(program.edge(edge).op, Op::Call(_)) {
            let callee = program.location(program.edge(edge).to).function;
            callees[program.function_of_edge(edge).index()].push(callee.index());
        }
    }
    let is_on_cycle = |start: usize| {
        let mut seen = vec![false; callees.len()];
        let mut work = callees[start].clone();
        while let Some(at) = work.pop() {
            if at == start {
                return true;
            }
            if !std::mem::replace(&mut seen[at], true) {
                work.extend(&callees[at]);
            }
        }
        false
    };
    (0..callees.len()).map(is_on_cycle).collect()
}

/// A variable with `x = x + 1` is a counter, and one that only gets constants is a flag.
fn kinds(program: &Program) -> Vec<Kind> {
    let mut kinds = vec![Kind::Flag; program.variables.len()];
    let exprs = &program.exprs;
    let strip = |mut expr: ExprId| {
        while let ExprKind::Cast(inner) = exprs.kind(expr) {
            expr = inner;
        }
        expr
    };
    for edge in &program.edges {
        let (target, kind) = match edge.op {
            Op::Assign { target, value } => {
                let steps = match exprs.kind(strip(value)) {
                    ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub | BinaryOp::PointerAdd, lhs, rhs } => {
                        strip(lhs) == target || strip(rhs) == target
                    }
                    _ => false,
                };
                let constant = matches!(exprs.kind(strip(value)), ExprKind::Int(_));
                (
                    target,
                    if steps {
                        Kind::Counter
                    } else if constant {
                        Kind::Flag
                    } else {
                        Kind::Other
                    },
                )
            }
            Op::Input { target: Some(target), .. } => (target, Kind::Other),
            _ => continue,
        };
        if let ExprKind::Var(variable) = exprs.kind(target) {
            kinds[variable.index()] = kinds[variable.index()].max(kind);
        }
    }
    kinds
}

/// Live variables of each function, without those that pointers may reach: a backward data-flow analysis.
struct Liveness<'p> {
    program: &'p Program,
    /// Before each location.
    live: Vec<FxHashSet<VarId>>,
}

/// The effect of an edge on the variables of its function.
#[derive(Default)]
struct Touch {
    reads: Vec<VarId>,
    /// Overwritten as a whole.
    writes: Option<VarId>,
}

impl<'p> Liveness<'p> {
    fn new(program: &'p Program) -> Self {
        let mut liveness = Liveness { program, live: vec![FxHashSet::default(); program.locations.len()] };
        for function in (0..program.functions.len()).map(FunctionId::new) {
            liveness.solve(function);
        }
        liveness
    }

    fn is_candidate(&self, variable: VarId) -> bool {
        let info = self.program.variable(variable);
        info.is_local() && !info.address_taken
    }

    fn solve(&mut self, function: FunctionId) {
        let mut order = self.program.reverse_postorder(function);
        order.reverse();
        let Some(body) = self.program.function(function).body else { return };
        let result = self.program.function(function).result;
        self.live[body.exit.index()].extend(result);
        let touches: FxHashMap<EdgeId, Touch> = order
            .iter()
            .flat_map(|at| self.program.location(*at).leaving.iter().copied())
            .map(|edge| (edge, self.touch(edge)))
            .collect();
        let mut changed = true;
        while changed {
            changed = false;
            for &at in order.iter().filter(|at| **at != body.exit) {
                let mut live = FxHashSet::default();
                for (edge, to) in self.program.local_successors(at) {
                    let Some(touch) = touches.get(&edge) else { continue };
                    live.extend(self.live[to.index()].iter().copied().filter(|v| touch.writes != Some(*v)));
                    live.extend(touch.reads.iter().copied());
                }
                if live.len() != self.live[at.index()].len() {
                    self.live[at.index()] = live;
                    changed = true;
                }
            }
        }
    }

    fn read(&self, expr: ExprId, reads: &mut Vec<VarId>) {
        self.program.exprs.walk(expr, &mut |part| {
            if let ExprKind::Var(variable) = self.program.exprs.kind(part)
                && self.is_candidate(variable)
            {
                reads.push(variable);
            }
        });
    }

    /// A place that is written: as a whole, or with reads of the cells that decide where it is.
    fn write(&self, place: ExprId, touch: &mut Touch) {
        match self.program.exprs.kind(place) {
            ExprKind::Var(variable) => touch.writes = Some(variable),
            _ => self.read(place, &mut touch.reads),
        }
    }

    fn touch(&self, edge: EdgeId) -> Touch {
        let mut touch = Touch::default();
        match &self.program.edge(edge).op {
            Op::Assume { condition, .. } => self.read(*condition, &mut touch.reads),
            Op::Assign { target, value } => {
                self.write(*target, &mut touch);
                self.read(*value, &mut touch.reads);
            }
            Op::Declare(variable) => touch.writes = Some(*variable),
            Op::Input { target: Some(place), .. } | Op::Havoc { target: place } => self.write(*place, &mut touch),
            Op::Call(site) | Op::External(site) => {
                let call = self.program.call_site(*site);
                call.arguments.iter().for_each(|argument| self.read(*argument, &mut touch.reads));
                if let Callee::Pointer(pointer) = call.callee {
                    self.read(pointer, &mut touch.reads);
                }
                if let Some(place) = call.result {
                    self.write(place, &mut touch);
                }
            }
            Op::Return(value) => {
                if let Some(value) = value {
                    self.read(*value, &mut touch.reads);
                }
                touch.writes = self.program.function(self.program.function_of_edge(edge)).result;
            }
            _ => {}
        }
        touch
    }

    /// By edge: what was live or is set and is not live behind it.
    fn dying(&self) -> Vec<Box<[VarId]>> {
        self.program.edge_ids().map(|edge| self.dying_on(edge)).collect()
    }

    fn dying_on(&self, edge: EdgeId) -> Box<[VarId]> {
        let program = self.program;
        let info = program.edge(edge);
        let result_reads = |place: Option<ExprId>| {
            let mut touch = Touch::default();
            if let Some(place) = place {
                self.write(place, &mut touch);
            }
            touch
        };
        let (mut candidates, stay, to): (Vec<VarId>, Vec<VarId>, LocationId) = match info.op {
            Op::Call(site) => {
                let Some(to) = program.return_location(site) else { return Box::default() };
                let before = self.live[info.from.index()].iter().copied().collect();
                (before, result_reads(program.call_site(site).result).reads, to)
            }
            Op::Resume(site) => {
                let touch = result_reads(program.call_site(site).result);
                (touch.reads.into_iter().chain(touch.writes).collect(), Vec::new(), info.to)
            }
            _ => {
                let touch = self.touch(edge);
                (self.live[info.from.index()].iter().copied().chain(touch.writes).collect(), Vec::new(), info.to)
            }
        };
        let live = &self.live[to.index()];
        candidates.retain(|v| self.is_candidate(*v) && !live.contains(v) && !stay.contains(v));
        candidates.sort_unstable();
        candidates.dedup();
        candidates.into()
    }
}
