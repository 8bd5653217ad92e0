//! String literals: C leaves open whether two of them share memory (C11 6.4.5p7), and a printed program, in which each is
//! an array of its own, does not.

use super::{BinaryOp, ExprId, ExprKind, Program, Storage};

impl Program {
    /// Whether the program may ask if two literals share memory. If so, a proof of the printed program does not hold
    /// for this one.
    pub fn may_compare_literals(&self) -> bool {
        let is_literal = |storage| storage == Storage::StringLiteral;
        let literals = self.variables.iter().filter(|variable| is_literal(variable.storage)).count();
        literals > 1 && (0..self.exprs.len()).any(|at| self.compares_pointers(ExprId::new(at)))
    }

    /// A comparison with a constant, such as null, does not compare two objects.
    fn compares_pointers(&self, at: ExprId) -> bool {
        let is_address = |side| self.types.is_pointer(self.exprs.ty(side)) && self.exprs.as_int(side).is_none();
        match self.exprs.kind(at) {
            ExprKind::Binary { op, lhs, rhs } => {
                (op.is_comparison() || op == BinaryOp::PointerDiff) && is_address(lhs) && is_address(rhs)
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::*;
    use crate::kit::testing;

    #[test]
    fn one_literal_or_null_is_no_question() {
        let program = testing::two_inputs();
        assert!(!program.program().may_compare_literals());
        let compare = |literals: usize, with_null: bool| {
            let mut program = Program::clone(program.program());
            let char_type = program.types.intern(Type::Int(IntKind::Char));
            let pointer = program.types.pointer_to(char_type);
            let mut variable = program.variables[0].clone();
            variable.storage = Storage::StringLiteral;
            program.variables.extend(std::iter::repeat_n(variable, literals));
            let variable = VarId::new(0);
            let left = program.exprs.intern(ExprKind::Var(variable), pointer);
            let null = program.exprs.intern(ExprKind::Int(0), pointer);
            let int = program.types.intern(Type::Int(IntKind::Int));
            let rhs = if with_null { null } else { left };
            program.exprs.intern(ExprKind::Binary { op: BinaryOp::Eq, lhs: left, rhs }, int);
            program.may_compare_literals()
        };
        assert!(compare(2, false));
        assert!(!compare(2, true) && !compare(1, false));
    }
}
