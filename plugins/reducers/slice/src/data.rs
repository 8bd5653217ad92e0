//! Which assignments influence nothing: their variables are read neither by a branch nor by a call nor by an access to memory, nor by
//! another assignment that matters.

use rustc_hash::FxHashSet;
use tandem_plugin_api::program::{Callee, ExprId, ExprKind, Op, Program, VarId};

/// Turns them into nothing. Values that could fail to be computed are kept: the failure is part of what the program does.
pub fn drop_idle_assignments(program: &mut Program) {
    let mut matters = Matters { program, variables: FxHashSet::default() };
    matters.all_but_plain_assignments();
    while matters.follow_assignments() {}
    let variables = matters.variables;
    let idle: Vec<usize> = (0..program.edges.len())
        .filter(|&at| match program.edges[at].op {
            Op::Assign { target, value } => {
                plain(program, target).is_some_and(|v| !variables.contains(&v)) && program.exprs.is_harmless(value)
            }
            _ => false,
        })
        .collect();
    for at in idle {
        program.edges[at].op = Op::Skip;
    }
}

/// The variable, where the place is one that no pointer leads to.
fn plain(program: &Program, place: ExprId) -> Option<VarId> {
    match program.exprs.kind(place) {
        ExprKind::Var(variable) if !program.variable(variable).address_taken => Some(variable),
        _ => None,
    }
}

/// The variables whose values matter, as far as is known.
struct Matters<'p> {
    program: &'p Program,
    variables: FxHashSet<VarId>,
}

impl Matters<'_> {
    fn add(&mut self, expr: ExprId) -> bool {
        let program = self.program;
        let mut grew = false;
        program.exprs.walk(expr, &mut |id| {
            if let ExprKind::Var(variable) = program.exprs.kind(id) {
                grew |= self.variables.insert(variable);
            }
        });
        grew
    }

    fn all_but_plain_assignments(&mut self) {
        for edge in &self.program.edges {
            match &edge.op {
                Op::Assume { condition, .. } => _ = self.add(*condition),
                Op::Return(Some(value)) => _ = self.add(*value),
                Op::Input { target: Some(target), .. } | Op::Havoc { target } => _ = self.add(*target),
                Op::Assign { target, value } if plain(self.program, *target).is_none() => {
                    self.add(*target);
                    self.add(*value);
                }
                Op::Assign { value, .. } if !self.program.exprs.is_harmless(*value) => _ = self.add(*value),
                Op::Call(site) | Op::External(site) => {
                    let site = self.program.call_site(*site);
                    for &expr in site.arguments.iter().chain(&site.result) {
                        self.add(expr);
                    }
                    if let Callee::Pointer(pointer) = site.callee {
                        self.add(pointer);
                    }
                }
                _ => {}
            }
        }
    }

    /// What a variable that matters is computed from matters; whether something was new.
    fn follow_assignments(&mut self) -> bool {
        let mut grew = false;
        for edge in &self.program.edges {
            if let Op::Assign { target, value } = edge.op
                && plain(self.program, target).is_some_and(|variable| self.variables.contains(&variable))
            {
                grew |= self.add(value);
            }
        }
        grew
    }
}
