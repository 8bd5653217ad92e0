//! Operators on machine values, with the results that x86 gives.

use super::function::Translator;
use super::machine_type;
use crate::exec::context::Ending;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{self, InstBuilder, types};
use tandem_plugin_api::program::*;

impl Translator<'_, '_> {
    pub fn unary(&mut self, op: UnaryOp, operand: ExprId) -> ir::Value {
        let ty = self.program.exprs.ty(operand);
        match op {
            UnaryOp::LogicalNot => {
                let truth = self.condition(operand);
                let not = self.is_zero(truth);
                self.builder.ins().uextend(types::I32, not)
            }
            UnaryOp::BitNot => {
                let value = self.value(operand);
                self.builder.ins().bnot(value)
            }
            UnaryOp::Negate => {
                let value = self.value(operand);
                match self.program.types.get(ty) {
                    Type::Float(FloatKind::Float | FloatKind::Double) => self.builder.ins().fneg(value),
                    Type::Float(kind) => self.wide_negate(value, *kind),
                    _ => self.builder.ins().ineg(value),
                }
            }
        }
    }

    pub fn binary(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId, ty: TypeId) -> ir::Value {
        if op.is_comparison() {
            let truth = self.comparison(op, lhs, rhs);
            return self.builder.ins().uextend(types::I32, truth);
        }
        match op {
            BinaryOp::PointerAdd => return self.pointer_add(lhs, rhs),
            BinaryOp::PointerDiff => return self.pointer_difference(lhs, rhs, ty),
            _ => {}
        }
        let left_type = self.program.exprs.ty(lhs);
        let (a, b) = (self.value(lhs), self.value(rhs));
        match self.program.types.get(left_type) {
            Type::Float(FloatKind::Float | FloatKind::Double) => self.float_binary(op, a, b),
            Type::Float(kind) => self.wide_binary(op, a, b, *kind),
            _ => self.int_binary(op, a, b, self.is_signed(left_type), rhs),
        }
    }

    fn float_binary(&mut self, op: BinaryOp, a: ir::Value, b: ir::Value) -> ir::Value {
        match op {
            BinaryOp::Add => self.builder.ins().fadd(a, b),
            BinaryOp::Sub => self.builder.ins().fsub(a, b),
            BinaryOp::Mul => self.builder.ins().fmul(a, b),
            _ => self.builder.ins().fdiv(a, b),
        }
    }

    fn int_binary(&mut self, op: BinaryOp, a: ir::Value, b: ir::Value, signed: bool, rhs: ExprId) -> ir::Value {
        match op {
            BinaryOp::Add => self.builder.ins().iadd(a, b),
            BinaryOp::Sub => self.builder.ins().isub(a, b),
            BinaryOp::Mul => self.builder.ins().imul(a, b),
            BinaryOp::BitAnd => self.builder.ins().band(a, b),
            BinaryOp::BitOr => self.builder.ins().bor(a, b),
            BinaryOp::BitXor => self.builder.ins().bxor(a, b),
            BinaryOp::Shl | BinaryOp::Shr => {
                // The machine takes the amount modulo the width, as cranelift's shifts do.
                let amount = self.resize(b, types::I32, self.is_signed(self.program.exprs.ty(rhs)));
                match (op, signed) {
                    (BinaryOp::Shl, _) => self.builder.ins().ishl(a, amount),
                    (_, true) => self.builder.ins().sshr(a, amount),
                    (_, false) => self.builder.ins().ushr(a, amount),
                }
            }
            _ => self.divide(op, a, b, signed, rhs),
        }
    }

    fn divide(&mut self, op: BinaryOp, a: ir::Value, b: ir::Value, signed: bool, rhs: ExprId) -> ir::Value {
        let ty = self.builder.func.dfg.value_type(a);
        if ty == types::I128 {
            return self.wide_division(op, a, b, signed);
        }
        let divisor = self.program.exprs.as_int(rhs);
        if divisor.is_none() || divisor == Some(0) {
            let zero = self.is_zero(b);
            self.end_if(zero, Ending::DivisionError);
        }
        if signed && divisor.is_none_or(|d| d == -1) {
            let lowest = self.builder.ins().iconst(ty, i64::MIN >> (64 - ty.bits()));
            let minus_one = self.builder.ins().iconst(ty, -1);
            let is_lowest = self.builder.ins().icmp(IntCC::Equal, a, lowest);
            let is_minus_one = self.builder.ins().icmp(IntCC::Equal, b, minus_one);
            let overflow = self.builder.ins().band(is_lowest, is_minus_one);
            self.end_if(overflow, Ending::DivisionError);
        }
        match (op, signed) {
            (BinaryOp::Div, true) => self.builder.ins().sdiv(a, b),
            (BinaryOp::Div, false) => self.builder.ins().udiv(a, b),
            (_, true) => self.builder.ins().srem(a, b),
            (_, false) => self.builder.ins().urem(a, b),
        }
    }

    fn pointer_add(&mut self, pointer: ExprId, index: ExprId) -> ir::Value {
        let element = self.program.types.pointee(self.program.exprs.ty(pointer));
        let size = element.and_then(|t| self.program.types.size_of(t)).unwrap_or(1) as i64;
        let start = self.value(pointer);
        let sum = self.indexed(super::address::Address::dynamic(start), index, size);
        self.pointer(sum)
    }

    fn pointer_difference(&mut self, lhs: ExprId, rhs: ExprId, ty: TypeId) -> ir::Value {
        let element = self.program.types.pointee(self.program.exprs.ty(lhs));
        let size = element.and_then(|t| self.program.types.size_of(t)).unwrap_or(1).max(1) as i64;
        let (a, b) = (self.value(lhs), self.value(rhs));
        let bytes = self.builder.ins().isub(a, b);
        let machine = machine_type(self.program, ty);
        let size = self.builder.ins().iconst(machine, size);
        self.builder.ins().sdiv(bytes, size)
    }

    /// A comparison as a truth value of 8 bits.
    pub fn comparison(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> ir::Value {
        let ty = self.program.exprs.ty(lhs);
        let (a, b) = (self.value(lhs), self.value(rhs));
        match self.program.types.get(ty) {
            Type::Float(FloatKind::Float | FloatKind::Double) => self.builder.ins().fcmp(float_condition(op), a, b),
            Type::Float(kind) => self.wide_comparison(op, a, b, *kind),
            _ => {
                let condition = int_condition(op, self.is_signed(ty));
                self.builder.ins().icmp(condition, a, b)
            }
        }
    }
}

/// A comparison with a NaN is false, but for `!=`.
fn float_condition(op: BinaryOp) -> FloatCC {
    match op {
        BinaryOp::Eq => FloatCC::Equal,
        BinaryOp::Ne => FloatCC::NotEqual,
        BinaryOp::Lt => FloatCC::LessThan,
        BinaryOp::Le => FloatCC::LessThanOrEqual,
        BinaryOp::Gt => FloatCC::GreaterThan,
        _ => FloatCC::GreaterThanOrEqual,
    }
}

fn int_condition(op: BinaryOp, signed: bool) -> IntCC {
    match (op, signed) {
        (BinaryOp::Eq, _) => IntCC::Equal,
        (BinaryOp::Ne, _) => IntCC::NotEqual,
        (BinaryOp::Lt, true) => IntCC::SignedLessThan,
        (BinaryOp::Le, true) => IntCC::SignedLessThanOrEqual,
        (BinaryOp::Gt, true) => IntCC::SignedGreaterThan,
        (_, true) => IntCC::SignedGreaterThanOrEqual,
        (BinaryOp::Lt, false) => IntCC::UnsignedLessThan,
        (BinaryOp::Le, false) => IntCC::UnsignedLessThanOrEqual,
        (BinaryOp::Gt, false) => IntCC::UnsignedGreaterThan,
        (_, false) => IntCC::UnsignedGreaterThanOrEqual,
    }
}
