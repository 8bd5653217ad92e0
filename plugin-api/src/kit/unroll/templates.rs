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

/// The most candidates for one loop.
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

/// The shapes that conditions have, over the variables and constants of a loop. The caller chooses the variables and
/// constants.
pub struct Templates<'a> {
    pub program: &'a Program,
    pub pool: &'a mut Expressions,
    function: FunctionId,
    int: TypeId,
    most_changed: usize,
    /// Whether variables that pointers may change are left out.
    plain_only: bool,
    /// Integer variables that the loop changes.
    pub changed: Vec<VarId>,
    /// All that are compared or changed.
    pub used: Vec<VarId>,
    pub constants: Vec<i128>,
    /// Divisors of remainders in the program.
    pub divisors: BTreeSet<i128>,
    /// In the order in which they were made; one may come more than once.
    pub found: Vec<ExprId>,
}

impl<'a> Templates<'a> {
    /// For a loop of a function, over at most `most_changed` of the variables that it changes. `plain_only` leaves out
    /// variables that pointers may change.
    pub fn new(
        program: &'a Program,
        function: FunctionId,
        pool: &'a mut Expressions,
        most_changed: usize,
        plain_only: bool,
    ) -> Self {
        let int = pool.types.int(IntKind::Int);
        Templates {
            program,
            pool,
            function,
            int,
            most_changed,
            plain_only,
            changed: Vec::new(),
            used: Vec::new(),
            constants: vec![0, 1],
            divisors: BTreeSet::from([2]),
            found: Vec::new(),
        }
    }

    /// Whether the function can name the variable.
    pub fn is_visible(&self, id: VarId) -> bool {
        let variable = self.program.variable(id);
        !variable.is_local() || variable.function == Some(self.function)
    }

    /// Whether conditions may be about it: an integer that the function can name.
    pub fn is_integer(&self, id: VarId) -> bool {
        let variable = self.program.variable(id);
        let integer = matches!(self.program.types.get(variable.ty), Type::Int(kind) if *kind != IntKind::Bool);
        self.is_visible(id) && integer && !(self.plain_only && variable.address_taken)
    }

    /// Notes the variable that an edge of the loop changes.
    pub fn note_change(&mut self, edge: EdgeId) {
        let target = match &self.program.edge(edge).op {
            Op::Assign { target, .. } | Op::Havoc { target } => Some(*target),
            Op::Input { target, .. } => *target,
            Op::Resume(site) | Op::External(site) => self.program.call_site(*site).result,
            _ => None,
        };
        let Some(ExprKind::Var(id)) = target.map(|target| self.program.exprs.kind(target)) else { return };
        let temporary = self.program.variable(id).storage == Storage::Temporary;
        if self.is_integer(id) && !temporary && !self.changed.contains(&id) && self.changed.len() < self.most_changed {
            self.changed.push(id);
            self.used.push(id);
        }
    }

    pub fn note_used(&mut self, id: VarId) {
        if self.is_integer(id) && !self.used.contains(&id) && self.used.len() < self.most_changed + 6 {
            self.used.push(id);
        }
    }

    /// Notes the divisor of a remainder if it may occur in conditions.
    pub fn note_divisor(&mut self, divisor: ExprId) {
        self.divisors.extend(self.program.exprs.as_int(divisor).filter(|c| (2..1000).contains(c)));
    }

    /// Notes the constants that a comparison has on its sides.
    pub fn note_constants(&mut self, sides: [ExprId; 2]) {
        for constant in sides.into_iter().filter_map(|side| self.program.exprs.as_int(side)) {
            if !self.constants.contains(&constant) && self.constants.len() < MOST_CONSTANTS {
                self.constants.push(constant);
            }
        }
    }

    pub fn variable(&mut self, id: VarId) -> (ExprId, TypeId) {
        let ty = self.program.variable(id).ty;
        (self.pool.exprs.intern(ExprKind::Var(id), ty), ty)
    }

    /// None if the type does not have the value.
    pub fn constant(&mut self, value: i128, ty: TypeId) -> Option<ExprId> {
        (self.pool.types.wrap(ty, value) == value).then(|| self.pool.exprs.intern(ExprKind::Int(value), ty))
    }

    pub fn binary(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId, ty: TypeId) -> ExprId {
        self.pool.exprs.intern(ExprKind::Binary { op, lhs, rhs }, ty)
    }

    /// Adds a comparison to what was found.
    pub fn compare(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId) {
        let comparison = self.binary(op, lhs, rhs, self.int);
        self.found.push(comparison);
    }

    /// The variables that the loop changes, with the constants that they can have.
    fn with_constants(&mut self, mut add: impl FnMut(&mut Self, ExprId, ExprId)) {
        for id in self.changed.clone() {
            let (place, ty) = self.variable(id);
            for value in self.constants.clone() {
                if let Some(constant) = self.constant(value, ty) {
                    add(self, place, constant);
                }
            }
        }
    }

    /// `x == constant`
    pub fn equalities(&mut self) {
        self.with_constants(|templates, place, constant| templates.compare(BinaryOp::Eq, place, constant));
    }

    /// `x >= constant` and `x <= constant`
    pub fn bounds(&mut self) {
        self.with_constants(|templates, place, constant| {
            templates.compare(BinaryOp::Ge, place, constant);
            templates.compare(BinaryOp::Le, place, constant);
        });
    }

    /// Compares the variables that the loop changes with all that it uses, such as `x <= y`, by these operators.
    pub fn orders(&mut self, by: &[BinaryOp]) {
        for a in self.changed.clone() {
            for b in self.used.clone() {
                let ((x, left), (y, right)) = (self.variable(a), self.variable(b));
                if left == right && a != b {
                    by.iter().for_each(|&op| self.compare(op, x, y));
                }
            }
        }
    }

    /// `x % divisor == remainder`
    pub fn remainders(&mut self) {
        for id in self.changed.clone() {
            let (place, ty) = self.variable(id);
            for divisor in self.divisors.clone() {
                for remainder in 0..divisor.min(4) {
                    let (Some(by), Some(rest)) = (self.constant(divisor, ty), self.constant(remainder, ty)) else {
                        continue;
                    };
                    let modulo = self.binary(BinaryOp::Rem, place, by, ty);
                    self.compare(BinaryOp::Eq, modulo, rest);
                }
            }
        }
    }

    /// `a + b == c`, `a + b == constant` and `a == constant · b`; with `differences`, `a - b == constant` and small constants,
    /// too.
    pub fn sums(&mut self, differences: bool) {
        let changed: Vec<VarId> = self.changed.iter().copied().take(4).collect();
        for (i, &a) in changed.iter().enumerate() {
            for &b in &changed[..i] {
                let ((x, ty), (y, other)) = (self.variable(a), self.variable(b));
                if ty != other {
                    continue;
                }
                let sum = self.binary(BinaryOp::Add, x, y, ty);
                for c in self.used.clone() {
                    let (z, third) = self.variable(c);
                    if third == ty && c != a && c != b {
                        self.compare(BinaryOp::Eq, sum, z);
                    }
                }
                for value in self.constants.clone().into_iter().filter(|value| differences || *value > 1) {
                    let Some(constant) = self.constant(value, ty) else { continue };
                    self.compare(BinaryOp::Eq, sum, constant);
                    if differences {
                        let difference = self.binary(BinaryOp::Sub, x, y, ty);
                        self.compare(BinaryOp::Eq, difference, constant);
                    }
                    for (u, v) in [(x, y), (y, x)].into_iter().filter(|_| value > 1) {
                        let product = self.binary(BinaryOp::Mul, v, constant, ty);
                        self.compare(BinaryOp::Eq, u, product);
                    }
                }
            }
        }
    }

    /// The conditions that were found, without duplicates, in order, and at most `most`.
    pub fn take(&mut self, most: usize) -> Vec<ExprId> {
        let mut seen = BTreeSet::new();
        let mut found = std::mem::take(&mut self.found);
        found.retain(|&candidate| seen.insert(candidate));
        found.truncate(most);
        found
    }
}

struct Generator<'a> {
    templates: Templates<'a>,
    comparisons: Vec<ExprId>,
}

impl<'a> Generator<'a> {
    fn new(program: &'a Program, function: FunctionId, edges: &[EdgeId], pool: &'a mut Expressions) -> Self {
        let templates = Templates::new(program, function, pool, MOST_CHANGED, true);
        let mut generator = Generator { templates, comparisons: Vec::new() };
        edges.iter().for_each(|&edge| generator.templates.note_change(edge));
        for edge in program.edge_ids().filter(|&edge| program.function_of_edge(edge) == function) {
            for root in program.expressions_of(edge) {
                generator.note_expression(root);
            }
        }
        generator
    }

    fn note_expression(&mut self, root: ExprId) {
        let program = self.templates.program;
        let mut nodes = Vec::new();
        program.exprs.walk(root, &mut |node| nodes.push(node));
        for &node in &nodes {
            match program.exprs.kind(node) {
                ExprKind::Binary { op: BinaryOp::Rem, rhs, .. } => self.templates.note_divisor(rhs),
                ExprKind::Binary { op, lhs, rhs } if op.is_comparison() => {
                    self.templates.note_constants([lhs, rhs]);
                    if let Some(variables) = self.plain_variables(node)
                        && !self.comparisons.contains(&node)
                    {
                        self.comparisons.push(node);
                        variables.into_iter().for_each(|id| self.templates.note_used(id));
                    }
                }
                _ => {}
            }
        }
    }

    /// The variables of an expression that consists of plain variables, constants and arithmetic only.
    fn plain_variables(&self, root: ExprId) -> Option<Vec<VarId>> {
        let exprs = &self.templates.program.exprs;
        let mut variables = Vec::new();
        let mut plain = true;
        exprs.walk(root, &mut |node| match exprs.kind(node) {
            ExprKind::Var(id) => {
                plain &= self.templates.is_integer(id);
                variables.push(id);
            }
            ExprKind::Binary { op: BinaryOp::Div | BinaryOp::PointerAdd | BinaryOp::PointerDiff, .. } => plain = false,
            ExprKind::Int(_) | ExprKind::Unary { .. } | ExprKind::Binary { .. } | ExprKind::Cast(_) => {}
            _ => plain = false,
        });
        (plain && !variables.is_empty()).then_some(variables)
    }

    fn all(self) -> Vec<ExprId> {
        let Generator { mut templates, comparisons } = self;
        for comparison in comparisons {
            templates.found.push(comparison);
            let not = ExprKind::Unary { op: UnaryOp::LogicalNot, operand: comparison };
            let not = templates.pool.exprs.intern(not, templates.int);
            templates.found.push(not);
        }
        templates.bounds();
        templates.orders(&[BinaryOp::Le, BinaryOp::Ge]);
        templates.remainders();
        templates.sums(true);
        templates.take(MOST)
    }
}
