//! The analysis's knowledge about a program before it runs: the layout of its memory, which functions may recurse, and
//! whether a step was seen that breaks the assumptions on memory.

use crate::interval::Interval;
use crate::layout::{Kind, Layout, kind_of};
use crate::value::{Cells, Known, Value};
use std::cell::Cell;
use std::sync::Arc;
use tandem_plugin_api::program::{
    CallSiteId, ExprId, FunctionId, Initial, IntKind, Op, Program, Storage, Type, TypeId,
};

pub struct Machine {
    pub program: Arc<Program>,
    pub layout: Layout,
    /// By function: whether it may be under way more than once at a time.
    pub recursive: Vec<bool>,
    /// By function: whether it allocates in its frame.
    pub allocates_in_frame: Vec<bool>,
    /// Set by a step that may write outside of the objects that are known: then any variable may have changed.
    pub hazard: Cell<bool>,
    /// Nesting of the expression in work.
    pub depth: Cell<u32>,
}

/// Expressions that are nested deeper have an unknown value.
const DEEPEST: u32 = 400;

impl Machine {
    pub fn new(program: &Arc<Program>) -> Self {
        let recursive = recursive_functions(program);
        let layout = Layout::new(program, &recursive);
        let mut machine = Machine {
            program: Arc::clone(program),
            layout,
            recursive,
            allocates_in_frame: vec![false; program.functions.len()],
            hazard: Cell::new(false),
            depth: Cell::new(0),
        };
        for index in 0..program.call_sites.len() {
            let site = CallSiteId::new(index);
            if machine.is_alloca(site) {
                let function = program.function_of_edge(program.call_site(site).call);
                machine.allocates_in_frame[function.index()] = true;
            }
        }
        machine
    }

    /// Runs `look` one level deeper; `otherwise` where that is too deep.
    pub fn nested<T>(&self, otherwise: T, look: impl FnOnce() -> T) -> T {
        let depth = self.depth.get();
        if depth >= DEEPEST {
            return otherwise;
        }
        self.depth.set(depth + 1);
        let result = look();
        self.depth.set(depth);
        result
    }

    pub fn ty(&self, expr: ExprId) -> TypeId {
        self.program.exprs.ty(expr)
    }

    pub fn kind(&self, ty: TypeId) -> Option<Kind> {
        kind_of(&self.program.types, ty)
    }

    /// The value of which only the type is known.
    pub fn anything(&self, ty: TypeId) -> Known {
        match self.kind(ty) {
            Some(Kind::Int(shape)) => Known::Int(shape.range()),
            _ => Known::Nothing,
        }
    }

    /// What comes from outside: a `_Bool` is 0 or 1 then.
    pub fn given(&self, ty: TypeId) -> Known {
        match self.program.types.get(ty) {
            Type::Int(IntKind::Bool) => Known::Int(Interval { lo: 0, hi: 1 }),
            _ => self.anything(ty),
        }
    }

    /// The state in which `main` begins: globals have their initial values.
    pub fn initial(&self) -> Cells {
        let program = &self.program;
        let mut cells: Cells = self.layout.tree();
        let is_set = |storage| matches!(storage, Storage::Global | Storage::StringLiteral);
        for (index, variable) in program.variables.iter().enumerate() {
            if !is_set(variable.storage) {
                continue;
            }
            for cell in self.layout.of_variable(tandem_plugin_api::program::VarId::new(index)) {
                let zero = self.zero(cell);
                cells.set(cell, self.layout.normal(cell, zero));
            }
        }
        // Initial values are constant: in which order they are set matters only inside a variable. An element of a large
        // array is joined with the zero that the others may keep.
        for variable in program.variables.iter().filter(|variable| is_set(variable.storage)) {
            for Initial { place, value } in &variable.initializer {
                let before = cells.clone();
                self.assign(&before, &mut cells, *place, *value);
            }
        }
        self.hazard.set(false);
        cells
    }

    pub fn zero(&self, cell: u32) -> Value {
        match self.layout.cell(cell).kind {
            Kind::Int(_) => Value::Int(crate::interval::Interval::point(0)),
            Kind::Pointer => Value::Pointer(crate::pointers::PointsTo::null()),
        }
    }
}

/// Functions on a cycle of the call graph.
fn recursive_functions(program: &Program) -> Vec<bool> {
    let count = program.functions.len();
    let mut callees: Vec<Vec<FunctionId>> = vec![Vec::new(); count];
    for edge in &program.edges {
        if matches!(edge.op, Op::Call(_)) {
            let (caller, callee) = (program.location(edge.from).function, program.location(edge.to).function);
            if !callees[caller.index()].contains(&callee) {
                callees[caller.index()].push(callee);
            }
        }
    }
    let reaches_itself = |start: FunctionId| {
        let mut seen = vec![false; count];
        let mut work = callees[start.index()].clone();
        while let Some(at) = work.pop() {
            if at == start {
                return true;
            }
            if !std::mem::replace(&mut seen[at.index()], true) {
                work.extend(&callees[at.index()]);
            }
        }
        false
    };
    (0..count).map(|index| reaches_itself(FunctionId::new(index))).collect()
}
