//! Predicates that a refinement tries first at a loop head: comparisons of the program's own, then bounds, orders, remainders
//! and small sums of what the loop changes. Simple ones come first, and are kept before others.

use std::collections::BTreeSet;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::{BinaryOp, ExprKind, IntKind, Storage, Type, TypeId};
use tandem_plugin_api::service::formulas::Expressions;

const MOST: usize = 120;
const MOST_CHANGED: usize = 8;
const MOST_BOUNDS: usize = 12;
const MOST_CONSTANTS: usize = 10;

pub struct Generator<'a> {
    program: &'a Program,
    pool: &'a mut Expressions,
    function: FunctionId,
    int: TypeId,
    /// Integer variables that the loop changes.
    pub changed: Vec<VarId>,
    used: Vec<VarId>,
    constants: Vec<i128>,
    divisors: BTreeSet<i128>,
    comparisons: Vec<ExprId>,
    /// How much the loop adds to a variable.
    steps: Vec<(VarId, i128)>,
    /// Constants that variables get.
    starts: Vec<(VarId, i128)>,
    found: Vec<ExprId>,
}

impl<'a> Generator<'a> {
    /// For a loop of a function, with these edges.
    pub fn new(program: &'a Program, function: FunctionId, edges: &[EdgeId], pool: &'a mut Expressions) -> Self {
        let int = pool.types.int(IntKind::Int);
        let mut generator = Generator {
            program,
            pool,
            function,
            int,
            changed: Vec::new(),
            used: Vec::new(),
            constants: vec![0, 1],
            divisors: BTreeSet::from([2]),
            comparisons: Vec::new(),
            steps: Vec::new(),
            starts: Vec::new(),
            found: Vec::new(),
        };
        for &edge in edges {
            generator.note_change(edge);
            generator.note_step(edge);
        }
        for edge in program.edge_ids() {
            let own = program.function_of_edge(edge) == function;
            generator.note_start(edge);
            for root in expressions(program, edge) {
                generator.note_expression(root, own);
            }
        }
        generator
    }

    fn is_visible(&self, id: VarId) -> bool {
        let variable = self.program.variable(id);
        !variable.is_local() || variable.function == Some(self.function)
    }

    fn is_integer(&self, id: VarId) -> bool {
        let ty = self.program.variable(id).ty;
        self.is_visible(id) && matches!(self.program.types.get(ty), Type::Int(kind) if *kind != IntKind::Bool)
    }

    fn note_change(&mut self, edge: EdgeId) {
        let target = match &self.program.edge(edge).op {
            Op::Assign { target, .. } | Op::Havoc { target } => Some(*target),
            Op::Input { target, .. } => *target,
            Op::Resume(site) | Op::External(site) => self.program.call_site(*site).result,
            _ => None,
        };
        let Some(ExprKind::Var(id)) = target.map(|target| self.program.exprs.kind(target)) else { return };
        let temporary = self.program.variable(id).storage == Storage::Temporary;
        if self.is_integer(id) && !temporary && !self.changed.contains(&id) && self.changed.len() < MOST_CHANGED {
            self.changed.push(id);
            self.used.push(id);
        }
    }

    /// `x = x + 3`
    fn note_step(&mut self, edge: EdgeId) {
        let Some((id, value)) = self.assigned(edge) else { return };
        let exprs = &self.program.exprs;
        let mut value = value;
        while let ExprKind::Cast(inner) = exprs.kind(value) {
            value = inner;
        }
        let ExprKind::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), lhs, rhs } = exprs.kind(value) else { return };
        let is_same = |mut side: ExprId| {
            while let ExprKind::Cast(inner) = exprs.kind(side) {
                side = inner;
            }
            exprs.kind(side) == ExprKind::Var(id)
        };
        let by = match (op, exprs.as_int(lhs), exprs.as_int(rhs)) {
            (_, None, Some(by)) if is_same(lhs) => Some(if op == BinaryOp::Add { by } else { -by }),
            (BinaryOp::Add, Some(by), None) if is_same(rhs) => Some(by),
            _ => None,
        };
        if let Some(by) = by.filter(|by| by.abs() < 1 << 16)
            && self.is_integer(id)
            && !self.steps.contains(&(id, by))
        {
            self.steps.push((id, by));
        }
    }

    /// `x = 3`
    fn note_start(&mut self, edge: EdgeId) {
        let Some((id, value)) = self.assigned(edge) else { return };
        if let Some(constant) = self.program.exprs.as_int(value)
            && self.is_integer(id)
            && !self.starts.contains(&(id, constant))
        {
            self.starts.push((id, constant));
        }
    }

    fn assigned(&self, edge: EdgeId) -> Option<(VarId, ExprId)> {
        let Op::Assign { target, value } = self.program.edge(edge).op else { return None };
        match self.program.exprs.kind(target) {
            ExprKind::Var(id) => Some((id, value)),
            _ => None,
        }
    }

    fn note_expression(&mut self, root: ExprId, own: bool) {
        let program = self.program;
        let mut nodes = Vec::new();
        program.exprs.walk(root, &mut |node| nodes.push(node));
        for &node in &nodes {
            match program.exprs.kind(node) {
                ExprKind::Binary { op: BinaryOp::Rem, rhs, .. } if own => {
                    self.divisors.extend(program.exprs.as_int(rhs).filter(|c| (2..1000).contains(c)));
                }
                ExprKind::Binary { op, lhs, rhs } if op.is_comparison() => self.note_comparison(node, lhs, rhs, own),
                _ => {}
            }
        }
        // A condition that is no comparison is one with zero.
        if own && let ExprKind::Var(id) = program.exprs.kind(root) {
            self.note_used(id);
        }
    }

    fn note_comparison(&mut self, node: ExprId, lhs: ExprId, rhs: ExprId, own: bool) {
        let Some(variables) = self.variables(node) else { return };
        if !own && variables.iter().any(|id| self.program.variable(*id).is_local()) {
            return;
        }
        for side in [lhs, rhs] {
            if let Some(constant) = self.program.exprs.as_int(side)
                && !self.constants.contains(&constant)
                && self.constants.len() < MOST_CONSTANTS
            {
                self.constants.push(constant);
            }
        }
        if !self.comparisons.contains(&node) {
            self.comparisons.push(node);
            variables.into_iter().for_each(|id| self.note_used(id));
        }
    }

    fn note_used(&mut self, id: VarId) {
        if self.is_integer(id) && !self.used.contains(&id) && self.used.len() < MOST_CHANGED + 6 {
            self.used.push(id);
        }
    }

    /// The variables of an expression that the function can name; `None` if it has none, or others.
    fn variables(&self, root: ExprId) -> Option<Vec<VarId>> {
        let mut variables = Vec::new();
        let mut plain = true;
        self.program.exprs.walk(root, &mut |node| match self.program.exprs.kind(node) {
            ExprKind::Var(id) => {
                plain &= self.is_visible(id);
                variables.push(id);
            }
            // Predicates must have a value wherever they are asked for.
            ExprKind::Binary { op: BinaryOp::Div | BinaryOp::Rem, rhs, .. } => {
                plain &= self.program.exprs.as_int(rhs).is_some_and(|by| by != 0);
            }
            ExprKind::Deref(_) => plain = false,
            _ => {}
        });
        (plain && !variables.is_empty()).then_some(variables)
    }

    /// In two parts: what solvers decide easily, and what needs remainders and products.
    pub fn all(mut self) -> [Vec<ExprId>; 2] {
        for comparison in self.comparisons.clone() {
            self.found.push(comparison);
            self.variants(comparison);
        }
        self.equalities();
        self.bounds();
        self.orders();
        let mut seen = BTreeSet::new();
        self.found.retain(|&candidate| seen.insert(candidate));
        self.found.truncate(MOST);
        let (easy, mut hard): (Vec<ExprId>, Vec<ExprId>) =
            std::mem::take(&mut self.found).into_iter().partition(|&candidate| !self.is_hard(candidate));
        self.lines();
        self.distances();
        self.sums();
        self.remainders();
        hard.append(&mut self.found);
        hard.retain(|candidate| !easy.contains(candidate));
        hard.truncate(MOST);
        [easy, hard]
    }

    fn is_hard(&self, root: ExprId) -> bool {
        let exprs = &self.pool.exprs;
        let mut hard = false;
        exprs.walk(root, &mut |node| {
            if let ExprKind::Binary { op: BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem, rhs, .. } = exprs.kind(node) {
                let power = exprs.as_int(rhs).is_some_and(|by| by > 0 && by.count_ones() == 1);
                hard |= !power;
            }
        });
        hard
    }

    /// Bounds of what indexes memory in these edges: without them, no access is known to be inside its object.
    pub fn bounds_of_indices(mut self, edges: &[EdgeId]) -> Vec<ExprId> {
        let (program, mut indices) = (self.program, BTreeSet::new());
        let mut lengths = Vec::new();
        for &edge in edges {
            let mut roots = expressions(program, edge);
            roots.extend(self.assigned_place(edge));
            for root in roots {
                program.exprs.walk(root, &mut |node| note_index(program, node, &mut indices, &mut lengths));
            }
        }
        let mentions = |root: ExprId| {
            let mut found = false;
            program.exprs.walk(root, &mut |node| {
                found |= matches!(program.exprs.kind(node), ExprKind::Var(id) if indices.contains(&id));
            });
            found
        };
        for comparison in self.comparisons.clone().into_iter().filter(|&comparison| mentions(comparison)) {
            if let ExprKind::Binary { op: BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge, lhs, rhs } =
                program.exprs.kind(comparison)
            {
                self.found.push(comparison);
                self.compare(BinaryOp::Le, lhs, rhs);
            }
        }
        for id in self.changed.clone().into_iter().filter(|id| indices.contains(id)) {
            let (place, ty) = self.variable(id);
            for (op, bound) in std::iter::once((BinaryOp::Ge, 0))
                .chain(lengths.iter().filter(|(of, _)| *of == id).map(|(_, length)| (BinaryOp::Lt, *length)))
                .collect::<Vec<_>>()
            {
                if let Some(constant) = self.constant(bound, ty) {
                    self.compare(op, place, constant);
                }
            }
        }
        let mut seen = BTreeSet::new();
        self.found.retain(|&candidate| seen.insert(candidate));
        self.found.truncate(MOST_BOUNDS);
        self.found
    }

    fn assigned_place(&self, edge: EdgeId) -> Option<ExprId> {
        match self.program.edge(edge).op {
            Op::Assign { target, .. } | Op::Havoc { target } | Op::Input { target: Some(target), .. } => Some(target),
            _ => None,
        }
    }

    /// `a < b` of a loop's condition becomes `a <= b` and `a == b` where the loop ends.
    fn variants(&mut self, comparison: ExprId) {
        let ExprKind::Binary { op, lhs, rhs } = self.program.exprs.kind(comparison) else { return };
        match op {
            BinaryOp::Lt | BinaryOp::Ge => {
                self.compare(BinaryOp::Le, lhs, rhs);
                self.compare(BinaryOp::Eq, lhs, rhs);
            }
            BinaryOp::Le | BinaryOp::Gt => {
                self.compare(BinaryOp::Lt, lhs, rhs);
                self.compare(BinaryOp::Eq, lhs, rhs);
            }
            _ => {
                let is_number = |id: ExprId| self.program.types.is_integer(self.program.exprs.ty(id));
                if is_number(lhs) {
                    self.compare(BinaryOp::Le, lhs, rhs);
                }
            }
        }
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

    fn equalities(&mut self) {
        for id in self.changed.clone() {
            let (place, ty) = self.variable(id);
            for value in self.constants.clone() {
                if let Some(constant) = self.constant(value, ty) {
                    self.compare(BinaryOp::Eq, place, constant);
                }
            }
        }
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
                    self.compare(BinaryOp::Eq, x, y);
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

    /// `x <= y + constant`
    fn distances(&mut self) {
        let changed: Vec<VarId> = self.changed.iter().copied().take(4).collect();
        for &a in &changed {
            for &b in &changed {
                let ((x, ty), (y, other)) = (self.variable(a), self.variable(b));
                if a == b || ty != other {
                    continue;
                }
                for value in self.constants.clone().into_iter().filter(|value| *value > 0) {
                    let Some(constant) = self.constant(value, ty) else { continue };
                    let sum = self.pool.exprs.intern(ExprKind::Binary { op: BinaryOp::Add, lhs: y, rhs: constant }, ty);
                    self.compare(BinaryOp::Le, x, sum);
                    self.compare(BinaryOp::Lt, x, sum);
                }
            }
        }
    }

    /// Variables that grow at constant rates stay on a line: `b·x - a·y` does not change.
    fn lines(&mut self) {
        let starts = |list: &[(VarId, i128)], id: VarId| -> Vec<i128> {
            let own: Vec<i128> = list.iter().filter(|(of, _)| *of == id).map(|(_, value)| *value).take(3).collect();
            if own.is_empty() { vec![0] } else { own }
        };
        let steps = self.steps.clone();
        for (i, &(x, a)) in steps.iter().enumerate() {
            for &(y, b) in &steps[..i] {
                let ((left, ty), (right, other)) = (self.variable(x), self.variable(y));
                if ty != other || x == y || a == 0 || b == 0 {
                    continue;
                }
                let common = gcd(a.unsigned_abs(), b.unsigned_abs()) as i128;
                let (a, b) = (a / common, b / common);
                for from_x in starts(&self.starts, x) {
                    for from_y in starts(&self.starts, y) {
                        let distance = b * from_x - a * from_y;
                        self.line(ty, (left, b), (right, a), distance);
                    }
                }
            }
        }
    }

    /// `b·x == a·y + distance`
    fn line(&mut self, ty: TypeId, (x, b): (ExprId, i128), (y, a): (ExprId, i128), distance: i128) {
        let lhs = self.scaled(x, b, ty);
        let rhs = self.scaled(y, a, ty);
        let rhs = match distance {
            0 => rhs,
            _ => {
                let wrapped = self.pool.types.wrap(ty, distance);
                let constant = self.pool.exprs.intern(ExprKind::Int(wrapped), ty);
                self.pool.exprs.intern(ExprKind::Binary { op: BinaryOp::Add, lhs: rhs, rhs: constant }, ty)
            }
        };
        self.compare(BinaryOp::Eq, lhs, rhs);
    }

    fn scaled(&mut self, x: ExprId, by: i128, ty: TypeId) -> ExprId {
        if by == 1 {
            return x;
        }
        let wrapped = self.pool.types.wrap(ty, by);
        let constant = self.pool.exprs.intern(ExprKind::Int(wrapped), ty);
        self.pool.exprs.intern(ExprKind::Binary { op: BinaryOp::Mul, lhs: x, rhs: constant }, ty)
    }

    /// `a + b == c` and `a == constant · b`.
    fn sums(&mut self) {
        let changed: Vec<VarId> = self.changed.iter().copied().take(4).collect();
        for (i, &a) in changed.iter().enumerate() {
            for &b in &changed[..i] {
                let ((x, ty), (y, other)) = (self.variable(a), self.variable(b));
                if ty != other {
                    continue;
                }
                let sum = self.pool.exprs.intern(ExprKind::Binary { op: BinaryOp::Add, lhs: x, rhs: y }, ty);
                for c in self.used.clone() {
                    let (z, third) = self.variable(c);
                    if third == ty && c != a && c != b {
                        self.compare(BinaryOp::Eq, sum, z);
                    }
                }
                for value in self.constants.clone().into_iter().filter(|value| *value > 1) {
                    let Some(constant) = self.constant(value, ty) else { continue };
                    self.compare(BinaryOp::Eq, sum, constant);
                    for (u, v) in [(x, y), (y, x)] {
                        let product =
                            self.pool.exprs.intern(ExprKind::Binary { op: BinaryOp::Mul, lhs: v, rhs: constant }, ty);
                        self.compare(BinaryOp::Eq, u, product);
                    }
                }
            }
        }
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Notes the variables of an index, with the length of the array where it has one.
fn note_index(program: &Program, node: ExprId, indices: &mut BTreeSet<VarId>, lengths: &mut Vec<(VarId, i128)>) {
    let (index, length) = match program.exprs.kind(node) {
        ExprKind::Index { base, index } => match program.types.get(program.exprs.ty(base)) {
            Type::Array { length, .. } => (index, Some(*length)),
            _ => (index, None),
        },
        ExprKind::Binary { op: BinaryOp::PointerAdd, rhs, .. } => (rhs, None),
        _ => return,
    };
    program.exprs.walk(index, &mut |part| {
        if let ExprKind::Var(id) = program.exprs.kind(part) {
            indices.insert(id);
            lengths.extend(length.map(|length| (id, i128::from(length))));
        }
    });
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
