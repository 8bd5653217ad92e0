//! Bounds that widening tries before it gives one up: constants that a variable is compared with or set to, also by way
//! of the variables that it is compared with or copied from.

use crate::layout::Layout;
use crate::value::Limits;
use tandem_plugin_api::program::{BinaryOp, ExprId, ExprKind, Op, Program, UnaryOp, VarId};

/// The most limits for a variable: each may cost a round through a loop.
const MOST: usize = 48;

/// Limits of narrow types matter if a wide variable counts in steps with a narrow one.
const ALWAYS: [i128; 10] = [-1, 0, 1, 127, 255, 32_767, 65_535, i32::MAX as i128, u32::MAX as i128, i32::MIN as i128];

pub struct Thresholds {
    /// By cell: which of the lists is its own.
    class: Vec<u32>,
    lists: Vec<Vec<i128>>,
}

impl Limits for Thresholds {
    fn limits(&self, cell: u32) -> &[i128] {
        &self.lists[self.class[cell as usize] as usize]
    }
}

impl Thresholds {
    pub fn new(program: &Program, layout: &Layout) -> Self {
        let mut finder = Finder {
            program,
            parents: (0..program.variables.len() as u32).collect(),
            found: vec![Vec::new(); program.variables.len()],
        };
        finder.look_at_all();
        let mut lists: Vec<Vec<i128>> = vec![Vec::new(); program.variables.len()];
        for (index, constants) in std::mem::take(&mut finder.found).into_iter().enumerate() {
            let root = finder.root(VarId::new(index));
            lists[root].extend(constants);
        }
        for list in &mut lists {
            list.sort_unstable();
            list.dedup();
            if list.len() > MOST {
                let step = list.len().div_ceil(MOST);
                *list = list.iter().copied().step_by(step).collect();
            }
            list.extend(ALWAYS);
            list.sort_unstable();
            list.dedup();
        }
        let class = layout.cells.iter().map(|cell| finder.root(cell.variable) as u32).collect();
        Thresholds { class, lists }
    }
}

struct Finder<'a> {
    program: &'a Program,
    /// A forest over variables: those of one tree share their limits.
    parents: Vec<u32>,
    found: Vec<Vec<i128>>,
}

/// An expression that is a variable plus a constant, or a constant alone.
#[derive(Clone, Copy)]
struct Simple {
    variable: Option<VarId>,
    constant: i128,
}

impl Finder<'_> {
    fn root(&mut self, variable: VarId) -> usize {
        let mut at = variable.index();
        while self.parents[at] as usize != at {
            let above = self.parents[at] as usize;
            self.parents[at] = self.parents[above];
            at = above;
        }
        at
    }

    fn unite(&mut self, a: VarId, b: VarId) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b)] = a.min(b) as u32;
    }

    fn look_at_all(&mut self) {
        let program = self.program;
        for edge in &program.edges {
            match &edge.op {
                Op::Assume { condition, .. } => self.condition(*condition),
                Op::Assign { target, value } => {
                    self.flow(self.variable_of(*target), *value);
                    self.condition(*value);
                }
                Op::Return(Some(value)) => {
                    self.flow(program.function(program.location(edge.from).function).result, *value);
                    self.condition(*value);
                }
                Op::Call(site) => {
                    let callee = program.function(program.location(edge.to).function);
                    for (&parameter, &argument) in callee.parameters.iter().zip(&program.call_site(*site).arguments) {
                        self.flow(Some(parameter), argument);
                    }
                    let place = program.call_site(*site).result.and_then(|place| self.variable_of(place));
                    if let (Some(place), Some(result)) = (place, callee.result) {
                        self.unite(place, result);
                    }
                }
                _ => {}
            }
        }
    }

    /// A value comes to a variable.
    fn flow(&mut self, to: Option<VarId>, value: ExprId) {
        let (Some(to), Some(simple)) = (to, self.simple(value)) else { return };
        match simple.variable {
            None => self.found[to.index()].push(simple.constant),
            Some(from) if simple.constant == 0 => self.unite(to, from),
            Some(_) => {}
        }
    }

    /// All comparisons in an expression.
    fn condition(&mut self, root: ExprId) {
        let program = self.program;
        let mut comparisons = Vec::new();
        program.exprs.walk(root, &mut |expr| {
            if let ExprKind::Binary { op, lhs, rhs } = program.exprs.kind(expr)
                && op.is_comparison()
            {
                comparisons.push((lhs, rhs));
            }
        });
        for (lhs, rhs) in comparisons {
            let (Some(a), Some(b)) = (self.simple(lhs), self.simple(rhs)) else { continue };
            match (a.variable, b.variable) {
                (Some(x), Some(y)) => self.unite(x, y),
                (Some(x), None) => self.near(x, b.constant.wrapping_sub(a.constant)),
                (None, Some(y)) => self.near(y, a.constant.wrapping_sub(b.constant)),
                (None, None) => {}
            }
        }
    }

    fn near(&mut self, variable: VarId, constant: i128) {
        self.found[variable.index()].extend([constant.wrapping_sub(1), constant, constant.wrapping_add(1)]);
    }

    /// The variable that a place is a part of.
    fn variable_of(&self, mut place: ExprId) -> Option<VarId> {
        loop {
            match self.program.exprs.kind(place) {
                ExprKind::Var(variable) => return Some(variable),
                ExprKind::Field { base, .. } | ExprKind::Index { base, .. } => place = base,
                _ => return None,
            }
        }
    }

    fn simple(&self, mut expr: ExprId) -> Option<Simple> {
        let exprs = &self.program.exprs;
        let mut constant: i128 = 0;
        loop {
            match exprs.kind(expr) {
                ExprKind::Int(value) => {
                    return Some(Simple { variable: None, constant: constant.wrapping_add(value) });
                }
                ExprKind::Unary { op: UnaryOp::Negate, operand } if constant == 0 => {
                    let value = exprs.as_int(operand)?;
                    return Some(Simple { variable: None, constant: value.wrapping_neg() });
                }
                ExprKind::Cast(operand) => expr = operand,
                ExprKind::Binary { op: BinaryOp::Add, lhs, rhs } => match (exprs.as_int(lhs), exprs.as_int(rhs)) {
                    (_, Some(value)) => (constant, expr) = (constant.wrapping_add(value), lhs),
                    (Some(value), _) => (constant, expr) = (constant.wrapping_add(value), rhs),
                    _ => return None,
                },
                ExprKind::Binary { op: BinaryOp::Sub, lhs, rhs } => {
                    constant = constant.wrapping_sub(exprs.as_int(rhs)?);
                    expr = lhs;
                }
                _ => return self.variable_of(expr).map(|variable| Simple { variable: Some(variable), constant }),
            }
        }
    }
}
