//! Predicates that a refinement tries first at a loop head: comparisons of the program's own, then bounds, orders, remainders
//! and small sums of what the loop changes. Simple ones come first, and are kept before others.

use std::collections::BTreeSet;
use tandem_plugin_api::kit::unroll::Templates;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::{BinaryOp, ExprKind, Type, TypeId};
use tandem_plugin_api::service::formulas::Expressions;

const MOST: usize = 120;
const MOST_CHANGED: usize = 8;
const MOST_BOUNDS: usize = 12;

pub struct Generator<'a> {
    program: &'a Program,
    templates: Templates<'a>,
    comparisons: Vec<ExprId>,
    /// How much the loop adds to a variable.
    steps: Vec<(VarId, i128)>,
    /// Constants that variables get.
    starts: Vec<(VarId, i128)>,
}

impl<'a> Generator<'a> {
    /// For a loop of a function, with these edges.
    pub fn new(program: &'a Program, function: FunctionId, edges: &[EdgeId], pool: &'a mut Expressions) -> Self {
        let templates = Templates::new(program, function, pool, MOST_CHANGED, false);
        let mut generator =
            Generator { program, templates, comparisons: Vec::new(), steps: Vec::new(), starts: Vec::new() };
        for &edge in edges {
            generator.templates.note_change(edge);
            generator.note_step(edge);
        }
        for edge in program.edge_ids() {
            let own = program.function_of_edge(edge) == function;
            generator.note_start(edge);
            for root in program.expressions_of(edge) {
                generator.note_expression(root, own);
            }
        }
        generator
    }

    /// Integer variables that the loop changes.
    pub fn changed(&self) -> &[VarId] {
        &self.templates.changed
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
            && self.templates.is_integer(id)
            && !self.steps.contains(&(id, by))
        {
            self.steps.push((id, by));
        }
    }

    /// `x = 3`
    fn note_start(&mut self, edge: EdgeId) {
        let Some((id, value)) = self.assigned(edge) else { return };
        if let Some(constant) = self.program.exprs.as_int(value)
            && self.templates.is_integer(id)
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
                    self.templates.note_divisor(rhs);
                }
                ExprKind::Binary { op, lhs, rhs } if op.is_comparison() => self.note_comparison(node, lhs, rhs, own),
                _ => {}
            }
        }
        // A condition that is not a comparison is compared with zero.
        if own && let ExprKind::Var(id) = program.exprs.kind(root) {
            self.templates.note_used(id);
        }
    }

    fn note_comparison(&mut self, node: ExprId, lhs: ExprId, rhs: ExprId, own: bool) {
        let Some(variables) = self.variables(node) else { return };
        if !own && variables.iter().any(|id| self.program.variable(*id).is_local()) {
            return;
        }
        self.templates.note_constants([lhs, rhs]);
        if !self.comparisons.contains(&node) {
            self.comparisons.push(node);
            variables.into_iter().for_each(|id| self.templates.note_used(id));
        }
    }

    /// The variables of an expression; `None` if it has no variables, or variables that the function cannot name.
    fn variables(&self, root: ExprId) -> Option<Vec<VarId>> {
        let mut variables = Vec::new();
        let mut plain = true;
        self.program.exprs.walk(root, &mut |node| match self.program.exprs.kind(node) {
            ExprKind::Var(id) => {
                plain &= self.templates.is_visible(id);
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

    /// In two parts: predicates that solvers decide easily, and predicates with remainders and products.
    pub fn all(mut self) -> [Vec<ExprId>; 2] {
        for comparison in self.comparisons.clone() {
            self.templates.found.push(comparison);
            self.variants(comparison);
        }
        self.templates.equalities();
        self.templates.bounds();
        self.templates.orders(&[BinaryOp::Eq, BinaryOp::Le, BinaryOp::Ge]);
        let (easy, mut hard): (Vec<ExprId>, Vec<ExprId>) =
            self.templates.take(MOST).into_iter().partition(|&candidate| !self.is_hard(candidate));
        self.lines();
        self.distances();
        self.templates.sums(false);
        self.templates.remainders();
        hard.append(&mut self.templates.found);
        hard.retain(|candidate| !easy.contains(candidate));
        hard.truncate(MOST);
        [easy, hard]
    }

    fn is_hard(&self, root: ExprId) -> bool {
        let exprs = &self.templates.pool.exprs;
        let mut hard = false;
        exprs.walk(root, &mut |node| {
            if let ExprKind::Binary { op: BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem, rhs, .. } = exprs.kind(node) {
                let power = exprs.as_int(rhs).is_some_and(|by| by > 0 && by.count_ones() == 1);
                hard |= !power;
            }
        });
        hard
    }

    /// Bounds of the variables that index memory in these edges: without them, no access is known to be inside its
    /// object.
    pub fn bounds_of_indices(mut self, edges: &[EdgeId]) -> Vec<ExprId> {
        let (program, mut indices) = (self.program, BTreeSet::new());
        let mut lengths = Vec::new();
        for &edge in edges {
            let mut roots = program.expressions_of(edge);
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
                self.templates.found.push(comparison);
                self.templates.compare(BinaryOp::Le, lhs, rhs);
            }
        }
        for id in self.templates.changed.clone().into_iter().filter(|id| indices.contains(id)) {
            let (place, ty) = self.templates.variable(id);
            for (op, bound) in std::iter::once((BinaryOp::Ge, 0))
                .chain(lengths.iter().filter(|(of, _)| *of == id).map(|(_, length)| (BinaryOp::Lt, *length)))
                .collect::<Vec<_>>()
            {
                if let Some(constant) = self.templates.constant(bound, ty) {
                    self.templates.compare(op, place, constant);
                }
            }
        }
        self.templates.take(MOST_BOUNDS)
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
                self.templates.compare(BinaryOp::Le, lhs, rhs);
                self.templates.compare(BinaryOp::Eq, lhs, rhs);
            }
            BinaryOp::Le | BinaryOp::Gt => {
                self.templates.compare(BinaryOp::Lt, lhs, rhs);
                self.templates.compare(BinaryOp::Eq, lhs, rhs);
            }
            _ => {
                let is_number = |id: ExprId| self.program.types.is_integer(self.program.exprs.ty(id));
                if is_number(lhs) {
                    self.templates.compare(BinaryOp::Le, lhs, rhs);
                }
            }
        }
    }

    /// `x <= y + constant`
    fn distances(&mut self) {
        let changed: Vec<VarId> = self.templates.changed.iter().copied().take(4).collect();
        for &a in &changed {
            for &b in &changed {
                let ((x, ty), (y, other)) = (self.templates.variable(a), self.templates.variable(b));
                if a == b || ty != other {
                    continue;
                }
                for value in self.templates.constants.clone().into_iter().filter(|value| *value > 0) {
                    let Some(constant) = self.templates.constant(value, ty) else { continue };
                    let sum = self.templates.binary(BinaryOp::Add, y, constant, ty);
                    self.templates.compare(BinaryOp::Le, x, sum);
                    self.templates.compare(BinaryOp::Lt, x, sum);
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
                let ((left, ty), (right, other)) = (self.templates.variable(x), self.templates.variable(y));
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
                let wrapped = self.templates.pool.types.wrap(ty, distance);
                let constant = self.templates.pool.exprs.intern(ExprKind::Int(wrapped), ty);
                self.templates.binary(BinaryOp::Add, rhs, constant, ty)
            }
        };
        self.templates.compare(BinaryOp::Eq, lhs, rhs);
    }

    fn scaled(&mut self, x: ExprId, by: i128, ty: TypeId) -> ExprId {
        if by == 1 {
            return x;
        }
        let wrapped = self.templates.pool.types.wrap(ty, by);
        let constant = self.templates.pool.exprs.intern(ExprKind::Int(wrapped), ty);
        self.templates.binary(BinaryOp::Mul, x, constant, ty)
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
