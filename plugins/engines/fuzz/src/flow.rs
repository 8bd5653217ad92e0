//! Which constants the program's text compares inputs with: values of inputs are followed through assignments, arguments
//! and results, whatever the order of execution. For a reactive program this is the alphabet of its inputs.

use std::collections::BTreeSet;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::{BinaryOp, Callee, ExprKind};

/// Input edges whose values a variable may hold.
type Sources = BTreeSet<EdgeId>;

/// More sources than this tell nothing.
const MAX_SOURCES: usize = 64;

/// For each input function, the constants that its values are compared with, in the order of the program's edges.
pub fn compared_constants(program: &Program) -> Vec<(FunctionId, i128)> {
    let flow = Flow::of(program);
    let mut found = Vec::new();
    let mut known = BTreeSet::new();
    for edge in &program.edges {
        for root in expressions(program, &edge.op) {
            program.exprs.walk(root, &mut |expr| {
                let ExprKind::Binary { op, lhs, rhs } = program.exprs.kind(expr) else { return };
                if !op.is_comparison() {
                    return;
                }
                for (value, constant) in [(lhs, rhs), (rhs, lhs)] {
                    let Some((variable, offset)) = variable_with_offset(program, value) else { continue };
                    let Some(constant) = constant_value(program, constant) else { continue };
                    for &input in &flow.sources[variable.index()] {
                        let Some(function) = program.called_function(input) else { continue };
                        let pair = (function, constant - offset);
                        if known.insert(pair) {
                            found.push(pair);
                        }
                    }
                }
            });
        }
    }
    found
}

/// What each variable may hold.
pub struct Flow {
    sources: Vec<Sources>,
}

impl Flow {
    pub fn of(program: &Program) -> Self {
        let copies = copies(program);
        let mut sources = vec![Sources::new(); program.variables.len()];
        for edge in program.edge_ids() {
            if let Op::Input { target: Some(target), .. } = program.edge(edge).op
                && let Some(variable) = root(program, target)
            {
                sources[variable.index()].insert(edge);
            }
        }
        // Copies form short chains; a bound keeps pathological programs cheap.
        for _ in 0..32 {
            let mut changed = false;
            for &(from, to) in &copies {
                let full = sources[to.index()].len() >= MAX_SOURCES;
                if from != to && !full && !sources[from.index()].is_subset(&sources[to.index()]) {
                    let more = sources[from.index()].clone();
                    sources[to.index()].extend(more);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        Flow { sources }
    }

    /// For the left and the right side of a comparison: the inputs that variables of it may hold, ascending. What is no
    /// comparison counts as the left side.
    pub fn inputs_of_operands(&self, program: &Program, condition: ExprId) -> [Vec<EdgeId>; 2] {
        match program.exprs.kind(condition) {
            ExprKind::Binary { op, lhs, rhs } if op.is_comparison() => {
                [lhs, rhs].map(|side| self.inputs_of(program, side))
            }
            _ => [self.inputs_of(program, condition), Vec::new()],
        }
    }

    fn inputs_of(&self, program: &Program, expr: ExprId) -> Vec<EdgeId> {
        let mut all = Sources::new();
        program.exprs.walk(expr, &mut |part| {
            if let ExprKind::Var(variable) = program.exprs.kind(part) {
                all.extend(&self.sources[variable.index()]);
            }
        });
        all.into_iter().collect()
    }
}

/// Pairs of variables of which the second gets the first one's value somewhere.
fn copies(program: &Program) -> Vec<(VarId, VarId)> {
    let mut copies = Vec::new();
    let mut copy = |from: Option<VarId>, to: Option<VarId>| copies.extend(from.zip(to));
    for edge in &program.edges {
        match edge.op {
            Op::Assign { target, value } => copy(plain_variable(program, value), root(program, target)),
            Op::Return(Some(value)) => {
                let function = program.location(edge.from).function;
                copy(plain_variable(program, value), program.function(function).result);
            }
            Op::Call(site) => {
                let site = program.call_site(site);
                let Callee::Function(callee) = site.callee else { continue };
                let callee = program.function(callee);
                for (&argument, &parameter) in site.arguments.iter().zip(&callee.parameters) {
                    copy(plain_variable(program, argument), Some(parameter));
                }
                copy(callee.result, site.result.and_then(|place| root(program, place)));
            }
            _ => {}
        }
    }
    copies
}

fn expressions(program: &Program, op: &Op) -> Vec<ExprId> {
    match op {
        Op::Assume { condition, .. } => vec![*condition],
        Op::Assign { value, .. } | Op::Return(Some(value)) => vec![*value],
        Op::Call(site) | Op::External(site) => program.call_site(*site).arguments.clone(),
        _ => Vec::new(),
    }
}

/// The variable that a place is part of; none where a pointer decides.
fn root(program: &Program, place: ExprId) -> Option<VarId> {
    match program.exprs.kind(place) {
        ExprKind::Var(variable) => Some(variable),
        ExprKind::Field { base, .. } | ExprKind::Index { base, .. } => root(program, base),
        _ => None,
    }
}

/// The variable whose value this is, perhaps converted.
fn plain_variable(program: &Program, expr: ExprId) -> Option<VarId> {
    match program.exprs.kind(expr) {
        ExprKind::Cast(inner) => plain_variable(program, inner),
        _ => root(program, expr),
    }
}

/// `x`, or `x + 3`, as `x` and 3.
fn variable_with_offset(program: &Program, expr: ExprId) -> Option<(VarId, i128)> {
    match program.exprs.kind(expr) {
        ExprKind::Cast(inner) => variable_with_offset(program, inner),
        ExprKind::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), lhs, rhs } => {
            let variable = plain_variable(program, lhs)?;
            let offset = constant_value(program, rhs)?;
            Some((variable, if op == BinaryOp::Add { offset } else { -offset }))
        }
        _ => root(program, expr).map(|variable| (variable, 0)),
    }
}

fn constant_value(program: &Program, expr: ExprId) -> Option<i128> {
    match program.exprs.kind(expr) {
        ExprKind::Int(value) if i64::try_from(value).is_ok() || u64::try_from(value).is_ok() => Some(value),
        ExprKind::Cast(inner) => constant_value(program, inner),
        ExprKind::Unary { op: tandem_plugin_api::program::UnaryOp::Negate, operand } => {
            constant_value(program, operand).map(|value| -value)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_plugin_api::testing::ProgramBuilder;

    #[test]
    fn inputs_are_followed_through_copies_and_arguments() {
        // void check(p) { if (p == 7) … }  x = input(); y = x; if (y + 2 == 5) …; check(y); if (z == 99) …
        let mut builder = ProgramBuilder::new("flow.c");
        let main = builder.function("main");
        let check = builder.function("check");
        let nondet = builder.declare("__VERIFIER_nondet_int");
        let p = builder.local(check, "p");
        let (x, y, z) = (builder.local(main, "x"), builder.local(main, "y"), builder.local(main, "z"));
        let [p_place, x, y, z] = [p, x, y, z].map(|variable| builder.variable(variable));
        let (start, end) = builder.body(main);
        let at: Vec<_> = (0..5).map(|_| builder.location(main)).collect();
        builder.input(start, at[0], nondet, x);
        builder.edge(at[0], at[1], Op::Assign { target: y, value: x });
        let (two, five, seven, other) = (builder.int(2), builder.int(5), builder.int(7), builder.int(99));
        let sum = builder.binary(BinaryOp::Add, y, two);
        let first = builder.binary(BinaryOp::Eq, sum, five);
        builder.branch(at[1], first, at[2], end);
        builder.call(at[2], at[3], check, &[y]);
        let unrelated = builder.binary(BinaryOp::Eq, z, other);
        builder.branch(at[3], unrelated, at[4], end);
        let (entry, exit) = builder.body(check);
        let equal = builder.binary(BinaryOp::Eq, p_place, seven);
        let inside = builder.location(check);
        builder.branch(entry, equal, inside, exit);
        let mut program = builder.finish(main);
        program.functions[check.index()].parameters.push(p);
        assert_eq!(compared_constants(&program), [(nondet, 3), (nondet, 7)]);
        let flow = Flow::of(&program);
        assert_eq!(flow.inputs_of_operands(&program, equal), [vec![EdgeId(0)], vec![]]);
        assert_eq!(flow.inputs_of_operands(&program, unrelated), [vec![], vec![]]);
    }
}
