//! Whether each `_Bool` of a program is 0 or 1. The memory of one may hold other bytes, which a union, a pointer to
//! characters or a copy wrote there; gcc's code then takes them as they are.

use super::{ExprId, ExprKind, IntKind, Op, Program, Type};

impl Program {
    /// Whether each `_Bool` that was set is 0 or 1: none is in memory that is read or written by way of an address, a structure
    /// or a union, and inline assembly gives none a value.
    pub fn has_exact_truth(&self) -> bool {
        let is_truth = |expr: ExprId| matches!(self.types.get(self.exprs.ty(expr)), Type::Int(IntKind::Bool));
        let is_reached = |expr: ExprId| match self.exprs.kind(expr) {
            ExprKind::Var(variable) => self.variable(variable).address_taken,
            ExprKind::Deref(_) | ExprKind::Field { .. } | ExprKind::Index { .. } => true,
            _ => false,
        };
        let is_havocked = self.edges.iter().any(|edge| matches!(edge.op, Op::Havoc { target } if is_truth(target)));
        !is_havocked && (0..self.exprs.len()).map(ExprId::new).all(|expr| !(is_truth(expr) && is_reached(expr)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::testing::ProgramBuilder;

    #[test]
    fn a_truth_value_that_is_followed_by_a_pointer_may_be_any_byte() {
        let mut builder = ProgramBuilder::new("f.c");
        let main = builder.function("main");
        builder.body(main);
        let mut program = builder.finish(main);
        let truth = program.types.intern(Type::Int(IntKind::Bool));
        program.exprs.intern(ExprKind::Int(1), truth);
        assert!(program.has_exact_truth());
        let pointer = program.types.intern(Type::Pointer(truth));
        let null = program.exprs.intern(ExprKind::Int(0), pointer);
        program.exprs.intern(ExprKind::Deref(null), truth);
        assert!(!program.has_exact_truth());
    }
}
