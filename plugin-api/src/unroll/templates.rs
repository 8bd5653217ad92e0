//! Conditions that may be invariants of a loop: comparisons of the program's own, bounds by its constants, orders, parities
//! and small sums of the variables that the loop changes.

use super::{Candidates, Unrolling};
use crate::program::{
    BinaryOp, EdgeId, ExprId, ExprKind, FunctionId, IntKind, LocationId, Op, Program, Storage, Type, TypeId, UnaryOp,
    VarId,
};
use crate::service::formulas::Expressions;
use crate::task::Task;
use std::collections::BTreeSet;
use std::sync::Arc;

/// At most so many for a loop.
const MOST: usize = 160;
const MOST_CHANGED: usize = 10;
const MOST_CONSTANTS: usize = 10;

/// The candidates for all loops that can be reached.
pub fn guess_invariants(task: &Task, pool: &mut Expressions) -> Candidates {
    let program = &task.program;
    let mut unrolling = Unrolling::new(Arc::clone(program));
    let reached = program.reachable_locations();
    let mut candidates = Candidates::default();
    for location in (0..program.locations.len()).map(LocationId::new).filter(|l| reached[l.index()]) {
        let function = program.location(location).function;
        if unrolling.order(function).is_head(location) {
            let edges = unrolling.loop_edges(location);
            let list = Generator::new(program, function, &edges, pool).all();
            candidates.insert(location, list);
        }
    }
    candidates
}

struct Generator<'a> {
    program: &'a Program,
    pool: &'a mut Expressions,
    int: TypeId,
    /// Variables that the loop changes.
    changed: Vec<VarId>,
    /// All that are compared or changed.
    used: Vec<VarId>,
    constants: Vec<i128>,
    /// Divisors of remainders in the program.
    divisors: BTreeSet<i128>,
    comparisons: Vec<ExprId>,
    found: Vec<ExprId>,
}

impl<'a> Generator<'a> {
    fn new(program: &'a Program, function: FunctionId, edges: &[EdgeId], pool: &'a mut Expressions) -> Self {
        let int = pool.types.int(IntKind::Int);
        let mut generator = Generator {
            program,
            pool,
            int,
            changed: Vec::new(),
            used: Vec::new(),
            constants: vec![0, 1],
            divisors: BTreeSet::from([2]),
            comparisons: Vec::new(),
            found: Vec::new(),
        };
        for &edge in edges {
            generator.note_change(function, edge);
        }
        for edge in program.edge_ids().filter(|&edge| program.function_of_edge(edge) == function) {
            for root in expressions(program, edge) {
                generator.note_expression(function, root);
            }
        }
        generator
    }

    /// An integer that nothing points to and that the function can name.
    fn is_plain(&self, function: FunctionId, id: VarId) -> bool {
        let variable = self.program.variable(id);
        let visible = !variable.is_local() || variable.function == Some(function);
        let integer = matches!(self.program.types.get(variable.ty), Type::Int(kind) if *kind != IntKind::Bool);
        visible && integer && !variable.address_taken
    }

    fn note_change(&mut self, function: FunctionId, edge: EdgeId) {
        let target = match &self.program.edge(edge).op {
            Op::Assign { target, .. } | Op::Havoc { target } => Some(*target),
            Op::Input { target, .. } => *target,
            Op::Resume(site) | Op::External(site) => self.program.call_site(*site).result,
            _ => None,
        };
        let Some(ExprKind::Var(id)) = target.map(|target| self.program.exprs.kind(target)) else { return };
        let temporary = self.program.variable(id).storage == Storage::Temporary;
        if self.is_plain(function, id) && !temporary && !self.changed.contains(&id) && self.changed.len() < MOST_CHANGED
        {
            self.changed.push(id);
            self.used.push(id);
        }
    }

    fn note_expression(&mut self, function: FunctionId, root: ExprId) {
        let program = self.program;
        let mut nodes = Vec::new();
        program.exprs.walk(root, &mut |node| nodes.push(node));
        for &node in &nodes {
            match program.exprs.kind(node) {
                ExprKind::Binary { op: BinaryOp::Rem, rhs, .. } => {
                    self.divisors.extend(program.exprs.as_int(rhs).filter(|c| (2..1000).contains(c)));
                }
                ExprKind::Binary { op, lhs, rhs } if op.is_comparison() => {
                    for side in [lhs, rhs] {
                        if let Some(constant) = program.exprs.as_int(side)
                            && !self.constants.contains(&constant)
                            && self.constants.len() < MOST_CONSTANTS
                        {
                            self.constants.push(constant);
                        }
                    }
                    if let Some(variables) = self.plain_variables(function, node)
                        && !self.comparisons.contains(&node)
                    {
                        self.comparisons.push(node);
                        for id in variables {
                            if !self.used.contains(&id) && self.used.len() < MOST_CHANGED + 6 {
                                self.used.push(id);
                            }
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// The variables of an expression that consists of plain variables, constants and arithmetic only.
    fn plain_variables(&self, function: FunctionId, root: ExprId) -> Option<Vec<VarId>> {
        let mut variables = Vec::new();
        let mut plain = true;
        self.program.exprs.walk(root, &mut |node| match self.program.exprs.kind(node) {
            ExprKind::Var(id) => {
                plain &= self.is_plain(function, id);
                variables.push(id);
            }
            ExprKind::Binary { op: BinaryOp::Div | BinaryOp::PointerAdd | BinaryOp::PointerDiff, .. } => plain = false,
            ExprKind::Int(_) | ExprKind::Unary { .. } | ExprKind::Binary { .. } | ExprKind::Cast(_) => {}
            _ => plain = false,
        });
        (plain && !variables.is_empty()).then_some(variables)
    }

    fn all(mut self) -> Vec<ExprId> {
        for comparison in self.comparisons.clone() {
            self.found.push(comparison);
            let not =
                self.pool.exprs.intern(ExprKind::Unary { op: UnaryOp::LogicalNot, operand: comparison }, self.int);
            self.found.push(not);
        }
        self.bounds();
        self.orders();
        self.remainders();
        self.sums();
        let mut seen = BTreeSet::new();
        self.found.retain(|&candidate| seen.insert(candidate));
        self.found.truncate(MOST);
        self.found
    }

    fn variable(&mut self, id: VarId) -> (ExprId, TypeId) {
        let ty = self.program.variable(id).ty;
        (self.pool.exprs.intern(ExprKind::Var(id), ty), ty)
    }

    fn constant(&mut self, value: i128, ty: TypeId) -> Option<ExprId> {
        (self.pool.types.wrap(ty, value) == value).then(|| self.pool.exprs.intern(ExprKind::Int(value), ty))
    }

    fn compare(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId) {
        let comparison = self.pool.exprs.intern(ExprKind::Binary { op, lhs, rhs }, self.int);
        self.found.push(comparison);
    }

    fn bounds(&mut self) {
        for id in self.changed.clone() {
            let (place, ty) = self.variable(id);
            for value in self.constants.clone() {
                if let Some(constant) = self.constant(value, ty) {
                    self.compare(BinaryOp::Ge, place, constant);
                    self.compare(BinaryOp::Le, place, constant);
                }
            }
        }
    }

    fn orders(&mut self) {
        for a in self.changed.clone() {
            for b in self.used.clone() {
                let ((x, left), (y, right)) = (self.variable(a), self.variable(b));
                if left == right && a != b {
                    self.compare(BinaryOp::Le, x, y);
                    self.compare(BinaryOp::Ge, x, y);
                }
            }
        }
    }

    fn remainders(&mut self) {
        for id in self.changed.clone() {
            let (place, ty) = self.variable(id);
            for divisor in self.divisors.clone() {
                for remainder in 0..divisor.min(4) {
                    let (Some(by), Some(rest)) = (self.constant(divisor, ty), self.constant(remainder, ty)) else {
                        continue;
                    };
                    let modulo =
                        self.pool.exprs.intern(ExprKind::Binary { op: BinaryOp::Rem, lhs: place, rhs: by }, ty);
                    self.compare(BinaryOp::Eq, modulo, rest);
                }
            }
        }
    }

    /// `a + b == c`, `a - b == constant` and `a == constant · b`.
    fn sums(&mut self) {
        let changed: Vec<VarId> = self.changed.iter().copied().take(4).collect();
        for (i, &a) in changed.iter().enumerate() {
            for &b in &changed[..i] {
                let ((x, ty), (y, other)) = (self.variable(a), self.variable(b));
                if ty != other {
                    continue;
                }
                let sum = self.pool.exprs.intern(ExprKind::Binary { op: BinaryOp::Add, lhs: x, rhs: y }, ty);
                for &c in &self.used.clone() {
                    let (z, third) = self.variable(c);
                    if third == ty && c != a && c != b {
                        self.compare(BinaryOp::Eq, sum, z);
                    }
                }
                for value in self.constants.clone() {
                    let Some(constant) = self.constant(value, ty) else { continue };
                    self.compare(BinaryOp::Eq, sum, constant);
                    let difference = self.pool.exprs.intern(ExprKind::Binary { op: BinaryOp::Sub, lhs: x, rhs: y }, ty);
                    self.compare(BinaryOp::Eq, difference, constant);
                    for (u, v) in [(x, y), (y, x)] {
                        let product =
                            self.pool.exprs.intern(ExprKind::Binary { op: BinaryOp::Mul, lhs: v, rhs: constant }, ty);
                        if value > 1 {
                            self.compare(BinaryOp::Eq, u, product);
                        }
                    }
                }
            }
        }
    }
}

/// The expressions that an edge evaluates.
fn expressions(program: &Program, edge: EdgeId) -> Vec<ExprId> {
    match &program.edge(edge).op {
        Op::Assume { condition, .. } => vec![*condition],
        Op::Assign { value, .. } => vec![*value],
        Op::Call(site) | Op::External(site) => program.call_site(*site).arguments.clone(),
        Op::Return(value) => value.iter().copied().collect(),
        _ => Vec::new(),
    }
}
