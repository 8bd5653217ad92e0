//! Branches that only choose the value of one variable: both values are computed and one is taken, since a branch that
//! goes either way at random costs far more than some arithmetic.

use super::function::Translator;
use cranelift_codegen::ir::InstBuilder;
use tandem_plugin_api::program::*;

/// Operations in an expression that may be computed although its value is not used.
const CHEAP: u32 = 4;

/// The operations on a side of a branch before the sides meet again.
struct Side {
    assigned: Option<(VarId, ExprId)>,
    join: LocationId,
}

impl Translator<'_, '_> {
    /// Translates a branch and both its sides. False if the sides do more than that, or if the branch is to be
    /// recorded.
    pub fn select(&mut self, condition: ExprId, yes: EdgeId, no: EdgeId) -> bool {
        if self.records_decisions() || self.is_instrumented(yes) || self.is_instrumented(no) {
            return false;
        }
        let (then, otherwise) = (self.side(yes), self.side(no));
        if then.join != otherwise.join || self.is_loop_head(then.join) {
            return false;
        }
        let Some(variable) = then.assigned.or(otherwise.assigned).map(|(variable, _)| variable) else { return false };
        let same = |side: &Side| side.assigned.is_none_or(|(assigned, _)| assigned == variable);
        let Some(register) = self.register(variable).filter(|_| same(&then) && same(&otherwise)) else { return false };
        let truth = self.condition(condition);
        let [then_value, other_value] = [&then, &otherwise].map(|side| match side.assigned {
            Some((_, value)) => self.value(value),
            None => self.builder.use_var(register),
        });
        let chosen = self.builder.ins().select(truth, then_value, other_value);
        self.builder.def_var(register, chosen);
        self.go_to(then.join);
        true
    }

    fn side(&self, edge: EdgeId) -> Side {
        let to = self.program.edge(edge).to;
        let nothing = Side { assigned: None, join: to };
        let location = self.program.location(to);
        let &[only] = location.leaving.as_slice() else { return nothing };
        let Op::Assign { target, value } = self.program.edge(only).op else { return nothing };
        let ExprKind::Var(variable) = self.program.exprs.kind(target) else { return nothing };
        let is_between = location.entering.len() == 1 && !self.is_loop_head(to) && !self.is_exit(to);
        let is_cheap = self.register(variable).is_some() && self.operations(value).is_some_and(|n| n <= CHEAP);
        match is_between && is_cheap && !self.is_instrumented(only) {
            true => Side { assigned: Some((variable, value)), join: self.program.edge(only).to },
            false => nothing,
        }
    }

    /// The number of operations, if none can end the run or takes long.
    fn operations(&self, expr: ExprId) -> Option<u32> {
        let Expr { kind, ty } = self.program.exprs.get(expr);
        let (bits, _) = self.program.types.word_shape(ty)?;
        if bits > 64 {
            return None;
        }
        match kind {
            ExprKind::Int(_) => Some(0),
            ExprKind::Var(id) => self.register(id).map(|_| 0),
            ExprKind::Cast(inner) => self.operations(inner),
            ExprKind::Unary { op: UnaryOp::BitNot | UnaryOp::Negate, operand } => Some(self.operations(operand)? + 1),
            ExprKind::Binary { op, lhs, rhs } => {
                use BinaryOp::*;
                let is_quick = matches!(op, Add | Sub | BitAnd | BitOr | BitXor | Shl | Shr);
                is_quick.then_some(self.operations(lhs)? + self.operations(rhs)? + 1)
            }
            _ => None,
        }
    }
}
