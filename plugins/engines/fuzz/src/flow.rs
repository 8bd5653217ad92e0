//! Which constants the program's text compares inputs with: values of inputs are followed through assignments, arguments
//! and results, whatever the order of execution. For a reactive program this is the alphabet of its inputs.

use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::{BinaryOp, Callee, ExprKind};

/// Input edges whose values a place may hold.
type Sources = BTreeSet<EdgeId>;

/// A place with more sources than this is ignored, since it shows nothing about single inputs.
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
                    let Some((place, offset)) = place_with_offset(program, value) else { continue };
                    let Some(constant) = constant_value(program, constant) else { continue };
                    for input in flow.sources(program, place) {
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

/// The inputs whose values places may hold. Elements with constant indices and members are places of their own; every
/// other place counts as the variable that it is part of.
#[derive(Default)]
pub struct Flow {
    /// By place whose address is known: a variable, or a part of one.
    exact: FxHashMap<ExprId, Sources>,
    /// By variable: what was written to unknown parts of it.
    anywhere: FxHashMap<VarId, Sources>,
}

impl Flow {
    pub fn of(program: &Program) -> Self {
        let mut flow = Flow::default();
        for edge in program.edge_ids() {
            if let Op::Input { target: Some(target), .. } = program.edge(edge).op {
                flow.add(program, target, &Sources::from([edge]));
            }
        }
        let copies = copies(program);
        // Copies form short chains; a bound keeps pathological programs cheap.
        for _ in 0..32 {
            let mut changed = false;
            for &(from, to) in &copies {
                let sources = flow.sources(program, from);
                changed |= !sources.is_empty() && flow.add(program, to, &sources);
            }
            if !changed {
                break;
            }
        }
        flow
    }

    /// Notes that a place may get the values of these inputs. Returns whether that is new.
    fn add(&mut self, program: &Program, place: ExprId, sources: &Sources) -> bool {
        let Some(variable) = root(program, place) else { return false };
        let known = match is_exact(program, place) {
            true => self.exact.entry(place).or_default(),
            false => self.anywhere.entry(variable).or_default(),
        };
        let before = known.len();
        if before < MAX_SOURCES {
            known.extend(sources);
        }
        known.len() > before
    }

    fn sources(&self, program: &Program, place: ExprId) -> Sources {
        let Some(variable) = root(program, place) else { return Sources::new() };
        let mut all = self.anywhere.get(&variable).cloned().unwrap_or_default();
        if is_exact(program, place) {
            all.extend(self.exact.get(&place).into_iter().flatten());
        } else {
            let parts = self.exact.iter().filter(|(part, _)| root(program, **part) == Some(variable));
            all.extend(parts.flat_map(|(_, sources)| sources));
        }
        all
    }

    /// For the left and the right side of a comparison: the inputs whose values it may hold, ascending. An expression
    /// that is not a comparison counts as the left side.
    pub fn inputs_of_operands(&self, program: &Program, condition: ExprId) -> [Vec<EdgeId>; 2] {
        both_sides(program, condition, |side| self.inputs_of(program, side, false))
    }

    /// The same without values written to unknown parts of variables: the likeliest inputs.
    pub fn likely_inputs_of_operands(&self, program: &Program, condition: ExprId) -> [Vec<EdgeId>; 2] {
        both_sides(program, condition, |side| self.inputs_of(program, side, true))
    }

    fn inputs_of(&self, program: &Program, expr: ExprId, exact: bool) -> Vec<EdgeId> {
        if self.exact.is_empty() && self.anywhere.is_empty() {
            return Vec::new();
        }
        let mut all = Sources::new();
        let mut open = vec![expr];
        while let Some(part) = open.pop() {
            match program.exprs.kind(part) {
                ExprKind::Var(_) | ExprKind::Field { .. } | ExprKind::Index { .. } if exact => {
                    all.extend(self.exact.get(&part).into_iter().flatten());
                }
                ExprKind::Var(_) | ExprKind::Field { .. } | ExprKind::Index { .. } => {
                    all.extend(self.sources(program, part));
                }
                _ => open.extend(program.exprs.operands(part)),
            }
        }
        all.into_iter().collect()
    }
}

fn both_sides(program: &Program, condition: ExprId, inputs: impl Fn(ExprId) -> Vec<EdgeId>) -> [Vec<EdgeId>; 2] {
    match program.exprs.kind(condition) {
        ExprKind::Binary { op, lhs, rhs } if op.is_comparison() => [inputs(lhs), inputs(rhs)],
        _ => [inputs(condition), Vec::new()],
    }
}

/// Pairs of places of which the second gets the first one's value somewhere.
fn copies(program: &Program) -> Vec<(ExprId, ExprId)> {
    let mut copies = Vec::new();
    let places = variable_places(program);
    let place_of = |variable: Option<VarId>| variable.and_then(|variable| places.get(&variable).copied());
    let mut copy = |from: Option<ExprId>, to: Option<ExprId>| copies.extend(from.zip(to));
    for edge in &program.edges {
        match edge.op {
            Op::Assign { target, value } => copy(plain_place(program, value), Some(target)),
            Op::Return(Some(value)) => {
                let function = program.location(edge.from).function;
                copy(plain_place(program, value), place_of(program.function(function).result));
            }
            Op::Call(site) => {
                let site = program.call_site(site);
                let Callee::Function(callee) = site.callee else { continue };
                let callee = program.function(callee);
                for (&argument, &parameter) in site.arguments.iter().zip(&callee.parameters) {
                    copy(plain_place(program, argument), place_of(Some(parameter)));
                }
                copy(place_of(callee.result), site.result);
            }
            _ => {}
        }
    }
    copies
}

/// The expressions that name whole variables, where the program has them.
fn variable_places(program: &Program) -> FxHashMap<VarId, ExprId> {
    let all = (0..program.exprs.len()).map(ExprId::new);
    let variables = all.filter_map(|expr| match program.exprs.kind(expr) {
        ExprKind::Var(variable) => Some((variable, expr)),
        _ => None,
    });
    variables.collect()
}

fn expressions(program: &Program, op: &Op) -> Vec<ExprId> {
    match op {
        Op::Assume { condition, .. } => vec![*condition],
        Op::Assign { value, .. } | Op::Return(Some(value)) => vec![*value],
        Op::Call(site) | Op::External(site) => program.call_site(*site).arguments.clone(),
        _ => Vec::new(),
    }
}

/// The variable that a place is part of; `None` where a pointer decides.
fn root(program: &Program, place: ExprId) -> Option<VarId> {
    match program.exprs.kind(place) {
        ExprKind::Var(variable) => Some(variable),
        ExprKind::Field { base, .. } | ExprKind::Index { base, .. } => root(program, base),
        _ => None,
    }
}

/// Whether it is always the same part of the same variable.
fn is_exact(program: &Program, place: ExprId) -> bool {
    match program.exprs.kind(place) {
        ExprKind::Var(_) => true,
        ExprKind::Field { base, .. } => is_exact(program, base),
        ExprKind::Index { base, index } => program.exprs.as_int(index).is_some() && is_exact(program, base),
        _ => false,
    }
}

/// The place whose value this is, perhaps converted.
fn plain_place(program: &Program, expr: ExprId) -> Option<ExprId> {
    match program.exprs.kind(expr) {
        ExprKind::Cast(inner) => plain_place(program, inner),
        _ => root(program, expr).map(|_| expr),
    }
}

/// `x`, or `x + 3`, as `x` and 3.
fn place_with_offset(program: &Program, expr: ExprId) -> Option<(ExprId, i128)> {
    match program.exprs.kind(expr) {
        ExprKind::Cast(inner) => place_with_offset(program, inner),
        ExprKind::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), lhs, rhs } => {
            let place = plain_place(program, lhs)?;
            let offset = constant_value(program, rhs)?;
            Some((place, if op == BinaryOp::Add { offset } else { -offset }))
        }
        _ => plain_place(program, expr).map(|place| (place, 0)),
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
    use tandem_plugin_api::kit::testing::ProgramBuilder;

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
